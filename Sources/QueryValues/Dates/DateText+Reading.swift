extension DateText {
    /// Reads ISO 8601 in the forms commonly written.
    ///
    /// A day, or a day, `T` or a space, and a time; seconds and their fraction may be missing, a fraction of any length
    /// is rounded down to milliseconds; `Z`, `±hh:mm`, `±hhmm` and `±hh` are zones, no zone means UTC. A space may stand
    /// before an offset, and ` UTC` behind the time or an offset of zero, as Sequelize, Go and Ruby write them. Years have
    /// four digits, or a sign and six or more. Days and times must exist: no 30 February, no hour 24, no second 60.
    ///
    ///     DateText.parse("2016-11-14 12:05+02:00")  // → 1479117900000
    ///
    /// - Parameter text: the text, without space around it.
    /// - Returns: milliseconds since 1970, or nil if the text is not such a date.
    package static func parse(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        var reader = DateReader(bytes: bytes)
        return reader.lenient()
    }

    /// Reads exactly what ``iso8601(_:)`` writes for the years 0 to 9999: `yyyy-MM-ddTHH:mm:ss.SSSZ` (S5).
    ///
    ///     DateText.parseExact("2016-11-14T10:05:55.787Z")  // → 1479117955787
    ///     DateText.parseExact("2016-11-14")  // → nil
    ///
    /// - Parameter text: a stored text; any other form gives nil.
    /// - Returns: milliseconds since 1970.
    package static func parseExact(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { parseExact($0) }
    }

    /// Reads exactly what ``grdb(_:)`` writes for the years 0 to 9999: `yyyy-MM-dd HH:mm:ss.SSS` (S5).
    package static func parseExactGRDB(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { parseExactGRDB($0) }
    }

    /// Reads exactly `yyyy-MM-ddTHH:mm:ssZ`.
    package static func parseExactSeconds(_ text: String) -> Int64? {
        text.utf8.count == 20 && text.utf8.last == UInt8(ascii: "Z") ? parseExact(text.dropLast() + ".000Z") : nil
    }

    /// Reads exactly `yyyy-MM-dd`.
    package static func parseExactDate(_ text: String) -> Int64? {
        text.utf8.count == 10 ? parseExact(text + "T00:00:00.000Z") : nil
    }

    package static func parseExact(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count == 24, bytes[23] == UInt8(ascii: "Z") else { return nil }
        return exact(bytes, separator: UInt8(ascii: "T"))
    }

    package static func parseExactGRDB(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count == 23 else { return nil }
        return exact(bytes, separator: UInt8(ascii: " "))
    }

    private static func exact(_ bytes: UnsafeBufferPointer<UInt8>, separator: UInt8) -> Int64? {
        var reader = DateReader(bytes: bytes)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take(Unicode.Scalar(separator)), let hour = reader.number(2),
            reader.take(":"), let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            reader.take("."), let milli = reader.number(3), hour < 24, minute < 60, second < 60
        else { return nil }
        let time = ((hour * 60 + minute) * 60 + second) * 1_000 + milli
        return CivilDate(year: year, month: month, day: day, millisecondOfDay: time).milliseconds
    }
}

/// Reads a date from left to right; every function that consumes input is `mutating`.
private struct DateReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == scalar.value else { return false }
        index += 1
        return true
    }

    /// Exactly this many digits.
    mutating func number(_ count: Int) -> Int64? {
        guard index + count <= bytes.count else { return nil }
        var value: Int64 = 0
        for at in index..<(index + count) {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        index += count
        return value
    }

    /// The grammar: `date = year "-" month "-" day [ ( "T" | " " ) time [ zone ] ]`.
    mutating func lenient() -> Int64? {
        guard let year = year(), take("-"), let month = number(2), take("-"), let day = number(2) else { return nil }
        var time: Int64 = 0
        var zone: Int64 = 0
        if take("T") || take("t") || take(" ") {
            guard let found = self.time(), let offset = self.zone() else { return nil }
            (time, zone) = (found, offset)
        }
        guard index == bytes.count,
            let local = CivilDate(year: year, month: month, day: day, millisecondOfDay: time).milliseconds
        else { return nil }
        let (moment, overflow) = local.subtractingReportingOverflow(zone)
        return overflow ? nil : moment
    }

    /// The grammar: `year = 4 digits | sign 6 to 9 digits`.
    private mutating func year() -> Int64? {
        let negative = take("-")
        guard negative || take("+") else { return number(4) }
        let digits = bytes[index...].prefix { $0 &- UInt8(ascii: "0") < 10 }.count
        guard 6...9 ~= digits, let year = number(digits) else { return nil }
        return negative ? -year : year
    }

    /// The grammar: `time = hour ":" minute [ ":" second [ ( "." | "," ) digits ] ]`.
    private mutating func time() -> Int64? {
        guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60 else { return nil }
        var time = (hour * 60 + minute) * 60_000
        guard take(":") else { return time }
        guard let second = number(2), second < 60 else { return nil }
        time += second * 1_000
        guard take(".") || take(",") else { return time }
        var unit: Int64 = 100
        guard let first = number(1) else { return nil }
        time += first * unit
        while let digit = number(1) {
            unit /= 10
            time += digit * unit
        }
        return time
    }

    /// The grammar: `zone = "Z" | [ " " ] sign hour [ [ ":" ] minute ] [ utc ] | utc | nothing`, where `utc = " UTC"`
    /// does not follow another offset than zero.
    private mutating func zone() -> Int64? {
        if next == nil || take("Z") || take("z") { return 0 }
        let isApart = take(" ")
        if isApart, utc() { return 0 }
        let negative = take("-")
        guard negative || take("+"), let hour = number(2), hour < 24 else { return nil }
        let hasMinute = take(":") || next != nil && next != UInt8(ascii: " ")
        guard let minute = hasMinute ? number(2) : 0, minute < 60 else { return nil }
        let offset = (hour * 60 + minute) * 60_000
        if take(" "), offset != 0 || !utc() { return nil }
        return negative ? -offset : offset
    }

    private mutating func utc() -> Bool { take("U") && take("T") && take("C") }
}
