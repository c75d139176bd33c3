import Foundation
import PredicateQL
import PredicateQLSQLite

// What the examples name. They are compiled here and never run: `DocumentationTests` runs them.

func expectShown<Value>(_ value: Value, _ text: String) {}

func expectThrown<Value>(_ code: String, _ expression: () throws -> Value) {}

enum ExampleWorld {
    static let fewCities: [Document] = []
    static let people: [Person] = []
    static let books: [Book] = []
    static let schema = Schema([])

    static func columns() throws(QueryError) -> ColumnTable { ColumnTable() }

    static func database() throws(QueryError) -> SQLiteDatabase { try SQLiteDatabase.inMemory() }

    static func pool() throws -> SQLitePool { try SQLitePool(path: "") }

    static func query() throws(QueryError) -> Query { Query() }

    static func incoming() -> AsyncStream<Document> { AsyncStream { $0.finish() } }

    static func file() throws -> String { "" }

    static func fetch(_ request: RESTRequest) throws -> [Document] { [] }
}

/// A row that a query reads in place.
struct Person: Queryable, Codable, Hashable {
    var id: Int64
    var name: String
    var age: Int
    var city: String?
    static let fields: FieldTable<Person> = [
        .field("id", \.id), .field("name", \.name), .field("age", \.age), .field("city", \.city),
    ]
}

/// A row that is encoded before a query reads it.
struct Book: Codable, Hashable {
    var title: String
    var year: Int
}
