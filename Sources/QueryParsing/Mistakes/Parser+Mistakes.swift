import QueryChecking
import QueryTree
import QueryValues

// The texts of all mistakes: what was expected, what to write instead, and where possible a fix.

typealias Fix = QueryError.Fix

extension Parser {
    func syntax(_ message: String, _ range: Range<Int>, hint: String? = nil, fix: Fix? = nil) -> Mistake {
        Mistake(.syntax, message, range: range, hint: hint, fix: fix)
    }

    /// A part of the text that is written in another way.
    func instead(of range: Range<Int>, _ message: String, _ meant: String, or rest: String = "") -> Mistake {
        syntax(message, range, hint: "write \(meant)" + rest, fix: Fix(range: range, replacement: meant))
    }

    /// What the row's fields tell of a term.
    func type(of node: ParsedNode) -> FieldType { node.term.map { TypeScope(schema).type(of: $0) } ?? .any }

    /// A part of the text that should not be there.
    func superfluous(_ message: String, _ range: Range<Int>) -> Mistake {
        syntax(message, range, hint: "leave it out", fix: Fix(range: range, replacement: ""))
    }

    /// The text of a range, as it was written.
    func text(_ range: Range<Int>) -> String {
        String(decoding: lexer.bytes[range], as: UTF8.self)
    }

    /// A description of the next token.
    var found: String {
        switch token.kind {
        case .end: "the end of the text"
        case .string: "a text in quotes"
        default: "`\(shortened(token.range))`"
        }
    }

    /// The tokens that begin in a range of the text.
    func tokens(_ range: Range<Int>, atMost most: Int = .max, until last: Token.Kind? = nil) -> [Token] {
        var probe = lexer
        probe.position = range.lowerBound
        var tokens: [Token] = []
        while tokens.count < most, tokens.isEmpty || tokens.last?.kind != last, case let token = probe.next(),
            token.kind != .end, token.start < range.upperBound
        { tokens.append(token) }
        return tokens
    }

    /// True if a range holds operators of which one binds more tightly than another, so that parentheses matter.
    func isMixed(_ range: Range<Int>) -> Bool {
        let kinds = tokens(range).map(\.kind)
        let joins = Set(kinds.filter { $0 == .logical(.and) || $0 == .logical(.or) || $0 == .logical(.not) })
        let sums = Set(kinds.compactMap { $0 == .logical(.and) || $0 == .logical(.or) ? nil : $0.strength })
        return joins.count > 1 || sums.subtracting([.comparison]).count > 1
    }

    func shortened(_ range: Range<Int>) -> String {
        range.count <= 40 ? text(range) : String(text(range).prefix(30)) + "…"
    }

    /// Something else is expected here.
    func unexpected(_ expected: String) -> Mistake {
        if token.kind == .invalid { return lexicalError() }
        return syntax("expected \(expected), found \(found)", token.range)
    }

    func emptyText() -> Mistake {
        syntax("the text is empty, expected a condition", token.range, hint: "write TRUEPREDICATE for all rows")
    }

    func tooDeep(_ range: Range<Int>) -> Mistake {
        Mistake(
            .limit,
            "nested more than \(limits.nesting) deep",
            range: range,
            hint: "parentheses, lists, calls, indices, NOT and minus count; AND, OR and sums do not"
        )
    }

    func tooManyElements(_ range: Range<Int>) -> Mistake {
        Mistake(
            .limit,
            "a list has more than \(limits.listElements) elements",
            range: range,
            hint: "bind the list to a variable, or split the query"
        )
    }

    func pathTooLong() -> Mistake {
        Mistake(.limit, "a path has more than \(limits.pathParts) keys", range: token.range)
    }

    func intRange(_ range: Range<Int>) -> Mistake {
        syntax(
            "the number does not fit in 64 bits",
            range,
            hint: "whole numbers go from \(Int64.min) to \(Int64.max); with `.0` it is a double"
        )
    }

