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
            var relations = relations(of: place.table, schema, steps: steps)
            func uses() -> [UTF8Key: Int] {
                (schema.fields + relations).reduce(into: [:]) { $0[UTF8Key($1.name), default: 0] += 1 }
            }
            let shared = uses()
            relations = relations.map { shared[UTF8Key($0.name)] == 1 ? $0 : $0.namedByItsKey(beside: schema) }
            let names = uses()
            schema.fields += relations.filter { names[UTF8Key($0.name)] == 1 }
            schema.index()
        }
        known[place] = schema
        return schema
    }

    /// The relations that the foreign keys give, including those with clashing names.
    private mutating func relations(of table: UTF8Key, _ schema: Schema, steps: Int) -> [Schema.Field] {
        var fields: [Schema.Field] = []
        for key in ofChild[table] ?? [] {
            guard let parent = self.schema(of: key.parent, steps: steps - 1) else { continue }
            fields.append(.field(key.rowName(schema), .object(parent), relation: key.relation(to: key.parent)))
        }
        for key in toParent[table] ?? [] {
            guard let child = self.schema(of: key.child, steps: steps - 1) else { continue }
            // A name may begin with a schema's where case makes a difference.
            let name = ignoresCase ? nil : key.child.nameParts.last
            fields.append(.field(name ?? key.child, .list(.object(child)), relation: key.relation(to: key.child)))
        }
        return fields
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

extension Schema.Field {
    /// The relation's name where several keys give the same: `orders_by_buyer` for the column `buyer_id`.
    fileprivate func namedByItsKey(beside schema: Schema) -> Self {
        guard let relation, schema.field(named: name) == nil else { return self }
        var field = self
        field.name += "_by_" + relation.foreignKey.withoutKeyEnding
        return field
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
