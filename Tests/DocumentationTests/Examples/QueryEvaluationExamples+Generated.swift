// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum QueryEvaluationExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("Grouping+Queryable.swift: func results", Grouping_Queryable_1))
        all.append(Example("Grouping+Queryable.swift: func results", Grouping_Queryable_2))
        all.append(Example("Grouping+Results.swift: func results", Grouping_Results_1))
        all.append(Example("Grouping+Results.swift: func results", Grouping_Results_2))
        all.append(Example("Grouping+Results.swift: func run", Grouping_Results_3))
        all.append(Example("Grouping+Results.swift: struct GroupRun", Grouping_Results_4))
        all.append(Example("Grouping+Results.swift: init", Grouping_Results_5))
        all.append(Example("Grouping+Results.swift: func add", Grouping_Results_6))
        all.append(Example("Grouping+Results.swift: func finish", Grouping_Results_7))
        all.append(Example("JSONRows+Cores.swift: func results", JSONRows_Cores_1))
        all.append(Example("JSONRows+Cores.swift: func count", JSONRows_Cores_2))
        all.append(Example("JSONRows.swift: struct JSONRows", JSONRows_1))
        all.append(Example("JSONRows.swift: init", JSONRows_2))
        all.append(Example("JSONRows.swift: init", JSONRows_3))
        all.append(Example("JSONRows.swift: init", JSONRows_4))
        all.append(Example("JSONRows.swift: init", JSONRows_5))
        all.append(Example("JSONRun.swift: struct JSONRun", JSONRun_1))
        all.append(Example("JSONRun.swift: init", JSONRun_2))
        all.append(Example("JSONRun.swift: func next", JSONRun_3))
        all.append(Example("JSONRun.swift: func nextText", JSONRun_4))
        all.append(Example("Query+JSONRows.swift: func results", Query_JSONRows_1))
        all.append(Example("Query+JSONRows.swift: func count", Query_JSONRows_2))
        all.append(Example("Query+JSONRows.swift: func run", Query_JSONRows_3))
        all.append(Example("Query+JSONRows.swift: func results", Query_JSONRows_4))
        all.append(Example("ColumnPlan.swift: struct ColumnPlan", ColumnPlan_1))
        all.append(Example("ColumnPlan.swift: init", ColumnPlan_2))
        all.append(Example("ColumnPlan.swift: func matchingIndices", ColumnPlan_3))
        all.append(Example("ColumnPlan.swift: func resultIndices", ColumnPlan_4))
        all.append(Example("ColumnPlan.swift: func results", ColumnPlan_5))
        all.append(Example("ColumnPlan.swift: func first", ColumnPlan_6))
        all.append(Example("ColumnPlan.swift: func count", ColumnPlan_7))
        all.append(Example("ColumnTable.swift: struct ColumnTable", ColumnTable_1))
        all.append(Example("ColumnTable.swift: init", ColumnTable_2))
        all.append(Example("ColumnTable.swift: func add", ColumnTable_3))
        all.append(Example("ColumnTable.swift: func add", ColumnTable_4))
        all.append(Example("ColumnTable.swift: func add", ColumnTable_5))
        all.append(Example("ColumnTable.swift: func document", ColumnTable_6))
        all.append(Example("FieldTable+Fields.swift: struct Field", FieldTable_Fields_1))
        all.append(Example("FieldTable+Fields.swift: func field", FieldTable_Fields_2))
        all.append(Example("FieldTable+Fields.swift: var names", FieldTable_Fields_3))
        all.append(Example("FieldTable+Fields.swift: init", FieldTable_Fields_4))
        all.append(Example("FieldValue.swift: protocol FieldValue", FieldValue_1))
        all.append(Example("FieldValue.swift: struct FieldKind", FieldValue_2))
        all.append(Example("Query+ColumnTable.swift: func results", Query_ColumnTable_1))
        all.append(Example("Query+ColumnTable.swift: func resultIndices", Query_ColumnTable_2))
        all.append(Example("Query+ColumnTable.swift: func count", Query_ColumnTable_3))
        all.append(Example("Query+ColumnTable.swift: func first", Query_ColumnTable_4))
        all.append(Example("Query+ColumnTable.swift: func matchingIndices", Query_ColumnTable_5))
        all.append(Example("Query+ColumnTable.swift: func results", Query_ColumnTable_6))
        all.append(Example("Query+Queryable.swift: func results", Query_Queryable_1))
        all.append(Example("Query+Queryable.swift: func results", Query_Queryable_2))
        all.append(Example("Query+Queryable.swift: func count", Query_Queryable_3))
        all.append(Example("Query+Queryable.swift: func count", Query_Queryable_4))
        all.append(Example("Query+Queryable.swift: func first", Query_Queryable_5))
        all.append(Example("Query+Queryable.swift: func matchingIndices", Query_Queryable_6))
        all.append(Example("Query+Queryable.swift: func matches", Query_Queryable_7))
        all.append(Example("QueryPlan.swift: struct QueryPlan", QueryPlan_1))
        all.append(Example("QueryPlan.swift: init", QueryPlan_2))
        all.append(Example("QueryPlan.swift: func results", QueryPlan_3))
        all.append(Example("QueryPlan.swift: func count", QueryPlan_4))
        all.append(Example("QueryPlan.swift: func first", QueryPlan_5))
        all.append(Example("QueryPlan.swift: func matchingIndices", QueryPlan_6))
        all.append(Example("QueryPlan.swift: func matches", QueryPlan_7))
        all.append(Example("QueryPlan.swift: func results", QueryPlan_8))
        all.append(Example("QueryPlan.swift: func count", QueryPlan_9))
