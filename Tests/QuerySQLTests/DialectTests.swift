import Foundation
import PredicateQL
import Testing

/// A database that the library does not know, made by public means.
@Suite struct DialectTests {
    private static let people = Schema(
        [
            .field("id", .int, isOptional: false), .field("name", .string), .field("age", .int),
            .field("rate", .double), .field("born", .date(.native)), .field("key", .uuid),
            .field("boss", .object(.any), relation: Schema.Relation(table: "people", foreignKey: "boss_id", key: "id")),
        ],
        primaryKey: ["id"]
    )

    private func query(_ text: String, order: [SortKey] = [], skip: Int? = nil, limit: Int? = nil) throws -> Query {
        try Query(parsing: text, order: order, skip: skip, limit: limit, schema: Self.people)
    }

    @Test func statementsAreMySQLs() throws {
        let conditions = [
            ("name != 'Ann'", "NOT ((`people`.`name` COLLATE utf8mb4_0900_bin) <=> CAST(? AS CHAR))"),
            ("rate > 0.5", "`people`.`rate` > CAST(? AS DOUBLE)"),
            ("age / 2 == 3", "`people`.`age` DIV nullif(CAST(? AS SIGNED), CAST(0 AS SIGNED)) = CAST(? AS SIGNED)"),
            ("age & 4 == 4", "CAST(`people`.`age` & CAST(? AS SIGNED) AS SIGNED) = CAST(? AS SIGNED)"),
            ("born < now()", "`people`.`born` < str_to_date(?, '%Y-%m-%dT%H:%i:%s.%fZ')"),
            (
                "boss.name == 'x'",
                "`people`.`boss_id` IN (SELECT `j1`.`id` FROM `people` AS `j1` "
                    + "WHERE (`j1`.`name` COLLATE utf8mb4_0900_bin) = CAST(? AS CHAR))"
            ),
        ]
        for (text, expected) in conditions {
            #expect(try query(text).sql(.mysql, from: "people").where == expected)
        }
        #expect(
            try query("age > 1", order: ["-rate"], skip: 3).sql(.mysql, from: "people").sql
                == "SELECT `people`.* FROM `people` WHERE `people`.`age` > CAST(? AS SIGNED) "
                + "ORDER BY `people`.`rate` DESC, `people`.`id` DESC LIMIT 9223372036854775807 OFFSET ?"
        )
        #expect(
            try query("age > 1", limit: 3).sqlDelete(.mysql, from: "people").sql
                == "DELETE FROM `people` WHERE `people`.`id` IN (SELECT * FROM (SELECT `people`.`id` FROM `people` "
                + "WHERE `people`.`age` > CAST(? AS SIGNED) ORDER BY `people`.`id` LIMIT ?) AS deleted)"
        )
    }

    /// No alias is the name of the table, in any case of letters, behind the name of a schema or not.
    @Test func aliasesAreNoTables() throws {
        let schema = Schema([.field("tags", .list(.string)), .field("name", .string)])
        let query = try Query(parsing: "ANY tags == name", schema: schema)
        for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
            let alias = try #require(
                ["e1", "e2", "e3"].first { (try? query.sql(dialect, from: "people").sql.contains("\"\($0)\"")) == true }
            )
            for table in [alias, alias.uppercased()] + (dialect == .sqlite ? [] : ["shop.\(alias)"]) {
                let sql = try query.sql(dialect, from: SQLTable(table)).sql
                #expect(!sql.contains("AS \"\(alias)\""), "\(sql)")
                #expect(sql.contains("AS \"e"), "\(sql)")
            }
        }
    }

    @Test func backslashesAreDoubled() throws {
        var nested = SQLForms.Nested()
        nested.member = "member({0}, {1})"
        var dialect = SQLDialect.mysql
        dialect.forms?.nested = nested
        let inner = Schema([.field(#"a\'b"#, .int)])
        let query = Query(
            .comparison(Comparison(.field(FieldPath(keys: ["o", #"a\'b"#]), .none), .greater, .value(.int(1), .none))),
            schema: Schema([.field("o", .object(inner))])
        )
        #expect(
            try query.sql(dialect, from: "t").where == #"member(`t`.`o`, 'a\\''b') > CAST(? AS SIGNED)"#
        )
    }

    /// What has no form is refused with its place, in a condition, an order, a field and a group.
    @Test func missingFormsAreRefused() throws {
        for text in [
            "key == CAST('0a0b0c0d-0000-4000-8000-000000000000', 'NSUUID')", "year(born, 'Europe/Berlin') == 1990",
        ] {
            let condition = "age > 1 AND " + text
            #expect {
                try query(condition).sql(.mysql, from: "people")
            } throws: { error in
                let error = error as? QueryError
                return error?.code == .unsupported && error?.range.map { $0.lowerBound >= 12 } == true
            }
        }
        var computed = try query("age > 1")
        computed.computed = [try ComputedField(parsing: "zone=hour(born, 'Europe/Berlin')")]
        #expect(throws: QueryError.self) { try computed.sql(.mysql, from: "people") }
        computed.order = ["zone"]
        #expect(throws: QueryError.self) { try computed.sqlDelete(.mysql, from: "people") }
        #expect(throws: QueryError.self) { try query("age > 1").suggestedIndexes(.mysql, from: "people") }
        var keyless = try query("age > 1", limit: 3)
        keyless.schema = Schema([.field("age", .int)])
        #expect { try keyless.sql(.mysql, from: "people") } throws: {
            ($0 as? QueryError)?.hint == "name the table's key: primaryKey"
        }
    }

    /// What MySQL is not asked is left to memory.
    @Test func splitsAnswerTheRest() throws {
        let query = try query("age > 1 AND year(born, 'Europe/Berlin') == 1990 AND name ==[c] 'ann'")
        let split = try query.split(for: .mysql, from: "people")
        #expect(split.store.format == "age > 1")
        let rest = split.rest?.format ?? ""
        #expect(rest.contains("Europe/Berlin") && rest.contains("==[c]"), "\(rest)")
    }

    @Test func formsHaveHoles() {
        #expect(SQLForm("left({0}, {1})") == "left({0}, {1})")
        #expect(SQLForm.unsupported != "")
        var dialect = SQLDialect.postgresql
        dialect.forms?.length = "length({3})"
        #expect(throws: QueryError.self) { try query("length(name) > 3").sql(dialect, from: "people") }
    }

    /// The page's lines are those of the dialect that the judge runs.
    @Test func thePageHasTheDialect() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appending(path: "MySQLDialect.swift"), encoding: .utf8)
        let page = try String(contentsOf: folder.appending(path: "../../Grammar/stores.md"), encoding: .utf8)
        let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }
        let start = try #require(lines.firstIndex { $0.hasPrefix("var forms") })
        let end = try #require(lines.firstIndex(of: "return mysql"))
        #expect(end - start > 30)
        #expect(page.contains(lines[start..<end].joined(separator: "\n") + "\n"))
    }
}
