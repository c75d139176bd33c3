import QueryTree
import QueryValues

/// How a condition reads the rows of another table: which of its columns an index would hold.
package struct RelationUse {
    /// The relation, and the type of the other table's rows.
    package let relation: Schema.Relation
    package let row: FieldType
    /// A comparison of a column there with a constant, which finds the rows; the keys of those find this table's rows.
    package var test: Comparison?
    /// Without a test: the columns that are read after the foreign key has found the rows.
    package var columns: [String] = []
    /// True if this table holds the foreign key.
    package let isToOne: Bool
    /// The relations to one row each on the way to this one, from this table on.
    package var way: [Schema.Relation] = []
}

extension Condition {
    /// The uses of other tables, in text order.
    ///
    /// - Parameter row: the type of the rows.
    /// - Returns: the uses; of to-one relations only those with a test, because their key has an index.
    /// - Throws: `QueryError` for a malformed LIKE pattern.
    package func relationUses(of row: FieldType) throws(QueryError) -> [RelationUse] {
        var walk = RelationWalk()
        try walk.run(self, TypeScope(row: row))
        return walk.uses
    }

    /// The parts of an AND, with nested ANDs flattened.
    package var parts: [Condition] {
        if case .and(let parts) = self { parts.flatMap(\.parts) } else { [self] }
    }
}

/// A walk over a condition that collects the uses of other tables; any depth needs the same stack.
private struct RelationWalk {
    private(set) var uses: [RelationUse] = []
    private var waiting: [(node: TreeNode, scope: TypeScope)] = []

    mutating func run(_ condition: Condition, _ scope: TypeScope) throws(QueryError) {
        waiting = [(.condition(condition), scope)]
        while let (node, scope) = waiting.popLast() {
            switch node {
            case .condition(.comparison(let comparison)):
                if let use = try tested(comparison, scope) { uses.append(use) } else { push(node, scope) }
            case .condition: push(node, scope)
            case .term(let term):
                collect(term, scope)
                if case .subquery(let subquery, _) = term {
                    let element = scope.type(of: subquery.collection).element
                    waiting.append((.condition(subquery.condition), scope.binding(subquery.variable, to: element)))
                    waiting.append((.term(subquery.collection), scope))
                } else {
                    push(node, scope)
                }
            }
        }
    }

    private mutating func push(_ node: TreeNode, _ scope: TypeScope) {
        for child in node.children.reversed() { waiting.append((child, scope)) }
    }

    /// `ANY orders.total > 100`, `boss.name == "Ann"`, `order.customer.name == "Ann"`: found by the column, whatever the
    /// quantifier.
    private func tested(_ comparison: Comparison, _ scope: TypeScope) throws(QueryError) -> RelationUse? {
        var plain = comparison.withConstantOnTheRight
        plain.quantifier = nil
        guard case .field(let path, let origin) = plain.left, let column = path.keys.last else { return nil }
        var row = scope.row
        var way: [Schema.Relation] = []
        var isToOne = true
        for key in path.keys.dropLast() {
            guard isToOne, let step = row.step(key), let relation = step.relation else { return nil }
            if case .list = step.type { isToOne = false }
            row = step.type.element
            way.append(relation)
        }
        guard let relation = way.popLast() else { return nil }
        plain.left = .field(FieldPath(keys: [column]), origin)
        guard try IndexedTest(plain) != nil else { return nil }
        // A list compared without a quantifier is a list; one behind another row is searched from that row.
        guard isToOne || comparison.quantifier != nil && way.isEmpty else { return nil }
        return RelationUse(relation: relation, row: row, test: plain, isToOne: isToOne, way: way)
    }

    private mutating func collect(_ term: Term, _ scope: TypeScope) {
        switch term {
        case .field(let path, _): follow(scope.row, path.keys)
        case .path(let base, let steps, _):
            var keys: [String] = []
            for case .key(let key) in steps { keys.append(key) }
            if keys.count == steps.count { follow(scope.type(of: base), keys) }
        case .aggregate(_, of: .field(let path, _), let rest, _): follow(scope.row, path.keys + rest.keys)
        case .aggregate(_, of: let base, let rest, _): follow(scope.type(of: base).element, rest.keys)
        case .subquery(let subquery, _):
            guard case .field(let path, _) = subquery.collection else { return }
            follow(scope.row, path.keys, reading: subquery.testedKeys)
        case .value, .variable, .list, .index, .arithmetic, .negated, .call, .conditional, .cast, .assignment: break
        }
    }

    /// Notes the to-many relations on a path.
    ///
    /// - Parameters:
    ///   - type: where the path starts.
    ///   - keys: the path.
    ///   - tested: the keys of the last one's rows that are read; nil for the key behind it.
    private mutating func follow(_ type: FieldType, _ keys: [String], reading tested: [String]? = nil) {
        var current = type
        for (position, key) in keys.enumerated() {
            guard let step = current.step(key) else { return }
            if let relation = step.relation, case .list = step.type {
                let rest = keys.dropFirst(position + 1)
                let read = rest.isEmpty ? tested ?? [] : rest.count == 1 ? Array(rest) : []
                let columns = read.compactMap(step.type.element.column)
                uses.append(RelationUse(relation: relation, row: step.type.element, columns: columns, isToOne: false))
            }
            current = step.type
        }
    }
}

extension FieldType {
    /// The column of a field that is kept in the row; nil for one that leads elsewhere.
    fileprivate func column(_ key: String) -> String? {
        guard let step = step(key), step.relation == nil else { return nil }
        return step.storedName
    }
}

extension Subquery {
    /// The element's fields that are compared with constants: those tested for equality, then one tested for a range.
    fileprivate var testedKeys: [String] {
        var same: [String] = []
        var range: String?
        for case .comparison(let comparison) in condition.parts where comparison.quantifier == nil {
            let asked = comparison.withConstantOnTheRight
            guard case .path(.variable(let variable, _), let steps, _) = asked.left, variable == self.variable,
                steps.count == 1, case .key(let key)? = steps.first, asked.right.constantValue != nil,
                asked.options.folding.isEmpty
            else { continue }
            switch asked.operator {
            case .equal, .in: if !same.contains(where: { $0.hasSameUTF8(as: key) }) { same.append(key) }
            case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .beginsWith: range = range ?? key
            case .notEqual, .like, .contains, .endsWith, .matches, .geoWithin: break
            }
        }
        if let range, !same.contains(where: { $0.hasSameUTF8(as: range) }) { same.append(range) }
        return same
    }
}

/// A comparison of a field with a constant that an index serves.
package struct IndexedTest {
    package let field: Term
    package let path: FieldPath
    package let origin: Origin
    /// The constant, or the first of several.
    package let value: QueryValue
    package let isRange: Bool

    /// Nil if no index helps.
    package init?(_ comparison: Comparison) throws(QueryError) {
        let asked = comparison.withConstantOnTheRight
        guard comparison.quantifier == nil, case .field(let path, let origin) = asked.left,
            let constant = asked.right.constantValue
        else { return nil }
        var first: QueryValue?
        if case .list(let values) = constant { first = values.first ?? .null }
        switch asked.operator {
        case .equal: first = constant
        case .in: if first == nil { return nil }
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .beginsWith: break
        case .like:
            guard case .string(let text) = constant, try LikePattern(text, at: .none).head != nil else { return nil }
        case .notEqual, .contains, .endsWith, .matches, .geoWithin: return nil
        }
        (field, self.path, self.origin, value) = (asked.left, path, origin, first ?? constant)
        isRange = asked.operator != .equal && asked.operator != .in
    }
}
