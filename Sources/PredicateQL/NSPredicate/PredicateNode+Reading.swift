import QueryChecking
import QueryParsing
import QueryTree
import QueryValues

extension PredicateNode {
    /// The predicate's condition, as parsed from its canonical text.
    ///
    /// - Parameter limits: bounds on the condition.
    /// - Returns: the condition.
    /// - Throws: `QueryError` that names the unsupported part, or of code `limit`.
    package func condition(_ limits: Limits = .default) throws(QueryError) -> Condition {
        // The height is unknown until the nodes are walked.
        try StackRoom.onLargeStack { () throws(QueryError) in
            try NodeReader(limits: limits).condition(self, 0).reparsed(limits)
        }
    }
}

extension SortNode {
    /// The descriptor's sort key.
    package func sortKey() throws(QueryError) -> SortKey {
        guard let key else {
            throw QueryError(.unsupported, "a sort descriptor with a comparator is Swift code", hint: "sort by a key")
        }
        let options: StringOptions
        switch selector {
        case nil, Self.compare: options = []
        case Self.caseInsensitiveCompare: options = .caseInsensitive
        case let selector?:
            throw QueryError(.unsupported, "sorting by \(selector) has no exact meaning", hint: "use \(Self.compare)")
        }
        return SortKey(try FieldPath(parsing: key), ascending: ascending, options: options)
    }
}

/// Converts nodes to trees.
private struct NodeReader {
    let limits: Limits

    private func check(_ level: Int) throws(QueryError) {
        guard level < limits.treeHeight else {
            throw QueryError(.limit, "the predicate has more than \(limits.treeHeight) levels")
        }
    }

    func condition(_ node: PredicateNode, _ level: Int) throws(QueryError) -> Condition {
        try check(level)
        switch node {
        case .constant(let value): return .constant(value)
        case .compound(let type, let parts): return try compound(type, parts, level)
        case .comparison(let comparison): return .comparison(try self.comparison(comparison, level))
        case .other(let name):
            throw QueryError(.unsupported, "a predicate of class \(name) is code and cannot be written as text")
        }
    }

    private func compound(_ type: UInt, _ parts: [PredicateNode], _ level: Int) throws(QueryError) -> Condition {
        var conditions: [Condition] = []
        for part in parts { conditions.append(try condition(part, level + 1)) }
        switch type {
        case PredicateNode.LogicalType.and: return .and(conditions)
        case PredicateNode.LogicalType.or: return .or(conditions)
        case PredicateNode.LogicalType.not where conditions.count == 1: return .not(conditions[0])
        default:
            throw QueryError(.unsupported, "a compound predicate of type \(type) with \(conditions.count) parts")
        }
    }

    private func comparison(_ node: ComparisonNode, _ level: Int) throws(QueryError) -> Comparison {
        if node.operation == ComparisonNode.customSelector {
            throw QueryError(
                .selectorOperator,
                "the operator \(node.selector ?? "of a selector") calls a method, which is not allowed"
            )
        }
        guard let operation = Comparison.Operator.allCases.first(where: { $0.foundationNumber == node.operation })
        else { throw QueryError(.unsupported, "the operator of type \(node.operation) is unknown") }
        guard let options = StringOptions(foundationBits: node.options),
            operation.entry.allowsOptions || options.isEmpty
        else {
            throw QueryError(.unsupported, "\(operation.spelling) does not take the options of bits \(node.options)")
        }
        let quantifiers: [Comparison.Quantifier?] = [nil, .any, .all]
        guard let quantifier = quantifiers.first(where: { $0.foundationNumber == node.modifier }) else {
            throw QueryError(.unsupported, "the modifier of type \(node.modifier) is unknown")
        }
        return Comparison(
            try term(node.left, level + 1),
            operation,
            try term(node.right, level + 1),
            quantifier: quantifier,
            options: options
        )
    }

    private func terms(_ nodes: [ExpressionNode], _ level: Int) throws(QueryError) -> [Term] {
        var terms: [Term] = []
        for node in nodes { terms.append(try term(node, level)) }
        return terms
    }

