import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues

// Lines of JSON read by all cores: each worker takes the next whole lines as soon as it is done with its own. What is made
// of them for results, whose order counts, is passed on in the order of the text.

extension JSONRows {
    /// Bytes that one worker reads at a time.
    package static let piece = ByteStream.usualChunk

    /// Hands the text to workers on all cores, some whole lines at a time, and what they make of them to a closure, in the
    /// order of the text and on the caller's thread.
    ///
    /// - Parameters:
    ///   - piece: the approximate size of a piece in bytes.
    ///   - work: processes the rows of a piece; nil if an error occurred.
    ///   - take: receives what is made of each piece.
    /// - Returns: false if a single core must read it again: a list, or an error in it.
    ///   What was taken until then is that of its first rows.
    /// - Throws: what `take` throws.
    fileprivate func inPieces<Value: Sendable, Failure>(
        of piece: Int,
        _ work: @escaping @Sendable (JSONRows) -> Value?,
        _ take: (Value) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let (pieces, lines) = pieces(of: piece, work) else { return false }
        defer { pieces.end() }
        while let value = pieces.next() { try take(value) }
        return !lines.isBroken
    }

    /// Starts workers on pieces of the text; nil for a list.
    fileprivate func pieces<Value: Sendable>(
        of piece: Int,
        _ work: @escaping @Sendable (JSONRows) -> Value?
    ) -> (OrderedPieces<Value>, SharedLines)? {
        guard layout != .list, let lines = try? SharedLines(self) else { return nil }
        let (limits, isExtended, budget) = (limits, mode.isOfExtendedRows, WorkBudget(limits))
        let pieces = OrderedPieces<Value> {
            guard let (number, bytes) = lines.next(about: piece) else { return nil }
            var rows = JSONRows(layout: .lines, extended: isExtended, limits: limits) { () throws(QueryError) in
                ByteStream(bytes: bytes)
            }
            rows.budget = budget
            guard let value = work(rows) else {
                lines.stop()
                return nil
            }
            return (number, value)
        }
        return (pieces, lines)
    }
}

/// The rows of lines of JSON, read by all cores, some at a time and in order.
package final class RowBatches {
    /// Some rows and about how many bytes they have.
    package typealias Batch = (rows: [Document], bytes: Int)

    private let pieces: OrderedPieces<Batch>
    private let lines: SharedLines

    /// Starts to read; nil for a list.
    ///
    /// - Parameters:
    ///   - rows: NDJSON by stored names; it is read once.
    ///   - paths: what to keep of each row.
    ///   - piece: the approximate number of bytes that are read at a time.
    package init?(_ rows: JSONRows, _ paths: RowPaths, piece: Int = JSONRows.piece) {
        let started = rows.pieces(of: piece) { rows -> Batch? in
            do throws(QueryError) {
                var reader = try rows.reader(paths)
                var read: [Document] = []
                while try reader.next() { read.append(reader.row) }
                return (read, reader.offset)
            } catch {
                return nil
            }
        }
        guard let (pieces, lines) = started else { return nil }
        (self.pieces, self.lines) = (pieces, lines)
    }

    deinit { pieces.end() }

    /// The next rows; nil after the last ones, and where the rest is ``isBroken``.
    package func next() -> Batch? { pieces.next() }

    /// True if a single core must read the rest, because there is an error in it.
    package var isBroken: Bool { lines.isBroken }
}

extension Query {
    /// The rows of a JSON text that the query finds, read by all cores.
    ///
    ///     try Query(format: "state == 'NY'").results(in: JSONRows(path: path), concurrently: true).count  // → 1
    ///
    /// It is faster from a few megabytes on, for NDJSON in files and in memory; a JSON list, and a text that can be
    /// read only once, are read on a single core. It keeps about a megabyte of the text in memory for each
    /// core.
    ///
    /// - Parameters:
    ///   - rows: NDJSON or a JSON list, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core.
    /// - Returns: the same rows in the same order as ``results(in:now:)-(JSONRows,_)``.
    /// - Throws: the same error as ``results(in:now:)-(JSONRows,_)``, of the same row.
    public func results(in rows: JSONRows, now: Int64? = nil, concurrently: Bool) throws(QueryError) -> [Document] {
        try results(in: rows, now: now, concurrently: concurrently, piece: JSONRows.piece)
    }

