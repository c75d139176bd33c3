import QueryValues

// Comparing and hashing trees without recursion: the compiler's own `==` keeps room for every case of the enum in each of
// its frames, and a tree of allowed height would overflow a small stack in a debug build (S26).

extension Term {
    /// Same meaning: same nodes, whatever their places in the text.
    public static func == (left: Term, right: Term) -> Bool { TreeNode.term(left).isSame(as: .term(right)) }

    /// Hashes the nodes without their source ranges.
    public func hash(into hasher: inout Hasher) {
        for node in nodes { hasher.combine(node.content) }
    }
}

extension Condition {
    /// Same meaning: equal nodes, whatever their source ranges.
    public static func == (left: Condition, right: Condition) -> Bool {
        TreeNode.condition(left).isSame(as: .condition(right))
    }

    /// Hashes the nodes without their source ranges.
    public func hash(into hasher: inout Hasher) {
        for node in nodes { hasher.combine(node.content) }
    }
}

/// A node without its children and its place in the text.
private enum NodeContent: Hashable {
    case constant(Bool)
    case comparison(Comparison.Operator, StringOptions, Comparison.Quantifier?)
    case logic(LogicalWord, count: Int)
    case value(QueryValue)
    case field(FieldPath)
    case variable(Variable)
    case list(count: Int)
    case path([PathStep])
    case index(ReservedWord?)
    case aggregate(Aggregate, FieldPath)
    case arithmetic([ArithmeticOperator])
    case negated
    case call(Function, count: Int)
    case subquery(Variable)
    case conditional
    case cast(CastTarget)
    case assignment(Variable)
}

extension TreeNode {
    fileprivate var content: NodeContent {
        switch self {
        case .condition(let condition): condition.content
        case .term(let term): term.content
        }
    }

    /// Compares both trees node by node; nodes of equal content have equally many children.
    fileprivate func isSame(as other: TreeNode) -> Bool {
        guard content == other.content else { return false }
        var waiting = Array(zip(children, other.children))
        while let (left, right) = waiting.popLast() {
            guard left.content == right.content else { return false }
            waiting.append(contentsOf: zip(left.children, right.children))
        }
        return true
    }
}

extension Condition {
    fileprivate var content: NodeContent {
        switch self {
        case .constant(let value): .constant(value)
        case .comparison(let comparison):
            .comparison(comparison.operator, comparison.options, comparison.quantifier)
        case .and(let parts): .logic(.and, count: parts.count)
        case .or(let parts): .logic(.or, count: parts.count)
        case .not: .logic(.not, count: 1)
        }
    }
}

extension Term {
    fileprivate var content: NodeContent {
        switch self {
        case .value(let value, _): .value(value)
        case .field(let path, _): .field(path)
        case .variable(let variable, _): .variable(variable)
        case .list(let elements, _): .list(count: elements.count)
        case .path(_, let steps, _): .path(steps)
        case .index(_, let index, _): .index(index.word)
        case .aggregate(let aggregate, of: _, let path, _): .aggregate(aggregate, path)
        case .arithmetic(let chain, _): .arithmetic(chain.rest.map(\.operation))
        case .negated: .negated
        case .call(let function, let arguments, _): .call(function, count: arguments.count)
        case .subquery(let subquery, _): .subquery(subquery.variable)
        case .conditional: .conditional
        case .cast(_, let target, _): .cast(target)
        case .assignment(let variable, _, _): .assignment(variable)
        }
    }
}
