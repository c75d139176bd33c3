import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// The statements for whole queries, in every dialect, and what SQLite finds by them, are as they were.
///
/// `GoldenTests` asks conditions over one table. Here are the rest: related rows, order, skip, limit and fields; counts,
/// existence, removal and indexes; folded, trigram and key columns, decimals, casts and instants with zones.
/// `GOLDEN=write swift test --filter StatementTests` writes `Tests/Data/statements.txt` anew; a change of texts is
/// described in the message of its commit, and the hashes of what SQLite finds (the last of each line) stay.
@Suite struct StatementTests {
    private static let url = SpecFile.repository.appendingPathComponent("Tests/Data/statements.txt")

    @Test func statementsAreAsTheyWere() throws {
        let isWritten = ProcessInfo.processInfo.environment["GOLDEN"] == "write"
        let all = try everyday() + related() + chained() + stored()
        #expect(Set(all.map(\.name)).count == all.count)
        let asked = all.enumerated().filter { isWritten || SeededGenerator.isAsked($0.offset, oneIn: 4) }.map(\.element)
        let outputs = try asked.map { question in try question.outputs() }
        let file = GoldenFile(asked.map(\.name), outputs.map { $0.map(\.text) })
        #expect(file.lines.count == asked.count, "two questions share a hash of their names; change one")
        if isWritten {
            let command = "GOLDEN=write swift test --filter StatementTests"
            try Data(file.text(by: command).utf8).write(to: Self.url)
            return
        }
        let before = try GoldenFile(reading: Self.url)
        #expect(Set(before.lines.keys) == Set(all.map { GoldenFile.key($0.name) }), "other questions than in the file")
        var shown = 0
        var (texts, answers) = (0, 0)
        for (question, outputs) in zip(asked, outputs) {
            guard let line = before.lines[GoldenFile.key(question.name)] else { continue }
            let now = Substring(GoldenFile.line(outputs.map(\.text)))
            for (position, output) in outputs.enumerated()
            where GoldenFile.hash(at: position, in: line) != GoldenFile.hash(at: position, in: now) {
                if output.isAnswer { answers += 1 } else { texts += 1 }
                shown += 1
                if shown <= 8 { print("\(question.name)\n  \(output.label) is now\n  \(output.text)") }
            }
        }
        #expect(answers == 0, "\(answers) answers of SQLite differ")
        #expect(texts == 0, "\(texts) texts differ; write the file anew where that is meant")
    }
}

/// A query with the stores that it is asked of.
private struct StatementQuestion {
    /// A store that a query is translated for.
    struct Store {
        var name: String
        var dialect: SQLDialect
        var storage: SQLStorage
        var schema: Schema?
        /// Where SQLite has its tables, to ask it too.
        var database: SQLiteDatabase?
    }

    struct Output {
        var label: String
        var text: String
        var isAnswer = false
    }

    /// The complete question.
    var name: String
    var query: Query
    var stores: [Store]
    var now: Int64 = 0

    /// The statements in each store, or their errors; then what SQLite finds.
    func outputs() throws -> [Output] {
        var (texts, answers): ([Output], [Output]) = ([], [])
        for store in stores {
            var query = query
            query.schema = store.schema
            for (verb, translate) in Self.verbs {
                let label = store.name + " " + verb
                var statements: [Statement] = []
                do throws(QueryError) {
                    statements = try translate(query.checked(), store, now)
                    let lines = statements.map { "\($0.sql) -- \(QueryValue.list($0.bindings).json) \($0.assumptions)" }
                    texts.append(Output(label: label, text: lines.joined(separator: "\n")))
                } catch {
                    texts.append(Output(label: label, text: "error \(error.code.rawValue)"))
                }
                guard let database = store.database, verb != "delete", verb != "indexes" else { continue }
                var found: [String] = []
                do throws(QueryError) {
                    for statement in statements {
                        let rows = try database.rows(statement.sql, statement.bindings)
                        // The column is named after the statement's text.
                        found += rows.map { verb == "exists" ? QueryValue.list($0.values).json : $0.json }
                    }
                } catch {
                    found = ["error \(error.code.rawValue)"]
                }
                if verb != "rows" || query.order.isEmpty { found.sort() }
                answers.append(Output(label: label, text: found.joined(separator: "\n"), isAnswer: true))
            }
        }
        return texts + answers
    }

