import QueryChecking
import QueryTree
import QueryValues

extension Parser {
    /// `quantified = ("ANY" | "SOME" | "ALL" | "NONE") comparison ;`.
    mutating func quantified(_ word: LogicalWord) throws(Mistake) -> ParsedNode {
        let start = token.start
        advance()
        if case .logical = token.kind { throw unexpected("a collection after \(word.spellings[0])") }
        let left = try expression(.set)
        guard case .comparison = token.kind else { throw unfinishedComparison(left) }
        let quantifier: Comparison.Quantifier = word == .all ? .all : .any
        let part = try comparison(left, quantifier: quantifier, from: start)
        guard word == .none, let condition = part.condition else { return part }
        var depth = Depth()
        depth.include(part)
        return try node(.not(condition), start, previousEnd, over: depth, nesting: 1)
    }

    /// `comparison = term comparator term ;`.
    mutating func comparison(
        _ left: consuming ParsedNode,
        quantifier: Comparison.Quantifier?,
        from start: Int
    ) throws(Mistake) -> ParsedNode {
        let sign = token
        let head = try comparisonHead(left, quantifier)
        let rightToken = token
        if case .logical = token.kind, let mistake = lateQuantifier(left, sign) { throw mistake }
        let right = try expression(.set)
        if head.operation == .between { try checkBounds(right, rightToken) }
        if case .comparison = token.kind { throw chained(left, sign, right, from: start) }
        return try comparison(left, head, right, start)
    }

    /// Everything before the right side.
    private struct Head {
        var quantifier: Comparison.Quantifier?
        var operation: Comparison.Operator
        var options: StringOptions
    }

    private mutating func comparisonHead(
        _ left: ParsedNode,
        _ quantifier: Comparison.Quantifier?
    ) throws(Mistake) -> Head {
        guard left.isTerm else { throw comparedPredicate(left) }
        if quantifier != nil { try checkQuantified(try term(left), left) }
        let (operation, options) = try comparator()
        return Head(quantifier: quantifier, operation: operation, options: options)
    }

    private func comparison(
        _ left: consuming ParsedNode,
        _ head: Head,
        _ right: consuming ParsedNode,
        _ start: Int
    ) throws(Mistake) -> ParsedNode {
        var depth = Depth()
        depth.include(left)
        depth.include(right)
        let end = right.end
        guard right.isTerm else { throw noTerm(right) }
        guard let leftTerm = left.term, let rightTerm = right.term else { throw noTerm(left) }
        let comparison = Comparison(
            leftTerm,
            head.operation,
            rightTerm,
            quantifier: head.quantifier,
            options: head.options,
            origin: origin(start, end)
        )
        depth.isPlain = depth.isPlain && comparison.isPlainOverPlainSides
        return try node(.comparison(comparison), start, end, over: depth)
    }

    /// `comparator = comparison-operator [ options ] | "BETWEEN" ;`.
    private mutating func comparator() throws(Mistake) -> (Comparison.Operator, StringOptions) {
        guard case .comparison(let operation) = token.kind else { throw unexpected("a comparison") }
        let sign = token
        advance()
        if token.start == sign.end, isSign(sign), let error = runTogether(sign) { throw error }
        guard token.kind == .openBracket else { return (operation, []) }
        return (operation, try options(of: operation, sign))
    }

    /// `options = "[" option-letter { option-letter } "]" ;`.
    private mutating func options(of operation: Comparison.Operator, _ sign: Token) throws(Mistake) -> StringOptions {
        let bracket = token
        advance()
        if let error = bracketedList(operation, sign, bracket) { throw error }
        var options: StringOptions = []
        while isWord(token) {
            for index in token.range {
                let letter = Character(Unicode.Scalar(lexer.bytes[index] | 0x20))
                guard let entry = StringOptions.letters.first(where: { $0.letter == letter }) else {
                    throw unknownOption(index)
                }
                guard options.insert(entry.option).inserted else { throw repeatedOption(index) }
            }
            advance()
        }
        guard !options.isEmpty else { throw missingOptions(bracket) }
        try take(.closeBracket, "`]` after the options")
        return options
    }

    /// True for a token made of letters, whatever it means.
    func isWord(_ token: Token) -> Bool {
        switch token.kind {
        case .word, .reserved: true
        case .logical, .comparison, .arithmetic, .bits: !isSign(token)
        default: false
        }
    }

    /// True for a token made of signs.
    func isSign(_ token: Token) -> Bool {
        !lexer.isClass(lexer.byte(at: token.start), .letter)
    }

    /// BETWEEN takes a list of two, or something that may be one (S13).
    private mutating func checkBounds(_ node: ParsedNode, _ first: Token) throws(Mistake) {
        switch try term(node) {
        case .list(let elements, _):
            if elements.count == 2 { return }
            throw wrongBounds(node, count: elements.count, isArgument: first.kind == .specifier)
        case .value:
            throw noBounds(node, isArgument: first.kind == .specifier)
        case .field, .variable, .path, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional,
            .cast, .assignment:
            return
        }
    }

    /// A scalar literal is not a collection (S10).
    private func checkQuantified(_ term: Term, _ node: ParsedNode) throws(Mistake) {
        guard case .value(let value, _) = term else { return }
        switch value {
        case .null: return
        default:
            throw Mistake(
                .quantifier,
                "a quantifier needs a collection on its left, and this is a single value",
                range: node.range,
                hint: "leave the quantifier out, or write a list in braces"
            )
        }
    }
}
