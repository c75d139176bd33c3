import QueryTree
import QueryValues

extension FieldPath {
    /// Reads a path like `%K`: keys joined by dots, each taken literally.
    ///
    ///     try FieldPath(parsing: "address.zip").keys  // → ["address", "zip"]
    ///
    /// - Parameter text: the path; `SELF` alone is the object itself.
    /// - Throws: `QueryError` of code `pipeline` if a key is empty or an `@` operator.
    public init(parsing text: String) throws(QueryError) {
        guard text.uppercased() != ReservedWord.`self`.rawValue else {
            self = .itself
            return
        }
        self.init(dotted: text)
        for key in keys where key.isEmpty || key.utf8.first == UInt8(ascii: "@") {
            throw QueryError(
                .pipeline,
                key.isEmpty ? "a key of the path is empty" : "a path here has no @ operators",
                range: 0..<text.utf8.count,
                source: text,
                hint: "write a path such as address.zip"
            )
        }
    }
}

extension SortKey {
    /// Reads a sort key: a path, optionally with a leading `-` for descending order and trailing options in brackets.
    ///
    ///     try SortKey(parsing: "-population").isAscending  // → false
    ///     try SortKey(parsing: "name[cd]").options.contains(.caseInsensitive)  // → true
    ///
    /// - Parameter text: the key.
    /// - Throws: `QueryError` of code `pipeline` for an empty path, an unknown option letter, or an option that cannot
    ///   sort strings.
    public init(parsing text: String) throws(QueryError) {
        let (path, isAscending, options) = Self.parts(of: text)
        guard let options, !path.utf8.contains(UInt8(ascii: "[")) else {
            throw QueryError(
                .pipeline,
                options == nil
                    ? "strings cannot be sorted with this option" : "a sort key ends in its options, in brackets",
                range: 0..<text.utf8.count,
                source: text,
                hint: "write name[c], name[d] or name[cd]"
            )
        }
        do throws(QueryError) {
            self.init(try FieldPath(parsing: path), ascending: isAscending, options: options)
        } catch {
            guard path.contains("@") else { throw error }
            var named = error
            let sign = isAscending ? "" : "-"
            named.hint = "compute it under a name and sort by that (pql: --fields 'n=\(path)' --sort=\(sign)n)"
            throw named
        }
    }

    /// The path, the direction and the options of a key; the options are nil, and part of the path, if no string can be
    /// sorted with them.
    private static func parts(of text: String) -> (path: String, isAscending: Bool, options: StringOptions?) {
        // By bytes: a key may start with a combining mark, which would form one character with the sign before it.
        var rest = text.utf8[...]
        let isAscending = rest.first != UInt8(ascii: "-")
        if !isAscending { rest.removeFirst() }
        var options: StringOptions = []
        if rest.last == UInt8(ascii: "]"), let open = rest.lastIndex(of: UInt8(ascii: "[")), open > rest.startIndex {
            for letter in rest[open...].dropFirst().dropLast() {
                let entry = StringOptions.letters.first { $0.letter.asciiValue == letter | 0x20 }
                guard let entry, entry.option.isSubset(of: [.caseInsensitive, .diacriticInsensitive, .normalized])
                else { return (String(Substring(rest)), isAscending, nil) }
                options.insert(entry.option)
            }
            rest = rest[..<open]
        }
        return (String(Substring(rest)), isAscending, options)
    }
}

extension SortKey: ExpressibleByStringLiteral {
    /// An ascending key; a leading `-` makes it descending, and `[c]`, `[d]` or `[cd]` at its end are options.
    public init(stringLiteral value: String) {
        let (path, isAscending, options) = Self.parts(of: value)
        self.init(FieldPath(dotted: path), ascending: isAscending, options: options ?? [])
    }
}

extension Reducer {
    /// Reads what to compute over a group: `count`, `avg:population`, `sum:a.b as total`, `countDistinct:name`.
    ///
    ///     try Reducer(parsing: "avg:population") == .average("population")  // → true
    ///     try Reducer(parsing: "sum:population as people").alias  // → people
    ///
    /// - Parameter text: an operation, a colon and a path; optionally `as` and a name.
    /// - Throws: `QueryError` of code `pipeline` for an unknown operation, or a missing or superfluous path.
    public init(parsing text: String) throws(QueryError) {
        var definition = text.utf8[...]
        var alias: String?
        if let range = Self.aliasRange(in: text) {
            alias = String(text[range.upperBound...].unicodeScalars.drop { $0.properties.isWhitespace })
            definition = text.utf8[..<range.lowerBound]
        }
        let parts = definition.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(Substring(parts[0])).trimmingSpaces
        guard let kind = Kind(rawValue: name == "average" ? Kind.average.rawValue : name), kind != .custom else {
            throw Self.unknown(text)
        }
        var path: FieldPath?
        if parts.count == 2, kind != .count {
            path = try FieldPath(parsing: String(Substring(parts[1])).trimmingSpaces)
        }
        guard let operation = kind.operation(path), kind != .count || parts.count == 1 else { throw Self.unknown(text) }
        self.init(operation, as: alias)
    }

    /// The range of ` as ` between spaces.
    private static func aliasRange(in text: String) -> Range<String.Index>? {
        let bytes = text.utf8
        return bytes.indices.first { GroupKey.isAlias(bytes[$0...]) }.map { $0..<bytes.index($0, offsetBy: 4) }
    }

    private static func unknown(_ text: String) -> QueryError {
        let meant = asCall(text)
        return QueryError(
            .pipeline,
            "a group computes count, or sum, avg, min, max, countDistinct, distinct, median, first or last of a path",
            range: 0..<text.utf8.count,
            source: text,
            hint: meant.map { "write `\($0)`" } ?? "such as `avg:population` or `sum:price as total`",
            fix: meant.map { QueryError.Fix(range: 0..<text.utf8.count, replacement: $0) }
        )
    }

    /// What a call as in SQL means, `sum(price) as total` or `count(*)`.
    private static func asCall(_ text: String) -> String? {
        guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else { return nil }
        let name = String(text[..<open]).trimmingSpaces.lowercased()
        let path = String(text[text.index(after: open)..<close]).trimmingSpaces
        guard
            let kind = Kind.named.first(where: {
                $0.rawValue.lowercased() == name || name == "average" && $0 == .average
            })
        else { return nil }
        let definition = kind == .count && ["", "*"].contains(path) ? "count" : kind.rawValue + ":" + path
        let meant = definition + text[text.index(after: close)...]
        return (try? Reducer(parsing: meant)) == nil ? nil : meant
    }
}

extension String {
    /// The text without white space at its ends.
    package var trimmingSpaces: String {
        let start = unicodeScalars.drop { $0.properties.isWhitespace }
        let end = start.lastIndex { !$0.properties.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex
        return String(start[..<end])
    }
}
