/// A regular expression that every engine interprets the same way: letters, classes, groups, `|`, repeats and `\b`.
///
/// Whether a whole text matches depends on the language of such an expression alone, not on the order in which an
/// engine tries its branches; so `^` at the start and `$` at the end say nothing. Differences between engines are
/// written out: `.` is not a line feed, `\d \w \s` are ASCII, a letter without regard to case is a class (S16).
/// Anything else has no portable form, nor has a pattern that ignores case and is not all ASCII.
package struct PortablePattern {
    /// The expression, to be matched against a whole text.
    package let text: String

    package init?(_ pattern: String, ignoringCase: Bool = false, wordBoundary: String = "\\b") {
        var reader = Reader(scalars: Array(pattern.unicodeScalars)[...], wordBoundary: wordBoundary)
        reader.readOptions()
        reader.ignoresCase = reader.ignoresCase || ignoringCase
        guard !reader.ignoresCase || reader.scalars.allSatisfy(\.isASCII) else { return nil }
        guard reader.readAlternatives(depth: 0), reader.scalars.isEmpty else { return nil }
        text = "^(?:" + reader.result + ")$"
    }

    private struct Reader {
        var scalars: ArraySlice<Unicode.Scalar>
        let wordBoundary: String
        var ignoresCase = false
        private var dot = "[^\n]"
        var result = ""

        init(scalars: ArraySlice<Unicode.Scalar>, wordBoundary: String) {
            (self.scalars, self.wordBoundary) = (scalars, wordBoundary)
        }

        /// `(?i)`, `(?s)` and `(?is)` at the start.
        mutating func readOptions() {
            guard scalars.starts(with: "(?".unicodeScalars), let close = scalars.firstIndex(of: ")") else { return }
            let letters = scalars[(scalars.startIndex + 2)..<close]
            guard !letters.isEmpty, letters.allSatisfy({ $0 == "i" || $0 == "s" }) else { return }
            ignoresCase = letters.contains("i")
            if letters.contains("s") { dot = "(?:.|\n)" }
            scalars = scalars[(close + 1)...]
        }

        mutating func readAlternatives(depth: Int) -> Bool {
            guard depth < 50 else { return false }
            while true {
                if depth == 0, !skip("^") { _ = skip("\\A") }
                while let next = scalars.first, next != "|", next != ")" {
                    if depth == 0, skipEnd() { break }
                    guard readRepeated(depth: depth) else { return false }
                }
                guard scalars.first == "|" else { return true }
                scalars.removeFirst()
                result += "|"
            }
        }

        private mutating func skip(_ text: String) -> Bool {
            guard scalars.starts(with: text.unicodeScalars) else { return false }
            scalars.removeFirst(text.unicodeScalars.count)
            return true
        }

        /// Skips an anchor at the end of an alternative.
        private mutating func skipEnd() -> Bool {
            let all = scalars
            guard skip("$") || skip("\\z") || skip("\\Z") else { return false }
            if scalars.isEmpty || scalars.first == "|" { return true }
            scalars = all
            return false
        }

        private mutating func readRepeated(depth: Int) -> Bool {
            if skip("\\b") {
                result += wordBoundary
                return scalars.first.map { !"*+?{".unicodeScalars.contains($0) } ?? true
            }
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
            case ".": result += dot
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
            } else if let control = Self.controls[letter] {
                result += control
            } else if letter.isASCII, !Self.isWord(letter) {
                append(letter)
            } else {
                return false
            }
            return true
        }

        private mutating func readClass() -> Bool {
            var members = skip("^") ? "^" : ""
            var isFirst = true
            while let next = scalars.popFirst() {
                switch next {
                case "]":
                    // Engines disagree on a bracket that begins or ends a class at its start.
                    result += "[" + members + "]"
                    return !isFirst
                case "[": return false
                case "-":
                    // A dash is itself at either end of a class only.
                    guard scalars.first == "]" || isFirst && scalars.first != "-" else { return false }
                    members += "\\-"
                case "\\":
                    guard let escaped = readClassEscape() else { return false }
                    members += escaped
                case "^", "&", "~": members += "\\" + String(next)
                default:
                    var last = next
                    if startsRange, let high = scalars.dropFirst().first {
                        guard next <= high, !"[\\^&~".unicodeScalars.contains(high) else { return false }
                        scalars = scalars.dropFirst(2)
                        last = high
                    }
                    members += next == last ? String(next) : String(next) + "-" + String(last)
                    members += otherCases(next, last)
                    isFirst = false
                    continue
                }
                guard next == "-" || !startsRange else { return false }
                isFirst = false
            }
            return false
        }

        private var startsRange: Bool { scalars.first == "-" && scalars.dropFirst().first != "]" }

        private mutating func readClassEscape() -> String? {
            guard let letter = scalars.popFirst() else { return nil }
            if let set = Self.sets[letter] ?? Self.controls[letter] { return set }
            return letter.isASCII && !Self.isWord(letter) ? "\\" + String(letter) : nil
        }

        private mutating func append(_ scalar: Unicode.Scalar) {
            let others = otherCases(scalar, scalar)
            if !others.isEmpty {
                result += "[" + String(scalar) + others + "]"
                return
            }
            if scalar.isASCII, !Self.isWord(scalar), scalar.value > 0x20 { result += "\\" }
            result.unicodeScalars.append(scalar)
        }

        /// What the letters of a range become by case, as members of a class.
        private func otherCases(_ low: Unicode.Scalar, _ high: Unicode.Scalar) -> String {
            guard ignoresCase else { return "" }
            var others = ""
            let range = low.value...high.value
            for letters in [UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z")] {
                let found = letters.filter { range.contains(UInt32($0)) }.map { String(Unicode.Scalar($0 ^ 0x20)) }
                guard let first = found.first, let last = found.last else { continue }
                others += first == last ? first : first + "-" + last
            }
            for (letter, other) in [("k", "\u{212A}"), ("s", "\u{17F}")] as [(Unicode.Scalar, String)]
            where range.contains(letter.value) || range.contains(letter.value ^ 0x20) { others += other }
            return others
        }

        private static let sets: [Unicode.Scalar: String] = [
            "d": "0-9", "w": "A-Za-z0-9_", "s": " \t\n\u{B}\u{C}\r",
        ]

        private static let controls: [Unicode.Scalar: String] = ["n": "\n", "t": "\t", "r": "\r"]

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
