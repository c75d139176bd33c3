import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// `Grammar/query.ebnf` names the parser's functions and the tables' words, and no rule is missing.
struct GrammarTests {
    @Test func rulesAreFunctions() throws {
        let folder = SpecFile.repository.appendingPathComponent("Sources/QueryParsing/Grammar")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let source = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let rules = try EBNF.query().rules.keys.filter { !EBNF.isToken($0) }
        #expect(rules.count > 30)
        for rule in rules {
            #expect(source.contains("func \(rule)("), "no function for the rule \(rule)")
            #expect(source.contains("`\(rule) = "), "no function states the rule \(rule)")
        }
        for line in source.split(separator: "\n")
        where line.hasPrefix("    /// `") && line.contains(" = ") && line.contains(" ;`") {
            let name = line.dropFirst(9).prefix { $0 != " " }
            #expect(rules.contains(String(name)), "\(name) is no rule of the grammar")
        }
    }

    /// Every rule is reachable, and every name has a rule.
    @Test func rulesAreComplete() throws {
        let grammar = try EBNF.query()
        var reached: Set<String> = ["format", "SPACE"]
        var open = ["format"]
        while let name = open.popLast() {
            guard let part = grammar.rules[name] else {
                Issue.record("there is no rule \(name)")
                continue
            }
            for next in part.names where reached.insert(next).inserted { open.append(next) }
        }
        #expect(reached == Set(grammar.rules.keys))
    }

    /// The grammar and the tables have the same words and signs.
    @Test func wordsAreThoseOfTheTables() throws {
        let punctuation: Set<String> = ["(", ")", "[", "]", "{", "}", ",", ".", ":="]
        var words = LogicalWord.allCases.flatMap(\.spellings) + ReservedWord.allCases.flatMap(\.spellings)
        words += Comparison.Operator.table.filter { !$0.isCall }.flatMap(\.spellings)
        words += ArithmeticOperator.allCases.map(\.entry.spelling) + FunctionEntry.table.compactMap(\.sign)
        #expect(try EBNF.query().words.subtracting(punctuation) == Set(words))
    }
}

extension EBNF.Part {
    /// The rules that a part refers to.
    fileprivate var names: Set<String> {
        switch self {
        case .rule(let name): [name]
        case .text, .range, .special: []
        case .sequence(let parts), .choice(let parts): parts.reduce(into: []) { $0.formUnion($1.names) }
        case .repeated(let part), .optional(let part), .except(let part, _): part.names
        }
    }
}
