import PredicateQL
import PredicateQLSQLite

extension SpecRunner {
    /// The plan columns: SQLite's plan for the statement once the suggested indexes exist.
    ///
    /// - Returns: the failures.
    /// - Throws: when a spec file cannot be read, and `QueryError` of code `store` for an error of SQLite.
    public static func planFailures() throws -> [String] {
        try failures(in: [.plan, .planDocument]) { spec, column in
            let query = try spec.makeQuery()
            let isDocument = column == .planDocument
            let storage: SQLStorage = isDocument ? .document(column: "doc") : .columns
            let database = try SQLiteDatabase.inMemory()
            let columns = isDocument ? ["doc"] : query.columnNames
            let names = columns.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
            try database.execute("CREATE TABLE t (\(names.joined(separator: ", ")))")
            for index in try query.suggestedIndexes(from: SQLTable("t", storage: storage)) {
                try database.execute(index)
            }
            let statement = try query.sql(.sqlite, from: SQLTable("t", storage: storage), now: spec.now)
            let steps = try database.rows("EXPLAIN QUERY PLAN " + statement.sql, statement.bindings)
            let plan = steps.compactMap { step in
                if case .string(let detail)? = step["detail"] { detail } else { nil }
            }
            let expected = spec[column.rawValue] ?? ""
            let actual = plan.joined(separator: "; ")
            return actual.hasPrefix(expected) ? nil : difference(expected, actual)
        }
    }
}
