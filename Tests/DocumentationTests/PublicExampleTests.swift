import Foundation
import Testing

/// Every public declaration that users call has an example, or stands in the braces of one that has.
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

    /// Protocols ask for these, and nobody calls them by name: literals, coding, hashing, iteration.
    private static let required = [
        "init(from ", "encode(to ", "hash(into ", "init(rawValue", "Literal", "next(", "makeIterator",
        "makeAsyncIterator", "Interpolation(", "init(stringInterpolation", "struct Iterator",
    ]

    private func isUserFacing(_ comment: DocComment) -> Bool {
        let text = comment.declaration
        // The other branch of an `#if` declares the same again.
        guard text.contains("public "), !comment.conditions.contains(where: { $0.hasPrefix("!") }) else { return false }
        let head = text.prefix { $0 != "(" && $0 != "{" && $0 != "<" && $0 != ":" }
        let words = head.split(separator: " ").map(String.init)
        let kinds: Set = ["func", "subscript", "struct", "class", "enum", "protocol", "actor", "macro"]
        let kind = words.first { kinds.contains($0) || $0.hasPrefix("init") }
        guard let kind, let name = words.last else { return false }
        let isOperator = kind == "func" && (name == "func" || !name.contains(where: \.isLetter))
        let isRow = kind == "struct" && name.hasSuffix("Row")
        return !isOperator && !isRow && !Self.required.contains { text.contains($0) }
    }

    private func hasExample(_ comment: DocComment) -> Bool {
        let surroundings = comment.containers.contains { !$0.head.contains("extension") && $0.hasExample }
        return !comment.blocks.isEmpty || surroundings
    }
}
