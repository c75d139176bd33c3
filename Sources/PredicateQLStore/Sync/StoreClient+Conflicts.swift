import PredicateQL
import StoreModel

extension StoreClient {
    /// Resolves a conflict by the rule.
    ///
    /// - Returns: the entry to send again; nil if nothing is sent.
    func resolve(
        _ sent: OutboxEntry,
        _ json: [UInt8]?,
        _ theirs: Fact?,
        _ target: PushTarget,
        _ result: inout PushResult
    ) async throws(StoreError) -> OutboxEntry? {
        var theirs = theirs
        let base = sent.base.flatMap(Document.init(json:))
        var conflict = Conflict(
            id: sent.id,
            base: base?.changed == sent.version(json) ? base : nil,
            mine: json.flatMap(Document.init(json:)),
            theirs: theirs?.json.flatMap(Document.init(json:))
        )
        var resolution = await decision(on: conflict, target)
        var cache = try cache(target.seat)
        // A version that came while the app decided was not decided about.
        while let newer = try cached({ () throws(QueryError) in try cache.newer(than: theirs, under: sent) }) {
            theirs = newer
            conflict.theirs = newer.json.flatMap(Document.init(json:))
            resolution = await decision(on: conflict, target)
            cache = try self.cache(target.seat)
        }
        let now = environment.now()
        switch resolution {
        case .takeTheirs:
            if try cached({ () throws(QueryError) in try cache.overrule(sent, by: theirs, now: now) }) {
                result.overruled.append(conflict)
                if overruled[1].count == 10_000 { overruled = [overruled[1], []] }
                overruled[1].insert([Int64(target.seat.number), sent.seq])
                report(.overruled(collection: target.collection, conflict))
                return nil
            }
            fallthrough
        case .leavePending:
            try cached { () throws(QueryError) in try cache.record(sent, .conflict(theirs), now: now) }
            result.failures.append(.init(collection: target.collection, id: sent.id, error: .conflict(id: sent.id)))
            return nil
        case .keepMine:
            try cached { () throws(QueryError) in try cache.rebase(sent, on: theirs, nil, now: now) }
        case .merged(var document):
            document["_id"] = .string(sent.id)
            let merged = document.wireJSON
            try cached { () throws(QueryError) in try cache.rebase(sent, on: theirs, merged, now: now) }
        }
        return try cached { () throws(QueryError) in try cache.entry(target.number, sent.id) }
    }

    private func decision(on conflict: Conflict, _ target: PushTarget) async -> Resolution {
        switch target.conflict {
        case .clientWins: .leavePending
        case .serverWins: .takeTheirs
        case .ask(let decide): await lanes.ask(in: "push " + target.collection) { await decide(conflict) }
        }
    }

    /// The conflict that a service without conditional writes does not report: its version is not the change's base.
    func untoldConflict(
        of entry: OutboxEntry,
        _ json: [UInt8]?,
        _ target: PushTarget
    ) async throws(StoreError) -> AnswerReading.Outcome? {
        guard target.conflict.sendsConditions, isOurs != true else { return nil }
        let request = try requests(target.seat, target.options).data("GET", target.collection, entry.id)
        let response = try await send(request, for: .entity(id: entry.id), of: target.collection, target.options)
        guard isOurs == false else { return nil }
        var theirs: Document?
        do throws(StoreError) {
            try response.check()
            theirs = Document(json: response.body)
        } catch {
            guard case .notFound = error else { throw error }
        }
        let mine = json.flatMap(Document.init(json:))
        if theirs?.changed == entry.version(json) { return nil }
        // What an earlier attempt left behind, whose answer was lost, is no conflict.
        if entry.sentKind == .delete ? theirs == nil : theirs?.holds(mine) ?? false { return nil }
        return .conflict(theirs.flatMap { Fact(entity: .object($0), tick: response.tick) })
    }

    /// Learns which version is under a change that was edited while its request had no answer.
    ///
    /// The service reports this client's last number; if it is that one, its version becomes the base.
    func learnBase(of entry: OutboxEntry, _ target: PushTarget) async throws(StoreError) {
        let (last, fact) = try await look(at: entry, target)
        guard last == entry.number, let fact else { return }
        let cache = try cache(target.seat)
        let now = environment.now()
        try cached { () throws(QueryError) in try cache.rebase(entry, on: fact, nil, now: now) }
    }

    /// Takes another name if the service acted on a number that this file never gave out: it is a copy of a file whose
    /// client is at work, or was brought back from a backup.
    func leaveCopy(of entry: OutboxEntry, _ target: PushTarget) async throws(StoreError) {
        let (last, _) = try await look(at: entry, target)
        let cache = try cache(target.seat)
        let next = try cached { () throws(QueryError) in try cache.nextNumber() }
        guard let last, last >= entry.number ?? 0 else { return }
        // The same number with another nonce, or a greater one that was never given out.
        guard last >= next || last == entry.number else { return }
        let name = environment.text(22)
        try cached { () throws(QueryError) in try cache.rename(to: name) }
    }

    /// What the service has of an entity, and the last number of this client that it acted on.
    private func look(
        at entry: OutboxEntry,
        _ target: PushTarget
    ) async throws(StoreError) -> (last: Int64?, fact: Fact?) {
        let cache = try cache(target.seat)
        let client = try cached { () throws(QueryError) in try cache.client() }
        var request = try requests(target.seat, target.options).data("GET", target.collection, entry.id)
        request.headers["X-PQL-Client"] = client
        let response = try await send(request, for: .entity(id: entry.id), of: target.collection, target.options)
        guard response.status == 200, let entity = try? QueryValue(json: response.body) else { return (nil, nil) }
        return (response.headers["X-PQL-Last"].flatMap { Int64($0) }, Fact(entity: entity, tick: response.tick))
    }
}

extension Document {
    /// True if it has the same fields as another one, except for those that the service writes.
    fileprivate func holds(_ other: Document?) -> Bool {
        guard let other else { return false }
        return other.pairs.allSatisfy { key, value in ["_acl", "_kmd"].contains(key) || self[key] == value }
    }

    /// Reads JSON text; nil if it is no object.
    init?(json: [UInt8]) {
        guard case .object(let document)? = try? QueryValue(json: json) else { return nil }
        self = document
    }
}
