import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Values computed for each row: SQLite gives the rows of memory, and what has no computed fields says so.
@Suite struct ComputedFieldTests {
    private static let rows: [Document] = [
        ["s": "MA", "n": 10, "d": 0.5, "b": true, "l": ["x"]], ["s": "ma", "n": 25, "d": -1.5, "b": false],
        ["s": "NY", "n": nil, "d": 10, "l": []], ["s": nil, "n": -3, "b": true, "l": ["x", "y"]], [:],
        ["s": "Ä", "n": 9_007_199_254_740_993, "d": 2.0],
    ]
    private static let terms = [
        "n / 10", "n + d", "trunc(d)", "uppercase(s)", "length(s)", "-n", "n * n", "2 ** n", "n & 1", "n", "b", "s",
        "TERNARY(n > 9, 'big', 'small')", "TERNARY(b == TRUE, TRUE, FALSE)", "TERNARY(s == nil, nil, d + 1)",
        "TERNARY(s BEGINSWITH[c] 'm', 1, s)", "CAST(n, 'NSString')", "noindex(s)", "1", "'x'", "TRUE", "nil",
    ]

    private func check(_ found: [Document], _ expected: [Document], _ place: String) {
        #expect(found.count == expected.count, "\(place): \(found) \(expected)")
        for (a, b) in zip(found, expected) {
            let isSame = zip(a.values, b.values).allSatisfy { $0.kind == $1.kind && $0.isEqual(to: $1) || $0 == $1 }
            #expect(a.keys == b.keys && isSame, "\(place): \(a) \(b)")
        }
    }

    private func queries(_ computed: [ComputedField]) -> [Query] {
        [
            Query(computed: computed), Query(order: ["-n"], skip: 1, limit: 3, fields: ["s", "n"], computed: computed),
            Query(Field("n") > 0, fields: ["l"], computed: computed),
            Query(order: ["value", "-n", "s"], computed: computed),
            Query(order: ["-value", "n", "s"], skip: 1, limit: 4, fields: ["s", "n"], computed: computed),
            Query(Field.itself != nil, order: ["-value", "n", "s"], limit: 3, fields: ["s"], computed: computed),
        ]
    }

