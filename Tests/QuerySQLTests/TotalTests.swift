import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import Testing

/// Sums, means and medians near the limits of their numbers, where the fast way through a list switches to the exact
/// one (S17, S18).
@Suite struct TotalTests {
    private static let lists: [(label: String, json: String?)] = [
        ("past 2^53", "[9007199254740993,9007199254740993,9007199254740993]"),
        ("near the least", "[16777217,-9223372036854775808,-16777216]"),
        ("at the least", "[-9223372036854775808,1]"),
        ("too large", "[9223372036854775807,1]"),
        ("back again", "[9223372036854775807,1,-2]"),
        ("apart", "[1,9007199254740992.0,1]"),
        ("24 bits", "[16777216,16777216]"),
        ("25 bits", "[16777217,0.5]"),
        ("smallest", "[5e-324,5e-324]"),
        ("largest", "[1.7976931348623157e308,1.7976931348623157e308]"),
        ("opposite", "[1.7976931348623157e308,-1.7976931348623157e308]"),
        ("mixed", "[true,2,\"3\",null,[7],{\"a\":9}]"),
        ("empty", "[]"),
        ("none", nil),
        ("null", "null"),
        ("single", "5"),
    ]

    /// Formats over a list `l`, or over the key `a` of a list of objects, and the rows that each finds.
    private static let questions: [(format: String, finds: Set<String>)] = [
        ("SUM == -9223372036854775807", ["near the least", "at the least"]),
        ("SUM == -9223372036854775808", []),
        ("SUM == 27021597764222979", ["past 2^53"]),
        ("SUM == 27021597764222980", []),
        ("SUM == 9223372036854775806", ["back again"]),
        ("SUM == 9223372036854775808.0", ["too large"]),
        ("SUM == 16777217.5", ["25 bits"]),
        // Added in element order, 2^53 + 1 would be rounded twice.
        ("SUM == 9007199254740994", ["apart"]),
        ("SUM == 33554432", ["24 bits"]),
        ("SUM > 1e308", ["largest"]),
        ("SUM == 2", ["mixed"]),
        ("SUM == 0", ["opposite", "empty", "none", "null", "single"]),
        // The exact sum divided by three, rounded to the nearest double; the mean of the nearest doubles is ...992.
        ("AVG == 9007199254740994", ["past 2^53"]),
        ("AVG == 9007199254740992", []),
        ("AVG == 16777216", ["24 bits"]),
        ("AVG == 8388608.75", ["25 bits"]),
        ("AVG == 3002399751580331.5", ["apart"]),
        ("AVG == nil", ["empty", "none", "null", "single"]),
        ("MEDIAN > 0 AND MEDIAN < 1e-300", ["smallest"]),
        ("MEDIAN == 1.7976931348623157e308", ["largest"]),
        ("MEDIAN == 0", ["opposite"]),
    ]

    @Test func listsOfNumbers() throws {
        for question in Self.questions {
            let format = question.format.replacing("SUM", with: "l.@sum").replacing("AVG", with: "l.@avg")
                .replacing("MEDIAN", with: "median(l)")
            for schema in [nil, Schema([.field("l", .list(.int))]), Schema([.field("l", .list(.double))])] {
                try check(format, question.finds, schema) { $0 }
            }
        }
    }

    /// The same numbers under a key of a list's objects; values that are not lists of numbers are left out.
    @Test func listsOfObjects() throws {
        let others = Set(["mixed", "single"])
        for question in Self.questions where question.finds.isDisjoint(with: ["mixed"]) {
            if question.format.contains("MEDIAN") { continue }
            let format = question.format.replacing("SUM", with: "l.@sum.a").replacing("AVG", with: "l.@avg.a")
            for type in [FieldType.int, .double] {
                let schema = Schema([.field("l", .list(.object(Schema([.field("a", type)]))))])
                try check(format, question.finds.subtracting(others), schema, leavingOut: others) { list in
                    guard case .list(let numbers) = list else { return list }
                    return .list(numbers.map { .object(["a": $0, "b": "x"]) })
                }
            }
        }
    }

    private func check(
        _ format: String,
        _ finds: Set<String>,
        _ schema: Schema?,
        leavingOut others: Set<String> = [],
        _ shape: (QueryValue) -> QueryValue
    ) throws {
        let kept = Self.lists.filter { !others.contains($0.label) }
        let rows = try kept.map { list -> Document in
            guard let json = list.json else { return [:] }
            return ["l": shape(try QueryValue(json: json))]
        }
        let query = try Query(parsing: format, arguments: [], schema: schema)
        let expected = try Set(zip(kept, rows).filter { try query.matches($1) }.map(\.0.label))
        #expect(expected == finds, "\(format), in memory")
        let documents = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(rows, in: documents)
        let columns = try SQLiteDatabase.inMemory()
        try columns.execute("CREATE TABLE docs (l JSON)")
        for row in rows {
            _ = try columns.rows(
                "INSERT INTO docs VALUES (?)",
                [row["l"].map { .string(JSONWriter().text($0)) } ?? .null]
            )
        }
        for (storage, database) in [(SQLStorage.document(), documents), (.columns(json: ["l"]), columns)] {
            let found = try Fixture.found(query, storage, database).map { kept[$0].label }
            #expect(Set(found) == finds, "\(format), in \(storage.documentColumn ?? "columns")")
        }
    }
}

extension TotalTests {
    /// Groups add the same way.
    @Test func groups() throws {
        let values: [QueryValue] = [
            .int(9_007_199_254_740_993), .int(9_007_199_254_740_993), .int(9_007_199_254_740_993), .int(.min),
            .int(16_777_217), .int(-16_777_216), .double(0.5), .int(2), .null, .null,
        ]
        let keys = ["past", "past", "past", "least", "least", "least", "broken", "broken", "none", "none"]
        let rows = zip(keys, values).map { Document(pairs: [("s", .string($0)), ("x", $1)]) }
        let groups = Query().grouped(by: "s", computing: [.sum("x"), .average("x")])
        let expected = try groups.results(in: rows)
        #expect(
            expected.map { $0["avg_x"] } == [
                .double(1.25), .double(-3_074_457_345_618_258_432), .null, .double(9_007_199_254_740_994),
            ]
        )
        #expect(
            expected.map { $0["sum_x"] }
                == [.double(2.5), .int(-9_223_372_036_854_775_807), .int(0), .int(27_021_597_764_222_979)]
        )
        let documents = try SQLiteDatabase.inMemory()
        try Fixture.makeDocuments(rows, in: documents)
        #expect(try groups.results(in: documents, from: SQLTable("docs", storage: .document())) == expected)
        let columns = try SQLiteDatabase.inMemory()
        try columns.execute("CREATE TABLE docs (s TEXT, x)")
        for row in rows { _ = try columns.rows("INSERT INTO docs VALUES (?, ?)", Array(row.values)) }
        #expect(try groups.results(in: columns, from: "docs") == expected)
    }
}
