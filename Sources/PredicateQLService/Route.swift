import StoreModel

/// The endpoints of the service: one table for routing, metrics and `/openapi.json`.
enum Route: String, CaseIterable, Sendable {
    case ping, find, count, deltaSet, get, insert, upsert, remove, removeFound, group, findByBody, countByBody
    case deltaSetByBody, removeFoundByBody
    case subscribe, unsubscribe
    case signUp, logIn, logOut, me, lookUp, getUser, updateUser, removeUser, checkUserName
    case describe, configure, removeCollection
    case health, ready, metrics, openAPI

    /// The method and the pattern of the path; segments that begin with `:` stand for any text.
    var place: (method: String, pattern: String) {
        switch self {
        case .ping: ("GET", "/appdata/:app")
        case .find: ("GET", "/appdata/:app/:collection")
        case .count: ("GET", "/appdata/:app/:collection/_count")
        case .deltaSet: ("GET", "/appdata/:app/:collection/_deltaset")
        case .get: ("GET", "/appdata/:app/:collection/:id")
        case .insert: ("POST", "/appdata/:app/:collection")
        case .upsert: ("PUT", "/appdata/:app/:collection/:id")
        case .remove: ("DELETE", "/appdata/:app/:collection/:id")
        case .removeFound: ("DELETE", "/appdata/:app/:collection")
        case .group: ("POST", "/appdata/:app/:collection/_group")
        case .findByBody: ("POST", "/appdata/:app/:collection/_find")
        case .countByBody: ("POST", "/appdata/:app/:collection/_count")
        case .deltaSetByBody: ("POST", "/appdata/:app/:collection/_deltaset")
        case .removeFoundByBody: ("POST", "/appdata/:app/:collection/_remove")
        case .subscribe: ("POST", "/appdata/:app/:collection/_subscribe")
        case .unsubscribe: ("POST", "/appdata/:app/:collection/_unsubscribe")
        case .signUp: ("POST", "/user/:app")
        case .logIn: ("POST", "/user/:app/login")
        case .logOut: ("POST", "/user/:app/_logout")
        case .me: ("GET", "/user/:app/_me")
        case .lookUp: ("POST", "/user/:app/_lookup")
        case .getUser: ("GET", "/user/:app/:id")
        case .updateUser: ("PUT", "/user/:app/:id")
        case .removeUser: ("DELETE", "/user/:app/:id")
        case .checkUserName: ("POST", "/rpc/:app/check-username-exists")
        case .describe: ("GET", "/admin/:app")
        case .configure: ("PUT", "/admin/:app")
        case .removeCollection: ("DELETE", "/admin/:app/:collection")
        case .health: ("GET", "/healthz")
        case .ready: ("GET", "/readyz")
        case .metrics: ("GET", "/metrics")
        case .openAPI: ("GET", "/openapi.json")
        }
    }

    /// What it does, in a line.
    var summary: String {
        switch self {
        case .ping: "Tell that the app exists"
        case .find: "Find entities"
        case .count: "Count entities"
        case .deltaSet: "Tell what changed since a tick"
        case .get: "Get an entity"
        case .insert: "Add an entity, or up to 100"
        case .upsert: "Add or replace an entity"
        case .remove: "Remove an entity"
        case .removeFound: "Remove the entities that a query finds"
        case .group: "Group entities and compute values of each group"
        case .findByBody: "Find entities by a query in the body"
        case .countByBody: "Count entities by a query in the body"
        case .deltaSetByBody: "Tell what changed since a tick, by a query in the body"
        case .removeFoundByBody: "Remove the entities that a query in the body finds"
        case .subscribe, .unsubscribe: "Not available; returns FeatureUnavailable"
        case .signUp: "Make a user and log in"
        case .logIn: "Log in"
        case .logOut: "End the session"
        case .me: "Get the user of the session"
        case .lookUp: "Find users by name"
        case .getUser: "Get a user"
        case .updateUser: "Change a user"
        case .removeUser: "Remove a user"
        case .checkUserName: "Tell whether a user name is taken"
        case .describe: "Get the settings and the collections, with the master secret"
        case .configure: "Change settings, with the master secret"
        case .removeCollection: "Remove a collection with all its entities, with the master secret"
        case .health: "Tell that the process runs"
        case .ready: "Tell that writes are committed"
        case .metrics: "Metrics as Prometheus text"
        case .openAPI: "This description"
        }
    }

    /// The parameters in the query of the URL, with a description.
    var parameters: [(name: String, description: String)] {
        switch self {
        case .find:
            [
                Self.filter, Self.format, ("sort", "names as -year,title, or {\"year\":-1,\"title\":1}"),
                ("limit", "at most so many"),
                ("skip", "leave out so many first"), Self.fields,
            ]
        case .get: [Self.fields]
        case .count, .removeFound: [Self.filter, Self.format]
        case .deltaSet:
            [
                ("since", "the X-Kinvey-Request-Start of the last response"), Self.filter, Self.format,
                Self.fields,
            ] + Self.pages
        case .deltaSetByBody: [("since", "the X-Kinvey-Request-Start of the last response")] + Self.pages
        case .configure: [("loosen", "true to allow what opens data to more people or deletes histories")]
        case .removeUser: [("hard", "true to remove for good")]
        default: []
        }
    }

