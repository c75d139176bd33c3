import QueryChecking
import QueryTree
import QueryValues

/// What to ask a data service over HTTP; sending it is the caller's work.
///
///     let request = try Query(format: "lastName == 'Barros'", limit: 5).rest()
///     request.url(of: "https://baas.kinvey.com/appdata/kid/people")
///     // → https://baas.kinvey.com/appdata/kid/people?query=%7B%22lastName%22:%22Barros%22%7D&limit=5
public struct RESTRequest: Hashable, Sendable {
    /// The verb of the request.
    ///
    ///     try Query(format: "age > 21").rest(.kinvey, .removal).method.rawValue  // → DELETE
    public enum Method: String, Hashable, Sendable, CaseIterable {
        /// Reads documents, a count or changes.
        case get = "GET"
        /// Sends a body: groups.
        case post = "POST"
        /// Removes documents.
        case delete = "DELETE"
    }

    /// One `name=value` of the URL's query.
    ///
    ///     try Query(format: "age > 21", limit: 5).rest().items.map(\.name)  // → ["query", "limit"]
    public struct Item: Hashable, Sendable {
        /// The name, such as `query`.
        public var name: String
        /// The value as it is meant, not yet escaped.
        public var value: String

        /// A name and its value.
        ///
        ///     let request = RESTRequest(method: .get, path: "_count", items: [.init("query", "{}")])
        ///     request.url(of: "/people")  // → /people/_count?query=%7B%7D
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - value: the value as it is meant; it is escaped when the URL is written.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The verb.
    public var method: Method
    /// What follows the collection's path: `_count`, `_group`, `_deltaset`; empty for the collection itself.
    public var path: String
    /// The items of the URL's query, in order; only those that are set.
    public var items: [Item]
    /// The JSON body; nil for none.
    public var body: Document?
    /// What the translation took for granted, sorted, each once (S11).
    public var assumptions: [Assumption]
    /// What the service may read otherwise than it looks, such as texts that it takes for ObjectIds.
    public var warnings: [String]

    /// A request from its parts.
    ///
    /// - Parameters:
    ///   - method: the verb.
    ///   - path: what follows the collection's path.
    ///   - items: the items of the URL's query, in order.
    ///   - body: the JSON body, nil for none.
    ///   - assumptions: what the translation took for granted.
    ///   - warnings: what the service may read otherwise than it looks.
    public init(
        method: Method = .get,
        path: String = "",
        items: [Item] = [],
        body: Document? = nil,
        assumptions: [Assumption] = [],
        warnings: [String] = []
    ) {
        self.method = method
        self.path = path
        self.items = items
        self.body = body
        self.assumptions = assumptions
        self.warnings = warnings
    }

    /// The items as the text after the `?` of a URL, percent-encoded (RFC 3986); empty without items.
    ///
    ///     try Query(format: "name == 'Zoé'").rest().query  // → query=%7B%22name%22:%22Zo%C3%A9%22%7D
    ///
    /// `+ & = # %` in values are always escaped, so no value can end an item or begin another. O(length).
    public var query: String {
        items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
    }

    /// The body as JSON, nil for none; made in linear time.
    ///
    ///     try Query().grouped(by: "state", computing: [.count]).rest().bodyText  // → {"key":{"state":true},…
    public var bodyText: String? { body.map(MongoText.json) }

    /// The URL of the request.
    ///
    ///     try Query(format: "age > 21").rest(.kinvey, .count).url(of: "/people")
    ///     // → /people/_count?query=%7B%22age%22:%7B%22$gt%22:21%7D%7D
    ///
    /// - Parameter collection: the collection's URL, without a query and without a slash at the end.
    /// - Returns: the URL as text. O(length).
    public func url(of collection: String) -> String {
        collection + (path.isEmpty ? "" : "/" + path) + (items.isEmpty ? "" : "?" + query)
    }
}

/// What is asked of the documents that a query finds.
///
///     try Query(format: "age > 21").rest(.kinvey, .changes(since: 0)).path  // → _deltaset
///     try Query().rest(.kinvey, .removal)  // throws pipeline
public enum RESTAction: Hashable, Sendable {
    /// The documents.
    case find
    /// How many there are.
    case count
    /// What was changed and removed since an instant, in milliseconds since 1970.
    case changes(since: Int64)
    /// To remove them; rejected for a query that finds everything.
    case removal
    /// To remove every document of the collection; rejected for a query with a condition.
    case removalOfAll
}
