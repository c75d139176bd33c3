import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Texts that try to become SQL, Mongo operators, patterns or other queries stay texts, wherever they are passed.
@Suite struct InjectionTests {
    private static let texts: [String] = [
        "'", "''", "\"", "`", "\\", "\\'", "';", "' OR '1'='1", "' OR 1=1 --", "\" OR \"\"=\"", "1; DROP TABLE t",
        "'; DROP TABLE t; --", "x'; DELETE FROM t WHERE '1'='1", "' UNION SELECT name FROM sqlite_master --",
        "'||(SELECT group_concat(sql) FROM sqlite_master)||'", "1) OR (1=1", "/*", "*/", "--", "?", "?1", ":a", "@a",
        "$a",
        "#", "%", "_", "%%", "%_", "*", "[a-z]*", "\\x00", "a\nb", "\r\n", "\u{2028}", "‘", "“", "＇", "ʼ", "ﹸ'",
        "$where", "$ne", "$gt", "$regex", "$expr", "$$ROOT", "$function", "{\"$gt\":\"\"}", "{$ne: null}", "$s",
        "$$NOW",
        "{\"$where\":\"sleep(1000)\"}", "\",\"$or\":[{}],\"x\":\"", "]}", "}", "this.a == 1 || true", "' || true || '",
        "%@", "%K", "%d", "%n", "TRUEPREDICATE", "a' OR TRUEPREDICATE OR a == '", "SELF", "nil", "null", "(a+)+$", ".*",
        "^", "]", "[", "\\E", "\\Q", "${7*7}", "{{7*7}}", "../../etc/passwd", "\u{202E}", "\u{FEFF}", "\u{0}",
        "a\u{0}b",
        "\u{10FFFF}", "e\u{301}", "\u{E9}", "randomblob(1000000000)", "load_extension('x')", "a.b", "a[0]", "@count",
        "",
    ]

    private let database: SQLiteDatabase

    init() throws {
        database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (s TEXT, n INTEGER, o JSON)")
    }

    private func fill(_ rows: [Document]) throws {
        try database.execute("DELETE FROM t")
        try SQLiteImporter(table: "t").append(to: database) { (insert) throws(QueryError) in
            for row in rows { try insert(row) }
        }
    }

    private func expectTable(_ count: Int, _ text: String) throws {
        #expect(try database.tableNames() == ["t"], "\(text)")
        #expect(try database.rows("SELECT s FROM t").count == count, "\(text)")
    }

