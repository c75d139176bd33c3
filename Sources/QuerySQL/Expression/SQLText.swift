import QueryTree
import QueryValues

/// A piece of SQL as a tree; ``SQLPrinter`` is the only code that makes text of it.
///
/// A leaf stands in the enum itself. What has parts is an ``SQLCompound``, which knows how much of the store's parser
/// stack it takes and how long it is, so that a statement that is too deep or too long is rejected before it is
/// printed.
enum SQLText: Sendable, ExpressibleByStringLiteral {
    /// The precedence of the outermost operator, loosest first.
    enum Precedence: UInt8, Comparable, Sendable {
        case or, and, not, equality, order, bits, sum, product, concatenation, unary, atom

        static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
    }

    /// A constant condition, printed as `1` or `0`.
    case truth(Bool)
    /// Fixed words of the library, of a dialect, or quoted names: `NULL`, `*`, `x''`.
    case word(String)
    /// A text chosen by the library, printed in quotes.
    case literal(String)
    /// A whole number chosen by the library.
    case number(Int)
    /// A value, printed as a placeholder.
    case bound(QueryValue)
    /// A column by its unquoted name, of a table by its quoted one.
    case column(of: String, String)
    /// Everything that has parts.
    case compound(SQLCompound)

    init(stringLiteral word: String) { self = .word(word) }

    static var one: SQLText { .truth(true) }
    static var zero: SQLText { .truth(false) }
    static var null: SQLText { .word("NULL") }
    static var star: SQLText { .word("*") }

    /// What the store has no form for; ``StatementWriter`` rejects what contains it.
    static var unsupported: SQLText { SQLText(.list([]), need: 1, size: SQLSize(isSupported: false)) }

    /// A placeholder with its value.
    static func bind(_ value: QueryValue) -> SQLText { .bound(value) }

    /// True for the constant condition that always holds.
    var isTrue: Bool { if case .truth(true) = self { true } else { false } }
    /// True for the constant condition that never holds.
    var isFalse: Bool { if case .truth(false) = self { true } else { false } }

    /// True for a constant of the library, which has no parts.
    var isConstant: Bool {
        switch self {
        case .truth, .literal, .number: true
        case .word, .bound, .column, .compound: false
        }
    }

    var precedence: Precedence { if case .compound(let compound) = self { compound.precedence } else { .atom } }

    /// The maximum number of symbols on the store's parser stack while it reads the piece.
    var need: Int { if case .compound(let compound) = self { compound.need } else { 1 } }

    var size: SQLSize {
        switch self {
        case .truth: SQLSize(1)
        case .bound: SQLSize(1, variables: 1)
        case .number: SQLSize(8)
        case .word(let text), .literal(let text): SQLSize(text.utf8.count)
        case .column(let table, let name): SQLSize(table.utf8.count + name.utf8.count + 3)
        case .compound(let compound): compound.size
        }
    }

    /// The piece, in parentheses unless it binds tighter than the given level.
    func above(_ level: Precedence) -> SQLText { precedence > level ? self : parenthesized }

    /// The piece in parentheses.
    var parenthesized: SQLText { SQLText(.parentheses(self), need: need + 1, size: size) }

    /// What the piece needs as a part of one with this level, which may put it in parentheses.
    func need(above level: Precedence) -> Int { precedence > level ? need : need + 1 }

    init(_ form: SQLCompound.Form, _ precedence: Precedence = .atom, need: Int, size: SQLSize) {
        self = .compound(SQLCompound(form, precedence, need: need, size: size))
    }
}

extension [SQLText] {
    var greatestNeed: Int { reduce(0) { Swift.max($0, $1.need) } }
    var size: SQLSize { reduce(SQLSize()) { $0 + $1.size + 2 } }
}

extension SQLText {
    /// `left operation right`.
    static func infix(_ left: SQLText, _ operation: String, _ right: SQLText, _ level: Precedence) -> SQLText {
        let first = left.precedence == level && level > .order ? left.need : left.need(above: level)
        return SQLText(
            .infix(left, operation, right),
            level,
            need: max(first, right.need(above: level) + 2),
            size: left.size + right.size + operation.utf8.count
        )
    }

    /// `left = right` and similar; the sides bind tighter.
    static func compare(_ left: SQLText, _ operation: String, _ right: SQLText) -> SQLText {
        let first = operation.utf8.first
        let isOrder = first == UInt8(ascii: "<") || first == UInt8(ascii: ">")
        return infix(left, operation, right, isOrder ? .order : .equality)
    }