#if Macros
        all.append(Example("Queryable+Macro.swift: macro Queryable", Queryable_Macro_1))
#else
        leftOut.append(("Queryable+Macro.swift: macro Queryable", "needs Macros"))
#endif
#if Macros
        all.append(Example("Queryable+Macro.swift: macro QueryField", Queryable_Macro_2))
#else
        leftOut.append(("Queryable+Macro.swift: macro QueryField", "needs Macros"))
#endif
#if Macros
        all.append(Example("Queryable+Macro.swift: macro QueryIgnored", Queryable_Macro_3))
#else
        leftOut.append(("Queryable+Macro.swift: macro QueryIgnored", "needs Macros"))
#endif
        all.append(Example("Queryable.swift: protocol Queryable", Queryable_1))
        all.append(Example("Queryable.swift: struct FieldTable", Queryable_2))
        all.append(Example("Queryable.swift: init", Queryable_3))
        all.append(Example("Queryable.swift: init", Queryable_4))
        all.append(Example("Queryable.swift: func warnings", Queryable_5))
        all.append(Example("Matcher.swift: struct Matcher", Matcher_1))
        all.append(Example("Matcher.swift: init", Matcher_2))
        all.append(Example("Matcher.swift: func matches", Matcher_3))
        all.append(Example("Matcher.swift: func matches", Matcher_4))
        all.append(Example("Matcher.swift: func matches", Matcher_5))
        all.append(Example("Matcher.swift: func matches", Matcher_6))
        all.append(Example("Projection.swift: func row", Projection_1))
        all.append(Example("Query+Results.swift: func results", Query_Results_1))
        all.append(Example("Query+Results.swift: func results", Query_Results_2))
        all.append(Example("Query+Results.swift: func count", Query_Results_3))
        all.append(Example("Query+Results.swift: func count", Query_Results_4))
        all.append(Example("Query+Results.swift: func first", Query_Results_5))
        all.append(Example("Query+Results.swift: func first", Query_Results_6))
        all.append(Example("Query+Results.swift: func matchingIndices", Query_Results_7))
        all.append(Example("Query+Results.swift: func matches", Query_Results_8))
        all.append(Example("Query+Results.swift: func matches", Query_Results_9))
        all.append(Example("Query+Results.swift: func run", Query_Results_10))
        all.append(Example("Query+Results.swift: struct QueryRun", Query_Results_11))
        all.append(Example("Query+Results.swift: init", Query_Results_12))
        all.append(Example("Query+Results.swift: func add", Query_Results_13))
        all.append(Example("Query+Results.swift: func takeReady", Query_Results_14))
        all.append(Example("Query+Results.swift: func finish", Query_Results_15))
        return (all, leftOut)
    }

    static func Grouping_Queryable_1() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query().grouped(computing: [.count, .max("age")]).results(in: people), "[{\"count\":3,\"max_age\":52}]")
        }
    }

    static func Grouping_Queryable_2() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query().grouped(computing: [.count]).results(in: people, concurrently: true), "[{\"count\":3}]")
        }
    }

    static func Grouping_Results_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count, .max("population")])
            try expectShown(byState.results(in: cities), "[{\"state\":\"MA\",\"count\":3,\"max_population\":653833}, {\"state\":\"NY\",\"count\":1,\"max_population\":8804190}]")
            _ = (byState)
        }
    }

    static func Grouping_Results_2() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Query(format: "year > 1900").grouped(computing: [.count]).results(in: books), "[{\"count\":2}]")
        }
    }

    static func Grouping_Results_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try Query().grouped(computing: [.count]).run()
            for city in cities { try run.add(city) }
            try expectShown(run.finish(), "[{\"count\":4}]")
            _ = (run)
        }
    }

    static func Grouping_Results_4() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try GroupRun(Query().grouped(computing: [.sum("population")]))
            for city in cities { try run.add(city) }
            try expectShown(run.finish(), "[{\"sum_population\":9709021}]")
            _ = (run)
        }
    }

    static func Grouping_Results_5() throws {
        do {
            var run = try GroupRun(Query().grouped(by: "state", computing: [.count]), limits: .default)
            try expectShown(run.finish(), "[]")
            _ = (run)
        }
    }

    static func Grouping_Results_6() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try Query(format: "state == 'MA'").grouped(computing: [.count]).run()
            for city in cities { try run.add(city) }
            try expectShown(run.finish(), "[{\"count\":3}]")
            _ = (run)
        }
    }

    static func Grouping_Results_7() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let order: [SortKey] = [.descending("count")]
            var run = try Query(order: order, limit: 1).grouped(by: "state", computing: [.count]).run()
            for city in cities { try run.add(city) }
            try expectShown(run.finish(), "[{\"state\":\"MA\",\"count\":3}]")
            _ = (order, run)
        }
    }

    static func JSONRows_Cores_1() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            try expectShown(Query(format: "state == 'NY'").results(in: JSONRows(path: path), concurrently: true).count, "1")
        }
    }

    static func JSONRows_Cores_2() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            try expectShown(Query(format: "state == 'MA'").count(in: JSONRows(path: path), concurrently: true), "3")
        }
    }

    static func JSONRows_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        let path = try ExampleWorld.file(); _ = path
        do {
            let cities = JSONRows(path: path)
            try expectShown(query.count(in: cities), "2")
            try expectShown(query.results(in: cities).map { $0["name"] ?? nil }, "[\"Boston\", \"Worcester\"]")
            _ = (cities)
        }
    }

    static func JSONRows_2() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            try expectShown(Query(limit: 1).results(in: JSONRows(path: path))[0]["name"], "\"Boston\"")
        }
    }

    static func JSONRows_3() throws {
        let query = try ExampleWorld.query(); _ = query
        let path = try ExampleWorld.file(); _ = path
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            try expectShown(query.count(in: JSONRows(fileDescriptor: file.fileDescriptor)), "2")
            _ = (file)
        }
    }

    static func JSONRows_4() throws {
        do {
            try expectShown(Query(format: "a > 1").count(in: JSONRows(Array(#"[{"a":1},{"a":2}]"#.utf8))), "1")
        }
    }

    static func JSONRows_5() throws {
        do {
            try expectShown(Query(format: "a > 1").results(in: JSONRows(#"[{"a":1},{"a":2}]"#)), "[{\"a\":2}]")
        }
    }

    static func JSONRun_1() throws {
        let query = try ExampleWorld.query(); _ = query
        let path = try ExampleWorld.file(); _ = path
        do {
            var run = try query.run(over: JSONRows(path: path))
            var found: [Document] = []
            while let city = try run.next() { found.append(city) }
            expectShown(found.count, "2")
            _ = (run, found)
        }
    }

    static func JSONRun_2() throws {
        do {
            var run = try JSONRun(Query(format: "a > 1"), over: JSONRows(#"[{"a":1},{"a":2}]"#))
            try expectShown(run.next(), "{\"a\":2}")
            _ = (run)
        }
    }

    static func JSONRun_3() throws {
        do {
            var run = try Query(format: "a > 1", fields: ["a"]).run(over: JSONRows(#"[{"a":1},{"a":2,"b":3}]"#))
            try expectShown(run.next(), "{\"a\":2}")
            try expectShown(run.next() == nil, "true")
            _ = (run)
        }
    }

    static func JSONRun_4() throws {
        do {
            var run = try Query(format: "a > 1").run(over: JSONRows(#"[{"a":1},{"a": 2, "b": 3}]"#))
            try expectShown(run.nextText().map { String(decoding: $0, as: UTF8.self) }, "{\"a\": 2, \"b\": 3}")
            _ = (run)
        }
    }

    static func Query_JSONRows_1() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            try expectShown(Query(format: "state == 'NY'").results(in: JSONRows(path: path)).count, "1")
        }
    }

    static func Query_JSONRows_2() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            try expectShown(Query(format: "state == 'MA'").count(in: JSONRows(path: path)), "3")
        }
    }

    static func Query_JSONRows_3() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            var run = try Query(format: "state == 'NY'", fields: ["name"]).run(over: JSONRows(path: path))
            try expectShown(run.next(), "{\"name\":\"New York\"}")
            _ = (run)
        }
    }

    static func Query_JSONRows_4() throws {
        let path = try ExampleWorld.file(); _ = path
        do {
            let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
            try expectShown(byState.results(in: JSONRows(path: path)), "[{\"state\":\"MA\",\"count\":3}, {\"state\":\"NY\",\"count\":1}]")
            _ = (byState)
        }
    }

    static func ColumnPlan_1() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            let plan = try ColumnPlan(Query(format: "population > 100000"), for: columns)
            try expectShown(plan.matchingIndices(in: columns), "[0, 1, 2]")
            _ = (plan)
        }
    }

    static func ColumnPlan_2() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        let query = try ExampleWorld.query(); _ = query
        do {
            try expectShown(ColumnPlan(query, for: columns).count(in: columns), "2")
            expectThrown("unknownField") { try ColumnPlan(Query(format: "naem == 'x'"), for: columns) }
        }
    }

    static func ColumnPlan_3() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(ColumnPlan(Query(format: "state == 'MA'"), for: columns).matchingIndices(in: columns), "[0, 1, 3]")
        }
    }

    static func ColumnPlan_4() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(ColumnPlan(Query(order: ["-population"], limit: 2), for: columns).resultIndices(in: columns), "[2, 0]")
        }
    }

    static func ColumnPlan_5() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            let plan = try ColumnPlan(Query(format: "state == 'NY'", fields: ["name"]), for: columns)
            try expectShown(plan.results(in: columns), "[{\"name\":\"New York\"}]")
            _ = (plan)
        }
    }

    static func ColumnPlan_6() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(ColumnPlan(Query(order: ["name"]), for: columns).first(in: columns)?["name"], "\"Boston\"")
        }
    }

    static func ColumnPlan_7() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(ColumnPlan(Query(format: "state == 'MA'"), for: columns).count(in: columns), "3")
        }
    }

    static func ColumnTable_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var cities = ColumnTable()
            try cities.add("name", ["Boston", "Worcester", "Springfield"])
            try cities.add("population", [653_833, 206_518, 155_929])
            try cities.add("mayor", ["Wu", nil, "Sarno"])
            try expectShown(Query(format: "population > 200000 AND mayor != nil").matchingIndices(in: cities), "[0]")
            _ = (cities)
        }
    }

    static func ColumnTable_2() throws {
        do {
            expectShown(ColumnTable().names, "[]")
        }
    }

    static func ColumnTable_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var cities = ColumnTable()
            try cities.add("name", ["Boston", "Salem"])
            expectThrown("unsupported") { try cities.add("name", ["Boston", "Salem"]) }
            _ = (cities)
        }
    }

    static func ColumnTable_4() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var cities = ColumnTable()
            try cities.add("population", [653_833, 0], validity: [true, false])
            try expectShown(Query(format: "population == nil").resultIndices(in: cities), "[1]")
            _ = (cities)
        }
    }

    static func ColumnTable_5() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var cities = ColumnTable()
            try cities.add("population", [653_833, 0], validityBits: [0b01])
            try expectShown(Query(format: "population == nil").resultIndices(in: cities), "[1]")
            _ = (cities)
        }
    }

    static func ColumnTable_6() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            expectShown(columns.document(at: 3), "{\"name\":\"Salem\",\"state\":\"MA\",\"population\":44480}")
        }
    }

    static func FieldTable_Fields_1() throws {
        do {
            let field: FieldTable<Person>.Field = .field("age", \.age, storedAs: "years")
            let fields: FieldTable<Person> = [field]
            expectShown(fields.names, "[\"age\"]")
            _ = (field, fields)
        }
    }

    static func FieldTable_Fields_2() throws {
        do {
            let fields: FieldTable<Person> = [.field("name", \.name), .field("age", \.age, storedAs: "years")]
            expectShown(fields.names, "[\"name\", \"age\"]")
            _ = (fields)
        }
    }

    static func FieldTable_Fields_3() throws {
        do {
            expectShown(Person.fields.names, "[\"id\", \"name\", \"age\", \"city\"]")
        }
    }

    static func FieldTable_Fields_4() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = Schema(queryable: Person.self)
            expectShown(schema.field(named: "age")?.type, "int")
            expectThrown("kindMismatch") { try Query(format: "age > 'x'", schema: schema) }
            _ = (schema)
        }
    }

    static func FieldValue_1() throws {
        do {
            enum Color: String, FieldValue { case red, green }
            var cars = ColumnTable()
            try cars.add("color", [Color.red, .green])
            try expectShown(Query(format: "color == 'red'").count(in: cars), "1")
            _ = (cars)
        }
    }

    static func FieldValue_2() throws {
        do {
            enum Color: String, FieldValue { case red, green }
            let kind: FieldKind = Color.fieldKind
            _ = (kind)
        }
    }

    static func Query_ColumnTable_1() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(Query(format: "state == 'MA'", order: ["-population"], limit: 1, fields: ["name"]).results(in: columns), "[{\"name\":\"Boston\"}]")
        }
    }

    static func Query_ColumnTable_2() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(Query(order: ["-population"], limit: 2).resultIndices(in: columns), "[2, 0]")
        }
    }

    static func Query_ColumnTable_3() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(Query(format: "state == 'MA'").count(in: columns), "3")
        }
    }

    static func Query_ColumnTable_4() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(Query(order: ["name"]).first(in: columns)?["name"], "\"Boston\"")
        }
    }

    static func Query_ColumnTable_5() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            try expectShown(Query(format: "population > 1000000").matchingIndices(in: columns), "[2]")
        }
    }

    static func Query_ColumnTable_6() throws {
        let columns = try ExampleWorld.columns(); _ = columns
        do {
            let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
            try expectShown(byState.results(in: columns), "[{\"state\":\"MA\",\"count\":3}, {\"state\":\"NY\",\"count\":1}]")
            _ = (byState)
        }
    }

    static func Query_Queryable_1() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(format: "age > 20", order: ["-age"]).results(in: people).map(\.name), "[\"João\", \"Ann\"]")
        }
    }

    static func Query_Queryable_2() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(format: "age > 20").results(in: people, concurrently: true).map(\.name), "[\"Ann\", \"João\"]")
        }
    }

    static func Query_Queryable_3() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(format: "age > 20").count(in: people), "2")
        }
    }

    static func Query_Queryable_4() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(format: "age > 20").count(in: people, concurrently: true), "2")
        }
    }

    static func Query_Queryable_5() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(order: ["age"]).first(in: people)?.name, "Bob")
        }
    }

    static func Query_Queryable_6() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(format: "city == nil").matchingIndices(in: people), "[1]")
        }
    }

    static func Query_Queryable_7() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(Query(format: "age > 20").matches(people[0]), "true")
        }
    }

    static func QueryPlan_1() throws {
        let people = ExampleWorld.people; _ = people
        do {
            let plan = try QueryPlan<Person>(Query(format: "age > 20"))
            try expectShown(plan.results(in: people).map(\.name), "[\"Ann\", \"João\"]")
            _ = (plan)
        }
    }

    static func QueryPlan_2() throws {
        do {
            expectThrown("unknownField") { try QueryPlan<Person>(Query(format: "naem == 'Ann'")) }
        }
    }

    static func QueryPlan_3() throws {
        let people = ExampleWorld.people; _ = people
        do {
            let youngest = try QueryPlan<Person>(Query(order: ["age"], limit: 1))
            try expectShown(youngest.results(in: people).map(\.name), "[\"Bob\"]")
            _ = (youngest)
        }
    }

    static func QueryPlan_4() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(QueryPlan<Person>(Query(format: "age > 20")).count(in: people), "2")
        }
    }

    static func QueryPlan_5() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(QueryPlan<Person>(Query(order: ["-age"])).first(in: people)?.name, "João")
        }
    }

    static func QueryPlan_6() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(QueryPlan<Person>(Query(format: "city == nil")).matchingIndices(in: people), "[1]")
        }
    }

    static func QueryPlan_7() throws {
        let people = ExampleWorld.people; _ = people
        do {
            let adults = try QueryPlan<Person>(Query(format: "age >= 18"))
            try expectShown(adults.matches(people[1]), "false")
            _ = (adults)
        }
    }

    static func QueryPlan_8() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(QueryPlan<Person>(Query(order: ["age"])).results(in: people, concurrently: true).first?.name, "Bob")
        }
    }

    static func QueryPlan_9() throws {
        let people = ExampleWorld.people; _ = people
        do {
            try expectShown(QueryPlan<Person>(Query(format: "age > 20")).count(in: people, concurrently: true), "2")
        }
    }

