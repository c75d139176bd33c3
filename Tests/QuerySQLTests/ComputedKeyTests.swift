import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Groups by computed values: SQLite gives the groups of memory, other stores the statement for them.
@Suite struct ComputedKeyTests {
    private static let rows: [Document] = [
        ["s": "MA", "n": 10, "d": 0.5, "b": true, "l": ["x"]], ["s": "ma", "n": 25, "d": -1.5, "b": false],
        ["s": "NY", "n": nil, "d": 10, "l": []], ["s": nil, "n": -3, "b": true, "l": ["x", "y"]], [:],
        ["s": "Ä", "n": 9_007_199_254_740_993, "d": 2.0],
    ]
    private static let schema = Schema([
        .field("s", .string), .field("n", .int), .field("d", .double), .field("b", .bool),
        .field("at", .date(.iso8601)),
    ])
    private static let terms = [
        "n / 10", "n + d", "trunc(d)", "uppercase(s)", "length(s)", "-n", "n * n", "2 ** n", "n & 1",
        "TERNARY(n > 9, 'big', 'small')", "TERNARY(b == TRUE, TRUE, FALSE)", "TERNARY(s == nil, nil, d + 1)",
        "TERNARY(s BEGINSWITH[c] 'm', 1, s)", "CAST(n, 'NSString')", "noindex(s)",
    ]

    private func grouping(_ term: String, _ schema: Schema? = nil) throws -> Grouping {
        let key = try GroupKey(parsing: term + " as key")
        let query = Query(order: [.descending("key")], schema: schema)
        return query.grouped(by: key, computing: [.count, .max("n")], having: try Condition(format: "count < 100"))
    }

    private func check(_ grouping: Grouping, _ found: [Document], _ rows: [Document], _ place: String) throws {
        let expected = try grouping.results(in: rows)
        #expect(found.count == expected.count, "\(place): \(found) \(expected)")
        for (a, b) in zip(found, expected) {
            let isSame = zip(a.values, b.values).allSatisfy { $0.kind == $1.kind && $0.isEqual(to: $1) || $0 == $1 }
            #expect(a.keys == b.keys && isSame, "\(place): \(a) \(b)")
        }
    }

