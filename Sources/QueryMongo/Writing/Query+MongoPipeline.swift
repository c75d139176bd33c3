import QueryTree
import QueryValues

extension Query {
    /// The query as a Mongo aggregation pipeline: `$match`, `$sort`, `$skip`, `$limit`, `$project`, each only if set.
    ///
    ///     try Query(format: "age > 21", order: ["name"], limit: 3).mongoPipeline().json
    ///     // → {"pipeline":[{"$match":{"age":{"$gt":21}}},{"$sort":{"name":1,"_id":1}},{"$limit":3}]}
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
        let find = try mongo(profile, guarded: guarded, now: now)
        var stages: [Document] = []
        if !find.filter.isEmpty { stages.append(["$match": .object(find.filter)]) }
        if let sort = find.sort { stages.append(["$sort": .object(sort)]) }
        if let skip = find.skip, skip > 0 { stages.append(["$skip": .int(Int64(skip))]) }
        // A limit of 0 is a false filter, and `$limit` does not accept 0 (S21).
        if let limit = find.limit, self.limit != 0 { stages.append(["$limit": .int(Int64(limit))]) }
        if let projection = find.projection { stages.append(["$project": .object(projection)]) }
        return MongoPipeline(stages: stages, assumptions: find.assumptions)
    }
}
