import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryValues
import SpecSupport
import Testing

/// What a column's collation says never decides an answer (S4, S22): texts are compared by their bytes.
@Suite struct CollationTests {
    private static let conditions = [
        "name == 'bob'", "name != 'bob'", "NOT name == 'bob'", "name IN {'bob', 'zed'}", "NOT name IN {'bob', 'zed'}",
        "name < 'a'", "name >= 'B'", "name BETWEEN {'A', 'b'}", "name BEGINSWITH 'b'", "name ENDSWITH 'B'",
        "name CONTAINS 'o'", "name LIKE 'b?b'", "name LIKE[c] 'B?B'",
        "name LIKE[cd] '?Ó?'", "other LIKE[cd] 'B?É'", "NOT other LIKE[cd] '?Ö?'", "name LIKE 'bob'", "name == code",
        "name < code", "code == 'x'",
        "code IN {'x', 'y'}", "name ==[c] 'BOB'", "name == nil", "name IN {code, 'Bob'}",
        "TERNARY(id > 1, name, code) == 'BOB'",
        "lowercase(name) == 'bob'", "name + code == 'bobx'", "max({name, 'a'}) == 'bob'", "other == 'bob'",
    ]

    private static let rows: [Document] = [
        ["id": 1, "name": "Bob", "code": "x", "other": "BOB"], ["id": 2, "name": "bob", "code": "x  ", "other": "bob"],
        ["id": 3, "name": "ann", "code": "y", "other": 5], ["id": 4],
        ["id": 5, "name": "BOB", "code": "bob", "other": "bob "],
    ]

