import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FormatWriter {
    /// Appends a constant as its literal, or as `%@` when it has none.
    package mutating func write(_ value: QueryValue) {
        switch value {
        case .null: text += ReservedWord.null.rawValue
        case .bool(let value): text += (value ? ReservedWord.true : .false).rawValue
        case .int(let value): text += String(value)
        case .double(let number):
            if number.isFinite { text += number.description } else { writeArgument(value) }
        case .string(let value): writeString(value)
        case .date(let milliseconds): writeCast(seconds(since2001: milliseconds), .date)
        case .uuid(let uuid): writeCast("\"" + uuid.uuidString + "\"", .uuid)
        case .list(let elements):
            text += "{"
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                write(element)
            }
            text += "}"
        case .data, .object, .shape: writeArgument(value)
        }
    }

    private mutating func writeArgument(_ value: QueryValue) {
        text += "%@"
        arguments.append(value)
    }

    private mutating func writeCast(_ literal: String, _ target: CastTarget) {
        text += ReservedWord.cast.rawValue
        text += "("
        text += literal
        text += ", \""
        text += target.rawValue
        text += "\")"
    }

    /// Seconds since 2001-01-01 UTC with up to three decimals, exact.
    private func seconds(since2001 milliseconds: Int64) -> String {
        var parts = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if parts.remainder < 0 { parts = (parts.quotient - 1, parts.remainder + 1000) }
        parts.quotient -= CastTarget.referenceDate / 1000
        if parts.remainder == 0 { return String(parts.quotient) }
        let isNegative = parts.quotient < 0
        if isNegative { parts = (parts.quotient + 1, 1000 - parts.remainder) }
        var decimals = String(1000 + parts.remainder).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return (isNegative ? "-" : "") + String(parts.quotient.magnitude) + "." + decimals
    }

    /// A text in double quotes; quotes, backslashes and controls are escaped.
    package mutating func writeString(_ value: String) {
        text += "\""
        if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F }) {
            text += value
        } else {
            for scalar in value.unicodeScalars { writeEscaped(scalar) }
        }
        text += "\""
    }

    private mutating func writeEscaped(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\0"..<" ", "\u{7F}": KeyText.writeEscape(UInt16(truncatingIfNeeded: scalar.value), to: &text)
        default: text.unicodeScalars.append(scalar)
        }
    }
}

/// The words that must be escaped to be used as keys, in any case.
package enum ReservedWords {
    private static let words: Set<String> = Set(
        (LogicalWord.allCases.flatMap(\.spellings)
            + Comparison.Operator.table.filter { !$0.isCall }.flatMap(\.spellings)
            + ReservedWord.allCases.flatMap(\.spellings)
            + ArithmeticOperator.allCases.map(\.entry.spelling)
            + ReservedWord.otherReserved)
            .map { $0.lowercased() }
    )

    /// A bit mask of the first letters of the words of each length; most keys need no further check.
    private static let firstLetters: [UInt32] = words.reduce(into: Array(repeating: 0, count: 32)) { masks, word in
        guard let first = word.utf8.first, word.utf8.count < masks.count else { return }
        masks[word.utf8.count] |= 1 << UInt32(first & 31)
    }

    /// True for a reserved word in any case.
    ///
    /// - Parameter key: a key.
    /// - Returns: whether it needs `#` in front.
    package static func contains(_ key: String) -> Bool {
        guard let first = key.utf8.first, first >= 0x41, first < 0x80, key.utf8.count < firstLetters.count,
            firstLetters[key.utf8.count] & 1 << UInt32(first & 31) != 0
        else { return false }
        return key.utf8.allSatisfy { $0 < 0x80 } && words.contains(key.lowercased())
    }
}
