import PredicateQL
import PredicateQLSQLite
import StoreModel

/// A row of the cache.
struct CachedRow: Hashable, Sendable {
    var json: [UInt8]
    /// The tick of the snapshot that it was read in; 0 for a local change.
    var seen: Int64
    /// When it was fetched, milliseconds since 1970.
    var at: Int64
}

/// The last state of a tracked query.
struct Checkpoint: Sendable {
    /// The text that names the query.
    var key: String
    var query: Query
    /// The tick up to which everything is known; nil before the first whole answer.
    var tick: Int64?
    /// The service's history that the tick belongs to.
    var epoch: String?
    /// Where an interrupted pull continues.
    var cursor: PullCursor?
    /// When it was written, milliseconds since 1970.
    var at: Int64
}

/// Which query of which collection is tracked.
struct CheckpointName: Hashable {
    var collection: Int64
    var query: UTF8Key
}

extension Cache {
    // MARK: Rows

    /// An entity as the app sees it.
    func row(_ collection: Int64, _ id: String) throws(QueryError) -> CachedRow? {
        var found: CachedRow?
        try forEach("SELECT doc, seen, at FROM e\(collection) WHERE id = ?", [.string(id)]) { row in
            found = CachedRow(json: row.bytes(at: 0) ?? [], seen: row.int(at: 1), at: row.int(at: 2))
        }
        return found
    }

    /// Stores an entity, or takes it out.
    func put(_ collection: Int64, _ id: String, _ json: [UInt8]?, seen: Int64, now: Int64) throws(QueryError) {
        guard let json else {
            try run("DELETE FROM e\(collection) WHERE id = ?", [.string(id)])
            return
        }
        let values: [QueryValue] = [.string(id), .string(String(decoding: json, as: UTF8.self)), .int(seen), .int(now)]
        try run(
            "INSERT INTO e\(collection) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                + "doc = excluded.doc, seen = excluded.seen, at = excluded.at",
            values
        )
    }

    /// The tick at which an entity was known to be gone, or before which nothing counts.
    func gone(_ collection: Int64, _ id: String) throws(QueryError) -> Int64? {
        var tick: Int64?
        try forEach("SELECT seen FROM gone WHERE n = ? AND id = ?", [.int(collection), .string(id)]) { row in
            tick = row.int(at: 0)
        }
        return tick
    }

    /// Remembers that an entity is gone; nil that it is not.
    func setGone(_ collection: Int64, _ id: String, _ tick: Int64?, now: Int64) throws(QueryError) {
        if let tick {
            let values: [QueryValue] = [.int(collection), .string(id), .int(tick), .int(now)]
            try run("INSERT OR REPLACE INTO gone VALUES (?, ?, ?, ?)", values)
        } else {
            try run("DELETE FROM gone WHERE n = ? AND id = ?", [.int(collection), .string(id)])
        }
    }

    /// Forgets what went a week ago: no answer is under way for so long.
    func prune(now: Int64) throws(QueryError) {
        try run("DELETE FROM gone WHERE at < ?", [.int(now - 7 * 86_400_000)])
    }

    // MARK: Facts

    /// What is known of an entity.
    func known(_ collection: Int64, _ id: String) throws(QueryError) -> Merging.Known {
        var known = Merging.Known()
        let sql = """
            SELECT (SELECT seen FROM e\(collection) WHERE id = ?1), (SELECT seen FROM gone WHERE n = ?2 AND id = ?1),
                (SELECT kind FROM outbox WHERE n = ?2 AND id = ?1), (SELECT baseSeen FROM outbox WHERE n = ?2 AND id = ?1)
            """
        try forEach(sql, [.string(id), .int(collection)]) { row in
            (known.row, known.gone) = (row.number(at: 0), row.number(at: 1))
            let kind = row.number(at: 2).flatMap(ChangeKind.init)
            known.entry = kind.map { .init(kind: $0, base: row.number(at: 3)) }
        }
        return known
    }

    /// Merges a fact.
    ///
    /// - Returns: whether the row that the app sees changed.
    @discardableResult
    func apply(_ fact: Fact, to collection: Int64, now: Int64) throws(QueryError) -> Bool {
        let known = try known(collection, fact.id)
        let outcome = try Merging.outcome(of: fact.tick, known) { () throws(QueryError) in
            try isContradicted(fact, in: collection, now: now)
        }
        switch outcome {
        case .ignored:
            // Told again as it is: fetched now, as far as `ttl` goes.
            if fact.json != nil, let row = known.row, row <= fact.tick {
                try run(
                    "UPDATE e\(collection) SET at = ? WHERE id = ? AND at < ?",
                    [.int(now), .string(fact.id), .int(now)]
                )
            }
            return false
        case .base:
            guard var entry = try entry(collection, fact.id) else { return false }
            (entry.base, entry.baseSeen) = (fact.json, fact.tick)
            try write(entry)
        case .row:
            if known.entry != nil { try removeEntry(collection, fact.id) }
            try put(collection, fact.id, fact.json, seen: fact.tick, now: now)
        }
        if fact.json == nil || known.gone != nil {
            try setGone(collection, fact.id, fact.json == nil ? fact.tick : nil, now: now)
        }
        return outcome == .row
    }

