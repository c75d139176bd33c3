import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import Testing

/// SQLite uses indexes for the statements, and the suggested indexes are used.
@Suite struct PlanTests {
    private static let schema = Schema([
        .field("id", .int, isOptional: false), .field("name", .string), .field("age", .int), .field("state", .string),
        .field("boss", .object(person), relation: .init(table: "person", foreignKey: "boss_id", key: "id")),
        .field("kids", .list(.object(kid)), relation: .init(table: "kid", foreignKey: "fk", key: "id")),
    ])
    private static let person = Schema([.field("name", .string), .field("age", .int)])
    private static let kid = Schema([.field("p", .int), .field("name", .string)])

    /// A query, the expected text of its plan once the suggested indexes exist, and their number.
    private struct Case {
        var text: String
        var order: [SortKey] = []
        var limit: Int?
        var plan: [String]
        var count = 1
        var isDocument = false
    }

    private static let cases: [Case] = [
        Case(text: "age == 5", plan: ["SEARCH person USING INDEX person_age (age=?)"]),
        Case(text: "age == nil", plan: ["SEARCH person USING INDEX person_age (age=?)"]),
        Case(text: "age IN {1, 2}", plan: ["SEARCH person USING INDEX person_age (age=?)"]),
        Case(text: "age > 5 AND age < 9", plan: ["SEARCH person USING INDEX person_age (age>? AND age<?)"]),
        Case(text: "NOT (age > 5) AND state == 'MA'", plan: ["SEARCH person USING INDEX person_state (state=?)"]),
        Case(text: "age BETWEEN {1, 2}", plan: ["SEARCH person USING INDEX person_age (age>? AND age<?)"]),
        Case(text: "name BEGINSWITH 'Jo'", plan: ["SEARCH person USING INDEX person_name (name>? AND name<?)"]),
        Case(text: "name LIKE 'Jo*n'", plan: ["SEARCH person USING INDEX person_name (name>? AND name<?)"]),
        Case(text: "name ==[cd] 'jo'", plan: ["SEARCH person USING INDEX person_name_cd (<expr>=?)"]),
        Case(
            text: "name BEGINSWITH[c] 'jo'",
            plan: ["SEARCH person USING INDEX person_name_c (<expr>>? AND <expr><?)"]
        ),
        Case(text: "5 < age", plan: ["SEARCH person USING INDEX person_age (age>?)"]),
        Case(
            text: "state == 'MA' AND age > 5 AND name CONTAINS 'x'",
            plan: ["SEARCH person USING INDEX person_state_age (state=? AND age>?)"]
        ),
        Case(
            text: "state == 'MA'",
            order: ["-age"],
            limit: 5,
            plan: ["SEARCH person USING INDEX person_state_age_id (state=?)", "-TEMP B-TREE"]
        ),
        Case(
            text: "age > 3",
            order: ["-age", "name"],
            limit: 5,
            plan: ["SEARCH person USING INDEX person_age_desc_name_id (age>?)", "-TEMP B-TREE"]
        ),
        Case(
            text: "TRUEPREDICATE",
            order: ["age", "-name"],
            limit: 5,
            plan: ["SCAN person USING INDEX person_age_desc_name_id", "-TEMP B-TREE"]
        ),
        Case(
            text: "age == 5 OR name BEGINSWITH 'Jo'",
            plan: ["MULTI-INDEX OR", "person_age (age=?)", "person_name (name>? AND name<?)"],
            count: 2
        ),
        Case(text: "age == 5 OR name CONTAINS 'Jo'", plan: ["SCAN person"], count: 0),
        Case(text: "age != 5", plan: ["SCAN person"], count: 0),
        Case(text: "name ENDSWITH 'Jo'", plan: ["SCAN person"], count: 0),
        Case(
            text: "ANY kids.p > 99",
            plan: [
                "SEARCH person USING INTEGER PRIMARY KEY (rowid=?)", "SEARCH k1 USING COVERING INDEX kid_p_fk (p>?)",
            ]
        ),
        Case(
            text: "boss.name == 'Ann'",
            plan: [
                "SEARCH person USING INDEX person_boss_id (boss_id=?)", "person_name (name=?)",
            ],
            count: 2
        ),
        Case(
            text: "NONE kids.p > 99",
            plan: ["SEARCH k1 USING COVERING INDEX kid_p_fk (p>?)"]
        ),
        Case(text: "ALL kids.p > 99", plan: ["kid_p_fk (p<?)"]),
        Case(text: "NOT (ANY kids.p > 99)", plan: ["SEARCH k1 USING COVERING INDEX kid_p_fk (p>?)"]),
        Case(text: "kids.@count > 5", plan: ["SEARCH k1 USING COVERING INDEX kid_fk (fk=?)"]),
        Case(text: "kids.@count == 0", plan: ["SEARCH k1 USING COVERING INDEX kid_fk (fk=?)"]),
        Case(text: "kids.@sum.p > 5", plan: ["SEARCH k1 USING COVERING INDEX kid_fk_p (fk=?)"]),
        Case(text: "kids.@max.p > 5", plan: ["SEARCH k1 USING COVERING INDEX kid_fk_p (fk=?"]),
        Case(text: "age > 5 OR kids.@count > 2", plan: ["SEARCH k1 USING COVERING INDEX kid_fk (fk=?)"]),
        Case(text: "age > 5 OR ANY kids.p > 2", plan: ["MULTI-INDEX OR", "kid_p_fk (p>?)"], count: 2),
        Case(
            text: "age > 5 AND kids.@count > 2 AND kids.@sum.p < 4",
            plan: ["SEARCH person USING INDEX person_age (age>?)", "SEARCH k1 USING COVERING INDEX kid_fk_p (fk=?)"],
            count: 2
        ),
        Case(
            text: "SUBQUERY(kids, $k, $k.p > 5 AND $k.name == 'x').@count > 2",
            plan: ["SEARCH k1 USING COVERING INDEX kid_fk_name_p (fk=? AND name=? AND p>?)"]
        ),
        Case(text: "a.b == 5", plan: ["SEARCH docs USING INDEX docs_a_b (<expr>=?)"], isDocument: true),
        Case(text: "a > 5", plan: ["SEARCH docs USING INDEX docs_a (<expr>>? AND <expr><?)"], isDocument: true),
        Case(text: "flag == TRUE", plan: ["SEARCH docs USING INDEX docs_flag_kind (<expr>=?)"], isDocument: true),
        Case(text: "s ==[cd] 'é'", plan: ["SEARCH docs USING INDEX docs_s_cd (<expr>=?)"], isDocument: true),
        Case(
            text: "state == 'MA' AND pop >= 50000",
            plan: ["SEARCH docs USING INDEX docs_state_pop (<expr>=? AND <expr>>? AND <expr><?)"],
            isDocument: true
        ),
        Case(
            text: "state == 'MA'",
            order: ["pop"],
            plan: ["SEARCH docs USING INDEX docs_state_pop_rank_pop (<expr>=?)", "-TEMP B-TREE"],
            isDocument: true
        ),
    ]

