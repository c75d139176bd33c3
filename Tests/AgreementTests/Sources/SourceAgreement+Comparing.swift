import PredicateQL
import QueryEvaluation
import QueryTree
import QueryValues

extension SourceAgreement {
    /// A lazy sequence is rejected if something could be thrown.
    var canBeLazy: Bool {
        if case .error = reading.results { return false }
        let hasMatches = query.condition.nodes.contains { node in
            if case .condition(.comparison(let comparison)) = node { comparison.operator == .matches } else { false }
        }
        return query.order.isEmpty && !hasMatches
    }

    func oneByOne<Row>(
        _ rows: [Row],
        _ matches: (Row) throws(QueryError) -> Bool
    ) throws(QueryError) -> [Int] {
        var found: [Int] = []
        for (index, row) in rows.enumerated() {
            do throws(QueryError) {
                if try matches(row) { found.append(index) }
            } catch {
                throw QueryError(error.code, "documents[\(index)]: \(error.message)")
            }
        }
        return found
    }

    func all<Rows: Sequence>(_ cursor: ResultCursor<Rows>) throws(QueryError) -> [Rows.Element] {
        var cursor = cursor
        var rows: [Rows.Element] = []
        while let row = try cursor.next() { rows.append(row) }
        return rows
    }

    func expectAwaited<Row: Sendable>(
        _ source: String,
        _ id: (Row) -> Int,
        _ rows: [Row],
        _ results: (AsyncStream<Row>) throws(QueryError) -> AsyncResults<AsyncStream<Row>>
    ) async {
        let stream = AsyncStream<Row> { continuation in
            for row in rows { continuation.yield(row) }
            continuation.finish()
        }
        var found: [Int] = []
        var answer: Answer?
        do {
            for try await row in try results(stream) { found.append(id(row)) }
        } catch let error as QueryError {
            answer = Answer(error)
        } catch {
            answer = .error("\(error)")
        }
        compare(source, "awaited", reading.results, answer ?? .rows(found))
    }

    func expect(
        _ source: String,
        _ verb: String,
        _ expected: Answer,
        _ rows: () throws(QueryError) -> [Int]
    ) {
        compare(source, verb, expected, Answer(rows))
    }

    func expectCount(_ source: String, _ verb: String, _ count: () throws(QueryError) -> Int) {
        compare(source, verb, reading.count, Answer(count: count))
    }

    func compare(_ source: String, _ verb: String, _ expected: Answer, _ actual: Answer) {
        if expected == actual {
            agreed[source, default: 0] += 1
        } else {
            let order = query.order.map { ($0.isAscending ? "" : "-") + $0.path.dotted + $0.options.text }
            let pipeline = "order \(order.joined(separator: ", ")) skip \(query.skip ?? 0) limit \(query.limit ?? -1)"
            failures.append(
                "\(place): \(query.format) \(pipeline)\n  reading \(expected)\n  \(source), \(verb): \(actual)"
            )
        }
    }

    func skip(_ source: String, _ reason: String) { skipped["\(source): \(reason)", default: 0] += 1 }

    /// The sources that were queried and those that were skipped, for the test log.
    var summary: String {
        let asked = agreed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let left = skipped.sorted { $0.key < $1.key }.map { "\n  skipped \($0.value): \($0.key)" }
        return asked.joined(separator: ", ") + left.joined()
    }
}
