import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Translated queries for a judge: `Tests/Judges/sql.sh` runs them in the newest SQLite, which has different JSON
/// functions.
///
/// `SQL_CASES=path` sets the output folder; nothing is written without it. Statements that need the library's functions
/// are not written.
struct SQLiteCases {
    /// The statement that creates the table `docs`.
    let table: String
    private let rows: [[QueryValue]]
    private var cases: [Document] = []
    private let folder: String?

    init(table: String, rows: [[QueryValue]]) {
        self.table = table
        self.rows = rows
        folder = getenv("SQL_CASES").map { String(cString: $0) }
    }

    mutating func add(_ query: Query, _ comparison: Fixture.Comparison) {
        guard folder != nil, comparison.statement.functions.isEmpty else { return }
        cases.append(
            Document(pairs: [
                ("where", .string(comparison.statement.where)),
                ("bindings", .list(comparison.statement.whereBindings.map(TypedCases.encoded))),
                ("expected", .list(comparison.expected.sorted().map { .int(Int64($0)) })),
                ("doubtful", .list(comparison.doubtful.sorted().map { .int(Int64($0)) })),
                ("query", .string(query.condition.format)),
            ])
        )
    }

    /// Writes `sqlite-name.json`, and returns the number of cases.
    @discardableResult
    func write(as name: String) throws -> Int {
        guard let folder else { return 0 }
        let all = Document(pairs: [
            ("table", .string(table)),
            ("rows", .list(rows.map { .list($0.map(TypedCases.encoded)) })),
            ("cases", .list(cases.map { .object($0) })),
        ])
        try TypedCases.write(JSONWriter().text(.object(all)), to: "\(folder)/sqlite-\(name).json")
        return cases.count
    }
}
