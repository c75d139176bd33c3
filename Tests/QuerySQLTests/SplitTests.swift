import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// SQLite's part and memory's part together give the evaluator's answer.
@Suite struct SplitTests {
    /// A store without our functions, with a small parser and few values.
    private static let narrow: SQLDialect = {
        var dialect = SQLDialect.sqlite
        dialect.callFunction = nil
        dialect.overFunction = nil
        dialect.hasMathFunctions = false
        dialect.parserDepth = 60
        dialect.variableLimit = 7
        return dialect
    }()

    private func split(_ text: String, _ arguments: [QueryValue] = []) throws -> QuerySplit {
        try Query(parsing: text, arguments: arguments).split(
            for: Self.narrow,
            from: SQLTable("t", storage: .document())
        )
    }

    @Test func boundsAreTheWidest() throws {
        let cases: [(text: String, store: String, rest: String?)] = [
            ("a == 1", "a == 1", nil),
            ("a == 1 AND uppercase(s) == 'A'", "a == 1", "uppercase:(s) == \"A\""),
            ("a == 1 OR uppercase(s) == 'A'", "TRUEPREDICATE", "a == 1 OR uppercase:(s) == \"A\""),
            (
                "(a == 1 AND uppercase(s) == 'A') OR b == 2", "a == 1 OR b == 2",
                "(a == 1 AND uppercase:(s) == \"A\") OR b == 2"
            ),
            (
                "NOT (a == 1 OR uppercase(s) == 'A')", "NOT a == 1",
                "NOT (a == 1 OR uppercase:(s) == \"A\")"
            ),
            (
                "NOT (a == 1 AND uppercase(s) == 'A')", "TRUEPREDICATE",
                "NOT (a == 1 AND uppercase:(s) == \"A\")"
            ),
            (
                "NOT (b == 2 OR (a == 1 AND uppercase(s) == 'A'))", "NOT b == 2",
                "NOT (b == 2 OR (a == 1 AND uppercase:(s) == \"A\"))"
            ),
            ("uppercase(s) == 'A'", "TRUEPREDICATE", "uppercase:(s) == \"A\""),
        ]
        for (text, store, rest) in cases {
            let split = try split(text)
            #expect(split.store.format == store, "\(text)")
            #expect(split.rest?.format == rest, "\(text)")
            #expect((split.memory == nil) == (rest == nil), "\(text)")
        }
    }

    @Test func longChainsGoAsFarAsTheyFit() throws {
        let parts = (0..<20).map {
            Condition.comparison(
                Comparison(.field(FieldPath(keys: ["f\($0)"]), .none), .greater, .value(.int(Int64($0)), .none))
            )
        }
        let split = try Query(.and(parts)).split(for: Self.narrow)
        #expect(split.store.condition == .and(Array(parts.prefix(7))))
        #expect(split.rest == .and(Array(parts.dropFirst(7))))
    }

    /// Each level of a deep condition would be translated again, and each time in vain.
    @Test func deepConditionsAreTriedALimitedNumberOfTimes() throws {
        var condition: Condition = Field("id") == 1
        for level in 0..<400 { condition = (condition || Field("id") == .int(Int64(level))) && !(Field("n") == "x") }
        let size = condition.format.utf8.count
        var work = 0
        let split = try Query(condition).split { (query) throws(QueryError) in
            let part = query.condition.format.utf8.count
            work += part
            if part > size / 10 { throw QueryError(.limit, "too deep") }
        }
        #expect(split.memory != nil && work < 80 * size, "\(work) bytes translated of \(size)")
    }

    @Test func pipelineStaysBehindARest() throws {
        var query = try Query(format: "a > 1 AND uppercase(s) == 'A'", order: ["-a"], skip: 2, limit: 3, fields: ["a"])
        var split = try query.split(for: Self.narrow)
        #expect(split.store.skip == nil && split.store.limit == nil && split.store.fields == nil)
        #expect(split.store.order == query.order)
        #expect(split.memory?.skip == 2 && split.memory?.limit == 3 && split.memory?.fields == ["a"])
        query.condition = try Condition(format: "a > 1")
        split = try query.split(for: Self.narrow)
        #expect(split.store == query && split.rest == nil && split.memory == nil)
    }

