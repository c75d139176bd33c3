import PredicateQL
import PredicateQLSQLite
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Random conditions over tables with declared types, with and without a table of children, and over documents that a
/// schema declares: SQLite finds what the evaluator finds.
///
/// `SEED` and `SCALE` choose them.
@Suite(.serialized) struct TypedTablesTests {
    @Test(arguments: [TypedCases.Layout.columns, .typedDocuments])
    func agree(_ layout: TypedCases.Layout) throws {
        let count = SeededGenerator.count(50)
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        for dates in Self.dates(layout) {
            // A column of SQLite keeps -0.0 as 0.
            var cases = TypedCases(layout, .sqlite, seed: seed, keepsNegativeZero: layout != .columns, dates: dates)
            let database = try SQLiteDatabase.inMemory()
            let kept = cases.rows.indices.filter { !cases.rows[$0].holdsNaN }
            try Self.fill(database, kept.map { cases.rows[$0] }, layout)
            var (queries, pairs, mismatches) = (0, 0, 0)
            for _ in 0..<count where mismatches < 6 {
                // Text that the parser would reject is not a query.
                guard let judged = cases.next(), case .string(let format)? = judged["query"],
                    case .string(let meaning)? = judged["nil"], let nilMeaning = NilMeaning(rawValue: meaning),
                    let query = try? Query(parsing: format, nilMeaning: nilMeaning, schema: cases.schema)
                else { continue }
                queries += 1
                let statement = try query.sql(
                    .sqlite,
                    from: SQLTable("docs", storage: cases.storage, primaryKey: "id"),
                    now: 0
                )
                let program = try RowEvaluator(schema: cases.schema, nilMeaning: nilMeaning).compile(query.condition)
                var frame = program.makeFrame(now: 0)
                let calculations = query.condition.calculations
                var (asked, expected): (Set<Int>, Set<Int>) = ([], [])
                for number in kept where !cases.rows[number].givesNaN(calculations) {
                    guard let holds = try? program.holds(cases.rows[number], &frame) else { continue }
                    asked.insert(number)
                    if holds { expected.insert(number) }
                }
                pairs += asked.count
                let found = Result { () throws(QueryError) in try Self.found(statement, layout, database) }
                let difference: String
                switch found {
                case .success(let found):
                    guard let row = found.symmetricDifference(expected).intersection(asked).min() else { continue }
                    let text = QueryValue.object(cases.rows[row]).json
                    difference = "row \(text): SQLite \(found.contains(row)), evaluator \(expected.contains(row))"
                case .failure(let error): difference = "\(error.message)"
                }
                mismatches += 1
                let name = "SEED=\(seed) \(layout) \(dates), \(meaning)"
                Issue.record("\(name)\n\(format)\n\(difference)\n\(statement.where.prefix(1_500))")
            }
            #expect(queries > count / 8)
            print(
                "SEED=\(seed), typed \(layout), dates \(dates.d) and \(dates.e): \(pairs) pairs of",
                "\(queries) queries, \(mismatches) differ"
            )
        }
    }

    /// Every seed with two date fields, in every combination of forms.
    private static func dates(_ layout: TypedCases.Layout) -> [(d: DateEncoding, e: DateEncoding)] {
        // JSON documents have no native dates.
        let first: DateEncoding = layout == .columns ? .native : .iso8601Milliseconds
        return [
            (first, first), (.iso8601Milliseconds, .sqliteText), (.sqliteText, .sqliteText),
            (.epochSeconds, .epochMilliseconds),
            (.epochMilliseconds, .iso8601Milliseconds), (.sqliteText, .epochSeconds),
        ]
    }

    private static func found(
        _ statement: SQLQuery,
        _ layout: TypedCases.Layout,
        _ database: SQLiteDatabase
    ) throws(QueryError) -> Set<Int> {
        let id = layout == .columns ? "id" : "json_extract(doc, '$.id')"
        let rows = try database.rows(
            "SELECT \(id) AS id FROM docs WHERE " + statement.where,
            statement.whereBindings
        )
        return Set(rows.compactMap { if case .int(let number)? = $0["id"] { Int(number) } else { nil } })
    }

    private static func fill(
        _ database: SQLiteDatabase,
        _ rows: [Document],
        _ layout: TypedCases.Layout
    ) throws(QueryError) {
        guard layout == .columns else {
            try database.execute("CREATE TABLE docs (doc TEXT)")
            for row in rows {
                _ = try database.rows("INSERT INTO docs VALUES (?)", [.string(JSONWriter().text(.object(row)))])
            }
            return
        }
        try database.execute(
            """
            CREATE TABLE docs (
                id INTEGER PRIMARY KEY, x INTEGER, y REAL, n INTEGER, m REAL, s TEXT, t TEXT, b BOOLEAN, d, e
            );
            CREATE TABLE kids (owner INTEGER, a INTEGER, b TEXT)
            """
        )
        let columns = ["id", "x", "y", "n", "m", "s", "t", "b", "d", "e"]
        for row in rows {
            let values = columns.map { stored(row[$0] ?? .null) }
            _ = try database.rows("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            guard case .list(let children)? = row["k"] else { continue }
            for case .object(let child) in children {
                let values = [row["id"] ?? .null, child["a"] ?? .null, child["b"] ?? .null]
                _ = try database.rows("INSERT INTO kids VALUES (?, ?, ?)", values)
            }
        }
    }

    /// A value as a column stores it.
    private static func stored(_ value: QueryValue) -> QueryValue {
        switch value {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .date(let milliseconds): DateEncoding.iso8601.encode(milliseconds)
        default: value
        }
    }
}

extension Document {
    /// SQLite has no NaN.
    fileprivate var holdsNaN: Bool { pairs.contains { $0.1.isNaN } }
}
