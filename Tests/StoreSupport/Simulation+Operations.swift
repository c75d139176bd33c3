import PredicateQL
import PredicateQLService
import PredicateQLStore
import StoreModel

extension Simulation {
    /// The queries of all devices.
    static let queries: [Query] = ["a == 1", "b == 1", "TRUEPREDICATE"].compactMap { try? Query(parsing: $0) }

    /// One operation of a device, drawn by its dice.
    func operate(_ device: Device, _ dice: inout Dice) async {
        guard let client = device.client else { return }
        let store = client.store(Thing.self, .sync)
        let auto = client.store(Thing.self, .auto)
        do throws(StoreError) {
            switch dice.below(100) {
            case 0..<25: try await save(device, store, &dice)
            case 25..<33: try await save(device, auto, &dice)
            case 33..<42: try await remove(device, dice.below(3) == 0 ? auto : store, &dice)
            case 42..<45: try await removeFound(device, store, &dice)
            case 45..<47: try await saveMany(device, store, &dice)
            case 47..<51: try await revive(device, store, &dice)
            case 51..<63:
                let result = try await store.push()
                note("\(device.name) pushes: \(result.count) acknowledged, \(result.failures.count) failed")
            case 63..<80: try await pull(device, store, &dice)
            case 80..<86:
                let found = try await auto.find(Self.queries[dice.below(3)])
                note("\(device.name) finds \(found.count)")
            case 86..<89:
                device.network?.settings.isOnline.toggle()
                note("\(device.name) online: \(device.network?.settings.isOnline ?? false)")
            case 89..<93: try await giveUp(device, store, &dice)
            case 93..<94: try await clear(device, store)
            case 94..<96:
                let isFull = dice.below(2) == 0
                try await client.fillDisk(isFull)
                note("\(device.name) disk full: \(isFull)")
            case 96..<98 where hasUsers: try await changeUser(device, client, &dice)
            default:
                device.ended.end()
                note("\(device.name) ends")
            }
        } catch {
            note("\(device.name) \(error)")
        }
    }

    /// One operation that only asks the service.
    func converse(_ device: Device, _ dice: inout Dice) async {
        guard let client = device.client else { return }
        let store = client.store(Thing.self, .sync)
        let network = Options(readPolicy: .network)
        do throws(StoreError) {
            var query = Self.queries[dice.below(3)]
            switch dice.below(10) {
            case 0..<2:
                let result = try await store.sync(query)
                note("\(device.name) syncs: \(result.push.count), \(result.push.failures.count)")
            case 2..<4:
                let result = try await store.push()
                note("\(device.name) pushes: \(result.count) acknowledged, \(result.failures.count) failed")
            case 4..<8:
                if dice.below(2) == 0 { (query.limit, query.order) = (2, ["-mark"]) }
                note("\(device.name) asks for \(query.condition), \(query.limit ?? 0)")
                let found = try await store.find(query, options: network)
                note("\(device.name) finds \(found.count) there")
            default:
                let ids = oracle.ids
                guard !ids.isEmpty else { return }
                let id = ids[dice.below(ids.count)]
                note("\(device.name) asks for \(id)")
                let found = try await store.find(id: id, options: network)
                note("\(device.name) finds \(found.mark) in \(id)")
            }
        } catch {
            note("\(device.name) \(error)")
        }
    }

    /// One change from elsewhere.
    func disturb(_ step: Int, _ dice: inout Dice) async {
        let things = oracle.present
        let kind = dice.below(20)
        let some = things.isEmpty ? nil : things[dice.below(things.count)]
        guard var thing = some, case .string(let id)? = thing["_id"], kind < 19 else {
            note("elsewhere: a new one")
            let flags = (dice.below(2), dice.below(2))
            let new: Document = [
                "_id": .string("e\(step)"), "a": .int(Int64(flags.0)), "b": .int(Int64(flags.1)),
                "mark": .string("m\(step)"), "_acl": .object(["gr": true, "gw": true]),
            ]
            _ = await master("PUT", "Thing/e\(step)", "", .object(new))
            return
        }
        switch kind {
        case 0..<2:
            world.shiftClock([-3_600_000, 3_600_000, -5, 50][dice.below(4)])
            note("the clock steps")
        case 2:
            note("the history is cut")
            _ = await service.tidy()
        case 3..<6:
            note("elsewhere: \(id) is removed")
            _ = await master("DELETE", "Thing/" + id)
        default:
            let key = ["a", "b"][dice.below(2)]
            thing[key] = thing[key] == 1 ? 0 : 1
            thing["mark"] = .string("m\(step)")
            if hasUsers, case .object(var access)? = thing["_acl"] {
                access["gr"] = .bool(dice.below(2) == 0)
                thing["_acl"] = .object(access)
            }
            note("elsewhere: \(key) of \(id) is \(thing[key] ?? .null)")
            _ = await master("PUT", "Thing/" + id, "", .object(thing))
        }
    }

