import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension Query {
    /// The rows that the query finds: filtered, sorted, skipped, limited, and with only the requested fields.
    ///
    ///     let page = try Query(format: "state == 'MA'", order: ["-population"], limit: 2, fields: ["name"])
    ///     try page.results(in: cities)  // → [{"name":"Boston"}, {"name":"Worcester"}]
    ///
    ///     let millions = try ComputedField(parsing: "millions = population / 1000000")
    ///     try Query(order: ["-population"], limit: 1, computed: [millions]).results(in: cities)
    ///     // → [{"millions":8}]
    ///
    /// O(rows) without an order; with an order O(rows · log(skip + limit)). See S21.
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the rows in the query's order, with stored names.
    /// - Throws: `QueryError` for a mistake in the query, and for the first row whose error decides the result (S27).
    public func results(in rows: [Document], now: Int64? = nil, limits: Limits = .default) throws(QueryError)
        -> [Document]
    {
        var run = try run(now: now, limits: limits)
        for row in rows where try !run.add(row) { break }
        return try run.finish()
    }

    /// The rows that the query finds, unchanged.
    ///
    ///     try Query(format: "year > 1900", order: ["-year"]).results(in: books).map(\.title)  // → ["Dune", "Ulysses"]
    ///     try Query(format: "SELF BEGINSWITH 'B'").results(in: ["Boston", "Salem"])  // → ["Boston"]
    ///
    /// - Parameters:
    ///   - rows: structs or classes, whose coding keys are the stored names, or plain values, which are `SELF`.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the rows in the query's order.
    /// - Throws: like ``results(in:now:limits:)-([Document],_,_)``; also `pipeline` if the query requests fields,
    ///   because a whole value cannot omit any, and `evaluation` for a row that cannot be encoded.
    @_disfavoredOverload
    public func results<Row: Encodable>(in rows: [Row], now: Int64? = nil, limits: Limits = .default) throws(QueryError)
        -> [Row]
    {
        try refuseFieldsOfTypedRows()
        var selection = try RowSelection<Row>(self, now: now, limits: limits, ofValues: true)
        var shapes = try rowShapes()
        for (index, row) in rows.enumerated()
        where try !selection.add(try Document(encoding: row, index: index, &shapes), row) {
            break
        }
        return selection.finish()
    }

    /// The number of rows that ``results(in:now:limits:)-([Document],_,_)`` would give: after skip and limit.
    ///
    ///     try Query(format: "state == 'MA'").count(in: cities)  // → 3
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the number of results.
    /// - Throws: as ``results(in:now:limits:)-([Document],_,_)``.
    public func count(in rows: [Document], now: Int64? = nil, limits: Limits = .default) throws(QueryError) -> Int {
        var selection = try RowSelection<Void>(countingRowsOf: self, now: now, limits: limits)
        for row in rows where try !selection.add(row, ()) { break }
        return selection.finish().count
    }

    /// The number of rows that `results(in:now:limits:)` would give: after skip and limit.
    ///
    ///     try Query(format: "year > 1900").count(in: books)  // → 2
    ///
    /// - Parameters:
    ///   - rows: structs or classes; their coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the number of results.
    /// - Throws: as `results(in:now:limits:)`.
    @_disfavoredOverload
    public func count<Row: Encodable>(in rows: [Row], now: Int64? = nil, limits: Limits = .default) throws(QueryError)
        -> Int
    {
        var selection = try RowSelection<Void>(countingRowsOf: self, now: now, limits: limits, ofValues: true)
        var shapes = try rowShapes()
        for (index, row) in rows.enumerated()
        where try !selection.add(try Document(encoding: row, index: index, &shapes), ()) {
            break
        }
        return selection.finish().count
    }

    /// Throws if the query requests fields, because a whole value cannot omit any.
    package func refuseFieldsOfTypedRows(else other: String = "pass documents") throws(QueryError) {
        if fields != nil || !computed.isEmpty {
            throw QueryError(.pipeline, "typed rows are returned whole", hint: "leave out fields, or \(other)")
        }
    }

    /// Shapes for rows of Swift values, of which only the fields that the query names are encoded.
    package func rowShapes() throws(QueryError) -> RowShapes {
        let query = try checked()
        let program = try RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning).compile(query.condition)
        let isPlain = program.takesPlainValues && order.allSatisfy(\.path.keys.isEmpty)
        var paths = program.paths
        let tied = query.breakingTies
        let evaluator = RowEvaluator(schema: tied.schema, nilMeaning: query.nilMeaning)
        for key in tied.order { paths += try evaluator.compile(key.term).paths }
        return RowShapes(wanted: .tree(of: paths), takesPlainValues: isPlain)
    }

    /// The first of ``results(in:now:limits:)-([Document],_,_)``; without an order it stops at the first match.
    ///
    ///     try Query(order: ["-population"]).first(in: cities)?["name"]  // → "New York"
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the row, nil when the query finds none.
    /// - Throws: as ``results(in:now:limits:)-([Document],_,_)``.
    public func first(in rows: [Document], now: Int64? = nil, limits: Limits = .default) throws(QueryError) -> Document?
    {
        var query = self
        query.limit = min(limit ?? 1, 1)
        return try query.results(in: rows, now: now, limits: limits).first
    }

    /// The first of `results(in:now:limits:)`; without an order it stops at the first match.
    ///
    ///     try Query(order: ["year"]).first(in: books)?.title  // → Emma
    ///
    /// - Parameters:
    ///   - rows: structs or classes; their coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the row, nil when the query finds none.
    /// - Throws: as `results(in:now:limits:)`.
    @_disfavoredOverload
    public func first<Row: Encodable>(in rows: [Row], now: Int64? = nil, limits: Limits = .default) throws(QueryError)
        -> Row?
    {
        var query = self
        query.limit = min(limit ?? 1, 1)
        return try query.results(in: rows, now: now, limits: limits).first
    }

    /// The positions of the rows for which the condition holds; order, skip, limit and fields are ignored.
    ///
    ///     try Query(format: "state == 'MA'").matchingIndices(in: cities)  // → [0, 1, 3]
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: positions in `rows`, ascending.
    /// - Throws: as ``results(in:now:limits:)-([Document],_,_)``.
    public func matchingIndices(in rows: [Document], now: Int64? = nil, limits: Limits = .default) throws(QueryError)
        -> [Int]
    {
        let matcher = try Matcher(self, now: now, limits: limits)
        var frame = matcher.makeFrame()
        var found: [Int] = []
        for index in rows.indices {
            do throws(QueryError) {
                if try matcher.matches(rows[index], &frame) { found.append(index) }
            } catch {
                throw error.inRow(index)
            }
        }
        return found
    }

    /// True if the condition holds for the row; for many rows make a ``Matcher`` once.
    ///
    ///     try Query(format: "tags CONTAINS 'red'").matches(["tags": ["blue", "red"]])  // → true
    ///
    /// - Parameters:
    ///   - row: the row, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: true if it holds (S6).
    /// - Throws: `QueryError` for a mistake in the query, or the row's error if it decides the result (S27).
    public func matches(_ row: Document, now: Int64? = nil, limits: Limits = .default) throws(QueryError) -> Bool {
        try Matcher(self, now: now, limits: limits).matches(row)
    }

    /// True when the condition holds for a value's encoded form.
    ///
    ///     try Query(format: "title BEGINSWITH 'U'").matches(books[1])  // → true
    ///
    /// - Parameters:
    ///   - row: a struct or class; its coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: true if it holds (S6).
    /// - Throws: as ``matches(_:now:limits:)-(Document,_,_)``, and when the row cannot be encoded as an object.
    @_disfavoredOverload
    public func matches(_ row: some Encodable, now: Int64? = nil, limits: Limits = .default) throws(QueryError) -> Bool
    {
        try Matcher(self, now: now, limits: limits).matches(row)
    }

    /// A run to which rows are added one by one, for rows that do not fit in memory.
    ///
    ///     var run = try Query(format: "state == 'NY'", fields: ["name"]).run()
    ///     for city in cities where try !run.add(city) { break }
    ///     try run.finish()  // → [{"name":"New York"}]
    ///
    /// - Parameters:
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows an order may keep, and its `steps` and `duration`.
    /// - Returns: the run.
    /// - Throws: `QueryError` for a mistake in the query.
    package func run(now: Int64? = nil, limits: Limits = .default) throws(QueryError) -> QueryRun {
        try QueryRun(self, now: now, limits: limits)
    }
}

