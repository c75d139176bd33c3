import QueryChecking
import QueryTree
import QueryValues

// Superfluous text after a complete part.

extension Parser {
    /// Something follows the whole query.
    mutating func stray(after node: ParsedNode) -> Mistake {
        leftover(after: node, "AND, OR or the end of the text")
    }

    /// A group is not closed: `(1, 2)`, `(a == 1`, or a mistake inside.
    mutating func unclosedGroup(from start: Int, _ inner: ParsedNode) -> Mistake {
        switch token.kind {
        case .end: return unclosed("(", ")", from: start)
        case .comma where inner.term != nil:
            return syntax(
                "lists are written in braces",
                start..<token.end,
                hint: "write {…} instead of (…)",
                fix: bracesFix(from: start)
            )
        default: return leftover(after: inner, "`)`")
        }
    }

    func unclosedList(from start: Int) -> Mistake {
        if token.kind == .end { return unclosed("{", "}", from: start) }
        if token.kind == .invalid, lexer.byte(at: token.start) == UInt8(ascii: ":") { return objectFilter(from: start) }
        return unexpected("`,` or `}`")
    }

    func listedPredicate(_ node: ParsedNode, from start: Int) -> Mistake {
        guard token.kind == .closeBrace else { return noTerm(node) }
        return syntax(
            "braces hold a list of values, not a condition",
            start..<token.end,
            hint: "write ( ) around conditions",
            fix: Fix(range: start..<token.end, replacement: "(" + text((start + 1)..<token.start) + ")")
        )
    }

    func unclosedIndex() -> Mistake {
        switch token.kind {
        case .comma: syntax("an index is a single value", token.range, hint: "write a[0][1] for two indexes")
        default: unexpected("`]` after the index")
        }
    }

    func unclosedCall(_ name: Token) -> Mistake {
        if token.kind == .end { return unexpected("`)` after the arguments of \(shortened(name.range))") }
        return unexpected("`,` or `)` in the arguments of \(shortened(name.range))")
    }

    /// Takes the parenthesis that closes a special call.
    mutating func takeClosing(_ name: String, _ last: ParsedNode) throws(Mistake) {
        if token.kind == .close { return advance() }
        if token.kind == .comma { throw unexpected("`)`: \(name) takes three arguments") }
        throw token.kind == .end ? unexpected("`)` after \(name)") : leftover(after: last, "`)` after \(name)")
    }

    func trailingComma() -> Mistake {
        syntax(
            "expected a value after the comma",
            token.range,
            hint: "leave the comma out",
            fix: Fix(range: (token.start - 1)..<token.start, replacement: "").onlyComma(lexer)
        )
    }

    private func unclosed(_ open: String, _ close: String, from start: Int) -> Mistake {
        syntax(
            "`\(open)` is not closed: expected `\(close)`",
            start..<(start + 1),
            hint: "add `\(close)`",
            fix: isMixed(start..<token.start) ? nil : Fix(range: token.start..<token.start, replacement: close)
        )
    }

    /// A token that cannot follow the preceding part.
    func leftover(after node: ParsedNode, _ expected: String) -> Mistake {
        switch token.kind {
        case .end where node.term != nil: return unexpected(expected)
        case .invalid: return lexicalError(after: node)
        case .comma where node.condition != nil:
            if let separator = thousands { return separator }
            var probe = self
            probe.advance()
            // A value after it is one of a list.
            let isCondition = (try? probe.expression(.comparison))?.condition != nil
            return syntax(
                "a comma does not join conditions: expected AND or OR",
                token.range,
                hint: isCondition ? "write AND" : "a list is written in braces: {1, 2}",
                fix: isCondition ? Fix(range: token.range, replacement: " \(LogicalWord.and.spellings[0])") : nil
            )
        case .close:
            return syntax(
                "`)` closes nothing",
                token.range,
                hint: "leave it out, or open it",
                fix: isMixed(0..<lexer.bytes.count) ? nil : Fix(range: token.range, replacement: "")
            )
        case .selector: return selector()
        case .logical(.not) where node.term != nil: return notBeforeOperator(node)
        case .variable where node.end == token.start: return keyWithSign ?? unexpected(expected)
        case .logical(.any), .logical(.all), .logical(.none):
            return syntax("a quantifier goes before the whole comparison", token.range)
        case .aggregate where node.term != nil && node.end == token.start:
            return syntax(
                "a dot is missing before `\(shortened(token.range))`",
                token.range,
                hint: "write .\(shortened(token.range))",
                fix: Fix(range: token.start..<token.start, replacement: ".")
            )
        case .word, .reserved: return strayWord(after: node, expected)
        case .string: return strayText ?? unexpected(expected)
        default: return shellCall(after: node) ?? method(after: node) ?? unexpected(expected)
        }
    }

