import SpecSupport
import Testing

/// The Mongo columns of `Tests/Spec`.
@Suite struct SpecTests {
    @Test func mongo() throws {
        let failures = try SpecRunner.mongoFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
