import QueryChecking
import QueryTree
import QueryValues

/// What a part of the text turned out to be: a term or a condition.
///
/// A `(` may open either, so one function parses both and every operator asks what it got.
struct Node {
    enum Content {
        case term(Term)
        case condition(Condition)
    }

    var content: Content
    /// The place in the text, parentheses included.
    var start: Int
    var end: Int
    /// How deeply the canonical text nests parentheses, lists, calls, NOT and unary minus (S26).
    var nesting = 0
    /// The height of the tree.
    var height = 1
    /// True when it stands in parentheses.
    var isGroup = false
    /// True when nothing in it needs a check without a schema; noted here, because a walk afterwards costs a tenth more.
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

    /// True for a term; asks without copying it.
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

/// How deep a node's parts are: what the node itself is built on.
struct Depth {
    var nesting = 0
    var height = 0
    var isPlain = true

    mutating func include(_ node: Node, parenthesized: Bool = false) {
        nesting = max(nesting, node.nesting + (parenthesized ? 1 : 0))
        height = max(height, node.height)
        isPlain = isPlain && node.isPlain
    }
}
