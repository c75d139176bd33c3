/// Breaks long lines of SQL and JSON, never inside a quoted text.
enum CodeWrapping {
    /// The longest text that is shown whole.
    private static let mostText = 48

    /// A statement on one line if it fits, else with a line for each clause.
    static func sql(_ text: String, width: Int) -> [String] {
        let pieces = pieces(of: text, escape: nil)
        if text.count <= width { return [text] }
        var clauses: [[String]] = [[]]
        var depth = 0
        for piece in pieces {
            if depth == 0, ["FROM ", "WHERE ", "GROUP ", "HAVING ", "ORDER ", "LIMIT "].contains(piece) {
                clauses.append([])
            }
            clauses[clauses.count - 1].append(piece)
            let bare = piece.replacing(/"[^"]*"|'[^']*'/, with: "")
            depth += bare.count { $0 == "(" } - bare.count { $0 == ")" }
        }
        return clauses.flatMap {
            wrapped($0, width: width, before: ["AND ", "OR ", "WHEN ", "ELSE ", "FROM ", "WHERE "])
        }
    }

    /// JSON, or text, in lines; a long text in quotes is cut and ends in `…`.
    static func json(_ text: String, width: Int) -> [String] {
        let quoted = /"(?:[^"\\]|\\.)*"/
        let short = text.replacing(quoted) { match in
            match.output.count <= mostText ? String(match.output) : match.output.prefix(mostText) + "…\""
        }
        return wrapped(pieces(of: short, escape: "\\"), width: width, before: [])
    }

    /// Pieces in lines; a line that is full ends before one of some words if it has one in its second half.
    private static func wrapped(_ pieces: [String], width: Int, before words: Set<String>) -> [String] {
        var lines: [String] = []
        var line: [String] = []
        for piece in pieces {
            if !line.isEmpty, (line.joined() + piece).trimmingEnd.count > width {
                let place = line.lastIndex { words.contains($0) } ?? 0
                let isLate = line[..<place].joined().count > width / 2
                let kept = isLate ? line[..<place] : line[...]
                lines.append(kept.joined().trimmingEnd)
                line = ["  "] + line[kept.endIndex...]
            }
            line.append(piece)
        }
        return lines + [line.joined().trimmingEnd]
    }

    /// The text in pieces after which a line may end.
    private static func pieces(of text: String, escape: Character?) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var quote: Character?
        var isEscaped = false
        for character in text {
            piece.append(character)
            if isEscaped {
                isEscaped = false
            } else if let open = quote {
                if character == escape { isEscaped = true }
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" && escape == nil {
                quote = character
            } else if character == " " || character == "," || character == "[" && escape != nil {
                pieces.append(piece)
                piece = ""
            }
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }
}

extension String {
    /// The text without the spaces at its end.
    fileprivate var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
