// Generated from the swift fences of the pages: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import PredicateQLStore
import QueryBatch
import StoreModel

extension SwiftExamples {
    static var all: [(place: String, run: () async throws -> Void)] {
        [
            ("mongo.md fence 1", mongo1),
            ("mongo.md fence 2", mongo2),
            ("mongo.md fence 3", mongo3),
            ("mongo.md fence 4", mongo4),
            ("mongo.md fence 5", mongo5),
            ("mongo.md fence 6", mongo6),
            ("mongo.md fence 7", mongo7),
            ("rows.md fence 1", rows1),
            ("rows.md fence 2", rows2),
            ("rows.md fence 3", rows3),
            ("rows.md fence 4", rows4),
            ("services.md fence 1", services1),
            ("services.md fence 2", services2),
            ("services.md fence 3", services3),
            ("services.md fence 4", services4),
            ("store.md fence 1", store1),
            ("stores.md fence 1", stores1),
            ("stores.md fence 2", stores2),
            ("stores.md fence 3", stores3),
            ("stores.md fence 4", stores4),
            ("stores.md fence 5", stores5),
            ("stores.md fence 6", stores6),
            ("stores.md fence 7", stores7),
            ("stores.md fence 8", stores8),
            ("stores.md fence 9", stores9),
            ("stores.md fence 10", stores10),
            ("README.md fence 1", readme1),
            ("README.md fence 2", readme2),
            ("README.md fence 3", readme3),
            ("GetStarted.md fence 1", getstarted1),
            ("GetStarted.md fence 2", getstarted2),
            ("GetStarted.md fence 3", getstarted3),
            ("Language.md fence 1", language1),
            ("PredicateQL.md fence 1", predicateql1),
            ("PredicateQL.md fence 2", predicateql2),
            ("PredicateQL.md fence 3", predicateql3),
            ("PredicateQL.md fence 4", predicateql4),
            ("PredicateQL.md fence 5", predicateql5),
            ("PredicateQL.md fence 6", predicateql6),
            ("PredicateQLSQLite.md fence 1", predicateqlsqlite1),
            ("QueryBatch.md fence 1", querybatch1),
            ("StoreAndSync.md fence 1", storeandsync1),
            ("UntrustedQueries.md fence 1", untrustedqueries1),
            ("UntrustedQueries.md fence 2", untrustedqueries2),
            ("UntrustedQueries.md fence 3", untrustedqueries3),
        ]
    }

