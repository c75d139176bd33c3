import PredicateQL
import StoreModel
import StoreSupport

@testable import PredicateQLStore

/// All that a cache holds of a collection, at one moment.
struct CacheLook: Sendable {
    var rows: [String: (json: [UInt8], seen: Int64)] = [:]
    var entries: [String: OutboxEntry] = [:]
    var gone: [String: Int64] = [:]
    var checkpoints: [Checkpoint] = []

    /// The tick of the newest that is known of an id.
    func tick(_ id: String) -> Int64 {
        let entry = entries[id].map { Merging.Known.Entry(kind: $0.kind, base: $0.baseSeen) }
        return Merging.Known(row: rows[id]?.seen, gone: gone[id], entry: entry).tick
    }
}

extension Cache {
    func look(_ collection: Int64) throws(QueryError) -> CacheLook {
        var look = CacheLook()
        try forEach("SELECT id, doc, seen FROM e\(collection)") { row in
            look.rows[row.string(at: 0) ?? ""] = (row.bytes(at: 1) ?? [], row.int(at: 2))
        }
        for entry in try allEntries(collection) { look.entries[entry.id] = entry }
        try forEach("SELECT id, seen FROM gone WHERE n = ?", [.int(collection)]) { row in
            look.gone[row.string(at: 0) ?? ""] = row.int(at: 1)
        }
        look.checkpoints = try checkpoints(of: collection)
        return look
    }

    private func allEntries(_ collection: Int64) throws(QueryError) -> [OutboxEntry] {
        var entries = try entries(collection)
        for id in try asked(collection) { if let entry = try entry(collection, id) { entries.append(entry) } }
        return entries
    }
}

extension StoreClient {
    /// All that the cache holds of a collection.
    func look(_ collection: String) throws(StoreError) -> CacheLook {
        let cache = try cache(seat)
        return try cached { () throws(QueryError) in try cache.look(cache.number(of: collection)) }
    }
}

extension Simulation {
    /// What the simulation says of an entity: flags and mark; nil if a query does not find it.
    private static func shown(_ entity: Document, in query: Int) -> String? {
        guard query == 2 || entity[["a", "b"][query]] == 1 else { return nil }
        guard case .string(let mark)? = entity["mark"], case .int(let a)? = entity["a"], case .int(let b)? = entity["b"]
        else { return "?" }
        return "\(a)\(b) \(mark)"
    }

    private static let names = queries.map(\.cacheKey)

    /// What holds after every step: nothing acknowledged is lost (W1), no version goes back (W5), and each row of a query
    /// that was pulled is as it was on the service at its checkpoint or later (W4, W6).
    func inspect(_ device: Device) async {
        guard !device.isEnded, let look = try? await device.client?.look(Thing.collection) else { return }
        if !device.isClearing {
            for id in Set(device.known.keys).union(look.rows.keys) {
                let (before, now) = (device.known[id] ?? 0, max(look.tick(id), 0))
                if now < before { fail("\(device.name): \(id) goes back from \(before) to \(now) (W5)") }
                device.known[id] = max(before, now)
            }
        }
        for case (let id, let mark?) in device.last where !oracle.didAct(id, mark) && !device.overruled.contains(mark) {
            let row = look.rows[id].flatMap { Document(json: $0.json) }
            if row?["mark"] != .string(mark) || look.entries[id] == nil {
                fail("\(device.name): \(mark) of \(id) is lost (W1)")
            }
        }
        if !oracle.isWriteUnderWay { compare(look, device) }
    }

    private func compare(_ look: CacheLook, _ device: Device) {
        var rows: [String: Document] = [:]
        for (id, row) in look.rows where look.entries[id] == nil { rows[id] = Document(json: row.json) }
        for checkpoint in look.checkpoints {
            guard let tick = checkpoint.tick, let query = Self.names.firstIndex(of: checkpoint.key) else { continue }
            oracle.forEach { id, versions in
                guard look.entries[id] == nil else { return }
                let mine = rows[id].flatMap { Self.shown($0, in: query) }
                let first = versions.lastIndex { $0.tick <= tick }
                let theirs = versions[(first ?? 0)...].map { version in
                    version.entity.flatMap { entity in
                        Self.canRead(entity, device.user, hasUsers) ? Self.shown(entity, in: query) : nil
                    }
                }
                guard !theirs.contains(mine), first != nil || mine != nil else { return }
                let all = theirs.map { $0 ?? "absent" }
                fail("\(device.name), query \(query): \(id) is \(mine ?? "absent"), not \(all) since \(tick) (W6)")
            }
        }
    }

    // MARK: The end

    /// Signs the user of a device up, or logs in.
    func enter(_ device: Device) async {
        let name = "u\(device.number % 2)"
        let user: User?
        if device.number < 2 {
            user = try? await device.client?.signUp(username: name, password: "p")
        } else {
            user = try? await device.client?.logIn(username: name, password: "p")
        }
        device.user = user?.id
        if user == nil { fail("\(device.name) has no user") }
    }

    /// Syncs a device until nothing waits that may pass.
    func settle(_ device: Device) async {
        await restart(device)
        do throws(StoreError) {
            guard let client = device.client else { return }
            try await client.fill(false)
            let store = client.store(Thing.self, .sync)
            for _ in 0..<4 {
                let result = try await store.push()
                note("\(device.name) settles: \(result.count), \(result.failures.map { "\($0.id) \($0.error)" })")
                if try await store.pending().allSatisfy(\.isRefused) { break }
            }
            for query in Self.queries { _ = try await store.pull(query) }
        } catch {
            note("\(device.name) settles: \(error)")
        }
        await inspect(device)
    }

    /// When faults have ended, every device has what the service has, and nothing waits that may pass (W8).
    func check(_ device: Device) async {
        guard let look = try? await device.client?.look(Thing.collection) else {
            return fail("\(device.name) is closed")
        }
        for entry in look.entries.values where !entry.isRefused { fail("\(device.name): \(entry.id) waits (W8)") }
        guard case .list(let things)? = try? QueryValue(json: await master("GET", "Thing").body) else {
            return fail("the service does not answer")
        }
        var theirs: Set<String> = []
        for case .object(let thing) in things where Self.canRead(thing, device.user, hasUsers) {
            guard case .string(let id)? = thing["_id"], look.entries[id] == nil else { continue }
            theirs.insert("\(id) \(Self.shown(thing, in: 2) ?? "")")
        }
        var mine: Set<String> = []
        for (id, row) in look.rows where look.entries[id] == nil {
            mine.insert("\(id) \(Document(json: row.json).flatMap { Self.shown($0, in: 2) } ?? "")")
        }
        oracle.forEach { id, versions in
            guard case .some(nil) = device.last[id], look.entries[id] == nil, !device.overruled.contains(id) else {
                return
            }
            let last = versions.lastIndex { version in
                if case .string(let mark)? = version.entity?["mark"] {
                    mark.hasPrefix(device.name + ":")
                } else {
                    false
                }
            }
            // Who may not see an entity is told that there is none.
            let later = versions[(last.map { $0 + 1 } ?? 0)...]
            if later.allSatisfy({ $0.entity.map { Self.canRead($0, device.user, hasUsers) } ?? false }) {
                fail("\(device.name): the removal of \(id) is lost (W1)")
            }
        }
        for entity in mine.subtracting(theirs).sorted() { fail("\(device.name): \(entity) is not there (W8)") }
        for entity in theirs.subtracting(mine).sorted() { fail("\(device.name): \(entity) is missing (W8)") }
    }
}