    private func term(_ node: ExpressionNode, _ level: Int) throws(QueryError) -> Term {
        try check(level)
        switch node {
        case .constant(let value): return .constant(value)
        case .evaluatedObject: return .field(.itself, .none)
        case .variable(let name): return .variable(Variable(name), .none)
        case .keyPath(let path, of: nil), .keyPath(let path, of: .evaluatedObject):
            return try Term(keyPath: path, below: nil)
        case .keyPath(let path, of: let base?): return try Term(keyPath: path, below: term(base, level + 1))
        case .function(let name, of: let receiver, let arguments):
            return try function(name, receiver, arguments, level + 1)
        case .unionSet(let left, let right): return try chain(left, .union, right, level + 1)
        case .intersectSet(let left, let right): return try chain(left, .intersect, right, level + 1)
        case .minusSet(let left, let right): return try chain(left, .minus, right, level + 1)
        case .subquery(let collection, let variable, let test):
            let collection = try term(collection, level + 1)
            return .subquery(Subquery(collection, Variable(variable), where: try condition(test, level + 1)), .none)
        case .aggregate(let elements): return .list(try terms(elements, level + 1), .none)
        case .conditional(let test, let first, let second):
            let test = try condition(test, level + 1)
            return .conditional(test, try term(first, level + 1), try term(second, level + 1), .none)
        case .symbol(let word): throw QueryError(.unsupported, "\(word) is allowed only in the brackets of an index")
        case .other(let name): throw QueryError(.unsupported, "an expression of type \(name) is not allowed")
        }
    }

    private func chain(
        _ left: ExpressionNode,
        _ operation: ArithmeticOperator,
        _ right: ExpressionNode,
        _ level: Int
    ) throws(QueryError) -> Term {
        let first = try term(left, level)
        return .arithmetic(Arithmetic(first: first, rest: [.init(operation, try term(right, level))]), .none)
    }

    // MARK: Functions

    private func function(
        _ name: String,
        _ receiver: ExpressionNode?,
        _ arguments: [ExpressionNode],
        _ level: Int
    ) throws(QueryError) -> Term {
        if name == ExpressionNode.valueForKeyPath, let receiver, arguments.count == 1,
            case .constant(.string(let path)) = arguments[0]
        {
            return try term(.keyPath(path, of: receiver), level)
        }
        let row = FunctionEntry.named(name)
        var arguments = arguments
        if let receiver {
            guard row?.node == .index, arguments.count == 1 else {
                throw QueryError(.functionCall, "FUNCTION calls \(name) of an object, which is not allowed")
            }
            arguments.insert(receiver, at: 0)
        }
        guard let row else { throw QueryError(.unknownFunction, "the function \(name) is unknown") }
        guard row.takes(arguments.count) else {
            throw QueryError(.unknownFunction, "\(row.name) takes \(row.arguments.count) arguments")
        }
        switch row.node {
        case .call(let function): return .call(function, try terms(arguments, level), .none)
        case .arithmetic(let operation): return try chain(arguments[0], operation, arguments[1], level)
        case .cast: return try cast(arguments[0], to: arguments[1], level)
        case .index: return try index(arguments[0], at: arguments[1], level)
        case .geoWithin: throw QueryError(.unknownFunction, "\(row.name) is not a value")
        }
    }

    private func cast(_ node: ExpressionNode, to target: ExpressionNode, _ level: Int) throws(QueryError) -> Term {
        guard case .constant(.string(let name)) = target, let target = CastTarget(rawValue: name) else {
            throw QueryError(
                .classCast,
                "CAST takes the name of a kind",
                hint: "one of " + CastTarget.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        return .cast(try term(node, level), target, .none)
    }

    private func index(_ node: ExpressionNode, at place: ExpressionNode, _ level: Int) throws(QueryError) -> Term {
        let base = try term(node, level)
        guard case .symbol(let word) = place else { return .index(base, .at(try term(place, level)), .none) }
        switch ReservedWord(rawValue: word) {
        case .first: return .index(base, .first, .none)
        case .last: return .index(base, .last, .none)
        case .size: return .index(base, .size, .none)
        default: throw QueryError(.unsupported, "the index \(word) is unknown")
        }
    }
}

extension ExpressionNode {
    /// The method that NSExpression calls for keys after a value other than a path.
    static let valueForKeyPath = "valueForKeyPath:"
}
