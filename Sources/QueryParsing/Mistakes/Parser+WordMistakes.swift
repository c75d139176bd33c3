import QueryTree
import QueryValues

// Words and signs of Apple's other query languages and of Realm, and signs that were torn apart.

extension Parser {
    /// `a geoWithin %@`, `a TOKENMATCHES[cd] 'b'` and `a TEXT 'b'`; nil for other words.
    func wordBetween(_ upper: String, _ node: ParsedNode) -> Mistake? {
        let message = "there is no operator `\(text(token.range))`"
        switch upper {
        case "TOKENMATCHES", "TEXT", "FULLTEXT":
            let hint = "write CONTAINS[cd] for a part of the text, MATCHES for a pattern"
            return syntax(message, token.range, hint: hint)
        case "GEOWITHIN":
            let call = Comparison.Operator.geoWithin.spelling
            let end = operandEnd
            let shape = end.map { text(lexer.skippingSpace(from: token.end)..<$0) }
            let meant = "\(call)(\(text(node.range)), \(shape ?? "%@"))"
            return syntax(
                "`\(text(token.range))` is a function, not an operator",
                token.range,
                hint: "write \(shape == nil ? "\(call)(\(shortened(node.range)), %@)" : meant)",
                fix: end.map { Fix(range: node.start..<$0, replacement: meant) }
            )
        default: return nil
        }
    }

    /// Where the operand after the next token ends, also of a placeholder without an argument.
    private var operandEnd: Int? {
        var probe = self
        guard triedModulus != .max else { return nil }
        probe.triedModulus = .max
        probe.advance()
        if probe.token.kind == .specifier { return probe.token.end }
        return (try? probe.operand()).flatMap { $0.term == nil ? nil : $0.end }
    }

    /// Spotlight's `name == "*.mp3"cd`: options after the text; nil for other words after one.
    var lateOptions: Mistake? {
        let options = text(token.range).lowercased().filter { $0 != "w" }
        let before = Array(tokens(0..<token.start).suffix(2))
        guard token.range.count <= 3, !options.isEmpty, Set(options).isSubset(of: ["c", "d"]), before.count == 2,
            case .comparison(let operation) = before[0].kind, operation == .equal || operation == .like
        else { return nil }
        var probe = self
        probe.advance()
        guard probe.endsCondition else { return nil }
        let value = text(before[1].range)
        let meant = value.contains("*") ? Comparison.Operator.like : operation
        let written = "\(meant.spelling)[\(options)] \(value)"
        return syntax(
            "options come before the text, in brackets",
            token.range,
            hint: "write \(meant.spelling)[\(options)]",
            fix: Fix(range: before[0].start..<token.end, replacement: written)
        )
    }

    /// `2017-12-1@12:07:53` and Realm's `2017-12-01@12:07:53:0` with nanoseconds, where the sign stands between a day and
    /// a time; nil for others.
    var dayAndTime: Mistake? {
        func isPart(_ index: Int, _ sign: UInt8) -> Bool {
            lexer.isClass(lexer.byte(at: index), .digit) || lexer.byte(at: index) == sign
        }
        var (start, end) = (token.start, token.end)
        while start > 0, token.start - start < 10, isPart(start - 1, UInt8(ascii: "-")) { start -= 1 }
        while end - token.end < 8, isPart(end, UInt8(ascii: ":")) { end += 1 }
        let day = text(start..<token.start).split(separator: "-").map { $0.count == 1 ? "0" + $0 : String($0) }
        let time = text(token.end..<end).split(separator: ":").map { $0.count == 1 ? "0" + $0 : String($0) }
        let date = day.joined(separator: "-") + " " + time.joined(separator: ":")
        guard day.count == 3, time.count > 1, let second = DateText.parse(date) else { return nil }
        return self.date(start, "'\(date)'", second, time.count == 3 && lexer.byte(at: end) == 0x3A ? end + 1 : end)
    }

