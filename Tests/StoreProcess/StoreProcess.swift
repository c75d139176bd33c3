import Foundation
import PredicateQL
import PredicateQLStore
import QueryValues
import SpecSupport
import StoreModel
import StoreSupport

/// A process that uses a store, and tells what it does; `CrashTests` kills it.
///
///     StoreProcess FOLDER NAME FIRST-VERSION STEPS [POINT TIMES]
///
/// It ends after so many steps, or is killed when it comes to a point of the sync for the given time. Optimized, it also
/// runs the simulation: `SIMULATIONS=100000 StoreProcess simulate`.
@main struct StoreProcess {
    private let novels: DataStore<Novel>
    private var version: Int
    /// The entities that nobody else writes.
    private var ids: [String]
    private var random: SeededGenerator

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "http" { return try await HTTPProcess.run(arguments[2]) }
        if [4, 5].contains(arguments.count), arguments[1] == "cancel", let count = Int(arguments[3]) {
            let shapes = arguments.count == 5 ? Int(arguments[4]) ?? 0 : 0
            return try await CancelProcess.run(arguments[2], count, shapes: shapes)
        }
        if arguments.count == 2, arguments[1] == "simulate" { return try simulate() }
        guard arguments.count >= 5, let first = Int(arguments[3]), let steps = Int(arguments[4]) else { exit(64) }
        var environment = StoreEnvironment.system
        if arguments.count == 7, let point = StorePoint(rawValue: arguments[5]), let times = Int(arguments[6]) {
            let rest = Mutex(times)
            environment.reached = { reached in
                guard reached == point else { return }
                let isTime = rest.withLock { rest in
                    rest -= 1
                    return rest == 0
                }
                if isTime { kill(getpid(), SIGKILL) }
            }
        }
        let client = try StoreClient(
            PipeTransport(),
            app: .init(key: "kid", secret: "s"),
            cache: .folder(arguments[1]),
            options: Options(pageSize: 7),
            environment: environment
        )
        var process = StoreProcess(
            novels: client.store(Novel.self, .sync),
            version: first,
            ids: (0..<8).map { "\(arguments[2])-\($0)" },
            random: SeededGenerator(SeededGenerator.seed(1) &+ UInt64(bitPattern: Int64(first)))
        )
        for _ in 0..<steps { await process.step() }
    }

    /// Runs seeds of the simulation; ``SimulationRun/Order`` says which.
    private static func simulate() throws {
        let environment = ProcessInfo.processInfo.environment
        let report = try SimulationRun.run(.init(environment, simulations: 1_000, twice: 20))
        for line in [report.text] + report.stories { print(line) }
        if !report.failed.isEmpty { exit(1) }
    }

    private mutating func step() async {
        let options = Options(deltaSync: random.chance(50))
        switch random.below(20) {
        case 0..<6: await save([random.pick(ids)])
        case 6..<9: await save(Array(ids.shuffled(using: &random).prefix(5)))
        case 9..<11: await saveNew()
        case 11..<14: await remove(random.pick(ids))
        case 14..<17: await attempt { () async throws(StoreError) in _ = try await novels.push() }
        case 17: await attempt { () async throws(StoreError) in _ = try await novels.pull(options: options) }
        default: await attempt { () async throws(StoreError) in _ = try await novels.sync(options: options) }
        }
    }

    /// An entity whose two fields say the same, so that half of one would show.
    private func novel(_ id: String?) -> Novel { Novel(id: id, title: "\(version)", year: version) }

    private mutating func save(_ ids: [String]) async {
        version += 1
        PipeMessage.begun(ids: ids, version: version).tell()
        await attempt { () async throws(StoreError) in
            if ids.count == 1 {
                _ = try await novels.save(novel(ids[0]))
            } else {
                _ = try await novels.save(ids.map(novel))
            }
            PipeMessage.done(ids: ids, version: version).tell()
        }
    }

    private mutating func saveNew() async {
        version += 1
        PipeMessage.begun(ids: [], version: version).tell()
        var made: String?
        await attempt { () async throws(StoreError) in
            made = try await novels.save(novel(nil))._id
            PipeMessage.done(ids: [made ?? ""], version: version).tell()
        }
        if let made { ids.append(made) }
    }

    private func remove(_ id: String) async {
        PipeMessage.begun(ids: [id], version: nil).tell()
        await attempt { () async throws(StoreError) in
            try await novels.remove(id: id)
            PipeMessage.done(ids: [id], version: nil).tell()
        }
    }

    /// Tells what a call throws; that something waits keeps a pull from running, and is no failure.
    private func attempt(_ call: () async throws(StoreError) -> Void) async {
        do throws(StoreError) {
            try await call()
        } catch {
            if case .pendingChanges = error { return }
            PipeMessage.failed(error: "\(error)").tell()
        }
    }
}
