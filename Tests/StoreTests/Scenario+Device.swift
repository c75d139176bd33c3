import Foundation
import PredicateQL
import PredicateQLSQLite
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport

/// A device of a scenario: its file outlives the process that runs on it.
final class ScenarioDevice: @unchecked Sendable {
    private unowned let scenario: Scenario
    private let harness: ServiceHarness
    private let folder: String
    private let network: ScenarioNetwork
    private var options = Options(deltaSync: true)
    private var type = StoreType.sync
    private var client: StoreClient
    private var seed: UInt64

    init(_ scenario: Scenario, _ harness: ServiceHarness, _ folder: String, seed: UInt64) throws {
        (self.scenario, self.harness, self.folder, self.seed) = (scenario, harness, folder, seed)
        network = ScenarioNetwork(harness)
        client = try Self.client(network, harness, folder, seed, network.process)
    }

    private static func client(
        _ network: ScenarioNetwork,
        _ harness: ServiceHarness,
        _ folder: String,
        _ seed: UInt64,
        _ process: ScenarioNetwork.Process
    ) throws -> StoreClient {
        let (numbers, time) = (ServiceHarness.Clock(seed: seed), harness.time)
        var environment = StoreEnvironment(now: { time.now }, random: { numbers.random() })
        environment.isEnded = { process.isEnded }
        environment.reached = { point in if process.endsAt == point { process.isEnded = true } }
        return try StoreClient(
            network,
            app: .init(key: ServiceHarness.key, secret: "s"),
            cache: .folder(folder),
            environment: environment
        )
    }

    private var store: DataStore<Novel> { client.store(Novel.self, type, options: options) }

    /// What the cache holds.
    func rows() async throws -> [String] {
        try await client.store(Novel.self, .sync).find().map { try Scenario.fields(of: Document(encoding: $0)) }
    }

    /// Does something; what that tells.
    func act(_ verb: String, _ rest: String) async throws -> String {
        harness.time.advance(10)
        if let told = try await change(verb, rest) { return told }
        if let told = try await read(verb, rest) { return told }
        return try await configure(verb, rest)
    }

    private func query(_ text: String) throws -> Query { text.isEmpty ? Query() : try Query(parsing: text) }

    // MARK: Changes

    private func change(_ verb: String, _ rest: String) async throws -> String? {
        switch verb {
        case "saves":
            let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2, case .object(var entity) = try QueryValue(json: words[1]) else {
                throw Scenario.Unreadable()
            }
            let id = scenario.id(words[0])
            if !id.hasPrefix("$") { entity["_id"] = .string(id) }
            let saved = try await store.save(entity.decode(Novel.self))
            if id.hasPrefix("$"), let made = saved._id { scenario.bind(id, made) }
            return saved.title ?? "untitled"
        case "fills":
            let books = (0..<(Int(rest) ?? 0)).map { Novel(id: "f\($0)", title: "\(rest) \($0)") }
            let saved = try await store.save(books)
            return "\(saved.entities.count { $0 != nil }), \(saved.errors.count) failed"
        case "removes": return "\(try await store.remove(id: scenario.id(rest)))"
        case "drops":
            for change in try await store.pending() where change.id == scenario.id(rest) {
                try await store.drop(change)
            }
            return "ok"
        case "purges": return "\(try await store.purge(PurgedRows(rawValue: rest) ?? .keep))"
        case "clears": return "\(try await store.clear())"
        case "pushes": return Self.text(try await store.push())
        case "syncs":
            let result = try await store.sync(try query(rest))
            return Self.text(result.push) + (result.pull == nil ? ", no pull" : "")
        case "pulls":
            let query = try query(rest)
            try await store.pull(query)
            let found = try await store.find(query, options: Options(readPolicy: .forceLocal))
            return found.compactMap(\._id).sorted().joined(separator: ", ")
        default: return nil
        }
    }

    private static func text(_ result: PushResult) -> String {
        "\(result.count)" + (result.failures.isEmpty ? "" : ", \(result.failures.count) failed")
            + (result.overruled.isEmpty ? "" : ", \(result.overruled.count) overruled")
    }

    // MARK: Reading

    private func read(_ verb: String, _ rest: String) async throws -> String? {
        switch verb {
        case "finds":
            let ids = try await store.find(try query(rest)).compactMap(\._id).sorted()
            return ids.isEmpty ? "-" : ids.joined(separator: ", ")
        case "asks":
            let found = try await store.find(try query(rest), options: Options(readPolicy: .network))
            return found.compactMap(\._id).sorted().joined(separator: ", ")
        case "has":
            let (local, id) = (client.store(Novel.self, .sync), scenario.id(rest))
            guard let found = try await local.find().first(where: { $0._id == id }) else { return "nothing" }
            return try Scenario.fields(of: Document(encoding: found))
        case "waits":
            let changes = try await store.pending().map { "\($0.kind) \($0.id)\($0.isRefused ? " refused" : "")" }
            return changes.isEmpty ? "-" : changes.joined(separator: ", ")
        default: return nil
        }
    }

