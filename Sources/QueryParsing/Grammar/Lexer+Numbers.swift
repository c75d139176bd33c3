extension Lexer {
    /// An int or a double.
    mutating func number(from start: Int) -> Token {
        if bytes[start] == UInt8(ascii: "0"), let radix = radix(of: byte(at: start + 1) | 0x20) {
            return prefixedNumber(from: start, radix: radix)
        }
        var index = start
        var value: UInt64 = 0
        var overflows = false
        while isClass(byte(at: index), .digit) {
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.addingReportingOverflow(UInt64(bytes[index] &- UInt8(ascii: "0")))
            overflows = overflows || first || second
            value = sum
            index &+= 1
        }
        let whole = index
        if byte(at: index) == UInt8(ascii: ".") { index = digitsEnd(from: index + 1) }
        let fraction = index
        if byte(at: index) | 0x20 == UInt8(ascii: "e"), let end = exponentEnd(from: index + 1) {
            guard end > index + 1 else { return fault(.exponentMissing, start..<signEnd(from: index + 1)) }
            index = end
        }
        if let bad = runOn(from: start, to: index) { return bad }
        if index == whole {
            if overflows { return fault(.intRange, start..<index) }
            position = index
            return Token(kind: .int, start: start, end: index, value: value)
        }
        return float(from: start, whole: whole, fraction: fraction, end: index, digits: overflows ? nil : value)
    }

    private func radix(of letter: UInt8) -> UInt64? {
        switch letter {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private mutating func prefixedNumber(from start: Int, radix: UInt64) -> Token {
        var index = start + 2
        var value: UInt64 = 0
        var overflows = false
        while let digit = digit(byte(at: index), radix: radix) {
            let (product, first) = value.multipliedReportingOverflow(by: radix)
            let (sum, second) = product.addingReportingOverflow(digit)
            overflows = overflows || first || second
            value = sum
            index += 1
        }
        guard index > start + 2 else { return fault(.digitsMissing, start..<(index + wordLength(from: index))) }
        if let bad = runOn(from: start, to: index) { return bad }
        if overflows { return fault(.intRange, start..<index) }
        position = index
        return Token(kind: .int, start: start, end: index, value: value)
    }

    private func digitsEnd(from start: Int) -> Int {
        var index = start
        while isClass(byte(at: index), .digit) { index &+= 1 }
        return index
    }

    private func signEnd(from start: Int) -> Int {
        let sign = byte(at: start)
        return sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? start + 1 : start
    }

    /// The end of an exponent; its start if digits are missing after a sign; nil if the `e` does not start an exponent.
    private func exponentEnd(from start: Int) -> Int? {
        let digits = signEnd(from: start)
        let end = digitsEnd(from: digits)
        if end > digits { return end }
        return digits > start || digits == bytes.count || isClass(byte(at: digits), .space) ? start : nil
    }

    /// Letters, digits or a second point cannot follow a number directly.
    private mutating func runOn(from start: Int, to end: Int) -> Token? {
        if byte(at: end) == UInt8(ascii: "."), bytes[start..<end].contains(UInt8(ascii: ".")) {
            return fault(.secondPoint, start..<digitsEnd(from: end + 1))
        }
        var tail = end
        while isClass(byte(at: tail), .digit) || wordLength(from: tail) > 0 { tail += max(1, wordLength(from: tail)) }
        return tail > end ? fault(.lettersAfterNumber, start..<tail) : nil
    }

    /// Reads a double; short ones exactly by one division, others with the standard library.
    private mutating func float(from start: Int, whole: Int, fraction: Int, end: Int, digits: UInt64?) -> Token {
        let short = shortFloat(whole: whole, fraction: fraction, end: end, digits: digits)
        let value = short ?? Double(normalized(start..<end)) ?? .infinity
        guard value.isFinite else { return fault(.floatRange, start..<end) }
        position = end
        return Token(kind: .float, start: start, end: end, value: value.bitPattern)
    }

    /// Both numbers are exact below 2⁵³ and 10²², so their quotient is the nearest double.
    private func shortFloat(whole: Int, fraction: Int, end: Int, digits: UInt64?) -> Double? {
        let places = fraction - whole - 1
        guard fraction == end, places >= 0, places <= 9, var mantissa = digits, mantissa < 1_000_000 else { return nil }
        var scale: Double = 1
        for index in (whole + 1)..<fraction {
            mantissa = mantissa * 10 + UInt64(bytes[index] &- UInt8(ascii: "0"))
            scale *= 10
        }
        return Double(mantissa) / scale
    }

    /// With a digit on both sides of the point, as the standard library requires.
    private func normalized(_ range: Range<Int>) -> String {
        var text = ""
        for index in range {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), text.isEmpty { text = "0" }
            text.unicodeScalars.append(Unicode.Scalar(byte))
            if byte == UInt8(ascii: "."), !isClass(self.byte(at: index + 1), .digit) { text += "0" }
        }
        return text
    }
}
