import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues

/// Rows that a person looks at: each answer has the first results and the number of all.
package struct RowPage {
    /// Rows in memory; nil for the rows of the store.
    package var rows: JSONRows?
    /// How many results are shown.
    package var shown: Int
    /// The fields that the rows have; nil if they are not known.
    package var names: RowNames?
    /// The table that an import of the rows would make, for which SQL is written; nil for one of unknown types.
    package var table: SQLiteTable?

    /// A page.
    ///
    /// - Parameters:
    ///   - rows: rows in memory; nil for the rows of the store.
    ///   - shown: how many results are shown.
    ///   - names: the fields that the rows have; nil if they are not known.
    ///   - table: the table that an import of the rows would make.
    package init(rows: JSONRows? = nil, shown: Int, names: RowNames? = nil, table: SQLiteTable? = nil) {
        (self.rows, self.shown, self.names, self.table) = (rows, max(0, shown), names, table)
    }

    /// The first results and the number of all.
    func find(
        _ query: Query,
        _ grouping: Grouping?,
        _ place: BatchPlace,
        _ database: SQLiteDatabase?,
        _ now: Int64,
        _ limits: Limits
    ) throws(QueryError) -> (rows: [Document], total: Int) {
        // The page and the count have a budget each.
        let before = database?.limits
        database?.limits = limits
        defer { if let before { database?.limits = before } }
        if let grouping {
            var groups: [Document] = []
            if let database {
                groups = try grouping.results(in: database, from: place.declared, now: now)
            } else if let rows {
                groups = try grouping.results(in: rows, now: now)
            }
            return (Array(groups.prefix(shown)), groups.count)
        }
        var first = query
        first.limit = min(query.limit ?? .max, shown)
        if let database {
            let found = try first.results(in: database, from: place.declared, now: now)
            // A page that is not full is all there is.
            if found.count < shown { return (found, found.count) }
            return (found, try query.count(in: database, from: place.declared, now: now))
        }
        guard let rows else { return ([], 0) }
        let found = try first.results(in: rows, now: now)
        return (found, found.count < shown ? found.count : try query.count(in: rows, now: now))
    }
}

extension Query {
    /// The steps of a run over rows in memory, in their order (S21).
    package var steps: [String] { ["keep rows where " + format] + stepsAfterFilter }

    fileprivate var stepsAfterFilter: [String] {
        var steps: [String] = []
        if !order.isEmpty {
            let keys = order.map { ($0.isAscending ? "" : "-") + $0.path.dotted }
            let kept = limit.map { max(0, $0).addingReportingOverflow(max(0, skip ?? 0)) }
            let heap = kept.map { $0.overflow ? "" : " (keeping the first \($0.partialValue))" } ?? ""
            steps.append("sort by " + keys.joined(separator: ", ") + heap)
        }
        if let skip { steps.append("skip \(skip)") }
        if let limit { steps.append("stop after \(limit)") }
        if resultNames != nil {
            let shown = (fields ?? []).map(\.dotted) + computed.map(\.description)
            steps.append("show " + shown.joined(separator: ", "))
        }
        return steps
    }
}

extension Grouping {
    /// The steps of a run over rows in memory, in their order (S21).
    package var steps: [String] {
        let keys = keys.map(\.description).joined(separator: ", ")
        let values = reducers.map(\.name).joined(separator: ", ")
        var steps = ["keep rows where " + query.format]
        steps.append("group by \(keys.isEmpty ? "nothing" : keys), computing \(values)")
        if let having { steps.append("keep groups where " + having.format) }
        return steps + query.stepsAfterFilter
    }
}