    /// `100,000`.
    private var thousands: Mistake? {
        func isDigit(_ index: Int) -> Bool { lexer.isClass(lexer.byte(at: index), .digit) }
        guard token.start > 0, isDigit(token.start - 1), (0..<3).allSatisfy({ isDigit(token.end + $0) }),
            !isDigit(token.end + 3)
        else { return nil }
        let fix = Fix(range: token.range, replacement: "")
        return syntax("numbers have no separators", token.range, hint: "leave the comma out", fix: fix)
    }

    /// `a NOT IN {…}`.
    private func notBeforeOperator(_ node: ParsedNode) -> Mistake {
        var probe = self
        probe.advance()
        let not = LogicalWord.not.spellings[0]
        if isSign(token), isSign(probe.token) { return strayBang(before: probe.token, node) }
        guard case .comparison = probe.token.kind else { return syntax("\(not) goes before a condition", token.range) }
        let operation = text(probe.token.range)
        // Under a quantifier it would be one of all comparisons, not of each.
        let isQuantified = tokens(0..<node.start).last?.isQuantifier ?? false
        // A list in other signs, so that one fix is enough.
        let list = probe.token.kind == .comparison(.in) ? probe.foreignList : nil
        let end = list?.range.upperBound ?? probe.token.end
        let mended = list.map { text(probe.token.start..<$0.range.lowerBound) + $0.replacement } ?? operation
        return syntax(
            "\(not) goes before the comparison",
            token.range,
            hint: isQuantified ? nil : "write \(not) \(shortened(node.range)) \(operation) …",
            fix: isQuantified
                ? nil
                : Fix(range: node.start..<end, replacement: "\(not) \(text(node.range)) \(mended)")
        )
    }

    /// `[a, b]` and `('a', 'b')` after an operator, in braces.
    private var foreignList: Fix? {
        var probe = self
        probe.advance()
        let bracket = probe.token
        switch bracket.kind {
        case .openBracket:
            probe.advance()
            return probe.bracketedList(.in, token, bracket)?.error.fix
        case .open:
            let isList = tokens(bracket.end..<lexer.bytes.count, atMost: 2).last?.kind == .comma
            return isList ? probe.bracesFix(from: bracket.start) : nil
        default: return nil
        }
    }

    /// `a! == 1`, `a ! = 1`, and `a !> 1`, which is not greater.
    private func strayBang(before next: Token, _ node: ParsedNode) -> Mistake {
        if next.start == token.end, lexer.byte(at: next.start) == UInt8(ascii: "~") {
            let hint = "write \(LogicalWord.not.spellings[0]) \(shortened(node.range)) MATCHES … for the whole text"
            return syntax("there is no operator `!~`", token.start..<(next.start + 1), hint: hint)
        }
        if next.start == token.end, case .comparison(let operation) = next.kind, operation != .equal {
            let not = LogicalWord.not.spellings[0]
            return syntax(
                "there is no operator `!\(text(next.range))`",
                token.start..<next.end,
                hint: "write \(not) \(shortened(node.range)) \(text(next.range)) …",
                fix: Fix(range: node.start..<next.end, replacement: "\(not) \(text(node.range)) \(text(next.range))")
            )
        }
        let unequal = Comparison.Operator.notEqual.spelling
        let isSplit = next.kind == .comparison(.equal) && next.range.count == 1
        // `a! = 1` and `a ! == 1` may be either.
        let isApart = token.start > node.end
        return syntax(
            "`!` goes before a condition",
            token.range,
            hint: isApart || isSplit ? "write `\(unequal)` without a space, or leave it out" : "leave it out",
            fix: isSplit != isApart
                ? nil
                : isSplit
                    ? Fix(range: token.start..<next.end, replacement: unequal)
                    : Fix(range: token.range, replacement: "")
        )
    }

