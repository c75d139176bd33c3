import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

extension Service {
    /// GET of one entity.
    func get(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        let id = try exchange.id()
        let unless = try exchange.tags("If-None-Match")
        let projection = try exchange.items.isEmpty ? nil : projection(exchange)
        var fault = ServiceFault(.entityNotFound, debug: id)
        fault.tick = .zero
        guard let collection = storage.collections[key] else { throw fault }
        let caller = exchange.caller
        let client = exchange.request.headers["X-PQL-Client"]
        let owners = client.map { caller.owners(of: $0) }
        let found = try await storage.read(for: exchange.sender, isShort: true, isOneStatement: owners == nil) {
            (connection) throws(ServiceFault) in
            try connection.entity(id, in: collection, owners: owners)
        }
        // What the snapshot shares was known before it was stored.
        let access = Access(rights: collection.rights, caller: caller, hasShares: collection.listPaths.hasShares)
        fault.tick = found.snapshot
        guard let json = found.json, access.canRead(json: json) else { throw fault }
        var response = WireResponse.json(json, tick: found.snapshot)
        let tag = "\"\(found.changed.text)\""
        response.headers["ETag"] = tag
        if let number = found.last { response.headers["X-PQL-Last"] = String(number) }
        if matches(unless, tag) {
            response.status = 304
            response.body = []
        } else if var projection, case .object(let entity)? = try? QueryValue(json: json) {
            response.body = []
            JSONWriter().write(.object(projection.row(entity)), to: &response.body)
        }
        return response
    }

    /// What a GET of one entity shows of it; nil for all.
    private func projection(_ exchange: Exchange) throws(ServiceFault) -> Projection? {
        let parameters = try Parameters(exchange, [.fields], configuration)
        let query = try parameters.query(within: configuration, lists: KnownLists())
        do throws(QueryError) {
            return try query.fields.map { (fields) throws(QueryError) in
                try Projection(fields + ["_id", "_acl", "_kmd"], schema: nil)
            }
        } catch {
            throw ServiceFault(querying: error)
        }
    }

    /// GET of the entities that a query finds.
    func find(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        let prepared = try finds.find(exchange, key, configuration)
        let most = configuration.limits.entitiesPerAnswer
        let mostBytes = configuration.limits.bytesPerAnswer
        guard let collection = storage.collections[key] else {
            _ = try prepared.parameters.query(within: configuration, lists: KnownLists())
            return .json(Array("[]".utf8), tick: .zero)
        }
        let tags = tag(exchange)
        let configuration = configuration
        let unless = try exchange.tags("If-None-Match")
        let memory = AnswerMemory.current
        let start = ContinuousClock.now
        let (response, asked) = try await storage.read(for: exchange.sender, pace: prepared.pace) {
            (connection) throws(ServiceFault) -> (WireResponse, Query?) in
            let tick = try connection.tick(of: collection)
            let tag = tags(tick)
            let plan = try prepared.plan(exchange, in: collection, connection, configuration)
            var response = WireResponse.json([], tick: tick)
            if !plan.isVolatile {
                response.headers["ETag"] = tag
                if matches(unless, tag) {
                    response.status = 304
                    return (response, nil)
                }
            }
            var body: [UInt8] = [UInt8(ascii: "[")]
            var count = 0
            var (isCut, isTooMuch) = (false, false)
            try connection.forEachEntity(plan, in: collection, now: exchange.now, configuration) { json in
                guard count < most, body.count + json.count <= mostBytes else {
                    isCut = true
                    return
                }
                // The comma and the bracket are counted.
                guard !isTooMuch, memory?.hasRoom(for: body.count + json.count + 2, of: exchange.caller) ?? true else {
                    isTooMuch = true
                    body = []
                    return
                }
                if count > 0 { body.append(UInt8(ascii: ",")) }
                body.append(contentsOf: json)
                count += 1
            }
            if isTooMuch { throw AnswerMemory.fault }
            body.append(UInt8(ascii: "]"))
            response.body = body
            if isCut { response.headers["X-PQL-Truncated"] = String(count) }
            return (response, plan.query)
        }
        if let asked { await watch(asked, in: collection, by: exchange.caller, ContinuousClock.now - start) }
        return response
    }

