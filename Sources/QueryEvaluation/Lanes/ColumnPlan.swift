import QueryMeaning
import QueryTree
import QueryValues

/// A query compiled once for the columns of a table.
///
///     let plan = try ColumnPlan(Query(format: "population > 100000"), for: columns)
///     try plan.matchingIndices(in: columns)  // → [0, 1, 2]
///
/// It works for every table with the same names and types in the same order. Threads may share it.
public struct ColumnPlan: Sendable {
    package let core: RowPlan
    private let fields: [FieldEntry]

    /// Compiles a query for a table's columns.
    ///
    ///     try ColumnPlan(query, for: columns).count(in: columns)  // → 2
    ///     try ColumnPlan(Query(format: "naem == 'x'"), for: columns)  // throws unknownField
    ///
    /// - Parameters:
    ///   - query: without a schema it is checked against the columns.
    ///   - table: the table with the columns.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: the bounds on regular expressions and on sorts.
    /// - Throws: `QueryError` as for ``QueryPlan/init(_:now:limits:)``.
    public init(
        _ query: Query,
        for table: ColumnTable,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        try query.validatePipeline(computing: true)
        fields = table.fields
        core = try RowPlan(query, fields, now: now, limits: limits)
        // A mistake is reported before any row.
        _ = try answer()
    }

    /// The positions of the rows for which the condition holds; order, skip, limit and fields are ignored.
    ///
    ///     try ColumnPlan(Query(format: "state == 'MA'"), for: columns).matchingIndices(in: columns)  // → [0, 1, 3]
    ///
    /// - Parameter table: a table with the plan's columns.
    /// - Returns: positions, ascending.
    /// - Throws: `QueryError` of code `unsupported` for a table with other columns, and the error of the first row that
    ///   the condition leaves undecided (S27).
    public func matchingIndices(in table: ColumnTable) throws(QueryError) -> [Int] {
        try withSource(table) { (source) throws(QueryError) in try core.matchingIndices(in: source) }
    }

    /// The positions of the rows that the query finds: filtered, sorted, skipped and limited.
    ///
    ///     try ColumnPlan(Query(order: ["-population"], limit: 2), for: columns).resultIndices(in: columns)
    ///     // → [2, 0]
    ///
    /// - Parameters:
    ///   - table: a table with the plan's columns.
    ///   - concurrently: true to use all cores for many rows; the result and any error are the same.
    /// - Returns: positions in the query's order (S21).
    /// - Throws: as ``matchingIndices(in:)``.
    public func resultIndices(in table: ColumnTable, concurrently: Bool = false) throws(QueryError) -> [Int] {
        try withSource(table) { (source) throws(QueryError) in
            try core.resultIndices(in: source, concurrently: concurrently)
        }
    }

    /// The rows that the query finds, with only the requested fields.
    ///
    ///     let plan = try ColumnPlan(Query(format: "state == 'NY'", fields: ["name"]), for: columns)
    ///     try plan.results(in: columns)  // → [{"name":"New York"}]
    ///
    /// - Parameters:
    ///   - table: a table with the plan's columns.
    ///   - concurrently: true to use all cores for many rows; the result and any error are the same.
    /// - Returns: the rows as objects, in the query's order (S21).
    /// - Throws: as ``matchingIndices(in:)``.
    public func results(in table: ColumnTable, concurrently: Bool = false) throws(QueryError) -> [Document] {
        var answer = try answer()
        return try answer.rows(
            resultIndices(in: table, concurrently: concurrently).map { table.document(at: $0) }
        )
    }

    /// The first of ``results(in:concurrently:)``; without an order it stops at the first match.
    ///
    ///     try ColumnPlan(Query(order: ["name"]), for: columns).first(in: columns)?["name"]  // → "Boston"
    ///
    /// - Parameter table: a table with the plan's columns.
    /// - Returns: the row, nil when the query finds none.
    /// - Throws: as ``matchingIndices(in:)``.
    public func first(in table: ColumnTable) throws(QueryError) -> Document? {
        let index = try withSource(table) { (source) throws(QueryError) in try core.firstIndex(in: source) }
        guard let index else { return nil }
        var answer = try answer()
        return try answer.row(table.document(at: index))
    }

    /// The number of rows that ``results(in:concurrently:)`` would give: after skip and limit.
    ///
    ///     try ColumnPlan(Query(format: "state == 'MA'"), for: columns).count(in: columns)  // → 3
    ///
    /// - Parameters:
    ///   - table: a table with the plan's columns.
    ///   - concurrently: true to use all cores for many rows; the result and any error are the same.
    /// - Returns: the number of results.
    /// - Throws: as ``matchingIndices(in:)``.
    public func count(in table: ColumnTable, concurrently: Bool = false) throws(QueryError) -> Int {
        try withSource(table) { (source) throws(QueryError) in
            try core.count(in: source, concurrently: concurrently)
        }
    }

    /// What is returned of the rows of one run.
    private func answer() throws(QueryError) -> RowAnswer {
        try RowAnswer(core.query, now: core.now, limits: core.limits, budget: WorkBudget(core.limits))
    }

    /// Passes a table's memory to a closure.
    ///
    /// Cells are read with the types that the plan was compiled for, so a table with other types is rejected before any
    /// cell is read.
    private func withSource<Result>(
        _ table: ColumnTable,
        _ body: (RowSource) throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        let columns = table.columns
        guard columns.count == fields.count else {
            throw QueryError(.unsupported, "the plan is for \(fields.count) columns; the table has \(columns.count)")
        }
        for (column, field) in zip(columns, fields) where !column.field.isSame(as: field) {
            throw QueryError(.unsupported, "the column '\(column.field.name)' is not the '\(field.name)' of the plan")
        }
        return try table.withSource(body)
    }
}

extension FieldEntry {
    /// True for a column of the same name and type.
    fileprivate func isSame(as other: FieldEntry) -> Bool {
        // There is one cell class for each Swift type.
        name.hasSameUTF8(as: other.name) && type(of: cell) == type(of: other.cell) && isMasked == other.isMasked
    }
}
