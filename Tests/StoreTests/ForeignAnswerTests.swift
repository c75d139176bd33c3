import PredicateQL
import QueryValues
import StoreModel
import StoreSupport
import Testing

@testable import PredicateQLStore

/// Something else answers in the service's place: nothing is acknowledged, refused or lost, and nobody is logged out.
@Suite struct ForeignAnswerTests {
    /// A way to a service that a gateway stands in.
    private final class Gateway: Transport {
        let harness: ServiceHarness
        let isForeign: Bool
        private let state = Mutex((answer: ForeignAnswer?.none, acts: false, keys: [String](), caught: 0))

        init(_ harness: ServiceHarness, isForeign: Bool) { (self.harness, self.isForeign) = (harness, isForeign) }

        /// What is answered in the service's place.
        var answer: ForeignAnswer? {
            get { state.withLock { $0.answer } }
            set { state.withLock { $0.answer = newValue } }
        }
        /// Whether the service acts before its answer is replaced.
        var acts: Bool {
            get { state.withLock { $0.acts } }
            set { state.withLock { $0.acts = newValue } }
        }
        /// The keys of all changes that were sent.
        var keys: [String] { state.withLock { $0.keys } }
        /// How many requests the service did not answer.
        var caught: Int { state.withLock { $0.caught } }

