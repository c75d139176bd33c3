/// Text as part of a URL's query (RFC 3986, section 3.4), without a library of the system.
enum PercentEncoding {
    /// The signs that stay as they are beside letters and digits.
    ///
    /// They are the unreserved ones, and those that a query may hold and that no server reads as anything else; so
    /// `& = + # % ;` and quotes are always escaped.
    private static let plain: Set<UInt8> = Set("-._~!$()*,:@/?".utf8)

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text's UTF-8 with `%` and two digits for each byte that cannot stand for itself.
    ///
    /// - Parameter text: any text.
    /// - Returns: ASCII text that means the same in a query, in linear time.
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
