import Foundation
import PredicateQL
import SpecSupport
import Testing

@testable import QueryParsing

/// Every sentence of `Grammar/query.ebnf` parses.
///
/// The generator takes function names, types and option letters from the tables, and gives each placeholder a value
/// that fits its letter; kinds and patterns are left to the checker, which is not tested here. So the parser may reject
/// a sentence for only one reason: a single literal under a quantifier (S10).
struct GrammarSentenceTests {
    @Test func everySentenceParses() throws {
        var generator = SentenceGenerator(try EBNF.query(), seed: 3)
        var bytes = 0
        var seen: Set<String> = []
        let count = SeededGenerator.count(1_500)
        for number in 0..<count {
            let sentence = generator.sentence(depth: 20 + number % 50)
            bytes += sentence.text.utf8.count
            do throws(QueryError) {
                let condition = try Condition(parsing: sentence.text, sentence.arguments, .default)
                seen.insert(condition.format)
                let again = try Condition(parsing: condition.format, condition.arguments, .default)
                #expect(again == condition, "\(number): \(sentence.text)\n\(condition.format)")
            } catch {
                #expect(error.code == .quantifier, "\(number): \(sentence.text)\n\(error.rendered())")
            }
        }
        #expect(seen.count > count / 2, "\(seen.count) conditions are unlike each other")
        #expect(bytes > 60 * count, "the sentences are too short to say much")
    }

    /// A tree survives conversion to JSON and to NSPredicate's nodes.
    @Test func everySentenceSurvivesOtherForms() throws {
        var generator = SentenceGenerator(try EBNF.query(), seed: 11)
        var nodes = 0
        let count = SeededGenerator.count(700)
        for number in 0..<count {
            let sentence = generator.sentence(depth: 20 + number % 50)
            guard let condition = try? Condition(parsing: sentence.text, sentence.arguments, .default) else { continue }
            let text = try condition.jsonTree.json
            let tree = JSONTreeReader(.default)
            #expect(try tree.root(tree.value(of: text), at: "$") == condition, "\(number): \(condition.format)")
            do throws(QueryError) {
                let node = try PredicateNode(condition)
                let again = try node.condition()
                // Distinctions that the nodes cannot represent are lost the first time.
                #expect(try PredicateNode(again) == node, "\(number): \(condition.format)")
                nodes += 1
            } catch {
                #expect([.unsupported, .limit].contains(error.code), "\(number): \(error.rendered())")
            }
        }
        #expect(nodes > count / 5, "\(nodes) nodes")
    }

    /// Parentheses end the path of an operator; what follows is a key of its result.
    @Test func keysAfterAGroupBelongToItsValue() throws {
        #expect(try Condition(format: "items.@max.a == 1").treeDump == "(== (@max items a) 1)")
        let condition = try Condition(format: "(items.@max).a == (orders.@max.b).c")
        #expect(condition.treeDump == "(== (path (@max items) a) (path (@max orders b) c))")
        #expect(try Condition(parsing: condition.format) == condition)
        let error = #expect(throws: QueryError.self) { try Condition(format: "(items.@count).a == 1") }
        #expect(error?.message == "a number has no field a")
    }

    /// Sentences with a piece removed or duplicated: an error has a range in the text, and its fixes lead to a text
    /// that parses.
    @Test func brokenSentencesFailAtAPlace() throws {
        var generator = SentenceGenerator(try EBNF.query(), seed: 5)
        var broken = 0
        var mended = 0
        for number in 0..<1_500 {
            let sentence = generator.sentence(depth: 20 + number % 15)
            let characters = Array(sentence.text)
            guard let start = characters.indices.randomElement(using: &generator) else { continue }
            let piece = characters[start..<min(characters.count, start + 1 + number % 4)]
            let middle = number.isMultiple(of: 3) ? piece + piece : []
            let text = String(characters[..<start] + middle + characters[piece.endIndex...])
            guard var error = Self.problem(text, sentence.arguments) else { continue }
            broken += 1
            let length = text.utf8.count
            let range = error.range ?? 0..<0
            #expect(range.upperBound <= length, "\(number): \(text)\n\(error)")
            #expect(error.code == .argument || error.range != nil, "\(number): \(text)\n\(error)")
            guard error.fix != nil else { continue }
            mended += 1
            var current = text
            for _ in 0..<16 {
                guard let fix = error.fix else { break }
                current = try #require(fix.applied(to: current), "\(number): \(text)")
                guard let next = Self.problem(current, sentence.arguments) else { break }
                error = next
            }
            let isSound = Self.problem(current, sentence.arguments).map { $0.code == .argument } ?? true
            #expect(isSound, "\(number): \(text)\n\(current)")
        }
        #expect(broken > 500 && mended > 50, "\(broken) broken, \(mended) mended")
    }

    private static func problem(_ text: String, _ arguments: [QueryValue]) -> QueryError? {
        do throws(QueryError) {
            _ = try Condition(parsing: text, arguments, .default)
            return nil
        } catch {
            return error
        }
    }
}
