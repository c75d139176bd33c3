import PredicateQL
import StoreModel

/// What a push is about: whose changes of which collection, and how they are sent.
struct PushTarget: Sendable {
    var seat: StoreClient.Seat
    var collection: String
    var number: Int64
    var options: Options
    /// True for an automatic push: it ends at a `Retry-After`.
    var isAutomatic = false

    var conflict: ConflictRule { options.conflict ?? .clientWins }
}

extension StoreClient {
    /// Pushes the pending changes of all collections, starting with the oldest.
    ///
    ///     try await client.push().count  // → 0
    ///
    /// - Returns: what was acknowledged and what stays pending.
    /// - Throws: `StoreError.cache`; failures of single changes are in the result, also those of a collection whose other
    ///   push took too long.
    public func push() async throws(StoreError) -> PushResult {
        let seat = seat
        var result = PushResult()
        let cache = try cache(seat)
        for collection in try cached({ () throws(QueryError) in try cache.collectionsInOrder() }) {
            do throws(StoreError) {
                result.add(try await push(collection, seat, options))
            } catch {
                guard error.isSilence else { throw error }
                result.failures += try pending(collection, seat).map {
                    PushFailure(collection: collection, id: $0.id, error: error)
                }
            }
        }
        return result
    }

    /// Pushes the pending changes of one collection.
    func push(_ collection: String, _ seat: Seat, _ options: Options) async throws(StoreError) -> PushResult {
        try await alone("push " + collection, options.limit) { () async throws(StoreError) in
            let (number, entries) = try self.cached(collection, seat) { (cache, number, _) throws(QueryError) in
                (number, try cache.entries(number))
            }
            let target = PushTarget(seat: seat, collection: collection, number: number, options: options)
            let result = await self.send(entries, target)
            if result.count > 0 || !result.overruled.isEmpty { self.tell(collection) }
            return result
        }
    }

    /// Sends entries, some in parallel; an entity is never in two requests at a time.
    func send(_ entries: [OutboxEntry], _ target: PushTarget) async -> PushResult {
        let units = Self.units(of: entries)
        let width = max(1, target.options.connections ?? 6)
        var result = PushResult()
        var stop: StoreError?
        var done = 0
        await withTaskGroup(of: PushResult.self) { group in
            var next = 0
            func add() {
                guard next < units.count else { return }
                let unit = units[next]
                next += 1
                group.addTask { await self.send(unit: unit, target) }
            }
            for _ in 0..<min(width, units.count) { add() }
            while let some = await group.next() {
                result.add(some)
                done += some.count + some.failures.count + some.overruled.count
                report(.pushed(collection: target.collection, done: done, count: entries.count))
                // The rest would fail in the same way.
                stop = stop ?? some.failures.lazy.map(\.error).first(where: \.stopsPushes)
                if stop == nil, !target.isAutomatic || reachability.quiet(at: environment.now()) == 0 { add() }
            }
            if let stop {
                for entry in units[next...].flatMap(\.self) {
                    result.failures.append(.init(collection: target.collection, id: entry.id, error: stop))
                }
            }
        }
        return result
    }

    /// New entities go out in groups; everything else alone.
    private static func units(of entries: [OutboxEntry]) -> [[OutboxEntry]] {
        var units: [[OutboxEntry]] = []
        var group: [OutboxEntry] = []
        for entry in entries {
            let isNew = entry.kind == .create && (entry.sentKind ?? .create) == .create
            guard isNew, !entry.wasSent || entry.sentRevision == entry.revision else {
                units.append([entry])
                continue
            }
            group.append(entry)
            if group.count == 100 {
                units.append(group)
                group = []
            }
        }
        return group.isEmpty ? units : units + [group]
    }

    func send(unit: [OutboxEntry], _ target: PushTarget) async -> PushResult {
        if unit.count > 1 { return await send(group: unit, target) }
        guard let entry = unit.first else { return PushResult() }
        do throws(StoreError) {
            return try await send(entry, target)
        } catch {
            return PushResult(failures: [.init(collection: target.collection, id: entry.id, error: error)])
        }
    }

    // MARK: One

    /// Sends one entry, and resolves conflicts by the rule.
    private func send(_ waiting: OutboxEntry, _ target: PushTarget) async throws(StoreError) -> PushResult {
        var entry = waiting
        var result = PushResult()
        if target.conflict.sendsConditions, entry.isSent, entry.sentRevision != entry.revision {
            try await learnBase(of: entry, target)
        }
        for _ in 0..<4 {
            guard let (sent, json) = try prepare([entry], target).first else { return result }
            let outcome =
                if let conflict = try await untoldConflict(of: sent, json, target) { conflict } else {
                    try await ask(sent, json, target)
                }
            if case .stale = outcome { try await leaveCopy(of: sent, target) }
            guard case .conflict(let theirs) = outcome else {
                if case .stored(let fact) = outcome {
                    let new = fact.json.flatMap(Document.init(json:))?.changed
                    ownVersions.note(target.collection, sent.id, [sent.version(json)], became: new)
                }
                return try record([(sent, outcome)], target, result)
            }
            guard let again = try await resolve(sent, json, theirs, target, &result) else { return result }
            entry = again
        }
        result.failures.append(.init(collection: target.collection, id: entry.id, error: .conflict(id: entry.id)))
        return result
    }

