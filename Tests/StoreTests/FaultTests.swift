import Foundation
import PredicateQL
import PredicateQLSQLite
import PredicateQLService
import PredicateQLStore
import StoreModel
import StoreSupport
import QueryValues
import Testing

/// What goes wrong with networks, services, files and users, one fault a test.
@Suite struct StoreFaultTests {
    /// A network that a test switches off, and that loses answers.
    final class Network: Transport {
        let harness: ServiceHarness
        /// Whether the service looks like one that is not ours: no headers of ours, no receipts, no pages of deltas.
        let isForeign: Bool
        private let state = Mutex((isOnline: true, losesAnswers: false, sent: [String]()))

        init(_ harness: ServiceHarness, isForeign: Bool = false) {
            (self.harness, self.isForeign) = (harness, isForeign)
        }

        var isOnline: Bool {
            get { state.withLock { $0.isOnline } }
            set { state.withLock { $0.isOnline = newValue } }
        }
        var losesAnswers: Bool {
            get { state.withLock { $0.losesAnswers } }
            set { state.withLock { $0.losesAnswers = newValue } }
        }
        var sent: [String] { state.withLock { $0.sent } }

        func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            guard isOnline else { throw .unreachable("offline") }
            state.withLock { $0.sent.append(request.method) }
            var request = request
            if isForeign {
                for name in ["Idempotency-Key", "X-PQL-Client", "X-PQL-Epoch"] { request.headers[name] = nil }
                let text = String(decoding: request.body, as: UTF8.self)
                request.body = Array(text.replacing(/,?"_kmd":\{"rid":"[^"]*"\}/, with: "").utf8)
            }
            var response = await harness.service.answer(request)
            if isForeign {
                for field in response.headers where field.name.hasPrefix("X-PQL") { response.headers[field.name] = nil }
            }
            if losesAnswers { throw .timedOut }
            return response
        }
    }

    private let harness: ServiceHarness

    init() throws {
        harness = try ServiceHarness {
            $0.deltas = .all; $0.rights = .public
        }
    }

    private func client(
        _ network: Network,
        _ cache: StoreClient.CacheLocation = .memory,
        options: Options = Options(),
        migrations: [Migration] = [],
        seed: UInt64 = 1
    ) throws -> StoreClient {
        let numbers = ServiceHarness.Clock(seed: seed)
        let time = harness.time
        return try StoreClient(
            network,
            app: .init(key: "kid", secret: "s"),
            cache: cache,
            options: options,
            migrations: migrations,
            environment: StoreEnvironment(now: { time.now }, random: { numbers.random() })
        )
    }

    private func folder() -> String {
        NSTemporaryDirectory() + "predicateql-store-" + UUID().uuidString
    }

    // MARK: Networks

    @Test func offlineAutoStoresReadTheCacheAndWait() async throws {
        let network = Network(harness)
        let books = try client(network).store(Novel.self)
        let emma = try await books.save(Novel(title: "Emma"))
        #expect(emma._kmd?.changed != nil)
        network.isOnline = false
        #expect(try await books.find().map(\.title) == ["Emma"])
        let dune = try await books.save(Novel(title: "Dune"))
        #expect(dune._kmd == nil)
        #expect(try await books.syncCount() == 1)
        // A failure counts for five seconds, in which nobody waits for another.
        network.isOnline = true
        let before = network.sent.count
        #expect(try await books.find().count == 2)
        #expect(network.sent.count == before)
        harness.time.advance(6_000)
        #expect(try await books.find().count == 2)
        #expect(network.sent.count > before)
        #expect(try await books.push().count == 1)
        do {
            network.isOnline = false
            _ = try await books.find(options: Options(readPolicy: .forceNetwork))
            Issue.record("a forced network read without a network")
        } catch {
            guard case .unreachable = error else { throw error }
        }
    }

    /// The answer to a new entity is lost: it is there once all the same.
    @Test(arguments: [false, true]) func lostAnswersMakeNoSecondEntity(isForeign: Bool) async throws {
        let network = Network(harness, isForeign: isForeign)
        let books = try client(network).store(Novel.self, .sync)
        try await books.save([Novel(title: "a"), Novel(title: "b")])
        network.losesAnswers = true
        let lost = try await books.push()
        #expect(lost.count == 0 && lost.failures.count == 2)
        network.losesAnswers = false
        for _ in 0..<3 where try await books.syncCount() > 0 { _ = try await books.push() }
        #expect(try await books.pending().isEmpty)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":2}"#)
        harness.time.advance(5)
        #expect(try await books.pull().entities.count == 2)
    }

