import QueryChecking
import QueryTree
import QueryValues

/// A request to a data service over HTTP; sending it is up to the caller.
///
///     let request = try Query(format: "lastName == 'Barros'", limit: 5).rest()
///     request.url(of: "https://baas.kinvey.com/appdata/kid/people")
///     // → https://baas.kinvey.com/appdata/kid/people?query=%7B%22lastName%22:%22Barros%22%7D&limit=5
public struct RESTRequest: Hashable, Sendable {
    /// The HTTP method of the request.
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
        /// The unescaped value.
        public var value: String

        /// A name and its value.
        ///
        ///     let request = RESTRequest(method: .get, path: "_count", items: [.init("query", "{}")])
        ///     request.url(of: "/people")  // → /people/_count?query=%7B%7D
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - value: the unescaped value; it is escaped when the URL is written.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The HTTP method.
    public var method: Method
    /// The path after the collection's: `_count`, `_group`, `_deltaset`; empty for the collection itself.
    public var path: String
    /// The items of the URL's query, in order, each only if set.
    public var items: [Item]
    /// The JSON body; nil for none.
    public var body: Document?
    /// The assumptions of the translation, sorted and without duplicates.
    ///
    /// See S11.
    public var assumptions: [Assumption]
    /// What the service may interpret differently, such as texts that it converts to ObjectIds.
    public var warnings: [String]

    /// A request from its parts.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - path: the path after the collection's.
    ///   - items: the items of the URL's query, in order.
    ///   - body: the JSON body, nil for none.
    ///   - assumptions: the assumptions of the translation.
    ///   - warnings: what the service may interpret differently.
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
    /// `+ & = # %` in values are always escaped, so no value can end an item or start another. O(length).
    public var query: String {
        items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
    }

    /// The body as JSON, nil for none; built in linear time.
    ///
    ///     try Query().grouped(by: "state", computing: [.count]).rest().bodyText  // → {"key":{"state":true},…
    public var bodyText: String? { body.map(MongoText.json) }

    /// The URL of the request.
    ///
    ///     try Query(format: "age > 21").rest(.kinvey, .count).url(of: "/people")
    ///     // → /people/_count?query=%7B%22age%22:%7B%22$gt%22:21%7D%7D
    ///
    /// - Parameter collection: the collection's URL, without a query and without a trailing slash.
    /// - Returns: the URL as text. O(length).
    public func url(of collection: String) -> String {
        collection + (path.isEmpty ? "" : "/" + path) + (items.isEmpty ? "" : "?" + query)
    }
}

/// What to do with the documents that a query finds.
///
///     try Query(format: "age > 21").rest(.kinvey, .changes(since: 0)).path  // → _deltaset
///     try Query().rest(.kinvey, .removal)  // throws pipeline
public enum RESTAction: Hashable, Sendable {
    /// Fetch the documents.
    case find
    /// Count them.
    case count
    /// Fetch what was changed and removed since an instant, in milliseconds since 1970.
    case changes(since: Int64)
    /// Remove them; rejected for a query that finds everything.
    case removal
    /// Remove every document of the collection; rejected for a query with a condition.
    case removalOfAll
}
