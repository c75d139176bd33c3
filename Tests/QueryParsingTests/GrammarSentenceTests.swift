import Foundation
import PredicateQL
import Testing

@testable import QueryParsing

/// Every sentence of `Grammar/query.ebnf` parses.
///
/// The generator takes function names, types and option letters from the tables, and gives each placeholder a value that
/// its letter takes; kinds and patterns are the checker's matter and are not asked here. So the parser may refuse a
/// sentence for one reason only: a single literal under a quantifier (S10).
struct GrammarSentenceTests {
    @Test func everySentenceParses() throws {
        var generator = SentenceGenerator(try EBNF.query(), seed: 3)
        var bytes = 0
        var seen: Set<String> = []
        for number in 0..<3_000 {
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
        #expect(seen.count > 2_000, "\(seen.count) conditions are unlike each other")
        #expect(bytes > 200_000, "the sentences are too short to say much")
    }

    /// Parentheses end the path of an operator: what follows is a key of its result.
    @Test func keysAfterAGroupBelongToItsValue() throws {
        #expect(try Condition(format: "items.@max.a == 1").treeDump == "(== (@max items a) 1)")
        let condition = try Condition(format: "(items.@max).a == (orders.@max.b).c")
        #expect(condition.treeDump == "(== (path (@max items) a) (path (@max orders b) c))")
        #expect(try Condition(format: condition.format) == condition)
        let error = #expect(throws: QueryError.self) { try Condition(format: "(items.@count).a == 1") }
        #expect(error?.message == "a number has no field a")
    }
}
