// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum PredicateQLExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("SQLCatalogue.swift: struct SQLCatalogue", SQLCatalogue_1))
        all.append(Example("SQLCatalogue.swift: init", SQLCatalogue_2))
        all.append(Example("SQLCatalogue.swift: var tableNames", SQLCatalogue_3))
        all.append(Example("SQLCatalogue.swift: func schema", SQLCatalogue_4))
        all.append(Example("SQLCatalogue.swift: func storage", SQLCatalogue_5))
        all.append(Example("Grouping+RESTResults.swift: func results", Grouping_RESTResults_1))
#if canImport(ObjectiveC)
        all.append(Example("NSPredicate+Query.swift: init", NSPredicate_Query_1))
#else
        leftOut.append(("NSPredicate+Query.swift: init", "needs canImport(ObjectiveC)"))
#endif
#if canImport(ObjectiveC)
        all.append(Example("NSPredicate+Query.swift: var nsPredicate", NSPredicate_Query_2))
#else
        leftOut.append(("NSPredicate+Query.swift: var nsPredicate", "needs canImport(ObjectiveC)"))
#endif
#if canImport(ObjectiveC)
        all.append(Example("NSPredicate+Query.swift: var sortDescriptors", NSPredicate_Query_3))
#else
        leftOut.append(("NSPredicate+Query.swift: var sortDescriptors", "needs canImport(ObjectiveC)"))
#endif
        all.append(Example("Condition+Predicate.swift: init", Condition_Predicate_1))
#if !os(WASI)
        all.append(Example("SortKey+SortDescriptor.swift: init", SortKey_SortDescriptor_1))
#else
        leftOut.append(("SortKey+SortDescriptor.swift: init", "needs !os(WASI)"))
#endif
        return (all, leftOut)
    }

    static func SQLCatalogue_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let catalogue = try SQLCatalogue(
                json: #"""
                    [{"table": "orders", "column": "id", "type": "int8", "required": true, "key": 1},
                     {"table": "orders", "column": "total", "type": "numeric", "required": false}]
                    """#
            )
            let query = try Query(format: "total > 9.5", schema: catalogue.schema(ofTable: "orders"))
            let storage = try catalogue.storage(ofTable: "orders")
            try expectShown(query.sql(.postgresql, from: "orders", storage: storage).where, "\"orders\".\"total\" > CAST($1 AS numeric)")
            expectThrown("unknownField") { try Query(format: "totl > 9.5", schema: catalogue.schema(ofTable: "orders")) }
            _ = (catalogue, query, storage)
        }
    }

    static func SQLCatalogue_2() throws {
        do {
            try expectShown(SQLCatalogue(json: "[]").tableNames, "[]")
            expectThrown("schema") { try SQLCatalogue(json: "{}") }
        }
    }

    static func SQLCatalogue_3() throws {
        do {
            try expectShown(SQLCatalogue(json: #"[{"table": "t", "column": "a", "type": "text"}]"#).tableNames, "[\"t\"]")
        }
    }

    static func SQLCatalogue_4() throws {
        do {
            let catalogue = try SQLCatalogue(json: #"[{"table": "t", "column": "a", "type": "int4", "required": true}]"#)
            try expectShown(catalogue.schema(ofTable: "t").field(named: "a")?.isOptional, "false")
            _ = (catalogue)
        }
    }

    static func SQLCatalogue_5() throws {
        do {
            let catalogue = try SQLCatalogue(json: #"[{"table": "t", "column": "a", "type": "numeric"}]"#)
            try expectShown(catalogue.storage(ofTable: "t").decimalColumns, "[\"a\"]")
            _ = (catalogue)
        }
    }

    static func Grouping_RESTResults_1() throws {
        do {
            let grouping = Query(order: [.descending("count")]).grouped(by: "state", computing: [.count])
            let answer: [Document] = [["state": "MA", "count": 2], ["state": "NY", "count": 5]]
            try expectShown(grouping.results(ofREST: answer), "[{\"state\":\"NY\",\"count\":5}, {\"state\":\"MA\",\"count\":2}]")
            _ = (grouping, answer)
        }
    }

#if canImport(ObjectiveC)
    static func NSPredicate_Query_1() throws {
        do {
            let byName = NSSortDescriptor(key: "name", ascending: true)
            try expectShown(Query(NSPredicate(format: "age >= 21"), sortDescriptors: [byName]), "age >= 21")
            _ = (byName)
        }
    }
#endif

#if canImport(ObjectiveC)
    static func NSPredicate_Query_2() throws {
        do {
            try expectShown(Query(format: "age >= 21").nsPredicate.predicateFormat, "age >= 21")
        }
    }
#endif

#if canImport(ObjectiveC)
    static func NSPredicate_Query_3() throws {
        do {
            try expectShown(Query(order: ["-name"]).sortDescriptors.map(\.ascending), "[false]")
        }
    }
#endif

    static func Condition_Predicate_1() throws {
        do {
            let adults = #Predicate<Person> { $0.age >= 18 && $0.city == "Boston" }
            let names: [AnyKeyPath: FieldPath] = [\Person.age: "age", \Person.city: "city"]
            try expectShown(Condition(adults, names: names), "age >= 18 AND city == \"Boston\"")
            _ = (adults, names)
        }
    }

#if !os(WASI)
    static func SortKey_SortDescriptor_1() throws {
        do {
            let names: [AnyKeyPath: FieldPath] = [\Person.age: "age"]
            try expectShown(SortKey(SortDescriptor(\Person.age, order: .reverse), names: names).isAscending, "false")
            _ = (names)
        }
    }
#endif
}