    /// A statement with its values; what it was translated to.
    private struct Statement {
        var sql: String
        var bindings: [QueryValue] = []
        var assumptions: [Assumption] = []
    }

    private typealias Translation = @Sendable (Query, Store, Int64) throws(QueryError) -> [Statement]

    private static func one(_ query: SQLQuery) -> [Statement] {
        [Statement(sql: query.sql, bindings: query.bindings, assumptions: query.assumptions)]
    }

    private static let verbs: [(String, Translation)] = [
        (
            "rows",
            { (query, at, now) throws(QueryError) in
                one(try query.sql(at.dialect, from: SQLTable("docs", storage: at.storage, primaryKey: "id"), now: now))
            }
        ),
        (
            "count",
            { (query, at, now) throws(QueryError) in
                one(
                    try query.sqlCount(
                        at.dialect,
                        from: SQLTable("docs", storage: at.storage, primaryKey: "id"),
                        now: now
                    )
                )
            }
        ),
        (
            "exists",
            { (query, at, now) throws(QueryError) in
                one(
                    try query.sqlExists(
                        at.dialect,
                        from: SQLTable("docs", storage: at.storage, primaryKey: "id"),
                        now: now
                    )
                )
            }
        ),
        (
            "delete",
            { (query, at, now) throws(QueryError) in
                one(
                    try query.sqlDelete(
                        at.dialect,
                        from: SQLTable("docs", storage: at.storage, primaryKey: "id"),
                        now: now
                    )
                )
            }
        ),
        (
            "indexes",
            { (query, at, now) throws(QueryError) in
                try query.suggestedIndexes(
                    at.dialect,
                    from: SQLTable("docs", storage: at.storage, primaryKey: "id"),
                    now: now
                ).map { Statement(sql: $0) }
            }
        ),
    ]
}

extension StatementTests {
    /// The queries of `everyday.spec` in every store.
    fileprivate func everyday() throws -> [StatementQuestion] {
        let kinds = EverydayStore.allCases.filter { $0 != .mongo }
        var made: (rows: [String], stores: [StatementQuestion.Store])?
        var found: [StatementQuestion] = []
        for block in try SpecFile.allCases() where block.file == "everyday.spec" {
            let rows = block.rows.map(\.json)
            if made?.rows != rows {
                made = (
                    rows,
                    try kinds.map { kind in
                        let tables = try EverydayTables(block, in: kind)
                        var database: SQLiteDatabase?
                        if kind.dialect == .sqlite, !kind.keepsDocuments {
                            database = try SQLiteDatabase.inMemory()
                            for statement in tables.setup { try database?.execute(statement) }
                        }
                        return StatementQuestion.Store(
                            name: kind.rawValue,
                            dialect: kind.dialect,
                            storage: kind.storage(tables.schema),
                            schema: tables.schema,
                            database: database
                        )
                    }
                )
            }
            guard let query = try? block.makeQuery(), let stores = made?.stores else { continue }
            let name = "everyday \(block.place): \(query)"
            found.append(StatementQuestion(name: name, query: query, stores: stores, now: block.now ?? 0))
        }
        #expect(found.count >= 200)
        return found
    }

    /// Random conditions over tables that lead to others, with orders over one and two steps, pages and fields.
    fileprivate func related() throws -> [StatementQuestion] {
        var tables = RelatedTables(seed: 38)
        var random = SeededGenerator(38)
        var stores: [StatementQuestion.Store] = []
        for storage in [SQLStorage.columns, .document()] {
            let database = try SQLiteDatabase.inMemory()
            try RelatedTablesTests.fill(database, tables, storage)
            let kind = storage == .columns ? "columns" : "documents"
            let dialects: [(String, SQLDialect)] = [
                ("sqlite", .sqlite), ("postgresql", .postgresql), ("duckdb", .duckDB),
            ]
            for (name, dialect) in dialects {
                stores.append(
                    .init(
                        name: name + " " + kind,
                        dialect: dialect,
                        storage: storage,
                        schema: tables.schema,
                        database: dialect == .sqlite ? database : nil
                    )
                )
            }
        }
        let orders: [[SortKey]] = [
            [], ["x"], ["-s", "x"], ["boss.a"], ["-boss.b", "x"], ["o.a", "-s"],
            [SortKey("s", options: [.caseInsensitive, .diacriticInsensitive])],
        ]
        let fields: [[FieldPath]?] = [nil, nil, ["id"], ["x", "s"], ["o.a", "boss.a"]]
        var found: [StatementQuestion] = []
        for number in 0..<500 {
            guard var query = tables.query() else { continue }
            query.order = random.pick(orders)
            query.limit = random.pick([nil, nil, 1, 7])
            query.skip = random.chance(20) ? 3 : nil
            query.fields = random.pick(fields)
            let name = "related \(number): \(query) \(query.nilMeaning)"
            found.append(StatementQuestion(name: name, query: query, stores: stores))
        }
        #expect(found.count > 300)
        return found
    }

