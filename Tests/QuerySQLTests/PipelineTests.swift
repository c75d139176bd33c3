import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Orders, pages, fields and groups: SQLite agrees with the evaluator.
@Suite struct SQLPipelineTests {
    private static let rows: [Document] = {
        var random = SeededGenerator(99)
        return (0..<80).map { index in
            var row = Hostile.row(&random)
            row["_id"] = .int(Int64(index))
            // Sums near the ends of Int64 depend on the order of the rows.
            row["n"] = random.pick([.int(1), .int(-7), .double(2.5), .null, .int(100), .string("1"), .bool(true)])
            row["x"] = random.chance(50) ? Hostile.scalar(&random) : Hostile.value(&random)
            row["g"] = random.pick([.string("a"), .string("b"), .int(1), .double(1), .bool(true), .null])
            if random.chance(10) { row["g"] = nil }
            row["y"] = Hostile.value(&random)
            row["o"] = .object(["a": Hostile.scalar(&random), "b": .list([.object(["c": 1, "d": 2]), .int(3)])])
            return row
        }
    }()

    @Test func ordersAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        let orders: [[SortKey]] = [
            ["x"], ["-x"], ["s", "-n"], ["g", "x"], ["-g", "-s"], [.ascending("s", options: [.caseInsensitive])],
            [.descending("x", options: [.caseInsensitive, .diacriticInsensitive])], ["o.a", "n"],
        ]
        for order in orders {
            for (skip, limit) in [(nil, nil), (3, nil), (nil, 7), (5, 9), (0, 0)] as [(Int?, Int?)] {
                let query = Query(order: order, skip: skip, limit: limit)
                let found = try query.rows(in: database, from: SQLTable("docs", storage: .document()))
                var tied = query
                // A store's page completes its order with the primary key, in the last key's direction (S22).
                if skip != nil || limit != nil {
                    tied.order.append(SortKey("_id", ascending: order.last?.isAscending ?? true))
                }
                #expect(found == (try tied.results(in: Self.rows)), "\(order)")
            }
        }
    }

    /// Where a condition leaves one kind, the order needs no rank, and is the same.
    @Test(arguments: [
        "x >= 0", "x < 5 AND n != 1", "x > 'a'", "x == TRUE AND n > 0", "x IN {1, 2, 10, 0.5}", "x IN {1, 'a', 'b'}",
        "x BETWEEN {'a', 'b'}", "x LIKE[c] 'a*'", "x MATCHES '.*'", "x < CAST(500000000, 'NSDate')", "NOT (x > 5)",
        "x > 0 OR x > 'a'", "5 >= x", "x >= nil",
    ])
    func ordersOfOneKindAgree(format: String) throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        for order in [["x"], ["-x", "n"], [.ascending("x", options: [.caseInsensitive])], ["n", "-x"]] as [[SortKey]] {
            let query = try Query(parsing: format, order: order + ["_id"])
            let found = try query.rows(in: database, from: SQLTable("docs", storage: .document()))
            #expect(found == (try query.results(in: Self.rows)), "\(order)")
        }
        let statement = try Query(parsing: format, order: ["x"]).sql(
            .sqlite,
            from: SQLTable("docs", storage: .document())
        )
        let isOfSeveral = ["x IN {1, 'a', 'b'}", "NOT (x > 5)", "x > 0 OR x > 'a'", "x >= nil"].contains(format)
        #expect(statement.sql.hasSuffix(#"ORDER BY json_extract("docs"."doc", '$.x')"#) != isOfSeveral)
    }

    @Test func fieldsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        for fields in [["n"], ["s", "o.a"], ["o.b.c", "x"], ["o.b", "o.a"], ["k.a", "l.z", "nothing"]] as [[FieldPath]]
        {
            let query = Query(fields: fields)
            let expected = try query.results(in: Self.rows)
            #expect(try query.rows(in: database, from: SQLTable("docs", storage: .document())) == expected, "\(fields)")
            let statement = try query.sql(.sqlite, from: SQLTable("docs", storage: .document()))
            let raw = try database.rows(statement.sql, statement.bindings).map { row -> QueryValue in
                guard case .string(let text)? = row["doc"] else { return .null }
                return try QueryValue(json: text)
            }
            #expect(raw == expected.map { .object($0) }, "\(fields)")
        }
    }

    /// The rows' texts come unchanged, with fields as the rows do, and with a key without a look at the table.
    @Test func textsOfDocumentsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        try database.execute("ALTER TABLE docs ADD id; UPDATE docs SET id = rowid")
        func texts(_ query: Query, key: String?) throws -> [String] {
            var texts: [String] = []
            let storage = SQLStorage.document()
            try query.forEachJSON(in: database, from: SQLTable("docs", storage: storage, primaryKey: key)) { json in
                texts.append(String(decoding: json, as: UTF8.self))
            }
            return texts
        }
        for format in ["TRUEPREDICATE", "n > 0", "ANY y == 1", "s BEGINSWITH 'a' OR g == 'a'", "n == 'none'"] {
            for (order, limit) in [([], nil), (["n"], 7), (["-g", "x"], nil)] as [([SortKey], Int?)] {
                var query = try Query(parsing: format)
                (query.order, query.limit) = (order, limit)
                let expected = try query.rows(in: database, from: SQLTable("docs", storage: .document()))
                    .map { JSONWriter().text(.object($0)) }
                #expect(try texts(query, key: nil) == expected, "\(format)")
                #expect(try texts(query, key: "id") == expected, "\(format)")
                query.fields = ["n", "o.a"]
                let fields = try query.rows(in: database, from: SQLTable("docs", storage: .document()))
                    .map { JSONWriter().text(.object($0)) }
                #expect(try texts(query, key: "id") == fields, "\(format)")
            }
        }
        try database.execute("UPDATE docs SET doc = ' { \"n\" : 1.50 } ' WHERE id = 1; DELETE FROM docs WHERE id > 1")
        #expect(try texts(Query(), key: "id") == [#" { "n" : 1.50 } "#])
        try database.execute("UPDATE docs SET doc = NULL")
        #expect(#expect(throws: QueryError.self) { try texts(Query(), key: "id") }?.code == .store)
        let columns = #expect(throws: QueryError.self) {
            try Query().forEachJSON(in: database, from: SQLTable("docs", storage: .columns)) { _ in }
        }
        #expect(columns?.code == .unsupported)
        let missing = #expect(throws: QueryError.self) {
            try Query().forEachJSON(in: database, from: SQLTable("none", storage: .document(), primaryKey: "id")) { _ in
            }
        }
        #expect(missing?.code == .store)
    }

    @Test func groupsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        let reducers: [Reducer] = [
            .count, .sum("n"), .min("x"), .max("x"), .min("s"), .min("y"), .max("y"), .max("l"), .min("k"),
            .average("n").as("other"), .countDistinct("x"), .countDistinct("l"), .countDistinct("o"),
        ]
        let havings: [Condition?] = [
            nil, try Condition(format: "count > 3"), try Condition(format: "NOT (g == 'a') AND min_s != nil"),
            try Condition(format: "max_x == TRUE OR g == nil"),
            // Terms whose SQL has a SELECT.
            try Condition(format: "abs(sum_n) > 2 OR {min_s, min_y}.@max != nil"),
        ]
        for keys in [["g"], [], ["g", "o.a"], ["x"]] as [[GroupKey]] {
            for having in havings where having == nil || keys.first?.name == "g" {
                for order in [[], ["-count"]] as [[SortKey]] {
                    let query = Query(order: order, skip: order.isEmpty ? nil : 1, limit: order.isEmpty ? nil : 4)
                    let groups = Grouping(query, by: keys, computing: reducers, having: having)
                    let found = try groups.results(in: database, from: SQLTable("docs", storage: .document()))
                    let expected = try groups.results(in: Self.rows)
                    #expect(found.count == expected.count)
                    for (a, b) in zip(found, expected) { #expect(same(a, b), "\(keys) \(order)") }
                }
            }
        }
    }

    /// SQLite has no median; rows that SQL finds are then grouped in memory, which has no order of a table's rows.
    @Test func valuesThatSQLiteDoesNotComputeAreComputedInMemory() throws {
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(Self.rows, in: database)
        let query = try Query(format: "n != nil", order: ["-median_n"], limit: 3)
        let groups = query.grouped(by: "g", computing: [.median("n"), .distinct("s"), .count])
        #expect(throws: QueryError.self) { try groups.sql(from: SQLTable("docs", storage: .document())) }
        let found = try groups.results(in: database, from: SQLTable("docs", storage: .document()))
        #expect(found.count == 3)
        #expect(found == (try groups.results(in: Self.rows)))
        let swift = Reducer.custom("c", initial: 0) { value, _ in value }
        for (reducer, hint) in [(Reducer.first("n"), "min or max"), (.last("n"), "min or max"), (swift, "leave c out")]
        {
            for reducers in [[reducer], [.median("n"), reducer]] {
                let error = #expect(throws: QueryError.self) {
                    try Grouping(Query(), by: [], computing: reducers).results(
                        in: database,
                        from: SQLTable("docs", storage: .document())
                    )
                }
                #expect(error?.code == .unsupported && error?.hint?.contains(hint) == true)
            }
        }
    }

    @Test func truthValuesOfPlainColumnsAreNotedInGroupsToo() throws {
        for having in ["x == TRUE", "max_x >= FALSE", "min_x == TRUE"] {
            var groups = Query().grouped(by: "x", computing: [.max("x"), .min("x")])
            groups.having = try Condition(parsing: having)
            let statement = try groups.sql(.sqlite, from: SQLTable("t", storage: .columns))
            #expect(statement.assumptions.contains(.kind("x", .bool)), "\(having)")
        }
    }

    @Test func equalListsAndObjectsShareAGroup() throws {
        let values = [
            "[0]", "[-0.0]", #"[1, {"a": 1, "b": 2}]"#, #"[1.0, {"b": 2.0, "a": 1}]"#, "{}", "[]", #""[]""#,
        ]
        let rows = try values.map { Document(pairs: [("v", try QueryValue(json: $0))]) }
        let database = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(rows, in: database)
        let groups = Query().grouped(by: "v", computing: [.count])
        let found = try groups.results(in: database, from: SQLTable("docs", storage: .document())).map { $0["count"] }
        #expect(found == (try groups.results(in: rows).map { $0["count"] }))
        #expect(found == [1, 1, 1, 2, 2])
    }

    /// Equal in meaning: a group of 1 and 1.0 may show either.
    private func same(_ a: Document, _ b: Document) -> Bool {
        a.keys == b.keys && zip(a.values, b.values).allSatisfy { $0.isNear($1) }
    }
}

extension QueryValue {
    fileprivate func isNear(_ other: QueryValue) -> Bool {
        if isEqual(to: other) { return true }
        guard let a = number, let b = other.number else { return false }
        return abs(a - b) <= abs(a) * 1e-12
    }

    private var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
