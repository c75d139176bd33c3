import PredicateQL
import StoreModel

extension DataStore {
    /// Updates the cache to the service's result of a query.
    ///
    ///     try await novels.pull().entities.count  // → 0
    ///
    /// - Parameters:
    ///   - query: which entities; all by default. A store with paging ignores skip and limit.
    ///   - options: options for this call.
    /// - Returns: the entities, and the changes to the cache.
    /// - Throws: `StoreError.pendingChanges` while changes are pending that may succeed, `notForNetworkStores`, `query`
    ///   for a query with `fields`, or with skip without paging, `truncated` without paging, and errors of a request. A
    ///   pull that fails leaves the checkpoint unchanged (W4), and the next one resumes there.
    @discardableResult
    public func pull(_ query: Query = Query(), options: Options? = nil) async throws(StoreError) -> PullResult<Value> {
        try keepsRows()
        let seat = await client.seat
        guard query.fields == nil else {
            throw .query(QueryError(.pipeline, "a pull fetches whole entities", hint: "leave out fields"))
        }
        guard isPaged || query.skip ?? 0 == 0 else {
            let hint = "leave out skip and make limit larger, or pull with a store that pages"
            throw .query(QueryError(.pipeline, "the cache would lack what a pull skips, and skip again", hint: hint))
        }
        let waiting = try await client.pending(Value.collection, seat).count { !$0.isRefused }
        guard waiting == 0 else { throw .pendingChanges(waiting) }
        let query = try Self.declared(query)
        let target = target(options, seat)
        try await client.requireSayable(isPaged ? query.tracked : query, .find, target.asking)
        let outcome: PullOutcome
        let found: FindResult<Value>
        if !isPaged, let limit = query.limit {
            let first = try await client.pullFirst(query, limit, target)
            (outcome, found) = (first.outcome, await readings(of: first.found))
        } else {
            outcome = try await client.pull(try await client.pullTarget(query, target))
            var local = query
            (local.skip, local.limit) = (nil, nil)
            found =
                outcome.wasDelta
                ? await readings(of: try await client.entities(outcome.ids, local, target))
                : await noted(FindResult(try await client.local(local, target, Self.reading)))
        }
        return PullResult(
            entities: found.entities,
            unreadable: found.unreadable,
            changed: outcome.changed,
            deleted: outcome.deleted,
            wasDelta: outcome.wasDelta,
            pages: outcome.pages
        )
    }

    /// Sends the pending changes of this collection.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.push().count  // → 1
    ///
    /// - Parameter options: options for this call.
    /// - Returns: what was acknowledged, and what stays pending, each with its error: see ``PushResult/failures``.
    /// - Throws: `StoreError.notForNetworkStores` and `cache`; failures of single changes are in the result.
    public func push(options: Options? = nil) async throws(StoreError) -> PushResult {
        try keepsRows()
        return try await client.push(Value.collection, client.seat, merged(options))
    }

    /// Pushes, then pulls.
    ///
    /// After a failure that may succeed later nothing is pulled; changes that the service refuses for good do not block
    /// the pull.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.sync().pull?.entities.count ?? 0  // → 1
    ///
    /// - Parameters:
    ///   - query: which entities are pulled; all by default.
    ///   - options: options for this call.
    /// - Returns: what both did; `pull` is nil if a change could not be sent that may succeed later.
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

    /// The number of pending changes.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.syncCount()  // → 1
    ///
    /// - Throws: `StoreError.notForNetworkStores` and `cache`.
    public func syncCount() async throws(StoreError) -> Int { try await pending().count }

    /// The pending changes, in the order they were made.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.pending().map(\.kind.rawValue)  // → ["create"]
    ///
    /// - Throws: `StoreError.notForNetworkStores` and `cache`.
    public func pending() async throws(StoreError) -> [PendingChange] {
        try keepsRows()
        return try await client.pending(Value.collection, client.seat)
    }

    /// Sends one pending change.
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

    /// Discards one pending change; the entity reverts to the service's version.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     for change in try await novels.pending() { try await novels.drop(change) }
    ///     try await novels.count()  // → 0
    ///
    /// - Parameter change: the change, from ``pending()``.
    /// - Returns: true if it was discarded; false if it is no longer pending, or a later one took its place and stays.
    /// - Throws: `StoreError.cache`.
    @discardableResult
    public func drop(_ change: PendingChange) async throws(StoreError) -> Bool {
        try keepsRows()
        return try await client.giveUp(change, .restore, target(nil, client.seat)) > 0
    }

    /// Discards all pending changes of this collection.
    ///
    ///     try await novels.save(Novel(title: "Emma"))
    ///     try await novels.purge(.restore)  // → 1
    ///
    /// - Parameter rows: whether the entities stay until the next pull, or revert to the service's version.
    /// - Returns: how many changes there were.
    /// - Throws: `StoreError.notForNetworkStores` and `cache`.
    @discardableResult
    public func purge(_ rows: PurgedRows = .keep) async throws(StoreError) -> Int {
        try keepsRows()
        return try await client.giveUp(nil, rows, target(nil, client.seat))
    }

    /// Removes from the cache the entities that a query finds, with their pending changes, or everything.
    ///
    /// A pull in progress ends with `cancelled`.
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
    /// - Returns: an endless sequence; a result equal to the previous one is left out.
    public func values(_ query: Query = Query()) -> StoreValues<Value> {
        StoreValues(store: self, query: query)
    }
}

/// What happens to entities whose pending changes are discarded.
///
///     PurgedRows(rawValue: "keep") == .keep  // → true
public enum PurgedRows: String, Hashable, Sendable, CaseIterable {
    /// They stay as they are until the next pull fetches them.
    case keep
    /// They revert to the service's version, also offline.
    case restore
}

/// The cache's results of a query, now and after each change.
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

    /// Starts observing.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values: self) }
}
