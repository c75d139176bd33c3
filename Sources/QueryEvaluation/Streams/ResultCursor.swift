import QueryValues

/// A query's results, one for each call, from rows that are taken one by one.
///
///     var cursor = try query.cursor(over: cities)
///     var found: [Document] = []
///     while let city = try cursor.next() { found.append(city) }
///     found.count  // → 2
///
/// Unlike a `Sequence` it can throw at the row that is in error. Without an order it takes no more rows than the results
/// so far need, and keeps none; with one the first call takes them all and keeps those that may be results, at most
/// `Limits.sortedRows`.
public struct ResultCursor<Rows: Sequence> {
    private var rows: Rows.Iterator
    private var pass: RowPass<Rows.Element>
    /// The results of an order that are still to come, the next one last.
    private var sorted: [Rows.Element] = []
    private var isDone = false

    init(_ rows: Rows, _ steps: RowSteps<Rows.Element>) throws(QueryError) {
        self.rows = rows.makeIterator()
        pass = try RowPass(steps)
    }

    /// The next result (S21).
    ///
    /// - Returns: the row, as it was given; a document with only the asked fields. Nil after the last result and after an
    ///   error.
    /// - Throws: the error of the row that was taken, named by its number (S27), and of code `limit` when an order has to
    ///   keep too many rows.
    public mutating func next() throws(QueryError) -> Rows.Element? {
        if let row = sorted.popLast() { return pass.projected(row) }
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
        return sorted.popLast().map { pass.projected($0) }
    }
}
