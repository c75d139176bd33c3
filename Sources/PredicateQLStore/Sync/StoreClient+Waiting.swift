import PredicateQL
import StoreModel

/// Pending changes, listed and resolved by the app.
extension StoreClient {
    /// True while the service counts as unreachable.
    var isUnreachable: Bool { reachability.isBad(at: environment.now()) }

    /// Pushes all collections, then repeats every earlier pull.
    ///
    ///     try await client.sync().failures.count  // → 0
    ///
    /// - Returns: what the push did.
    /// - Throws: as a push and a pull; nothing is pulled after a failure that may succeed later.
    public func sync() async throws(StoreError) -> PushResult {
        let seat = seat
        let result = try await push()
        if result.failures.contains(where: \.mayPass) { return result }
        let cache = try cache(seat)
        for collection in try cached({ () throws(QueryError) in try cache.collectionsInOrder() }) {
            let (number, tracked) = try cached(collection, seat) { (cache, number, _) throws(QueryError) in
                (number, try cache.checkpoints(of: number))
            }
            for checkpoint in tracked {
                let target = PullTarget(
                    seat: seat,
                    collection: collection,
                    number: number,
                    query: checkpoint.query,
                    options: options,
                    isPaged: true
                )
                _ = try await pull(target)
            }
        }
        return result
    }

    /// The pending changes of a collection.
    func pending(_ collection: String, _ seat: Seat) throws(StoreError) -> [PendingChange] {
        try cached(collection, seat) { (cache, number, _) throws(QueryError) in
            try cache.entries(number).compactMap { PendingChange($0, in: collection) }
        }
    }

    /// Sends one change, whatever its last error was.
    func retry(_ id: String, _ target: ReadTarget) async throws(StoreError) -> PushResult {
        try await alone("push " + target.collection, target.options.limit) { () async throws(StoreError) in
            let (number, entry) = try self.cached(target.collection, target.seat) {
                (cache, number, _) throws(QueryError) in
                (number, try cache.entry(number, id))
            }
            guard let entry, entry.kind != .ask else { return PushResult() }
            let push = PushTarget(
                seat: target.seat,
                collection: target.collection,
                number: number,
                options: target.options
            )
            let result = await self.send([entry], push)
            self.tell(target.collection)
            return result
        }
    }

    /// Gives changes up: all, or one that is still as the app saw it.
    func giveUp(_ change: PendingChange?, _ rows: PurgedRows, _ target: ReadTarget) throws(StoreError) -> Int {
        let count = try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                var entries = try cache.entries(number)
                if let change { entries.removeAll { $0.place != change.place } }
                for entry in entries {
                    switch rows {
                    case .keep: try cache.keepUnsent(entry)
                    case .restore: try cache.drop(entry, now: now)
                    }
                }
                return entries.count
            }
        }
        tell(target.collection)
        return count
    }

    /// Empties a collection's cache.
    func clear(_ query: Query?, _ target: ReadTarget) throws(StoreError) -> Int {
        clears[target.collection, default: 0] += 1
        let count = try cached(target.collection, target.seat) { (cache, number, now) throws(QueryError) in
            try cache.clear(query, in: number, now: now)
        }
        tell(target.collection)
        return count
    }

    /// The number of queries of a collection that the cache tracks.
    package func trackedQueries(_ collection: String) throws(StoreError) -> Int {
        try cached(collection, seat) { (cache, number, _) throws(QueryError) in try cache.checkpoints(of: number).count
        }
    }

    // MARK: Deltas

    /// True if the service reported in the last ten minutes that a collection has no deltas; they may be enabled later.
    func lacksDeltas(_ target: PullTarget) -> Bool {
        // Entities enter and leave with the time, without a change.
        target.query.isVolatile
            || collectionsWithoutDeltas[target.collection].map { environment.now() - $0 < 600_000 } ?? false
    }

    func noteLackOfDeltas(_ target: PullTarget) { collectionsWithoutDeltas[target.collection] = environment.now() }
}
