import QueryChecking
import QueryTree
import QueryValues

// Messages for what the lexer could not read.

extension Parser {
    /// The next token is invalid; for some messages the node before it matters.
    func lexicalError(after node: ParsedNode? = nil) -> Mistake {
        let range = token.range
        switch LexicalFault(rawValue: token.value) {
        case .character, nil: return character(after: node)
        case .unclosedString:
            return syntax(
                "the quoted text is not closed",
                range,
                hint: "end it with the quote that started it",
                fix: closingQuote
            )
        case .intRange: return intRange(range)
        case .floatRange: return syntax("the number is too large for a double", range)
        case .digitsMissing:
            return syntax("digits are missing after `\(text(range.lowerBound..<(range.lowerBound + 2)))`", range)
        case .exponentMissing: return syntax("the exponent has no digits", range)
        case .secondPoint:
            let isRange = text(range).contains("..")
            let hint = isRange ? "a range is written BETWEEN {1, 5}, with both bounds" : nil
            return syntax("a number has only one decimal point", range, hint: hint)
        case .lettersAfterNumber: return lettersAfterNumber()
        case .variableName: return variableName()
        case .aggregateName: return aggregateName()
        case .escapedName:
            return syntax(
                "expected a word right after `#`",
                range,
                hint: "`#` turns a reserved word into a key: #and",
                fix: removedSpace
            )
        case .specifier: return specifier(after: node)
        }
    }

    /// Removes the space between a sign and its word.
    private var removedSpace: Fix? {
        let next = lexer.skippingSpace(from: token.end)
        return next > token.end && lexer.wordLength(from: next) > 0
            ? Fix(range: token.end..<next, replacement: "") : nil
    }

    private var closingQuote: Fix? {
        let last = lexer.byte(at: token.end - 1)
        guard last != UInt8(ascii: "\\"), token.end - token.start > 1, !holdsMore else { return nil }
        return Fix(range: token.end..<token.end, replacement: text(token.start..<(token.start + 1)))
    }

    /// True if more than a text seems to be in the text that is not closed: `'x AND b == 1`, `'x)`, `'x"`.
    private var holdsMore: Bool {
        tokens((token.start + 1)..<token.end).contains {
            switch $0.kind {
            case .logical(.and), .logical(.or), .comparison, .close, .closeBrace, .string, .invalid: true
            default: false
            }
        }
    }

    /// `1_000`.
    private func underscores() -> Mistake? {
        let number = text(token.range)
        guard number.contains("_"), number.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "_" }) else { return nil }
        let fix = Fix(range: token.range, replacement: number.filter { $0 != "_" })
        return syntax("numbers have no separators", token.range, hint: "leave the underscores out", fix: fix)
    }

    private func lettersAfterNumber() -> Mistake {
        var digits = token.start
        while lexer.isClass(lexer.byte(at: digits), .digit) || lexer.byte(at: digits) == UInt8(ascii: ".") {
            digits += 1
        }
        var probe = lexer
        probe.position = digits
        let word = probe.next()
        if let separators = underscores() { return separators }
        if token.start > 0, lexer.byte(at: token.start - 1) == UInt8(ascii: ".") {
            var end = token.start
            while lexer.isClass(lexer.byte(at: end), .digit) { end += 1 }
            let isIndex = lexer.byte(at: end) == UInt8(ascii: ".")
            let key = text(token.start..<(isIndex ? end : token.end))
            let member = "['\(key)'] for the value of a key"
            return syntax(
                "a key cannot start with a digit",
                token.range,
                hint: isIndex ? "write [\(key)] for an element of a list, \(member)" : "write \(member)",
                fix: isIndex ? Fix(range: (token.start - 1)..<end, replacement: "[\(key)]") : nil
            )
        }
        let isKeyword = word.kind.strength != nil
        var fix = isKeyword ? Fix(range: digits..<digits, replacement: " ") : nil
        // An id without its quotes.
        if !isKeyword, lexer.byte(at: token.end) != 0x2E, case .comparison? = tokens(0..<token.start).last?.kind {
            fix = Fix(range: token.range, replacement: "'\(text(token.range))'")
        }
        return syntax(
            "letters cannot follow a number directly",
            token.range,
            hint: isKeyword ? "put a space between them" : "a text stands in quotes; a key cannot start with a digit",
            fix: fix
        )
    }

    private func variableName() -> Mistake {
        if let mistake = numberedArgument() { return mistake }
        let next = lexer.byte(at: token.end)
        var fix = removedSpace
        if next == UInt8(ascii: "$") { fix = Fix(range: token.range, replacement: "") }
        if next == UInt8(ascii: "{") {
            let length = lexer.wordLength(from: token.end + 1)
            if length > 0, lexer.byte(at: token.end + 1 + length) == UInt8(ascii: "}") {
                let name = (token.end + 1)..<(token.end + 1 + length)
                fix = Fix(range: token.start..<(name.upperBound + 1), replacement: "$" + text(name))
            }
        }
        return syntax(
            "expected a name right after `$`",
            token.range,
            hint: lexer.isClass(next, .digit) ? "a variable cannot start with a digit" : "write $name",
            fix: fix
        )
    }

    private func aggregateName() -> Mistake {
        if let date = dayAndTime { return date }
        let next = lexer.byte(at: token.end)
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            let fix = Fix(range: token.range, replacement: "")
            return syntax("a text is written in quotes only", token.range, hint: "leave `@` out", fix: fix)
        }
        let isSwapped = next == UInt8(ascii: "%")
        let swapped = Fix(range: token.start..<(token.end + 1), replacement: "%@")
        return syntax(
            "expected an operator name right after `@`",
            token.range,
            hint: isSwapped ? "did you mean `%@`?" : "such as @count",
            fix: isSwapped
                ? swapped : next == UInt8(ascii: "@") ? Fix(range: token.range, replacement: "") : removedSpace
        )
    }
}

