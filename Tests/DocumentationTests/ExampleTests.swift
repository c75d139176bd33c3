import Foundation
import PredicateQL
import SpecSupport
import Testing

@testable import ExamplePages

/// Queries in tables, doc comments and pages are valid queries.
@Suite struct ExampleTests {
    /// Texts that are shown as wrong.
    private static let wrong: Set<String> = [
        "age >> 21", "age NOT IN {1, 2}", "name STARTSWITH 'a'", "name MATCHES '['",
    ]

    @Test func tableExamplesParse() {
        var examples = Comparison.Operator.table.map(\.example) + FunctionEntry.table.map(\.example)
        examples += LogicalWord.allCases.map(\.example) + ArithmeticOperator.allCases.map(\.entry.example)
        for example in examples {
            #expect(throws: Never.self, "\(example)") { try parse(example) }
        }
    }

    @Test func documentedFormatsParse() throws {
        var count = 0
        for (place, line) in try documentationLines() {
            for match in line.matches(of: /[fF]ormat: "((?:[^"\\]|\\.)*)"/) {
                let text = String(match.output.1).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
                if Self.wrong.contains(text) || text.contains("\\(") { continue }
                count += 1
                let isKey = line[..<match.range.lowerBound].hasSuffix("GroupKey(")
                #expect(throws: Never.self, "\(place): \(text)") {
                    if isKey { _ = try GroupKey(parsing: text + " as key") } else { try parse(text) }
                }
            }
        }
        #expect(count > 3)
    }

    /// Parses with as many arguments as the text has placeholders.
    private func parse(_ text: String) throws {
        let circle = GeoShape.circle(longitude: 0, latitude: 0, radius: 1)
        let filler: QueryValue = text.contains("geoWithin") ? .shape(circle) : "x"
        for count in 0...4 {
            for value in [filler, 1, ["a", "b"]] {
                let arguments = Array(repeating: value, count: count)
                if (try? Query(parsing: text, arguments: arguments)) != nil { return }
            }
        }
        _ = try Query(parsing: text, arguments: [])
    }

    /// Doc comments of the sources, and the lines of every page; the recipes of the cookbook run with their arguments.
    private func documentationLines() throws -> [(place: String, line: String)] {
        var lines: [(String, String)] = []
        for file in try Documents.files(in: ["Sources"], ending: "swift") {
            lines += try Documents.lines(of: file).filter { $0.line.drop { $0 == " " }.hasPrefix("///") }
        }
        for file in try Documents.files(in: ["README.md", "Grammar", "Sources"], ending: "md")
        where file.lastPathComponent != "cookbook.md" {
            lines += try Documents.lines(of: file)
        }
        return lines
    }
}
