// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite

enum PredicateQLSQLiteExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
        all.append(Example("Grouping+SQLite.swift: func results", Grouping_SQLite_1))
        all.append(Example("Query+SQLite.swift: func rows", Query_SQLite_1))
        all.append(Example("Query+SQLite.swift: func forEachRow", Query_SQLite_2))
        all.append(Example("Query+SQLite.swift: func forEachJSON", Query_SQLite_3))
        all.append(Example("Query+SQLiteResults.swift: func results", Query_SQLiteResults_1))
        all.append(Example("Query+SQLiteResults.swift: func count", Query_SQLiteResults_2))
        all.append(Example("Query+SQLiteResults.swift: func exists", Query_SQLiteResults_3))
        all.append(Example("Query+SQLiteResults.swift: func delete", Query_SQLiteResults_4))
        all.append(Example("SQLiteDatabase+Damage.swift: func isDamaged", SQLiteDatabase_Damage_1))
        all.append(Example("SQLiteDatabase+Damage.swift: func tellsOfDamage", SQLiteDatabase_Damage_2))
        all.append(Example("SQLiteDatabase+Schema.swift: struct SQLiteTable", SQLiteDatabase_Schema_1))
        all.append(Example("SQLiteDatabase+Schema.swift: struct Column", SQLiteDatabase_Schema_2))
        all.append(Example("SQLiteDatabase+Schema.swift: init", SQLiteDatabase_Schema_3))
        all.append(Example("SQLiteDatabase+Schema.swift: var schema", SQLiteDatabase_Schema_4))
        all.append(Example("SQLiteDatabase+Schema.swift: func tableNames", SQLiteDatabase_Schema_5))
        all.append(Example("SQLiteDatabase+Schema.swift: func table", SQLiteDatabase_Schema_6))
        all.append(Example("SQLiteDatabase+Schema.swift: func schema", SQLiteDatabase_Schema_7))
        all.append(Example("SQLiteDatabase+Schema.swift: func primaryKey", SQLiteDatabase_Schema_8))
        all.append(Example("SQLiteDatabase.swift: class SQLiteDatabase", SQLiteDatabase_1))
        all.append(Example("SQLiteDatabase.swift: var limits", SQLiteDatabase_2))
        all.append(Example("SQLiteDatabase.swift: init", SQLiteDatabase_3))
        all.append(Example("SQLiteDatabase.swift: init", SQLiteDatabase_4))
        all.append(Example("SQLiteDatabase.swift: func inMemory", SQLiteDatabase_5))
        all.append(Example("SQLiteDatabase.swift: func execute", SQLiteDatabase_6))
        all.append(Example("SQLiteDatabase.swift: func transaction", SQLiteDatabase_7))
        all.append(Example("SQLiteDatabase.swift: func prepare", SQLiteDatabase_8))
        all.append(Example("SQLiteDatabase.swift: func withStatement", SQLiteDatabase_9))
        all.append(Example("SQLiteDatabase.swift: func rows", SQLiteDatabase_10))
        all.append(Example("SQLiteDatabase.swift: func queryPlan", SQLiteDatabase_11))
        all.append(Example("SQLiteFunctions.swift: enum SQLiteFunctions", SQLiteFunctions_1))
        all.append(Example("SQLiteFunctions.swift: func register", SQLiteFunctions_2))
        all.append(Example("SQLiteImporter.swift: func importDocuments", SQLiteImporter_1))
        all.append(Example("SQLiteImporter.swift: struct SQLiteImporter", SQLiteImporter_2))
        all.append(Example("SQLiteImporter.swift: enum ValueForm", SQLiteImporter_3))
        all.append(Example("SQLiteImporter.swift: init", SQLiteImporter_4))
        all.append(Example("SQLiteImporter.swift: func observe", SQLiteImporter_5))
        all.append(Example("SQLiteImporter.swift: struct FoundDates", SQLiteImporter_6))
        all.append(Example("SQLiteImporter.swift: var foundDates", SQLiteImporter_7))
        all.append(Example("SQLiteImporter.swift: func write", SQLiteImporter_8))
        all.append(Example("SQLiteImporter.swift: func append", SQLiteImporter_9))
        all.append(Example("SQLiteMeter.swift: class SQLiteMeter", SQLiteMeter_1))
        all.append(Example("SQLiteMeter.swift: func run", SQLiteMeter_2))
