import Foundation
import PredicateQL
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLService

/// What one caller asks for does not keep others waiting.
@Suite struct FairnessTests {
    private let file: URL
    private let harness: ServiceHarness

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("service.sqlite")
        harness = try ServiceHarness(path: file.path, readers: 4) { $0.rights = .public }
    }

    private func end() {
        harness.service.close()
        try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }

    /// A door that work waits at until it is opened.
    private final class Door: Sendable {
        private let condition = Mutex((isOpen: false, waiting: 0))
        private let signal = DispatchSemaphore(value: 0)

        var waiting: Int { condition.withLock { $0.waiting } }

        func wait() {
            let isOpen = condition.withLock { state in
                state.waiting += 1
                return state.isOpen
            }
            if !isOpen { signal.wait() }
        }

        func open() {
            let waiting = condition.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for _ in 0..<waiting { signal.signal() }
        }
    }

    private func until(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Jobs of callers take turns, and one caller has at most half of the threads.
    @Test func callersTakeTurns() async throws {
        let threads = WorkThreads("test", states: [0, 1, 2, 3])
        let door = Door()
        let order = Mutex<[String]>([])
        for number in 0..<6 {
            #expect(
                threads.run(for: "greedy") { _ in
                    order.withLock { $0.append("greedy \(number)") }
                    door.wait()
                } == .waits
            )
        }
        try await until { door.waiting == 2 }
        for name in ["b", "c", "d"] {
            await withCheckedContinuation { continuation in
                _ = threads.run(for: name) { _ in
                    order.withLock { $0.append(name) }
                    continuation.resume()
                }
            }
        }
        // Two threads that begin at once may tell in either order.
        func told() -> [String] {
            let order = order.withLock { $0 }
            return order.prefix(2).sorted() + order.dropFirst(2).prefix(3) + order.dropFirst(5).sorted()
        }
        #expect(told() == ["greedy 0", "greedy 1", "b", "c", "d"])
        door.open()
        threads.stop()
        #expect(told() == ["greedy 0", "greedy 1", "b", "c", "d"] + (2..<6).map { "greedy \($0)" })
        #expect(threads.run(for: "b") { _ in } == .isStopped)
    }

    /// A caller of whom a thousand jobs wait is told to come again; others are not.
    @Test func waitingIsBounded() async throws {
        let threads = WorkThreads("test", states: [0])
        let door = Door()
        let done = Mutex(0)
        _ = threads.run(for: "greedy") { _ in door.wait() }
        try await until { door.waiting == 1 }
        for _ in 0..<1_000 { #expect(threads.run(for: "greedy") { _ in done.withLock { $0 += 1 } } == .waits) }
        #expect(threads.run(for: "greedy") { _ in } == .isRefused)
        #expect(threads.run(for: "other") { _ in done.withLock { $0 += 1 } } == .waits)
        door.open()
        threads.stop()
        #expect(done.withLock { $0 } == 1_001)
    }

    /// While one caller's searches run, others are answered: searches, counts, writes and log-ins.
    @Test func oneCallerStopsNobody() async throws {
        defer { end() }
        let storage = harness.service.storage
        #expect(await harness.send("PUT", "Book/a", #"{"n":1}"#).status == 201)
        let door = Door()
        let searches = (0..<20).map { _ in
            Task { try await storage.read(for: "greedy") { _ in door.wait() } }
        }
        try await until { door.waiting == 1 }
        #expect(await harness.send("GET", #"Book?query={"n":{"$gt":0}}"#).status == 200)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":1}"#)
        #expect(await harness.send("PUT", "Book/b", #"{"n":2}"#).status == 201)
        #expect(await harness.send("DELETE", #"Book?query={"n":2}"#).body == #"{"count":1}"#)
        let ann = await harness.signUp("ann")
        #expect(!ann.session.isEmpty)
        #expect(door.waiting == 1)
        door.open()
        for search in searches { try await search.value }
    }

    /// Searches that take long move to threads of their own: when those of many callers have all of these, a list does
    /// not wait.
    @Test func longSearchesHoldNoList() async throws {
        defer { end() }
        let storage = harness.service.storage
        #expect(await harness.send("PUT", "Book/a", #"{"n":1}"#).status == 201)
        let door = Door()
        let searches = (0..<10).map { caller in
            Task {
                try await storage.read(for: "caller \(caller)") { (connection) throws(ServiceFault) in
                    if connection.patience != nil { throw ServiceFault(.queryTimeLimitExceeded) }
                    door.wait()
                }
            }
        }
        try await until { door.waiting == 4 }
        #expect(await harness.send("GET", #"Book?query={"n":{"$gt":0}}"#).status == 200)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":1}"#)
        #expect(await harness.send("DELETE", #"Book?query={"n":2}"#).body == #"{"count":0}"#)
        let ann = await harness.signUp("ann")
        #expect(!ann.session.isEmpty && door.waiting == 4)
        door.open()
        for search in searches { try await search.value }
    }

    /// A list that was short before is read on its caller's thread, so it waits for no search.
    ///
    /// One that has become long moves on.
    @Test func shortListsWaitForNobody() async throws {
        defer { end() }
        let storage = harness.service.storage
        let pace = Pace()
        // A machine that is busy may need more readings than one.
        while !pace.isShort { _ = try await storage.read(for: "ann", pace: pace) { $0.patience } }
        #expect(try await storage.read(for: "ann", pace: pace) { $0.patience } == Pace.shortPatience)
        let door = Door()
        let searches = (0..<6).map { caller in
            Task { try await storage.read(for: "caller \(caller)") { _ in door.wait() } }
        }
        try await until { door.waiting == 2 }
        #expect(try await storage.read(for: "ann", pace: pace) { $0.patience } == Pace.shortPatience)
        door.open()
        for search in searches { try await search.value }
        let moved = try await storage.read(for: "ann", pace: pace) { (connection) throws(ServiceFault) in
            if connection.patience == Pace.shortPatience { throw ServiceFault(.queryTimeLimitExceeded) }
            let end = ContinuousClock.now + .milliseconds(1)
            while ContinuousClock.now < end {}
            return connection.patience
        }
        #expect(moved != Pace.shortPatience && !pace.isShort)
    }

    /// A search whose client is gone ends, and one that waits does not begin.
    @Test(.timeLimit(.minutes(1))) func abandonedSearchesEnd() async throws {
        defer { end() }
        let storage = harness.service.storage
        let begun = Door()
        begun.open()
        let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t"
        let departures = (0..<6).map { _ in Departure() }
        let searches = departures.map { departure in
            Task {
                try await Departure.$current.withValue(departure) {
                    try await storage.read(for: "greedy") { (connection) throws(ServiceFault) -> Int64 in
                        if connection.patience != nil { throw ServiceFault(.queryTimeLimitExceeded) }
                        begun.wait()
                        return try connection.faults { () throws(QueryError) in try connection.int(endless) }
                    }
                }
            }
        }
        try await until { begun.waiting == 2 }
        for departure in departures.reversed() { departure.leave() }
        for search in searches {
            await #expect(throws: ServiceFault.self) { try await search.value }
        }
        #expect(begun.waiting == 2)
        #expect(try await storage.read(for: "greedy") { _ in 5 } == 5)
        // Their connections are as they were: each of the four reads again.
        let door = Door()
        let later = (0..<4).map { caller in
            Task {
                try await storage.read(for: "caller \(caller)") { (connection) throws(ServiceFault) -> Int64 in
                    if connection.patience != nil { throw ServiceFault(.queryTimeLimitExceeded) }
                    door.wait()
                    return try connection.faults { () throws(QueryError) in try connection.int("SELECT 7") }
                }
            }
        }
        try await until { door.waiting == 4 }
        door.open()
        for task in later { #expect(try await task.value == 7) }
    }

    /// A removal by query searches beside the commits, and leaves what was written after its search.
    @Test func removalsLeaveWhatCameLater() async throws {
        defer { end() }
        for id in 0..<1_200 { _ = await harness.send("PUT", "Book/b\(id)", #"{"n":1}"#) }
        let service = harness.service
        let door = Door()
        let key = Collection.Key(app: "kid", name: "Book")
        let held = Task { try await service.storage.change { _ in door.wait() } }
        try await until { door.waiting == 1 }
        let written = Task { await harness.send("PUT", "Book/b7", #"{"n":1,"is":"new"}"#).status }
        try await until { service.storage.committer.figures.waiting == 1 }
        let removed = Task { await harness.send("DELETE", #"Book?query={"n":1}"#).body }
        // Its search is over, and its first part waits.
        try await until { service.storage.committer.figures.waiting == 2 }
        #expect(service.storage.collections[key] != nil)
        door.open()
        try await held.value
        #expect(await written.value == 200)
        #expect(await removed.value == #"{"count":1199}"#)
        #expect(await harness.send("GET", "Book/b7").body.contains(#""is":"new""#))
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":1}"#)
    }
}
