import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

@Suite("Rows as Swift values")
struct EncodableTests {
    struct Order: Codable, Equatable {
        var amount: Decimal
        var day: Date
    }

    struct Person: Codable, Equatable {
        var name: String
        var age: UInt8
        var nickname: String?
        var id: UUID
        var site: URL?
        var photo: Data
        var orders: [Order]
        var scores: [String: Double]

        enum CodingKeys: String, CodingKey {
            case name = "full_name", age, nickname, id, site, photo, orders, scores
        }
    }

    private func person(_ name: String, _ age: UInt8) throws -> Person {
        Person(
            name: name,
            age: age,
            nickname: nil,
            id: try #require(UUID(uuidString: "00000000-0000-0000-0000-0000000000FF")),
            site: URL(string: "https://a.b/c"),
            photo: Data([1, 2]),
            orders: [Order(amount: 5, day: Date(timeIntervalSince1970: 1.5))],
            scores: ["x": 0.5]
        )
    }

    @Test("kinds survive, nil optionals are absent, coding keys are stored names (S1)")
    func kinds() throws {
        let row = try Document(encoding: person("Ann", 21))
        #expect(row.keys == ["full_name", "age", "id", "site", "photo", "orders", "scores"])
        #expect(row["age"] == 21)
        #expect(row["photo"] == .data([1, 2]))
        #expect(row["site"] == "https://a.b/c")
        #expect(row["orders"] == [.object(["amount": 5, "day": .date(1_500)])])
        #expect(row["scores"] == .object(["x": 0.5]))
        guard case .uuid? = row["id"] else { throw QueryError(.evaluation, "no uuid") }
    }

    private enum Level: String, Codable { case low, high }

    @Test("SELF is a row that is a plain value")
    func plainValues() throws {
        #expect(try Query(format: "SELF > 2").results(in: [1, 2, 3, 4]) == [3, 4])
        #expect(try Query(format: "SELF > 2").count(in: [1.5, 2.5]) == 1)
        #expect(try Query(format: "SELF > 2").first(in: [1, 2, 3, 4] as [UInt8]) == 3)
        #expect(try Query(format: "SELF > 2").matches(3))
        #expect(try Query(format: "SELF BEGINSWITH 'a' AND SELF != 'a'").results(in: ["a", "ab", "b"]) == ["ab"])
        #expect(try Query(format: "SELF IN {'b', 'c'}").results(in: ["a", "b"]) == ["b"])
        #expect(try Query(format: "SELF == 'high'").results(in: [Level.low, .high]) == [.high])
        #expect(try Query(format: "SELF == 1").results(in: [true, false]) == [true])
        #expect(try Query(format: "SELF == nil").count(in: [1, nil]) == 1)
        #expect(try Query(format: "ANY SELF > 2").results(in: [[1], [1, 3]]) == [[1, 3]])
        let days = [0, 86_400].map { Date(timeIntervalSince1970: $0) }
        #expect(try Query(format: "SELF > '1970-01-01T12:00:00Z'").results(in: days) == [days[1]])
        #expect(try Query(Field(.itself) == days[0]).results(in: days) == [days[0]])
        let ids = [UUID(), UUID()]
        #expect(try Query(Field(.itself) == ids[1]).results(in: ids) == [ids[1]])
        #expect(try Query(format: "SELF == %@", ids[0].uuidString).results(in: ids) == [ids[0]])
        #expect(try Query(Field(.itself) == Data([1])).results(in: [Data(), Data([1])]) == [Data([1])])
        #expect(try Query(format: "SELF > 1 AND SELF.x == nil AND y == nil").results(in: [1, 2]) == [2])
    }

    @Test("plain values are sorted by SELF")
    func plainOrder() throws {
        let order = [SortKey(.itself, ascending: false)]
        #expect(try Query(order: order, limit: 2).results(in: [2, 3, 1]) == [3, 2])
        #expect(try Query(format: "SELF < 'c'", order: order).results(in: ["a", "c", "b"]) == ["b", "a"])
        #expect(try Query(order: order, limit: 2).results(in: [2, 3, 1], concurrently: true) == [3, 2])
        let many = (0..<20_000).map { $0 % 100 }
        #expect(try Query(format: "SELF > 97", order: order).count(in: many, concurrently: true) == 400)
        #expect(try Query(order: order, limit: 3).results(in: many, concurrently: true) == [99, 99, 99])
        var cursor = try Query(order: order).cursor(over: [2, 3, 1])
        #expect(try cursor.next() == 3)
        #expect(throws: QueryError.self) { try Query(order: order).results(in: [["a": 1]] as [Document]) }
        #expect(throws: QueryError.self) { try Query(order: ["SELF"]).results(in: [2, 1]) }
    }

