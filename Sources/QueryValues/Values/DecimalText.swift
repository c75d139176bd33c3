/// Decimal numbers as text: an int if the number is whole and fits, else the nearest double (S1).
package enum DecimalText {
    /// The value of a decimal number, or nil if the text is not a number or too large for a double.
    ///
    ///     DecimalText.value(of: "1.5E+1")  // → 15
    ///
    /// - Parameter text: `[sign] digits [. digits] [E [sign] digits]`, or `NaN`, `Infinity`, `-Infinity`.
    /// - Returns: an int or a double, or nil.
    package static func value(of text: String) -> QueryValue? {
        switch text {
        case "NaN": return .double(.nan)
        case "Infinity": return .double(.infinity)
        case "-Infinity": return .double(-.infinity)
        default: break
        }
        guard let parts = Parts(text) else { return nil }
        if let int = parts.int { return .int(int) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }

    /// The digits of a number without sign, point and exponent.
    private struct Parts {
        var negative = false
        var digits: [UInt8] = []
        /// The power of ten to multiply the digits by.
        var exponent = 0

        init?(_ text: String) {
            var rest = Substring(text).utf8
            negative = Self.sign(&rest)
            let whole = Self.digits(&rest)
            var fraction: [UInt8] = []
            if rest.first == UInt8(ascii: ".") {
                rest.removeFirst()
                fraction = Self.digits(&rest)
            }
            digits = whole + fraction
            guard !digits.isEmpty else { return nil }
            if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
                rest.removeFirst()
                let down = Self.sign(&rest)
                let power = Self.digits(&rest)
                guard !power.isEmpty else { return nil }
                // Beyond this no digit can affect an Int64; doubles are parsed from the text itself.
                let size = power.reduce(0) { min($0 * 10 + Int($1), 1 << 40) }
                exponent = down ? -size : size
            }
            guard rest.isEmpty else { return nil }
            exponent -= fraction.count
            while digits.last == 0 {
                digits.removeLast()
                exponent += 1
            }
        }

        private static func sign(_ rest: inout Substring.UTF8View) -> Bool {
            guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return false }
            rest.removeFirst()
            return first == UInt8(ascii: "-")
        }

        private static func digits(_ rest: inout Substring.UTF8View) -> [UInt8] {
            let run = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
            rest = rest[run.endIndex...]
            return run.map { $0 - UInt8(ascii: "0") }
        }

        /// The value if it is whole and fits in Int64.
        var int: Int64? {
            if digits.isEmpty { return 0 }
            guard exponent >= 0, exponent < 20 else { return nil }
            var value: Int64 = 0
            for digit in digits + Array(repeating: 0, count: exponent) {
                let shifted = value.multipliedReportingOverflow(by: 10)
                let next = shifted.partialValue.addingReportingOverflow(negative ? -Int64(digit) : Int64(digit))
                guard !shifted.overflow, !next.overflow else { return nil }
                value = next.partialValue
            }
            return value
        }
    }
}
