import PredicateQL
import PredicateQLSQLite
import QuerySyntax
import SpecSupport
import Testing

/// Random conditions on hostile rows: SQLite finds what the evaluator finds.
@Suite struct SQLAgreementTests {
    static let seed: UInt64 = 20_261_121

    @Test func documentsAgree() throws {
        try agree(ConditionGenerator(seed: Self.seed), storage: .document(), seed: Self.seed, count: count)
    }

    @Test func columnsAgree() throws {
        try agree(ConditionGenerator(seed: Self.seed, isFlat: true), storage: .columns, seed: Self.seed, count: count)
    }

    /// More by `AGREEMENT=100000`.
    private var count: Int {
        ProcessEnvironment.number("AGREEMENT") ?? 1_500
    }

    private func agree(
        _ generator: ConditionGenerator,
        storage: SQLStorage,
        seed: UInt64,
        count: Int
    ) throws {
        var generator = generator
        var random = SeededGenerator(ProcessEnvironment.number("SEED").map(UInt64.init) ?? seed)
        if let other = ProcessEnvironment.number("SEED") { generator.random = SeededGenerator(UInt64(other)) }
        let isFlat = generator.isFlat
        var rows = (0..<60).map { _ in isFlat ? Hostile.flatRow(&random) : Hostile.row(&random) }
        let database = try SQLiteDatabase.inMemory()
        if isFlat {
            rows = try Fixture.makeColumns(rows, in: database)
        } else {
            try Fixture.makeDocuments(rows, in: database)
        }
        var refused: [String: Int] = [:]
        var mismatches = 0
        var ran = 0
        for _ in 0..<count where mismatches < 12 {
            let query = Query(generator.condition())
            do {
                let answer = try Fixture.answer(query, rows, storage, database)
                ran += 1
                if let difference = answer {
                    mismatches += 1
                    Issue.record("\(difference)")
                }
            } catch let error as QueryError where error.code == .unsupported || error.code == .limit {
                refused[error.message, default: 0] += 1
            }
        }
        #expect(ran > count / 3, "refused: \(refused)")
        if ProcessEnvironment.number("VERBOSE") != nil { print(ran, refused) }
    }
}
