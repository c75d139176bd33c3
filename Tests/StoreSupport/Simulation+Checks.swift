import PredicateQL
import PredicateQLStore
import StoreModel

extension Simulation {
    /// What the simulation says of an entity: flags and mark.
    private struct Shown: Hashable, CustomStringConvertible {
        var a: QueryValue?
        var b: QueryValue?
        var mark: QueryValue?

        var description: String {
            guard case .string(let mark)? = mark, case .int(let a)? = a, case .int(let b)? = b else { return "?" }
            return "\(a)\(b) \(mark)"
        }
    }

    /// What is said of an entity; nil if a query does not find it.
    private static func shown(_ entity: Document, in query: Int) -> Shown? {
        let (a, b) = (entity["a"], entity["b"])
        guard query == 2 || (query == 0 ? a : b) == 1 else { return nil }
        return Shown(a: a, b: b, mark: entity["mark"])
    }

    private static func entity(_ json: [UInt8]) -> Document? {
        if case .object(let entity)? = try? QueryValue(json: json) { entity } else { nil }
    }

    /// The rows of a cache as documents; those that are as they were before are not read again.
    private func entities(_ look: CacheLook, _ device: Device) -> [String: Document] {
        var entities: [String: (json: [UInt8], entity: Document)] = [:]
        for (id, row) in look.rows {
            if let known = device.entities[id], known.json == row.json {
                entities[id] = known
            } else if let entity = Self.entity(row.json) {
                entities[id] = (row.json, entity)
            }
        }
        device.entities = entities
        return entities.mapValues(\.entity)
    }

    private static let names = queries.map(\.cacheKey)

    /// What holds after every step: nothing acknowledged is lost (W1), no version goes back (W5), and each row of a query
    /// that was pulled is as it was on the service at its checkpoint or later (W4, W6).
    func inspect(_ device: Device) async {
        guard !device.isEnded, let look = try? await device.client?.look(Thing.collection) else { return }
        let memory = device[look.user]
        if !device.isClearing {
            for id in Set(memory.known.keys).union(look.rows.keys) {
                let (before, now) = (memory.known[id] ?? 0, max(look.tick(id), 0))
                if now < before { fail("\(device.name): \(id) goes back from \(before) to \(now) (W5)") }
                if now > before { device[look.user].known[id] = now }
            }
        }
        let rows = entities(look, device)
        for case (let id, let mark?) in memory.last where !oracle.didAct(id, mark) && !device.overruled.contains(mark) {
            let row = rows[id]
            if row?["mark"] != .string(mark) || !look.hasEntry(id) {
                fail("\(device.name): \(mark) of \(id) is lost (W1)")
            }
        }
        // What waits is of the user whose cache it is.
        for id in look.saved {
            guard case .string(let mark)? = rows[id]?["mark"] else { continue }
            if !mark.hasPrefix(Device.sign(device.name, look.user)) {
                fail("\(device.name): \(mark) of \(id) waits in the cache of \(look.user ?? "nobody")")
            }
        }
        if !oracle.isWriteUnderWay { compare(look, rows, device) }
    }

    private func compare(_ look: CacheLook, _ rows: [String: Document], _ device: Device) {
        for (name, tick) in look.ticks {
            guard let query = Self.names.firstIndex(of: name) else { continue }
            oracle.forEach { id, versions in
                guard !look.hasEntry(id) else { return }
                let mine = rows[id].flatMap { Self.shown($0, in: query) }
                let first = versions.lastIndex { $0.tick <= tick }
                let theirs = versions[(first ?? 0)...].lazy.map { version in
                    version.entity.flatMap { entity in
                        Self.canRead(entity, look.user, self.hasUsers) ? Self.shown(entity, in: query) : nil
                    }
                }
                guard !theirs.contains(mine), first != nil || mine != nil else { return }
                func text(_ shown: Shown?) -> String { shown.map { "\($0)" } ?? "absent" }
                let all = theirs.map(text)
                fail("\(device.name), query \(query): \(id) is \(text(mine)), not \(Array(all)) since \(tick) (W6)")
            }
        }
    }

    // MARK: The end

    /// Syncs a device until nothing waits that may pass.
    func settle(_ device: Device) async {
        do throws(StoreError) {
            guard let client = device.client else { return }
            try await client.fillDisk(false)
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
        for id in look.waiting { fail("\(device.name): \(id) waits (W8)") }
        guard case .list(let things)? = try? QueryValue(json: await master("GET", "Thing").body) else {
            return fail("the service does not answer")
        }
        var theirs: Set<String> = []
        for case .object(let thing) in things where Self.canRead(thing, device.user, hasUsers) {
            guard case .string(let id)? = thing["_id"], !look.hasEntry(id) else { continue }
            theirs.insert("\(id) \(Self.shown(thing, in: 2)?.description ?? "")")
        }
        var mine: Set<String> = []
        for (id, row) in look.rows where !look.hasEntry(id) {
            mine.insert("\(id) \(Self.entity(row.json).flatMap { Self.shown($0, in: 2) }?.description ?? "")")
        }
        oracle.forEach { id, versions in
            guard case .some(nil) = device.memory.last[id], !look.hasEntry(id), !device.overruled.contains(id) else {
                return
            }
            let last = versions.lastIndex { version in
                if case .string(let mark)? = version.entity?["mark"] {
                    mark.hasPrefix(Device.sign(device.name, device.user))
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
