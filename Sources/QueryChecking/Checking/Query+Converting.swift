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
        let holdsUUID = readingCondition.nodes.contains { if case .term(let term) = $0 { term.isUUID } else { false } }
        let scope = TypeScope(row: row.convertible(besideUUIDs: holdsUUID))
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
    fileprivate func convertible(besideUUIDs: Bool) -> FieldType {
        let kinds = mapKinds { type in
            switch type {
            case .bool, .date, .data, .uuid: type
            case .string: besideUUIDs ? type : .any
            case .any, .int, .double, .objectID, .object, .list: .any
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
    /// What to write for a text that spells a truth value, and for an argument that is no text; nil for other constants.
    func advice(on constant: Term) -> (hint: String, fix: QueryError.Fix?)? {
        guard case .value(let value, let origin) = constant else { return nil }
        switch (self, value) {
        case (.bool, .string(let text)):
            guard let truth = text.asTruth else { return nil }
            if origin.isOfArgument { return ("give \(truth) as the argument (pql: --arg \(truth))", nil) }
            let word = truth ? "TRUE" : "FALSE"
            let fix = origin.isInQuotes ? origin.range.map { QueryError.Fix(range: $0, replacement: word) } : nil
            return ("write " + word, fix)
        case (.string, .int) where origin.isOfArgument, (.string, .double) where origin.isOfArgument:
            let hint = value.inQuotes(at: origin).hint
            return (hint + ", or write CAST(field, \"NSNumber\") to compare as numbers", nil)
        default: return nil
        }
    }

    /// What to write where a value of another kind stands beside the type.
    func conversionHint(of kind: Kind?) -> String? {
        switch self {
        case .string where kind == .date, .int where kind == .date, .double where kind == .date:
            "if the field holds dates, declare it in the schema as a date with the form it is stored in"
        case .int where kind == .bool, .double where kind == .bool: "compare with 1 or 0"
        case .int where kind == .string, .double where kind == .string:
            "write a number, or CAST(field, \"NSString\") to compare as texts"
        case .string where kind == .number: "write it in quotes, or CAST(field, \"NSNumber\") to compare as numbers"
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

extension FieldType {
    /// What compares a value of the type, for what is written like a truth value; nil for what may be one.
    ///
    /// - Parameter path: the path as it is written.
    /// - Returns: a comparison.
    package func comparison(of path: String) -> String? {
        switch self {
        case .any, .bool: nil
        case .int, .double: path + " > 0"
        case .string: path + " != ''"
        case .list: path + ".@count > 0"
        case .date, .data, .uuid, .objectID, .object: path + " != nil"
        }
    }
}

extension TypeScope {
    /// What to write for an object that is compared with a value of another kind: the paths of its fields.
    ///
    /// - Parameters:
    ///   - term: what holds the object, or a list of objects.
    ///   - type: its type, nil for what the schema tells.
    ///   - kind: the kind of the other value; nil for any.
    /// - Returns: a hint; nil for terms that hold no object.
    func memberHint(of term: Term?, holding type: FieldType? = nil, _ kind: Kind?) -> String? {
        guard let term, case .object(let schema) = (type ?? self.type(of: term)).element else { return nil }
        func member(_ key: String) -> String? {
            var writer = FormatWriter()
            switch term {
            case .field(let path, _): writer.write(Term.field(FieldPath(keys: path.keys + [key]), .none))
            case .path(let base, let steps, _): writer.write(Term.path(base, steps + [.key(key)], .none))
            case .aggregate(let aggregate, of: let base, let path, _):
                if aggregate.pathRule == .none { return nil }
                writer.write(Term.aggregate(aggregate, of: base, FieldPath(keys: path.keys + [key]), .none))
            case .variable, .subquery, .index: writer.write(Term.path(term, [.key(key)], .none))
            case .value, .list, .arithmetic, .negated, .call, .conditional, .cast, .assignment: return nil
            }
            return writer.arguments.isEmpty ? writer.text : nil
        }
        let fitting = schema.fields.filter { kind == nil || $0.type.element.kind == kind }
        let paths = fitting.prefix(3).compactMap { member($0.name) }
        if !paths.isEmpty { return "compare a field of the object: " + paths.joined(separator: " or ") }
        return member("key").map { "compare a field of the object, as in " + $0 }
    }

    /// How a row, this one or one of another table, is compared by its key; nil for other fields.
    ///
    /// - Parameter field: the term beside the constant.
    /// - Returns: a hint, and the fix where the key is a column of this row.
    func keyAdvice(on field: Term?) -> (hint: String, fix: QueryError.Fix?)? {
        guard case .field(let path, let origin)? = field else { return nil }
        func compare(_ keys: [String], isSure: Bool) -> (String, QueryError.Fix?) {
            let key = FieldPath(keys: keys).format
            // A name that is bound to %K is not in the text.
            let range = isSure && !origin.isOfArgument ? origin.range : nil
            return ("compare its key: " + key, range.map { QueryError.Fix(range: $0, replacement: key) })
        }
        if path.keys.isEmpty {
            return row.primaryKey.count == 1
                ? compare(row.primaryKey, isSure: true) : ("SELF is the whole row: write the name of a field", nil)
        }
        guard let step = row.resolve(path.keys)?.steps.last, let relation = step.relation else { return nil }
        let column = Array(path.keys.dropLast()) + [relation.foreignKey]
        if case .object = step.type, row.resolve(column) != nil { return compare(column, isSure: true) }
        guard let key = step.type.primaryKey.first, step.type.primaryKey.count == 1 else { return nil }
        return compare(path.keys + [key], isSure: false)
    }
}

// Bytes that a store keeps as base64 text, whose order is another one than theirs.

extension Query {
    /// Refuses what depends on an order of bytes.
    ///
    /// - Throws: `QueryError` of code `unsupported` for an ordering, an extreme or a sort key of bytes.
    package func refuseOrderOfBytes() throws(QueryError) {
        let scope = TypeScope(schema)
        try readingCondition.refuseOrderOfBytes(scope)
        for key in order {
            guard case .comparison(let computed)? = key.computedTest else {
                try Term.field(key.path, .none).refuseBytes(scope)
                continue
            }
            try computed.left.refuseBytes(scope)
        }
    }
}

extension Grouping {
    /// Refuses what depends on an order of bytes, as ``Query/refuseOrderOfBytes()`` does.
    package func refuseOrderOfBytes() throws(QueryError) {
        var (rows, scope) = (query, TypeScope(query.schema))
        rows.order = []
        try rows.refuseOrderOfBytes()
        for test in computedTerms { try test.refuseOrderOfBytes(scope) }
        for reducer in reducers where reducer.kind == .min || reducer.kind == .max {
            if let value = reducer.value { try value.term.refuseBytes(scope) }
        }
        scope = TypeScope(resultSchema)
        try having?.refuseOrderOfBytes(scope)
        for key in query.order { try Term.field(key.path, .none).refuseBytes(scope) }
    }
}

extension Condition {
    fileprivate func refuseOrderOfBytes(_ scope: TypeScope) throws(QueryError) {
        var scope = scope
        for node in nodes {
            switch node {
            case .term(.subquery(let subquery, _)):
                scope.variables[subquery.variable] = scope.type(of: subquery.collection).element
            case .term(.call(let function, let arguments, _)) where function == .min || function == .max:
                for argument in arguments { try argument.refuseBytes(scope) }
            case .term(.aggregate(let aggregate, of: _, _, let origin)) where aggregate == .min || aggregate == .max:
                if case .term(let term) = node { try term.refuseBytes(scope, at: origin) }
            case .condition(.comparison(let comparison)) where comparison.operator.isOrdering:
                for side in [comparison.left, comparison.right] {
                    try side.refuseBytes(scope, at: comparison.origin)
                }
            case .term, .condition: break
            }
        }
    }
}

extension Term {
    /// Refuses bytes, and a list of them.
    fileprivate func refuseBytes(_ scope: TypeScope, at origin: Origin? = nil) throws(QueryError) {
        if case .list(let elements, let own) = self {
            for element in elements { try element.refuseBytes(scope, at: origin ?? own) }
        } else if case .value(.list(let values), let own) = self {
            for value in values { try Term.value(value, own).refuseBytes(scope, at: origin) }
        } else if case .data = scope.type(of: self).element {
            throw QueryError(
                .unsupported,
                "bytes have no order here, because they are kept as base64 text",
                at: origin ?? self.origin,
                hint: "compare bytes with == or IN, and keep what is ordered in a field of its own"
            )
        }
    }
}