    /// `isKindOfClass:` as an operator (S25).
    func selector() -> Mistake {
        if lexer.byteAhead() == UInt8(ascii: ":") || text(token.range).contains("::") {
            return syntax("colons are not allowed here", token.range)
        }
        if let brace = braceBefore { return objectFilter(from: brace) }
        let isOfClasses = ["iskindofclass:", "ismemberofclass:"].contains(text(token.range).lowercased())
        return Mistake(
            .selectorOperator,
            "a selector is not an operator: `\(shortened(token.range))` would call any method",
            range: token.range,
            hint: isOfClasses
                ? "rows have no classes: compare a field that tells them apart"
                : "use one of " + Self.comparisonWords.joined(separator: ", ")
        )
    }

    static let comparisonWords = Comparison.Operator.table.filter { !$0.isCall }.map { $0.spellings[0] }
}

extension Fix {
    /// The fix when it removes a comma, nil otherwise.
    fileprivate func onlyComma(_ lexer: Lexer) -> Fix? {
        lexer.byte(at: range.lowerBound) == UInt8(ascii: ",") ? self : nil
    }
}

// MARK: - Words

extension Parser {
    /// Words of other languages and their names here.
    static let aliases: [String: Comparison.Operator] = [
        "STARTSWITH": .beginsWith, "HASPREFIX": .beginsWith, "PREFIX": .beginsWith, "HASSUFFIX": .endsWith,
        "INCLUDES": .contains, "HAS": .contains,
        "EQUALS": .equal, "EQ": .equal, "NE": .notEqual, "LT": .less, "LE": .lessOrEqual, "LTE": .lessOrEqual,
        "GT": .greater, "GE": .greaterOrEqual, "GTE": .greaterOrEqual,
    ]

    /// A word where an operator is expected.
    private func strayWord(after node: ParsedNode, _ expected: String) -> Mistake {
        let word = text(token.range)
        let upper = word.uppercased()
        if upper == "UTI", lexer.byte(at: token.end) == UInt8(ascii: "-") { return utiOperator(node) }
        if Self.units.contains(upper), lexer.isClass(lexer.byte(at: previousEnd - 1), .digit) {
            return syntax("expected \(expected), found `\(word)`", token.range, hint: Self.intervals)
        }
        guard node.condition != nil else { return strayWordAfterTerm(node, word, upper, expected) }
        if previousEnd == token.start, let options = lateOptions { return options }
        if let quote = quoteInside { return quote }
        if let mistake = queryPart(upper) { return mistake }
        let other: String? =
            switch upper {
            case "ORDER", "SORT", "LIMIT", "DISTINCT", "GROUP":
                "order, skip and limit belong to the query, not to the condition"
            case "INCLUDE": "leave it out: rows have all their fields, or those that the query names"
            case "XOR": "exclusive or is (a AND NOT b) OR (b AND NOT a)"
            default: nil
            }
        if let other { return syntax("expected \(expected), found `\(word)`", token.range, hint: other) }
        let meant = ["AND", "OR"].first(where: word.isTypo)
        let before = tokens(0..<token.start)
        let isComment = zip(before, before.dropFirst()).contains { minus, next in
            minus.end == next.start && text(minus.start..<next.end) == "--"
        }
        return syntax(
            "expected \(expected), found `\(shortened(token.range))`",
            token.range,
            hint: meant.map { "did you mean \($0)?" } ?? (isComment ? "`--` begins no comment: leave it out" : nil),
            fix: meant.map { Fix(range: token.range, replacement: $0) }
        )
    }

    /// `'O'Neil'`: a word right after a text, and a quote later.
    private var quoteInside: Mistake? {
        let place = token.start - 1
        guard place > 0, place == previousEnd - 1, case let quote = lexer.byte(at: place),
            quote == 0x27 || quote == 0x22
        else { return nil }
        let isClosed = lexer.bytes[token.end...].contains(quote)
        return syntax(
            "the text ends before `\(shortened(token.range))`",
            token.range,
            hint: "inside a text, write a quote as \\' or \\\"",
            fix: isClosed ? Fix(range: place..<place, replacement: "\\") : nil
        )
    }

