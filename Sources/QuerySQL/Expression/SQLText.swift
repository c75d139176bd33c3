import QueryTree
import QueryValues

/// A piece of SQL with its bindings; all statements are composed of these.
///
/// It records its precedence, so that parentheses are written only where needed, and how much of the store's parser
/// stack it takes, so that a statement that is too deep is rejected here rather than by the store.
struct SQLText: Sendable {
    /// The precedence of the outermost operator, loosest first.
    enum Precedence: Int, Comparable, Sendable {
        case or, and, not, equality, order, bits, sum, product, concatenation, unary, atom

        static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
    }

    /// The text, with a `?` per binding.
    var text: String
    /// The values of the `?`, in their order.
    var bindings: [QueryValue]
    var precedence: Precedence
    /// The maximum number of symbols on the store's parser stack while it reads the piece.
    var need: Int

    init(_ text: String, _ bindings: [QueryValue] = [], precedence: Precedence = .atom, need: Int = 1) {
        self.text = text
        self.bindings = bindings
        self.precedence = precedence
        self.need = need
    }

    static let one = SQLText("1")
    static let zero = SQLText("0")
    static let null = SQLText("NULL")

    /// A fresh `?` with its value.
    static func bind(_ value: QueryValue) -> SQLText { SQLText("?", [value]) }

    /// A whole number chosen by the library.
    static func number(_ value: Int) -> SQLText { SQLText(String(value)) }

    /// A text chosen by the library, quoted.
    static func literal(_ text: String) -> SQLText { SQLText(quotedText(text)) }

    static func truth(_ value: Bool) -> SQLText { value ? one : zero }

    /// `'…'` with quotes doubled.
    static func quotedText(_ text: String) -> String {
        "'" + text.replacingScalar("'", with: "''") + "'"
    }

    /// True for the constant `1`.
    var isTrue: Bool { text.utf8.count == 1 && text == "1" && bindings.isEmpty }
    /// True for the constant `0`.
    var isFalse: Bool { text.utf8.count == 1 && text == "0" && bindings.isEmpty }

    /// The piece, in parentheses unless it binds tighter than the given level.
    func above(_ level: Precedence) -> SQLText {
        precedence > level ? self : parenthesized
    }

    /// Appends another piece of a statement after a space.
    mutating func append(_ piece: SQLText) {
        text.reserveCapacity(text.utf8.count + piece.text.utf8.count + 1)
        if !text.isEmpty { text += " " }
        text += piece.text
        bindings += piece.bindings
        need = max(need, piece.need)
    }

    /// The piece in parentheses.
    var parenthesized: SQLText {
        SQLText(String(joining: "(", text, ")"), bindings, need: need + 1)
    }
}

extension SQLText {
    /// `left operation right`.
    static func infix(_ left: SQLText, _ operation: String, _ right: SQLText, _ level: Precedence) -> SQLText {
        var whole = left.precedence == level && level > .order ? left : left.above(level)
        let right = right.above(level)
        whole.text = String(joining: whole.text, " ", operation, " ", right.text)
        whole.bindings.append(of: right)
        whole.precedence = level
        whole.need = max(whole.need, right.need + 2)
        return whole
    }

    /// `left = right` and similar; the sides bind tighter.
    static func compare(_ left: SQLText, _ operation: String, _ right: SQLText) -> SQLText {
        let first = operation.utf8.first
        let isOrder = first == UInt8(ascii: "<") || first == UInt8(ascii: ">")
        return infix(left, operation, right, isOrder ? .order : .equality)
    }

    /// `piece suffix`, such as `x IS NULL`.
    func followed(by suffix: String) -> SQLText {
        let inner = above(.equality)
        return SQLText(
            String(joining: inner.text, " ", suffix),
            inner.bindings,
            precedence: .equality,
            need: inner.need + 2
        )
    }

    /// `name(a, b)`.
    static func call(_ name: String, _ arguments: [SQLText]) -> SQLText {
        var need = 3
        for (position, argument) in arguments.enumerated() {
            need = max(need, argument.need + (position == 0 ? 3 : 5))
        }
        return SQLText(
            name + "(" + arguments.map(\.text).joined(separator: ", ") + ")",
            arguments.flatMap(\.bindings),
            need: need
        )
    }

    static func call(_ name: String, _ arguments: SQLText...) -> SQLText { call(name, arguments) }

    /// `function(argument) AS alias`, for a FROM.
    static func item(_ function: String, _ argument: SQLText, _ alias: String) -> SQLText {
        var item = call(function, argument)
        item.text += " AS " + alias
        return item
    }

