import Foundation
import PredicateQL
import PredicateQLSQLite

/// The rows of `Grammar/cookbook.md`, in memory and in a database.
struct CookbookWorld {
    /// Rows of one kind.
    struct Rows {
        var table: String
        var schema: Schema
        var rows: [Document]
        /// The field that a person calls a row by.
        var name: String
        var database: SQLiteDatabase
    }

    private let sets: [Rows]
    private let orders: [Document]

    /// The documents and statements that the page shows, and its schemas.
    init(page: CookbookPage, orders: Schema, books: Schema, cities: Schema) throws {
        let database = try SQLiteDatabase.inMemory()
        let everyCity = ExampleWorld().cities
        try database.importDocuments(page.orders, into: "orders")
        try database.importDocuments(everyCity, into: "cities")
        try database.execute(page.tables)
        self.orders = page.orders
        sets = [
            Rows(table: "orders", schema: orders, rows: page.orders, name: "_id", database: database),
            Rows(table: "books", schema: books, rows: page.books, name: "title", database: database),
            Rows(table: "cities", schema: cities, rows: everyCity, name: "name", database: database),
        ]
    }

    func set(of schema: Schema?) -> Rows? { sets.first { $0.schema == schema } }

    func rows(_ table: String) -> [Document] { sets.first { $0.table == table }?.rows ?? [] }

    /// A new database with the orders, for recipes that change it.
    func database() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        try database.importDocuments(orders, into: "orders")
        return database
    }
}
