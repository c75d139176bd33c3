import PredicateQL
import Testing

@testable import QuerySQL

/// A date compared with an undeclared field: the translation notes that it assumed the field's texts to be dates, or
/// rejects it (S5, S11).
@Suite struct DateAssumptionTests {
    private static let dialects = [SQLDialect.sqlite, .postgresql]

    @Test(arguments: [
        ("d > %@", "d"), ("o.d == %@", "o.d"), ("ANY k.d > %@", "k.d"), ("ALL l <= %@", "l"), ("l[0] == %@", "l"),
        ("SUBQUERY(k, $x, $x.d > %@).@count > 0", "k.d"), ("d IN {%@}", "d"), ("d BETWEEN {%@, now()}", "d"),
    ])
    func thePathIsNoted(format: String, path: String) throws {
        let query = try Query(parsing: format, arguments: [.date(1_479_117_955_787)])
        for dialect in Self.dialects {
            let statement = try query.sql(dialect, from: SQLTable("t", storage: .document()), now: 0)
            // SQLite reads every form; PostgreSQL compares with one.
            let form: Assumption.DateForm = dialect == .sqlite ? .iso8601 : .iso8601Milliseconds
            #expect(statement.assumptions.contains(.date(path, form)), "\(format)")
        }
    }

    @Test(arguments: ["ANY {a, b} > %@", "TERNARY(n == 1, a, b) == %@", "ANY {a} BETWEEN {%@, now()}"])
    func whatHasNoPathIsRefused(format: String) throws {
        let query = try Query(parsing: format, arguments: [.date(0)])
        for dialect in Self.dialects {
            let error = #expect(throws: QueryError.self, "\(format)") {
                try query.sql(dialect, from: SQLTable("t", storage: .document()), now: 0)
            }
            #expect(error?.code == .unsupported, "\(format)")
            #expect(error?.range != nil, "\(format)")
        }
    }

    @Test func aSchemaSaysIt() throws {
        let schema = Schema([.field("a", .date(.iso8601)), .field("b", .date(.iso8601)), .field("n", .int)])
        let query = try Query(format: "TERNARY(n == 1, a, b) == %@", QueryValue.date(0), schema: schema)
        #expect(try query.sql(.sqlite, from: SQLTable("t", storage: .document()), now: 0).assumptions.isEmpty)
    }
}
