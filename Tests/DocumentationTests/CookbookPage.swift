import Foundation
import PredicateQL
import SpecSupport

@testable import ExamplePages

/// `Grammar/cookbook.md`: recipes written by hand, and below each what it finds and becomes, written by this.
///
/// A recipe is a heading, text, and a `swift` fence, which the build compiles. What follows the fence is generated.
struct CookbookPage {
    static let path = "Grammar/cookbook.md"
    /// The longest line of generated code, which the manual shows whole beside its sidebar.
    static let width = 84

    private let file = SpecFile.repository.appendingPathComponent(Self.path)
    /// The rows that the page shows.
    let orders: [Document]
    let books: [Document]
    /// The tables of the books.
    let tables: String

    init() throws {
        let sets =
            try Documents.fences("json", in: file).prefix(2).map { fence in
                guard case .list(let rows) = try QueryValue(json: fence.lines.joined(separator: "\n")) else {
                    return []
                }
                return rows.compactMap { row -> Document? in
                    if case .object(let row) = row { row } else { nil }
                }
            } as [[Document]]
        orders = sets.first ?? []
        books = sets.last ?? []
        tables = try Documents.fences("sql", in: file).first?.lines.joined(separator: "\n") ?? ""
    }

    /// The page with the output of every recipe.
    ///
    /// - Parameter output: the lines that follow each recipe's fence, in order.
    /// - Returns: the text.
    /// - Throws: an error of a file that cannot be read.
    func text(_ output: [[String]]) throws -> String {
        var lines: [String] = []
        var outputs = output.makeIterator()
        var (isRecipes, isGenerated, isFence, isSwift) = (false, false, false, false)
        for line in try Documents.lines(of: file).map(\.line) {
            if !isFence, line.hasPrefix("## ") {
                isRecipes = isRecipes || line == SwiftExamplePage.firstGroup
                if isGenerated { lines.append("") }
                isGenerated = false
            } else if !isFence, line.hasPrefix("### ") {
                if isGenerated { lines.append("") }
                isGenerated = false
            }
            if !isGenerated { lines.append(line) }
            if line.hasPrefix("```") {
                isFence.toggle()
                if isFence { isSwift = line == "```swift" }
                if !isFence, isSwift, isRecipes, !isGenerated {
                    lines += outputs.next() ?? []
                    isGenerated = true
                }
            }
        }
        return lines.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n") + "\n"
    }
}

/// The namespace of the recipes that the build writes from the page.
enum Cookbook {}
