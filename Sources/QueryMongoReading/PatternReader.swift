import QueryMeaning
import QueryMongo
import QueryTree
import QueryValues

/// Reads regular expressions as the string operators that they were written from.
///
/// The apparent meaning of an expression is written again, and counts only if that gives the same expression. Any other
/// becomes MATCHES, which matches the whole text, with `.*` on both sides.
struct PatternReader {
    /// A string operator with its text and options.
    struct Reading: Hashable {
        var operation: Comparison.Operator
        var text: String
        var options: StringOptions = []

        /// The reading as it would be written.
        fileprivate var question: Question {
            get throws(QueryError) {
                let text = Term.value(.string(text), .none)
                let comparison = Comparison(.field(FieldPath(keys: []), .none), operation, text, options: options)
                return try Question(comparison, nilMeaning: .nullOrAbsent)
            }
        }
    }

    /// The operator that a regular expression represents.
    ///
    /// - Parameters:
    ///   - pattern: the value of `$regex`.
    ///   - letters: the value of `$options`.
    ///   - node: the position for errors.
    /// - Returns: the operator with its text and options.
    /// - Throws: `pattern` for a malformed expression, `unsupported` for one that depends on where it is searched.
    static func read(_ pattern: String, _ letters: String, at node: MongoNode) throws(QueryError) -> Reading {
        if let reading = readings(pattern, letters).first { return reading }
        return try matches(pattern, letters, node)
    }

    /// Every operator that is written as this expression, the simplest first.
    static func readings(_ pattern: String, _ letters: String) -> [Reading] {
        guard letters.isEmpty || letters == "i" else { return [] }
        let profiles: [MongoProfile] = letters.isEmpty ? [.mongoDB, .kinvey] : [.mongoDB]
        let foldings: [StringOptions] =
            letters == "i"
            ? [.caseInsensitive]
            : [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
        var readings: [Reading] = []
        for options in foldings {
            guard let candidate = candidate(pattern, options, isCaseless: letters == "i"),
                let question = try? candidate.question
            else { continue }
            let isThere = profiles.contains { profile in
                let written = try? PatternWriter(profile: profile).pattern(question)
                return written?.text.hasSameUTF8(as: pattern) == true && written?.options == letters
            }
            if isThere { readings.append(candidate) }
        }
        return readings
    }

    private static func candidate(_ pattern: String, _ options: StringOptions, isCaseless: Bool) -> Reading? {
        var rest = pattern.unicodeScalars[...]
        let hasStart = rest.drops("^")
        var inner = rest
        if hasStart, inner.drops("(?:"), inner.dropsLast(")" + PatternWriter.end) {
            let text = String(String.UnicodeScalarView(inner))
            return Reading(operation: .matches, text: text, options: options)
        }
        let hasEnd = rest.dropsLast(PatternWriter.end)
        var scanner = PieceScanner(rest: rest, options: isCaseless ? [] : options)
        guard let pieces = scanner.pieces(isAnchored: hasStart) else { return nil }
        switch (hasStart, hasEnd, pieces.plain) {
        case (true, false, let text?): return Reading(operation: .beginsWith, text: text, options: options)
        case (true, true, let text?):
            // Without folding `==` is not a pattern.
            if options.isEmpty { return Reading(operation: .like, text: pieces.like, options: options) }
            return Reading(operation: .equal, text: text, options: options)
        case (false, true, let text?): return Reading(operation: .endsWith, text: text, options: options)
        case (false, false, let text?): return Reading(operation: .contains, text: text, options: options)
        case (_, _, nil):
            // A service that accepts anchored patterns only gets the search spelled out.
            if hasStart, pieces.first == .any, let text = Array(pieces.dropFirst()).plain {
                return Reading(operation: hasEnd ? .endsWith : .contains, text: text, options: options)
            }
            let like = (hasStart ? "" : "*") + pieces.like + (hasEnd ? "" : "*")
            return Reading(operation: .like, text: like, options: options)
        }
    }

    // MARK: Any other expression

    private static func matches(_ pattern: String, _ letters: String, _ node: MongoNode) throws(QueryError) -> Reading {
        var flags = ""
        var options: StringOptions = []
        for letter in letters.unicodeScalars {
            switch letter {
            case "i": options = .caseInsensitive
            case "m", "s", "x": flags.unicodeScalars.append(letter)
            case "u": continue
            default: throw node.wrong("$options takes the letters i, m, s, x and u")
            }
        }
        _ = try compiled(pattern, options, node)
        for word in ["\\G", "(?R", "(?0", "(?+", "(?-", "(?P>", "(?&", "\\g", "(*", "\\Q"] where pattern.contains(word)
        {
            throw node.unsupported(
                "the pattern may mean something else when embedded in another",
                hint: "leave out \(word)"
            )
        }
        // Under `x` a comment may extend to the end of its line.
        let end = flags.contains("x") ? "\n)" : ")"
        let whole = PatternWriter.anything + "(?" + flags + ":" + pattern + end + PatternWriter.anything
        _ = try compiled(whole, options, node)
        return Reading(operation: .matches, text: whole, options: options)
    }

    private static func compiled(
        _ pattern: String,
        _ options: StringOptions,
        _ node: MongoNode
    ) throws(QueryError) -> RegexPattern {
        do throws(QueryError) {
            return try RegexPattern(pattern, options: options)
        } catch {
            throw node.placed(error)
        }
    }
}

extension FilterReader {
    /// `{"f": {"$regex": …, "$options": …}}`.
    func matches(
        _ field: MongoField,
        _ node: MongoNode,
        _ letters: MongoNode?,
        _ guards: inout ListGuards
    ) throws(QueryError) -> Condition {
        var pattern = node
        var options = letters
        if node.place.isSame(MongoOperator.regularExpression.rawValue) {
            guard let inner = node.member("pattern"), letters == nil,
                node.members.count == (node.member("options") == nil ? 1 : 2)
            else { throw node.wrong("$regularExpression takes pattern and options") }
            (pattern, options) = (inner, node.member("options"))
        }
        let text = try pattern.text("the expression")
        var reading = try PatternReader.read(text, try options?.text("the options") ?? "", at: node)
        let isOpen = !openPrefixes(field, through: field.names.count).isEmpty
        if reading.operation == .contains, field.last.element != .string,
            isOpen && isGuarded(field, &guards) || !isSingle(field, &guards) || field.names.isEmpty
        {
            // A list contains elements; a pattern matches texts only, and so it does beside a guard against lists.
            let pieces: [LikePattern.Piece] = [.any, .literal(reading.text), .any]
            (reading.operation, reading.text) = (.like, pieces.like)
        }
        let constant = Term.value(.string(reading.text), node.origin)
        return comparison(field, reading.operation, constant, node, &guards, options: reading.options)
    }
}

extension Substring.UnicodeScalarView {
    /// Removes a prefix; false if there is none.
    mutating func drops(_ text: String) -> Bool {
        guard starts(with: text.unicodeScalars) else { return false }
        removeFirst(text.unicodeScalars.count)
        return true
    }

    /// Removes a suffix; false if there is none.
    mutating func dropsLast(_ text: String) -> Bool {
        guard suffix(text.unicodeScalars.count).elementsEqual(text.unicodeScalars) else { return false }
        removeLast(text.unicodeScalars.count)
        return true
    }
}