    func dateRange(_ range: Range<Int>) -> Mistake {
        syntax("the date is out of range", range, hint: "seconds count from 2001-01-01 UTC")
    }
}

// MARK: - Terms and conditions

extension Parser {
    /// A term where a condition must be.
    func noPredicate(_ node: ParsedNode) -> Mistake {
        if let bounds = joinedBounds(node) { return bounds }
        if node.end == previousEnd, !endsCondition { return leftover(after: node, "a comparison") }
        guard case .term(let term) = node.content else { return unexpected("a condition") }
        switch term {
        case .value(.bool(let value), _):
            let word: ReservedWord = value ? .truePredicate : .falsePredicate
            return instead(of: node.range, "a value is not a condition", word.rawValue)
        case .value, .list: return syntax("a value is not a condition: compare it with something", node.range)
        case .aggregate, .index(_, .size, _):
            return syntax(
                "`\(shortened(node.range))` is not a condition: expected a comparison after it",
                node.range,
                hint: "compare it with something, such as `\(shortened(node.range)) > 0`"
            )
        case .field, .variable, .path, .index: return noCondition(node)
        default: return syntax("an expression is not a condition: expected a comparison after it", node.range)
        }
    }

    /// A key where a condition must be: a bool, or what other languages make of it.
    private func noCondition(_ node: ParsedNode) -> Mistake {
        let message = "`\(shortened(node.range))` is not a condition: expected a comparison after it"
        let path = text(node.range)
        if path.hasSuffix(".isEmpty") {
            let isNegated = tokens(0..<node.start).last?.kind == .logical(.not)
            let hint = emptiness(of: String(path.dropLast(".isEmpty".count)), isNegated: isNegated)
            return syntax(message, node.range, hint: isNegated ? hint + ", without NOT" : hint)
        }
        if token.kind == .logical(.or), isSign(token), tokens(token.end..<lexer.bytes.count).first?.kind == .string {
            return syntax(message, node.range, hint: "`||` is OR; there is no operator that joins texts")
        }
        if let example = type(of: node).comparison(of: shortened(node.range)) {
            return syntax(message, node.range, hint: "it holds \(type(of: node).name): compare it, as in `\(example)`")
        }
        let suffix = " \(Comparison.Operator.equal.spelling) \(ReservedWord.true.rawValue)"
        return syntax(
            message,
            node.range,
            hint: "write `\(shortened(node.range))\(suffix)` if it is a bool",
            fix: Fix(range: node.end..<node.end, replacement: suffix)
        )
    }

    /// What to write for an empty text or list, or one that is not.
    func emptiness(of path: String, isNegated: Bool) -> String {
        let sign = (isNegated ? Comparison.Operator.notEqual : .equal).spelling
        return "write \(path) \(sign) '' for a text, \(path).@count \(isNegated ? ">" : "==") 0 for a list"
    }

    /// True if the next token can end a condition.
    var endsCondition: Bool {
        switch token.kind {
        case .end, .close, .comma, .closeBrace, .closeBracket, .logical(.and), .logical(.or): true
        default: false
        }
    }

    /// A condition where a term must be.
    func noTerm(_ node: ParsedNode) -> Mistake {
        syntax(
            "a condition is not a value: expected a key, a number, a text or another value",
            node.range,
            hint: "TERNARY(condition, a, b) turns a condition into a value"
        )
    }

    /// `(a == 1) == TRUE`.
    mutating func comparedPredicate(_ node: ParsedNode) -> Mistake {
        let sign = token
        advance()
        var fix: Fix?
        if sign.kind == .comparison(.equal), token.kind == .reserved(.true) {
            fix = Fix(range: node.end..<token.end, replacement: "")
        }
        return syntax(
            "a condition has no value to compare",
            sign.range,
            hint: "leave the comparison out, or put NOT in front of the condition",
            fix: fix
        )
    }