    @Test("a plain value has no fields")
    func plainFields() {
        let error = #expect(throws: QueryError.self) { try Query(format: "age > 2").results(in: [1, 3]) }
        #expect(error?.hint?.contains("SELF") == true)
        #expect(throws: QueryError.self) { try Document(encoding: 1) }
    }

    /// A value of every kind.
    struct Everything: Codable, Equatable {
        enum Level: String, Codable { case low, high }
        enum Event: Codable, Equatable { case none, moved(x: Int, to: String) }
        struct Point: Codable, Equatable { var x, y: Double }

        var flag = true
        var i8 = Int8.min
        var i16 = Int16.min
        var i32 = Int32.min
        var i64 = Int64.min
        var int = -7
        var u8 = UInt8.max
        var u16 = UInt16.max
        var u32 = UInt32.max
        var u64 = UInt64(1 << 62)
        var uint = UInt(7)
        var float = Float(0.1)
        var double = 0.1
        var text = "é\u{0}"
        var date = Date(timeIntervalSince1970: -1.5)
        var data = Data([0, 255])
        var id: UUID
        var price: Decimal
        var site: URL?
        var level = Level.high
        var events = [Event.none, .moved(x: 1, to: "a")]
        var some = Int?(1)
        var none = Int?.none
        var list: [Int?] = [1, nil]
        var lists = [[Point(x: 1, y: 2.5)], []]
        var named = ["a b": Point(x: -0.5, y: 0)]
        var numbered = [3: "three"]
        var value: QueryValue = .list([1, 2.5, .date(5)])
    }

    /// The names of the properties that differ.
    private static func differences(_ left: Everything, _ right: Everything) -> [String] {
        zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
            .filter { String(reflecting: $0.value) != String(reflecting: $1.value) }
            .map { "\($0.label ?? ""): \($0.value), not \($1.value)" }
    }

    @Test("what is encoded is decoded again")
    func decoding() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed)
            var wanted = Everything(id: UUID(), price: Decimal(Int64(random.below(1 << 40))) / 100)
            wanted.text = random.pick(["", "a", "Zoé\u{2028}", "\u{10FFFF}"])
            wanted.double = random.pick([0, -0.5, 1e300, .infinity, Double(random.below(1 << 50)) / 3])
            wanted.date = Date(timeIntervalSince1970: Double(Int64(random.below(1 << 40)) - (1 << 39)) / 1_000)
            wanted.site = random.chance(50) ? URL(string: "https://a.b/c?d=1") : nil
            wanted.value = Hostile.value(&random)
            let document = try Document(encoding: wanted)
            let found = try document.decode(Everything.self)
            #expect(found == wanted, "\(Self.differences(found, wanted))")
            // The same from JSON, where dates, data and UUIDs are texts.
            var plain = document
            plain["date"] = .string(DateText.iso8601(wanted.date.milliseconds ?? 0))
            (plain["data"], plain["id"]) = (.string("AP8="), .string(wanted.id.uuidString))
            #expect(try plain.decode(Everything.self) == wanted)
            // The same from columns of a table.
            for (key, value) in plain.pairs where key != "value" && (value.kind == .list || value.kind == .object) {
                plain[key] = .string(value.json)
            }
            plain["id"] = .data(withUnsafeBytes(of: wanted.id.uuid) { Array($0) })
            #expect(try plain.decode(Everything.self) == wanted)
        }
        #expect(try (["a": 2.0, "b": nil] as Document).decode([String: Int?].self) == ["a": 2, "b": nil])
    }

    @Test("what does not fit is an error with its path")
    func decodingFaults() throws {
        let whole = try Document(encoding: Everything(id: UUID(), price: 1))
        let rows: [(String, QueryValue?, String)] = [
            ("flag", 1, "flag"), ("text", 1, "text"), ("i8", 128, "i8"), ("u8", -1, "u8"), ("int", 1.5, "int"),
            ("double", "1", "double"), ("double", nil, "double"), ("text", .null, "text"), ("date", "today", "date"),
            ("data", "?", "data"), ("id", "x", "id"), ("price", .double(.nan), "price"), ("site", 1, "site"),
            ("level", "middle", "level"), ("list", [1, "a"], "list[1]"), ("list", .object([:]), "list"),
            ("lists", [[.object(["x": 1, "y": 2])], [.object(["x": 1])]], "lists[1][0].y"),
            ("named", .object(["a b": .object(["x": true, "y": 1])]), #"named["a b"].x"#),
            ("numbered", .object(["x": "y"]), "numbered.x"),
        ]
        for (key, value, path) in rows {
            var document = whole
            document[key] = value
            let error = #expect(throws: QueryError.self, "\(key)") { try document.decode(Everything.self) }
            #expect(error?.code == .kindMismatch && error?.path == path, "\(key): \(error?.path ?? "")")
        }
        struct Optionals: Decodable {
            var bool: Bool?, text: String?, int: Int?, double: Double?, site: URL?, list: [Int]?
        }
        let others: [(String, QueryValue)] = [
            ("bool", 1), ("text", 1), ("int", "1"), ("int", 1.5), ("double", "1"), ("site", 1), ("list", 1),
        ]
        for (key, value) in others {
            let error = #expect(throws: QueryError.self, "\(key)") {
                try Document(pairs: [(key, value)]).decode(Optionals.self)
            }
            #expect(error?.code == .kindMismatch && error?.path == key)
        }
        struct Strict: Decodable {
            struct Fault: Error {}
            init(from decoder: any Decoder) throws { throw Fault() }
        }
        struct Endless: Decodable {
            var next: [Endless]
            init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
        }
        #expect(#expect(throws: QueryError.self) { try whole.decode(Strict.self) }?.code == .evaluation)
        #expect(#expect(throws: QueryError.self) { try whole.decode(Endless.self) }?.code == .limit)
    }

    @Test("results, matches, count")
    func results() throws {
        let people = [try person("Ann", 21), try person("Bob", 40), try person("Cid", 30)]
        let query = Query(compare(field("age"), .greater, value(25)), order: ["-age"])
        #expect(try query.results(in: people).map(\.name) == ["Bob", "Cid"])
        #expect(try query.count(in: people) == 2)
        #expect(try query.matches(people[1]))
        #expect(try Query(any(field("orders.amount"), .equal, value(5))).count(in: people) == 3)
        #expect(try Query().grouped(computing: [.sum("age")]).results(in: people) == [["sum_age": 91]])
        #expect(throws: QueryError.self) { try Query(fields: ["age"]).results(in: people) }
    }

    final class Knot: Encodable {
        enum CodingKeys: CodingKey { case next }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self, forKey: .next)
        }
    }

    /// A value that encodes itself in its own place.
    final class Loop: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    /// Lists in lists, each written through two single values.
    indirect enum Nested: Encodable {
        case leaf
        case list(Nested?)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .leaf: try container.encode(1)
            case .list(let inner): try container.encode([inner])
            }
        }
    }

    @Test("values in place of others are bounded too")
    func forwards() throws {
        let fault = #expect(throws: QueryError.self) { try Document(encoding: ["a": Loop()]) }
        #expect(fault?.message.contains("in place of others") == true)
        var nested = Nested.leaf
        for _ in 0..<60 { nested = .list(nested) }
        #expect(try Document(encoding: ["a": nested])["a"]?.json.utf8.count == 121)
    }

    @Test("endless rows are an error")
    func depth() throws {
        let query = Query(compare(field("next"), .equal, value(.null)))
        #expect(throws: QueryError.self) { try query.matches(Knot()) }
        #expect(throws: QueryError.self) { try query.results(in: [Knot()]) }
        // Nothing in the row is read.
        #expect(try Query().matches(Knot()))
        #expect(try Query(compare(field("next.next.other"), .equal, value(.null))).matches(Knot()))
    }
}

