/// Which characters a key may contain unescaped, and how the others are escaped.
///
/// The lexer and the printer share these rules, so each reads what the other writes.
package enum KeyText {
    /// True for a character that a key may start with: a letter of any script, or `_`.
    package static func canStart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            return true
        default: return false
        }
    }

    /// True for a character that a key may continue with: also digits and combining marks.
    package static func canContinue(_ scalar: Unicode.Scalar) -> Bool {
        if canStart(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }

    /// Appends a key as written after `$`, or in a path if it is not a reserved word.
    ///
    /// - Parameters:
    ///   - key: any text.
    ///   - text: the text to append to.
    package static func write(_ key: String, to text: inout String) {
        if isPlain(key) {
            text += key
            return
        }
        var isFirst = true
        for scalar in key.unicodeScalars {
            if isFirst ? canStart(scalar) : canContinue(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] { writeEscape(unit, to: &text) }
            }
            isFirst = false
        }
    }

    /// True for ASCII letters, digits and `_`, not starting with a digit.
    private static func isPlain(_ key: String) -> Bool {
        var isFirst = true
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !isFirst: break
            default: return false
            }
            isFirst = false
        }
        return true
    }

    /// Appends `\uHHHH`.
    package static func writeEscape(_ unit: UInt16, to text: inout String) {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
