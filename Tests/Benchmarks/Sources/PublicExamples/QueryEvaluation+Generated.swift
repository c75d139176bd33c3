// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum QueryEvaluationExamples {
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
}
