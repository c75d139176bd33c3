import Foundation
import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport
import Testing

/// What the guides say of stores, where no other test shows it; `Grammar/store.md` lists which.
@Suite struct RequirementTests {
    private let harness: ServiceHarness

    init() throws { harness = try .open() }

    // MARK: Entities

    /// An entity with a property of each kind, some under other names.
    struct Person: Entity, Equatable {
        static let collection = "Person"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var name: String
        var age: Int?
        var small: Int8 = -8
        var wide: Int64 = .max
        var weight: Float = 1.5
        var height: Double = 1.79
        var isHere = true
        var born: Date?
        var image: URL?
        var place: [Double] = [4.9, 52.4]
        var flags: [Bool] = [true, false]
        var homes: [Address] = []
        var work: Address?

        struct Address: Codable, Equatable, Sendable {
            var city: String
        }

        enum CodingKeys: String, CodingKey {
            case _id, _acl, _kmd, age, small, wide, weight, height, isHere, image, place, flags, homes, work
            case name = "Name"
            case born = "birthday"
        }
    }

    /// What is saved comes back, from the cache, from the service and on another device.
    @Test func everyTypeIsKept() async throws {
        var person = Person(name: "Ann")
        person.born = Date(timeIntervalSince1970: 1_594_916_197.597)
        person.image = URL(string: "https://example.org/a.png")
        person.homes = [.init(city: "Bonn"), .init(city: "Rome")]
        person.work = .init(city: "Paris")
        let client = try harness.client(seed: 1)
        try await client.signUp(username: "ann", password: "p")
        let people = client.store(Person.self, .sync)
        let saved = try await people.save(person)
        (person._id, person._acl, person._kmd) = (saved._id, saved._acl, saved._kmd)
        #expect(saved == person)
        _ = try await people.push()
        let text = await harness.send("GET", "Person/\(saved._id ?? "")").body
        #expect(text.contains(#""Name":"Ann""#) && text.contains(#""birthday":"2020-07-16T16:16:37.597Z""#))
        #expect(!text.contains(#""age""#), "nil is left out: \(text)")
        var found = try await harness.client(seed: 2).store(Person.self, .network).find(id: saved._id ?? "")
        #expect(found._acl?.creator != nil && found._kmd?.created != nil)
        (found._acl, found._kmd) = (nil, nil)
        #expect(found == person)
        #expect(try await people.find(Query(format: "work.city == 'Paris' AND ANY homes.city == 'Rome'")).count == 1)
        #expect(try await people.find(Query(format: "Name == 'Ann' AND birthday > '2020-01-01'")).count == 1)
        let error = await #expect(throws: StoreError.self) { try await people.find(Query(format: "name == 'Ann'")) }
        #expect(error?.recoverySuggestion?.contains("Did you mean `Name`?") == true, "names have their case")
    }

    // MARK: Options

    /// Notes what it is asked, and how long it may take.
    final class Listener: Transport {
        private let network: Network
        private let noted = Mutex<[(what: String, timeout: Duration)]>([])

        init(_ network: Network) { self.network = network }

        /// What was sent since it was last asked.
        var sent: [(what: String, timeout: Duration)] {
            noted.withLock { all in
                defer { all = [] }
                return all
            }
        }

