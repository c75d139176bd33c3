// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum PredicateQLSQLiteExamples {
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

    static func SQLiteDatabase_Schema_4() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.tableNames(), "[\"cities\"]")
        }
    }

    static func SQLiteDatabase_Schema_5() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.table("cities").schema.field(named: "population")?.type, "int")
        }
    }

    static func SQLiteDatabase_Schema_6() throws {
        let database = try ExampleWorld.database(); _ = database
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = try database.schema(ofTable: "cities")
            expectThrown("kindMismatch") { try Query(format: "population > 'x'", schema: schema) }
            _ = (schema)
        }
    }

    static func SQLiteDatabase_Schema_7() throws {
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
        let cities = ExampleWorld.fewCities; _ = cities
        let database = try ExampleWorld.database(); _ = database
        do {
            try expectShown(database.rows("SELECT name FROM cities WHERE state = ?", ["NY"]), "[{\"name\":\"New York\"}]")
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
}
