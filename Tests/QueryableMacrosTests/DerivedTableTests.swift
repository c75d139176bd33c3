#if Macros
    import Foundation
    import PredicateQL
    import Testing

    @Queryable struct Geo: Sendable {
        var lat: Double
        var lon: Double
    }

    /// A public row with every kind of field.
    @Queryable public struct Place: Sendable {
        enum Kind: String, Codable, FieldValue, Sendable { case town, city }
        enum CodingKeys: String, CodingKey {
            case id, name, kind, tags, geo
            case founded = "founding_date"
        }

        var id: UUID
        var name: String
        var kind: Kind
        var tags: [String]
        var geo: Geo?
        var founded: Date?
        var scratch = 0
        @QueryField(storedAs: "initial") var firstLetter: String { String(name.prefix(1)) }
    }

    struct Written: Queryable {
        var place: Place
        static let fields: FieldTable<Written> = [
            .field("id", \.place.id), .field("name", \.place.name), .field("kind", \.place.kind),
            .field("tags", \.place.tags), .field("geo", \.place.geo),
            .field("founded", \.place.founded, storedAs: "founding_date"),
            .field("firstLetter", \.place.firstLetter, storedAs: "initial"),
        ]
    }

    @Queryable final class Counter {
        let name: String
        var count: Int
        init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }
    }

    @Queryable struct Pair<Value: FieldValue> {
        var first: Value
        var second: Value
    }

    /// Generated tables give the same answers as hand-written ones.
    @Suite struct DerivedTableTests {
        private static let places: [Place] = (0..<300).map { (index: Int) -> Place in
            let names: [String] = ["Boston", "Ávila", "Bonn"]
            let tags: [String] = (0..<(index % 4)).map { "t\($0)" }
            let geo = Geo(lat: Double(index % 90), lon: Double(-index))
            return Place(
                id: UUID(),
                name: names[index % 3] + String(index),
                kind: index.isMultiple(of: 4) ? .town : .city,
                tags: tags,
                geo: index.isMultiple(of: 5) ? nil : geo,
                founded: index.isMultiple(of: 7) ? nil : Date(timeIntervalSince1970: Double(index) * 1e6)
            )
        }

        @Test func answersAreThoseOfTheTableByHand() throws {
            let formats = [
                "name BEGINSWITH 'B'", "name BEGINSWITH[d] 'A'", "kind == 'town'", "ANY tags == 't1'",
                "tags.@count > 2",
                "geo.lat > 45", "geo == nil", "founded == nil OR founded < CAST(-900000000, 'NSDate')",
                "firstLetter == 'B'",
            ]
            let written = Self.places.map { Written(place: $0) }
            for format in formats {
                let query = try Query(parsing: format)
                let found = try query.matchingIndices(in: Self.places)
                #expect(!found.isEmpty && found.count < Self.places.count, "\(format)")
                #expect(try query.matchingIndices(in: written) == found, "\(format)")
            }
        }

        @Test func namesAreThoseOfTheCodingKeys() throws {
            let row = Document(queryable: Self.places[1])
            #expect(row.shape.keys == ["id", "name", "kind", "tags", "geo", "founding_date", "initial"])
            #expect(Place.fields.names == ["id", "name", "kind", "tags", "geo", "founded", "firstLetter"])
            let schema = Schema(queryable: Place.self)
            #expect(schema.fields.map(\.storedName) == row.shape.keys)
            #expect(throws: QueryError.self) { try Query(format: "scratch == 0", schema: schema) }
            #expect(throws: QueryError.self) { try Query(format: "geo.lat == 'x'", schema: schema) }
        }

        @Test func classesAndGenericsHaveTables() throws {
            let counters = [Counter("a", 1), Counter("b", 2)]
            #expect(try Query(format: "count > 1").results(in: counters).map(\.name) == ["b"])
            let pairs = [Pair(first: 1, second: 2), Pair(first: 3, second: 3)]
            #expect(try Query(format: "first == second").count(in: pairs) == 1)
            let texts = [Pair(first: "x", second: "X")]
            #expect(try Query(format: "first ==[c] second").count(in: texts) == 1)
        }
    }
#endif
