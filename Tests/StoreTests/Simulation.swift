import Foundation
import PredicateQL
import PredicateQLService
import PredicateQLStore
import StoreModel
import StoreSupport
import QueryValues

/// An entity of the simulation: two flags that queries ask for, and a mark that names each local change.
struct Thing: Entity, Hashable {
    static let collection = "Thing"
    var _id: String?
    var _acl: AccessControl?
    var _kmd: Metadata?
    var a = 0
    var b = 0
    var mark = ""
}

/// One service, some devices with faults between them, and a seed that decides everything.
final class Simulation: Sendable {
    /// A device: its cache's folder outlives the process that runs on it.
    final class Device: Sendable {
        struct State {
            var client: StoreClient
            var isEnded: Ended
            /// The mark of the last change of each entity; nil for a removal, without what was given up.
            var last: [String: String?] = [:]
            var changes = 0
        }

        let name: String
        let network: FaultyTransport
        let state: Mutex<State>

        init(name: String, network: FaultyTransport, client: StoreClient, isEnded: Ended) {
            (self.name, self.network) = (name, network)
            state = Mutex(State(client: client, isEnded: isEnded))
        }

        var client: StoreClient { state.withLock { $0.client } }
    }

    /// Whether a simulated process has ended.
    final class Ended: Sendable {
        private let flag = Mutex(false)
        var value: Bool { flag.withLock { $0 } }
        func end() { flag.withLock { $0 = true } }
    }

    let world: World
    let service: Service
    let devices: [Device]
    let folder: String
    let options: Options
    let switchedOff: Set<SyncRule>
    private let trace = Mutex<[String]>([])
    private let faults = Mutex<[String]>([])
    static let queries = ["a == 1", "b == 1", "TRUEPREDICATE"]

    /// What went wrong; empty if nothing did.
    var failures: [String] { faults.withLock { $0 } }
    /// What happened, line by line.
    var story: [String] { trace.withLock { $0 } }

    init(seed: UInt64, folder: String, switchedOff: Set<SyncRule> = []) throws {
        let world = World(seed: seed)
        self.world = world
        self.folder = folder
        self.switchedOff = switchedOff
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        configuration.limits.requestsPerSecond = nil
        configuration.rights = .public
        configuration.deltas = world.below(4) == 0 ? .none : .all
        let service = try Service(
            path: ":memory:",
            configuration,
            ServiceEnvironment(
                now: { world.now },
                random: { world.random() },
                digest: ServiceHarness.digest,
                passwordHash: { ServiceHarness.digest($0 + $1) }
            ),
            readers: 0
        )
        self.service = service
        var options = Options(deltaSync: world.below(4) > 0, pageSize: 1 + world.below(4))
        options.connections = 1 + world.below(6)
        self.options = options
        devices = try (0..<1 + world.below(3)).map { number in
            let name = "d\(number)"
            let network = FaultyTransport(world) { await service.answer($0) }
            network.faults = [0, 15, 40][world.below(3)]
            let ended = Ended()
            let client = try Self.client(world, network, options, folder + "/" + name, ended, switchedOff)
            return Device(name: name, network: network, client: client, isEnded: ended)
        }
    }

    private static func client(
        _ world: World,
        _ network: FaultyTransport,
        _ options: Options,
        _ folder: String,
        _ ended: Ended,
        _ switchedOff: Set<SyncRule>
    ) throws -> StoreClient {
        var environment = StoreEnvironment(now: { world.now }, random: { world.random() })
        environment.isEnded = { ended.value }
        environment.switchedOff = switchedOff
        environment.reached = { _ in if world.below(400) == 0 { ended.end() } }
        return try StoreClient(
            network,
            app: .init(key: "kid", secret: "s"),
            cache: .folder(folder),
            options: options,
            environment: environment
        )
    }

    func note(_ text: String) { trace.withLock { $0.append("\(world.now) \(text)") } }

    func fail(_ text: String) {
        faults.withLock { $0.append(text) }
        note("FAILED " + text)
    }

    // MARK: Running

    /// Runs the operations of all devices at once, then ends the faults and looks at everything.
    func run(operations: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask { await self.live(device, operations) }
                group.addTask { await self.talk(device, operations) }
            }
            group.addTask { await self.disturb(operations / 3) }
        }
        for device in devices {
            device.network.faults = 0
            device.network.isOnline = true
        }
        await world.sleep(700_000)
        for _ in 0..<3 { for device in devices { await settle(device) } }
        for device in devices { await check(device) }
        checkEffects()
    }

    /// The operations of one device.
    private func live(_ device: Device, _ operations: Int) async {
        for _ in 0..<operations {
            await world.sleep(Int64(world.below(2_000)))
            if device.state.withLock({ $0.isEnded.value }) { reopen(device) }
            await operate(device)
        }
    }

    /// What a device asks the service meanwhile, so that changes are made while requests are under way.
    private func talk(_ device: Device, _ operations: Int) async {
        for _ in 0..<operations / 2 {
            await world.sleep(Int64(world.below(4_000)))
            if !isEnded(device) { await converse(device) }
        }
    }

    /// The client of a device, started again if its process has ended.
    func restarted(_ device: Device) -> StoreClient {
        if device.state.withLock({ $0.isEnded.value }) { reopen(device) }
        return device.client
    }

    /// The process starts again on the same file.
    private func reopen(_ device: Device) {
        let ended = Ended()
        note("\(device.name) starts again")
        do {
            let client = try Self.client(world, device.network, options, folder + "/" + device.name, ended, switchedOff)
            device.state.withLock { state in
                state.client = client
                state.isEnded = ended
            }
        } catch {
            fail("\(device.name) cannot open its cache: \(error)")
        }
    }

    /// Changes from elsewhere, and clocks that step.
    private func disturb(_ steps: Int) async {
        for step in 0..<steps {
            await world.sleep(Int64(world.below(6_000)))
            if world.below(12) == 0 { world.shiftClock([-3_600_000, 3_600_000, -5, 50][world.below(4)]) }
            let found = await master("GET", "Thing", "query={}")
            guard let body = try? QueryValue(json: found.body), case .list(let things) = body, !things.isEmpty,
                case .object(var thing) = things[world.below(things.count)], case .string(let id)? = thing["_id"]
            else { continue }
            let key = ["a", "b"][world.below(2)]
            thing[key] = thing[key] == 1 ? 0 : 1
            thing["mark"] = .string("m\(step)")
            note("elsewhere \(id)")
            _ = await master("PUT", "Thing/" + id, "", .object(thing))
        }
    }

    func master(_ method: String, _ path: String, _ query: String, _ body: QueryValue? = nil) async -> WireResponse {
        await service.answer(
            WireRequest(
                method,
                "/appdata/kid/" + path,
                query: query.replacingOccurrences(of: "{}", with: "%7B%7D"),
                headers: [("Authorization", ServiceHarness.basic("m")), ("Content-Type", "application/json")],
                body: body.map { Array($0.json.utf8) } ?? []
            )
        )
    }
}
