import PredicateQL
import QueryValues
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLStore

/// Calls that wait for their turn, in simulated time.
@Suite struct LaneTests {
    /// A world whose service answers each request after some time, or says that it was too long.
    private struct Setting: Sendable {
        let world: World
        let client: StoreClient
        /// What was sent, and when.
        let sent = Sent()

        final class Sent: Sendable {
            private let lines = Mutex<[String]>([])
            func add(_ line: String) { lines.withLock { $0.append(line) } }
            var all: [String] { lines.withLock { $0 } }
        }

        init(seed: UInt64, delay: Int64) throws {
            let (world, harness, sent) = (World(seed: seed), try ServiceHarness { $0.rights = .public }, sent)
            let transport = FunctionTransport { (request) async throws(TransportFault) in
                sent.add(request.method + " " + (request.path.split(separator: "/").last ?? ""))
                await world.sleep(delay)
                if Task.isCancelled { throw .cancelled }
                if delay > 5_000 { throw .timedOut }
                return await harness.service.answer(request)
            }
            client = try StoreClient(
                transport,
                app: .init(key: "kid", secret: "s"),
                cache: .memory,
                environment: world.environment
            )
            self.world = world
        }

        /// Runs work in this world; what it throws is an issue.
        func run(_ work: @escaping @Sendable (Setting) async throws -> Void) {
            let isDone: Bool? = world.run {
                do { try await work(self) } catch { Issue.record(error) }
                return true
            }
            #expect(isDone == true, "it does not end")
        }

        /// How long something takes, in milliseconds.
        func time(_ work: () async throws -> Void) async rethrows -> Int64 {
            let start = world.now
            try await work()
            return world.now - start
        }
    }

    private struct Other: Entity {
        static let collection = "Other"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        init(id: String) { _id = id }
    }

    private struct Third: Entity {
        static let collection = "Third"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        init(id: String) { _id = id }
    }

    private static let soon = Options(timeout: .milliseconds(500))

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func timeoutsCountTheWait(seed: UInt64) throws {
        try Setting(seed: seed, delay: 6_000).run { setting in
            let (pending, books) = (setting.client.store(Novel.self, .sync), setting.client.store(Novel.self))
            try await pending.save(Novel(id: "a"))
            async let push = pending.push()
            await setting.world.sleep(100)
            let took = try await setting.time { try await books.save(Novel(id: "b"), options: Self.soon) }
            #expect(took == 500)
            let failed = await setting.time {
                do throws(StoreError) {
                    _ = try await pending.push(options: Self.soon)
                    Issue.record("it did not wait")
                } catch {
                    if case .timedOut = error { return }
                    Issue.record(error)
                }
            }
            #expect(failed == 500)
            #expect(try await push.failures.count == 1)
            #expect(try await pending.syncCount() == 2)
            #expect(setting.sent.all == ["PUT a"])
        }
    }

    /// A collection that is busy for too long neither stops the push of the others nor hides what became of them.
    @Test func busyCollectionsAreFailures() throws {
        try Setting(seed: 1, delay: 400).run { setting in
            let (client, busy) = (setting.client, setting.client.store(Novel.self, .sync))
            try await client.store(Other.self, .sync).save(Other(id: "o"))
            try await busy.save([Novel(id: "a"), Novel(id: "b"), Novel(id: "c")])
            try await client.store(Third.self, .sync).save(Third(id: "t"))
            async let push = busy.push(options: Options(connections: 1))
            await setting.world.sleep(10)
            client.options.timeout = .milliseconds(600)
            let result = try await client.push()
            #expect(result.count == 2)
            #expect(result.failures.map(\.collection) == ["Book"])
            guard case .timedOut? = result.failures.first?.error else {
                Issue.record("\(result.failures)")
                return
            }
            #expect(!result.failures.contains { $0.error.description.contains("service") })
            #expect(try await push.count == 3)
        }
    }

    /// One that gives up waiting takes nobody else's turn.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func whoLeavesLeavesTheOthers(seed: UInt64) throws {
        try Setting(seed: seed, delay: 1_000).run { setting in
            let (pending, books) = (setting.client.store(Novel.self, .sync), setting.client.store(Novel.self))
            try await pending.save(Novel(id: "a"))
            async let push = pending.push()
            await setting.world.sleep(10)
            let tasks = ["b", "c", "d"].map { id in
                Task(executorPreference: setting.world) { () async throws -> Int64 in
                    try await setting.time { try await books.save(Novel(id: id)) }
                }
            }
            await setting.world.sleep(10)
            tasks[1].cancel()
            let cancelled = await tasks[1].result
            #expect(setting.world.now < 1_594_916_197_597 + 500)
            guard case .failure(let error as StoreError) = cancelled, case .cancelled = error else {
                Issue.record("\(cancelled)")
                return
            }
            #expect(try await push.count == 1)
            for task in [tasks[0], tasks[2]] { #expect(try await task.value > 900) }
            #expect(try await pending.push().count == 1)
            // At the moment when its turn comes.
            try await pending.save(Novel(id: "e"))
            async let last = pending.push()
            await setting.world.sleep(10)
            let late = Task(executorPreference: setting.world) {
                try? await books.save(Novel(id: "f"), options: Options(timeout: .milliseconds(990)))
            }
            let other = Task(executorPreference: setting.world) { try? await books.save(Novel(id: "g")) }
            await setting.world.sleep(990)
            late.cancel()
            _ = await (late.value, other.value, try last)
            _ = try await pending.push()
            #expect(try await pending.syncCount() == 0)
        }
    }

    /// A service that just answered nothing to one is not tried by the next.
    @Test(arguments: [StoreType.auto, .cache]) func silenceCountsAfterTheWait(type: StoreType) throws {
        try Setting(seed: 1, delay: 6_000).run { setting in
            let (pending, books) = (setting.client.store(Novel.self, .sync), setting.client.store(Novel.self, type))
            try await pending.save(Novel(id: "a"))
            async let push = pending.push()
            await setting.world.sleep(100)
            #expect(try await setting.time { try await books.save(Novel(id: "b")) } == 5_900)
            #expect(try await push.failures.count == 1)
            #expect(setting.sent.all == ["PUT a"])
        }
    }

    /// One whose turn comes late sends nothing in the little time that is left, and blames no service.
    @Test(arguments: [(timeout: 1_050, sent: ["PUT a"]), (timeout: 1_500, sent: ["PUT a", "PUT b"])])
    func lateTurnsBlameNobody(timeout: Int, sent: [String]) throws {
        try Setting(seed: 1, delay: 1_000).run { setting in
            let (pending, books) = (setting.client.store(Novel.self, .sync), setting.client.store(Novel.self))
            try await pending.save(Novel(id: "a"))
            async let push = pending.push()
            await setting.world.sleep(10)
            try await books.save(Novel(id: "b"), options: Options(timeout: .milliseconds(timeout)))
            #expect(await !setting.client.isUnreachable)
            #expect(try await push.count == 1)
            #expect(setting.sent.all == sent)
        }
    }
}
