import QueryEvaluation
import QueryTree
import QueryValues

/// A query's results as a lazy sequence: rows are read and tested as results are requested.
///
///     let large = try Query(format: "population > 200000").lazyResults(in: cities)
///     large.prefix(2).map { $0["name"] ?? nil }  // → ["Boston", "Worcester"]
///
/// Each iteration starts from the beginning. It keeps no rows.
public struct LazyResults<Rows: Sequence>: LazySequenceProtocol {
    private let rows: Rows
    private let steps: RowSteps<Rows.Element>

    init(_ rows: Rows, _ steps: RowSteps<Rows.Element>) throws(QueryError) {
        try steps.query.refuseErrorsOfRows()
        self.rows = rows
        self.steps = steps
    }

    /// Iterates over the results.
    public struct Iterator: IteratorProtocol {
        fileprivate var cursor: ResultCursor<Rows>?

        /// The next result.
        ///
        /// - Returns: the row, unchanged; a document with its requested fields only. Nil after the last one.
        public mutating func next() -> Rows.Element? {
            do throws(QueryError) {
                return try cursor?.next()
            } catch {
                // Conditions that can fail were rejected when the sequence was made.
                preconditionFailure("a row failed a condition that cannot fail: \(error.message)")
            }
        }
    }

    /// A pass over the results, from the first.
    ///
    /// - Returns: the iterator.
    public func makeIterator() -> Iterator {
        // Only an order's keys can be invalid here, and there is no order.
        Iterator(cursor: try? ResultCursor(rows, steps))
    }
}

extension LazyResults: Sendable where Rows: Sendable {}

extension Query {
    /// Rejects what a sequence that cannot throw does not support: an order, which keeps rows up to a limit, and
    /// MATCHES, which has limits of its own and may meet an invalid pattern in a row (S16, S27).
    func refuseErrorsOfRows() throws(QueryError) {
        let hint = "take a cursor(over:), which throws at the row, or results(in:)"
        if !order.isEmpty {
            throw QueryError(.unsupported, "a lazy sequence returns rows in their original order", hint: hint)
        }
        for case .condition(.comparison(let comparison)) in condition.nodes where comparison.operator == .matches {
            throw QueryError(
                .unsupported,
                "MATCHES may fail at a row, and a lazy sequence cannot throw",
                at: comparison.origin,
                hint: hint
            )
        }
    }
}