    /// Merges what a query may no longer find: a row that it found goes if no tracked query finds it now (W8).
    ///
    /// What left the query by a write of this client stays, as it does when the query is pulled in full.
    func apply(_ fact: Fact, leaving left: Checkpoint, in collection: Int64, now: Int64) throws(QueryError) {
        let before = try row(collection, fact.id)?.json
        guard try apply(fact, to: collection, now: now), let json = fact.json else { return }
        if let before, try !finds(left, in: collection, before, now: now) { return }
        for tracked in try checkpoints(of: collection) where try finds(tracked, in: collection, json, now: now) {
            return
        }
        try forgetRows([fact.id], in: collection, before: fact.tick, now: now)
    }

    /// True if a checkpoint after a fact lacked its row, so that the query no longer finds it.
    func isContradicted(_ fact: Fact, in collection: Int64, now: Int64) throws(QueryError) -> Bool {
        guard let json = fact.json, !switchedOff.contains(.silenceCounts) else { return false }
        for checkpoint in try checkpoints(of: collection) {
            guard let tick = checkpoint.tick, tick > fact.tick else { continue }
            if try finds(checkpoint, in: collection, json, now: now) { return true }
        }
        return false
    }

    /// True if a tracked query finds an entity; it is compiled once for all that is stored at an instant.
    func finds(
        _ checkpoint: Checkpoint,
        in collection: Int64,
        _ json: [UInt8],
        now: Int64
    ) throws(QueryError) -> Bool {
        if checkpoint.query.condition == .constant(true) { return true }
        if matchers.now != now { matchers = (now, [:]) }
        let key = CheckpointName(collection: collection, query: UTF8Key(checkpoint.key))
        if let known = matchers.known[key] { return (try? known.matches(json: json)) ?? false }
        let matcher = try Matcher(checkpoint.query, now: now)
        matchers.known[key] = matcher
        return (try? matcher.matches(json: json)) ?? false
    }

    // MARK: Checkpoints

    /// The queries that the cache tracks.
    func checkpoints(of collection: Int64) throws(QueryError) -> [Checkpoint] {
        if let known = checkpoints[collection] { return known }
        var found: [Checkpoint] = []
        let sql = "SELECT query, tree, tick, epoch, cursor, at FROM checkpoint WHERE n = ? ORDER BY query"
        try forEach(sql, [.int(collection)]) { (row) throws(QueryError) in
            found.append(
                Checkpoint(
                    key: row.string(at: 0) ?? "",
                    query: try Query(cached: row.bytes(at: 1) ?? []),
                    tick: row.number(at: 2),
                    epoch: row.string(at: 3),
                    cursor: row.bytes(at: 4).flatMap(PullCursor.init(json:)),
                    at: row.int(at: 5)
                )
            )
        }
        checkpoints[collection] = found
        return found
    }

    /// What is known of a query.
    func checkpoint(_ collection: Int64, _ key: String) throws(QueryError) -> Checkpoint? {
        try checkpoints(of: collection).first { $0.key.hasSameUTF8(as: key) }
    }

    /// Stores what is known of a query.
    func write(_ checkpoint: Checkpoint, _ collection: Int64) throws(QueryError) {
        let state: [QueryValue] = [
            checkpoint.tick.map(QueryValue.int) ?? .null, checkpoint.epoch.map(QueryValue.string) ?? .null,
            checkpoint.cursor.map { .string($0.json) } ?? .null, .int(checkpoint.at), .int(collection),
            .string(checkpoint.key),
        ]
        if remember(checkpoint, collection) {
            let update = "UPDATE checkpoint SET tick = ?, epoch = ?, cursor = ?, at = ? WHERE n = ? AND query = ?"
            return try run(update, state)
        }
        try run(
            "INSERT OR REPLACE INTO checkpoint (tick, epoch, cursor, at, n, query, tree) VALUES (?, ?, ?, ?, ?, ?, ?)",
            state + [.string(try checkpoint.query.cached())]
        )
        // An app that asks ever new queries does not fill the cache with what it knows of old ones.
        try run(
            """
            DELETE FROM checkpoint WHERE n = ? AND query NOT IN (
                SELECT query FROM checkpoint WHERE n = ? ORDER BY at DESC, query LIMIT \(Self.mostCheckpoints)
            )
            """,
            [.int(collection), .int(collection)]
        )
    }

    /// Keeps the checkpoints that were read in step with the table, unless one of them goes.
    ///
    /// - Returns: whether the table has the query.
    private func remember(_ checkpoint: Checkpoint, _ collection: Int64) -> Bool {
        let place = checkpoints[collection]?.firstIndex { $0.key.hasSameUTF8(as: checkpoint.key) }
        guard let place else {
            checkpoints[collection] = nil
            return false
        }
        checkpoints[collection]?[place] = checkpoint
        return true
    }

    /// The maximum number of tracked queries per collection; the most recent ones are kept.
    private static let mostCheckpoints = 32

    /// Forgets what was known of all queries of a collection.
    func forget(_ collection: Int64) throws(QueryError) {
        checkpoints[collection] = nil
        try run("DELETE FROM checkpoint WHERE n = ?", [.int(collection)])
    }

    /// Keeps rows and changes, but none of their ticks: the service has another history now.
    func leaveHistory(_ collection: Int64) throws(QueryError) {
        try transaction { () throws(QueryError) in
            try forget(collection)
            try run("UPDATE e\(collection) SET seen = 0")
            try run("UPDATE outbox SET baseSeen = 0 WHERE n = ? AND baseSeen IS NOT NULL", [.int(collection)])
            try run("DELETE FROM gone WHERE n = ?", [.int(collection)])
        }
    }
}
