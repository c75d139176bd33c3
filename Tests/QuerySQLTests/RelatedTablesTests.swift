import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Random conditions over tables that lead to other tables: SQLite finds what the evaluator finds.
///
/// To a row of another table, to rows of another table and what those lead to, beside columns of JSON and UUIDs.
/// `SEED` and `SCALE` choose them.
@Suite(.serialized) struct RelatedTablesTests {
    @Test(arguments: [SQLStorage.columns, .document()])
    func joinsAgree(_ storage: SQLStorage) throws {
        let count = SeededGenerator.count(250)
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        var tables = RelatedTables(seed: seed)
        let database = try SQLiteDatabase.inMemory()
        try Self.fill(database, tables, storage)
        try agree(&tables, storage, database, count, "SEED=\(seed), related")
    }

    /// Keys of text, UUIDs and numbers that are no row numbers, which no relation names.
    @Test(arguments: RelatedTables.Keys.allCases.dropFirst())
    func keysThatRelationsDoNotNameAgree(_ keys: RelatedTables.Keys) throws {
        let count = SeededGenerator.count(250) / 4
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        // By the schema's word, and by what the foreign keys of the tables declare.
        var tables = RelatedTables(seed: seed, keys: keys)
        let database = try SQLiteDatabase.inMemory()
        try Self.fill(database, tables, .columns)
        try agree(&tables, .columns, database, count, "SEED=\(seed), \(keys) keys")
        let declared = try Self.taking(RelatedTables.schema(keys), try database.schema(ofTable: "docs"))
        tables = RelatedTables(seed: seed, keys: keys, schema: declared)
        try agree(&tables, .columns, database, count, "SEED=\(seed), \(keys) foreign keys")
    }

