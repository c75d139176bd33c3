import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport

extension TypedCases {
    /// Random orders, pages and groups that the store's SQL supports, with their expected results in order.
    ///
    /// - Parameters:
    ///   - count: how many to try.
    ///   - seed: the seed of the generators.
    /// - Returns: statements with their results, like ``statements()``.
    /// - Throws: errors of the store or the evaluator.
    func pipelines(_ count: Int, seed: UInt64) throws -> [Document] {
        var random = RandomPipelines(pipelinePaths, generator, seed: seed) { term in
            let query = Query(computed: [ComputedField(term, as: "value")], schema: schema)
            return (try? query.sql(dialect, from: SQLTable("docs", storage: storage, primaryKey: "id"), now: 0)) != nil
        }
        return try (0..<count).compactMap { _ in try judged(random.next()) }
    }

    private var pipelinePaths: [String] {
        switch layout {
        // Lists and objects have no order among themselves there (Grammar/stores.md).
        case .documents: ["n", "m", "s", "t", "missing"]
        case .columns, .typedDocuments: ["x", "y", "n", "m", "s", "t", "b", "d", "e"]
        case .nested: ["x", "y", "n", "m", "s", "t", "b", "d", "e", "o.a"]
        }
    }

    private func judged(_ pipeline: Pipeline) throws -> Document? {
        do throws(QueryError) {
            switch pipeline {
            case .rows(var query):
                query.order.append("id")
                let isTable = layout == .columns || layout == .nested
                query.fields = isTable ? ["id"] : nil
                // Computed fields alone tell the rows apart where a document's fields cannot be selected.
                if !isTable, !query.computed.isEmpty { query.computed.append(ComputedField(Field("id"), as: "number")) }
                query.schema = schema
                query = try query.checked()
                let statement = try query.sql(
                    dialect,
                    from: SQLTable("docs", storage: storage, primaryKey: "id"),
                    now: 0
                )
                guard canJudge(query.readingCondition, query.condition, statement) else { return nil }
                let found = try query.results(in: rows, now: 0)
                guard layout != .documents || !query.ordersContainers(found) else { return nil }
                let expected = found.map { row in
                    QueryValue.list(query.computed.isEmpty ? [row["id"] ?? .null] : row.values)
                }
                var asked = result(statement, expected, "\(pipeline)")
                // Parts of documents are JSON, and other values of the same column's kind are not.
                if !isTable { asked["mayBeJSON"] = true }
                return asked
            case .groups(var grouping):
                guard layout != .documents, grouping.addsSmallNumbers() else { return nil }
                grouping.query.schema = schema
                grouping = try grouping.checked()
                let statement = try grouping.sql(
                    dialect,
                    from: SQLTable("docs", storage: storage, primaryKey: "id"),
                    now: 0
                )
                let tests = Condition.and([grouping.query.condition] + grouping.computedTerms)
                guard canJudge(tests, grouping.query.condition, statement) else { return nil }
                let expected = try grouping.results(in: rows, now: 0).map { QueryValue.list($0.values) }
                var group = result(statement, expected, "\(pipeline)")
                if layout == .typedDocuments { group["json"] = .int(Int64(grouping.keys.compactMap(\.path).count)) }
                return group
            }
        } catch {
            if error.code == .store { throw error }
            return nil
        }
    }

    /// True if every row has one answer and satisfies the assumptions.
    private func canJudge(_ all: Condition, _ condition: Condition, _ statement: SQLQuery) -> Bool {
        let calculations = all.calculations
        let evaluator = RowEvaluator(schema: schema)
        return rows.allSatisfy { row in
            statement.assumptions.allSatisfy { row.fulfils($0) } && !row.givesNaN(calculations)
                && (try? evaluator.holds(condition, in: row, now: 0)) != nil
        }
    }
}

extension Query {
    /// True if a computed field that the order names is a list or an object in some row: these have no order among
    /// themselves in documents of PostgreSQL and DuckDB (Grammar/stores.md).
    fileprivate func ordersContainers(_ rows: [Document]) -> Bool {
        let names = Set(computed.map(\.name)).intersection(order.map(\.path.dotted))
        return rows.contains { row in names.contains { row[$0]?.kind == .list || row[$0]?.kind == .object } }
    }
}

extension Grouping {
    /// Limits the rows to small numbers if something is added; false if fields other than `n` and `m` are added.
    ///
    /// Stores round sums of doubles at each step, and reject int sums beyond 64 bits.
    fileprivate mutating func addsSmallNumbers() -> Bool {
        let added = reducers.compactMap { reducer -> GroupKey? in
            switch reducer.operation {
            case .sum(let value), .average(let value): value
            case .count, .min, .max, .countDistinct, .distinct, .median, .first, .last, .custom: nil
            }
        }
        guard !added.isEmpty else { return true }
        func isSmall(_ name: String) -> Condition {
            let bounds = Term.list([.constant(-100), .constant(100)], .none)
            return .comparison(Comparison(.field(FieldPath(keys: [name]), .none), .between, bounds))
        }
        query.condition = isSmall("n") && isSmall("m")
        return added.allSatisfy { value in
            let isPlain =
                switch value.term {
                case .field: true
                case .arithmetic(let chain, _):
                    chain.rest.allSatisfy { [.add, .subtract, .multiply].contains($0.operation) }
                default: false
                }
            return isPlain && value.readPaths.allSatisfy { [["n"], ["m"]].contains($0.keys) }
        }
    }
}
