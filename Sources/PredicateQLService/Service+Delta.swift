import PredicateQL
import QueryEvaluation
import QueryTree
import QueryValues
import StoreModel

extension Service {
    /// What changed in the answer to a query since a tick.
    func delta(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        let request = try DeltaRequest(exchange, epoch: storage.epoch, configuration.limits)
        let parameters = try Parameters(exchange, [.filter, .fields], others: DeltaRequest.items, configuration)
        guard let collection = storage.collections[key] else {
            _ = try parameters.steadyQuery(within: configuration, lists: KnownLists())
            guard configuration.deltas.includes(key.name) else { throw ServiceFault(.missingConfiguration) }
            guard request.since == .zero else { throw DeltaRequest.outOfRange("since is after the last change") }
            return .json(Delta.empty, tick: .zero)
        }
        guard collection.keepsHistory else {
            throw ServiceFault(.missingConfiguration, debug: "deltas are off for this collection")
        }
        let configuration = configuration
        // Most requests find that nothing changed.
        let present = try await storage.read(for: exchange.sender, isShort: true) { (connection) throws(ServiceFault) in
            try connection.bounds(of: collection)
        }
        if request.until == nil, request.since == present.tick, request.since >= present.first {
            _ = try parameters.steadyQuery(within: configuration, lists: collection.listPaths.paths)
            return .json(Delta.empty, tick: present.tick)
        }
        let memory = AnswerMemory.current
        return try await storage.read(for: exchange.sender) { (connection) throws(ServiceFault) in
            let (tick, first) = try connection.bounds(of: collection)
            guard request.since >= first else { throw DeltaRequest.outOfRange("since is before the history") }
            let until = request.until ?? tick
            guard until <= tick else { throw DeltaRequest.outOfRange("until is after the last change") }
            guard request.since <= until else { throw DeltaRequest.outOfRange("since is after \(request.end)") }
            let query = try parameters.steadyQuery(within: configuration, lists: collection.listPaths.paths)
            if request.since == until { return .json(Delta.empty, tick: tick) }
            let access = Access(rights: collection.rights, caller: exchange.caller)
            var delta = try Delta(query)
            let classifier = try Classifier(query, access, now: exchange.now, limits: configuration.queryLimits)
            let end = ContinuousClock.now + (connection.patience ?? .seconds(configuration.limits.querySeconds))
            try connection.forEachChange(in: collection, request, until) { change throws(ServiceFault) in
                guard ContinuousClock.now < end else { throw ServiceFault(.queryTimeLimitExceeded) }
                try delta.add(change, classifier)
                guard memory?.hasRoom(for: delta.bytes, of: exchange.caller) ?? true else { throw AnswerMemory.fault }
                guard request.most != nil || delta.count <= configuration.limits.entitiesPerAnswer else {
                    let debug = "more than \(configuration.limits.entitiesPerAnswer) entities; give a limit for pages"
                    throw ServiceFault(.resultSetSizeExceeded, debug: debug)
                }
            }
            var response = WireResponse.json(delta.json, tick: tick)
            if let last = delta.next(request.most) {
                response.headers["X-PQL-Next"] = until.text + "," + PercentText.encode(last)
            }
            return response
        }
    }
}

extension Parameters {
    /// The query of a delta: one whose answer changes with the entities alone.
    fileprivate func steadyQuery(
        within configuration: ServiceConfiguration,
        lists: KnownLists
    ) throws(ServiceFault) -> Query {
        let query = try query(within: configuration, lists: lists)
        guard !query.isVolatile else {
            let debug = "what now() finds changes without a write, which no delta tells: read it in full"
            throw ServiceFault(.parameterValueOutOfRange, debug: debug)
        }
        return query
    }
}

/// The bounds of a delta.
struct DeltaRequest: Sendable {
    /// The tick that the client knows.
    var since: Tick
    /// The tick of the first page; nil for the snapshot's.
    var until: Tick?
    /// The last id of the page before; nil for the first page.
    var after: String?
    /// The most entities that are looked at for a page; nil for one answer.
    var most: Int?

