/// The text that a query was parsed from, shared by every node of its tree.
///
///     SourceText("age > 21").text  // → age > 21
@usableFromInline
package final class SourceText: Sendable {
    /// The original text.
    package let text: String

    /// Wraps a text so that its nodes can point into it.
    ///
    ///     let source = SourceText("age > 21")
    ///     Origin(0..<3, in: source).range  // → 0..<3
    ///
    /// - Parameter text: any text, kept unchanged.
    package init(_ text: String) {
        self.text = text
    }
}

/// Where a node came from: a range of UTF-8 offsets in a text.
///
/// Two origins are always equal and contribute nothing to the hash, so trees compare by meaning and keep their
/// positions.
///
///     try Condition(format: "age > 21").origin == Origin.none  // → true
public struct Origin: Sendable {
    @usableFromInline var lower: Int32
    @usableFromInline var upper: Int32

    /// The text the range belongs to; nil for a node that was built in code.
    @usableFromInline package var source: SourceText?

    /// A node built in code: no text, no range.
    public static var none: Origin { Origin() }

    /// A value of a page's cursor: a store whose own order is that of S22 compares with it as it sorts.
    package static var ofOrder: Origin { Origin(place: -2) }
    /// The same for a value that no field has to fit.
    package static var ofAnyKind: Origin { Origin(place: -3) }
    /// A value of the library's own tests of kinds, which stays of its own kind beside every field.
    package static var ofOwnKind: Origin { Origin(place: -4) }
    package var isOfOrder: Bool { lower == -2 || lower == -3 }
    package var isOfAnyKind: Bool { lower <= -3 }
    package var isOfOwnKind: Bool { lower == -4 }

    /// This origin, or that of a constant beside it if the constant is the library's own.
    package func besides(_ constant: Origin) -> Origin { constant.lower <= -2 ? constant : self }

    private init(place: Int32 = -1) {
        lower = place
        upper = place
        source = nil
    }

    /// A source range.
    ///
    ///     try Condition(format: "  age > 21").origin.range  // → 2..<10
    ///
    /// - Parameters:
    ///   - range: UTF-8 offsets, both at most `Int32.max` (texts are limited far below that).
    ///   - source: the text, or nil when it is not known.
    @inlinable
    package init(_ range: Range<Int>, in source: SourceText?) {
        lower = Int32(clamping: range.lowerBound)
        upper = Int32(clamping: range.upperBound)
        self.source = source
    }

    /// The UTF-8 offsets in the source text, or nil for a node built in code.
    @inlinable
    public var range: Range<Int>? {
        lower < 0 ? nil : Int(lower)..<Int(max(lower, upper))
    }

    /// The smallest origin that covers both; if one has no range, the other.
    ///
    ///     Origin(0..<3, in: nil).union(Origin(6..<8, in: nil)).range  // → 0..<8
    ///
    /// - Parameter other: another origin of the same text.
    /// - Returns: an origin that covers both.
    @inlinable
    package func union(_ other: Origin) -> Origin {
        guard let mine = range else { return other }
        guard let theirs = other.range, source === other.source else { return self }
        return Origin(min(mine.lowerBound, theirs.lowerBound)..<max(mine.upperBound, theirs.upperBound), in: source)
    }
}

extension Origin: Hashable {
    /// Always true: positions are not part of a tree's meaning.
    public static func == (left: Origin, right: Origin) -> Bool { true }

    /// Hashes nothing.
    public func hash(into hasher: inout Hasher) {}
}
