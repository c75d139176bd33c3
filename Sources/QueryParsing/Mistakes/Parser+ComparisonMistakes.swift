import QueryChecking
import QueryTree
import QueryValues

// Invalid signs, options and bounds.

extension Parser {
    /// `===`, `!==`, `<=>`: signs written together without a meaning.
    func runTogether(_ sign: Token) -> Mistake? {
        var end = sign.end
        while [UInt8]("=<>!~".utf8).contains(lexer.byte(at: end)) { end += 1 }
        guard end > sign.end else { return nil }
        let whole = text(sign.start..<end)
        if whole == "=~" || whole == "==~" {
            return foreignPattern(sign.start..<end, .matches, "write `MATCHES` for the whole text", Self.search)
        }
        let meant: Comparison.Operator = whole.contains("!") ? .notEqual : .equal
        // Of others it is not known what they mean.
        guard ["===", "====", "<=>", "!==", "!===", "=!="].contains(whole) else {
            return syntax("there is no operator `\(whole)`", sign.start..<end, hint: "known: == != < <= > >=")
        }
        return instead(of: sign.start..<end, "there is no operator `\(whole)`", meant.spelling)
    }

    /// `IN ["a", "b"]`: a list in brackets where options are expected.
    func bracketedList(_ operation: Comparison.Operator, _ sign: Token, _ bracket: Token) -> Mistake? {
        if let null = nullObject(bracket) { return null }
        if operation == .in, let words = wordsInBrackets(bracket) { return words }
        if isWord(token), operation != .between { return nil }
        if operation == .between, isWord(token) {
            return syntax(
                "\(operation.spelling) takes no options",
                bracket.range,
                hint: "leave the brackets out",
                fix: optionsEnd.map { Fix(range: bracket.start..<$0, replacement: "") }
            )
        }
        if operation == .in || operation == .between || operation == .equal || operation == .contains {
            return syntax(
                "lists are written in braces",
                bracket.range,
                hint: "write {…} instead of […]",
                fix: bracesFix(from: bracket.start)
            )
        }
        return nil
    }

    /// `[NSNull null]` of Objective-C.
    private func nullObject(_ bracket: Token) -> Mistake? {
        let inside = tokens(bracket.end..<lexer.bytes.count, atMost: 3)
        guard inside.count == 3, inside.map({ text($0.range) }) == ["NSNull", "null", "]"] else { return nil }
        let range = bracket.start..<(inside.last?.end ?? bracket.end)
        return null(instead: range, "an object of Objective-C is not a value")
    }

    /// `<null>`, as Apple's objects are printed; nil for other signs.
    var printedNull: Mistake? {
        let signs = tokens(token.start..<lexer.bytes.count).prefix(3)
        guard let end = signs.last?.end,
            signs.map(\.kind) == [.comparison(.less), .reserved(.null), .comparison(.greater)]
        else { return nil }
        return null(instead: token.start..<end, "`\(text(token.start..<end))` is not a value")
    }

    private func null(instead range: Range<Int>, _ message: String) -> Mistake {
        let null = ReservedWord.null.rawValue
        let fix = Fix(range: range, replacement: lexer.byte(at: range.lowerBound - 1) == 0x20 ? null : " " + null)
        return syntax(message, range, hint: "write \(null)", fix: fix)
    }

    /// `IN [horror, comedy]` of Meilisearch: words with nothing after them, so they are no options.
    private func wordsInBrackets(_ bracket: Token) -> Mistake? {
        let inside = tokens(bracket.end..<lexer.bytes.count, until: .closeBracket)
        guard isWord(token), let close = inside.last, close.kind == .closeBracket else { return nil }
        switch tokens(close.end..<lexer.bytes.count, atMost: 1).first?.kind {
        case nil, .close, .logical(.and), .logical(.or): break
        default: return nil
        }
        let elements = inside.dropLast().split(omittingEmptySubsequences: false) { $0.kind == .comma }
        let texts = elements.compactMap { $0.count == 1 ? $0.first.map { quoted($0) } : nil }
        let list = "{" + texts.joined(separator: ", ") + "}"
        let isWhole = texts.count == elements.count
        return syntax(
            "lists are written in braces",
            bracket.range,
            hint: "write \(isWhole && list.utf8.count <= 40 ? list : "{'a', 'b'}")",
            fix: isWhole ? Fix(range: bracket.start..<close.end, replacement: list) : nil
        )
    }

    private func quoted(_ token: Token) -> String { isWord(token) ? "'\(text(token.range))'" : text(token.range) }

    /// The end of the options' bracket.
    private var optionsEnd: Int? {
        var probe = self
        while probe.isWord(probe.token) { probe.advance() }
        return probe.token.kind == .closeBracket ? probe.token.end : nil
    }

