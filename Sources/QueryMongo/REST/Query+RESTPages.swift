import QueryChecking
import QueryTree
import QueryValues

/// The requests for a query's documents page by page, up to the query's limit.
private struct RESTPages: Sequence, IteratorProtocol, Sendable {
    var size: Int
    var request: RESTRequest
    var skip: Int
    var limit: Int?
    var given = 0

    mutating func next() -> RESTRequest? {
        let count = Swift.min(size, limit.map { $0 - given } ?? size)
        let (skip, overflow) = skip.addingReportingOverflow(given)
        guard count > 0, !overflow else { return nil }
        let (sum, isEnd) = given.addingReportingOverflow(count)
        given = isEnd ? .max : sum
        var request = request
        request.items += [.init("skip", String(skip)), .init("limit", String(count))]
        return request
    }
}

extension Query {
    /// Requests for the query's documents in pages, for more than the service returns in one response.
    ///
    ///     let pages = try Query(format: "age > 21", limit: 25).restPages(size: 10)
    ///     pages.map { $0.items.suffix(2).map(\.value) }  // → [["0", "10"], ["10", "10"], ["20", "5"]]
    ///
    /// The pages end at the query's limit; without a limit they never end, and the caller stops after a page with fewer
    /// documents than it asked for:
    ///
    ///     var found: [Document] = []
    ///     for request in try Query(format: "age > 21").restPages() {
    ///         let page = try fetch(request)
    ///         found += page
    ///         if page.count < 10_000 { break }
    ///     }
    ///
    /// The sort ends in `_id`, so that every document has a unique place among the pages (S22).
    ///
    /// - Parameters:
    ///   - profile: what the service understands.
    ///   - size: the maximum number of documents in a page; nil for the service's maximum.
    ///   - guarded: true for a filter that assumes nothing about lists and tests for them itself.
    ///   - now: milliseconds since 1970 for `now()`; nil for the current time, read once for all pages (S20).
    /// - Returns: the requests, in order; none for a limit of 0.
    /// - Throws: as ``rest(_:_:guarded:now:)``; `pipeline` for a size below 1 or beyond the service's.
    /// - Complexity: linear in the size of the query and of the filter.
    public func restPages(
        _ profile: MongoProfile = .kinvey,
        size: Int? = nil,
        guarded: Bool = false,
        now: Int64? = nil
    ) throws(QueryError) -> some Sequence<RESTRequest> & Sendable {
        let size = size ?? profile.maximumLimit ?? 10_000
        guard size > 0, size <= profile.maximumLimit ?? .max else {
            throw QueryError(.pipeline, "a page has 1 to \(profile.maximumLimit ?? .max) documents")
        }
        try validatePipeline()
        var whole = self
        (whole.skip, whole.limit) = (0, nil)
        var mongo = try whole.mongo(profile, guarded: guarded, now: now)
        if mongo.sort == nil { mongo.sort = ["_id": 1] }
        var request = RESTRequest(mongo)
        if !mongo.filter.isEmpty { request.items.append(.init("query", MongoText.json(mongo.filter))) }
        request.items += try mongo.restSort + mongo.restFields()
        return RESTPages(size: size, request: request, skip: skip ?? 0, limit: limit)
    }
}
