import PredicateQL
import PredicateQLStore
import StoreModel
import StoreSupport

extension Simulation {
    /// One operation of a device, drawn by the seed.
    func operate(_ device: Device) async {
        let store = device.client.store(Thing.self, .sync)
        let auto = device.client.store(Thing.self, .auto)
        do throws(StoreError) {
            switch world.below(100) {
            case 0..<26: try await save(device, store, isAuto: false)
            case 26..<34: try await save(device, auto, isAuto: true)
            case 34..<42: try await remove(device, store)
            case 42..<46: try await removeFound(device, store)
            case 46..<50: try await saveMany(device, store)
            case 50..<64:
                let result = try await store.push()
                note("\(device.name) push \(result.count) acknowledged, \(result.failures.count) failed")
            case 64..<80: try await pull(device, store)
            case 80..<88:
                let query = try Self.query(world.below(3))
                let found = try await auto.find(query)
                note("\(device.name) finds \(found.count)")
            case 88..<91:
                device.network.isOnline.toggle()
                note("\(device.name) online: \(device.network.isOnline)")
            case 91..<93: try await giveUp(device, store)
            case 93..<95:
                device.state.withLock { $0.isEnded.end() }
                note("\(device.name) ends")
            default:
                let (local, count) = (try await store.find(), try await store.count())
                if local.count != count, !isEnded(device) {
                    fail("\(device.name): \(local.count) found, \(count) counted")
                }
            }
        } catch {
            note("\(device.name) \(error)")
        }
    }

    /// One operation that only asks the service.
    func converse(_ device: Device) async {
        let store = device.client.store(Thing.self, .sync)
        do throws(StoreError) {
            let query = try Self.query(world.below(3))
            switch world.below(10) {
            case 0..<4:
                let result = try await store.sync(query)
                note(
                    "\(device.name) sync \(result.push.count), \(result.push.failures.count), \(result.pull?.changed ?? -1)"
                )
            case 4..<6: note("\(device.name) push \(try await store.push().count)")
            case 6..<9:
                let found = try await store.find(query, options: Options(readPolicy: .network))
                note("\(device.name) finds \(found.count) on the service")
            default:
                var some = query
                some.limit = 2
                some.order = ["-mark"]
                note(
                    "\(device.name) finds \(try await store.find(some, options: Options(readPolicy: .network)).count) first"
                )
            }
        } catch {
            note("\(device.name) \(error)")
        }
    }

    func isEnded(_ device: Device) -> Bool { device.state.withLock { $0.isEnded.value } }

    static func query(_ number: Int) throws(StoreError) -> Query {
        do throws(QueryError) { return try Query(parsing: queries[number]) } catch { throw .query(error) }
    }

    /// A name for the next change of a device.
    private func mark(_ device: Device) -> String {
        device.state.withLock { state in
            state.changes += 1
            return "\(device.name):\(state.changes)"
        }
    }

    // MARK: Changes

    private func save(_ device: Device, _ store: DataStore<Thing>, isAuto: Bool) async throws(StoreError) {
        let thing = try await next(device, store)
        device.state.withLock { state in
            // An entity that is about to be saved may be stored though the call never returns.
            if let id = thing._id { state.last[id] = nil }
        }
        do throws(StoreError) {
            let saved = try await store.save(thing)
            remember(device, saved._id, thing.mark)
            note("\(device.name) saves \(thing.mark)\(isAuto ? " at once" : "")")
        } catch {
            guard isAuto else { throw error }
            note("\(device.name) saves \(thing.mark), \(error)")
        }
    }

    /// A new thing, or another version of one.
    private func next(_ device: Device, _ store: DataStore<Thing>) async throws(StoreError) -> Thing {
        let known = try await store.find(Query(order: ["_id"]))
        var thing = Thing()
        if !known.isEmpty, world.below(2) == 0 { thing = known[world.below(known.count)] }
        if world.below(5) < 3 { thing.a = world.below(2) }
        if world.below(5) < 3 { thing.b = world.below(2) }
        thing.mark = mark(device)
        return thing
    }

    private func saveMany(_ device: Device, _ store: DataStore<Thing>) async throws(StoreError) {
        let things = (0..<1 + world.below(4)).map { _ in
            var thing = Thing()
            thing.a = world.below(2)
            thing.mark = mark(device)
            return thing
        }
        let saved = try await store.save(things)
        for (thing, saved) in zip(things, saved.entities) { remember(device, saved?._id, thing.mark) }
        note("\(device.name) saves \(things.count) things")
    }

    private func remove(_ device: Device, _ store: DataStore<Thing>) async throws(StoreError) {
        let known = try await store.find(Query(order: ["_id"]))
        guard !known.isEmpty, let id = known[world.below(known.count)]._id else { return }
        try await forget(device, [id]) { () async throws(StoreError) in try await store.remove(id: id) }
    }

