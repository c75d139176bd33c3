import SpecSupport
import Testing

@testable import QueryChecking
@testable import QueryParsing
@testable import QueryTree
@testable import QueryValues

/// The parser notes whether a query needs checks without a schema; a walk over the tree must agree.
struct PlainnessTests {
    @Test func theParserSaysWhatTheTreeSays() throws {
        var plain = 0
        var others = 0
        for spec in try SpecFile.allCases() {
            guard let arguments = try? spec.arguments(),
                let parsed = try? Condition.parsed(spec.query, arguments, .default)
            else { continue }
            #expect(parsed.isPlain == parsed.condition.isPlain, "\(spec.place): \(spec.query)")
            guard parsed.isPlain else {
                others += 1
                continue
            }
            plain += 1
            var checker = ConditionChecker(scope: TypeScope(nil))
            #expect(checker.check(parsed.condition) == parsed.condition, "\(spec.place): \(spec.query)")
            #expect(checker.problems.isEmpty, "\(spec.place): \(spec.query)")
        }
        #expect(plain > 50 && others > 50)
    }
}
