import Foundation
import PredicateQL
import Testing

@Suite("Codable")
struct CodableTests {
    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test("Values keep their kinds, ints stay ints, keys keep their order")
    func values() throws {
        let values: [QueryValue] = [
            nil, true, 1, 1.0, -0.0, .double(.nan), .double(.infinity), .int(.max), "a\0b", .date(1), .data([1, 2]),
            .uuid(UUID()), [1, [nil]], .object(["b": 1, "a": [2.0]]),
            .shape(.circle(longitude: -74, latitude: 40.5, radius: 10)),
        ]
        for value in values { #expect(try roundTrip(value) == value, "\(value)") }
    }

    @Test("A query keeps its order, pages, fields, nil meaning and schema")
    func queries() throws {
        let schema = Schema([
            .field("age", .int, storedAs: "a", isOptional: false), .field("joined", .date(.epochSeconds)),
            .field(
                "kids",
                .list(.object(Schema([.field("id", .uuid), .field("photo", .data)]))),
                relation: .init(table: "kid", foreignKey: "parent", key: "id")
            ),
            .field("extra", .object(.any)), .field("anything", .any),
            .field("home", .object(Schema([.field("zip", .string)], allowsOthers: true))),
        ])
        let query = try Query(
            format: "age > %@ AND joined != nil",
            arguments: [21],
            order: [.descending("age", options: .caseInsensitive)],
            skip: 1,
            limit: 2,
            fields: ["age", "home.zip"],
            nilMeaning: .absent,
            schema: schema
        )
        #expect(try roundTrip(query) == query)
        #expect(try Schema(jsonSchema: schema.jsonSchema) == schema)
        #expect(try roundTrip(Schema.any) == .any)
        let groups = query.grouped(by: "age", computing: [.count, .average("age").as("mean")], having: .constant(true))
        #expect(try roundTrip(groups) == groups)
        let custom = query.grouped(computing: [.custom("n", initial: 0) { value, _ in value }])
        #expect(throws: (any Error).self) { _ = try roundTrip(custom) }
    }

    @Test("Errors are data")
    func errors() throws {
        do throws(QueryError) {
            _ = try Query(format: "age IS NULL", arguments: [])
            Issue.record("accepted")
        } catch {
            #expect(try roundTrip(error) == error)
        }
    }
}