    @Test func argumentsStayValues() throws {
        for text in Self.texts {
            let rows: [Document] = [["s": .string(text), "n": 1], ["s": "nothing of it", "n": 2], ["n": 3]]
            try fill(rows)
            let plain = try Query(format: "s == %@", arguments: ["plain"]).sql(.sqlite, from: "t").sql
            for format in ["s == %@", "s IN %@", "%@ == s", "ANY %@ == s", "s MATCHES %@"] {
                let isList = format == "s IN %@" || format == "ANY %@ == s"
                let argument: QueryValue =
                    format.contains("MATCHES")
                    ? .string("\\Q" + text.replacing("\\E", with: "\\E\\\\E\\Q") + "\\E") : .string(text)
                let query = try Query(parsing: format, arguments: [isList ? .list([argument]) : argument])
                #expect(try query.matchingIndices(in: rows) == [0], "\(format) \(text)")
                do throws(QueryError) {
                    let found = try query.rows(in: database, from: "t")
                    #expect(found.map { $0["n"] } == [1], "\(format) \(text)")
                } catch {
                    #expect(error.code == .unsupported, "\(format) \(text): \(error)")
                }
                guard let mongo = try? query.mongo() else { continue }
                let again = try Query(mongo: mongo)
                #expect(try again.matchingIndices(in: rows) == [0], "\(format) \(text): \(mongo.json)")
            }
            let statement = try Query(format: "s == %@", arguments: [.string(text)]).sql(.sqlite, from: "t")
            #expect(
                statement.sql == plain && statement.bindings == [.string(text)],
                "the text of the value is in the SQL"
            )
            for format in ["s CONTAINS %@", "s BEGINSWITH %@", "s ENDSWITH[cd] %@", "s LIKE %@", "uppercase(s) == %@"] {
                // A lone backslash is text everywhere except in a pattern.
                if text == "\\", format.contains("LIKE") { continue }
                let query = try Query(parsing: format, arguments: [.string(text)])
                let expected = try query.matchingIndices(in: rows)
                guard let found = try? query.rows(in: database, from: "t") else { continue }
                #expect(found.map { $0["n"] } == expected.map { rows[$0]["n"] }, "\(format) \(text)")
            }
            try expectTable(3, text)
        }
    }

    /// An interpolated value or key is bound: the query equals the one built in code, whatever the values contain.
    @Test func interpolatedValuesStayValues() throws {
        var random = SeededGenerator(0x1_57)
        for _ in 0..<2_000 {
            var text = QueryFormat.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
            var parts: [Condition] = []
            var quoted: Range<Int>?
            var length = 0
            func write(_ literal: String) {
                text.appendLiteral(literal)
                length += literal.utf8.count
            }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let value = try #require(Self.texts.randomElement(using: &random))
                let key = try #require(["s", "TRUEPREDICATE", "or", "a'b", "%@"].randomElement(using: &random))
                if !parts.isEmpty { write(" AND ") }
                text.appendInterpolation(key: key)
                length += 2
                write(" == ")
                let quote = ["", "", "", "", "'", "\""].randomElement(using: &random) ?? ""
                let start = length
                write(quote)
                text.appendInterpolation(value)
                length += 2
                write(quote)
                if !quote.isEmpty, quoted == nil { quoted = start..<length }
                parts.append(Field(FieldPath(keys: [key])) == value)
            }
            let format = QueryFormat(stringInterpolation: text)
            do throws(QueryError) {
                let condition = try Query(format: format).condition
                #expect(quoted == nil, "\(format.text)")
                #expect(condition == (parts.count == 1 ? parts[0] : .and(parts)), "\(format.text)")
            } catch {
                #expect(error.code == .argument && error.range == quoted && quoted != nil, "\(format.text): \(error)")
            }
        }
    }

    /// A key is a field's name: it produces one comparison of one field, or an error.
    @Test func keysStayNames() throws {
        let rows: [Document] = [["s": "x", "n": 1], ["s": "y", "n": 2]]
        try fill(rows)
        for text in Self.texts {
            guard let query = try? Query(format: "%K == 'no such text'", arguments: [.string(text)]) else { continue }
            guard case .comparison = query.condition else {
                Issue.record("\(text) makes \(query.format)")
                continue
            }
            #expect(try query.matchingIndices(in: rows) == [], "\(text)")
            for storage in [SQLStorage.columns, .document(column: "o")] {
                do throws(QueryError) {
                    let statement = try query.sql(.sqlite, from: SQLTable("t", storage: storage))
                    #expect(try database.rows(statement.sql, statement.bindings).isEmpty, "\(text): \(statement.sql)")
                } catch {
                    #expect([.store, .unsupported, .unknownField].contains(error.code), "\(text): \(error)")
                }
            }
            guard let mongo = try? query.mongo() else { continue }
            #expect(
                !Self.keys(of: .object(mongo.filter)).contains(text) || !text.hasPrefix("$"),
                "\(text): \(mongo.json)"
            )
            #expect(try Query(mongo: mongo).matchingIndices(in: rows) == [], "\(text): \(mongo.json)")
        }
        try expectTable(2, "all keys")
    }

    /// An object passed as an argument is compared as a whole; its keys are not operators.
    @Test func objectsStayValues() throws {
        for text in Self.texts where !text.isEmpty {
            let object = QueryValue.object([text: 1])
            let rows: [Document] = [["o": object, "n": 1], ["o": .object(["x": 1]), "n": 2]]
            let query = try Query(format: "o == %@", arguments: [object])
            #expect(try query.matchingIndices(in: rows) == [0], "\(text)")
            guard let mongo = try? query.mongo() else { continue }
            let again = try Query(mongo: mongo)
            #expect(try again.matchingIndices(in: rows) == [0], "\(text): \(mongo.json)")
        }
    }

    /// Stored names of a schema are quoted, or rejected.
    @Test func schemaNamesStayNames() throws {
        for text in Self.texts {
            let schema = Schema([.field("f", .string, storedAs: text)])
            do throws(QueryError) {
                let query = try Query(format: "f == 'v'", arguments: [], schema: schema)
                let quoted = "\"" + text.replacing("\"", with: "\"\"") + "\""
                let statement = try query.sql(.sqlite, from: "t")
                #expect(statement.sql.contains(quoted), "\(text): \(statement.sql)")
                let own = try SQLiteDatabase.inMemory()
                try own.execute("CREATE TABLE t (" + quoted + " TEXT); INSERT INTO t VALUES ('v'), ('w')")
                #expect(try own.rows(statement.sql, statement.bindings).count == 1, "\(text): \(statement.sql)")
                #expect(try own.tableNames() == ["t"])
            } catch {
                #expect([.unsupported, .schema, .store, .unknownField].contains(error.code), "\(text): \(error)")
            }
        }
    }

    private static func keys(of value: QueryValue) -> [String] {
        switch value {
        case .object(let document): document.keys + document.values.flatMap(keys)
        case .list(let elements): elements.flatMap(keys)
        default: []
        }
    }
}
