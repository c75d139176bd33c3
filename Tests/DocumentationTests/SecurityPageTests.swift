import Foundation
import SpecSupport
import Testing

/// Every promise of the security page names tests, and they exist.
@Suite struct SecurityPageTests {
    @Test func everyPromiseHasItsTests() throws {
        let page = SpecFile.repository.appendingPathComponent(".github/SECURITY.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "## What the library guarantees"))
        let end = try #require(text.range(of: "## What a server must do itself"))
        let promises = text[start.upperBound..<end.lowerBound].components(separatedBy: "\n- ").dropFirst()
        #expect(promises.count > 20)
        let known = try tests()
        for promise in promises {
            let named = promise.matches(of: /`(\w+Tests\.\w+)`/).map { String($0.output.1) }
            #expect(!named.isEmpty, "no test: \(promise)")
            for name in named { #expect(known.contains(name), "there is no test \(name): \(promise)") }
        }
    }

    /// `Suite.test` of every test.
    private func tests() throws -> Set<String> {
        var found: Set<String> = []
        for file in try Documents.files(in: ["Tests"], ending: "swift") {
            var suite = ""
            var isTest = false
            for (_, line) in try Documents.lines(of: file) {
                if let match = line.firstMatch(of: /\bstruct (\w+Tests)\b/) { suite = String(match.output.1) }
                isTest = isTest || line.contains("@Test")
                guard let match = line.firstMatch(of: /\bfunc (\w+)\(/) else { continue }
                if isTest { found.insert("\(suite).\(match.output.1)") }
                isTest = false
            }
        }
        return found
    }
}
