import PredicateQL
import StoreModel

extension DataStore {
    /// Saves an entity: a new one, or another version of one that has an `_id`.
    ///
    ///     var emma = try await novels.save(Novel(title: "Emma"))
    ///     emma.year = 1815
    ///     try await novels.save(emma).year ?? 0  // → 1815
    ///
    /// - Parameters:
    ///   - entity: the entity; without an `_id` it gets one here.
    ///   - options: options for this call.
    /// - Returns: the entity with its `_id`, and with `_acl` and `_kmd` once the service has sent them.
    /// - Throws: `StoreError.badEntity`, and errors of the service. An entity that was stored in the cache stays
    ///   pending with its error; if the service is unreachable, the default policies do not throw. `conflict` if another
    ///   client wrote in between: with ``ConflictRule/serverWins`` its version is in the cache, nothing is pending.
    @discardableResult
    public func save(_ entity: Value, options: Options? = nil) async throws(StoreError) -> Value {
        let target = WriteTarget(read: target(options, await client.seat))
        let (change, value) = try await change(entity, target.read.options)
        guard target.policy != .network else {
            return try Self.decode(try await client.write(change, target, Self.complete))
        }
        try keepsRows()
        let (stored, made) = try await client.store([change], target, Self.complete)
        if target.policy == .local {
            if let completed = stored.first ?? nil { return try Self.decode(completed) }
            return value
        }
        let failures = try await client.pushNow(made, target)
        if let error = failures[change.id], !error.isSilent(under: target.policy) { throw error }
        return try Self.decode(try await client.entity(change.id, target.read, isLocal: true))
    }

    /// Saves entities, each independently of the others.
    ///
    /// New ones are sent to the service in batches of a hundred. Of several with one `_id` the last is saved, and
    /// returned for each of them.
    ///
    ///     let result = try await novels.save([Novel(title: "Emma"), Novel(title: "Dune")])
    ///     result.errors.count  // → 0
    ///
    /// - Parameters:
    ///   - entities: the entities.
    ///   - options: options for this call.
    /// - Returns: the saved entities, nil where one failed, and the failures.
    /// - Throws: `StoreError.cache`, and `badEntity` for the name of a collection.
    @discardableResult
    public func save(_ entities: [Value], options: Options? = nil) async throws(StoreError) -> MultiSave<Value> {
        let target = WriteTarget(read: target(options, await client.seat))
        try Self.requireCollection()
        var changes: [EntityChange] = []
        /// The places of each change among the entities.
        var places: [[Int]] = []
        var known: [UTF8Key: Int] = [:]
        var saved: [Value?] = Array(repeating: nil, count: entities.count)
        var failures: [Int: StoreError] = [:]
        for (index, entity) in entities.enumerated() {
            do throws(StoreError) {
                let (change, value) = try await change(entity, target.read.options)
                saved[index] = value
                if change.isNamed, let number = known[UTF8Key(change.id)] {
                    changes[number] = change
                    places[number].append(index)
                } else {
                    if change.isNamed { known[UTF8Key(change.id)] = changes.count }
                    changes.append(change)
                    places.append([index])
                }
            } catch {
                failures[index] = error
            }
        }
        /// Notes what became of a change; nil for the value that was saved.
        func note(_ number: Int, _ read: () async throws(StoreError) -> [UInt8]?) async {
            var outcome = (value: places[number].last.flatMap { saved[$0] }, error: StoreError?.none)
            do throws(StoreError) {
                if let json = try await read() { outcome.value = try Self.decode(json) }
            } catch {
                outcome = (nil, error)
            }
            for index in places[number] { (saved[index], failures[index]) = outcome }
        }
        if target.policy == .network {
            let new = changes.indices.filter { !changes[$0].isNamed }
            let answers = await client.write(new: new.map { changes[$0] }, target)
            let answersOfNew = Dictionary(uniqueKeysWithValues: zip(new, answers))
            for (number, change) in changes.enumerated() {
                await note(number) { () async throws(StoreError) in
                    if let answer = answersOfNew[number] { return try answer.get() }
                    return try await client.write(change, target, Self.complete)
                }
            }
        } else {
            try keepsRows()
            let (stored, made) = try await client.store(changes, target, Self.complete)
            let errors = target.policy == .local || made.isEmpty ? [:] : try await client.pushNow(made, target)
            for (number, change) in changes.enumerated() {
                await note(number) { () async throws(StoreError) in
                    if target.policy == .local { return stored[number] }
                    if let error = errors[change.id], !error.isSilent(under: target.policy) { throw error }
                    return try await client.entity(change.id, target.read, isLocal: true)
                }
            }
        }
        let errors = failures.sorted { $0.key < $1.key }.map {
            MultiSave<Value>.Failure(index: $0.key, error: $0.value)
        }
        return MultiSave(entities: saved, errors: errors)
    }

