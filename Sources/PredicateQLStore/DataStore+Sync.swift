import PredicateQL
import StoreModel

extension DataStore {
    /// Brings the cache up to the service's answer to a query.
    ///
    ///     try await novels.pull().entities.count  // → 0
    ///
    /// - Parameters:
    ///   - query: which entities; all by default. A store with paging takes no notice of skip and limit.
    ///   - options: what holds for this call.
    /// - Returns: the entities, and what changed.
    /// - Throws: `StoreError.pendingChanges` while changes wait that may pass, `notForNetworkStores`, `query` for a query
    ///   with `fields`, `truncated` without paging, and what a request throws. A pull that breaks leaves the checkpoint
    ///   where it was (W4), and goes on there when asked again.
    @discardableResult
    public func pull(_ query: Query = Query(), options: Options? = nil) async throws(StoreError) -> PullResult<Value> {
        try keepsRows()
        let seat = await client.seat
        guard query.fields == nil else {
            throw .query(QueryError(.pipeline, "a pull brings whole entities", hint: "leave out fields"))
        }
        let waiting = try await pending(seat).count { !$0.isRefused }
        guard waiting == 0 else { throw .pendingChanges(waiting) }
        let query = try Self.declared(query)
        let target = target(options, seat)
        try await client.requireSayable(isPaged ? query.tracked : query, .find, target.asking)
        guard isPaged || query.skip == nil && query.limit == nil else {
            let found = try await client.entities(query, target, isLocal: false)
            let read = await readings(of: found)
            return PullResult(
                entities: read.entities,
                unreadable: read.unreadable,
                changed: found.count,
                deleted: 0,
                wasDelta: false,
                pages: 1
            )
        }
        let outcome = try await client.pull(try await client.pullTarget(query, target))
        var local = query
        (local.skip, local.limit) = (nil, nil)
        let found =
            outcome.wasDelta
            ? await readings(of: try await client.entities(outcome.ids, local, target))
            : await noted(FindResult(try await client.local(local, target, Self.reading)))
        return PullResult(
            entities: found.entities,
            unreadable: found.unreadable,
            changed: outcome.changed,
            deleted: outcome.deleted,
            wasDelta: outcome.wasDelta,
            pages: outcome.pages
        )
    }

    /// Sends the changes of this collection that wait.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.push().count  // → 1
    ///
    /// - Parameter options: what holds for this call.
    /// - Returns: what was acknowledged, and what waits on, each with its error; look at ``PushResult/failures``.
    /// - Throws: `StoreError.notForNetworkStores` and `cache`; failures of single changes are in the result.
    public func push(options: Options? = nil) async throws(StoreError) -> PushResult {
        try keepsRows()
        return try await client.push(Value.collection, client.seat, merged(options))
    }

    /// Pushes, then pulls.
    ///
    /// After a failure that may pass nothing is pulled; changes that the service refuses for good do
    /// not keep it from pulling.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.sync().pull?.entities.count ?? 0  // → 1
    ///
    /// - Parameters:
    ///   - query: which entities are pulled; all by default.
    ///   - options: what holds for this call.
    /// - Returns: what both did; `pull` is nil where something could not be sent that may pass later.
    /// - Throws: as ``push(options:)`` and ``pull(_:options:)``.
    public func sync(_ query: Query = Query(), options: Options? = nil) async throws(StoreError) -> SyncResult<Value> {
        let push = try await push(options: options)
        if push.failures.contains(where: \.mayPass) { return SyncResult(push: push, pull: nil) }
        do throws(StoreError) {
            return SyncResult(push: push, pull: try await pull(query, options: options))
        } catch {
            // A conflict that the app left pending keeps the pull from running; what the push did is told all the same.
            guard case .pendingChanges = error else { throw error }
            return SyncResult(push: push, pull: nil)
        }
    }

    // MARK: What waits

    /// The number of changes that wait.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.syncCount()  // → 1
    ///
    /// - Throws: `StoreError.notForNetworkStores` and `cache`.
    public func syncCount() async throws(StoreError) -> Int { try await pending().count }

    /// The changes that wait, in the order they were made.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.pending().map(\.kind.rawValue)  // → ["create"]
    ///
    /// - Throws: `StoreError.notForNetworkStores` and `cache`.
    public func pending() async throws(StoreError) -> [PendingChange] {
        try keepsRows()
        return try await pending(client.seat)
    }

