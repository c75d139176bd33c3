import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Documents written to a table and read back give the same answers.
@Suite struct SQLiteImportTests {
    private func importing(_ rows: [Document], schema: Schema? = nil) throws -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        var importer = SQLiteImporter(table: "t", schema: schema)
        for row in rows { try importer.observe(row) }
        try importer.write(to: database) { (insert) throws(QueryError) in
            for row in rows { try insert(row) }
        }
        return database
    }

    /// A field that held only texts stays one of texts, though some look like JSON.
    @Test func textsLikeJSONStayTexts() throws {
        let rows: [Document] = [
            ["id": 1, "genres": #"[{"id":28,"name":"Action"}]"#, "plain": "a"],
            ["id": 2, "genres": "[]", "plain": "b"],
            ["id": 3, "genres": " {\"a\":1}", "plain": nil], ["id": 4, "genres": "none"],
        ]
        for schema in [nil, Schema([.field("id", .int), .field("genres", .string), .field("plain", .string)])] {
            let database = try importing(rows, schema: schema)
            let table = try database.table("t")
            #expect(table.columns.map(\.declaredType) == ["INTEGER", "PLAIN_TEXT", "TEXT"])
            for text in [
                "genres CONTAINS 'Action'", "genres CONTAINS '['", "genres == '[]'", "genres IN {'[]', 'none'}",
                "genres BEGINSWITH '['", "genres LIKE '*a*'", "genres != '[]'", "plain CONTAINS 'a'",
            ] {
                let query = try Query(parsing: text)
                let wanted = try query.results(in: rows).map { $0["id"] }
                let found = try query.rows(in: database, from: "t")
                #expect(found.map { $0["id"] } == wanted, "\(text)")
                #expect(try found.map { $0["genres"] } == query.results(in: rows).map { $0["genres"] }, "\(text)")
            }
        }
    }

    /// No number is one of a file's truth values, and none is one of the table's that was made of it.
    @Test func numbersAreNoTruthValues() throws {
        let rows: [Document] = [["id": 1, "b": true], ["id": 2, "b": false], ["id": 3]]
        let database = try importing(rows)
        let schema = try database.schema(ofTable: "t")
        for text in ["b == 1", "NOT b == 1", "0 != b", "b IN {0, 1}", "b IN {1, FALSE}", "NOT b IN {0}", "b == TRUE"] {
            let query = try Query(parsing: text, schema: schema)
            let wanted = try Query(parsing: text).results(in: rows).map { $0["id"] }
            #expect(try query.rows(in: database, from: "t").map { $0["id"] } == wanted, "\(text)")
            let isNoted = !text.contains("TRUE") && !text.contains("FALSE")
            #expect(query.warnings.isEmpty != isNoted, "\(text)")
            #expect(try Query(parsing: text).warnings(seeing: rows).isEmpty != isNoted, "\(text)")
        }
        // Where somebody declared the column, a number may be one.
        let declared = try importing(rows, schema: Schema([.field("id", .int), .field("b", .bool)]))
        let query = try Query(parsing: "b == 1", schema: declared.schema(ofTable: "t"))
        #expect(try query.rows(in: declared, from: "t").map { $0["id"] } == [1])
    }

    @Test func typesAreDeclared() throws {
        let rows: [Document] = [
            [
                "i": 1, "r": 1.5, "s": "a", "b": true, "l": [1, 2], "o": .object(["k": 1]), "m": 1, "n": nil,
                "d": .date(0), "q": 1,
            ],
            ["i": 2, "r": 2, "s": nil, "b": false, "l": [], "m": "x", "q": .int(.max)],
            ["q": 0.5],
        ]
        let database = try importing(rows)
        let types = try database.table("t").columns.map { $0.name + " " + $0.declaredType }
        #expect(
            types == [
                "i INTEGER", "r REAL", "s TEXT", "b PLAIN_BOOLEAN", "l JSON", "o JSON", "m JSON", "n TEXT",
                "d ISO8601_MILLISECONDS",
                "q JSON",
            ]
        )
        let read = try Query().rows(in: database, from: "t")
        #expect(read.first?["l"] == [1, 2])
        #expect(read.first?["b"] == true)
        #expect(read.first?["o"] == .object(["k": 1]))
        #expect(read[1]["m"] == "x")
    }

    @Test func answersAreTheSame() throws {
        var random = SeededGenerator(5)
        let rows = (0..<60).map { _ -> Document in
            var row = Hostile.row(&random)
            row["y"] = random.chance(80) ? .bool(random.chance(50)) : .null
            if let number = row["n"], case .int(let value) = number { row["n"] = .int(value / 4096) }
            return row
        }
        let database = try importing(rows)
        let formats = [
            "x == nil", "y == TRUE", "y != TRUE", "n > 1", "n <= 2.5", "s BEGINSWITH 'a'", "x == 'a'", "x > 0",
            "l CONTAINS 'a'",
            "ANY l == 1", "ALL l != nil", "l.@count > 1", "o.a == 1", "o.a == nil", "ANY k.a == 'a'", "k.@count == 2",
            "SUBQUERY(k, $k, $k.a == nil).@count > 0", "x IN {1, 'a', TRUE, nil}", "s IN {'a', 'b'}",
            "NOT (s CONTAINS[cd] 'E')",
            "x == y", "m + 1 > n", "l[0] == nil", "l == {}", "y == 1", "n == '1'", "s LIKE 'a*b'", "x CONTAINS 'a'",
        ]
        for format in formats {
            let query = try Query(parsing: format)
            let expected = try query.count(in: rows)
            #expect(try query.rows(in: database, from: "t").count == expected, "\(format)")
        }
        let groups = Grouping(Query(), by: ["y"], computing: [.count, .max("s")])
        #expect(try groups.results(in: database, from: "t") == groups.results(in: rows))
    }

    @Test func errorsLeaveNothing() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE old (a)")
        var importer = SQLiteImporter(table: "t", schema: Schema([.field("a", .int)], allowsOthers: true))
        try importer.observe(["a": "x"])
        #expect(throws: QueryError.self) {
            try importer.write(to: database) { (insert) throws(QueryError) in
                try insert(["a": 1])
                try insert(["a": "x"])
            }
        }
        #expect(try database.tableNames() == ["old"])
        let again = SQLiteImporter(table: "old", schema: Schema([.field("a", .int)]))
        #expect(throws: QueryError.self) { try again.write(to: database) { _ throws(QueryError) in } }
        var twice = SQLiteImporter(table: "t")
        try twice.observe(["name": 1, "Name": 2])
        #expect(throws: QueryError.self) { try twice.write(to: database) { _ throws(QueryError) in } }
    }
}