    /// `1 < a < 10`.
    func chained(_ left: ParsedNode, _ sign: Token, _ right: ParsedNode, from start: Int) -> Mistake {
        if case .call(let function, let parts, _)? = right.term, !right.isGroup, parts.count == 2,
            let first = parts[0].origin.range, let second = parts[1].origin.range,
            function == .bitwiseAnd || function == .bitwiseOr,
            let place = (first.upperBound..<second.lowerBound).first(where: {
                lexer.bytes[$0] == lexer.bytes[first.upperBound + gap(first.upperBound)]
            })
        {
            let word: LogicalWord = function == .bitwiseAnd ? .and : .or
            return syntax(
                "comparisons cannot be chained",
                token.range,
                hint: "a single sign is a bit operator; write \(word.spellings[0]) between conditions",
                fix: Fix(range: place..<(place + 1), replacement: word.spellings[1])
            )
        }
        let shared = start == left.start ? bounded(left, sign, right) : nil
        return syntax(
            "comparisons cannot be chained",
            token.range,
            hint: "join both comparisons with AND, or write BETWEEN {low, high}",
            fix: shared.map {
                Fix(range: right.end..<right.end, replacement: " \(LogicalWord.and.spellings[0]) \(text($0.range))")
            }
        )
    }

    /// The term that both signs of a chain are about: `age` of `1 < age < 10` and of `age > 1 < 10`; nil where it is not
    /// known what was meant, as in `age > 3 == TRUE`.
    private func bounded(_ left: ParsedNode, _ sign: Token, _ right: ParsedNode) -> ParsedNode? {
        guard let isUpper = isUpperBound(sign), let isUpperToo = isUpperBound(token) else { return nil }
        guard right.term?.constantValue != nil else { return isUpper == isUpperToo ? right : nil }
        var probe = self
        probe.advance()
        guard left.term?.constantValue == nil, isUpper != isUpperToo,
            let last = try? probe.expression(.set), last.term?.constantValue?.kind == right.term?.constantValue?.kind
        else { return nil }
        return left
    }

    private func isUpperBound(_ sign: Token) -> Bool? {
        switch sign.kind {
        case .comparison(.less), .comparison(.lessOrEqual): true
        case .comparison(.greater), .comparison(.greaterOrEqual): false
        default: nil
        }
    }

    private func gap(_ index: Int) -> Int { lexer.skippingSpace(from: index) - index }

    /// ANY or a similar word without a comparison after the collection.
    func unfinishedComparison(_ left: ParsedNode) -> Mistake {
        guard let condition = left.condition else { return leftover(after: left, "a comparison") }
        guard left.isGroup else { return noTerm(left) }
        let start = lexer.skippingSpace(from: left.start + 1)
        let inner = text(start..<(left.end - 1))
        let space = lexer.isClass(lexer.byte(at: left.start - 1), .letter) ? " " : ""
        var isOne = false
        if case .comparison(let comparison) = condition { isOne = comparison.quantifier == nil }
        return syntax(
            "a quantifier belongs to one comparison, without parentheses",
            left.range,
            hint: isOne
                ? "leave the parentheses out" : "for conditions of one element write SUBQUERY(list, $x, …).@count > 0",
            fix: isOne ? Fix(range: left.range, replacement: space + inner) : nil
        )
    }

