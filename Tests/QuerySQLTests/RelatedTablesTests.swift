import PredicateQL
import PredicateQLSQLite
import QuerySyntax
import Testing

/// Random conditions over tables that lead to other tables: SQLite finds what the evaluator finds.
///
/// To a row of another table, to rows of another table and what those lead to, beside columns of JSON and UUIDs.
/// `AGREEMENT=10000` asks so many queries of a fixed seed and of a fresh one, which is printed (else of the fixed one alone);
/// `SEED=n` asks one seed.
@Suite(.serialized) struct RelatedTablesTests {
    @Test(arguments: [SQLStorage.columns, .document()])
    func joinsAgree(_ storage: SQLStorage) throws {
        let count = ProcessEnvironment.number("AGREEMENT") ?? 1_000
        let given = ProcessEnvironment.number("SEED").map(UInt64.init)
        let fresh = ProcessEnvironment.number("AGREEMENT").map { _ in UInt64.random(in: 0..<1 << 32) }
        for seed in given.map({ [$0] }) ?? [SQLAgreementTests.seed, fresh].compactMap(\.self) {
            var tables = RelatedTables(seed: seed)
            let database = try SQLiteDatabase.inMemory()
            try Self.fill(database, tables, storage)
            var refused: [String: Int] = [:]
            var (queries, pairs, mismatches) = (0, 0, 0)
            for _ in 0..<count where mismatches < 6 {
                guard let query = tables.query() else { continue }
                do {
                    let comparison = try Fixture.compare(query, tables.rows(storage), storage, database)
                    (queries, pairs) = (queries + 1, pairs + comparison.compared)
                    guard let difference = comparison.difference else { continue }
                    mismatches += 1
                    Issue.record("SEED=\(seed), \(query.nilMeaning)\n\(query.condition.format)\n\(difference)")
                } catch let error as QueryError where [.unsupported, .limit, .unknownField].contains(error.code) {
                    refused[error.message, default: 0] += 1
                }
            }
            #expect(queries > count / 4)
            print(
                "SEED=\(seed), related \(storage == .columns ? "columns" : "documents"): \(pairs) pairs of \(queries) queries,",
                "\(refused.values.reduce(0, +)) refused, \(mismatches) differ"
            )
            if ProcessEnvironment.number("VERBOSE") != nil { print(refused) }
        }
    }

    private static let stores: [(name: String, dialect: SQLDialect, words: TableWords, storage: SQLStorage)] = [
        ("postgresql-related", .postgresql, .postgreSQL, .columns),
        ("postgresql-related-documents", .postgresql, .postgreSQL, .document()),
        ("duckdb-related", .duckDB, .duckDB, .columns),
    ]

    /// What PostgreSQL and DuckDB can say of the same tables, for `Tests/Judges/sql.sh`.
    @Test(arguments: stores.indices)
    func joinsOfTypedStores(_ store: Int) throws {
        let store = Self.stores[store]
        let count = ProcessEnvironment.number("AGREEMENT") ?? 300
        let seed = ProcessEnvironment.number("SEED").map(UInt64.init) ?? SQLAgreementTests.seed
        var tables = RelatedTables(seed: seed, allowsNul: false)
        var cases: [Document] = []
        for _ in 0..<count {
            guard let query = tables.query() else { continue }
            if let judged = try? query.judged(in: store.dialect, store.storage, tables.rows(store.storage)) {
                cases.append(judged)
            }
        }
        #expect(cases.count > count / 4)
        let content: Document = [
            "setup": .list(tables.setup(store.words, store.storage).map { .string($0) }),
            "rows": .list(tables.rows.map { .string(JSONWriter(style: .canonical).text(.object($0))) }),
            "cases": .list(cases.map { .object($0) }),
        ]
        try TypedCases.write(content, as: store.name)
    }

    /// An element that leads to no row gives nil, as in memory; where nil cannot be found, it need not be looked for.
    @Test func missingRowsInBetween() throws {
        func sql(_ format: String, _ dialect: SQLDialect) throws -> String {
            let query = try Query(parsing: format, schema: RelatedTables.schema)
            return try query.sql(dialect, from: "docs", primaryKey: "id").where
        }
        for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
            #expect(try sql("ANY k.toy.parts.a != 1", dialect).contains(#" LEFT JOIN "parts" AS "#))
            #expect(try sql("boss.kids.@count == 0", dialect).contains(" IS NOT NULL AND NOT EXISTS "))
            #expect(try !sql("boss.kids.@count > 0", dialect).contains(" IS NOT NULL"))
        }
        #expect(try !sql("ANY k.toy.parts.a == 1", .sqlite).contains("LEFT JOIN"))
        // The other table need not have a column of the name of this one's key.
        for dialect in [SQLDialect.postgresql, .duckDB] {
            #expect(try sql("ANY k.toy.parts == nil", dialect).hasSuffix(#" AND "k3"."toy" IS NULL)"#))
        }
    }

    private static func fill(
        _ database: SQLiteDatabase,
        _ related: RelatedTables,
        _ storage: SQLStorage
    ) throws {
        for table in RelatedTables.tables(.sqlite, storage) { try database.execute(table) }
        for insert in related.inserts(storage) {
            let names = insert.values.map(\.column).joined(separator: ", ")
            let places = insert.values.map { _ in "?" }.joined(separator: ", ")
            let statement = "INSERT INTO \(insert.table) (\(names)) VALUES (\(places))"
            _ = try database.rows(statement, insert.values.map { stored($0.value) })
        }
    }

    /// A value as a column keeps it.
    private static func stored(_ value: QueryValue) -> QueryValue {
        switch value {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .uuid(let uuid): .string(uuid.uuidString.lowercased())
        case .list, .object: .string(JSONWriter().text(value))
        default: value
        }
    }
}
