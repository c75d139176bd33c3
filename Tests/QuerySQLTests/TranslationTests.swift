import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import Testing

/// The form of each construct: exact SQL, its bindings, and the rows it finds in a real table.
@Suite struct SQLTranslationTests {
    static let schema = Schema([
        .field("id", .int, isOptional: false), .field("x", .int), .field("y", .int), .field("s", .string),
        .field("b", .bool), .field("d", .date(.iso8601Milliseconds)), .field("tags", .list(.string)),
        .field("boss_id", .int),
        .field(
            "kids",
            .list(.object(Schema([.field("p", .int), .field("name", .string)]))),
            relation: Schema.Relation(table: "kid", foreignKey: "fk", key: "id")
        ),
        .field(
            "boss",
            .object(
                Schema([
                    .field("id", .int), .field("x", .int), .field("s", .string),
                    .field(
                        "kids",
                        .list(.object(Schema([.field("p", .int)]))),
                        relation: Schema.Relation(table: "kid", foreignKey: "fk", key: "id")
                    ),
                ])
            ),
            relation: Schema.Relation(table: "t", foreignKey: "boss_id", key: "id")
        ),
    ])

    static func makeTables() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, s TEXT, b BOOLEAN, d DATE, tags JSON, boss_id INTEGER);
            CREATE INDEX t_x ON t(x); CREATE INDEX t_s ON t(s); CREATE INDEX t_boss ON t(boss_id);
            CREATE INDEX t_fold ON t(fold('cd', s));
            CREATE TABLE kid (id INTEGER PRIMARY KEY, fk INTEGER, p INTEGER, name TEXT);
            CREATE INDEX kid_fk ON kid(fk); CREATE INDEX kid_p ON kid(p);
            INSERT INTO t VALUES
                (1, 5, 5, 'Apple', 1, '2020-01-01T00:00:00.000Z', '["a","b"]', NULL),
                (2, 3, 5, 'apricot', 0, '2021-01-01T00:00:00.000Z', '[]', 1),
                (3, NULL, NULL, NULL, NULL, NULL, NULL, 2),
                (4, 9, NULL, 'Äpfel*', 1, '2022-01-01T00:00:00.000Z', '["c"]', 9);
            INSERT INTO kid VALUES (1, 1, 10, 'Ann'), (2, 1, NULL, 'Bob'), (3, 2, 3, 'Cy'), (4, NULL, 99, 'Di');
            """
        )
        return database
    }

    /// A format, its SQL, its bindings, the ids it finds, and the index that the plan names.
    struct Line {
        var format: String
        var sql: String
        var bindings: [QueryValue]
        var finds: [Int64]
        var plan: String

        init(_ format: String, _ sql: String, _ bindings: [QueryValue], _ finds: [Int64], plan: String = "") {
            self.format = format
            self.sql = sql
            self.bindings = bindings
            self.finds = finds
            self.plan = plan
        }
    }

    static let lines: [Line] = [
        Line("x == 5", #"x = ?"#, [.int(5)], [1], plan: "SEARCH t USING INDEX t_x (x=?)"),
        Line("x != 5", #"x IS NOT ?"#, [.int(5)], [2, 3, 4]),
        Line("NOT x == 5", #"x IS NOT ?"#, [.int(5)], [2, 3, 4]),
        Line("x == nil", #"x IS NULL"#, [], [3], plan: "SEARCH"),
        Line("x == y", #"x IS y"#, [], [1, 3]),
        Line("x < 5", #"x < ?"#, [.int(5)], [2], plan: "SEARCH"),
        Line("NOT x < 5", #"x >= ? OR x IS NULL"#, [.int(5)], [1, 3, 4], plan: "MULTI-INDEX OR"),
        Line("x <= nil", #"x IS NULL"#, [], [3]),
        Line("x < nil", #"0"#, [], []),
        Line("x <= y", #"x <= y OR x IS NULL AND y IS NULL"#, [], [1, 2, 3]),
        Line("x BETWEEN {3, 5}", #"x BETWEEN ? AND ?"#, [.int(3), .int(5)], [1, 2], plan: "SEARCH"),
        Line("x IN {3, 9}", #"x IN (?, ?)"#, [.int(3), .int(9)], [2, 4], plan: "SEARCH"),
        Line("NOT x IN {3, 9}", #"(x IN (?, ?)) IS NOT 1"#, [.int(3), .int(9)], [1, 3]),
        Line("x IN {3, 9, nil}", #"x IN (?, ?) OR x IS NULL"#, [.int(3), .int(9)], [2, 3, 4], plan: "MULTI-INDEX OR"),
        Line("x IN {}", #"0"#, [], []),
        Line("b == TRUE", #"b = ?"#, [.int(1)], [1, 4]),
        Line("b != TRUE", #"b IS NOT ?"#, [.int(1)], [2, 3]),
        Line(
            "s BEGINSWITH 'ap'",
            #"s >= ? AND s < ?"#,
            ["ap", "aq"],
            [2],
            plan: "SEARCH t USING INDEX t_s (s>? AND s<?)"
        ),
        Line("s BEGINSWITH ''", #"s IS NOT NULL"#, [], [1, 2, 4]),
        Line("NOT s BEGINSWITH ''", #"s IS NULL"#, [], [3]),
        Line("s CONTAINS 'p'", #"instr(s, ?) > 0"#, ["p"], [1, 2, 4]),
        Line("NOT s CONTAINS 'p'", #"(instr(s, ?) > 0) IS NOT 1"#, ["p"], [3]),
        Line("s ENDSWITH 'ot'", #"substr(CAST(s AS BLOB), -2) = CAST(? AS BLOB)"#, ["ot"], [2]),
        Line("s LIKE 'Ap*'", #"s >= ? AND s < ?"#, ["Ap", "Aq"], [1], plan: "SEARCH"),
        Line("s ==[cd] 'APPLE'", #"fold('cd', s) = ?"#, ["apple"], [1], plan: "SEARCH t USING INDEX t_fold"),
        Line(
            "s BEGINSWITH[cd] 'AP'",
            #"fold('cd', s) >= ? AND fold('cd', s) < ?"#,
            ["ap", "aq"],
            [1, 2, 4],
            plan: "SEARCH"
        ),
        Line("s CONTAINS[c] 'PPL'", #"instr(fold('c', s), ?) > 0"#, ["ppl"], [1]),
        Line("s MATCHES 'A.*e'", #"pred_match(?, s)"#, ["A.*e"], [1]),
        Line("d > CAST(0, 'NSDate')", #"d > ?"#, ["2001-01-01T00:00:00.000Z"], [1, 2, 4]),
        Line("x + 1 == 6", #"x + ? = ?"#, [.int(1), .int(6)], [1]),
        Line("x / 2 == 2", #"x / ? = ?"#, [.int(2), .int(2)], [1]),
        Line("TRUEPREDICATE", "1", [], [1, 2, 3, 4]),
        Line("x == 5 AND TRUEPREDICATE", #"x = ?"#, [.int(5)], [1]),
        Line("x == 5 AND (y == 5 OR NOT s == 'a')", #"x = ? AND (y = ? OR s IS NOT ?)"#, [.int(5), .int(5), "a"], [1]),
        Line(
            "ANY kids.p > 5",
            #"id IN (SELECT "k1"."fk" FROM "kid" AS "k1" WHERE "k1"."p" > ?)"#,
            [.int(5)],
            [1],
            plan: "SEARCH k1 USING INDEX kid_p"
        ),
        Line(
            "NONE kids.p > 5",
            #"(id IN (SELECT "k1"."fk" FROM "kid" AS "k1" WHERE "k1"."p" > ?)) IS NOT 1"#,
            [.int(5)],
            [2, 3, 4]
        ),
        Line(
            "ALL kids.p > 5",
            #"(id IN (SELECT "k1"."fk" FROM "kid" AS "k1" WHERE "k1"."p" <= ? OR "k1"."p" IS NULL)) IS NOT 1"#,
            [.int(5)],
            [3, 4]
        ),
        Line(
            "ANY kids.p > x",
            #"EXISTS (SELECT 1 FROM "kid" AS "k1" WHERE "k1"."fk" = id AND "k1"."p" > x)"#,
            [],
            [1],
            plan: "SEARCH k1 USING INDEX kid_fk"
        ),
        Line("kids.@count > 0", #"EXISTS (SELECT 1 FROM "kid" AS "k1" WHERE "k1"."fk" = id)"#, [], [1, 2]),
        Line("kids.@count == 0", #"NOT EXISTS (SELECT 1 FROM "kid" AS "k1" WHERE "k1"."fk" = id)"#, [], [3, 4]),
        Line(
            "kids.@count >= 2",
            #"EXISTS (SELECT 1 FROM "kid" AS "k1" WHERE "k1"."fk" = id LIMIT 1 OFFSET ?)"#,
            [.int(1)],
            [1]
        ),
        Line(
            "kids.@count <= 1",
            #"NOT EXISTS (SELECT 1 FROM "kid" AS "k1" WHERE "k1"."fk" = id LIMIT 1 OFFSET ?)"#,
            [.int(1)],
            [2, 3, 4]
        ),
        Line("kids.@count == 2", #"(SELECT count(*) FROM "kid" AS "k1" WHERE "k1"."fk" = id) = ?"#, [.int(2)], [1]),
        Line(
            "kids.@max.p > 5",
            #"(SELECT max("k1"."p") FROM "kid" AS "k1" WHERE "k1"."fk" = id AND "k1"."p" IS NOT NULL) > ?"#,
            [.int(5)],
            [1]
        ),
        Line(
            "SUBQUERY(kids, $k, $k.p > 5 AND $k.name == 'Ann').@count > 0",
            #"id IN (SELECT "k1"."fk" FROM "kid" AS "k1" WHERE "k1"."p" > ? AND "k1"."name" = ?)"#,
            [.int(5), "Ann"],
            [1]
        ),
        Line(
            "boss.s == 'Apple'",
            #"boss_id IN (SELECT "j1"."id" FROM "t" AS "j1" WHERE "j1"."s" = ?)"#,
            ["Apple"],
            [2],
            plan: "SEARCH t USING INDEX t_boss"
        ),
        Line(
            "boss.s != 'Apple'",
            #"(SELECT "j1"."s" FROM "t" AS "j1" WHERE "j1"."id" = boss_id) IS NOT ?"#,
            ["Apple"],
            [1, 3, 4]
        ),
        Line("boss.s == nil", #"(SELECT "j1"."s" FROM "t" AS "j1" WHERE "j1"."id" = boss_id) IS NULL"#, [], [1, 4]),
        // A person without a boss has no list of the boss's kids, so the count is nil (S18).
        Line(
            "boss.kids.@count < 2",
            #"(SELECT "j2"."id" FROM "t" AS "j2" WHERE "j2"."id" = boss_id) IS NOT NULL AND NOT EXISTS "#
                + #"(SELECT 1 FROM "kid" AS "k3" WHERE "k3"."fk" = "#
                + #"(SELECT "j2"."id" FROM "t" AS "j2" WHERE "j2"."id" = boss_id) LIMIT 1 OFFSET ?)"#,
            [.int(1)],
            [3]
        ),
        Line(
            "boss.kids.@count > 1",
            #"EXISTS (SELECT 1 FROM "kid" AS "k4" WHERE "k4"."fk" = "#
                + #"(SELECT "j3"."id" FROM "t" AS "j3" WHERE "j3"."id" = boss_id) LIMIT 1 OFFSET ?)"#,
            [.int(1)],
            [2]
        ),
        Line(
            "tags.@count == 2",
            "json_array_length(tags) = ?",
            [.int(2)],
            [1]
        ),
    ]

    @Test func eachConstructHasItsForm() throws {
        let database = try Self.makeTables()
        for line in Self.lines {
            let query = try Query(parsing: line.format, arguments: [], schema: Self.schema)
            let statement = try query.sql(.sqlite, from: SQLTable("t", primaryKey: "id"))
            #expect(statement.where.shortened == line.sql, "\(line.format)")
            #expect(statement.whereBindings == line.bindings, "\(line.format)")
            let ids = try database.rows(
                "SELECT id FROM t WHERE \(statement.where) ORDER BY id",
                statement.whereBindings
            )
            #expect(ids.map { $0["id"] } == line.finds.map { .int($0) }, "\(line.format)")
            guard !line.plan.isEmpty else { continue }
            let plan = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
            #expect(plan.contains(line.plan), "\(line.format): \(plan)")
        }
    }

    /// A whole row may equal an object, which only memory can tell.
    @Test func wholeRowsAreForMemory() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE r (a, b); INSERT INTO r VALUES (1, 'x'), (2, NULL)")
        let row: QueryValue = .object(["a": 1, "b": "x"])
        for (format, value) in [("SELF == %@", row), ("SELF IN %@", .list([row])), ("NOT SELF != %@", row)] {
            let query = try Query(parsing: format, arguments: [value])
            for (dialect, storage) in [
                (SQLDialect.sqlite, SQLStorage.columns), (.sqlite, .document()), (.postgresql, .columns),
            ] {
                let error = #expect(throws: QueryError.self, "\(format)") {
                    try query.sql(dialect, from: SQLTable("r", storage: storage, primaryKey: "a"))
                }
                #expect(error?.code == .unsupported, "\(format)")
            }
            #expect(try query.results(in: database, from: "r") == [["a": 1, "b": "x"]], "\(format)")
        }
        let list = try Query(parsing: "SELF == %@", arguments: [[1]])
        #expect(try list.sql(.sqlite, from: "r").where == "0")
    }
}

extension String {
    /// Column names of the outer table without quotes and table name, to keep the lines above readable.
    fileprivate var shortened: String {
        var text = self
        for name in ["x", "y", "s", "b", "d", "id", "tags", "boss_id"] {
            text = text.split(separator: "\"t\".\"\(name)\"", omittingEmptySubsequences: false).joined(separator: name)
        }
        return text
    }
}
