import QueryTree
import QueryValues

// Characters that are not part of the language: invisible ones, look-alikes, quotes, placeholders of other languages.

extension Parser {
    /// Characters that look like a sign of the language, with that sign.
    private static let lookAlikes: [Unicode.Scalar: String] = [
        "＝": "==", "≤": "<=", "≥": ">=", "≠": "!=", "＜": "<", "＞": ">", "≡": "==", "×": "*", "÷": "/", "−": "-",
        "–": "-", "—": "-", "＋": "+", "＊": "*", "（": "(", "）": ")", "［": "[", "］": "]", "｛": "{", "｝": "}",
        "，": ",", "．": ".", "＆": "&&", "∧": " AND ", "∨": " OR ", "¬": "NOT ", "∈": " IN ", "！": "!", "＃": "#",
        "＠": "@", "＄": "$", "％": "%", "⩽": "<=", "⩾": ">=", "∗": "*", "·": "*", "⋅": "*", "；": "", ";": "",
    ]

    /// Typographic quotes with their closing counterparts.
    private static let quotes: [Unicode.Scalar: [Unicode.Scalar]] = [
        "“": ["”", "“"], "”": ["”"], "„": ["“", "”"], "«": ["»"], "‘": ["’", "‘"], "’": ["’"], "‚": ["‘", "’"],
        "`": ["`", "´"], "´": ["´"], "「": ["」"], "＂": ["＂"], "＇": ["＇"],
    ]

    /// Invisible characters with their names and replacements.
    private static let invisible: [Unicode.Scalar: (name: String, replacement: String)] = [
        "\u{A0}": ("a no-break space", " "), "\u{FEFF}": ("a byte-order mark", ""),
        "\u{200B}": ("a zero-width space", ""),
        "\u{200C}": ("a zero-width non-joiner", ""), "\u{200D}": ("a zero-width joiner", ""),
        "\u{2060}": ("a word joiner", ""), "\u{AD}": ("a soft hyphen", ""), "\u{0}": ("a NUL byte", ""),
        "\u{2028}": ("a line separator", " "), "\u{2029}": ("a paragraph separator", " "),
        "\u{85}": ("a next-line control", " "),
        "\u{3000}": ("an ideographic space", " "), "\u{202F}": ("a narrow no-break space", " "),
        "\u{200E}": ("a left-to-right mark", ""), "\u{200F}": ("a right-to-left mark", ""),
    ]

    /// A character that is not part of the language.
    func character(after node: ParsedNode?) -> Mistake {
        guard let (scalar, length) = lexer.scalar(at: token.start) else {
            return syntax("unreadable bytes", token.range)
        }
        let range = token.start..<(token.start + length)
        if let (name, replacement) = Self.invisible[scalar] ?? Self.unnamed(scalar) {
            return syntax(
                "\(name) (\(Self.code(scalar))) is not allowed here",
                range,
                hint: "delete it",
                fix: Fix(range: range, replacement: replacement)
            )
        }
        if let closing = Self.quotes[scalar] { return wrongQuote(range, closing) }
        if let sign = Self.lookAlikes[scalar] {
            // A semicolon before something else may mean AND as well as OR.
            let isSure = !sign.isEmpty || lexer.skippingSpace(from: range.upperBound) == lexer.bytes.count
            return syntax(
                "`\(scalar)` (\(Self.code(scalar))) is not part of the language",
                range,
                hint: sign.isEmpty ? "leave it out" : "write `\(sign.filter { $0 != " " })`",
                fix: isSure ? Fix(range: range, replacement: sign) : nil
            )
        }
        switch scalar {
        case "?": return questionMark(range, node)
        case ":": return colon(range, node)
        case "~":
            let hint = "write ==, !=, LIKE or MATCHES; onesComplement(a) inverts bits"
            return syntax("there is no operator `~`", range, hint: hint)
        case "\\": return backslash(range)
        default:
            return syntax("unexpected character `\(scalar)`\(scalar.isASCII ? "" : " (\(Self.code(scalar)))")", range)
        }
    }

