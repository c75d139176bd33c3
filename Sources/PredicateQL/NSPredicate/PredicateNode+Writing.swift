import QueryChecking
import QueryTree
import QueryValues

extension PredicateNode {
    /// The NSPredicate for a condition, as nodes.
    ///
    /// - Parameter condition: the condition.
    /// - Throws: `QueryError` of code `unsupported` for what NSPredicate does not support.
    package init(_ condition: Condition) throws(QueryError) {
        switch condition {
        case .constant(let value): self = .constant(value)
        case .comparison(let comparison): self = .comparison(try ComparisonNode(comparison))
        case .and(let parts): self = .compound(LogicalType.and, try Self.nodes(parts))
        case .or(let parts): self = .compound(LogicalType.or, try Self.nodes(parts))
        case .not(let part): self = .compound(LogicalType.not, [try PredicateNode(part)])
        }
    }

    private static func nodes(_ conditions: [Condition]) throws(QueryError) -> [PredicateNode] {
        var nodes: [PredicateNode] = []
        for condition in conditions { nodes.append(try PredicateNode(condition)) }
        return nodes
    }
}

extension ComparisonNode {
    init(_ comparison: Comparison) throws(QueryError) {
        guard let operation = comparison.operator.foundationNumber else {
            throw QueryError(.unsupported, "NSPredicate has no \(comparison.operator.spelling)", at: comparison.origin)
        }
        self.init(
            left: try ExpressionNode(comparison.left),
            right: try ExpressionNode(comparison.right),
            operation: operation,
            modifier: comparison.quantifier.foundationNumber,
            options: comparison.options.foundationBits
        )
    }
}

extension SortNode {
    /// The NSSortDescriptor for a sort key, as a node.
    package init(_ key: SortKey) throws(QueryError) {
        let selector: String?
        switch key.options {
        case []: selector = nil
        case .caseInsensitive: selector = Self.caseInsensitiveCompare
        default:
            throw QueryError(.unsupported, "NSSortDescriptor has no exact order of the options [\(key.options.text)]")
        }
        self.init(
            key: try ExpressionNode.keyPath(key.path.keys, .none),
            ascending: key.isAscending,
            selector: selector
        )
    }
}

extension ExpressionNode {
    init(_ term: Term) throws(QueryError) {
        // One small function per case: in a debug build a single frame would hold the locals of every case.
        switch term {
        case .value(let value, let origin): self = .constant(try Self.constant(value, origin))
        case .field(let path, let origin):
            self =
                path.keys.isEmpty ? .evaluatedObject : .keyPath(try Self.keyPath(path.keys, origin), of: nil)
        case .variable(let variable, _): self = .variable(variable.name)
        case .list(let elements, _): self = .aggregate(try Self.nodes(elements))
        case .path(let base, let steps, let origin): self = try Self.path(base, steps, origin)
        case .index(let base, let index, _): self = try Self.index(base, index)
        case .aggregate(let aggregate, of: let base, let path, let origin):
            self = try Self.aggregate(aggregate, base, path, origin)
        case .arithmetic(let chain, let origin): self = try Self.chain(chain, origin)
        case .negated(let operand, _):
            // NSExpression has no unary minus.
            let name = try Self.name(of: .arithmetic(.multiply))
            self = .function(name, of: nil, [try ExpressionNode(operand), .constant(-1)])
        case .call(let function, let arguments, let origin): self = try Self.call(function, arguments, origin)
        case .subquery(let subquery, _): self = try Self.subquery(subquery)
        case .conditional(let test, let first, let second, _): self = try Self.conditional(test, first, second)
        case .cast(let operand, let target, _):
            let name = try Self.name(of: .cast)
            self = .function(name, of: nil, [try ExpressionNode(operand), .constant(.string(target.rawValue))])
        case .assignment(_, _, let origin):
            throw QueryError(.unsupported, "NSPredicate has no assignments", at: origin)
        }
    }

    private static func nodes(_ terms: [Term]) throws(QueryError) -> [ExpressionNode] {
        var nodes: [ExpressionNode] = []
        nodes.reserveCapacity(terms.count)
        for term in terms { nodes.append(try ExpressionNode(term)) }
        return nodes
    }

    /// The name of the function that creates a node.
    private static func name(of node: FunctionEntry.Node) throws(QueryError) -> String {
        guard let row = FunctionEntry.table.first(where: { $0.node == node }) else {
            throw QueryError(.unsupported, "NSExpression has no such function")
        }
        return row.name
    }

