import Foundation
import PredicateQL
import PredicateQLStore
import StoreModel
import StoreSupport
import Testing

/// What an app sees of one store whatever lies between it and the service.
@Suite struct SeamTests {
    private let harness: ServiceHarness

    init() throws { harness = try .open() }

    /// An app that gives `year` to every book, and knows three ranks.
    private struct Ranked: Entity {
        static let collection = "Book"
        enum Rank: String, Codable { case high, low }
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var year: Int
        var rank: Rank?
    }

    // MARK: Decoding

    /// Entities of a newer app, or written by hand, take no other entity away.
    @Test func entitiesThatDoNotFitTakeNoneAway() async throws {
        let bodies = [
            #"{"_id":"a","year":1,"rank":"high"}"#, #"{"_id":"b","year":"one"}"#,
            #"{"_id":"c","year":3,"rank":"huge"}"#,
            #"{"_id":"d"}"#, #"{"_id":"e","year":5}"#,
        ]
        for body in bodies { _ = await harness.send("POST", "Book", body) }
        for type in StoreType.allCases {
            let client = try harness.client()
            let books = client.store(Ranked.self, type)
            if type != .network {
                let pulled = try await books.pull()
                #expect(pulled.changed == 5 && pulled.entities.map(\._id) == ["a", "e"], "\(type)")
                #expect(pulled.unreadable.map(\.id) == ["b", "c", "d"], "\(type)")
            }
            let query = Query(order: ["_id"])
            #expect(try await books.find(query).map(\._id) == ["a", "e"], "\(type)")
            let found = try await books.result(of: query)
            #expect(found.entities.map(\.year) == [1, 5], "\(type)")
            #expect(found.unreadable.map(\.id) == ["b", "c", "d"], "\(type)")
            #expect(found.unreadable.allSatisfy { $0.error.message.contains("cannot be read as Ranked") }, "\(type)")
            let noted = await client.unreadable
            #expect(noted.map(\.id) == ["b", "c", "d"] && noted.allSatisfy { $0.collection == "Book" }, "\(type)")
            for try await answer in books.answers(query) {
                #expect(answer.entities.count == 2 && answer.unreadable.count == 3, "\(type)")
            }
            #expect(try await books.count() == 5, "\(type)")
            await #expect(throws: StoreError.self, "\(type)") { try await books.find(id: "b") }
            guard type != .network else { continue }
            var values = books.values(query).makeAsyncIterator()
            #expect(try await values.next()?.count == 2, "\(type)")
            #expect(try await books.push().failures.isEmpty, "\(type)")
        }
    }

    // MARK: Own writes

