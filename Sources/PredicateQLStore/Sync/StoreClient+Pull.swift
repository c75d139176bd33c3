import PredicateQL
import StoreModel

/// What is pulled: whose, which collection, which query and how.
struct PullTarget: Sendable {
    var seat: StoreClient.Seat
    var collection: String
    var number: Int64
    /// The condition alone.
    var query: Query
    var options: Options
    /// True to pull in pages, so that no result is cut.
    var isPaged: Bool
    /// How often the collection was cleared before.
    var clears = 0

    var pageSize: Int { min(max(options.pageSize ?? 10_000, 1), 10_000) }
}

/// What asking the service for the entities of a query did.
struct PullOutcome: Sendable {
    var changed = 0
    /// The entities of a delta.
    var ids: [String] = []
    var deleted = 0
    var wasDelta = false
    var pages = 0
    /// True if an earlier pull had broken, and this one went on where it ended.
    var isResumed = false

    /// Both, of which the second was by changes, or in full.
    func followed(by next: PullOutcome) -> PullOutcome {
        var all = next
        all.changed += changed
        all.ids = ids + next.ids
        all.deleted += deleted
        all.wasDelta = wasDelta && next.wasDelta
        all.pages += pages
        return all
    }
}

extension StoreClient {
    /// Updates the cache to the service's result of a query.
    func pull(_ target: PullTarget) async throws(StoreError) -> PullOutcome {
        try await alone("pull " + target.collection, target.options.limit) { () async throws(StoreError) in
            var target = target
            target.clears = self.clears[target.collection] ?? 0
            try await self.askForLost(target)
            let outcome = try await self.refresh(target)
            guard outcome.isResumed else { return outcome }
            // What the broken pull stored may have changed since.
            target.options.deltaSync = true
            return outcome.followed(by: try await self.refresh(target))
        }
    }

    /// By changes if that is wanted and possible, else in full.
    private func refresh(_ target: PullTarget) async throws(StoreError) -> PullOutcome {
        let key = target.query.cacheKey
        let cache = try cache(target.seat)
        let known = try cached { () throws(QueryError) in try cache.checkpoint(target.number, key) }
        if target.options.deltaSync == true, !lacksDeltas(target), let known, known.tick != nil {
            do throws(StoreError) {
                return try await pullChanges(target, known)
            } catch {
                guard case .service(let fault) = error else { throw error }
                switch fault.name {
                // The tick is before the history, or of another one, which the first page tells.
                case .parameterValueOutOfRange:
                    var unknown = known
                    (unknown.tick, unknown.cursor) = (nil, nil)
                    try cached { () throws(QueryError) in try cache.write(unknown, target.number) }
                case .resultSetSizeExceeded where target.isPaged: break
                case .missingConfiguration:
                    noteLackOfDeltas(target)
                    try cached { () throws(QueryError) in try cache.forget(target.number) }
                default: throw error
                }
                report(.leftDeltas(collection: target.collection, reason: fault))
            }
        }
        return try await pullAll(target, key)
    }

    // MARK: In full

    /// All pages, by `_id`, so that no row slips between two of them.
    private func pullAll(_ target: PullTarget, _ key: String) async throws(StoreError) -> PullOutcome {
        let cache = try cache(target.seat)
        let old = try cached { () throws(QueryError) in try cache.checkpoint(target.number, key) }
        let now = environment.now()
        var checkpoint = Checkpoint(key: key, query: target.query, tick: old?.tick, epoch: old?.epoch, at: now)
        var outcome = PullOutcome()
        // A pull that broke goes on within a day, if a delta can tell what changed behind its cursor.
        if let old, let cursor = old.cursor, !cursor.isDelta, now - old.at < 86_400_000, target.isPaged,
            old.epoch != nil || target.options.deltaSync == true, !lacksDeltas(target)
        {
            checkpoint.cursor = cursor
            outcome.isResumed = true
        }
        var isLast = false
        var isAnew = false
        while !isLast {
            let response = try await page(target, after: checkpoint.cursor?.after)
            if try leaveHistory(of: response, target) {
                guard !isAnew else { throw .badAnswer("pages of several histories") }
                isAnew = true
                checkpoint = Checkpoint(key: key, query: target.query, at: now)
                continue
            }
            let facts = try response.facts()
            let tick = try response.snapshot()
            if !target.isPaged, response.headers["X-PQL-Truncated"] != nil || facts.count >= 10_000 {
                throw .truncated(at: facts.count)
            }
            isLast = !target.isPaged || facts.count < target.pageSize && response.headers["X-PQL-Truncated"] == nil
            let next = PullCursor(
                isDelta: false,
                tick: checkpoint.cursor?.tick ?? tick,
                after: facts.last?.id ?? checkpoint.cursor?.after ?? ""
            )
            if !isLast { try next.requireProgress(from: checkpoint.cursor) }
            checkpoint.cursor = next
            checkpoint.epoch = response.headers["X-PQL-Epoch"]
            try store(facts, checkpoint, target)
            environment.reached(isLast ? .lastPage : .page)
            outcome.pages += 1
            outcome.changed += facts.count
            report(.pulled(collection: target.collection, entities: outcome.changed, isLast: isLast))
        }
        guard let cursor = checkpoint.cursor else { return outcome }
        checkpoint.cursor = nil
        checkpoint.tick = cursor.tick
        outcome.deleted = try await removeLeftOver(checkpoint, target)
        tell(target.collection)
        return outcome
    }

