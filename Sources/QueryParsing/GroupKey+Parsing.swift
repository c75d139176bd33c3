import QueryTree
import QueryValues

extension GroupKey {
    /// Parses a group key whose values are interpolated, or passed for its placeholders.
    ///
    ///     let band = try GroupKey(format: "trunc(population / 1000000)", as: "millions")
    ///     try Query(order: ["-millions"], limit: 1).grouped(by: band, computing: [.count]).results(in: cities)
    ///     // → [{"millions":8,"count":1}]
    ///     try GroupKey(format: "population / \(1_000)", as: "k")  // → population / 1000 as k
    ///
    /// - Parameters:
    ///   - format: the term's text, a literal; interpolate values as `\(value)` and paths as `\(key: path)`.
    ///   - arguments: the values for `%@`, `%K` and the printf family, in order (S24); nil is null.
    ///   - alias: the name of the result's field; nil only for a path.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` with a code, a range and where possible a fix, for a text that is not a term, or arguments
    ///   that do not fit.
    /// - Complexity: linear in the length of the text (S26).
    public init(
        format: QueryFormat,
        _ arguments: (any QueryValueConvertible)?...,
        as alias: String? = nil,
        limits: Limits = .default
    ) throws(QueryError) {
        let values = try format.values(arguments.map { $0?.queryValue ?? .null })
        self.init(try Term(parsing: format.text, values, limits), as: alias)
    }

    /// Reads a group key from text built at run time: a path as ``FieldPath/init(parsing:)`` reads it, or a term with
    /// ` as ` and the name of its field.
    ///
    /// A function of a single field has a default name, made of the function and the path.
    ///
    ///     try GroupKey(parsing: "address.state").name  // → address_state
    ///     try GroupKey(parsing: "population / 1000 as thousands").name  // → thousands
    ///     try GroupKey(parsing: "year(placed)").name  // → year_placed
    ///     try GroupKey(parsing: "uppercase(trunc(state))")  // throws pipeline
    ///     try GroupKey(parsing: "population > 1000")  // throws pipeline
    ///
    /// - Parameters:
    ///   - text: a path, each key taken literally, or a term and its name.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` of code `pipeline` for a path with an empty key, for another call without a name, and for
    ///   `name = term`, which is a computed field; with a range for a text that is not a term.
    /// - Complexity: linear in the length of the text (S26).
    public init(parsing text: String, limits: Limits = .default) throws(QueryError) {
        let (definition, alias) = Self.parts(text)
        if let alias {
            self.init(try Term(parsing: definition, [], limits), as: alias)
            return
        }
        if let sign = Self.definitionSign(in: definition), !sign.name.isEmpty,
            (try? Term(parsing: sign.definition, [], limits)) != nil
        {
            throw QueryError(
                .pipeline,
                "the name of a group key stands behind it",
                range: 0..<text.utf8.count,
                source: text,
                hint: "write `\(sign.definition) as \(sign.name)`"
            )
        }
        if let meant = Term.meant(by: definition, limits) {
            self = try Self.called(meant.value(definition), alias, of: definition)
            return
        }
        self.init(try FieldPath(parsing: definition))
    }

    /// The name of a function of a field, whose other arguments are constants: `year_placed`.
    private static func name(of term: Term) -> String? {
        guard case .call(let function, let arguments, _) = term, case .field(let path, _)? = arguments.first,
            arguments.dropFirst().allSatisfy({ $0.constantValue != nil })
        else { return nil }
        return function.rawValue + "_" + Grouping.name(of: path)
    }

    /// A computed key.
    ///
    ///     try GroupKey.called(Term(parsing: "month(placed)"), nil, of: "month(placed)").name  // → month_placed
    ///
    /// - Parameters:
    ///   - term: what is computed.
    ///   - alias: the name; nil for that of a function of a field.
    ///   - definition: the term as it was written.
    /// - Returns: the key.
    /// - Throws: `QueryError` of code `pipeline` without a name.
    package static func called(_ term: Term, _ alias: String?, of definition: String) throws(QueryError) -> GroupKey {
        guard let name = alias ?? name(of: term) else {
            throw QueryError(
                .pipeline,
                "a computed value needs a name",
                range: 0..<definition.utf8.count,
                source: definition,
                hint: withoutOptions(definition) ?? "write `\(definition) as name`"
            )
        }
        return GroupKey(term, as: name)
    }

    /// What to write for `name[cd]`, which is an element of a list, where a key without case was meant; nil for others.
    private static func withoutOptions(_ definition: String) -> String? {
        guard definition.hasSuffix("]"), let open = definition.lastIndex(of: "["),
            let path = try? FieldPath(parsing: String(definition[..<open]).trimmingSpaces)
        else { return nil }
        let options = definition[open...].dropFirst().dropLast()
        guard !options.isEmpty, options.count <= 4, options.allSatisfy({ "cdnlw".contains($0) }) else { return nil }
        let folded = "write `lowercase(\(path.dotted)) as \(Grouping.name(of: path))` to group without case"
        return "a key takes no options: " + (options.contains("c") ? folded : "write `\(path.dotted)`")
    }
}

