extension DateEncoding {
    /// A date as the store keeps it (S5).
    ///
    /// - Parameter milliseconds: since 1970.
    /// - Returns: text, a number or a date.
    package func encode(_ milliseconds: Int64) -> QueryValue {
        switch self {
        case .native: .date(milliseconds)
        case .iso8601: .string(DateText.iso8601(milliseconds))
        case .sqliteText: .string(DateText.grdb(milliseconds))
        case .epochMilliseconds: .int(milliseconds)
        case .epochSeconds:
            milliseconds.isMultiple(of: 1000)
                ? .int(milliseconds / 1000) : .double(Double(milliseconds) / 1000)
        }
    }

    /// The date that a stored value stands for; nil when it does not decode, and so is of another kind (S5).
    ///
    /// - Parameter value: what the store holds.
    /// - Returns: milliseconds since 1970, floored.
    package func decode(_ value: QueryValue) -> Int64? {
        switch (self, value) {
        case (.native, .date(let milliseconds)): milliseconds
        case (.iso8601, .string(let text)): DateText.parseExact(text)
        case (.sqliteText, .string(let text)): DateText.parseExactGRDB(text)
        case (.epochMilliseconds, .int(let milliseconds)): milliseconds
        case (.epochMilliseconds, .double(let milliseconds)): Int64(exactly: milliseconds.rounded(.down))
        case (.epochSeconds, .int(let seconds)):
            seconds.multipliedReportingOverflow(by: 1000).overflow ? nil : seconds * 1000
        case (.epochSeconds, .double(let seconds)): Self.milliseconds(ofSeconds: seconds)
        default: nil
        }
    }

    /// The largest millisecond whose encoding is not above the number, so that encoding and decoding agree.
    private static func milliseconds(ofSeconds seconds: Double) -> Int64? {
        let guess = (seconds * 1000).rounded(.down)
        if (guess + 1) / 1000 <= seconds { return Int64(exactly: guess + 1) }
        return Int64(exactly: guess / 1000 > seconds ? guess - 1 : guess)
    }
}
