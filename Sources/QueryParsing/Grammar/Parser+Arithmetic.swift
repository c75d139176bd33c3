import QueryTree
import QueryValues

extension Parser {
    /// `set = bitOr { ("UNION" | "INTERSECT" | "MINUS") bitOr } ;`.
    mutating func set(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try chain(left, .set) }

    /// `bitOr = bitXor { "|" bitXor } ;`.
    mutating func bitOr(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try bits(left, .bitOr) }

    /// `bitXor = bitAnd { "^" bitAnd } ;`.
    mutating func bitXor(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try bits(left, .bitXor) }

    /// `bitAnd = shift { "&" shift } ;`.
    mutating func bitAnd(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try bits(left, .bitAnd) }

    /// `shift = sum { ("<<" | ">>") sum } ;`.
    mutating func shift(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try bits(left, .shift) }

    /// `sum = product { ("+" | "-") product } ;`.
    mutating func sum(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try chain(left, .sum) }

    /// `product = negative { ("*" | "/") negative } ;`.
    mutating func product(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try chain(left, .product) }

    /// `power = postfix { "**" ( "-" negative | postfix ) } ;`: from left to right.
    mutating func power(_ left: ParsedNode) throws(Mistake) -> ParsedNode { try chain(left, .power) }

    /// `negative = "-" negative | power ;`.
    ///
    /// A minus before a number without parentheses makes a negative number.
    mutating func negative() throws(Mistake) -> ParsedNode {
        let start = token.start
        try enter()
        advance()
        let first = token
        if first.kind == .int, first.value == 1 << 63 { return try leastInt(start) }
        let operand = try expression(.power)
        leave()
        let isNumber = (first.kind == .int || first.kind == .float) && !operand.isGroup
        return try negated(operand, start, isNumber: isNumber)
    }

    /// The least int, whose digits alone are out of range.
    private mutating func leastInt(_ start: Int) throws(Mistake) -> ParsedNode {
        let digits = token.range
        advance()
        guard endsOperand else { throw intRange(digits) }
        leave()
        return number(.int(.min), start)
    }

    private func negated(_ operand: ParsedNode, _ start: Int, isNumber: Bool) throws(Mistake) -> ParsedNode {
        let inner = try term(operand)
        if isNumber, case .value(let value, _) = inner {
            switch value {
            case .int(let value): return number(.int(0 &- value), start)
            case .double(let value): return number(.double(-value), start)
            default: break
            }
        }
        var depth = Depth()
        depth.include(operand, parenthesized: inner.needsParenthesesWhenNegated)
        return try node(.negated(inner, origin(start, previousEnd)), start, previousEnd, over: depth, nesting: 1)
    }

    /// A number under a minus, which counts as one level like any other.
    private func number(_ value: QueryValue, _ start: Int) -> ParsedNode {
        ParsedNode(.value(value, origin(start, previousEnd)), start: start, end: previousEnd, nesting: value.nesting)
    }

    /// True if nothing that binds tighter than unary minus follows.
    private var endsOperand: Bool {
        switch token.kind {
        case .dot, .openBracket: false
        default: token.kind.strength != .power
        }
    }

    /// Operators of the same precedence from left to right: one node, however long (S26).
    private mutating func chain(_ left: ParsedNode, _ strength: Strength) throws(Mistake) -> ParsedNode {
        let chain = try begin(left)
        while let operation = takeOperator(strength) {
            let right = try expression(strength.tighter)
            try append(right, operation, to: chain)
        }
        return try node(of: chain, left.start)
    }

    /// Takes an operator of a precedence, if it comes next.
    private mutating func takeOperator(_ strength: Strength) -> ArithmeticOperator? {
        guard case .arithmetic(let operation, strength) = token.kind else { return nil }
        advance()
        return operation
    }

    private func node(of chain: ChainBuilder, _ start: Int) throws(Mistake) -> ParsedNode {
        try node(.arithmetic(chain.terms, origin(start, previousEnd)), start, previousEnd, over: chain.depth)
    }

    /// Bit operators are calls; each adds one level to the tree.
    private mutating func bits(_ left: ParsedNode, _ strength: Strength) throws(Mistake) -> ParsedNode {
        var result = left
        while let function = takeFunction(strength) {
            let right = try expression(strength.tighter)
            result = try bits(function, result, right)
        }
        return result
    }

    /// Takes a bit operator of a precedence, if it comes next.
    private mutating func takeFunction(_ strength: Strength) -> Function? {
        guard case .bits(let function, strength) = token.kind else { return nil }
        advance()
        return function
    }

    private func bits(_ function: Function, _ left: ParsedNode, _ right: ParsedNode) throws(Mistake) -> ParsedNode {
        var depth = Depth()
        depth.include(left)
        depth.include(right)
        return try node(
            .call(function, [try term(left), try term(right)], origin(left.start, previousEnd)),
            left.start,
            previousEnd,
            over: depth,
            nesting: 1
        )
    }

    private func begin(_ left: ParsedNode) throws(Mistake) -> ChainBuilder { ChainBuilder(try term(left), left) }

    private func append(_ right: ParsedNode, _ operation: ArithmeticOperator, to chain: ChainBuilder) throws(Mistake) {
        chain.append(operation, try term(right), right)
    }

    /// The node of an arithmetic function: the same as that of its sign.
    func arithmetic(
        _ operation: ArithmeticOperator,
        _ left: ParsedNode,
        _ right: ParsedNode,
        _ start: Int
    ) throws(Mistake) -> ParsedNode {
        let chain = ChainBuilder(try term(left), left)
        chain.append(operation, try term(right), right)
        return try node(of: chain, start)
    }
}

/// A chain being built; a class for the same reason as ``ParsedNode``.
private final class ChainBuilder {
    private(set) var terms: Arithmetic
    private(set) var depth = Depth()
    private let left: ParsedNode

    init(_ first: Term, _ left: ParsedNode) {
        terms = Arithmetic(first: first, rest: [])
        self.left = left
    }

    func append(_ operation: ArithmeticOperator, _ operand: Term, _ node: ParsedNode) {
        if terms.rest.isEmpty { begin(operation) }
        depth.include(node, parenthesized: operand.needsParentheses(asOperandOf: operation, isFirst: false))
        terms.rest.append(Arithmetic.Link(operation, operand))
    }

    /// Starts with the left operand; continues a chain of the same precedence.
    private func begin(_ operation: ArithmeticOperator) {
        if case .arithmetic(let inner, _) = terms.first, inner.precedence == operation.entry.precedence {
            terms = inner
            depth.nesting = left.nesting
            depth.height = left.height - 1
        } else {
            depth.include(left, parenthesized: terms.first.needsParentheses(asOperandOf: operation, isFirst: true))
        }
    }
}
