import QueryValues

extension PatternWriter {
    /// Each letter as a class of all scalars that fold to the same; under `[d]` marks may follow each one (S14).
    static func classes(_ text: String, _ folding: StringOptions) -> String {
        let marks = folding.contains(.diacriticInsensitive) ? Self.marks : ""
        var out = ""
        for scalar in text.unicodeScalars {
            let equivalents = Folding.equivalents(of: scalar, folding)
            guard let first = equivalents.first else { continue }
            let letters = equivalents.map(escape).joined()
            out += equivalents.count == 1 ? escape(first) : "[" + letters + "]"
            out += marks
        }
        return out
    }

    /// Pieces of a LIKE text.
    static func like(_ pieces: ArraySlice<LikePattern.Piece>, _ folding: StringOptions) -> String {
        let one = folding.contains(.diacriticInsensitive) ? "\\P{Mn}" + marks : "[\\s\\S]"
        var out = ""
        for piece in pieces {
            switch piece {
            case .literal(let literal): out += folding.isEmpty ? escape(literal) : classes(literal, folding)
            case .one: out += one
            case .any: out += anything
            }
        }
        return out
    }

    /// Rejects a MATCHES text that is not a regular expression or that could escape its group (S16).
    static func compile(_ text: String, _ options: StringOptions, at origin: Origin) throws(QueryError) {
        _ = try RegexPattern(text, options: options, at: origin)
        do {
            _ = try RegexPattern("^(?:" + text + ")" + end, options: options)
        } catch {
            throw QueryError(
                .unsupported,
                "the pattern cannot be embedded in another, which Mongo's whole-text form requires",
                at: origin,
                hint: "end an open comment or \\Q in it"
            )
        }
    }
}
