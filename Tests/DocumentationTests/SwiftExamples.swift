import Foundation
import PredicateQL
import SpecSupport
import Testing

/// `SwiftExamples+Generated.swift`: each `swift` fence of the pages as a function, so that it must compile and run.
///
/// A line `expression  // → text` is an expectation. The names that fences use stand in `ExampleWorld`.
enum SwiftExamplePage {
    static func text() throws -> String {
        var text = """
            // Generated from the swift fences of the pages: UPDATE_GENERATED=1 swift test --filter DocumentationTests
            // swift-format-ignore-file

            import Foundation
            import PredicateQL
            import PredicateQLSQLite

            extension SwiftExamples {
                static var all: [(place: String, run: () throws -> Void)] {
                    [

            """
        var functions = ""
        for file in try Documents.files(in: ["README.md", "Grammar", "Sources"], ending: "md") {
            let page = file.deletingPathExtension().lastPathComponent
            for (index, fence) in try Documents.fences("swift", in: file).enumerated() {
                let name = page.filter(\.isLetter).lowercased() + String(index + 1)
                text += "            (\"\(file.lastPathComponent) fence \(index + 1)\", \(name)),\n"
                functions += "\n    static func \(name)() throws {\n        let world = ExampleWorld()\n"
                functions += "        \(ExampleWorld.unpacking)\n"
                for line in fence.lines.map(statement) { functions += line.isEmpty ? "\n" : "        \(line)\n" }
                functions += "        _ = (\(names(fence.lines).joined(separator: ", ")))\n    }\n"
            }
        }
        return text + "        ]\n    }\n" + functions + "}\n"
    }

    /// The names that a fence declares, so that none is unused.
    private static func names(_ lines: [String]) -> [String] {
        lines.compactMap { $0.firstMatch(of: /^(?:let|var) (\w+)\b/).map { String($0.output.1) } }
    }

    private static func statement(_ line: String) -> String {
        if line.hasPrefix("import ") { return "" }
        guard let arrow = line.range(of: "// → ") else { return line }
        let expression = line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces)
        let shown = String(reflecting: String(line[arrow.upperBound...]))
        let marks = expression.hasPrefix("try ") ? "try " : ""
        return "\(marks)expectShown(\(expression.dropFirst(marks.count)), \(shown))"
    }
}

/// Where the generated functions live.
enum SwiftExamples {}

/// An expression must be shown as its comment says.
func expectShown<Value>(_ value: Value, _ text: String) {
    let shown = String(describing: value)
    #expect(shown == text || String(reflecting: value) == text, "\(shown) is not \(text)")
}

/// What the examples speak about.
struct ExampleWorld {
    /// The names as local constants, each used once so that none is unused.
    static let unpacking = "let cities = world.cities; _ = cities"

    let cities: [Document]

    init() {
        let file = SpecFile.repository.appendingPathComponent("Tests/Data/us-cities.ndjson")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        cities = text.split(separator: "\n").compactMap { line in
            guard case .object(let city)? = try? QueryValue(json: String(line)) else { return nil }
            return city
        }
    }
}

@Suite struct SwiftExampleTests {
    @Test func examplesRun() throws {
        for (place, run) in SwiftExamples.all {
            #expect(throws: Never.self, "\(place)") { try run() }
        }
    }
}
