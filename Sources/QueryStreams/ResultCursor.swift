import QueryValues

/// A query's results, one per call, from rows read one by one.
///
///     var cursor = try query.cursor(over: cities)
///     var found: [Document] = []
///     while let city = try cursor.next() { found.append(city) }
///     found.count  // → 2
///
/// Unlike a `Sequence` it can throw at the row that fails. Without an order it reads only the rows needed for the
/// results so far, and keeps none; with one the first call reads them all and keeps possible results, at most
/// `Limits.sortedRows`.
public struct ResultCursor<Rows: Sequence> {
    private var rows: Rows.Iterator
    private var pass: RowPass<Rows.Element>
    /// The remaining results of an order, the next one last.
    private var sorted: [Rows.Element] = []
    private var isDone = false

    init(_ rows: Rows, _ steps: RowSteps<Rows.Element>) throws(QueryError) {
        self.rows = rows.makeIterator()
        pass = try RowPass(steps)
    }

    /// The next result.
    ///
    /// See S21.
    ///
    /// - Returns: the row, unchanged; a document with its requested fields only. Nil after the last result and after an
    ///   error.
    /// - Throws: the error of the current row, identified by its number (S27), and `limit` if an order must keep too
    ///   many rows.
    public mutating func next() throws(QueryError) -> Rows.Element? {
        if let row = sorted.popLast() { return try pass.projected(row) }
        if isDone { return nil }
        do throws(QueryError) {
            while !pass.isDone, let row = rows.next() {
                if let result = try pass.take(row) { return result }
            }
        } catch {
            isDone = true
            throw error
        }
        isDone = true
        sorted = pass.finishReversed()
        return if let row = sorted.popLast() { try pass.projected(row) } else { nil }
    }
}
