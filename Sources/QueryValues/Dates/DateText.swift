/// Dates as text: milliseconds since 1970 in the proleptic Gregorian calendar, UTC, without leap seconds (S5).
///
///     DateText.iso8601(1_479_117_955_787)  // → 2016-11-14T10:05:55.787Z
package enum DateText {
    /// `yyyy-MM-ddTHH:mm:ss.SSSZ`, 24 characters for the years 0 to 9999; other years have a sign and six digits or more.
    package static func iso8601(_ milliseconds: Int64) -> String {
        text(milliseconds, separator: UInt8(ascii: "T"), zone: true)
    }

    /// GRDB's form, `yyyy-MM-dd HH:mm:ss.SSS`; other years as in ``iso8601(_:)``.
    package static func grdb(_ milliseconds: Int64) -> String {
        text(milliseconds, separator: UInt8(ascii: " "), zone: false)
    }

    /// `yyyy-MM-ddTHH:mm:ssZ`, without milliseconds; other years as in ``iso8601(_:)``.
    package static func iso8601Seconds(_ milliseconds: Int64) -> String { iso8601(milliseconds).dropLast(5) + "Z" }

    /// `yyyy-MM-dd`, without the time; other years as in ``iso8601(_:)``.
    package static func iso8601Date(_ milliseconds: Int64) -> String { String(iso8601(milliseconds).dropLast(14)) }

    private static func text(_ milliseconds: Int64, separator: UInt8, zone: Bool) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(32)
        append(milliseconds, separator: separator, zone: zone, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    static func append(_ milliseconds: Int64, separator: UInt8, zone: Bool, to out: inout [UInt8]) {
        let moment = CivilDate(milliseconds: milliseconds)
        let time = moment.millisecondOfDay
        appendYear(moment.year, to: &out)
        out.append(UInt8(ascii: "-"))
        appendPair(moment.month, to: &out)
        out.append(UInt8(ascii: "-"))
        appendPair(moment.day, to: &out)
        out.append(separator)
        appendPair(time / 3_600_000, to: &out)
        out.append(UInt8(ascii: ":"))
        appendPair(time / 60_000 % 60, to: &out)
        out.append(UInt8(ascii: ":"))
        appendPair(time / 1_000 % 60, to: &out)
        out.append(UInt8(ascii: "."))
        appendDigit(time % 1_000 / 100, to: &out)
        appendPair(time % 100, to: &out)
        if zone { out.append(UInt8(ascii: "Z")) }
    }

    private static func appendYear(_ year: Int64, to out: inout [UInt8]) {
        if 0...9_999 ~= year {
            appendPair(year / 100, to: &out)
            appendPair(year % 100, to: &out)
        } else {
            let digits = String(year.magnitude).utf8
            out.append(UInt8(ascii: year < 0 ? "-" : "+"))
            for _ in 0..<max(0, 6 - digits.count) { out.append(UInt8(ascii: "0")) }
            out.append(contentsOf: digits)
        }
    }

    /// Two digits of a number below 100.
    private static func appendPair(_ value: Int64, to out: inout [UInt8]) {
        appendDigit(value / 10, to: &out)
        appendDigit(value % 10, to: &out)
    }

    private static func appendDigit(_ value: Int64, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
    }
}

/// A day of the proleptic Gregorian calendar and the time in it.
package struct CivilDate {
    package static let millisecondsPerDay: Int64 = 86_400_000

    package var year: Int64
    package var month: Int64
    package var day: Int64
    package var millisecondOfDay: Int64

    init(year: Int64, month: Int64, day: Int64, millisecondOfDay: Int64) {
        self.year = year
        self.month = month
        self.day = day
        self.millisecondOfDay = millisecondOfDay
    }

    /// The day count uses eras of 400 years that start on a 1 March, so that the leap day is the last of its year.
    package init(milliseconds: Int64) {
        let days = Self.floor(milliseconds, by: Self.millisecondsPerDay)
        // Not `milliseconds - days * …`, because the product overflows Int64 for its first moments.
        let rest = milliseconds % Self.millisecondsPerDay
        millisecondOfDay = rest < 0 ? rest + Self.millisecondsPerDay : rest
        let shifted = days + 719_468
        let era = Self.floor(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Milliseconds since 1970, or nil if no such day exists or the count overflows Int64.
    var milliseconds: Int64? {
        // Int64 milliseconds cover about 292 million years; within a billion only the last steps below can overflow.
        guard -1_000_000_000...1_000_000_000 ~= year, 1...12 ~= month, day >= 1,
            day <= Self.days(inMonth: month, of: year), 0..<Self.millisecondsPerDay ~= millisecondOfDay
        else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = Self.floor(shiftedYear, by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        // The earliest days are multiplied one too high, so that the first moments of Int64 do not overflow.
        let towardZero = days < 0 ? days + 1 : days
        let rest = days < 0 ? millisecondOfDay - Self.millisecondsPerDay : millisecondOfDay
        let product = towardZero.multipliedReportingOverflow(by: Self.millisecondsPerDay)
        let sum = product.partialValue.addingReportingOverflow(rest)
        return product.overflow || sum.overflow ? nil : sum.partialValue
    }

    static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Division that rounds down; the divisor is positive.
    private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