    /// The text from a bracket to the one that closes it, in braces.
    func bracesFix(from start: Int) -> Fix? {
        var probe = lexer
        probe.position = start
        var level = 0
        while true {
            let token = probe.next()
            switch token.kind {
            case .open, .openBracket, .openBrace: level += 1
            case .close, .closeBracket, .closeBrace: level -= 1
            case .end, .invalid: return nil
            default: break
            }
            if level == 0 {
                return Fix(range: start..<token.end, replacement: "{" + text((start + 1)..<(token.end - 1)) + "}")
            }
        }
    }

    /// `'x' == ANY tags`, `3 IN ANY tags`, `tags CONTAINS ANY {…}`: the quantifier belongs in front, and what it is about on
    /// the left; nil for other words, and where no value follows.
    func lateQuantifier(_ left: ParsedNode, _ sign: Token) -> Mistake? {
        var probe = self
        // No trial within a trial, as for a remainder.
        guard token.isQuantifier, triedModulus != .max, case .comparison(let operation) = sign.kind else { return nil }
        probe.triedModulus = .max
        probe.advance()
        guard let collection = try? probe.expression(.set), collection.term != nil else { return nil }
        // `3 IN ANY tags`: some element is 3; of a text it may be a part that was meant.
        let meant = operation == .in ? .equal : operation.entry.mirror
        let value = left.term?.constantValue
        let isSure = operation == .in ? value.map { $0.kind != .string } : value != nil || operation == .contains
        var fix: Fix?
        if let meant, isSure == true, probe.endsCondition, tokens(0..<left.start).last?.isQuantifier != true {
            let options = text(sign.end..<token.start).filter { $0 != " " }
            let front = "\(text(token.range)) \(text(collection.range)) \(meant.spelling)\(options)"
            fix = Fix(range: left.start..<collection.end, replacement: "\(front) \(text(left.range))")
        }
        return syntax(
            "\(text(token.range)) goes before the comparison",
            token.range,
            hint: "write \(text(token.range)) \(shortened(collection.range)) \(meant?.spelling ?? "==") …",
            fix: fix
        )
    }

    func unknownOption(_ index: Int) -> Mistake {
        let known = StringOptions.letters.map { String($0.letter) }.joined(separator: ", ")
        let range = index..<(index + 1)
        return syntax("there is no option `\(text(range))`", range, hint: "options are \(known)")
    }

    func repeatedOption(_ index: Int) -> Mistake {
        let fix = Fix(range: index..<(index + 1), replacement: "")
        return syntax("the option is repeated", fix.range, hint: "write each letter only once", fix: fix)
    }

    func missingOptions(_ bracket: Token) -> Mistake {
        if token.kind == .closeBracket {
            return syntax(
                "the brackets contain no option",
                bracket.start..<token.end,
                hint: "write [c], [d] or [cd], or leave the brackets out",
                fix: Fix(range: bracket.start..<token.end, replacement: "")
            )
        }
        return unexpected("option letters such as [cd]")
    }

    /// BETWEEN with a list of another length than two.
    func wrongBounds(_ node: ParsedNode, count: Int, isArgument: Bool) -> Mistake {
        Mistake(
            isArgument ? .argument : .syntax,
            "\(Comparison.Operator.between.spelling) needs two bounds, found \(count)",
            range: node.range,
            hint: "write {low, high}"
        )
    }

    /// BETWEEN with a single value; offers a fix for SQL's `1 AND 10`.
    mutating func noBounds(_ node: ParsedNode, isArgument: Bool) -> Mistake {
        var fix: Fix?
        if token.kind == .logical(.and) {
            var probe = self
            probe.advance()
            if let upper = try? probe.expression(.set), upper.term != nil {
                fix = Fix(range: node.start..<upper.end, replacement: "{\(text(node.range)), \(text(upper.range))}")
            }
        }
        return Mistake(
            isArgument && fix == nil ? .argument : .syntax,
            "\(Comparison.Operator.between.spelling) needs a list of two bounds",
            range: node.range,
            hint: "write {low, high}",
            fix: fix
        )
    }

    /// `a BETWEEN low AND high`: the second bound is where a condition must be.
    func checkRange(_ last: Condition, upper: ParsedNode) throws(Mistake) {
        guard case .comparison(let comparison) = last, comparison.operator == .between,
            let lower = comparison.right.origin.range
        else { return }
        if case .list = comparison.right { return }
        throw syntax(
            "\(Comparison.Operator.between.spelling) needs a list of two bounds",
            lower.lowerBound..<upper.end,
            hint: "write {low, high}",
            fix: Fix(range: lower.lowerBound..<upper.end, replacement: "{\(text(lower)), \(text(upper.range))}")
        )
    }
}

extension Token {
    /// True for ANY, ALL and NONE.
    var isQuantifier: Bool { kind == .logical(.any) || kind == .logical(.all) || kind == .logical(.none) }
}
