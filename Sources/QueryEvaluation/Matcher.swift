import QueryMeaning
import QueryTree
import QueryValues

/// A query's condition, compiled once and tested on many rows.
///
///     let matcher = try Matcher(Query(format: "population > 50000"))
///     try matcher.matches(["name": "Boston", "population": 653_833])  // → true
///
/// Skip, limit, order and fields are ignored here.
public struct Matcher: Sendable {
    private let program: ConditionProgram
    private let now: Int64
    /// The keys to encode of Swift values.
    private let wanted: WantedKeys?

    /// Compiles a query's condition: resolves names and compiles patterns.
    ///
    ///     try Matcher(Query(format: "name MATCHES '['"))  // throws pattern
    ///
    /// - Parameters:
    ///   - query: the query; a schema in it checks it and maps its names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: the bounds on regular expressions, and on the work of one row.
    /// - Throws: `QueryError` for what no backend supports (S25), unbound variables, and mistakes found by the schema.
    public init(_ query: Query, now: Int64? = nil, limits: Limits = .default) throws(QueryError) {
        let query = try query.checked()
        let meaning = Meaning(schema: query.schema, nilMeaning: query.nilMeaning, limits: limits)
        program = try meaning.compile(query.condition)
        self.now = now ?? Query.presentInstant
        wanted = .tree(of: program.paths)
    }

    /// True when the condition holds for the row (S6).
    ///
    ///     let matcher = try Matcher(Query(format: "state == 'MA'"))
    ///     try cities.filter { try matcher.matches($0) }.count  // → 3
    ///
    /// - Parameter row: the row, by stored names.
    /// - Returns: whether it holds.
    /// - Throws: `QueryError` when an error of the row decides (S27), such as a bad pattern in a field, and of code
    ///   `tooMuchWork`.
    public func matches(_ row: Document) throws(QueryError) -> Bool {
        var frame = makeFrame()
        return try program.holds(row, &frame)
    }

    /// True when the condition holds for a value's encoded form (S6); only what the condition names is encoded.
    ///
    ///     try Matcher(Query(format: "year > 1900")).matches(books[1])  // → true
    ///
    /// - Parameter row: a struct or class; its coding keys are the stored names.
    /// - Returns: whether it holds.
    /// - Throws: like ``matches(_:)-(Document)``, and if the named part of the row cannot be encoded, or the row is not
    ///   an object.
    @_disfavoredOverload
    public func matches(_ row: some Encodable) throws(QueryError) -> Bool {
        var shapes = RowShapes(wanted: wanted)
        return try matches(try Document(encoding: row, &shapes))
    }

    func makeFrame() -> RowFrame { program.makeFrame(now: now) }

    /// A frame of a run that shares a budget.
    func makeFrame(_ budget: WorkBudget?) -> RowFrame { program.makeFrame(now: now, budget: budget) }

    func matches(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> Bool {
        try program.holds(row, &frame)
    }
}

extension QueryError {
    /// The same error, with its row named in the message (S27).
    func inRow(_ index: Int) -> QueryError {
        var named = self
        named.message = "documents[\(index)]: " + message
        return named
    }
}
