import QueryEvaluation
import QueryTree
import QueryValues

// Rows that arrive one by one: each kind of row has a cursor, an asynchronous sequence and, if no row can fail, a lazy
// sequence.

extension Query {
    /// A cursor over the documents that the query finds.
    ///
    ///     var cursor = try Query(format: "state == 'MA'").cursor(over: cities)
    ///     var found: [Document] = []
    ///     while let city = try cursor.next() { found.append(city) }
    ///     found.count  // → 3
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names; any sequence, an endless one too.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows an order may keep, and the bounds on regular expressions.
    /// - Returns: the cursor, before its first result (S21).
    /// - Throws: `QueryError` for a mistake in the query.
    public func cursor<Rows: Sequence>(
        over rows: Rows,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> ResultCursor<Rows> where Rows.Element == Document {
        try ResultCursor(rows, DocumentSteps(self, now: now, limits: limits))
    }

    /// A cursor over the rows that the query finds; only the fields it names are encoded.
    ///
    ///     var cursor = try Query(format: "year > 1900").cursor(over: books)
    ///     try cursor.next()?.title  // → Ulysses
    ///
    /// - Parameters:
    ///   - rows: structs or classes; their coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows an order may keep, and the bounds on regular expressions.
    /// - Returns: the cursor, before its first result.
    /// - Throws: `QueryError` for a mistake in the query, and of code `pipeline` if it requests fields.
    @_disfavoredOverload
    public func cursor<Rows: Sequence>(
        over rows: Rows,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> ResultCursor<Rows> where Rows.Element: Encodable {
        try ResultCursor(rows, EncodableSteps(self, now: now, limits: limits))
    }

    /// A cursor over the rows that the query finds; their fields are read in place.
    ///
    ///     var cursor = try Query(format: "age > 40").cursor(over: people)
    ///     try cursor.next()?.name  // → João
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows an order may keep, and the bounds on regular expressions.
    /// - Returns: the cursor, before its first result.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)``, and of code `pipeline` if the query requests fields.
    public func cursor<Rows: Sequence>(
        over rows: Rows,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> ResultCursor<Rows> where Rows.Element: Queryable {
        try ResultCursor(rows, QueryableSteps(self, now: now, limits: limits))
    }

    /// The documents that the query finds, as a lazy sequence.
    ///
    ///     try Query(format: "state == 'MA'").lazyResults(in: cities).prefix(2).map { $0["name"] ?? nil }
    ///     // → ["Boston", "Worcester"]
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names; any sequence, an endless one too.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the sequence; no row is read before it is iterated.
    /// - Throws: `QueryError` for a mistake in the query; `unsupported` for an order and for MATCHES, which can fail
    ///   during iteration, where nothing can be thrown (S27); use `cursor(over:now:limits:)` for those.
    public func lazyResults<Rows: Sequence>(
        in rows: Rows,
        now: Int64? = nil
    ) throws(QueryError) -> LazyResults<Rows> where Rows.Element == Document {
        try LazyResults(rows, DocumentSteps(self, now: now, limits: .default))
    }

    /// The rows that the query finds, as a lazy sequence; their fields are read in place.
    ///
    ///     try Query(format: "age > 20").lazyResults(in: people).contains { $0.name == "Ann" }  // → true
    ///
    /// Rows that are only `Encodable` have a cursor but no lazy sequence, because encoding may throw.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the sequence; no row is read before it is iterated.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)``; of code `pipeline` if the query requests fields, and of code
    ///   `unsupported` for an order and for MATCHES.
    public func lazyResults<Rows: Sequence>(
        in rows: Rows,
        now: Int64? = nil
    ) throws(QueryError) -> LazyResults<Rows> where Rows.Element: Queryable {
        try LazyResults(rows, QueryableSteps(self, now: now, limits: .default))
    }
}

extension Query {
    /// The documents that the query finds among those that arrive over time.
    ///
    ///     var found: [Document] = []
    ///     for try await city in try Query(format: "state == 'MA'").results(in: incoming) { found.append(city) }
    ///     found.count  // → 3
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20). It is one
    ///     instant for all rows, however long they take.
    ///   - limits: how many rows an order may keep, and the bounds on regular expressions.
    /// - Returns: the results; no row is awaited before the first result is (S21).
    /// - Throws: `QueryError` for a mistake in the query.
    public func results<Rows: AsyncSequence>(
        in rows: Rows,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> AsyncResults<Rows> where Rows.Element == Document {
        AsyncResults(rows, try DocumentSteps(self, now: now, limits: limits))
    }

    /// The rows that the query finds among those that arrive over time; only the fields it names are encoded.
    ///
    ///     let incoming = AsyncStream<Book> { stream in
    ///         for book in books { stream.yield(book) }
    ///         stream.finish()
    ///     }
    ///     var titles: [String] = []
    ///     for try await book in try Query(format: "year > 1900").results(in: incoming) { titles.append(book.title) }
    ///     titles  // → ["Ulysses", "Dune"]
    ///
    /// - Parameters:
    ///   - rows: structs or classes; their coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows an order may keep, and the bounds on regular expressions.
    /// - Returns: the results; no row is awaited before the first result is.
    /// - Throws: `QueryError` for a mistake in the query, and of code `pipeline` if it requests fields.
    @_disfavoredOverload
    public func results<Rows: AsyncSequence>(
        in rows: Rows,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> AsyncResults<Rows> where Rows.Element: Encodable {
        AsyncResults(rows, try EncodableSteps(self, now: now, limits: limits))
    }

    /// The rows that the query finds among those that arrive over time; their fields are read in place.
    ///
    ///     let incoming = AsyncStream<Person> { stream in
    ///         for person in people { stream.yield(person) }
    ///         stream.finish()
    ///     }
    ///     var names: [String] = []
    ///     for try await person in try Query(format: "age > 20").results(in: incoming) { names.append(person.name) }
    ///     names  // → ["Ann", "João"]
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: how many rows an order may keep, and the bounds on regular expressions.
    /// - Returns: the results; no row is awaited before the first result is.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)``, and of code `pipeline` if the query requests fields.
    public func results<Rows: AsyncSequence>(
        in rows: Rows,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> AsyncResults<Rows> where Rows.Element: Queryable {
        AsyncResults(rows, try QueryableSteps(self, now: now, limits: limits))
    }
}