        func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            let (answer, acts) = state.withLock { state in
                state.keys += request.headers["Idempotency-Key"].map { [$0] } ?? []
                let text = String(decoding: request.body, as: UTF8.self)
                state.keys += text.matches(of: /"rid":"([^"]*)"/).map { String($0.output.1) }
                if state.answer != nil { state.caught += 1 }
                return (state.answer, state.acts)
            }
            guard let answer else { return await harness.answer(request, isForeign: isForeign) }
            if acts { _ = await harness.answer(request, isForeign: isForeign) }
            return answer.response
        }
    }

    private let harness: ServiceHarness

    init() throws { harness = try .open() }

    private func client(_ gateway: Gateway, _ options: Options = Options()) throws -> StoreClient {
        let numbers = ServiceHarness.Clock(seed: 1)
        let time = harness.time
        return try StoreClient(
            gateway,
            app: .init(key: ServiceHarness.key, secret: "s"),
            cache: .memory,
            options: options,
            environment: StoreEnvironment(now: { time.now }, random: { numbers.random() })
        )
    }

    /// Novels on the service and in the cache: `a`, `b`, and `c`.
    private func fill(_ novels: DataStore<Novel>) async throws {
        try await novels.save(["a", "b", "c"].map { Novel(id: $0, title: "one", year: 1) })
        #expect(try await novels.push().failures.isEmpty)
        harness.time.advance(6_000)
        #expect(try await novels.pull().entities.count == 3)
    }

    /// Runs what must end with the answer's status and type in its error.
    private func expectForeign(
        _ answer: ForeignAnswer,
        _ place: String,
        _ body: () async throws(StoreError) -> Void
    ) async {
        do throws(StoreError) {
            try await body()
            Issue.record("\(place): \(answer) was believed")
        } catch {
            guard case .foreignAnswer(let fault) = error else {
                Issue.record("\(place): \(answer) was taken for \(error)")
                return
            }
            #expect(fault.status == answer.response.status)
            #expect(error.description.contains("status \(answer.response.status), "))
            #expect(error.description.contains(answer.response.headers["Content-Type"] ?? "no content type"))
        }
    }

    // MARK: Pushes

    /// One change of each kind waits, new ones go together; the service may have acted or not.
    @Test(arguments: ForeignAnswer.all, [false, true])
    func whatWaitsGoesOnWaiting(answer: ForeignAnswer, isForeign: Bool) async throws {
        for (acts, conflict) in [(false, ConflictRule.clientWins), (true, .clientWins), (false, .serverWins)] {
            let harness = try ServiceHarness.open()
            let test = try ForeignAnswerTests(harness: harness)
            try await test.pushThrough(answer, isForeign: isForeign, acts: acts, conflict)
        }
    }

    private init(harness: ServiceHarness) throws { self.harness = harness }

    private func pushThrough(
        _ answer: ForeignAnswer,
        isForeign: Bool,
        acts: Bool,
        _ conflict: ConflictRule
    ) async throws {
        let gateway = Gateway(harness, isForeign: isForeign)
        let novels = try client(gateway, Options(conflict: conflict, connections: 1)).store(Novel.self, .sync)
        try await fill(novels)
        try await novels.remove(id: "a")
        try await novels.save(Novel(id: "b", title: "two"))
        try await novels.save([Novel(title: "new"), Novel(title: "new")])
        try await novels.save(Novel(id: "d", title: "named"))
        gateway.answer = answer
        gateway.acts = acts
        let before = gateway.keys.count
        for round in 1...2 {
            let result = try await novels.sync()
            #expect(result.push.count == 0 && result.push.failures.count == 5 && result.pull == nil)
            for failure in result.push.failures {
                await expectForeign(answer, "push \(round)") { () throws(StoreError) in throw failure.error }
            }
            harness.time.advance(6_000)
        }
        let tried = Set(gateway.keys.dropFirst(before))
        let waiting = try await novels.pending()
        #expect(waiting.count == 5)
        #expect(waiting.allSatisfy { !$0.isRefused && $0.attempts >= 2 })
        #expect(try await novels.find().compactMap(\.title).sorted() == ["named", "new", "new", "one", "two"])
        gateway.answer = nil
        harness.time.advance(6_000)
        let again = gateway.keys.count
        // A service without receipts says first that an id is taken.
        for _ in 0..<(isForeign && acts ? 3 : 1) { _ = try await novels.push() }
        #expect(tried.isSubset(of: gateway.keys.dropFirst(again)), "another number was given")
        #expect(try await novels.pending().isEmpty)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":5}"#)
        #expect(await harness.send("GET", "Book/a").status == 404)
        harness.time.advance(6_000)
        #expect(try await novels.pull().entities.compactMap(\.title).sorted() == ["named", "new", "new", "one", "two"])
    }

    /// What a gateway does not let through keeps nothing else from being pushed (W11).
    @Test(arguments: [403, 413]) func othersPassMeanwhile(status: Int) async throws {
        let service = harness.service
        let transport = FunctionTransport { request in
            let isBlocked = String(decoding: request.body, as: UTF8.self).contains("<script>")
            let headers: HeaderFields = [("Content-Type", "text/html")]
            return isBlocked ? WireResponse(status: status, headers: headers) : await service.answer(request)
        }
        let client = try StoreClient(transport, app: .init(key: "kid", secret: "s"), cache: .memory)
        let novels = client.store(Novel.self, .sync)
        try await novels.save([Novel(title: "<script>"), Novel(title: "one"), Novel(title: "two")])
        try await novels.save(Novel(id: "x", title: "<script>"))
        try await novels.save(Novel(id: "y", title: "three"))
        let result = try await novels.push()
        #expect(result.count == 3 && result.failures.count == 2)
        let waiting = try await novels.pending()
        #expect(waiting.count == 2 && waiting.allSatisfy { $0.fault?.status == status && !$0.isRefused })
    }

    // MARK: Reads

    @Test(arguments: ForeignAnswer.all, [false, true])
    func readsAnswerFromTheCacheOrSaySo(answer: ForeignAnswer, isForeign: Bool) async throws {
        let gateway = Gateway(harness, isForeign: isForeign)
        let client = try client(gateway, Options(deltaSync: true))
        try await fill(client.store(Novel.self, .sync))
        let novels = client.store(Novel.self, .auto)
        var limited = try Query(format: "year == 1")
        (limited.order, limited.limit) = ([.ascending("title")], 2)
        let groups = Query().grouped(by: "title", computing: [.sum("year")])
        gateway.answer = answer
        func expectAsked(_ expected: Int, _ body: () async throws(StoreError) -> Int) async throws {
            harness.time.advance(6_000)
            let before = gateway.caught
            let found = try await body()
            #expect(found == expected)
            #expect(gateway.caught > before, "the service was not asked")
        }
        try await expectAsked(3) { () throws(StoreError) in try await novels.find().count }
        try await expectAsked(2) { () throws(StoreError) in try await novels.find(limited).count }
        try await expectAsked(1) { () throws(StoreError) in try await novels.find(id: "a").year ?? 0 }
        try await expectAsked(3) { () throws(StoreError) in try await novels.count() }
        try await expectAsked(1) { () throws(StoreError) in try await novels.groups(groups).count }
        let forced = Options(readPolicy: .network)
        let sync = client.store(Novel.self, .sync)
        await expectForeign(answer, "find") { () throws(StoreError) in _ = try await novels.find(options: forced) }
        await expectForeign(answer, "limit") { () throws(StoreError) in
            _ = try await novels.find(limited, options: forced)
        }
        await expectForeign(answer, "id") { () throws(StoreError) in
            _ = try await novels.find(id: "a", options: forced)
        }
        await expectForeign(answer, "count") { () throws(StoreError) in _ = try await novels.count(options: forced) }
        await expectForeign(answer, "groups") { () throws(StoreError) in
            _ = try await novels.groups(groups, options: forced)
        }
        for isDelta in [true, false] {
            await expectForeign(answer, "pull") { () throws(StoreError) in
                _ = try await sync.pull(options: Options(deltaSync: isDelta))
            }
        }
        #expect(try await sync.find().count == 3)
        gateway.answer = nil
        harness.time.advance(6_000)
        _ = await harness.send("PUT", "Book/e", #"{"title":"new"}"#)
        harness.time.advance(6_000)
        let pulled = try await sync.pull()
        #expect(pulled.wasDelta && pulled.changed == 1)
        #expect(try await novels.find().count == 4)
    }

    // MARK: Writes

    /// Stores that save in the cache first behave as if there were no network.
    @Test(arguments: ForeignAnswer.all, [false, true])
    func writesOfAutoStoresWait(answer: ForeignAnswer, isForeign: Bool) async throws {
        let gateway = Gateway(harness, isForeign: isForeign)
        let client = try client(gateway)
        try await fill(client.store(Novel.self, .sync))
        let novels = client.store(Novel.self, .auto)
        gateway.answer = answer
        #expect(try await novels.save(Novel(title: "new"))._kmd == nil)
        harness.time.advance(6_000)
        #expect(try await novels.save([Novel(title: "new"), Novel(title: "new")]).errors.isEmpty)
        harness.time.advance(6_000)
        #expect(try await novels.remove(id: "a") == 1)
        harness.time.advance(6_000)
        #expect(try await novels.remove(Query(format: "year == 1")) == 2)
        #expect(try await novels.syncCount() == 6)
        gateway.answer = nil
        harness.time.advance(6_000)
        #expect(try await novels.push().count == 6)
        #expect(try await novels.find().compactMap(\.title) == ["new", "new", "new"])
    }

    /// Stores that keep nothing say that nobody knows what happened.
    @Test(arguments: ForeignAnswer.all, [false, true])
    func networkStoresSayWhoAnswered(answer: ForeignAnswer, isForeign: Bool) async throws {
        let gateway = Gateway(harness, isForeign: isForeign)
        let client = try client(gateway)
        try await fill(client.store(Novel.self, .sync))
        let novels = client.store(Novel.self, .network)
        let query = try Query(format: "year == 1")
        gateway.answer = answer
        await expectForeign(answer, "save") { () throws(StoreError) in _ = try await novels.save(Novel(title: "x")) }
        await expectForeign(answer, "named") { () throws(StoreError) in _ = try await novels.save(Novel(id: "x")) }
        await expectForeign(answer, "removal") { () throws(StoreError) in _ = try await novels.remove(id: "a") }
        await expectForeign(answer, "query") { () throws(StoreError) in _ = try await novels.remove(query) }
        await expectForeign(answer, "all") { () throws(StoreError) in _ = try await novels.removeAll() }
        await expectForeign(answer, "find") { () throws(StoreError) in _ = try await novels.find() }
        await expectForeign(answer, "id") { () throws(StoreError) in _ = try await novels.find(id: "a") }
        await expectForeign(answer, "count") { () throws(StoreError) in _ = try await novels.count() }
        let saved = try await novels.save([Novel(title: "y")])
        for error in saved.errors {
            await expectForeign(answer, "several") { () throws(StoreError) in throw error.error }
        }
        #expect(saved.errors.count == 1)
        gateway.answer = nil
        #expect(try await novels.find().count == 3)
        #expect(try await novels.remove(query) == 3)
    }

    // MARK: Users

    @Test(arguments: ForeignAnswer.all) func nobodyIsLoggedOut(answer: ForeignAnswer) async throws {
        let gateway = Gateway(harness, isForeign: false)
        let client = try client(gateway)
        try await client.signUp(username: "ann", password: "p")
        let ann = await client.activeUser
        let novels = client.store(Novel.self, .sync)
        try await novels.save(Novel(id: "a"))
        gateway.answer = answer
        #expect(try await novels.push().failures.count == 1)
        await expectForeign(answer, "log-in") { () throws(StoreError) in
            try await client.logIn(username: "ann", password: "p")
        }
        await expectForeign(answer, "sign-up") { () throws(StoreError) in try await client.signUp() }
        #expect(await client.activeUser == ann)
        #expect(try await novels.syncCount() == 1)
        gateway.answer = nil
        harness.time.advance(6_000)
        #expect(try await novels.push().count == 1)
    }
}
