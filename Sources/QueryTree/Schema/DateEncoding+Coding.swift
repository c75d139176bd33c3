import QueryValues

extension DateEncoding {
    /// A date as the store keeps it, rounded down to what the form can hold (S5).
    ///
    /// - Parameter milliseconds: since 1970.
    /// - Returns: text, a number or a date.
    package func encode(_ milliseconds: Int64) -> QueryValue {
        switch self {
        case .native: .date(milliseconds)
        case .iso8601, .iso8601Milliseconds: .string(DateText.iso8601(milliseconds))
        case .iso8601Seconds: .string(DateText.iso8601Seconds(milliseconds))
        case .iso8601Date: .string(DateText.iso8601Date(milliseconds))
        case .sqliteText: .string(DateText.grdb(milliseconds))
        case .epochMilliseconds: .int(milliseconds)
        case .epochSeconds:
            milliseconds.isMultiple(of: 1000)
                ? .int(milliseconds / 1000) : .double(Double(milliseconds) / 1000)
        }
    }

    /// A date in the form a store compares: texts sort as the dates do, even outside the years 0 to 9999.
    ///
    /// A date with parts that the form cannot represent becomes a text between two texts of the form: equal to neither,
    /// and ordered like the date.
    ///
    /// - Parameter milliseconds: since 1970.
    /// - Returns: text, a number or a date; outside the years whose texts sort, a text that no field holds (S5).
    package func compared(_ milliseconds: Int64) -> QueryValue {
        let value = encode(milliseconds)
        guard case .string(let text) = value else { return value }
        if let beyond = DateText.beyondYears(milliseconds) { return .string(beyond) }
        guard let whole = decode(value), whole != milliseconds else { return value }
        // A text sorts before any text that it is a prefix of.
        return .string(text + "+" + String(milliseconds - whole))
    }

    /// The date that a value of ``compared(_:)`` represents; nil if it represents none.
    ///
    /// - Parameter value: what a query compares with.
    /// - Returns: milliseconds since 1970, floored.
    package func decodeCompared(_ value: QueryValue) -> Int64? {
        guard isText, case .string(let text) = value else { return decode(value) }
        if let date = DateText.parseBeyondYears(text) ?? decode(value) { return date }
        let parts = text.split(separator: "+", maxSplits: 1)
        guard parts.count == 2, let whole = decode(.string(String(parts[0]))), let rest = Int64(parts[1]),
            rest > 0, rest < CivilDate.millisecondsPerDay, compared(whole + rest) == value
        else { return nil }
        return whole + rest
    }

    /// True when the store keeps text.
    package var isText: Bool {
        switch self {
        case .iso8601, .iso8601Milliseconds, .iso8601Seconds, .iso8601Date, .sqliteText: true
        case .native, .epochSeconds, .epochMilliseconds: false
        }
    }

    /// The date that a stored value represents; nil if it does not decode and so is of another kind (S5).
    ///
    /// - Parameter value: what the store holds.
    /// - Returns: milliseconds since 1970, floored.
    package func decode(_ value: QueryValue) -> Int64? {
        switch (self, value) {
        case (.native, .date(let milliseconds)): milliseconds
        case (.iso8601, .string(let text)): DateText.parse(text)
        case (.iso8601Milliseconds, .string(let text)): DateText.parseExact(text)
        case (.iso8601Seconds, .string(let text)): DateText.parseExactSeconds(text)
        case (.iso8601Date, .string(let text)): DateText.parseExactDate(text)
        case (.sqliteText, .string(let text)): DateText.parseExactGRDB(text)
        case (.epochMilliseconds, .int(let milliseconds)): milliseconds
        case (.epochMilliseconds, .double(let milliseconds)): Int64(exactly: milliseconds.rounded(.down))
        case (.epochSeconds, .int(let seconds)):
            seconds.multipliedReportingOverflow(by: 1000).overflow ? nil : seconds * 1000
        case (.epochSeconds, .double(let seconds)): Self.milliseconds(ofSeconds: seconds)
        default: nil
        }
    }

    /// The largest millisecond whose encoding does not exceed the number, so that encoding and decoding agree.
    private static func milliseconds(ofSeconds seconds: Double) -> Int64? {
        let guess = (seconds * 1000).rounded(.down)
        if (guess + 1) / 1000 <= seconds { return Int64(exactly: guess + 1) }
        return Int64(exactly: guess / 1000 > seconds ? guess - 1 : guess)
    }
}

extension FieldType {
    /// True if a field of this type that stores a value like a constant of another kind holds a date there: a date
    /// equals no value of another kind (S5).
    ///
    /// - Parameter constant: what a query compares with.
    /// - Returns: false for a date, and for what does not decode as one.
    package func readsAsDate(_ constant: QueryValue) -> Bool {
        switch (self, constant) {
        case (.date, .date): false
        case (.date(let encoding), _): encoding.decode(constant) != nil
        case (.list(let element), .list(let elements)): elements.contains { element.readsAsDate($0) }
        default: false
        }
    }
}
