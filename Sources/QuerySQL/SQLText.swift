import QuerySyntax

/// A piece of SQL with its bindings: the only thing that statements are made of.
///
/// It knows how tightly it binds, so parentheses stand only where they must, and how much of the store's parser stack
/// it takes, so a statement that is too deep is refused here and not by the store.
struct SQLText: Sendable {
    /// How tightly the outermost operator binds, loosest first.
    enum Precedence: Int, Comparable, Sendable {
        case or, and, not, equality, order, bits, sum, product, concatenation, unary, atom

        static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
    }

    /// The text, with a `?` per binding.
    var text: String
    /// The values of the `?`, in their order.
    var bindings: [QueryValue]
    var precedence: Precedence
    /// Symbols that the store's parser holds at once while it reads the piece.
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

    /// A whole number that the library chose.
    static func number(_ value: Int) -> SQLText { SQLText(String(value)) }

    /// A text that the library chose, quoted.
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

    /// `left = right` and the like; the sides bind tighter.
    static func compare(_ left: SQLText, _ operation: String, _ right: SQLText) -> SQLText {
        let first = operation.utf8.first
        let isOrder = first == UInt8(ascii: "<") || first == UInt8(ascii: ">")
        return infix(left, operation, right, isOrder ? .order : .equality)
    }

    /// `piece suffix`, such as `x IS NULL`.
    func followed(by suffix: String) -> SQLText {
        let inner = above(.equality)
        return SQLText(String(joining: inner.text, " ", suffix), inner.bindings, precedence: .equality, need: inner.need + 2)
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

    /// `x IN ('a', 'b')` with words that the library chose.
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

extension SQLText {
    /// `(condition) IS NOT 1`: true exactly when the condition is not true.
    var isNotTrue: SQLText {
        if isTrue { return .zero }
        if isFalse { return .one }
        return .infix(above(.order), "IS NOT", .one, .equality)
    }

    /// A condition of two values turned round.
    var not: SQLText {
        if isTrue { return .zero }
        if isFalse { return .one }
        let inner = above(.not)
        return SQLText("NOT " + inner.text, inner.bindings, precedence: .not, need: inner.need + 1)
    }

    /// All of the conditions; constants vanish, long chains become balanced groups.
    static func all(_ parts: [SQLText]) -> SQLText {
        if parts.contains(where: \.isFalse) { return .zero }
        let rest = parts.contains(where: \.isTrue) ? parts.filter { !$0.isTrue } : parts
        return chain(rest, "AND", .and) ?? .one
    }

    static func all(_ first: SQLText, _ second: SQLText, _ third: SQLText) -> SQLText { all([first, second, third]) }

    static func all(_ first: SQLText, _ second: SQLText) -> SQLText {
        if first.isFalse || second.isFalse { return .zero }
        if first.isTrue { return second }
        return second.isTrue ? first : first.chained("AND", second, .and)
    }

    /// Some of the conditions.
    static func some(_ parts: [SQLText]) -> SQLText {
        if parts.contains(where: \.isTrue) { return .one }
        let rest = parts.contains(where: \.isFalse) ? parts.filter { !$0.isFalse } : parts
        return chain(rest, "OR", .or) ?? .zero
    }

    static func some(_ first: SQLText, _ second: SQLText, _ third: SQLText) -> SQLText { some([first, second, third]) }

    static func some(_ first: SQLText, _ second: SQLText) -> SQLText {
        if first.isTrue || second.isTrue { return .one }
        if first.isFalse { return second }
        return second.isFalse ? first : first.chained("OR", second, .or)
    }

    /// Two parts of a chain; where depth begins to matter, the deeper one stands on the left.
    private func chained(_ word: String, _ other: SQLText, _ level: Precedence) -> SQLText {
        let turns = other.need > max(Self.leaning, need)
        var whole = (turns ? other : self).inChain(level)
        let rest = (turns ? self : other).inChain(level)
        whole.text = String(joining: whole.text, " ", word, " ", rest.text)
        whole.bindings.append(of: rest)
        whole.precedence = level
        whole.need = max(whole.need, rest.need + 2)
        return whole
    }

    /// From this need on, what stands on the left of a chain is chosen with care.
    private static let leaning = 40

    /// The most terms that one flat chain may have.
    ///
    /// Stores bound the height of an expression, and a chain is as high as it is long. Thirty of this length may nest.
    private static let chainLength = 24
    /// From this many terms on, the planner looks at the first ones of an AND only: it tries each with each index.
    private static let plannedTerms = 400

    private static func chain(_ parts: [SQLText], _ word: String, _ level: Precedence) -> SQLText? {
        guard let first = parts.first else { return nil }
        if parts.count == 1 { return first }
        if parts.count > chainLength {
            let size = (parts.count + chainLength - 1) / chainLength
            let isLong = level == .and && parts.count > plannedTerms
            let groups = stride(from: 0, to: parts.count, by: max(size, 2)).compactMap { start -> SQLText? in
                let group = chain(Array(parts[start..<min(start + max(size, 2), parts.count)]), word, level)
                guard let group = group?.parenthesized else { return nil }
                return isLong && start > 0 ? .infix(group, "IS", .one, .equality) : group
            }
            return chain(groups, word, level)
        }
        var ordered = leaningLeft(parts)[...]
        guard var whole = ordered.popFirst()?.inChain(level) else { return nil }
        whole.precedence = level
        whole.text.reserveCapacity(
            ordered.reduce(whole.text.utf8.count) { $0 + $1.text.utf8.count + word.utf8.count + 4 }
        )
        whole.bindings.reserveCapacity(ordered.reduce(whole.bindings.count) { $0 + $1.bindings.count })
        for piece in ordered {
            let piece = piece.inChain(level)
            whole.text += " "
            whole.text += word
            whole.text += " "
            whole.text += piece.text
            whole.bindings += piece.bindings
            whole.need = max(whole.need, piece.need + 2)
        }
        return whole
    }

    private func inChain(_ level: Precedence) -> SQLText { precedence == level ? self : above(level) }

    /// The deepest part first when depth begins to matter: what stands on the left costs no parser stack.
    private static func leaningLeft(_ parts: [SQLText]) -> [SQLText] {
        guard parts.contains(where: { $0.need > leaning }),
            let deepest = parts.indices.max(by: { parts[$0].need < parts[$1].need }), deepest > 0
        else { return parts }
        var ordered = parts
        ordered.insert(ordered.remove(at: deepest), at: 0)
        return ordered
    }
}

extension [SQLText] {
    /// The pieces of a statement after each other.
    func joined() -> SQLText {
        var whole = SQLText("", need: 0)
        for piece in self where !piece.text.isEmpty { whole.append(piece) }
        return whole
    }
}

extension [QueryValue] {
    /// Appends a piece's values; where there are none yet, they are shared.
    mutating func append(of piece: SQLText) {
        if isEmpty { self = piece.bindings } else { self += piece.bindings }
    }
}

extension String {
    /// The texts after each other, with room made once.
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
