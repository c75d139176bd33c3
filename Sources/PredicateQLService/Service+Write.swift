import PredicateQL
import QueryValues
import StoreModel

extension Service {
    /// POST of an entity, or of several.
    func insert(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        try exchange.refuseMatch()
        switch try exchange.json() {
        case .object(let document): return try await insert(document, key, exchange)
        case .list(let values): return try await insert(values, key, exchange)
        default: throw ServiceFault(.badRequest, debug: "the body must be a JSON object or an array of them")
        }
    }

    private func insert(
        _ document: Document,
        _ key: Collection.Key,
        _ exchange: Exchange
    ) async throws(ServiceFault) -> WireResponse {
        try makeRoom(for: key)
        var write = try insertion(of: document, key, exchange, requestKey: exchange.requestKey())
        write.demandsAbsence = try exchange.demandsAbsence()
        var response = try await response(to: write, key, exchange)
        if response.status == 201 {
            response.headers["Location"] = "/appdata/\(key.app)/\(key.name)/" + PercentText.encode(write.id)
        }
        return response
    }

    private func insert(
        _ values: [QueryValue],
        _ key: Collection.Key,
        _ exchange: Exchange
    ) async throws(ServiceFault) -> WireResponse {
        let most = configuration.limits.entitiesPerInsert
        if values.isEmpty { throw ServiceFault(.badRequest, debug: "Request body cannot be an empty array") }
        guard values.count <= most else {
            throw ServiceFault(.parameterValueOutOfRange, debug: "an array has at most \(most) entities")
        }
        guard ["5", nil].contains(exchange.request.headers["X-Kinvey-API-Version"]) else {
            throw ServiceFault(.featureUnavailable, debug: "arrays need X-Kinvey-API-Version 5")
        }
        try makeRoom(for: key)
        let requestKey = try exchange.requestKey()
        var results: [Result<WriteAnswer, ServiceFault>] = []
        var writes: [EntityWrite] = []
        var positions: [Int] = []
        for (position, value) in values.enumerated() {
            results.append(.failure(ServiceFault(.badRequest, debug: "an entity must be a JSON object")))
            guard case .object(let document) = value else { continue }
            do throws(ServiceFault) {
                writes.append(try insertion(of: document, key, exchange, requestKey: requestKey, at: position))
                positions.append(position)
            } catch {
                results[position] = .failure(error)
            }
        }
        let answers = await storage.write(writes, to: key, for: exchange.caller)
        for (position, answer) in zip(positions, answers) { results[position] = answer }
        var response = multiInsertAnswer(results)
        let made = answers.compactMap { try? $0.get() }
        if !made.isEmpty, made.allSatisfy(\.isReplayed) { response.headers["X-PQL-Replayed"] = "true" }
        return response
    }