    /// An edit that is made while the answer is on its way is not taken for sent.
    @Test func editsDuringAPushAreKept() async throws {
        let network = Network(harness)
        let books = try client(network).store(Novel.self, .sync)
        var book = try await books.save(Novel(title: "one"))
        network.losesAnswers = true
        _ = try await books.push()
        network.losesAnswers = false
        book.title = "two"
        try await books.save(book)
        #expect(try await books.push().count == 1)
        #expect(await harness.send("GET", "Book/\(book._id ?? "")").body.contains("two"))
    }

    @Test func removalsOfWhatIsGoneAreDone() async throws {
        let books = try client(Network(harness)).store(Novel.self, .sync)
        try await books.save(Novel(id: "b", title: "x"))
        try await books.push()
        #expect(await harness.send("DELETE", "Book/b").status == 200)
        try await books.remove(id: "b")
        #expect(try await books.push().failures.isEmpty)
        #expect(try await books.syncCount() == 0)
    }

    /// One change that the service refuses keeps neither the others nor pulls.
    @Test func refusedChangesBlockNothing() async throws {
        let closed = try ServiceHarness { $0.rights = .shared }
        let (ann, bob) = (await closed.signUp("ann"), await closed.signUp("bob"))
        _ = bob
        #expect(await closed.send("PUT", "Book/a", #"{"title":"ann's"}"#, as: ann.session).status == 201)
        let bobs = try closed.client()
        try await bobs.logIn(username: "bob", password: "p")
        let books = bobs.store(Novel.self, .sync)
        var book = try #require(try await books.pull().entities.first)
        book.title = "bob's"
        try await books.save(book)
        try await books.save(Novel(title: "new"))
        let result = try await books.sync()
        #expect(result.push.count == 1 && result.push.failures.count == 1)
        #expect(result.pull != nil)
        let waiting = try #require(try await books.pending().first)
        #expect(waiting.isRefused && waiting.fault?.name == .insufficientCredentials && waiting.attempts == 1)
        #expect(try await books.find(id: "a").title == "bob's")
        try await books.drop(waiting)
        #expect(try await books.find(id: "a").title == "ann's")
    }

    @Test func sessionsThatEndedKeepWhatWaits() async throws {
        let harness = try ServiceHarness { $0.rights = .shared }
        let client = try harness.client()
        try await client.signUp(username: "ann", password: "p")
        let books = client.store(Novel.self, .auto)
        try await books.save(Novel(title: "one"))
        // Another device changes the password, and the sessions end.
        let id = try #require(await client.activeUser?.id)
        #expect(await harness.send("PUT", "/user/kid/\(id)", #"{"password":"q"}"#).status == 200)
        do {
            try await books.save(Novel(title: "two"))
            Issue.record("a save without a session")
        } catch {
            guard case .unauthorized = error else { throw error }
        }
        #expect(try await books.syncCount() == 1)
        try await client.logIn(username: "ann", password: "q")
        #expect(try await books.push().count == 1)
    }

    // MARK: Files

    @Test func whatWaitsOutlivesTheProcess() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await client(Network(harness), .folder(folder)).store(Novel.self, .sync).save(Novel(id: "b", title: "x"))
        let again = try client(Network(harness), .folder(folder)).store(Novel.self, .sync)
        #expect(try await again.find(id: "b").title == "x")
        #expect(try await again.push().count == 1)
    }

