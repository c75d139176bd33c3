import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Random orders, pages, fields, computed fields and groups over hostile documents and columns: SQLite agrees with the evaluator, row by
/// row in order.
///
/// `SEED` and `SCALE` choose them.
@Suite(.serialized) struct PipelineAgreementTests {
    /// The rows at a limit are the same everywhere.
    @Test func tiesAgree() throws {
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        try Pipelines.tied(seed: seed, count: SeededGenerator.count(100) / 2)
    }

    /// ORDER BY a number would be the position of a column.
    @Test func constantsDoNotSort() throws {
        let sum = try Query(parsing: #"sum(TERNARY(a == 1, "10.0", b)) == 0"#).condition
        guard case .comparison(let comparison) = sum else { throw QueryError(.syntax, "not a comparison") }
        let query = Query(order: ["c"], computed: [ComputedField(comparison.left, as: "c")])
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (a INTEGER, b INTEGER)")
        try database.execute("INSERT INTO t VALUES (1, 2), (2, 3)")
        #expect(try query.rows(in: database, from: "t").count == 2)
    }

    @Test(arguments: [true, false])
    func agree(isFlat: Bool) throws {
        let count = SeededGenerator.count(100)
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        var pipelines = Pipelines(seed: seed, isFlat: isFlat)
        var (asked, results, mismatches) = (0, 0, 0)
        var refused: [String: Int] = [:]
        for _ in 0..<count where mismatches < 6 {
            let pipeline = pipelines.next()
            do {
                let (expected, found) = try pipelines.answers(pipeline)
                asked += 1
                results += expected.count
                guard !found.isSame(as: expected) else { continue }
                mismatches += 1
                let shown = [expected, found].map { rows in rows.map { QueryValue.object($0).json } }
                Issue.record("SEED=\(seed)\n\(pipeline)\nevaluator \(shown[0])\nSQLite    \(shown[1])")
            } catch let error as QueryError where error.code != .store {
                refused[error.message, default: 0] += 1
            } catch {
                mismatches += 1
                Issue.record("SEED=\(seed)\n\(pipeline)\n\(error)")
            }
        }
        #expect(asked > count / 3, "SEED=\(seed) refused: \(refused)")
        let name = isFlat ? "columns" : "documents"
        print("SEED=\(seed), \(name): \(results) results of \(asked) pipelines, \(mismatches) differ")
        if ProcessEnvironment.number("VERBOSE") != nil { print(refused) }
    }
}

/// Rows of one kind, random pipelines over them, and both answers to each.
private struct Pipelines {
    private let isFlat: Bool
    private let rows: [Document]
    private var pipelines: RandomPipelines

    init(seed: UInt64, isFlat: Bool) {
        self.isFlat = isFlat
        var random = SeededGenerator(seed)
        rows = (0..<50).map { number in
            var row = isFlat ? Hostile.flatRow(&random) : Hostile.row(&random)
            // Texts in no particular order, so that the tie-breaking is visible.
            row["_id"] = .string("id\(number * 17 % 50)")
            return row
        }
        let nested = ["o", "o.a", "o.b", "l", "k", "k.a", "k.a.b", "x.a", "missing", "missing.a"]
        let paths = ["x", "y", "n", "m", "s", "t"] + (isFlat ? [] : nested)
        let conditions = ConditionGenerator(seed: seed, isFlat: isFlat)
        pipelines = RandomPipelines(paths, conditions, seed: seed, computesAnyTerm: true)
    }

    mutating func next() -> Pipeline { pipelines.next() }

    /// The results of the evaluator and of SQLite, for the rows that satisfy the translation's assumptions.
    func answers(_ pipeline: Pipeline) throws -> (expected: [Document], found: [Document]) {
        let database = try SQLiteDatabase.inMemory()
        switch pipeline {
        case .rows(let query):
            let statement = try query.sql(.sqlite, from: SQLTable("docs", storage: storage), now: 0)
            let kept = try fill(database, query.readingCondition, statement.assumptions)
            var tied = query
            // Without an order a store's page contains the first keys (S22).
            if isFlat, query.order.isEmpty, query.skip != nil || query.limit != nil { tied.order = ["_id"] }
            let found = try query.rows(in: database, from: SQLTable("docs", storage: storage), now: 0)
            return (try tied.results(in: kept, now: 0), found)
        case .groups(let groups):
            let statement = try groups.sql(.sqlite, from: SQLTable("docs", storage: storage), now: 0)
            let tests = [groups.query.condition] + groups.computedTerms
            let kept = try fill(database, .and(tests), statement.assumptions)
            let found = try groups.results(in: database, from: SQLTable("docs", storage: storage), now: 0)
            return (try groups.results(in: kept, now: 0), found)
        }
    }