    private func removeFound(_ device: Device, _ store: DataStore<Thing>) async throws(StoreError) {
        let query = try Self.query(world.below(2))
        let ids = try await store.find(query).compactMap(\._id)
        try await forget(device, ids) { () async throws(StoreError) in try await store.remove(query) }
    }

    private func forget(
        _ device: Device,
        _ ids: [String],
        _ body: () async throws(StoreError) -> Int
    ) async throws(StoreError) {
        device.state.withLock { state in for id in ids { state.last[id] = nil } }
        let count = try await body()
        for id in ids { remember(device, id, nil) }
        note("\(device.name) removes \(count)")
    }

    /// Remembers what a call that returned has stored (W1).
    private func remember(_ device: Device, _ id: String?, _ mark: String?) {
        guard let id else { return }
        device.state.withLock { $0.last[id] = .some(mark) }
    }

    private func giveUp(_ device: Device, _ store: DataStore<Thing>) async throws(StoreError) {
        let waiting = try await store.pending()
        guard !waiting.isEmpty else { return }
        let rows: PurgedRows = world.below(2) == 0 ? .keep : .restore
        if world.below(2) == 0 {
            let change = waiting[world.below(waiting.count)]
            device.state.withLock { $0.last[change.id] = nil }
            try await store.drop(change)
        } else {
            device.state.withLock { state in for change in waiting { state.last[change.id] = nil } }
            _ = try await store.purge(rows)
        }
        note("\(device.name) gives up \(waiting.count), \(rows)")
    }

    private func pull(_ device: Device, _ store: DataStore<Thing>) async throws(StoreError) {
        let number = world.below(3)
        let result = try await store.pull(try Self.query(number))
        note("\(device.name) pulls \(Self.queries[number]): \(result.changed), \(result.deleted), \(result.wasDelta)")
    }

    // MARK: The end

    /// Syncs a device until nothing waits.
    func settle(_ device: Device) async {
        do throws(StoreError) {
            let store = restarted(device).store(Thing.self, .sync)
            for _ in 0..<4 {
                let result = try await store.push()
                note("\(device.name) settles: \(result.count), \(result.failures.map { "\($0.id) \($0.error)" })")
                if try await store.syncCount() == 0 { break }
            }
            for number in 0..<3 { _ = try await store.pull(try Self.query(number)) }
        } catch {
            note("\(device.name) settles: \(error)")
        }
    }

    /// When faults have ended, every device has what the service has, and nothing waits (W8).
    func check(_ device: Device) async {
        do throws(StoreError) {
            let store = restarted(device).store(Thing.self, .sync)
            let waiting = try await store.pending()
            if !waiting.isEmpty {
                fail("\(device.name): \(waiting.map { "\($0.kind) \($0.id) \($0.fault?.debug ?? "")" }) wait")
            }
            let filters = [#"{"a":1}"#, #"{"b":1}"#, "{}"]
            for (number, filter) in filters.enumerated() {
                let mine = try await store.find(try Self.query(number)).map {
                    "\($0._id ?? "") \($0.a)\($0.b) \($0.mark)"
                }
                let answer = await master("GET", "Thing", "query=" + ServiceHarness.encode(filter))
                guard case .list(let things)? = try? QueryValue(json: answer.body) else { continue }
                let theirs = things.map { thing -> String in
                    guard case .object(let thing) = thing, case .string(let id)? = thing["_id"],
                        case .string(let mark)? = thing["mark"], case .int(let a)? = thing["a"],
                        case .int(let b)? = thing["b"]
                    else { return "?" }
                    return "\(id) \(a)\(b) \(mark)"
                }
                let difference = Set(mine).symmetricDifference(theirs)
                if !difference.isEmpty {
                    fail(
                        "\(device.name), \(Self.queries[number]): \(difference.sorted().map { ($0, mine.contains($0)) })"
                    )
                }
            }
        } catch {
            fail("\(device.name): \(error)")
        }
    }

    /// Every change that a call returned for was acted on once, and none after a later one (W1, W2).
    func checkEffects() {
        for device in devices {
            let effects = device.network.effects
            var numbers: [String: Int64] = [:]
            var marks: Set<String> = []
            for effect in effects {
                if let mark = effect.mark, !marks.insert("\(effect.id) \(mark)").inserted {
                    fail("\(device.name): \(mark) of \(effect.id) was acted on twice")
                }
                let key = effect.client + " " + effect.id
                if effect.number <= numbers[key] ?? 0 { fail("\(device.name): \(effect) after \(numbers[key] ?? 0)") }
                numbers[key] = effect.number
            }
            let done = Set(effects.map { "\($0.id) \($0.mark ?? "removed")" })
            for (id, mark) in device.state.withLock({ $0.last }) {
                // A removal of what the service never had, or has no more, has no effect there.
                guard let mark else { continue }
                if !done.contains("\(id) \(mark)") { fail("\(device.name): \(mark) of \(id) is lost") }
            }
        }
    }
}
