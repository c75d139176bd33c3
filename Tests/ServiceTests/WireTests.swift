import Foundation
import PredicateQLService
import SpecSupport
import StoreModel
import StoreSupport
import Testing

/// Requests and their answers against the service as a function.
@Suite struct WireTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: SpecFile.repository.appendingPathComponent(path), encoding: .utf8)
    }

    private func run(_ cases: [WireCase]) async throws {
        let harness = try ServiceHarness { configuration in
            configuration.apps = cases.indices.map { .init(key: WireCase.app($0), secret: "s", master: "m") }
            configuration.rightsOfCollections = ["Pub": .public, "Own": .private, "Shut": .closed]
            configuration.deltas = .named(["Book", "Pub", "Own"])
        }
        for (number, wireCase) in cases.enumerated() {
            let problems = try await wireCase.problems(app: WireCase.app(number)) { request in
                await harness.service.answer(request)
            }
            for problem in problems { Issue.record("\(problem)") }
        }
    }

    @Test func everyRequestGetsItsAnswer() async throws {
        let cases = try WireCase.read(text("Tests/Data/wire.json"))
        #expect(cases.flatMap(\.steps).count >= 150)
        try await run(cases)
    }

    @Test func thePageShowsWhatTheServiceAnswers() async throws {
        let page = try WireCase.page(text("Grammar/wire.md"), name: "wire.md")
        #expect(page.steps.count > 20)
        try await run([page])
    }

    @Test func thePageListsEveryError() throws {
        let page = try text("Grammar/wire.md")
        for (name, known) in ServiceFault.known {
            #expect(page.contains("| `\(name.rawValue)` | \(known.status) |"), "\(name.rawValue)")
        }
    }
}
