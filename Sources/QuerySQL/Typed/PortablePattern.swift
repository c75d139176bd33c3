/// A regular expression that every engine interprets the same way: letters, classes, groups, `|` and repeats.
///
/// Whether a whole text matches depends on the language of such an expression alone, not on the order in which an
/// engine tries its branches. Differences between engines are written out: `.` is not a line feed, `\d \w \s` are ASCII
/// (S16). Anything else has no portable form.
struct PortablePattern {
    /// The expression, to be matched against a whole text.
    let text: String

    init?(_ pattern: String) {
        var reader = Reader(scalars: Array(pattern.unicodeScalars)[...])
        guard reader.readAlternatives(depth: 0), reader.scalars.isEmpty else { return nil }
        text = "^(?:" + reader.result + ")$"
    }

    private struct Reader {
        var scalars: ArraySlice<Unicode.Scalar>
        var result = ""

        mutating func readAlternatives(depth: Int) -> Bool {
            guard depth < 50 else { return false }
            while true {
                while let next = scalars.first, next != "|", next != ")" {
                    guard readRepeated(depth: depth) else { return false }
                }
                guard scalars.first == "|" else { return true }
                scalars.removeFirst()
                result += "|"
            }
        }

        private mutating func readRepeated(depth: Int) -> Bool {
            guard readAtom(depth: depth) else { return false }
            guard let sign = scalars.first else { return true }
            switch sign {
            case "*", "+", "?":
                scalars.removeFirst()
                result.unicodeScalars.append(sign)
            case "{":
                guard let count = readCount() else { return false }
                result += count
            default: return true
            }
            // A lazy repeat accepts the same language; a possessive one does not. Engines disagree on a repeat of a
            // repeat.
            if scalars.first == "?" { scalars.removeFirst() }
            if let next = scalars.first, next == "*" || next == "+" || next == "?" || next == "{" { return false }
            return true
        }

        /// `{2}`, `{2,}`, `{2,5}` with bounds that every engine accepts.
        private mutating func readCount() -> String? {
            guard let close = scalars.firstIndex(of: "}") else { return nil }
            let inner = String(String.UnicodeScalarView(scalars[(scalars.startIndex + 1)..<close]))
            let parts = inner.split(separator: ",", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let low = Int(parts[0]), (0...255).contains(low) else { return nil }
            if parts.count == 2, !parts[1].isEmpty {
                guard let high = Int(parts[1]), (low...255).contains(high) else { return nil }
            }
            guard inner.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) || $0 == "," }) else { return nil }
            scalars = scalars[(close + 1)...]
            return "{" + inner + "}"
        }

        private mutating func readAtom(depth: Int) -> Bool {
            guard let first = scalars.popFirst() else { return false }
            switch first {
            case ".": result += "[^\n]"
            case "[": return readClass()
            case "(": return readGroup(depth: depth)
            case "\\": return readEscape()
            case "*", "+", "?", "{", "^", "$", "|", ")": return false
            default: append(first)
            }
            return true
        }

        private mutating func readGroup(depth: Int) -> Bool {
            if scalars.first == "?" {
                guard scalars.dropFirst().first == ":" else { return false }
                scalars = scalars.dropFirst(2)
            } else if scalars.first == "*" {
                return false
            }
            result += "(?:"
            guard readAlternatives(depth: depth + 1), scalars.popFirst() == ")" else { return false }
            result += ")"
            return true
        }

        private mutating func readEscape() -> Bool {
            guard let letter = scalars.popFirst() else { return false }
            if let set = Self.sets[letter] {
                result += "[" + set + "]"
            } else if let set = Self.sets[Self.lower(letter)], Self.lower(letter) != letter {
                result += "[^" + set + "]"
            } else if letter == "n" {
                result += "\n"
            } else if letter == "t" {
                result += "\t"
            } else if letter.isASCII, !Self.isWord(letter) {
                append(letter)
            } else {
                return false
            }
            return true
        }

        private mutating func readClass() -> Bool {
            var members = ""
            if scalars.first == "^" {
                scalars.removeFirst()
                members = "^"
            }
            var isEmpty = true
            while let next = scalars.popFirst(), next != "]" || isEmpty {
                // Engines disagree on a bracket that starts a class in a class, or ends one at its start.
                if next == "[" || next == "]" { return false }
                isEmpty = false
                if next == "\\" {
                    guard let letter = scalars.popFirst() else { return false }
                    if let set = Self.sets[letter] {
                        members += set
                        if scalars.first == "-" { return false }
                        continue
                    }
                    guard letter.isASCII, !Self.isWord(letter), letter != "^" else { return false }
                    members += "\\" + String(letter)
                } else if next == "-" {
                    // A range needs two ends that are letters or digits of one run; other dashes are not portable.
                    return false
                } else if next == "^" || next == "&" || next == "~" {
                    return false
                } else {
                    members.unicodeScalars.append(next)
                }
                guard scalars.first == "-" else { continue }
                guard let high = scalars.dropFirst().first, next != "\\", next <= high, high != "]", high != "[",
                    high != "\\"
                else { return false }
                scalars = scalars.dropFirst(2)
                members += "-" + String(high)
            }
            guard !isEmpty else { return false }
            result += "[" + members + "]"
            return true
        }

        private mutating func append(_ scalar: Unicode.Scalar) {
            if scalar.isASCII, !Self.isWord(scalar), scalar.value > 0x20 { result += "\\" }
            result.unicodeScalars.append(scalar)
        }

        private static let sets: [Unicode.Scalar: String] = [
            "d": "0-9", "w": "A-Za-z0-9_", "s": " \t\n\u{B}\u{C}\r",
        ]

        private static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            scalar.isASCII ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
        }

        private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "0"..."9", "A"..."Z", "a"..."z", "_": true
            default: false
            }
        }
    }
}
