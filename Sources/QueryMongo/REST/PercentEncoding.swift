/// Percent-encodes text for a URL's query (RFC 3986, section 3.4), without a system library.
enum PercentEncoding {
    /// The characters besides letters and digits that are not escaped.
    ///
    /// They are the unreserved ones, and those that a query may contain and that no server interprets differently; so
    /// `& = + # % ;` and quotes are always escaped.
    private static let plain: Set<UInt8> = Set("-._~!$()*,:@/?".utf8)

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text's UTF-8 with `%` and two digits for each byte that must be escaped.
    ///
    /// - Parameter text: any text.
    /// - Returns: equivalent ASCII text, in linear time.
    static func encode(_ text: String) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isPlain(byte) {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: plain.contains(byte)
        }
    }
}