    package func results(
        in rows: JSONRows,
        now: Int64?,
        concurrently: Bool,
        piece: Int
    ) throws(QueryError) -> [Document] {
        let now = now ?? Query.presentInstant
        // A few rows are found fastest from the front.
        guard concurrently, rows.isRepeatable, limit == nil || !order.isEmpty, limit != 0 else {
            return try results(in: rows, now: now)
        }
        // Detect mistakes in the query before any work.
        _ = try JSONRun(self, over: JSONRows([]), now: now)
        var part = ofWholeRows
        part.skip = nil
        part.limit = limit.flatMap { limit in
            let sum = limit.addingReportingOverflow(skip ?? 0)
            return sum.overflow ? nil : sum.partialValue
        }
        let query = part
        let work = { @Sendable (rows: JSONRows) -> [Document]? in try? query.results(in: rows, now: now) }
        var found: [Document] = []
        guard order.isEmpty else {
            if let results = try sorted(rows, now: now, piece: piece, work) { return results }
            return try results(in: rows, now: now)
        }
        let isWhole = try rows.inPieces(of: piece, work) { (results) throws(QueryError) in found += results }
        guard isWhole else { return try results(in: rows, now: now) }
        return try projected(Array(found.dropFirst(skip ?? 0)), rows.limits, now)
    }

    /// The merged results of separately sorted pieces; nil if a single core must sort.
    private func sorted(
        _ rows: JSONRows,
        now: Int64,
        piece: Int,
        _ work: @escaping @Sendable (JSONRows) -> [Document]?
    ) throws(QueryError) -> [Document]? {
        var sorter = try RowSorter<Document>(checked(), now: now)
        var isOverBudget = false
        let isWhole = try rows.inPieces(of: piece, work) { (results) throws(QueryError) in
            for row in results where !isOverBudget {
                do throws(QueryError) { try sorter.add(row, row) } catch { isOverBudget = true }
            }
        }
        return isWhole && !isOverBudget ? try projected(sorter.finish(), rows.limits, now) : nil
    }

    private func projected(_ rows: [Document], _ limits: Limits, _ now: Int64) throws(QueryError) -> [Document] {
        if resultNames == nil { return rows }
        var answer = try RowAnswer(checked(), now: now, limits: limits, budget: WorkBudget(limits))
        return try answer.rows(rows)
    }

    /// True if each row is a result or none whatever the others are: without an order and a page.
    package var isFoundInAnyPiece: Bool { order.isEmpty && skip == nil && limit == nil }

    /// Passes on what is made of the results among lines of JSON, a batch for some lines at a time, read by all cores.
    ///
    /// - Parameters:
    ///   - rows: NDJSON by stored names; it is read once.
    ///   - now: the instant of `now()` in milliseconds since 1970.
    ///   - piece: the approximate number of bytes in a batch.
    ///   - make: makes a batch of all results of a run, on any thread.
    ///   - take: receives the batches in order, on the caller's thread.
    /// - Returns: the number of rows; nil if a single core must find the results again, to continue after those taken: for
    ///   a list, an order, a page, and an error.
    /// - Throws: `QueryError` for a mistake in the query, and what `take` throws.
    package func forEachBatch<Batch: Sendable>(
        in rows: JSONRows,
        now: Int64,
        piece: Int = JSONRows.piece,
        _ make: @escaping @Sendable (inout JSONRun) throws -> Batch,
        _ take: (Batch) throws -> Void
    ) throws -> Int? {
        guard isFoundInAnyPiece else { return nil }
        // Detect mistakes in the query before any work.
        _ = try JSONRun(self, over: JSONRows([]), now: now)
        var count = 0
        let work = { @Sendable [self] (rows: JSONRows) -> (batch: Batch, rows: Int)? in
            guard var run = try? run(over: rows, now: now), let batch = try? make(&run) else { return nil }
            return (batch, run.count)
        }
        let isWhole = try rows.inPieces(of: piece, work) { piece in
            count += piece.rows
            try take(piece.batch)
        }
        return isWhole ? count : nil
    }

