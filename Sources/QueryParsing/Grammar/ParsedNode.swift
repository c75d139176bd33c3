import QueryChecking
import QueryTree
import QueryValues

/// The result of parsing a part of the text: a term or a condition.
///
/// A `(` may open either, so one function parses both and every operator checks which one it got.
struct ParsedNode {
    enum Content {
        case term(Term)
        case condition(Condition)
    }

    var content: Content
    /// The place in the text, parentheses included.
    var start: Int
    var end: Int
    /// The nesting of parentheses, lists, calls, NOT and unary minus in the canonical text (S26).
    var nesting = 0
    /// The height of the tree.
    var height = 1
    /// True if it is in parentheses.
    var isGroup = false
    /// True if nothing in it needs a check without a schema; recorded while parsing, because a separate walk costs a
    /// tenth more.
    var isPlain = true

    var range: Range<Int> { start..<end }

    init(_ term: Term, start: Int, end: Int, nesting: Int = 0, height: Int = 1, isPlain: Bool = true) {
        content = .term(term)
        self.start = start
        self.end = end
        self.nesting = nesting
        self.height = height
        self.isPlain = isPlain
    }

    init(_ condition: Condition, start: Int, end: Int, nesting: Int = 0, height: Int = 1, isPlain: Bool = true) {
        content = .condition(condition)
        self.start = start
        self.end = end
        self.nesting = nesting
        self.height = height
        self.isPlain = isPlain
    }

    /// True for a term; tests without copying it.
    var isTerm: Bool {
        if case .term = content { true } else { false }
    }

    var term: Term? {
        if case .term(let term) = content { term } else { nil }
    }

    var condition: Condition? {
        if case .condition(let condition) = content { condition } else { nil }
    }
}

/// The depth of a node's parts, from which its own is computed.
struct Depth {
    var nesting = 0
    var height = 0
    var isPlain = true

    mutating func include(_ node: ParsedNode, parenthesized: Bool = false) {
        nesting = max(nesting, node.nesting + (parenthesized ? 1 : 0))
        height = max(height, node.height)
        isPlain = isPlain && node.isPlain
    }
}
