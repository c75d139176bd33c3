import QueryValues

extension Comparison {
    /// The same comparison with a constant that stands alone on the left brought to the right, so that tests may know it.
    ///
    /// Also `{1, 2} CONTAINS a` as `a IN {1, 2}`.
    package var withConstantOnTheRight: Comparison {
        guard quantifier == nil, let mirror = `operator`.row.mirror, left.belongsRight(of: `operator`),
            right.constantValue == nil, !right.isGivenDate
        else { return self }
        var mirrored = self
        mirrored.left = right
        mirrored.right = left
        mirrored.operator = mirror
        return mirrored
    }
}

extension Term {
    fileprivate func belongsRight(of operator: Comparison.Operator) -> Bool {
        if case .list = self, `operator` == .contains { return true }
        return constantValue != nil || isGivenDate
    }

    /// True for a date that the query itself gives: a literal, an argument, `now()`, and what may be one when the query runs.
    package var isGivenDate: Bool {
        switch self {
        case .field, .variable, .list, .subquery: return false
        case .value, .arithmetic, .negated, .cast, .path, .index, .aggregate, .call, .conditional, .assignment:
            if let value = constantValue { return value.kind == .date }
            return isRowless
        }
    }

    /// True when no row, unbound variable or chance can change the term's value.
    package var isRowless: Bool {
        switch self {
        case .value: return true
        case .field, .variable: return false
        default: break
        }
        let free = Condition.comparison(Comparison(self, .equal, .value(.null, .none))).freeVariables
        return free.isEmpty && !readsRow
    }

    /// True when the term reads a field, draws by chance or assigns.
    private var readsRow: Bool {
        nodes.contains { node in
            switch node {
            case .term(.field), .term(.assignment), .term(.call(.random, _, _)), .term(.call(.randomBelow, _, _)): true
            case .term, .condition: false
            }
        }
    }
}
