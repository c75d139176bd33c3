import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Documents whose `_id` is also a column: SQLite searches and sorts by it, and finds what the evaluator finds.
@Suite struct KeyColumnTests {
    private static let storage = SQLStorage.document(key: "id")

    /// Rows of any form, with a text of any form under `_id`.
    private static let rows: [Document] = {
        var random = SeededGenerator(17)
        let more = (0..<9).map { "a\u{0}\($0)" } + Hostile.dateTexts
        var keys: [String] = []
        for key in Hostile.texts + more where !keys.contains(where: { $0.hasSameUTF8(as: key) }) { keys.append(key) }
        return keys.shuffled(using: &random).map { key in
            var row = Hostile.row(&random)
            row["_id"] = .string(key)
            return row
        }
    }()

    private static func database() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE docs (id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)")
        for row in rows {
            let json = JSONWriter().text(.object(row))
            _ = try database.rows("INSERT INTO docs VALUES (?, ?)", [row["_id"] ?? .null, .string(json)])
        }
        return database
    }

    /// Random conditions in which half the fields are the key, also where a list or an object is expected.
    @Test(arguments: [0, 50]) func conditionsAgree(anyTerms: UInt64) throws {
        let database = try Self.database()
        let names = FieldUses { use in
            guard use.ofVariable == 0, let key = use.keys.first, "xstl".contains(key) else { return nil }
            return ["_id"] + use.keys.dropFirst()
        }
        let seed = SeededGenerator.seed(3_141_592)
        var generator = ConditionGenerator(seed: seed, anyTerms: anyTerms)
        var (queries, byKey) = (0, 0)
        for number in 0..<SeededGenerator.count(200) {
            generator.constants = number % 3 == 0 ? Hostile.instants : Self.rows.compactMap { $0["_id"] }
            let made = anyTerms > 0 ? generator.parsed(anyTerms: anyTerms) : generator.condition()
            guard let condition = made.map({ names.replacing($0) }) else { continue }
            var query = Query(condition)
            query.nilMeaning = [.nullOrAbsent, .absent, .null][number % 3]
            do {
                let comparison = try Fixture.compare(query, Self.rows, Self.storage, database)
                queries += 1
                if comparison.statement.where.contains(#""docs"."id""#) { byKey += 1 }
                #expect(comparison.difference == nil, "SEED=\(seed) \(query.nilMeaning)")
            } catch let error as QueryError where error.code == .unsupported || error.code == .limit {
                continue
            }
        }
        print("SEED=\(seed), documents with keys: \(queries) queries, \(byKey) by the key")
        #expect(byKey > SeededGenerator.count(anyTerms > 0 ? 5 : 40), "\(queries)")
    }

    /// The key is a text, so nothing is assumed of it, and values of other kinds are not equal to it.
    @Test(arguments: [
        ("_id == 'a'", #""docs"."id" = ?"#), ("_id != 'a'", #""docs"."id" IS NOT ?"#),
        ("_id > 'a'", #""docs"."id" > ?"#), ("NOT (_id > 'a')", #""docs"."id" <= ?"#),
        ("_id IN {'a', 'b'}", #""docs"."id" IN (?, ?)"#), ("_id BETWEEN {'a', 'b'}", #""docs"."id" BETWEEN ? AND ?"#),
        ("_id BEGINSWITH 'a'", #""docs"."id" >= ? AND "docs"."id" < ?"#), ("_id == 5", "0"), ("_id == nil", "0"),
        ("_id != nil", "1"), ("_id == TRUE", "0"), ("_id IN {5, 'a', nil}", #""docs"."id" IN (?)"#),
    ])
    func conditionsNameTheColumn(format: String, expected: String) throws {
        let statement = try Query(parsing: format).sql(.sqlite, from: SQLTable("docs", storage: Self.storage))
        #expect(statement.where == expected)
        #expect(statement.assumptions.isEmpty)
    }

    @Test func pipelinesAgree() throws {
        let database = try Self.database()
        let orders: [[SortKey]] = [
            ["_id"], ["-_id"], ["n", "_id"], ["-n", "-_id"], ["-s", "-_id"],
            [.ascending("_id", options: .caseInsensitive), "_id"],
        ]
        for format in ["TRUEPREDICATE", "_id > 'a'", "n > 0 OR _id BEGINSWITH[c] 'a'", "_id CONTAINS 'a'"] {
            for order in orders {
                for (skip, limit) in [(nil, nil), (2, nil), (nil, 7), (3, 9)] as [(Int?, Int?)] {
                    var query = try Query(parsing: format)
                    (query.order, query.skip, query.limit) = (order, skip, limit)
                    let found = try query.rows(in: database, from: SQLTable("docs", storage: Self.storage))
                    #expect(found == (try query.results(in: Self.rows)), "\(format) \(order)")
                    if limit != nil {
                        // The key completes the order of a page.
                        if query.order.count > 1 { query.order.removeAll { $0.path.keys == ["_id"] } }
                        let completed = try query.rows(in: database, from: SQLTable("docs", storage: Self.storage))
                        #expect(found == completed, "\(format) \(order)")
                    }
                    #expect(try query.count(in: database, from: SQLTable("docs", storage: Self.storage)) == found.count)
                }
            }
            let grouping = try Query(parsing: format).grouped(by: "_id", computing: [.count, .max("_id"), .min("n")])
            let groups = try grouping.results(in: database, from: SQLTable("docs", storage: Self.storage))
            #expect(groups == (try grouping.results(in: Self.rows)))
        }
        let deleted = try Query(format: "_id > 'a'", order: ["_id"], limit: 3)
        let expected = try deleted.results(in: Self.rows).map { $0["_id"] }
        try deleted.delete(in: database, from: SQLTable("docs", storage: Self.storage))
        let left = try Query().rows(in: database, from: SQLTable("docs", storage: Self.storage)).map { $0["_id"] }
        #expect(left.count == Self.rows.count - 3 && !left.contains { expected.contains($0) })
    }

    /// Pages by the key are ranges of it, whatever else is asked, and no index is suggested for them.
    @Test func pagesSearchTheKey() throws {
        let database = try Self.database()
        let cases: [(format: String, order: [SortKey], plan: String, suggested: [String])] = [
            ("_id > 'b' AND n >= 0", ["_id"], "SEARCH docs USING INDEX sqlite_autoindex_docs_1 (id>?)", []),
            ("_id < 'b'", ["-_id"], "SEARCH docs USING INDEX sqlite_autoindex_docs_1 (id<?)", []),
            ("TRUEPREDICATE", ["_id"], "SCAN docs USING INDEX sqlite_autoindex_docs_1", []),
            ("TRUEPREDICATE", [], "SCAN docs USING INDEX sqlite_autoindex_docs_1", []),
            ("_id IN {'a', 'b'}", [], "SEARCH docs USING INDEX sqlite_autoindex_docs_1 (id=?)", []),
            ("_id == 'a' AND n == 5", [], "SEARCH docs USING INDEX sqlite_autoindex_docs_1 (id=?)", []),
            (
                "s == 'a' AND _id > 'b'", ["_id"], "SEARCH docs USING INDEX docs_s__id (<expr>=? AND id>?)",
                [#"CREATE INDEX IF NOT EXISTS "docs_s__id" ON "docs" (json_extract("doc", '$.s'), "id")"#]
            ),
            (
                "n >= 5", ["n"], "SEARCH docs USING INDEX docs_n__id (<expr>>? AND <expr><?)",
                [#"CREATE INDEX IF NOT EXISTS "docs_n__id" ON "docs" (json_extract("doc", '$.n'), "id")"#]
            ),
            (
                "t > 'a' AND s == 'a'", ["-t"], "SEARCH docs USING INDEX docs_s_t__id (<expr>=? AND <expr>>?)",
                [
                    #"CREATE INDEX IF NOT EXISTS "docs_s_t__id" ON "docs" "#
                        + #"(json_extract("doc", '$.s'), json_extract("doc", '$.t'), "id")"#
                ]
            ),
        ]
        for (format, order, plan, suggested) in cases {
            var query = try Query(parsing: format)
            (query.order, query.limit) = (order, 20)
            let indexes = try query.suggestedIndexes(from: SQLTable("docs", storage: Self.storage))
            #expect(indexes == suggested, "\(format)")
            for index in indexes { try database.execute(index) }
            let statement = try query.sql(.sqlite, from: SQLTable("docs", storage: Self.storage))
            let found = try database.queryPlan(statement.sql, statement.bindings)
            #expect(found == [plan], "\(format): \(statement.sql)")
        }
    }

    @Test("a page of an open database's rows follows the key that the table names")
    func keyOfATableOfColumns() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (code TEXT, n INT); INSERT INTO t VALUES ('b', 1), ('c', 1), ('a', 1)")
        let table = SQLTable("t", primaryKey: "code")
        let query = Query(order: ["n"], limit: 1, fields: ["code"])
        #expect(try query.results(in: database, from: table) == [["code": "a"]])
        #expect(try query.rows(in: database, from: table) == [["code": "a"]])
        #expect(try query.results(in: database, from: "t") == [["code": "b"]])
        #expect(try Query(order: ["n"], limit: 2).delete(in: database, from: table) == 2)
        #expect(try Query(fields: ["code"]).rows(in: database, from: table) == [["code": "c"]])
    }
}
