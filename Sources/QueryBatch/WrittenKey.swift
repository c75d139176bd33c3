import QueryParsing
import QueryChecking
import QueryTree
import QueryValues

// Sort keys, fields, group keys and values of groups as people type them: a space in a name is written `\\u0020`.

extension FieldPath {
    /// Reads a path; a space in a name is written `\\u0020`, as in a predicate.
    ///
    /// - Throws: `QueryError` of code `pipeline`, with its place, for what is not a path.
    package init(written text: String) throws(QueryError) {
        try WrittenKey.check(text, text.utf8.startIndex..<text.utf8.endIndex, of: text, isSortKey: false)
        self = try WrittenKey.path(text)
    }
}

extension SortKey {
    /// Reads a sort key: `-` before a path, options in brackets after it.
    ///
    /// - Throws: `QueryError` of code `pipeline`, with its place, for what is not a sort key.
    package init(written text: String) throws(QueryError) {
        let bytes = text.utf8
        let start = bytes.first == UInt8(ascii: "-") ? bytes.index(after: bytes.startIndex) : bytes.startIndex
        var end = bytes.endIndex
        if bytes.last == UInt8(ascii: "]"), let open = bytes.lastIndex(of: UInt8(ascii: "[")) { end = open }
        try WrittenKey.check(text, start..<max(start, end), of: text, isSortKey: true)
        self = try SortKey(parsing: text)
        path = try WrittenKey.path(path.dotted)
    }
}

extension GroupKey {
    /// Reads a path, or a term with ` as ` and its name.
    ///
    /// - Throws: `QueryError` with its place, of code `pipeline` for what is not a path and for a term without a
    ///   name that is no function of a field.
    package init(written text: String) throws(QueryError) {
        let (definition, alias) = Self.parts(text)
        if alias != nil, definition.utf8.contains(UInt8(ascii: "/")), let quotient = try? Term(parsing: definition) {
            self.init(quotient, as: alias)
            return
        }
        do throws(QueryError) {
            self.init(.field(try FieldPath(written: definition), .none), as: alias)
        } catch let noPath {
            let term: Term
            do throws(QueryError) {
                term = try Term(parsing: definition)
            } catch {
                // Without brackets or a name, a path was meant.
                throw alias != nil || definition.utf8.contains(UInt8(ascii: "(")) ? error : noPath
            }
            self = try Self.called(term, alias, of: definition)
        }
    }
}

extension Reducer {
    /// Reads an operation, a colon and a path or a term; optionally ` as ` and a name.
    ///
    /// - Throws: `QueryError` with its place, of code `pipeline` for what is no operation or no path.
    package init(written text: String) throws(QueryError) {
        self = try Reducer(parsing: text)
        guard let path, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let start = text.utf8[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }.startIndex
        guard let end = text.utf8.index(start, offsetBy: path.dotted.utf8.count, limitedBy: text.utf8.endIndex) else {
            return
        }
        do throws(QueryError) {
            try WrittenKey.check(text, start..<end, of: text, isSortKey: false)
        } catch {
            // With brackets or a name, a term was meant.
            if alias != nil || text.utf8.contains(UInt8(ascii: "(")) { _ = try Term(parsing: path.dotted) }
            throw error
        }
        operation = kind.operation(GroupKey(try WrittenKey.path(path.dotted))) ?? operation
    }
}

extension Condition {
    /// Reads a condition on groups; its errors name it.
    ///
    /// - Throws: `QueryError` for what is not a condition, with the name of a value that is written as it is computed.
    package init(ofGroups text: String, limits: Limits = .default) throws(QueryError) {
        do throws(QueryError) {
            self = try Condition(parsing: text, limits: limits)
        } catch {
            var error = error
            let bytes = Array(text.utf8)
            if error.code == .selectorOperator, let range = error.range, range.upperBound <= bytes.count {
                let path = bytes[range.upperBound...].prefix {
                    $0 >= 0x80 || "._".utf8.contains($0) || UnicodeScalar($0).isLetterOrDigit
                }
                let meant = String(decoding: bytes[range] + path, as: UTF8.self)
                if !path.isEmpty, let reducer = try? Reducer(parsing: meant) {
                    error.hint = "write \(reducer.name), the name of the computed value"
                    error.fix = QueryError.Fix(range: range.lowerBound..<path.endIndex, replacement: reducer.name)
                }
            }
            throw error.at(path: "having")
        }
    }
}

extension UnicodeScalar {
    fileprivate var isLetterOrDigit: Bool { properties.isAlphabetic || properties.numericType != nil }
}

enum WrittenKey {
    /// Characters that no path contains; in a name they are written with `\\u` and four digits.
    private static let signs = Array("()[]{}\"'`,;=<>!&|+*".utf8)

    static func check(
        _ text: String,
        _ part: Range<String.Index>,
        of source: String,
        isSortKey: Bool
    ) throws(QueryError) {
        let bytes = text.utf8
        func isForeign(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F || signs.contains(byte) }
        guard let place = bytes[part].firstIndex(where: isForeign) else { return }
        if isSortKey, let mistake = SortKey(stringLiteral: text).mistake { throw mistake }
        let name = String(Substring(bytes[part.lowerBound..<place]))
        let rest = String(Substring(bytes[place...])).trimmingSpaces.lowercased()
        let hint =
            switch rest {
            case "desc", "descending", "asc", "ascending": "write \(name)"
            default:
                "write a path such as address.zip" + (isSortKey ? ", -address.zip for greatest first" : "")
                    + #"; as a name: \#(escaped(text[part], isForeign)) (in JSON with two \)"#
            }
        let offset = bytes.distance(from: bytes.startIndex, to: place)
        throw QueryError(
            .pipeline,
            isSortKey ? "a sort key must be a plain path" : "a field must be a plain path here",
            range: offset..<bytes.count,
            source: source,
            hint: hint
        )
    }

    /// A name with its foreign characters as a predicate writes them: `first\\u0020name`.
    private static func escaped(_ name: Substring, _ isForeign: (UInt8) -> Bool) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            guard let byte = UInt8(exactly: scalar.value), isForeign(byte) else {
                return text.unicodeScalars.append(scalar)
            }
            let digits = String(byte, radix: 16, uppercase: true)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The path of a text; escapes work as in a predicate.
    static func path(_ text: String) throws(QueryError) -> FieldPath {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return try FieldPath(parsing: text) }
        if case .comparison(let node) = try Condition(parsing: text + " == 0"), case .field(let path, _) = node.left {
            return path
        }
        return try FieldPath(parsing: text)
    }
}
