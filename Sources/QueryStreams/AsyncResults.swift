import QueryValues

/// A query's results from rows that arrive over time.
///
///     var found: [Document] = []
///     for try await city in try query.results(in: incoming) { found.append(city) }
///     found.count  // → 2
///
/// Without an order a result is returned as soon as its row has arrived, no row is kept, and no row is awaited after
/// the last one that the limit allows. With an order all rows are awaited first, and possible results are kept: skip +
/// limit rows, at most `Limits.sortedRows`.
public struct AsyncResults<Rows: AsyncSequence>: AsyncSequence {
    private let rows: Rows
    private let steps: RowSteps<Rows.Element>

    init(_ rows: Rows, _ steps: RowSteps<Rows.Element>) {
        self.rows = rows
        self.steps = steps
    }

    /// Iterates over the results.
    public struct Iterator: AsyncIteratorProtocol {
        private var rows: Rows.AsyncIterator
        private let steps: RowSteps<Rows.Element>
        private var pass: RowPass<Rows.Element>?
        /// The remaining results of an order, the next one last.
        private var sorted: [Rows.Element] = []
        private var isDone = false

        fileprivate init(_ rows: Rows.AsyncIterator, _ steps: RowSteps<Rows.Element>) {
            self.rows = rows
            self.steps = steps
        }

        /// The next result.
        ///
        /// - Parameter actor: where the call runs.
        /// - Returns: the row; nil after the last result and after an error (S21).
        /// - Throws: the error of the current row, identified by its number (S27); `limit` if an order must keep too
        ///   many rows; what the source of the rows throws; and `CancellationError` when the task is cancelled, so that
        ///   a partial answer never passes as complete.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Rows.Element? {
            do {
                return try await advance(isolation: actor)
            } catch {
                isDone = true
                sorted = []
                throw error
            }
        }

        private mutating func advance(isolation actor: isolated (any Actor)?) async throws -> Rows.Element? {
            if isDone, sorted.isEmpty { return nil }
            try Task.checkCancellation()
            var pass = try self.pass ?? RowPass(steps)
            // Held in one place at a time, so that the rows kept for an order are never copied.
            self.pass = nil
            defer { self.pass = pass }
            while !isDone, !pass.isDone, let row = try await rows.next(isolation: actor) {
                if let result = try pass.take(row) { return result }
                try Task.checkCancellation()
            }
            if !isDone {
                // Many sources end when their task is cancelled.
                if !pass.isDone { try Task.checkCancellation() }
                sorted = pass.finishReversed()
            }
            isDone = true
            return if let row = sorted.popLast() { try pass.projected(row) } else { nil }
        }
    }

    /// A pass over the results.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(rows.makeAsyncIterator(), steps) }
}

extension AsyncResults: Sendable where Rows: Sendable {}