    private static let filter = ("query", "a MongoDB filter")
    private static let format = ("format", "a condition in this library's language, in place of query")
    private static let fields = ("fields", "stored names, separated by commas")
    private static let pages = [
        ("until", "the tick of the first page"), ("after", "the last id of the page before"),
        ("limit", "at most so many entities on a page"),
    ]

    /// True if a request has a body of JSON.
    var takesBody: Bool {
        switch self {
        case .insert, .upsert, .signUp, .logIn, .lookUp, .updateUser, .checkUserName, .configure: true
        default: takesQuery
        }
    }

    /// True if the body is a query, which may be a tree under `pql`.
    var takesQuery: Bool {
        switch self {
        case .group, .findByBody, .countByBody, .deltaSetByBody, .removeFoundByBody: true
        default: false
        }
    }

    /// The most bytes of a body, so that none is read in vain.
    ///
    /// An entity may be six times as long in a body as it is stored, if all is escaped.
    func bodyBytes(_ limits: ServiceLimits, ofOne: Bool = false) -> Int {
        if takesQuery { return min(limits.queryBytes, limits.bodyBytes) }
        let isOfNames = [.logIn, .lookUp, .checkUserName].contains(self)
        let isOne = takesBody && !isOfNames && (self != .insert || ofOne)
        let entity = (0..<6).reduce(65_536) { sum, _ in sum.saturatingSum(limits.entityBytes) }
        if isOne { return min(entity, limits.bodyBytes) }
        return takesBody && !isOfNames ? limits.bodyBytes : min(65_536, limits.bodyBytes)
    }

    /// True if credentials are needed.
    var isGuarded: Bool {
        switch self {
        case .health, .ready, .metrics, .openAPI: false
        default: true
        }
    }

    private static let segments: [(route: Route, method: String, parts: [String])] = allCases.map { route in
        (route, route.place.method, route.place.pattern.split(separator: "/").map(String.init))
    }

    /// The route of a request, with the texts of the pattern's segments.
    ///
    /// - Parameters:
    ///   - method: the method in upper case; HEAD is treated as GET.
    ///   - path: the path, percent-encoded.
    /// - Returns: the route and its texts by name.
    /// - Throws: `methodNotAllowed` if the path exists with other methods, `featureUnavailable` for Kinvey's paths that the
    ///   service does not have, `pathNotFound` for other paths, `badRequest` for a path that is not well formed.
    static func find(_ method: String, _ path: String) throws(ServiceFault) -> (Route, [String: String]) {
        var parts: [String] = []
        for bytes in path.utf8.split(separator: UInt8(ascii: "/")) {
            let part = Substring(bytes)
            let isPlain = !bytes.contains(UInt8(ascii: "%"))
            guard let text = isPlain ? String(part) : PercentText.decode(part, plusIsSpace: false) else {
                throw ServiceFault(.badRequest, debug: "the path is not well encoded")
            }
            parts.append(text)
        }
        var methods: [String] = []
        var isNamed = false
        for (route, allowed, pattern) in segments where matches(parts, pattern) {
            // A path that is a route's own, such as that of a log-in, is nobody's id.
            if isNamed, pattern.last == ":id" { break }
            isNamed = pattern.last != ":id"
            if allowed == method || method == "HEAD" && allowed == "GET" { return (route, texts(parts, pattern)) }
            if !methods.contains(allowed) { methods.append(allowed) }
        }
        if methods.isEmpty {
            let ofUser = parts.first == "user" ? parts.dropFirst(3).first : nil
            if let first = parts.first,
                ["rpc", "blob", "push", "roles"].contains(first) || ["roles", "_restore"].contains(ofUser)
            {
                throw ServiceFault(.featureUnavailable, debug: "this service has nothing at this path of /\(first)")
            }
            throw ServiceFault(.pathNotFound, debug: "there is nothing at this path")
        }
        var fault = ServiceFault(.methodNotAllowed, debug: "this path takes " + methods.joined(separator: ", "))
        fault.allowed = methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]
        throw fault
    }

    private static func matches(_ parts: [String], _ pattern: [String]) -> Bool {
        guard parts.count == pattern.count else { return false }
        for (part, wanted) in zip(parts, pattern) {
            if wanted.utf8.first == UInt8(ascii: ":") {
                // Names that begin with an underscore are the service's own.
                if wanted == ":id", part.utf8.first == UInt8(ascii: "_") { return false }
            } else if part != wanted {
                return false
            }
        }
        return true
    }

    private static func texts(_ parts: [String], _ pattern: [String]) -> [String: String] {
        var texts: [String: String] = [:]
        for (part, wanted) in zip(parts, pattern) where wanted.utf8.first == UInt8(ascii: ":") {
            texts[String(wanted.dropFirst())] = part
        }
        return texts
    }
}
