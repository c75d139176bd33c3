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
        let asked = try asComputing()
        var plain = asked
        (plain.computed, plain.order) = ([], [])
        var find = try plain.mongo(profile, guarded: guarded, now: now)
        let context = MongoContext(profile, isGuarded: guarded, nilMeaning: nilMeaning, objectIDs: objectIDs)
        if !computed.isEmpty {
            var projection = find.projection ?? ["_id": 0]
            for (position, field) in asked.computed.enumerated() {
                do throws(QueryError) {
                    try field.checkName()
                    projection[field.name] = try asked.value(of: field, context, now)
                } catch {
                    throw error.ofComputedField(position)
                }
            }
            find.projection = projection
        }
        var keys = Document()
        for (position, key) in asked.order.enumerated() where key.field == nil {
            keys["sort\(position)"] = try asked.value(of: ComputedField(key.term, as: ""), context, now)
        }
        let prefix = asked.freePrefix(keys.keys)
        keys = Document(pairs: keys.pairs.map { (prefix + $0, $1) })
        find.sort = try asked.sort(context, names: keys.keys)
        find.assumptions = Assumption.sorted(Set(find.assumptions).union(context.listed))
        var stages: [Document] = []
        if !find.filter.isEmpty { stages.append(["$match": .object(find.filter)]) }
        // Computed keys are fields of the documents until they are sorted.
        if !keys.isEmpty { stages.append(["$addFields": .object(keys)]) }
        if let sort = find.sort { stages.append(["$sort": .object(sort)]) }
        if let skip = find.skip, skip > 0 { stages.append(["$skip": .int(Int64(skip))]) }
        // A limit of 0 is a false filter, and `$limit` does not accept 0 (S21).
        if let limit = find.limit, self.limit != 0 { stages.append(["$limit": .int(Int64(limit))]) }
        if let projection = find.projection { stages.append(["$project": .object(projection)]) }
        return MongoPipeline(stages: stages, assumptions: find.assumptions)
    }

    /// The expression of a computed field, null where it has no value.
    private func value(
        of field: ComputedField,
        _ context: MongoContext,
        _ now: Int64?
    ) throws(QueryError) -> QueryValue {
        try field.checkSingle(TypeScope(schema))
        let rows = Query(nilMeaning: nilMeaning, schema: schema)
        let writer = GroupWriter(grouping: Grouping(rows, by: [field.key], computing: []), context: context)
        return .object(["$ifNull": [try writer.value(of: field.key, now: now ?? Query.presentInstant), .null]])
    }

    /// What makes names other than those of all fields that the query reads.
    private func freePrefix(_ names: [String]) -> String {
        var used = Set((sortedFields + (fields ?? [])).compactMap(\.keys.first))
        for case .term(.field(let path, _)) in readingCondition.nodes { used.formUnion(path.keys.prefix(1)) }
        var prefix = ""
        while names.contains(where: { used.contains(prefix + $0) }) { prefix += "_" }
        return prefix
    }
}

extension ComputedField {
    fileprivate func checkName() throws(QueryError) {
        try MongoName.check(name, at: term.origin)
        if name.contains(".") || name.hasPrefix("$") {
            throw QueryError(
                .unsupported,
                "Mongo takes no dot and no leading $ in the name of a computed field",
                at: term.origin
            )
        }
    }
}