    // MARK: Surroundings

    private func configure(_ verb: String, _ rest: String) async throws -> String {
        switch verb {
        case "offline": network.isOnline = false
        case "online":
            network.isOnline = true
            // A failure counts for some seconds.
            harness.time.advance(6_000)
        case "loses": network.losesAnswer = true
        case "repeats": network.repeats = true
        case "delays": network.delays = true
        case "foreign": network.isForeign = true
        case "arrives": return "\(await network.arrive())"
        case "is":
            guard let type = StoreType(rawValue: rest) else { throw Scenario.Unreadable() }
            self.type = type
        case "pages": options.pageSize = Int(rest)
        case "conflict":
            options.conflict =
                rest == "serverWins"
                ? .serverWins
                : .ask { conflict in
                    rest == "keepMine" ? .keepMine : rest == "takeTheirs" ? .takeTheirs : .leavePending
                }
        case "logsIn":
            // The first time makes the user.
            if (try? await client.signUp(username: rest, password: "p")) == nil {
                try await client.logIn(username: rest, password: "p")
            }
        case "expires":
            // Another device changes the password, and the sessions end.
            let id = await client.activeUser?.id ?? ""
            return "\(await harness.send("PUT", "/user/kid/\(id)", #"{"password":"p"}"#).status)"
        case "during": return try await interrupt(rest)
        case "ends": return try await end(rest)
        case "damaged":
            try SQLiteDatabase(path: folder + "/kid-anonymous.sqlite", isReadOnly: false)
                .execute("ALTER TABLE client RENAME COLUMN format TO other")
            try restart()
        default: throw Scenario.Unreadable()
        }
        return "ok"
    }

    /// `push: B pulls`: the second step happens when the service has acted on a request of the first.
    private func interrupt(_ text: String) async throws -> String {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Scenario.Unreadable() }
        let scenario = scenario
        network.interlude = { _ = try? await scenario.run(parts[1].trimmingCharacters(in: .whitespaces)) }
        return try await act(parts[0])
    }

    /// The process ends; `at POINT: step` where the step reaches the point.
    private func end(_ text: String) async throws -> String {
        if text.hasPrefix("at ") {
            let parts = text.dropFirst(3).split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let point = StorePoint(rawValue: parts[0]) else { throw Scenario.Unreadable() }
            network.process.endsAt = point
            _ = try? await act(parts[1].trimmingCharacters(in: .whitespaces))
            guard network.process.isEnded else { return "it does not get there" }
        }
        try restart()
        return "ok"
    }

    private func act(_ text: String) async throws -> String {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        return try await act(words[0], words.count > 1 ? words[1] : "")
    }

    /// The process ends, and another one begins on the same file.
    private func restart() throws {
        network.process.isEnded = true
        network.process = ScenarioNetwork.Process()
        seed += 100
        client = try Self.client(network, harness, folder, seed, network.process)
    }
}

/// A network that does one thing at a time.
final class ScenarioNetwork: Transport, @unchecked Sendable {
    /// A process that may end.
    final class Process: @unchecked Sendable {
        var isEnded = false
        var endsAt: StorePoint?
    }

    private let harness: ServiceHarness
    var isOnline = true
    /// Whether the service is not ours.
    var isForeign = false
    /// Whether the next answer is lost, or the next request arrives twice.
    var losesAnswer = false
    var repeats = false
    /// Whether the next request arrives later than its answer is waited for.
    var delays = false
    private var late: WireRequest?
    /// What happens once when the service has acted.
    var interlude: (@Sendable () async -> Void)?
    var process = Process()

    init(_ harness: ServiceHarness) { self.harness = harness }

    /// Lets the request that was delayed arrive; the service's status.
    func arrive() async -> Int {
        guard let request = late else { return 0 }
        late = nil
        return await harness.answer(request, isForeign: isForeign).status
    }

    func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        guard isOnline else { throw .unreachable("offline") }
        // Who answers is asked once; what happens, happens to what follows.
        if request.path == "/appdata/kid" { return await harness.answer(request, isForeign: isForeign) }
        if delays {
            (delays, late) = (false, request)
            throw .timedOut
        }
        let response = await harness.answer(request, isForeign: isForeign)
        if repeats {
            repeats = false
            _ = await harness.answer(request, isForeign: isForeign)
        }
        if let work = interlude {
            interlude = nil
            await work()
        }
        if losesAnswer {
            losesAnswer = false
            throw .timedOut
        }
        return response
    }
}
