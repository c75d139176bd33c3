import QueryMongo
import QueryValues

/// Splits the writer's regular expressions into letters, letter classes, and the wildcards of LIKE.
struct PieceScanner {
    var rest: Substring.UnicodeScalarView
    /// The folding whose classes the letters may be.
    let options: StringOptions

    private var skipsMarks: Bool { options.contains(.diacriticInsensitive) }

    /// The pieces, or nil for an expression that no string operator is written as.
    mutating func pieces(isAnchored: Bool) -> [LikePattern.Piece]? {
        var pieces: [LikePattern.Piece] = []
        var literal = ""
        func end() {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
        }
        if skipsMarks, isAnchored { _ = rest.drops(PatternWriter.marks) }
        while !rest.isEmpty {
            if rest.drops(PatternWriter.anything) {
                end()
                pieces.append(.any)
            } else if skipsMarks ? rest.drops("\\P{Mn}" + PatternWriter.marks) : rest.drops("[\\s\\S]") {
                end()
                pieces.append(.one)
            } else {
                guard let scalar = letter() else { return nil }
                if skipsMarks, !rest.drops(PatternWriter.marks) { return nil }
                literal.unicodeScalars.append(scalar)
            }
        }
        end()
        return pieces
    }

    /// One letter, or the class of all letters with the same folded form.
    private mutating func letter() -> Unicode.Scalar? {
        guard rest.first == "[" else { return scalar() }
        rest.removeFirst()
        var letters: [Unicode.Scalar] = []
        while let next = rest.first, next != "]" {
            guard let letter = scalar() else { return nil }
            letters.append(letter)
        }
        guard !rest.isEmpty, let first = letters.first else { return nil }
        rest.removeFirst()
        // The letter that the others fold to, so that a text and its folded form are read the same way.
        return letters.first { Folding.folded(String($0), options) == String($0) } ?? first
    }

    /// A literal scalar, possibly after a backslash.
    private mutating func scalar() -> Unicode.Scalar? {
        guard let first = rest.popFirst() else { return nil }
        guard first == "\\" else {
            return PatternWriter.escape(first).unicodeScalars.count == 1 ? first : nil
        }
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{0C}"
        case "x":
            if rest.drops("0b") { return "\u{0B}" }
            return rest.drops("00") ? "\0" : nil
        default: return PatternWriter.escape(next).unicodeScalars.count == 2 ? next : nil
        }
    }
}

extension [LikePattern.Piece] {
    /// The text, when there is no wildcard.
    var plain: String? {
        switch count {
        case 0: ""
        case 1: if case .literal(let text) = self[0] { text } else { nil }
        default: nil
        }
    }

    /// The pieces as a LIKE pattern.
    var like: String {
        map { piece in
            switch piece {
            case .any: "*"
            case .one: "?"
            case .literal(let text):
                String(
                    String.UnicodeScalarView(
                        text.unicodeScalars.flatMap { "*?\\".unicodeScalars.contains($0) ? ["\\", $0] : [$0] }
                    )
                )
            }
        }.joined()
    }
}
