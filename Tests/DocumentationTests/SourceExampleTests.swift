import Testing

@testable import ExamplePages

/// The generated examples of a module.
protocol SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) { get }
}

/// A code block of a doc comment.
struct Example {
    let place: String
    let run: () async throws -> Void

    init(_ place: String, _ run: @escaping () async throws -> Void) {
        self.place = place
        self.run = run
    }
}

@Suite struct SourceExampleTests {
    private static var pages: [any SourceExamples.Type] {
        [
            QueryValuesExamples.self, QueryTreeExamples.self, QueryCheckingExamples.self, QueryMeaningExamples.self,
            QueryParsingExamples.self, QueryMongoExamples.self, QueryMongoReadingExamples.self, QuerySQLExamples.self,
            QueryEvaluationExamples.self, QueryStreamsExamples.self, PredicateQLExamples.self,
            PredicateQLSQLiteExamples.self, PredicateQLGRDBExamples.self, QueryBatchExamples.self,
            StoreModelExamples.self, PredicateQLServiceExamples.self, PredicateQLStoreExamples.self,
        ]
    }

    @Test func examplesOfDocCommentsRun() async throws {
        #expect(Self.pages.map { String(describing: $0) } == SourceExamplePages.modules.map { $0 + "Examples" })
        var count = 0
        var reasons: [String: Int] = [:]
        for page in Self.pages {
            let (run, leftOut) = page.examples
            for example in run {
                count += 1
                do {
                    try await ExampleWorld.$place.withValue(example.place) { try await example.run() }
                } catch {
                    Issue.record("\(example.place): \(error)")
                }
            }
            for (_, reason) in leftOut { reasons[reason, default: 0] += 1 }
        }
        #expect(count > 100)
        print("\(count) examples of doc comments run; left out: \(reasons.values.reduce(0, +))")
        for (reason, number) in reasons.sorted(by: { $0.key < $1.key }) { print("  \(number): \(reason)") }
    }
}
