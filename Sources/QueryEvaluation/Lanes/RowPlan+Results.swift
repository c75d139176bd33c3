import QueryMeaning
import QueryValues

// The operations of a plan, whatever the source of its lanes.

extension RowPlan {
    /// The number of rows for which the condition holds.
    func matchCount(in source: RowSource, needed: Int = .max) throws(QueryError) -> Int {
        if let constant { return constant ? min(source.count, needed) : 0 }
        var total = 0
        try scan(source, needed: needed, budget: WorkBudget(limits)) { (_, _, found) throws(QueryError) in
            total += found.population
            return needed - min(total, needed)
        }
        return min(total, needed)
    }

    /// The number of results, after skip and limit.
    func count(in source: RowSource, concurrently: Bool = false) throws(QueryError) -> Int {
        let skip = query.skip ?? 0
        guard let limit = query.limit else {
            let isLarge = concurrently && source.count > Cores.piece
            return max(0, try (isLarge ? matchCount(inPieces: source) : matchCount(in: source)) - skip)
        }
        if limit == 0 { return 0 }
        // With an order every row must be tested for its error; the count does not depend on it.
        let most = skip.addingReportingOverflow(limit)
        return max(0, min(limit, try matchCount(in: source, needed: most.overflow ? .max : most.partialValue) - skip))
    }

    /// The positions of the rows for which the condition holds, ascending.
    package func matchingIndices(in source: RowSource, needed: Int = .max) throws(QueryError) -> [Int] {
        var indices: [Int] = []
        try scan(source, needed: needed, budget: WorkBudget(limits)) { (first, _, found) throws(QueryError) in
            found.append(to: &indices, from: first)
            return needed - min(indices.count, needed)
        }
        return indices.count > needed ? Array(indices.prefix(needed)) : indices
    }

    /// The position of the first result.
    func firstIndex(in source: RowSource) throws(QueryError) -> Int? {
        if query.limit == 0 { return nil }
        return try resultIndices(in: source, limit: 1).first
    }

    /// The positions of the results in their order: filtered, sorted, skipped, limited.
    ///
    /// - Parameters:
    ///   - source: the rows.
    ///   - given: replaces the query's limit.
    ///   - concurrently: true to use all cores for many rows.
    ///   - piece: the number of rows per piece.
    /// - Returns: positions in the order of the results.
    /// - Throws: the error of the first row that the condition leaves undecided (S27), and of code `limit`.
    package func resultIndices(
        in source: RowSource,
        limit given: Int? = nil,
        concurrently: Bool = false,
        piece: Int = Cores.piece
    ) throws(QueryError) -> [Int] {
        let skip = query.skip ?? 0
        let limit = given ?? query.limit
        if limit == 0 || source.count == 0 { return [] }
        let isSplit = concurrently && source.count > piece
        if let order {
            let each = isSplit ? piece : source.count
            return try sortedIndices(in: source, order, skip: skip, limit: limit, each: each)
        }
        let most = limit.map { skip.addingReportingOverflow($0) }
        let needed = most.map { $0.overflow ? .max : $0.partialValue } ?? .max
        // If only a few rows are needed, they are found fastest from the start.
        let indices =
            isSplit && needed > piece
            ? try matchingIndices(inPieces: source, needed: needed, each: piece)
            : try matchingIndices(in: source, needed: needed)
        return skip == 0 ? indices : Array(indices.dropFirst(skip))
    }

    /// Errors of a single row are thrown without its number.
    func withoutIndex<Result>(_ body: () throws(QueryError) -> Result) throws(QueryError) -> Result {
        do throws(QueryError) {
            return try body()
        } catch {
            var error = error
            let mark = "documents[0]: "
            if error.message.hasPrefix(mark) { error.message.removeFirst(mark.count) }
            throw error
        }
    }
}

extension SelectionVector {
    /// The rows in it, ascending.
    package var rows: [Int] {
        var rows: [Int] = []
        append(to: &rows, from: 0)
        return rows
    }

    /// Appends the rows in it, counted from a first one.
    package func append(to rows: inout [Int], from first: Int) {
        rows.reserveCapacity(rows.count + population)
        forEach { rows.append(first + $0) }
    }
}