    @Test func documentsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        let lists = ["l.@count", "l[FIRST]", "l[SIZE]", "TERNARY(n > 9, l[0], n)", "l.@max.#self", "l"]
        for term in Self.terms + lists {
            for query in queries([try ComputedField(parsing: "value = " + term)]) {
                let found = try query.results(in: database, from: SQLTable("docs", storage: .document()))
                check(found, try query.results(in: Self.rows), term)
            }
        }
    }

    @Test func columnsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (s TEXT, n INTEGER, d REAL, b BOOLEAN, l JSON, u)")
        for row in Self.rows {
            let values = ["s", "n", "d", "b"].map { row[$0] ?? .null } + [row["l"].map { .string($0.json) } ?? .null]
            _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", values + [values[4]])
        }
        // A column declared JSON has no null.
        let rows = Self.rows.map { row in
            var document = Document(pairs: ["s", "n", "d", "b"].map { ($0, row[$0] ?? .null) })
            document["l"] = row["l"]
            document["u"] = row["l"] ?? .null
            return document
        }
        // The last column has no type: a term that looks into its texts reads JSON.
        for term in Self.terms + ["l.@count", "l[0]", "u.@count", "u[0]"] {
            for query in queries([try ComputedField(parsing: "value = " + term)]) {
                check(try query.results(in: database, from: "t"), try query.results(in: rows), term)
                #expect(try query.count(in: database, from: "t") == query.count(in: rows))
                #expect(try query.exists(in: database, from: "t") == !query.results(in: rows).isEmpty)
            }
        }
    }

    /// `SEED` and `SCALE` choose them.
    @Test func randomFields() throws {
        let seed = SeededGenerator.seed(20_261_126)
        var random = SeededGenerator(seed)
        var conditions = ConditionGenerator(seed: seed)
        var (compared, refused) = (0, 0)
        for number in 0..<SeededGenerator.count(30) {
            let rows = (0..<random.below(40)).map { _ in Hostile.row(&random) }
            for _ in 0..<5 {
                var query = Query(random.chance(50) ? conditions.condition() : .constant(true))
                query.computed = (0...random.below(2)).map { position in
                    ComputedField(conditions.groupKey(any: true), as: "value \(position)")
                }
                if random.chance(50) { query.fields = ["s", "o.a"] }
                if random.chance(40) {
                    query.order = [SortKey(FieldPath(keys: ["value 0"]), ascending: random.chance(50))]
                }
                if random.chance(40) { query.limit = random.below(8) }
                // Rows that break what the statement assumes have other answers there.
                let said = try? query.split(for: .sqlite, from: SQLTable("docs", storage: .document()), now: 0).store
                let assumed =
                    try said?.sql(.sqlite, from: SQLTable("docs", storage: .document()), now: 0).assumptions ?? []
                let numbers = query.readingCondition.calculations
                let kept = rows.filter { row in assumed.allSatisfy { row.fulfils($0) } && !row.givesNaN(numbers) }
                let database = try SQLiteDatabase.inMemory()
                try Fixture.makeDocuments(kept, in: database)
                let text = JSONWriter().text(.list(kept.map { QueryValue.object($0) }))
                let stored = try Query().results(in: JSONRows(text))
                let memory: [Document]
                do {
                    memory = try query.results(in: stored, now: 0)
                } catch {
                    refused += 1
                    #expect(throws: QueryError.self) {
                        try query.results(in: database, from: SQLTable("docs", storage: .document()), now: 0)
                    }
                    continue
                }
                check(try query.results(in: JSONRows(text), now: 0), memory, "JSON, seed \(seed), \(number): \(query)")
                let found = try query.results(in: database, from: SQLTable("docs", storage: .document()), now: 0)
                check(found, memory, "seed \(seed), \(number): \(query) \(query.computed) \(query.order)")
                compared += 1
            }
        }
        print("computed fields of seed \(seed): \(compared) compared, \(refused) refused")
        #expect(compared > refused)
    }

    /// SQL computes what it can say; memory the rest, of the rows that SQL finds.
    @Test func statements() throws {
        let schema = Schema([
            .field("s", .string), .field("n", .int), .field("d", .double), .field("b", .bool),
            .field("at", .date(.iso8601)), .field("o", .object(Schema([.field("x", .int)]))),
        ])
        func query(_ text: String, _ fields: [FieldPath]? = ["s"]) throws -> Query {
            Query(Field("n") > 1, fields: fields, computed: [try ComputedField(parsing: text)], schema: schema)
        }
        let total = try query("total = n * 2").sql(.sqlite, from: "t").sql
        #expect(total.hasPrefix("SELECT \"t\".\"s\" AS \"s\", ") && total.contains(" AS \"total\" FROM "), "\(total)")
        #expect(try !query("total = n * 2", nil).sql(.sqlite, from: "t").sql.contains("\"s\""))
        #expect(
            try query("total = n * 2").sql(.sqlite, from: SQLTable("t", storage: .document())).sql.contains(
                "AS \"doc\", "
            )
        )
        let said = [
            "n + d", "trunc(n / 10)", "length(s)", "TERNARY(b == TRUE, 'x', 'y')", "TERNARY(n > 1, TRUE, FALSE)", "n",
        ]
        for term in said {
            for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
                let query = try query("value = " + term)
                #expect(try query.sql(dialect, from: "t").sql.contains(" AS \"value\" FROM "))
                #expect(try query.split(for: dialect, from: "t").memory == nil)
            }
        }
        for term in ["1", "CAST(0, 'NSDate')", "{1, 2}", "random()"] {
            let query = try query("value = " + term)
            for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
                let error = #expect(throws: QueryError.self, "\(term)") { try query.sql(dialect, from: "t") }
                #expect(error?.code == .unsupported && error?.path == "computed[0]", "\(String(describing: error))")
                let split = try query.split(for: dialect, from: "t")
                #expect(split.memory?.computed == query.computed && split.store.computed.isEmpty)
            }
        }
        let behind = try ComputedField(parsing: "x = u.x")
        #expect(throws: QueryError.self) { try Query(computed: [behind]).sql(.sqlite, from: "t") }
        let column = try query("doc = n * 2")
        #expect(throws: QueryError.self) { try column.sql(.sqlite, from: SQLTable("t", storage: .document())) }
    }

    @Test func sourcesAgree() async throws {
        let total = try ComputedField(parsing: "total = n * 2")
        let query = Query(order: ["-n"], limit: 3, fields: ["s"], computed: [total])
        let expected = try query.results(in: Self.rows)
        #expect(expected.map { $0["total"] } == [.int(18_014_398_509_481_986), 50, 20])
        let lines = Self.rows.map { JSONWriter().text(.object($0)) }.joined(separator: "\n")
        #expect(try query.results(in: JSONRows(lines)) == expected)
        #expect(try query.results(in: JSONRows(lines), now: 0, concurrently: true, piece: 20) == expected)
        #expect(try query.results(in: Self.rows, now: 0, concurrently: true, each: 2) == expected)
        var cursor = try query.cursor(over: Self.rows)
        var found: [Document] = []
        while let row = try cursor.next() { found.append(row) }
        #expect(found == expected)
        #expect(try query.count(in: JSONRows(lines)) == 3)
        #expect(try query.count(in: Self.rows) == 3 && query.first(in: Self.rows) == expected[0])
    }

    /// An order names computed fields, which hide the rows' own, as in SQL (S22).
    @Test func orders() async throws {
        let total = try ComputedField(parsing: "total = TERNARY(n == nil, 0, 0 - n)")
        let query = Query(order: ["total", "s"], limit: 4, fields: ["n"], computed: [total])
        let found: [QueryValue?] = [.int(9_007_199_254_740_993), 25, 10, nil]
        #expect(try query.results(in: Self.rows).map { $0["n"] } == found)
        let lines = Self.rows.map { JSONWriter().text(.object($0)) }.joined(separator: "\n")
        let expected = try query.results(in: Self.rows)
        #expect(try query.results(in: JSONRows(lines)) == expected)
        #expect(try query.results(in: JSONRows(lines), now: 0, concurrently: true, piece: 20) == expected)
        #expect(try query.results(in: Self.rows, now: 0, concurrently: true, each: 2) == expected)
        var cursor = try query.cursor(over: Self.rows)
        for row in expected { #expect(try cursor.next() == row) }
        // The field of the rows is read where it is computed, and hidden where it is sorted by.
        let hiding = Query(order: ["-n"], fields: ["s"], computed: [try ComputedField(parsing: "n = 0 - n")])
        #expect(try hiding.results(in: Self.rows).compactMap { $0["n"] }.prefix(2) == [3, -10])
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        #expect(
            try hiding.results(in: database, from: SQLTable("docs", storage: .document()))
                == hiding.results(in: Self.rows)
        )
        // Time, folding and several keys.
        let late = try ComputedField(parsing: "late = CAST(now(), 'NSNumber') + n")
        let timed = Query(order: [.descending("late")], limit: 1, computed: [late])
        #expect(
            try timed.results(in: Self.rows, now: 5_000).first?["late"]
                == timed.results(in: [Self.rows[5]], now: 5_000)[0]["late"]
        )
        let letters = try ComputedField(parsing: "letters = TERNARY(s == nil, 'z', s)")
        let folded = Query(order: [SortKey("letters", options: .caseInsensitive), "-n"], computed: [letters])
        check(
            try folded.results(in: database, from: SQLTable("docs", storage: .document())),
            try folded.results(in: Self.rows),
            "folded"
        )
        // The work of a key is counted, and a policy asks for what it reads.
        var limits = Limits.default
        limits.steps = 200
        let long = try ComputedField(
            parsing: "v = " + Array(repeating: "length(uppercase(s))", count: 60).joined(separator: " + ")
        )
        #expect(try Query(order: ["s"], limit: 0, computed: [long]).results(in: Self.rows, limits: limits).isEmpty)
        let error = #expect(throws: QueryError.self) {
            try Query(order: ["v"], computed: [long]).results(in: Self.rows, limits: limits)
        }
        #expect(error?.code == .tooMuchWork)
        var policy = QueryPolicy(fields: ["s", "n"])
        policy.sortFields = ["s"]
        #expect(throws: QueryError.self) { try policy.checked(query) }
        policy.sortFields = ["s", "n"]
        #expect(try policy.checked(query).results(in: Self.rows) == expected)
        #expect(try query.suggestedIndexes(.sqlite, from: "t").isEmpty)
        #expect(query.estimatedCost > Query(order: ["s"], limit: 4, fields: ["n"], computed: [total]).estimatedCost)
        // Stores sort by what they can compute; memory sorts by the rest.
        let schema = Schema([.field("s", .string), .field("n", .int)])
        for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
            let doubled = try ComputedField(parsing: "twice = n * 2")
            let asked = Query(order: ["-twice"], fields: ["s"], computed: [doubled], schema: schema)
            let statement = try asked.sql(dialect, from: "t").sql
            #expect(statement.components(separatedBy: "ORDER BY").last?.contains("\"twice\"") == false, "\(statement)")
            #expect(try asked.split(for: dialect, from: "t").memory == nil)
            var constant = asked
            constant.computed = [try ComputedField(parsing: "twice = 2")]
            #expect(try constant.split(for: dialect, from: "t").memory?.order == constant.order)
        }
    }

    @Test func mistakes() throws {
        let schema = Schema([.field("s", .string), .field("n", .int), .field("kind", .string, storedAs: "k")])
        let total = ComputedField(Field("n") * 2, as: "total")
        func error(_ query: Query) -> QueryError? {
            let error = #expect(throws: QueryError.self) { try query.results(in: Self.rows) }
            #expect(error?.path != nil, "\(String(describing: error))")
            return error
        }
        #expect(error(Query(fields: ["total"], computed: [total]))?.code == .pipeline)
        #expect(error(Query(computed: [total, total]))?.path == "computed[1]")
        #expect(
            error(Query(fields: ["kind"], computed: [ComputedField(Field("n"), as: "k")], schema: schema))?.code
                == .pipeline
        )
        #expect(error(Query(computed: [ComputedField(Field("n"), as: "")]))?.code == .pipeline)
        let unknown = error(Query(computed: [ComputedField(Field("m") * 2, as: "total")], schema: schema))
        #expect(unknown?.code == .unknownField && unknown?.path == "computed[0]")
        #expect(throws: QueryError.self) {
            try Query(computed: [total]).grouped(by: "s", computing: [.count]).results(in: Self.rows)
        }
        for text in ["total", "= n", "a == b", "total = ", "total = n >"] {
            #expect(throws: QueryError.self, "\(text)") { try ComputedField(parsing: text) }
        }
        #expect(try ComputedField(parsing: " a b = TERNARY(n == 1, '=', 2) ").name == "a b")
    }

    /// What has no computed fields refuses them with their place.
    @Test func refusals() throws {
        let query = Query(computed: [try ComputedField(parsing: "total = n * 2")], schema: Schema([.field("n", .int)]))
        let asked: [() throws -> Void] = [
            { _ = try query.mongo() }, { _ = try query.rest() }, { _ = try query.sqlDelete(.sqlite, from: "t") },
            { _ = try query.page(after: nil) },
        ]
        for ask in asked {
            let error = #expect(throws: QueryError.self) { try ask() }
            #expect(error?.code == .unsupported && error?.path == "computed[0]", "\(String(describing: error))")
        }
        #expect(query.cacheKey != Query(schema: query.schema).cacheKey)
    }

    @Test func partsAreKept() throws {
        let total = try ComputedField(format: "n * $factor", as: "total")
        let query = Query(Field("n") > 1, fields: ["s"], computed: [total])
        #expect(try Query(jsonTree: query.jsonTree) == query)
        let bound = try query.binding(["factor": 3])
        #expect(bound.computed.map(\.description) == ["total = n * 3"])
        #expect(throws: QueryError.self) { try query.binding(["facto": 3]) }
        #expect(try bound.results(in: Self.rows).first == ["s": "MA", "total": 30])
        #expect(bound != query && Set([bound, query]).count == 2)
        #expect(query.estimatedCost > Query(query.condition, fields: ["s"]).estimatedCost)
    }
}