#if Macros
    static func Queryable_Macro_1() throws { try Types_Queryable_Macro_1.run() }

    enum Types_Queryable_Macro_1 {
        @Queryable struct City {
            var name: String
            var population: Int
        }

    static func run() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let cities = [City(name: "Boston", population: 653_833), City(name: "Salem", population: 44_480)]
            try expectShown(Query(format: "population > 50000").results(in: cities).map(\.name), "[\"Boston\"]")
            _ = (cities)
        }
    }
    }
#endif

#if Macros
    static func Queryable_Macro_2() throws { try Types_Queryable_Macro_2.run() }

    enum Types_Queryable_Macro_2 {
        @Queryable struct Author {
            var first: String
            var last: String
            @QueryField(storedAs: "full_name") var fullName: String { first + " " + last }
        }

    static func run() throws {
        do {
            try expectShown(Query(format: "fullName == 'Jane Austen'").matches(Author(first: "Jane", last: "Austen")), "true")
        }
    }
    }
#endif

#if Macros
    static func Queryable_Macro_3() throws { try Types_Queryable_Macro_3.run() }

    enum Types_Queryable_Macro_3 {
        @Queryable struct City {
            var name: String
            @QueryIgnored var cache: [String: Int] = [:]
        }

    static func run() throws {
        do {
            expectShown(City.fields.names, "[\"name\"]")
        }
    }
    }
