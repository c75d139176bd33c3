import QueryChecking
import QueryTree
import QueryValues

/// Builds a tree from its JSON without recursion: a debug build has large frames, and a tree of allowed height would
/// overflow a small stack (S26).
///
/// Visiting a node checks its own shape and schedules its parts and the step that combines them.
struct JSONTreeBuilder {
    private enum Work {
        case condition(QueryValue, String, level: Int)
        case term(QueryValue, String, level: Int)
        case build((inout JSONTreeBuilder) -> Void)
    }

    private let limits: Limits
    private var work: [Work] = []
    /// Finished parts, used from the end.
    private var conditions: [Condition] = []
    private var terms: [Term] = []

    /// The condition of a JSON value.
    static func condition(_ value: QueryValue, _ path: String, _ limits: Limits) throws(QueryError) -> Condition {
        var builder = JSONTreeBuilder(limits: limits)
        try builder.run(.condition(value, path, level: 0))
        return builder.popCondition()
    }

    /// The term of a JSON value.
    static func term(_ value: QueryValue, _ path: String, _ limits: Limits) throws(QueryError) -> Term {
        var builder = JSONTreeBuilder(limits: limits)
        try builder.run(.term(value, path, level: 0))
        return builder.popTerm()
    }

    private mutating func run(_ root: Work) throws(QueryError) {
        work.append(root)
        while let next = work.popLast() {
            switch next {
            case .condition(let value, let path, let level): try visitCondition(value, path, level)
            case .term(let value, let path, let level): try visitTerm(value, path, level)
            case .build(let build): build(&self)
            }
        }
    }

    private init(limits: Limits) {
        self.limits = limits
    }

    // MARK: Parts

    private mutating func popCondition() -> Condition { conditions.popLast() ?? .constant(false) }
    private mutating func popTerm() -> Term { terms.popLast() ?? .value(.null, .none) }

    private mutating func popTerms(_ count: Int) -> [Term] {
        let parts = Array(terms.suffix(count))
        terms.removeLast(parts.count)
        return parts
    }

    /// Schedules parts in order, followed by the step that combines them.
    private mutating func build(_ parts: [Work], _ build: @escaping (inout JSONTreeBuilder) -> Void) {
        work.append(.build(build))
        work.append(contentsOf: parts.reversed())
    }

    private func term(_ node: JSONTreeNode, _ key: JSONTreeKey, _ level: Int) throws(QueryError) -> Work {
        .term(try node.value(key), node.way(to: key), level: level + 1)
    }

    private func condition(_ node: JSONTreeNode, _ key: JSONTreeKey, _ level: Int) throws(QueryError) -> Work {
        .condition(try node.value(key), node.way(to: key), level: level + 1)
    }

    private func check(_ level: Int, _ path: String) throws(QueryError) {
        guard level < limits.treeHeight else {
            throw QueryError(.limit, "the tree has more than \(limits.treeHeight) levels", path: path)
        }
    }

    // MARK: Conditions

    private mutating func visitCondition(_ value: QueryValue, _ path: String, _ level: Int) throws(QueryError) {
        if case .bool(let constant) = value { return conditions.append(.constant(constant)) }
        try check(level, path)
        guard case .object = value else { throw JSONTreeNode.error("a condition is an object, true or false", path) }
        let node = try JSONTreeNode(value, at: path)
        let name = try node.name(among: JSONTreeKey.conditions)
        switch name {
        case .and, .or:
            try node.allows([name])
            let parts = try node.list(name).enumerated().map {
                Work.condition($1, node.way(to: name) + "[\($0)]", level: level + 1)
            }
            build(parts) { builder in
                let conditions = Array(builder.conditions.suffix(parts.count))
                builder.conditions.removeLast(conditions.count)
                builder.conditions.append(name == .and ? .and(conditions) : .or(conditions))
            }
        case .not:
            try node.allows([.not])
            build([try condition(node, .not, level)]) { $0.conditions.append(.not($0.popCondition())) }
        default: try visitComparison(node, level)
        }
    }

