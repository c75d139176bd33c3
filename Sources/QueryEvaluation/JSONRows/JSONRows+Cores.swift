import QueryMeaning
import QueryTree
import QueryValues

// Lines of JSON read by all cores: one wave of whole lines at a time, a piece of it for each worker.

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
            while pieces.count < Self.piecesOfWave, let lines = try stream.takeLines(about: piece) {
                // Before the first line the mark is ignored, before any other it is an error.
                if !isFirst, lines.starts(with: [0xEF, 0xBB, 0xBF]) { return false }
                isFirst = false
                pieces.append(lines)
            }
            if pieces.isEmpty { return true }
            let (wave, limits) = (pieces, limits)
            let isExtended = if case .extendedRows = mode { true } else { false }
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
        try count(in: rows, now: now, concurrently: concurrently, piece: JSONRows.piece)
    }

    package func count(
        in rows: JSONRows,
        now: Int64?,
        concurrently: Bool,
        piece: Int
    ) throws(QueryError) -> Int {
        let now = now ?? Query.presentInstant
        guard concurrently, limit == nil else { return try count(in: rows, now: now) }
        _ = try count(in: JSONRows([]), now: now)
        var part = self
        part.skip = nil
        let query = part
        var total = 0
        let isWhole = try rows.inPieces(of: piece) { rows in
            try? query.count(in: rows, now: now)
        } _: { (count) throws(QueryError) in
            total += count
        }
        return isWhole ? max(0, total - (skip ?? 0)) : try count(in: rows, now: now)
    }
}
