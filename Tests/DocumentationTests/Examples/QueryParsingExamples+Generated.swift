// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum QueryParsingExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("GroupKey+Parsing.swift: init", GroupKey_Parsing_1))
        all.append(Example("GroupKey+Parsing.swift: init", GroupKey_Parsing_2))
        all.append(Example("GroupKey+Parsing.swift: func parts", GroupKey_Parsing_3))
        all.append(Example("GroupKey+Parsing.swift: func list", GroupKey_Parsing_4))
        all.append(Example("GroupKey+Parsing.swift: init", GroupKey_Parsing_5))
        all.append(Example("JSONTree.swift: var jsonTree", JSONTree_1))
        all.append(Example("JSONTree.swift: init", JSONTree_2))
        all.append(Example("JSONTree.swift: init", JSONTree_3))
        all.append(Example("JSONTree.swift: var jsonTree", JSONTree_4))
        all.append(Example("JSONTree.swift: init", JSONTree_5))
        all.append(Example("JSONTree.swift: init", JSONTree_6))
        all.append(Example("JSONTree.swift: var jsonTree", JSONTree_7))
        all.append(Example("JSONTree.swift: init", JSONTree_8))
        all.append(Example("Query+Problems.swift: func problems", Query_Problems_1))
        all.append(Example("Query+Format.swift: init", Query_Format_1))
        all.append(Example("Query+Format.swift: init", Query_Format_2))
        all.append(Example("Query+Interpolation.swift: init", Query_Interpolation_1))
        all.append(Example("Query+Interpolation.swift: init", Query_Interpolation_2))
        all.append(Example("Query+Interpolation.swift: init", Query_Interpolation_3))
        all.append(Example("Query+Interpolation.swift: init", Query_Interpolation_4))
        all.append(Example("Query+Interpolation.swift: init", Query_Interpolation_5))
        all.append(Example("Query+Interpolation.swift: init", Query_Interpolation_6))
        all.append(Example("QueryFormat.swift: struct QueryFormat", QueryFormat_1))
        all.append(Example("QueryFormat.swift: struct StringInterpolation", QueryFormat_2))
        all.append(Example("QueryFormat.swift: func appendInterpolation", QueryFormat_3))
        all.append(Example("QueryFormat.swift: func appendInterpolation", QueryFormat_4))
        all.append(Example("QueryFormat.swift: func appendInterpolation", QueryFormat_5))
        all.append(Example("QueryFormat.swift: func appendInterpolation", QueryFormat_6))
        all.append(Example("QueryFormat.swift: func appendInterpolation", QueryFormat_7))
        all.append(Example("SortKey+Parsing.swift: init", SortKey_Parsing_1))
        all.append(Example("SortKey+Parsing.swift: init", SortKey_Parsing_2))
        all.append(Example("SortKey+Parsing.swift: init", SortKey_Parsing_3))
        return (all, leftOut)
    }

    static func GroupKey_Parsing_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let band = try GroupKey(format: "trunc(population / 1000000)", as: "millions")
            try expectShown(Query(order: ["-millions"], limit: 1).grouped(by: band, computing: [.count]).results(in: cities), "[{\"millions\":8,\"count\":1}]")
            try expectShown(GroupKey(format: "population / \(1_000)", as: "k"), "population / 1000 as k")
            _ = (band)
        }
    }

    static func GroupKey_Parsing_2() throws {
        do {
            try expectShown(GroupKey(parsing: "address.state").name, "address_state")
            try expectShown(GroupKey(parsing: "population / 1000 as thousands").name, "thousands")
            expectThrown("pipeline") { try GroupKey(parsing: "uppercase(state)") }
        }
    }

    static func GroupKey_Parsing_3() throws {
        do {
            expectShown(GroupKey.parts("uppercase(' as x') as letters").alias, "letters")
        }
    }

    static func GroupKey_Parsing_4() throws {
        do {
            expectShown(GroupKey.list("state, TERNARY(n > 1, 'a, b', 'c') as size").count, "2")
        }
    }

    static func GroupKey_Parsing_5() throws {
        do {
            try expectShown(Term(parsing: "population / 1000"), "population / 1000")
        }
    }

    static func JSONTree_1() throws {
        do {
            try expectShown(Condition(format: "age > 21 AND name BEGINSWITH[cd] 'jo'").jsonTree, "{\"and\":[{\"compare\":\">\",…},{\"compare\":\"BEGINSWITH\",\"options\":\"cd\",…,\"right\":{\"value\":\"jo\"}}]}")
        }
    }

    static func JSONTree_2() throws {
        do {
            try expectShown(Condition(jsonTree: #"{"compare":">","left":{"field":["age"]},"right":{"value":21}}"#), "age > 21")
        }
    }

    static func JSONTree_3() throws {
        do {
            let tree = try Condition(format: "age > 21").jsonTree
            try expectShown(Condition(jsonTree: tree), "age > 21")
            _ = (tree)
        }
    }

    static func JSONTree_4() throws {
        do {
            try expectShown(Query(format: "age > 21", order: ["-name"], skip: 1, limit: 20).jsonTree, "{\"where\":{\"compare\":\">\",…},\"order\":[{\"field\":[\"name\"],\"descending\":true}],\"skip\":1,\"limit\":20}")
        }
    }

    static func JSONTree_5() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let text = #"{"where":{"compare":">","left":{"field":["age"]},"right":{"value":21}},"limit":20}"#
            let query = try Query(jsonTree: text)
            expectShown(query.limit, "20")
            _ = (text, query)
        }
    }

    static func JSONTree_6() throws {
        do {
            let tree = try Query(format: "age > 21", limit: 20).jsonTree
            try expectShown(Query(jsonTree: tree).limit, "20")
            _ = (tree)
        }
    }

    static func JSONTree_7() throws {
        do {
            try expectShown(Query().grouped(by: "state", computing: [.count, .average("population").as("mean")]).jsonTree, "{\"where\":true,\"group\":{\"by\":[{\"field\":[\"state\"]}],\"compute\":[{\"compute\":\"count\"},{…,\"as\":\"mean\"}]}}")
        }
    }

    static func JSONTree_8() throws {
        do {
            let tree = try Query().grouped(by: "state", computing: [.count]).jsonTree
            try expectShown(Grouping(jsonTree: tree.json).keys, "[state]")
            _ = (tree)
        }
    }

    static func Query_Problems_1() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            expectShown(Query.problems(inFormat: "agee > 1 AND naem == 'x'", schema: schema).map(\.code), "[unknownField, unknownField]")
        }
    }

    static func Query_Format_1() throws {
        do {
            let text = "age > %@ AND name BEGINSWITH[cd] %@"
            try expectShown(Condition(parsing: text, arguments: [21, "jo"]), "age > 21 AND name BEGINSWITH[cd] \"jo\"")
            _ = (text)
        }
    }

    static func Query_Format_2() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            let text = "state == %@ AND population >= 50000"
            let query = try Query(parsing: text, arguments: ["MA"], order: ["name"], limit: 20)
            expectShown(query.format, "state == \"MA\" AND population >= 50000")
            try expectShown(query.count(in: cities), "2")
            _ = (text, query)
        }
    }

    static func Query_Interpolation_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let state = "MA' OR TRUEPREDICATE"
            try expectShown(Query(format: "state == \(state) AND population >= \(50_000)", order: ["name"]), "state == \"MA\' OR TRUEPREDICATE\" AND population >= 50000")
            try expectShown(Query(format: "state == %@ AND population >= 50000", "MA", limit: 20).count(in: cities), "2")
            try expectShown(Query(format: "\(key: "city") == \("Boston")"), "city == \"Boston\"")
            expectThrown("argument") { try Query(format: "state == '\(state)'") }
            _ = (state)
        }
    }

    static func Query_Interpolation_2() throws {
        do {
            try expectShown(Query(format: "%K == %@", arguments: ["name", "Ann"]), "name == \"Ann\"")
        }
    }

    static func Query_Interpolation_3() throws {
        do {
            let name = "x' OR TRUEPREDICATE"
            try expectShown(Query("age > \(21) AND name BEGINSWITH[c] \(name)"), "age > 21 AND name BEGINSWITH[c] \"x\' OR TRUEPREDICATE\"")
            _ = (name)
        }
    }

    static func Query_Interpolation_4() throws {
        do {
            let name = "Jo"
            try expectShown(Condition(format: "age > \(21) AND name == \(name)"), "age > 21 AND name == \"Jo\"")
            try expectShown(Condition(format: "age > %@ AND name BEGINSWITH[cd] %@", 21, "jo"), "age > 21 AND name BEGINSWITH[cd] \"jo\"")
            expectThrown("argument") { try Condition(format: "name == '\(name)'") }
            _ = (name)
        }
    }

    static func Query_Interpolation_5() throws {
        do {
            try expectShown(Condition(format: "%K == %@", arguments: ["name", "Ann"]), "name == \"Ann\"")
        }
    }

    static func Query_Interpolation_6() throws {
        do {
            let age = 21
            try expectShown(Condition("age > \(age) AND name == \("Ann")"), "age > 21 AND name == \"Ann\"")
            _ = (age)
        }
    }

    static func QueryFormat_1() throws {
        do {
            let state = "MA"
            let format: QueryFormat = "state == \(state) AND \(key: "population") > \(21)"
            try expectShown(Query(format: format), "state == \"MA\" AND population > 21")
            _ = (state, format)
        }
    }

    static func QueryFormat_2() throws {
        do {
            let name = "Ann"
            let format: QueryFormat = "name == \(name) AND age > \(21)"
            try expectShown(Query(format: format), "name == \"Ann\" AND age > 21")
            _ = (name, format)
        }
    }

    static func QueryFormat_3() throws {
        do {
            let format: QueryFormat = "age > \(21)"
            try expectShown(Query(format: format), "age > 21")
            _ = (format)
        }
    }

    static func QueryFormat_4() throws {
        do {
            let city: String? = nil
            try expectShown(Query("city == \(city)"), "city == nil")
            _ = (city)
        }
    }

    static func QueryFormat_5() throws {
        do {
            try expectShown(Query("state IN \(["MA", 3, nil])"), "state IN {\"MA\", 3, nil}")
        }
    }

    static func QueryFormat_6() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            let path = FieldPath(keys: ["address", "zip.code"])
            try expectShown(Query("\(path) == \("02134")"), "address.zip\\u002ecode == \"02134\"")
            _ = (path)
        }
    }

    static func QueryFormat_7() throws {
        do {
            let key = "address.zip"
            try expectShown(Query("\(key: key) == \("02134")"), "address.zip == \"02134\"")
            _ = (key)
        }
    }

    static func SortKey_Parsing_1() throws {
        do {
            try expectShown(FieldPath(parsing: "address.zip").keys, "[\"address\", \"zip\"]")
        }
    }

    static func SortKey_Parsing_2() throws {
        do {
            try expectShown(SortKey(parsing: "-population").isAscending, "false")
            try expectShown(SortKey(parsing: "name[cd]").options.contains(.caseInsensitive), "true")
        }
    }

    static func SortKey_Parsing_3() throws {
        do {
            try expectShown(Reducer(parsing: "avg:population") == .average("population"), "true")
            try expectShown(Reducer(parsing: "sum:population as people").alias, "people")
        }
    }
}
