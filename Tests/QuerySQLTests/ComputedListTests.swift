import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import Testing

/// Lists whose elements are computed, over columns.
@Suite struct ComputedListTests {
    private static let rows: [Document] = [
        ["x": .data([0x61, 0]), "y": "61", "n": 1, "m": 2.5, "s": "a\0b", "t": nil],
        ["x": "10", "y": 10, "n": .int(.max), "m": .double(.infinity), "s": "10", "t": "x"],
        ["x": nil, "y": .double(-0.0), "n": nil, "m": 0.1, "s": nil, "t": 7],
    ]

    private static let queries = [
        "ANY {x} CONTAINS x", "ANY {x, n} CONTAINS x", "x IN {x, n}", "ANY {x, y} == '10'", "ANY {y, x} == 10",
        "ANY {n, s} == '10'", "ANY {s, n} == s", "sum({n, m, 1}) > 3", "max({x, y, n}) == 10", "min({x, s}) == 'a\0b'",
        "count({x, y, n}) == 3",
        "ALL {s, t} == nil", "average({m, 0.2}) > 0.14",
        "x IN SUBQUERY({x, y}, $e, $e != 10)",
        "ANY {n, -n, n + 1} == 2",
    ]

    private static let wholeLists = [
        "{m, 1} == {0.1, 1}", "{n, m} == {m, n}", "SUBQUERY({n, m}, $e, $e > 2)[0] == 2.5", "mode({n, n, m}) == {n}",
        "{m, 1} IN {{0.1, 1}, {n}}", "{{n, 1}, 2} == {{1, 1}, 2}", "count({n, {m, 1}}) == 2", "{s, 1} == {'10', 1}",
        "{m} != {n}",
    ]

    @Test func columnsAgree() throws {
        let database = try SQLiteDatabase.inMemory()
        let rows = try Fixture.makeColumns(Self.rows, in: database)
        for text in Self.queries {
            let difference = try Fixture.answer(Query(parsing: text), rows, .columns, database)
            #expect(difference == nil, "\(text)\n\(difference ?? "")")
        }
    }

    @Test func wholeListsNeedKinds() throws {
        let database = try SQLiteDatabase.inMemory()
        let rows = try Fixture.makeColumns(Self.rows, in: database)
        let schema = Schema([.field("n", .int), .field("m", .double), .field("s", .string)])
        for text in Self.wholeLists {
            let difference = try Fixture.answer(Query(parsing: text, schema: schema), rows, .columns, database)
            #expect(difference == nil, "\(text)\n\(difference ?? "")")
            let error = #expect(throws: QueryError.self, "\(text)") { try Query(parsing: text).sql(from: "docs") }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func whatStandsBesideADateIsRefused() throws {
        let schema = Schema([.field("d", .date(.iso8601)), .field("e", .date(.iso8601)), .field("n", .int)])
        func sql(_ text: String) throws -> SQLQuery { try Query(parsing: text, schema: schema).sql(from: "t") }
        #expect(try !sql("max({d, e}) == d").sql.isEmpty)
        #expect(throws: QueryError.self) { try sql("count({d, n}) == 2") }
        #expect(throws: QueryError.self) { try sql("count({d, 'x'}) == 2") }
        let many = (0..<600).map { "n + \($0)" }.joined(separator: ", ")
        let error = #expect(throws: QueryError.self) { try sql("sum({\(many)}) == 2") }
        #expect(error?.code == .limit)
    }
}
