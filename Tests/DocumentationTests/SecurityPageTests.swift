import Foundation
import SpecSupport
import Testing

@testable import ExamplePages

/// Pages that name tests: each exists.
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

    /// Every requirement of a store stands once in its table, with tests that exist or the reason why it differs.
    @Test func everyRequirementIsShown() throws {
        let page = SpecFile.repository.appendingPathComponent("Grammar/store.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "## Requirements"))
        let known = try tests()
        var shown: [String] = []
        for line in text[start.upperBound...].split(separator: "\n") where line.contains(/^\| [A-R]\d/) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 2 && !(cells.last ?? "").isEmpty, "\(line)")
            for match in line.matches(of: /`(\w+Tests\.\w+)`/) {
                #expect(known.contains(String(match.output.1)), "there is no test \(match.output.1): \(line)")
            }
            let numbers = cells[0].prefixMatch(of: /(?:[A-R]\d+(?:–[A-R]\d+)?(?:, )?)+/)?.output ?? ""
            for match in numbers.matches(of: /([A-R])(\d+)(?:–[A-R](\d+))?/) {
                let first = Int(match.output.2) ?? 0
                for number in first...(match.output.3.flatMap { Int($0) } ?? first) {
                    shown.append("\(match.output.1)\(number)")
                }
            }
        }
        let counts = [16, 10, 9, 9, 12, 11, 4, 7, 14, 7, 7, 12, 5, 3, 3, 24, 10, 11]
        let wanted = zip("ABCDEFGHIJKLMNOPQR", counts).flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
        #expect(shown.sorted() == wanted.sorted())
    }

    /// `Suite.test` of every test.
    private func tests() throws -> Set<String> { try Self.known.get() }

    private static let known = Result { try readTests() }

    private static func readTests() throws -> Set<String> {
        var found: Set<String> = []
        for file in try Documents.files(in: ["Tests"], ending: "swift") {
            var suite = ""
            var isTest = false
            // Few lines need an expression.
            for (_, line) in try Documents.lines(of: file)
            where ["struct ", "@Test", "func "].contains(where: line.contains) {
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