    @Test func mistakesAreNotSplitOff() throws {
        #expect(throws: QueryError.self) { try split("a == $x AND b == 1") }
        #expect(throws: QueryError.self) { try split("a ==[l] 'x' AND b == 1") }
        let other = Schema([
            .field("a", .int),
            .field(
                "kids",
                .list(.object(Schema([.field("s", .string)]))),
                relation: .init(table: "kid", foreignKey: "fk", key: "id")
            ),
        ])
        let query = try Query(format: "a == 1 AND ANY kids.s == 'x' AND uppercase(kids[0].s) == 'A'", schema: other)
        #expect { try query.split(for: Self.narrow) } throws: { error in
            (error as? QueryError)?.code == .unsupported
        }
    }

    @Test func halvesAgree() throws {
        var generator = ConditionGenerator(seed: 7)
        var random = SeededGenerator(8)
        let rows = (0..<50).map { _ in Hostile.row(&random) }
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(rows, in: database)
        var (halves, count) = (0, 0)
        for _ in 0..<SeededGenerator.count(200) {
            count += 1
            guard let condition = count % 3 == 0 ? generator.parsed(anyTerms: 50) : generator.condition() else {
                continue
            }
            let query = Query(condition)
            let split = try query.split(for: Self.narrow, from: SQLTable("docs", storage: .document()), now: 0)
            let statement = try split.store.sql(Self.narrow, from: SQLTable("docs", storage: .document()), now: 0)
            if split.memory != nil, !statement.where.elementsEqual("1") { halves += 1 }
            let doubtful = rows.indices.filter { row in
                statement.assumptions.contains { !rows[row].fulfils($0) }
            }
            var found = try Fixture.found(split.store, .document(), database)
            do throws(QueryError) {
                let whole = try query.matchingIndices(in: rows, now: 0)
                if let memory = split.memory {
                    let kept = try memory.matchingIndices(in: found.map { rows[$0] }, now: 0)
                    found = kept.map { found[$0] }
                }
                let difference = Set(found).symmetricDifference(whole).subtracting(doubtful)
                #expect(difference.isEmpty, "\(query.condition.treeDump)\n\(statement.where)\n\(difference)")
            } catch {
                #expect(error.code == .evaluation, "\(error)")
            }
        }
        #expect(halves > SeededGenerator.count(10))
    }

    @Test func fetchGivesTheEvaluatorsAnswer() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (a INTEGER, s TEXT, j JSON)")
        for (index, text) in ["x", "y", "X", "é", "y"].enumerated() {
            let json = QueryValue.string(#"[1,{"b":\#(index)}]"#)
            _ = try database.rows("INSERT INTO t VALUES (?, ?, ?)", [.int(Int64(index)), .string(text), json])
        }
        let rows = try Query().rows(in: database, from: "t")
        // No store supports random numbers (S20), so this part stays in memory.
        for text in ["a > 0 AND random() >= 0", "s == 'y' OR random() > 1", "NOT (a == 1 AND random() >= 0)"] {
            let query = try Query(parsing: text, order: ["-s", "a"], skip: 1, limit: 2, fields: ["a", "j"])
            #expect(throws: QueryError.self) { try query.rows(in: database, from: "t") }
            #expect(try query.results(in: database, from: "t") == (try query.results(in: rows)), "\(text)")
        }
        let plain = try Query(format: "a > 1", order: ["-a"], limit: 2)
        #expect(try plain.results(in: database, from: "t") == (try plain.results(in: rows)))
    }

    /// The rest is tested on rows as the store keeps them (S5).
    @Test func theRestReadsWhatTheStoreKeeps() throws {
        let schema = Schema([.field("id", .int), .field("u", .uuid), .field("d", .date(.sqliteText))])
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, d TEXT);
            CREATE TABLE docs (doc TEXT);
            INSERT INTO t VALUES (1, '0a000000-0000-4000-8000-000000000001', '2001-01-01 00:00:00.000'),
                (2, '0a000000-0000-4000-8000-000000000002', NULL);
            INSERT INTO docs SELECT json_object('id', id, 'u', u, 'd', d) FROM t
            """
        )
        for format in [
            "u == %@ OR random() > 1", "u IN {%@} AND random() < 2", "u >= %@ AND d != nil AND random() < 2",
        ] {
            let first = try #require(UUID(uuidString: "0A000000-0000-4000-8000-000000000001"))
            let query = try Query(parsing: format, arguments: [.uuid(first)], schema: schema)
            #expect(try query.results(in: database, from: "t").map { $0["id"] } == [.int(1)], "\(format)")
            let documents = try query.results(in: database, from: SQLTable("docs", storage: .document()))
            #expect(documents.map { $0["id"] } == [.int(1)], "\(format)")
        }
    }
}
