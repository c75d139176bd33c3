extension Query {
    /// Roughly how many steps one row takes; a list counts as ten elements, whatever it holds.
    ///
    ///     let plain = try Query(format: "age > 21")
    ///     let heavy = try Query(format: "SUBQUERY(orders, $o, ANY $o.items.name == 'x').@count > 0")
    ///     plain.estimatedCost < heavy.estimatedCost  // → true
    ///
    /// Comparisons take one step, texts three, LIKE five, MATCHES twenty and folding four more; ANY, ALL, aggregates and
    /// SUBQUERY take theirs for each element; each sort key takes ten. A yardstick for ``QueryPolicy``, no prediction.
    public var estimatedCost: Int {
        let sorting = order.count.multipliedReportingOverflow(by: 10).partialValue
        return Cost.sum(condition.estimatedCost, sorting)
    }
}

/// Sums and products that end at the largest int.
private enum Cost {
    static let elements = 10

    static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, isOver) = a.addingReportingOverflow(b)
        return isOver ? .max : sum
    }

    static func each(_ cost: Int) -> Int {
        let (product, isOver) = cost.multipliedReportingOverflow(by: elements)
        return isOver ? .max : product
    }
}

extension Condition {
    fileprivate var estimatedCost: Int {
        switch self {
        case .constant: 0
        case .comparison(let comparison): comparison.estimatedCost
        case .and(let parts), .or(let parts): parts.reduce(0) { Cost.sum($0, $1.estimatedCost) }
        case .not(let part): part.estimatedCost
        }
    }
}

extension Comparison {
    fileprivate var estimatedCost: Int {
        let test =
            switch self.operator {
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between: 1
            case .in, .contains, .beginsWith, .endsWith: 3
            case .like: 5
            case .matches: 20
            case .geoWithin: 20
            }
        let folded = options.folding.isEmpty ? test : test + 4
        let sides = Cost.sum(left.estimatedCost, right.estimatedCost)
        return Cost.sum(sides, quantifier == nil ? folded : Cost.each(folded))
    }
}

extension Term {
    fileprivate var estimatedCost: Int {
        switch self {
        case .value, .field, .variable, .assignment: 0
        // A computed list is made anew for each row; constants are looked up.
        case .list(let elements, _): elements.reduce(0) { Cost.sum($0, $1.estimatedCost) }
        case .path(let base, _, _), .index(let base, _, _): Cost.sum(1, base.estimatedCost)
        case .aggregate(_, of: let base, _, _): Cost.sum(Cost.elements, base.estimatedCost)
        case .arithmetic(let chain, _):
            chain.rest.reduce(Cost.sum(1, chain.first.estimatedCost)) {
                Cost.sum($0, Cost.sum(1, $1.operand.estimatedCost))
            }
        case .negated(let operand, _), .cast(let operand, _, _): Cost.sum(1, operand.estimatedCost)
        case .call(_, let arguments, _): arguments.reduce(2) { Cost.sum($0, $1.estimatedCost) }
        case .subquery(let subquery, _):
            Cost.sum(
                subquery.collection.estimatedCost,
                Cost.each(Cost.sum(1, subquery.condition.estimatedCost))
            )
        case .conditional(let test, let first, let second, _):
            Cost.sum(test.estimatedCost, Cost.sum(first.estimatedCost, second.estimatedCost))
        }
    }
}
