import QueryValues

extension Comparison {
    /// The same comparison with its sides exchanged; nil if the operator has no mirror.
    package var mirrored: Comparison? {
        guard let mirror = `operator`.entry.mirror else { return nil }
        var mirrored = self
        (mirrored.left, mirrored.operator, mirrored.right) = (right, mirror, left)
        return mirrored
    }

    /// The same comparison with a constant on the left moved to the right, so that later code finds constants there
    /// only.
    ///
    /// Also `{1, 2} CONTAINS a` as `a IN {1, 2}`.
    package var withConstantOnTheRight: Comparison {
        guard quantifier == nil, left.belongsRight(of: `operator`), right.constantValue == nil,
            left.constantValue != nil || !right.isGivenDate
        else { return self }
        return mirrored ?? self
    }
}

extension Term {
    fileprivate func belongsRight(of operator: Comparison.Operator) -> Bool {
        if case .list = self, `operator` == .contains { return true }
        return constantValue != nil || isGivenDate
    }

    /// True for a date in the query itself: a literal, an argument, `now()`, and values that may turn out to be a date
    /// when the query runs.
    package var isGivenDate: Bool {
        switch self {
        case .field, .variable, .list, .subquery: return false
        case .value, .arithmetic, .negated, .cast, .path, .index, .aggregate, .call, .conditional, .assignment:
            if let value = constantValue { return value.kind == .date }
            return isRowless
        }
    }

    /// True if no row, unbound variable or random number can change the term's value.
    package var isRowless: Bool {
        switch self {
        case .value: return true
        case .field, .variable: return false
        default: break
        }
        let free = Condition.comparison(Comparison(self, .equal, .value(.null, .none))).freeVariables
        return free.isEmpty && !readsRow
    }

    /// True if the term reads a field, draws a random number or assigns.
    private var readsRow: Bool {
        nodes.contains { node in
            switch node {
            case .term(.field), .term(.assignment), .term(.call(.random, _, _)), .term(.call(.randomBelow, _, _)): true
            case .term, .condition: false
            }
        }
    }
}
