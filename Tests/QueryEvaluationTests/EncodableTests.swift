import Foundation
import PredicateQL
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
        #expect(throws: QueryError.self) { try Query().results(in: [1, 2]) }
    }

    final class Knot: Encodable {
        enum CodingKeys: CodingKey { case next }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self, forKey: .next)
        }
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