    /// `a || b || c`.
    static func joined(_ first: SQLText, _ rest: SQLText...) -> SQLText {
        rest.reduce(first) { .infix($0, "||", $1, .concatenation) }
    }

    /// `piece suffix`, such as `x IS NULL`.
    func followed(by suffix: String) -> SQLText {
        SQLText(.postfix(self, suffix), .equality, need: need(above: .equality) + 2, size: size + suffix.utf8.count)
    }

    /// The column compared by its bytes, whatever collation it declares (S4).
    var collated: SQLText { SQLText(.postfix(self, "COLLATE BINARY"), .unary, need: need + 2, size: size + 15) }

    /// The column of ``collated``.
    var uncollated: SQLText? {
        guard case .compound(let compound) = self, case .postfix(let column, "COLLATE BINARY") = compound.form else {
            return nil
        }
        return column
    }

    /// `word piece`, such as `NOT x` and `-x`.
    func preceded(by word: String, _ level: Precedence = .unary) -> SQLText {
        SQLText(.prefix(word, self), level, need: need(above: level) + 1, size: size + word.utf8.count)
    }

    /// `-x`.
    var negated: SQLText { preceded(by: "-") }

    /// `+x`: the same value without its column's affinity (T2).
    var withoutAffinity: SQLText { preceded(by: "+") }

    /// `name(a, b)`; `isGiven` for a function that the store must be given.
    static func call(_ name: String, _ arguments: [SQLText], isGiven: Bool = false) -> SQLText {
        var need = 3
        for (position, argument) in arguments.enumerated() { need = max(need, argument.need + (position == 0 ? 3 : 5)) }
        return SQLText(.call(name, arguments, isGiven: isGiven), need: need, size: arguments.size + name.utf8.count)
    }

    static func call(_ name: String, _ arguments: SQLText...) -> SQLText { call(name, arguments) }

    /// Pieces one after the other; a text in quotes is a word here.
    static func phrase(_ pieces: [SQLText], _ level: Precedence = .atom, need: Int) -> SQLText {
        SQLText(.phrase(pieces), level, need: need, size: pieces.reduce(SQLSize()) { $0 + $1.size })
    }

    /// `CASE WHEN a THEN b … ELSE c END`.
    static func choice(_ branches: [(when: SQLText, then: SQLText)], else other: SQLText? = nil) -> SQLText {
        var (pieces, need): ([SQLText], Int) = (["CASE"], 3)
        for branch in branches {
            pieces += [" WHEN ", branch.when, " THEN ", branch.then]
            need = max(need, branch.when.need + 4, branch.then.need + 6)
        }
        if let other { pieces += [" ELSE ", other] }
        return phrase(pieces + [" END"], need: max(need, (other?.need ?? 0) + 4))
    }

    /// `CASE subject WHEN 'a' THEN x … ELSE y END`.
    static func choice(
        of subject: SQLText,
        _ branches: [(when: [String], then: SQLText)],
        else other: SQLText? = nil
    ) -> SQLText {
        var (pieces, need): ([SQLText], Int) = (["CASE ", subject], subject.need + 1)
        for branch in branches {
            for word in branch.when { pieces += [" WHEN ", .literal(word), " THEN ", branch.then] }
            need = max(need, branch.then.need + 6)
        }
        if let other { pieces += [" ELSE ", other] }
        return phrase(pieces + [" END"], need: max(need, other.map { $0.need + 5 } ?? 0))
    }

    /// `x IN (a, b)`.
    func isIn(_ elements: [SQLText], _ word: String = "IN") -> SQLText {
        let list = SQLText(
            .call(" " + word + " ", elements, isGiven: false),
            need: elements.greatestNeed,
            size: elements.size + 8
        )
        return .phrase([above(.equality), list], .equality, need: list.need + max(need(above: .equality), 5))
    }

    /// `x IN ('a', 'b')` with words chosen by the library.
    func isOne(of words: [String]) -> SQLText {
        words.count == 1
            ? .compare(self, "=", .literal(words[0]))
            : isIn(words.map { .literal($0) })
    }

    /// `x IN (SELECT …)`.
    func isIn(_ rows: SQLSelect) -> SQLText {
        let need = max(need(above: .equality), rows.need + 8)
        return .phrase([above(.equality), " IN ", rows.piece.parenthesized], .equality, need: need)
    }

    /// `x BETWEEN low AND high`, for bounds of one symbol each.
    static func between(_ value: SQLText, _ low: SQLText, _ high: SQLText) -> SQLText {
        let need = value.need(above: .equality) + 4
        return phrase([value.above(.equality), " BETWEEN ", low, " AND ", high], .equality, need: need)
    }

