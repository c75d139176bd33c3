import QueryMeaning
import QueryTree
import QueryValues

/// A regular expression and its option letters, as used with `$regex`.
package struct MongoPattern {
    /// The expression.
    package var text: String
    /// `i` or nothing.
    package var options = ""

    /// `{"$regex": …}`.
    var operators: Document {
        var operators: Document = ["$regex": .string(text)]
        if !options.isEmpty { operators["$options"] = .string(options) }
        return operators
    }
}

/// Writes the string operators as regular expressions that PCRE, PCRE2 and JavaScript interpret the same way.
package struct PatternWriter {
    /// The end of the text; `$` would also match before a final line break.
    package static let end = "(?![\\s\\S])"
    package static let anything = "[\\s\\S]*"
    package static let marks = "\\p{Mn}*"

    let profile: MongoProfile

    package init(profile: MongoProfile) {
        self.profile = profile
    }

    /// The pattern of a question about a text, or nil for any other.
    ///
    /// - Throws: `pattern` for a malformed MATCHES text, `unsupported` for what the service's patterns do not support.
    package func pattern(_ question: Question) throws(QueryError) -> MongoPattern? {
        let folding = question.options.folding
        let caseless = folding == .caseInsensitive && profile.patterns == .any
        let letters = caseless ? [] : folding
        let lead = folding.contains(.diacriticInsensitive) ? Self.marks : ""
        let body: String
        switch question.test {
        case .equal(.string(let text)): body = "^" + lead + literal(text, letters) + Self.end
        case .part(.prefix, let text): body = "^" + lead + literal(text, letters)
        case .part(.suffix, let text): body = anywhere + literal(text, letters) + Self.end
        case .part(.middle, let text): body = anywhere + literal(text, letters)
        case .like(let pattern): body = like(pattern.pieces[...], letters, lead)
        case .matches(let text):
            try checkMatches(text, question.options, at: question.whole)
            body = "^(?:" + text + ")" + Self.end
        case .never, .isNil, .equal, .equalToTerm, .ordered, .orderedByTerm, .between, .betweenTerms, .members,
            .memberOfTerm, .containsTerm, .textByTerm, .withinTerm:
            return nil
        }
        guard body.utf8.count <= profile.maximumPatternBytes else {
            throw QueryError(.unsupported, "the pattern is too long for the service", at: question.whole)
        }
        return MongoPattern(text: body, options: caseless ? "i" : "")
    }

    /// A LIKE text (S15), without what a `*` at either end makes unnecessary.
    private func like(_ pieces: ArraySlice<LikePattern.Piece>, _ folding: StringOptions, _ lead: String) -> String {
        var pieces = pieces
        let start = pieces.first == .any ? anywhere : "^" + lead
        if pieces.first == .any { pieces.removeFirst() }
        let end = pieces.last == .any ? "" : Self.end
        if pieces.last == .any { pieces.removeLast() }
        return start + Self.like(pieces, folding) + end
    }

    private var anywhere: String { profile.patterns == .anchored ? "^" + Self.anything : "" }

    /// Literal text, or a match for everything with the same folded form.
    private func literal(_ text: String, _ folding: StringOptions) -> String {
        folding.isEmpty ? Self.escape(text) : Self.classes(text, folding)
    }

    private func checkMatches(_ text: String, _ options: StringOptions, at origin: Origin) throws(QueryError) {
        if options.contains(.caseInsensitive), profile.patterns == .anchored {
            throw QueryError(.unsupported, "the service does not support case-insensitive patterns", at: origin)
        }
        try Self.compile(text, options, at: origin)
    }
}

extension PatternWriter {
    /// Escapes every scalar with a meaning in patterns.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars { escaped += escape(scalar) }
        return escaped
    }

    package static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\", "^", "$", ".", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}", "/", "-", "#", "&", "~", " ":
            "\\" + String(Character(scalar))
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\u{0C}": "\\f"
        case "\u{0B}": "\\x0b"
        case "\0": "\\x00"
        default: String(Character(scalar))
        }
    }
}
