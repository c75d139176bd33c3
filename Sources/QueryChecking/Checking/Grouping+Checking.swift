import QueryTree
import QueryValues

extension Grouping {
    /// The grouping with its query and `having` checked against the schema.
    ///
    ///     try Query(schema: schema).grouped(by: "naem", computing: [.count]).checked()  // throws unknownField
    ///
    /// - Returns: the checked grouping.
    /// - Throws: what ``Query/checked()`` throws; errors of `having` name it as their path, unknown keys are
    ///   `unknownField`, and sums, averages and medians of declared texts and dates are `kindMismatch`.
    public func checked() throws(QueryError) -> Grouping {
        var copy = self
        try copy.mapTerms { (value, placed) throws(QueryError) in
            try value.checkHeight(placed)
            return value.term
        }
        // The order names the groups' own fields, so `validate()` checks it, not the rows' schema.
        let paths =
            keys.enumerated().compactMap { entry in entry.element.path.map { ($0, "group.by", entry.offset) } }
            + reducers.enumerated().compactMap { entry in
                entry.element.path.map { ($0, "group.compute", entry.offset) }
            }
        var rows = query
        rows.order = []
        let read = query.schema?.read(
            by: .and([query.condition] + computedTerms),
            paths.map(\.0),
            dates: fieldsOfDates
        )
        rows.schema = read
        copy.query = try rows.checked()
        copy.query.order = query.order
        let scope = TypeScope(rows.schema)
        for (path, list, place) in paths {
            if let problem = scope.row.problem(with: path, list, place) { throw problem }
        }
        for (position, reducer) in reducers.enumerated() {
            if let problem = reducer.kindProblem(scope.row, position) { throw problem }
        }
        try copy.mapTerms { (value, placed) throws(QueryError) in try value.checked(scope, placed) }
        if let having {
            // The groups' counts and sums have known kinds even without a schema.
            var known = self
            known.query.schema = read?.checked
            let (checked, problems) = having.checked(TypeScope(known.resultSchema))
            copy.having = checked
            if var problem = problems.first {
                if problem.code == .unknownField, let path = known.unknown(having, problem) {
                    problem.message = "a group has no field \(path.dotted)"
                    problem.hint = known.namesHint(path) ?? problem.hint
                }
                throw problem.at(path: problem.path ?? "having")
            }
        }
        return copy
    }

    /// The field that a problem is about, if no group has it.
    private func unknown(_ having: Condition, _ problem: QueryError) -> FieldPath? {
        let schema = resultSchema
        let unknown = having.nodes.lazy.compactMap { node -> FieldPath? in
            guard case .term(.field(let path, let origin)) = node, let key = path.keys.first,
                origin.range?.lowerBound == problem.range?.lowerBound
            else { return nil }
            return schema.field(named: key) == nil ? path : nil
        }
        return unknown.first { _ in true }
    }

    /// The name of what a condition on groups calls by a field of the rows, else the groups' names if none is similar.
    private func namesHint(_ path: FieldPath) -> String? {
        let named = keys.filter { $0.path == path }.map(\.name) + reducers.filter { $0.path == path }.map(\.name)
        if !named.isEmpty { return "a group has it as " + named.joined(separator: ", ") }
        let names = resultNames
        if Suggestion.nearest(to: path.dotted, among: names) != nil { return nil }
        return "a group has " + names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    }

    /// The fields of a group: keys and values under their result names (S23).
    ///
    ///     let byName = Query(schema: schema).grouped(by: "name", computing: [.max("age")])
    ///     byName.resultSchema.field(named: "max_age")?.type  // → int
    package var resultSchema: Schema {
        let scope = TypeScope(query.schema)
        let type = { (value: GroupKey) in value.type(in: scope) }
        let keyFields = keys.map { Schema.Field.field($0.name, scope.type(of: $0.term)) }
        let valueFields = reducers.map { reducer -> Schema.Field in
            switch reducer.operation {
            case .count, .countDistinct: .field(reducer.name, .int, isOptional: false)
            case .sum: .field(reducer.name, .double, isOptional: false)
            case .average, .median: .field(reducer.name, .double)
            case .distinct(let value): .field(reducer.name, .list(type(value)), isOptional: false)
            case .first(let value), .last(let value): .field(reducer.name, type(value))
            case .min(let value), .max(let value): .field(reducer.name, type(value).element)
            case .custom: .field(reducer.name, .any)
            }
        }
        var result = Schema(keyFields + valueFields)
        let plain = query.schema?.plainFields ?? []
        let sources = keys.map { ($0.name, $0.path) } + reducers.map { ($0.name, $0.path) }
        for (name, path) in sources where path?.keys.count == 1 && plain.contains(path?.keys.first ?? "") {
            result.plainFields.insert(name)
        }
        return result
    }
}

extension Grouping {
    /// What keys and values read of each row.
    package var readValues: [GroupKey] { keys + reducers.compactMap(\.value) }

    /// The fields of the rows that keys and values name, computed ones those in their terms.
    package var readPaths: [FieldPath] { readValues.flatMap(\.readPaths) }