    /// Forgets all ticks if the service's history is a different one: it was restored from a backup.
    private func leaveHistory(of response: WireResponse, _ target: PullTarget) throws(StoreError) -> Bool {
        guard let epoch = response.headers["X-PQL-Epoch"] else { return false }
        let cache = try cache(target.seat)
        return try cached { () throws(QueryError) in
            let known = try cache.checkpoints(of: target.number)
            guard known.contains(where: { $0.epoch ?? epoch != epoch }) else { return false }
            try cache.leaveHistory(target.number)
            return true
        }
    }

    /// One page of a full pull.
    private func page(_ target: PullTarget, after id: String?) async throws(StoreError) -> WireResponse {
        var query = target.query
        if target.isPaged {
            if let id { query.condition = query.condition && Field("_id") > id }
            query.order = [.ascending("_id")]
            query.limit = target.pageSize
        }
        let response = try await ask(query, .find, target.collection, target.seat, target.options)
        try response.check()
        return response
    }

    /// Stores a page, what left the query, and where the pull continues, in one transaction (W4).
    private func store(
        _ facts: [Fact],
        left: [Fact] = [],
        _ checkpoint: Checkpoint?,
        _ target: PullTarget
    ) throws(StoreError) {
        let cache = try cache(target.seat)
        let now = environment.now()
        let query = Checkpoint(key: target.query.cacheKey, query: target.query, at: now)
        // Rows of earlier pages may be gone.
        guard target.clears == clears[target.collection] ?? 0 else { throw .cancelled }
        try cached { () throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                for fact in facts { try cache.apply(fact, to: target.number, now: now) }
                for fact in left { try cache.apply(fact, leaving: query, in: target.number, now: now) }
                if let checkpoint { try cache.write(checkpoint, target.number) }
            }
        }
    }

    /// Removes rows that the whole answer lacked, and moves the checkpoint, in one transaction.
    ///
    /// If another query is tracked, they are fetched by id first, so that it keeps rows that only left this one.
    private func removeLeftOver(_ checkpoint: Checkpoint, _ target: PullTarget) async throws(StoreError) -> Int {
        let cache = try cache(target.seat)
        let now = environment.now()
        let tick = checkpoint.tick ?? 0
        let isTrackedElsewhere = try cached { () throws(QueryError) in
            // A pull that broke goes on after rows that it has seen.
            try cache.checkpoints(of: target.number).contains { !$0.key.hasSameUTF8(as: checkpoint.key) }
        }
        if isTrackedElsewhere, !environment.switchedOff.contains(.leftOverIsAskedFor) {
            var asked: Set<[UInt8]> = []
            var count = 0
            while true {
                // A change that is given up meanwhile shows another row.
                let ids = try cached { () throws(QueryError) in
                    try cache.leftOver(target.query, in: target.number, before: tick, now: now)
                }.filter { asked.insert(Array($0.utf8)).inserted }
                let facts = try await facts(of: ids, target)
                try store([], left: facts, ids.isEmpty ? checkpoint : nil, target)
                if ids.isEmpty { return count }
                count += facts.count { $0.json == nil }
            }
        }
        return try cached { () throws(QueryError) in
            try cache.transaction { () throws(QueryError) in
                // What changed while nobody looked is not left over any more.
                let ids = try cache.leftOver(target.query, in: target.number, before: tick, now: now)
                try cache.forgetRows(ids, in: target.number, before: tick, now: now)
                try cache.write(checkpoint, target.number)
                return ids.count
            }
        }
    }

    // MARK: By id

    /// What the service has of some ids, 200 a request; those that it lacks are gone.
    private func facts(of ids: [String], _ target: PullTarget) async throws(StoreError) -> [Fact] {
        var facts: [Fact] = []
        var rest = ids[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(200))
            rest = rest.dropFirst(200)
            let response = try await ask(
                Query(Field("_id").in(some)),
                .find,
                target.collection,
                target.seat,
                target.options
            )
            try response.check()
            let found = try response.facts()
            let tick = try response.snapshot()
            let known = Set(found.map { Array($0.id.utf8) })
            facts += found
            for id in some where !known.contains(Array(id.utf8)) {
                facts.append(Fact(id: id, json: nil, tick: tick))
            }
        }
        return facts
    }

    /// What the service finds first of a query; what the cache had among it and is gone is removed.
    ///
    /// Those that the result lacks are fetched by id, so that no other order of equal keys takes one out.
    func pullFirst(
        _ query: Query,
        _ limit: Int,
        _ target: ReadTarget
    ) async throws(StoreError) -> (found: [[UInt8]], outcome: PullOutcome) {
        let found = try await entities(query, target, isLocal: false)
        var outcome = PullOutcome(changed: found.count, pages: 1)
        if limit == 0 { return (found, outcome) }
        var whole = query
        (whole.limit, whole.fields) = (nil, ["_id"])
        if whole.order.isEmpty { whole.order = [.ascending("_id")] }
        let (shown, known) = (found.entityIDs, try local(whole, target).entityIDs)
        // A result that is shorter than its limit is whole.
        let first = found.count < limit ? known[...] : known.prefix { $0 != shown.last }
        let left = Set(first).subtracting(shown).map(\.text).sorted()
        try learn(try await facts(of: left, pullTarget(query, target)), of: target.collection, target.seat)
        outcome.deleted = try cached(target.collection, target.seat) { (cache, number, _) throws(QueryError) in
            try left.count { (id) throws(QueryError) in try cache.row(number, id) == nil }
        }
        return (found, outcome)
    }

    /// Fetches the entities whose state in the cache is unknown.
    func askForLost(_ target: PullTarget) async throws(StoreError) {
        let cache = try cache(target.seat)
        let ids = try cached { () throws(QueryError) in try cache.asked(target.number) }
        guard !ids.isEmpty else { return }
        try learn(try await facts(of: ids, target), of: target.collection, target.seat)
    }

    // MARK: By changes

    /// What changed since the checkpoint, page by page; the checkpoint moves with the last.
    private func pullChanges(_ target: PullTarget, _ known: Checkpoint) async throws(StoreError) -> PullOutcome {
        var checkpoint = known
        if checkpoint.cursor?.isDelta != true { checkpoint.cursor = nil }
        var outcome = PullOutcome(wasDelta: true, isResumed: checkpoint.cursor != nil)
        while true {
            let response = try await changes(target, checkpoint)
            let tick = try response.snapshot()
            let (changed, left, deleted) = try response.changes()
            let next = response.headers["X-PQL-Next"].flatMap(PullCursor.init(next:))
            try next?.requireProgress(from: checkpoint.cursor)
            checkpoint.cursor = next ?? checkpoint.cursor
            if next == nil {
                checkpoint.tick = checkpoint.cursor?.tick ?? tick
                checkpoint.cursor = nil
                checkpoint.epoch = response.headers["X-PQL-Epoch"]
            }
            checkpoint.at = environment.now()
            try store(deleted + changed, left: left, checkpoint, target)
            environment.reached(.page)
            outcome.pages += 1
            outcome.changed += changed.count + left.count
            outcome.ids += (changed + left).map(\.id)
            outcome.deleted += deleted.count
            report(.pulled(collection: target.collection, entities: outcome.changed, isLast: next == nil))
            if next == nil { break }
        }
        if outcome.changed + outcome.deleted > 0 { tell(target.collection) }
        return outcome
    }

    private func changes(_ target: PullTarget, _ checkpoint: Checkpoint) async throws(StoreError) -> WireResponse {
        var page: [RESTRequest.Item] = []
        if target.isPaged { page.append(.init("limit", String(target.pageSize))) }
        if let cursor = checkpoint.cursor {
            page.append(.init("until", Tick(rawValue: cursor.tick).text))
            page.append(.init("after", cursor.after))
        }
        let since = checkpoint.tick ?? 0
        let response = try await askChanges(target.query, since: since, page, epoch: checkpoint.epoch, target)
        try response.check()
        return response
    }
}

