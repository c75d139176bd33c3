import PredicateQL
import QueryTree
import QueryValues
import StoreModel

/// A request whose route and caller are known.
struct Exchange: Sendable {
    let request: WireRequest
    let route: Route
    /// The texts of the path by name.
    let texts: [String: String]
    let caller: Caller
    /// The parameters in the URL.
    let items: [(name: String, value: String)]
    /// The time of day when it arrived.
    let now: Int64
    let limits: ServiceLimits

    /// Who takes turns with others: a user, or without one an address.
    var sender: String { caller.sender(at: request.address) }

    /// The collection that the path names.
    func collection() throws(ServiceFault) -> Collection.Key {
        let name = texts["collection"] ?? ""
        guard EntityID.isCollection(name) else {
            throw ServiceFault(.invalidIdentifier, debug: "a collection's name takes letters, digits, - and _")
        }
        return Collection.Key(app: caller.app, name: name)
    }

    /// The id that the path names.
    func id() throws(ServiceFault) -> String {
        let id = texts["id"] ?? ""
        guard EntityID.isValid(id) else {
            throw ServiceFault(.invalidIdentifier, debug: "the id is not allowed: " + EntityID.rule)
        }
        return id
    }

    /// A parameter of the URL; an error if it is there twice.
    func item(_ name: String) throws(ServiceFault) -> String? {
        let found = items.filter { $0.name == name }
        guard found.count <= 1 else { throw ServiceFault(.badRequest, debug: "\(name) is given twice") }
        return found.first?.value
    }

    /// A parameter of the URL that is true or false; false if it is absent.
    func flag(_ name: String) throws(ServiceFault) -> Bool {
        guard let text = try item(name) else { return false }
        guard let flag = Bool(text) else { throw ServiceFault(.badRequest, debug: "\(name) is true or false") }
        return flag
    }

    /// The ETags in a header, or `*` alone; nil without the header.
    func tags(_ header: String) throws(ServiceFault) -> [String]? {
        guard let list = request.headers.list(header) else { return nil }
        let tags = list.split(separator: ",").map { $0.filter { $0 != " " } }
        guard tags.count < 2 || !tags.contains("*") else {
            throw ServiceFault(.badRequest, debug: "\(header) is * alone, or ETags: \(list.prefix(80))")
        }
        return tags
    }

    /// Refuses headers on which a request of this kind would not act.
    func refuse(_ headers: [String], _ what: String) throws(ServiceFault) {
        guard let header = headers.first(where: { request.headers[$0] != nil }) else { return }
        throw ServiceFault(.badRequest, debug: "a request that changes \(what) takes no \(header)")
    }

    /// Refuses a parameter that nobody would read: a condition with a typing error would find everything.
    func checkItems(_ known: [String]) throws(ServiceFault) {
        try Self.check(items.map(\.name), "parameter", known)
    }

    /// The member for accounts of other sites, with which nobody logs in here.
    static let socialIdentity = "_socialIdentity"

    private static func check(_ names: [String], _ what: String, _ known: [String]) throws(ServiceFault) {
        guard let other = names.first(where: { !known.contains($0) }) else { return }
        let near = Suggestion.nearest(to: other, among: known).map { "; did you mean \($0)?" }
        let all = known.isEmpty ? "no \(what) is taken here" : "what is taken here: " + known.joined(separator: ", ")
        let name: ServiceFault.Name = other == socialIdentity ? .featureUnavailable : .badRequest
        throw ServiceFault(name, debug: "unknown \(what) \(other)" + (near ?? "; " + all))
    }

    /// The body as a JSON value.
    func json() throws(ServiceFault) -> QueryValue {
        try checkBody()
        var bounds = Limits.default
        bounds.jsonDepth = limits.entityDepth + 2
        do throws(QueryError) {
            return try QueryValue(json: request.body, limits: bounds)
        } catch {
            throw ServiceFault(.jsonParseError, debug: error.rendered())
        }
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Refuses a body that is none of JSON.
    func checkBody() throws(ServiceFault) {
        let type = request.headers["Content-Type"] ?? ""
        let parts = type.split(separator: ";").map { $0.filter { ![" ", "\t", "\""].contains($0) }.lowercased() }
        guard parts.first == "application/json",
            parts.dropFirst().allSatisfy({ !$0.hasPrefix("charset=") || $0 == "charset=utf-8" })
        else { throw ServiceFault(.badRequest, debug: "Content-Type must be application/json in UTF-8", status: 415) }
        if let coding = request.headers["Content-Encoding"], coding.lowercased() != "identity" {
            let debug = "a body is not read in Content-Encoding \(coding.prefix(40)); send it as it is"
            throw ServiceFault(.badRequest, debug: debug, status: 415)
        }
        guard !request.body.isEmpty else { throw ServiceFault(.incompleteRequestBody, debug: "the body is empty") }
        guard !request.body.starts(with: Self.byteOrderMark) else {
            throw ServiceFault(.jsonParseError, debug: "JSON begins without a byte order mark")
        }
    }

    /// The body as a JSON object.
    func object() throws(ServiceFault) -> Document {
        guard case .object(let document) = try json() else {
            throw ServiceFault(.badRequest, debug: "the body must be a JSON object")
        }
        return document
    }

    /// The body as a JSON object without other members than these.
    func object(of known: [String]) throws(ServiceFault) -> Document {
        let document = try object()
        try Self.check(document.keys.map { $0 }, "member", known)
        return document
    }

    /// The key of a write that may be repeated.
    func requestKey() throws(ServiceFault) -> RequestKey? {
        guard let text = request.headers["Idempotency-Key"] else { return nil }
        guard let key = RequestKey(text) else {
            throw ServiceFault(.badRequest, debug: "Idempotency-Key must be client:number:nonce")
        }
        return key
    }
}

extension WireResponse {
    /// An answer of JSON.
    static func json(_ body: [UInt8], status: Int = 200, tick: Tick? = nil) -> WireResponse {
        var response = WireResponse(status: status, headers: [("Content-Type", "application/json")], body: body)
        if let tick { response.headers["X-Kinvey-Request-Start"] = tick.text }
        return response
    }

    /// An answer of one value.
    static func json(_ value: QueryValue, status: Int = 200, tick: Tick? = nil) -> WireResponse {
        var body: [UInt8] = []
        JSONWriter().write(value, to: &body)
        return json(body, status: status, tick: tick)
    }

    /// An error.
    init(_ fault: ServiceFault) {
        var document = fault.document
        if let entity = fault.entity, let value = try? QueryValue(json: entity) { document["entity"] = value }
        self = .json(.object(document), status: fault.status, tick: fault.tick)
        if let last = fault.last { headers["X-PQL-Last"] = String(last) }
        if let methods = fault.allowed { headers["Allow"] = methods.joined(separator: ", ") }
        if let seconds = fault.retryAfter { headers["Retry-After"] = String(seconds) }
    }
}
