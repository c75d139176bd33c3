import Foundation
import PredicateQL
import PredicateQLStore
import StoreModel
import StoreSupport
import Testing

/// What an app's own types bring along.
@Suite struct EverydayTests {
    private struct Item: Entity {
        static let collection = "Item"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var key: UUID?
        var bytes: Data?
        var keys: [UUID] = []
        var size = 0.0
        var count: UInt64 = 0
        var parts: [Part] = []
        var price: Decimal?
    }

    private struct Part: Codable {
        var counts: [String: UInt?] = [:]
        var prices: [Decimal] = []
    }

    /// Another version of the app's type, with a property that entities of the first lack.
    private struct NamedItem: Entity {
        static let collection = "Item"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var name: String
    }

    private let harness: ServiceHarness

    init() throws { harness = try .open() }

    /// Entities hold them as texts, on both sides.
    @Test func uuidsAndBytesAreFound() async throws {
        let items = try harness.client().store(Item.self, .sync)
        let (key, other) = (UUID(), UUID())
        try await items.save([Item(key: key, bytes: Data([0, 255]), keys: [other]), Item(key: other)])
        _ = try await items.push()
        for policy in [ReadPolicy.local, .network] {
            let options = Options(readPolicy: policy)
            #expect(try await items.count(Query(Field("key") == key), options: options) == 1)
            #expect(try await items.count(Query(Field("key") != key), options: options) == 1)
            #expect(try await items.count(Query(Field("key").in([key, other])), options: options) == 2)
            let keys = try Query(parsing: "key IN %@", arguments: [.list([key.queryValue, other.queryValue])])
            #expect(try await items.count(keys, options: options) == 2)
            #expect(try await items.count(Query(Field("bytes") == Data([0, 255])), options: options) == 1)
            #expect(try await items.count(Query(format: "ANY keys == \(other)"), options: options) == 1)
        }
        #expect(try await items.pull(Query(Field("key") == key)).entities.count == 1)
        #expect(try await items.remove(Query(Field("key") == key)) == 1)
    }

    /// Stored, one such value would be in the way of every `find`.
    @Test func whatCouldNotBeReadAgainIsRefused() async throws {
        let items = try harness.client().store(Item.self, .sync)
        for item in [Item(size: .nan), Item(size: .infinity)] {
            do {
                try await items.save(item)
                Issue.record("\(item)")
            } catch {
                guard case .badEntity = error else { throw error }
                #expect("\(error)".contains("size: JSON has no NaN"))
            }
        }
        #expect(try await items.syncCount() == 0)
        #expect(try await items.find().isEmpty)
    }

