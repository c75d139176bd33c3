import QueryMeaning
import QueryTree
import QueryValues

/// A query compiled once for one row type, to be run over many arrays of it.
///
///     let plan = try QueryPlan<Person>(Query(format: "age > 20"))
///     try plan.results(in: people).map(\.name)  // → ["Ann", "João"]
///
/// The fields of structs are read in place. Threads may share a plan.
public struct QueryPlan<Row: Queryable>: Sendable {
    package let core: RowPlan

    /// Compiles a query for the type's fields.
    ///
    ///     try QueryPlan<Person>(Query(format: "naem == 'Ann'"))  // throws unknownField
    ///
    /// - Parameters:
    ///   - query: without a schema it is checked against the type's fields.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: the bounds on regular expressions.
    /// - Throws: `QueryError` for what no backend supports (S25), unbound variables, unknown fields, constants of a
    ///   kind that a field cannot have (S2), an invalid pipeline, and a field table with a property that cannot be a
    ///   field.
    public init(_ query: Query, now: Int64? = nil, limits: Limits = .default) throws(QueryError) {
        try query.validatePipeline(computing: true)
        core = try RowPlan(query, Row.fields.validated().entries, now: now, limits: limits)
    }

    /// The rows that the query finds: filtered, sorted, skipped and limited.
    ///
    ///     let youngest = try QueryPlan<Person>(Query(order: ["age"], limit: 1))
    ///     try youngest.results(in: people).map(\.name)  // → ["Bob"]
    ///
    /// - Parameter rows: the rows.
    /// - Returns: the rows in the query's order (S21).
    /// - Throws: `QueryError` of code `pipeline` if the query requests fields, because a whole value cannot omit any,
    ///   and the error of the first row that it leaves undecided (S27).
    public func results(in rows: [Row]) throws(QueryError) -> [Row] {
        try results(of: rows, concurrently: false)
    }

    private func results(of rows: [Row], concurrently: Bool) throws(QueryError) -> [Row] {
        try core.query.refuseFieldsOfTypedRows()
        let indices = try withSource(rows) { (source) throws(QueryError) in
            try core.resultIndices(in: source, concurrently: concurrently)
        }
        var results: [Row] = []
        results.reserveCapacity(indices.count)
        for index in indices { results.append(rows[index]) }
        return results
    }

    /// The number of rows that ``results(in:)`` would give: after skip and limit.
    ///
    ///     try QueryPlan<Person>(Query(format: "age > 20")).count(in: people)  // → 2
    ///
    /// - Parameter rows: the rows.
    /// - Returns: the number of results.
    /// - Throws: the error of the first row that the condition leaves undecided (S27).
    public func count(in rows: [Row]) throws(QueryError) -> Int {
        try withSource(rows) { (source) throws(QueryError) in try core.count(in: source) }
    }

    /// The first of ``results(in:)``; without an order it stops at the first match.
    ///
    ///     try QueryPlan<Person>(Query(order: ["-age"])).first(in: people)?.name  // → João
    ///
    /// - Parameter rows: the rows.
    /// - Returns: the row, nil when the query finds none.
    /// - Throws: as ``results(in:)``.
    public func first(in rows: [Row]) throws(QueryError) -> Row? {
        try core.query.refuseFieldsOfTypedRows()
        let index = try withSource(rows) { (source) throws(QueryError) in try core.firstIndex(in: source) }
        return index.map { rows[$0] }
    }

    /// The positions of the rows for which the condition holds; order, skip, limit and fields are ignored.
    ///
    ///     try QueryPlan<Person>(Query(format: "city == nil")).matchingIndices(in: people)  // → [1]
    ///
    /// - Parameter rows: the rows.
    /// - Returns: positions in `rows`, ascending.
    /// - Throws: the error of the first row that the condition leaves undecided (S27).
    public func matchingIndices(in rows: [Row]) throws(QueryError) -> [Int] {
        try withSource(rows) { (source) throws(QueryError) in try core.matchingIndices(in: source) }
    }

    /// True when the condition holds for a row.
    ///
    ///     let adults = try QueryPlan<Person>(Query(format: "age >= 18"))
    ///     try adults.matches(people[1])  // → false
    ///
    /// - Parameter row: the row.
    /// - Returns: true if it holds (S6).
    /// - Throws: the row's error if it decides the result (S27).
    public func matches(_ row: Row) throws(QueryError) -> Bool {
        try core.withoutIndex { () throws(QueryError) in
            try RowProbe<Row>(self, WorkBudget(core.limits)).holds(row, 0)
        }
    }

    /// Passes the rows' memory to a closure.
    package func withSource<Result>(
        _ rows: [Row],
        _ body: (RowSource) throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        try Self.withRows(rows, body)
    }

    /// Passes the rows' memory to a closure; needs no plan.
    static func withRows<Result>(
        _ rows: [Row],
        _ body: (RowSource) throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        let outcome = rows.withUnsafeBytes { bytes -> Swift.Result<Result, QueryError> in
            do throws(QueryError) {
                // Without rows there may be no address, and none is read.
                guard let base = bytes.baseAddress, !rows.isEmpty else {
                    return .success(try body(RowSource(.columns([]), count: 0)))
                }
                let layout = RowSource.Layout.rows(base: base, stride: MemoryLayout<Row>.stride)
                return .success(try body(RowSource(layout, count: rows.count)))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

extension QueryPlan where Row: Sendable {
    /// The rows that the query finds, using all cores for many rows.
    ///
    ///     try QueryPlan<Person>(Query(order: ["age"])).results(in: people, concurrently: true).first?.name  // → Bob
    ///
    /// Threads read the rows at the same time, including computed properties and properties of classes. So the rows
    /// must be `Sendable`: a class whose getters touch unprotected state does not compile here.
    ///
    /// - Parameters:
    ///   - rows: the rows.
    ///   - concurrently: false to use a single core; the result and any error are the same.
    /// - Returns: the rows in the query's order.
    /// - Throws: as ``results(in:)``.
    public func results(in rows: [Row], concurrently: Bool) throws(QueryError) -> [Row] {
        try results(of: rows, concurrently: concurrently)
    }

    /// The number of rows that ``results(in:concurrently:)`` would give, counted by all cores.
    ///
    ///     try QueryPlan<Person>(Query(format: "age > 20")).count(in: people, concurrently: true)  // → 2
    ///
    /// - Parameters:
    ///   - rows: the rows.
    ///   - concurrently: false to use a single core; the result and any error are the same.
    /// - Returns: the number of results, after skip and limit.
    /// - Throws: the error of the first row that the condition leaves undecided (S27).
    public func count(in rows: [Row], concurrently: Bool) throws(QueryError) -> Int {
        try withSource(rows) { (source) throws(QueryError) in
            try core.count(in: source, concurrently: concurrently)
        }
    }
}
