import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// A running query over rows of JSON text, one result at a time.
///
///     var run = try query.run(over: JSONRows(path: path))
///     var found: [Document] = []
///     while let city = try run.next() { found.append(city) }
///     found.count  // → 2
///
/// Without an order a result is returned as soon as it is read. With one, the whole text is read first, and the keys
/// and texts of possible results are kept: with a limit at most skip + limit rows, otherwise all matches, up to
/// `Limits.sortedRows`.
package struct JSONRun {
    private enum State {
        case reading
        case sorted([[UInt8]], Int)
        case done
    }

    private var reader: JSONPathReader
    private let program: ConditionProgram
    private var frame: RowFrame
    private var state = State.reading
    private let isSorted: Bool
    /// Sorts the texts of rows.
    private var sorter: RowSorter<[UInt8]>?
    private var answer: RowAnswer
    /// Reads results.
    private var results: JSONReader
    /// The members of results that are shown or computed with; nil for all.
    private var members: JSONMembers?
    private var toSkip: Int
    private var toKeep: Int
    /// The number of rows read completely.
    package private(set) var count = 0
    /// The error of the query over the row read last, without the row's number.
    package private(set) var fault: QueryError?

    /// Prepares a query.
    ///
    ///     var run = try JSONRun(Query(format: "a > 1"), over: JSONRows(#"[{"a":1},{"a":2}]"#))
    ///     try run.next()  // → {"a":2}
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - rows: the rows.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Throws: `QueryError` for a mistake in the query, or when the rows cannot be opened.
    package init(_ query: Query, over rows: JSONRows, now: Int64? = nil) throws(QueryError) {
        try query.validatePipeline(computing: true)
        let query = try query.checked()
        let plan = try JSONPlan(query, rows)
        program = plan.program
        frame = program.makeFrame(now: now ?? Query.presentInstant, budget: rows.budget ?? WorkBudget(rows.limits))
        answer = try RowAnswer(query, now: now, limits: rows.limits, budget: frame.budget)
        isSorted = !query.order.isEmpty
        if isSorted {
            let isCut = query.skip != nil || query.limit != nil
            sorter = try RowSorter(query, now: now, limits: rows.limits, watchesCut: isCut, budget: frame.budget)
        }
        toSkip = query.skip ?? 0
        toKeep = query.limit ?? .max
        results = JSONReader(mode: rows.mode, limits: rows.limits)
        members = plan.shownKeys.map { JSONMembers($0) }
        reader = try rows.reader(plan.paths)
    }

    /// The next result, with only the requested fields (S21).
    ///
    ///     var run = try Query(format: "a > 1", fields: ["a"]).run(over: JSONRows(#"[{"a":1},{"a":2,"b":3}]"#))
    ///     try run.next()  // → {"a":2}
    ///     try run.next() == nil  // → true
    ///
    /// - Returns: the row, or nil after the last result.
    /// - Throws: `QueryError` of code `json` for a malformed row, after which the next call continues; of code
    ///   `limit` for a row of more than `Limits.rowBytes`, or for an order that keeps more than
    ///   `Limits.sortedRows`; and the row's error if it decides the result (S27). Each names the row, by its number
    ///   from 0.
    package mutating func next() throws(QueryError) -> Document? {
        try advanceNamingFaults() ? result() : nil
    }

    /// The result that ``advance()`` moved to.
    ///
    /// - Returns: the row, with only the requested fields and the computed ones.
    /// - Throws: the error of a computed field.
    package mutating func result() throws(QueryError) -> Document? {
        let row: QueryValue
        if case .sorted(let texts, let index) = state {
            row = try texts[index].withUnsafeBufferPointer { (text) throws(QueryError) in
                try Self.value(of: text, &members, &results)
            }
        } else {
            // A method of `self` would get a copy of all that it holds.
            row = try reader.withText { (text) throws(QueryError) in try Self.value(of: text, &members, &results) }
        }
        guard case .object(let row) = row else { return nil }
        return try answer.row(row)
    }

    /// A result as far as it is shown, or whole.
    private static func value(
        of text: UnsafeBufferPointer<UInt8>,
        _ members: inout JSONMembers?,
        _ reader: inout JSONReader
    ) throws(QueryError) -> QueryValue {
        if let some = members?.read(text, &reader) { return .object(some) }
        return try reader.read(text)
    }

    /// The original text of the next result, with all its fields.
    ///
    ///     var run = try Query(format: "a > 1").run(over: JSONRows(#"[{"a":1},{"a": 2, "b": 3}]"#))
    ///     try run.nextText().map { String(decoding: $0, as: UTF8.self) }  // → {"a": 2, "b": 3}
    ///
    /// - Returns: the text without its line ending, or nil after the last result.
    /// - Throws: as ``next()``.
    package mutating func nextText() throws(QueryError) -> [UInt8]? {
        guard try advanceNamingFaults() else { return nil }
        return try withText { (text) throws(QueryError) in Array(text) }
    }

    /// The line of the last row read, for messages.
    package var line: Int { reader.line }

    /// The bytes of text in memory, besides those kept for an order.
    package var heldBytes: Int { reader.heldBytes }

    /// True if the last error is about one malformed row, so that the next call continues after it.
    package var isRowMalformed: Bool { reader.isRowMalformed }

    /// True if skip or limit cuts between rows with equal keys; known once results arrive.
    package var cutsTies: Bool { sorter?.cutsTies ?? false }

    /// How the rows are arranged.
    package var layout: JSONLayout { reader.layout }

    /// Moves to the next result.
    ///
    /// - Returns: false after the last one.
    /// - Throws: as ``next()``.
    package mutating func advance() throws(QueryError) -> Bool {
        switch state {
        case .reading:
            guard isSorted else { return try advanceInOrder() }
            try sort()
            return try advance()
        case .sorted(let texts, let index):
            let hasNext = index + 1 < texts.count
            state = hasNext ? .sorted(texts, index + 1) : .done
            return hasNext
        case .done: return false
        }
    }

    /// The same, with number and position in the error of a malformed row.
    mutating func advanceNamingFaults() throws(QueryError) -> Bool {
        do throws(QueryError) {
            return try advance()
        } catch {
            throw reader.placed(error)
        }
    }

    /// Passes the text of the result that ``advance()`` moved to.
    ///
    /// - Parameter body: gets the bytes, valid only during the call.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    package mutating func withText<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        guard case .sorted(let texts, let index) = state else { return try reader.withText(body) }
        return try texts[index].withUnsafeBufferPointer(body)
    }

    private mutating func advanceInOrder() throws(QueryError) -> Bool {
        while toKeep > 0, try reader.next() {
            guard try holds() else { continue }
            if toSkip > 0 {
                toSkip -= 1
                continue
            }
            toKeep -= 1
            return true
        }
        state = .done
        return false
    }

    private mutating func sort() throws(QueryError) {
        guard var sorter else { return }
        // Held only once, it is changed in place; after an error of a malformed row the sort continues with it.
        self.sorter = nil
        defer { self.sorter = sorter }
        while toKeep > 0, try reader.next() {
            guard try holds() else { continue }
            try sorter.add(reader.row, reader.text())
        }
        state = .sorted(sorter.finish(), -1)
    }

    @inline(__always)
    private mutating func holds() throws(QueryError) -> Bool {
        defer { count += 1 }
        do throws(QueryError) {
            return try reader.holds(program, &frame)
        } catch {
            fault = error
            throw error.inRow(reader.index)
        }
    }
}