    /// The results of all ways of the evaluator for orders with many ties, over tables with and without a key, and
    /// documents.
    static func tied(seed: UInt64, count: Int) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<count {
            let hasKey = random.chance(50)
            let rows = (0..<30).map { number -> Document in
                var row: Document = [
                    "a": .int(Int64(random.below(3))), "s": random.pick(["x", "X", "y"] as [QueryValue]),
                ]
                if hasKey { row["_id"] = .string("id\(number * 7 % 30)") }
                return row
            }
            var query = Query(order: [SortKey("a", ascending: random.chance(50))])
            if random.chance(50) {
                let options: StringOptions = random.chance(50) ? .caseInsensitive : []
                query.order.append(SortKey("s", ascending: random.chance(50), options: options))
            }
            if random.chance(60) { query.skip = random.below(20) }
            if random.chance(80) || query.skip == nil { query.limit = random.below(20) }
            let expected = try query.results(in: rows)
            let json = rows.map { JSONWriter().text(.object($0)) }.joined(separator: "\n")
            var answers = [
                "JSON": try query.results(in: JSONRows(json)), "cores": try query.results(in: rows, concurrently: true),
                "pieces": try query.results(in: JSONRows(json), now: nil, concurrently: true, piece: 64),
            ]
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE keyless (a INTEGER, s TEXT\(hasKey ? ", _id TEXT" : ""))")
            try database.execute("CREATE TABLE docs (doc JSON)")
            try database.execute("CREATE TABLE numbered (id INTEGER PRIMARY KEY, doc JSON)")
            for row in rows {
                let places = row.values.map { _ in "?" }.joined(separator: ", ")
                _ = try database.rows("INSERT INTO keyless VALUES (\(places))", row.values)
                for table in ["docs", "numbered"] {
                    let text = QueryValue.string(JSONWriter().text(.object(row)))
                    _ = try database.rows("INSERT INTO \(table) (doc) VALUES (?)", [text])
                }
            }
            answers["table"] = try query.results(in: database, from: "keyless")
            answers["documents"] = try query.results(in: database, from: SQLTable("docs", storage: .document()))
            answers["numbered"] = try query.results(in: database, from: SQLTable("numbered", storage: .document()))
            if hasKey {
                try database.execute("CREATE TABLE keyed (a INTEGER, s TEXT, _id TEXT PRIMARY KEY)")
                try database.execute("INSERT INTO keyed SELECT a, s, _id FROM keyless")
                answers["key"] = try query.results(in: database, from: "keyed")
            }
            for (name, found) in answers where found != expected {
                let shown = [expected, found].map { rows in rows.map { QueryValue.object($0).json } }
                Issue.record("SEED=\(seed) \(name), \(query)\nmemory \(shown[0])\nfound  \(shown[1])")
            }
        }
    }

    private var storage: SQLStorage { isFlat ? .columns : .document() }

    private func fill(
        _ database: SQLiteDatabase,
        _ condition: Condition,
        _ assumptions: [Assumption]
    ) throws -> [Document] {
        let calculations = condition.calculations
        let kept = rows.filter { row in
            assumptions.allSatisfy { row.fulfils($0) } && !row.givesNaN(calculations)
                && (try? Query(condition).matches(row)) != nil
        }
        guard isFlat else {
            try Fixture.makeDocuments(kept, in: database)
            return kept
        }
        let columns = Fixture.columns + ["_id"]
        try database.execute("CREATE TABLE docs (x, y, n, m NUMERIC, s TEXT, t, _id TEXT)")
        for row in kept {
            _ = try database.rows("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?)", columns.map { row[$0] ?? .null })
        }
        return try database.rows("SELECT * FROM docs ORDER BY rowid")
    }
}

extension [Document] {
    /// Rows with equal meaning: a group of 1 and 1.0 may show either.
    func isSame(as other: [Document]) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { a, b in
                a.keys == b.keys && zip(a.values, b.values).allSatisfy { $0.isEqual(to: $1) || $0.isNaN && $1.isNaN }
            }
    }
}