    /// `CASE WHEN a THEN b … ELSE c END`.
    static func choice(_ branches: [(when: SQLText, then: SQLText)], else other: SQLText? = nil) -> SQLText {
        var text = "CASE"
        var bindings: [QueryValue] = []
        var need = 3
        for branch in branches {
            text += " WHEN " + branch.when.text + " THEN " + branch.then.text
            bindings += branch.when.bindings + branch.then.bindings
            need = max(need, branch.when.need + 4, branch.then.need + 6)
        }
        if let other {
            text += " ELSE " + other.text
            bindings += other.bindings
            need = max(need, other.need + 4)
        }
        return SQLText(text + " END", bindings, need: need)
    }

    /// `CASE subject WHEN 'a' THEN x … ELSE y END`.
    static func choice(
        of subject: SQLText,
        _ branches: [(when: [String], then: SQLText)],
        else other: SQLText? = nil
    ) -> SQLText {
        var text = "CASE " + subject.text
        var bindings = subject.bindings
        var need = subject.need + 1
        for branch in branches {
            for word in branch.when {
                text += " WHEN " + quotedText(word) + " THEN " + branch.then.text
                bindings += branch.then.bindings
                need = max(need, branch.then.need + 6)
            }
        }
        if let other {
            text += " ELSE " + other.text
            bindings += other.bindings
            need = max(need, other.need + 5)
        }
        return SQLText(text + " END", bindings, need: need)
    }

    /// `x IN (a, b)`.
    func isIn(_ elements: [SQLText], _ word: String = "IN") -> SQLText {
        let inner = above(.equality)
        return SQLText(
            inner.text + " " + word + " (" + elements.map(\.text).joined(separator: ", ") + ")",
            inner.bindings + elements.flatMap(\.bindings),
            precedence: .equality,
            need: (elements.map(\.need).max() ?? 0) + max(inner.need, 5)
        )
    }

    /// `x IN ('a', 'b')` with words chosen by the library.
    func isOne(of words: [String]) -> SQLText {
        words.count == 1
            ? .compare(self, "=", .literal(words[0]))
            : isIn(words.map { .literal($0) })
    }

    /// `x BETWEEN low AND high`, for bounds of one symbol each.
    static func between(_ value: SQLText, _ low: SQLText, _ high: SQLText) -> SQLText {
        let inner = value.above(.equality)
        return SQLText(
            String(joining: inner.text, " BETWEEN ", low.text, String(joining: " AND ", high.text)),
            inner.bindings + low.bindings + high.bindings,
            precedence: .equality,
            need: inner.need + 4
        )
    }

    /// `x >= low AND x < high`, for bounds of one symbol each.
    static func range(_ value: SQLText, from low: SQLText, to high: SQLText) -> SQLText {
        let inner = value.above(.order)
        let start = String(joining: inner.text, " >= ", low.text, " AND ")
        return SQLText(
            String(joining: start, inner.text, " < ", high.text),
            inner.bindings + low.bindings + inner.bindings + high.bindings,
            precedence: .and,
            need: max(inner.need, low.need + 2) + 2
        )
    }

    /// `CAST(x AS type)`.
    func cast(to type: String) -> SQLText {
        SQLText("CAST(" + text + " AS " + type + ")", bindings, need: need + 2)
    }

    /// `-x`.
    var negated: SQLText {
        let inner = above(.unary)
        return SQLText("-" + inner.text, inner.bindings, precedence: .unary, need: inner.need + 1)
    }

    /// `+x`: the same value without its column's affinity (T2).
    var withoutAffinity: SQLText {
        let inner = above(.unary)
        return SQLText("+" + inner.text, inner.bindings, precedence: .unary, need: inner.need + 1)
    }
}

extension [SQLText] {
    /// The concatenated pieces of a statement.
    func joined() -> SQLText {
        var whole = SQLText("", need: 0)
        for piece in self where !piece.text.isEmpty { whole.append(piece) }
        return whole
    }
}

extension [QueryValue] {
    /// Appends a piece's bindings; if there are none yet, the array is shared.
    mutating func append(of piece: SQLText) {
        if isEmpty { self = piece.bindings } else { self += piece.bindings }
    }
}

extension String {
    /// The concatenated texts, with capacity reserved once.
    init(joining first: String, _ second: String, _ third: String = "", _ fourth: String = "", _ fifth: String = "") {
        self = first
        let rest = second.utf8.count + third.utf8.count + fourth.utf8.count + fifth.utf8.count
        reserveCapacity(utf8.count + rest)
        self += second
        self += third
        self += fourth
        self += fifth
    }

    func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        var result = ""
        for next in unicodeScalars {
            if next == scalar { result += text } else { result.unicodeScalars.append(next) }
        }
        return result
    }
}
