/// A LIKE pattern: `?` is one scalar, `*` any number, `\` makes the next one literal; the whole text must match (S15).
///
///     let pattern = try LikePattern("B?st*")
///     pattern.matches("Boston")  // → true
package struct LikePattern: Hashable, Sendable {
    /// A part of a pattern.
    ///
    ///     try LikePattern("a*").pieces.count  // → 2
    package enum Piece: Hashable, Sendable {
        /// Literal text.
        case literal(String)
        /// Exactly one scalar; under `[d]` one base with its marks.
        case one
        /// Any number of scalars.
        case any
    }

    /// The parts in order; neighbouring literals are merged, and so are neighbouring `*`.
    package let pieces: [Piece]
    /// The options for folding: `[c]`, `[d]`, both or none.
    package let options: StringOptions
    package let segments: [Segment]

    /// The part between two `*`, with a fixed number of scalars, so that a match's length is known from either end.
    package struct Segment: Hashable, Sendable {
        package var parts: [Part] = []
    }

    package enum Part: Hashable, Sendable {
        /// Folded UTF-8, never empty.
        case bytes([UInt8])
        case one
    }

    /// Reads a pattern.
    ///
    ///     try LikePattern("zoe*", options: [.caseInsensitive, .diacriticInsensitive]).matches("Zoé Ray")  // → true
    ///     try LikePattern("a\\")  // throws pattern
    ///
    /// - Parameters:
    ///   - pattern: the pattern.
    ///   - options: `[c]` and `[d]` fold the pattern's letters and the text.
    ///   - origin: the source range for errors.
    /// - Throws: `QueryError` of code `pattern` for a lone `\` at the end.
    package init(_ pattern: String, options: StringOptions = [], at origin: Origin = .none) throws(QueryError) {
        pieces = try Self.pieces(pattern, origin)
        self.options = options.folding
        segments = Self.segments(pieces, options)
    }

    private static func pieces(_ pattern: String, _ origin: Origin) throws(QueryError) -> [Piece] {
        var pieces: [Piece] = []
        var literal = ""
        var scalars = pattern.unicodeScalars.makeIterator()
        func endLiteral() {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
        }
        while let scalar = scalars.next() {
            switch scalar {
            case "*":
                endLiteral()
                if pieces.last != .any { pieces.append(.any) }
            case "?":
                endLiteral()
                pieces.append(.one)
            case "\\":
                guard let escaped = scalars.next() else {
                    throw QueryError(
                        .pattern,
                        "a LIKE pattern cannot end in a lone backslash",
                        at: origin,
                        hint: "write the backslash twice to match one"
                    )
                }
                literal.unicodeScalars.append(escaped)
            default:
                literal.unicodeScalars.append(scalar)
            }
        }
        endLiteral()
        return pieces
    }

    private static func segments(_ pieces: [Piece], _ options: StringOptions) -> [Segment] {
        var segments: [Segment] = []
        var segment = Segment()
        for piece in pieces {
            switch piece {
            case .literal(let text):
                let bytes = Array(Folding.folded(text, options).utf8)
                // A literal of only marks matches nothing specific under `[d]`.
                if !bytes.isEmpty { segment.parts.append(.bytes(bytes)) }
            case .one: segment.parts.append(.one)
            case .any:
                segments.append(segment)
                segment = Segment()
            }
        }
        return segments + [segment]
    }

    /// The meaning of a pattern whose only wildcards are `*` at its ends, or one between two texts.
    package enum Relation: Hashable, Sendable {
        case anything
        case whole(String)
        case prefix(String)
        case suffix(String)
        case part(String)
        case ends(String, String)
    }

    /// The simpler relation with the same meaning; nil for a pattern that must be matched.
    package var relation: Relation? {
        var texts: [String] = []
        for piece in pieces {
            switch piece {
            case .literal(let text): texts.append(text)
            case .one: return nil
            case .any: break
            }
        }
        switch (pieces.first == .any, texts.count, pieces.last == .any) {
        case (true, 0, true): return .anything
        case (false, 0, false): return .whole("")
        case (false, 1, false): return .whole(texts[0])
        case (false, 1, true): return .prefix(texts[0])
        case (true, 1, false): return .suffix(texts[0])
        case (true, 1, true): return .part(texts[0])
        case (false, 2, false): return .ends(texts[0], texts[1])
        default: return nil
        }
    }

    /// The literal text that every match begins with; nil if there is none.
    package var head: String? { if case .literal(let text)? = pieces.first { text } else { nil } }

    /// True if the whole text matches.
    ///
    ///     try LikePattern("B*").matches("a Boston")  // → false
    ///
    /// O(text) without a `?` between two `*`, otherwise at worst O(text × pattern).
    ///
    /// - Parameter text: any text.
    /// - Returns: whether it matches.
    package func matches(_ text: String) -> Bool {
        text.withUTF8Bytes { matches($0) }
    }

    /// True if the whole UTF-8 text matches; called by SQLite's `pred_like`.
    ///
    /// - Parameter bytes: UTF-8 text; a malformed byte counts as one scalar.
    /// - Returns: whether it matches.
    package func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        Folding.withFolded(bytes, options) { matches(folded: $0) }
    }

    /// The ends are anchored; a part in between takes its first match, which leaves most for the rest.
    private func matches(folded text: Folding.Bytes) -> Bool {
        guard let first = segments.first, let last = segments.last else { return text.isEmpty }
        guard var position = first.end(in: text, from: 0) else { return false }
        if segments.count == 1 { return position == text.count }
        guard let start = last.start(in: text), start >= position else { return false }
        let middle = Folding.Bytes(rebasing: text[..<start])
        for segment in segments.dropFirst().dropLast() {
            guard let end = segment.firstEnd(in: middle, from: position) else { return false }
            position = end
        }
        return true
    }
}
