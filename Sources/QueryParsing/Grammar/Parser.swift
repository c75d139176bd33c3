import QueryChecking
import QueryTree
import QueryValues

/// Turns a text into a condition.
///
/// `Grammar/query.ebnf` is the grammar; the functions are its rules. There is one loop over operators by binding
/// strength and no backtracking: a `(` may open a group of conditions or of terms, so a part is parsed first and the
/// operator then checks which of the two it is.
struct Parser {
    var lexer: Lexer
    /// The next token.
    var token: Token
    /// The end of the token before it.
    var previousEnd = 0
    let source: SourceText
    var arguments: FormatArguments
    let limits: Limits
    /// Set if the text nests too deep to be parsed on the caller's stack, also in trials; nil if there is enough room.
    private let needsRoom: UnsafeMutablePointer<Bool>?
    /// The maximum number of nested calls of ``expression(_:)``.
    private let mostCalls: Int
    /// The current nesting of parentheses, lists, calls, indices, NOT and unary minus.
    var nesting = 0
    /// The current nesting of calls of ``expression(_:)``.
    private var calls = 0
    /// The last `%` that was tried as a remainder: each is tried once, and none in a trial, so parsing stays linear.
    var triedModulus = -1
    /// The first text that consists of a placeholder only, for the message about unused arguments.
    var quotedPlaceholder: Range<Int>?
    /// What precedes the text where it is a part of one, for hints that quote a condition.
    var before: Substring = ""
    /// The kinds of the row's fields, for hints.
    var schema: Schema?

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        source: SourceText,
        arguments: [QueryValue],
        limits: Limits,
        needsRoom: UnsafeMutablePointer<Bool>? = nil
    ) {
        lexer = Lexer(bytes)
        token = lexer.next()
        self.source = source
        self.arguments = FormatArguments(arguments)
        self.limits = limits
        self.needsRoom = needsRoom
        // What the deepest canonical text needs.
        let most = min(limits.nesting, .max / 9) * 9 / 4
        mostCalls = needsRoom == nil ? most : min(most, StackRoom.plainCalls)
    }

    /// Takes the next token.
    @inline(__always)
    mutating func advance() {
        previousEnd = token.end
        token = lexer.next()
    }

    /// Takes a token that must come next.
    mutating func take(_ kind: Token.Kind, _ expected: String) throws(Mistake) {
        guard token.kind == kind else { throw unexpected(expected) }
        advance()
    }

    /// Enters a level; every call is paired with `leave()`.
    @inline(__always)
    mutating func enter() throws(Mistake) {
        nesting += 1
        if nesting > limits.nesting { throw tooDeep(token.range) }
    }

    @inline(__always)
    mutating func leave() { nesting -= 1 }

    func origin(_ start: Int, _ end: Int) -> Origin { Origin(start..<end, in: source) }

    /// The maximum height of a tree.
    private var mostHeight: Int { limits.treeHeight }

    /// A term over its parts, unless the tree grows too high.
    func node(_ term: Term, _ start: Int, _ end: Int, over depth: Depth, nesting: Int = 0) throws(Mistake) -> ParsedNode
    {
        let nesting = depth.nesting + nesting
        try check(nesting, depth.height + 1, start..<end)
        let isPlain = depth.isPlain && term.isPlainOverPlainParts
        return ParsedNode(term, start: start, end: end, nesting: nesting, height: depth.height + 1, isPlain: isPlain)
    }

    /// A condition over its parts, unless the tree grows too high.
    func node(
        _ condition: Condition,
        _ start: Int,
        _ end: Int,
        over depth: Depth,
        nesting: Int = 0
    ) throws(Mistake) -> ParsedNode {
        let nesting = depth.nesting + nesting
        try check(nesting, depth.height + 1, start..<end)
        return ParsedNode(
            condition,
            start: start,
            end: end,
            nesting: nesting,
            height: depth.height + 1,
            isPlain: depth.isPlain
        )
    }

    @inline(__always)
    private func check(_ nesting: Int, _ height: Int, _ range: Range<Int>) throws(Mistake) {
        if nesting > limits.nesting || height > mostHeight { throw tooDeep(range) }
    }
}

// MARK: - Rules

extension Parser {
    /// `format = predicate END ;`.
    mutating func format() throws(Mistake) -> (condition: Condition, isPlain: Bool) {
        if token.kind == .end { throw emptyText() }
        let node = try expression(.or)
        let condition = try predicate(node)
        guard token.kind == .end else { throw stray(after: node) }
        try arguments.checkAllUsed(quoted: quotedPlaceholder, in: 0..<lexer.bytes.count)
        return (condition, node.isPlain)
    }

