/// Percent-encoded text (RFC 3986).
package enum PercentText {
    /// The text; nil for a broken escape or bytes that are not UTF-8.
    package static func decode(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Names and values of the text after `?`; nil if one is not well encoded.
    package static func items(_ query: String) -> [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        for part in query.split(separator: "&", omittingEmptySubsequences: true) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? decode(sides[1], plusIsSpace: true) : ""
            else { return nil }
            items.append((name, value))
        }
        return items
    }

    /// The text with everything but letters, digits and `-._~` escaped.
    package static func encode(_ text: String) -> String {
        var out = ""
        for byte in text.utf8 {
            let scalar = Character(UnicodeScalar(byte))
            if byte < 0x80, scalar.isLetter || scalar.isNumber || "-._~".contains(scalar) {
                out.append(scalar)
            } else {
                out +=
                    "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return out
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
