import QueryTree
import QueryValues

// Habits from other languages and from Mongo's shell; each hint shows the query in this language.

extension Parser {
    /// `.admin`, a case in Swift, and `.age > 3`.
    func leadingDot() -> Mistake {
        let message = "a path starts with a key, not a dot"
        let following = tokens(token.end..<lexer.bytes.count, atMost: 2)
        guard let word = following.first, isWord(word) else { return syntax(message, token.range) }
        let next = following.dropFirst().first?.kind
        let last = tokens(0..<previousEnd).last
        let touches = last.map { isWord($0) && $0.end == token.start } ?? false
        var fix: Fix?
        switch last?.kind {
        case .logical(.any) where touches, .logical(.all) where touches, .logical(.none) where touches:
            return reservedKey("`\(text(previousStart..<previousEnd))` is a quantifier and cannot be a key")
        case .comparison(.equal), .comparison(.notEqual), .openBrace:
            let isLongerPath = next == .dot || next == .open || next == .openBracket
            if !isLongerPath, next?.strength ?? .or < .comparison {
                fix = Fix(range: token.start..<word.end, replacement: "'\(text(word.range))'")
            }
        case nil, .logical, .open:
            if next == .dot || next?.strength == .comparison {
                fix = Fix(range: token.range, replacement: touches ? " " : "")
            }
        default: break
        }
        let name = text(word.range)
        return syntax(message, token.range, hint: "write '\(name)' for a text, \(name) for a key", fix: fix)
    }

    /// An operator of another language that takes a pattern in another form, with the pattern rewritten where it is a text.
    ///
    /// - Parameters:
    ///   - range: the operator.
    ///   - meant: the operator here.
    ///   - options: the options that it needs.
    ///   - hint: what is different.
    ///   - rewrite: the pattern in this language; nil where it has none.
    /// - Returns: the mistake.
    func foreignPattern(
        _ range: Range<Int>,
        _ meant: Comparison.Operator,
        options: String = "",
        _ hint: String,
        _ rewrite: (String) -> String?
    ) -> Mistake {
        var probe = lexer
        probe.position = range.upperBound
        let pattern = probe.next()
        var fix: Fix?
        if pattern.kind == .string, pattern.range.count >= 2 {
            let inside = text((pattern.start + 1)..<(pattern.end - 1))
            let quote = text(pattern.start..<(pattern.start + 1))
            if let rewritten = rewrite(inside) {
                let before = range.lowerBound > 0 && lexer.byte(at: range.lowerBound - 1) != 0x20 ? " " : ""
                fix = Fix(
                    range: range.lowerBound..<pattern.end,
                    replacement: before + meant.spelling + options + " " + quote + rewritten + quote
                )
            }
        }
        return syntax("there is no operator `\(text(range))`", range, hint: hint, fix: fix)
    }

    /// A regular expression that may match a part, as one that matches the whole text.
    static func search(_ pattern: String) -> String? {
        let startsAtStart = pattern.hasPrefix("^")
        let endsAtEnd = pattern.hasSuffix("$") && !pattern.hasSuffix("\\$")
        let core = pattern.dropFirst(startsAtStart ? 1 : 0).dropLast(endsAtEnd ? 1 : 0)
        // An anchor belongs to one alternative alone.
        if core.contains("|"), startsAtStart || endsAtEnd { return nil }
        let group = core.contains("|") ? "(?:" + core + ")" : String(core)
        return (startsAtStart ? "" : "(?s:.*)") + group + (endsAtEnd ? "" : "(?s:.*)")
    }

    /// A pattern of SQL's LIKE: `%` and `_` are `*` and `?` here.
    static func wildcards(_ pattern: String) -> String? {
        if pattern.contains(where: { "*?\\".contains($0) }) { return nil }
        return String(pattern.map { $0 == "%" ? "*" : $0 == "_" ? "?" : $0 })
    }

    /// A name in the quotes of another language, where a comparison follows: a key; nil else.
    func quotedKey(_ range: Range<Int>, _ name: Range<Int>) -> Mistake? {
        var probe = lexer
        probe.position = range.upperBound
        guard !name.isEmpty, case .comparison = probe.next().kind, isName(name) else { return nil }
        return instead(of: range, "keys are written without quotes", text(name).asKey)
    }

