import QueryValues

/// A collection's logical clock: milliseconds since 1970 that grow with every commit.
///
/// It is both a timestamp and a sequence number: the current time, or one more than the previous tick, whichever is
/// later. In requests and responses it is ISO 8601 text with milliseconds, as in `_kmd.lmt` and
/// `X-Kinvey-Request-Start`.
///
///     Tick(rawValue: 1_594_916_197_597).text  // → 2020-07-16T16:16:37.597Z
///     Tick("2020-07-16T16:16:37.597Z")?.rawValue  // → 1594916197597
public struct Tick: RawRepresentable, Hashable, Comparable, Sendable {
    /// Milliseconds since 1970, UTC.
    public var rawValue: Int64

    /// Creates a tick from milliseconds since 1970.
    ///
    /// - Parameter rawValue: the milliseconds.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Parses ISO 8601 text; nil for any other text.
    ///
    ///     Tick("2020-07-16T16:16:37Z")?.rawValue  // → 1594916197000
    ///     Tick("yesterday") == nil  // → true
    ///
    /// - Parameter text: a date with a time and a zone.
    public init?(_ text: String) {
        guard text.utf8.count <= 40, let milliseconds = DateText.parse(text) else { return nil }
        rawValue = milliseconds
    }

    /// The tick of a collection that was never written.
    public static let zero = Tick(rawValue: 0)

    /// ISO 8601 text in UTC with milliseconds.
    public var text: String { DateText.iso8601(rawValue) }

    /// The tick of the next commit: the current time, or one more than this tick if that is later.
    ///
    ///     Tick(rawValue: 5).next(at: 3).rawValue  // → 6
    ///     Tick(rawValue: 5).next(at: 9).rawValue  // → 9
    ///
    /// - Parameter now: the current time, milliseconds since 1970.
    /// - Returns: a later tick.
    public func next(at now: Int64) -> Tick {
        let (following, overflows) = rawValue.addingReportingOverflow(1)
        return Tick(rawValue: max(now, overflows ? rawValue : following))
    }

    /// True if a tick comes before another.
    public static func < (left: Tick, right: Tick) -> Bool { left.rawValue < right.rawValue }
}
