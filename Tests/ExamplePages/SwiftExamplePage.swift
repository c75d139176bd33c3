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
            if page == "cookbook" { continue }
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
        return try text + "        ]\n    }\n" + functions + "}\n" + cookbook()
    }

    /// The heading of the cookbook below which every `swift` fence is a recipe; those above are part of each.
    static let firstGroup = "## Searching"

    /// The names that recipes use besides those.
    private static let given: [(name: String, value: String)] = [
        ("print", "recipe.print"), ("rows", "world.rows(\"orders\")"),
        ("cityRows", "world.rows(\"cities\")"), ("database", "try world.database()"),
    ]

    /// Each recipe of the cookbook as a function that shows its `query` or `groups`, and what it prints.
    private static func cookbook() throws -> String {
        let file = Documents.repository.appendingPathComponent("Grammar/cookbook.md")
        let lines = try Documents.lines(of: file)
        let start = lines.firstIndex { $0.line == firstGroup } ?? lines.endIndex
        let fences = try Documents.fences("swift", in: file)
        let above = Set(lines[..<start].map(\.place))
        let shared = fences.filter { above.contains($0.place) }.flatMap(\.lines)
        let recipes = fences.filter { !above.contains($0.place) }
        var text = """

            extension Cookbook {
                static func world(_ page: CookbookPage) throws -> CookbookWorld {
                    \(shared.joined(separator: "\n        "))
                    _ = (\(ExampleCode.names(shared).joined(separator: ", ")))
                    return try CookbookWorld(page: page, orders: orders, books: books, cities: cities)
                }

                static var recipes: [(place: String, run: (CookbookWorld, CookbookRecipe) throws -> Void)] {
                    [

            """
        var functions = ""
        for (index, fence) in recipes.enumerated() {
            text += "            (\"\(fence.place)\", recipe\(index + 1)),\n"
            functions +=
                "\n    static func recipe\(index + 1)(_ world: CookbookWorld, _ recipe: CookbookRecipe) throws {\n"
            let names = ExampleCode.names(fence.lines)
            for line in shared + given.map({ "let \($0.name) = \($0.value)" }) {
                functions += "        \(line)\n"
            }
            functions += "        do {\n"
            for line in fence.lines { functions += "            \(line)\n" }
            for name in names where ["query", "groups"].contains(name) {
                functions += "            try recipe.show(\(name))\n"
            }
            let used = ExampleCode.names(shared) + given.map(\.name)
            functions += "        }\n        _ = (\(used.joined(separator: ", ")))\n    }\n"
        }
        return text + "        ]\n    }\n" + functions + "}\n"
    }
}
