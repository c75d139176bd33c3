import PredicateQL
import SpecSupport
import Testing

/// Invariants of every query in `Tests/Spec`, also with any one token removed.
@Suite struct SpecTests {
    @Test func invariantsHold() throws {
        var failures: [String] = []
        for (number, spec) in try SpecFile.allCases().enumerated() where SeededGenerator.isAsked(number, oneIn: 4) {
            let found = QueryInvariants.failures(
                of: spec.query,
                arguments: try spec.arguments(),
                schema: try spec.schema(),
                rows: try spec.documents(),
                now: spec.now
            )
            failures += found.map { "\(spec.place): \($0)" }
        }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