    private func stores(_ network: Network, _ type: StoreType) async throws -> DataStore<Novel> {
        for (id, year) in [("b1", 10), ("b2", 20), ("b3", 30), ("b4", 40)] {
            _ = await harness.send("PUT", "Book/\(id)", #"{"year":\#(year)}"#)
        }
        let books = try harness.client(over: network).store(Novel.self, type)
        _ = try await books.pull()
        network.isOnline = false
        try await books.save(Novel(id: "m1", year: 5))
        try await books.save(Novel(id: "b4", year: 15))
        try await books.remove(id: "b2")
        network.isOnline = true
        // The client takes the service for unreachable for some seconds.
        harness.time.advance(60_000)
        #expect(try await books.syncCount() == 3)
        return books
    }

    /// What waits is found by its id and in its place, before and after an outage (W7).
    @Test(arguments: [StoreType.auto, .cache]) func changesThatWaitAreFound(type: StoreType) async throws {
        let network = Network(harness)
        let books = try await stores(network, type)
        #expect(try await books.find(id: "m1").year == 5)
        #expect(try await books.find(id: "b4").year == 15)
        await #expect(throws: StoreError.self) { try await books.find(id: "b2") }
        let order = Query(order: ["year"])
        #expect(try await books.find(order).map(\._id) == ["m1", "b1", "b4", "b3"])
        for (skip, limit, ids) in [
            (nil, 1, ["m1"]), (nil, 3, ["m1", "b1", "b4"]), (1, 2, ["b1", "b4"]), (3, 2, ["b3"]), (4, 1, []),
            (2, nil, ["b4", "b3"]),
        ] as [(Int?, Int?, [String])] {
            let page = Query(order: ["year"], skip: skip, limit: limit)
            #expect(try await books.find(page).map(\._id) == ids, "\(page)")
        }
        let filtered = try Query(format: "year >= 10", order: ["-year"], limit: 2)
        #expect(try await books.find(filtered).map(\._id) == ["b3", "b4"])
        // Nothing was sent by reading.
        #expect(try await books.syncCount() == 3)
    }

    // MARK: Offline

    /// The plain calls answer from the cache; the forced network does not.
    @Test(arguments: [StoreType.auto, .cache]) func plainCallsAnswerOffline(type: StoreType) async throws {
        let network = Network(harness)
        for year in 1...3 { _ = await harness.send("PUT", "Book/b\(year)", #"{"year":\#(year)}"#) }
        let books = try harness.client(over: network).store(Novel.self, type)
        _ = try await books.pull()
        network.isOnline = false
        let query = try Query(format: "year > 1")
        #expect(try await books.find(query).count == 2)
        #expect(try await books.find(id: "b1").year == 1)
        #expect(try await books.count(query) == 2)
        #expect(try await books.groups(query.grouped(by: "year", computing: [.count])).count == 2)
        var sources: [Answer<Novel>.Source] = []
        for try await answer in books.answers(id: "b1", options: Options(readPolicy: .networkElseLocal)) {
            #expect(answer.entities.map(\.year) == [1])
            sources.append(answer.source)
        }
        #expect(sources == [.local])
        await #expect(throws: StoreError.self) { try await books.find(options: Options(readPolicy: .forceNetwork)) }
    }

    @Test func idsAreAnsweredTwice() async throws {
        let books = try harness.client().store(Novel.self, .cache)
        _ = await harness.send("PUT", "Book/b1", #"{"year":1}"#)
        _ = try await books.pull()
        _ = await harness.send("PUT", "Book/b1", #"{"year":2}"#)
        var years: [Int?] = []
        for try await answer in books.answers(id: "b1") { years += answer.entities.map(\.year) }
        #expect(years == [1, 2])
        years = []
        _ = await harness.send("PUT", "Book/b2", #"{"year":7}"#)
        for try await answer in books.answers(id: "b2") { years += answer.entities.map(\.year) }
        #expect(years == [7])
    }

    // MARK: Expiry

    /// A pull, a delta of nothing and a forced find make rows valid again, for every call.
    @Test func whatWasToldAgainIsValidAgain() async throws {
        for year in 1...3 { _ = await harness.send("PUT", "Book/b\(year)", #"{"year":\#(year)}"#) }
        let client = try harness.client(options: Options(deltaSync: true, ttl: .seconds(60)))
        let books = client.store(Novel.self, .sync)
        let query = try Query(format: "year > 1")
        let grouping = query.grouped(by: "year", computing: [.count])
        func isValid() async throws -> [Bool] {
            func holds(_ body: () async throws -> Void) async throws -> Bool {
                do {
                    try await body()
                    return true
                } catch StoreError.noValidLocalData { return false }
            }
            return [
                try await holds { _ = try await books.find(query) },
                try await holds { _ = try await books.find(id: "b2") },
                try await holds { _ = try await books.count(query) },
                try await holds { _ = try await books.groups(grouping) },
            ]
        }
        let (all, none) = ([true, true, true, true], [false, false, false, false])
        _ = try await books.pull()
        #expect(try await isValid() == all)
        harness.time.advance(61_000)
        #expect(try await isValid() == none)
        #expect(try await books.pull().wasDelta)
        #expect(try await isValid() == all)
        harness.time.advance(61_000)
        #expect(try await isValid() == none)
        _ = try await books.find(query, options: Options(readPolicy: .forceNetwork))
        #expect(try await isValid() == all)
        harness.time.advance(61_000)
        _ = try await books.find(Query(order: ["year"], limit: 3), options: Options(readPolicy: .forceNetwork))
        #expect(try await isValid() == all)
        harness.time.advance(61_000)
        _ = try await books.find(id: "b2", options: Options(readPolicy: .forceNetwork))
        #expect(try await isValid() == [false, true, false, false])
    }

    /// A conflict that is left pending does not take the push's result away.
    @Test func aConflictLeftPendingIsTold() async throws {
        let rule = Options(conflict: .ask { _ in .leavePending })
        let books = try harness.client(options: rule).store(Novel.self, .sync)
        try await books.save([Novel(id: "b1", year: 1), Novel(id: "b2", year: 2)])
        #expect(try await books.sync().push.count == 2)
        _ = await harness.send("PUT", "Book/b1", #"{"year":9}"#)
        try await books.save([Novel(id: "b1", year: 10), Novel(id: "b2", year: 20)])
        let result = try await books.sync()
        #expect(result.push.count == 1 && result.push.failures.map(\.id) == ["b1"] && result.pull == nil)
    }

    /// A type that says what its fields hold.
    private struct Dated: Entity {
        static let collection = "Book"
        static let schema: Schema? = Schema([.field("born", .date(.iso8601Milliseconds))])
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var born: Date?
    }

    /// What the type says of its fields holds for the queries that a sync of all collections asks again.
    @Test func queriesAreRememberedWithTheirSchema() async throws {
        let client = try harness.client()
        let books = client.store(Dated.self, .sync)
        let query = try Query(format: "born == '1970-01-02'")
        _ = await harness.send("PUT", "Book/b1", #"{"born":"1970-01-02T00:00:00.000Z"}"#)
        #expect(try await books.pull(query).entities.map(\._id) == ["b1"])
        _ = await harness.send("PUT", "Book/b2", #"{"born":"1970-01-02T00:00:00.000Z"}"#)
        #expect(try await client.sync().failures.isEmpty)
        #expect(Set(try await books.find(query).map(\._id)) == ["b1", "b2"])
    }

    // MARK: Many

    /// New entities go to the service by the hundred; what it refuses is told by its place.
    @Test func manySavesAreFewRequests() async throws {
        let network = Network(harness)
        let books = try harness.client(over: network).store(Novel.self, .network)
        var novels = (0..<250).map { (year: Int) in Novel(title: "t\(year)", year: year) }
        novels.append(Novel(id: "named", year: 1_000))
        let result = try await books.save(novels)
        #expect(network.sent == ["POST", "POST", "POST", "GET", "PUT"])
        #expect(result.errors.isEmpty && result.entities.map { $0?.year } == Array(0..<250) + [1_000])
        #expect(result.entities.allSatisfy { $0?._kmd != nil })
        #expect(try await books.count() == 251)
        network.isOnline = false
        let failed = try await books.save(Array(novels.prefix(120)))
        #expect(failed.errors.map(\.index) == Array(0..<120) && failed.entities.allSatisfy { $0 == nil })
    }

    /// What the app's type does not know stays, whichever way a save takes (W10).
    @Test(arguments: [StoreType.network, .sync, .auto]) func unknownFieldsSurviveTheNetwork(type: StoreType)
        async throws
    {
        _ = await harness.send("PUT", "Book/b1", #"{"title":"Emma","extra":{"n":1}}"#)
        let books = try harness.client().store(Novel.self, type, options: Options(writePolicy: .forceNetwork))
        try await books.save(Novel(id: "b1", title: "Emma", year: 1_815))
        try await books.save([Novel(id: "b1", title: "Emma", year: 1_816), Novel(id: "b2", year: 1)])
        let stored = await harness.send("GET", "Book/b1").json
        guard case .object(let entity)? = stored else {
            Issue.record("\(String(describing: stored))")
            return
        }
        #expect(entity["extra"] == .object(["n": 1]) && entity["year"] == 1_816)
    }

    // MARK: A client's own

    /// Options of a client hold for stores that were made before; an app may make ids as it likes.
    @Test func clientsChangeTheirOptions() async throws {
        let client = try harness.client()
        let (books, other) = (
            client.store(Novel.self, .sync), client.store(Novel.self, .sync, options: Options(ttl: nil))
        )
        client.options.newID = { $0 + "-1" }
        #expect(try await books.save(Novel(title: "Emma"))._id == "Book-1")
        var options = Options()
        options.newID = { _ in "call" }
        #expect(
            try await other.save([Novel(title: "a"), Novel(id: "mine")], options: options).entities.map { $0?._id }
                == ["call", "mine"]
        )
        options.newID = { _ in "_no" }
        await #expect(throws: StoreError.self) { try await books.save(Novel(), options: options) }
        client.options.newID = nil
        #expect(try await books.save(Novel(title: "b"))._id?.count == 26)
        _ = try await books.push()
        client.options.readPolicy = .forceNetwork
        harness.time.advance(10)
        _ = await harness.send("PUT", "Book/late", "{}")
        #expect(try await other.find().count == 5)
        client.options = Options()
        #expect(try await other.count() == 5)
    }

    /// Who listens is told of requests, pages, pushes, deltas that were left, and entities that do not fit.
    @Test func clientsTellWhatTheyDo() async throws {
        let bodies = (0..<120).map { #"{"_id":"b\#($0)","year":\#($0)}"# }
        for start in [0, 100] {
            _ = await harness.send("POST", "Book", "[" + bodies[start...].prefix(100).joined(separator: ",") + "]")
        }
        _ = await harness.send("PUT", "Book/odd", #"{"year":"one"}"#)
        let client = try harness.client(options: Options(deltaSync: true, pageSize: 50))
        var events = client.events.makeAsyncIterator()
        let books = client.store(Novel.self, .sync)
        _ = try await books.pull()
        try await books.save((0..<150).map { _ in Novel(title: "x") })
        #expect(try await books.push().count == 150)
        _ = await harness.send("PUT", "Book/late", "{}")
        _ = try await books.pull()
        try await books.save(Novel(title: "last"))
        _ = try await books.push()
        var lines: [String] = []
        while let event = await events.next() {
            if case .request = event { continue }
            lines.append("\(event)")
            if lines.last == "push of Book: 1 of 1 changes" { break }
        }
        #expect(
            lines.prefix(4) == [
                "pull of Book: 50 entities so far", "pull of Book: 100 entities so far", "pull of Book: 121 entities",
                "the entity odd of the collection Book cannot be read as Novel: year: should be a number, but is a text",
            ],
            "\(lines)"
        )
        // The requests of 100 and of 50 changes are sent together; either may be answered first.
        let pushed = lines.dropFirst(4).prefix(2).map { $0.filter(\.isNumber) }
        #expect(pushed == ["100150", "150150"] || pushed == ["50150", "150150"], "\(lines)")
        #expect(lines.dropFirst(6).first == "pull of Book: 50 entities so far", "\(lines)")
        #expect(
            "\(StoreEvent.request(method: "GET", path: "/a", status: nil, milliseconds: 5))"
                == "GET /a no response 5 ms"
        )
    }

    /// A service without histories may get them: it is asked again after a while.
    @Test func deltasAreAskedForAgain() async throws {
        let later = try ServiceHarness.open()
        let harness = try ServiceHarness { $0.rights = .public }
        let current = Mutex(harness)
        let time = harness.time
        let numbers = ServiceHarness.Clock(seed: 3)
        let client = try StoreClient(
            FunctionTransport { request in await current.withLock { $0 }.service.answer(request) },
            app: .init(key: ServiceHarness.key, secret: "s"),
            cache: .memory,
            options: Options(deltaSync: true),
            environment: StoreEnvironment(now: { time.now }, random: { numbers.random() })
        )
        let books = client.store(Novel.self, .sync)
        for _ in 0..<3 { #expect(try await !books.pull().wasDelta) }
        current.withLock { $0 = later }
        for _ in 0..<2 { #expect(try await !books.pull().wasDelta) }
        time.advance(600_000)
        #expect(try await books.pull().wasDelta)
    }

    /// One fault of the service is one error, whatever asked.
    @Test func oneFaultIsOneError() async throws {
        let harness = try ServiceHarness { $0.rights = .private }
        let ann = await harness.signUp("ann")
        _ = await harness.send("PUT", "Book/hers", #"{"title":"x"}"#, as: ann.session)
        func isForbidden(_ error: any Error) -> Bool {
            guard case .service(let fault)? = error as? StoreError else { return false }
            return fault.name == .insufficientCredentials && fault.status == 401
        }
        for type in [StoreType.network, .auto] {
            let client = try harness.client(seed: type == .auto ? 1 : 2)
            try await client.signUp(username: "bob \(type)", password: "p")
            let books = client.store(Novel.self, type)
            await #expect("\(type)") { _ = try await books.save(Novel(id: "hers", title: "y")) } throws: {
                isForbidden($0)
            }
            // What one may not see is not there; what waits is.
            #expect(try await books.remove(id: "hers") == (type == .auto ? 1 : 0), "\(type)")
        }
        let stranger = try harness.client(seed: 3).store(Novel.self, .network)
        await #expect { try await stranger.save(Novel(title: "z")) } throws: { error in
            if case .unauthorized = error as? StoreError { true } else { isForbidden(error) }
        }
    }

    /// Ten thousand ids are asked for at once; a mean that is no whole number says so where one was wanted.
    @Test func largeListsAndMeans() async throws {
        for (id, year) in [("b1", 1), ("b2", 2)] { _ = await harness.send("PUT", "Book/\(id)", #"{"year":\#(year)}"#) }
        let ids = (0..<10_000).map { "b\($0)" }
        struct Mean: Decodable { var avg_year: Int }
        for isForeign in [false, true] {
            let client = try harness.client(over: Network(harness, isForeign: isForeign))
            for type in StoreType.allCases {
                let books = client.store(Novel.self, type)
                if type == .sync { _ = try await books.pull() }
                #expect(try await books.find(Query(Field("_id").in(ids))).count == 2, "\(type)")
                #expect(try await books.count(Query(Field("_id").in(ids))) == 2, "\(type)")
                let mean = Query().grouped(computing: [.average("year")])
                await #expect("\(type)") { try await books.groups(mean, as: Mean.self) } throws: {
                    "\($0)".contains("avg_year")
                }
            }
        }
    }

    // MARK: Spellings

    /// What older guides write works, with one client for the whole app.
    @Test func theSharedClientIsSetOnce() async throws {
        #expect(StoreClient.shared == nil)
        #expect { try DataStore<Novel>.collection() } throws: { "\($0)".contains("StoreClient.share(client)") }
        let client = try harness.client()
        try StoreClient.share(client)
        try StoreClient.share(client)
        #expect(throws: StoreError.self) { try StoreClient.share(try harness.client()) }
        let books = try DataStore<Novel>.collection(.sync, autoPagination: true, options: Options(deltaSync: true))
        try await books.save(Novel(title: "Emma", year: 1815))
        let title = "Emma"
        #expect(try await books.count(Query(Condition(format: "title == %@ AND year > %d", title, 1_800))) == 1)
        let ordered = Query(order: [.descending(Entity.Key.entityId), .ascending(Novel.Key.metadata)])
        #expect(try await books.find(ordered).count == 1)
        let keys: [GroupKey] = ["title"]
        #expect(try await books.groups(Query().grouped(by: keys, computing: [.count])).count == 1)
        #expect(StoreError.notFound.localizedDescription == "There is no such entity.")
        let reason = StoreError.unreachable("Couldn't connect to server.").description
        #expect(reason.hasSuffix("cannot be reached: couldn't connect to server; try again when there is a network"))
    }
}