    /// True for a word, or several of them one space apart.
    private func isName(_ name: Range<Int>) -> Bool {
        var index = name.lowerBound
        while true {
            let length = lexer.wordLength(from: index)
            index += length
            if length == 0 || index >= name.upperBound { return length > 0 && index == name.upperBound }
            guard lexer.byte(at: index) == UInt8(ascii: " ") else { return false }
            index += 1
        }
    }

    /// Functions that are methods of texts in other languages, after their dot.
    private static let functionsOfMethods: [String: Function] = [
        ".lowercased": .lowercase, ".tolowercase": .lowercase, ".lower": .lowercase, ".uppercased": .uppercase,
        ".touppercase": .uppercase, ".upper": .uppercase, ".length": .length,
    ]

    /// `/a.*/`, a regular expression of other languages.
    func slash() -> Mistake? {
        guard case .comparison = tokens(0..<previousEnd).last?.kind else { return nil }
        let hint = "a pattern is a text and matches the whole text: MATCHES 'a.*'"
        return syntax("expected a value, found `/`", token.range, hint: hint)
    }

    /// `EXISTS a` before a key, and a whole statement of SQL; nil for other words.
    func foreignStart(_ node: ParsedNode) -> Mistake? {
        let first = lexer.wordLength(from: lexer.skippingSpace(from: 0))
        let start = lexer.skippingSpace(from: 0)
        if node.range == start..<(start + first), text(node.range).uppercased() == "WHERE" {
            return syntax(
                "the condition stands alone",
                node.range,
                hint: "leave `\(text(node.range))` out",
                fix: Fix(range: start..<token.start, replacement: "")
            )
        }
        if text(start..<(start + first)).uppercased() == "SELECT" {
            return syntax(
                "a statement of SQL is not a condition",
                start..<(start + first),
                hint: "write what stands after WHERE; fields, order, skip and limit belong to the query"
            )
        }
        guard text(node.range).uppercased() == "EXISTS" else { return nil }
        var probe = self
        var end = token.end
        probe.advance()
        while probe.token.kind == .dot {
            probe.advance()
            end = probe.token.end
            probe.advance()
        }
        let path = text(token.start..<end)
        return syntax(
            "there is no operator `\(text(node.range))`",
            node.range,
            hint: "write \(path) != nil",
            fix: Fix(range: node.start..<end, replacement: path + " != nil")
        )
    }