    private func strayWordAfterTerm(_ node: ParsedNode, _ word: String, _ upper: String, _ expected: String) -> Mistake
    {
        if upper == "IS" || upper == "ISNULL" || upper == "NOTNULL" { return isNull(upper, node) }
        if let other = ofOtherLanguages(upper, node) ?? wordBetween(upper, node) { return other }
        if let start = foreignStart(node) { return start }
        if upper == "ILIKE" {
            let hint = "write LIKE[c]; its patterns have * and ? for % and _"
            return foreignPattern(token.range, .like, options: "[c]", hint, Self.wildcards)
        }
        if upper == "SIMILAR" {
            let hint = "write LIKE with * and ? for % and _, or MATCHES with a regular expression"
            return syntax("there is no operator `SIMILAR TO`", token.range, hint: hint)
        }
        if ["REGEXP", "REGEX", "RLIKE"].contains(upper) {
            return foreignPattern(token.range, .matches, "write MATCHES for the whole text", Self.search)
        }
        if let apart = operatorInTwoWords(upper) { return apart }
        if upper == "EXISTS" { return instead(of: token.range, "there is no operator `\(word)`", "!= nil") }
        let known = Self.aliases[upper]?.spelling
        let words = Self.comparisonWords.filter { $0.utf8.first.map { $0 >= 0x41 } ?? false }
        // Short words and those of the opposite are no typos: ON, NIN, UNLIKE.
        if let meant = known ?? words.first(where: word.isTypo) ?? (upper == "MATCH" ? "MATCHES" : nil) {
            return syntax(
                "there is no operator `\(shortened(token.range))`",
                token.range,
                hint: upper == "MATCH" ? "MATCHES matches the whole text" : "did you mean \(meant)?",
                fix: upper == "MATCH" ? nil : Fix(range: token.range, replacement: meant)
            )
        }
        let key = spacedKey(node)
        return syntax(
            "expected \(expected), found `\(shortened(token.range))`",
            token.range,
            hint: key.map { "write \($0.replacement) for the key of that name" },
            fix: key
        )
    }

    /// `a mod 2`, `a CASEINSENSITIVE == 'x'` and `if a > 3 then …`; nil for other words.
    private func ofOtherLanguages(_ upper: String, _ node: ParsedNode) -> Mistake? {
        let expected = "expected a comparison, found `\(shortened(token.range))`"
        var probe = self
        probe.triedModulus = .max
        probe.advance()
        switch upper {
        case "MOD":
            let name = Function.modulus.entry.name
            let right = triedModulus == .max ? nil : try? probe.operand()
            // Of a sum it would be the last part.
            let isOne = tokens(node.range).allSatisfy { $0.kind.strength == nil } || node.isGroup
            let call = right.map { "\(name)(\(text(node.range)), \(text($0.range)))" }
            return syntax(
                "there is no remainder operator",
                token.range,
                hint: "write \(name)(a, b)",
                fix: right.flatMap { end in
                    isOne && end.term != nil
                        ? call.map { Fix(range: node.start..<end.end, replacement: $0) } : nil
                }
            )
        case "CASEINSENSITIVE", "NOCASE", "COLLATE":
            guard case .comparison(let operation) = probe.token.kind, isSign(probe.token) else {
                return syntax(expected, token.range, hint: "write [c] after the operator, as in ==[c]")
            }
            let meant = operation.spelling + "[c]"
            let fix = Fix(range: token.start..<probe.token.end, replacement: meant)
            return syntax(expected, token.range, hint: "write " + meant, fix: fix)
        default:
            guard ["IF", "WHEN", "CASE"].contains(text(node.range).uppercased()) else { return nil }
            return syntax(expected, token.range, hint: "TERNARY(condition, a, b) chooses between a and b")
        }
    }

    /// The units of `now() - 7 days`.
    private static let units: Set<String> = [
        "SECOND", "SECONDS", "MINUTE", "MINUTES", "HOUR", "HOURS", "DAY", "DAYS", "WEEK", "WEEKS", "MONTH", "MONTHS",
        "YEAR", "YEARS",
    ]

