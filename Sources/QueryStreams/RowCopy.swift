import QueryValues

/// Copies the text of rows that ``JSONWriter`` would write alike, but for white space, which is left out.
package enum RowCopy {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Appends a row.
    ///
    /// - Parameters:
    ///   - text: a valid row of Extended JSON.
    ///   - out: where it goes.
    /// - Returns: false if it must be read and written, because it has a value of Extended JSON, or another spelling of
    ///   a text or a number; nothing is appended then.
    package static func append(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) -> Bool {
        let before = out.count
        var (at, copied) = (0, 0)
        while at < text.count {
            switch text[at] {
            case quote:
                guard let end = end(ofString: at, in: text) else { return giveUp(before, &out) }
                at = end
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard let end = end(ofNumber: at, in: text) else { return giveUp(before, &out) }
                at = end
            case 0x20, 0x09, 0x0A, 0x0D:
                out += text[copied..<at]
                at += 1
                copied = at
            default: at += 1
            }
        }
        out += text[copied...]
        return true
    }

    private static func giveUp(_ count: Int, _ out: inout [UInt8]) -> Bool {
        out.removeSubrange(count...)
        return false
    }

    /// The end of a text that has only the escapes which are written; nil for any other, and for a key such as `$date`.
    @inline(__always)
    private static func end(ofString start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var at = start + 1
        if at < text.count, text[at] == UInt8(ascii: "$") { return nil }
        while at < text.count {
            while at + 8 <= text.count,
                !hasEnd(UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: at, as: UInt64.self))
            {
                at += 8
            }
            switch at < text.count ? text[at] : quote {
            case quote: return at + 1
            case backslash:
                guard at + 1 < text.count else { return nil }
                switch text[at + 1] {
                case quote, backslash, UInt8(ascii: "b"), UInt8(ascii: "t"), UInt8(ascii: "n"), UInt8(ascii: "f"),
                    UInt8(ascii: "r"):
                    at += 2
                default: return nil
                }
            default: at += 1
            }
        }
        return nil
    }

    /// True if one of eight bytes is a quote or a backslash.
    @inline(__always)
    private static func hasEnd(_ bytes: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (quotes, backslashes) = (bytes ^ (ones &* UInt64(quote)), bytes ^ (ones &* UInt64(backslash)))
        let zeros = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return zeros & (ones &* 0x80) != 0
    }

    /// The end of a number of up to 15 digits that is spelled as it is written: `7`, `-0.5` and `2.0`, not `1e3`, `2.50`
    /// or `0.00001`.
    @inline(__always)
    private static func end(ofNumber start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var at = text[start] == UInt8(ascii: "-") ? start + 1 : start
        let whole = at
        skipDigits(text, &at)
        let isZero = at == whole + 1 && text[whole] == UInt8(ascii: "0")
        guard at < text.count, text[at] == UInt8(ascii: ".") else {
            let isExponent = at < text.count && text[at] | 0x20 == UInt8(ascii: "e")
            return at - whole <= 15 && !isExponent && !(isZero && whole > start) ? at : nil
        }
        let fraction = at + 1
        at = fraction
        skipDigits(text, &at)
        let isExponent = at < text.count && text[at] | 0x20 == UInt8(ascii: "e")
        guard !isExponent, at - whole <= 16, at > fraction else { return nil }
        if at == fraction + 1 { return at }
        let leading = text[fraction..<at].prefix { $0 == UInt8(ascii: "0") }.count
        let isSmall = isZero && leading > 3
        return text[at - 1] == UInt8(ascii: "0") || isSmall ? nil : at
    }

    @inline(__always)
    private static func skipDigits(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) {
        while at < text.count, text[at] &- UInt8(ascii: "0") < 10 { at += 1 }
    }
}
