import Foundation

/// The parts of a date by Foundation's calendar, without its change to the Julian calendar before 1582.
package enum ProlepticCalendar {
    /// 400 years have the same days of the week and leap years as any other 400 years.
    private static let cycles = (count: 5, years: 400, seconds: 146_097.0 * 86_400)

    /// - Parameters:
    ///   - instant: milliseconds since 1970.
    ///   - zone: `UTC`, an offset such as `+02:00`, or a name.
    /// - Returns: the parts, of which years before the year 1 are 0 and less; nil for an unknown zone.
    package static func parts(of instant: Int64, in zone: String) -> DateComponents? {
        let digits = zone.compactMap(\.wholeNumberValue)
        let minutes = digits.count == 4 ? (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3] : 0
        let timeZone =
            digits.count == 4
            ? TimeZone(secondsFromGMT: minutes * (zone.hasPrefix("-") ? -60 : 60)) : TimeZone(identifier: zone)
        guard let timeZone, let utc = TimeZone(secondsFromGMT: 0) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = utc
        let seconds = (Double(instant) / 1000).rounded(.down)
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let later = seconds + Double(offset) + Double(cycles.count) * cycles.seconds
        var parts = calendar.dateComponents(
            [.year, .month, .day, .weekday, .hour, .minute],
            from: Date(timeIntervalSince1970: later)
        )
        parts.year = parts.year.map { $0 - cycles.count * cycles.years }
        return parts
    }
}
