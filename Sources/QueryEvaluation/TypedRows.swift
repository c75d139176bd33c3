import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// A condition over Swift values: constants are converted to the kinds that their properties have (S2), as a schema of
/// them would.
package struct TypedRows {
    private let query: Query
    private let now: Int64
    private let limits: Limits
    private let budget: WorkBudget?
    private var kinds: ObservedKinds
    private var rowNumber = 0
    /// The matcher for these kinds, if it is another than that of the query, and its frame in a run.
    private var matcher: Matcher?
    private var frame: RowFrame?

    /// Rows of which nothing is known yet; nil if no kind matters, or a schema declares it.
    init?(_ query: Query, _ paths: [[String]], _ now: Int64, _ limits: Limits, _ budget: WorkBudget?) {
        guard query.schema == nil, query.mayConvert, !paths.isEmpty else { return nil }
        (self.query, self.now, self.limits, self.budget) = (query, now, limits, budget)
        kinds = ObservedKinds(paths)
    }

    /// True if the condition holds for a row; nil if its constants stay as they are, so that the query's own matcher
    /// answers.
    package mutating func holds(_ row: Document) throws(QueryError) -> Bool? {
        guard let matcher = try matcher(for: row) else { return nil }
        var frame = frame.take() ?? matcher.makeFrame(budget)
        defer { self.frame = frame }
        return try matcher.matches(row, &frame)
    }

    /// The matcher for a row's kinds, whose frames have budgets of their own; nil if it is the query's own.
    mutating func matcher(for row: Document) throws(QueryError) -> Matcher? {
        rowNumber &+= 1
        if kinds.observe(row, row: rowNumber) {
            let converted = query.converting(by: kinds.type)
            matcher = converted == query ? nil : try Matcher(converted, now: now, limits: limits)
            frame = nil
        }
        return matcher
    }
}
