import QueryMeaning
import QueryTree
import QueryValues

extension Query {
    /// The rows of a JSON text that the query finds.
    ///
    ///     try Query(format: "state == 'NY'").results(in: JSONRows(path: path)).count  // → 1
    ///
    /// O(bytes), plus O(matches · log(skip + limit)) with an order; only results are built in full. See S21.
    ///
    /// - Parameters:
    ///   - rows: NDJSON or a JSON list, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the rows in the query's order, with stored names and only the requested fields.
    /// - Throws: `QueryError` for a mistake in the query, of code `json` for the first malformed row, and for the first
    ///   row whose error decides the result (S27).
    public func results(in rows: JSONRows, now: Int64? = nil) throws(QueryError) -> [Document] {
        var run = try run(over: rows, now: now)
        var results: [Document] = []
        while let row = try run.next() { results.append(row) }
        return results
    }

    /// The number of rows of a JSON text that ``results(in:now:)-(JSONRows,_)`` would give: after skip and limit.
    ///
    ///     try Query(format: "state == 'MA'").count(in: JSONRows(path: path))  // → 3
    ///
    /// O(bytes); no row is built, and none is kept.
    ///
    /// - Parameters:
    ///   - rows: NDJSON or a JSON list, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the number of results.
    /// - Throws: as ``results(in:now:)-(JSONRows,_)``.
    public func count(in rows: JSONRows, now: Int64? = nil) throws(QueryError) -> Int {
        _ = try checked()
        var unordered = ofWholeRows
        unordered.order = []
        var run = try unordered.run(over: rows, now: now)
        var count = 0
        while try run.advanceNamingFaults() { count += 1 }
        return count
    }

    /// A run over a JSON text of any size, which returns one result at a time.
    ///
    ///     var run = try Query(format: "state == 'NY'", fields: ["name"]).run(over: JSONRows(path: path))
    ///     try run.next()  // → {"name":"New York"}
    ///
    /// - Parameters:
    ///   - rows: NDJSON or a JSON list, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the run.
    /// - Throws: `QueryError` for a mistake in the query, or when the rows cannot be opened.
    package func run(over rows: JSONRows, now: Int64? = nil) throws(QueryError) -> JSONRun {
        try JSONRun(self, over: rows, now: now)
    }
}

extension Grouping {
    /// The groups of the rows of a JSON text that satisfy the query's condition.
    ///
    ///     let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
    ///     try byState.results(in: JSONRows(path: path))  // → [{"state":"MA","count":3}, {"state":"NY","count":1}]
    ///
    /// O(bytes), and then O(groups · log groups); memory grows with the groups, not with the text. See S23.
    ///
    /// - Parameters:
    ///   - rows: NDJSON or a JSON list, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: as ``results(in:now:limits:)-([Document],_,_)``.
    /// - Throws: as ``results(in:now:limits:)-([Document],_,_)``; also of code `json` for the first malformed row.
    public func results(in rows: JSONRows, now: Int64? = nil) throws(QueryError) -> [Document] {
        var run = try run(now: now, limits: rows.limits)
        var reader = try rows.reader(try paths(limits: rows.limits))
        while true {
            do throws(QueryError) {
                guard try reader.next() else { break }
            } catch {
                throw reader.placed(error)
            }
            try run.add(reader.row)
        }
        return try run.finish()
    }

    /// The outermost keys that the groups read; whole rows for a custom reduction.
    ///
    /// - Parameter limits: the bounds on regular expressions.
    /// - Returns: the paths of one key.
    /// - Throws: `QueryError` for a mistake in the query.
    package func paths(limits: Limits = .default) throws(QueryError) -> RowPaths {
        let query = try checked().query
        var paths = RowPaths()
        let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning, limits: limits)
        _ = try evaluator.compile(query.condition, reading: &paths)
        let ofRows = reducers.contains { $0.kind == .custom } ? [GroupKey(.itself)] : []
        for value in readValues + ofRows {
            try StackRoom.run(for: value.test) { () throws(QueryError) in
                try evaluator.collectPaths(of: value.term, into: &paths)
            }
        }
        return paths.outermost
    }
}
