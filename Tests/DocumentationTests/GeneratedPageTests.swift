import Foundation
import SpecSupport
import Testing

/// Pages that are written from the tables; `UPDATE_GENERATED=1` writes them instead of comparing.
@Suite struct GeneratedPageTests {
    @Test func operatorPageEqualsTables() throws {
        try compare(OperatorPage.text, with: "Grammar/operators.md")
    }

    @Test func fuzzDictionaryEqualsTables() throws {
        try compare(FuzzDictionary.text, with: "Fuzz/query.dict")
    }

    @Test func textMateGrammarEqualsTables() throws {
        try compare(TextMateGrammar.text, with: "Grammar/predicateql.tmLanguage.json")
    }

    @Test func swiftExamplesEqualPages() throws {
        try compare(SwiftExamplePage.text(), with: "Tests/DocumentationTests/SwiftExamples+Generated.swift")
    }

    @Test func sourceExamplesEqualDocComments() throws {
        for module in SourceExamplePages.modules {
            try compare(SourceExamplePages.text(of: module), with: SourceExamplePages.path(of: module))
        }
    }

    @Test func publicExamplesEqualDocComments() throws {
        for module in SourceExamplePages.publicModules {
            try compare(SourceExamplePages.publicText(of: module), with: SourceExamplePages.publicPath(of: module))
        }
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
