import Foundation
import GRDB

/// What somebody writes who needs one collection: a table of columns, an index, and an outbox, on GRDB.
final class StoreRival: Sendable {
    private let pool: DatabasePool

    private struct Record: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "book"
        var id: String
        var title: String
        var author: String
        var year: Int
        var price: Double
        var seen: Int
    }

    private struct Waiting: Codable, PersistableRecord {
        static let databaseTableName = "outbox"
        var id: String
        var kind: Int
        var at: Double
    }

    /// An entity as the wire has it.
    private struct Wire: Decodable {
        var _id: String
        var title: String
        var author: String
        var year: Int
        var price: Double
    }

    init(_ path: String) throws {
        pool = try DatabasePool(path: path)
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE book (
                        id TEXT PRIMARY KEY, title TEXT, author TEXT, year INTEGER, price REAL, seen INTEGER
                    );
                    CREATE INDEX book_author ON book (author, year);
                    CREATE TABLE outbox (id TEXT PRIMARY KEY, kind INTEGER, at REAL);
                    """
            )
        }
    }

    /// Saves books, each with its entry, in one transaction.
    func save(_ books: [StoreBenchmark.Book]) throws {
        try pool.write { database in
            for book in books {
                let id = UUID().uuidString
                try Record(id: id, title: book.title, author: book.author, year: book.year, price: book.price, seen: 0)
                    .upsert(database)
                try Waiting(id: id, kind: 1, at: Date.now.timeIntervalSince1970).upsert(database)
            }
        }
    }

    /// Stores pages of entities, a transaction each, and returns what a pull returns.
    func pull(_ pages: [[UInt8]]) throws {
        try pool.write { database in try database.execute(sql: "DELETE FROM book; DELETE FROM outbox") }
        for page in pages {
            let entities = try JSONDecoder().decode([Wire].self, from: Data(page))
            try pool.write { database in
                for entity in entities {
                    try Record(
                        id: entity._id,
                        title: entity.title,
                        author: entity.author,
                        year: entity.year,
                        price: entity.price,
                        seen: 1
                    ).upsert(database)
                }
            }
        }
        keep(try pool.read { try Record.fetchAll($0) })
    }

    func find(_ author: String) throws -> Int {
        try pool.read { database in
            try Record.filter(Column("author") == author).order(Column("year")).limit(20).fetchAll(database).count
        }
    }

    func count(_ author: String? = nil) throws -> Int {
        try pool.read { database in
            guard let author else { return try Record.fetchCount(database) }
            return try Record.filter(Column("author") == author).fetchCount(database)
        }
    }
}
