import QueryValues

extension QueryError {
    /// The error as readable text: message, line, carets under the range, hint and fix; in JSON also the path.
    ///
    ///     let error = Query.problems(inFormat: #"name STARTSWITH "a""#)[0]
    ///     error.rendered()  // → error: there is no operator `STARTSWITH`…fix: name BEGINSWITH "a"
    ///
    /// ```text
    /// error: there is no operator `STARTSWITH`
    ///   1 | name STARTSWITH "a"
    ///     |      ^^^^^^^^^^
    /// hint: did you mean BEGINSWITH?
    /// fix: name BEGINSWITH "a"
    /// ```
    ///
    /// Argument values are never shown.
    ///
    /// - Parameter kind: the first word: `error`, or `warning` for ``Query/warnings``.
    /// - Returns: several lines without a final newline.
    public func rendered(as kind: String = "error") -> String {
        var lines = [kind + ": " + message]
        if let source, let range { lines += ErrorPicture(of: range, in: source).lines }
        if let path, path.hasPrefix("$") || range == nil { lines.append("at: " + path) }
        if let hint { lines.append("hint: " + hint) }
        if let source, let fixed = fix?.applied(to: source), fixed.utf8.count <= ErrorPicture.width,
            !fixed.utf8.contains(UInt8(ascii: "\n"))
        {
            lines.append("fix: " + fixed)
        }
        return lines.joined(separator: "\n")
    }
}

extension QueryError: CustomStringConvertible {
    /// The error as ``rendered(as:)`` shows it.
    ///
    ///     let error = Query.problems(inFormat: #"name STARTSWITH "a""#)[0]
    ///     String(describing: error) == error.rendered()  // → true
    public var description: String { rendered() }
}

extension QueryError.Fix {
    /// The fixed text, or nil if the range does not lie in it.
    ///
    ///     let fix = QueryError.Fix(range: 5..<15, replacement: "BEGINSWITH")
    ///     fix.applied(to: #"name STARTSWITH "a""#)  // → name BEGINSWITH "a"
    ///
    /// - Parameter text: the text that the error is about.
    /// - Returns: the text with the replacement in place.
    public func applied(to text: String) -> String? {
        let bytes = Array(text.utf8)
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        let mended = bytes[..<range.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...]
        return String(validating: mended, as: UTF8.self)
    }
}

/// The line of an error with carets under the range.
private struct ErrorPicture {
    /// The maximum number of columns to show; longer lines are cut around the range.
    static let width = 100

    private(set) var lines: [String] = []

    init(of range: Range<Int>, in source: String) {
        let bytes = Array(source.utf8)
        let start = min(max(range.lowerBound, 0), bytes.count)
        let lineStart = bytes[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lineEnd = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let end = min(max(range.upperBound, start), lineEnd)
        let number = bytes[..<lineStart].reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        let before = Self.columns(bytes[lineStart..<start])
        let marked = Self.columns(bytes[start..<end])
        let after = Self.columns(bytes[end..<lineEnd])
        let gutter = String(number)
        let (left, middle, right) = Self.window(before, marked, after)
        let carets = max(1, Self.width(of: middle))
        lines = [
            "  \(gutter) | \(String(left + middle + right))",
            "  \(String(repeating: " ", count: gutter.count)) | "
                + String(repeating: " ", count: Self.width(of: left)) + String(repeating: "^", count: carets),
        ]
    }

    /// The characters as shown: tabs and controls take one column each.
    private static func columns(_ bytes: ArraySlice<UInt8>) -> [Character] {
        String(decoding: bytes, as: UTF8.self).map { character in
            guard let scalar = character.unicodeScalars.first else { return " " }
            if scalar == "\t" || scalar == "\r" { return " " }
            if scalar.value < 0x20 || scalar.value == 0x7F || isInvisible(scalar) { return "·" }
            return character
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .control, .lineSeparator, .paragraphSeparator, .nonspacingMark: true
        default: false
        }
    }

    /// Cuts a long line so that the marked part stays visible.
    private static func window(
        _ before: [Character],
        _ marked: [Character],
        _ after: [Character]
    ) -> ([Character], [Character], [Character]) {
        let shown = marked.count <= width / 2 ? marked : Array(marked.prefix(width / 2)) + ["…"]
        let room = max(10, width - shown.count)
        let left = before.count <= room / 2 ? before : ["…"] + Array(before.suffix(room / 2))
        let rest = max(10, room - left.count)
        let right = after.count <= rest ? after : Array(after.prefix(rest)) + ["…"]
        return (left, shown, shown.count < marked.count ? [] : right)
    }

    /// Terminal columns: East Asian wide characters and emoji take two.
    private static func width(of characters: [Character]) -> Int {
        characters.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 1 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
