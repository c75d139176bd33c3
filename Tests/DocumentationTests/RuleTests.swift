import Foundation
import PredicateQL
import SpecSupport
import Testing

/// Rules are cited by number; each number must exist in `Grammar/semantics.md`.
@Suite struct RuleTests {
    @Test func citedRulesExist() throws {
        let page = try text("Grammar/semantics.md")
        let rules = Set(page.matches(of: /\*\*S(\d+)/).compactMap { Int($0.output.1) })
        #expect(rules == Set(1...(rules.max() ?? 0)), "the numbers have gaps")
        var cited = 0
        for file in try sources() {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            for (index, line) in lines.enumerated() where Self.mayCite(line) {
                for match in line.matches(of: /\bS(\d{1,2})(?:[–-]S(\d{1,2}))?\b/) {
                    for number in [match.output.1, match.output.2].compactMap({ $0 }).compactMap({ Int($0) }) {
                        cited += 1
                        #expect(rules.contains(number), "\(file.lastPathComponent):\(index + 1) cites S\(number)")
                    }
                }
            }
        }
        #expect(cited > 50)
    }

    /// Whether a letter S and a digit follow each other: most lines need no expression.
    private static func mayCite(_ line: Substring) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return zip(line.utf8, line.utf8.dropFirst()).contains { $0 == UInt8(ascii: "S") && digits.contains($1) }
    }

    /// The manual's page of errors lists the codes that there are.
    @Test func everyCodeIsOnThePage() throws {
        let page = try text("Sources/PredicateQL/Documentation.docc/Errors.md")
        let listed = Set(page.matches(of: /`([a-z]\w+)`/).map { String($0.output.1) })
        let declared = try text("Sources/QueryValues/Errors/QueryError.swift")
        let codes = declared.matches(of: /static let (\w+) = Self\(rawValue/).map { String($0.output.1) }
        let policies = QueryPolicy.Rule.allCases.map(\.code.rawValue)
        #expect(codes.count > 20)
        #expect(Set(codes + policies).subtracting(listed).isEmpty)
        #expect(listed.subtracting(codes + policies) == ["policy", "split"])
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: SpecFile.repository.appendingPathComponent(path), encoding: .utf8)
    }

    /// All files that cite rules: sources, tests, spec files and pages.
    private func sources() throws -> [URL] {
        var files: [URL] = []
        for folder in ["Sources", "Tests/Spec", "Grammar", ".github"] {
            let root = SpecFile.repository.appendingPathComponent(folder)
            let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            while let file = found?.nextObject() as? URL {
                if ["swift", "spec", "md"].contains(file.pathExtension) { files.append(file) }
            }
        }
        return files
    }
}