    private mutating func visitComparison(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.compare, .quantifier, .options, .left, .right])
        let row = try node.word(.compare, "operator", Comparison.Operator.table) { $0.spellings }
        let options = try node.options()
        if !row.allowsOptions, !options.isEmpty {
            throw node.error("\(row.operator.spelling) takes no options", at: .options)
        }
        var quantifier: Comparison.Quantifier?
        if node[.quantifier] != nil {
            if row.isCall { throw node.error("\(row.operator.spelling) takes no quantifier", at: .quantifier) }
            quantifier = try node.word(.quantifier, "quantifier", Comparison.Quantifier.allCases) { $0.word.spellings }
        }
        build([try term(node, .left, level), try term(node, .right, level)]) { [quantifier] builder in
            let right = builder.popTerm()
            let left = builder.popTerm()
            let comparison = Comparison(left, row.operator, right, quantifier: quantifier, options: options)
            builder.conditions.append(.comparison(comparison))
        }
    }
}

// MARK: - Terms

extension JSONTreeBuilder {
    private mutating func visitTerm(_ value: QueryValue, _ path: String, _ level: Int) throws(QueryError) {
        try check(level, path)
        guard case .object = value else { throw JSONTreeNode.error("a term is an object", path) }
        let node = try JSONTreeNode(value, at: path)
        switch try node.name(among: JSONTreeKey.terms) {
        case .value:
            try node.allows([.value])
            terms.append(.constant(try node.value(.value)))
        case .field:
            try node.allows([.field, .startsAtSelf])
            terms.append(.field(try node.field(limits), .none))
        case .variable:
            try node.allows([.variable])
            terms.append(.variable(try node.variable(.variable), .none))
        case .list: try visitList(node, level)
        case .path: try visitPath(node, level)
        case .index: try visitIndex(node, level)
        case .aggregate: try visitAggregate(node, level)
        case .arithmetic: try visitArithmetic(node, level)
        case .negate:
            try node.allows([.negate])
            build([try term(node, .negate, level)]) { $0.terms.append(.negated($0.popTerm(), .none)) }
        case .call: try visitCall(node, level)
        case .subquery: try visitSubquery(node, level)
        case .test: try visitConditional(node, level)
        case .cast: try visitCast(node, level)
        default: try visitAssignment(node, level)
        }
    }

    private func parts(_ node: JSONTreeNode, _ key: JSONTreeKey, _ level: Int) throws(QueryError) -> [Work] {
        try node.list(key).enumerated().map { .term($1, node.way(to: key) + "[\($0)]", level: level + 1) }
    }

