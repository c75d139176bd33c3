import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Pages by keys, existence and deletion agree in memory and in SQLite.
@Suite struct PageTests {
    private static let orders: [[SortKey]] = [
        [], ["x"], ["-x"], ["s", "-n"], ["-s", "n"], ["-n", "x", "-s"], ["-_id"],
        [.ascending("s", options: [.caseInsensitive]), .descending("n")], ["o.a"], ["-o.a", "s"],
    ]

    private static func documents() -> [Document] {
        var random = SeededGenerator(5)
        return (0..<70).map { index in
            var row = Hostile.row(&random)
            row["x"] = Hostile.scalar(&random)
            row["o"] = random.chance(20) ? nil : .object(["a": Hostile.scalar(&random)])
            row["_id"] = .string("id\(index % 7)\(index)")
            return row
        }
    }

    /// All pages one after the other, with the cursor sent as text in between.
    private func pages(
        _ query: Query,
        _ size: Int,
        _ results: (Query) throws -> [Document]
    ) throws -> [Document] {
        var all: [Document] = []
        var cursor: PageCursor?
        while true {
            var page = try query.page(after: cursor)
            page.limit = size
            let rows = try results(page)
            all += rows
            guard let last = rows.last, all.count < 1_000 else { return all }
            cursor = try PageCursor(token: query.cursor(after: last).token)
        }
    }

    @Test func pagesOfDocumentsAreTheWhole() throws {
        let rows = Self.documents()
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(rows, in: database)
        for order in Self.orders {
            for text in ["TRUEPREDICATE", "n > 0 OR s CONTAINS 'a'"] {
                let query = try Query(parsing: text, order: order)
                let whole = try query.page(after: nil).results(in: rows)
                #expect(try pages(query, 4) { try $0.results(in: rows) } == whole, "memory: \(order)")
                let found = try pages(query, 4) {
                    try $0.rows(in: database, from: SQLTable("docs", storage: .document()))
                }
                #expect(found == whole, "documents: \(order)")
            }
        }
    }

