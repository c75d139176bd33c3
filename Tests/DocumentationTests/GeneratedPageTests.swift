import Foundation
import PredicateQL
import PredicateQLSQLite
import SpecSupport
import Testing

@testable import ExamplePages

/// Pages that are written from the tables; `UPDATE_GENERATED=1` writes them instead of comparing.
@Suite struct GeneratedPageTests {
    @Test func operatorPageEqualsTables() throws {
        try compare(OperatorPage.text, with: "Grammar/operators.md")
    }

    @Test func pageOfSQLEqualsWriters() throws {
        try compare(SQLPage.text(), with: "Grammar/sql.md")
    }

    /// Every recipe runs, and the page shows what it finds and becomes.
    @Test func cookbookEqualsItsRecipes() throws {
        let page = try CookbookPage()
        let world = try Cookbook.world(page)
        var output: [[String]] = []
        for (place, run) in Cookbook.recipes {
            let recipe = CookbookRecipe(world)
            do { try run(world, recipe) } catch { Issue.record("\(place): \(error)") }
            output.append(recipe.output)
        }
        #expect(output.count >= 40)
        try #require(!output.contains { $0.isEmpty }, "a recipe shows nothing")
        try compare(page.text(output), with: CookbookPage.path)
    }

    /// The expert's SQL on the page asks the same: both find the same rows, and neither all nor none.
    @Test func expertsSQLFindsTheSameRows() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(SQLPage.tables + SQLPage.rows)
        #expect(SQLPage.asked.count >= 30)
        for asked in SQLPage.asked {
            let isWhole = asked.expert.hasPrefix("SELECT")
            let expert = try database.rows(
                isWhole ? asked.expert : "SELECT * FROM person WHERE \(asked.expert) ORDER BY id"
            )
            let statement = try SQLPage.query(asked, date: .iso8601Seconds).sql(.sqlite, from: "person")
            let ours = try database.rows(statement.sql + (isWhole ? "" : " ORDER BY id"), statement.bindings)
            for name in ["id", "points"] {
                #expect(expert.map { $0[name] } == ours.map { $0[name] }, "\(asked.format)")
            }
            #expect((1...4).contains(ours.count), "\(asked.format) finds \(ours.count)")
        }
    }

    @Test func fuzzDictionaryEqualsTables() throws {
        try compare(FuzzDictionary.text, with: "Fuzz/query.dict")
    }

    @Test func textMateGrammarEqualsTables() throws {
        try compare(TextMateGrammar.text, with: "Grammar/predicateql.tmLanguage.json")
    }

    /// Writes the examples of what is public for `.ci/deep examples`, which compiles them outside of this package.
    @Test(.enabled(if: publicExamples != nil, "PUBLIC_EXAMPLES names no folder"))
    func publicExamplesAreWritten() throws {
        let folder = URL(fileURLWithPath: try #require(Self.publicExamples))
        for module in SourceExamplePages.publicModules {
            let file = folder.appendingPathComponent("\(module)+Generated.swift")
            try SourceExamplePages.publicText(of: module).write(to: file, atomically: true, encoding: .utf8)
        }
    }

    private static let publicExamples = ProcessInfo.processInfo.environment["PUBLIC_EXAMPLES"]

    /// The page shows the file that is built and tested, without its `#if Server`.
    @Test func servicesPageShowsTheServer() throws {
        let root = SpecFile.repository
        let file = root.appendingPathComponent("Tests/Examples/Server/CitiesServer.swift")
        let lines = try Documents.lines(of: file).map(\.1)
        #expect(lines.first == "#if Server" && lines.count <= 76, "about seventy lines are shown")
        let shown = lines.dropFirst().prefix { $0 != "#endif" }.map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0[...] }
        let page = try String(contentsOf: root.appendingPathComponent("Grammar/services.md"), encoding: .utf8)
        #expect(page.contains("```text\n" + shown.joined(separator: "\n") + "\n```\n"), "copy the server to the page")
    }

    private func compare(_ text: String, with path: String) throws {
        let file = SpecFile.repository.appendingPathComponent(path)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(written == text, "\(path) is out of date: UPDATE_GENERATED=1 swift test --filter DocumentationTests")
    }
}
