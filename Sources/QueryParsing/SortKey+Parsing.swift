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
            if path.utf8.contains(where: { 0x30...0x39 ~= $0 }), let mistake = Self.mistake(path, isAscending) {
                throw mistake
            }
            throw QueryError(
                .pipeline,
                options == nil
                    ? "strings cannot be sorted with this option" : "a sort key ends in its options, in brackets",
                range: 0..<text.utf8.count,
                source: text,
                hint: "write name[c], name[d] or name[cd]"
            )
        }
        if let mistake = Self.mistake(path, isAscending) { throw mistake }
        self.init(try FieldPath(parsing: path), ascending: isAscending, options: options)
    }

    /// Why the path of a key is none: it ends in a direction, or can be read as a term or a condition.
    private static func mistake(_ path: String, _ isAscending: Bool) -> QueryError? {
        let words = path.utf8.split(separator: 0x20)
        if words.count == 2, let word = words.last.map({ String(Substring($0)).lowercased() }),
            let isDescending = ["asc": false, "ascending": false, "desc": true, "descending": true][word]
        {
            return QueryError(
                .pipeline,
                "a sort key has no \(word) behind its path",
                range: 0..<path.utf8.count,
                source: path,
                hint: "write \(isDescending == isAscending ? "-" : "")\(Substring(words[0]))"
            )
        }
        guard let meant = Term.meant(by: path) else { return nil }
        let (sign, term) = (isAscending ? "" : "-", GroupKey(meant.term, as: nil).description)
        return QueryError(
            .pipeline,
            "a sort key is a path, and this is a computed value",
            range: 0..<path.utf8.count,
            source: path,
            hint: "compute it under a name and sort by that (pql: --fields 'n=\(term)' --sort=\(sign)n); "
                + "if a field is named so, pass a FieldPath"
        )
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
        mistake = Self.mistake(path, isAscending)
    }
}

extension Reducer {
    /// Reads what to compute over a group: `count`, `avg:population`, `sum:price * qty as total`, `countDistinct:name`.
    ///
    /// What has a space, a bracket, `@` or an operator other than an inner `-` and can be read as a term is one.
    ///
    ///     try Reducer(parsing: "avg:population") == .average("population")  // → true
    ///     try Reducer(parsing: "sum:population / 1000 as thousands").alias  // → thousands
    ///
    /// - Parameter text: an operation, a colon and a path or a term; `as` and a name, which only a path, or a function
    ///   of one, may lack.
    /// - Throws: `QueryError` of code `pipeline` for an unknown operation, a missing or superfluous path, or a term
    ///   without a name.
    public init(parsing text: String) throws(QueryError) {
        var (definition, alias) = GroupKey.parts(text)
        let parts = definition.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(Substring(parts[0])).trimmingSpaces
        guard let kind = Kind(rawValue: name == "average" ? Kind.average.rawValue : name), kind != .custom else {
            throw Self.unknown(text)
        }
        var value: GroupKey?
        if parts.count == 2, kind != .count {
            let written = String(Substring(parts[1])).trimmingSpaces
            if let meant = Term.meant(by: written) {
                let term = try meant.value(written)
                let named = try GroupKey.called(term, alias, of: definition)
                alias = alias ?? named.alias.map { kind.rawValue + "_" + $0 }
                value = GroupKey(term, as: nil)
            } else {
                value = GroupKey(try FieldPath(parsing: written))
            }
        }
        guard let operation = kind.operation(value), kind != .count || parts.count == 1 else {
            throw Self.unknown(text)
        }
        self.init(operation, as: alias)
    }

    private static func unknown(_ text: String) -> QueryError {
        let meant = asCall(text)
        return QueryError(
            .pipeline,
            "a group computes count, or sum, avg, min, max, countDistinct, distinct, median, first or last of a value",
            range: 0..<text.utf8.count,
            source: text,
            hint: meant.map { "write `\($0)`" }
                ?? (text.hasPrefix("count:")
                    ? "count takes no field: `countDistinct:name` counts values; filter by `name != nil` to count rows"
                    : "such as `avg:population` or `sum:price * qty as total`"),
            fix: meant.map { QueryError.Fix(range: 0..<text.utf8.count, replacement: $0) }
        )
    }

    /// What a call as in SQL means, `sum(price) as total` or `count(*)`.
    private static func asCall(_ text: String) -> String? {
        guard let open = text.firstIndex(of: "("), let close = text[open...].lastIndex(of: ")") else { return nil }
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
