import PredicateQL
import PredicateQLService
import PredicateQLStore
import QueryValues
import StoreModel

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
package final class Simulation: Sendable {
    /// What a run is made of.
    package struct Plan: Sendable {
        package var seed: UInt64
        /// The operations of a device.
        package var operations: Int
        /// Rules of the sync that are left out.
        package var switchedOff: Set<SyncRule>
        /// Steps that are left out, to find those that matter.
        package var skipped: Set<Int> = []
        /// Whether the story is kept.
        package var tells: Bool

        package init(
            seed: UInt64,
            operations: Int = 60,
            switchedOff: Set<SyncRule> = [],
            tells: Bool = false
        ) {
            self.seed = seed
            self.operations = operations
            self.switchedOff = switchedOff
            self.tells = tells
        }
    }

    let plan: Plan
    package let world: World
    package let service: Service
    let oracle: Oracle
    let devices: [Device]
    let folder: String
    /// Whether entities have owners, who are users.
    let hasUsers: Bool
    let deltas: ServiceConfiguration.Deltas
    private let trace = Mutex<[String]>([])
    private let faults = Mutex<[String]>([])
    private let points = Mutex<Set<StorePoint>>([])
    private let isSettling = Mutex(false)
    /// The user of each session, by the header that shows it.
    let sessions = Mutex<[String: String]>([:])
    /// The names of the users by their ids.
    let names = Mutex<[String: String]>([:])

    /// What went wrong; empty if nothing did.
    package var failures: [String] { faults.withLock { $0 } + oracle.failures }
    /// What happened, line by line.
    package var story: [String] { trace.withLock { $0 } }
    /// The points at which a process ended.
    package var crashes: Set<StorePoint> { points.withLock { $0 } }

    package init(_ plan: Plan, folder: String) throws {
        let world = World(seed: plan.seed)
        self.plan = plan
        self.world = world
        self.folder = folder
        let hasUsers = world.below(4) == 0
        self.hasUsers = hasUsers
        deltas = world.below(5) == 0 ? .none : .all
        service = try Self.service(world, hasUsers, deltas)
        let oracle = Oracle { user, entity in Self.canRead(entity, user, hasUsers) }
        self.oracle = oracle
        let connections = 1 + world.below(6)
        let (pageSize, isDelta) = ([1, 3, 8, 100][world.below(4)], world.below(4) > 0)
        devices = (0..<1 + world.below(3)).map { number in
            let device = Device(number: number)
            device.options = Options(deltaSync: isDelta, pageSize: pageSize, connections: connections)
            device.faults = [0, 15, 40][world.below(3)]
            device.delay = [40, 40, 3_000][world.below(3)]
            device.asks = world.below(4) == 0
            device.crashes = [400, 400, 40][world.below(3)]
            return device
        }
        for device in devices { try start(device) }
    }

    private static func service(
        _ world: World,
        _ hasUsers: Bool,
        _ deltas: ServiceConfiguration.Deltas
    ) throws -> Service {
        var configuration = ServiceConfiguration(apps: [.init(key: "kid", secret: "s", master: "m")])
        configuration.limits.requestsPerSecond = nil
        configuration.limits.logInsPerMinute = nil
        configuration.rights = hasUsers ? .private : .public
        configuration.deltas = deltas
        // Whatever is tidied up is as old as it gets.
        configuration.historyDays = 0
        return try Service(
            path: ":memory:",
            configuration,
            ServiceEnvironment(
                now: { world.now },
                random: { world.random() },
                digest: ServiceHarness.digest,
                passwordHash: { password, salt, _ in ServiceHarness.digest(password + salt) }
            ),
            readers: 0
        )
    }

    /// Who may read an entity, without the service's own words for it.
    static func canRead(_ entity: Document, _ user: String?, _ hasUsers: Bool) -> Bool {
        guard hasUsers, case .object(let access)? = entity["_acl"] else { return !hasUsers }
        return access["gr"] == true || user.map { access["creator"] == .string($0) } ?? false
    }

    /// Begins the process of a device, on the file that is there.
    private func start(_ device: Device) throws {
        let (oracle, service) = (oracle, service)
        let ended = Ended()
        // A device holds what holds these closures.
        let network = FaultyTransport(world) { [weak self, weak device] request in
            let user = self?.user(of: request)
            let response = await oracle.watch(request, user: user) { await service.answer($0) }
            if let self, let device {
                learnSession(of: response, to: request)
                note(Self.line(device, request, response))
            }
            return response
        }
        network.settings = device.network?.settings ?? .init(delay: device.delay)
        var environment = world.environment
        environment.isEnded = { ended.value }
        environment.switchedOff = plan.switchedOff
        environment.reached = { [weak self, weak device] point in
            guard let self, let device, !isSettling.withLock({ $0 }), world.below(device.crashes) == 0 else { return }
            points.withLock { _ = $0.insert(point) }
            note("\(device.name) ends, \(point)")
            ended.end()
        }
        var options = device.options
        if device.asks {
            options.conflict = .ask { [weak self, weak device] conflict in
                if let self, let device { decide(conflict, device) } else { .keepMine }
            }
        }
        device.client = try StoreClient(
            network,
            app: .init(key: "kid", secret: "s"),
            cache: .folder(folder + "/" + device.name),
            options: options,
            environment: environment
        )
        device.network = network
        device.ended = ended
    }

    /// What the app of a device says to a conflict.
    private func decide(_ conflict: Conflict, _ device: Device) -> Resolution {
        if isSettling.withLock({ $0 }) { return .keepMine }
        switch world.below(4) {
        case 0: return .keepMine
        case 1:
            device.overrule(conflict)
            note("\(device.name) takes the other \(conflict.id)")
            return .takeTheirs
        case 2:
            guard var merged = conflict.mine, let theirs = conflict.theirs else { return .keepMine }
            merged["b"] = theirs["b"]
            merged["mark"] = .string(device.mark())
            device.overrule(conflict)
            note("\(device.name) merges \(conflict.id)")
            return .merged(merged)
        default: return .leavePending
        }
    }

    func note(_ text: @autoclosure () -> String) {
        guard plan.tells else { return }
        let line = "\(world.now) " + text()
        trace.withLock { $0.append(line) }
    }

    /// A request and its answer, in a line of the story.
    private static func line(_ device: Device, _ request: WireRequest, _ response: WireResponse) -> String {
        let query = PercentText.decode(request.query[...], plusIsSpace: true) ?? request.query
        let sent = String(decoding: request.body, as: UTF8.self)
        let told = String(decoding: response.body, as: UTF8.self)
        let tick = response.headers["X-Kinvey-Request-Start"].flatMap { Tick($0)?.rawValue } ?? 0
        return "    \(device.name) \(request.method) \(request.path.dropFirst(13)) \(query) \(sent) → "
            + "\(response.status) at \(tick) \(told)"
    }

    func fail(_ text: String) {
        faults.withLock { $0.append(text) }
        note("FAILED " + text)
    }

    // MARK: Running

    /// Runs the operations of all devices at once, then ends the faults and looks at everything.
    package func run() async {
        if hasUsers { await enter() }
        for device in devices { device.network?.settings.faults = device.faults }
        await withTaskGroup(of: Void.self) { pushing in
            if plan.seed % 4 == 3 {
                for device in devices { pushing.addTask { await self.pushByItself(device) } }
            }
            await withTaskGroup(of: Void.self) { group in
                for device in devices {
                    group.addTask { await self.live(device) }
                    group.addTask { await self.talk(device) }
                }
                group.addTask { await self.disturb() }
            }
            pushing.cancelAll()
        }
        isSettling.withLock { $0 = true }
        for device in devices { device.network?.settings = .init() }
        await world.sleep(700_000)
        // What a device may not write may pass when another one has settled.
        for _ in 0..<3 { for device in devices { await forEachUser(of: device, settle) } }
        for device in devices { await forEachUser(of: device, check) }
    }

    /// A step's own dice; nil if it is left out.
    private func dice(_ track: Int, _ step: Int) -> Dice? {
        let number = track * 10_000 + step
        return plan.skipped.contains(number) ? nil : Dice(plan.seed &* 1_000_003 &+ UInt64(number))
    }

    /// The steps that a run may leave out.
    package var steps: [Int] {
        (0..<devices.count).flatMap { device in
            (0..<plan.operations).map { device * 2 * 10_000 + $0 }
                + (0..<plan.operations / 2).map { (device * 2 + 1) * 10_000 + $0 }
        } + (0..<plan.operations / 2).map { 90_000 + $0 }
    }

    /// The operations of one device.
    private func live(_ device: Device) async {
        for step in 0..<plan.operations {
            guard var dice = dice(device.number * 2, step) else { continue }
            await world.sleep(Int64(dice.below(2_000)))
            await restart(device)
            await operate(device, &dice)
            await inspect(device)
        }
    }

    /// What a device asks the service meanwhile, so that changes are made while requests are under way.
    private func talk(_ device: Device) async {
        for step in 0..<plan.operations / 2 {
            guard var dice = dice(device.number * 2 + 1, step) else { continue }
            await world.sleep(Int64(dice.below(4_000)))
            guard !device.isEnded else { continue }
            await converse(device, &dice)
            await inspect(device)
        }
    }

    /// What each process of a device sends by itself.
    private func pushByItself(_ device: Device) async {
        while !Task.isCancelled {
            let client = device.client
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await client?.keepPushing() }
                group.addTask { [world] in
                    while !Task.isCancelled, device.client === client { await world.sleep(500) }
                }
                await group.next()
                group.cancelAll()
            }
            await world.sleep(100)
        }
    }

    /// Changes from elsewhere, clocks that step, and a history that is cut.
    private func disturb() async {
        for step in 0..<plan.operations / 2 {
            guard var dice = dice(9, step) else { continue }
            await world.sleep(Int64(dice.below(4_000)))
            await disturb(step, &dice)
        }
    }

    /// Starts the process of a device again if it has ended.
    func restart(_ device: Device) async {
        guard device.isEnded else { return }
        note("\(device.name) starts again")
        do {
            try start(device)
            if hasUsers { device.user = try await device.client?.resume()?.id }
        } catch {
            fail("\(device.name) cannot open its cache: \(error)")
        }
    }

    /// Asks as the service's owner.
    func master(_ method: String, _ path: String, _ query: String = "", _ body: QueryValue? = nil) async -> WireResponse
    {
        let request = WireRequest(
            method,
            "/appdata/kid/" + path,
            query: query,
            headers: [("Authorization", ServiceHarness.basic("m")), ("Content-Type", "application/json")],
            body: body.map { Array($0.json.utf8) } ?? []
        )
        return await oracle.watch(request, isMaster: true) { await service.answer($0) }
    }
}
