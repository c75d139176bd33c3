import QueryTree
import QueryValues

extension Grouping {
    /// The groups of rows whose fields are read where they lie.
    ///
    ///     try Query().grouped(computing: [.count, .max("age")]).results(in: people)  // → [{"count":3,"max_age":52}]
    ///
    /// O(rows) and then O(groups · log groups). It keeps the groups and no rows. A value computed by Swift code, and a path
    /// through lists, has documents made of the rows, by one core.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a table of fields.
    ///   - now: the instant that `now()` gives, in milliseconds since 1970; nil for the present one (S20).
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: `QueryError` for a mistake in the query or the grouping, and for the first row whose error decides
    ///   (S27); of code `limit` for too many groups.
    public func results<Row: Queryable>(
        in rows: [Row],
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> [Document] {
        try groups(of: rows, now, concurrently: false, limits)
    }

    /// The groups of rows, the work shared by all cores.
    ///
    ///     try Query().grouped(computing: [.count]).results(in: people, concurrently: true)  // → [{"count":3}]
    ///
    /// Threads read the rows at once, and ask for computed properties and those of classes; so they must be `Sendable`.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a table of fields.
    ///   - now: the instant that `now()` gives, in milliseconds since 1970; nil for the present one (S20).
    ///   - concurrently: false to let one core do it all; the answer is the same to the last bit.
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: as ``results(in:now:limits:)``.
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
    ///   - now: the instant that `now()` gives; nil for the present one.
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    ///   - byLanes: groups the rows by their lanes.
    ///   - byRow: adds each row as a document, where lanes do not serve.
    /// - Returns: one flat object per group.
    /// - Throws: as the other ways to give results.
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
        var run = try GroupRun(grouping, now: now, limits: limits)
        if let lanes = try LaneGrouping(grouping, fields, now: now, limits: limits) {
            let table = try byLanes(lanes)
            run.take(table.keys, table.states, count: table.groupCount)
        } else {
            try byRow(&run)
        }
        return try run.finish()
    }
}