// MARK: - Placeholders and escapes

extension Parser {
    /// A `%` that does not start a placeholder.
    private func specifier(after node: ParsedNode?) -> Mistake {
        let next = lexer.byte(at: token.start + 1)
        let hint = "placeholders are %@, %K, %d, %f and similar, without width or flags"
        let letter = lexer.bytes.indices.dropFirst(token.start + 1).first {
            !Array("0123456789.+-#".utf8).contains(lexer.bytes[$0])
        }
        if let letter, letter > token.start + 1, (Lexer.integers + Lexer.floats).contains(lexer.bytes[letter]) {
            let plain = "%" + text(letter..<(letter + 1))
            return syntax(
                "placeholders take no width and no flags",
                token.range,
                hint: "write " + plain,
                fix: node == nil ? Fix(range: token.start..<(letter + 1), replacement: plain) : nil
            )
        }
        switch next {
        case UInt8(ascii: "k"):
            return instead(of: token.range, "there is no placeholder `%k`", "%K")
        case UInt8(ascii: " "):
            let start = lexer.skippingSpace(from: token.start + 1)
            let isPlaceholder = node == nil && Array("@Kdf".utf8).contains(lexer.byte(at: start))
            return syntax(
                "expected a letter right after `%`",
                token.start..<(token.start + 1),
                hint: hint,
                fix: isPlaceholder ? Fix(range: (token.start + 1)..<start, replacement: "") : nil
            )
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return syntax(
                "placeholders take no width, and a percent sign has no other meaning",
                token.range,
                hint: hint
            )
        default: return syntax("`\(shortened(token.range))` is not a placeholder", token.range, hint: hint)
        }
    }

    /// `a % 2`: there is no remainder operator.
    mutating func checkModulus(_ left: ParsedNode) throws(Mistake) {
        guard left.term != nil, LexicalFault(rawValue: token.value) == .specifier, left.end == previousEnd,
            token.start > triedModulus, lexer.byte(at: token.start) == UInt8(ascii: "%")
        else { return }
        triedModulus = token.start
        var probe = self
        probe.triedModulus = .max
        probe.lexer.position = token.start + 1
        probe.advance()
        guard let right = try? probe.operand(), right.term != nil else { return }
        let name = Function.modulus.entry.name
        throw syntax(
            "there is no remainder operator",
            token.start..<(token.start + 1),
            hint: "write \(name)(a, b)",
            fix: Fix(range: left.start..<right.end, replacement: "\(name)(\(text(left.range)), \(text(right.range)))")
        )
    }

    /// An invalid escape in a text; the fix doubles every backslash that does not start an escape.
    func wrongEscape(_ fault: EscapeReader.Fault, _ token: Token) -> Mistake {
        switch fault.reason {
        case .unknown:
            if let pattern = escapedWildcard(fault, token) { return pattern }
            return syntax(
                "`\(text(fault.range))` is not an escape",
                fault.range,
                hint: "write `\\\(text(fault.range))` for a backslash",
                fix: Fix(range: token.range, replacement: doubledBackslashes(token))
            )
        case .digits:
            return syntax("the escape lacks digits", fault.range, hint: "write \\xHH, \\uHHHH or \\ooo")
        case .octalRange: return syntax("the escape is beyond \\377", fault.range, hint: "write \\uHHHH")
        case .surrogate:
            return syntax("half of a surrogate pair is missing", fault.range, hint: "write both halves, \\ud83d\\ude00")
        }
    }

    /// `LIKE '\\*a'` with one backslash: the wildcard, or the character; nil for other escapes.
    private func escapedWildcard(_ fault: EscapeReader.Fault, _ token: Token) -> Mistake? {
        let escape = text(fault.range)
        // Options in brackets are one word.
        let before = Array(tokens(0..<token.start).suffix(4))
        let sign = before.last?.kind == .closeBracket ? before.dropLast(3).last : before.last
        guard escape == "\\*" || escape == "\\?", sign?.kind == .comparison(.like) else { return nil }
        let hint = "write `\(escape.dropFirst())` for the wildcard, `\\\(escape)` for the character"
        return syntax("`\(escape)` is not an escape", fault.range, hint: hint)
    }

    private func doubledBackslashes(_ token: Token) -> String {
        var bytes: [UInt8] = []
        var index = token.start
        while index < token.end {
            let byte = lexer.bytes[index]
            bytes.append(byte)
            if byte == UInt8(ascii: "\\") {
                let next = lexer.byte(at: index + 1)
                if EscapeReader.letters[next] == nil, !Array("xXuU01234567".utf8).contains(next) { bytes.append(byte) }
                bytes.append(next)
                index += 1
            }
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
