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
    private let shapes: RowShapes
    private let probes: JSONProbes

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
        let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning, limits: limits)
        program = try evaluator.compile(query.condition)
        self.now = now ?? Query.presentInstant
        shapes = RowShapes(wanted: .tree(of: program.paths), takesPlainValues: program.takesPlainValues)
        probes = JSONProbes(query, limits)
    }

    /// True when the condition holds for the row.
    ///
    ///     let matcher = try Matcher(Query(format: "state == 'MA'"))
    ///     try cities.filter { try matcher.matches($0) }.count  // → 3
    ///
    /// - Parameter row: the row, by stored names.
    /// - Returns: true if it holds (S6).
    /// - Throws: `QueryError` when an error of the row decides (S27), such as a bad pattern in a field, and of code
    ///   `tooMuchWork`.
    public func matches(_ row: Document) throws(QueryError) -> Bool {
        var frame = makeFrame()
        return try program.holds(row, &frame)
    }

    /// True when the condition holds for a value's encoded form; only what the condition names is encoded.
    ///
    ///     try Matcher(Query(format: "year > 1900")).matches(books[1])  // → true
    ///
    /// - Parameter row: a struct or class, whose coding keys are the stored names, or a plain value, which is `SELF`.
    /// - Returns: true if it holds (S6).
    /// - Throws: like ``matches(_:)-(Document)``, and if the named part of the row cannot be encoded, or the row is not
    ///   an object and the condition does not name it `SELF`.
    @_disfavoredOverload
    public func matches(_ row: some Encodable) throws(QueryError) -> Bool {
        var shapes = shapes
        let document = try Document(encoding: row, &shapes)
        guard var typed = probes.takeTyped() ?? typedRows(nil) else { return try matches(document) }
        defer { probes.give(typed) }
        // Each row has a budget of its own.
        return try (typed.matcher(for: document) ?? self).matches(document)
    }

    /// Tests Swift values, whose properties have kinds; nil where no kind matters.
    package func typedRows(_ budget: WorkBudget?) -> TypedRows? {
        TypedRows(probes.query, program.paths, now, probes.limits, budget)
    }

    /// True when the condition holds for the object of a JSON text; only what the condition names is built.
    ///
    ///     try Matcher(Query(format: "stars > 4")).matches(json: Array(#"{"stars":5,"name":"Ann"}"#.utf8))  // → true
    ///
    /// - Parameter json: the text in UTF-8, plain JSON by stored names.
    /// - Returns: true if it holds (S6).
    /// - Throws: like ``matches(_:)-(Document)``, and of code `json` for a text that is not a JSON object.
    /// - Complexity: linear in the text, besides the condition's work.
    public func matches(json: [UInt8]) throws(QueryError) -> Bool {
        try json.withUnsafeBufferPointer { (bytes) throws(QueryError) in
            try matches(json: UnsafeRawBufferPointer(bytes))
        }
    }

    /// The same for a text in memory that belongs to someone else, such as a column of a database.
    ///
    ///     let matcher = try Matcher(Query(format: "state == 'MA'"))
    ///     var found = 0
    ///     try database.execute("CREATE TABLE notes (doc TEXT); INSERT INTO notes VALUES ('{\"state\":\"MA\"}')")
    ///     try Query().forEachJSON(in: database, from: SQLTable("notes", storage: .document())) { (json) throws(QueryError) in
    ///         if try matcher.matches(json: json) { found += 1 }
    ///     }
    ///     found  // → 1
    ///
    /// - Parameter json: the text in UTF-8, valid during the call.
    /// - Returns: whether it holds.
    /// - Throws: as ``matches(json:)-([UInt8])``.
    public func matches(json: UnsafeRawBufferPointer) throws(QueryError) -> Bool {
        let probe = try probes.take()
        defer { probes.give(probe) }
        return try probe.holds(json, now: now)
    }

    func makeFrame() -> RowFrame { program.makeFrame(now: now) }

    /// A frame of a run that shares a budget.
    package func makeFrame(_ budget: WorkBudget?) -> RowFrame { program.makeFrame(now: now, budget: budget) }

    package func matches(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> Bool {
        try program.holds(row, &frame)
    }
}

/// Tests one JSON text after the other; what it learns of their keys makes the next ones faster.
private final class JSONProbe: @unchecked Sendable {
    private let program: ConditionProgram
    private var reader: JSONRowReader

    init(_ query: Query, _ limits: Limits) throws(QueryError) {
        let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning, limits: limits)
        var paths = RowPaths()
        let flat = try evaluator.compile(query.condition, reading: &paths)
        program = paths.needWholeRows ? try evaluator.compile(query.condition) : flat
        reader = JSONRowReader(paths, limits: limits)
    }

    func holds(_ json: UnsafeRawBufferPointer, now: Int64) throws(QueryError) -> Bool {
        try reader.read(json)
        var frame = program.makeFrame(now: now)
        return try program.holds(reader.row, &frame)
    }
}

/// The probes of a matcher, of JSON and of Swift values: each is used by one thread at a time.
private final class JSONProbes: Sendable {
    private static let mostIdle = 16
    /// Checked.
    let query: Query
    let limits: Limits
    private let idle = Mutex<[JSONProbe]>([])
    private let idleTyped = Mutex<[TypedRows]>([])

    init(_ query: Query, _ limits: Limits) {
        (self.query, self.limits) = (query, limits)
    }

    func take() throws(QueryError) -> JSONProbe {
        if let probe = idle.withLock({ $0.popLast() }) { return probe }
        return try JSONProbe(query, limits)
    }

    func give(_ probe: JSONProbe) {
        idle.withLock { if $0.count < Self.mostIdle { $0.append(probe) } }
    }

    func takeTyped() -> TypedRows? { idleTyped.withLock { $0.popLast() } }

    func give(_ rows: TypedRows) {
        idleTyped.withLock { if $0.count < Self.mostIdle { $0.append(rows) } }
    }
}