    static func mongo1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        try expectShown(Query(format: "age >= 18 AND (age <= 65 AND NOT city IN {'Rome', 'Bonn'})").mongo().filter, "{\"age\":{\"$gte\":18,\"$lte\":65},\"city\":{\"$nin\":[\"Rome\",\"Bonn\"]}}")
        try expectShown(Query(format: "name CONTAINS 'oh' AND name LIKE 'J*'").mongo().filter, "{\"$and\":[{\"name\":{\"$regex\":\"oh\"}},{\"name\":{\"$regex\":\"^J\"}}]}")
        try expectShown(Query(format: "tags.@count > 2 AND 'red' IN tags").mongo().filter, "{\"tags.2\":{\"$exists\":true},\"tags\":\"red\"}")
        try expectShown(Query(format: "items.@sum.price > 100").mongo().filter, "{\"$expr\":{\"$gt\":[{\"$sum\":\"$items.price\"},100]}}")
        _ = ()
    }

    static func mongo2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let prices = try Query(format: "ALL items.price > 5").mongo()

        expectShown(prices.json, "{\"filter\":{\"$nor\":[{\"items\":{\"$elemMatch\":{\"price\":{\"$not\":{\"$gt\":5}}}}}]}}")
        expectShown(prices.assumptions.map(\.document), "[{\"list\":\"items\"}, {\"objects\":\"items\"}, {\"single\":\"items.price\"}]")
        _ = (prices)
    }

    static func mongo3() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let over = try Query(format: "spent > budget").mongo()
        let whole = Schema([.field("spent", .int, isOptional: false), .field("budget", .int, isOptional: false)])

        expectShown(over.filter, "{\"$expr\":{\"$and\":[{\"$gt\":[\"$budget\",null]},{\"$gt\":[\"$spent\",\"$budget\"]}]}}")
        expectShown(over.assumptions.map(\.document), "[{\"kind\":[\"budget\",\"number\"]}, {\"kind\":[\"spent\",\"number\"]}]")
        try expectShown(Query(format: "spent > budget", schema: whole).mongo().filter, "{\"$expr\":{\"$gt\":[\"$spent\",\"$budget\"]}}")
        try expectShown(Query(format: "modulus:by:(spent, 2) == 0", schema: whole).mongo().filter, "{\"spent\":{\"$mod\":[2,0]}}")
        _ = (over, whole)
    }

    static func mongo4() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let people = Schema([.field("age", .int), .field("name", .string), .field("tags", .list(.string))])
        let query = try Query(mongo: #"{"age":{"$gte":18,"$lte":65},"name":{"$regex":"^Jo"}}"#, schema: people)

        expectShown(query.format, "age BETWEEN {18, 65} AND name BEGINSWITH \"Jo\"")
        _ = (people, query)
    }

    static func mongo5() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        try expectShown(Query(mongo: #"{"tags":"red"}"#).format, "ANY tags == \"red\"")
        try expectShown(Query(mongo: #"{"tags":{"$ne":"red"}}"#).format, "NOT ANY tags == \"red\"")
        try expectShown(Query(mongo: #"{"address.city":{"$in":["Rome","Bonn"]}}"#).format, "ANY address.city IN {\"Rome\", \"Bonn\"}")
        try expectShown(Query(mongo: #"{"a":null}"#).format, "a == nil OR ANY a == nil")
        try expectShown(Query(mongo: #"{"a":[1,2]}"#).format, "a == {1, 2} OR ANY a == {1, 2}")
        try expectShown(Query(mongo: #"{"address.zip":{"$exists":true}}"#).format, "SUBQUERY(address, $x, $x.@count <= nil AND $x.zip != nil).@count > 0")
        expectThrown("unsupported") { try Query(mongo: #"{"address.zip":null}"#) }
        _ = ()
    }

    static func mongo6() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let short = try MongoReading(of: #"{"tags":"red"}"#, assuming: nil)

        expectShown(short.query.format, "tags == \"red\"")
        expectShown(short.assumptions.map(\.document), "[{\"single\":\"tags\"}]")
        _ = (short)
    }

    static func mongo7() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let things = Schema([.field("_id", .objectID), .field("name", .string)])
        let byID = try Query(format: "_id == '507F1F77BCF86CD799439011'", schema: things)

        expectShown(byID.format, "_id == \"507f1f77bcf86cd799439011\"")
        try expectShown(byID.mongo().filter, "{\"_id\":{\"$eq\":{\"$oid\":\"507f1f77bcf86cd799439011\"}}}")
        try expectShown(Query(mongo: #"{"_id":{"$oid":"507f1f77bcf86cd799439011"}}"#, schema: things) == byID, "true")
        expectThrown("unsupported") { try Query(mongo: #"{"_id":{"$oid":"507f1f77bcf86cd799439011"}}"#) }
        expectThrown("kindMismatch") { try Query(format: "_id BEGINSWITH '507f'", schema: things) }
        _ = (things, byID)
    }

    static func rows1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        struct City: Queryable {
            var name: String
            var population: Int
            var founded: Int?
            static let fields: FieldTable<City> = [
                .field("name", \.name), .field("population", \.population), .field("founded", \.founded, storedAs: "founding_year"),
            ]
        }
        let rows = [City(name: "Boston", population: 650_706, founded: 1630), City(name: "Bonn", population: 336_465)]

        try expectShown(Query(format: "name BEGINSWITH 'Bo' AND founded == nil").results(in: rows).map(\.name), "[\"Bonn\"]")
        expectShown(Document(queryable: rows[0])["founding_year"] == 1630, "true")
        expectShown(Schema(queryable: City.self).fields.map(\.name), "[\"name\", \"population\", \"founded\"]")
        _ = (rows)
    }

    static func rows2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        var table = ColumnTable()
        try table.add("state", ["MA", "NY", "MA"])
        try table.add("population", [650_706, 8_175_133, 0], validity: [true, true, false])

        try expectShown(Query(format: "state == 'MA' AND population == nil").resultIndices(in: table), "[2]")
        _ = (table)
    }

    static func rows3() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let rows = JSONRows(#"{"a":1,"b":[{"x":2}]}"# + "\n" + #"{"a":2,"b":[]}"#)

        try expectShown(Query(format: "SUBQUERY(b, $e, $e.x > 1).@count == 1").count(in: rows), "1")
        _ = (rows)
    }

    static func rows4() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        var cursor = try Query(format: "state == 'MA'", limit: 2).cursor(over: cities)
        var names: [String] = []
        while let city = try cursor.next() { names.append("\(city["name"] ?? .null)") }

        expectShown(names.count, "2")
        try expectShown(Query(format: "population > 1000000").lazyResults(in: cities).contains { $0["state"] == "IL" }, "true")
        _ = (cursor, names)
    }

    static func services1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let query = try Query(format: "lastName == 'Barros' AND language == 'C++'", order: [.descending("age")], limit: 5)
        let request = try query.rest(.kinvey)

        expectShown(request.items.map(\.name), "[\"query\", \"sort\", \"limit\"]")
        expectShown(request.items[1].value, "{\"age\":-1,\"_id\":-1}")
        expectShown(request.query.contains("C%2B%2B"), "true")
        try expectShown(query.rest(.kinvey, .count).path, "_count")
        try expectShown(Query(format: "a == 1").rest(.kinvey, .changes(since: 0)).items[0].value, "1970-01-01T00:00:00.000Z")
        _ = (query, request)
    }

    static func services2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let pages = try Query(format: "age > 21", limit: 25_000).restPages(.kinvey)

        expectShown(pages.map { $0.items.suffix(2).map(\.value) }, "[[\"0\", \"10000\"], [\"10000\", \"10000\"], [\"20000\", \"5000\"]]")
        _ = (pages)
    }

    static func services3() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let groups = Query(order: [.descending("count")]).grouped(by: "state", computing: [.count])
        let answer: [Document] = [["state": "MA", "count": 2], ["state": "NY", "count": 5]]

        try expectShown(groups.rest(.kinvey).bodyText, "Optional(\"{\\\"key\\\":{\\\"state\\\":true},\\\"initial\\\":{\\\"count\\\":0},\\\"reduce\\\":\\\"function(doc,out){out[\\\\\\\"count\\\\\\\"]++;}\\\"}\")")
        try expectShown(groups.results(ofREST: answer).map { QueryValue.object($0).json }, "[\"{\\\"state\\\":\\\"NY\\\",\\\"count\\\":5}\", \"{\\\"state\\\":\\\"MA\\\",\\\"count\\\":2}\"]")
        _ = (groups, answer)
    }

    static func services4() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let sent = try Query(format: "ANY aliases == 'Big Apple'").rest(.kinvey)
        let received = try Query(mongo: sent.items[0].value)

        expectShown(received.format, "ANY aliases == \"Big Apple\"")
        _ = (sent, received)
    }

    static func store1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let steps = [
            Migration(to: 2) { collection, entity in
                if collection == "Book" { entity.rename("author", to: "authorName") }
            }
        ]
        let app = StoreClient.App(key: "kid", secret: "s")
        let client = try StoreClient(service: "https://example.org", app: app, cache: .memory, migrations: steps)
        _ = (steps, app, client)
    }

    static func stores1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let database = try SQLiteDatabase.inMemory()
        try database.importDocuments(cities, into: "cities")

        let large = try Query(format: "state == 'MA' AND population >= 100000", order: ["-population"])
        try expectShown(large.count(in: database, from: "cities"), "7")
        try expectShown(large.exists(in: database, from: "cities"), "true")
        try expectShown(large.results(in: database, from: "cities").count, "7")
        _ = (database, large)
    }

    static func stores2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, tags TEXT, address TEXT)")
        try database.execute("INSERT INTO notes VALUES (1, '[\"a\",\"b\"]', '{\"city\":\"x\"}'), (2, 'a', 'no JSON'), (3, '[]', NULL)")

        let tagged = try Query(format: "ANY tags == 'a'", fields: ["id"])
        try expectShown(tagged.sql(.sqlite, from: "notes").assumptions.map(\.document), "[{\"json\":\"tags\"}]")
        try expectShown(tagged.results(in: database, from: "notes"), "[{\"id\":1}, {\"id\":2}]")
        try expectShown(Query(format: "tags.@count == 0", fields: ["tags"]).results(in: database, from: "notes"), "[{\"tags\":\"[]\"}]")
        try expectShown(Query(format: "address.city == 'x'", fields: ["id"]).results(in: database, from: "notes"), "[{\"id\":1}]")
        _ = (database, tagged)
    }

    static func stores3() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let day = QueryValue.date(1_704_067_200_000)
        let seconds = Schema([.field("created", .date(.iso8601Seconds))])
        try expectShown(Query(format: "created >= %@", day).sql(.sqlite, from: "t").where, "pred_date(\"t\".\"created\") >= ?")
        try expectShown(Query(format: "created >= %@", day, schema: seconds).sql(.sqlite, from: "t").bindings, "[\"2024-01-01T00:00:00Z\"]")
        _ = (day, seconds)
    }

    static func stores4() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3)")

        let query = try Query(format: "a > 1 AND random() >= 0")
        let split = try query.split(for: .sqlite, from: "t")
        expectShown(split.store.format, "a > 1")
        expectShown(split.rest?.format, "Optional(\"random() >= 0\")")
        try expectShown(query.results(in: database, from: "t").count, "2")
        _ = (database, query, split)
    }

    static func stores5() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let query = try Query(format: "state == 'MA' AND name BEGINSWITH 'Bo'")
        try expectShown(query.suggestedIndexes(from: "cities"), "[\"CREATE INDEX IF NOT EXISTS \\\"cities_state_name\\\" ON \\\"cities\\\" (\\\"state\\\", \\\"name\\\")\"]")
        _ = (query)
    }

    static func stores6() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let schema = Schema([.field("name", .string), .field("tags", .list(.string))])
        let query = try Query(format: "ANY tags == 'new' AND name BEGINSWITH 'Bo'", schema: schema)
        try expectShown(query.suggestedIndexes(.postgresql, from: "books")[0], "CREATE INDEX IF NOT EXISTS \"books_tags_list\" ON \"books\" USING gin ((\"books\".\"tags\"))")
        _ = (schema, query)
    }

    static func stores7() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let query = Query(order: ["state", "-population"], limit: 2)
        let first = try query.page(after: nil, by: "name").results(in: cities)
        let cursor = try query.cursor(after: first[1], by: "name")
        let second = try query.page(after: cursor, by: "name")
        let whole = try Query(order: ["state", "-population", "name"], skip: 2, limit: 2).results(in: cities)
        try expectShown(second.results(in: cities) == whole, "true")
        _ = (query, first, cursor, second, whole)
    }

    static func stores8() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let people = Schema([.field("name", .string), .field("age", .int)])
        let query = try Query(format: "age >= 18 AND name BEGINSWITH 'Jo'", schema: people)
        try expectShown(query.sql(.postgresql, from: "people").where, "\"people\".\"age\" >= CAST($1 AS bigint) AND (\"people\".\"name\" COLLATE \"C\") >= CAST($2 AS text) AND (\"people\".\"name\" COLLATE \"C\") < CAST($3 AS text)")
        try expectShown(query.sql(.duckDB, from: "people").where, "\"people\".\"age\" >= CAST($1 AS BIGINT) AND \"people\".\"name\" >= CAST($2 AS VARCHAR) AND \"people\".\"name\" < CAST($3 AS VARCHAR)")
        _ = (people, query)
    }

    static func stores9() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let search = try Query(format: "name CONTAINS[cd] %@", "jo").sql(.postgresql, from: "people")
        expectShown(search.where, "strpos((pql_fold(\'cd\', \"people\".\"name\")), CAST($1 AS text)) > 0")
        expectShown(search.functions.map(\.name), "[\"pql_fold\"]")
        expectShown(SQLDialect.postgresql.functionDefinitions.count, "3")
        _ = (search)
    }

    static func stores10() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let catalogue = try SQLCatalogue(
            json: #"""
                [{"table": "orders", "column": "id", "type": "int8", "required": true, "key": 1},
                 {"table": "orders", "column": "state", "type": "enum", "required": false}]
                """#
        )
        let schema = try catalogue.schema(ofTable: "orders")
        let open = try Query(format: "state == 'open'", schema: schema)
        try expectShown(open.sql(.postgresql, from: "orders", storage: catalogue.storage(ofTable: "orders")).where, "CAST(\"orders\".\"state\" AS text) = CAST($1 AS text)")
        expectThrown("unknownField") { try Query(format: "stat == 'open'", schema: schema) }
        _ = (catalogue, schema, open)
    }

    static func readme1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities

        let state = "MA"
        let query = try Query(format: "state == \(state) AND population >= 50000", order: [.descending("population")], limit: 3)
        print(try query.mongo().json)                     // filter, sort, limit
        print(try query.sql(.sqlite, from: "cities").sql) // text with ? for every value, and separate bindings
        let largest = try query.results(in: cities)       // [Document] or any Encodable rows

        let byState = Query().grouped(by: "state", computing: [.count, .average("population")])
        let groups = try byState.results(in: cities)      // the same verbs on groups: mongo, sql, results
        let byBand = try Query().grouped(by: GroupKey(format: "trunc(population / 100000)", as: "band"), computing: [.count])
        _ = (state, query, largest, byState, groups, byBand)
    }

    static func readme2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let policy = QueryPolicy(fields: ["name", "population", "address.*"])
        let names = Schema([.field("name", .string), .field("population", .int)])
        let filter = #"{"population":{"$gt":600000},"name":{"$regex":"^B"}}"#
        let checked = try policy.checked(Query(mongo: filter, limit: 10, schema: names, limits: policy.limits))
        print(checked.format)                               // population > 600000 AND name BEGINSWITH "B"
        print(try checked.sql(.sqlite, from: "cities").sql) // a client's Mongo filter on SQLite
        _ = (policy, names, filter, checked)
    }

    static func readme3() async throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities


        struct Book: Entity {
            static let collection = "Book"
            var _id: String?, _acl: AccessControl?, _kmd: Metadata?
            var title: String, pages: Int
        }
        let app = StoreClient.App(key: "kid", secret: "secret")
        let client = try StoreClient(service: "http://localhost:8080", app: app, cache: .memory)
        let books = client.store(Book.self, .sync)
        try await books.save(Book(title: "Emma", pages: 474))            // stored here; it waits to be sent
        let thick = try await books.find(Query(format: "pages > 400"))   // asks the cache
        print(thick.count, try await books.sync().push.count)            // sends what waits, then pulls
        _ = (app, client, books, thick)
    }

    static func getstarted1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let state = "MA"
        let query = try Query(format: "state == \(state) AND population >= 200000", order: [.descending("population")])

        try expectShown(query.results(in: cities).count, "3")
        try expectShown(query.count(in: cities), "3")
        _ = (state, query)
    }

    static func getstarted2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let query = try Query(format: "state == 'MA' AND population >= 200000", limit: 2)

        try expectShown(query.mongo().json, "{\"filter\":{\"state\":\"MA\",\"population\":{\"$gte\":200000}},\"limit\":2}")
        try expectShown(query.sql(.sqlite, from: "cities").bindings.count, "3")
        _ = (query)
    }

    static func getstarted3() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        do {
            _ = try Query(format: "age NOT IN {1, 2}")
        } catch {
        expectShown(error.code, "syntax")
        }
        _ = ()
    }

    static func language1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        try expectShown(Query(format: "NOT a == 1 AND b == 2 || c == 3").format, "(NOT a == 1 AND b == 2) OR c == 3")
        try expectShown(Query(format: "SUBQUERY(orders, $o, $o.paid == NO).@count > 0").format, "SUBQUERY(orders, $o, $o.paid == FALSE).@count > 0")
        _ = ()
    }

    static func predicateql1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let state = "MA"
        let query = try Query(
            format: "state == \(state) AND population >= 50000",
            order: [.descending("population")]
        )

        expectShown(query.format, "state == \"MA\" AND population >= 50000")
        try expectShown(query.count(in: cities), "30")
        _ = (state, query)
    }

    static func predicateql2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let query = try Query(format: "state == 'MA'")

        try expectShown(query.mongo().json, "{\"filter\":{\"state\":\"MA\"}}")
        try expectShown(query.sql(.sqlite, from: "cities").bindings.count, "1")
        _ = (query)
    }

    static func predicateql3() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let state = "MA"
        let query = try Query(format: "state == %@ AND population >= 50000", state, limit: 5)
        let text = "state == %@ AND population >= 50000"
        let same = Field("state") == state && Field("population") >= 50_000

        try expectShown(Query(parsing: text, arguments: ["MA"], limit: 5) == query, "true")

        expectShown(query.condition == same, "true")
        expectShown(same.format, "state == \"MA\" AND population >= 50000")
        expectShown((Field("orders").filter { $0["amount"] > 100 }.count >= 2).format, "SUBQUERY(orders, $x, $x.amount > 100).@count >= 2")
        _ = (state, query, text, same)
    }

    static func predicateql4() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        do {
            _ = try Query(format: "age NOT IN {1, 2}")
        } catch {
        expectShown(error.code, "syntax")
        }
        _ = ()
    }

    static func predicateql5() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        struct Person { var age: Int; var name: String }
        let adults = #Predicate<Person> { $0.age >= 18 && $0.name.starts(with: "A") }
        let condition = try Condition(adults, names: [\Person.age: "age", \Person.name: "name"])

        expectShown(condition.format, "age >= 18 AND name BEGINSWITH \"A\"")
        try expectShown(Query(format: "age >= 18").jsonTree.json, "{\"where\":{\"compare\":\">=\",\"left\":{\"field\":[\"age\"]},\"right\":{\"value\":18}}}")
        try expectShown(Query(jsonTree: Query(format: "age >= 18", limit: 5).jsonTree).limit, "Optional(5)")
        _ = (adults, condition)
    }

    static func predicateql6() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let people = Schema([.field("age", .int), .field("tags", .list(.string))])
        let filter = #"{"age":{"$gt":21},"tags":{"$all":["a","b"]}}"#
        let query = try Query(mongo: filter, limit: 10, schema: people)
        let policy = QueryPolicy(fields: ["age", "address.*"])

        expectShown(query.format, "age > 21 AND (ANY tags == \"a\" AND ANY tags == \"b\")")
        expectShown(policy.problems(with: query).count, "3")
        expectShown(policy.problems(with: query).first?.code.rawValue, "Optional(\"policyFields\")")
        try expectShown(Query(mongo: #"{"age":21}"#).format, "ANY age == 21")
        _ = (people, filter, query, policy)
    }

    static func predicateqlsqlite1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let database = try SQLiteDatabase.inMemory()
        try database.importDocuments(cities, into: "cities")
        let large = try Query(format: "population >= 500000", order: ["name"], fields: ["name"])

        try expectShown(large.exists(in: database, from: "cities"), "true")
        try expectShown(large.results(in: database, from: "cities")[0], "{\"name\":\"Albuquerque\"}")
        _ = (database, large)
    }

    static func querybatch1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let batch = BatchProcessor()

        expectShown(batch.answer(to: #"{"id":1,"format":"age > 21","outputs":["mongo"]}"#.utf8), "{\"id\":1,\"mongo\":{\"filter\":{\"age\":{\"$gt\":21}},…")
        _ = (batch)
    }

    static func storeandsync1() async throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        struct Note: Entity {
            static let collection = "Note"
            var _id: String?, _acl: AccessControl?, _kmd: Metadata?
            var text: String, isDone: Bool
        }

        let app = StoreClient.App(key: "kid", secret: "secret")
        let client = try StoreClient(service: "http://localhost:8080", app: app, cache: .memory)
        let notes = client.store(Note.self, .sync)

        let saved = try await notes.save(Note(text: "Buy milk", isDone: false))
        expectShown(saved._id != nil, "true")
        try await expectShown(notes.find(Query(format: "isDone == NO")).count, "1")
        try await expectShown(notes.syncCount(), "1")
        _ = (app, client, notes, saved)
    }

    static func untrustedqueries1() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        var policy = QueryPolicy(fields: ["name", "population"])
        policy.maximumLimit = 100
        let query = try Query(mongo: #"{"population":{"$gt":600000}}"#, limit: 10, limits: policy.limits)

        try expectShown(policy.checked(query).fields?.count, "2")
        expectShown(policy.problems(with: try Query(format: "password BEGINSWITH 'a'")).first?.code.rawValue, "Optional(\"policyFields\")")
        _ = (policy, query)
    }

    static func untrustedqueries2() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE cities (name TEXT, population INTEGER); INSERT INTO cities VALUES ('Boston', 653833)")
        var policy = QueryPolicy(fields: ["name", "population"])
        policy.maximumLimit = 100
        database.limits = policy.limits
        let query = try policy.checked(Query(format: "name BEGINSWITH 'B'", limit: 10))

        try expectShown(query.results(in: database, from: "cities").count, "1")
        _ = (database, policy, query)
    }

    static func untrustedqueries3() throws {
        let world = ExampleWorld()
        let cities = world.cities; _ = cities
        do {
            _ = try QueryPolicy(fields: ["name"]).checked(Query(format: "password BEGINSWITH 'a'", limit: 10))
        } catch {
        expectShown(error.category.httpStatus, "400")
        }
        _ = ()
    }
}