    // MARK: Changes

    private func save(_ device: Device, _ store: DataStore<Thing>, _ dice: inout Dice) async throws(StoreError) {
        let known = try await store.find(Query(order: ["_id"]))
        var thing = Thing()
        if !known.isEmpty, dice.below(6) > 0 { thing = known[dice.below(known.count)] }
        if dice.below(5) < 3 { thing.a = dice.below(2) }
        if dice.below(5) < 3 { thing.b = dice.below(2) }
        try await save(thing, device, store)
    }

    /// Saves again what was removed, under its id.
    private func revive(_ device: Device, _ store: DataStore<Thing>, _ dice: inout Dice) async throws(StoreError) {
        guard !device.memory.removed.isEmpty else { return }
        var thing = Thing()
        thing._id = device.memory.removed[dice.below(device.memory.removed.count)]
        thing.a = dice.below(2)
        try await save(thing, device, store)
    }

    private func save(_ new: Thing, _ device: Device, _ store: DataStore<Thing>) async throws(StoreError) {
        var thing = new
        thing.mark = device.mark()
        // An entity that is about to be saved may be stored though the call never returns.
        if let id = thing._id { device.memory.last[id] = nil }
        note("\(device.name) saves \(thing.mark) in \(thing._id ?? "a new one"), \(store.type)")
        let saved = try await store.save(thing)
        if let id = saved._id { device.memory.last[id] = .some(thing.mark) }
        note("\(device.name) saved \(thing.mark) in \(saved._id ?? "")")
    }

    private func saveMany(_ device: Device, _ store: DataStore<Thing>, _ dice: inout Dice) async throws(StoreError) {
        var things: [Thing] = []
        for _ in 0..<1 + dice.below(4) {
            var thing = Thing()
            thing.a = dice.below(2)
            thing.mark = device.mark()
            things.append(thing)
        }
        let saved = try await store.save(things)
        for (thing, saved) in zip(things, saved.entities) {
            if let id = saved?._id { device.memory.last[id] = .some(thing.mark) }
        }
        note("\(device.name) saves \(saved.entities.map { $0?._id ?? "" })")
    }

    private func remove(_ device: Device, _ store: DataStore<Thing>, _ dice: inout Dice) async throws(StoreError) {
        let known = try await store.find(Query(order: ["_id"]))
        guard !known.isEmpty, let id = known[dice.below(known.count)]._id else { return }
        try await forget(device, [id]) { () async throws(StoreError) in try await store.remove(id: id) }
    }

    private func removeFound(_ device: Device, _ store: DataStore<Thing>, _ dice: inout Dice) async throws(StoreError) {
        let query = Self.queries[dice.below(2)]
        let ids = try await store.find(query).compactMap(\._id)
        try await forget(device, ids) { () async throws(StoreError) in try await store.remove(query) }
    }

    private func forget(
        _ device: Device,
        _ ids: [String],
        _ body: () async throws(StoreError) -> Int
    ) async throws(StoreError) {
        for id in ids { device.memory.last[id] = nil }
        device.memory.removed += ids
        note("\(device.name) removes \(ids)")
        _ = try await body()
        for id in ids { device.memory.last[id] = .some(nil) }
    }

    private func giveUp(_ device: Device, _ store: DataStore<Thing>, _ dice: inout Dice) async throws(StoreError) {
        let waiting = try await store.pending()
        guard !waiting.isEmpty else { return }
        if dice.below(2) == 0 {
            let change = waiting[dice.below(waiting.count)]
            device.memory.last[change.id] = nil
            note("\(device.name) drops \(change.id)")
            try await store.drop(change)
        } else {
            let rows: PurgedRows = dice.below(2) == 0 ? .keep : .restore
            device.memory.last = [:]
            note("\(device.name) purges, \(rows)")
            _ = try await store.purge(rows)
        }
    }

    private func clear(_ device: Device, _ store: DataStore<Thing>) async throws(StoreError) {
        // What is cleared is given up, and nothing is known any more.
        device.memory.last = [:]
        device.isClearing = true
        defer {
            device.memory.known = [:]
            device.isClearing = false
        }
        let count = try await store.clear()
        note("\(device.name) clears \(count)")
    }

    private func pull(_ device: Device, _ store: DataStore<Thing>, _ dice: inout Dice) async throws(StoreError) {
        let query = Self.queries[dice.below(3)]
        note("\(device.name) pulls \(query.condition)")
        let result = try await store.pull(query)
        note("\(device.name) pulled: \(result.changed), \(result.deleted), by changes: \(result.wasDelta)")
    }
}