    /// `x >= low AND x < high`, for bounds of one symbol each.
    static func range(_ value: SQLText, from low: SQLText, to high: SQLText) -> SQLText {
        .all(.compare(value, ">=", low), .compare(value, "<", high))
    }

    /// `CAST(x AS type)`.
    func cast(to type: String) -> SQLText {
        SQLText(.cast(self, type), need: need + 2, size: size + type.utf8.count + 10)
    }

    /// `a, b`.
    static func list(_ pieces: [SQLText]) -> SQLText {
        SQLText(.list(pieces), need: pieces.greatestNeed + 2, size: pieces.size)
    }

    /// `(a, b)`.
    static func row(_ pieces: [SQLText]) -> SQLText { list(pieces).parenthesized }
}

// Parts of a statement.

extension SQLText {
    /// `piece AS name`.
    func named(_ name: String) -> SQLText { SQLText(.named(self, name), need: need, size: size + name.utf8.count + 4) }

    /// `function(argument) AS alias`, for a FROM.
    static func item(_ function: String, _ argument: SQLText, _ alias: String) -> SQLText {
        call(function, argument).named(alias)
    }

    /// `piece ASC NULLS FIRST`.
    func sorted(_ direction: String) -> SQLText {
        direction.isEmpty ? self : SQLText(.sorted(self, direction), need: need, size: size + direction.utf8.count)
    }

    /// What a piece of ORDER BY sorts by.
    var sortedPiece: SQLText {
        guard case .compound(let compound) = self, case .sorted(let piece, _) = compound.form else { return self }
        return piece
    }

    /// What `piece AS name` names.
    var namedPiece: SQLText? {
        guard case .compound(let compound) = self, case .named(let piece, _) = compound.form else { return nil }
        return piece
    }

    /// True for the same column.
    func isColumn(_ other: SQLText) -> Bool {
        guard case .column(let table, let name) = self, case .column(let otherTable, let otherName) = other else {
            return false
        }
        return name.hasSameUTF8(as: otherName) && table.hasSameUTF8(as: otherTable)
    }

    /// `(SELECT …)`.
    static func select(_ select: SQLSelect) -> SQLText { phrase([select.piece.parenthesized], need: select.need + 8) }

    /// `EXISTS (SELECT …)`.
    static func exists(_ select: SQLSelect) -> SQLText {
        phrase(["EXISTS ", select.piece.parenthesized], need: select.need + 8)
    }

    /// `(SELECT … UNION ALL SELECT …)`.
    static func rows(_ selects: [SQLSelect], _ word: String = "UNION ALL") -> SQLText {
        let pieces = selects.map(\.piece)
        let size = pieces.size + 10 * pieces.count
        return SQLText(.chain(word, pieces), need: pieces.greatestNeed + 7, size: size).parenthesized
    }

    /// `piece LEFT JOIN table ON condition`.
    func leftJoined(_ table: SQLText, on condition: SQLText) -> SQLText {
        let need = max(need, table.need, condition.need + 8)
        return .phrase([self, " LEFT JOIN ", table, " ON ", condition], need: need)
    }
}

extension SQLText {
    /// True if the piece has a SELECT inside.
    var containsSelect: Bool {
        contains { if case .compound(let compound) = $0, case .select = compound.form { true } else { false } }
    }

    /// True if a column of a table occurs in the piece.
    func mentions(table: String) -> Bool {
        contains { if case .column(let other, _) = $0 { table.hasSameUTF8(as: other) } else { false } }
    }

    private func contains(_ isSought: (SQLText) -> Bool) -> Bool {
        var pieces = [self]
        while let piece = pieces.popLast() {
            if isSought(piece) { return true }
            if case .compound(let compound) = piece { pieces += compound.form.parts }
        }
        return false
    }
}

extension String {
    /// The concatenated texts, with capacity reserved once.
    init(joining first: String, _ second: String, _ third: String) {
        self = first
        reserveCapacity(utf8.count + second.utf8.count + third.utf8.count)
        self += second
        self += third
    }

    /// The text with every quote in it doubled.
    func doubling(_ quote: String) -> String {
        guard let first = quote.utf8.first, holds(first), let scalar = quote.unicodeScalars.first else { return self }
        return replacingScalar(scalar, with: quote + quote)
    }

    /// True if a byte occurs in the text.
    func holds(_ byte: UInt8) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
    }

    package func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        return unicodeScalars.split(separator: scalar, omittingEmptySubsequences: false).map { String($0) }
            .joined(separator: text)
    }
}