    /// Conditions and orders over rows that lead to one row, that to another, and so on.
    fileprivate func chained() throws -> [StatementQuestion] {
        let chain = try OrderChain()
        let stores: [StatementQuestion.Store] = [("sqlite", .sqlite), ("postgresql", .postgresql), ("duckdb", .duckDB)]
            .map { name, dialect in
                .init(
                    name: name,
                    dialect: dialect,
                    storage: .columns,
                    schema: OrderChain.schema,
                    database: dialect == SQLDialect.sqlite ? chain.database : nil
                )
            }
        var found: [StatementQuestion] = []
        for format in OrderChain.formats {
            for (order, limit) in [([], nil), (["person.city.name", "-id"], 3)] as [([SortKey], Int?)] {
                let query = try Query(parsing: format, order: order, limit: limit)
                found.append(StatementQuestion(name: "chain: \(query)", query: query, stores: stores))
            }
        }
        return found
    }

    /// Random conditions over columns that hold more than their values: folded texts, trigrams, decimals, instants.
    fileprivate func stored() throws -> [StatementQuestion] {
        let schema = Schema([
            .field("x", .int), .field("y", .double), .field("s", .string), .field("t", .string), .field("b", .bool),
            .field("d", .date(.iso8601)), .field("l", .list(.string)),
        ])
        var helped = SQLStorage.columns
        helped.foldedColumns["s"] = ["c": "s_c", "d": "s_d", "cd": "s_cd"]
        helped.trigramTables["t"] = "t_trigrams"
        var keyed = SQLStorage.document(key: "id")
        keyed.foldedColumns["s"] = ["cd": "s_cd"]
        var exact = SQLStorage.columns
        exact.decimalColumns = ["y"]
        exact.keepsTimeZones = true
        exact.castColumns = ["s"]
        let stores: [StatementQuestion.Store] = [
            .init(name: "folded", dialect: .sqlite, storage: helped, schema: schema),
            .init(name: "keyed", dialect: .sqlite, storage: keyed, schema: schema),
            .init(name: "keyed without schema", dialect: .sqlite, storage: keyed),
            .init(name: "exact postgresql", dialect: .postgresql, storage: exact, schema: schema),
            .init(name: "exact duckdb", dialect: .duckDB, storage: exact, schema: schema),
        ]
        var generator = ConditionGenerator(seed: 39)
        generator.fields = ["x", "y", "s", "t", "b", "d", "s", "t"]
        generator.collections = ["l", "s"]
        generator.constants = [.date(0), .date(1_479_117_955_787), .bool(true), .string("ab"), .string("São")]
        var random = SeededGenerator(39)
        let orders: [[SortKey]] = [
            [], ["x"], ["-d"], ["s", "-y"], [SortKey("s", options: .caseInsensitive)],
            [SortKey("t", ascending: false, options: [.caseInsensitive, .diacriticInsensitive])],
        ]
        var found: [StatementQuestion] = []
        for number in 0..<400 {
            var condition = generator.condition()
            for _ in 0..<8 where (try? Query(condition, schema: schema).checked()) == nil {
                condition = generator.condition()
            }
            let query = Query(condition, order: random.pick(orders), limit: random.pick([nil, 5]))
            found.append(StatementQuestion(name: "stored \(number): \(query)", query: query, stores: stores))
        }
        return found
    }
}
