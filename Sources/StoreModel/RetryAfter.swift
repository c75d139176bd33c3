import QueryValues

extension WireResponse {
    /// The answer with the seconds until the instant that `Retry-After` names, where it names one.
    ///
    /// - Parameter now: the time of day, milliseconds since 1970; the service's own, in `Date`, is taken where it is
    ///   told.
    /// - Returns: the response.
    package func withRetryAfterInSeconds(now: Int64) -> WireResponse {
        guard let text = headers["Retry-After"], let instant = HTTPDate.parse(text) else { return self }
        let sent = headers["Date"].flatMap(HTTPDate.parse) ?? now
        var response = self
        response.headers["Retry-After"] = String((max(0, instant - sent) + 999) / 1_000)
        return response
    }
}

/// Dates as HTTP writes them (RFC 9110 §5.6.7), also in the two old forms.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The milliseconds since 1970 of a date; nil for another text.
    static func parse(_ text: String) -> Int64? {
        guard text.utf8.count <= 40 else { return nil }
        let parts = text.split { " ,-".contains($0) }.map(String.init)
        // `Sun Nov  6 08:49:37 1994`, else `Sun, 06 Nov 1994 08:49:37 GMT` or `Sunday, 06-Nov-94 08:49:37 GMT`.
        let isOldest = parts.count == 5
        guard isOldest || parts.count == 6 && parts[5] == "GMT" else { return nil }
        let (day, month) = isOldest ? (parts[2], parts[1]) : (parts[1], parts[2])
        let (time, year) = isOldest ? (parts[3], parts[4]) : (parts[4], parts[3])
        guard let number = months.firstIndex(of: month), time.utf8.count == 8, day.utf8.count <= 2 else { return nil }
        let century = year.utf8.count > 2 ? "" : year >= "70" ? "19" : "20"
        func two(_ text: String) -> String { text.utf8.count < 2 ? "0" + text : text }
        return DateText.parseExactSeconds("\(century)\(year)-\(two(String(number + 1)))-\(two(day))T\(time)Z")
    }
}
