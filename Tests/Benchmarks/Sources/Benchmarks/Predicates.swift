import Foundation
import PredicateQL

/// One of the 20 predicates of `Tests/Data/people-predicates.json`.
struct Predicate20: Decodable {
    var id: String
    var label: String
    var format: String
    /// The same for jq; the programs of other competitors read theirs from the file.
    var jq: String

    var name: String { "\(id) \(label)" }

    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Data/people-predicates.json").standardized

    static func all() throws -> [Predicate20] {
        try JSONDecoder().decode([Predicate20].self, from: Data(contentsOf: file))
    }
}