#if canImport(Dispatch)
        all.append(Example("SQLitePool.swift: class SQLitePool", SQLitePool_1))
#else
        leftOut.append(("SQLitePool.swift: class SQLitePool", "needs canImport(Dispatch)"))
#endif
#if canImport(Dispatch)
        all.append(Example("SQLitePool.swift: init", SQLitePool_2))
#else
        leftOut.append(("SQLitePool.swift: init", "needs canImport(Dispatch)"))
#endif
#if canImport(Dispatch)
        all.append(Example("SQLitePool.swift: func read", SQLitePool_3))
#else
        leftOut.append(("SQLitePool.swift: func read", "needs canImport(Dispatch)"))
#endif
#if canImport(Dispatch)
        all.append(Example("SQLitePool.swift: func write", SQLitePool_4))
#else
        leftOut.append(("SQLitePool.swift: func write", "needs canImport(Dispatch)"))
#endif
#if canImport(Dispatch)
        all.append(Example("SQLitePool.swift: func rows", SQLitePool_5))
#else
        leftOut.append(("SQLitePool.swift: func rows", "needs canImport(Dispatch)"))
#endif
#if canImport(Dispatch)
        all.append(Example("SQLitePool.swift: struct SQLiteRows", SQLitePool_6))
#else
        leftOut.append(("SQLitePool.swift: struct SQLiteRows", "needs canImport(Dispatch)"))
