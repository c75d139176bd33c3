import QueryTree
import QueryValues

extension Grouping {
    /// The groups of rows whose fields are read in place.
    ///
    ///     try Query().grouped(computing: [.count, .max("age")]).results(in: people)  // → [{"count":3,"max_age":52}]
    ///
    /// O(rows) and then O(groups · log groups). It keeps the groups, not the rows. For a value computed by Swift code,
    /// and for a path through lists, rows are converted to documents on a single core.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: `QueryError` for a mistake in the query or the grouping, and for the first row whose error decides the
    ///   result (S27); of code `limit` for too many groups.
    public func results<Row: Queryable>(
        in rows: [Row],
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> [Document] {
        try groups(of: rows, now, concurrently: false, limits)
    }

    /// The groups of rows, using all cores.
    ///
    ///     try Query().grouped(computing: [.count]).results(in: people, concurrently: true)  // → [{"count":3}]
    ///
    /// Threads read the rows at the same time, including computed properties and properties of classes, so the rows
    /// must be `Sendable`.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core; the result is the same to the last bit.
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: as `results(in:now:limits:)`.
    public func results<Row: Queryable & Sendable>(
        in rows: [Row],
        now: Int64? = nil,
        concurrently: Bool,
        limits: Limits = .default
    ) throws(QueryError) -> [Document] {
        try groups(of: rows, now, concurrently: concurrently, limits)
    }

    private func groups<Row: Queryable>(
        of rows: [Row],
        _ now: Int64?,
        concurrently: Bool,
        _ limits: Limits
    ) throws(QueryError) -> [Document] {
        try results(of: Row.fields.validated().entries, now: now, limits: limits) { (lanes) throws(QueryError) in
            try QueryPlan<Row>.withRows(rows) { (source) throws(QueryError) in
                try lanes.table(of: source, concurrently: concurrently)
            }
        } byRow: { (run) throws(QueryError) in
            for row in rows { try run.add(Document(queryable: row)) }
        }
    }

    /// The groups of rows with some fields.
    ///
    /// - Parameters:
    ///   - fields: the rows' fields.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    ///   - byLanes: groups the rows by their lanes.
    ///   - byRow: adds each row as a document, if lanes do not apply.
    /// - Returns: one flat object per group.
    /// - Throws: like the other `results` methods.
    func results(
        of fields: [FieldEntry],
        now: Int64?,
        limits: Limits,
        byLanes: (LaneGrouping) throws(QueryError) -> LaneGroupTable,
        byRow: (inout GroupRun) throws(QueryError) -> Void
    ) throws(QueryError) -> [Document] {
        var grouping = self
        if grouping.query.schema == nil { grouping.query.schema = FieldList.schema(fields, depth: FieldList.depth) }
        let now = now ?? Query.presentInstant
        try grouping.validate()
        let checked = try grouping.checked()
        if let lanes = try LaneGrouping(checked, fields, now: now, limits: limits) {
            var run = try GroupRun(checked: checked, now: now, limits: limits)
            let table = try byLanes(lanes)
            run.take(table.keys, table.states, count: table.groupCount)
            return try run.finish()
        }
        var run = try GroupRun(grouping, now: now, limits: limits)
        try byRow(&run)
        return try run.finish()
    }
}
