import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues

// Rows in memory tested by all cores; a single core then sorts, skips and limits the rows found.

extension RowSteps where Row: Sendable {
    /// The positions of the rows that satisfy the condition, ascending; nil if a row failed.
    ///
    /// A single core then determines the error, or whether the rows before it suffice (S27).
    private func matchingIndices(_ rows: [Row], each: Int) -> [Int]? {
        let pieces = Cores.pieces(of: rows.count, each: each)
        let budget = WorkBudget(limits)
        let found = Cores.map(pieces.count) { piece -> [Int]? in
            // Workers have small stacks: high conditions, and rows that encode deeply, need a larger one.
            StackRoom.onLargeStack {
                let test = self.makeTest(budget)
                var indices: [Int] = []
                do throws(QueryError) {
                    for index in pieces[piece] where try test.holds(rows[index], index) { indices.append(index) }
                } catch {
                    return nil
                }
                return indices
            }
        }
        var indices: [Int] = []
        for piece in found {
            guard let piece else { return nil }
            indices.append(contentsOf: piece)
        }
        return indices
    }

    /// True if there are enough rows to split, and more results are wanted than the first rows can give.
    private func isSplit(_ count: Int, each: Int) -> Bool {
        guard count > each else { return false }
        guard query.order.isEmpty, let limit = query.limit else { return query.limit != 0 }
        return limit > each
    }

    /// The results found by all cores, or nil if a single core must find them.
    ///
    /// - Parameters:
    ///   - rows: the rows.
    ///   - each: the number of rows per unit of work.
    /// - Returns: the rows in the query's order, with only the requested fields.
    /// - Throws: of code `limit` when the order keeps too many rows, and what a sort key throws.
    func results(byAllCoresIn rows: [Row], each: Int) throws(QueryError) -> [Row]? {
        guard isSplit(rows.count, each: each), let found = matchingIndices(rows, each: each) else { return nil }
        guard !query.order.isEmpty else {
            let page = found.dropFirst(query.skip ?? 0).prefix(query.limit ?? .max)
            return try projected(Array(page), of: rows)
        }
        let sorted = try query.sorted(found, now: now, limits: limits) { (index) throws(QueryError) in
            try document(rows[index])
        }
        return try projected(sorted, of: rows)
    }

    private func projected(_ indices: [Int], of rows: [Row]) throws(QueryError) -> [Row] {
        let test = makeTest(WorkBudget(limits))
        var shown: [Row] = []
        shown.reserveCapacity(indices.count)
        for index in indices { shown.append(try test.projected(rows[index])) }
        return shown
    }

    /// The number of results counted by all cores, or nil if a single core must count them.
    func count(byAllCoresIn rows: [Row], each: Int) -> Int? {
        guard isSplit(rows.count, each: each), let found = matchingIndices(rows, each: each) else { return nil }
        return max(0, min(query.limit ?? .max, found.count - (query.skip ?? 0)))
    }
}

extension Cores {
    /// Documents per unit of work; testing one takes some hundred nanoseconds.
    static let documents = 1 << 12
    /// Swift values per unit of work; encoding one takes microseconds.
    static let values = 1 << 9
}

extension Query {
    /// The documents that the query finds, using all cores.
    ///
    ///     try query.results(in: cities, concurrently: true).count  // → 2
    ///
    /// It is faster from some ten thousand rows on; fewer are left to a single core. A single core sorts the rows
    /// found.
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core.
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the same rows in the same order as ``results(in:now:limits:)-([Document],_,_)``.
    /// - Throws: the same error as ``results(in:now:limits:)-([Document],_,_)``, of the same row.
    public func results(
        in rows: [Document],
        now: Int64? = nil,
        concurrently: Bool,
        limits: Limits = .default
    ) throws(QueryError) -> [Document] {
        try results(in: rows, now: now, concurrently: concurrently, each: Cores.documents, limits: limits)
    }