    private func pending(_ seat: StoreClient.Seat) async throws(StoreError) -> [PendingChange] {
        try await client.pending(Value.collection, seat)
    }

    /// Sends one change that waits.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     for change in try await novels.pending() { _ = try await novels.retry(change) }
    ///     try await novels.syncCount()  // → 0
    ///
    /// - Parameter change: the change, from ``pending()``.
    /// - Returns: what happened.
    /// - Throws: as ``push(options:)``.
    public func retry(_ change: PendingChange) async throws(StoreError) -> PushResult {
        try keepsRows()
        return try await client.retry(change.id, target(nil, client.seat))
    }

    /// Gives one change up; the entity is again what the service had.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     for change in try await novels.pending() { try await novels.drop(change) }
    ///     try await novels.count()  // → 0
    ///
    /// - Parameter change: the change, from ``pending()``.
    /// - Throws: `StoreError.cache`.
    public func drop(_ change: PendingChange) async throws(StoreError) {
        try keepsRows()
        _ = try await client.giveUp([change.id], .restore, target(nil, client.seat))
    }

    /// Gives all changes of this collection up.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.purge(.restore)  // → 1
    ///
    /// - Parameter rows: what the entities are afterwards: as they are until the next pull, or what the service had.
    /// - Returns: how many changes there were.
    /// - Throws: `StoreError.notForNetworkStores` and `cache`.
    @discardableResult
    public func purge(_ rows: PurgedRows = .keep) async throws(StoreError) -> Int {
        try keepsRows()
        return try await client.giveUp(nil, rows, target(nil, client.seat))
    }

    /// Empties the cache: of the entities that a query finds and their changes, or of everything.
    ///
    /// A pull that is under way ends with `cancelled`.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.clear()  // → 1
    ///
    /// - Parameter query: which entities; all by default.
    /// - Returns: how many there were.
    /// - Throws: `StoreError.notForNetworkStores` and `cache`.
    @discardableResult
    public func clear(_ query: Query? = nil) async throws(StoreError) -> Int {
        try keepsRows()
        let query = try query.map { (query) throws(StoreError) in try Self.declared(query) }
        return try await client.clear(query, target(nil, client.seat))
    }

    /// The entities that a query finds in the cache, now and after each change.
    ///
    ///     var found = novels.values().makeAsyncIterator()
    ///     try await found.next()?.count ?? 0  // → 0
    ///
    /// - Parameter query: the query; all entities by default.
    /// - Returns: a sequence without an end; an answer equal to the one before is left out.
    public func values(_ query: Query = Query()) -> StoreValues<Value> {
        StoreValues(store: self, query: query)
    }
}

/// What entities are after their changes were given up.
///
///     PurgedRows(rawValue: "keep") == .keep  // → true
public enum PurgedRows: String, Hashable, Sendable, CaseIterable {
    /// As they are, until the next pull asks the service for them.
    case keep
    /// What the service had, also without a network.
    case restore
}

/// The answers of the cache to a query, now and after each change.
///
///     var found = novels.values().makeAsyncIterator()
///     try await found.next()?.count ?? 0  // → 0
public struct StoreValues<Value: Entity>: AsyncSequence, Sendable {
    let store: DataStore<Value>
    let query: Query

    /// Waits for changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let values: StoreValues
        fileprivate var changes: AsyncStream<Void>.AsyncIterator?
        fileprivate var last: [[UInt8]]?

        /// The entities after the next change; nil when the task is cancelled.
        ///
        /// - Throws: `StoreError.query` and `cache`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> [Value]? {
            let store = values.store
            try store.keepsRows()
            let query = try DataStore<Value>.declared(values.query)
            if changes == nil { changes = await store.client.changes(of: Value.collection).makeAsyncIterator() }
            while !Task.isCancelled {
                let target = store.target(nil, await store.client.seat)
                let found = try await store.client.entities(query, target, isLocal: true)
                if found != last {
                    last = found
                    return await store.readings(of: found).entities
                }
                if await changes?.next(isolation: actor) == nil { return nil }
            }
            return nil
        }

        /// The entities after the next change; nil when the task is cancelled.
        public mutating func next() async throws -> [Value]? { try await next(isolation: nil) }
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values: self) }
}
