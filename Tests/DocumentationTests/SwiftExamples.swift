import Testing

/// The namespace of the functions that the build writes from the pages.
enum SwiftExamples {}

@Suite struct SwiftExampleTests {
    @Test func examplesRun() async throws {
        for (place, run) in SwiftExamples.all {
            await #expect(throws: Never.self, "\(place)") { try await run() }
        }
    }
}
