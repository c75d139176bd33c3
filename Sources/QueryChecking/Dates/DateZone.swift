import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time zone of a function of dates, resolved once per query (S28).
///
///     DateZone("+02:00") == .offset(minutes: 120)  // → true
///     DateZone("CET") == nil  // → true
package enum DateZone: Hashable, Sendable {
    /// Always this far ahead of UTC.
    case offset(minutes: Int64)
    /// By the rules of the system's table of zones.
    case named(String, TimeZone)

    package static let utc = offset(minutes: 0)

    /// The zone that a text names: `UTC`, an offset such as `+02:00`, or a name such as `Europe/Vienna`.
    ///
    /// Abbreviations such as `CET` and `EST` are no names here, because stores do not read them alike.
    package init?(_ text: String) {
        if text.hasSameUTF8(as: Self.universal) {
            self = .utc
        } else if let minutes = Self.minutes(Array(text.utf8)) {
            self = .offset(minutes: minutes)
        } else if Self.isName(text.utf8), let zone = TimeZone(identifier: text) {
            self = .named(text, zone)
        } else {
            return nil
        }
    }

    /// The zone of a call's last argument.
    ///
    /// - Parameter term: a constant text; nil is UTC.
    /// - Throws: `QueryError` of code `kindMismatch` for anything else and for an unknown name, `unsupported` if the
    ///   system has no table of zones.
    package init(_ term: Term?) throws(QueryError) {
        guard let term else {
            self = .utc
            return
        }
        guard case .string(let text)? = term.constantValue else {
            throw QueryError(.kindMismatch, "a time zone is a constant text", at: term.origin, hint: Self.forms)
        }
        if let zone = DateZone(text) {
            self = zone
            return
        }
        if Self.isName(text.utf8), TimeZone(identifier: "Europe/London") == nil {
            throw QueryError(
                .unsupported,
                "this system has no table of time zones",
                at: term.origin,
                hint: "use UTC or an offset such as +02:00"
            )
        }
        throw QueryError(
            .kindMismatch,
            "there is no time zone `\(text.prefix(64))`",
            at: term.origin,
            hint: Self.meant(text).map { "did you mean \($0)?" } ?? Self.forms
        )
    }

    private static let universal = "UTC"
    private static let forms = "zones are UTC, offsets such as +02:00 and names such as Europe/Vienna"

    /// The minutes of `+hh:mm` and `-hh:mm`, at most 14 hours.
    private static func minutes(_ text: [UInt8]) -> Int64? {
        guard text.count == 6, text[3] == UInt8(ascii: ":"), [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(text[0])
        else { return nil }
        var digits: [Int64] = []
        for byte in [text[1], text[2], text[4], text[5]] {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            digits.append(Int64(byte - UInt8(ascii: "0")))
        }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard minutes < 60, hours * 60 + minutes <= 14 * 60 else { return nil }
        return (hours * 60 + minutes) * (text[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    /// True for `Area/Place`.
    private static func isName(_ text: String.UTF8View) -> Bool {
        text.count <= 64 && text.contains(UInt8(ascii: "/"))
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "+"):
                    true
                default: false
                }
            }
    }

    /// What was probably meant: the same place in another case or area, or a frequent name that is nearly the same.
    private static func meant(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        if ["Z", "GMT", "UT"].contains(text.uppercased()) { return universal }
        if minutes(Array((text.prefix(1) + "0" + text.dropFirst()).utf8)) != nil {
            return text.prefix(1) + "0" + text.dropFirst()
        }
        let place = (text.split(separator: "/").last ?? "").split(whereSeparator: { " _".contains($0) })
            .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined(separator: "_")
        return areas.map { $0 + "/" + place }.first { DateZone($0) != nil }
            ?? Suggestion.nearest(to: text, among: frequent + [universal])
    }

    private static let areas = [
        "Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian", "Antarctica",
    ]

    /// Foundation's essentials do not list the names.
    private static let frequent = [
        "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "America/Anchorage",
        "America/Argentina/Buenos_Aires", "America/Bogota", "America/Chicago", "America/Denver", "America/Halifax",
        "America/Lima", "America/Los_Angeles", "America/Mexico_City", "America/New_York", "America/Phoenix",
        "America/Santiago", "America/Sao_Paulo", "America/Toronto", "America/Vancouver", "Asia/Bangkok", "Asia/Dhaka",
        "Asia/Dubai", "Asia/Hong_Kong", "Asia/Jakarta", "Asia/Jerusalem", "Asia/Karachi", "Asia/Kathmandu",
        "Asia/Kolkata", "Asia/Manila", "Asia/Riyadh", "Asia/Seoul", "Asia/Shanghai", "Asia/Singapore", "Asia/Taipei",
        "Asia/Tehran", "Asia/Tokyo", "Atlantic/Reykjavik", "Australia/Adelaide", "Australia/Brisbane",
        "Australia/Melbourne", "Australia/Perth", "Australia/Sydney", "Europe/Amsterdam", "Europe/Athens",
        "Europe/Berlin", "Europe/Brussels", "Europe/Bucharest", "Europe/Budapest", "Europe/Copenhagen",
        "Europe/Dublin", "Europe/Helsinki", "Europe/Istanbul", "Europe/Kyiv", "Europe/Lisbon", "Europe/London",
        "Europe/Madrid", "Europe/Moscow", "Europe/Oslo", "Europe/Paris", "Europe/Prague", "Europe/Rome",
        "Europe/Stockholm", "Europe/Vienna", "Europe/Warsaw", "Europe/Zurich", "Pacific/Auckland", "Pacific/Honolulu",
    ]
}

extension DateZone {
    /// The first millisecond of the year 1, and the first of the year 10000.
    package static let years: Range<Int64> = -62_135_596_800_000..<253_402_300_800_000

    /// The instants at which the clock shows the years 1 to 9999.
    package var instants: Range<Int64> {
        let (first, end) = (Self.years.lowerBound, Self.years.upperBound)
        return first - offset(at: first)..<end - offset(at: end)
    }

    /// An instant as milliseconds of the zone's clock; nil outside the years 1 to 9999 there.
    ///
    /// - Parameter instant: milliseconds since 1970.
    /// - Returns: milliseconds since 1970 as the clock shows them.
    package func local(_ instant: Int64) -> Int64? {
        let day = CivilDate.millisecondsPerDay
        guard Self.years.lowerBound - day..<Self.years.upperBound + day ~= instant else { return nil }
        let local = instant + offset(at: instant)
        return Self.years ~= local ? local : nil
    }

    /// The milliseconds that the clock is ahead of UTC.
    private func offset(at instant: Int64) -> Int64 {
        switch self {
        case .offset(let minutes): minutes * 60_000
        case .named(_, let zone):
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1000))) * 1000
        }
    }
}

extension Function {
    /// A part of a date on a clock (S28); nil for other functions.
    ///
    /// - Parameter local: milliseconds since 1970 as the clock shows them, of the years 1 to 9999.
    /// - Returns: the number.
    package func part(of local: Int64) -> Int64? {
        switch self {
        case .year: CivilDate(milliseconds: local).year
        case .month: CivilDate(milliseconds: local).month
        case .day: CivilDate(milliseconds: local).day
        // The year 1 begins on a Monday.
        case .weekday: ((local - DateZone.years.lowerBound) / CivilDate.millisecondsPerDay + 1) % 7 + 1
        case .hour: CivilDate(milliseconds: local).millisecondOfDay / 3_600_000
        case .minute: CivilDate(milliseconds: local).millisecondOfDay / 60_000 % 60
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .modulus, .squareRoot, .log, .ln,
            .exp, .floor, .ceiling, .absolute, .truncate, .random, .randomBelow, .now, .bitwiseAnd, .bitwiseOr,
            .bitwiseXor, .leftShift, .rightShift, .onesComplement, .uppercase, .lowercase, .length, .noindex, .distance:
            nil
        }
    }

    /// True for a function that gives a part of a date.
    package var isDatePart: Bool { entry.arguments == [.date] }
}
