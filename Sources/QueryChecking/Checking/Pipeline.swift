import QueryTree
import QueryValues

extension Query {
    /// Checks skip, limit and names; every backend calls it first (S21).
    ///
    ///     try Query(limit: -1).validatePipeline()  // throws pipeline
    ///
    /// - Parameters:
    ///   - computing: whether the backend computes fields; one that does not rejects them.
    ///   - sortsRows: whether `SELF` may be a sort key, for rows of plain values.
    /// - Throws: `QueryError` of code `pipeline` for a negative skip or limit, a field or sort key without keys, and two
    ///   fields of one name; of code `unsupported` for computed fields where there are none.
    package func validatePipeline(computing: Bool = false, sortsRows: Bool = false) throws(QueryError) {
        if let skip, skip < 0 { throw QueryError(.pipeline, "skip must not be negative") }
        if let limit, limit < 0 { throw QueryError(.pipeline, "limit must not be negative") }
        let sorted = order.map(\.path).filter { !sortsRows || $0 != .itself }
        for path in (fields ?? []) + sorted where path.keys.isEmpty || path.keys.contains(where: \.isEmpty) {
            throw QueryError(.pipeline, "fields and sort keys need a name", hint: "write a path such as address.zip")
        }
        for (position, path) in (fields ?? []).enumerated() { try path.refuseOperators("fields[\(position)]") }
        let names = Set(computed.map { UTF8Key($0.name) })
        for (position, key) in order.enumerated() where names.isEmpty || !names.contains(UTF8Key(key.path.dotted)) {
            try key.path.refuseOperators("order[\(position)]")
            if let mistake = key.mistake { throw mistake.at(path: "order[\(position)]") }
        }
        if !computed.isEmpty { try validateComputed(computing) }
    }

    private func validateComputed(_ isSupported: Bool) throws(QueryError) {
        guard isSupported else { throw unsupportedComputed() }
        var names: Set<UTF8Key> = []
        for path in fields ?? [] {
            let first = path.keys[0]
            names.insert(UTF8Key(schema?.field(named: first)?.storedName ?? first))
            names.insert(UTF8Key(path.keys.joined(separator: ".")))
        }
        for (position, field) in computed.enumerated() {
            if field.name.isEmpty {
                throw QueryError(
                    .pipeline,
                    "a computed field needs a name",
                    at: field.term.origin,
                    hint: "write `name = \(field.written.text)`"
                ).ofComputedField(position)
            }
            guard names.insert(UTF8Key(field.name)).inserted else {
                throw QueryError(
                    .pipeline,
                    "two fields of the row are named \(field.name)",
                    at: field.term.origin,
                    hint: "give the computed field another name"
                ).ofComputedField(position)
            }
        }
    }

    /// Throws for computed fields, where rows have none.
    package func refuseComputed() throws(QueryError) {
        if !computed.isEmpty { throw unsupportedComputed() }
    }

    private func unsupportedComputed() -> QueryError {
        QueryError(
            .unsupported,
            "computed fields are not supported here",
            at: computed.first?.term.origin ?? .none,
            hint: "leave them out, or compute them over the rows in memory"
        ).ofComputedField(0)
    }

    /// The query for whole rows, sorted alike.
    package var ofWholeRows: Query {
        var query = sortingByComputed
        (query.fields, query.computed) = (nil, [])
        return query
    }

    /// The top-level names of the result's fields, as stored; nil for whole rows.
    ///
    ///     Query(fields: ["a.b"], computed: [ComputedField(Field("c") * 2, as: "d")]).resultNames  // → ["a", "d"]
    package var resultNames: [String]? {
        guard fields != nil || !computed.isEmpty else { return nil }
        let names = (fields ?? []).compactMap(\.keys.first).map { schema?.field(named: $0)?.storedName ?? $0 }
        return names + computed.map(\.name)
    }

    /// The query with the computed fields that a store writes.
    package func asComputing() throws(QueryError) -> Query {
        computed.isEmpty && order.allSatisfy { $0.computed == nil } ? self : try checked()
    }

    /// The condition and the computed fields as one, for what walks everything that a query reads of a row.
    package var readingCondition: Condition {
        // The order has the terms of computed fields that are not shown.
        let tests = computed.isEmpty ? order.compactMap(\.computedTest) : computed.map(\.key.test)
        return tests.isEmpty ? condition : .and([condition] + tests)
    }

    /// The query with each computed term replaced, also in its order.
    ///
    /// - Parameter replace: gets the comparison of a term with nil; its left side becomes the term.
    /// - Returns: the query.
    /// - Throws: what the closure throws.
    package func mappingComputed<Failure: Error>(
        _ replace: (Condition) throws(Failure) -> Condition
    ) throws(Failure) -> Query {
        var copy = self
        for position in computed.indices {
            if case .comparison(let comparison) = try replace(computed[position].key.test) {
                copy.computed[position].term = comparison.left
            }
        }
        for position in order.indices {
            guard let test = order[position].computedTest else { continue }
            if case .comparison(let comparison) = try replace(test) { copy.order[position].computed = comparison.left }
        }
        return copy
    }
}