    /// `{"entities":[…,null],"errors":[…]}`: 201 if all were made, else 207.
    private func multiInsertAnswer(_ results: [Result<WriteAnswer, ServiceFault>]) -> WireResponse {
        var body = Array(#"{"entities":["#.utf8)
        var errors: [QueryValue] = []
        var tick = Tick.zero
        for (position, result) in results.enumerated() {
            if position > 0 { body.append(UInt8(ascii: ",")) }
            switch result {
            case .success(let answer):
                tick = max(tick, answer.tick)
                body.append(contentsOf: answer.entity)
            case .failure(let fault):
                body.append(contentsOf: "null".utf8)
                var error = fault.document
                error["index"] = .int(Int64(position))
                errors.append(.object(error))
            }
        }
        body.append(contentsOf: #"],"errors":"#.utf8)
        JSONWriter().write(.list(errors), to: &body)
        body.append(UInt8(ascii: "}"))
        return .json(body, status: errors.isEmpty ? 201 : 207, tick: tick == .zero ? nil : tick)
    }

    /// PUT of an entity.
    func upsert(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        let id = try exchange.id()
        let document = try exchange.object()
        try document.demandID(id)
        try makeRoom(for: key)
        var write = EntityWrite(kind: .upsert, id: id)
        write.body = try body(document, exchange)
        write.key = try exchange.requestKey()
        write.match = try exchange.match()
        write.demandsAbsence = try exchange.demandsAbsence()
        return try await response(to: write, key, exchange)
    }

    /// DELETE of an entity.
    func remove(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        var write = EntityWrite(kind: .remove, id: try exchange.id())
        write.key = try exchange.requestKey()
        write.match = try exchange.match()
        if write.key != nil { try makeRoom(for: key) }
        return try await response(to: write, key, exchange)
    }

    /// DELETE of the entities that a query finds.
    func removeFound(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        for name in ["skip", "limit", "sort", "fields"] where try exchange.item(name) != nil {
            throw ServiceFault(.badRequest, debug: "a removal takes no \(name)")
        }
        try exchange.checkItems(exchange.route.parameters.map(\.name))
        let isSaid = try says(exchange)
        guard isSaid else { throw ServiceFault(.missingQuery, debug: "query={} removes everything") }
        try exchange.refuseMatch()
        let parameters = try Parameters(exchange, [.filter], configuration)
        if storage.collections[key] == nil { _ = try parameters.query(within: configuration, lists: KnownLists()) }
        if try exchange.requestKey() != nil { try makeRoom(for: key) }
        let removed = try await removeFound(parameters, key, exchange)
        var response = WireResponse.json(.object(["count": .int(Int64(removed.count))]), tick: removed.tick)
        if removed.isReplayed { response.headers["X-PQL-Replayed"] = "true" }
        return response
    }

    /// Searches like any reader, and removes some at a time, so that others' writes come between.
    ///
    /// What was written after the first search began stays.
    private func removeFound(
        _ parameters: Parameters,
        _ key: Collection.Key,
        _ exchange: Exchange
    ) async throws(ServiceFault) -> RemovalAnswer {
        let (mostFound, mostRemoved) = (10_000, 500)
        let requestKey = try exchange.requestKey()
        var until: Tick?
        var removed = RemovalAnswer(count: 0, tick: .zero)
        var isFirst = true
        while true {
            let (ids, tick) = try await found(parameters, key, exchange, most: mostFound)
            let before = removed.count
            let parts = ids.isEmpty ? [ids[...]] : ids.chunks(of: mostRemoved)
            for (number, part) in parts.enumerated() {
                let removal = FoundRemoval(
                    ids: Array(part),
                    until: until ?? tick,
                    isFirst: isFirst,
                    isLast: ids.count < mostFound && number == parts.count - 1,
                    before: removed.count,
                    key: requestKey
                )
                removed = try await storage.remove(removal, from: key, for: exchange.caller)
                if removed.isReplayed { return removed }
                isFirst = false
            }
            until = until ?? tick
            // Those that are left were written meanwhile.
            if ids.count < mostFound || removed.count == before { return removed }
        }
    }

    /// Some of the entities that a query finds and the caller may write, and the tick at which they were as they are.
    private func found(
        _ parameters: Parameters,
        _ key: Collection.Key,
        _ exchange: Exchange,
        most: Int
    ) async throws(ServiceFault) -> (ids: [String], tick: Tick) {
        guard let collection = storage.collections[key] else { return ([], .zero) }
        let configuration = configuration
        return try await storage.read(for: exchange.sender) { (connection) throws(ServiceFault) in
            let tick = try connection.tick(of: collection)
            var query = try parameters.query(within: configuration, lists: collection.listPaths.paths) { id, path in
                connection.holdsList(at: path, id, in: collection)
            }
            let access = try connection.access(of: exchange.caller, in: collection)
            if let writable = access.writable { query.condition = query.condition && writable }
            query.limit = most
            connection.database.limits = connection.bounds(configuration)
            return try connection.faults { () throws(QueryError) in
                (try connection.ids(query, in: collection, now: exchange.now), tick)
            }
        }
    }

    /// True if a removal says what to remove.
    private func says(_ exchange: Exchange) throws(ServiceFault) -> Bool {
        guard exchange.route.takesBody else {
            let (filter, format) = (try exchange.item("query"), try exchange.item("format"))
            return filter != nil || format != nil
        }
        let tree = try TreeBody(exchange, configuration)
        if tree != nil { return true }
        let body = try exchange.object()
        return !body.isEmpty
    }

    /// Writes one entity.
    private func response(
        to write: EntityWrite,
        _ key: Collection.Key,
        _ exchange: Exchange
    ) async throws(ServiceFault) -> WireResponse {
        let answers = await storage.write([write], to: key, for: exchange.caller)
        guard let result = answers.first else { throw ServiceFault(.internalErrorRetry) }
        let answer = try result.get()
        var response =
            write.body == nil
            ? .json(.object(["count": 1]), status: answer.status, tick: answer.tick)
            : WireResponse.json(answer.entity, status: answer.status, tick: answer.tick)
        if write.body != nil, !answer.isReplayed {
            response.headers["ETag"] = "\"\((answer.version ?? answer.tick).text)\""
        }
        if answer.isReplayed { response.headers["X-PQL-Replayed"] = "true" }
        if answer.isGone { response.headers["X-PQL-Gone"] = "true" }
        return response
    }

    private func insertion(
        of document: Document,
        _ key: Collection.Key,
        _ exchange: Exchange,
        requestKey: RequestKey?,
        at position: Int? = nil
    ) throws(ServiceFault) -> EntityWrite {
        var (requestKey, position) = (requestKey, position)
        if case .object(let metadata)? = document["_kmd"], case .string(let text)? = metadata["rid"] {
            guard let key = RequestKey(text) else {
                throw ServiceFault(.badRequest, debug: "_kmd.rid must be client:number:nonce")
            }
            // A client may send it again in another array.
            (requestKey, position) = (key, nil)
        }
        let id: String
        switch document["_id"] {
        case nil, .null?: id = newID(key, exchange, requestKey, position)
        case .string(let text)?:
            guard EntityID.isValid(text) else {
                throw ServiceFault(.invalidIdentifier, debug: "the _id is not allowed: " + EntityID.rule)
            }
            id = text
        default: throw ServiceFault(.invalidIdentifier, debug: "_id must be a text")
        }
        var write = EntityWrite(kind: .insert, id: id)
        write.body = try body(document, exchange)
        write.key = requestKey
        return write
    }

    /// A new id; that of a request which may be repeated comes from its key and the entity's place in its array, so
    /// that a repeat finds its receipt.
    private func newID(
        _ key: Collection.Key,
        _ exchange: Exchange,
        _ requestKey: RequestKey?,
        _ position: Int?
    ) -> String {
        guard let requestKey else {
            return EntityID.make(at: exchange.now, random: environment.random(), environment.random())
        }
        let parts = [key.app, key.name, exchange.caller.fingerprint, requestKey.text, position.map { String($0) }]
        let text = parts.compactMap(\.self).joined(separator: "\u{0}")
        let bits = environment.digest(Array(text.utf8)).prefix(16).reduce(into: (high: UInt64(0), low: UInt64(0))) {
            $0.high = $0.high << 8 | $0.low >> 56
            $0.low = $0.low << 8 | UInt64($1)
        }
        return EntityID.text(of: bits.high, bits.low)
    }

    private func body(_ document: Document, _ exchange: Exchange) throws(ServiceFault) -> EntityBody {
        let body = try EntityBody(document, isOwner: exchange.caller.identity == .master)
        let most = configuration.limits.entityBytes
        guard body.members.count <= most else {
            throw ServiceFault(.entityTooLarge, debug: "an entity has at most \(most) bytes")
        }
        return body
    }

    /// Refuses a new collection where there are too many.
    private func makeRoom(for key: Collection.Key) throws(ServiceFault) {
        guard storage.collections[key] == nil else { return }
        let most = configuration.limits.collectionsPerApp
        guard storage.collections.count(of: key.app) < most else {
            throw ServiceFault(.parameterValueOutOfRange, debug: "an app has at most \(most) collections")
        }
    }
}

extension Document {
    /// Refuses the `_id` of another than the path names.
    func demandID(_ id: String) throws(ServiceFault) {
        switch self["_id"] {
        case nil, .null?, .string(id)?: break
        default: throw ServiceFault(.badRequest, debug: "the _id of the body is not that of the path")
        }
    }
}

extension Exchange {
    /// The version that `If-Match` demands.
    fileprivate func match() throws(ServiceFault) -> EntityWrite.Match? {
        guard let tags = try tags("If-Match") else { return nil }
        if tags == ["*"] { return .any }
        let ticks = tags.compactMap { part in Tick(part.filter { $0 != "\"" }) }
        return .ticks(ticks, areRead: !tags.isEmpty && ticks.count == tags.count)
    }

    /// Refuses `If-Match` of a request that is not about one known entity.
    fileprivate func refuseMatch() throws(ServiceFault) {
        guard request.headers["If-Match"] != nil else { return }
        throw ServiceFault(.badRequest, debug: "If-Match belongs to PUT and DELETE of one entity")
    }

    /// True if `If-None-Match` demands that there is no entity.
    fileprivate func demandsAbsence() throws(ServiceFault) -> Bool {
        guard let tags = try tags("If-None-Match") else { return false }
        guard tags == ["*"] else { throw ServiceFault(.badRequest, debug: "If-None-Match of a write takes *") }
        return true
    }
}

extension Array {
    /// The elements in order, so many at a time.
    fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
