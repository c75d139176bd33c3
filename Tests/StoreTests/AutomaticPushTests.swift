import PredicateQL
import QueryValues
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLStore

/// Pushes that nobody asks for, in simulated time.
@Suite struct AutomaticPushTests {
    /// A world in which a client pushes by itself, and what it sends.
    private struct Setting: Sendable {
        let world: World
        let client: StoreClient
        let harness: ServiceHarness
        let log: Log

        final class Log: Sendable {
            private let sent = Mutex<[(at: Int64, line: String)]>([])

            /// Notes a request; how many there were before.
            func note(_ request: WireRequest, at now: Int64) -> Int {
                sent.withLock { sent in
                    sent.append((now, request.method + " " + (request.path.split(separator: "/").last ?? "")))
                    return sent.count - 1
                }
            }

            var lines: [String] { sent.withLock { $0.map(\.line) } }
            var times: [Int64] { sent.withLock { $0.map(\.at) } }
        }

        var novels: DataStore<Novel> { client.store(Novel.self, .sync) }

        /// The time between each request and the next.
        var gaps: [Int64] { zip(log.times.dropFirst(), log.times).map { $0 - $1 } }
    }

    /// Runs work beside pushes; what the answer function does not answer, the service does.
    private func run(
        seed: UInt64 = 1,
        _ cache: StoreClient.CacheLocation = .memory,
        options: Options = Options(),
        hasUsers: Bool = false,
        _ answer: @escaping @Sendable (_ request: WireRequest, _ count: Int) throws(TransportFault) -> WireResponse?,
        _ work: @escaping @Sendable (Setting) async throws -> Void
    ) throws {
        let world = World(seed: seed)
        let harness = try ServiceHarness { $0.rights = hasUsers ? .shared : .public }
        let log = Setting.Log()
        let transport = FunctionTransport { (request) async throws(TransportFault) in
            let count = log.note(request, at: world.now)
            if let response = try answer(request, count) { return response }
            return await harness.service.answer(request)
        }
        let client = try StoreClient(
            transport,
            app: .init(key: "kid", secret: "s"),
            cache: cache,
            options: options,
            environment: world.environment
        )
        let setting = Setting(world: world, client: client, harness: harness, log: log)
        let isDone: Bool? = world.run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    do { try await client.keepPushing() } catch { Issue.record(error) }
                }
                do { try await work(setting) } catch { Issue.record(error) }
                group.cancelAll()
            }
            return true
        }
        #expect(isDone == true, "it does not end")
    }

    private static let minute: Int64 = 60_000

    @Test func whatIsSavedIsPushedAtOnce() throws {
        try run { _, _ in
            nil
        } _: { setting in
            let novel = try await setting.novels.save(Novel(title: "Emma"))
            await setting.world.sleep(1)
            #expect(try await setting.novels.syncCount() == 0)
            try await setting.novels.remove(id: novel._id ?? "")
            await setting.world.sleep(1)
            #expect(setting.log.lines == ["POST Book", "DELETE \(novel._id ?? "")"])
            await setting.world.sleep(60 * Self.minute)
            #expect(setting.log.lines.count == 2)
        }
    }

    /// A call whose change an automatic push sends first still says that it was overruled (W9).
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func overruledCallsThrow(seed: UInt64) throws {
        try run(seed: seed, options: Options(conflict: .serverWins)) { _, _ in
            nil
        } _: { setting in
            let books = setting.client.store(Novel.self)
            let held = try await books.save(["a", "b", "c"].map { Novel(id: $0) }).entities.compactMap(\.self)
            try #require(held.count == 3)
            await setting.world.sleep(1_000)
            setting.harness.time.advance(5)
            for id in ["a", "b", "c"] {
                #expect(await setting.harness.send("PUT", "Book/\(id)", #"{"title":"two"}"#).status == 200)
            }
            let edited = held.map { Novel(id: $0._id, title: "mine", kmd: $0._kmd) }
            await #expect(throws: StoreError.self) { try await books.save(edited[0]) }
            await #expect(throws: StoreError.self) { try await books.remove(id: "b") }
            #expect(try await books.save([edited[2], Novel(id: "d")]).errors.map(\.index) == [0])
            #expect(try await books.syncCount() == 0)
        }
    }

    /// 1 s, 2 s, 4 s … 5 min, each ± 20 %.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func pausesGrow(seed: UInt64) throws {
        try run(seed: seed) { (_, _) throws(TransportFault) in
            throw .unreachable("offline")
        } _: { setting in
            try await setting.novels.save([Novel(id: "a"), Novel(id: "b")])
            await setting.world.sleep(60 * Self.minute)
            // Each attempt sends both, which fail together.
            let gaps = setting.gaps.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(setting.gaps.enumerated().allSatisfy { $0.offset % 2 == 1 || $0.element == 0 })
            #expect(gaps.count > 15, "\(gaps)")
            for (number, gap) in gaps.enumerated() {
                let pause: Int64 = min(1_000 << Int64(min(number, 20)), 5 * Self.minute)
                #expect((pause * 4 / 5...pause * 6 / 5).contains(gap), "\(number): \(gap)")
            }
            #expect(zip(gaps, [1_000, 2_000, 4_000, 8_000]).contains { $0 != $1 }, "they do not differ by chance")
            #expect(try await setting.novels.pending().allSatisfy { $0.attempts == gaps.count + 1 })
        }
    }

    @Test(arguments: [408, 425, 429, 500, 503]) func whatMayPassIsSentAgain(status: Int) throws {
        try run { _, count in
            count < 3 ? WireResponse(status: status) : nil
        } _: { setting in
            try await setting.novels.save(Novel(id: "a"))
            await setting.world.sleep(10_000)
            #expect(setting.log.lines.count == 4)
            for (gap, pause) in zip(setting.gaps, [1_000, 2_000, 4_000] as [Int64]) {
                #expect((pause * 4 / 5...pause * 6 / 5).contains(gap))
            }
            #expect(try await setting.novels.syncCount() == 0)
        }
    }

    /// A service that says how long it wants to be left alone is; whoever asks for a push does not wait.
    @Test(
        arguments: [
            (90, "90"), (900, "900"), (90, "Thu, 16 Jul 2020 16:18:08 GMT"), (900, "Thu, 16 Jul 2020 16:31:38 GMT"),
        ]
    ) func retryAfterIsObeyed(seconds: Int, text: String) throws {
        let busy = WireResponse(status: 503, headers: [("Retry-After", text)])
        try run(options: Options(connections: 1)) { _, count in
            count < 1 ? busy : nil
        } _: { setting in
            try await setting.novels.save((0..<4).map { Novel(id: "n\($0)") })
            await setting.world.sleep(min(Int64(seconds), 300) * 1_000 - 1)
            #expect(setting.log.lines == ["PUT n0"])
            await setting.world.sleep(Int64(seconds) * 1_000)
            #expect(setting.log.lines.count == 5)
            let again = setting.log.lines.lastIndex(of: "PUT n0").map { setting.log.times[$0] - setting.log.times[0] }
            #expect(again.map { $0 >= Int64(seconds) * 1_000 } == true, "\(setting.gaps)")
            #expect(try await setting.novels.syncCount() == 0)
        }
        try run { _, count in
            count < 1 ? busy : nil
        } _: { setting in
            try await setting.novels.save(Novel(id: "a"))
            await setting.world.sleep(10)
            #expect(try await setting.novels.push().count == 1)
        }
    }

    /// What the service refuses waits until it is changed or sent by hand.
    @Test func refusedChangesAreLeftAlone() throws {
        let refusal = WireResponse(
            status: 403,
            headers: [("Content-Type", "application/json")],
            body: Array(#"{"error":"InsufficientCredentials"}"#.utf8)
        )
        try run { request, _ in
            request.path.hasSuffix("/no") ? refusal : nil
        } _: { setting in
            try await setting.novels.save([Novel(id: "no"), Novel(id: "yes")])
            await setting.world.sleep(60 * Self.minute)
            #expect(setting.log.lines.sorted() == ["PUT no", "PUT yes"])
            try await setting.novels.save(Novel(id: "no", title: "changed"))
            await setting.world.sleep(60 * Self.minute)
            #expect(setting.log.lines.count == 3)
            let waiting = try #require(try await setting.novels.pending().first)
            #expect(waiting.isRefused && waiting.attempts == 2)
            _ = try await setting.novels.retry(waiting)
            #expect(setting.log.lines.count == 4)
            await setting.world.sleep(60 * Self.minute)
            #expect(setting.log.lines.count == 4)
        }
    }

    /// A change that fails again and again keeps no other from being pushed (W11).
    @Test func othersPassMeanwhile() throws {
        try run { request, _ in
            request.path.hasSuffix("/bad") ? WireResponse(status: 500) : nil
        } _: { setting in
            try await setting.novels.save(Novel(id: "bad"))
            await setting.world.sleep(30 * Self.minute)
            let before = setting.log.lines.count
            try await setting.novels.save(Novel(id: "good"))
            await setting.world.sleep(1)
            #expect(setting.log.lines.dropFirst(before) == ["PUT good"])
            #expect(try await setting.novels.pending().map(\.id) == ["bad"])
        }
    }

    /// When a request gets through, what could not be sent does not wait for minutes.
    @Test func aServiceThatIsBackGetsWhatWaits() throws {
        let isOnline = Mutex(false)
        try run { (_, _) throws(TransportFault) in
            if !isOnline.withLock({ $0 }) { throw .unreachable("offline") }
            return nil
        } _: { setting in
            try await setting.novels.save(Novel(id: "a"))
            await setting.world.sleep(30 * Self.minute)
            // Another change does not ask a service that is out of reach.
            let before = setting.log.lines.count
            try await setting.novels.save(Novel(id: "b"))
            await setting.world.sleep(10)
            #expect(setting.log.lines.count == before)
            isOnline.withLock { $0 = true }
            _ = try await setting.novels.count(options: Options(readPolicy: .forceNetwork))
            await setting.world.sleep(5_000)
            #expect(try await setting.novels.syncCount() == 0)
        }
    }

    /// The changes of a user wait for that user.
    @Test func usersPushTheirOwn() throws {
        let folder = CacheFolder()
        let isOnline = Mutex(true)
        try run(.folder(folder.path), hasUsers: true) { (_, _) throws(TransportFault) in
            if !isOnline.withLock({ $0 }) { throw .unreachable("offline") }
            return nil
        } _: { setting in
            let ann = try await setting.client.signUp(username: "ann", password: "p")
            isOnline.withLock { $0 = false }
            try await setting.novels.save(Novel(id: "anns"))
            await setting.world.sleep(30 * Self.minute)
            try await setting.client.logOut()
            isOnline.withLock { $0 = true }
            let before = setting.log.lines.count
            await setting.world.sleep(30 * Self.minute)
            #expect(setting.log.lines.count == before)
            try await setting.client.signUp(username: "bob", password: "p")
            try await setting.novels.save(Novel(id: "bobs"))
            await setting.world.sleep(1)
            #expect(setting.log.lines.dropFirst(before) == ["POST kid", "PUT bobs"])
            try await setting.client.logIn(username: "ann", password: "p")
            await setting.world.sleep(1)
            let saved = await setting.harness.send("GET", "Book/anns").json
            guard case .object(let novel)? = saved, case .object(let access)? = novel["_acl"] else {
                Issue.record("\(setting.log.lines)")
                return
            }
            #expect(access["creator"] == .string(ann.id))
        }
    }

    // MARK: The schedule

    @Test func pausesAreBounded() {
        for failures in [Int.min, 0, 1, 2, 9, 10, 11, 63, 64, Int.max] {
            let doublings = Int64(min(max(failures, 1), 30) - 1)
            let pause: Int64 = min(1_000 << doublings, 300_000)
            #expect(PushSchedule.pause(after: failures, random: 0) == pause * 4 / 5)
            let drawn = (0..<2_000).map { PushSchedule.pause(after: failures, random: $0 &* 0x9E37_79B9_7F4A_7C15) }
            #expect(drawn.allSatisfy { (pause * 4 / 5...pause * 6 / 5).contains($0) })
            #expect(PushSchedule.pause(after: failures, random: UInt64(pause * 2 / 5)) == pause * 6 / 5)
        }
    }

    /// A clock that is set back makes nothing wait for hours.
    @Test func clocksThatAreSetBackEndPauses() {
        var schedule = PushSchedule()
        let entry = OutboxEntry(collection: 1, id: "a", kind: .update, firstAt: 0)
        let result = PushResult(failures: [.init(collection: "Book", id: "a", error: .unreachable(""))])
        schedule.note([entry], result, at: 1_000_000, random: 0)
        #expect(schedule.rest(of: entry, at: 1_000_100) == 700 && schedule.rest(at: 1_000_100) == 700)
        #expect(schedule.rest(of: entry, at: 999_999) == 0 && schedule.rest(at: 999_999) == 0)
        var edited = entry
        edited.revision += 1
        #expect(schedule.rest(of: edited, at: 1_000_100) == 0)
        schedule.keep([], of: 1)
        #expect(schedule.rest(of: entry, at: 1_000_100) == 0)
    }
}
