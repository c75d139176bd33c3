import QueryMeaning
import QueryTree
import QueryValues

/// A grouping, prepared for the lanes of a kind of rows.
struct LaneGrouping: Sendable {
    /// A value to compute, and the lane it reads.
    enum Part: Sendable {
        case count
        case sum(KeyLane)
        case extreme(KeyLane, QueryOrder)
    }

    let plan: RowPlan
    let keys: [KeyLane]
    let parts: [Part]
    let operations: [Reducer.Operation]
    let sources: [LaneSource]
    let limits: Limits

    /// The lanes of a checked grouping; nil if a path has none, a key or value is computed, or a value needs the rows in
    /// turn.
    init?(_ grouping: Grouping, _ fields: [FieldEntry], now: Int64, limits: Limits) throws(QueryError) {
        var rows = grouping.query
        (rows.order, rows.skip, rows.limit) = ([], nil, nil)
        var lanes = LaneSet(fields)
        let types = TypeScope(rows.schema)
        var keys: [KeyLane] = []
        for key in grouping.keys {
            guard let path = key.path, let key = lanes.keyLane(of: path, types) else { return nil }
            keys.append(key)
        }
        var parts: [Part] = []
        for reducer in grouping.reducers {
            switch reducer.operation {
            case .count: parts.append(.count)
            // What keeps values, or tells which row came first, is computed row by row.
            case .countDistinct, .distinct, .median, .first, .last, .custom: return nil
            case .sum(let value), .average(let value):
                guard let path = value.path, let lane = lanes.keyLane(of: path, types) else { return nil }
                parts.append(.sum(lane))
            case .min(let value):
                guard let path = value.path, let lane = lanes.keyLane(of: path, types) else { return nil }
                parts.append(.extreme(lane, .ascending))
            case .max(let value):
                guard let path = value.path, let lane = lanes.keyLane(of: path, types) else { return nil }
                parts.append(.extreme(lane, .descending))
            }
        }
        self.keys = keys
        self.parts = parts
        operations = grouping.reducers.map(\.operation)
        sources = lanes.sources
        self.limits = limits
        plan = try RowPlan(rows, fields, now: now, limits: limits)
    }

    /// The groups of all rows.
    ///
    /// With several cores, each takes one stretch of ``NumberSum`` at a time, so that doubles are added in the same
    /// order as on a single core.
    func table(of source: RowSource, concurrently: Bool) throws(QueryError) -> LaneGroupTable {
        let budget = WorkBudget(limits)
        var table = LaneGroupTable(self)
        if !concurrently || source.count <= NumberSum.stretch {
            try table.add(source, 0..<source.count, budget)
            return table
        }
        let pieces = Cores.pieces(of: source.count, each: NumberSum.stretch)
        let shared = SharedRows(source: source)
        // A few pieces at a time, so that only their groups are kept besides the merged ones.
        for wave in stride(from: 0, to: pieces.count, by: 16) {
            let now = pieces[wave..<min(wave + 16, pieces.count)]
            let tables = Cores.map(now.count) { index -> Result<LaneGroupTable, QueryError> in
                do throws(QueryError) {
                    var table = LaneGroupTable(self)
                    try table.add(shared.source, now[now.startIndex + index], budget)
                    return .success(table)
                } catch {
                    return .failure(error)
                }
            }
            for piece in tables { try table.merge(try piece.get()) }
        }
        return table
    }
}