    /// What `since` must not be after.
    var end: String { until == nil ? "the last change" : "until" }

    /// What the URL of a delta may say besides its query.
    static let items = ["since", "until", "after", "limit"]

    init(_ exchange: Exchange, epoch: String, _ limits: ServiceLimits) throws(ServiceFault) {
        for name in ["skip", "sort"] where try exchange.item(name) != nil {
            throw ServiceFault(.badRequest, debug: "a delta takes no \(name)")
        }
        // One that is misspelled is told before it is missed.
        try exchange.checkItems(exchange.route.parameters.map(\.name))
        guard let text = try exchange.item("since") else {
            throw ServiceFault(.missingRequestParameter, debug: "since is missing")
        }
        since = try Self.tick(text, "since")
        until = try exchange.item("until").map { (text) throws(ServiceFault) in try Self.tick(text, "until") }
        after = try exchange.item("after")
        if let text = try exchange.item("limit") {
            guard let number = Int(text), number > 0 else {
                throw ServiceFault(.parameterValueOutOfRange, debug: "limit of a delta must be an int of 1 or more")
            }
            most = min(number, limits.entitiesPerAnswer)
        }
        if let known = exchange.request.headers["X-PQL-Epoch"], known != epoch {
            throw Self.outOfRange("the database was restored")
        }
    }

    private static func tick(_ text: String, _ name: String) throws(ServiceFault) -> Tick {
        guard let tick = Tick(text) else {
            let debug = "\(name) must be a time as X-Kinvey-Request-Start tells it, such as \(Tick.zero.text)"
            throw ServiceFault(.parameterValueOutOfRange, debug: debug)
        }
        return tick
    }

    /// The error of a tick that no longer says what changed: the client reads everything.
    static func outOfRange(_ reason: String) -> ServiceFault {
        ServiceFault(
            .parameterValueOutOfRange,
            debug: "The 'since' timestamp must be within the history of the collection: \(reason)"
        )
    }
}

/// An entity that changed: its versions since the tick, and the present one.
struct Change {
    var id: String
    /// The versions before each change; nil where there was none.
    var earlier: [[UInt8]?]
    /// The present version; nil if there is none.
    var present: [UInt8]?
}

/// Tells what a change means to a caller who knows the answer to a query.
struct Classifier {
    enum Outcome {
        case changed, left, deleted, nothing
    }

    private let matcher: Matcher
    private let access: Access

    init(_ query: Query, _ access: Access, now: Int64, limits: Limits) throws(ServiceFault) {
        self.access = access
        do throws(QueryError) {
            matcher = try Matcher(query, now: now, limits: limits)
        } catch {
            throw ServiceFault(querying: error)
        }
    }

    /// A caller may know any version since the tick, so one that matched is enough.
    func outcome(_ change: Change) throws(ServiceFault) -> Outcome {
        let present = try change.present.map { (json) throws(ServiceFault) in try read(json) }
        if present?.isFound ?? false { return .changed }
        for case .some(let json) in change.earlier where try read(json).isFound {
            return present?.isReadable ?? false ? .left : .deleted
        }
        return .nothing
    }

    private func read(_ json: [UInt8]) throws(ServiceFault) -> (isReadable: Bool, isFound: Bool) {
        do throws(QueryError) {
            guard case .object(let entity) = try QueryValue(json: json) else { return (false, false) }
            guard access.canRead(AccessControl(of: entity)) else { return (false, false) }
            return try (true, matcher.matches(entity))
        } catch {
            throw ServiceFault(storing: error)
        }
    }
}

/// The answer to a delta.
struct Delta {
    private var changed: [UInt8] = []
    private var deleted: [UInt8] = []
    private var left: [UInt8] = []
    private(set) var count = 0
    /// The size of the answer so far.
    var bytes: Int { Self.empty.count + changed.count + deleted.count + left.count }
    private var seen = 0
    private var last: String?
    /// The fields that the client asked for; nil for whole entities.
    private var projection: Projection?

