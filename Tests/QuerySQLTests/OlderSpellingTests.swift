import PredicateQL
import PredicateQLSQLite
import Testing

/// Calls by a protocol are not told that a method is deprecated.
private protocol OlderCalls {
    func compareStatements() throws
    func compareRows() throws
}

/// The calls of version 0.1, which still compile: each gives what its `SQLTable` gives.
@Suite struct OlderSpellingTests: OlderCalls {
    private static let query: Result<Query, any Error> = Result { try Query(format: "n > 1", order: ["n"], limit: 5) }

    @Test func statementsAreThoseOfATable() throws { try (self as any OlderCalls).compareStatements() }
    @Test func rowsAreThoseOfATable() throws { try (self as any OlderCalls).compareRows() }

    @available(*, deprecated)
    func compareStatements() throws {
        let query = try Self.query.get()
        let table = SQLTable("notes", storage: .document(), primaryKey: "id")
        #expect(try query.sql(from: "notes", storage: .document(), primaryKey: "id") == query.sql(from: table))
        #expect(try query.sqlCount(from: "notes", storage: .document()) == query.sqlCount(from: table))
        #expect(try query.sqlExists(from: "notes", storage: .document()) == query.sqlExists(from: table))
        #expect(
            try query.sqlDelete(from: "notes", storage: .document(), primaryKey: "id") == query.sqlDelete(from: table)
        )
        #expect(
            try query.suggestedIndexes(from: "notes", storage: .document(), primaryKey: "id")
                == query.suggestedIndexes(from: table)
        )
        #expect(try query.split(for: .sqlite, from: "notes", storage: .document()).memory == nil)
        let key = SQLTable("notes", primaryKey: "id")
        var unordered = query
        unordered.order = []
        #expect(try unordered.sql(.duckDB, from: "notes", primaryKey: "id") == unordered.sql(.duckDB, from: key))
        let grouping = query.grouped(by: "n", computing: [.count])
        #expect(try grouping.sql(from: "notes", primaryKey: "id") == grouping.sql(from: key))
    }

    @available(*, deprecated)
    func compareRows() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE notes (doc TEXT); INSERT INTO notes VALUES ('{\"n\":1}'), ('{\"n\":2}')")
        let query = try Self.query.get()
        let expected: [Document] = [["n": 2]]
        #expect(try query.rows(in: database, from: "notes", storage: .document()) == expected)
        #expect(try query.results(in: database, from: "notes", storage: .document()) == expected)
        #expect(try query.count(in: database, from: "notes", storage: .document()) == 1)
        #expect(try query.exists(in: database, from: "notes", storage: .document()))
        var found = 0
        try query.forEachRow(in: database, from: "notes", storage: .document()) { _ in found += 1 }
        try query.forEachJSON(in: database, from: "notes", storage: .document()) { _ in found += 1 }
        #expect(found == 2)
        let groups = try Query().grouped(by: "n", computing: [.count])
            .results(in: database, from: "notes", storage: .document())
        #expect(groups.count == 2)
        #expect(try query.delete(in: database, from: "notes", storage: .document()) == 1)
    }
}
