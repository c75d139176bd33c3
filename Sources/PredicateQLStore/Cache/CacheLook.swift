import PredicateQL

/// All that a cache holds of a collection, at one moment; tests and simulations judge it.
package struct CacheLook: Sendable {
    /// An entity as the app sees it.
    package struct Row: Sendable {
        package var json: [UInt8]
        /// The tick of the snapshot that it was read in; 0 for a local change.
        package var seen: Int64
    }

    /// The user whose cache it is; nil if none was logged in.
    package var user: String?
    package var rows: [String: Row] = [:]
    var entries: [String: OutboxEntry] = [:]
    var gone: [String: Int64] = [:]
    var checkpoints: [Checkpoint] = []

    /// The tick of the newest that is known of an id.
    package func tick(_ id: String) -> Int64 {
        let entry = entries[id].map { Merging.Known.Entry(kind: $0.kind, base: $0.baseSeen) }
        return Merging.Known(row: rows[id]?.seen, gone: gone[id], entry: entry).tick
    }

    /// True if a change of an entity is pending, or a fetch of it.
    package func hasEntry(_ id: String) -> Bool { entries[id] != nil }

    /// The entities with a pending version that was saved here.
    package var saved: [String] {
        entries.values.filter { $0.kind == .create || $0.kind == .update }.map(\.id)
    }

    /// The entities with a pending change that the service did not refuse.
    package var waiting: [String] { entries.values.filter { !$0.isRefused }.map(\.id) }

    /// The tracked queries, and up to which tick everything is known of each.
    package var ticks: [(query: String, tick: Int64)] {
        checkpoints.compactMap { checkpoint in checkpoint.tick.map { (checkpoint.key, $0) } }
    }
}

extension Cache {
    func look(_ collection: Int64) throws(QueryError) -> CacheLook {
        var look = CacheLook()
        try forEach("SELECT id, doc, seen FROM e\(collection)") { row in
            look.rows[row.string(at: 0) ?? ""] = .init(json: row.bytes(at: 1) ?? [], seen: row.int(at: 2))
        }
        for entry in try allEntries(collection) { look.entries[entry.id] = entry }
        try forEach("SELECT id, seen FROM gone WHERE n = ?", [.int(collection)]) { row in
            look.gone[row.string(at: 0) ?? ""] = row.int(at: 1)
        }
        look.checkpoints = try checkpoints(of: collection)
        return look
    }
}

extension StoreClient {
    /// All that the cache holds of a collection.
    package func look(_ collection: String) throws(StoreError) -> CacheLook {
        let cache = try cache(seat)
        var look = try cached { () throws(QueryError) in try cache.look(cache.number(of: collection)) }
        look.user = seat.user?.id
        return look
    }

    /// Takes the room for more pages from the cache's file, or gives it back, as a disk does.
    package func fillDisk(_ isFull: Bool) throws(StoreError) {
        let cache = try cache(seat)
        try cached { () throws(QueryError) in
            try cache.database.execute("PRAGMA max_page_count = \(isFull ? 1 : 1_000_000)")
        }
    }
}
