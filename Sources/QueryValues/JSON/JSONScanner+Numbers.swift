extension JSONScanner {
    /// The grammar: `number = [ "-" ] ( "0" | digit1to9 { digit } ) [ "." digit { digit } ] [ exponent ]`,
    /// `exponent = ( "e" | "E" ) [ "+" | "-" ] digit { digit }`.
    mutating func number() throws(JSONFault) -> QueryValue {
        let start = index
        let negative = byte == UInt8(ascii: "-")
        if negative { index &+= 1 }
        var decimal = Decimal19()
        if byte == UInt8(ascii: "0") {
            index &+= 1
            if isDigit(byte) { throw expected("no digit after a leading zero") }
        } else {
            guard isDigit(byte) else { throw expected("a digit after `-`") }
            digits(into: &decimal)
        }
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            try fraction(into: &decimal)
            return .double(try double(decimal, negative: negative, from: start))
        default:
            guard let int = decimal.int(negative: negative) else {
                throw JSONFault(message: QueryError.wholeIsTooLarge, range: start..<index)
            }
            return .int(int)
        }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    private mutating func digits(into decimal: inout Decimal19) {
        while true {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return }
            decimal.append(digit)
            index &+= 1
        }
    }

    private mutating func fraction(into decimal: inout Decimal19) throws(JSONFault) {
        if byte == UInt8(ascii: ".") {
            index &+= 1
            guard isDigit(byte) else { throw expected("a digit after the point") }
            let start = index
            digits(into: &decimal)
            decimal.exponent = start &- index
        }
        guard byte | 0x20 == UInt8(ascii: "e") else { return }
        index &+= 1
        let negative = byte == UInt8(ascii: "-")
        if negative || byte == UInt8(ascii: "+") { index &+= 1 }
        guard isDigit(byte) else { throw expected("a digit in the exponent") }
        var exponent = 0
        while isDigit(byte) {
            // No double is that far from 1; the slow path below reads the digits themselves.
            exponent = min(exponent * 10 + Int(byte &- UInt8(ascii: "0")), 1_000_000)
            index &+= 1
        }
        decimal.exponent += negative ? -exponent : exponent
    }

    /// The nearest double.
    private func double(_ decimal: Decimal19, negative: Bool, from start: Int) throws(JSONFault) -> Double {
        if let exact = decimal.exactDouble { return negative ? -exact : exact }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONFault(message: "the number is too large for a double", range: start..<index)
        }
        return value
    }
}

/// The digits of a number without its point, as long as they fit in 19.
struct Decimal19 {
    var magnitude: UInt64 = 0
    /// Digits after leading zeros.
    var count = 0
    /// The power of ten to multiply the magnitude by.
    var exponent = 0

    @inline(__always)
    mutating func append(_ digit: UInt8) {
        magnitude = magnitude &* 10 &+ UInt64(digit)
        if magnitude != 0 || count != 0 { count &+= 1 }
    }

    /// Appends the digits from a position on, up to the first byte that is not a digit.
    @inline(__always)
    mutating func append(digitsAt at: inout UnsafePointer<UInt8>) {
        while true {
            let digit = at.pointee &- UInt8(ascii: "0")
            guard digit < 10 else { return }
            append(digit)
            at += 1
        }
    }

    @inline(__always)
    func int(negative: Bool) -> Int64? {
        guard count <= 19 else { return nil }
        if negative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }

    /// The value if one correctly rounded operation gives it: digits below 2^53 and an exact power of ten.
    var exactDouble: Double? {
        guard count <= 19, magnitude <= 1 << 53, -22...22 ~= exponent else { return nil }
        let digits = Double(magnitude)
        return exponent < 0 ? digits / Self.powers[-exponent] : digits * Self.powers[exponent]
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