#endif
        all.append(Example("SQLiteStatement.swift: class SQLiteStatement", SQLiteStatement_1))
        all.append(Example("SQLiteStatement.swift: func bind", SQLiteStatement_2))
        all.append(Example("SQLiteStatement.swift: func bind", SQLiteStatement_3))
        all.append(Example("SQLiteStatement.swift: func bind", SQLiteStatement_4))
        all.append(Example("SQLiteStatement.swift: func next", SQLiteStatement_5))
        all.append(Example("SQLiteStatement.swift: func run", SQLiteStatement_6))
        all.append(Example("SQLiteStatement.swift: func step", SQLiteStatement_7))
        return (all, leftOut)
    }

    static func Grouping_SQLite_1() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
            try expectShown(byState.results(in: database, from: "cities"), "[{\"state\":\"MA\",\"count\":3}, {\"state\":\"NY\",\"count\":1}]")
            _ = (byState)
        }
    }

    static func Query_SQLite_1() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let large = try Query(format: "population > 200000", order: ["name"], fields: ["name"])
            try expectShown(large.rows(in: database, from: "cities"), "[{\"name\":\"Boston\"}, {\"name\":\"New York\"}, {\"name\":\"Worcester\"}]")
            _ = (large)
        }
    }

    static func Query_SQLite_2() throws {
        let database = try ExampleWorld.database(); _ = database
        let query = try ExampleWorld.query(); _ = query
        do {
            var found: [Document] = []
            try query.forEachRow(in: database, from: "cities") { found.append($0) }
            expectShown(found.count, "2")
            _ = (found)
        }
    }

    static func Query_SQLite_3() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try database.execute("CREATE TABLE notes (doc TEXT); INSERT INTO notes VALUES ('{\"stars\": 5}')")
            var found: [String] = []
            try Query(format: "stars > 4").forEachJSON(in: database, from: "notes", storage: .document()) { json in
                found.append(String(decoding: json, as: UTF8.self))
            }
            expectShown(found, "[\"{\\\"stars\\\": 5}\"]")
            _ = (found)
        }
    }

    static func Query_SQLiteResults_1() throws {
        let database = try ExampleWorld.database(); _ = database
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "state == 'MA' AND random() >= 0", limit: 20)
            try expectShown(query.results(in: database, from: "cities").count, "3")
            _ = (query)
        }
    }

    static func Query_SQLiteResults_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(Query(format: "state == 'MA'").count(in: database, from: "cities"), "3")
        }
    }

    static func Query_SQLiteResults_3() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(Query(format: "name BEGINSWITH[c] 'bo'").exists(in: database, from: "cities"), "true")
        }
    }

    static func Query_SQLiteResults_4() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(Query(format: "state == 'MA'").delete(in: database, from: "cities"), "3")
            try expectShown(Query().count(in: database, from: "cities"), "1")
        }
    }

    static func SQLiteDatabase_Damage_1() throws {
        do {
            expectShown(SQLiteDatabase.isDamaged(path: "/no/such/file.sqlite"), "false")
        }
    }

    static func SQLiteDatabase_Damage_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            expectShown(SQLiteDatabase.tellsOfDamage(QueryError(.store, "SQLite: database disk image is malformed")), "true")
        }
    }

    static func SQLiteDatabase_Schema_1() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let table = try database.table("cities")
            expectShown(table.columns.map(\.name), "[\"_id\", \"name\", \"state\", \"population\"]")
            expectShown(table.primaryKey, "_id")
            _ = (table)
        }
    }

    static func SQLiteDatabase_Schema_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let column = try database.table("cities").columns[1]
            expectShown(column.declaredType, "TEXT")
            expectShown(column.isRequired, "true")
            _ = (column)
        }
    }

    static func SQLiteDatabase_Schema_3() throws {
        do {
            expectShown(SQLiteTable.Column(name: "age", declaredType: "INTEGER", isRequired: true).fieldType, "int")
        }
    }

    static func SQLiteDatabase_Schema_4() throws {
        let database = try ExampleWorld.database(); _ = database
        let query = try ExampleWorld.query(); _ = query
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = try database.table("cities").schema
            let query = try Query(format: "ANY name == 'Boston'", schema: schema)
            try expectShown(query.sql(.sqlite, from: "cities").assumptions.map(\.document), "[{\"json\":\"name\"}]")
            _ = (schema, query)
        }
    }

    static func SQLiteDatabase_Schema_5() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.tableNames(), "[\"cities\"]")
        }
    }

    static func SQLiteDatabase_Schema_6() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.table("cities").schema.field(named: "population")?.type, "int")
        }
    }

    static func SQLiteDatabase_Schema_7() throws {
        let database = try ExampleWorld.database(); _ = database
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = try database.schema(ofTable: "cities")
            expectThrown("kindMismatch") { try Query(format: "population > 'x'", schema: schema) }
            _ = (schema)
        }
    }

    static func SQLiteDatabase_Schema_8() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.primaryKey(ofTable: "cities"), "_id")
        }
    }

    static func SQLiteDatabase_1() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3)")
            try expectShown(Query(format: "a > 1").rows(in: database, from: "t"), "[{\"a\":2}, {\"a\":3}]")
            _ = (database)
        }
    }

    static func SQLiteDatabase_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            database.limits.duration = .seconds(5)
            try expectShown(Query(format: "name LIKE '*o*'").count(in: database, from: "cities"), "3")
        }
    }

    static func SQLiteDatabase_3() throws {
        do {
            expectThrown("store") { try SQLiteDatabase(path: "/no/such/file.sqlite") }
        }
    }

    static func SQLiteDatabase_4() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let borrowed = try SQLiteDatabase(borrowing: database.handle)
            try expectShown(borrowed.tableNames(), "[\"cities\"]")
            _ = (borrowed)
        }
    }

    static func SQLiteDatabase_5() throws {
        do {
            try expectShown(SQLiteDatabase.inMemory().tableNames(), "[]")
        }
    }

    static func SQLiteDatabase_6() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            try database.execute("DELETE FROM cities WHERE state = 'MA'")
            try expectShown(Query().count(in: database, from: "cities"), "1")
        }
    }

    static func SQLiteDatabase_7() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try database.transaction { () throws(QueryError) in try database.execute("DELETE FROM cities") }
            try expectShown(Query().count(in: database, from: "cities"), "0")
        }
    }

    static func SQLiteDatabase_8() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let statement = try database.prepare("SELECT name FROM cities WHERE population > ?", [1_000_000])
            try expectShown(statement.next(), "{\"name\":\"New York\"}")
            _ = (statement)
        }
    }

    static func SQLiteDatabase_9() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let people = ExampleWorld.people; _ = people
        let database = try ExampleWorld.database(); _ = database
        do {
            let sql = "SELECT population FROM cities WHERE name = ?"
            var people: Int64 = 0
            try database.withStatement(sql, ["Boston"]) { (rows) throws(QueryError) in
                if try rows.step() { people = rows.int(at: 0) }
            }
            expectShown(people, "653833")
            _ = (sql, people)
        }
    }

    static func SQLiteDatabase_10() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.rows("SELECT name FROM cities WHERE state = ?", ["NY"]), "[{\"name\":\"New York\"}]")
        }
    }

    static func SQLiteDatabase_11() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.queryPlan("SELECT * FROM cities WHERE _id = ?", ["1"])[0], "SEARCH cities USING INDEX …")
        }
    }

    static func SQLiteFunctions_1() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try SQLiteFunctions.register(on: database.handle)  // any open sqlite3*
            try expectShown(database.rows("SELECT fold('cd', 'Zoé') AS folded"), "[{\"folded\":\"zoe\"}]")
        }
    }

    static func SQLiteFunctions_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try SQLiteFunctions.register(on: database.handle)
            try expectShown(database.rows("SELECT pred_like('B?st*', 'Boston') AS fits"), "[{\"fits\":1}]")
        }
    }

    static func SQLiteImporter_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let database = try SQLiteDatabase.inMemory()
            try expectShown(database.importDocuments(cities, into: "places"), "4")
            try expectShown(Query(format: "state == 'MA'").count(in: database, from: "places"), "3")
            _ = (database)
        }
    }

    static func SQLiteImporter_2() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let database = try SQLiteDatabase.inMemory()
            var importer = SQLiteImporter(table: "cities")
            for city in cities { try importer.observe(city) }
            try importer.write(to: database) { (insert) throws(QueryError) in for city in cities { try insert(city) } }
            try expectShown(Query(format: "state == 'MA'").count(in: database, from: "cities"), "3")
            _ = (database, importer)
        }
    }

    static func SQLiteImporter_3() throws {
        do {
            var importer = SQLiteImporter(table: "events", form: .grdb)
            try importer.observe(["day": .date(0)])
            expectShown(importer.columns.map(\.declaredType), "[\"DATETIME\"]")
            _ = (importer)
        }
    }

    static func SQLiteImporter_4() throws {
        do {
            let importer = SQLiteImporter(table: "people", schema: Schema([.field("age", .int)]))
            expectShown(importer.columns.map(\.declaredType), "[\"INTEGER\"]")
            _ = (importer)
        }
    }

    static func SQLiteImporter_5() throws {
        do {
            var importer = SQLiteImporter(table: "people")
            try importer.observe(["name": "Ann", "age": 34])
            expectShown(importer.columns.map(\.name), "[\"name\", \"age\"]")
            _ = (importer)
        }
    }

    static func SQLiteImporter_6() throws {
        do {
            var importer = SQLiteImporter(table: "events")
            try importer.observe(["day": "2024-01-01"])
            expectShown(importer.foundDates.map(\.description), "[\"day: ISO 8601 text, yyyy-MM-dd\"]")
            _ = (importer)
        }
    }

    static func SQLiteImporter_7() throws {
        do {
            var importer = SQLiteImporter(table: "events")
            try importer.observe(["day": "2024-01-01T00:00:00Z"])
            expectShown(importer.foundDates[0].encoding, "iso8601Seconds")
            _ = (importer)
        }
    }

    static func SQLiteImporter_8() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let database = try SQLiteDatabase.inMemory()
            var importer = SQLiteImporter(table: "people")
            try importer.observe(["name": "Ann"])
            try expectShown(importer.write(to: database) { (insert) throws(QueryError) in try insert(["name": "Ann"]) }, "1")
            _ = (database, importer)
        }
    }

    static func SQLiteImporter_9() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let quincy: Document = ["_id": "5", "name": "Quincy", "state": "MA", "population": 101_636]
            try SQLiteImporter(table: "cities").append(to: database) { (add) throws(QueryError) in try add(quincy) }
            try expectShown(Query().count(in: database, from: "cities"), "5")
            _ = (quincy)
        }
    }

    static func SQLiteMeter_1() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            var limits = Limits.default
            limits.duration = .seconds(5)
            try expectShown(SQLiteMeter.run(on: database.handle, limits) { try database.rows("SELECT name FROM cities").count }, "4")
            _ = (limits)
        }
    }

    static func SQLiteMeter_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            var limits = Limits.default
            limits.steps = 10_000
            let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t"
            expectThrown("tooMuchWork") { try SQLiteMeter.run(on: database.handle, limits) { try database.rows(endless) } }
            _ = (limits, endless)
        }
    }

