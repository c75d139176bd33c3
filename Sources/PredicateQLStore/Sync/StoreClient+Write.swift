import PredicateQL
import StoreModel

/// What is written: whose, which collection, and how.
struct WriteTarget: Sendable {
    var read: ReadTarget
    var policy: WritePolicy { read.options.writePolicy ?? read.type.writePolicy }
}

/// An entity to save.
struct EntityChange: Sendable {
    var id: String
    /// True if the app gave the id.
    var isNamed: Bool
    var document: Document
    /// The document as the cache stores it.
    var json: [UInt8]

    /// The version that the app changed; nil if it does not say.
    var version: Int64? {
        guard let metadata = document["_kmd"] else { return nil }
        return (["_kmd": metadata] as Document).inWireForm.changed
    }
}

/// A change of an entity, and where it is in the outbox; a place is never used again.
typealias MadeChange = (id: String, seq: Int64)

extension StoreClient {
    /// Makes the id of a new entity.
    func newID(_ collection: String, _ options: Options) -> String {
        options.newID?(collection)
            ?? EntityID.make(at: environment.now(), random: environment.random(), environment.random())
    }

    /// Saves entities in the cache, each with its entry (W1).
    ///
    /// - Returns: the versions that are stored, nil for those that are as the app saved them, and the changes' places.
    func store(
        _ changes: [EntityChange],
        _ target: WriteTarget,
        _ complete: @Sendable (Document, _ before: Document) -> Document
    ) throws(StoreError) -> (versions: [[UInt8]?], made: [MadeChange]) {
        var completed: [[UInt8]?] = Array(repeating: nil, count: changes.count)
        let made = try cached(target.read.collection, target.read.seat) { (cache, number, now) throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                for (index, change) in changes.enumerated() {
                    try cache.change(number, change.id, isNamed: change.isNamed, now: now) { before in
                        guard let before = before.flatMap(Document.init(json:)) else { return change.json }
                        var new = complete(change.document, before)
                        let isCurrent = change.version.map {
                            ownVersions.lead(target.read.collection, change.id, from: $0, to: before.changed)
                        }
                        if isCurrent ?? true { new["_kmd"] = before["_kmd"] }
                        completed[index] = new.wireJSON
                        return completed[index]
                    }
                }
                return try cache.made(number, changes.map(\.id))
            }
        }
        environment.reached(.saved)
        tell(target.read.collection)
        wakePushes()
        return (completed, made)
    }

    /// Removes entities from the cache, each with its entry.
    ///
    /// - Returns: how many were there, and the changes' places.
    func discard(_ ids: [String], _ target: WriteTarget) throws(StoreError) -> (count: Int, made: [MadeChange]) {
        let result = try cached(target.read.collection, target.read.seat) { (cache, number, now) throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                var count = 0
                for id in ids where try cache.change(number, id, now: now, to: { _ in nil }) { count += 1 }
                return (count, try cache.made(number, ids))
            }
        }
        environment.reached(.saved)
        tell(target.read.collection)
        wakePushes()
        return result
    }

    /// Sends the changes of some entities, unless the service is known to be out of reach or busy.
    ///
    /// - Returns: what did not take effect, by id: failures, and what the service's version overruled (W9).
    func pushNow(_ made: [MadeChange], _ target: WriteTarget) async throws(StoreError) -> [String: StoreError] {
        var errors = try await pushNow(made.map(\.id), target)
        // Another push may have been faster.
        let seat = Int64(target.read.seat.number)
        for (id, seq) in made where overruled.contains(where: { $0.contains([seat, seq]) }) {
            errors[id] = .conflict(id: id)
        }
        return errors
    }

    private func pushNow(_ ids: [String], _ target: WriteTarget) async throws(StoreError) -> [String: StoreError] {
        let read = target.read
        func all(_ error: StoreError) -> [String: StoreError] {
            Dictionary(ids.map { ($0, error) }) { first, _ in first }
        }
        if let error = silence { return all(error) }
        let start = environment.now()
        var errors: [String: StoreError] = [:]
        do throws(StoreError) {
            let result = try await alone("push " + read.collection, read.options.limit) {
                () async throws(StoreError) in
                let (number, entries) = try self.cached(read.collection, read.seat) {
                    (cache, number, _) throws(QueryError) in
                    var entries: [OutboxEntry] = []
                    for id in ids { if let entry = try cache.entry(number, id) { entries.append(entry) } }
                    return (number, entries.filter { $0.kind != .ask })
                }
                // The wait was a part of the call's time.
                let waited = Duration.milliseconds(max(0, self.environment.now() - start))
                let left = read.options.limit - waited
                if let error = self.silence ?? (left * 10 < read.options.limit ? .timedOut : nil) {
                    let failures = entries.map { PushFailure(collection: read.collection, id: $0.id, error: error) }
                    return PushResult(failures: failures)
                }
                var options = read.options
                options.timeout = left
                options.isShortened = waited > .zero
                let push = PushTarget(seat: read.seat, collection: read.collection, number: number, options: options)
                return await self.send(entries, push)
            }
            for conflict in result.overruled { errors[conflict.id] = .conflict(id: conflict.id) }
            for failure in result.failures { errors[failure.id] = failure.error }
        } catch {
            guard error.isSilence else { throw error }
            return all(error)
        }
        tell(read.collection)
        return errors
    }

    /// Why saves leave the service alone now; nil if they do not.
    private var silence: StoreError? {
        let now = environment.now()
        if isUnreachable { return .unreachable("it could not be reached a moment ago") }
        return reachability.quiet(at: now) > 0 ? .unreachable("it wants no requests for a while") : nil
    }

    /// Writes an entity on the service alone.
    ///
    /// It replaces the current version, which is fetched first, so that fields that the app's type does not have
    /// stay (W10).
    func write(
        _ change: EntityChange,
        _ target: WriteTarget,
        _ complete: @Sendable (Document, _ before: Document) -> Document
    ) async throws(StoreError) -> [UInt8] {
        let read = target.read
        let requests = requests(read.seat, read.options)
        var request: WireRequest
        var versions: [Int64?] = []
        if change.isNamed {
            let before = try await fetch(change.id, read).json.flatMap { Document(json: $0) }
            let json = before.map { complete(change.document, $0).wireJSON } ?? change.json
            request = try requests.data("PUT", read.collection, change.id, json: json)
            versions = [change.version, before?.changed]
            if let version = change.version, read.options.conflict?.sendsConditions ?? false {
                let isCurrent = ownVersions.lead(read.collection, change.id, from: version, to: before?.changed)
                guard isCurrent, let current = before?.changed else { throw .conflict(id: change.id) }
                request.headers["If-Match"] = "\"\(Tick(rawValue: current).text)\""
            }
        } else {
            request = try requests.data("POST", read.collection, json: change.json)
        }
        let response = try await send(request, for: .entity(id: change.id), of: read.collection, read.options)
        if !versions.isEmpty, ServiceFault(response).name == .preconditionFailed { throw .conflict(id: change.id) }
        try response.check()
        guard let entity = Document(json: response.body),
            let fact = Fact(entity: .object(entity), tick: nil), let json = fact.json
        else { throw .badAnswer("an entity was expected") }
        if !versions.isEmpty { ownVersions.note(read.collection, change.id, versions, became: entity.changed) }
        try learn([fact], read)
        return json
    }

    /// Writes new entities on the service alone, a hundred in a request.
    ///
    /// - Returns: what became of each: the entity as the service has it, or why it was not saved.
    func write(
        new changes: [EntityChange],
        _ target: WriteTarget
    ) async -> [Result<[UInt8], StoreError>] {
        var results: [Result<[UInt8], StoreError>] = []
        for start in stride(from: 0, to: changes.count, by: 100) {
            let part = changes[start..<min(start + 100, changes.count)]
            do throws(StoreError) {
                results += try await write(part: part, target)
            } catch {
                results += part.map { _ in .failure(error) }
            }
        }
        return results
    }

    private func write(
        part: ArraySlice<EntityChange>,
        _ target: WriteTarget
    ) async throws(StoreError) -> [Result<[UInt8], StoreError>] {
        let read = target.read
        let body = Array("[".utf8) + part.map(\.json).joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
        let request = try requests(read.seat, read.options).data("POST", read.collection, json: body)
        let response = try await send(request, for: .additions, of: read.collection, read.options)
        try response.check()
        guard let outcomes = AnswerReading.outcomes(of: response, to: part.map(\.id)) else {
            throw .foreignAnswer(response.foreign("entities and errors were expected"))
        }
        var facts: [Fact] = []
        let results = zip(part, outcomes).map { change, outcome -> Result<[UInt8], StoreError> in
            guard case .stored(let fact) = outcome, let json = fact.json else {
                return .failure(StoreError(outcome, id: change.id) ?? .notFound)
            }
            facts.append(fact)
            return .success(json)
        }
        try learn(facts, read)
        return results
    }

    /// Removes an entity on the service alone.
    func erase(_ id: String, _ target: WriteTarget) async throws(StoreError) -> Int {
        let read = target.read
        let response = try await send(
            requests(read.seat, read.options).data("DELETE", read.collection, id),
            for: .count,
            of: nil,
            read.options
        )
        do throws(StoreError) {
            try response.check()
        } catch {
            guard case .notFound = error else { throw error }
            return 0
        }
        if let tick = response.tick { try learn([Fact(id: id, json: nil, tick: tick)], read) }
        return 1
    }

    /// Merges what an answer showed into the cache, if there is one.
    private func learn(_ facts: [Fact], _ target: ReadTarget) throws(StoreError) {
        if target.keepsRows { try learn(facts, of: target.collection, target.seat) }
    }

    /// Merges what an answer showed into the cache.
    func learn(_ facts: [Fact], of collection: String, _ seat: Seat) throws(StoreError) {
        var isChanged = false
        try cached(collection, seat) { (cache, number, now) throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                for fact in facts where try cache.apply(fact, to: number, now: now) { isChanged = true }
            }
        }
        if isChanged { tell(collection) }
    }
}
