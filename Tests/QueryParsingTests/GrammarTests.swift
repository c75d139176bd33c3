import Foundation
import PredicateQL
import SpecSupport
import Testing

@testable import QueryParsing

/// `Grammar/query.ebnf` names the parser's functions, and all it can say parses.
struct GrammarTests {
    private static func grammar() throws -> Grammar {
        let url = SpecFile.repository.appendingPathComponent("Grammar/query.ebnf")
        var reader = GrammarReader(try String(contentsOf: url, encoding: .utf8))
        return try reader.grammar()
    }

    @Test func rulesAreFunctions() throws {
        let folder = SpecFile.repository.appendingPathComponent("Sources/QueryParsing")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let source = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let rules = try Self.grammar().rules.map(\.name)
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

    @Test func everySentenceParses() throws {
        let grammar = try Self.grammar()
        var seen: Set<String> = []
        for seed in 1...3_000 {
            var writer = SentenceWriter(grammar: grammar, seed: UInt64(seed))
            writer.write("predicate", depth: 0)
            let text = writer.words.joined(separator: " ").replacingOccurrences(of: "# ", with: "#")
            seen.insert(text)
            do {
                let condition = try Condition(parsing: text, writer.arguments, .default)
                let again = try Condition(parsing: condition.format, condition.arguments, .default)
                #expect(again == condition, "\(text)")
            } catch {
                if error.code != .limit { Issue.record("\(text)\n\(error.rendered())") }
            }
        }
        #expect(seen.count > 1_000)
    }
}

/// A grammar as data.
struct Grammar {
    indirect enum Expression {
        case word(String)
        case rule(String)
        case sequence([Expression])
        case choice([Expression])
        case option(Expression)
        case repetition(Expression)
    }

    var rules: [(name: String, expression: Expression)] = []
}

/// Reads ISO EBNF as far as the file uses it.
struct GrammarReader {
    private var tokens: [String]
    private var position = 0

    init(_ text: String) {
        let pattern = /\(\*(?s:.*?)\*\)|"[^"]*"|[A-Za-z-]+|[=;|()\[\]{}]/
        tokens = text.matches(of: pattern).map { String($0.output) }.filter { !$0.hasPrefix("(*") }
    }

    mutating func grammar() throws -> Grammar {
        var grammar = Grammar()
        while position < tokens.count {
            let name = tokens[position]
            position += 2
            grammar.rules.append((name, choice()))
            try #require(position < tokens.count && tokens[position] == ";", "rule \(name) does not end")
            position += 1
        }
        return grammar
    }

    private mutating func choice() -> Grammar.Expression {
        var parts = [sequence()]
        while position < tokens.count, tokens[position] == "|" {
            position += 1
            parts.append(sequence())
        }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() -> Grammar.Expression {
        var parts: [Grammar.Expression] = []
        while position < tokens.count, ![";", "|", ")", "]", "}"].contains(tokens[position]) {
            let token = tokens[position]
            position += 1
            switch token {
            case "(": parts.append(closed(choice()))
            case "[": parts.append(.option(closed(choice())))
            case "{": parts.append(.repetition(closed(choice())))
            default: parts.append(token.hasPrefix("\"") ? .word(String(token.dropFirst().dropLast())) : .rule(token))
            }
        }
        return .sequence(parts)
    }

    private mutating func closed(_ expression: Grammar.Expression) -> Grammar.Expression {
        position += 1
        return expression
    }
}

/// Makes a sentence of a grammar by chance.
struct SentenceWriter {
    let rules: [String: Grammar.Expression]
    var words: [String] = []
    var arguments: [QueryValue] = []
    private var state: UInt64

    init(grammar: Grammar, seed: UInt64) {
        rules = Dictionary(grammar.rules.map { ($0.name, $0.expression) }, uniquingKeysWith: { first, _ in first })
        state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    private mutating func chance(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count))
    }

    private mutating func pick(_ words: [String]) -> String { words[chance(words.count)] }

    mutating func write(_ rule: String, depth: Int) {
        if depth > 45, let short = Self.short[rule] { return words.append(contentsOf: short) }
        if rule == "call", chance(2) == 0 { return call(depth) }
        if let expression = rules[rule] { return write(expression, depth: depth + 1, in: rule) }
        words.append(token(rule))
    }

    private static let short = [
        "predicate": ["a", "==", "1"], "negation": ["a", "==", "1"], "term": ["1"], "negative": ["1"], "postfix": ["a"],
        "path": ["a"], "power": ["2"],
    ]

    private mutating func write(_ expression: Grammar.Expression, depth: Int, in rule: String) {
        switch expression {
        case .word(let word): literal(word)
        case .rule("function-name"): words.append("count")
        case .rule(let name): write(name, depth: depth)
        case .sequence(let parts):
            if case .rule("function-name")? = parts.first { return call(depth) }
            for part in parts { write(part, depth: depth, in: rule) }
        case .choice(let parts): write(parts[chance(parts.count)], depth: depth, in: rule)
        case .option(let part):
            if chance(4) == 0 { write(part, depth: depth, in: rule) }
        case .repetition(let part):
            while chance(6) == 0 { write(part, depth: depth, in: rule) }
        }
    }

    private mutating func literal(_ word: String) {
        switch word {
        case "%@", "%d": arguments.append(1)
        case "%f": arguments.append(1.5)
        case "%s": arguments.append("x")
        case "%K": arguments.append("a.b")
        default: break
        }
        words.append(word)
    }

    /// A function of the table with as many terms as it takes.
    private mutating func call(_ depth: Int) {
        let rows = FunctionRow.table.filter { $0.node != .cast && $0.node != .geoWithin }
        let row = rows[chance(rows.count)]
        words += [pick(row.spellings), "("]
        for index in row.arguments.indices {
            if index > 0 { words.append(",") }
            write("term", depth: depth + 1)
        }
        words.append(")")
    }

    private mutating func token(_ name: String) -> String {
        switch name {
        case "int": pick(["0", "42", "0x1F", "0o17", "0b101", "9223372036854775807"])
        case "float": pick(["1.5", ".5", "1e3", "2.0"])
        case "string": pick(["'a'", "\"b\"", "'\\u00e9\\n'", "''"])
        case "word": pick(["a", "name", "étrange", "first\\u0020name", "x1", "_"])
        case "variable": pick(["$v", "$x"])
        case "aggregate": pick(["@count", "@sum . a", "@max", "@unionOfObjects . a . b"])
        case "option-letter": pick(["c", "d", "cd", "n", "l", "DC"])
        case "type": pick(CastTarget.allCases.map { "'\($0.rawValue)'" })
        case "END": ""
        default: "unknown token \(name)"
        }
    }
}