#if canImport(Dispatch)
    static func SQLitePool_1() async throws {
        let database = try ExampleWorld.database(); _ = database
        let pool = try ExampleWorld.pool(); _ = pool
        do {
            let large = try Query(format: "population > 500000", order: ["name"], fields: ["name"])
            try await expectShown(pool.read { database in try large.count(in: database, from: "cities") }, "2")
            var names: [Document] = []
            for try await city in pool.rows(large, from: "cities") { names.append(city) }
            expectShown(names, "[{\"name\":\"Boston\"}, {\"name\":\"New York\"}]")
            _ = (large, names)
        }
    }
#endif

#if canImport(Dispatch)
    static func SQLitePool_2() throws {
        do {
            expectThrown("store") { try SQLitePool(path: "/no/such/folder/file.sqlite") }
            expectThrown("argument") { try SQLitePool(path: ":memory:") }
        }
    }
#endif

#if canImport(Dispatch)
    static func SQLitePool_3() async throws {
        let database = try ExampleWorld.database(); _ = database
        let query = try ExampleWorld.query(); _ = query
        let pool = try ExampleWorld.pool(); _ = pool
        do {
            let query = try Query(format: "state == 'MA'", limit: 10)
            let (rows, total) = try await pool.read { database in
                (try query.results(in: database, from: "cities"), try Query().count(in: database, from: "cities"))
            }
            expectShown(rows.count, "3")
            expectShown(total, "4")
            _ = (query)
        }
    }
