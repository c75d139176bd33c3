import QueryTree
import QueryValues

// What Apple's NSPredicate reads in a pattern of MATCHES otherwise, as its patterns are ICU's and these are PCRE2's (S16).

/// A walk through a pattern, which finds what only ICU has.
struct RegexDialect {
    /// An operation on sets in a class, or a class in a class; here they are characters like others.
    private(set) var set: Set?
    /// What PCRE2 rejects: the first such part, and how it is written here.
    private(set) var foreign: (part: String, meant: Meant)?
    /// The pattern with all of those parts as they are written here; nil where one has no other form.
    var rewritten: String? { written.map { String(decoding: $0, as: UTF8.self) } }

    /// What ICU reads as sets.
    enum Set: String {
        case intersection = "&&"
        case difference = "--"
        case nested = "["

        /// What to write instead.
        var hint: String {
            switch self {
            case .intersection: "write a look-ahead for characters of two classes, such as (?=[a-z])[^b]"
            case .difference: "write a look-ahead for the characters to leave out, such as (?![b])[a-z]"
            case .nested: #"write all characters in one pair of brackets, and \\[ for the bracket itself"#
            }
        }
    }

    /// How a part is written here.
    enum Meant {
        case written(String)
        case told(String)
    }

    private let bytes: [UInt8]
    private var index = 0
    private var written: [UInt8]? = []

    init(_ pattern: String) {
        bytes = Array(pattern.utf8)
        var isClass = false
        while index < bytes.count {
            let start = index
            var meant: Meant?
            switch byte(0) {
            case UInt8(ascii: "\\"): meant = escape()
            case UInt8(ascii: "[") where isClass: nestedClass()
            case UInt8(ascii: "["):
                isClass = true
                index += byte(1) == UInt8(ascii: "^") ? 2 : 1
                // Right after the bracket it is a character.
                if byte(0) == UInt8(ascii: "]") { index += 1 }
            case UInt8(ascii: "]"):
                isClass = false
                index += 1
            case UInt8(ascii: "&") where isClass && byte(1) == UInt8(ascii: "&"):
                set = .intersection
                index += 2
            case UInt8(ascii: "-") where isClass && byte(1) == UInt8(ascii: "-"):
                if set != .intersection { set = .difference }
                index += 2
            case UInt8(ascii: "(") where !isClass: meant = flags()
            default: index += 1
            }
            take(bytes[start..<min(index, bytes.count)], meant)
        }
    }

    private func byte(_ offset: Int) -> UInt8 {
        bytes.indices.contains(index + offset) ? bytes[index + offset] : 0
    }

    private mutating func take(_ part: ArraySlice<UInt8>, _ meant: Meant?) {
        if let meant, foreign == nil { foreign = (String(decoding: part, as: UTF8.self), meant) }
        switch meant {
        case nil: written?.append(contentsOf: part)
        case .written(let text)?: written?.append(contentsOf: text.utf8)
        case .told?: written = nil
        }
    }

    /// `[:alpha:]` is the same in both, any other bracket is not.
    private mutating func nestedClass() {
        index += 1
        if byte(0) == UInt8(ascii: ":"), let end = end(of: ":]", from: index + 1) {
            index = end
        } else if set == nil {
            set = .nested
        }
    }

