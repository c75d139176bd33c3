import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import Testing

/// Columns whose whole text is a list: a text that starts with `[`, or with space before it, is treated as a list
/// without parsing it; everything else is a single value.
@Suite struct ListTextTests {
    private static let texts: [String?] = [
        "[1,2]", " [1,2]", "\n\t[2]", "[ ]", "[]", "2", " 2", "null", nil, "{\"a\":2}", "\"[2]\"", "\"[\"", "[[2]]",
        "[null]", "[{\"a\":2},{\"a\":[2]}]", "[\"[2]\",true]", "true",
    ]

    private static let queries = [
        "ANY l == 2", "NONE l == 2", "ALL l == 2", "NOT ANY l == 2", "l.@count == 2", "l.@count == nil",
        "l.@count == 0",
        "l.@sum == 3", "l.@avg == 1.5", "l.@max == 2", "ANY l.a == 2", "ANY l.a == nil", "ALL l.a > 1", "l.@sum.a == 2",
        "SUBQUERY(l, $e, $e == 2).@count == 1", "SUBQUERY(l, $e, $e == 2).@count == nil",
        "SUBQUERY(l, $e, $e.a == 2).@count >= 1", "SUBQUERY(l, $e, $e > 0).@count == 0",
    ]

    @Test func columnsOfTextAgreeWithTheirRows() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, l JSON)")
        var rows: [Document] = []
        for (id, text) in Self.texts.enumerated() {
            let inserted = try database.rows(
                "INSERT INTO t VALUES (?, ?) RETURNING typeof(l)",
                [.int(Int64(id)), text.map { .string($0) } ?? .null]
            )
            #expect(inserted.count == 1)
            var row: Document = ["id": .int(Int64(id))]
            if let text { row["l"] = try QueryValue(json: text) }
            rows.append(row)
        }
        for schema in [Schema([.field("l", .list(.any))], allowsOthers: true), nil] {
            for text in Self.queries {
                var query = try Query(parsing: text)
                query.schema = schema
                let statement = try query.sql(
                    .sqlite,
                    from: SQLTable("t", storage: .columns(json: ["l"]), primaryKey: "id")
                )
                let found = try database.rows(statement.sql, statement.bindings).compactMap { $0["id"] }
                let expected = try query.results(in: rows).compactMap { $0["id"] }
                #expect(found == expected, "\(text) \(schema == nil ? "" : "with a schema")\n\(statement.where)")
            }
        }
    }

    /// A text that starts like a list but is not one is an error, as everywhere (T6).
    @Test func malformedListsAreErrors() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, l JSON); INSERT INTO t VALUES (1, '[1,')")
        for text in ["ANY l == 2", "l.@count == 2", "l.@sum == 2", "SUBQUERY(l, $e, $e == 2).@count == 0"] {
            let statement = try Query(parsing: text).sql(.sqlite, from: SQLTable("t", storage: .columns(json: ["l"])))
            #expect(throws: QueryError.self, "\(text)") { try database.rows(statement.sql, statement.bindings) }
        }
    }

    /// `head*tail` over columns: the two parts may not overlap, and NUL does not end a text (T9).
    @Test func headsAndTails() throws {
        let database = try SQLiteDatabase.inMemory()
        let texts = [
            "", "b", "ab", "aba", "abab", "ab\0ab", "ab\0", "\0ab", "abXab", "ABab", "ab\u{10FFFF}ab", "äbab", "abä",
            "ä",
        ]
        let rows = try Fixture.makeColumns(texts.map { ["s": .string($0)] } + [["s": nil], ["s": 5]], in: database)
        for pattern in ["ab*ab", "a*b", "ab*b", "ab*a", "a*ä", "ä*b", "ä*ä", "ab*\u{10FFFF}ab", "\u{10FFFF}*b"] {
            for format in ["s LIKE %@", "NOT s LIKE %@", "s LIKE[c] %@", "s LIKE[cd] %@"] {
                let query = try Query(parsing: format, arguments: [.string(pattern)])
                let difference = try Fixture.answer(query, rows, .columns, database)
                #expect(difference == nil, "\(format) \(pattern)\n\(difference ?? "")")
            }
        }
    }

    /// NUL does not end the text of a column in a conditional or a list either.
    @Test func textsBehindOtherTerms() throws {
        let database = try SQLiteDatabase.inMemory()
        let texts: [Document] = ["ab\0ab", "ab\0", "\0ab", "ab", "aXb"].map { ["s": .string($0)] }
        let rows = try Fixture.makeColumns(texts, in: database)
        let schema = Schema([.field("s", .string)], allowsOthers: true)
        for format in [
            "TERNARY(s != nil, s, 5) LIKE 'a*b'", "TERNARY(s != nil, s, 5) LIKE '?*b'", "ANY {s, 5} LIKE 'a*b'",
            "ANY {s, 5} LIKE '?b?a*'", "NONE {5, s} LIKE 'a?b'",
        ] {
            let query = try Query(parsing: format, schema: schema)
            let difference = try Fixture.answer(query, rows, .columns, database)
            #expect(difference == nil, "\(format)\n\(difference ?? "")")
        }
    }
}