    /// The number of rows of a JSON text that the query finds, counted by all cores.
    ///
    ///     try Query(format: "state == 'MA'").count(in: JSONRows(path: path), concurrently: true)  // → 3
    ///
    /// - Parameters:
    ///   - rows: NDJSON or a JSON list, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core.
    /// - Returns: the number of results, after skip and limit.
    /// - Throws: as ``results(in:now:)-(JSONRows,_)``.
    public func count(in rows: JSONRows, now: Int64? = nil, concurrently: Bool) throws(QueryError) -> Int {
        try count(in: rows, now: now, concurrently: concurrently, piece: ByteStream.usualChunk)
    }

    package func count(
        in rows: JSONRows,
        now: Int64?,
        concurrently: Bool,
        piece: Int
    ) throws(QueryError) -> Int {
        let now = now ?? Query.presentInstant
        guard concurrently, rows.isRepeatable, let found = try countByCores(in: rows, now: now, piece: piece) else {
            return try count(in: rows, now: now)
        }
        return found.results
    }

    /// The number of rows that the query finds among the lines of a text, and of all rows, counted by all cores.
    ///
    /// - Parameters:
    ///   - rows: NDJSON by stored names; it is read once.
    ///   - now: the instant of `now()` in milliseconds since 1970.
    ///   - piece: the number of bytes that a worker takes at a time, but whole lines.
    /// - Returns: both numbers, after skip; nil if a single core must count from the start: a list, a limit, an error.
    /// - Throws: `QueryError` for a mistake in the query, and what the text's source throws at first.
    package func countByCores(
        in rows: JSONRows,
        now: Int64,
        piece: Int = ByteStream.usualChunk
    ) throws(QueryError) -> (results: Int, rows: Int)? {
        guard limit == nil, rows.layout != .list else { return nil }
        _ = try count(in: JSONRows([]), now: now)
        guard let lines = try SharedLines(rows) else { return nil }
        let (query, budget) = (counted, WorkBudget(rows.limits))
        let (limits, isExtended) = (rows.limits, rows.mode.isOfExtendedRows)
        let counts = Cores.map(SharedLines.mostWorkers) { _ -> (results: Int, rows: Int)? in
            if lines.isOver { return (0, 0) }
            // Workers have small stacks; conditions and rows may be deep.
            return StackRoom.onLargeStack {
                var own = JSONRows(layout: .lines, extended: isExtended, limits: limits) { () throws(QueryError) in
                    lines.stream(piece)
                }
                own.budget = budget
                do throws(QueryError) {
                    var run = try query.run(over: own, now: now)
                    var count = 0
                    while try run.advance() { count += 1 }
                    return (count, run.count)
                } catch {
                    lines.stop()
                    return nil
                }
            }
        }
        var sum = (results: 0, rows: 0)
        for count in counts {
            guard let count, !lines.isBroken else { return nil }
            sum = (sum.results + count.results, sum.rows + count.rows)
        }
        return (max(0, sum.results - (skip ?? 0)), sum.rows)
    }

    /// The query as pieces are counted: in any order, all of them.
    private var counted: Query {
        var query = ofWholeRows
        (query.order, query.skip) = ([], nil)
        return query
    }
}

extension JSONMode {
    fileprivate var isOfExtendedRows: Bool {
        if case .extendedRows = self { true } else { false }
    }
}
