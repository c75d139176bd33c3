// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum QueryMeaningExamples {
    static func Condition_Normalized_1() throws {
        do {
            try expectShown(Condition(format: "NOT NOT (a >= 1 AND a <= 5)").normalized(), "a BETWEEN {1, 5}")
        }
    }

    static func Query_Cursor_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = Query(order: ["-population"], limit: 2)
            let first = try query.page(after: nil).results(in: cities)
            let cursor = try query.cursor(after: first[1])
            try expectShown(query.page(after: cursor).results(in: cities).map { $0["name"] ?? nil }, "[\"Worcester\", \"Salem\"]")
            _ = (query, first, cursor)
        }
    }
}