extension SortKey {
    /// The computed value, compared with nil.
    package var computedTest: Condition? { computed.map { GroupKey($0, as: "").test } }

    /// True if every field that the key reads may be.
    func mayBeRead(_ allows: (FieldPath) -> Bool) -> Bool {
        guard let test = computedTest else { return allows(path) }
        return test.nodes.allSatisfy { if case .term(.field(let path, _)) = $0 { allows(path) } else { true } }
    }
}

extension ComputedField: CustomStringConvertible {
    /// The name and the term's canonical text.
    ///
    ///     print(ComputedField(Field("age") / 10, as: "decade"))  // decade = age / 10
    public var description: String { name + " = " + written.text }

    /// The term's canonical text, and the values without a literal in it.
    package var written: FormatWriter { key.written }
}

extension FieldPath {
    /// Rejects `@count` and other operators among the keys: a path names a value, and a term computes one.
    ///
    /// - Parameter place: where the path stands, such as `order[0]`.
    /// - Throws: `QueryError` of code `pipeline`.
    fileprivate func refuseOperators(_ place: String) throws(QueryError) {
        let first = UInt8(ascii: "@")
        let name = keys.first { $0.utf8.first == first && Aggregate(rawValue: String($0.dropFirst())) != nil }
        guard let name else { return }
        let hint =
            if place.hasPrefix("group.by") {
                #"group by GroupKey(format: "\#(dotted)", as: "n")"#
            } else if place.hasPrefix("group") {
                #"compute it of a term, as Reducer(parsing: "sum:\#(dotted) as n") does"#
            } else {
                #"give it a name, computed: [ComputedField(format: "\#(dotted)", as: "n")], and use that"#
            }
        let message = "a path has no operator \(name); \(dotted) is a computed value"
        throw QueryError(.pipeline, message, hint: hint).at(path: place)
    }
}

extension QueryError {
    /// The error with the place of a computed field in a request, unless it has one.
    package func ofComputedField(_ position: Int) -> QueryError {
        path == nil ? at(path: "computed[\(position)]") : self
    }

    /// The error with the place of a group key in a request, unless it has one.
    package func ofGroupKey(_ position: Int) -> QueryError { path == nil ? at(path: "group.by[\(position)]") : self }

    /// The error with the place of a group's value in a request, unless it has one.
    package func ofReducer(_ position: Int) -> QueryError {
        path == nil ? at(path: "group.compute[\(position)]") : self
    }
}

extension GroupKey {
    fileprivate func unnamed(_ message: String, _ written: String) -> QueryError {
        QueryError(.pipeline, message, at: term.origin, hint: "write `\(written) as name`")
    }
}

extension Grouping {
    /// Checks names and the query's skip and limit; every backend calls it first.
    ///
    ///     try Query().grouped(by: "a.b", "a_b", computing: [.count]).validate()  // throws pipeline
    ///
    /// - Throws: `QueryError` of code `pipeline` for a negative skip or limit, an empty path, a computed key or value
    ///   without a name, no keys and values at all, `fields` on a group, two result fields of one name, or an order by
    ///   a name that is not a result field.
    package func validate() throws(QueryError) {
        try query.validatePipeline(computing: true)
        if query.fields != nil || !query.computed.isEmpty {
            throw QueryError(.pipeline, "a group has fixed fields", hint: "leave out fields")
        }
        for path in keys.compactMap(\.path) + reducers.compactMap(\.path)
        where path.keys.isEmpty || path.keys.contains(where: \.isEmpty) {
            throw QueryError(.pipeline, "group keys and values need a path")
        }
        for (position, key) in keys.enumerated() { try key.path?.refuseOperators("group.by[\(position)]") }
        for (position, value) in reducers.enumerated() { try value.path?.refuseOperators("group.compute[\(position)]") }
        for (position, key) in keys.enumerated() where key.name.isEmpty {
            throw key.unnamed("a computed group key needs a name", "\(key)").ofGroupKey(position)
        }
        for (position, reducer) in reducers.enumerated() where reducer.name.isEmpty {
            guard let value = reducer.value else { continue }
            let written = "\(reducer.kind.rawValue):\(value)"
            throw value.unnamed("a computed value of a group needs a name", written).ofReducer(position)
        }
        if keys.isEmpty, reducers.isEmpty {
            let hint = "group by a field, or compute a value such as count"
            throw QueryError(.pipeline, "a group needs a key or a value", path: "group", hint: hint)
        }
        var seen: Set<UTF8Key> = []
        for name in resultNames where !seen.insert(UTF8Key(name)).inserted {
            throw QueryError(
                .pipeline,
                "two fields of the group are named \(name)",
                hint: "rename one with as:"
            )
        }
        for (position, key) in query.order.enumerated()
        where key.path.keys.count != 1 || !seen.contains(UTF8Key(key.path.dotted)) {
            throw QueryError(
                .pipeline,
                "groups have no field \(key.path.dotted) to sort by",
                path: "order[\(position)]",
                hint: "sort by one of " + resultNames.joined(separator: ", ")
            )
        }
    }
}
