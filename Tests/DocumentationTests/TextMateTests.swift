import Foundation
import PredicateQL
import QueryParsing
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Editors colour the language as the lexer tokenizes it.
@Suite struct TextMateTests {
    private static func reader() throws -> TextMateReader {
        let file = SpecFile.repository.appendingPathComponent("Grammar/predicateql.tmLanguage.json")
        return try TextMateReader(json: String(contentsOf: file, encoding: .utf8))
    }

    /// The scopes that a kind of token may have.
    private static let scopes: [String: [String]] = [
        "word": ["variable.other.", "support.function", "storage.modifier.option"],
        "key": ["variable.other.escaped"], "aggregate": ["support.function.aggregate"],
        "variable": ["variable.other.variable"], "function": ["support.function"],
        "integer": ["constant.numeric.integer"], "float": ["constant.numeric.float"], "string": ["string.quoted."],
        "placeholder": ["constant.other.placeholder"],
        "logical": ["keyword.operator.logical", "keyword.other.quantifier"],
        "comparison": ["keyword.operator.comparison"],
        "reserved": ["constant.language.", "variable.language.", "keyword.other."],
        "operator": [
            "keyword.operator.arithmetic", "keyword.operator.set", "keyword.operator.bitwise",
            "keyword.operator.assignment",
        ],
        "punctuation": ["punctuation."],
    ]

    @Test func everyTokenHasItsScope() throws {
        let reader = try Self.reader()
        var count = 0
        for text in try Self.texts() {
            let pieces = reader.pieces(of: text)
            let tokens = try tokens(of: text)
            for (position, token) in tokens.enumerated() {
                count += 1
                let utf8 = text.utf8
                let start = utf8.index(utf8.startIndex, offsetBy: token.range.lowerBound)
                let range = NSRange(start..<utf8.index(start, offsetBy: token.range.count), in: text)
                let scope = pieces.first { $0.range == range }?.scope
                var expected = Self.scopes[token.kind] ?? []
                if position > 0, tokens[position - 1].text == "." { expected.append("variable.other.member") }
                // FIRST, CAST … are keys where they cannot have their meaning.
                if ["reserved", "operator"].contains(token.kind), Self.isKey(token.text) {
                    expected.append("variable.other.key")
                }
                let isRight = expected.contains { scope?.hasPrefix($0) == true }
                #expect(isRight, "\(text): \(token.kind) `\(token.text)` is \(scope ?? "nothing")")
            }
        }
        #expect(count > 2_000)
    }

    private static func isKey(_ word: String) -> Bool {
        ["FIRST", "LAST", "SIZE", "CAST", "SUBQUERY", "TERNARY", "FUNCTION"].contains(word.uppercased())
    }

    /// The examples of the tables, every word of the tables in its context, and the valid cases.
    private static func texts() throws -> [String] {
        var texts = Comparison.Operator.table.map(\.example) + LogicalWord.allCases.map(\.example)
        texts += ArithmeticOperator.allCases.map(\.entry.example) + FunctionEntry.table.map(\.example)
        for row in Comparison.Operator.table where !row.isCall {
            texts += row.spellings.map { "a \($0) b" } + row.spellings.map { "a \($0.lowercased()) b" }
            if row.allowsOptions {
                texts += StringOptions.letters.flatMap { letter in row.spellings.map { "a \($0)[\(letter.letter)] b" } }
            }
        }
        texts += LogicalWord.allCases.flatMap(\.spellings).map { "a == 1 \($0) b == 2" }
        texts += [ReservedWord.true, .false, .null, .`self`, .truePredicate, .falsePredicate].flatMap(\.spellings)
            .map { "a == \($0)" }
        texts += [ReservedWord.first, .last, .size].flatMap(\.spellings).map { "a[\($0)] == 1" }
        texts += [ReservedWord.subquery, .ternary, .cast, .function].flatMap(\.spellings).map { "\($0)(a) == 1" }
        texts += ArithmeticOperator.allCases.map { "a \($0.entry.spelling) b == 1" }
        texts += FunctionEntry.table.compactMap(\.sign).map { "a \($0) b == 1" }
        texts += FunctionEntry.table.flatMap(\.spellings).map { "\($0)(a) == 1" }
        texts += Aggregate.allCases.map { "a.\($0.spelling).b == 1" }
        return try texts + validCases()
    }

    private static func validCases() throws -> [String] {
        let file = SpecFile.repository.appendingPathComponent("Tests/Data/syntax.json")
        guard case .list(let cases) = try QueryValue(json: String(contentsOf: file, encoding: .utf8)) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return cases.compactMap { item in
            guard case .object(let object) = item, object["valid"] == true, case .string(let format) = object["format"]
            else { return nil }
            // The long ones add nothing new.
            return format.utf8.count < 500 ? format : nil
        }
    }
}