    /// A date without quotes, whose nanoseconds begin at an offset, cut to milliseconds; `whole` is without them.
    private func date(_ start: Int, _ whole: String, _ second: Int64, _ nanoseconds: Int) -> Mistake? {
        var end = nanoseconds
        while lexer.isClass(lexer.byte(at: end), .digit) { end += 1 }
        guard end - nanoseconds <= 9 else { return nil }
        let rest = Int64(text(nanoseconds..<end)) ?? 0
        let isCut = rest % 1_000_000 != 0
        let milliseconds = rest / 1_000_000
        let date = milliseconds == 0 ? whole : "'\(DateText.iso8601(second + milliseconds))'"
        let cast = "CAST(\(date), 'NSDate')"
        return syntax(
            "a date is not written without quotes",
            start..<end,
            hint: "write \(cast), or bind the date to %@" + (isCut ? "; dates have milliseconds" : ""),
            fix: Fix(range: start..<end, replacement: cast)
        )
    }

    /// `T123:0` of Realm, seconds since 1970 and nanoseconds; nil for other selectors.
    var instant: Mistake? {
        let word = text(token.start..<(token.end - 1))
        guard word.hasPrefix("T"), word.utf8.count < 13, let seconds = Int64(word.dropFirst()),
            lexer.isClass(lexer.byte(at: token.end), .digit)
        else { return nil }
        return date(token.start, "\(seconds - 978_307_200)", seconds * 1_000, token.end)
    }

    /// `a$b`: the key that a `$` inside was meant for; nil where none stands before the sign.
    var keyWithSign: Mistake? {
        var (start, end) = (token.start, token.end)
        while start > 0, lexer.isClass(lexer.bytes[start - 1], [.letter, .digit]) { start -= 1 }
        while lexer.byte(at: end) == UInt8(ascii: "$") { end += 1 + lexer.wordLength(from: end + 1) }
        if start == token.start { return nil }
        let key = text(start..<end).asKey
        return instead(of: start..<end, "a key has no `$` in it", key, or: ", or pass the key for %K")
    }

    /// `@K`, `@links` and `@pin.latitude` where a path begins; nil for other names.
    func signedKey() -> Mistake? {
        let word = text(token.range)
        var hint: String
        var fix: Fix?
        switch word.lowercased() {
        case "@k":
            hint = "write %K"
            fix = Fix(range: token.range, replacement: "%K")
        case "@links":
            hint = "declare the relation from the other side in a schema, and write its name"
        default:
            guard token.start == 0 || lexer.byte(at: token.start - 1) != UInt8(ascii: ".") else { return nil }
            var end = token.end
            while lexer.byte(at: end) == UInt8(ascii: "."), case let length = lexer.wordLength(from: end + 1),
                length > 0
            {
                end += length + 1
            }
            hint = "leave the @ out: \(shortened((token.start + 1)..<end)); %K takes a key with a sign"
        }
        return Mistake(
            .unknownAggregate,
            "there is no operator `\(shortened(token.range))`",
            range: token.range,
            hint: hint,
            fix: fix
        )
    }

    /// `a > = 1` and `a = = 1`: the sign that was torn apart; nil where the second is one too many, as in `a >= = 1`.
    var tornSign: Mistake? {
        var start = previousEnd
        while start > 0, [UInt8]("=<>".utf8).contains(lexer.bytes[start - 1]) { start -= 1 }
        let meant: Comparison.Operator
        switch text(start..<previousEnd) {
        case "=": meant = .equal
        case "<": meant = .lessOrEqual
        case ">": meant = .greaterOrEqual
        default: return nil
        }
        guard text(token.range) == "=" else { return nil }
        let fix = Fix(range: start..<token.end, replacement: meant.spelling)
        let hint = "write `\(meant.spelling)` without a space"
        return syntax("two operators in a row", token.range, hint: hint, fix: fix)
    }

    /// `a BETWEEN {1 AND 5}`: the bounds in braces as SQL joins them; nil for other terms.
    func joinedBounds(_ node: ParsedNode) -> Mistake? {
        guard token.kind == .logical(.and), node.term != nil else { return nil }
        let before = tokens(0..<node.start).suffix(2).map(\.kind)
        guard before == [.comparison(.between), .openBrace] else { return nil }
        return syntax(
            "\(Comparison.Operator.between.spelling) has a comma between its bounds",
            token.range,
            hint: "write {low, high}",
            fix: Fix(range: node.end..<token.end, replacement: ",")
        )
    }
}
