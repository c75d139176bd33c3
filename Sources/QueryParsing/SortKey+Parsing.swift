import QuerySyntax

extension FieldPath {
    /// Reads a path as `%K` takes it: keys joined by dots, each taken as it stands.
    ///
    ///     try FieldPath(parsing: "address.zip").keys  // → ["address", "zip"]
    ///
    /// - Parameter text: the path; `SELF` alone is the object itself.
    /// - Throws: `QueryError` of code `pipeline` when a key is empty or an `@` operator.
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
    /// Reads a sort key: a path, `-` in front for greatest first, options in brackets behind.
    ///
    ///     try SortKey(parsing: "-population").isAscending  // → false
    ///     try SortKey(parsing: "name[cd]").options.text  // → cd
    ///
    /// - Parameter text: the key.
    /// - Throws: `QueryError` of code `pipeline` for an empty path, an unknown option letter, or one that strings cannot
    ///   be sorted by.
    public init(parsing text: String) throws(QueryError) {
        var rest = Substring(text)
        let isAscending = rest.utf8.first != UInt8(ascii: "-")
        if !isAscending { rest = rest.dropFirst() }
        var options: StringOptions = []
        if rest.utf8.last == UInt8(ascii: "]"), let open = rest.utf8.lastIndex(of: UInt8(ascii: "[")) {
            for letter in rest[rest.index(after: open)...].dropLast() {
                let entry = StringOptions.letters.first { $0.letter == Character(letter.lowercased()) }
                guard let entry, entry.option.isSubset(of: [.caseInsensitive, .diacriticInsensitive, .normalized])
                else {
                    throw QueryError(
                        .pipeline,
                        "strings cannot be sorted by this option",
                        range: 0..<text.utf8.count,
                        source: text,
                        hint: "write name[c], name[d] or name[cd]"
                    )
                }
                options.insert(entry.option)
            }
            rest = rest[..<open]
        }
        self.init(try FieldPath(parsing: String(rest)), ascending: isAscending, options: options)
    }
}

extension Reducer {
    /// Reads what to compute over a group: `count`, `avg:population`, `sum:a.b as total`.
    ///
    ///     try Reducer(parsing: "avg:population").name  // → avg_population
    ///     try Reducer(parsing: "sum:population as people").name  // → people
    ///
    /// - Parameter text: an operation, a colon and a path; perhaps `as` and a name.
    /// - Throws: `QueryError` of code `pipeline` for an unknown operation, or a path that is missing or too much.
    public init(parsing text: String) throws(QueryError) {
        var definition = Substring(text)
        var alias: String?
        if let range = Self.aliasRange(in: text) {
            alias = String(text[range.upperBound...].drop(while: \.isWhitespace))
            definition = text[..<range.lowerBound]
        }
        let parts = definition.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0]).trimmingSpaces
        guard let aggregate = Aggregate(rawValue: name == "average" ? Aggregate.average.rawValue : name) else {
            throw Self.unknown(text)
        }
        guard parts.count == 2 else {
            guard aggregate == .count else { throw Self.unknown(text) }
            self.init(.count, as: alias)
            return
        }
        let path = try FieldPath(parsing: String(parts[1]).trimmingSpaces)
        switch aggregate {
        case .sum: self.init(.sum(path), as: alias)
        case .average: self.init(.average(path), as: alias)
        case .min: self.init(.min(path), as: alias)
        case .max: self.init(.max(path), as: alias)
        case .count, .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays,
            .distinctUnionOfSets:
            throw Self.unknown(text)
        }
    }

    /// The place of ` as ` between spaces.
    private static func aliasRange(in text: String) -> Range<String.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix(" as ") { return index..<text.index(index, offsetBy: 4) }
            index = text.index(after: index)
        }
        return nil
    }

    private static func unknown(_ text: String) -> QueryError {
        QueryError(
            .pipeline,
            "a group computes count, sum:path, avg:path, min:path or max:path",
            range: 0..<text.utf8.count,
            source: text,
            hint: "such as `avg:population` or `sum:price as total`"
        )
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
