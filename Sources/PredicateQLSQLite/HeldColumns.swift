import PredicateQL
import QueryChecking
import QueryTree
import QueryValues

/// Fields whose columns hold another kind of value than a schema declares, which SQLite would compare as what they
/// hold: numbers in columns declared TEXT, texts in columns of numbers, and UUIDs in columns declared BLOB.
package struct HeldColumns {
    private var declared: TypeScope
    private var held: TypeScope

    /// - Parameters:
    ///   - declared: the schema of the query.
    ///   - held: the same fields with the types that their columns hold, as ``Schema/holding(of:_:)`` gives it.
    package init(declared: Schema, held: Schema) {
        (self.declared, self.held) = (TypeScope(declared), TypeScope(held))
    }

    /// Throws if a query, or groups of its rows, read such a field in another way than by a cast or a test for nil.
    package func check(_ query: Query, values: [GroupKey] = []) throws(QueryError) {
        for path in query.sortedFields + values.compactMap(\.path) { try check(.field(path, .none)) }
        try check(query.readingCondition)
        for value in values where value.path == nil { try check(value.test) }
    }

    private func check(_ condition: Condition) throws(QueryError) {
        _ = try condition.mapChildren { (part) throws(QueryError) in
            try check(part)
            return part
        } _: { (comparison) throws(QueryError) in
            let sides = [comparison.left, comparison.right]
            let isNilTest = sides.contains(where: \.isNil)
            for side in sides where !(isNilTest && side.isRead) { try check(side) }
            return .comparison(comparison)
        }
    }

    private func check(_ term: Term) throws(QueryError) {
        switch term {
        case .cast(let inner, .number, _), .cast(let inner, .decimal, _), .cast(let inner, .string, _):
            if inner.isRead, type(of: inner, in: declared)?.kind != .uuid { return }
        // A count reads no value.
        case .aggregate(.count, of: let base, _, _) where base.isRead: return
        default: break
        }
        if let type = type(of: term, in: declared), let kind = type.kind,
            self.type(of: term, in: held)?.kind != kind
        {
            let isList = if case .aggregate = term { true } else { declared.type(of: term) != type }
            throw refusal(term, isList: isList, kind)
        }
        var inner = self
        if case .subquery(let subquery, _) = term {
            let (variable, list) = (subquery.variable, subquery.collection)
            inner.declared = declared.binding(variable, to: declared.type(of: list).element)
            inner.held = held.binding(variable, to: held.type(of: list).element)
        }
        _ = try term.mapChildren { (child) throws(QueryError) in
            try check(child)
            return child
        } _: { (condition) throws(QueryError) in
            try inner.check(condition)
            return condition
        }
    }

    /// The type of the values that a term reads at its path; nil for what it computes, and for lists and objects.
    private func type(of term: Term, in scope: TypeScope) -> FieldType? {
        var type: FieldType
        switch term {
        case .field, .variable, .path, .index: type = scope.type(of: term)
        case .aggregate(_, of: let base, let path, _):
            type = scope.type(of: base).element.resolve(path.keys)?.type ?? .any
        case .value, .list, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment: return nil
        }
        while case .list(let element) = type { type = element }
        return type
    }

    private func refusal(_ term: Term, isList: Bool, _ kind: Kind) -> QueryError {
        let name = GroupKey(term, as: nil).description
        let (declared, held, change): (String, String, String) =
            switch kind {
            case .number: ("a number", "a text", isList ? "the field as a string and cast it" : "NSNumber")
            case .string: ("a text", "a number", isList ? "the field as a number and cast it" : "NSString")
            default: ("a UUID", "bytes", "the field as data and compare with its 16 bytes")
            }
        return QueryError(
            .unsupported,
            "the schema declares \(name) as \(declared), and the table as \(held)",
            at: term.origin,
            hint: change.hasPrefix("NS") ? "CAST(\(name), '\(change)')" : "declare " + change
        )
    }
}

extension Schema {
    /// The schema with the kinds that columns hold, in related tables, too.
    ///
    /// - Parameters:
    ///   - table: the table whose columns the fields are; nil for those inside JSON.
    ///   - type: what a column of a table is declared to hold, as ``SQLiteTable/Column/heldType`` says.
    /// - Returns: the schema; nil if all fields are as it declares them.
    package func holding(of table: String?, _ type: (_ column: String, _ table: String) -> FieldType?) -> Schema? {
        var copy = self
        for (position, field) in fields.enumerated() {
            let held: FieldType?
            switch (field.type, field.relation) {
            case (.int, nil), (.double, nil):
                held = table.flatMap { type(field.storedName, $0) == .string ? .string : nil }
            case (.string, nil):
                held = table.flatMap { type(field.storedName, $0) }.flatMap { $0.kind == .number ? $0 : nil }
            case (.uuid, nil): held = table.flatMap { type(field.storedName, $0) == .data ? .data : nil }
            case (.object(let inner), let relation?): held = inner.holding(of: relation.table, type).map { .object($0) }
            case (.list(.object(let inner)), let relation?):
                held = inner.holding(of: relation.table, type).map { .list(.object($0)) }
            default: held = nil
            }
            if let held { copy.fields[position].type = held }
        }
        guard copy.fields != fields else { return nil }
        copy.index()
        return copy
    }
}

extension Term {
    /// True for nil, and for a list of nothing else.
    fileprivate var isNil: Bool {
        switch constantValue {
        case .null?: true
        case .list(let values)?: !values.isEmpty && values.allSatisfy(\.isNull)
        default: false
        }
    }

    /// True for the value at a path.
    fileprivate var isRead: Bool {
        switch self {
        case .field, .variable, .path, .index: true
        case .value, .list, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment: false
        }
    }
}
