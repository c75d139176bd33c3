import Foundation
import PredicateQL
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Arbitrary terms in every place on hostile rows: a filter finds what the evaluator finds, or is rejected with a
/// range.
///
/// `SEED` and `SCALE` choose them, and `VERBOSE=1` prints what was rejected.
@Suite("Filters with arbitrary terms", .serialized) struct AnyTermsTests {
    static let seed: UInt64 = 20_261_122

    /// Constants that no row has.
    private static let rare: [QueryValue] = [
        .double(.nan), .double(.infinity), .double(-.infinity), .list([]), .object(Document()),
        .list([.list([.list([.list([.object(["a": .list([1, .null])])])])])]),
    ]

    @Test("guarded filters, any document") func guarded() { agree(isGuarded: true) }

    @Test("simple filters, documents that keep the assumptions") func assumed() { agree(isGuarded: false) }

    /// The outcome of one query on some rows.
    private struct Comparison {
        var pairs = 0
        /// The first row with two answers, and the answers.
        var difference: (row: Document, text: String)?
        /// The part of the row's filter that is shown.
        var filter = ""
    }

    private func agree(isGuarded: Bool) {
        let count = SeededGenerator.count(250)
        let seed = SeededGenerator.seed(Self.seed)
        let name = "SEED=\(seed), \(isGuarded ? "guarded" : "simple")"
        var (queries, pairs, mismatches) = (0, 0, 0)
        var refused: [String: Int] = [:]
        var generator = ConditionGenerator(seed: seed, anyTerms: 50)
        var random = SeededGenerator(seed)
        let rows = (0..<40).map { _ in Hostile.row(&random) }
        for number in 0..<count where mismatches < 12 {
            generator.constants = number % 5 == 0 ? Self.rare : []
            // Text that the parser would reject is not a query.
            guard let condition = try? Condition(parsing: generator.condition().format) else { continue }
            let query = Query(condition, nilMeaning: random.pick([.nullOrAbsent, .nullOrAbsent, .absent, .null]))
            do {
                let comparison = try compare(query, rows, isGuarded)
                queries += 1
                pairs += comparison.pairs
                guard let difference = comparison.difference else { continue }
                mismatches += 1
                Issue.record("\(name), \(query.nilMeaning)\n\(smallest(query, difference, isGuarded))")
            } catch let error as QueryError where error.code == .unsupported || error.code == .limit {
                if error.code == .unsupported, error.range == nil { Issue.record("\(name): no place: \(error)") }
                refused[error.message, default: 0] += 1
            } catch {
                // An error of the query itself is also one in memory.
                if (try? RowEvaluator(nilMeaning: query.nilMeaning).compile(query.condition)) == nil { continue }
                mismatches += 1
                Issue.record("\(name)\n\(query.format.prefix(2_000))\n\(error)")
            }
        }
        #expect(queries > count / 10, "\(name) refused: \(refused)")
        let refusals = refused.values.reduce(0, +)
        print("\(name): \(pairs) pairs of \(queries) queries, \(refusals) refused, \(mismatches) differ")
        if ProcessInfo.processInfo.environment["VERBOSE"] != nil { print(refused.sorted { $0.value > $1.value }) }
    }

    private func compare(_ query: Query, _ rows: [Document], _ isGuarded: Bool) throws -> Comparison {
        let mongo = try query.mongo(guarded: isGuarded, now: 0)
        let evaluator = RowEvaluator(nilMeaning: query.nilMeaning)
        var comparison = Comparison()
        for row in rows where mongo.assumptions.hold(in: row) {
            guard let expected = try? evaluator.holds(query.condition, in: row, now: 0) else { continue }
            comparison.pairs += 1
            let found = Result { try MongoJudge.matches(row, mongo.filter) }
            if case .success(expected) = found { continue }
            let answers = "expected \(expected), got \(found), assumed \(mongo.assumptions)"
            comparison.difference = (row, "\(answers)\nfilter \(mongo.json.prefix(1_500))")
            break
        }
        return comparison
    }

    /// The fault as a block of a spec file, with the emitted filter.
    private func smallest(_ query: Query, _ difference: (row: Document, text: String), _ isGuarded: Bool) -> String {
        func compared(_ condition: Condition, _ row: Document) -> Comparison? {
            try? compare(Query(condition, nilMeaning: query.nilMeaning), [row], isGuarded)
        }
        let found = Shrinking.smallest(query.condition, difference.row) { compared($0, $1)?.difference != nil }
        let isFound = try? RowEvaluator(nilMeaning: query.nilMeaning).holds(found.condition, in: found.row, now: 0)
        let block = Shrinking.block(found.condition, found.row, finds: isFound ?? false)
        return "\(block.prefix(2_000))\n\(compared(found.condition, found.row)?.difference?.text ?? "")"
    }
}
