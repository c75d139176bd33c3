import PredicateQL
import Testing

/// A tree built in Swift is checked against its schema like text, by the evaluator and by every translation.
@Suite struct CheckedTreeTests {
    private static let schema = Schema([
        .field("active", .bool), .field("joined", .date(.iso8601)), .field("token", .uuid), .field("n", .int),
        .field("tags", .list(.string)),
    ])

    /// Constants of another kind than their field, as texts and as trees.
    private static let cases: [(format: String, condition: Condition)] = [
        ("active == 1", Field("active") == 1),
        ("active != 0 OR n > 5", Field("active") != 0 || Field("n") > 5),
        ("joined == '2020-01-01T00:00:00Z'", Field("joined") == "2020-01-01T00:00:00Z"),
        ("joined > '2020-01-01T00:00:00Z' AND n == 1", Field("joined") > "2020-01-01T00:00:00Z" && Field("n") == 1),
        (
            "token == '6BA7B810-9DAD-11D1-80B4-00C04FD430C8'",
            Field("token") == "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
        ),
        ("n == 1.0", Field("n") == 1.0),
    ]

    @Test func aTreeMeansWhatItsTextMeans() throws {
        let token = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        let row: Document = ["active": true, "joined": "2020-01-01T00:00:00.000Z", "token": .string(token), "n": 1]
        for (format, condition) in Self.cases {
            let tree = Query(condition, schema: Self.schema)
            let text = try Query(parsing: format, schema: Self.schema)
            for dialect in [SQLDialect.sqlite, .postgresql] {
                for storage in [SQLStorage.columns, .document()] {
                    let ours = try tree.sql(dialect, from: SQLTable("t", storage: storage), now: 0)
                    let theirs = try text.sql(dialect, from: SQLTable("t", storage: storage), now: 0)
                    #expect(ours.sql == theirs.sql, "\(format)")
                    #expect(ours.bindings == theirs.bindings, "\(format)")
                }
            }
            #expect(try tree.mongo(now: 0).json == text.mongo(now: 0).json, "\(format)")
            #expect(try tree.matches(row) == text.matches(row), "\(format)")
        }
    }

    @Test func mistakesOfATreeAreFoundEverywhere() throws {
        let mistakes: [(Condition, QueryError.Code)] = [
            (Field("agee") > 21, .unknownField), (Field("n") > "x", .kindMismatch), (Field("tags") == "x", .quantifier),
        ]
        for (condition, code) in mistakes {
            let query = Query(condition, schema: Self.schema)
            let groups = query.grouped(by: "n", computing: [.count])
            let takers: [(String, () throws -> Void)] = [
                ("memory", { _ = try query.results(in: [["n": 1]]) }),
                ("sqlite", { _ = try query.sql(.sqlite, from: "t") }),
                ("documents", { _ = try query.sql(.sqlite, from: SQLTable("t", storage: .document())) }),
                ("duckdb", { _ = try query.sql(.duckDB, from: "t") }),
                ("indexes", { _ = try query.suggestedIndexes(from: "t") }),
                ("indexes in postgresql", { _ = try query.suggestedIndexes(.postgresql, from: "t") }),
                ("mongo", { _ = try query.mongo() }),
                ("groups in memory", { _ = try groups.results(in: [["n": 1]]) }),
                ("groups in sqlite", { _ = try groups.sql(.sqlite, from: "t") }),
                ("groups in postgresql", { _ = try groups.sql(.postgresql, from: "t") }),
                ("groups in mongo", { _ = try groups.mongo() }),
                ("groups of a service", { _ = try groups.rest() }),
            ]
            for (name, take) in takers {
                let error = #expect(throws: QueryError.self, "\(name): \(condition)") { try take() }
                #expect(error?.code == code, "\(name): \(condition)")
            }
        }
    }

    @Test func conditionsOfGroupsAreReadAgainstTheGroups() throws {
        let rows: [Document] = [["active": true, "n": 1], ["active": false, "n": 2], ["active": true, "n": 3]]
        let groups = Query(schema: Self.schema).grouped(
            by: "active",
            computing: [.count],
            having: Field("active") == 1
        )
        #expect(try groups.results(in: rows) == [["active": true, "count": 2]])
        #expect(try groups.sql(.sqlite, from: "t").bindings == [1])
        #expect(try groups.sql(.sqlite, from: "t").sql.contains("HAVING"))
        #expect(try groups.sql(.duckDB, from: "t").sql.contains("HAVING g.\"v1\" = TRUE"))
        #expect(try QueryValue.list(groups.mongo().stages.map { .object($0) }).json.contains("true"))
    }
}
