import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import Testing

/// Keys that start with a combining mark: Swift joins it with the sign before it into one character, our code must not.
@Suite struct MarkTests {
    /// An accent, a joiner, a variation selector and an emoji modifier.
    private static let marks = ["\u{592}", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1F3FD}"]

    private static let formats = [
        "%K == 1", "%K != 1", "%K > 0", "ANY %K == 1", "%K IN {1, 2}", "%K.a == 1", "ANY %K.a == 1", "%K[0] == 1",
        "%K.@count == 1", "%K == {1}", "ANY %K == {1}", "SUBQUERY(%K, $e, $e.%K == 1).@count == 1", "%K == nil",
    ]

    private func rows(_ key: String) -> [Document] {
        let inner = QueryValue.object(["a": 1])
        let outer = QueryValue.object(Document(pairs: [(key, QueryValue.int(1))]))
        let values: [QueryValue] = [1, [1], inner, [inner, outer], .null, [[1]], 0]
        return values.map { Document(pairs: [(key, $0), ("r", QueryValue.int(1))]) } + [["r": 1]]
    }

    private func queries(_ key: String) throws -> [Query] {
        try Self.formats.map { format in
            let count = format.components(of: "%K")
            return try Query(parsing: format, arguments: Array(repeating: .string(key), count: count))
        }
    }

    @Test func textAndFilters() throws {
        for mark in Self.marks {
            let key = mark + "r"
            let rows = rows(key)
            for query in try queries(key) {
                let found = try query.matchingIndices(in: rows)
                let text = query.format
                #expect(try Query(parsing: text).matchingIndices(in: rows) == found, "\(text)")
                for isGuarded in [false, true] {
                    guard let mongo = try? query.mongo(guarded: isGuarded) else { continue }
                    let again = try Query(mongo: mongo)
                    #expect(try again.matchingIndices(in: rows) == found, "\(text)\n\(mongo.json)")
                }
            }
        }
    }

    @Test func statements() throws {
        for mark in Self.marks {
            let key = mark + "r"
            let rows = rows(key)
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, doc TEXT)")
            for (id, row) in rows.enumerated() {
                let json = JSONWriter().text(.object(row))
                _ = try database.rows("INSERT INTO docs VALUES (?, ?)", [.int(Int64(id)), .string(json)])
            }
            for query in try queries(key) {
                let statement = try query.sql(.sqlite, from: SQLTable("docs", storage: .document(), primaryKey: "id"))
                guard rows.allSatisfy(statement.assumptions.hold) else { continue }
                let ids = try database.rows(
                    "SELECT id FROM docs WHERE \(statement.where) ORDER BY id",
                    statement.whereBindings
                ).map { $0["id"] }
                #expect(ids == (try query.matchingIndices(in: rows).map { .int(Int64($0)) }), "\(statement.where)")
            }
        }
    }

    /// Placeholders inside names stay names; those outside are numbered.
    @Test func placeholders() throws {
        for mark in Self.marks {
            let name = mark + "?"
            let postgres = try Query(format: "%K == 1 AND %K == 2", name, "b").sql(.postgresql, from: name)
            #expect(
                postgres.where.utf8.elementsEqual(
                    """
                    "\(name)"."\(name)" = CAST($1 AS bigint) AND "\(name)"."b" = CAST($2 AS bigint)
                    """.utf8
                )
            )
            let many = (0..<40).map { "(%K == \($0) AND %K > \($0))" }.joined(separator: " OR ")
            let query = try Query(parsing: many, arguments: Array(repeating: .string(name), count: 80))
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE t (\"\(name)\")")
            let statement = try query.sql(.sqlite, from: "t")
            #expect(statement.bindings.count == 80)
            #expect(try database.rows(statement.sql, statement.bindings).isEmpty)
        }
    }

    /// A literal means what the parser reads; a field of a name that looks like a key prints otherwise.
    @Test(arguments: ["name", "name[c]", "-name[d]", "a.b[cd]", "-[c]x", "[c]", "name[n]", "name[CD]"])
    func sortKeysOfLiterals(_ text: String) throws {
        guard let parsed = try? SortKey(parsing: text) else {
            let fields = ["-[c]x": SortKey.descending("[c]x"), "[c]": .ascending("[c]")]
            #expect(SortKey(stringLiteral: text) == fields[text])
            return
        }
        #expect(SortKey(stringLiteral: text) == parsed)
        let field = SortKey(FieldPath(keys: [text]))
        #expect(field == parsed || "\(field)" != "\(parsed)")
        let rows: [Document] = [["name": "B"], ["name": "a"]]
        #expect(try Query(order: ["name[c]"]).results(in: rows).first == rows[1])
    }

    @Test func sortKeysAndReducers() throws {
        for mark in Self.marks {
            let key = mark + "r"
            let path = FieldPath(keys: [key])
            #expect(try SortKey(parsing: "-" + key) == .descending(path))
            #expect(SortKey(stringLiteral: "-" + key) == .descending(path))
            #expect(try SortKey(parsing: key + "[cd]").path == path)
            #expect(throws: QueryError.self) { try SortKey(parsing: key + "[" + mark + "]") }
            #expect(try Reducer(parsing: "sum:" + key) == .sum(path))
            #expect(try Reducer(parsing: "sum: " + key + " as " + key) == .sum(path).as(key))
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        utf8.indices.count { utf8[$0...].starts(with: part.utf8) }
    }
}
