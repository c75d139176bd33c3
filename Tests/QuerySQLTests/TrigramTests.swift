import PredicateQL
import PredicateQLSQLite
import QuerySQL
import SpecSupport
import Testing

/// CONTAINS through a full-text table of trigrams agrees with plain CONTAINS (S12).
@Suite struct TrigramTests {
    private let database: SQLiteDatabase
    private let storage: SQLStorage
    private static let pieces = [
        "abc", "ABC", "é", "e\u{301}", "\"", "\"\"", "'", "%", "_", "*", "?", "-", "AND", "NEAR(", "straße", "STRASSE",
        "😀", "日本語",
        " ", "\u{200B}", "^", "col:", "\u{FFFF}", "İ", "ſ", "K", "1", "0",
    ]

    init() throws {
        database = try .inMemory()
        try database.execute(
            """
            CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, other TEXT);
            CREATE VIRTUAL TABLE title_trigrams USING fts5(title, content='articles', content_rowid='id', tokenize='trigram');
            CREATE TRIGGER added AFTER INSERT ON articles BEGIN
                INSERT INTO title_trigrams(rowid, title) VALUES (new.id, new.title);
            END;
            """
        )
        var storage = SQLStorage.columns
        storage.trigramTables["title"] = "title_trigrams"
        self.storage = storage
        var random = SeededGenerator(20_261_125)
        for id in 0..<400 {
            let title = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Self.pieces.randomElement(using: &random) ?? ""
            }
            let value: QueryValue = id.isMultiple(of: 40) ? .null : .string(title.joined())
            _ = try database.rows("INSERT INTO articles VALUES (?, ?, ?)", [.int(Int64(id)), value, value])
        }
    }

    @Test func theAnswerIsTheSame() throws {
        var narrowed = 0
        for (number, first) in Self.pieces.enumerated() {
            for (other, second) in Self.pieces.enumerated() where SeededGenerator.isAsked(number + other, oneIn: 4) {
                for format in ["title CONTAINS %@", "NOT title CONTAINS %@", "title CONTAINS[cd] %@ OR id < 5"] {
                    let query = try Query(parsing: format, arguments: [.string(first + second)])
                    let statement = try query.sql(.sqlite, from: SQLTable("articles", storage: storage))
                    if statement.sql.contains("MATCH") { narrowed += 1 }
                    let found = try database.rows(statement.sql, statement.bindings)
                    let plain = try query.sql(.sqlite, from: "articles")
                    let wanted = try database.rows(plain.sql, plain.bindings)
                    #expect(found.map { $0["id"] } == wanted.map { $0["id"] }, "\(format) \(first + second)")
                }
            }
        }
        #expect(narrowed > 125)
    }

    @Test func thePlanAsksTheTable() throws {
        let query = try Query(format: "title CONTAINS 'abcABC' AND id > 3")
        let statement = try query.sql(.sqlite, from: SQLTable("articles", storage: storage))
        let plan = try database.queryPlan(statement.sql, statement.bindings).joined(separator: "\n")
        #expect(plan.contains("VIRTUAL TABLE INDEX") && !plan.contains("SCAN articles"), "\(plan)")
    }

    @Test func otherFormsDoWithout() throws {
        for format in [
            "title CONTAINS 'ab'", "title CONTAINS[c] 'abc'", "other CONTAINS 'abc'", "title CONTAINS other",
            "title BEGINSWITH 'abc'", "title CONTAINS 'ab\u{0}c'", "title CONTAINS ''",
        ] {
            let sql = try Query(parsing: format).sql(.sqlite, from: SQLTable("articles", storage: storage)).sql
            #expect(!sql.contains("MATCH"), "\(format): \(sql)")
        }
        let schema = Schema([.field("title", .string)])
        let negated = try Query(format: "NOT title CONTAINS 'abc'", schema: schema)
        let sql = try negated.sql(.sqlite, from: SQLTable("articles", storage: storage)).sql
        #expect(!sql.contains("MATCH"))
        var dialect = SQLDialect.sqlite
        dialect.hasTrigramTables = false
        let error = #expect(throws: QueryError.self) {
            try Query(format: "title CONTAINS 'abc'").sql(dialect, from: SQLTable("articles", storage: storage))
        }
        #expect(error?.code == .unsupported)
    }
}