extension WireResponse {
    /// The tick of a pull's answer: what the answer lacks was gone by then.
    fileprivate func snapshot() throws(StoreError) -> Int64 {
        guard let tick else { throw .badAnswer("the response has no time: X-Kinvey-Request-Start is missing") }
        return tick
    }

    /// The entities of a delta, those that only left the query, and the removals.
    fileprivate func changes() throws(StoreError) -> (changed: [Fact], left: [Fact], deleted: [Fact]) {
        guard case .object(let delta)? = try? QueryValue(json: body), case .list(let changed)? = delta["changed"],
            case .list(let deleted)? = delta["deleted"]
        else { throw .badAnswer("changed and deleted were expected") }
        var left: [QueryValue] = []
        if case .list(let entities)? = delta["left"] { left = entities }
        var gone: [Fact] = []
        for case .object(let entity) in deleted {
            guard case .string(let id)? = entity["_id"] else { throw .badAnswer("a removal without an _id") }
            gone.append(Fact(id: id, json: nil, tick: tick ?? 0))
        }
        return (try Self.facts(of: changed, tick), try Self.facts(of: left, tick), gone)
    }
}

extension PullCursor {
    /// Refuses a page that does not advance: a service that ignores the order would be queried for ever.
    fileprivate func requireProgress(from cursor: PullCursor?) throws(StoreError) {
        guard (cursor?.after ?? "").utf8.lexicographicallyPrecedes(after.utf8) else {
            throw .badAnswer("a page that does not go on after the one before")
        }
    }

    /// Reads `until,after` of an unfinished delta; nil for any other text.
    init?(next text: String) {
        guard let comma = text.firstIndex(of: ","), let tick = Tick(String(text[..<comma])),
            let after = PercentText.decode(text[text.index(after: comma)...], plusIsSpace: false)
        else { return nil }
        self.init(isDelta: true, tick: tick.rawValue, after: after)
    }
}
