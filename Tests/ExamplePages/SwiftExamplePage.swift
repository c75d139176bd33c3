import Foundation

/// Each `swift` fence of the pages as a function, so that it must compile and run.
///
/// A line `expression  // → text` is an expectation. The names that fences use are declared in `ExampleWorld`.
enum SwiftExamplePage {
    static func text() throws -> String {
        var text = """
            // Written from the swift fences of the pages.

            import Foundation
            import PredicateQL
            import PredicateQLSQLite
            import PredicateQLStore
            import QueryBatch
            import StoreModel

            extension SwiftExamples {
                static var all: [(place: String, run: () async throws -> Void)] {
                    [

            """
        var functions = ""
        for file in try Documents.files(in: ["README.md", "Grammar", "Sources"], ending: "md") {
            let page = file.deletingPathExtension().lastPathComponent
            for (index, fence) in try Documents.fences("swift", in: file).enumerated() {
                let name = page.filter(\.isLetter).lowercased() + String(index + 1)
                text += "            (\"\(file.lastPathComponent) fence \(index + 1)\", \(name)),\n"
                let isAsync = fence.lines.contains { $0.contains("await ") }
                functions += "\n    static func \(name)() \(isAsync ? "async " : "")throws {\n"
                functions += "        let world = ExampleWorld()\n"
                functions += "        let cities = world.cities; _ = cities\n"
                for line in ExampleCode.statements(fence.lines) {
                    functions += line.isEmpty ? "\n" : "        \(line)\n"
                }
                functions += "        _ = (\(ExampleCode.names(fence.lines).joined(separator: ", ")))\n    }\n"
            }
        }
        return text + "        ]\n    }\n" + functions + "}\n"
    }
}
