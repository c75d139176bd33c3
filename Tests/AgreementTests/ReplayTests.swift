import Foundation
import FuzzChecks
import SpecSupport
import Testing

/// The seeds and findings of the fuzzers pass their checks again; a failing check crashes the process.
@Suite struct ReplayTests {
    private let folder = SpecFile.repository.appendingPathComponent("Fuzz")

    private func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
            .filter { !$0.contains(".") }.sorted()
    }

    @Test func everyFuzzerHasItsCheck() throws {
        let fuzzers = try names(in: "Sources").filter {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent("Sources/\($0)/main.swift").path)
        }
        #expect(Set(fuzzers) == Set(Checks.all.map(\.name)))
    }

    @Test func seedsAndRegressionsHold() throws {
        var replayed = 0
        for kind in ["Seeds", "Regressions"] {
            for name in try names(in: kind) {
                let entry = try #require(Checks.all.first { $0.name == name }, "\(kind)/\(name) belongs to no fuzzer")
                let inputs = folder.appendingPathComponent("\(kind)/\(name)")
                for file in try FileManager.default.contentsOfDirectory(atPath: inputs.path).sorted() {
                    entry.check(Array(try Data(contentsOf: inputs.appendingPathComponent(file))))
                    replayed += 1
                }
            }
        }
        #expect(replayed > 100)
    }

    /// A few rounds of the fuzzers of generated queries.
    @Test func randomBytesHold() {
        var random = SeededGenerator(1_848)
        for (name, check) in Checks.all {
            for _ in 0..<(name == "FuzzAgreement" ? 60 : 200) {
                check(
                    (0..<Int.random(in: 0...160, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                )
            }
        }
    }
}
