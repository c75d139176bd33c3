import QuerySyntax

extension Grouping {
    /// The groups of rows whose fields are read where they lie.
    ///
    ///     try Query().grouped(by: "state", computing: [.count, .average("population")]).results(in: cities)
    ///
    /// O(rows) and then O(groups · log groups). It keeps the groups and no rows. A value computed by Swift code, and a path
    /// through lists, has documents made of the rows, by one core.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a table of fields.
    ///   - now: the instant that `now()` gives, in milliseconds since 1970; nil for the present one (S20).
    ///   - concurrently: true lets all cores share the work; the answer is the same to the last bit.
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: `QueryError` for a mistake in the query or the grouping, and for the first row whose error decides
    ///   (S27); of code `limit` for too many groups.
    public func results<Row: Queryable>(
        in rows: [Row],
        now: Int64? = nil,
        concurrently: Bool = false,
        limits: Limits = .default
    ) throws(QueryError) -> [Document] {
        let fields = try Row.fields.validated().entries
        var grouping = self
        if grouping.query.schema == nil { grouping.query.schema = FieldList.schema(fields, depth: FieldList.depth) }
        let now = now ?? Query.presentInstant
        var run = try GroupRun(grouping, now: now, limits: limits)
        guard let lanes = try LaneGrouping(grouping, fields, now: now, limits: limits) else {
            for row in rows { try run.add(Document(queryable: row)) }
            return try run.finish()
        }
        let table = try QueryPlan<Row>.withRows(rows) { (source) throws(QueryError) in
            try lanes.table(of: source, concurrently: concurrently)
        }
        run.take(table.keys, table.states, count: table.groupCount)
        return try run.finish()
    }
}
