import QueryTree
import QueryValues

extension Query {
    /// The rows that the query finds, unchanged; their fields are read in place.
    ///
    ///     try Query(format: "age > 20", order: ["-age"]).results(in: people).map(\.name)  // → ["João", "Ann"]
    ///
    /// For many calls with one query, make a ``QueryPlan`` once.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the rows in the query's order.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)`` and ``QueryPlan/results(in:)``.
    public func results<Row: Queryable>(
        in rows: [Row],
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> [Row] {
        try QueryPlan<Row>(self, now: now, limits: limits).results(in: rows)
    }

    /// The rows that the query finds, using all cores for many rows.
    ///
    ///     try Query(format: "age > 20").results(in: people, concurrently: true).map(\.name)  // → ["Ann", "João"]
    ///
    /// Threads read the rows at the same time, including computed properties and properties of classes. So the rows
    /// must be `Sendable`: a class whose getters touch unprotected state does not compile here.
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core; the result and any error are the same.
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the rows in the query's order.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)`` and ``QueryPlan/results(in:concurrently:)``.
    public func results<Row: Queryable & Sendable>(
        in rows: [Row],
        now: Int64? = nil,
        concurrently: Bool,
        limits: Limits = .default
    ) throws(QueryError) -> [Row] {
        try QueryPlan<Row>(self, now: now, limits: limits).results(in: rows, concurrently: concurrently)
    }

    /// The number of rows that the query finds: after skip and limit.
    ///
    ///     try Query(format: "age > 20").count(in: people)  // → 2
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the number of results.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)`` and ``QueryPlan/count(in:)``.
    public func count<Row: Queryable>(
        in rows: [Row],
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> Int {
        try QueryPlan<Row>(self, now: now, limits: limits).count(in: rows)
    }

    /// The number of rows that the query finds, counted by all cores.
    ///
    ///     try Query(format: "age > 20").count(in: people, concurrently: true)  // → 2
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table; threads read them at the same time.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core; the result and any error are the same.
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the number of results, after skip and limit.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)`` and ``QueryPlan/count(in:concurrently:)``.
    public func count<Row: Queryable & Sendable>(
        in rows: [Row],
        now: Int64? = nil,
        concurrently: Bool,
        limits: Limits = .default
    ) throws(QueryError) -> Int {
        try QueryPlan<Row>(self, now: now, limits: limits).count(in: rows, concurrently: concurrently)
    }

    /// The first row that the query finds; without an order it stops at the first match.
    ///
    ///     try Query(order: ["age"]).first(in: people)?.name  // → Bob
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the row, nil when the query finds none.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)`` and ``QueryPlan/first(in:)``.
    public func first<Row: Queryable>(
        in rows: [Row],
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> Row? {
        try QueryPlan<Row>(self, now: now, limits: limits).first(in: rows)
    }

    /// The positions of the rows for which the condition holds; order, skip, limit and fields are ignored.
    ///
    ///     try Query(format: "city == nil").matchingIndices(in: people)  // → [1]
    ///
    /// - Parameters:
    ///   - rows: structs or classes with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: positions in `rows`, ascending.
    /// - Throws: as ``QueryPlan/init(_:now:limits:)`` and ``QueryPlan/matchingIndices(in:)``.
    public func matchingIndices<Row: Queryable>(
        in rows: [Row],
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> [Int] {
        try QueryPlan<Row>(self, now: now, limits: limits).matchingIndices(in: rows)
    }

    /// True if the condition holds for the row; for many rows make a ``QueryPlan`` once.
    ///
    ///     try Query(format: "age > 20").matches(people[0])  // → true
    ///
    /// - Parameters:
    ///   - row: a struct or class with a field table.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: true if it holds (S6).
    /// - Throws: as ``QueryPlan/init(_:now:limits:)`` and ``QueryPlan/matches(_:)``.
    public func matches<Row: Queryable>(
        _ row: Row,
        now: Int64? = nil,
        limits: Limits = .default
    ) throws(QueryError) -> Bool {
        try QueryPlan<Row>(self, now: now, limits: limits).matches(row)
    }
}
