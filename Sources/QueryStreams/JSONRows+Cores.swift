import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues

// Lines of JSON read by all cores. Results, whose order counts, come by waves of whole lines, a piece for each worker;
// for a count each worker takes the next whole lines as soon as it is done with its own.

extension JSONRows {
    /// Bytes that one worker reads at a time.
    static let piece = 1 << 20
    private static let piecesOfWave = 8

    /// Hands every piece of the text to workers, wave by wave, and their results in order to a closure.
    ///
    /// - Parameters:
    ///   - piece: the approximate size of a piece in bytes.
    ///   - work: processes the rows of a piece; nil if an error occurred.
    ///   - take: receives the results in text order.
    /// - Returns: false if a single core must read it: a list, a text that can be read only once, or an error in a row.
    ///   The results taken so far are then invalid.
    /// - Throws: what the text's source throws, and what `take` throws.
    fileprivate func inPieces<Value: Sendable>(
        of piece: Int,
        _ work: @Sendable (JSONRows) -> Value?,
        _ take: (Value) throws(QueryError) -> Void
    ) throws(QueryError) -> Bool {
        guard isRepeatable, layout != .list else { return false }
        var stream = try makeStream()
        if try stream.beginsList() { return false }
        var isFirst = true
        let budget = WorkBudget(limits)
        while true {
            var pieces: [[UInt8]] = []
            while pieces.count < Self.piecesOfWave {
                guard let lines = try stream.lines(about: piece, within: limits.rowBytes) else { return false }
                if lines.isEmpty { break }
                // Before the first line the mark is ignored, before any other it is an error.
                if !isFirst, lines.starts(with: ByteStream.byteOrderMark) { return false }
                isFirst = false
                pieces.append(lines)
            }
            if pieces.isEmpty { return true }
            let (wave, limits) = (pieces, limits)
            let isExtended = mode.isOfExtendedRows
            let values = Cores.map(wave.count) { number -> Piece<Value> in
                // Workers have small stacks; conditions and rows may be deep.
                StackRoom.onLargeStack {
                    let stream = { () throws(QueryError) in ByteStream(bytes: wave[number]) }
                    var rows = JSONRows(layout: .lines, extended: isExtended, limits: limits, stream: stream)
                    rows.budget = budget
                    return Piece(value: work(rows))
                }
            }
            for value in values {
                guard let value = value.value else { return false }
                try take(value)
            }
        }
    }

    private struct Piece<Value: Sendable>: Sendable {
        let value: Value?
    }
}

extension Query {
    /// The rows of a JSON text that the query finds, read by all cores.
    ///
    ///     try Query(format: "state == 'NY'").results(in: JSONRows(path: path), concurrently: true).count  // → 1
    ///
    /// It is faster from a few megabytes on, for NDJSON in files and in memory; a JSON list, and a text that can be
    /// read only once, are read on a single core. It keeps eight megabytes of the text in memory at a time.
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
        guard concurrently, limit == nil || !order.isEmpty, limit != 0 else { return try results(in: rows, now: now) }
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
        _ work: @Sendable (JSONRows) -> [Document]?
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