    /// Columns of related rows that nobody declares, some with lists as JSON text.
    @Test func undeclaredColumnsAgree() throws {
        let count = SeededGenerator.count(250)
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        let schema = RelatedTables.schema(.named, isDeclared: false)
        var tables = RelatedTables(seed: seed, allowsNul: false, schema: schema, isDeclared: false)
        let database = try SQLiteDatabase.inMemory()
        try Self.fill(database, tables, .columns)
        try agree(&tables, .columns, database, count, "SEED=\(seed), undeclared")
        let assumed: [(String, [Assumption])] = [
            ("ANY k.tags == 'a'", [.single("k.tags")]), ("k.@unionOfObjects.tags.@count == 1", [.single("k.tags")]),
            ("k.@unionOfArrays.tags.@count == 2", [.json("k.tags")]),
            ("SUBQUERY(k, $v, $v.tags < 'b').@count > 0", [.single("k.tags")]),
            ("SUBQUERY(k, $v, ANY $v.tags.a == 1).@count > 0", [.json("k.tags")]),
            (
                "ANY k.tags == CAST('00000000-ABCD-4000-8000-00000000000F', 'NSUUID')",
                [.kind("k.tags", .uuid), .single("k.tags")]
            ),
        ]
        for (format, expected) in assumed {
            let query = try Query(parsing: format, schema: RelatedTables.schema(.named, isDeclared: false))
            #expect(
                try query.sql(.sqlite, from: SQLTable("docs", primaryKey: "id")).assumptions == expected,
                "\(format)"
            )
        }
    }

    /// The relations and keys that a file declares, in place of those that were written.
    private static func taking(_ written: Schema, _ declared: Schema) throws -> Schema {
        var taken = written
        taken.primaryKey = declared.primaryKey
        for (index, field) in taken.fields.enumerated() where field.relation != nil {
            // Only three relations are followed.
            guard let found = declared.field(named: field.name == "k" ? "kids" : field.name) else { continue }
            taken.fields[index].relation = found.relation
            guard case .object(let ours) = field.type.element, case .object(let theirs) = found.type.element else {
                throw QueryError(.schema, "\(field.name) leads to no rows")
            }
            let inner = FieldType.object(try taking(ours, theirs))
            if case .list = field.type {
                taken.fields[index].type = .list(inner)
            } else {
                taken.fields[index].type = inner
            }
        }
        return taken
    }

    private func agree(
        _ tables: inout RelatedTables,
        _ storage: SQLStorage,
        _ database: SQLiteDatabase,
        _ count: Int,
        _ name: String
    ) throws {
        var refused: [String: Int] = [:]
        var (queries, pairs, mismatches) = (0, 0, 0)
        for _ in 0..<count where mismatches < 6 {
            guard let query = tables.query() else { continue }
            do {
                let comparison = try Fixture.compare(query, tables.rows(storage), storage, database)
                (queries, pairs) = (queries + 1, pairs + comparison.compared)
                guard let difference = comparison.difference else { continue }
                mismatches += 1
                Issue.record("\(name), \(query.nilMeaning)\n\(query.condition.format)\n\(difference)")
            } catch let error as QueryError where [.unsupported, .limit, .unknownField].contains(error.code) {
                refused[error.message, default: 0] += 1
            }
        }
        #expect(queries > count / 4)
        print(
            "\(name) \(storage == .columns ? "columns" : "documents"): \(pairs) pairs of \(queries) queries,",
            "\(refused.values.reduce(0, +)) refused, \(mismatches) differ"
        )
        if ProcessEnvironment.number("VERBOSE") != nil { print(refused) }
    }

    private static let shop = [
        "CREATE TABLE customers (uid TEXT PRIMARY KEY, name TEXT, status TEXT)",
        "CREATE TABLE orders (number INT PRIMARY KEY, customer_id TEXT REFERENCES customers, total INTEGER, status TEXT)",
        "CREATE TABLE lines (a TEXT, b TEXT, orderId INT REFERENCES orders(number), PRIMARY KEY (a, b)) WITHOUT ROWID",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, a TEXT, b TEXT, FOREIGN KEY (a, b) REFERENCES lines)",
        "INSERT INTO customers VALUES ('c2', 'Ann', 'x'), ('c1', 'Ben', 'y')",
        "INSERT INTO orders VALUES (30, 'c1', 50, 'x'), (20, 'c2', 150, 'y'), (10, 'c2', 5, 'z')",
        "INSERT INTO lines VALUES ('p', 'q', 20), ('p', 'r', 30)", "INSERT INTO notes VALUES (1, 'p', 'q')",
    ]

    /// Foreign keys of the file give the relations, whatever the type and name of the keys.
    @Test func foreignKeysGiveRelations() throws {
        let database = try SQLiteDatabase.inMemory()
        for statement in Self.shop { try database.execute(statement) }
        func found(_ format: String, _ table: String, _ column: String) throws -> [QueryValue?] {
            try Query(parsing: format, order: [SortKey(FieldPath(keys: [column]), ascending: false)]).results(
                in: database,
                from: table
            ).map { $0[column] }
        }
        #expect(try found("customer.name == 'Ann'", "orders", "number") == [20, 10])
        #expect(try found("ANY orders.total > 100", "customers", "uid") == ["c2"])
        #expect(try found("orders.@count == 1", "customers", "uid") == ["c1"])
        #expect(try found("order.customer.name == 'Ben'", "lines", "b") == ["r"])
        #expect(try found("ANY orders.lines.b == 'q'", "customers", "uid") == ["c2"])
        #expect(try Query(format: "ANY lines.b == 'r'").count(in: database, from: "orders") == 1)
        // The list is that of the rows: a text of theirs is compared as a text, and with nothing else.
        let schema = try database.schema(ofTable: "customers")
        let status = try Query(parsing: "ANY orders.status == 'x'", schema: schema)
        #expect(try status.sql(.sqlite, from: "customers").assumptions.isEmpty)
        let lines = try Query(parsing: "ANY orders.customer.status == 'x'", schema: schema)
        #expect(try lines.sql(.sqlite, from: "customers").assumptions.isEmpty)
        let number = #expect(throws: QueryError.self) { try Query(parsing: "ANY orders.status > 9", schema: schema) }
        #expect(number?.code == .kindMismatch)
        let byName = Query(order: ["-customer_name"]).grouped(by: "customer.name", computing: [.count])
        #expect(try byName.results(in: database, from: "orders").map { $0["count"] } == [1, 2])
        #expect { try found("ANY notes.id == 1", "lines", "a") } throws: { error in
            (error as? QueryError)?.message == "the foreign key of notes has several columns: a, b"
        }
        #expect(throws: QueryError.self) { try found("nothing.name == 'Ann'", "orders", "number") }
    }

    /// Several keys that lead to one table are told apart by their columns.
    @Test func severalKeysToOneTable() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE trades (
                id INTEGER PRIMARY KEY, buyer_id INT REFERENCES people, sellerId INT REFERENCES people,
                agent INT REFERENCES people, total INT);
            INSERT INTO people VALUES (1, 'Ann'), (2, 'Ben');
            INSERT INTO trades VALUES (1, 1, 2, 2, 10), (2, 2, 1, 2, 20), (3, 1, 1, 1, 30);
            """
        )
        func ids(_ format: String, _ table: String) throws -> [QueryValue?] {
            try Query(parsing: format, order: ["id"]).results(in: database, from: table).map { $0["id"] }
        }
        #expect(try ids("buyer.name == 'Ann' AND seller.name == 'Ben'", "trades") == [1])
        #expect(try ids("people.name == 'Ben'", "trades") == [1, 2])
        #expect(try ids("ANY trades_by_buyer.total == 20", "people") == [2])
        #expect(try ids("trades_by_seller.@sum.total == 50", "people") == [1])
        #expect(try ids("trades_by_agent.@count == 2", "people") == [2])
        #expect { try ids("ANY trades.total > 10", "people") } throws: { error in
            (error as? QueryError)?.hint == "write trades_by_agent or trades_by_buyer or trades_by_seller"
        }
        try database.execute(
            "CREATE TABLE games (id INTEGER PRIMARY KEY, home INT REFERENCES people, away REFERENCES people)"
        )
        try database.execute("INSERT INTO games VALUES (1, 1, 2), (2, 2, 1)")
        #expect(try ids("people_by_home.name == 'Ann'", "games") == [1])
        // A reference to the table itself, and a name that another table has.
        try database.execute(
            """
            CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent INT REFERENCES nodes, v INT);
            CREATE TABLE trades_by_seller (id INTEGER PRIMARY KEY, people_id INT REFERENCES people);
            INSERT INTO nodes VALUES (1, NULL, 5), (2, 1, 6);
            INSERT INTO trades_by_seller VALUES (7, 2);
            """
        )
        #expect(try ids("nodes.v == 5", "nodes") == [2])
        #expect(try ids("ANY nodes_by_parent.v == 6", "nodes") == [1])
        #expect(try ids("ANY trades_by_seller.id == 7", "people") == [2])
        #expect(try ids("ANY trades_by_buyer.total == 20", "people") == [2])
    }

    /// A schema written by hand joins on the table's own key, and where nothing says it, on none.
    @Test func keysOfSchemasWrittenByHand() throws {
        let database = try SQLiteDatabase.inMemory()
        for statement in Self.shop { try database.execute(statement) }
        let order = Schema([.field("total", .int)])
        let customers = Schema([
            .field("name", .string),
            .field("orders", .list(.object(order)), relation: .init(table: "orders", foreignKey: "customer_id")),
        ])
        let orders = Schema([
            .field("customer", .object(customers), relation: .init(table: "customers", foreignKey: "customer_id"))
        ])
        let large = try Query(format: "ANY orders.total > 100", schema: customers)
        let names = try Query(format: "customer.name == 'Ann'", schema: orders)
        #expect(try large.results(in: database, from: "customers").map { $0["uid"] } == ["c2"])
        #expect(try names.results(in: database, from: "orders").count == 2)
        for dialect in [SQLDialect.sqlite, .postgresql, .duckDB] {
            for (query, table) in [(large, "customers"), (names, "orders")] {
                #expect(throws: QueryError.self) { try query.sql(dialect, from: table) }
            }
            let known = try large.sql(dialect, from: SQLTable("customers", primaryKey: "uid")).where
            #expect(known.contains(#""customers"."uid""#) && known.contains(#""k1"."customer_id""#))
        }
        let two = Schema(customers.fields, primaryKey: ["a", "b"])
        #expect { try Query(format: "ANY orders.total > 1", schema: two).sql(from: "customers") } throws: { error in
            (error as? QueryError)?.message.hasSuffix("a primary key of several columns: a, b") ?? false
        }
    }

    /// Orders and limits over views, and over tables whose key is of several columns.
    @Test func cutsWithoutARowNumber() throws {
        let database = try SQLiteDatabase.inMemory()
        for statement in Self.shop + ["CREATE VIEW dear AS SELECT number, status FROM orders WHERE total > 1"] {
            try database.execute(statement)
        }
        #expect(try Query(order: ["-a"], limit: 1).results(in: database, from: "lines").map { $0["b"] } == ["r"])
        #expect(try Query(order: ["status"], skip: 1, limit: 1).results(in: database, from: "dear").count == 1)
        #expect(try Query(order: ["-a"], limit: 1).delete(in: database, from: "lines") == 1)
        #expect(try Query().results(in: database, from: "lines").map { $0["b"] } == ["q"])
    }

    private typealias Store = (
        name: String, dialect: SQLDialect, words: TableWords, storage: SQLStorage, keys: RelatedTables.Keys
    )
    private static let stores: [Store] = [
        ("postgresql-related", .postgresql, .postgreSQL, .columns, .named),
        ("postgresql-related-documents", .postgresql, .postgreSQL, .document(), .named),
        ("postgresql-related-text", .postgresql, .postgreSQL, .columns, .text),
        ("duckdb-related", .duckDB, .duckDB, .columns, .named),
        ("duckdb-related-uuid", .duckDB, .duckDB, .columns, .uuid),
    ]

    /// What PostgreSQL and DuckDB can say of the same tables, for `Tests/Judges/sql.sh`.
    @Test(arguments: stores.indices)
    func joinsOfTypedStores(_ store: Int) throws {
        let store = Self.stores[store]
        let count = SeededGenerator.count(80)
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        var tables = RelatedTables(seed: seed, allowsNul: false, keys: store.keys)
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
            return try query.sql(dialect, from: SQLTable("docs", primaryKey: "id")).where
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

    static func fill(
        _ database: SQLiteDatabase,
        _ related: RelatedTables,
        _ storage: SQLStorage
    ) throws {
        let declares = related.keys != .named
        for table in RelatedTables.tables(related.words, storage, related.keys, declaringForeignKeys: declares) {
            try database.execute(table)
        }
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
