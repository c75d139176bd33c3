import SpecSupport
import Testing

@testable import QueryParsing
@testable import QuerySyntax

/// The parser notes while it parses whether a query needs checks without a schema; a walk over the tree says the same.
struct PlainnessTests {
    @Test func theParserSaysWhatTheTreeSays() throws {
        var plain = 0
        var others = 0
        for spec in try SpecFile.allCases() {
            guard let arguments = try? spec.arguments(),
                let parsed = try? Condition.parsed(spec.query, arguments, .default)
            else { continue }
            #expect(parsed.isPlain == parsed.condition.isPlain, "\(spec.place): \(spec.query)")
            if parsed.isPlain { plain += 1 } else { others += 1 }
        }
        #expect(plain > 50 && others > 50)
    }
}
