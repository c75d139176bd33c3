// Comparing and hashing trees without recursion: the compiler's own `==` keeps room for every case of the enum in each of
// its frames, and a tree of allowed height would overflow a small stack in a debug build (S26).

extension Term {
    /// Same meaning: same nodes, whatever their places in the text.
    public static func == (left: Term, right: Term) -> Bool {
        var comparison = TreeComparison()
        return comparison.matches(left, right) && comparison.finish()
    }

    /// Hashes the nodes without their places.
    public func hash(into hasher: inout Hasher) {
        var walk = TreeHash()
        walk.terms.append(self)
        walk.finish(into: &hasher)
    }
}

extension Condition {
    /// Same meaning: same nodes, whatever their places in the text.
    public static func == (left: Condition, right: Condition) -> Bool {
        var comparison = TreeComparison()
        return comparison.matches(left, right) && comparison.finish()
    }

    /// Hashes the nodes without their places.
    public func hash(into hasher: inout Hasher) {
        var walk = TreeHash()
        walk.conditions.append(self)
        walk.finish(into: &hasher)
    }
}

/// Two trees side by side; parts still to be compared wait in lists.
private struct TreeComparison {
    private var terms: [(Term, Term)] = []
    private var conditions: [(Condition, Condition)] = []

    mutating func finish() -> Bool {
        while true {
            if let (left, right) = terms.popLast() {
                guard matches(left, right) else { return false }
            } else if let (left, right) = conditions.popLast() {
                guard matches(left, right) else { return false }
            } else {
                return true
            }
        }
    }

    private mutating func add(_ left: [Term], _ right: [Term]) -> Bool {
        guard left.count == right.count else { return false }
        terms.append(contentsOf: zip(left, right))
        return true
    }

    private mutating func add(_ left: Term, _ right: Term) -> Bool {
        terms.append((left, right))
        return true
    }

    private mutating func add(_ left: [Condition], _ right: [Condition]) -> Bool {
        guard left.count == right.count else { return false }
        conditions.append(contentsOf: zip(left, right))
        return true
    }

    /// Compares two conditions but for their parts, which are noted.
    mutating func matches(_ left: Condition, _ right: Condition) -> Bool {
        switch (left, right) {
        case (.constant(let a), .constant(let b)): a == b
        case (.comparison(let a), .comparison(let b)):
            a.operator == b.operator && a.options == b.options && a.quantifier == b.quantifier && add(a.left, b.left)
                && add(a.right, b.right)
        case (.and(let a), .and(let b)), (.or(let a), .or(let b)): add(a, b)
        case (.not(let a), .not(let b)): add([a], [b])
        case (.constant, _), (.comparison, _), (.and, _), (.or, _), (.not, _): false
        }
    }

    /// Compares two terms but for their parts, which are noted.
    mutating func matches(_ left: Term, _ right: Term) -> Bool {
        switch left {
        case .value(let a, _):
            if case .value(let b, _) = right { return a == b }
        case .field(let a, _):
            if case .field(let b, _) = right { return a == b }
        case .variable(let a, _):
            if case .variable(let b, _) = right { return a == b }
        case .list(let a, _):
            if case .list(let b, _) = right { return add(a, b) }
        case .path(let a, let first, _):
            if case .path(let b, let second, _) = right { return first == second && add(a, b) }
        case .index(let a, let first, _):
            if case .index(let b, let second, _) = right { return matches(first, second) && add(a, b) }
        case .aggregate(let first, of: let a, let firstPath, _):
            if case .aggregate(let second, of: let b, let secondPath, _) = right {
                return first == second && firstPath == secondPath && add(a, b)
            }
        case .arithmetic(let a, _):
            if case .arithmetic(let b, _) = right { return matches(a, b) }
        case .negated(let a, _):
            if case .negated(let b, _) = right { return add(a, b) }
        case .call(let first, let a, _):
            if case .call(let second, let b, _) = right { return first == second && add(a, b) }
        case .subquery(let a, _):
            if case .subquery(let b, _) = right {
                return a.variable == b.variable && add(a.collection, b.collection) && add([a.condition], [b.condition])
            }
        case .conditional(let first, let a, let b, _):
            if case .conditional(let second, let c, let d, _) = right {
                return add([first], [second]) && add(a, c) && add(b, d)
            }
        case .cast(let a, let first, _):
            if case .cast(let b, let second, _) = right { return first == second && add(a, b) }
        case .assignment(let first, let a, _):
            if case .assignment(let second, let b, _) = right { return first == second && add(a, b) }
        }
        return false
    }

