import QueryEvaluation
import QueryMongo
import QueryTree
import QueryValues

extension Grouping {
    /// The groups in a service's answer to ``Grouping/rest(_:guarded:now:)``, like ``results(in:now:)`` gives them:
    /// named by S23, then `having`, order, skip and limit.
    ///
    ///     let grouping = Query(order: [.descending("count")]).grouped(by: "state", computing: [.count])
    ///     let answer: [Document] = [["state": "MA", "count": 2], ["state": "NY", "count": 5]]
    ///     try grouping.results(ofREST: answer)  // → [{"state":"NY","count":5}, {"state":"MA","count":2}]
    ///
    /// O(groups · log groups).
    ///
    /// - Parameters:
    ///   - rows: the objects of the response.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: `QueryError` of code `json` for an answer that lacks a value or has one of another kind, and what
    ///   ``results(in:now:)`` throws for `having`.
    public func results(ofREST rows: [Document], now: Int64? = nil) throws(QueryError) -> [Document] {
        let keyOrder = keys.map { SortKey(FieldPath(keys: [$0.name])) }
        let shown = Query(
            having ?? .constant(true),
            order: query.order + keyOrder,
            skip: query.skip,
            limit: query.limit,
            nilMeaning: query.nilMeaning,
            schema: resultSchema
        )
        return try shown.results(in: groups(ofREST: rows), now: now)
    }
}