/// What a query reads from JSON rows, and its condition compiled for that.
struct JSONPlan {
    let paths: RowPaths
    let program: ConditionProgram
    /// The outermost keys of the fields and of what is computed; nil if results are whole rows.
    let shownKeys: [String]?

    /// The plan of a checked query.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - rows: the rows.
    /// - Throws: `QueryError` for a mistake in the query.
    init(_ query: Query, _ rows: JSONRows) throws(QueryError) {
        let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning, limits: rows.limits)
        // A mistake in a computed field is reported by what computes it.
        shownKeys = try? Self.shownKeys(of: query, evaluator)
        var paths = RowPaths()
        let flat = try evaluator.compile(query.condition, reading: &paths)
        if query.order.isEmpty, !paths.needWholeRows {
            (self.paths, program) = (paths, flat)
            return
        }
        // Sorting reads rows under their own keys.
        let tied = query.breakingTies
        let ofRow = RowEvaluator(schema: tied.schema, nilMeaning: query.nilMeaning, limits: rows.limits)
        for key in tied.order {
            paths = try StackRoom.run(for: key.computedTest ?? .constant(true)) { () throws(QueryError) in
                var read = paths
                try ofRow.collectPaths(of: key.term, into: &read)
                return read
            }
        }
        self.paths = paths.outermost
        program = try evaluator.compile(query.condition)
    }

    private static func shownKeys(of query: Query, _ evaluator: RowEvaluator) throws(QueryError) -> [String]? {
        // Each key of a row is compared with each of these.
        guard query.resultNames != nil, query.fields?.count ?? 0 <= RowPaths.most else { return nil }
        var shown = RowPaths()
        for field in query.computed {
            try StackRoom.run(for: field.key.test) { () throws(QueryError) in
                try evaluator.collectPaths(of: field.term, into: &shown)
            }
        }
        guard var keys = shown.outermostKeys else { return nil }
        for path in query.fields ?? [] {
            guard let key = TypeScope(query.schema).row.resolve(path.keys)?.storedKeys.first else { return nil }
            if !keys.contains(where: { $0.hasSameUTF8(as: key) }) { keys.append(key) }
        }
        return keys
    }
}
