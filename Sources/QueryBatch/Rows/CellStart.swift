/// What the first line of CSV or TSV says about the rest: how lines end, and which separators there are.
struct CellStart {
    /// The end of lines: a line feed, or a carriage return where the first line ends with that alone.
    private(set) var lineEnd: UInt8 = 0x0A
    /// Those of the possible separators that stand outside of quotes.
    private(set) var found: [UInt8] = []

    private enum Place {
        case start, plain, quoted, afterQuote
    }

    private let separators: [UInt8]
    private let hasQuotes: Bool
    private var place = Place.start
    private var position = 0

    /// The start of a file that is still to be read.
    ///
    /// - Parameters:
    ///   - separators: those that there may be.
    ///   - hasQuotes: true if quotes around cells may hold line breaks.
    init(separators: [UInt8], hasQuotes: Bool) {
        (self.separators, self.hasQuotes) = (separators, hasQuotes)
    }

    /// Looks for the end of the first line in bytes after those of the last call.
    ///
    /// - Parameters:
    ///   - bytes: all bytes so far.
    ///   - isAtEnd: true if there are no more.
    /// - Returns: true if it was found.
    mutating func look(in bytes: [UInt8], isAtEnd: Bool) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            let isQuote = byte == UInt8(ascii: "\"")
            if position < 3, byte == [0xEF, 0xBB, 0xBF][position] {
                position += 1
                continue
            }
            if place == .quoted {
                if isQuote { place = .afterQuote }
            } else if byte == 0x0A {
                return true
            } else if byte == 0x0D {
                // What follows tells whether it is alone; at the end of the bytes it ends the only line.
                guard position + 1 < bytes.count else { return isAtEnd }
                if bytes[position + 1] != 0x0A { lineEnd = 0x0D }
                return true
            } else if separators.contains(byte) {
                place = .start
                if !found.contains(byte) { found.append(byte) }
            } else {
                place = isQuote && hasQuotes && place != .plain ? .quoted : .plain
            }
            position += 1
        }
        return false
    }

    /// A first line such as `sep=;`, as Excel reads it.
    ///
    /// - Parameter bytes: the first ones of a file, after a byte order mark.
    /// - Returns: the separator, and the length of the line with its end; nil if it is another line.
    static func named(_ bytes: [UInt8]) -> (separator: UInt8, length: Int)? {
        guard bytes.count >= 5, String(decoding: bytes[..<4], as: UTF8.self).lowercased() == "sep=" else { return nil }
        let sign = Unicode.Scalar(bytes[4])
        let isSign = sign == "\t" || sign.isASCII && sign.value >= 0x20
        guard isSign, sign != "\"", !sign.properties.isAlphabetic, !("0"..."9").contains(sign) else { return nil }
        var length = 5
        if length < bytes.count, bytes[length] == 0x0D { length += 1 }
        if length < bytes.count, bytes[length] == 0x0A { length += 1 }
        return length > 5 || bytes.count == 5 ? (bytes[4], length) : nil
    }
}
