import QueryValues

/// Writes canonical text into one buffer, with one spelling per operator from the tables.
///
/// The text of any parsed tree parses, with its arguments, to an equal tree.
package struct FormatWriter {
    package var text = ""
    /// Values without a literal, in the order of their `%@`.
    package var arguments: [QueryValue] = []

    package init() {}
}

extension Condition {
    /// The canonical text; values without a literal are written `%@` and listed in ``arguments``.
    ///
    ///     try Condition(format: "a = 1 && b BETWEEN{1,2}").format  // → a == 1 AND b BETWEEN {1, 2}
    ///
    /// O(size of the tree).
    public var format: String { written.text }

    /// The values written as `%@` in ``format``, in order: data, objects, shapes, NaN and infinities.
    ///
    ///     try Condition(format: "data == %@", arguments: [.data([1, 2])]).arguments.count  // → 1
    ///
    /// O(size of the tree).
    public var arguments: [QueryValue] { written.arguments }

    /// The canonical text together with its arguments.
    package var written: FormatWriter {
        StackRoom.run(for: self) {
            var writer = FormatWriter()
            writer.write(self)
            return writer
        }
    }

    /// True for AND and OR of several parts, which need parentheses inside another condition.
    package var isCompound: Bool {
        switch self {
        case .and(let parts), .or(let parts):
            parts.count == 1 ? parts[0].isCompound : !parts.isEmpty
        case .constant, .comparison, .not: false
        }
    }
}

extension Query {
    /// The condition's canonical text; see ``Condition/format``.
    ///
    ///     try Query(format: "a = 1 && b = 'x'").format  // → a == 1 AND b == "x"
    public var format: String { condition.format }

    /// The values written as `%@` in ``format``, in order.
    ///
    ///     let query = try Query(format: "place == %@", arguments: [.object(["lat": 42])])
    ///     query.format  // → place == %@
    ///     query.arguments  // → [{"lat":42}]
    public var arguments: [QueryValue] { condition.arguments }
}

extension Condition: CustomStringConvertible {
    /// The canonical text; see ``format``.
    ///
    ///     print(Field("age") >= 18)  // age >= 18
    public var description: String { format }
}

extension Query: CustomStringConvertible {
    /// The condition's canonical text, then the order, skip, limit and fields where there are any.
    ///
    ///     try print(Query(format: "age = 18", order: ["-name"], limit: 3))  // age == 18; order: -name; limit: 3
    public var description: String {
        var parts = [format]
        if !order.isEmpty { parts.append("order: " + order.map { "\($0)" }.joined(separator: ", ")) }
        if let skip { parts.append("skip: \(skip)") }
        if let limit { parts.append("limit: \(limit)") }
        let names = (fields ?? []).map(\.dotted) + computed.map { "\($0)" }
        if !names.isEmpty { parts.append("fields: " + names.joined(separator: ", ")) }
        return parts.joined(separator: "; ")
    }
}

extension FormatWriter {
    /// Appends a condition without surrounding parentheses.
    package mutating func write(_ condition: Condition) {
        switch condition {
        case .constant(let value): write(value ? ReservedWord.truePredicate : .falsePredicate)
        case .comparison(let comparison): write(comparison)
        case .and(let parts): write(parts, Self.andSeparator, empty: .truePredicate)
        case .or(let parts): write(parts, Self.orSeparator, empty: .falsePredicate)
        case .not(let part):
            text += Self.notPrefix
            writePart(part)
        }
    }

    private mutating func write(_ word: ReservedWord) { text += word.rawValue }

    private static let notPrefix = LogicalWord.not.spellings[0] + " "
    private static let andSeparator = " " + LogicalWord.and.spellings[0] + " "
    private static let orSeparator = " " + LogicalWord.or.spellings[0] + " "
    private static let anyPrefix = LogicalWord.any.spellings[0] + " "
    private static let allPrefix = LogicalWord.all.spellings[0] + " "
    /// Each operator with a space on both sides, or the name if it is a call.
    private static let operators: [Comparison.Operator: (text: String, isCall: Bool)] = Dictionary(
        Comparison.Operator.table.map { row in
            (row.operator, (row.isCall ? row.spellings[0] : " " + row.spellings[0], row.isCall))
        },
        uniquingKeysWith: { first, _ in first }
    )

    private mutating func write(_ parts: [Condition], _ separator: String, empty: ReservedWord) {
        if parts.isEmpty { return write(empty) }
        if parts.count == 1 { return write(parts[0]) }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            writePart(part)
        }
    }

    /// Writes a part of another condition; AND and OR get parentheses.
    private mutating func writePart(_ part: Condition) {
        guard part.isCompound else { return write(part) }
        text += "("
        write(part)
        text += ")"
    }

    private mutating func write(_ comparison: Comparison) {
        if let quantifier = comparison.quantifier {
            text += quantifier == .all ? Self.allPrefix : Self.anyPrefix
        }
        let (name, isCall) = Self.operators[comparison.operator] ?? ("", false)
        if isCall {
            text += name
            text += "("
            write(comparison.left)
            text += ", "
            write(comparison.right)
            text += ")"
            return
        }
        write(comparison.left)
        text += name
        if !comparison.options.isEmpty {
            text += "["
            text += comparison.options.text
            text += "]"
        }
        text += " "
        write(comparison.right)
    }
}
