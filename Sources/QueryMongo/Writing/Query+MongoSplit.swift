import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// The query in two parts: the widest part that the service supports, and the rest for memory.
    ///
    ///     let query = try Query(format: "age > 21 AND random() >= 0")
    ///     let split = try query.split(for: .findOnly)
    ///     try split.store.mongo(.findOnly).json  // → {"filter":{"age":{"$gt":21}}}
    ///     try split.memory?.results(in: [["age": 30]])  // → [{"age":30}]
    ///
    /// The service's documents, filtered by the rest, are the query's. Skip, limit and fields go to the service only if
    /// there is no rest.
    ///
    /// - Parameters:
    ///   - profile: what the service understands.
    ///   - guarded: true for a filter that assumes nothing about lists.
    ///   - now: milliseconds since 1970 for `now()`; nil for the current time; both parts must get the same (S20).
    /// - Returns: both parts.
    /// - Throws: `QueryError` of code `unsupported` if nothing supports the query (S25), and what
    ///   ``mongo(_:guarded:now:)`` throws for other reasons, such as a malformed pattern.
    public func split(
        for profile: MongoProfile,
        guarded: Bool = false,
        now: Int64? = nil
    ) throws(QueryError) -> QuerySplit {
        try StackRoom.run(for: condition) { () throws(QueryError) in try condition.checkSupportedEverywhere() }
        return try split { (query) throws(QueryError) in
            _ = try query.mongo(profile, guarded: guarded, now: now)
        }
    }
}