#endif

    static func Queryable_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            struct City: Queryable {
                var name: String
                var population: Int
                static let fields: FieldTable<City> = [.field("name", \.name), .field("population", \.population)]
            }
            let cities = [City(name: "Boston", population: 653_833), City(name: "Salem", population: 44_480)]
            try expectShown(Query(format: "population > 50000").results(in: cities).map(\.name), "[\"Boston\"]")
            _ = (cities)
        }
    }

    static func Queryable_2() throws {
        do {
            let fields: FieldTable<Person> = ["name": \.name, "age": \.age]
            expectShown(fields.names, "[\"name\", \"age\"]")
            _ = (fields)
        }
    }

    static func Queryable_3() throws {
        do {
            let fields = FieldTable<Person>([(name: "name", path: \.name)], storedNames: ["name": "full_name"])
            expectShown(fields.names, "[\"name\"]")
            _ = (fields)
        }
    }

    static func Queryable_4() throws {
        let people = ExampleWorld.people; _ = people
        do {
            expectShown(Document(queryable: people[1]), "{\"id\":2,\"name\":\"Bob\",\"age\":17}")
        }
    }

    static func Queryable_5() throws {
        do {
            struct Stone: Queryable {
                var weight: Float
                static let fields: FieldTable<Stone> = ["weight": \.weight]
            }
            try expectShown(Query(format: "weight == 0.1").warnings(for: Stone.self).map(\.code), "[unlikely]")
        }
    }

    static func Matcher_1() throws {
        do {
            let matcher = try Matcher(Query(format: "population > 50000"))
            try expectShown(matcher.matches(["name": "Boston", "population": 653_833]), "true")
            _ = (matcher)
        }
    }

    static func Matcher_2() throws {
        do {
            expectThrown("pattern") { try Matcher(Query(format: "name MATCHES '['")) }
        }
    }

    static func Matcher_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let matcher = try Matcher(Query(format: "state == 'MA'"))
            try expectShown(cities.filter { try matcher.matches($0) }.count, "3")
            _ = (matcher)
        }
    }

    static func Matcher_4() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Matcher(Query(format: "year > 1900")).matches(books[1]), "true")
        }
    }

    static func Matcher_5() throws {
        do {
            try expectShown(Matcher(Query(format: "stars > 4")).matches(json: Array(#"{"stars":5,"name":"Ann"}"#.utf8)), "true")
        }
    }

    static func Matcher_6() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let matcher = try Matcher(Query(format: "state == 'MA'"))
            var found = 0
            try database.execute("CREATE TABLE notes (doc TEXT); INSERT INTO notes VALUES ('{\"state\":\"MA\"}')")
            try Query().forEachJSON(in: database, from: "notes", storage: .document()) { (json) throws(QueryError) in
                if try matcher.matches(json: json) { found += 1 }
            }
            expectShown(found, "1")
            _ = (matcher, found)
        }
    }

    static func Projection_1() throws {
        do {
            try expectShown(Projection(["name"], schema: nil).row(["_id": 1, "name": "Jo"]), "{\"name\":\"Jo\"}")
        }
    }

    static func Query_Results_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            let page = try Query(format: "state == 'MA'", order: ["-population"], limit: 2, fields: ["name"])
            try expectShown(page.results(in: cities), "[{\"name\":\"Boston\"}, {\"name\":\"Worcester\"}]")
            _ = (page)
        }
    }

    static func Query_Results_2() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Query(format: "year > 1900", order: ["-year"]).results(in: books).map(\.title), "[\"Dune\", \"Ulysses\"]")
        }
    }

    static func Query_Results_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(format: "state == 'MA'").count(in: cities), "3")
        }
    }

    static func Query_Results_4() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Query(format: "year > 1900").count(in: books), "2")
        }
    }

    static func Query_Results_5() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(order: ["-population"]).first(in: cities)?["name"], "\"New York\"")
        }
    }

    static func Query_Results_6() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Query(order: ["year"]).first(in: books)?.title, "Emma")
        }
    }

    static func Query_Results_7() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            try expectShown(Query(format: "state == 'MA'").matchingIndices(in: cities), "[0, 1, 3]")
        }
    }

    static func Query_Results_8() throws {
        do {
            try expectShown(Query(format: "tags CONTAINS 'red'").matches(["tags": ["blue", "red"]]), "true")
        }
    }

    static func Query_Results_9() throws {
        let books = ExampleWorld.books; _ = books
        do {
            try expectShown(Query(format: "title BEGINSWITH 'U'").matches(books[1]), "true")
        }
    }

    static func Query_Results_10() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try Query(format: "state == 'NY'", fields: ["name"]).run()
            for city in cities where try !run.add(city) { break }
            expectShown(run.finish(), "[{\"name\":\"New York\"}]")
            _ = (run)
        }
    }

    static func Query_Results_11() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let query = try ExampleWorld.query(); _ = query
        do {
            var run = try query.run()
            for city in cities where try !run.add(city) { break }
            expectShown(run.finish().count, "2")
            _ = (run)
        }
    }

    static func Query_Results_12() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try QueryRun(Query(limit: 0))
            try expectShown(run.add(cities[0]), "false")
            _ = (run)
        }
    }

    static func Query_Results_13() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try Query(limit: 2).run()
            try expectShown(run.add(cities[0]), "true")
            try expectShown(run.add(cities[1]), "false")
            _ = (run)
        }
    }

    static func Query_Results_14() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try Query(format: "state == 'MA'").run()
            for city in cities where try !run.add(city) { break }
            expectShown(run.takeReady().count, "3")
            expectShown(run.finish().count, "0")
            _ = (run)
        }
    }

    static func Query_Results_15() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        do {
            var run = try Query(order: ["name"], limit: 1, fields: ["name"]).run()
            for city in cities where try !run.add(city) { break }
            expectShown(run.finish(), "[{\"name\":\"Boston\"}]")
            _ = (run)
        }
    }
}
