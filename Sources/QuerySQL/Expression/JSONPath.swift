import QueryValues

/// A path inside JSON text, written into the statement as a literal so that expression indexes match (T7).
struct JSONPath: Sendable {
    private(set) var text = Self.root

    private static let root = "$"

    /// True for the whole value.
    var isRoot: Bool { text == Self.root }

    /// The path as an SQL literal.
    var literal: SQLText { .literal(text) }

    /// The path extended by a key.
    ///
    /// A key of letters, digits and `_` is written unquoted, any other in quotes with JSON escapes. Not every release
    /// can address a key that contains a quote, so it is rejected (T8).
    func key(_ key: String, at origin: Origin) throws(QueryError) -> JSONPath {
        var path = self
        if Self.isBare(key) {
            path.text += "." + key
            return path
        }
        if key.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\"") }) {
            throw QueryError(.unsupported, "a JSON path in SQL cannot hold a key with a quote or NUL", at: origin)
        }
        path.text += ".\""
        for scalar in key.unicodeScalars { path.text += Self.escaped(scalar) }
        path.text += "\""
        return path
    }

    /// The path extended by an index; `#-1` is the last element.
    func position(_ position: String) -> JSONPath {
        var path = self
        path.text += "[" + position + "]"
        return path
    }

    private static func isBare(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case "\u{8}": return "\\b"
        case "\u{C}": return "\\f"
        case "\u{0}"..."\u{1F}":
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(scalar)
        }
    }
}
