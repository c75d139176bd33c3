import PredicateQL
import StoreModel

/// Automatic pushes.
extension StoreClient {
    /// Sends changes when they are made, and retries those that failed, until the task is cancelled.
    ///
    ///     let pushing = Task { try await client.keepPushing() }
    ///     try await client.store(Novel.self, .sync).save(Novel(title: "Emma"))
    ///     pushing.cancel()
    ///
    /// A failed change is retried after 1 s, then 2 s, 4 s and so on up to 5 min, each ± 20 %, or after the service's
    /// `Retry-After`; ``push()`` ignores these delays. One that the service refuses for good is not retried until it is
    /// changed, or sent by ``DataStore/retry(_:)``. ``DataStore/pending()`` lists what failed and why. After a log-in
    /// the changes of that user are sent.
    ///
    /// - Throws: `StoreError.cache` if the file cannot be read; call it again later.
    public func keepPushing() async throws(StoreError) {
        while !Task.isCancelled, !environment.isEnded() {
            // What changes from here on ends the wait, also what changes during the push.
            let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let number = listen(changed)
            defer { stopListening(number) }
            let rest = try await pushWhatIsDue()
            await withTaskGroup(of: Void.self) { group in
                if let rest { group.addTask { await self.environment.sleep(.milliseconds(rest)) } }
                group.addTask { for await _ in changes { return } }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Sends what is due.
    ///
    /// - Returns: milliseconds until the next change is due; nil if none is pending that may succeed.
    private func pushWhatIsDue() async throws(StoreError) -> Int64? {
        let seat = seat
        do throws(StoreError) {
            let cache = try cache(seat)
            var next: Int64?
            for collection in try cached({ () throws(QueryError) in try cache.collectionsInOrder() }) {
                if let rest = try await pushWhatIsDue(collection, seat) { next = min(next ?? rest, rest) }
            }
            let now = environment.now()
            return next.map { max($0, schedule.rest(at: now), reachability.quiet(at: now), 1) }
        } catch {
            // Another user's changes come next, or nothing.
            guard case .cancelled = error, seat != self.seat || Task.isCancelled else { throw error }
            return 1
        }
    }

    private func pushWhatIsDue(_ collection: String, _ seat: Seat) async throws(StoreError) -> Int64? {
        try await alone("push " + collection, nil) { () async throws(StoreError) in
            let (number, entries) = try self.waiting(collection, seat)
            let now = self.environment.now()
            let isOpen = self.schedule.rest(at: now) == 0 && self.reachability.quiet(at: now) == 0
            let due = isOpen ? entries.filter { self.schedule.rest(of: $0, at: now) == 0 } : []
            if !due.isEmpty {
                var target = PushTarget(seat: seat, collection: collection, number: number, options: self.options)
                target.isAutomatic = true
                let result = await self.send(due, target)
                self.schedule.note(due, result, at: self.environment.now(), random: self.environment.random())
                if result.count > 0 || !result.overruled.isEmpty { self.tell(collection) }
            }
            let left = try self.waiting(collection, seat).entries
            self.schedule.keep(left, of: number)
            let later = self.environment.now()
            return left.compactMap { self.schedule.rest(of: $0, at: later) }.min()
        }
    }

    private func waiting(_ collection: String, _ seat: Seat) throws(StoreError) -> (
        number: Int64, entries: [OutboxEntry]
    ) {
        try cached(collection, seat) { (cache, number, _) throws(QueryError) in (number, try cache.entries(number)) }
    }
}