    @Test func pagesOfColumnsAreTheWhole() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (_id TEXT PRIMARY KEY, n INTEGER, r REAL NOT NULL, s TEXT, b BOOLEAN)")
        var random = SeededGenerator(6)
        for index in 0..<90 {
            let values: [QueryValue] = [
                .string("k\(index)"), random.pick([.null, .int(1), .int(2), .int(-3)]), .double(Double(index % 3)),
                random.pick([.null, .string("a"), .string("A"), .string("b"), .string("")]),
                random.pick([.null, .int(0), .int(1)]),
            ]
            _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
        }
        let rows = try Query().rows(in: database, from: "t")
        let orders: [[SortKey]] = [
            [], ["n"], ["-n"], ["r", "-s"], ["-r"], ["b", "-n", "s"], ["-b", "r"],
            [.descending("s", options: [.caseInsensitive])],
        ]
        for schema in [nil, try database.schema(ofTable: "t")] {
            for order in orders {
                let query = Query(order: order, schema: schema)
                let whole = try query.page(after: nil).results(in: rows)
                #expect(try pages(query, 7) { try $0.results(in: rows) } == whole, "memory: \(order)")
                #expect(try pages(query, 7) { try $0.rows(in: database, from: "t") } == whole, "columns: \(order)")
            }
        }
    }

    /// Bytes of any length, those of UUIDs among them, with and without a schema.
    @Test func pagesOfBytesAreTheWhole() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB)")
        let uuid = Array(repeating: UInt8(7), count: 16)
        let bytes: [QueryValue] = [[1, 255], [2, 255], [3], [], uuid, [7], uuid, Array(repeating: 255, count: 16)].map {
            .data($0)
        }
        for (index, value) in (bytes + [.null] + bytes).enumerated() {
            _ = try database.rows("INSERT INTO t VALUES (?, ?)", [.int(Int64(index)), value])
        }
        let rows = try Query().rows(in: database, from: "t")
        let open = Schema([.field("id", .int)], allowsOthers: true, primaryKey: ["id"])
        let schemas: [Schema?] = [nil, open, try database.schema(ofTable: "t")]
        for schema in schemas {
            for key in ["b", "-b"] {
                var query = Query(order: [SortKey(stringLiteral: key)], schema: schema)
                query.schema?.primaryKey = ["id"]
                query.order.append(SortKey("id"))
                let whole = try query.page(after: nil, by: "id").results(in: rows).map { $0["id"] }
                for size in [1, 3] {
                    let (found, error) = pages(of: size, query, rows.count, in: database)
                    #expect(found == whole && error == nil, "\(key) \(size) \(schema?.fields.count ?? 0)")
                }
            }
        }
    }

    /// Columns with values of every kind of SQLite: the whole, or refused at a row of another kind than declared.
    @Test func pagesOfMixedValuesAreTheWhole() throws {
        let values: [QueryValue] = [
            .data([1, 255]), .data([2]), .data([]), .data(Array(repeating: 7, count: 16)), .null, .int(0), .int(1),
            .int(-5), .double(0.5), .double(-1e300), .string(""), .string("a"), .string("B"), .string("true"),
            .string("2024-01-01"), .string("2024-01-01T10:00:00Z"), .string("12"), .string("x'07'"), .data([49]),
        ]
        let open = Schema([.field("id", .int)], allowsOthers: true, primaryKey: ["id"])
        var refused = 0
        for type in ["", "BLOB", "NUMERIC", "TEXT", "REAL", "INTEGER", "BOOLEAN", "DATETIME"] {
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, b \(type))")
            for (index, value) in (values + values.reversed()).enumerated() {
                _ = try database.rows("INSERT INTO t VALUES (?, ?)", [.int(Int64(index)), value])
            }
            for schema in [nil, open, try database.schema(ofTable: "t")] as [Schema?] {
                for key in ["b", "-b", "[c]b"] {
                    let order = key == "[c]b" ? SortKey("b", options: [.caseInsensitive]) : SortKey(stringLiteral: key)
                    let query = Query(order: [order, "id"], schema: schema)
                    let whole = try query.page(after: nil, by: "id").results(in: database, from: "t").map { $0["id"] }
                    #expect(Set(whole).count == 2 * values.count)
                    for size in [1, 3, 5] {
                        let (found, error) = pages(of: size, query, whole.count, in: database)
                        let place: Comment = "\(type) \(key) \(size) \(schema?.fields.count ?? 0)"
                        #expect(found.elementsEqual(whole.prefix(found.count)), place)
                        #expect(error == nil || schema?.field(named: "b") != nil || type == "DATETIME", place)
                        #expect(error?.code == .kindMismatch || found.count == whole.count, place)
                        refused += error == nil ? 0 : 1
                    }
                }
            }
        }
        #expect(refused > 0)
    }

    /// Dates in columns of several types, some beside texts that are none.
    @Test func pagesOfDatesAreTheWhole() throws {
        let days = ["2024-01-03", "2024-01-01T10:00:00Z", "2024-01-02 11:00:00.500", "2024-01-02T11:00:00.500Z"]
        for (type, others) in [("DATETIME", []), ("TEXT", ["junk", ""]), ("", ["zz"])] as [(String, [String])] {
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, b \(type))")
            let values = (days + others + days).map { QueryValue.string($0) } + [.null]
            for (index, value) in values.enumerated() {
                _ = try database.rows("INSERT INTO t VALUES (?, ?)", [.int(Int64(index)), value])
            }
            let declared = [DateEncoding.native, .iso8601].map { encoding in
                Schema([.field("id", .int), .field("b", .date(encoding))], primaryKey: ["id"])
            }
            for schema in [nil, try database.schema(ofTable: "t")] + declared {
                for key in ["b", "-b"] {
                    let query = Query(order: [SortKey(stringLiteral: key), "id"], schema: schema)
                    let whole = try query.page(after: nil, by: "id").results(in: database, from: "t").map { $0["id"] }
                    for size in [1, 3] {
                        let (found, error) = pages(of: size, query, whole.count, in: database)
                        let place: Comment = "\(type) \(key) \(size) \(String(describing: schema))"
                        #expect(found.elementsEqual(whole.prefix(found.count)), place)
                        // A schema says that there are dates, and a row with another text is no place to go on from.
                        let isRefused = error?.code == .kindMismatch && !others.isEmpty && schema != nil
                        #expect(found == whole || isRefused, place)
                    }
                }
            }
        }
    }

    private func pages(
        of size: Int,
        _ query: Query,
        _ most: Int,
        in database: SQLiteDatabase
    ) -> (found: [QueryValue?], error: QueryError?) {
        var found: [QueryValue?] = []
        var cursor: PageCursor?
        do {
            repeat {
                var page = try query.page(after: cursor, by: "id")
                page.limit = size
                let some = try page.results(in: database, from: "t")
                found += some.map { $0["id"] }
                cursor = try some.last.map { try query.cursor(after: $0, by: "id") }
            } while cursor != nil && found.count <= most
            return (found, nil)
        } catch {
            return (found, error as? QueryError)
        }
    }

    @Test func insertsMoveNothing() throws {
        var rows: [Document] = (0..<10).map { ["_id": .int($0), "n": .int($0 / 2)] }
        let query = Query(order: ["-n"], limit: 4)
        let first = try query.page(after: nil).results(in: rows)
        rows.insert(["_id": 99, "n": 4], at: 0)
        rows.removeAll { $0["_id"] == .int(8) }
        let cursor = try query.cursor(after: #require(first.last))
        let second = try query.page(after: cursor).results(in: rows)
        #expect(second.map { $0["_id"] } == [.int(5), .int(4), .int(3), .int(2)])
    }

    @Test func aPageBeginsOnTheIndex() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            "CREATE TABLE t (_id INTEGER PRIMARY KEY, n INTEGER NOT NULL); CREATE INDEX i ON t (n, _id)"
        )
        for order in [["n"], ["-n"]] as [[SortKey]] {
            let query = Query(order: order, limit: 10, schema: try database.schema(ofTable: "t"))
            let page = try query.page(after: query.cursor(after: ["_id": 5, "n": 7]))
            let statement = try page.sql(.sqlite, from: SQLTable("t", primaryKey: "_id"))
            let plan = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
            #expect(plan.contains("SEARCH t USING COVERING INDEX i (n"), "\(plan)")
            #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
        }
    }

    @Test func pagesEndInThePrimaryKey() throws {
        let rows: [Document] = ([2, 1, 3, 0] as [Int64]).map { ["uid": .int($0), "part": .int($0 % 2), "n": 7] }
        let fields: [Schema.Field] = [.field("id", .int, storedAs: "uid"), .field("part", .int), .field("n", .int)]
        for key in [["uid"], ["part", "uid"]] {
            let query = Query(order: ["n"], limit: 3, schema: Schema(fields, primaryKey: key))
            let first = try query.page(after: nil).results(in: rows)
            #expect(try pages(query, 3) { try $0.results(in: rows) }.prefix(3) == first[...])
            #expect(first.map { $0["uid"]?.int } == (key.count == 1 ? [0, 1, 2] : [0, 2, 1]))
            let last = try #require(first.last)
            let named = try query.page(after: query.cursor(after: last, by: "id"), by: "id")
            if key.count == 1 { #expect(try query.page(after: query.cursor(after: last)) == named) }
        }
        let missing = #expect(throws: QueryError.self) { try Query(order: ["n"]).cursor(after: ["n": 1]) }
        #expect(missing?.hint?.contains("by: \"id\"") == true)
    }

    @Test func cursorsAreChecked() throws {
        let query = Query(order: ["n"])
        let cursor = try query.cursor(after: ["_id": "é", "n": .double(2.5)])
        #expect(try PageCursor(token: cursor.token) == cursor)
        #expect(cursor.token.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") })
        var changed = Array(cursor.token)
        changed[20] = changed[20] == "a" ? "b" : "a"
        for token in ["", "a", "AAAA", "\u{1F600}", String(changed), String(cursor.token.dropLast(3))] {
            #expect(throws: QueryError.self) { try PageCursor(token: token) }
        }
        #expect(throws: QueryError.self) { try Query(order: ["-n"]).page(after: cursor) }
        #expect(throws: QueryError.self) { try Query(order: ["n"], skip: 1).page(after: cursor) }
        #expect(throws: QueryError.self) { try query.cursor(after: ["n": 1]) }
        #expect(throws: QueryError.self) { try query.cursor(after: ["_id": 1, "n": [1]]) }
        #expect(throws: QueryError.self) { try query.cursor(after: ["_id": 1, "n": .double(.nan)]) }
        #expect(throws: QueryError.self) { try Query(order: ["n"], fields: ["_id"]).cursor(after: ["_id": 1]) }
    }

    /// A row of a table does not hold the row that its foreign key leads to, and would count as one without.
    @Test func cursorsNeedRowsOfOtherTables() throws {
        let team = Schema([.field("name", .string)], primaryKey: ["id"])
        let relation = Schema.Relation(table: "teams", foreignKey: "team_id")
        let schema = Schema([.field("team", .object(team), relation: relation), .field("_id", .int)])
        let query = Query(order: ["team.name"], schema: schema)
        let error = #expect(throws: QueryError.self) { try query.cursor(after: ["_id": 1, "team_id": 3]) }
        #expect(error?.message.contains("which the row does not hold") == true)
        let known = try query.cursor(after: ["_id": 1, "team_id": 3, "team": .object(["name": "a"])])
        #expect(try query.cursor(after: ["_id": 1, "team_id": nil]) != known)
    }

    @Test("no page continues after a row that shows a key's object as text; a schema shows what is in it")
    func keysInTextsOfJSON() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
        for number in 1...9 {
            try database.execute("INSERT INTO t VALUES (\(number), '{\"c\": \(number % 3)}')")
        }
        for key in ["a.c", "-a.c"] as [SortKey] {
            var query = try Query(format: "id > 0", order: [key])
            let rows = try query.page(after: nil, by: "id").rows(in: database, from: "t")
            #expect(rows.count == 9)
            let error = #expect(throws: QueryError.self) { try query.cursor(after: rows[2], by: "id") }
            #expect(error?.code == .pipeline)
            #expect(error?.message == "no page can continue after a row whose a.c is inside the JSON text a")
            // As the hint says.
            query.schema = Schema([.field("id", .int), .field("a", .object(Schema([.field("c", .int)])))])
            var (shown, cursor): ([QueryValue?], PageCursor?) = ([], nil)
            repeat {
                var page = try query.page(after: cursor, by: "id")
                page.limit = 2
                let next = try page.rows(in: database, from: "t")
                shown += next.map { $0["id"] }
                cursor = try next.last.map { (row) in try query.cursor(after: row, by: "id") }
            } while cursor != nil && shown.count < 20
            #expect(shown == rows.map { $0["id"] })
        }
        // In memory such texts are plain where nothing is in them.
        let query = Query(order: ["a.c"])
        #expect(try query.cursor(after: ["_id": 1, "a": "x"]) == query.cursor(after: ["_id": 1]))
    }

    @Test func existsCountAndDelete() throws {
        let rows = Self.documents()
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(rows, in: database)
        let storage = SQLStorage.document()
        var left = rows
        for (text, skip, limit) in [
            ("n > 3", nil, nil), ("n > 3", nil, nil), ("s != nil", 2, 3), ("s == 'no such'", nil, 5),
            ("random() >= 0", nil, 4),
        ] as [(String, Int?, Int?)] {
            let query = try Query(parsing: text, order: ["-_id"], skip: skip, limit: limit)
            let doomed = try query.results(in: left)
            #expect(
                try query.exists(in: database, from: SQLTable("docs", storage: storage)) == !doomed.isEmpty,
                "\(text)"
            )
            #expect(try query.count(in: database, from: SQLTable("docs", storage: storage)) == doomed.count, "\(text)")
            if text.contains("random") {
                #expect(throws: QueryError.self) {
                    try query.delete(in: database, from: SQLTable("docs", storage: storage))
                }
            } else {
                #expect(
                    try query.delete(in: database, from: SQLTable("docs", storage: storage)) == doomed.count,
                    "\(text)"
                )
                left.removeAll { doomed.contains($0) }
            }
            #expect(try Query().rows(in: database, from: SQLTable("docs", storage: storage)) == left, "\(text)")
        }
        let some = Query(limit: 3, fields: ["n"])
        #expect(throws: QueryError.self) { try some.sqlDelete(.sqlite, from: "docs") }
    }
}