    static let intervals = "intervals are seconds: CAST(CAST(now(), 'NSNumber') - 86400, 'NSDate') is a day ago"

    /// `First Name == 'Ann'`: a key with a space in it.
    private func spacedKey(_ node: ParsedNode) -> Fix? {
        var probe = self
        probe.advance()
        guard case .field(let path, _)? = node.term, path.keys.count == 1, token.kind == .word,
            case .comparison = probe.token.kind, !isWord(probe.token), token.start - node.range.upperBound == 1
        else { return nil }
        let range = node.range.lowerBound..<token.end
        return Fix(range: range, replacement: text(range).asKey)
    }

    /// Methods of texts and lists in other languages, after their dot.
    static let methods: [String: Comparison.Operator] = [
        ".startswith": .beginsWith, ".hasprefix": .beginsWith, ".endswith": .endsWith, ".hassuffix": .endsWith,
        ".contains": .contains, ".includes": .contains, ".has": .contains, ".match": .matches, ".matches": .matches,
    ]

    /// `BEGINS WITH`.
    private func operatorInTwoWords(_ first: String) -> Mistake? {
        let meant: [String: Comparison.Operator] = ["BEGINS": .beginsWith, "STARTS": .beginsWith, "ENDS": .endsWith]
        var probe = self
        probe.advance()
        guard let spelling = meant[first]?.spelling, text(probe.token.range).uppercased() == "WITH" else { return nil }
        let range = token.start..<probe.token.end
        return instead(of: range, "there is no operator `\(text(range))`", spelling)
    }

    /// `IS NULL`, `IS NOT NULL`, `IS TRUE`.
    private func isNull(_ word: String, _ node: ParsedNode) -> Mistake {
        var probe = self
        probe.advance()
        var operation = Comparison.Operator.equal
        if probe.token.kind == .logical(.not) {
            operation = .notEqual
            probe.advance()
        }
        let null = ReservedWord.null.rawValue
        var end = token.end
        if word == "NOTNULL" { operation = .notEqual }
        var replacement = operation.spelling
        let other = text(probe.token.range).uppercased()
        let isPython = other == "NONE"
        if word == "IS", other == "EMPTY" || other == "BLANK" {
            return syntax(
                "there is no operator `\(text(token.start..<probe.token.end))`",
                token.start..<probe.token.end,
                hint: emptiness(of: shortened(node.range), isNegated: operation == .notEqual)
            )
        }
        if word == "IS", other == "DISTINCT" {
            probe.advance()
            let meant = (operation == .equal ? Comparison.Operator.notEqual : .equal).spelling
            let isWhole = text(probe.token.range).uppercased() == "FROM"
            return syntax(
                "there is no operator `\(text(token.start..<probe.token.end))`",
                token.range,
                hint: "write \(meant)",
                fix: isWhole ? Fix(range: token.start..<probe.token.end, replacement: meant) : nil
            )
        }
        if word != "IS" || isPython || probe.token.kind == .reserved(.null) {
            if word == "IS" { end = probe.token.end }
            replacement += " " + null
        } else if operation == .notEqual {
            end = probe.previousEnd
        }
        return syntax(
            "there is no operator `\(text(token.range))`",
            token.range,
            hint: "write \(replacement)",
            // A word may be anything: IS MISSING.
            fix: probe.token.kind == .word && !isPython && word == "IS"
                ? nil : Fix(range: token.start..<end, replacement: replacement)
        )
    }

    private func utiOperator(_ left: ParsedNode) -> Mistake {
        var end = token.end
        while lexer.isClass(lexer.byte(at: end), .letter) || lexer.byte(at: end) == UInt8(ascii: "-") { end += 1 }
        let quantifier = tokens(0..<left.start).last.flatMap { $0.isQuantifier ? text($0.range) + " " : nil } ?? ""
        let right = tokens(end..<lexer.bytes.count).first.map { " " + shortened($0.range) } ?? " …"
        return Mistake(
            .utiOperator,
            "`\(text(token.start..<end))` needs Apple's type database",
            range: token.start..<end,
            hint: "compare the identifier as text: \(quantifier)\(shortened(left.range)) ==\(right)"
        )
    }
}
