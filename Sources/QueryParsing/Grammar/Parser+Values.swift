import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// From tokens to values: keys, texts with escapes, dates.

extension Parser {
    /// The text of a word without its first bytes, with escapes.
    func word(_ token: Token, skipping count: Int) -> String {
        String(decoding: lexer.bytes[(token.start + count)..<token.end], as: UTF8.self)
    }

    /// `key = word | "#" word ;`.
    ///
    /// The key that a word names: without `#` or `$`, escapes read.
    func key(_ token: Token) throws(Mistake) -> String {
        let first = lexer.bytes[token.start]
        let start = first == UInt8(ascii: "#") || first == UInt8(ascii: "$") ? token.start + 1 : token.start
        let bytes = UnsafeBufferPointer(rebasing: lexer.bytes[start..<token.end])
        if !bytes.contains(UInt8(ascii: "\\")) { return String(decoding: bytes, as: UTF8.self) }
        return try unescaped(start..<token.end, token)
    }

    private func unescaped(_ range: Range<Int>, _ token: Token) throws(Mistake) -> String {
        var reader = EscapeReader(lexer, range)
        do throws(EscapeReader.Fault) {
            return try reader.text()
        } catch {
            throw wrongEscape(error, token)
        }
    }

    /// The text of a token in quotes.
    func string(_ token: Token) throws(Mistake) -> String {
        let range = (token.start + 1)..<(token.end - 1)
        guard token.value != 0 else {
            return String(decoding: UnsafeBufferPointer(rebasing: lexer.bytes[range]), as: UTF8.self)
        }
        return try unescaped(range, token)
    }

    /// True for a text that consists of `%@` only.
    func isPlaceholder(_ token: Token) -> Bool {
        token.end - token.start == 4 && lexer.bytes[token.start + 1] == UInt8(ascii: "%")
            && lexer.bytes[token.start + 2] == UInt8(ascii: "@")
    }

    /// The value of a constant cast: a date from seconds since 2001, a UUID from its text; nil for anything else.
    func folded(_ value: QueryValue, _ operand: ParsedNode, _ target: CastTarget) throws(Mistake) -> QueryValue? {
        switch (target, value) {
        case (.date, .int(let seconds)):
            let (product, first) = seconds.multipliedReportingOverflow(by: 1000)
            let (sum, second) = product.addingReportingOverflow(CastTarget.referenceDate)
            if first || second { throw dateRange(operand.range) }
            return .date(sum)
        case (.date, .double(let seconds)):
            guard seconds.isFinite else { return nil }
            if let date = decimalDate(operand.range) { return .date(date) }
            // Literals of whole milliseconds are within a few roundings of them; others are rounded down (S5).
            let exact = seconds * 1000
            let nearest = exact.rounded()
            let whole = abs(exact - nearest) <= 2 * exact.ulp ? nearest : exact.rounded(.down)
            guard let milliseconds = Int64(exactly: whole) else { throw dateRange(operand.range) }
            let (sum, overflow) = milliseconds.addingReportingOverflow(CastTarget.referenceDate)
            if overflow { throw dateRange(operand.range) }
            return .date(sum)
        case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
        default: return nil
        }
    }

    /// The date that a decimal literal of seconds denotes, to the millisecond; nil if it has an exponent.
    private func decimalDate(_ range: Range<Int>) -> Int64? {
        var milliseconds: Int64 = 0
        var places: Int?
        var isNegative = false
        var hasRest = false
        for index in range {
            let byte = lexer.bytes[index]
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): places = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = Int64(byte &- UInt8(ascii: "0"))
                if let count = places {
                    if count >= 3 {
                        hasRest = hasRest || digit > 0
                        continue
                    }
                    places = count + 1
                }
                let (product, first) = milliseconds.multipliedReportingOverflow(by: 10)
                let (difference, second) = product.subtractingReportingOverflow(digit)
                if first || second { return nil }
                milliseconds = difference
            case UInt8(ascii: " "), 0x09...0x0D: continue
            default: return nil
            }
        }
        guard let places else { return nil }
        for _ in places..<max(places, 3) {
            let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            milliseconds = product
        }
        // Digits were counted downwards, where the range is larger by one.
        if isNegative {
            if hasRest { milliseconds -= milliseconds == .min ? 0 : 1 }
        } else {
            guard milliseconds != .min else { return nil }
            milliseconds = -milliseconds
        }
        let (sum, overflow) = milliseconds.addingReportingOverflow(CastTarget.referenceDate)
        return overflow ? nil : sum
    }
}

/// Reads the escapes of a text or key.
struct EscapeReader {
    /// Where an escape is wrong, and why.
    struct Fault: Error {
        enum Reason {
            case unknown
            case digits
            case octalRange
            case surrogate
        }
        var reason: Reason
        var range: Range<Int>
    }

    private let lexer: Lexer
    private var index: Int
    private let end: Int

    init(_ lexer: Lexer, _ range: Range<Int>) {
        self.lexer = lexer
        index = range.lowerBound
        end = range.upperBound
    }

    /// The text with its escapes read.
    mutating func text() throws(Fault) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end - index)
        while index < end {
            let byte = lexer.bytes[index]
            if byte == UInt8(ascii: "\\") {
                let scalar = try escape()
                bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            } else {
                bytes.append(byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The one-letter escapes and their characters.
    static let letters: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "a"): "\u{07}", UInt8(ascii: "b"): "\u{08}", UInt8(ascii: "f"): "\u{0C}",
        UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t", UInt8(ascii: "v"): "\u{0B}",
        UInt8(ascii: "\\"): "\\", UInt8(ascii: "\""): "\"", UInt8(ascii: "'"): "'", UInt8(ascii: "/"): "/",
    ]

    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        let start = index
        let kind = lexer.byte(at: start + 1)
        if let scalar = Self.letters[kind] {
            index += 2
            return scalar
        }
        switch kind {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return try scalar(hex(2, from: start), start)
        case UInt8(ascii: "u"), UInt8(ascii: "U"): return try scalar(hex(4, from: start), start)
        case UInt8(ascii: "0")...UInt8(ascii: "7"): return try octal(from: start)
        default:
            let length = lexer.scalarLength(at: start + 1)
            throw Fault(reason: .unknown, range: start..<min(start + 1 + length, end))
        }
    }

    private mutating func hex(_ count: Int, from start: Int) throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for place in (start + 2)..<(start + 2 + count) {
            guard place < end, let digit = lexer.digit(lexer.bytes[place], radix: 16) else {
                throw Fault(reason: .digits, range: start..<min(place, end))
            }
            value = value << 4 | UInt32(digit)
        }
        index = start + 2 + count
        return value
    }

    private mutating func octal(from start: Int) throws(Fault) -> Unicode.Scalar {
        var value: UInt32 = 0
        var place = start + 1
        while place < min(start + 4, end), let digit = lexer.digit(lexer.bytes[place], radix: 8) {
            value = value << 3 | UInt32(digit)
            place += 1
        }
        guard value <= 0xFF else { throw Fault(reason: .octalRange, range: start..<place) }
        index = place
        return Unicode.Scalar(UInt8(value))
    }

    /// A character; also reads the second half of a surrogate pair.
    private mutating func scalar(_ unit: UInt32, _ start: Int) throws(Fault) -> Unicode.Scalar {
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, lexer.byte(at: index) == UInt8(ascii: "\\"),
            lexer.byte(at: index + 1) | 0x20 == UInt8(ascii: "u")
        else { throw Fault(reason: .surrogate, range: start..<index) }
        let low = try hex(4, from: index)
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw Fault(reason: .surrogate, range: start..<index) }
        return scalar
    }
}
