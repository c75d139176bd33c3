import Foundation
import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport
import Testing

/// What goes wrong with networks and services, one fault a test.
@Suite struct StoreNetworkTests {
    private let harness: ServiceHarness

    init() throws { harness = try .open() }

    @Test func offlineAutoStoresReadTheCacheAndWait() async throws {
        let network = Network(harness)
        let books = try harness.client(over: network).store(Novel.self)
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

    /// A service that wants to be left alone by saves is still asked by reads, and its error is told.
    @Test(arguments: [StoreType.auto, .cache]) func busyServicesAreRead(type: StoreType) async throws {
        #expect(await harness.send("PUT", "Book/b", #"{"title":"one"}"#).status == 201)
        let isBusy = Mutex(true)
        let transport = FunctionTransport { [harness] request in
            guard isBusy.withLock({ $0 }) else { return await harness.service.answer(request) }
            let body = #"{"error":"ServiceUnavailable","description":"busy","debug":""}"#
            let headers: HeaderFields = [("Content-Type", "application/json"), ("Retry-After", "2")]
            return WireResponse(status: 503, headers: headers, body: Array(body.utf8))
        }
        let time = harness.time
        let client = try StoreClient(
            transport,
            app: .init(key: "kid", secret: "s"),
            cache: .memory,
            environment: StoreEnvironment(now: { time.now }, random: { time.random() })
        )
        let books = client.store(Novel.self, type)
        await #expect(throws: StoreError.self) { try await books.find() }
        await #expect(throws: StoreError.self) { try await books.find() }
        isBusy.withLock { $0 = false }
        #expect(try await books.find().map(\.title) == ["one"])
        #expect(try await books.find(id: "b").title == "one")
        try await books.save(Novel(id: "c"))
        #expect(try await books.syncCount() == 1)
        harness.time.advance(2_000)
        try await books.save(Novel(id: "d"))
        #expect(try await books.syncCount() == 1)
    }

    /// The answer to a new entity is lost: it is there once all the same.
    @Test(arguments: [false, true]) func lostAnswersMakeNoSecondEntity(isForeign: Bool) async throws {
        let network = Network(harness, isForeign: isForeign)
        let books = try harness.client(over: network).store(Novel.self, .sync)
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
        let books = try harness.client(over: network).store(Novel.self, .sync)
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
        let books = try harness.client(over: Network(harness)).store(Novel.self, .sync)
        try await books.save(Novel(id: "b", title: "x"))
        _ = try await books.push()
        #expect(await harness.send("DELETE", "Book/b").status == 200)
        try await books.remove(id: "b")
        #expect(try await books.push().failures.isEmpty)
        #expect(try await books.syncCount() == 0)
    }

    /// An address with a path too many: nothing is taken for done, and everybody says so.
    @Test func wrongAddressesAcknowledgeNothing() async throws {
        let service = harness.service
        let base = Mutex("/base")
        let client = try StoreClient(
            FunctionTransport { request in
                var moved = request
                moved.path = base.withLock { $0 } + request.path
                return await service.answer(moved)
            },
            app: .init(key: ServiceHarness.key, secret: "s"),
            cache: .memory
        )
        let (books, shelf) = (client.store(Novel.self, .sync), client.store(Novel.self, .network))
        #expect(await harness.send("PUT", "Book/b", "{}").status == 201)
        try await books.remove(id: "b")
        try await books.save([Novel(title: "x"), Novel(title: "y")])
        let result = try await books.sync()
        #expect(result.push.count == 0 && result.push.failures.count == 3 && result.pull == nil)
        let waiting = try await books.pending()
        #expect(waiting.map(\.isRefused) == [false, false, false])
        let calls: [(String, () async throws -> Void)] = [
            ("find", { _ = try await shelf.find() }), ("find(id:)", { _ = try await shelf.find(id: "b") }),
            ("count", { _ = try await shelf.count() }), ("remove(id:)", { _ = try await shelf.remove(id: "b") }),
            ("logIn", { _ = try await client.logIn(username: "ann", password: "p") }),
        ]
        for (name, call) in calls {
            do {
                try await call()
                Issue.record("\(name) has nobody to ask")
            } catch {
                #expect("\(error)".contains("check the address"), "\(name): \(error)")
            }
        }
        base.withLock { $0 = "" }
        #expect(try await books.push().count == 3)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":2}"#)
    }

    /// What the service does not have is not found in the cache either, unless it waits there.
    @Test(arguments: [StoreType.auto, .cache]) func whatIsGoneLeavesTheCache(type: StoreType) async throws {
        let network = Network(harness)
        let books = try harness.client(over: network).store(Novel.self, type)
        try await books.save([Novel(id: "a", title: "one"), Novel(id: "b", title: "one")])
        harness.time.advance(5)
        for id in ["a", "b"] { #expect(await harness.send("DELETE", "Book/\(id)").status == 200) }
        try await books.save(Novel(id: "b", title: "two"), options: Options(writePolicy: .local))
        do {
            _ = try await books.find(id: "a")
            Issue.record("a is gone")
        } catch {
            guard case .notFound = error else { throw error }
        }
        #expect(try await books.find(id: "b").title == "two")
        network.isOnline = false
        #expect(try await books.find().map(\._id) == ["b"])
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

    /// Nobody can log in who has the wrong secret.
    @Test func wrongSecretsAreTold() async throws {
        let service = harness.service
        let transport = FunctionTransport { request in await service.answer(request) }
        let client = try StoreClient(transport, app: .init(key: ServiceHarness.key, secret: "x"), cache: .memory)
        do {
            _ = try await client.store(Novel.self, .network).find()
            Issue.record("a wrong secret")
        } catch {
            #expect("\(error)".hasSuffix("check the key and the secret of the app"), "\(error)")
        }
    }

    @Test func answersThatAreCutAreTold() async throws {
        let small = try ServiceHarness {
            $0.rights = .public; $0.limits.entitiesPerAnswer = 3
        }
        let client = try small.client()
        try await client.store(Novel.self, .sync).save((0..<5).map { Novel(title: "\($0)") })
        _ = try await client.push()
        #expect(try await client.store(Novel.self, .sync).pull().entities.count == 5)
        do {
            _ = try await client.store(Novel.self, .sync, paging: false).pull()
            Issue.record("an answer that is cut")
        } catch {
            guard case .truncated(3) = error else { throw error }
            #expect("\(error)".contains("a limit of at most 3"))
        }
    }

    /// A pull goes on where an earlier one broke, and sees what changed behind that place.
    @Test(arguments: [false, true]) func brokenPullsMissNothing(isDelta: Bool) async throws {
        let service = harness.service
        let rest = Mutex(Int.max)
        let transport = FunctionTransport { request in
            let isOver = rest.withLock { rest in
                rest -= 1
                return rest < 0
            }
            return isOver ? WireResponse(status: 503) : await service.answer(request)
        }
        let options = Options(deltaSync: isDelta, pageSize: 1)
        let client = try StoreClient(transport, app: .init(key: "kid", secret: "s"), cache: .memory, options: options)
        let books = client.store(Novel.self, .sync)
        for id in ["a", "b", "c"] { _ = await harness.send("PUT", "Book/\(id)", #"{"title":"one"}"#) }
        if isDelta { _ = try await books.pull() }
        for id in ["a", "b", "c"] { _ = await harness.send("PUT", "Book/\(id)", #"{"title":"two"}"#) }
        // The first request asks whose service it is.
        rest.withLock { $0 = isDelta ? 2 : 3 }
        do {
            _ = try await books.pull()
            Issue.record("a pull without an answer")
        } catch {
            guard case .foreignAnswer = error else { throw error }
        }
        #expect(try await books.find().filter { $0.title == "two" }.count == 2)
        _ = await harness.send("PUT", "Book/a", #"{"title":"three"}"#)
        rest.withLock { $0 = Int.max }
        #expect(try await books.pull().wasDelta == isDelta)
        #expect(try await books.find().compactMap(\.title).sorted() == ["three", "two", "two"])
        #expect(rest.withLock { Int.max - $0 } <= 5, "the pull began anew")
    }

    /// Without the time of an answer nobody knows which rows it lacked; they stay.
    @Test(arguments: [false, true]) func pullsWithoutATimeAreRefused(isDelta: Bool) async throws {
        let service = harness.service
        let isPlain = Mutex(false)
        let transport = FunctionTransport { request in
            var response = await service.answer(request)
            if isPlain.withLock({ $0 }) { response.headers["X-Kinvey-Request-Start"] = nil }
            return response
        }
        let options = Options(deltaSync: isDelta)
        let client = try StoreClient(transport, app: .init(key: "kid", secret: "s"), cache: .memory, options: options)
        let books = client.store(Novel.self, .sync)
        _ = await harness.send("PUT", "Book/a", "{}")
        #expect(try await books.pull().entities.count == 1)
        isPlain.withLock { $0 = true }
        _ = await harness.send("PUT", "Book/b", "{}")
        await #expect {
            try await books.pull()
        } throws: {
            "\($0)".contains("X-Kinvey-Request-Start")
        }
        #expect(try await books.find().compactMap(\._id) == ["a"])
        isPlain.withLock { $0 = false }
        #expect(try await books.pull().wasDelta == isDelta)
        #expect(try await books.find().count == 2)
    }

    /// A service that ignores the order, or changes its history with each answer, is not asked for ever.
    @Test(arguments: [
        [("X-PQL-Epoch", "one")], [("X-PQL-Truncated", "0")], [("X-PQL-Epoch", "")],
        [("X-PQL-Next", "2024-01-01T00:00:00.000Z,b")],
    ]) func pagesThatDoNotGoOnAreRefused(headers: [(String, String)]) async throws {
        let asked = Mutex(0)
        let transport = FunctionTransport { request in
            let count = asked.withLock { count in
                count += 1
                return count
            }
            var fields: HeaderFields = [
                ("Content-Type", "application/json"), ("X-Kinvey-Request-Start", "2024-01-01T00:00:00.000Z"),
            ]
            for (name, value) in headers { fields[name] = value.isEmpty ? String(count) : value }
            if request.path == "/appdata/kid" {
                return WireResponse(status: 200, headers: fields, body: Array(#"{"kinvey":"hello"}"#.utf8))
            }
            let isDelta = request.path.hasSuffix("_deltaset")
            let isEmpty = fields["X-PQL-Truncated"] != nil
            // The first pull is whole, where it is about the delta after it.
            let isWhole = fields["X-PQL-Next"] != nil && !isDelta
            let entities = isEmpty ? "" : isWhole ? "" : #"{"_id":"b"}"#
            let body = isDelta ? #"{"changed":[\#(entities)],"deleted":[]}"# : "[\(entities)]"
            if count > 50 { return WireResponse(status: 400) }
            return WireResponse(status: 200, headers: fields, body: Array(body.utf8))
        }
        let options = Options(deltaSync: true, pageSize: 1)
        let client = try StoreClient(transport, app: .init(key: "kid", secret: "s"), cache: .memory, options: options)
        let books = client.store(Novel.self, .sync)
        do {
            for _ in 0..<2 { _ = try await books.pull() }
            Issue.record("pages without an end")
        } catch {
            guard case .badAnswer = error else { throw error }
        }
        #expect(asked.withLock { $0 } < 10)
    }
}
