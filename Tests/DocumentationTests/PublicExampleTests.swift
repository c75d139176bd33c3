import Foundation
import Testing

@testable import ExamplePages

/// Every public declaration that users call has an example, or is enclosed by one that has.
@Suite struct PublicExampleTests {
    @Test func publicDeclarationsHaveExamples() throws {
        var count = 0
        for module in SourceExamplePages.modules {
            for file in try SourceExamplePages.files(of: module) {
                for comment in try DocComment.all(in: file) where isUserFacing(comment) {
                    count += 1
                    #expect(
                        hasExample(comment),
                        "\(module)/\(file.lastPathComponent):\(comment.line) shows no example: \(comment.declaration)"
                    )
                }
            }
        }
        #expect(count > 200)
    }

    /// Code is not shown where no test checks it: in other folders, or in a Swift fence.
    @Test func noExampleIsOverlooked() throws {
        for file in try Documents.files(in: ["Sources"], ending: "swift") {
            let isRead = SourceExamplePages.modules.contains { file.path.contains("/Sources/\($0)/") }
            for comment in try DocComment.all(in: file) {
                #expect(isRead || comment.blocks.isEmpty, "\(comment.place): no test runs the code of this folder")
                let fences = comment.fences.filter { $0.isEmpty || $0 == "swift" }
                #expect(fences.isEmpty, "\(comment.place): indent the code, so that it is run")
            }
        }
    }

    /// Requirements of protocols that nobody calls by name: literals, coding, hashing, iteration.
    private static let required = [
        "init(from ", "encode(to ", "hash(into ", "init(rawValue", "Literal", "next(", "makeIterator",
        "makeAsyncIterator", "literalCapacity", "init(stringInterpolation", "struct Iterator",
    ]
    /// Properties that protocols require.
    private static let requiredProperties: Set = ["queryValue", "queryTerm", "fieldKind", "description"]

    private func isUserFacing(_ comment: DocComment) -> Bool {
        let text = comment.declaration
        // The other branch of an `#if` declares the same thing again.
        guard text.contains("public "), !comment.conditions.contains(where: { $0.hasPrefix("!") }) else { return false }
        let head = text.prefix { $0 != "(" && $0 != "{" && $0 != "<" && $0 != ":" }
        let words = head.split(separator: " ").map(String.init)
        let kinds: Set = ["func", "subscript", "struct", "class", "enum", "protocol", "actor", "macro", "var"]
        let kind = words.first { kinds.contains($0) || $0.hasPrefix("init") }
        guard let kind, let name = words.last else { return false }
        if kind == "var" { return "{}".contains(text.suffix(1)) && !Self.requiredProperties.contains(name) }
        let isOperator = kind == "func" && (name == "func" || !name.contains(where: \.isLetter))
        let isRow = kind == "struct" && name.hasSuffix("Row")
        return !isOperator && !isRow && !Self.required.contains { text.contains($0) }
    }

    private func hasExample(_ comment: DocComment) -> Bool {
        let surroundings = comment.containers.contains { !$0.head.contains("extension") && $0.hasExample }
        return !comment.blocks.isEmpty || surroundings
    }
}