    private func database() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, state TEXT, boss_id INTEGER);
            CREATE TABLE kid (p INTEGER, name TEXT, fk INTEGER);
            CREATE TABLE docs (doc TEXT);
            """
        )
        return database
    }

    /// Columns declared for dates hold them in any form, so that only an index of the dates serves an order.
    @Test func indexesOfDatesOfAnyFormServe() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, made DATETIME)")
        var query = Query(order: ["-made"], limit: 20)
        for schema in [nil, Schema([.field("id", .int), .field("made", .date(.sqliteText))])] {
            query.schema = schema
            for index in try query.suggestedIndexes(in: database, from: "item") { try database.execute(index) }
            let table = try SQLTable("item", storage: database.table("item").storage, primaryKey: "id")
            query.schema = try schema ?? database.table("item").schema
            let statement = try query.sql(.sqlite, from: table)
            let plan = try database.queryPlan(statement.sql, statement.bindings)
            #expect(plan.count == 1 && plan[0].contains("INDEX item_made"), "\(plan) \(statement.sql)")
        }
    }

    @Test func suggestedIndexesAreUsed() throws {
        for test in Self.cases {
            let database = try database()
            let query = try Query(
                parsing: test.text,
                order: test.order,
                limit: test.limit,
                schema: test.isDocument ? nil : Self.schema
            )
            let table = test.isDocument ? "docs" : "person"
            let storage: SQLStorage = test.isDocument ? .document() : .columns
            let key = test.isDocument ? "rowid" : "id"
            let statement = try query.sql(.sqlite, from: SQLTable(table, storage: storage, primaryKey: key))
            let before = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
            #expect(before.contains("SCAN") || before.contains("PRIMARY KEY"), "\(test.text): \(before)")
            let indexes = try query.suggestedIndexes(from: SQLTable(table, storage: storage, primaryKey: key))
            #expect(indexes.count == test.count, "\(test.text): \(indexes)")
            for index in indexes { try database.execute(index) }
            let after = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
            for words in test.plan {
                let isThere = after.contains(words.hasPrefix("-") ? String(words.dropFirst()) : words)
                #expect(
                    isThere == !words.hasPrefix("-"),
                    "\(test.text) \(test.order): \(after)\n\(indexes)\n\(statement.sql)"
                )
            }
        }
    }

    @Test func hostileNamesAreIndexed() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(#"CREATE TABLE "a""b" ("x""; y" INTEGER, "é." TEXT)"#)
        let fields = [FieldPath(keys: ["x\"; y"]), FieldPath(keys: ["é."])]
        let condition = Condition.and(
            fields.map { .comparison(Comparison(.field($0, .none), .equal, .value(.int(1), .none))) }
        )
        let query = Query(condition)
        for index in try query.suggestedIndexes(from: "a\"b") { try database.execute(index) }
        let statement = try query.sql(.sqlite, from: "a\"b")
        let plan = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
        #expect(plan.contains("SEARCH") && plan.contains("=? AND"), "\(plan)")
    }
}