    /// Sends the request of an entry.
    private func ask(
        _ entry: OutboxEntry,
        _ json: [UInt8]?,
        _ target: PushTarget
    ) async throws(StoreError) -> AnswerReading.Outcome {
        var request = try write(of: entry, json, target)
        request.headers["Idempotency-Key"] = try key(of: entry, target)
        if target.conflict.sendsConditions {
            if let version = entry.version(json) {
                request.headers["If-Match"] = "\"\(Tick(rawValue: version).text)\""
            } else if entry.sentKind != .delete {
                request.headers["If-None-Match"] = "*"
            }
        }
        environment.reached(.numbered)
        let kind = entry.sentKind ?? entry.kind
        let response: WireResponse
        do throws(StoreError) {
            response = try await send(
                request,
                for: kind == .delete ? .count : .entity(id: entry.id),
                of: target.collection,
                target.options
            )
        } catch {
            guard case .foreignAnswer(let fault) = error else { throw error }
            return .foreign(fault)
        }
        environment.reached(.answered)
        return AnswerReading.outcome(of: response, to: kind, id: entry.id)
    }

    /// POST, PUT or DELETE.
    private func write(of entry: OutboxEntry, _ json: [UInt8]?, _ target: PushTarget) throws(StoreError) -> WireRequest
    {
        let requests = requests(target.seat, target.options)
        switch entry.sentKind ?? entry.kind {
        case .create: return try requests.data("POST", target.collection, json: json)
        case .update: return try requests.data("PUT", target.collection, entry.id, json: json)
        case .delete, .ask: return try requests.data("DELETE", target.collection, entry.id)
        }
    }

    /// Stores a response, and adds it to the result.
    func record(
        _ outcomes: [(sent: OutboxEntry, outcome: AnswerReading.Outcome)],
        _ target: PushTarget,
        _ before: PushResult
    ) throws(StoreError) -> PushResult {
        var result = before
        let cache = try cache(target.seat)
        let now = environment.now()
        try cached { () throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                for (sent, outcome) in outcomes { try cache.record(sent, outcome, now: now) }
            }
        }
        environment.reached(.recorded)
        for (sent, outcome) in outcomes {
            if let error = StoreError(outcome, id: sent.id) {
                result.failures.append(.init(collection: target.collection, id: sent.id, error: error))
            } else {
                result.count += 1
            }
        }
        return result
    }

    // MARK: Parts

    /// Gives entries their numbers, in one transaction.
    func prepare(
        _ entries: [OutboxEntry],
        _ target: PushTarget
    ) throws(StoreError) -> [(entry: OutboxEntry, json: [UInt8]?)] {
        let cache = try cache(target.seat)
        let nonces = entries.map { _ in environment.text(6) }
        let now = environment.now()
        return try cached { () throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                var prepared: [(entry: OutboxEntry, json: [UInt8]?)] = []
                for (entry, nonce) in zip(entries, nonces) {
                    if let next = try cache.prepare(entry, nonce: nonce, now: now) { prepared.append(next) }
                }
                return prepared
            }
        }
    }

    func key(of entry: OutboxEntry, _ target: PushTarget) throws(StoreError) -> String {
        let cache = try cache(target.seat)
        let client = try cached { () throws(QueryError) in try cache.client() }
        return RequestKey(client: client, number: entry.number ?? 0, nonce: entry.nonce ?? "").text
    }
}

extension StoreError {
    /// True if further requests of a push would end the same way.
    fileprivate var stopsPushes: Bool {
        switch self {
        case .unreachable, .timedOut, .unauthorized, .cancelled: true
        case .service(let fault): fault.name == .pathNotFound
        default: false
        }
    }

    /// The error of an entry in a response; nil if it took effect.
    init?(_ outcome: AnswerReading.Outcome, id: String) {
        switch outcome {
        case .stored, .gone: return nil
        case .idTaken(let fault), .refused(let fault), .failed(let fault): self = .service(fault)
        case .foreign(let fault): self = .foreignAnswer(fault)
        case .stale: self = .service(ServiceFault(.staleRequest))
        case .conflict: self = .conflict(id: id)
        case .unauthorized(let fault): self = .unauthorized(fault)
        }
    }
}