    // MARK: Removing

    /// Removes the entity with an id.
    ///
    ///     try await novels.save(Novel(id: "n1"))
    ///     try await novels.remove(id: "n1")  // → 1
    ///
    /// - Parameters:
    ///   - id: the id; if it is not in the cache, it is removed on the service.
    ///   - options: options for this call.
    /// - Returns: how many were removed: 0 or 1.
    /// - Throws: as ``save(_:options:)-(Value,_)``.
    @discardableResult
    public func remove(id: String, options: Options? = nil) async throws(StoreError) -> Int {
        let target = WriteTarget(read: target(options, await client.seat))
        try Self.requireCollection()
        guard EntityID.isValid(id) else { return 0 }
        if target.policy == .network { return try await client.erase(id, target) }
        try keepsRows()
        let (count, made) = try await client.discard([id], target)
        if target.policy != .local {
            let failures = try await client.pushNow(made, target)
            if let error = failures[id], !error.isSilent(under: target.policy) { throw error }
        }
        return count
    }

    /// Removes the entities that a query finds.
    ///
    /// A store that queries the service finds them there too, and removes them one by one, so that a late request can
    /// never remove what was saved after it.
    ///
    ///     try await novels.save(Novel(year: 1815))
    ///     try await novels.remove(Query(format: "year < 1900"))  // → 1
    ///
    /// - Parameters:
    ///   - query: the query, with a condition.
    ///   - options: options for this call.
    /// - Returns: how many were removed.
    /// - Throws: `StoreError.removesEverything` without a condition, else as ``find(_:options:)`` and
    ///   ``save(_:options:)-(Value,_)``.
    @discardableResult
    public func remove(_ query: Query, options: Options? = nil) async throws(StoreError) -> Int {
        guard query.condition != .constant(true) else { throw .removesEverything }
        return try await removeFound(query, options)
    }

    /// Removes every entity of the collection.
    ///
    ///     try await novels.removeAll()  // → 0
    ///
    /// - Parameter options: options for this call.
    /// - Returns: how many were removed.
    /// - Throws: as ``remove(_:options:)``.
    @discardableResult
    public func removeAll(options: Options? = nil) async throws(StoreError) -> Int {
        try await removeFound(Query(), options)
    }

    private func removeFound(_ query: Query, _ options: Options?) async throws(StoreError) -> Int {
        let target = WriteTarget(read: target(options, await client.seat))
        guard query.skip == nil, query.limit == nil else {
            throw .query(QueryError(.pipeline, "a removal takes neither skip nor limit", hint: "remove by id"))
        }
        let query = try Self.declared(query).tracked
        if target.policy != .local { try await client.requireSayable(query, .find, target.read.asking) }
        if target.policy == .network {
            let count = try await client.askRemoval(query, target.read).count()
            // What the cache holds of them goes too; if it cannot be asked for now, with the next pull.
            if target.read.keepsRows, let pull = try? await client.pullTarget(query, target.read) {
                _ = try? await client.pull(pull)
            }
            return count
        }
        try keepsRows()
        if target.policy != .local {
            do throws(StoreError) {
                _ = try await client.entities(query, target.read, isLocal: false)
            } catch {
                guard error.isSilent(under: .silentLocalThenNetwork) else { throw error }
            }
        }
        let ids = try await client.entities(query, target.read, isLocal: true).entityIDs.map(\.text)
        let (count, made) = try await client.discard(ids, target)
        if target.policy != .local {
            let failures = try await client.pushNow(made, target)
            if let error = failures.values.first(where: { !$0.isSilent(under: target.policy) }) { throw error }
        }
        return count
    }