        func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
            let end = request.path.split(separator: "/").last.map(String.init) ?? ""
            noted.withLock { $0.append((request.method + " " + end, timeout)) }
            return try await network.send(request, timeout: timeout)
        }
    }

    @Test func optionsOfTheNearestHold() async throws {
        let listener = Listener(Network(harness))
        func client(_ options: Options) throws -> StoreClient {
            try StoreClient(listener, app: .init(key: "kid", secret: "s"), cache: .memory, options: options)
        }
        _ = try await client(Options()).store(Novel.self).find()
        #expect(listener.sent.map(\.timeout) == [.seconds(60), .seconds(60)])
        let patient = try client(Options(timeout: .seconds(120)))
        _ = try await patient.store(Novel.self).find()
        _ = try await patient.store(Novel.self, options: Options(timeout: .seconds(30))).find()
        let store = patient.store(Novel.self, options: Options(timeout: .seconds(30)))
        _ = try await store.find(options: Options(timeout: .seconds(5)))
        #expect(listener.sent.map(\.timeout) == [.seconds(120), .seconds(120), .seconds(30), .seconds(5)])
        let local = patient.store(Novel.self, .sync, options: Options(readPolicy: .forceLocal))
        _ = try await local.find()
        #expect(listener.sent.isEmpty)
        _ = try await local.find(options: Options(readPolicy: .forceNetwork))
        #expect(listener.sent.map(\.what) == ["POST _find"])
        #expect(patient.store(Novel.self).type == .auto)
    }

    /// The first read asks first whose service it is.
    private static let reading = ["GET kid", "POST _find"]
    private static let writing = ["POST Book"]

    /// Which side each type and policy asks for a read and for a write.
    @Test(arguments: [
        (StoreType.sync, ReadPolicy?.none, WritePolicy?.none, [String]()), (.auto, nil, nil, reading + writing),
        (.cache, nil, nil, reading + writing),
        (.network, nil, nil, reading + writing), (.sync, .network, .network, reading + writing),
        (.auto, .local, .local, []), (.cache, .networkElseLocal, .local, reading),
        (.sync, .both, .silentLocalThenNetwork, reading + writing),
    ]) func policiesAskTheirSide(
        type: StoreType,
        read: ReadPolicy?,
        write: WritePolicy?,
        requests: [String]
    ) async throws {
        let listener = Listener(Network(harness))
        let client = try StoreClient(listener, app: .init(key: "kid", secret: "s"), cache: .memory)
        let options = Options(readPolicy: read, writePolicy: write)
        let books = client.store(Novel.self, type, options: options)
        _ = try await books.find()
        try await books.save(Novel(title: "x"))
        #expect(listener.sent.map(\.what) == requests)
        guard type != .network else { return }
        let waits = requests.last == Self.writing.last ? 0 : 1
        #expect(try await books.syncCount() == waits)
    }

    @Test func networkAlonePersistsNoFailure() async throws {
        let network = Network(harness)
        let books = try harness.client(over: network).store(Novel.self, .auto)
        network.isOnline = false
        await #expect(throws: StoreError.self) {
            try await books.save(Novel(title: "x"), options: Options(writePolicy: .forceNetwork))
        }
        await #expect(throws: StoreError.self) { try await books.pull() }
        #expect(try await books.syncCount() == 0)
        #expect(try await books.find().isEmpty)
        await #expect(throws: StoreError.self) { try await books.find(id: "nowhere") }
    }

    // MARK: Calls

    /// One request makes several; the one whose `_id` is taken does not keep the others from it.
    @Test func severalAreSavedEachForItself() async throws {
        #expect(await harness.send("PUT", "Book/taken", #"{"title":"theirs"}"#).status == 201)
        let network = Network(harness)
        let books = try harness.client(over: network).store(Novel.self, .auto)
        let result = try await books.save([Novel(title: "a"), Novel(title: "b"), Novel(id: "taken", title: "mine")])
        #expect(result.errors.isEmpty && result.entities.compactMap { $0?._kmd?.changed }.count == 3)
        #expect(network.sent == ["POST", "PUT"] || network.sent == ["PUT", "POST"], "a named one is an upsert")
        let closed = try ServiceHarness { $0.rights = .shared }
        _ = await closed.signUp("ann")
        let owner = await closed.signUp("bob")
        #expect(await closed.send("PUT", "Book/b", #"{"title":"bob's"}"#, as: owner.session).status == 201)
        let client = try closed.client()
        try await client.logIn(username: "ann", password: "p")
        let half = try await client.store(Novel.self, .auto).save([Novel(title: "a"), Novel(id: "b", title: "mine")])
        #expect(half.entities.map { $0 == nil } == [false, true] && half.errors.map(\.index) == [1])
    }

    @Test func removalsCountWhatTheyTake() async throws {
        let books = try harness.client().store(Novel.self, .auto)
        try await books.save((0..<6).map { (year: Int) in Novel(id: "b\(year)", title: "x", year: year) })
        #expect(try await books.remove(id: "b0") == 1)
        #expect(try await books.remove(id: "b0") == 0)
        #expect(try await books.remove(Query(format: "year < 3")) == 2)
        await #expect(throws: StoreError.self) { try await books.remove(Query()) }
        #expect(try await books.count() == 3)
        #expect(try await books.count(Query(format: "year == 4")) == 1)
        #expect(try await books.removeAll() == 3)
        #expect(await harness.send("GET", "Book/_count").body == #"{"count":0}"#)
    }

    @Test func groupsAreEqualOnBothSides() async throws {
        struct Row: Decodable, Hashable, Sendable {
            var title: String
            var count: Int
            var average: Double
        }
        let client = try harness.client()
        try await client.store(Novel.self).save(
            [("a", 1), ("a", 4), ("b", 10)].map { title, year in Novel(title: title, year: year) }
        )
        let reducers: [Reducer] = [.count, .average("year").as("average")]
        for type in [StoreType.sync, .network] {
            let rows = try await client.store(Novel.self, type)
                .groups(Query().grouped(by: "title", computing: reducers), as: Row.self)
            let wanted = [Row(title: "a", count: 2, average: 2.5), Row(title: "b", count: 1, average: 10)]
            #expect(Set(rows) == Set(wanted), "\(type)")
        }
    }

    @Test func aSyncTellsOfBothHalves() async throws {
        #expect(await harness.send("PUT", "Book/old", #"{"title":"x","year":1}"#).status == 201)
        let network = Network(harness)
        let books = try harness.client(over: network).store(Novel.self, .sync)
        try await books.save([Novel(title: "y", year: 2), Novel(title: "z", year: 3)])
        let result = try await books.sync(Query(format: "year == 1"))
        #expect(result.push.count == 2 && result.pull?.entities.map(\._id) == ["old"])
        try await books.save(Novel(title: "w"))
        network.isOnline = false
        let failed = try await books.sync()
        #expect(failed.push.failures.count == 1 && failed.pull == nil)
        #expect(try await books.syncCount() == 1)
    }

    /// What is cleared is gone from the device alone; what waits goes with it.
    @Test func clearedCachesAreEmpty() async throws {
        let books = try harness.client().store(Novel.self, .sync)
        try await books.save([Novel(id: "a", year: 1), Novel(id: "b", year: 2)])
        _ = try await books.sync()
        try await books.save(Novel(id: "a", year: 3))
        #expect(try await books.clear(Query(format: "year == 2")) == 1)
        #expect(try await books.syncCount() == 1)
        #expect(try await books.clear() == 1)
        #expect(try await books.syncCount() == 0)
        #expect(try await books.pull().entities.count == 2)
    }

    // MARK: Deltas and pages

    /// A delta that the service cannot tell, because it is switched off or the history is too short, is a pull in full.
    @Test(arguments: [true, false]) func deltasFallBack(hasHistory: Bool) async throws {
        let service = try ServiceHarness {
            $0.deltas = hasHistory ? .all : .none; $0.rights = .public; $0.historyDays = 1
        }
        let books = try service.client(options: Options(deltaSync: true)).store(Novel.self, .sync)
        try await books.save([Novel(id: "a"), Novel(id: "b")])
        _ = try await books.sync()
        #expect(try await books.pull().wasDelta == hasHistory)
        #expect(await service.send("DELETE", "Book/a").status == 200)
        service.time.advance(40 * 86_400_000)
        #expect(await service.send("PUT", "Book/c", "{}").status == 201)
        _ = await service.service.tidy()
        let result = try await books.pull()
        #expect(!result.wasDelta)
        #expect(try await books.find().compactMap(\._id).sorted() == ["b", "c"])
    }

    /// What a query with the time finds changes without a write, so changes alone would leave it out.
    @Test func queriesWithTheTimeArePulledInFull() async throws {
        let service = try ServiceHarness {
            $0.deltas = .all; $0.rights = .public
        }
        #expect(await service.send("PUT", "Book/a", #"{"year":2020}"#).status == 201)
        let books = try service.client(options: Options(deltaSync: true)).store(Novel.self, .sync)
        let steady = try Query(format: "year == 2020")
        let past = try Query(format: "year == 2020 AND now() > CAST('2020-07-17T00:00:00Z', 'NSDate')")
        #expect(try await books.pull(steady).entities.count == 1)
        #expect(try await books.pull(steady).wasDelta)
        #expect(try await books.pull(past).entities.isEmpty)
        service.time.advance(86_400_000)
        let result = try await books.pull(past)
        #expect(!result.wasDelta && result.entities.count == 1)
        try await books.clear()
        #expect(try await books.pull(past).entities.count == 1)
    }

    /// What is gone among the first of a query goes with a pull of these, and nothing else does.
    @Test func aPullOfTheFirstRemovesWhatIsGone() async throws {
        let all = (0..<12).map { #"{"_id":"b\#($0)","year":\#($0 / 2)}"# }.joined(separator: ",")
        #expect(await harness.send("POST", "Book", "[\(all)]").status == 201)
        let client = try harness.client()
        let books = client.store(Novel.self, .sync, paging: false)
        func held() async throws -> [String] {
            try await client.store(Novel.self, .sync).find(Query(order: ["_id"])).compactMap(\._id)
        }
        #expect(try await books.pull().entities.count == 12)
        for id in ["b1", "b4", "b9"] { #expect(await harness.send("DELETE", "Book/" + id).status == 200) }
        #expect(await harness.send("PUT", "Book/b0", #"{"year":20}"#).status == 200)
        let first = Query(order: ["year"], limit: 5)
        var result = try await books.pull(first)
        #expect(result.entities.map(\._id) == ["b2", "b3", "b5", "b6", "b7"])
        #expect(result.changed == 5 && result.deleted == 2)
        #expect(try await held() == ["b0", "b10", "b11", "b2", "b3", "b5", "b6", "b7", "b8", "b9"])
        #expect(try await books.find(id: "b0").year == 20, "it only left the first ones")
        // A result below its limit is whole.
        _ = await harness.send("DELETE", "Book/b3")
        result = try await books.pull(Query(format: "year >= 4", order: ["-year"], limit: 9))
        #expect(result.deleted == 1 && Set(result.entities.compactMap(\._id)) == ["b0", "b10", "b11", "b8"])
        #expect(try await books.pull(Query(limit: 0)).deleted == 0)
        #expect(try await held().contains("b3"))
        #expect(try await books.pull(Query(limit: 3)).deleted == 0, "b3 comes after them")
        #expect(try await books.pull(Query(limit: 5)).deleted == 1)
        #expect(try await held() == ["b0", "b10", "b11", "b2", "b5", "b6", "b7", "b8"])
    }

    @Test func pagesBringEverything() async throws {
        let client = try harness.client(options: Options(pageSize: 10))
        let books = client.store(Novel.self, .sync)
        try await books.save((0..<35).map { (year: Int) in Novel(title: "x", year: year) })
        _ = try await books.push()
        try await books.clear()
        let some = try await books.pull(Query(format: "year < 15", skip: 2, limit: 3))
        #expect(some.pages == 2 && some.entities.count == 15, "skip and limit are the pages'")
        #expect(try await books.pull().pages == 4)
        #expect(try await books.find(Query(order: ["year"], skip: 30)).count == 5)
        let cut = client.store(Novel.self, .sync, paging: false)
        #expect(try await cut.pull(Query(order: ["year"], limit: 3)).entities.map(\.year) == [0, 1, 2])
    }
}
