import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// The query as a Mongo aggregation pipeline: `$match`, `$sort`, `$skip`, `$limit`, `$project`, each only if set.
    ///
    ///     try Query(format: "age > 21", order: ["name"], limit: 3).mongoPipeline().json
    ///     // → {"pipeline":[{"$match":{"age":{"$gt":21}}},{"$sort":{"name":1,"_id":1}},{"$limit":3}]}
    ///
    /// Computed fields are part of `$project`:
    ///
    ///     let total = try ComputedField(parsing: "total = price * qty")
    ///     try Query(fields: ["name"], computed: [total]).mongoPipeline().stages.map(\.keys)  // → [["$project"]]
    ///
    /// `$match` runs on the shards of a cluster, and so do `$sort` and `$limit` at first; the merging server merges
    /// their results. `$skip` runs only there.
    ///
    /// - Parameters:
    ///   - profile: what the service understands.
    ///   - guarded: true for a filter that assumes nothing about lists and tests for them itself.
    ///   - now: milliseconds since 1970 for `now()`; nil for the current time (S20).
    /// - Returns: the stages and assumptions.
    /// - Throws: `QueryError` of code `unsupported` for a profile without pipelines, and what
    ///   ``mongo(_:guarded:now:)`` throws.
    /// - Complexity: linear in the size of the query and of the filter.
    public func mongoPipeline(
        _ profile: MongoProfile = .mongoDB,
        guarded: Bool = false,
        now: Int64? = nil
    ) throws(QueryError) -> MongoPipeline {
        guard profile.allowsPipelines else {
            throw QueryError(.unsupported, "the service has no pipelines", hint: "use a find filter")
        }
        try validatePipeline(computing: true)
        var plain = self
        plain.computed = []
        var find = try plain.mongo(profile, guarded: guarded, now: now)
        if !computed.isEmpty {
            let context = MongoContext(profile, isGuarded: guarded, nilMeaning: nilMeaning)
            var projection = find.projection ?? ["_id": 0]
            for (name, value) in try computedValues(context, now) {
                projection[name] = .object(["$ifNull": [value, .null]])
            }
            find.projection = projection
            find.assumptions = Assumption.sorted(Set(find.assumptions).union(context.listed))
        }
        var stages: [Document] = []
        if !find.filter.isEmpty { stages.append(["$match": .object(find.filter)]) }
        if let sort = find.sort { stages.append(["$sort": .object(sort)]) }
        if let skip = find.skip, skip > 0 { stages.append(["$skip": .int(Int64(skip))]) }
        // A limit of 0 is a false filter, and `$limit` does not accept 0 (S21).
        if let limit = find.limit, self.limit != 0 { stages.append(["$limit": .int(Int64(limit))]) }
        if let projection = find.projection { stages.append(["$project": .object(projection)]) }
        return MongoPipeline(stages: stages, assumptions: find.assumptions)
    }

    /// The expressions of the computed fields.
    private func computedValues(
        _ context: MongoContext,
        _ now: Int64?
    ) throws(QueryError) -> [(name: String, value: QueryValue)] {
        let asked = try checked()
        let groups = Grouping(asked.ofAllRows, by: asked.computed.map(\.key), computing: [])
        let writer = GroupWriter(grouping: groups, context: context)
        var values: [(name: String, value: QueryValue)] = []
        for (position, field) in asked.computed.enumerated() {
            do throws(QueryError) {
                try MongoName.check(field.name, at: field.term.origin)
                if field.name.contains(".") || field.name.hasPrefix("$") {
                    throw QueryError(
                        .unsupported,
                        "Mongo takes no dot and no leading $ in the name of a computed field",
                        at: field.term.origin
                    )
                }
                try field.checkSingle(TypeScope(schema))
                values.append((field.name, try writer.value(of: field.key, now: now ?? Query.presentInstant)))
            } catch {
                throw error.ofComputedField(position)
            }
        }
        return values
    }

    /// A query of all rows with the same meaning of names and nil.
    private var ofAllRows: Query { Query(nilMeaning: nilMeaning, schema: schema) }
}