    /// Takes an escape; `\Q` with everything to its `\E`.
    private mutating func escape() -> Meant? {
        let letter = byte(1)
        index += 2
        switch letter {
        case UInt8(ascii: "Q"):
            index = end(of: "\\E", from: index, within: bytes.count) ?? bytes.count
            return nil
        case UInt8(ascii: "u"): return scalar(digits: 4)
        case UInt8(ascii: "U"): return scalar(digits: 8)
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            guard let name = braced() else { return nil }
            return Self.categories[Self.plain(name)].map { .written("\\\(Character(Unicode.Scalar(letter))){\($0)}") }
        case UInt8(ascii: "N"):
            return braced() == nil ? nil : .told(#"write the character itself, or its number as in \x{4e00}"#)
        default: return nil
        }
    }

    /// `\u4e00`, `\U0001f600` and `\u{1f600}`.
    private mutating func scalar(digits count: Int) -> Meant {
        var digits = braced()
        if digits == nil, index + count <= bytes.count {
            digits = String(decoding: bytes[index..<(index + count)], as: UTF8.self)
            index += count
        }
        guard let digits, let number = UInt32(digits, radix: 16), Unicode.Scalar(number) != nil else {
            return .told(#"write the number of a character as in \x{4e00}"#)
        }
        return .written("\\x{\(digits)}")
    }

    /// Takes a text in braces.
    private mutating func braced() -> String? {
        guard byte(0) == UInt8(ascii: "{"), let end = end(of: "}", from: index) else { return nil }
        defer { index = end }
        return String(decoding: bytes[(index + 1)..<(end - 1)], as: UTF8.self)
    }

    /// `(?w)`: word boundaries of Unicode.
    private mutating func flags() -> Meant? {
        index += 1
        guard byte(0) == UInt8(ascii: "?") else { return nil }
        let letters = bytes[(index + 1)...].prefix { Array("imsxw-".utf8).contains($0) }
        guard letters.contains(UInt8(ascii: "w")) else { return nil }
        index += 1 + letters.count
        return .told(#"leave out w: \b is a boundary of ASCII words"#)
    }

    /// The end of the next sign; what is named in a pattern is short, so that many names cost no more than their length.
    private func end(of sign: String, from start: Int, within length: Int = 64) -> Int? {
        let sign = Array(sign.utf8)
        guard start <= bytes.count else { return nil }
        return bytes[start...].prefix(length).indices.first { bytes[$0...].starts(with: sign) }.map { $0 + sign.count }
    }

    /// Unicode's long names of categories, as they are compared, and the short ones that PCRE2 knows.
    private static let categories = [
        "letter": "L", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt",
        "modifierletter": "Lm", "otherletter": "Lo", "mark": "M", "nonspacingmark": "Mn", "number": "N",
        "decimalnumber": "Nd", "letternumber": "Nl", "othernumber": "No", "punctuation": "P", "symbol": "S",
        "mathsymbol": "Sm", "currencysymbol": "Sc", "separator": "Z", "spaceseparator": "Zs", "control": "Cc",
    ]

    /// A name without case, joints and what says that it is one of a category.
    private static func plain(_ name: String) -> String {
        let plain = name.lowercased().filter { !"_- ".contains($0) }
        let known = ["generalcategory=", "gc=", "is"].first { plain.hasPrefix($0) }
        return String(plain.dropFirst(known?.count ?? 0))
    }
}

extension QueryError {
    /// The error of a malformed pattern, with the way out where Apple's patterns have the part.
    ///
    /// - Parameters:
    ///   - pattern: the pattern.
    ///   - origin: its place.
    /// - Returns: the error, with a fix where the pattern is in quotes and has another form.
    func readingICU(_ pattern: String, at origin: Origin) -> QueryError {
        let dialect = RegexDialect(pattern)
        guard code == .pattern, let (part, meant) = dialect.foreign else { return self }
        var error = self
        error.message = "`\(part)` has no meaning in a pattern"
        switch meant {
        case .told(let hint): error.hint = hint
        case .written(let text):
            error.hint = "write \(text), with two backslashes in quotes"
            guard let rewritten = dialect.rewritten, (try? RegexPattern(rewritten)) != nil, let range = origin.range,
                let first = origin.source?.text.utf8.dropFirst(range.lowerBound).first,
                first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
            else { break }
            var written = FormatWriter()
            written.write(Term.value(.string(rewritten), .none))
            error.fix = Fix(range: range, replacement: written.text)
        }
        return error
    }
}
