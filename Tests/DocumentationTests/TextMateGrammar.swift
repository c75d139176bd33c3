import QueryTree
import QueryValues

/// `Grammar/predicateql.tmLanguage.json`, generated from the tables: a grammar for editors.
enum TextMateGrammar {
    static var text: String {
        let grammar: Document = [
            "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
            "name": "PredicateQL", "scopeName": "source.predicateql", "fileTypes": ["predicate"],
            "patterns": .list(patterns.map { .object($0) }),
        ]
        return JSONWriter(isPretty: true).text(.object(grammar)) + "\n"
    }

    /// The earliest match wins; among equals, the first rule.
    private static var patterns: [Document] {
        [
            quoted("\"", "double"), quoted("'", "single"),
            rule("variable.other.variable", "\\$\(word)"),
            rule("variable.other.escaped", "#\(word)"),
            rule("support.function.aggregate", "@" + any(Aggregate.allCases.map(\.rawValue)) + end),
            rule("constant.other.placeholder", placeholder),
            rule("support.function", "(?<![\\w\\\\])" + any(FunctionEntry.table.flatMap(\.spellings)) + "(?=\\s*\\()"),
            captured("(\\.)\\s*(\(word))", ["punctuation.separator", "variable.other.member"]),
            rule("keyword.other.call", anyCase([.subquery, .ternary, .cast, .function]) + "(?=\\s*\\()"),
            captured(
                "(\\[)\\s*(\(anyCase([.first, .last, .size])))\\s*(\\])",
                ["punctuation.bracket", "keyword.other.index", "punctuation.bracket"]
            ),
        ] + numbers + reserved + operators + [
            rule("punctuation.separator", "[.,]"), rule("punctuation.bracket", "[()\\[\\]{}]"),
            rule("variable.other.key", word),
        ]
    }

    private static var numbers: [Document] {
        [
            rule("constant.numeric.float", "(?<!\\w)(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
            rule("constant.numeric.float", "(?<!\\w)[0-9]+[eE][+-]?[0-9]+"),
            rule("constant.numeric.integer", "(?<!\\w)0(?:[xX][0-9A-Fa-f]+|[oO][0-7]+|[bB][01]+)" + end),
            rule("constant.numeric.integer", "(?<!\\w)[0-9]+" + end),
        ]
    }

    private static var reserved: [Document] {
        [
            rule("constant.language.predicate", anyCase([.truePredicate, .falsePredicate])),
            rule("constant.language.boolean", anyCase([.true, .false])),
            rule("constant.language.null", anyCase([.null])),
            rule("variable.language.self", anyCase([.`self`])),
        ]
    }

    private static var operators: [Document] {
        let rows = Comparison.Operator.table.filter { !$0.isCall }
        let logical: [LogicalWord] = [.and, .or, .not]
        let quantifiers: [LogicalWord] = [.any, .all, .none]
        let letters = String(StringOptions.letters.map(\.letter))
        let compared = either(rows.filter(\.allowsOptions).flatMap(\.spellings))
        let scope = "keyword.operator.comparison"
        let arithmetic = ArithmeticOperator.allCases.map(\.entry.spelling)
        let bits = FunctionEntry.table.compactMap { row in row.node.isArithmetic ? nil : row.sign }
        return [
            rule("keyword.operator.assignment", any([":="])),
            captured(
                "(\(compared))\\s*(\\[)((?i:[\(letters)\\s])+)(\\])",
                [scope, "punctuation.bracket", "storage.modifier.option", "punctuation.bracket"]
            ),
            // Longer signs first: `<<` before `<`, `&&` before `&`, `!=` before `!`.
            rule("keyword.operator.bitwise", any(bits.filter { $0.utf8.count > 1 })),
            rule(scope, either(rows.flatMap(\.spellings))),
            rule("keyword.operator.logical", either(logical.flatMap(\.spellings))),
            rule("keyword.other.quantifier", either(quantifiers.flatMap(\.spellings))),
            rule("keyword.operator.set", either(arithmetic.filter(isWord))),
            rule("keyword.operator.arithmetic", any(arithmetic.filter { !isWord($0) })),
            rule("keyword.operator.bitwise", any(bits.filter { $0.utf8.count == 1 })),
        ]
    }
}

// MARK: - Rules

extension TextMateGrammar {
    private static func rule(_ scope: String, _ pattern: String) -> Document {
        ["name": .string(scope + ".predicateql"), "match": .string(pattern)]
    }

    private static func captured(_ pattern: String, _ scopes: [String]) -> Document {
        var captures: Document = [:]
        for (position, scope) in scopes.enumerated() {
            captures["\(position + 1)"] = .object(["name": .string(scope + ".predicateql")])
        }
        return ["match": .string(pattern), "captures": .object(captures)]
    }

    /// Texts may continue on the next line.
    private static func quoted(_ quote: String, _ name: String) -> Document {
        let escape = rule("constant.character.escape", "\\\\(?:[0-7]{1,3}|[xX][0-9A-Fa-f]{2}|[uU][0-9A-Fa-f]{4}|.)")
        return [
            "name": .string("string.quoted.\(name).predicateql"), "begin": .string(quote), "end": .string(quote),
            "patterns": [.object(escape)],
        ]
    }
}

// MARK: - Patterns

extension TextMateGrammar {
    private static let escape = "\\\\(?:[0-3][0-7]{2}|[xX][0-9A-Fa-f]{2}|[uU][0-9A-Fa-f]{4})"
    private static let word = "(?:[\\p{L}\\p{Nl}_]|\(escape))(?:[\\p{L}\\p{Nl}\\p{Nd}\\p{M}_]|\(escape))*"
    private static let placeholder =
        "%(?:[0-9]+\\$)?(?:[@KcCs]|(?:hh?|ll?|[qztj])?[dDiouxXOU]|[eEfFgGaA])"
    /// A word ends here.
    private static let end = "(?![\\w\\\\])"

    private static func isWord(_ text: String) -> Bool { text.allSatisfy(\.isLetter) }

    /// One of the texts unchanged, longest first.
    private static func any(_ texts: [String]) -> String {
        "(?:" + texts.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.map(quotedForRegex).joined(separator: "|")
            + ")"
    }

    private static func anyCase(_ words: [ReservedWord]) -> String { anyCase(words.flatMap(\.spellings)) }

    /// One of the words in any case, but not as part of a longer one.
    private static func anyCase(_ words: [String]) -> String { "(?i:(?<![\\w\\\\])\(any(words))\(end))" }

    /// One of some words and signs.
    private static func either(_ spellings: [String]) -> String {
        let signs = spellings.filter { !isWord($0) }
        let words = spellings.filter(isWord)
        return [words.isEmpty ? nil : anyCase(words), signs.isEmpty ? nil : any(signs)].compactMap(\.self)
            .joined(separator: "|")
    }

    private static func quotedForRegex(_ text: String) -> String {
        text.reduce(into: "") { pattern, character in
            if "\\^$.|?*+()[]{}".contains(character) { pattern.append("\\") }
            pattern.append(character)
        }
    }
}

extension FunctionEntry.Node {
    fileprivate var isArithmetic: Bool { if case .arithmetic = self { true } else { false } }
}