    /// Nothing changed.
    static let empty = Array(#"{"changed":[],"deleted":[],"left":[]}"#.utf8)

    init(_ query: Query) throws(ServiceFault) {
        do throws(QueryError) {
            projection = try query.fields.map { (fields) throws(QueryError) in
                try Projection(fields + ["_id", "_acl", "_kmd"], schema: query.schema)
            }
        } catch {
            throw ServiceFault(querying: error)
        }
    }

    /// `{"changed":[…],"deleted":[{"_id":…}],"left":[…]}`.
    var json: [UInt8] {
        var out = Array(#"{"changed":["#.utf8)
        out += changed
        out += Array(#"],"deleted":["#.utf8)
        out += deleted
        out += Array(#"],"left":["#.utf8)
        out += left
        out += Array("]}".utf8)
        return out
    }

    mutating func add(_ change: Change, _ classifier: Classifier) throws(ServiceFault) {
        seen += 1
        last = change.id
        switch try classifier.outcome(change) {
        case .changed: Self.append(shown(change), to: &changed)
        case .left: Self.append(shown(change), to: &left)
        case .deleted:
            var json: [UInt8] = []
            JSONWriter().write(.object(["_id": .string(change.id)]), to: &json)
            Self.append(json, to: &deleted)
        case .nothing: return
        }
        count += 1
    }

    /// The id after which the next page begins; nil after the last page.
    func next(_ most: Int?) -> String? {
        most.map { seen >= $0 } ?? false ? last : nil
    }

    private mutating func shown(_ change: Change) -> [UInt8] {
        guard let json = change.present else { return [] }
        guard projection != nil, case .object(let entity)? = try? QueryValue(json: json),
            let shown = projection?.row(entity)
        else { return json }
        var out: [UInt8] = []
        JSONWriter().write(.object(shown), to: &out)
        return out
    }

    private static func append(_ json: [UInt8], to list: inout [UInt8]) {
        if !list.isEmpty { list.append(UInt8(ascii: ",")) }
        list += json
    }
}

extension Connection {
    /// The tick of a collection, and the first one that its history can tell about.
    func bounds(of collection: Collection) throws(ServiceFault) -> (tick: Tick, first: Tick) {
        var found = (tick: Tick.zero, first: Tick.zero)
        try faults { () throws(QueryError) in
            try forEach("SELECT tick, historyFrom FROM collection WHERE n = ?", [.int(collection.number)]) { row in
                found = (Tick(rawValue: row.int(at: 0)), Tick(rawValue: row.int(at: 1)))
                return false
            }
        }
        return found
    }

    /// Calls a closure with each entity that changed, in the order of the ids.
    func forEachChange(
        in collection: Collection,
        _ request: DeltaRequest,
        _ until: Tick,
        _ body: (Change) throws(ServiceFault) -> Void
    ) throws(ServiceFault) {
        let ids = try changedIDs(in: collection, request, until)
        for id in ids {
            var change = Change(id: id, earlier: [])
            try faults { () throws(QueryError) in
                try forEach(
                    "SELECT prev FROM \(collection.history) WHERE id = ? AND tick > ? AND tick <= ?",
                    [.string(id), .int(request.since.rawValue), .int(until.rawValue)]
                ) { row in
                    change.earlier.append(row.bytes(at: 0))
                    return true
                }
                try forEach("SELECT doc FROM \(collection.table) WHERE id = ?", [.string(id)]) { row in
                    change.present = row.bytes(at: 0)
                    return false
                }
            }
            try body(change)
        }
    }

    private func changedIDs(
        in collection: Collection,
        _ request: DeltaRequest,
        _ until: Tick
    ) throws(ServiceFault) -> [String] {
        var ids: [String] = []
        try faults { () throws(QueryError) in
            try forEach(
                "SELECT DISTINCT id FROM \(collection.history) WHERE tick > ? AND tick <= ? AND id > ? "
                    + "ORDER BY id LIMIT ?",
                [
                    .int(request.since.rawValue), .int(until.rawValue), .string(request.after ?? ""),
                    .int(Int64(request.most ?? -1)),
                ]
            ) { row in
                if let id = row.string(at: 0) { ids.append(id) }
                return true
            }
        }
        return ids
    }
}