    private mutating func visitList(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.list])
        let parts = try parts(node, .list, level)
        build(parts) { $0.terms.append(.list($0.popTerms(parts.count), .none)) }
    }

    private mutating func visitPath(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.path, .of])
        var steps: [PathStep] = []
        for (position, value) in try node.list(.path).enumerated() {
            let place = node.way(to: .path) + "[\(position)]"
            if case .string(let key) = value {
                if key.isEmpty { throw JSONTreeNode.error("a key is empty", place) }
                steps.append(.key(key))
            } else {
                let step = try JSONTreeNode(value, at: place)
                try step.allows([.variable])
                steps.append(.variable(try step.variable(.variable)))
            }
        }
        if steps.isEmpty { throw node.error("a path after a term needs a key", at: .path) }
        build([try term(node, .of, level)]) { [steps] in $0.terms.append(.path($0.popTerm(), steps, .none)) }
    }

    private mutating func visitIndex(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.index, .of])
        let base = try term(node, .of, level)
        guard case .string = try node.value(.index) else {
            return build([base, try term(node, .index, level)]) { builder in
                let position = builder.popTerm()
                builder.terms.append(.index(builder.popTerm(), .at(position), .none))
            }
        }
        let words: [(ReservedWord, Index)] = [(.first, .first), (.last, .last), (.size, .size)]
        let index = try node.word(.index, "index", words) { $0.0.spellings }.1
        build([base]) { $0.terms.append(.index($0.popTerm(), index, .none)) }
    }

    private mutating func visitAggregate(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.aggregate, .of, .over])
        let aggregate = try node.word(.aggregate, "@ operator", Aggregate.allCases) { [$0.spelling] }
        let keys = node[.over] == nil ? [] : try node.keys(.over, limits)
        if aggregate.pathRule == .none, !keys.isEmpty {
            throw node.error("\(aggregate.spelling) takes no path", at: .over)
        }
        build([try term(node, .of, level)]) {
            $0.terms.append(.aggregate(aggregate, of: $0.popTerm(), FieldPath(keys: keys), .none))
        }
    }

    private mutating func visitArithmetic(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.arithmetic])
        let parts = try node.list(.arithmetic)
        guard parts.count >= 3, parts.count % 2 == 1 else {
            throw node.error("a chain alternates terms and operators", at: .arithmetic)
        }
        var operands: [Work] = []
        var signs: [ArithmeticOperator] = []
        for (position, part) in parts.enumerated() {
            let place = node.way(to: .arithmetic) + "[\(position)]"
            guard position % 2 == 1 else {
                operands.append(.term(part, place, level: level + 1))
                continue
            }
            guard case .string(let sign) = part,
                let operation = ArithmeticOperator.allCases.first(where: { $0.entry.spelling.hasSameUTF8(as: sign) })
            else { throw JSONTreeNode.error("expected an operator such as `+`", place) }
            if let first = signs.first, first.entry.precedence != operation.entry.precedence {
                throw JSONTreeNode.error(
                    "the operators of a chain must have the same precedence",
                    place,
                    hint: "nest the chains"
                )
            }
            signs.append(operation)
        }
        build(operands) { [signs] builder in
            let links = zip(signs, builder.popTerms(signs.count)).map { Arithmetic.Link($0, $1) }
            builder.terms.append(.arithmetic(Arithmetic(first: builder.popTerm(), rest: links), .none))
        }
    }

    private mutating func visitCall(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.call, .arguments])
        let row = try node.word(.call, "function", FunctionEntry.table) { $0.spellings }
        guard case .call(let function) = row.node else {
            throw node.error("\(row.name) is a node of its own", at: .call, hint: row.summary)
        }
        let arguments = try parts(node, .arguments, level)
        guard row.takes(arguments.count) else {
            throw node.error("\(row.name) takes \(row.arguments.count) arguments", at: .arguments)
        }
        build(arguments) { $0.terms.append(.call(function, $0.popTerms(arguments.count), .none)) }
    }

    private mutating func visitSubquery(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.subquery, .element, .condition])
        let variable = try node.variable(.element)
        build([try term(node, .subquery, level), try condition(node, .condition, level)]) { builder in
            let test = builder.popCondition()
            builder.terms.append(.subquery(Subquery(builder.popTerm(), variable, where: test), .none))
        }
    }

    private mutating func visitConditional(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.test, .then, .otherwise])
        let parts = [
            try condition(node, .test, level), try term(node, .then, level), try term(node, .otherwise, level),
        ]
        build(parts) { builder in
            let second = builder.popTerm()
            let first = builder.popTerm()
            builder.terms.append(.conditional(builder.popCondition(), first, second, .none))
        }
    }

    private mutating func visitCast(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.cast, .target])
        let target = try node.word(.target, "kind to cast to", CastTarget.allCases) { [$0.rawValue] }
        build([try term(node, .cast, level)]) { $0.terms.append(.cast($0.popTerm(), target, .none)) }
    }

    private mutating func visitAssignment(_ node: JSONTreeNode, _ level: Int) throws(QueryError) {
        try node.allows([.assign, .target])
        let variable = try node.variable(.target)
        build([try term(node, .assign, level)]) { $0.terms.append(.assignment(variable, $0.popTerm(), .none)) }
    }
}
