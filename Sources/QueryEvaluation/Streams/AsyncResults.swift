import QueryValues

/// A query's results from rows that come over time.
///
///     var found: [Document] = []
///     for try await city in try query.results(in: incoming) { found.append(city) }
///     found.count  // → 2
///
/// Without an order a result is given as soon as its row has come, no row is kept, and no row is awaited after the last
/// that the limit allows. With an order all rows are awaited first, and those are kept that may be results: skip + limit
/// of them, at most `Limits.sortedRows`.
public struct AsyncResults<Rows: AsyncSequence>: AsyncSequence {
    /// A row as it was given; a document with only the asked fields.
    public typealias Element = Rows.Element
    /// An error of the rows' source, `QueryError`, or `CancellationError`.
    public typealias Failure = any Error

    private let rows: Rows
    private let steps: RowSteps<Rows.Element>

    init(_ rows: Rows, _ steps: RowSteps<Rows.Element>) {
        self.rows = rows
        self.steps = steps
    }

    /// Goes over the results.
    public struct Iterator: AsyncIteratorProtocol {
        private var rows: Rows.AsyncIterator
        private let steps: RowSteps<Rows.Element>
        private var pass: RowPass<Rows.Element>?
        /// The results of an order that are still to come, the next one last.
        private var sorted: [Rows.Element] = []
        private var isDone = false

        fileprivate init(_ rows: Rows.AsyncIterator, _ steps: RowSteps<Rows.Element>) {
            self.rows = rows
            self.steps = steps
        }

        /// The next result (S21).
        ///
        /// - Returns: the row; nil after the last result and after an error.
        /// - Throws: the error of the row that came, named by its number (S27); of code `limit` when an order has to keep
        ///   too many rows; what the rows' source throws; and `CancellationError` when the task is cancelled, so that
        ///   half an answer never looks like a whole one.
        public mutating func next() async throws -> Rows.Element? { try await next(isolation: nil) }

        /// The next result, awaited on an actor; otherwise as ``next()``.
        ///
        /// - Parameter actor: where the call runs.
        /// - Returns: as ``next()``.
        /// - Throws: as ``next()``.
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
            // Kept in one place at a time, so that what an order keeps is never copied.
            self.pass = nil
            defer { self.pass = pass }
            while !isDone, !pass.isDone, let row = try await rows.next(isolation: actor) {
                if let result = try pass.take(row) { return result }
                try Task.checkCancellation()
            }
            if !isDone { sorted = pass.finishReversed() }
            isDone = true
            return sorted.popLast().map { pass.projected($0) }
        }
    }

    /// A pass over the results.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(rows.makeAsyncIterator(), steps) }
}

extension AsyncResults: Sendable where Rows: Sendable {}