    package func results(
        in rows: [Document],
        now: Int64?,
        concurrently: Bool,
        each: Int,
        limits: Limits = .default
    ) throws(QueryError) -> [Document] {
        let now = now ?? Query.presentInstant
        if concurrently {
            let steps = try DocumentSteps(self, now: now, limits: limits)
            if let results = try steps.results(byAllCoresIn: rows, each: each) { return results }
        }
        return try results(in: rows, now: now, limits: limits)
    }

    /// The number of documents that the query finds, counted by all cores.
    ///
    ///     try query.count(in: cities, concurrently: true)  // → 2
    ///
    /// - Parameters:
    ///   - rows: the rows, by stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core.
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the number of results, after skip and limit.
    /// - Throws: as ``results(in:now:limits:)-([Document],_,_)``.
    public func count(in rows: [Document], now: Int64? = nil, concurrently: Bool, limits: Limits = .default)
        throws(QueryError) -> Int
    {
        try count(in: rows, now: now, concurrently: concurrently, each: Cores.documents, limits: limits)
    }

    package func count(
        in rows: [Document],
        now: Int64?,
        concurrently: Bool,
        each: Int,
        limits: Limits = .default
    ) throws(QueryError) -> Int {
        let now = now ?? Query.presentInstant
        if concurrently {
            let steps = try DocumentSteps(unordered(), now: now, limits: limits)
            if let count = steps.count(byAllCoresIn: rows, each: each) { return count }
        }
        return try count(in: rows, now: now, limits: limits)
    }

    /// The rows that the query finds, encoded and tested by all cores.
    ///
    ///     try Query(format: "year > 1900").results(in: books, concurrently: true).map(\.title)
    ///     // → ["Ulysses", "Dune"]
    ///
    /// Threads encode the rows at the same time, so they must be `Sendable`. A single core sorts the rows found.
    ///
    /// - Parameters:
    ///   - rows: structs or classes; their coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core.
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the same rows in the same order as `results(in:now:limits:)`.
    /// - Throws: the same error as `results(in:now:limits:)`, of the same row.
    @_disfavoredOverload
    public func results<Row: Encodable & Sendable>(
        in rows: [Row],
        now: Int64? = nil,
        concurrently: Bool,
        limits: Limits = .default
    ) throws(QueryError) -> [Row] {
        try results(in: rows, now: now, concurrently: concurrently, each: Cores.values, limits: limits)
    }

    @_disfavoredOverload
    package func results<Row: Encodable & Sendable>(
        in rows: [Row],
        now: Int64?,
        concurrently: Bool,
        each: Int,
        limits: Limits = .default
    ) throws(QueryError) -> [Row] {
        let now = now ?? Query.presentInstant
        if concurrently {
            let steps = try EncodableSteps<Row>(self, now: now, limits: limits)
            if let results = try steps.results(byAllCoresIn: rows, each: each) { return results }
        }
        return try results(in: rows, now: now, limits: limits)
    }

    /// The number of rows that the query finds, encoded and tested by all cores.
    ///
    ///     try Query(format: "year > 1900").count(in: books, concurrently: true)  // → 2
    ///
    /// - Parameters:
    ///   - rows: structs or classes; their coding keys are the stored names.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - concurrently: false to use a single core.
    ///   - limits: its `steps` and `duration` bound the work.
    /// - Returns: the number of results, after skip and limit.
    /// - Throws: as `results(in:now:limits:)`.
    @_disfavoredOverload
    public func count<Row: Encodable & Sendable>(
        in rows: [Row],
        now: Int64? = nil,
        concurrently: Bool,
        limits: Limits = .default
    ) throws(QueryError) -> Int {
        let now = now ?? Query.presentInstant
        if concurrently {
            var query = try unordered(ofValues: true)
            (query.fields, query.computed) = (nil, [])
            let steps = try EncodableSteps<Row>(query, now: now, limits: limits)
            if let count = steps.count(byAllCoresIn: rows, each: Cores.values) { return count }
        }
        return try count(in: rows, now: now, limits: limits)
    }

    /// The query without its order, which does not affect a count; its keys are still checked.
    private func unordered(ofValues: Bool = false) throws(QueryError) -> Query {
        try validatePipeline(computing: true, sortsRows: ofValues)
        _ = try checked()
        var query = self
        query.order = []
        return query
    }
}
