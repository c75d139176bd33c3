import QueryTree
import QueryValues

/// The schemas of a store's tables, with the relations that its foreign keys declare.
package struct RelatedSchemas {
    /// A foreign key of a table.
    package struct ForeignKey: Hashable {
        package var child: String
        package var parent: String
        /// The columns of the child table, and those of the parent; the latter are empty if the primary key is meant.
        package var columns: [String]
        package var referred: [String]

        package init(child: String, parent: String, columns: [String], referred: [String]) {
            (self.child, self.parent, self.columns, self.referred) = (child, parent, columns, referred)
        }
    }

    private struct Known: Hashable {
        var table: UTF8Key
        var steps: Int
    }

    /// A table's foreign keys, and those that refer to it, by its name, in lower case where case makes no difference.
    private var ofChild: [UTF8Key: [ForeignKey]] = [:]
    private var toParent: [UTF8Key: [ForeignKey]] = [:]
    private let columns: (String) -> Schema?
    private let ignoresCase: Bool
    private var known: [Known: Schema] = [:]

    /// The schemas of some tables.
    ///
    /// - Parameters:
    ///   - keys: the foreign keys of all tables.
    ///   - ignoresCase: whether names that differ in the case of ASCII letters are one.
    ///   - columns: the fields of a table's own columns, and its primary key; nil if there is no such table.
    package init(keys: [ForeignKey], ignoresCase: Bool = true, columns: @escaping (String) -> Schema?) {
        (self.columns, self.ignoresCase) = (columns, ignoresCase)
        for key in keys {
            ofChild[name(key.child), default: []].append(key)
            toParent[name(key.parent), default: []].append(key)
        }
    }

    private func name(_ table: String) -> UTF8Key { ignoresCase ? table.tableKey : UTF8Key(table) }

    /// A table's schema with its relations.
    ///
    /// - Parameters:
    ///   - table: the table's name.
    ///   - steps: how many relations a path may follow.
    /// - Returns: the schema; nil if there is no such table.
    package mutating func schema(of table: String, steps: Int = 3) -> Schema? {
        let place = Known(table: name(table), steps: steps)
        if let schema = known[place] { return schema }
        guard var schema = steps == 0 ? columns(table) : self.schema(of: table, steps: 0) else { return nil }
        if steps > 0 {
            let relations = relations(of: place.table, schema, steps: steps)
            // A row that a key refers to keeps its name where rows that refer to this one would have it, too.
            schema.fields += relations.toOne.newNames(beside: schema.fields)
            schema.fields += relations.toMany.newNames(beside: schema.fields)
            schema.index()
        }
        known[place] = schema
        return schema
    }

    /// The relations that the foreign keys give, including those with clashing names.
    private mutating func relations(
        of table: UTF8Key,
        _ schema: Schema,
        steps: Int
    ) -> (toOne: [Schema.Field], toMany: [Schema.Field]) {
        var (toOne, toMany): ([Schema.Field], [Schema.Field]) = ([], [])
        for key in ofChild[table] ?? [] {
            guard let parent = self.schema(of: key.parent, steps: steps - 1) else { continue }
            toOne.append(.field(key.rowName(schema), .object(parent), relation: key.relation(to: key.parent)))
        }
        for key in toParent[table] ?? [] {
            guard let child = self.schema(of: key.child, steps: steps - 1) else { continue }
            // A name may begin with a schema's where case makes a difference.
            let name = ignoresCase ? nil : key.child.nameParts.last
            toMany.append(.field(name ?? key.child, .list(.object(child)), relation: key.relation(to: key.child)))
        }
        return (toOne, toMany)
    }
}

extension RelatedSchemas.ForeignKey {
    /// The name for the row that the key refers to: the column without `_id` or `Id`, else the table.
    fileprivate func rowName(_ schema: Schema) -> String {
        let parent = parent.nameParts.last ?? parent
        guard columns.count == 1, let column = columns.first else { return parent }
        let name = column.withoutKeyEnding
        return schema.field(named: name) == nil ? name : parent
    }

    fileprivate func relation(to table: String) -> Schema.Relation {
        var relation = Schema.Relation(table: table, foreignKey: columns.first ?? "", key: referred.first)
        if columns.count > 1 { relation.composite = columns }
        return relation
    }
}

extension [Schema.Field] {
    /// The relations under names that nothing else has: one that shares its name with others is named by its key,
    /// `orders_by_buyer` for the column `buyer_id`, and one with the name of a column is left out.
    fileprivate func newNames(beside others: [Schema.Field]) -> [Schema.Field] {
        func counts(_ relations: [Schema.Field]) -> [UTF8Key: Int] {
            (others + relations).reduce(into: [:]) { $0[UTF8Key($1.name), default: 0] += 1 }
        }
        let columns = Set(others.filter { $0.relation == nil }.map { UTF8Key($0.name) })
        let before = counts(self)
        let renamed = map { field in
            guard before[UTF8Key(field.name)] != 1, !columns.contains(UTF8Key(field.name)),
                let key = field.relation?.foreignKey
            else { return field }
            var field = field
            field.name += "_by_" + key.withoutKeyEnding
            return field
        }
        let after = counts(renamed)
        return zip(self, renamed).compactMap { field, renamed in
            // A name that needs no change is kept.
            let uses = field.name.hasSameUTF8(as: renamed.name) ? before : after
            return uses[UTF8Key(renamed.name)] == 1 ? renamed : nil
        }
    }
}

extension String {
    /// A column's name without the `_id` or `Id` of a foreign key.
    fileprivate var withoutKeyEnding: String {
        let ending = ["_id", "_ID", "Id", "ID"].first { hasSuffix($0) && utf8.count > $0.utf8.count }
        return String(unicodeScalars.dropLast(ending?.unicodeScalars.count ?? 0))
    }

    /// The parts of a table's name that dots outside of double quotes divide: `shop.people` is a table of a schema.
    package var nameParts: [String] {
        var (parts, isQuoted) = ([[Unicode.Scalar]()], false)
        for scalar in unicodeScalars {
            if scalar == "\"" { isQuoted.toggle() }
            if scalar == ".", !isQuoted { parts.append([]) }
            if isQuoted || scalar != ".", scalar != "\"" { parts[parts.count - 1].append(scalar) }
        }
        return parts.map { String(String.UnicodeScalarView($0)) }
    }

    /// The lower-case name of a table: SQLite ignores the case of ASCII letters.
    fileprivate var tableKey: UTF8Key {
        UTF8Key(String(decoding: utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }, as: UTF8.self))
    }
}
