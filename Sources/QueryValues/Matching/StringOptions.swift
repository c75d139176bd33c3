/// The letters in brackets after an operator: `[c]`, `[d]`, `[cd]`, `[n]`, `[l]`.
///
///     let folding: StringOptions = [.caseInsensitive, .diacriticInsensitive]
///     Field("name").hasPrefix("jo", folding)  // → name BEGINSWITH[cd] "jo"
public struct StringOptions: OptionSet, Hashable, Sendable {  // S14
    /// One bit per letter.
    public let rawValue: UInt8

    /// Options from their bits.
    ///
    /// - Parameter rawValue: bits of the options below.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `[c]`: case is ignored, folding one scalar to one scalar.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// `[d]`: nonspacing marks are ignored.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
    /// `[n]`: compares bytes, which is the default.
    public static let normalized = StringOptions(rawValue: 4)  // S4
    /// `[l]`: locale-aware; parsed and printed, `unsupported` in every backend.
    public static let localized = StringOptions(rawValue: 8)  // S25

    /// The letters and their options in canonical order: the one table of option letters.
    package static let letters: [(letter: Character, option: StringOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localized),
    ]

    /// The letters in canonical order without brackets, such as `cd`.
    ///
    ///     let options: StringOptions = [.diacriticInsensitive, .caseInsensitive]
    ///     options.text  // → cd
    package var text: String {
        String(Self.letters.filter { contains($0.option) }.map(\.letter))
    }

    /// The options that change the result of a comparison: `[c]` and `[d]`.
    @inlinable
    package var folding: StringOptions { StringOptions(rawValue: rawValue & 3) }
}
