// Generated from the doc comments: UPDATE_GENERATED=1 swift test --filter DocumentationTests
// swift-format-ignore-file

import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryBatch

enum QuerySQLExamples {
    static func DuckDB_1() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = Schema([.field("age", .int)])
            try expectShown(Query(format: "age > 21", schema: schema).sql(.duckDB, from: "people").where, "\"people\".\"age\" > CAST($1 AS BIGINT)")
            _ = (schema)
        }
    }

    static func PostgreSQL_1() throws {
        let schema = ExampleWorld.schema; _ = schema
        do {
            let schema = Schema([.field("age", .int)])
            try expectShown(Query(format: "age > 21", schema: schema).sql(.postgresql, from: "people").where, "\"people\".\"age\" > CAST($1 AS bigint)")
            _ = (schema)
        }
    }

    static func SQLDialect_Folding_1() throws {
        do {
            expectShown(SQLDialect.postgresql.functionDefinitions.map { $0.prefix(36) }[0], "CREATE OR REPLACE FUNCTION pql_fold(")
            expectShown(SQLDialect.sqlite.functionDefinitions, "[]")
        }
    }

    static func SQLDialect_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            try expectShown(query.sql(.sqlite, from: "cities").bindings, "[\"MA\", 100000]")
        }
    }

    static func SQLDialect_2() throws {
        do {
            expectShown(SQLDialect() == .sqlite, "true")
            expectShown(SQLDialect(identifierQuote: "`").identifierQuote, "`")
        }
    }

    static func SQLite_1() throws {
        do {
            try expectShown(Query(format: "age > 21").sql(.sqlite, from: "people").bindings, "[21]")
        }
    }

    static func StringOptions_Folded_1() throws {
        do {
            expectShown(StringOptions([.caseInsensitive, .diacriticInsensitive]).folded("Zoé"), "zoe")
        }
    }

    static func Grouping_SQL_1() throws {
        do {
            let byState = Query().grouped(by: "state", computing: [.count, .average("population")])
            try expectShown(byState.sql(.sqlite, from: "cities").sql, "SELECT … GROUP BY …")
            _ = (byState)
        }
    }

    static func Query_Indexes_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "state == 'MA' AND population > 50000")
            try expectShown(query.suggestedIndexes(from: "cities")[0], "CREATE INDEX IF NOT EXISTS \"cities_state_population\" ON \"cities\" (\"state\", \"population\")")
            _ = (query)
        }
    }

    static func Query_SQL_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "state == 'MA' AND population >= 50000")
            try expectShown(query.sql(.sqlite, from: "cities").bindings, "[\"MA\", 50000]")
            _ = (query)
        }
    }

    static func Query_SQL_2() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            try expectShown(query.sqlCount(.sqlite, from: "cities").sql, "SELECT count(*) FROM \"cities\" WHERE …")
        }
    }

    static func Query_SQLSplit_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "state == 'MA' AND random() < 0.1", limit: 20)
            let split = try query.split(for: .sqlite, from: "cities")
            expectShown(split.store, "state == \"MA\"")
            expectShown(split.rest, "random() < 0.1")
            _ = (query, split)
        }
    }

    static func Query_SQLStatements_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            try expectShown(query.sqlExists(.sqlite, from: "cities").sql, "SELECT EXISTS (SELECT 1 FROM \"cities\" WHERE …)")
        }
    }

    static func Query_SQLStatements_2() throws {
        do {
            try expectShown(Query(format: "state == 'MA'").sqlDelete(.sqlite, from: "cities").sql, "DELETE FROM \"cities\" WHERE …")
        }
    }

    static func SQLQuery_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let statement = try query.sql(.sqlite, from: "cities")
            expectShown(statement.sql, "SELECT \"cities\".* FROM \"cities\" WHERE \"cities\".\"state\" = ? …")
            expectShown(statement.bindings, "[\"MA\", 100000]")
            _ = (statement)
        }
    }

    static func SQLQuery_2() throws {
        do {
            let statement = try Query(format: "name BEGINSWITH[c] 'bo'").sql(.sqlite, from: "cities")
            expectShown(statement.functions.map(\.name), "[\"fold\"]")
            _ = (statement)
        }
    }

    static func SQLQuery_3() throws {
        do {
            expectShown(SQLFunction(name: "fold", arguments: 2).name, "fold")
        }
    }

    static func SQLStorage_1() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "state == 'MA'")
            try expectShown(query.sql(.sqlite, from: "cities").where, "…\"cities\".\"state\" = ?…")
            try expectShown(query.sql(.sqlite, from: "cities", storage: .document()).where, "…\"cities\".\"doc\"…")
            _ = (query)
        }
    }

    static func SQLStorage_2() throws {
        do {
            var storage = SQLStorage.columns
            storage.trigramTables["title"] = "title_trigrams"
            try expectShown(Query(format: "title CONTAINS 'Swift'").sql(.sqlite, from: "articles", storage: storage).where, "…\"title_trigrams\"…")
            _ = (storage)
        }
    }

    static func SQLStorage_3() throws {
        do {
            var storage = SQLStorage.columns
            storage.foldedColumns["name"] = ["cd": "name_folded"]
            try expectShown(Query(format: "name ==[cd] 'zoe'").sql(.postgresql, from: "people", storage: storage).where, "…\"name_folded\"…")
            _ = (storage)
        }
    }

    static func SQLStorage_4() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            var storage = SQLStorage.columns
            storage.keepsWholeMilliseconds = true
            var query = try Query(
                format: "TRUEPREDICATE",
                schema: Schema([.field("placed", .date(.native), isOptional: false)])
            )
            query.order = ["-placed"]
            try expectShown(query.sql(.postgresql, from: "orders", storage: storage).sql, "…ORDER BY \"orders\".\"placed\" DESC")
            _ = (storage, query)
        }
    }

    static func SQLStorage_5() throws {
        let query = try ExampleWorld.query(); _ = query
        let schema = ExampleWorld.schema; _ = schema
        do {
            var storage = SQLStorage.columns
            storage.keepsTimeZones = true
            let schema = Schema([.field("placed", .date(.native))])
            let query = try Query(format: "placed < now()", schema: schema)
            try expectShown(query.sql(.postgresql, from: "orders", storage: storage).where, "\"orders\".\"placed\" < CAST($1 AS timestamptz)")
            _ = (storage, schema, query)
        }
    }

    static func SQLStorage_6() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            var storage = SQLStorage.columns
            storage.decimalColumns = ["price"]
            let query = try Query(format: "price > 9.5", schema: Schema([.field("price", .double)]))
            try expectShown(query.sql(.postgresql, from: "goods", storage: storage).where, "\"goods\".\"price\" > CAST($1 AS numeric)")
            _ = (storage, query)
        }
    }

    static func SQLStorage_7() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            var storage = SQLStorage.columns
            storage.castColumns = ["state"]
            let query = try Query(format: "state == 'open'", schema: Schema([.field("state", .string)]))
            try expectShown(query.sql(.postgresql, from: "orders", storage: storage).where, "CAST(\"orders\".\"state\" AS text) = CAST($1 AS text)")
            _ = (storage, query)
        }
    }

    static func SQLStorage_8() throws {
        let people = ExampleWorld.people; _ = people
        let query = try ExampleWorld.query(); _ = query
        let schema = ExampleWorld.schema; _ = schema
        do {
            var (orders, people) = (SQLStorage.columns, SQLStorage.columns)
            orders.castColumns = ["state"]
            people.relatedTables["orders"] = orders
            let order = Schema([.field("state", .string)])
            let schema = Schema(
                [.field("orders", .list(.object(order)), relation: .init(table: "orders", foreignKey: "person"))],
                primaryKey: ["id"]
            )
            let query = try Query(format: "ANY orders.state == 'open'", schema: schema)
            try expectShown(query.sql(.postgresql, from: "people", storage: people).where, "…CAST(\"k1\".\"state\" AS text) = …")
            _ = (order, schema, query)
        }
    }

    static func SQLStorage_9() throws {
        let query = try ExampleWorld.query(); _ = query
        do {
            let query = try Query(format: "ANY tags == 'red'")
            try expectShown(query.sql(.sqlite, from: "people").assumptions.map(\.document), "[{\"json\":\"tags\"}]")
            _ = (query)
        }
    }

    static func SQLStorage_10() throws {
        do {
            let storage = SQLStorage.columns(json: ["tags"])
            try expectShown(Query(format: "ANY tags == 'red'").sql(.sqlite, from: "people", storage: storage).where, "…json_each…")
            _ = (storage)
        }
    }

    static func SQLStorage_11() throws {
        do {
            let storage = SQLStorage.document(column: "body", key: "id")
            try expectShown(Query(format: "_id > 'm'").sql(.sqlite, from: "notes", storage: storage).where, "\"notes\".\"id\" > ?")
            _ = (storage)
        }
    }
}