    /// Above the greatest `Int64` numbers are doubles (S1); those that no double is would be stored as another number.
    @Test func numbersThatWouldBeRoundedAreRefused() async throws {
        let items = try harness.client().store(Item.self, .sync)
        let rounded: [(Item, String)] = [
            (Item(count: .max), "count: "),
            (Item(count: 1 << 63 + 1), "count: "),
            (Item(parts: [Part(), Part(counts: ["a": nil, "b": 1 << 63 + 1])]), "parts[1].counts.b: "),
            (Item(price: Decimal(string: "12345678901234567.89")), "price: "),
            (Item(parts: [Part(prices: [0.5, Decimal(1) / 3])]), "parts[0].prices[1]: "),
        ]
        for (item, place) in rounded {
            await #expect {
                try await items.save(item)
            } throws: { error in
                guard case .badEntity(let reason)? = error as? StoreError else { return false }
                return reason.contains(place)
            }
        }
        #expect(try await items.syncCount() == 0)
        for count in [UInt64(Int64.max), 1 << 63, 1 << 63 + 2_048] as [UInt64] {
            let saved = try await items.save(Item(count: count, parts: [Part(counts: ["a": UInt(count)])]))
            #expect(saved.count == count)
            let found = try await items.find(Query(Field("count") == count))
            #expect(found.map(\.parts.first?.counts) == [["a": UInt(count)]])
        }
        for text in ["0.1", "-19.99", "1e20", "123456789012345", "9223372036854775807"] {
            let price = Decimal(string: text)
            let saved = try await items.save(Item(parts: [Part(prices: [1.25])], price: price))
            #expect(saved.price == price, "\(text)")
        }
        // The compiler makes a double of a literal, which need not be the nearest one.
        let literal = try #require(try await items.save(Item(price: 3.133)).price)
        #expect(abs(literal - 3.133) < 1e-14)
    }

    /// What a save returns is what the cache holds: fields that the service wrote, and those the type does not know.
    @Test func savesReturnWhatIsStored() async throws {
        let items = try harness.client().store(Item.self, .sync)
        let new = try await items.save(Item(size: 1))
        #expect(new._kmd == nil)
        _ = try await items.push()
        let bare = Item(_id: new._id, size: 2)
        for saved in [try await items.save(bare), try await items.save([bare]).entities[0]] {
            #expect(saved?.size == 2)
            #expect(saved?._kmd != nil)
        }
        #expect(try await items.find(id: new._id ?? "").size == 2)
    }

    /// Parts of an entity that the app's type writes otherwise than they are stored.
    private struct Parcel: Entity {
        static let collection = "Parcel"
        struct Part: Codable, Hashable {
            var a: Int?
        }
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
        var name: String?
        var weight: Float?
        var sent: Date?
        var stops: [Date]?
        var parts: [Part]?
    }

    /// No text stands for such a date; the nearest one would be another, and nil would be too.
    @Test(arguments: [.nan, .infinity, -.infinity, 1e30, 9.3e15] as [Double])
    func datesOutOfRangeAreRefused(seconds: Double) async throws {
        let parcels = try harness.client().store(Parcel.self, .sync)
        let date = Date(timeIntervalSince1970: seconds)
        for (parcel, place) in [(Parcel(sent: date), "sent"), (Parcel(stops: [.now, date]), "stops[1]")] {
            await #expect {
                try await parcels.save(parcel)
            } throws: { error in
                guard case .badEntity(let reason)? = error as? StoreError else { return false }
                return reason.contains("\(place): the date is NaN or out of range")
            }
        }
        #expect(try await parcels.syncCount() == 0)
        for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 9e15)] {
            #expect(try await parcels.save(Parcel(sent: date)).sent == date)
        }
    }

    /// What an app does not change stays as it is stored: fields of elements, digits, dates (W10).
    @Test(arguments: [StoreType.sync, .auto, .network]) func whatIsNotChangedStays(type: StoreType) async throws {
        let parts = #""parts":[{"a":1,"c":"k1"},{"a":2,"c":"k2"}]"#
        let kept = #""weight":0.123456789012345,"sent":"2020-01-01T00:00:00.123456+01:00","#
        #expect(await harness.send("PUT", "Parcel/p", #"{"name":"a",\#(kept)\#(parts)}"#).status == 201)
        let client = try harness.client()
        if type != .network { _ = try await client.store(Parcel.self, .sync).pull() }
        let parcels = client.store(Parcel.self, type)
        var parcel = try await parcels.find(id: "p")
        parcel.name = "b"
        let saved = try await parcels.save(parcel)
        #expect(saved.name == "b" && saved.parts == parcel.parts)
        if type == .sync { _ = try await parcels.push() }
        var body = await harness.send("GET", "Parcel/p").body
        #expect(body.contains(#""name":"b",\#(kept)\#(parts)"#), "\(body)")
        parcel.parts = [.init(a: 7), .init(a: 2)]
        try await parcels.save(parcel)
        if type == .sync { _ = try await parcels.push() }
        body = await harness.send("GET", "Parcel/p").body
        #expect(body.contains(#""parts":[{"a":7,"c":"k1"},{"a":2,"c":"k2"}]"#), "\(body)")
    }

    /// What the type cannot read of a stored version does not take the rest with it (W10).
    @Test func unknownFieldsOfUnreadableEntitiesStay() async throws {
        let body = #"{"name":5,"weight":1,"extra":"e","parts":[{"a":1,"c":"k1"}]}"#
        #expect(await harness.send("PUT", "Parcel/p", body).status == 201)
        let parcels = try harness.client().store(Parcel.self, .network)
        try await parcels.save(Parcel(_id: "p", name: "b", parts: [.init(a: 1)]))
        let kept = await harness.send("GET", "Parcel/p").body
        #expect(kept.contains(#""name":"b""#) && !kept.contains("weight"), "\(kept)")
        #expect(kept.contains(#""extra":"e""#) && kept.contains(#"{"a":1,"c":"k1"}"#), "\(kept)")
    }

    @Test func entitiesThatDoNotFitTheTypeAreNamed() async throws {
        let client = try harness.client()
        try await client.store(Item.self, .sync).save(Item(_id: "i1"))
        let named = client.store(NamedItem.self, .sync)
        let reason = "the entity i1 of the collection Item cannot be read as NamedItem: name: the value is missing"
        #expect(try await named.result().unreadable.map(\.error.message) == [reason])
        do {
            _ = try await named.find(id: "i1")
            Issue.record("an entity without a name")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    /// One that cannot be saved does not hold up the others, wherever they go.
    @Test(arguments: [StoreType.sync, .auto, .network]) func severalAreSavedBesideABadOne(type: StoreType) async throws
    {
        let items = try harness.client().store(Item.self, type)
        let saved = try await items.save([
            Item(size: 1), Item(size: .nan), Item(_id: "_", size: 2), Item(_id: "i", size: 3),
        ])
        #expect(saved.entities.map { $0?.size } == [1, nil, nil, 3])
        #expect(saved.errors.map(\.index) == [1, 2])
        let reason = "the entity cannot be saved: size: JSON has no NaN and no infinity; keep such a value as nil"
        #expect(saved.errors.first.map { "\($0.error)" } == reason)
        #expect(try await items.find(Query(order: ["size"])).map(\.size) == [1, 3])
    }

    /// What became of one, or what of it cannot be read, is its own matter (F7, F11).
    @Test func severalAreSavedBesideOnesThatAreOverruled() async throws {
        let novels = try harness.client(options: Options(conflict: .serverWins)).store(Novel.self)
        var books = try await novels.save(["a", "b", "c"].map { Novel(id: $0, title: $0) }).entities.compactMap(\.self)
        harness.time.advance(10)
        #expect(await harness.send("DELETE", "Book/a").status == 200)
        #expect(await harness.send("PUT", "Book/c", #"{"title":5}"#).status == 200)
        for index in books.indices { books[index].title = "edited" }
        let result = try await novels.save(books)
        #expect(result.entities.map { $0?.title } == [nil, "edited", nil])
        #expect(result.errors.map(\.index) == [0, 2])
        guard case .conflict("a")? = result.errors.first?.error else { throw try #require(result.errors.first).error }
        #expect(await harness.send("GET", "Book/b").body.contains("edited"))
    }

    /// Of several versions of one entity the last is saved, and that is what all of them are.
    @Test(arguments: StoreType.allCases) func anEntityIsSavedOnceInACall(type: StoreType) async throws {
        let novels = try harness.client().store(Novel.self, type)
        let result = try await novels.save(["1", "2"].map { Novel(id: "x", title: $0) } + [Novel(title: "3")])
        #expect(result.errors.isEmpty && result.entities.map { $0?.title } == ["2", "2", "3"])
        #expect(try await novels.find(id: "x").title == "2")
    }

    private struct Odd: Entity {
        static let collection = "my notes"
        var _id: String?
        var _acl: AccessControl?
        var _kmd: Metadata?
    }

    @Test func namesOfNoCollectionAreRefused() async throws {
        let client = try harness.client()
        let odds = client.store(Odd.self, .sync)
        let calls: [(String, () async throws -> Void)] = [
            ("save", { _ = try await odds.save(Odd()) }), ("save several", { _ = try await odds.save([Odd()]) }),
            ("remove(id:)", { _ = try await odds.remove(id: "a") }), ("removeAll", { _ = try await odds.removeAll() }),
            ("find", { _ = try await odds.find() }), ("find(id:)", { _ = try await odds.find(id: "a") }),
            ("pull", { _ = try await odds.pull() }), ("count", { _ = try await odds.count() }),
        ]
        for (name, call) in calls {
            do {
                try await call()
                Issue.record("\(name): nothing can be kept there")
            } catch {
                #expect("\(error)".contains("no collection can be called \"my notes\""), "\(name): \(error)")
            }
        }
        #expect(try await client.push().failures.isEmpty)
    }

    /// What begins with a text of somebody else's keeps its case.
    @Test func sentencesBeginWithWords() async throws {
        let client = try harness.client()
        try await client.store(Item.self, .sync).save(Item(_id: "i1"))
        do {
            _ = try await client.store(NamedItem.self, .sync).find(id: "i1")
            Issue.record("an entity without a name")
        } catch {
            #expect(
                error.localizedDescription.hasPrefix("The entity i1 of the collection Item"),
                "\(error.localizedDescription)"
            )
        }
    }

    @Test func addressesThatAreNoneAreNamed() {
        #expect {
            try StoreClient(service: "localhost:8080", app: .init(key: "kid", secret: "s"), cache: .memory)
        } throws: {
            "\($0)" == "this is not the address of a service: localhost:8080; write https://host"
        }
    }
}
