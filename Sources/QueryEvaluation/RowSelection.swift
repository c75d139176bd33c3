import QueryMeaning
import QueryTree
import QueryValues

/// The steps filter, sort, skip and limit over rows that arrive one by one (S21), whatever is kept of a row.
struct RowSelection<Kept> {
    private let matcher: Matcher
    private var frame: RowFrame
    /// For Swift values, whose properties have kinds.
    private var typed: TypedRows?
    private var sorter: RowSorter<Kept>?
    private var kept: [Kept] = []
    private var index = 0
    /// Without an order: matching rows still to skip, and still to keep.
    private var toSkip: Int
    private var toKeep: Int

    init(
        _ query: Query,
        now: Int64?,
        limits: Limits = .default,
        budget: WorkBudget? = nil,
        ofValues: Bool = false
    ) throws(QueryError) {
        try query.validatePipeline(computing: true, sortsRows: ofValues)
        let query = try query.asComputing()
        matcher = try Matcher(query, now: now, limits: limits)
        frame = matcher.makeFrame(budget ?? WorkBudget(limits))
        if ofValues { typed = matcher.typedRows(frame.budget) }
        toSkip = query.skip ?? 0
        toKeep = query.limit ?? .max
        if !query.order.isEmpty {
            sorter = try RowSorter(query, now: now, limits: limits, budget: frame.budget)
        }
    }

    /// The same without an order, which does not affect a count; its keys are still checked.
    init(countingRowsOf query: Query, now: Int64?, limits: Limits, ofValues: Bool = false) throws(QueryError) {
        try query.validatePipeline(computing: true, sortsRows: ofValues)
        _ = try query.checked()
        var unordered = query
        unordered.order = []
        try self.init(unordered, now: now, limits: limits, ofValues: ofValues)
    }

    var budget: WorkBudget? { frame.budget }

    /// Tests one row; false if no later row can change the results.
    mutating func add(_ row: Document, _ keep: Kept) throws(QueryError) -> Bool {
        if toKeep == 0 { return false }
        defer { index += 1 }
        do throws(QueryError) {
            let holds = if let answer = try typed?.holds(row) { answer } else { try matcher.matches(row, &frame) }
            guard holds else { return true }
        } catch {
            throw error.inRow(index)
        }
        if sorter != nil {
            try sorter?.add(row, keep)
        } else if toSkip > 0 {
            toSkip -= 1
        } else {
            kept.append(keep)
            toKeep -= 1
        }
        return toKeep > 0
    }

    mutating func takeReady() -> [Kept] {
        defer { kept = [] }
        return kept
    }

    mutating func finish() -> [Kept] {
        if let sorted = sorter?.finish() { return sorted }
        return takeReady()
    }
}
