import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport

extension TypedCases {
    /// Random orders, pages and groups that the store's SQL can say, with the results that they must give in their order.
    ///
    /// - Parameters:
    ///   - count: how many are tried.
    ///   - seed: chooses them.
    /// - Returns: statements with their results, as ``statements()`` gives them.
    /// - Throws: what the store or the evaluator throws.
    func pipelines(_ count: Int, seed: UInt64) throws -> [Document] {
        var random = RandomPipelines(pipelinePaths, generator, seed: seed)
        return try (0..<count).compactMap { _ in try judged(random.next()) }
    }

    private var pipelinePaths: [String] {
        switch layout {
        // Among themselves lists and objects have no order there (Grammar/stores.md).
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
                query.fields = layout == .columns || layout == .nested ? ["id"] : nil
                query.schema = schema
                query = try query.checked()
                let statement = try query.sql(dialect, from: "docs", storage: storage, primaryKey: "id", now: 0)
                guard canJudge(query.condition, statement) else { return nil }
                let expected = try query.results(in: rows, now: 0).map { QueryValue.list([$0["id"] ?? .null]) }
                return result(statement, expected, "\(pipeline)")
            case .groups(var grouping):
                guard layout != .documents, grouping.addsSmallNumbers() else { return nil }
                grouping.query.schema = schema
                grouping = try grouping.checked()
                let statement = try grouping.sql(dialect, from: "docs", storage: storage, primaryKey: "id", now: 0)
                guard canJudge(grouping.query.condition, statement) else { return nil }
                let expected = try grouping.results(in: rows, now: 0).map { QueryValue.list($0.values) }
                var group = result(statement, expected, "\(pipeline)")
                if layout == .typedDocuments { group["json"] = .int(Int64(grouping.keys.count)) }
                return group
            }
        } catch {
            if error.code == .store { throw error }
            return nil
        }
    }

    /// True when every row has one answer and is as the translation assumes.
    private func canJudge(_ condition: Condition, _ statement: SQLQuery) -> Bool {
        let calculations = condition.calculations
        let meaning = Meaning(schema: schema)
        return rows.allSatisfy { row in
            statement.assumptions.allSatisfy { row.fulfils($0) } && !row.givesNaN(calculations)
                && (try? meaning.holds(condition, in: row, now: 0)) != nil
        }
    }
}

extension Grouping {
    /// Narrows the rows where something is added; false when others than two fields of numbers are.
    ///
    /// Stores round the sums of doubles at each step, and reject those of whole numbers beyond 64 bits.
    fileprivate mutating func addsSmallNumbers() -> Bool {
        let added = reducers.compactMap { reducer -> String? in
            switch reducer.operation {
            case .sum(let path), .average(let path): path.dotted
            case .count, .min, .max, .custom: nil
            }
        }
        guard !added.isEmpty else { return true }
        func isSmall(_ name: String) -> Condition {
            let bounds = Term.list([.constant(-100), .constant(100)], .none)
            return .comparison(Comparison(.field(FieldPath(keys: [name]), .none), .between, bounds))
        }
        query.condition = isSmall("n") && isSmall("m")
        return added.allSatisfy { ["n", "m"].contains($0) }
    }
}
