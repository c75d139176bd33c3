// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum QueryMeaningExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("Function+Evaluation.swift: func value", Function_Evaluation_1))
        all.append(Example("Condition+Normalized.swift: func normalized", Condition_Normalized_1))
        all.append(Example("Query+Cursor.swift: func cursor", Query_Cursor_1))
        all.append(Example("RowEvaluator.swift: struct RowEvaluator", RowEvaluator_1))
        return (all, leftOut)
    }

    static func Function_Evaluation_1() throws {
        do {
            expectShown(FunctionEntry.named("sqrt")?.value(of: [9], now: 0), "3.0")
        }
    }

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

    static func RowEvaluator_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning)
            let plan = try evaluator.compile(query.condition)
            var frame = plan.makeFrame(now: 0)
            try expectShown(plan.holds(cities[0], &frame), "true")
            _ = (evaluator, plan, frame)
        }
    }
}
