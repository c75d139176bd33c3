import QueryTree
import QueryValues

extension Query {
    /// The query with constants converted to the kinds of the fields that they are compared with, where they can be (S2).
    ///
    /// ISO texts become dates, 0 and 1 truth values, texts UUIDs, UUIDs bytes. Whatever cannot stays as it is, and is never
    /// equal.
    ///
    ///     let known = Schema([.field("born", .date(.native))])
    ///     try Query(format: "born > '1970-01-05'").converting(by: known).condition.format
    ///     // → born > CAST(-977961600, "NSDate")
    ///
    /// Columns that a table declares and properties of Swift values have kinds although no schema says so.
    ///
    /// - Parameter kinds: the kinds of fields; those of numbers, texts and of ``Schema/plainFields`` are left alone.
    /// - Returns: the query, without another schema than before.
    /// - Complexity: linear in the condition.
    package func converting(by kinds: Schema) -> Query { converting(by: .object(kinds)) }

    /// The same for rows of any type.
    package func converting(by row: FieldType) -> Query {
        guard mayConvert else { return self }
        let scope = TypeScope(row: row.convertible)
        guard scope.row.hasKinds, !readingCondition.isHigher(than: StackRoom.mostHeight) else { return self }
        var copy = mappingComputed { $0.converted(scope) }
        copy.condition = condition.converted(scope)
        return copy
    }

    /// True if the condition has a constant that may become one of another kind.
    package var mayConvert: Bool {
        readingCondition.nodes.contains { node in
            guard case .term(.value(let value, _)) = node else { return false }
            return switch value {
            case .string, .uuid: true
            case .int(let number): number == 0 || number == 1
            case .double(let number): number == 0 || number == 1
            case .null, .bool, .date, .data, .list, .object, .shape: false
            }
        }
    }
}

extension Grouping {
    /// The grouping with the constants of its query, its computed keys and values, and `having` converted, as
    /// ``Query/converting(by:)`` does.
    ///
    /// - Parameter kinds: the kinds of the rows' fields, of which those of keys and values follow.
    /// - Returns: the grouping, without another schema than before.
    /// - Complexity: linear in the conditions.
    package func converting(by kinds: Schema) -> Grouping {
        var (copy, known) = (convertingTerms(by: kinds), self)
        copy.query = query.converting(by: kinds)
        known.query.schema = kinds
        copy.having = having.map { Query($0).converting(by: known.resultSchema).condition }
        return copy
    }
}

extension Grouping {
    /// True if a computed key or value has a constant that may become one of another kind.
    package var mayConvertTerms: Bool { computedTerms.contains { Query($0).mayConvert } }

    /// The grouping with the constants of its computed keys and values converted.
    ///
    /// - Parameter kinds: the kinds of the rows' fields.
    /// - Returns: the grouping.
    /// - Complexity: linear in the terms.
    package func convertingTerms(by kinds: Schema) -> Grouping {
        var copy = self
        copy.mapTerms { value, _ in
            guard case .comparison(let test) = Query(value.test).converting(by: kinds).condition else {
                return value.term
            }
            return test.left
        }
        return copy
    }
}

extension Schema {
    fileprivate var hasKinds: Bool { fields.contains { $0.type.hasKinds } }
}

extension FieldType {
    /// The type with only the kinds to which constants are converted; the row may have other fields.
    fileprivate var convertible: FieldType {
        let kinds = mapKinds { type in
            switch type {
            case .bool, .date, .data, .uuid: type
            case .any, .int, .double, .string, .objectID, .object, .list: .any
            }
        }
        guard case .object(var schema) = kinds else { return kinds }
        schema.allowsOthers = true
        return .object(schema)
    }

    fileprivate var hasKinds: Bool {
        switch self {
        case .any: false
        case .list(let element): element.hasKinds
        case .object(let schema): schema.hasKinds
        case .bool, .int, .double, .string, .date, .data, .uuid, .objectID: true
        }
    }
}

extension FieldType {
    /// What to write where a value of another kind stands beside the type.
    func conversionHint(of kind: Kind?) -> String? {
        switch self {
        case .string where kind == .date, .int where kind == .date, .double where kind == .date:
            "if the field holds dates, declare it in the schema as a date with the form it is stored in"
        case .int where kind == .bool, .double where kind == .bool: "compare with 1 or 0"
        case .bool: "use TRUE or FALSE"
        case .date where kind == .number:
            "use a date argument, or ISO 8601 text; if numbers are stored there, write CAST(field, \"NSNumber\")"
        case .date: "use a date argument, or ISO 8601 text"
        case .uuid: "use a UUID argument, or its hex text"
        case .objectID: "write its 24 hex digits"
        case .data where kind == .string: "use an argument of bytes, or a UUID for the bytes of one"
        default: nil
        }
    }
}