    /// Controls and other spaces that are not in the table.
    private static func unnamed(_ scalar: Unicode.Scalar) -> (name: String, replacement: String)? {
        switch scalar.properties.generalCategory {
        case .control: ("a control character", "")
        case .format: ("an invisible character", "")
        case .spaceSeparator: ("an unusual space", " ")
        default: nil
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// Typographic quotes and backquotes: the fix replaces both by straight ones.
    private func wrongQuote(_ range: Range<Int>, _ closing: [Unicode.Scalar]) -> Mistake {
        var fix: Fix?
        var index = range.upperBound
        while let (scalar, length) = lexer.scalar(at: index) {
            if closing.contains(scalar) {
                if closing.contains("´"),
                    let key = quotedKey(range.lowerBound..<(index + length), range.upperBound..<index)
                {
                    return key
                }
                let inside = text(range.upperBound..<index)
                // A single word in backquotes is a key in SQL.
                if closing.contains("´"), lexer.wordLength(from: range.upperBound) == index - range.upperBound {
                    let hint = "write \"\(inside)\" for a text, \(inside) for a key"
                    return syntax("texts are written in straight quotes, and keys without quotes", range, hint: hint)
                }
                let quote = inside.utf8.contains(UInt8(ascii: "\"")) ? "'" : "\""
                if !inside.contains(quote) {
                    fix = Fix(range: range.lowerBound..<(index + length), replacement: quote + inside + quote)
                }
                break
            }
            index += length
        }
        return syntax("texts are written in straight quotes", range, hint: "write \"…\" or '…'", fix: fix)
    }

    private func questionMark(_ range: Range<Int>, _ node: ParsedNode?) -> Mistake {
        let next = lexer.byte(at: range.upperBound)
        if next == UInt8(ascii: "."), node?.term != nil { return superfluous("a path skips nil without `?`", range) }
        if node?.condition != nil { return syntax("there is no `? :`", range, hint: "write TERNARY(condition, a, b)") }
        if node != nil { return syntax("unexpected character `?`", range, hint: "a pattern is a text: LIKE 'a?b'") }
        if lexer.isClass(next, [.letter, .digit]) {
            let isFilter = range.lowerBound > 0 && lexer.byte(at: range.lowerBound - 1) == UInt8(ascii: "[")
            return syntax(
                "`?` is not a placeholder",
                range,
                hint: isFilter
                    ? "write ANY list.key > 1, or SUBQUERY(list, $x, $x.key > 1)" : "write %@ or %1$@, without `?`"
            )
        }
        return syntax(
            "`?` is not a placeholder",
            range,
            hint: "write %@ and pass the value as an argument",
            fix: Fix(range: range, replacement: "%@")
        )
    }

    private func colon(_ range: Range<Int>, _ node: ParsedNode?) -> Mistake {
        let length = lexer.wordLength(from: range.upperBound)
        guard length > 0 else { return syntax("a colon is not allowed here", range) }
        let name = text(range.upperBound..<(range.upperBound + length))
        let isName = node == nil && !lexer.isClass(lexer.byte(at: range.upperBound), .digit)
        return syntax(
            "`:\(name)` is not a placeholder",
            range.lowerBound..<(range.upperBound + length),
            hint: isName ? "write $\(name) and bind it, or %@ and an argument" : nil,
            fix: isName ? Fix(range: range, replacement: "$") : nil
        )
    }

    /// `\(name)`, which Swift inserts into its own texts, `\.name`, and others.
    private func backslash(_ range: Range<Int>) -> Mistake {
        let next = lexer.byte(at: range.upperBound)
        let isKeyPath = next == UInt8(ascii: ".") && lexer.wordLength(from: range.upperBound + 1) > 0
        return syntax(
            "a backslash is allowed only in keys and texts",
            range,
            hint: next == UInt8(ascii: "(")
                ? "write %@ and pass the value as an argument, or $name and bind it" : "leave it out",
            fix: isKeyPath ? Fix(range: range.lowerBound..<(range.upperBound + 1), replacement: "") : nil
        )
    }
}

// Texts in quotes where no value can be.

extension Parser {
    /// What is written for bytes, which have no literal.
    static func boundBytes(_ base64: String) -> String {
        let shown = base64.utf8.count > 40 ? base64.prefix(30) + "…" : base64
        return #"write %@ and bind the bytes, in JSON {"$binary":{"base64":"\#(shown)","subType":"00"}}"#
    }

    /// `'O''Neil'`, `DATE '2024-01-31'`, `INTERVAL '1 day'` and `CONTAINS(c) 'B'`; nil for other texts.
    var strayText: Mistake? {
        let before = Array(tokens(0..<token.start).suffix(4))
        guard let last = before.last else { return nil }
        let message = "expected an operator, found a text in quotes"
        let quote = text(token.start..<(token.start + 1))
        if last.kind == .string, last.end == token.start, text((last.end - 1)..<last.end) == quote {
            return syntax(
                message,
                token.range,
                hint: "inside a text, write a quote as \\' or \\\"",
                fix: Fix(range: (last.end - 1)..<(token.start + 1), replacement: "\\" + quote)
            )
        }
        switch text(last.range).uppercased() {
        case "DATE", "DATETIME", "TIMESTAMP", "TIMESTAMPTZ":
            let cast = "CAST(\(text(token.range)), 'NSDate')"
            let isDate = DateText.parse(text((token.start + 1)..<(token.end - 1))) != nil
            return syntax(
                message,
                last.start..<token.end,
                hint: "write \(isDate ? cast : "CAST('2024-01-31', 'NSDate')")",
                fix: isDate ? Fix(range: last.start..<token.end, replacement: cast) : nil
            )
        case "B64" where last.end == token.start:
            let bytes = text((token.start + 1)..<max(token.start + 1, token.end - 1))
            return syntax(message, last.start..<token.end, hint: Self.boundBytes(bytes))
        case "INTERVAL":
            return syntax(message, last.start..<token.end, hint: Self.intervals)
        default: break
        }
        func isOption(_ byte: UInt8) -> Bool { StringOptions.letters.contains { $0.letter.asciiValue == byte | 0x20 } }
        guard last.kind == .close, before.count == 4, case .comparison(let operation) = before[0].kind,
            before[1].kind == .open, isWord(before[2]), lexer.bytes[before[2].range].allSatisfy(isOption)
        else { return nil }
        let options = "[\(text(before[2].range))]"
        return syntax(
            message,
            token.range,
            hint: "options are written in brackets: \(operation.spelling)\(options)",
            fix: Fix(range: before[1].start..<last.end, replacement: options)
        )
    }
}
