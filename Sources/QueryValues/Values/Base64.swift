/// Base64 of RFC 4648, section 4: with padding, without line breaks.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Appends the Base64 text of some bytes.
    ///
    /// - Parameters:
    ///   - bytes: any bytes.
    ///   - out: where the text goes.
    package static func encode(_ bytes: [UInt8], to out: inout [UInt8]) {
        var at = 0
        while at < bytes.count {
            let group = bytes[at..<min(at + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for position in 0..<4 {
                let digit = Int(bits >> (18 - 6 * UInt32(position)) & 63)
                out.append(position <= group.count ? alphabet[digit] : UInt8(ascii: "="))
            }
            at += 3
        }
    }

    /// The bytes of a text, or nil if it is malformed: a foreign character, wrong padding, or nonzero bits that would
    /// be lost.
    ///
    /// - Parameter text: a multiple of four characters.
    /// - Returns: the bytes, or nil.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var (bits, held): (UInt32, UInt32) = (0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> held))
                bits &= (1 << held) - 1
            }
        }
        return bits == 0 && held < 6 ? bytes : nil
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