extension GroupKey {
    /// The term and the name of a key as written: `trunc(age / 10) as decade`.
    ///
    ///     GroupKey.parts("uppercase(' as x') as letters").alias  // → letters
    ///
    /// - Parameter text: the key.
    /// - Returns: the text of the term, and the name after the last ` as ` outside quotes and brackets.
    package static func parts(_ text: String) -> (definition: String, alias: String?) {
        let bytes = Array(text.utf8)
        var scan = OpenText()
        var (place, anywhere): (Int?, Int?)
        for at in bytes.indices {
            if Self.isAlias(bytes[at...]) {
                anywhere = at
                if scan.isOutside { place = at }
            }
            scan.read(bytes[at])
        }
        // A bracket or quote that is not closed is a mistake in the term.
        guard let place = scan.isOutside ? place : anywhere else { return (text.trimmingSpaces, nil) }
        let alias = String(decoding: bytes[(place + 4)...], as: UTF8.self).trimmingSpaces
        return (String(decoding: bytes[..<place], as: UTF8.self).trimmingSpaces, alias)
    }

    /// True if bytes begin with ` as `, in letters of either case.
    static func isAlias(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: " as ".utf8) { $0 == $1 || $1 != UInt8(ascii: " ") && $0 | 0x20 == $1 }
    }

    /// The name and the term of a computed field as written: `total = price * qty`.
    ///
    ///     GroupKey.definitionSign(in: "a == b") == nil  // → true
    ///
    /// - Parameter text: the field.
    /// - Returns: what is before and after the first `=` outside quotes and brackets; nil without one that stands alone.
    package static func definitionSign(in text: String) -> (name: String, definition: String)? {
        let bytes = Array(text.utf8)
        let equal = UInt8(ascii: "=")
        var scan = OpenText()
        for at in bytes.indices {
            if bytes[at] == equal, scan.isOutside {
                let before = at > 0 ? bytes[at - 1] : 0
                let isPart = "=!<>".utf8.contains(before) || bytes.dropFirst(at + 1).first == equal
                return isPart
                    ? nil
                    : (
                        String(decoding: bytes[..<at], as: UTF8.self).trimmingSpaces,
                        String(decoding: bytes[(at + 1)...], as: UTF8.self).trimmingSpaces
                    )
            }
            scan.read(bytes[at])
        }
        return nil
    }

    /// The keys of a comma-separated list; commas in quotes and brackets do not separate.
    ///
    ///     GroupKey.list("state, TERNARY(n > 1, 'a, b', 'c') as size").count  // → 2
    ///
    /// - Parameter text: the list.
    /// - Returns: the parts, trimmed.
    package static func list(_ text: String) -> [String] {
        var scan = OpenText()
        var parts: [[UInt8]] = [[]]
        for byte in text.utf8 {
            if byte == UInt8(ascii: ","), scan.isOutside {
                parts.append([])
            } else {
                scan.read(byte)
                parts[parts.count - 1].append(byte)
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self).trimmingSpaces }
    }
}

/// Tells what of a text is in quotes or brackets.
private struct OpenText {
    private var depth = 0
    private var quote: UInt8?
    private var isEscaped = false

    var isOutside: Bool { depth == 0 && quote == nil }

    mutating func read(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
            return
        }
        if byte == UInt8(ascii: "\\") {
            isEscaped = true
            return
        }
        if let open = quote {
            if byte == open { quote = nil }
            return
        }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
        case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
        default: break
        }
    }
}

extension Term {
    /// Parses a whole text as a term.
    ///
    ///     try Term(parsing: "population / 1000")  // → population / 1000
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - arguments: the values of its placeholders.
    ///   - limits: bounds on the text.
    /// - Throws: `QueryError` as `Condition(parsing:)` does.
    package init(parsing text: String, _ arguments: [QueryValue] = [], _ limits: Limits = .default) throws(QueryError) {
        self = try WholeText(text, arguments, limits).parsed { (parser) throws(Mistake) in try parser.wholeTerm() }
    }

    /// What a text means where a path may stand too; nil for what can only be a path.
    static func meant(by text: String, _ limits: Limits = .default) -> Meant? {
        guard text.utf8.first == UInt8(ascii: "-") || text.utf8.contains(where: " ()[]{}*+/,@<>=!&|".utf8.contains)
        else { return nil }
        if let term = try? Term(parsing: text, [], limits) { return Meant(term: term, isCondition: false) }
        guard let condition = try? Condition(parsing: text, [], limits) else { return nil }
        return Meant(term: .conditional(condition, .value(1, .none), .value(0, .none), .none), isCondition: true)
    }

    /// A term that was written in place of a path; that of a condition is 1 where it holds, and 0 elsewhere.
    struct Meant {
        let term: Term
        let isCondition: Bool

        /// The term, unless a condition was written.
        func value(_ text: String) throws(QueryError) -> Term {
            guard isCondition else { return term }
            throw QueryError(
                .pipeline,
                "a condition is not a value",
                range: 0..<text.utf8.count,
                source: text,
                hint: "compute one from it: `\(GroupKey(term, as: nil)) as name`"
            )
        }
    }
}

extension GroupKey: ExpressibleByStringLiteral {
    /// The key that ``init(parsing:limits:)`` reads; a term that it refuses has no name, which every backend refuses.
    public init(stringLiteral value: String) {
        let refused = GroupKey(Term.meant(by: value)?.term ?? .field(FieldPath(dotted: value), .none), as: nil)
        self = (try? GroupKey(parsing: value)) ?? refused
    }
}