    // MARK: Parts

    /// Network stores keep nothing.
    func keepsRows() throws(StoreError) {
        if type == .network { throw .notForNetworkStores }
    }

    /// The entity as a change, with an id, and as it is read again.
    ///
    /// What could not be read again, such as NaN, is refused: stored, it would be in the way of every `find`.
    private func change(_ entity: Value, _ options: Options) async throws(StoreError) -> (
        change: EntityChange, value: Value
    ) {
        try Self.requireCollection()
        var document: Document
        do throws(QueryError) {
            document = try Document(encodingExactly: entity)
            if document["_acl"] == nil, let access = entity._acl {
                document["_acl"] = try .object(Document(encoding: access))
            }
            if document["_kmd"] == nil, let metadata = entity._kmd {
                document["_kmd"] = try .object(Document(encoding: metadata))
            }
        } catch  where error.code == .argument {
            throw .badEntity("the entity cannot be saved: \(error.path ?? ""): \(error.message); \(error.hint ?? "")")
        } catch {
            throw .query(error)
        }
        // What every entity has does not make an object of Extended JSON another one.
        var plain = document
        for key in ["_id", "_acl", "_kmd"] { plain[key] = nil }
        if let reason = QueryValue.object(plain).unwritable(in: .root("")) {
            throw .badEntity("the entity cannot be saved: \(reason)")
        }
        let id = if let id = entity._id { id } else { await client.newID(Value.collection, options) }
        guard EntityID.isValid(id) else {
            throw .badEntity(
                "the entity cannot be saved: an _id has 1 to 256 bytes, no control characters, does not begin with _, "
                    + "and is not . or .."
            )
        }
        document["_id"] = .string(id)
        let json = document.wireJSON
        do throws(StoreError) {
            let value = try Self.decode(json)
            return (EntityChange(id: id, isNamed: entity._id != nil, document: document, json: json), value)
        } catch {
            guard case .query(let fault) = error else { throw error }
            throw .badEntity("the entity cannot be saved, for it could not be read again: \(fault.message)")
        }
    }

    /// The new version with what the type does not know of the version before (W10).
    @Sendable private static func complete(_ new: Document, _ before: Document) -> Document {
        var result = before.keepingUnknown(besides: known(of: before), in: new.inWireForm)
        // What the service writes stays until it says something else.
        for key in ["_acl", "_kmd"] where result[key] == nil { result[key] = before[key] }
        return result
    }

    /// A stored version as the type writes it; of one that it cannot read, the fields that it would read.
    private static func known(of version: Document) -> Document {
        guard let entity = try? version.entity(Value.self),
            // A number that would be rounded can be read, though not saved.
            let known = (try? Document(encodingExactly: entity)) ?? (try? Document(encoding: entity))
        else { return Value.knownSchema.map(version.known) ?? [:] }
        return known.inWireForm
    }
}

extension StoreError {
    /// True if a write that is stored in the cache succeeds in spite of an error.
    func isSilent(under policy: WritePolicy) -> Bool {
        isSilence && (policy == .silentLocalThenNetwork || policy == .localThenNetwork)
    }

    /// True if the service did not respond, or was not asked.
    var isSilence: Bool {
        switch self {
        case .unreachable, .timedOut, .foreignAnswer, .asking: true
        default: false
        }
    }
}
