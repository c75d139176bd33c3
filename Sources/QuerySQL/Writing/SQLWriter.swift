import QueryChecking
import QueryTree
import QueryValues

/// Writes conditions, terms and collections for a store whose values tell their kind.
final class SQLWriter: StatementWriter, ConditionWriter {
    typealias Node = SQLNode
    typealias Collection = SQLCollection

    /// True if the query's own schema says which texts are not dates; TEXT of a table guarantees nothing (S5).
    let believesTexts: Bool
    private var arithmeticHeight = 0

    init(_ dialect: SQLDialect, _ query: borrowing Query, _ table: borrowing SQLTable, _ key: RowKey, _ now: Int64) {
        let schema = query.schema
        believesTexts = schema.map { !$0.isOfStore && !$0.isOfTable } ?? false
        super.init(dialect, query.nilMeaning, now: now, primaryKey: key.related)
    }

    /// Rejects sums and products that make an expression higher than the store allows; they cannot be regrouped,
    /// because the evaluation order affects overflow and rounding.
    func arithmetic<Result>(
        of count: Int,
        at origin: Origin,
        _ write: () throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        arithmeticHeight += count
        defer { arithmeticHeight -= count }
        if arithmeticHeight > dialect.expressionDepth / 2 {
            throw QueryError(.limit, "the arithmetic has more terms than the store allows", at: origin)
        }
        return try write()
    }
}

extension [Condition] {
    /// Up to this many parts are compared pairwise, because hashing them costs more.
    private static let few = 8

    /// The parts without duplicates, because repeated siblings make planning explode (T16).
    var distinct: [Condition] {
        if count <= Self.few, !hasRepetitions { return self }
        var seen: Set<Condition> = []
        return filter { seen.insert($0).inserted }
    }

    private var hasRepetitions: Bool {
        for later in indices.dropFirst() {
            // Different operators tell without examining the terms.
            for earlier in 0..<later where self[earlier].comparedBy == self[later].comparedBy {
                if self[earlier] == self[later] { return true }
            }
        }
        return false
    }
}

extension Condition {
    fileprivate var comparedBy: Comparison.Operator? {
        if case .comparison(let comparison) = self { comparison.operator } else { nil }
    }
}
