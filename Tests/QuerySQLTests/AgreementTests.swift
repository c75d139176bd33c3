import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Random conditions on hostile rows: SQLite finds what the evaluator finds, on a real file.
///
/// `SEED` and `SCALE` choose them; `SCALE=100` compares a million pairs of query and row.
@Suite(.serialized) struct SQLAgreementTests {
    static let seed: UInt64 = 20_261_121

    /// Constants that no JSON row contains.
    private static let rare: [QueryValue] = [
        .double(.nan), .double(.infinity), .double(-.infinity), .list([]), .object(Document()),
        .list([.list([.list([.list([.object(["a": .list([1, .null])])])])])]),
    ]

    /// What `== nil` tests for; a plain column cannot distinguish null from absent, so most such queries are rejected
    /// there.
    private static let documentMeanings: [NilMeaning] = [.nullOrAbsent, .nullOrAbsent, .absent, .null]
    private static let columnMeanings = [NilMeaning](repeating: .nullOrAbsent, count: 6) + [.absent, .null]

    @Test func documentsAgree() throws {
        try agree(.document()) { seed in ConditionGenerator(seed: seed) }
    }

    @Test func columnsAgree() throws {
        try agree(.columns) { seed in ConditionGenerator(seed: seed, isFlat: true) }
    }

    /// Arbitrary terms in every place: whatever is translated runs, and finds the same rows.
    @Test func anyTermsAgree() throws {
        try agree(.document()) { seed in ConditionGenerator(seed: seed, anyTerms: 50) }
        try agree(.columns) { seed in ConditionGenerator(seed: seed, isFlat: true, anyTerms: 50) }
    }

    /// The outcome of the queries of one seed.
    private struct Outcome {
        var queries = 0
        var pairs = 0
        var refused: [String: Int] = [:]
        var mismatches = 0
    }

    private func agree(_ storage: SQLStorage, _ generator: (UInt64) -> ConditionGenerator) throws {
        let count = SeededGenerator.count(250)
        let seed = SeededGenerator.seed(Self.seed)
        let outcome = try agree(storage, generator(seed), seed, count)
        #expect(
            outcome.queries > count / (generator(seed).anyTerms > 0 ? 10 : 3),
            "SEED=\(seed) refused: \(outcome.refused)"
        )
        let refused = outcome.refused.values.reduce(0, +)
        print(
            "SEED=\(seed), \(generator(seed).isFlat ? "columns" : "documents"): \(outcome.pairs) pairs of",
            "\(outcome.queries) queries, \(refused) refused, \(outcome.mismatches) differ"
        )
        if ProcessEnvironment.number("VERBOSE") != nil { print(outcome.refused) }
    }

    private func agree(
        _ storage: SQLStorage,
        _ conditions: ConditionGenerator,
        _ seed: UInt64,
        _ count: Int
    ) throws -> Outcome {
        var generator = conditions
        var random = SeededGenerator(seed)
        let isFlat = generator.isFlat
        var rows = (0..<60).map { _ in isFlat ? Hostile.flatRow(&random) : Hostile.row(&random) }
        var dates = SeededGenerator(seed ^ 5)
        rows = rows.map { Hostile.withDates($0, &dates) }
        let file = TemporaryDatabase()
        let database = try SQLiteDatabase(path: file.path, isReadOnly: false)
        if isFlat {
            rows = try Fixture.makeColumns(rows, in: database)
        } else {
            try Fixture.makeDocuments(rows, in: database)
        }
        var cases = SQLiteCases(
            table: isFlat ? Fixture.columnTable : Fixture.documentTable,
            rows: rows.map { row in
                isFlat ? Fixture.columns.map { row[$0] ?? .null } : [.string(JSONWriter().text(.object(row)))]
            }
        )
        var outcome = Outcome()
        for number in 0..<count where outcome.mismatches < 12 {
            generator.constants = number % 5 == 0 ? Self.rare : number % 5 == 1 ? Hostile.instants : []
            let percent = generator.anyTerms
            guard let condition = percent > 0 ? generator.parsed(anyTerms: percent) : generator.condition() else {
                continue
            }
            var query = Query(condition)
            query.nilMeaning = random.pick(isFlat ? Self.columnMeanings : Self.documentMeanings)
            do {
                let comparison = try Fixture.compare(query, rows, storage, database)
                cases.add(query, comparison)
                outcome.queries += 1
                outcome.pairs += comparison.compared
                guard let difference = comparison.difference else { continue }
                outcome.mismatches += 1
                // A mismatch is kept if its smallest form is rejected.
                let block = comparison.row.map { (try? smallest(query, $0, storage)) ?? "not shrunk" } ?? ""
                let shown = difference.split(separator: "\n").map { $0.prefix(2_000) }.joined(separator: "\n")
                Issue.record("SEED=\(seed), \(query.nilMeaning)\n\(shown)\n\n\(block)")
            } catch let error as QueryError where error.code == .unsupported || error.code == .limit {
                outcome.refused[error.message, default: 0] += 1
            } catch {
                outcome.mismatches += 1
                Issue.record("SEED=\(seed)\n\(query.format)\n\(error)")
            }
        }
        try cases.write(as: (generator.anyTerms > 0 ? "any-" : "") + (isFlat ? "columns" : "documents"))
        return outcome
    }

    /// The fault as a block of a spec file.
    private func smallest(_ query: Query, _ row: Document, _ storage: SQLStorage) throws -> String {
        func difference(_ condition: Condition, _ row: Document) -> Fixture.Comparison? {
            guard let database = try? SQLiteDatabase.inMemory() else { return nil }
            var rows = [row]
            if storage == .columns {
                guard let kept = try? Fixture.makeColumns(rows, in: database) else { return nil }
                rows = kept
            } else {
                guard (try? Fixture.makeDocuments(rows, in: database)) != nil else { return nil }
            }
            return try? Fixture.compare(Query(condition, nilMeaning: query.nilMeaning), rows, storage, database)
        }
        let found = Shrinking.smallest(query.condition, row) { difference($0, $1)?.difference != nil }
        let isFound = try Query(found.condition, nilMeaning: query.nilMeaning).matches(found.row)
        return Shrinking.block(found.condition, found.row, finds: isFound)
    }
}