/// A running query over rows that are added one by one.
///
///     var run = try query.run()
///     for city in cities where try !run.add(city) { break }
///     try run.finish().count  // → 2
///
/// It keeps only the rows it may return: with an order and a limit, at most skip + limit rows.
package struct QueryRun {
    private var selection: RowSelection<Document>
    private var answer: RowAnswer

    /// Prepares a query.
    ///
    ///     var run = try QueryRun(Query(limit: 0))
    ///     try run.add(cities[0])  // → false
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows an order may keep, and the bounds on regular expressions.
    /// - Throws: `QueryError` for a mistake in the query.
    package init(_ query: Query, now: Int64? = nil, limits: Limits = .default) throws(QueryError) {
        try self.init(query, now: now, limits: limits, budget: WorkBudget(limits))
    }

    /// A part of a run that shares a budget.
    package init(_ query: Query, now: Int64?, limits: Limits, budget: WorkBudget?) throws(QueryError) {
        let selection = try RowSelection<Document>(query, now: now, limits: limits, budget: budget)
        let checked = query.computed.isEmpty ? query : try query.checked()
        answer = try RowAnswer(checked, now: now, limits: limits, budget: selection.budget)
        self.selection = selection
    }

    /// Tests one row and keeps it if it may be a result.
    ///
    ///     var run = try Query(limit: 2).run()
    ///     try run.add(cities[0])  // → true
    ///     try run.add(cities[1])  // → false
    ///
    /// - Parameter row: the row, by stored names.
    /// - Returns: false if no later row can change the results.
    /// - Throws: the row's error if it decides the result, with the row's number in the message (S27).
    package mutating func add(_ row: Document) throws(QueryError) -> Bool {
        try selection.add(row, row)
    }

    /// Takes the results that are already certain, for rows that are printed as they arrive; none with an order.
    ///
    ///     var run = try Query(format: "state == 'MA'").run()
    ///     for city in cities where try !run.add(city) { break }
    ///     try run.takeReady().count  // → 3
    ///     try run.finish().count  // → 0
    ///
    /// - Returns: the results since the last call.
    /// - Throws: the error of a computed field.
    package mutating func takeReady() throws(QueryError) -> [Document] {
        try answer.rows(selection.takeReady())
    }

    /// The results that ``takeReady()`` has not returned.
    ///
    ///     var run = try Query(order: ["name"], limit: 1, fields: ["name"]).run()
    ///     for city in cities where try !run.add(city) { break }
    ///     try run.finish()  // → [{"name":"Boston"}]
    ///
    /// - Returns: the rows in the query's order, with only the requested fields and the computed ones.
    /// - Throws: the error of a computed field.
    package mutating func finish() throws(QueryError) -> [Document] {
        try answer.rows(selection.finish())
    }
}