    private static func constant(_ value: QueryValue, _ origin: Origin) throws(QueryError) -> QueryValue {
        switch value {
        case .null, .bool, .int, .double, .string, .date, .data, .uuid: return value
        case .list(let elements):
            for element in elements { _ = try constant(element, origin) }
            return value
        case .object, .shape:
            throw QueryError(.unsupported, "NSPredicate has no constant of kind \(value.kind.rawValue)", at: origin)
        }
    }

    // MARK: Paths

    /// Keys joined by dots, if they read back as the same keys.
    static func keyPath(_ keys: [String], _ origin: Origin) throws(QueryError) -> String {
        for key in keys {
            // `self` is the object, whatever its keys are.
            let isReserved = key.utf8.first == UInt8(ascii: "@") || key.uppercased() == ReservedWord.`self`.rawValue
            if key.isEmpty || isReserved || key.utf8.contains(UInt8(ascii: ".")) {
                throw QueryError(.unsupported, "no key path of NSPredicate can name the key \(key)", at: origin)
            }
        }
        return keys.joined(separator: ".")
    }

    private static func path(_ base: Term, _ steps: [PathStep], _ origin: Origin) throws(QueryError) -> ExpressionNode {
        var keys: [String] = []
        for step in steps {
            guard case .key(let key) = step else {
                throw QueryError(.unsupported, "NSPredicate has no variables as keys", at: origin)
            }
            keys.append(key)
        }
        return .keyPath(try keyPath(keys, origin), of: try ExpressionNode(base))
    }

    private static func aggregate(
        _ aggregate: Aggregate,
        _ base: Term,
        _ path: FieldPath,
        _ origin: Origin
    ) throws(QueryError) -> ExpressionNode {
        var text = aggregate.spelling
        if !path.keys.isEmpty {
            text += "." + (try keyPath(path.keys, origin))
        } else if aggregate.pathRule != .none {
            // Apple requires a key here.
            text += ".self"
        }
        if case .field(let field, _) = base {
            let start = try keyPath(field.keys, origin)
            return .keyPath(start.isEmpty ? text : start + "." + text, of: nil)
        }
        return .keyPath(text, of: try ExpressionNode(base))
    }

    private static func index(_ base: Term, _ index: Index) throws(QueryError) -> ExpressionNode {
        let place: ExpressionNode
        switch index {
        case .first: place = .symbol(ReservedWord.first.rawValue)
        case .last: place = .symbol(ReservedWord.last.rawValue)
        case .size: place = .symbol(ReservedWord.size.rawValue)
        case .at(let term): place = try ExpressionNode(term)
        }
        return .function(try name(of: .index), of: nil, [try ExpressionNode(base), place])
    }

    // MARK: Functions

    /// Functions that NSExpression's documentation does not list; creating one could raise an exception.
    private static let undocumented: [Function] = [
        .length, .randomBelow, .year, .month, .day, .weekday, .hour, .minute,
    ]

    private static func call(
        _ function: Function,
        _ arguments: [Term],
        _ origin: Origin
    ) throws(QueryError) -> ExpressionNode {
        if undocumented.contains(function) {
            throw QueryError(.unsupported, "not every NSExpression has the function \(function.entry.name)", at: origin)
        }
        return .function(function.entry.name, of: nil, try nodes(arguments))
    }

    /// A chain of operators; NSExpression nests where the tree does not.
    private static func chain(_ chain: Arithmetic, _ origin: Origin) throws(QueryError) -> ExpressionNode {
        guard chain.rest.count < Limits.default.treeHeight / 2 else {
            throw QueryError(.unsupported, "NSExpression would nest \(chain.rest.count) operators", at: origin)
        }
        var left = try ExpressionNode(chain.first)
        for link in chain.rest {
            let right = try ExpressionNode(link.operand)
            switch link.operation {
            case .union: left = .unionSet(left, right)
            case .intersect: left = .intersectSet(left, right)
            case .minus: left = .minusSet(left, right)
            case .add, .subtract, .multiply, .divide, .power:
                left = .function(try name(of: .arithmetic(link.operation)), of: nil, [left, right])
            }
        }
        return left
    }

    private static func subquery(_ subquery: Subquery) throws(QueryError) -> ExpressionNode {
        .subquery(
            try ExpressionNode(subquery.collection),
            subquery.variable.name,
            try PredicateNode(subquery.condition)
        )
    }

    private static func conditional(
        _ test: Condition,
        _ first: Term,
        _ second: Term
    ) throws(QueryError) -> ExpressionNode {
        .conditional(try PredicateNode(test), try ExpressionNode(first), try ExpressionNode(second))
    }
}