    @Test func usersHaveCachesOfTheirOwn() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let one = try client(Network(harness), .folder(folder))
        try await one.signUp(username: "ann", password: "p")
        let books = one.store(Novel.self, .sync)
        try await books.save(Novel(title: "ann's"))
        try await one.logOut()
        #expect(try await books.find().isEmpty)
        try await one.signUp(username: "bob", password: "p")
        #expect(try await books.push().count == 0)
        try await one.logIn(username: "ann", password: "p")
        let again = try client(Network(harness), .folder(folder), seed: 2)
        #expect(try await again.resume()?.username == "ann")
        #expect(try await again.store(Novel.self, .sync).syncCount() == 1)
    }

    /// A file that was copied to another device does not use up the other's numbers.
    @Test func copiesTakeAnotherName() async throws {
        let (folder, copy) = (folder(), folder())
        defer { for path in [folder, copy] { try? FileManager.default.removeItem(atPath: path) } }
        do {
            let books = try client(Network(harness), .folder(folder)).store(Novel.self, .sync)
            try await books.save(Novel(id: "b", title: "first"))
            try await books.push()
        }
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        let mine = try client(Network(harness), .folder(folder), seed: 3).store(Novel.self, .sync)
        let yours = try client(Network(harness), .folder(copy), seed: 4).store(Novel.self, .sync)
        try await mine.save(Novel(id: "b", title: "mine"))
        #expect(try await mine.push().count == 1)
        try await yours.save(Novel(id: "b", title: "yours"))
        for _ in 0..<3 where try await yours.syncCount() > 0 { _ = try await yours.push() }
        #expect(try await yours.pending().isEmpty)
        #expect(await harness.send("GET", "Book/b").body.contains("yours"))
    }

    @Test func entitiesAreBroughtToLaterVersions() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await client(Network(harness), .folder(folder)).store(Novel.self, .sync).save(Novel(id: "b", title: "x"))
        let steps = [
            Migration(to: 2) { _, entity in entity.rename("name", to: "title") },
            Migration(to: 1) { _, entity in entity.rename("title", to: "name") },
        ]
        for _ in 0..<2 {
            let books = try client(Network(harness), .folder(folder), migrations: steps).store(Novel.self, .sync)
            #expect(try await books.find(id: "b").title == "x")
        }
        let later = steps + [Migration(to: 3) { _, entity in entity["year"] = 1815 }]
        let books = try client(Network(harness), .folder(folder), migrations: later).store(Novel.self, .sync)
        #expect(try await books.find(id: "b").year == 1815)
        #expect(try await books.push().count == 1)
    }

    @Test func filesThatAreNoDatabaseAreSetAside() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/kid-anonymous.sqlite"
        try Data(String(repeating: "no database ", count: 400).utf8).write(to: URL(fileURLWithPath: path))
        let books = try client(Network(harness), .folder(folder)).store(Novel.self, .sync)
        try await books.save(Novel(title: "x"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.contains { $0.hasSuffix(".set-aside.sqlite") }, "\(names)")
    }

    /// What waits in a file that is set aside is carried over, and brought to the app's version.
    @Test func whatWaitsIsCarriedOver() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let books = try client(Network(harness), .folder(folder)).store(Novel.self, .sync)
            try await books.save(Novel(id: "gone", title: "gone"))
            try await books.push()
            try await books.remove(id: "gone")
            try await books.save(Novel(id: "b", title: "x"))
        }
        try SQLiteDatabase(path: folder + "/kid-anonymous.sqlite", isReadOnly: false)
            .execute("ALTER TABLE client RENAME COLUMN format TO other")
        let step = Migration(to: 1) { _, entity in entity["year"] = 1815 }
        let books = try client(Network(harness), .folder(folder), migrations: [step], seed: 2)
            .store(Novel.self, .sync)
        #expect(try await books.pending().map(\.kind) == [.delete, .update])
        #expect(try await books.find().map(\.year) == [1815])
        #expect(try await books.push().count == 2)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":1}"#)
    }

    /// A change that is made while a conflict is decided was not decided about.
    @Test func changesDuringADecisionWait() async throws {
        let client = try client(Network(harness))
        let plain = client.store(Novel.self, .sync)
        try await plain.save(Novel(id: "b", title: "base"))
        try await plain.push()
        harness.time.advance(5)
        #expect(await harness.send("PUT", "Book/b", #"{"title":"theirs"}"#).status == 200)
        try await plain.save(Novel(id: "b", title: "first"))
        let rule = ConflictRule.ask { _ in
            _ = try? await plain.save(Novel(id: "b", title: "second"))
            return .takeTheirs
        }
        let result = try await client.store(Novel.self, .sync, options: Options(conflict: rule)).push()
        #expect(result.overruled.isEmpty && result.failures.count == 1)
        #expect(try await plain.find(id: "b").title == "second")
        #expect(try await plain.syncCount() == 1)
    }

    @Test func oldRowsAreNotValid() async throws {
        let network = Network(harness)
        let books = try client(network, options: Options(ttl: .seconds(60))).store(Novel.self, .sync)
        try await books.save(Novel(id: "b", title: "x"))
        try await books.sync()
        #expect(try await books.find().count == 1)
        harness.time.advance(61_000)
        for isSingle in [true, false] {
            do {
                _ = isSingle ? [try await books.find(id: "b")] : try await books.find()
                Issue.record("a row that is too old")
            } catch {
                guard case .noValidLocalData = error else { throw error }
            }
        }
    }

    @Test func answersThatAreCutAreTold() async throws {
        let small = try ServiceHarness {
            $0.rights = .public; $0.limits.entitiesPerAnswer = 3
        }
        let client = try small.client()
        try await client.store(Novel.self, .sync).save((0..<5).map { Novel(title: "\($0)") })
        try await client.push()
        #expect(try await client.store(Novel.self, .sync).pull().entities.count == 5)
        do {
            _ = try await client.store(Novel.self, .sync, paging: false).pull()
            Issue.record("an answer that is cut")
        } catch {
            guard case .truncated(3) = error else { throw error }
        }
    }

    /// What is known of old queries does not grow without end.
    @Test func fewQueriesAreTracked() async throws {
        let client = try harness.client()
        let books = client.store(Novel.self)
        for year in 0..<40 { _ = try await books.find(Query(format: "year == \(year)")) }
        #expect(try await client.trackedQueries(Novel.collection) == 32)
    }
}
