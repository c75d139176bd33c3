import PredicateQL
import PredicateQLSQLite
import QuerySyntax
import SpecSupport
import Testing

/// Random orders, pages, fields and groups over hostile documents and columns: SQLite gives what the evaluator gives,
/// row by row in its order.
///
/// `AGREEMENT=10000` asks so many of a fixed seed and of a fresh one, which is printed; `SEED=n` asks one seed.
@Suite(.serialized) struct PipelineAgreementTests {
    @Test(arguments: [true, false])
    func agree(isFlat: Bool) throws {
        let count = ProcessEnvironment.number("AGREEMENT") ?? 400
        let given = ProcessEnvironment.number("SEED").map(UInt64.init)
        let seeds = given.map { [$0] } ?? [SQLAgreementTests.seed, UInt64.random(in: 0..<1 << 32)]
        for seed in seeds {
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
            row["_id"] = .int(Int64(number))
            return row
        }
        let nested = ["o", "o.a", "o.b", "l", "k", "k.a", "k.a.b", "x.a", "missing", "missing.a"]
        let paths = ["x", "y", "n", "m", "s", "t"] + (isFlat ? [] : nested)
        pipelines = RandomPipelines(paths, ConditionGenerator(seed: seed, isFlat: isFlat), seed: seed)
    }

    mutating func next() -> Pipeline { pipelines.next() }

    /// What the evaluator gives and what SQLite gives, of the rows that are as the translation assumes.
    func answers(_ pipeline: Pipeline) throws -> (expected: [Document], found: [Document]) {
        let database = try SQLiteDatabase.inMemory()
        switch pipeline {
        case .rows(let query):
            let statement = try query.sql(.sqlite, from: "docs", storage: storage, now: 0)
            let kept = try fill(database, query.condition, statement.assumptions)
            var tied = query
            // A store's page ends its order in the primary key, in the last key's direction (S22).
            if query.skip != nil || query.limit != nil {
                tied.order.append(SortKey("_id", ascending: query.order.last?.isAscending ?? true))
            }
            let found = try query.rows(on: database, table: "docs", storage: storage, now: 0)
            return (try tied.results(in: kept, now: 0), found)
        case .groups(let groups):
            let statement = try groups.sql(.sqlite, from: "docs", storage: storage, now: 0)
            let kept = try fill(database, groups.query.condition, statement.assumptions)
            let found = try groups.rows(on: database, table: "docs", storage: storage, now: 0)
            return (try groups.results(in: kept, now: 0), found)
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
        try database.execute("CREATE TABLE docs (x, y, n, m NUMERIC, s TEXT, t, _id INTEGER)")
        for row in kept {
            _ = try database.rows("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?)", columns.map { row[$0] ?? .null })
        }
        return try database.rows("SELECT * FROM docs ORDER BY rowid")
    }
}

extension [Document] {
    /// The same rows by meaning: a group of 1 and 1.0 may show either.
    fileprivate func isSame(as other: [Document]) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { a, b in
                a.keys == b.keys && zip(a.values, b.values).allSatisfy { $0.isEqual(to: $1) || $0.isNaN && $1.isNaN }
            }
    }
}
