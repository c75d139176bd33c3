import Foundation
import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel
import StoreSupport
import Testing

/// Models as guides write them: what is known of a type, and what every side finds by it.
@Suite struct ModelTests {
    private let harness: ServiceHarness
    private let network: Network

    init() throws {
        harness = try .open()
        network = Network(harness)
    }

    /// An entity whose fields the app does not know, as the page shows it.
    private struct AnyBook: Entity {
        static let collection = "Book"
        static let schema: Schema? = nil
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var fields: [String: QueryValue] = [:]
        init(from decoder: any Decoder) throws { fields = try .init(from: decoder) }
        func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
    }

    @Test(arguments: [StoreType.sync, .auto, .network]) func entitiesMayHaveNoType(type: StoreType) async throws {
        let harness = try ServiceHarness.open()
        #expect(await harness.send("PUT", "Book/b", #"{"title":"one","parts":[{"n":1}]}"#).status == 201)
        let client = try harness.client()
        try await client.store(AnyBook.self, .sync).pull()
        let books = client.store(AnyBook.self, type)
        var book = try #require(try await books.find(Query(format: "title == 'one'")).first)
        #expect(book._id == "b" && book._kmd != nil)
        book.fields["title"] = "two"
        book.fields["year"] = 3
        try await books.save(book)
        if type == .sync { _ = try await books.push() }
        let body = await harness.send("GET", "Book/b").body
        #expect(body.contains(#""title":"two""#) && body.contains(#""year":3"#) && body.contains(#"[{"n":1}]"#))
        let failing = FunctionTransport { (_) async throws(TransportFault) -> WireResponse in
            throw .unreachable("offline")
        }
        await #expect(throws: TransportFault.unreachable("offline")) {
            try await failing.send(WireRequest("GET", "/"), timeout: .seconds(1))
        }
    }

    /// Keys that leave out what every entity has, and other names there.
    private struct Named: Entity {
        static let collection = "Book"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var title: String?
        var author: String?
        private enum CodingKeys: String, CodingKey {
            case title
            case author = "authorName"
        }
    }

    /// Properties of every kind.
    private struct Shop: Entity {
        static let collection = "Shop"
        enum Size: String, Codable { case small, large }
        enum Colour: String, Codable, CaseIterable { case red, green }
        struct Person: Codable {
            var name: String
            var age: Int?
        }
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var name: String?
        var price: Float?
        var count = 0
        var isOpen: Bool?
        var opened: Date?
        var key: UUID?
        var place: GeoPoint?
        var tags: [String]?
        var owner: Person?
        var staff: [Person]?
        var size: Size?
        var colour = Colour.red
        var seal: Data?
        var rates: [String: Int]?
    }

    /// A type that needs values of enums, whose cases no decoder knows.
    private struct Sized: Entity {
        static let collection = "Shop"
        enum Floor: Int, Codable { case ground = 7 }
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var size: Shop.Size
        var floor: Floor
        var floors: [Floor]
        var opened: Date
    }

    /// A type whose needed measure takes no value that is made up.
    private struct Measured: Entity {
        static let collection = "Shop"
        enum Measure: Codable { case width(Int) }
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var measure: Measure
        var name: String?
    }

    private func stores<Value: Entity>(_ type: Value.Type) async throws -> [(StoreType, DataStore<Value>)] {
        let client = try harness.client(over: network)
        _ = try await client.store(type, .sync).pull()
        return StoreType.allCases.map { ($0, client.store(type, $0)) }
    }

    /// SQLite's functions would end such a text at the character.
    @Test func textsWithNulAreRefused() async throws {
        for (type, books) in try await stores(Named.self) where type != .cache {
            let error = await #expect(throws: StoreError.self) { try await books.save(Named(title: "a\0b")) }
            #expect(error.map { "\($0)" } == "the entity cannot be saved: title: a text cannot hold a NUL character")
        }
    }

    /// Entities that an order does not tell apart come by their ids, from the service and from the cache.
    @Test func tiesComeByTheirIds() async throws {
        for id in ["c", "a", "d", "b"] {
            _ = try await harness.client(over: network).store(Named.self, .network).save(
                Named(_id: id, author: id == "d" ? "x" : "y")
            )
        }
        for (type, books) in try await stores(Named.self) {
            #expect(try await books.find(Query(order: ["authorName"])).map(\._id) == ["d", "a", "b", "c"], "\(type)")
            #expect(try await books.find(Query(order: ["-authorName"])).map(\._id) == ["c", "b", "a", "d"], "\(type)")
        }
    }

    // MARK: Names

    @Test func keysMayLeaveOutWhatEveryEntityHas() async throws {
        for (type, books) in try await stores(Named.self) {
            var book = Named(title: "Emma", author: "Austen")
            book._acl = AccessControl()
            book._acl?.readers = ["ann"]
            book = try await books.save(book)
            let id = try #require(book._id, "\(type)")
            book.title = "Emma, again"
            #expect(try await books.save(book)._id == id, "\(type)")
            if type != .network { #expect(try await books.sync().push.failures.isEmpty, "\(type)") }
            let found = try await books.find(id: id)
            #expect(found._id == id && found.title == "Emma, again" && found._acl?.readers == ["ann"], "\(type)")
            #expect(found._kmd?.changed != nil && found._kmd?.created != nil, "\(type)")
            #expect(try await books.find(Query(format: "authorName == 'Austen'")).map(\._id) == [id], "\(type)")
            let service = await harness.send("GET", "Book/\(id)").body
            #expect(service.contains(#""r":["ann"]"#) && service.contains(#""authorName":"Austen""#), "\(service)")
            #expect(try await books.remove(id: id) == 1, "\(type)")
            if type != .network { #expect(try await books.sync().push.failures.isEmpty, "\(type)") }
        }
    }

    @Test func aTypeSaysItsNamesAndKinds() throws {
        let schema = try #require(Shop.schema)
        let kinds = schema.fields.map { "\($0.name) \($0.type)".replacing("QueryTree.", with: "") }
        #expect(
            kinds.filter { !$0.hasPrefix("_") }.prefix(8) == [
                "name string", "price double", "count int", "isOpen bool", "opened date(DateEncoding.iso8601)",
                "key uuid",
                "place list(FieldType.double)", "tags list(FieldType.string)",
            ]
        )
        #expect(schema.fields.map(\.name).prefix(3) == ["_id", "_acl", "_kmd"])
        for (format, isKnown) in [
            ("owner.age > 3", true), ("ANY staff.name == 'x'", true), ("owner.nam == 'x'", false),
            ("size == 'small' AND colour == 'red'", true), ("rates.any > 3", true), ("seal != nil", true),
            ("_kmd.lmt > '2020-01-01' AND _acl.creator == 'x'", true), ("nmae == 'x'", false), ("count == 'x'", false),
            ("opened > 'never'", false),
        ] {
            var query = try Query(parsing: format)
            query.schema = schema
            let row: Document = [:]
            #expect(((try? query.matches(row)) != nil) == isKnown, "\(format)")
        }
        let sized = Sized.schema?.fields.suffix(4).map { "\($0.name) \($0.type)".replacing("QueryTree.", with: "") }
        #expect(
            sized == ["size string", "floor int", "floors list(FieldType.int)", "opened date(DateEncoding.iso8601)"]
        )
        #expect(Measured.schema == nil, "what is read after the measure is unknown")
        #expect(Named.schema?.fields.map(\.name) == ["_id", "_acl", "_kmd", "title", "authorName"])
    }

    /// A name that no entity has is an error on every side, online and offline, in conditions, orders and groups.
    @Test func unknownNamesAreRefusedOnEverySide() async throws {
        let all = try await stores(Named.self)
        for isOnline in [true, false] {
            network.isOnline = isOnline
            for (type, books) in all {
                for query in [
                    try Query(format: "titel == 'Emma'"), Query(order: ["titel"]), Query(fields: ["titel"]),
                    try Query(format: "ANY author == 'x'"),
                ] {
                    let error = await #expect(throws: StoreError.self, "\(type)") { try await books.find(query) }
                    guard case .query(let fault)? = error else {
                        Issue.record("\(type) \(isOnline): \(String(describing: error))")
                        continue
                    }
                    #expect(fault.code == .unknownField, "\(type): \(fault)")
                }
            }
        }
    }

    /// Properties that an app has added, with the values that it gives them.
    private struct Added: EntityWithDefaults {
        static let collection = "Book"
        enum Rank: String, Codable { case low, high }
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var title: String?
        var isRead = false
        var copies = 7
        var rank = Rank.high
        var bought = Date(timeIntervalSince1970: 60)
        var marks: [Int] = []
    }

    /// Entities of before lack what an app added: its own values stand in, on every side.
    @Test func addedPropertiesHaveTheirValues() async throws {
        _ = await harness.send("PUT", "Book/old", #"{"title":"Emma","copies":2,"rank":null,"shelf":3}"#)
        _ = await harness.send("PUT", "Book/bad", #"{"copies":"many"}"#)
        for (type, books) in try await stores(Added.self) {
            let result = try await books.result()
            let book = try #require(result.entities.first, "\(type)")
            #expect(book._id == "old" && !book.isRead && book.copies == 2 && book.rank == .high, "\(type)")
            #expect(book.bought == Date(timeIntervalSince1970: 60) && book.marks == [], "\(type)")
            #expect(result.unreadable.map(\.id) == ["bad"], "\(type)")
            #expect(try await books.find(Query(format: "isRead != YES")).map(\._id) == ["old"], "\(type)")
            #expect(try await books.count(Query(format: "isRead == NO")) == 0, "\(type)")
        }
        var book = try await harness.client(over: network, seed: 2).store(Added.self, .network).find(id: "old")
        book.title = "Emma, read"
        _ = try await harness.client(over: network, seed: 3).store(Added.self, .network).save(book)
        let stored = await harness.send("GET", "Book/old").body
        #expect(stored.contains(#""shelf":3"#) && stored.contains(#""isRead":false"#), "\(stored)")
    }

    // MARK: Kinds

    /// What the guide's types hold is found by the same query on every side.
    @Test func everySideFindsByKind() async throws {
        let key = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let born = Date(timeIntervalSince1970: 86_400)
        let writer = try harness.client(over: network).store(Shop.self, .network)
        try await writer.save(
            Shop(
                _id: "a",
                name: "Ann",
                price: 19.99,
                count: 3,
                isOpen: true,
                opened: born,
                key: key,
                place: GeoPoint(longitude: -71.06, latitude: 42.36),
                tags: ["new"],
                owner: .init(name: "Bob", age: 40),
                size: .small,
                seal: Data([1, 2])
            )
        )
        // Written by others: dates in other forms, and what the type cannot be read from.
        for (id, json) in [
            ("b", #"{"count":1,"colour":"red","opened":"1970-01-02"}"#),
            ("c", #"{"count":2,"colour":"red","opened":"1970-01-02T01:00:00+01:00"}"#),
            ("d", #"{"count":"three","colour":"red","isOpen":1,"opened":"1970-01-02T00:00:01Z","price":"19.99"}"#),
            ("e", #"{"count":4,"colour":"blue","tags":"new","key":7,"opened":5,"place":"here","owner":[{"age":40}]}"#),
        ] { #expect(await harness.send("PUT", "Shop/\(id)", json).status < 300) }
        #expect(await harness.send("GET", "Shop/a").body.contains(#""price":19.99"#))
        #expect(await harness.send("GET", "Shop/a").body.contains("e621e1f8-c36c"))
        let day = GeoShape.circle(longitude: -71, latitude: 42, radius: 100_000)
        let questions: [(Query, [String])] = [
            (try Query(format: "price == 19.99"), ["a"]), (try Query(format: "price < 19.995"), ["a"]),
            (try Query(format: "key == %@", key), ["a"]), (try Query(format: "key == %@", key.uuidString), ["a"]),
            (try Query(format: "key == %@", key.uuidString.lowercased()), ["a"]),
            (try Query(format: "key IN %@", [key]), ["a"]),
            (try Query(format: "opened == %@", born), ["a", "b", "c"]),
            (try Query(format: "opened > '1970-01-01'"), ["a", "b", "c", "d"]),
            (try Query(format: "opened BETWEEN {'1970-01-02', '1970-01-02'}"), ["a", "b", "c"]),
            (try Query(format: "isOpen == 1"), ["a"]), (try Query(format: "isOpen == YES"), ["a"]),
            (try Query(format: "count > 1"), ["a", "c", "e"]), (try Query(format: "count != 3"), ["b", "c", "d", "e"]),
            (try Query(format: "geoWithin(place, %@)", day), ["a"]),
            (try Query(format: "seal == %@", Data([1, 2])), ["a"]),
            (try Query(format: "ANY tags == 'new'"), ["a", "e"]), (try Query(format: "owner.age == 40"), ["a"]),
            (try Query(format: "size == 'small'"), ["a"]), (try Query(format: "colour == 'blue'"), ["e"]),
            (try Query(format: "_kmd.lmt > '2000-01-01'"), ["a", "b", "c", "d", "e"]),
            (try Query(format: "name == nil"), ["b", "c", "d", "e"]),
        ]
        let rows = try QueryValue(json: await harness.send("GET", "Shop").body)
        guard case .list(let rows) = rows else {
            Issue.record("\(rows)")
            return
        }
        let documents = rows.compactMap { if case .object(let row) = $0 { row } else { nil } }
        for (type, shops) in try await stores(Shop.self) {
            for (query, wanted) in questions {
                var inMemory = query
                inMemory.schema = Shop.schema
                let ofMemory = try inMemory.results(in: documents).map { $0["_id"]?.json ?? "" }
                let holdsBytes = wanted == ["a"] && query.description.contains("seal")
                #expect(holdsBytes || ofMemory.sorted() == wanted.map { "\"\($0)\"" }, "memory: \(query)")
                let found = try await shops.result(of: query)
                let ids = found.entities.compactMap(\._id) + found.unreadable.compactMap(\.id)
                #expect(ids.sorted() == wanted, "\(type): \(query)")
                #expect(try await shops.count(query) == wanted.count, "\(type): \(query)")
            }
            // The order of base64 texts is not that of bytes.
            let bytes = Data([1, 2])
            for query in [
                Query(order: ["seal"]), try Query(format: "seal < %@", bytes), try Query(format: "seal >= %@", bytes),
                try Query(format: "seal BETWEEN {%@, %@}", bytes, bytes),
                try Query(format: "max({seal, %@}) != nil", bytes),
            ] {
                let error = await #expect(throws: StoreError.self) { try await shops.find(query) }
                if case .query(let refusal)? = error { #expect(refusal.code == .unsupported, "\(query): \(refusal)") }
                await #expect(throws: StoreError.self) { try await shops.count(query) }
            }
            await #expect(throws: StoreError.self) {
                try await shops.groups(Query().grouped(by: "count", computing: [.max("seal")]))
            }
            let read = try await shops.find(id: "a")
            #expect(read.price == 19.99 && read.key == key && read.opened == born && read.seal == Data([1, 2]))
            #expect(read.place?.latitude == 42.36)
        }
    }
}
