import Foundation
import PredicateQL

/// One of the 20 predicates of `Tests/Data/people-predicates.json`.
struct Predicate20: Decodable {
    var id: String
    var label: String
    var format: String

    static func all() throws -> [Predicate20] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Data/people-predicates.json").standardized
        return try JSONDecoder().decode([Predicate20].self, from: Data(contentsOf: file))
    }
}
