import SpecSupport
import Testing

/// The columns `finds` and `results` of `Tests/Spec`, by the evaluator and by SQLite.
@Suite struct SpecTests {
    @Test func findsAndResults() throws {
        let failures = try SpecRunner.resultFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