    /// The terms of computed keys and values, as comparisons with them.
    package var computedTerms: [Condition] {
        readValues.filter { $0.path == nil }.map(\.test)
    }

    /// Replaces each term of a computed key or value.
    ///
    /// - Parameter replace: gets the value, and what gives an error the value's place.
    /// - Throws: what the closure throws.
    package mutating func mapTerms<Failure: Error>(
        _ replace: (GroupKey, (QueryError) -> QueryError) throws(Failure) -> Term
    ) throws(Failure) {
        for position in keys.indices where keys[position].path == nil {
            keys[position].term = try replace(keys[position]) { $0.ofGroupKey(position) }
        }
        for position in reducers.indices {
            guard let value = reducers[position].value, value.path == nil else { continue }
            let term = try replace(value) { $0.ofReducer(position) }
            guard let operation = reducers[position].kind.operation(GroupKey(term, as: nil)) else { continue }
            reducers[position].operation = operation
        }
    }
}

extension Grouping {
    /// The warnings of the query, and sums, averages and medians of values that are not numbers, in the rows or
    /// according to the schema: they add nothing.
    ///
    ///     let rows: [Document] = [["city": "Rome", "name": "Ann"]]
    ///     let groups = Grouping(Query(), by: ["city"], computing: [.average("name")])
    ///     groups.warnings(seeing: rows).map(\.message)  // → ["name holds text, and only numbers are averaged"]
    ///
    /// - Parameter rows: a sample of the rows, or all of them.
    /// - Returns: warnings of code `unlikely`, those of values by their path in a request (S18).
    /// - Complexity: O((comparisons + values) × rows).
    public func warnings(seeing rows: [Document]) -> [QueryError] {
        let scope = TypeScope(query.schema)
        let keys = computedTerms.flatMap { key in
            var read = Query(key)
            read.schema = query.schema
            return read.dateWarnings(seeing: rows)
        }
        return query.warnings(seeing: rows) + keys
            + reducers.enumerated().compactMap { position, reducer in
                guard let path = reducer.path, let verb = reducer.operation.verb else { return nil }
                var found: Set<Kind> = []
                if let declared = scope.row.resolve(path.keys)?.type, declared != .any {
                    // What is never a number is an error: `checked()`.
                    if declared.isList { found = [.list] }
                } else {
                    found = path.kinds(in: rows, ofElements: false)
                }
                found.remove(.null)
                guard !found.isEmpty, !found.contains(.number) else { return nil }
                let held = found.map(\.plural).sorted().joined(separator: " and ")
                return QueryError(
                    .unlikely,
                    "\(path.dotted) holds \(held), and only numbers are \(verb)",
                    path: "group.compute[\(position)]",
                    hint: found == [.list]
                        ? "sum(\(path.dotted)) and average(\(path.dotted)) are numbers of each row: compute of these"
                        : Reducer.ofAnyKind
                )
            }
    }
}

extension GroupKey {
    /// The type of what a value reads: of a path, that of the field at its end.
    fileprivate func type(in scope: TypeScope) -> FieldType {
        path.map { scope.row.resolve($0.keys)?.type ?? .any } ?? scope.type(of: term)
    }

    /// The fields in the term.
    package var readPaths: [FieldPath] {
        term.nodes.compactMap { if case .term(.field(let path, _)) = $0 { path } else { nil } }
    }
}

extension Reducer {
    fileprivate static let ofAnyKind = "min, max, count and countDistinct take values of any kind"

    /// The error for a sum, an average or a median of values that are declared and never numbers (S18).
    func kindProblem(_ row: FieldType, _ position: Int) -> QueryError? {
        guard let value, let verb = operation.verb else { return nil }
        let type = value.type(in: TypeScope(row: row))
        guard let kind = type.element.kind, kind != .number else { return nil }
        let what = value.path.map { "the field \($0.dotted) holds" } ?? "\(value) is"
        return QueryError(
            .kindMismatch,
            "\(what) \(type.name), and only numbers are \(verb)",
            path: "group.compute[\(position)]",
            hint: Self.ofAnyKind
        )
    }
}

extension Reducer {
    /// The error for a value that a store does not compute.
    package var unsupported: QueryError {
        let hint: String
        switch kind {
        case .count, .sum, .average, .min, .max, .countDistinct: hint = "leave \(name) out"
        case .distinct: hint = "compute countDistinct, or group by the field too"
        case .median: hint = "compute avg, or group rows in memory"
        case .first, .last: hint = "a store's rows have no order; compute min or max, or group rows in memory"
        case .custom:
            return QueryError(.unsupported, "Swift code runs in memory only", hint: "leave \(name) out")
        }
        return QueryError(.unsupported, "\(kind.rawValue) of a group is not supported by the store", hint: hint)
    }
}

extension Reducer.Operation {
    /// What is done to numbers alone; nil for values that are taken of any kind.
    fileprivate var verb: String? {
        switch self {
        case .sum: "added"
        case .average: "averaged"
        case .median: "put in order"
        case .count, .min, .max, .countDistinct, .distinct, .first, .last, .custom: nil
        }
    }
}
