// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum QueryBatchExamples {
    static func BatchProcessor_1() throws {
        do {
            let batch = BatchProcessor()
            expectShown(batch.answer(to: #"{"id":1,"format":"age > 21","outputs":["mongo"]}"#.utf8), "{\"id\":1,\"mongo\":{\"filter\":{\"age\":{\"$gt\":21}},\"assumptions\":[{\"single\":\"age\"}]}}")
            _ = (batch)
        }
    }

    static func BatchProcessor_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let batch = BatchProcessor(store: BatchStore(database: database, table: "cities"))
            expectShown(batch.store?.table, "cities")
            _ = (batch)
        }
    }

    static func BatchProcessor_3() throws {
        do {
            expectShown(BatchProcessor().answer(to: #"{"id":2,"format":"age >"}"#.utf8), "{\"id\":2,\"error\":{\"code\":\"syntax\",…")
        }
    }

    static func BatchStore_1() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            let store = BatchStore(database: database, table: "cities")
            let line = #"{"id":1,"format":"name == 'Salem'","fields":["name"],"outputs":["results"]}"#
            expectShown(BatchProcessor(store: store).answer(to: line.utf8), "{\"id\":1,\"rows\":[{\"name\":\"Salem\"}]}")
            _ = (store, line)
        }
    }

    static func BatchStore_2() throws {
        let database = try ExampleWorld.database(); _ = database
        do {
            expectShown(BatchStore(database: database, table: "cities").table, "cities")
        }
    }
}