    /// The number of entities that a query finds.
    func count(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        let parameters = try Parameters(exchange, [.filter], tree: Parameters.Part.allCases, configuration)
        guard let collection = storage.collections[key] else {
            _ = try parameters.query(within: configuration, lists: KnownLists())
            return .json(.object(["count": 0]), tick: .zero)
        }
        let tags = tag(exchange)
        let configuration = configuration
        let unless = try exchange.tags("If-None-Match")
        return try await storage.read(for: exchange.sender) { (connection) throws(ServiceFault) in
            let tick = try connection.tick(of: collection)
            let tag = tags(tick)
            var query = try parameters.query(within: configuration, lists: collection.listPaths.paths) { id, path in
                connection.holdsList(at: path, id, in: collection)
            }
            let access = try connection.access(of: exchange.caller, in: collection)
            if let readable = access.readable { query.condition = readable && query.condition }
            if !query.isVolatile, matches(unless, tag) {
                return WireResponse(status: 304, headers: [("ETag", tag), ("X-Kinvey-Request-Start", tick.text)])
            }
            let count = try connection.count(query, in: collection, exchange.now, configuration)
            var response = WireResponse.json(.object(["count": .int(Int64(count))]), tick: tick)
            if !query.isVolatile { response.headers["ETag"] = tag }
            return response
        }
    }

    /// The ETag of a list or a count at a tick: it names the query and the caller.
    private func tag(_ exchange: Exchange) -> @Sendable (Tick) -> String {
        let environment = environment
        let epoch = storage.epoch
        let asked = [exchange.route.rawValue, exchange.caller.fingerprint, exchange.request.query]
        let body = exchange.request.body
        return { tick in
            let text = ([epoch, tick.text] + asked).joined(separator: "\u{0}")
            let digest = environment.digest(Array(text.utf8) + body)
            return "\"" + hexDigits(digest.prefix(16)) + "\""
        }
    }
}

/// Two digits for each byte.
func hexDigits(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
        var end = 0
        for byte in bytes {
            buffer[end] = digits[Int(byte >> 4)]
            buffer[end + 1] = digits[Int(byte & 15)]
            end += 2
        }
        return end
    }
}

/// True if an ETag is among those of `If-None-Match`.
private func matches(_ tags: [String]?, _ tag: String) -> Bool {
    tags?.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag } ?? false
}

extension Access {
    /// True if the caller may read an entity of a JSON text.
    func canRead(json: [UInt8]) -> Bool {
        if caller.identity == .master || !hasShares && readsByDefault { return true }
        guard case .object(let document)? = try? QueryValue(json: json) else { return false }
        return canRead(AccessControl(of: document))
    }
}

extension AccessControl {
    /// The access control of an entity.
    init(of entity: Document) {
        if case .object(let access)? = entity["_acl"], let control = AccessControl(access) {
            self = control
        } else {
            self.init()
        }
    }
}

extension Connection {
    /// What a GET of one entity needs, from one statement.
    struct Found {
        var snapshot = Tick.zero
        var changed = Tick.zero
        var json: [UInt8]?
        /// The last write of the asking client that was acted on.
        var last: Int64?
    }

    func entity(_ id: String, in collection: Collection, owners: [QueryValue]?) throws(ServiceFault) -> Found {
        var found = Found()
        try faults { () throws(QueryError) in
            try forEach(
                "SELECT c.tick, e.tick, e.doc FROM collection c LEFT JOIN \(collection.table) e ON e.id = ? "
                    + "WHERE c.n = ?",
                [.string(id), .int(collection.number)]
            ) { row in
                found.snapshot = Tick(rawValue: row.int(at: 0))
                found.changed = Tick(rawValue: row.int(at: 1))
                found.json = row.bytes(at: 2)
                return false
            }
            guard let owners else { return }
            try forEach(
                "SELECT number FROM receipt WHERE n = ? AND id = ? AND client IN (?, ?) ORDER BY number DESC",
                [.int(collection.number), .string(id)] + owners
            ) { row in
                found.last = row.int(at: 0)
                return false
            }
        }
        return found
    }

    func tick(of collection: Collection) throws(ServiceFault) -> Tick {
        try faults { () throws(QueryError) in
            Tick(rawValue: try int("SELECT tick FROM collection WHERE n = ?", [.int(collection.number)]))
        }
    }

    func count(
        _ query: Query,
        in collection: Collection,
        _ now: Int64,
        _ configuration: ServiceConfiguration
    ) throws(ServiceFault) -> Int {
        database.limits = bounds(configuration)
        return try faults { () throws(QueryError) in
            try query.count(in: database, from: collection.rows, now: now)
        }
    }

    /// Runs a body and converts its `QueryError` to a `ServiceFault`.
    func faults<Value>(_ body: () throws(QueryError) -> Value) throws(ServiceFault) -> Value {
        do throws(QueryError) {
            return try body()
        } catch {
            throw ServiceFault(storing: error)
        }
    }
}
