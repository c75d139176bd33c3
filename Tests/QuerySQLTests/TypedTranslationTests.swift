import PredicateQL
import QueryMeaning
import Testing

@testable import QuerySQL

/// Statements for stores with declared types.
@Suite struct TypedTranslationTests {
    private static let schema = Schema([
        .field("id", .int), .field("age", .int), .field("name", .string),
        .field(
            "kids",
            .list(.object(Schema([.field("age", .int)]))),
            relation: Schema.Relation(table: "kid", foreignKey: "owner", key: "id")
        ),
    ])

    private func query(_ format: String, skip: Int? = nil, limit: Int? = nil) throws -> Query {
        var query = try Query(parsing: format, schema: Self.schema)
        (query.skip, query.limit) = (skip, limit)
        return query
    }

    @Test func wholeStatements() throws {
        let query = try query("age > 3", skip: 2, limit: 5)
        let sql = try query.sql(.postgresql, from: SQLTable("people", primaryKey: "id"))
        #expect(
            sql.sql == """
                SELECT "people".* FROM "people" WHERE "people"."age" > CAST($1 AS bigint) ORDER BY "people"."id" \
                LIMIT CAST($2 AS bigint) OFFSET CAST($3 AS bigint)
                """
        )
        #expect(sql.bindings == [.int(3), .int(5), .int(2)])
        #expect(sql.where == "\"people\".\"age\" > CAST($1 AS bigint)")
        let deletion = try query.sqlDelete(.postgresql, from: "people").sql
        #expect(deletion.hasPrefix("DELETE FROM \"people\" WHERE \"people\".\"ctid\" IN (SELECT"))
        let plain = try self.query("age > 3")
        #expect(try plain.sqlCount(.duckDB, from: "people").sql.hasPrefix("SELECT count(*) FROM \"people\" WHERE"))
        #expect(try plain.sqlExists(.duckDB, from: "people").sql.hasPrefix("SELECT EXISTS (SELECT 1 FROM"))
    }

    @Test func childTables() throws {
        let sql = try query("kids.@count > 0 AND ANY kids.age > 5").sql(
            .postgresql,
            from: SQLTable("people", primaryKey: "id")
        )
        #expect(
            sql.where == """
                EXISTS (SELECT 1 FROM "kid" AS "k1" WHERE "k1"."owner" = "people"."id") AND \
                EXISTS (SELECT 1 FROM "kid" AS "k2" WHERE "k2"."owner" = "people"."id" AND "k2"."age" > CAST($1 AS bigint))
                """
        )
    }

    /// A UUID is stored as a text but is not one: it is its own only element (S12).
    @Test func aUUIDIsNoTextToLookInto() throws {
        let query = try Query(
            format: "u CONTAINS CAST('00000001-ABCD-4000-8000-00000000000F', 'NSUUID')",
            schema: Schema([.field("u", .uuid)])
        )
        let sql = try query.sql(.postgresql, from: SQLTable("t", storage: .document()))
        #expect(sql.where.hasPrefix("EXISTS (SELECT 1 FROM jsonb_array_elements("))
        let texts = [#""00000001-abcd-4000-8000-00000000000f""#, #""00000001-ABCD-4000-8000-00000000000F""#]
        #expect(sql.whereBindings == texts.map { .string($0) })
    }

    /// The product may exceed 64 bits, where memory continues with doubles; no column does.
    @Test func numbersBeyondWhatIsWorkedOutAreRefused() throws {
        for dialect in [SQLDialect.postgresql, .duckDB] {
            for format in ["age * age >= 9.3e18", "age * age == 1e20", "NOT -age < -9.3e18"] {
                let query = try query(format)
                let error = #expect(throws: QueryError.self, "\(format)") { try query.sql(dialect, from: "t") }
                #expect(error?.code == .unsupported)
            }
            #expect(try query("age >= 9.3e18").sql(dialect, from: "t").where == "FALSE")
        }
    }

    @Test func setsAreNotAddedUp() throws {
        let schema = Schema([.field("k", .list(.object(Schema([.field("a", .int)]))))])
        let query = try Query(format: "k.@distinctUnionOfObjects.a.@sum.self > 2", schema: schema)
        let error = #expect(throws: QueryError.self) {
            try query.sql(.postgresql, from: SQLTable("t", storage: .document()))
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("distinct values") == true)
    }

    @Test func setsAreNoValues() throws {
        for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
            for operation in ["INTERSECT", "UNION", "MINUS"] {
                #expect {
                    try Query(parsing: "tags \(operation) {'red'} == {'red'}").sql(dialect, from: "t")
                } throws: { ($0 as? QueryError)?.message == "a set is not a single value in SQL" }
            }
        }
    }

    @Test func rowsOfAnotherTableAreNotCompared() throws {
        let query = try query("SUBQUERY(kids, $k, SUBQUERY(kids, $j, $j == $k).@count > 1).@count > 0")
        for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
            let error = #expect(throws: QueryError.self) {
                try query.sql(dialect, from: SQLTable("people", primaryKey: "id"))
            }
            #expect(error?.code == .unsupported)
            #expect(error?.range != nil)
        }
    }

    @Test func infinitiesBesideDocumentsAreBeyondAllDoubles() throws {
        let schema = Schema([.field("a", .int), .field("d", .double)])
        let sql = try Query(format: "a == d * 2", schema: schema)
            .sql(.postgresql, from: SQLTable("t", storage: .document(column: "doc")))
        for part in ["e308 AND", "THEN CAST('1e400' AS jsonb)", "< -1.7976931348623157e308 THEN CAST('-1e400'"] {
            #expect(sql.where.contains(part), "\(part)")
        }
        #expect(sql.where.contains("= 'NaN'::double precision THEN CAST('1e401' AS jsonb)"), "NaN is not nil")
    }

    @Test func whatCannotBeSaidNamesItsPlace() throws {
        var plain = SQLDialect.postgresql
        plain.foldFunction = nil
        for format in ["name ==[cd] 'a'", "name MATCHES 'a++'", "name LIKE name", "CAST(name, 'NSNumber') == 1"] {
            do {
                _ = try query(format).sql(plain, from: "people")
                Issue.record("\(format) is said")
            } catch let error as QueryError {
                #expect(error.code == .unsupported, "\(format)")
                #expect(error.range != nil, "\(format)")
            }
        }
        #expect(throws: QueryError.self) { try query("name == 'a\\u0000'").sql(.postgresql, from: "people") }
        #expect(throws: QueryError.self) { try Query(format: "x + 1 > 2").sql(.postgresql, from: "t") }
    }

    @Test func whatMayMapOrIsCountedOnceIsRefusedWithItsPlace() throws {
        for (format, place) in [
            ("k.a[SIZE] == 1", "k.a"), ("SUBQUERY(k, $x, $x.a.b == 1).@count > 0", "$x.a.b"),
            ("k.@distinctUnionOfObjects.a.@sum.self > 2", "k.@distinctUnionOfObjects.a.@sum.self"),
        ] {
            do {
                _ = try Query(parsing: format).sql(.postgresql, from: SQLTable("t", storage: .document(column: "doc")))
                Issue.record("\(format) is said")
            } catch {
                let named = error.range.map { String(decoding: Array(format.utf8)[$0], as: UTF8.self) }
                #expect(error.code == .unsupported, "\(format)")
                #expect(named == place, "\(format)")
            }
        }
        for format in ["ANY k.@distinctUnionOfObjects.a == 1", "k[0] == 1"] {
            let sql = try Query(parsing: format).sql(
                .postgresql,
                from: SQLTable("t", storage: .document(column: "doc"))
            )
            #expect(sql.where.contains("jsonb_typeof"), "\(format)")
        }
    }

    @Test func aColumnOfUnknownTypeIsTakenForTheConstantsKind() throws {
        let sql = try Query(format: "x > 5 AND s == 'a'").sql(.postgresql, from: "t")
        #expect(sql.assumptions.contains(.kind("x", .number)))
        #expect(sql.assumptions.contains(.kind("s", .string)))
    }

    @Test func foldedColumnsServeOptions() throws {
        var storage = SQLStorage.columns
        storage.foldedColumns["name"] = ["cd": "name_folded"]
        let sql = try query("name ==[cd] 'ZOÉ'").sql(.postgresql, from: SQLTable("people", storage: storage))
        #expect(sql.where == "\"people\".\"name_folded\" = CAST($1 AS text)")
        #expect(sql.whereBindings == [.string("zoe")])
        var dialect = SQLDialect.postgresql
        dialect.foldFunction = "fold"
        let called = try query("name ==[cd] 'ZOÉ'").sql(dialect, from: "people")
        #expect(called.functions == [SQLFunction(name: "fold", arguments: 2)])
    }

    /// An index in the default order serves it.
    @Test func requiredColumnsAreSortedWithoutNulls() throws {
        let schema = Schema([.field("name", .string, isOptional: false), .field("age", .int)], primaryKey: ["name"])
        let orders: [(key: SortKey, expected: String)] = [
            ("name", #"ORDER BY ("people"."name" COLLATE "C") ASC"#),
            ("-name", #"ORDER BY ("people"."name" COLLATE "C") DESC"#),
            ("age", #"ORDER BY "people"."age" ASC NULLS FIRST"#),
        ]
        for (key, expected) in orders {
            let query = try Query(parsing: "TRUEPREDICATE", order: [key], schema: schema)
            #expect(try query.sql(.postgresql, from: "people").sql.hasSuffix(expected))
        }
    }

    @Test func requiredColumnsNeedNoTestForNil() throws {
        let schema = Schema([.field("name", .string, isOptional: false), .field("city", .string)])
        let sql = try Query(format: "name != 'Ann' AND city != 'Rome'", schema: schema).sql(.postgresql, from: "people")
        #expect(
            sql.where == """
                "people"."name" <> CAST($1 AS text) AND "people"."city" IS DISTINCT FROM CAST($2 AS text)
                """
        )
    }

    /// Orders of people, in a table with this key.
    private func people(orderKey: [String]) -> Schema {
        let orders = Schema([.field("number", .int), .field("total", .double)], primaryKey: orderKey)
        let relation = Schema.Relation(table: "orders", foreignKey: "owner", key: "id")
        return Schema([.field("orders", .list(.object(orders)), relation: relation)])
    }

    @Test func aSumIsComputedOnce() throws {
        for format in ["orders.@sum.total > 9", "orders.@sum.total >= 9"] {
            let sql = try Query(parsing: format, schema: people(orderKey: [])).sql(.postgresql, from: "people")
            #expect(sql.where.split(separator: "sum(").count == 2, "\(sql.where)")
        }
    }

    @Test func rowsOfAnotherTableAreInTheOrderOfTheirKey() throws {
        let sql = try Query(format: "orders[1].total > 9", schema: people(orderKey: ["number"]))
            .sql(.postgresql, from: "people")
        #expect(
            sql.where.hasPrefix(
                """
                (SELECT "k1"."number" FROM "orders" AS "k1" WHERE "k1"."owner" = "people"."id" \
                ORDER BY "k1"."number" LIMIT 1 OFFSET 1) IN (SELECT
                """
            ),
            "\(sql.where)"
        )
        for key in [[], ["number", "total"]] {
            let query = try Query(format: "orders[0].total > 9", schema: people(orderKey: key))
            let error = #expect(throws: QueryError.self) { try query.sql(.postgresql, from: "people") }
            #expect(error?.code == .unsupported && error?.range != nil)
        }
    }

    @Test func namesMayLookLikePlaceholders() throws {
        let sql = try Query(format: "%K == 1", arguments: ["a?b\"c"]).sql(.postgresql, from: "t'?")
        #expect(sql.where == "\"t'?\".\"a?b\"\"c\" = CAST($1 AS bigint)")
    }

    /// DuckDB turns `-d > 1` into `d < -1`, which is wrong for NaN.
    @Test func aDoubleIsNegatedByAProduct() throws {
        let schema = Schema([.field("d", .double), .field("i", .int)])
        for (dialect, type) in [(SQLDialect.postgresql, "double precision"), (.duckDB, "DOUBLE")] {
            let sql = try Query(format: "-d > 1", schema: schema).sql(dialect, from: "t")
            #expect(
                sql.where == """
                    nullif("t"."d" * -1, 'NaN'::\(type)) > CAST($1 AS \(type))
                    """
            )
        }
        #expect(try Query(format: "-i == 1", schema: schema).sql(.duckDB, from: "t").where.hasPrefix("-"))
    }

    /// A column may have fewer bits than an int or a double, and stores calculate with as many as both sides have.
    @Test func columnsCalculateWith64Bits() throws {
        let schema = Schema([.field("i", .int), .field("j", .int), .field("d", .double), .field("l", .list(.double))])
        for (format, text) in [
            ("i * j > 5", #"CAST("t"."i" AS bigint) * "t"."j" > CAST($1 AS bigint)"#),
            ("i + j - 1 > 5", #"CAST("t"."i" AS bigint) + "t"."j" - CAST($1 AS bigint) > CAST($2 AS bigint)"#),
            ("i + 1 > 5", #""t"."i" + CAST($1 AS bigint) > CAST($2 AS bigint)"#),
            ("-i == 5", #"-CAST("t"."i" AS bigint) = CAST($1 AS bigint)"#),
            ("abs(i) == 5", #"abs(CAST("t"."i" AS bigint)) = CAST($1 AS bigint)"#),
            ("d + d == 5", #"CAST("t"."d" AS double precision) + "t"."d" = CAST($1 AS double precision)"#),
        ] {
            #expect(try Query(parsing: format, schema: schema).sql(.postgresql, from: "t").where == text)
        }
        let sums = Grouping(Query(schema: schema), by: ["i"], computing: [.sum("d")])
        #expect(try sums.sql(.postgresql, from: "t").sql.contains(#"CAST("t"."d" AS double precision) AS "v2""#))
    }

    /// A date stored as text is of another kind than a text with the same letters (S5).
    @Test(arguments: ["d == s", "d <= s", "d != s", "ANY k.b <= d", "s BETWEEN {'a', d}"])
    func aDateIsNotTheTextItIsKeptAs(format: String) throws {
        func statement(_ d: FieldType) throws -> String {
            let kids = FieldType.list(.object(Schema([.field("b", .any)])))
            var query = try Query(parsing: format)
            query.schema = Schema([.field("d", d), .field("s", .any), .field("k", kids)])
            return try query.sql(.postgresql, from: SQLTable("t", storage: .document())).where
        }
        #expect(try statement(.date(.iso8601Milliseconds)).contains("[0-9][0-9][0-9][0-9]-"))
        #expect(try !statement(.string).contains("[0-9][0-9][0-9][0-9]-"))
    }

    @Test func groups() throws {
        let schema = Schema([.field("name", .string), .field("age", .int), .field("born", .date(.native))])
        var query = try Query(format: "age > 3", skip: 1, limit: 2, schema: schema)
        query.order = ["-sum_age"]
        let grouping = Grouping(
            query,
            by: ["name"],
            computing: [.count, .sum("age")],
            having: try Condition(format: "count > 1")
        )
        let postgresql = try grouping.sql(.postgresql, from: "t")
        #expect(
            postgresql.sql == """
                SELECT g."v1" AS "name", count(*) AS "count", \
                coalesce(CAST(sum(g."v2") AS bigint), 0) AS "sum_age" \
                FROM (SELECT "t"."name" AS "v1", "t"."age" AS "v2" FROM "t" WHERE "t"."age" > CAST($1 AS bigint)) AS g \
                GROUP BY g."v1" HAVING count(*) > CAST($2 AS bigint) \
                ORDER BY coalesce(CAST(sum(g."v2") AS bigint), 0) DESC NULLS LAST, \
                (g."v1" COLLATE "C") ASC NULLS FIRST LIMIT CAST($3 AS bigint) OFFSET CAST($4 AS bigint)
                """
        )
        #expect(postgresql.bindings == [3, 1, 2, 1])
        let duckDB = try grouping.sql(.duckDB, from: "t").sql
        #expect(duckDB.contains("GROUP BY g.\"v1\" HAVING count(*) > CAST($2 AS BIGINT)"))
        let documents = try Grouping(query, by: ["name"], computing: [.sum("age")])
            .sql(.postgresql, from: SQLTable("t", storage: .document()))
        #expect(documents.sql.contains("nullif((\"t\".\"doc\" -> 'name'), 'null'::jsonb)"))
        query.order = []
        let byDate = try Grouping(query, by: ["born"], computing: [.max("name")]).sql(.postgresql, from: "t")
        #expect(byDate.sql.contains("max((g."))
    }

    /// What the stores' judges compute, its text: the numbers in the middle, and the greatest of bools, UUIDs and bytes.
    @Test func middlesAndExtremesOfGroups() throws {
        let fields: [(String, FieldType)] = [("age", .int), ("paid", .bool), ("id", .uuid), ("body", .data)]
        var query = Query()
        query.schema = Schema(fields.map { .field($0.0, $0.1) })
        func sql(_ reducer: Reducer) throws -> String {
            try Grouping(query, by: [], computing: [reducer]).sql(.postgresql, from: "t").sql
        }
        let middle = #"(array_agg(g."v1" ORDER BY g."v1"))"#
        #expect(try sql(.median("age")).contains(#"CAST("t"."age" AS double precision) AS "v1""#))
        let middles = #"\#(middle)[(count(g."v1") + 1) / 2] + \#(middle)[count(g."v1") / 2 + 1]"#
        #expect(try sql(.median("age")).contains("SELECT (\(middles)) / 2 AS"))
        let bool = #"max(CASE WHEN g."v1" THEN 1 WHEN g."v1" IS NOT NULL THEN 0 END) = 1 AS "max_paid""#
        #expect(try sql(.max("paid")).contains(bool))
        #expect(try sql(.min("id")).contains("\(middle)[1]"))
        #expect(try sql(.max("body")).contains("\(middle)[count(g.\"v1\")]"))
    }

    /// Refusals say what to do instead.
    @Test func refusalsHaveHints() throws {
        let bytes = try Query(format: "a == %@", QueryValue.data([1]))
        let documents = SQLTable("t", storage: .document())
        for dialect in [SQLDialect.postgresql, .duckDB] {
            for text in ["name LIKE other", "undeclared[FIRST] == 1"] {
                let error = #expect(throws: QueryError.self) { try Query(parsing: text).sql(dialect, from: "t") }
                #expect(error?.hint != nil, "\(text)")
            }
        }
        let error = #expect(throws: QueryError.self) { try bytes.sql(.postgresql, from: documents) }
        #expect(error?.hint != nil)
    }

    @Test func groupsThatCannotBeSaid() throws {
        let query = try query("TRUEPREDICATE")
        let custom = Reducer.custom("x", initial: 0) { value, _ in value }
        for grouping in [
            Grouping(query, by: ["kids.age"], computing: [.count]), Grouping(query, by: [], computing: [custom]),
            Grouping(query, by: [], computing: [.distinct("age")]),
            Grouping(query, by: [], computing: [.first("age")]), Grouping(query, by: [], computing: [.last("age")]),
        ] {
            for dialect in [SQLDialect.postgresql, .duckDB] {
                let error = #expect(throws: QueryError.self) { try grouping.sql(dialect, from: "t") }
                #expect(error?.code == .unsupported)
            }
        }
        let having = try Condition(format: "least MATCHES 'a++'")
        let bad = Grouping(query, by: ["age"], computing: [Reducer.min("name").as("least")], having: having)
        do throws(QueryError) {
            _ = try bad.sql(.postgresql, from: "t")
            Issue.record("a pattern that the store reads otherwise is said")
        } catch {
            #expect(error.code == .unsupported)
            #expect(error.path == "having")
        }
    }

    /// `Tests/Judges/plans.py` makes them in a real PostgreSQL.
    @Test func indexesForPostgreSQL() throws {
        let schema = Schema(
            [
                .field("id", .int), .field("name", .string), .field("age", .int), .field("born", .date(.native)),
                .field("tags", .list(.string)),
            ],
            primaryKey: ["id"]
        )
        func indexes(_ format: String, _ order: [SortKey] = [], limit: Int? = nil) throws -> [String] {
            let query = try Query(parsing: format, order: order, limit: limit, schema: schema)
            return try query.suggestedIndexes(.postgresql, from: "t").map { index in
                try #require(index.components(separatedBy: " ON \"t\" ").last).replacing("\"t\".", with: "")
            }
        }
        #expect(try indexes("name == 'x' AND age > 3") == [#"(("name"), ("age"))"#])
        #expect(try indexes("name BEGINSWITH 'x'") == [#"((("name" COLLATE "C")))"#])
        #expect(try indexes("name ==[c] 'x'") == [#"((pql_fold('c', "name")))"#])
        #expect(try indexes("ANY tags == 'x' AND age == 3") == [#"USING gin (("tags"))"#, #"(("age"))"#])
        #expect(try indexes("name == 'x' OR age IN {1, 2}") == [#"(("name"))"#, #"(("age"))"#])
        #expect(
            try indexes("age == 3", ["age", "-name"], limit: 5)
                == [#"(("age"), (("name" COLLATE "C")) DESC NULLS LAST, ("id") DESC)"#]
        )
        // What the key finds or orders, what no index helps, and what a time zone changes.
        for (format, order) in [
            ("id == 3 AND age > 1", []), ("TRUEPREDICATE", ["id"]), ("name CONTAINS 'x'", []), ("age == nil", []),
            ("age == 1 OR name CONTAINS 'x'", []), ("TRUEPREDICATE", ["born"]),
        ] as [(String, [SortKey])] {
            #expect(try indexes(format, order) == [], "\(format)")
        }
        let orders = Schema([.field("total", .int), .field("state", .string), .field("person", .int)])
        let people = Schema(
            [
                .field("age", .int),
                .field("orders", .list(.object(orders)), relation: .init(table: "orders", foreignKey: "person")),
                .field("boss", .object(schema), relation: .init(table: "people", foreignKey: "boss_id")),
            ],
            primaryKey: ["id"]
        )
        for (format, expected) in [
            ("orders.@count > 5", [#"CREATE INDEX IF NOT EXISTS "orders_person" ON "orders" ("person")"#]),
            (
                "ALL orders.total > 5",
                [#"CREATE INDEX IF NOT EXISTS "orders_total_person" ON "orders" (("orders"."total"), "person")"#]
            ),
            (
                "NOT (ANY orders.state == 'open')",
                [#"CREATE INDEX IF NOT EXISTS "orders_state_person" ON "orders" (("orders"."state"), "person")"#]
            ),
            (
                "orders.@sum.total > 5 AND orders.@count > 1",
                [#"CREATE INDEX IF NOT EXISTS "orders_person_total" ON "orders" ("person", "total")"#]
            ),
            (
                "boss.name == 'Ann'",
                [
                    #"CREATE INDEX IF NOT EXISTS "people_name" ON "people" (("people"."name"))"#,
                    #"CREATE INDEX IF NOT EXISTS "t_boss_id" ON "t" ("boss_id")"#,
                ]
            ),
        ] {
            let query = try Query(parsing: format, schema: people)
            #expect(try query.suggestedIndexes(.postgresql, from: "t") == expected, "\(format)")
        }
        // Two long names must not be cut to the same one.
        let long = String(repeating: "a", count: 70)
        let query = try Query(parsing: "\(long) BETWEEN {1, 2}")
        #expect(try query.suggestedIndexes(.postgresql, from: "t").first?.hasPrefix("CREATE INDEX ON \"t\" ((") == true)
        #expect(throws: QueryError.self) { try query.suggestedIndexes(.duckDB, from: "t") }
    }

    @Test func portablePatterns() {
        for (pattern, portable) in [
            ("a.c", "a[^\n]c"), ("\\d+", "[0-9]+"), ("[a-c]{2,3}?", "[a-c]{2,3}"), ("(?:a|b)*", "(?:a|b)*"),
            ("(a)", "(?:a)"), ("a\\.b", "a\\.b"), ("", ""), ("^a$|\\Ab\\z", "a|b"), ("\\ba", "\\ba"),
            ("[a.-]", "[a.\\-]"),
            ("[-^&]", "[\\-\\^\\&]"), ("[^\\n]", "[^\n]"), ("(?i)ak", "[aA][kK\u{212A}]"),
            ("(?i)[^l-s]1", "[^l-sL-S\u{17F}]1"), ("(?s)a.", "a(?:.|\n)"), ("(?si)k.", "[kK\u{212A}](?:.|\n)"),
        ] {
            #expect(PortablePattern(pattern)?.text == "^(?:" + portable + ")$", "\(pattern)")
        }
        for pattern in [
            "a++", "(?=a)", "\\b*a", "(?i)é", "(a)\\1", "a^", "a$b", "(^a)", "[[:alpha:]]", "\\p{L}", "a{300}",
            "\\Qa\\E",
            "[a-\\d]", "[\\w-z]", "[--a]", "[a-c-e]", "[]a]", "[a", "(?x).",
        ] {
            #expect(PortablePattern(pattern) == nil, "\(pattern)")
        }
    }
}