    /// A whole text that is a term.
    mutating func wholeTerm() throws(Mistake) -> Term {
        let node = try expression(.or)
        let term = try term(node)
        guard token.kind == .end else { throw leftover(after: node, "an operator or the end of the text") }
        try arguments.checkAllUsed(quoted: quotedPlaceholder, in: 0..<lexer.bytes.count)
        return term
    }

    /// `predicate = disjunction ;`: a node that must be a condition.
    func predicate(_ node: ParsedNode) throws(Mistake) -> Condition {
        guard let condition = node.condition else { throw noPredicate(node) }
        return condition
    }

    /// `term = set ;`: a node that must be a term.
    func term(_ node: ParsedNode) throws(Mistake) -> Term {
        guard let term = node.term else { throw noTerm(node) }
        return term
    }

    /// An operand and the operators after it that bind at least as tightly as the weakest allowed one.
    mutating func expression(_ weakest: Strength) throws(Mistake) -> ParsedNode {
        try enterExpression()
        var left = try operand()
        while let strength = token.kind.strength, strength >= weakest { left = try infix(left, strength) }
        if token.kind == .invalid, weakest <= .product { try checkModulus(left) }
        calls -= 1
        return left
    }

    private mutating func enterExpression() throws(Mistake) {
        calls += 1
        guard calls > mostCalls else { return }
        needsRoom?.pointee = true
        throw tooDeep(token.range)
    }

    /// The operators of one strength after their left operand.
    private mutating func infix(_ left: consuming ParsedNode, _ strength: Strength) throws(Mistake) -> ParsedNode {
        switch strength {
        case .or: try disjunction(left)
        case .and: try conjunction(left)
        case .comparison: try comparison(left, quantifier: nil, from: left.start)
        case .set: try set(left)
        case .bitOr: try bitOr(left)
        case .bitXor: try bitXor(left)
        case .bitAnd: try bitAnd(left)
        case .shift: try shift(left)
        case .sum: try sum(left)
        case .product: try product(left)
        case .power, .operand: try power(left)
        }
    }

    /// `disjunction = conjunction { ("OR" | "||") conjunction } ;`.
    private mutating func disjunction(_ left: consuming ParsedNode) throws(Mistake) -> ParsedNode {
        let start = left.start
        var parts = Parts()
        try append(left, to: &parts)
        while token.kind == .logical(.or) {
            advance()
            // The right side first: calling it within a call on `self` would copy the parser.
            let right = try expression(.and)
            try append(right, to: &parts)
        }
        return try joined(parts, .or, start)
    }

    /// `conjunction = negation { ("AND" | "&&") negation } ;`.
    private mutating func conjunction(_ left: consuming ParsedNode) throws(Mistake) -> ParsedNode {
        let start = left.start
        var parts = Parts()
        try append(left, to: &parts)
        while token.kind == .logical(.and) {
            advance()
            let right = try expression(.comparison)
            try append(right, to: &parts)
        }
        return try joined(parts, .and, start)
    }

    private func joined(_ parts: Parts, _ word: LogicalWord, _ start: Int) throws(Mistake) -> ParsedNode {
        let condition: Condition = word == .or ? .or(parts.conditions) : .and(parts.conditions)
        return try node(condition, start, previousEnd, over: parts.depth)
    }

    private func append(_ node: consuming ParsedNode, to parts: inout Parts) throws(Mistake) {
        guard let condition = node.condition else {
            if let last = parts.conditions.last { try checkRange(last, upper: node) }
            throw noPredicate(node)
        }
        parts.depth.include(node, parenthesized: condition.isCompound)
        parts.conditions.append(condition)
    }

    /// `negation = ("NOT" | "!") negation | quantified | comparison | group | constant ;`.
    mutating func negation() throws(Mistake) -> ParsedNode {
        let start = token.start
        try enter()
        advance()
        let part = try expression(.comparison)
        leave()
        return try negated(part, start)
    }

    private func negated(_ part: ParsedNode, _ start: Int) throws(Mistake) -> ParsedNode {
        let condition = try predicate(part)
        var depth = Depth()
        depth.include(part, parenthesized: condition.isCompound)
        return try node(.not(condition), start, previousEnd, over: depth, nesting: 1)
    }
}

/// The parts of AND or OR being collected.
private struct Parts {
    var conditions: [Condition] = []
    var depth = Depth()

    init() {
        // Most chains are short; growing one by one would move their parts three times.
        conditions.reserveCapacity(4)
    }
}