@Suite("Only the fields that a query names are encoded", .serialized)
struct EncodedPartsTests {
    /// Counts the properties that are encoded.
    final class Count { nonisolated(unsafe) static var encoded: [String] = [] }

    struct Loud: Encodable {
        var name: String
        func encode(to encoder: any Encoder) throws {
            Count.encoded.append(name)
            var container = encoder.singleValueContainer()
            try container.encode(name)
        }
    }

    struct Inner: Encodable {
        var x = Loud(name: "x")
        var y = Loud(name: "y")
    }

    struct Outer: Encodable {
        var a = Loud(name: "a")
        var b = Inner()
        var list = [Inner(), Inner()]
        var deep: [String: [Inner]] = ["k": [Inner()]]
    }

    @Test(
        "paths, lists, sort keys, groups; everything for SELF",
        arguments: [
            ("a == 'a'", "a"), ("b.x == 'x'", "x"), ("ANY list.y == 'y'", "y y"), ("b.x == 'x' AND b != nil", "x y"),
            ("deep.k.x.@count == 1", "x"), ("list[0].x == 'x'", "x y x y"), ("SELF != nil", "a x y x y x y x y"),
            ("TRUEPREDICATE", ""), ("SUBQUERY(list, $i, $i.x == 'x' AND a == 'a').@count == 2", "a x y x y"),
            ("list.@max.x == 'x'", "x y x y"), ("other.x == nil AND a.x == nil", "a"),
            ("SELF['a'] == 'a'", "a x y x y x y x y"),
        ]
    )
    func parts(format: String, encoded: String) throws {
        let query = try Query(parsing: format)
        Count.encoded = []
        #expect(try query.matches(Outer()))
        #expect(Count.encoded.joined(separator: " ") == encoded)
        Count.encoded = []
        #expect(try query.count(in: [Outer()]) == 1)
        #expect(Count.encoded.joined(separator: " ") == encoded)
        let whole = try Document(encoding: Outer())
        #expect(try query.matches(whole))
    }
}
