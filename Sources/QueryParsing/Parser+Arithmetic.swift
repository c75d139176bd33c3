import QuerySyntax

extension Parser {
    /// `set = bitOr { ("UNION" | "INTERSECT" | "MINUS") bitOr } ;`
    mutating func set(_ left: Node) throws(Mistake) -> Node { try chain(left, .set) }

    /// `bitOr = bitXor { "|" bitXor } ;`
    mutating func bitOr(_ left: Node) throws(Mistake) -> Node { try bits(left, .bitOr) }

    /// `bitXor = bitAnd { "^" bitAnd } ;`
    mutating func bitXor(_ left: Node) throws(Mistake) -> Node { try bits(left, .bitXor) }

    /// `bitAnd = shift { "&" shift } ;`
    mutating func bitAnd(_ left: Node) throws(Mistake) -> Node { try bits(left, .bitAnd) }

    /// `shift = sum { ("<<" | ">>") sum } ;`
    mutating func shift(_ left: Node) throws(Mistake) -> Node { try bits(left, .shift) }

    /// `sum = product { ("+" | "-") product } ;`
    mutating func sum(_ left: Node) throws(Mistake) -> Node { try chain(left, .sum) }

    /// `product = negative { ("*" | "/") negative } ;`
    mutating func product(_ left: Node) throws(Mistake) -> Node { try chain(left, .product) }

    /// `power = postfix { "**" ( "-" negative | postfix ) } ;`: from left to right.
    mutating func power(_ left: Node) throws(Mistake) -> Node { try chain(left, .power) }

    /// `negative = "-" negative | power ;`
    ///
    /// A minus before a number without parentheses makes a negative number.
    mutating func negative() throws(Mistake) -> Node {
        let start = token.start
        try enter()
        advance()
        let first = token
        if first.kind == .int, first.value == 1 << 63 {
            advance()
            guard endsOperand else { throw intRange(first.range) }
            leave()
            return Node(.value(.int(.min), origin(start, previousEnd)), start: start, end: previousEnd)
        }
        let operand = try expression(.power)
        let inner = try term(operand)
        leave()
        if (first.kind == .int || first.kind == .float), !operand.isGroup, case .value(let value, _) = inner {
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

    private func number(_ value: QueryValue, _ start: Int) -> Node {
        Node(.value(value, origin(start, previousEnd)), start: start, end: previousEnd)
    }

    /// True when nothing that binds tighter than unary minus follows.
    private var endsOperand: Bool {
        switch token.kind {
        case .dot, .openBracket: false
        default: token.kind.strength != .power
        }
    }

    /// Operators of one precedence from left to right: one node, however long (S26).
    private mutating func chain(_ left: Node, _ strength: Strength) throws(Mistake) -> Node {
        var chain = Arithmetic(first: try term(left), rest: [])
        var depth = Depth()
        while case .arithmetic(let operation, strength) = token.kind {
            advance()
            let right = try expression(strength.tighter)
            let operand = try term(right)
            if chain.rest.isEmpty { include(left, in: &chain, of: operation, &depth) }
            depth.include(right, parenthesized: operand.needsParentheses(asOperandOf: operation, isFirst: false))
            chain.rest.append(Arithmetic.Link(operation, operand))
        }
        return try node(.arithmetic(chain, origin(left.start, previousEnd)), left.start, previousEnd, over: depth)
    }

    /// The left operand of a chain; a chain of the same precedence goes on.
    private func include(
        _ left: Node,
        in chain: inout Arithmetic,
        of operation: ArithmeticOperator,
        _ depth: inout Depth
    ) {
        if case .arithmetic(let inner, _) = chain.first, inner.precedence == operation.row.precedence {
            chain = inner
            depth.nesting = left.nesting
            depth.height = left.height - 1
        } else {
            depth.include(left, parenthesized: chain.first.needsParentheses(asOperandOf: operation, isFirst: true))
        }
    }

    /// Bit operators are calls; each makes the tree one higher.
    private mutating func bits(_ left: Node, _ strength: Strength) throws(Mistake) -> Node {
        var result = left
        while case .bits(let function, strength) = token.kind {
            advance()
            let right = try expression(strength.tighter)
            var depth = Depth()
            depth.include(result)
            depth.include(right)
            let arguments = [try term(result), try term(right)]
            result = try node(
                .call(function, arguments, origin(left.start, previousEnd)),
                left.start,
                previousEnd,
                over: depth,
                nesting: 1
            )
        }
        return result
    }

    /// The node of an arithmetic function: the same as that of its sign.
    func arithmetic(
        _ operation: ArithmeticOperator,
        _ left: Node,
        _ right: Node,
        _ start: Int
    ) throws(Mistake) -> Node {
        var chain = Arithmetic(first: try term(left), rest: [])
        let operand = try term(right)
        var depth = Depth()
        include(left, in: &chain, of: operation, &depth)
        depth.include(right, parenthesized: operand.needsParentheses(asOperandOf: operation, isFirst: false))
        chain.rest.append(Arithmetic.Link(operation, operand))
        return try node(.arithmetic(chain, origin(start, previousEnd)), start, previousEnd, over: depth)
    }
}