    /// Functions of object ids and dates in Mongo's shell; nil for other functions.
    func shellFunction(_ name: Token) -> Mistake? {
        let word = text(name.range)
        guard let inner = parenthesized(after: name.end) else { return nil }
        let value = inner.trimmingQuotes
        var replacement: String?
        var hint: String
        switch word.lowercased() {
        case "oid", "objectid":
            if value.utf8.count == 24, value.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) {
                replacement = "\"\(value)\""
            }
            hint = "write the id as a text" + (replacement.map { ": \($0)" } ?? "")
        case "isodate":
            if let milliseconds = DateText.parse(value), milliseconds % 1_000 == 0 {
                replacement = "CAST(\(milliseconds / 1_000 - 978_307_200), \"NSDate\")"
            }
            hint = (replacement.map { "write \($0), or " } ?? "") + "bind the date to %@"
        case "date", "datetime", "todate", "to_date", "timestamp":
            guard DateText.parse(value) != nil else { return nil }
            replacement = "CAST('\(value)', 'NSDate')"
            hint = "write CAST('\(value)', 'NSDate'), or bind the date to %@"
        case "uuid", "guid":
            let isUUID = value.utf8.count == 36 && value.allSatisfy { $0 == "-" || $0.isHexDigit }
            if isUUID { replacement = "CAST(\"\(value)\", \"NSUUID\")" }
            hint = "write CAST(\"…\", \"NSUUID\"), or the text alone where fields hold texts"
        case "numberlong", "numberint":
            replacement = Int64(value).map(String.init)
            hint = "write the number alone"
        case "base64", "bindata": hint = Self.boundBytes(word.lowercased() == "base64" ? value : "…")
        default: return nil
        }
        let range = name.start..<(closing(after: name.end).map { $0 + 1 } ?? name.end)
        return Mistake(
            .unknownFunction,
            "there is no function `\(shortened(name.range))`",
            range: name.range,
            hint: hint,
            fix: replacement.map { Fix(range: range, replacement: $0) }
        )
    }

    /// `db.cities.find({…})`.
    func shellCall(after node: ParsedNode) -> Mistake? {
        let path = text(node.range)
        if token.kind == .open, path == "#keyPath", let end = closing(after: token.start), end > token.end,
            lexer.bytes[token.end..<end].allSatisfy({ lexer.isClass($0, [.letter, .digit]) || $0 == 0x2E })
        {
            let keys = text(token.end..<end).split(separator: ".", omittingEmptySubsequences: false)
            let isOfType = keys.count > 1 && keys[0].first?.isUppercase == true
            let key = keys.dropFirst(isOfType ? 1 : 0).joined(separator: ".")
            return syntax(
                "Swift's `#keyPath` is not part of a text",
                node.start..<(end + 1),
                hint: "write the key itself: \(key)",
                fix: Fix(range: node.start..<(end + 1), replacement: key)
            )
        }
        guard token.kind == .open, path.hasPrefix("db."), let method = path.split(separator: ".").last,
            ["find", "findOne", "count", "countDocuments"].contains(method)
        else { return nil }
        let brace = lexer.skippingSpace(from: token.end)
        let filter = lexer.byte(at: brace) == UInt8(ascii: "{") ? comparison(inBraceAt: brace) : nil
        return syntax(
            "`\(shortened(node.range))` is a call in Mongo's shell, not a condition",
            node.start..<token.end,
            hint: "write the condition alone: \(filter ?? "age > 1"); sort, skip and limit belong to the query"
        )
    }

    /// `name.startsWith('B')` and other methods of texts and lists; nil for other names.
    func method(after node: ParsedNode) -> Mistake? {
        let path = text(node.range)
        guard token.kind == .open, node.term != nil, let dot = path.lastIndex(of: ".") else { return nil }
        let subject = String(path[..<dot])
        let name = path[dot...].lowercased()
        if let function = Self.functionsOfMethods[name], let close = closing(after: token.start) {
            let call = "\(function.entry.spellings.first ?? function.entry.name)(\(subject))"
            let isEmpty = lexer.skippingSpace(from: token.end) == close
            return syntax(
                "`\(shortened(node.range))` is a call of a method",
                node.start..<token.end,
                hint: function == .length ? "write \(call)" : "write \(call), or compare with ==[c]",
                fix: isEmpty ? Fix(range: node.start..<(close + 1), replacement: call) : nil
            )
        }
        if [".any", ".some", ".every", ".all", ".filter", ".where", ".exists"].contains(name) {
            let hint = "write SUBQUERY(\(subject), $x, …).@count > 0, with $x.key for the keys of an element"
            return syntax("`\(shortened(node.range))` is a call of a method", node.start..<token.end, hint: hint)
        }
        guard let meant = Self.methods[name] else { return nil }
        var probe = lexer
        probe.position = token.end
        let argument = probe.next()
        var fix: Fix?
        if [.string, .int, .float].contains(argument.kind), meant != .matches, probe.next().kind == .close {
            let end = probe.position
            // What follows a condition, so that the text with the fix is one.
            switch probe.next().kind {
            case .end, .close, .logical(.and), .logical(.or):
                fix = Fix(range: node.start..<end, replacement: "\(subject) \(meant.spelling) \(text(argument.range))")
            default: break
            }
        }
        return syntax(
            "`\(shortened(node.range))` is a call of a method",
            node.start..<token.end,
            hint: "write \(subject) \(meant.spelling) …",
            fix: fix
        )
    }

    /// `price:10`, `rating:>3` and `title:go` of search engines; nil for other selectors.
    var searchTerm: Mistake? {
        let key = text(token.start..<(token.end - 1))
        let parts = tokens(token.end..<lexer.bytes.count, atMost: 2)
        guard braceBefore == nil, !key.contains(":"), let first = parts.first, text(first.range) != ":" else {
            return nil
        }
        var (sign, value) = (Comparison.Operator.equal.spelling, first)
        if parts.count == 2, case .comparison = first.kind, isSign(first) {
            (sign, value) = (text(first.range), parts[1])
        }
        var written: String?
        switch value.kind {
        case .int, .float, .string, .reserved(.true), .reserved(.false), .reserved(.null): written = text(value.range)
        case .openBracket: return nil
        default: break
        }
        let shown = written ?? (isWord(value) ? "'\(shortened(value.range))'" : "…")
        return Mistake(
            .selectorOperator,
            "a colon does not compare, and `\(shortened(token.range))` is a selector, which would call any method",
            range: token.range,
            hint: "write \(key) \(sign) \(shown)",
            fix: written.map { Fix(range: token.start..<value.end, replacement: "\(key) \(sign) \($0)") }
        )
    }

    /// `{age: 3}` and `{"age": {"$gt": 3}}`; nil if the next token is not in an object.
    func objectFilter(from brace: Int) -> Mistake {
        syntax(
            "braces hold a list, not an object",
            brace..<token.end,
            hint: "write \(comparison(inBraceAt: brace) ?? "a condition such as age > 1")"
        )
    }

    /// The brace directly before the next token.
    var braceBefore: Int? {
        guard let place = lexer.bytes[..<token.start].lastIndex(where: { $0 != 0x20 && $0 != 0x0A }) else { return nil }
        return lexer.bytes[place] == UInt8(ascii: "{") ? place : nil
    }

    private static let signs = ["$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<=", "$ne": "!=", "$eq": "=="]

    /// The comparison that the first member of a Mongo filter means, if its value is plain.
    private func comparison(inBraceAt brace: Int) -> String? {
        guard let (key, start) = member(from: brace + 1) else { return nil }
        if lexer.byte(at: start) == UInt8(ascii: "{") {
            guard let (sign, value) = member(from: start + 1), let sign = Self.signs[sign] else { return nil }
            return literal(at: value).map { "\(key) \(sign) \($0)" }
        }
        return literal(at: start).map { "\(key) == \($0)" }
    }

    /// A key, and where its value begins.
    private func member(from start: Int) -> (key: String, value: Int)? {
        let start = lexer.skippingSpace(from: start)
        var end = start
        while end < lexer.bytes.count, end - start < 80, lexer.bytes[end] != UInt8(ascii: ":") { end += 1 }
        guard lexer.byte(at: end) == UInt8(ascii: ":") else { return nil }
        let key = text(start..<end).trimmingQuotes
        guard !key.isEmpty, key.utf8.allSatisfy({ lexer.isClass($0, [.letter, .digit]) || $0 == 0x2E || $0 == 0x24 })
        else { return nil }
        return (key, lexer.skippingSpace(from: end + 1))
    }

    private func literal(at start: Int) -> String? {
        var probe = lexer
        probe.position = start
        let value = probe.next()
        switch value.kind {
        case .int, .float, .string, .reserved(.true), .reserved(.false), .reserved(.null):
            let isLast = probe.byteAhead() != UInt8(ascii: ",")
            return shortened(value.range) + (isLast ? "" : " AND …")
        default: return nil
        }
    }

    /// The short text in the parentheses that open at an offset, after space.
    private func parenthesized(after start: Int) -> String? {
        let open = lexer.skippingSpace(from: start)
        guard let close = closing(after: start) else { return nil }
        return text((open + 1)..<close)
    }

    func closing(after start: Int) -> Int? {
        let open = lexer.skippingSpace(from: start)
        guard lexer.byte(at: open) == UInt8(ascii: "(") else { return nil }
        return (open..<min(open + 80, lexer.bytes.count)).first { lexer.bytes[$0] == UInt8(ascii: ")") }
    }
}

extension String {
    /// The text without white space and one pair of quotes around it.
    fileprivate var trimmingQuotes: String {
        let inner = split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        guard inner.utf8.count > 1, let first = inner.first, first == "\"" || first == "'", inner.last == first else {
            return inner
        }
        return String(inner.dropFirst().dropLast())
    }
}