    private mutating func matches(_ left: Index, _ right: Index) -> Bool {
        switch (left, right) {
        case (.first, .first), (.last, .last), (.size, .size): true
        case (.at(let a), .at(let b)): add(a, b)
        case (.first, _), (.last, _), (.size, _), (.at, _): false
        }
    }

    private mutating func matches(_ left: Arithmetic, _ right: Arithmetic) -> Bool {
        guard left.rest.count == right.rest.count,
            left.rest.elementsEqual(right.rest, by: { $0.operation == $1.operation })
        else { return false }
        return add(left.first, right.first) && add(left.rest.map(\.operand), right.rest.map(\.operand))
    }
}

/// The nodes of a tree in one order; parts still to be hashed wait in lists.
private struct TreeHash {
    var terms: [Term] = []
    var conditions: [Condition] = []

    mutating func finish(into hasher: inout Hasher) {
        while true {
            if let term = terms.popLast() {
                add(term, to: &hasher)
            } else if let condition = conditions.popLast() {
                add(condition, to: &hasher)
            } else {
                return
            }
        }
    }

    private mutating func add(_ condition: Condition, to hasher: inout Hasher) {
        switch condition {
        case .constant(let value): hasher.combine(value)
        case .comparison(let comparison):
            hasher.combine(comparison.operator)
            hasher.combine(comparison.options)
            hasher.combine(comparison.quantifier)
            terms += [comparison.left, comparison.right]
        case .and(let parts):
            hasher.combine(LogicalWord.and)
            hasher.combine(parts.count)
            conditions += parts
        case .or(let parts):
            hasher.combine(LogicalWord.or)
            hasher.combine(parts.count)
            conditions += parts
        case .not(let part):
            hasher.combine(LogicalWord.not)
            conditions.append(part)
        }
    }

    private mutating func add(_ term: Term, to hasher: inout Hasher) {
        switch term {
        case .value(let value, _): hasher.combine(value)
        case .field(let path, _): hasher.combine(path)
        case .variable(let variable, _): hasher.combine(variable)
        case .list(let elements, _):
            hasher.combine(elements.count)
            terms += elements
        case .path(let base, let steps, _):
            hasher.combine(steps)
            terms.append(base)
        case .index(let base, let index, _):
            terms.append(base)
            add(index, to: &hasher)
        case .aggregate(let aggregate, of: let base, let path, _):
            hasher.combine(aggregate)
            hasher.combine(path)
            terms.append(base)
        case .arithmetic(let chain, _):
            for link in chain.rest { hasher.combine(link.operation) }
            terms.append(chain.first)
            terms += chain.rest.map(\.operand)
        case .negated(let operand, _):
            hasher.combine(ArithmeticOperator.subtract)
            terms.append(operand)
        case .call(let function, let arguments, _):
            hasher.combine(function)
            terms += arguments
        case .subquery(let subquery, _):
            hasher.combine(subquery.variable)
            terms.append(subquery.collection)
            conditions.append(subquery.condition)
        case .conditional(let test, let first, let second, _):
            hasher.combine(ReservedWord.ternary)
            conditions.append(test)
            terms += [first, second]
        case .cast(let operand, let target, _):
            hasher.combine(target)
            terms.append(operand)
        case .assignment(let variable, let operand, _):
            hasher.combine(variable)
            terms.append(operand)
        }
    }

    private mutating func add(_ index: Index, to hasher: inout Hasher) {
        switch index {
        case .first: hasher.combine(ReservedWord.first)
        case .last: hasher.combine(ReservedWord.last)
        case .size: hasher.combine(ReservedWord.size)
        case .at(let term): terms.append(term)
        }
    }
}
