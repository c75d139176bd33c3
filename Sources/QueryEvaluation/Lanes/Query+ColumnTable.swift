import QueryTree
import QueryValues

extension Query {
    /// The rows of a table that the query finds, with only the requested fields.
    ///
    ///     try Query(format: "state == 'MA'", order: ["-population"], limit: 1, fields: ["name"]).results(in: columns)
    ///     // → [{"name":"Boston"}]
    ///
    /// For many calls with one query, make a ``ColumnPlan`` once. See S21.
    ///
    /// - Parameters:
    ///   - table: the columns.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: true to use all cores for many rows; the result and any error are the same.
    /// - Returns: the rows as objects, in the query's order.
    /// - Throws: as ``ColumnPlan/init(_:for:now:limits:)`` and ``ColumnPlan/results(in:concurrently:)``.
    public func results(
        in table: ColumnTable,
        now: Int64? = nil,
        concurrently: Bool = false
    ) throws(QueryError) -> [Document] {
        try ColumnPlan(self, for: table, now: now).results(in: table, concurrently: concurrently)
    }

    /// The positions of the rows that ``results(in:now:concurrently:)-(ColumnTable,_,_)`` would give.
    ///
    ///     try Query(order: ["-population"], limit: 2).resultIndices(in: columns)  // → [2, 0]
    ///
    /// - Parameters:
    ///   - table: the columns.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: true to use all cores for many rows; the result and any error are the same.
    /// - Returns: positions in the query's order.
    /// - Throws: as ``ColumnPlan/init(_:for:now:limits:)`` and ``ColumnPlan/resultIndices(in:concurrently:)``.
    public func resultIndices(
        in table: ColumnTable,
        now: Int64? = nil,
        concurrently: Bool = false
    ) throws(QueryError) -> [Int] {
        try ColumnPlan(self, for: table, now: now).resultIndices(in: table, concurrently: concurrently)
    }

    /// The number of rows of a table that the query finds: after skip and limit.
    ///
    ///     try Query(format: "state == 'MA'").count(in: columns)  // → 3
    ///
    /// - Parameters:
    ///   - table: the columns.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: true to use all cores for many rows; the result and any error are the same.
    /// - Returns: the number of results.
    /// - Throws: as ``ColumnPlan/init(_:for:now:limits:)`` and ``ColumnPlan/count(in:concurrently:)``.
    public func count(
        in table: ColumnTable,
        now: Int64? = nil,
        concurrently: Bool = false
    ) throws(QueryError) -> Int {
        try ColumnPlan(self, for: table, now: now).count(in: table, concurrently: concurrently)
    }

    /// The first row of a table that the query finds; without an order it stops at the first match.
    ///
    ///     try Query(order: ["name"]).first(in: columns)?["name"]  // → "Boston"
    ///
    /// - Parameters:
    ///   - table: the columns.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the row, nil when the query finds none.
    /// - Throws: as ``ColumnPlan/init(_:for:now:limits:)`` and ``ColumnPlan/first(in:)``.
    public func first(in table: ColumnTable, now: Int64? = nil) throws(QueryError) -> Document? {
        try ColumnPlan(self, for: table, now: now).first(in: table)
    }

    /// The positions of a table's rows for which the condition holds; order, skip, limit and fields are ignored.
    ///
    ///     try Query(format: "population > 1000000").matchingIndices(in: columns)  // → [2]
    ///
    /// - Parameters:
    ///   - table: the columns.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: positions, ascending.
    /// - Throws: as ``ColumnPlan/init(_:for:now:limits:)`` and ``ColumnPlan/matchingIndices(in:)``.
    public func matchingIndices(in table: ColumnTable, now: Int64? = nil) throws(QueryError) -> [Int] {
        try ColumnPlan(self, for: table, now: now).matchingIndices(in: table)
    }
}

extension Grouping {
    /// The groups of a table's rows.
    ///
    ///     let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
    ///     try byState.results(in: columns)  // → [{"state":"MA","count":3}, {"state":"NY","count":1}]
    ///
    /// O(rows) and then O(groups · log groups). It keeps the groups, not the rows.
    ///
    /// - Parameters:
    ///   - table: the columns.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: true to use all cores; the result is the same to the last bit.
    ///   - limits: how many groups may be kept, and the bounds on regular expressions.
    /// - Returns: one flat object per group: keys, then values; in key order unless the query has an order.
    /// - Throws: `QueryError` for a mistake in the query or the grouping, and for the first row whose error decides the
    ///   result (S27); of code `limit` for too many groups.
    public func results(
        in table: ColumnTable,
        now: Int64? = nil,
        concurrently: Bool = false,
        limits: Limits = .default
    ) throws(QueryError) -> [Document] {
        try results(of: table.fields, now: now, limits: limits) { (lanes) throws(QueryError) in
            try table.withSource { (source) throws(QueryError) in
                try lanes.table(of: source, concurrently: concurrently)
            }
        } byRow: { (run) throws(QueryError) in
            for row in 0..<table.count { try run.add(table.document(at: row)) }
        }
    }
}
