extension DateText {
    /// Milliseconds of the years 0 to 9999, whose texts sort as the dates do.
    private static let sorted: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// A text for a date outside the years 0 to 9999 that sorts before or after all texts of these years; nil for dates
    /// inside.
    ///
    /// The texts start with `!` or `:`, because the signs of ISO 8601 would both sort before all digits. No field holds
    /// such a text; they occur only where a store compares with a constant or with a computed value.
    package static func beyondYears(_ milliseconds: Int64) -> String? {
        guard !sorted.contains(milliseconds) else { return nil }
        let digits = String(UInt64(bitPattern: milliseconds) ^ (1 << 63))
        let mark = milliseconds < sorted.lowerBound ? before : behind
        return mark + String(repeating: "0", count: width - digits.utf8.count) + digits
    }

    /// The date of such a text; nil for every other.
    package static func parseBeyondYears(_ text: String) -> Int64? {
        guard text.utf8.count == width + 1, text.hasPrefix(before) || text.hasPrefix(behind),
            let digits = UInt64(text.dropFirst())
        else { return nil }
        return Int64(bitPattern: digits ^ (1 << 63))
    }

    /// True for such a text.
    package static func isBeyondYears(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == width + 1 && parseBeyondYears(String(decoding: bytes, as: UTF8.self)) != nil
    }

    private static let (before, behind, width) = ("!", ":", 20)
}