    private func database() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        for sql in [
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, code TEXT COLLATE RTRIM, other COLLATE NOCASE)",
            "CREATE INDEX names ON t (name)",
            "INSERT INTO t VALUES (1, 'Bob', 'x', 'BOB'), (2, 'bob', 'x  ', 'bob'), (3, 'ann', 'y', 5), (4, NULL, NULL, NULL), (5, 'BOB', 'bob', 'bob ')",
            "CREATE VIEW v AS SELECT id, name, code, other FROM t",
            "CREATE TABLE child (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id), tag TEXT COLLATE NOCASE)",
            "INSERT INTO child VALUES (1, 1, 'Red'), (2, 2, 'red')",
        ] { _ = try database.rows(sql) }
        return database
    }

    private func ids(_ rows: [Document]) -> [QueryValue] { rows.map { $0["id"] ?? .null } }

    @Test func answersAreThoseOfMemory() throws {
        let database = try database()
        for condition in Self.conditions {
            var query = try Query(parsing: condition)
            query.order = ["id"]
            let wanted = ids(try query.results(in: Self.rows))
            for table in ["t", "v"] {
                #expect(ids(try query.rows(in: database, from: table)) == wanted, "\(table): \(condition)")
                #expect(try query.count(in: database, from: table) == wanted.count, "\(table): \(condition)")
            }
        }
        for key in ["name", "-name", "code", "other"] {
            let query = Query(order: [SortKey(stringLiteral: key), "id"])
            let wanted = ids(try query.results(in: Self.rows))
            for table in ["t", "v"] {
                #expect(ids(try query.rows(in: database, from: table)) == wanted, "\(table): \(key)")
            }
        }
        let grouping = Query().grouped(by: "name", computing: [.count])
        #expect(try grouping.results(in: database, from: "t").count == 5)
        let texts = Query().grouped(by: [], computing: [.min("name"), .max("name"), .countDistinct("name")])
        #expect(try texts.results(in: database, from: "t") == texts.results(in: Self.rows))
    }

    @Test func relationsCompareByBytesToo() throws {
        let database = try database()
        let query = try Query(format: "ANY child.tag == 'red'")
        #expect(ids(try query.rows(in: database, from: "t")) == [2])
        let schema = try database.schema(ofTable: "t")
        let known = try Query(format: "SUBQUERY(child, $c, $c.tag BEGINSWITH 'R').@count == 1", schema: schema)
        #expect(ids(try known.rows(in: database, from: "t")) == [1])
    }

    /// The index of such a column serves what is equal.
    @Test func indexesServe() throws {
        let database = try database()
        for condition in ["name == 'bob'", "name IN {'bob', 'zed'}"] {
            let table = try database.table("t")
            let query = try Query(parsing: condition, schema: table.schema)
            let statement = try query.sql(.sqlite, from: SQLTable("t", storage: table.storage))
            let plan = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
            #expect(plan.contains("USING INDEX names"), "\(plan)")
        }
        let plain = try Query(format: "id == 1").sql(.sqlite, from: SQLTable("t", storage: database.table("t").storage))
        #expect(!plain.sql.contains("COLLATE"))
    }

    /// Columns of the types that databases declare for dates are dates, of any form of text, and keep their index; so are
    /// the texts of a TEXT column beside a date.
    @Test func declaredDatesAreDates() throws {
        let database = try SQLiteDatabase.inMemory()
        let types = ["DATE", "DATETIME", "TIMESTAMP", "datetime(6)", "TIMESTAMP WITH TIME ZONE", "TEXT"]
        let columns = types.indices.map { "c\($0) \(types[$0])" }.joined(separator: ", ")
        _ = try database.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns))")
        var random = SeededGenerator.standard
        var texts: [QueryValue] = [
            .null, .string(""), .string("soon"), .int(1_704_450_000), .string("+012024-01-05T00:00:00Z"),
            .string("-000001-01-05T00:00:00Z"), .string("2024-01-05 10:00"), .string("2024-01-31T23:59:59-14:00"),
            .string("2024-02-01T00:00:00+14:00"), .string("0000-01-01"), .string("9999-12-31T23:59:59.999Z"),
        ]
        let instants = [
            -62_135_596_800_000, 0, 1_704_450_000_000, 1_706_745_600_000, 253_370_764_800_000, 253_402_300_799_999,
        ]
        for _ in 0..<SeededGenerator.count(40) {
            let text = DateText.iso8601(Int64(random.pick(instants)) + Int64(random.next() % 400_000_000) - 200_000_000)
            texts.append(
                .string(random.pick([text, String(text.prefix(10)), DateText.grdb(0), text.prefix(19) + "+05:30"]))
            )
        }
        let rows = texts.enumerated().map { number, text in
            Document(pairs: [("id", .int(Int64(number)))] + types.indices.map { ("c\($0)", text) })
        }
        let places = Array(repeating: "?", count: types.count + 1).joined(separator: ", ")
        for row in rows { _ = try database.rows("INSERT INTO t VALUES (\(places))", row.values) }
        let schema = try database.schema(ofTable: "t")
        let forms = [
            "X > %@", "X >= %@", "X < %@", "X <= %@", "X == %@", "X != %@", "NOT X > %@", "NOT X <= %@", "%@ < X",
            "X BETWEEN {%@, %@}", "NOT X BETWEEN {%@, %@}", "X IN {%@, %@}", "X > %@ AND X < %@",
        ]
        for _ in 0..<SeededGenerator.count(60) {
            let column = "c\(random.next() % UInt64(types.count))"
            let form = random.pick(forms)
            let dates = (0..<2).map { _ in
                QueryValue.date(Int64(random.pick(instants)) + Int64(random.next() % 3) * 43_200_000)
            }
            let count = form.split(separator: "@", omittingEmptySubsequences: false).count - 1
            let arguments = Array(dates.sorted { "\($0)" < "\($1)" }.prefix(count))
            let text = form.replacing("X", with: column)
            let query = try Query(parsing: text, arguments: arguments, order: ["id"], schema: schema)
            let wanted = ids(try query.results(in: rows))
            #expect(try ids(query.rows(in: database, from: "t")) == wanted, "\(text) \(arguments)")
        }
        let due = try Query(parsing: "c1 > c0 OR c2 <= c1", order: ["id"], schema: schema)
        #expect(try ids(due.rows(in: database, from: "t")) == ids(due.results(in: rows)))
        _ = try database.rows("CREATE INDEX i ON t (c1)")
        for text in [
            "c1 > '2024-01-31'", "c1 <= '2024-01-31'", "c1 BETWEEN {'2024-01-01', '2024-01-31'}", "c1 == '2024-01-31'",
        ] {
            let statement = try Query(parsing: text, schema: schema).sql(.sqlite, from: "t")
            let plan = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
            #expect(plan.contains("USING INDEX i") && !plan.contains("SCAN"), "\(text): \(plan)")
        }
    }

    /// Columns of bytes hold the 16 bytes of UUIDs in many tables.
    @Test func uuidsBesideBytes() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE b (id INTEGER PRIMARY KEY, u BLOB);
            INSERT INTO b VALUES (1, x'6F9619FF8B86D011B42D00CF4FC964FF'), (2, x'01000000000000000000000000000000'), (3, NULL)
            """
        )
        let uuid = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF"))
        for (format, wanted): (String, [Int64]) in [("u == %@", [1]), ("u != %@", [2, 3]), ("u IN {%@}", [1])] {
            for part in ["", " OR random() < 0"] {
                let query = try Query(parsing: format + part, arguments: [.uuid(uuid)], order: ["id"])
                #expect(try ids(query.results(in: database, from: "b")) == wanted.map { .int($0) }, "\(format)\(part)")
            }
        }
        // A schema of one's own, as that of a struct with a UUID, which GRDB stores so.
        let own = Schema([.field("id", .int), .field("u", .uuid)])
        for (format, wanted): (String, [Int64]) in [
            ("u == %@", [1]), ("u == '6F9619FF-8B86-D011-B42D-00CF4FC964FF'", [1]), ("u != %@", [2, 3]),
            ("u IN {%@, nil}", [1, 3]), ("NOT u IN {%@}", [2, 3]), ("u > %@", []), ("u <= %@ AND id > 1", [2]),
            ("u == u", [1, 2, 3]), ("u BETWEEN {%@, %@}", [1]), ("u == %@ OR random() < 0", [1]),
        ] {
            let values = Array(repeating: QueryValue.uuid(uuid), count: format.count { $0 == "@" })
            let query = try Query(parsing: format, arguments: values, order: ["id"], schema: own)
            #expect(try ids(query.results(in: database, from: "b")) == wanted.map { .int($0) }, "\(format)")
            #expect(try query.count(in: database, from: "b") == wanted.count, "\(format)")
        }
        #expect(try ids(Query(order: ["-u", "id"], schema: own).results(in: database, from: "b")) == [1, 2, 3])
        var (seen, cursor): ([QueryValue], PageCursor?) = ([], nil)
        let pages = Query(order: ["u"], limit: 1, schema: own)
        for _ in 0..<3 {
            let rows = try pages.page(after: cursor, by: "id").results(in: database, from: "b")
            seen += ids(rows)
            cursor = try rows.last.map { try pages.cursor(after: $0, by: "id") }
        }
        #expect(seen == [3, 2, 1])
        struct Row: Decodable { var u: UUID }
        let found = try Query(parsing: "u == %@", arguments: [.uuid(uuid)], schema: own).first(in: database, from: "b")
        let row = try #require(found)
        #expect(try row.decode(Row.self).u == uuid)
        let schema = try database.schema(ofTable: "b")
        let error = #expect(throws: QueryError.self) { try Query(parsing: "u == '6F96'", schema: schema) }
        #expect(error?.hint == "use an argument of bytes, or a UUID for the bytes of one")
        let declared = try Query(parsing: "u == %@", arguments: [.uuid(uuid)], schema: schema)
        #expect(try declared.sql(.postgresql, from: "b").where == #""b"."u" = CAST($1 AS bytea)"#)
    }

    /// Columns of texts hold UUIDs as Swift writes them in many tables, which a UUID finds with and without a schema (S5).
    @Test func uuidsBesideTexts() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE a (id TEXT PRIMARY KEY, n INTEGER);
            CREATE TABLE b (id INTEGER PRIMARY KEY, u TEXT, a_id TEXT REFERENCES a (id));
            INSERT INTO a VALUES ('6F9619FF-8B86-D011-B42D-00CF4FC964FF', 1);
            INSERT INTO b VALUES (1, '6F9619FF-8B86-D011-B42D-00CF4FC964FF', '6F9619FF-8B86-D011-B42D-00CF4FC964FF'),
              (2, '6f9619ff-8b86-d011-b42d-00cf4fc964ff', NULL), (3, 'x', NULL), (4, NULL, NULL);
            CREATE INDEX i ON b (u)
            """
        )
        let uuid = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF"))
        let own = Schema([.field("id", .int), .field("u", .uuid)], allowsOthers: true)
        let table = try database.schema(ofTable: "b")
        for (format, wanted): (String, [Int64]) in [
            ("u == %@", [1, 2]), ("%@ == u", [1, 2]), ("u != %@", [3, 4]), ("u IN {%@, nil}", [1, 2, 4]),
            ("NOT u IN {%@}", [3, 4]), ("u == %@ OR id == 3", [1, 2, 3]), ("TERNARY(u == %@, 1, 2) == 1", [1, 2]),
        ] {
            for schema in [nil, own, table] {
                let query = try Query(parsing: format, arguments: [.uuid(uuid)], order: ["id"], schema: schema)
                #expect(try ids(query.results(in: database, from: "b")) == wanted.map { .int($0) }, "\(format)")
            }
        }
        let related = try Query(parsing: "a.id == %@", arguments: [.uuid(uuid)])
        #expect(try related.count(in: database, from: "b") == 1)
        let query = try Query(parsing: "u == %@", arguments: [.uuid(uuid)])
        let statement = try query.converting(by: table).sql(.sqlite, from: "b")
        let plan = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
        #expect(plan.contains("USING INDEX i") && !plan.contains("SCAN"), "\(plan)")
    }

    /// The last date among rows of another table, parts of dates in texts, computed columns, and UUIDs as Swift writes
    /// them.
    @Test func tablesAsPeopleDeclareThem() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE p (id INTEGER PRIMARY KEY, u UUID, v UUID, made TEXT, a INTEGER, twice INTEGER AS (a * 2) STORED,
              next INTEGER AS (a + 1) VIRTUAL);
            CREATE TABLE o (id INTEGER PRIMARY KEY, p_id INTEGER REFERENCES p (id), placed DATE, sent DATETIME);
            INSERT INTO p (id, u, v, made, a) VALUES (1, '6F9619FF-8B86-D011-B42D-00CF4FC964FF',
              '6f9619ff-8b86-d011-b42d-00cf4fc964ff', '2024-06-15 10:00:00', 1),
              (2, '6f9619ff-8b86-d011-b42d-00cf4fc964fe', '6F9619FF-8B86-D011-B42D-00CF4FC964FE', '2023-01-01T00:00:00Z', 2), (3, NULL, NULL, 'never', NULL);
            INSERT INTO o VALUES (1, 1, '2024-03-01', '2024-03-01 10:00:00'), (2, 1, '2024-01-01', '2024-01-02'),
              (3, 2, '2023-03-01', '2023-03-01')
            """
        )
        let schema = try database.schema(ofTable: "p")
        for (format, wanted): (String, [Int64]) in [
            ("o.@max.placed > CAST('2024-02-01', 'NSDate')", [1]), ("o.@min.sent < CAST('2024-01-01', 'NSDate')", [2]),
            ("o.@max.placed == nil", [3]), ("year(o.@max.placed) == 2023", [2]),
            ("made > CAST('2024-01-01', 'NSDate')", [1]), ("NOT made < now()", [3]), ("year(made) == 2023", [2]),
            ("made BETWEEN {CAST('2022-01-01', 'NSDate'), CAST('2023-06-01', 'NSDate')}", [2]),
            ("made IN {CAST('2023-01-01', 'NSDate')}", [2]), ("made == '2023-01-01T00:00:00Z'", [2]),
            ("twice == 4", [2]), ("next == 2", [1]), ("NOT next > 2", [1, 3]),
            ("u == '6F9619FF-8B86-D011-B42D-00CF4FC964FF'", [1]), ("u == '6F9619FF-8B86-D011-B42D-00CF4FC964FE'", [2]),
            ("u != '6f9619ff-8b86-d011-b42d-00cf4fc964ff'", [2, 3]),
            ("u > '6f9619ff-8b86-d011-b42d-00cf4fc964fe'", [1]), ("u <= '6F9619FF-8B86-D011-B42D-00CF4FC964FE'", [2]),
            ("NOT u > '6f9619ff-8b86-d011-b42d-00cf4fc964fe'", [2, 3]), ("u == v", [1, 2, 3]),
            ("u IN {'6f9619ff-8b86-d011-b42d-00cf4fc964ff', '6f9619ff-8b86-d011-b42d-00cf4fc964fe'}", [1, 2]),
        ] {
            let query = try Query(parsing: format, order: ["id"], schema: schema)
            let found = try ids(query.rows(in: database, from: "p"))
            #expect(found == wanted.map { .int($0) }, "\(format)")
            // Rows of another table are not in memory.
            if format.contains("o.") { continue }
            for schema in [schema, nil] {
                let split = try Query(parsing: format + " OR random() < 0", order: ["id"], schema: schema)
                let left = try ids(split.results(in: database, from: "p"))
                #expect(left == wanted.map { .int($0) }, "\(format) in the memory part of a split")
            }
        }
        let unknown = #expect(throws: QueryError.self) { try Query(parsing: "nosuch == 1", schema: schema) }
        #expect(unknown?.message == "the table has no column nosuch")
        // Two columns that may or may not hold dates are two kinds.
        #expect(throws: QueryError.self) { try Query(parsing: "made < o.@max.placed", schema: schema) }
    }
}