#endif

#if canImport(Dispatch)
    static func SQLitePool_4() async throws {
        let pool = try ExampleWorld.pool(); _ = pool
        do {
            try await expectShown(pool.write { try Query(format: "state == 'MA'").delete(in: $0, from: "cities") }, "3")
        }
    }
#endif

#if canImport(Dispatch)
    static func SQLitePool_5() async throws {
        let pool = try ExampleWorld.pool(); _ = pool
        do {
            var first: [Document] = []
            for try await city in pool.rows(Query(order: ["name"], fields: ["name"]), from: "cities") {
                first.append(city)
                if first.count == 2 { break }
            }
            expectShown(first, "[{\"name\":\"Boston\"}, {\"name\":\"New York\"}]")
            _ = (first)
        }
    }
#endif

#if canImport(Dispatch)
    static func SQLitePool_6() async throws {
        let pool = try ExampleWorld.pool(); _ = pool
        do {
            let rows = try pool.rows(Query(format: "state == 'NY'", fields: ["name"]), from: "cities")
            try await expectShown(rows.first { _ in true }, "{\"name\":\"New York\"}")
            _ = (rows)
        }
    }
#endif

    static func SQLiteStatement_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let statement = try database.prepare("SELECT name FROM cities WHERE population > ?", [200_000])
            var found: [Document] = []
            while let row = try statement.next() { found.append(row) }
            expectShown(found, "[{\"name\":\"Boston\"}, {\"name\":\"Worcester\"}, {\"name\":\"New York\"}]")
            _ = (statement, found)
        }
    }

    static func SQLiteStatement_2() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let statement = try database.prepare("SELECT name FROM cities WHERE state = ?", ["MA"])
            try statement.bind(["NY"])
            try expectShown(statement.next(), "{\"name\":\"New York\"}")
            _ = (statement)
        }
    }

    static func SQLiteStatement_3() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let statement = try database.prepare("SELECT name FROM cities WHERE state = ?", ["MA"])
            try statement.bind("NY", at: 0)
            try expectShown(statement.next(), "{\"name\":\"New York\"}")
            _ = (statement)
        }
    }

    static func SQLiteStatement_4() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let statement = try database.prepare("SELECT name FROM cities WHERE state = ?", ["MA"])
            try statement.bind(text: Array("NY".utf8), at: 0)
            try expectShown(statement.next(), "{\"name\":\"New York\"}")
            _ = (statement)
        }
    }

    static func SQLiteStatement_5() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let statement = try database.prepare("SELECT count(*) AS n FROM cities")
            try expectShown(statement.next(), "{\"n\":4}")
            try expectShown(statement.next() == nil, "true")
            _ = (statement)
        }
    }

    static func SQLiteStatement_6() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            try database.prepare("DELETE FROM cities WHERE state = ?", ["NY"]).run()
            try expectShown(Query().count(in: database, from: "cities"), "3")
        }
    }

    static func SQLiteStatement_7() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            let statement = try database.prepare("SELECT name, population FROM cities WHERE state = ?", ["NY"])
            try expectShown(statement.step(), "true")
            expectShown(statement.int(at: 1), "8804190")
            _ = (statement)
        }
    }
}