    @Test func documentsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        for term in Self.terms + ["l.@count", "l[FIRST]", "l[SIZE]", "TERNARY(n > 9, l[0], n)", "l.@max.#self"] {
            for schema in [nil, Self.schema] where schema == nil || !term.contains("l") || term.contains("(") {
                guard let grouping = try? grouping(term, term.contains("l[") ? nil : schema) else { continue }
                let found = try grouping.results(in: database, from: SQLTable("docs", storage: .document()))
                try check(grouping, found, Self.rows, term)
            }
        }
    }

    @Test func columnsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (s TEXT, n INTEGER, d REAL, b BOOLEAN)")
        for row in Self.rows {
            let values = ["s", "n", "d", "b"].map { row[$0] ?? .null }
            _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?)", values)
        }
        let rows = Self.rows.map { row in Document(pairs: ["s", "n", "d", "b"].map { ($0, row[$0] ?? .null) }) }
        for term in Self.terms {
            let grouping = try grouping(term)
            let found = try grouping.results(in: database, from: "t")
            try check(grouping, found, rows, term)
        }
    }

    @Test func statements() throws {
        let key = try GroupKey(format: "trunc(n / 10)", as: "tens")
        let grouping = Query(schema: Self.schema).grouped(by: key, "s", computing: [.count])
        let sqlite = try grouping.sql(.sqlite, from: "t").sql
        #expect(sqlite.contains("GROUP BY g.\"v") && sqlite.contains("AS \"tens\""), "\(sqlite)")
        for dialect in [SQLDialect.postgresql, .duckDB] {
            for term in ["trunc(n / 10)", "length(s)", "TERNARY(b == TRUE, 'x', 'y')", "TERNARY(n > 1, TRUE, FALSE)"] {
                let statement = try self.grouping(term, Self.schema).sql(dialect, from: "t")
                #expect(statement.sql.contains("GROUP BY"), "\(statement.sql)")
            }
        }
    }

    /// What SQL cannot compute of a row, memory computes of the rows that SQL finds.
    @Test func valuesBeyondSQLAreMemorys() throws {
        let rows: [Document] = [
            ["at": "2024-05-01T10:00:00.000Z", "b": nil, "n": 1], ["at": nil, "b": "2023-01-02T00:00:00.000Z", "n": 5],
            ["at": nil, "b": "2024-02-02T00:00:00.000Z", "n": 3], ["at": "never", "b": nil, "n": nil],
        ]
        let database = try SQLiteDatabase.inMemory()
        try database.importDocuments(rows, into: "t")
        for term in ["year(TERNARY(at == nil, b, at))", "TERNARY(n > 2, at, b)", "CAST(b, 'NSDate')", "1 + 1"] {
            let grouping = try grouping(term)
            for (condition, kept) in [("TRUEPREDICATE", rows), ("n > 1", Array(rows[1...2]))] {
                var grouping = grouping
                grouping.query.condition = try Condition(parsing: condition)
                try check(grouping, grouping.results(in: database, from: "t"), kept, "\(term) \(condition)")
            }
        }
        let first = try grouping("year(TERNARY(at == nil, b, at))").query.grouped(by: "n", computing: [.first("at")])
        #expect(throws: QueryError.self) { try first.results(in: database, from: "t") }
    }

    /// What a store gives back in another form than memory, or cannot compute, is refused with its place.
    @Test func refusals() throws {
        let refused = [
            "1 + 1", "now()", "CAST(s, 'NSDate')", "TERNARY(n > 1, at, nil)", "{n, 1}", "TERNARY(n > 1, {1}, nil)",
            "SUBQUERY(l, $x, $x == 'x')", "l UNION {1}", "$x := 5", "$v",
        ]
        for term in refused {
            for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
                for storage in [SQLStorage.columns, .document()] where storage == .columns || dialect != .duckDB {
                    var grouping = try grouping(term)
                    if term.contains("at") { grouping.query.schema = Self.schema }
                    let error = #expect(throws: QueryError.self) {
                        try grouping.sql(dialect, from: SQLTable("t", storage: storage))
                    }
                    let shown = "\(term) \(String(describing: error))"
                    #expect([.unsupported, .unboundVariable].contains(error?.code), "\(shown)")
                    #expect(error?.path == "group.by[0]" && error?.range != nil, "\(shown)")
                }
            }
            // Without a schema the field is assumed to have a single value.
            if term.contains(" at,") { continue }
            let mongo = #expect(throws: QueryError.self) { try grouping(term).mongo() }
            #expect(mongo?.path == "group.by[0]" || term.contains("Date"), "\(term) \(String(describing: mongo))")
        }
        let script = #expect(throws: QueryError.self) { try grouping("n + 1").rest() }
        #expect(script?.code == .unsupported && script?.path == "group.by[0]")
    }

    /// A term as deep as the language allows, and a tree that only code can build.
    @Test func deepTerms() throws {
        let text = String(repeating: "-(", count: 31) + "n" + String(repeating: ")", count: 31)
        let deep = try grouping(text)
        let json = Self.rows.map { JSONWriter().text(.object($0)) }.joined(separator: "\n")
        let groups = try deep.results(in: Self.rows)
        #expect(groups.count == 5)
        #expect(try groups == deep.results(in: JSONRows(json)))
        for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
            let code = QueryError.code { _ = try deep.sql(dialect, from: SQLTable("t", storage: .columns)) }
            #expect([nil, .limit, .unsupported].contains(code), "\(String(describing: code))")
        }
        _ = try deep.mongo()
        var high = Term.field("n", .none)
        for _ in 0..<1_200 { high = .negated(high, .none) }
        let tree = Query().grouped(by: GroupKey(high, as: "key"), computing: [.count])
        #expect(QueryError.code { _ = try tree.checked() } == .limit)
        #expect(QueryError.code { _ = try tree.results(in: Self.rows) } == .limit)
        #expect(QueryError.code { _ = try tree.sql(from: "t") } == .limit)
        #expect(QueryError.code { _ = try tree.mongo() } == .limit)
        #expect(!QueryPolicy(fields: ["n"]).problems(with: tree).isEmpty)
    }

    @Test func namesAndRows() throws {
        let key = try GroupKey(format: "n / 10", as: "tens")
        let clash = Query().grouped(by: key, "tens", computing: [.count])
        #expect(QueryError.code { _ = try clash.results(in: Self.rows) } == .pipeline)
        let nameless = Query().grouped(by: try GroupKey(format: "n / 10"), computing: [.count])
        let error = #expect(throws: QueryError.self) { try nameless.validate() }
        #expect(error?.hint == "write `n / 10 as name`" && error?.path == "group.by[0]" && error?.range == 0..<6)
        let pattern = Query().grouped(
            by: try GroupKey(format: "TERNARY(s MATCHES t, 1, 2)", as: "k"),
            computing: [.count]
        )
        let row: Document = ["s": "x", "t": "("]
        let thrown = #expect(throws: QueryError.self) { try pattern.results(in: [["s": 1], row]) }
        #expect(thrown?.code == .evaluation && thrown?.message.contains("documents[1]") == true)
        var limits = Limits.default
        limits.steps = 40
        let costly = Query().grouped(by: try GroupKey(format: "uppercase(s)", as: "k"), computing: [.count])
        let long: Document = ["s": .string(String(repeating: "x", count: 1_000))]
        #expect(QueryError.code { _ = try costly.results(in: [long], limits: limits) } == .tooMuchWork)
    }
}

extension QueryError {
    fileprivate static func code(_ work: () throws -> Void) -> Code? {
        do {
            try work()
            return nil
        } catch {
            return (error as? QueryError)?.code
        }
    }
}
