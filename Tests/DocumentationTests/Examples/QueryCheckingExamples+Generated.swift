// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum QueryCheckingExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("Query+Binding.swift: func binding", Query_Binding_1))
        all.append(Example("Query+Converting.swift: func converting", Query_Converting_1))
        all.append(Example("Query+KindWarnings.swift: func warnings", Query_KindWarnings_1))
        all.append(Example("Query+Warnings.swift: var warnings", Query_Warnings_1))
        all.append(Example("Query+Warnings.swift: var warnings", Query_Warnings_2))
        all.append(Example("QueryError+Codes.swift: let all", QueryError_Codes_1))
        all.append(Example("Schema+Checking.swift: func checked", Schema_Checking_1))
        all.append(Example("Schema+Checking.swift: func problems", Schema_Checking_2))
        all.append(Example("Schema+Checking.swift: func checked", Schema_Checking_3))
        all.append(Example("Schema+Checking.swift: var resultSchema", Schema_Checking_4))
        all.append(Example("PageCursor.swift: struct PageCursor", PageCursor_1))
        all.append(Example("PageCursor.swift: var token", PageCursor_2))
        all.append(Example("PageCursor.swift: init", PageCursor_3))
        all.append(Example("Query+Page.swift: func page", Query_Page_1))
        all.append(Example("Query+Split.swift: struct QuerySplit", Query_Split_1))
        all.append(Example("Query+Cost.swift: var estimatedCost", Query_Cost_1))
        all.append(Example("QueryPolicy.swift: struct QueryPolicy", QueryPolicy_1))
        all.append(Example("QueryPolicy.swift: init", QueryPolicy_2))
        all.append(Example("QueryPolicy.swift: enum Rule", QueryPolicy_3))
        all.append(Example("QueryPolicy.swift: var limits", QueryPolicy_4))
        all.append(Example("QueryPolicy.swift: func problems", QueryPolicy_5))
        all.append(Example("QueryPolicy.swift: func check", QueryPolicy_6))
        all.append(Example("QueryPolicy.swift: func checked", QueryPolicy_7))
        all.append(Example("QueryPolicy.swift: func problems", QueryPolicy_8))
        all.append(Example("QueryPolicy.swift: func check", QueryPolicy_9))
        all.append(Example("QueryPolicy.swift: func checked", QueryPolicy_10))
        return (all, leftOut)
    }

    static func Query_Binding_1() throws {
        do {
            let template = try Query(format: "age > $least")
            try expectShown(template.binding(["least": 21]).format, "age > 21")
            _ = (template)
        }
    }

    static func Query_Converting_1() throws {
        do {
            let known = Schema([.field("born", .date(.native))])
            try expectShown(Query(format: "born > '1970-01-05'").converting(by: known).condition.format, "born > CAST(-977961600, \"NSDate\")")
            _ = (known)
        }
    }

    static func Query_KindWarnings_1() throws {
        do {
            let rows: [Document] = [["age": "30", "tags": ["a"]], ["age": "5"]]
            let warnings = try Query(format: "age > 10 OR tags == 'a'").warnings(seeing: rows)
            expectShown(warnings.map(\.message), "[\"age holds text in the rows seen, and is compared with a number\", …]")
            expectShown(warnings.last?.hint, "write ANY, ALL or NONE in front of the comparison")
            _ = (rows, warnings)
        }
    }

    static func Query_Warnings_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "SUBQUERY(items, $i, price > 5).@count > 0")
            expectShown(query.warnings.map(\.code), "[unusedVariable]")
            _ = (query)
        }
    }

    static func Query_Warnings_2() throws {
        do {
            let condition = try Condition(format: "SUBQUERY(items, $i, price > 5).@count > 0")
            expectShown(condition.warnings[0].hint, "a bare key belongs to the row; write $i.key for the element\'s")
            try expectShown(Condition(format: "joined > 2024-01-31").warnings[0].fix?.replacement, "CAST(\"2024-01-31\", \"NSDate\")")
            _ = (condition)
        }
    }

    static func QueryError_Codes_1() throws {
        do {
            expectShown(QueryError.Code.all.contains(.syntax), "true")
        }
    }

    static func Schema_Checking_1() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let unchecked = Query(Field("agee") > 21, schema: schema)
            expectThrown("unknownField") { try unchecked.checked() }
            _ = (unchecked)
        }
    }

    static func Schema_Checking_2() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            expectShown(Query(Field("agee") > 21 || Field("name") > 3, schema: schema).problems().map(\.code), "[unknownField, kindMismatch]")
        }
    }

    static func Schema_Checking_3() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            expectThrown("unknownField") { try Query(schema: schema).grouped(by: "naem", computing: [.count]).checked() }
        }
    }

    static func Schema_Checking_4() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let byName = Query(schema: schema).grouped(by: "name", computing: [.max("age")])
            expectShown(byName.resultSchema.field(named: "max_age")?.type, "int")
            _ = (byName)
        }
    }

    static func PageCursor_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = Query(order: ["-population"], limit: 2)
            let cursor = try query.cursor(after: cities[0])
            let next = try query.page(after: PageCursor(token: cursor.token))
            try expectShown(next.results(in: cities).map { $0["name"] ?? nil }, "[\"Worcester\", \"Salem\"]")
            _ = (query, cursor, next)
        }
    }

    static func PageCursor_2() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let cursor = try Query(order: ["name"]).cursor(after: cities[0])
            expectShown(cursor.token.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }, "true")
            _ = (cursor)
        }
    }

    static func PageCursor_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let cursor = try Query(order: ["name"]).cursor(after: cities[0])
            try expectShown(PageCursor(token: cursor.token) == cursor, "true")
            expectThrown("pipeline") { try PageCursor(token: "?") }
            _ = (cursor)
        }
    }

    static func Query_Page_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = Query(order: ["-population"], limit: 2)
            let first = try query.page(after: nil).results(in: cities)
            let cursor = try first.last.map { try query.cursor(after: $0) }
            let second = try query.page(after: cursor).results(in: cities)
            expectShown(second.count, "2")
            _ = (query, first, cursor, second)
        }
    }

    static func Query_Split_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "state == 'MA' AND random() >= 0")
            let split = try query.split(for: .sqlite, from: "cities")
            expectShown(split.store, "state == \"MA\"")
            expectShown(split.rest, "random() >= 0")
            try expectShown(split.memory?.results(in: cities.filter { $0["state"] == "MA" }).count, "3")
            _ = (query, split)
        }
    }

    static func Query_Cost_1() throws {
        do {
            let plain = try Query(format: "age > 21")
            let heavy = try Query(format: "SUBQUERY(orders, $o, ANY $o.items.name == 'x').@count > 0")
            expectShown(plain.estimatedCost < heavy.estimatedCost, "true")
            _ = (plain, heavy)
        }
    }

    static func QueryPolicy_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            var policy = QueryPolicy(fields: ["name", "age", "address.*"])
            policy.maximumLimit = 100
            let query = try policy.checked(Query(format: "age > 21", limit: 20, fields: ["name"]))
            expectShown(query.limit, "20")
            expectThrown("policyFields") { try policy.checked(Query(format: "salary > 21", limit: 20, fields: ["name"])) }
            _ = (policy, query)
        }
    }

    static func QueryPolicy_2() throws {
        do {
            expectShown(QueryPolicy(fields: ["name", "address.*"]).fields, "[\"name\", \"address.*\"]")
        }
    }

    static func QueryPolicy_3() throws {
        do {
            expectShown(QueryPolicy.Rule.operators.code.rawValue, "policyOperators")
        }
    }

    static func QueryPolicy_4() throws {
        do {
            var policy = QueryPolicy(fields: ["name"])
            policy.maximumListElements = 100
            expectShown(policy.limits.listElements, "100")
            expectShown(policy.limits.steps, "1000000000")
            _ = (policy)
        }
    }

    static func QueryPolicy_5() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let policy = QueryPolicy(fields: ["name"])
            let query = try Query(format: "salary > 1 AND name MATCHES 'a+'", limit: 20, fields: ["name"])
            expectShown(policy.problems(with: query).map(\.code).contains(QueryPolicy.Rule.operators.code), "true")
            _ = (policy, query)
        }
    }

    static func QueryPolicy_6() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "salary > 1", limit: 20, fields: ["name"])
            expectThrown("policyFields") { try QueryPolicy(fields: ["name"]).check(query) }
            _ = (query)
        }
    }

    static func QueryPolicy_7() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let policy = QueryPolicy(fields: ["name", "address.*"])
            let body = #"{"name":"Ann"}"#
            let query = try policy.checked(Query(mongo: body, limit: 20, limits: policy.limits))
            expectShown(query.fields?.map(\.dotted), "[\"name\", \"address\"]")
            expectThrown("policyLimit") { try policy.checked(Query(mongo: body, limits: policy.limits)) }
            expectThrown("policyFields") { try policy.checked(Query(mongo: #"{"salary":1}"#, limit: 20, limits: policy.limits)) }
            _ = (policy, body, query)
        }
    }

    static func QueryPolicy_8() throws {
        do {
            let policy = QueryPolicy(fields: ["state", "population"])
            let grouping = Query(limit: 10).grouped(by: "state", computing: [.sum("salary")])
            expectShown(policy.problems(with: grouping).map(\.code), "[policyFields]")
            _ = (policy, grouping)
        }
    }

    static func QueryPolicy_9() throws {
        do {
            let grouping = Query(limit: 10).grouped(by: "salary", computing: [.count])
            expectThrown("policyFields") { try QueryPolicy(fields: ["state"]).check(grouping) }
            _ = (grouping)
        }
    }

    static func QueryPolicy_10() throws {
        do {
            let policy = QueryPolicy(fields: ["state"])
            let grouping = Query(limit: 10).grouped(by: "state", computing: [.count])
            try expectShown(policy.checked(grouping).keys, "[state]")
            _ = (policy, grouping)
        }
    }
}
