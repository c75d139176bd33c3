import SpecSupport
import Testing

/// The SQL columns of `Tests/Spec`.
@Suite struct SpecFileTests {
    @Test func sqlite() throws {
        let failures = try SpecRunner.sqlFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    @Test func plans() throws {
        let failures = try SpecRunner.planFailures()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