    /// An operand is missing; the fix depends on what is there instead.
    mutating func missingOperand() -> Mistake {
        let expected = "a key, a number, a text or another value"
        switch token.kind {
        case .comparison, .logical(.and), .logical(.or):
            let isCalled = isWord(token) && lexer.byteAhead() == UInt8(ascii: "(")
            if isCalled, case .comparison(let operation) = token.kind, let mistake = operatorCall(operation, token) {
                return mistake
            }
            if isWord(token), isKeyPlace {
                return syntax(
                    "`\(text(token.range))` is an operator and cannot be a key",
                    token.range,
                    hint: "write `#\(text(token.range))` for the key of that name",
                    fix: Fix(range: token.start..<token.start, replacement: "#")
                )
            }
            // `or=(a.gt.3,b.lt.1)` of PostgREST.
            let after = tokens(token.end..<lexer.bytes.count, atMost: 2)
            if isWord(token), after.first.map({ text($0.range) }) == "=", after.last?.kind == .open {
                return syntax(
                    "expected \(expected) before `\(text(token.range))`",
                    token.range,
                    hint: "write \(text(token.range).uppercased()) between conditions: "
                        + "age > 3 \(text(token.range).uppercased()) age < 1"
                )
            }
            if let null = printedNull { return null }
            if token.kind == .comparison(.equal), let sign = tornSign { return sign }
            if token.kind == .comparison(.equal), previousIsSign { return doubledSign() }
            let before = text(previousStart..<previousEnd)
            if !isCalled, ["ANY", "ALL", "NONE", "SOME", "NOT"].contains(before.uppercased()) {
                return reservedKey("expected \(expected) before `\(text(token.range))`")
            }
            return syntax("expected \(expected) before `\(text(token.range))`", token.range)
        case .reserved(.truePredicate), .reserved(.falsePredicate):
            return syntax("a condition is not a value", token.range)
        case .arithmetic(.add, _):
            return superfluous("numbers take no plus sign", token.range)
        case .dot: return leadingDot()
        case .openBracket: return bracket(expected)
        case .arithmetic(.multiply, _): return anyElement ?? unexpected(expected)
        case .arithmetic(.divide, _): return slash() ?? unexpected(expected)
        case .end where isComparedWithNone:
            let word = previousStart..<previousEnd
            return instead(of: word, "`\(text(word))` is a quantifier, not a value", ReservedWord.null.rawValue)
        case .selector: return instant ?? searchTerm ?? selector()
        default: return unexpected(expected)
        }
    }

    /// The word before the next token has a meaning, and a key of its name was meant.
    func reservedKey(_ message: String) -> Mistake {
        syntax(
            message,
            token.range,
            hint: "write `#\(text(previousStart..<previousEnd))` for the key of that name",
            fix: Fix(range: previousStart..<previousStart, replacement: "#")
        )
    }

    /// True when a comparison or a step follows the word that comes next, so that a key was meant.
    private var isKeyPlace: Bool {
        var probe = self
        probe.advance()
        switch probe.token.kind {
        // `or=(…)` of PostgREST is no comparison.
        case .comparison: return lexer.byte(at: lexer.skippingSpace(from: probe.token.end)) != UInt8(ascii: "(")
        case .dot, .arithmetic: return true
        default: return false
        }
    }

    private var previousIsSign: Bool {
        previousEnd > 0 && UInt8(ascii: "=") == lexer.bytes[previousEnd - 1]
    }

    private func doubledSign() -> Mistake {
        let fix = Fix(range: token.range, replacement: "")
        return syntax("two operators in a row", token.range, hint: "leave the second out", fix: fix)
    }

    /// `a == None` of Python.
    private var isComparedWithNone: Bool {
        guard text(previousStart..<previousEnd).uppercased() == "NONE" else { return false }
        let before = lexer.bytes[..<previousStart].last { $0 != UInt8(ascii: " ") }
        return before == UInt8(ascii: "=") || before == UInt8(ascii: ">")
    }

    /// Where the last word before the next token begins.
    var previousStart: Int {
        var start = previousEnd
        while start > 0, lexer.isClass(lexer.byte(at: start - 1), .letter) { start -= 1 }
        return start
    }

    private func bracket(_ expected: String) -> Mistake {
        let end = lexer.bytes[token.end...].firstIndex(of: UInt8(ascii: "]"))
        if let end, let key = quotedKey(token.start..<(end + 1), token.end..<end) { return key }
        let hint = "lists are written in braces: {1, 2}; an index follows a value: a[0]"
        return syntax("expected \(expected), found `[`", token.range, hint: hint, fix: bracesFix(from: token.start))
    }
}
