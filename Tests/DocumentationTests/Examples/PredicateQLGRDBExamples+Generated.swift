// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
#if GRDB
import GRDB
import PredicateQLGRDB
#endif

enum PredicateQLGRDBExamples: SourceExamples {
    static var examples: (run: [Example], leftOut: [(place: String, reason: String)]) {
        var all: [Example] = []
        var leftOut: [(place: String, reason: String)] = []
        (all, leftOut) = ([], [])
#if GRDB
        all.append(Example("Configuration+Functions.swift: func addPredicateQLFunctions", Configuration_Functions_1))
#else
        leftOut.append(("Configuration+Functions.swift: func addPredicateQLFunctions", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Configuration+Functions.swift: func addPredicateQLFunctions", Configuration_Functions_2))
#else
        leftOut.append(("Configuration+Functions.swift: func addPredicateQLFunctions", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Database+Import.swift: func importDocuments", Database_Import_1))
#else
        leftOut.append(("Database+Import.swift: func importDocuments", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Database+Limits.swift: func withLimits", Database_Limits_1))
#else
        leftOut.append(("Database+Limits.swift: func withLimits", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Filter.swift: func filter", Query_Filter_1))
#else
        leftOut.append(("Query+Filter.swift: func filter", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Filter.swift: func filter", Query_Filter_2))
#else
        leftOut.append(("Query+Filter.swift: func filter", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Filter.swift: func filter", Query_Filter_3))
#else
        leftOut.append(("Query+Filter.swift: func filter", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Filter.swift: func filter", Query_Filter_4))
#else
        leftOut.append(("Query+Filter.swift: func filter", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Filter.swift: func expression", Query_Filter_5))
#else
        leftOut.append(("Query+Filter.swift: func expression", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func request", Query_Request_1))
#else
        leftOut.append(("Query+Request.swift: func request", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func rows", Query_Request_2))
#else
        leftOut.append(("Query+Request.swift: func rows", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func count", Query_Request_3))
#else
        leftOut.append(("Query+Request.swift: func count", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func exists", Query_Request_4))
#else
        leftOut.append(("Query+Request.swift: func exists", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func delete", Query_Request_5))
#else
        leftOut.append(("Query+Request.swift: func delete", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func suggestedIndexes", Query_Request_6))
#else
        leftOut.append(("Query+Request.swift: func suggestedIndexes", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func assumptions", Query_Request_7))
#else
        leftOut.append(("Query+Request.swift: func assumptions", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func results", Query_Request_8))
#else
        leftOut.append(("Query+Request.swift: func results", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func split", Query_Request_9))
#else
        leftOut.append(("Query+Request.swift: func split", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Query+Request.swift: func rows", Query_Request_10))
#else
        leftOut.append(("Query+Request.swift: func rows", "needs GRDB"))
#endif
#if GRDB
        all.append(Example("Schema+Database.swift: init", Schema_Database_1))
#else
        leftOut.append(("Schema+Database.swift: init", "needs GRDB"))
#endif
        return (all, leftOut)
    }

#if GRDB
    static func Configuration_Functions_1() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            var configuration = Configuration()
            configuration.addPredicateQLFunctions()
            let queue = try DatabaseQueue(configuration: configuration)
            try expectShown(queue.read { try String.fetchOne($0, sql: "SELECT fold('c', 'ZOE')") }, "zoe")
            _ = (configuration, queue)
        }
    }
#endif

#if GRDB
    static func Configuration_Functions_2() throws {
        do {
            let plain = try DatabaseQueue()
            try plain.write { try $0.addPredicateQLFunctions() }
            try expectShown(plain.read { try String.fetchOne($0, sql: "SELECT fold('c', 'ZOE')") }, "zoe")
            _ = (plain)
        }
    }
#endif

#if GRDB
    static func Database_Import_1() throws {
        let cities = ExampleWorld.fewCities; _ = cities
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            try expectShown(queue.write { db in try db.importDocuments(cities, into: "places") }, "4")
        }
    }
#endif

#if GRDB
    static func Database_Limits_1() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            var limits = Limits.default
            limits.duration = .seconds(5)
            let query = try Query(format: "name LIKE '*o*'")
            try expectShown(queue.read { db in try db.withLimits(limits) { try query.count(in: db, from: "cities") } }, "3")
            _ = (limits, query)
        }
    }
#endif

#if GRDB
    static func Query_Filter_1() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let adults = try Query(format: "age >= 18 AND name BEGINSWITH[cd] %@", "jo")
            try expectShown(queue.read { try Person.filter(adults).fetchAll($0) }.map(\.name), "[\"João\"]")
            _ = (adults)
        }
    }
#endif

#if GRDB
    static func Query_Filter_2() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            try expectShown(queue.read { try Person.filter(Field("age") >= 18).fetchCount($0) }, "2")
        }
    }
#endif

#if GRDB
    static func Query_Filter_3() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let adults = try Query(format: "age >= 18")
            try expectShown(queue.read { try Person.limit(1).filter(adults).fetchAll($0) }.map(\.name), "[\"Ann\"]")
            _ = (adults)
        }
    }
#endif

#if GRDB
    static func Query_Filter_4() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            try expectShown(queue.read { try Person.all().filter(Field("age") >= 18).fetchCount($0) }, "2")
        }
    }
#endif

#if GRDB
    static func Query_Filter_5() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let query = try Query(format: "age >= 18")
            let found = try queue.read { db in
                let expression = try query.expression(in: db, table: "person")
                return try Person.filter(expression && Column("id") > 1).fetchAll(db)
            }
            expectShown(found.map(\.name), "[\"João\"]")
            _ = (query, found)
        }
    }
#endif

#if GRDB
    static func Query_Request_1() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let query = try Query(format: "age >= 18", order: ["-age"])
            try expectShown(queue.read { try query.request(for: Person.self, in: $0).fetchAll($0) }.map(\.name), "[\"João\", \"Ann\"]")
            _ = (query)
        }
    }
#endif

#if GRDB
    static func Query_Request_2() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let names = try queue.read { db in try query.rows(in: db, from: "cities").map { $0["name"] as String } }
            expectShown(names, "[\"Boston\", \"Worcester\"]")
            _ = (names)
        }
    }
#endif

#if GRDB
    static func Query_Request_3() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            try expectShown(queue.read { try query.count(in: $0, from: "cities") }, "2")
        }
    }
#endif

#if GRDB
    static func Query_Request_4() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            try expectShown(queue.read { try query.exists(in: $0, from: "cities") }, "true")
        }
    }
#endif

#if GRDB
    static func Query_Request_5() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            try expectShown(queue.write { try Query(format: "state == 'MA'").delete(in: $0, from: "cities") }, "3")
        }
    }
#endif

#if GRDB
    static func Query_Request_6() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            try expectShown(queue.read { try Query(format: "age > 21").suggestedIndexes(in: $0, from: "person") }, "[\"CREATE INDEX IF NOT EXISTS \\\"person_age\\\" ON \\\"person\\\" (\\\"age\\\")\"]")
        }
    }
#endif

#if GRDB
    static func Query_Request_7() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let query = try Query(format: "age > 21")
            try expectShown(queue.read { try query.assumptions(in: $0, from: "person") }.map(\.document), "[{\"single\":\"age\"}]")
            _ = (query)
        }
    }
#endif

#if GRDB
    static func Query_Request_8() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let query = try Query(format: "state == 'MA' AND random() >= 0", order: ["name"], fields: ["name"])
            try expectShown(queue.read { try query.results(in: $0, from: "cities").count }, "3")
            _ = (query)
        }
    }
#endif

#if GRDB
    static func Query_Request_9() throws {
        let query = try ExampleWorld.query(); _ = query
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let query = try Query(format: "state == 'MA' AND random() >= 0")
            try expectShown(queue.read { try query.split(in: $0, from: "cities").rest }, "random() >= 0")
            _ = (query)
        }
    }
#endif

#if GRDB
    static func Query_Request_10() throws {
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
            try expectShown(queue.read { db in try byState.rows(in: db, from: "cities").map { $0["count"] as Int } }, "[3, 1]")
            _ = (byState)
        }
    }
#endif

#if GRDB
    static func Schema_Database_1() throws {
        let schema = ExampleWorld.schema; _ = schema
        let queue = try ExampleWorld.queue(); _ = queue
        do {
            let schema = try queue.read { try Schema(database: $0, table: "person") }
            expectThrown("kindMismatch") { try Query(format: "age > 'x'", schema: schema) }
            _ = (schema)
        }
    }
#endif
}
