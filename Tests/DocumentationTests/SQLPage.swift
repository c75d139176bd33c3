import PredicateQL
import PredicateQLSQLite

/// `Grammar/sql.md`: what people ask, the SQL an expert writes for it, and ours.
enum SQLPage {
    /// A query with the expert's condition or statement, in SQLite's words.
    struct Asked {
        var format: String
        var expert: String
        var order: [SortKey] = []
        var limit: Int?
        var fields: [FieldPath]?
        /// The computed fields, as text.
        var computed: [String] = []
    }

    static let asked: [Asked] = [
        Asked(format: "name == 'Ann'", expert: "name = 'Ann'"),
        Asked(format: "name != 'Ann'", expert: "name <> 'Ann'"),
        Asked(format: "city != 'Rome'", expert: "city IS NOT 'Rome'"),
        Asked(format: "age >= 18", expert: "age >= 18"),
        Asked(format: "age BETWEEN {18, 65}", expert: "age BETWEEN 18 AND 65"),
        Asked(format: "age >= 18 AND city == 'Rome'", expert: "age >= 18 AND city = 'Rome'"),
        Asked(format: "city IN {'Rome', 'Oslo'}", expert: "city IN ('Rome', 'Oslo')"),
        Asked(format: "NOT city IN {'Rome', 'Oslo'}", expert: "city IS NULL OR city NOT IN ('Rome', 'Oslo')"),
        Asked(format: "email == nil", expert: "email IS NULL"),
        Asked(format: "email != nil", expert: "email IS NOT NULL"),
        Asked(format: "name BEGINSWITH 'Jo'", expert: "name >= 'Jo' AND name < 'Jp'"),
        Asked(format: "name ENDSWITH 'son'", expert: "substr(name, -3) = 'son'"),
        Asked(format: "name CONTAINS 'oh'", expert: "instr(name, 'oh') > 0"),
        Asked(format: "name LIKE 'J?n*'", expert: "name GLOB 'J?n*'"),
        Asked(format: "name CONTAINS[cd] 'jo'", expert: "instr(fold('cd', name), 'jo') > 0"),
        Asked(format: "name ==[c] 'ann'", expert: "fold('c', name) = 'ann'"),
        Asked(
            format: "email MATCHES '[^@]+@[^@]+\\\\.[a-z]{2,}'",
            expert: "pred_match('[^@]+@[^@]+\\.[a-z]{2,}', email)"
        ),
        Asked(
            format: "NOT (age < 18 OR city == 'Rome')",
            expert: "age >= 18 AND city IS NOT 'Rome'"
        ),
        Asked(format: "score > age", expert: "score > age"),
        Asked(format: "score * 2 > 9.5", expert: "score * 2 > 9.5"),
        Asked(
            format: "joined >= CAST('2024-01-01T00:00:00Z', 'NSDate')",
            expert: "joined >= '2024-01-01T00:00:00Z'"
        ),
        Asked(
            format: "ANY tags == 'vip'",
            expert: "EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'vip')"
        ),
        Asked(format: "tags.@count > 1", expert: "json_array_length(tags) > 1"),
        Asked(
            format: "boss.name == 'Ann'",
            expert: "boss_id IN (SELECT id FROM person WHERE name = 'Ann')"
        ),
        Asked(
            format: "ANY orders.total > 100",
            expert: "id IN (SELECT person_id FROM orders WHERE total > 100)"
        ),
        Asked(
            format: "ALL orders.state == 'paid'",
            expert: "id NOT IN (SELECT person_id FROM orders WHERE state IS NOT 'paid' AND person_id IS NOT NULL)"
        ),
        Asked(
            format: "NONE orders.state == 'open'",
            expert: "id NOT IN (SELECT person_id FROM orders WHERE state = 'open' AND person_id IS NOT NULL)"
        ),
        Asked(
            format: "orders.@count >= 2",
            expert: "(SELECT count(*) FROM orders WHERE person_id = person.id) >= 2"
        ),
        Asked(
            format: "orders.@sum.total > 100",
            expert: "(SELECT total(total) FROM orders WHERE person_id = person.id) > 100"
        ),
        Asked(
            format: "SUBQUERY(orders, $o, $o.state == 'open' AND $o.total > 50).@count > 0",
            expert: "id IN (SELECT person_id FROM orders WHERE state = 'open' AND total > 50)"
        ),
        Asked(
            format: "age >= 18",
            expert: "SELECT * FROM person WHERE age >= 18 ORDER BY name, id LIMIT 3",
            order: ["name"],
            limit: 3
        ),
        Asked(
            format: "score != nil",
            expert:
                "SELECT id, score * 10 + age AS points FROM person WHERE score IS NOT NULL ORDER BY points DESC LIMIT 3",
            order: ["-points"],
            limit: 3,
            fields: ["id"],
            computed: ["points = score * 10 + age"]
        ),
    ]

    /// A store of the page.
    private struct Store {
        var name: String
        var dialect: SQLDialect
        var date: DateEncoding
        var storage = SQLStorage.columns
    }

    private static let stores = [
        Store(name: "SQLite", dialect: .sqlite, date: .iso8601Seconds),
        Store(name: "SQLite, documents", dialect: .sqlite, date: .iso8601Seconds, storage: .document()),
        Store(name: "PostgreSQL", dialect: .postgresql, date: .native, storage: instants),
        Store(name: "DuckDB", dialect: .duckDB, date: .native, storage: instants),
    ]

    private static var instants: SQLStorage {
        var storage = SQLStorage.columns
        storage.keepsTimeZones = true
        return storage
    }

    /// The rows of `person`; in documents, orders are in the row.
    static func schema(date: DateEncoding, isDocument: Bool = false) -> Schema {
        let order = Schema([.field("total", .double), .field("state", .string)])
        let own: [Schema.Field] = [
            .field("id", .int, isOptional: false), .field("name", .string, isOptional: false), .field("email", .string),
            .field("age", .int, isOptional: false), .field("city", .string), .field("score", .double),
            .field("joined", .date(date)), .field("tags", .list(.string)),
        ]
        let boss = Schema(own, primaryKey: ["id"])
        let relations: (orders: Schema.Relation, boss: Schema.Relation) = (
            .init(table: "orders", foreignKey: "person_id"), .init(table: "person", foreignKey: "boss_id")
        )
        return Schema(
            own + [
                .field("orders", .list(.object(order)), relation: isDocument ? nil : relations.orders),
                .field("boss", .object(boss), relation: isDocument ? nil : relations.boss),
            ],
            primaryKey: ["id"]
        )
    }

    static func query(_ asked: Asked, date: DateEncoding, isDocument: Bool = false) throws -> Query {
        let schema = schema(date: date, isDocument: isDocument)
        return try Query(
            parsing: asked.format,
            order: asked.order,
            limit: asked.limit,
            fields: asked.fields,
            computed: asked.computed.map { try ComputedField(parsing: $0) },
            schema: schema
        )
    }

    /// The page's text.
    static func text() throws -> String {
        var lines = [
            "# Thirty queries in SQL", "",
            "What people ask of a table `person` with `orders`, the condition an expert writes by hand, and ours. An order or",
            "a limit shows the whole statement. The expert's SQL is SQLite's; a test runs both and compares the rows. `?` and",
            "`$1` are bound values. The tables:", "", "```sql", tables, "```", "",
            "In documents the whole row is in a column `doc`, `orders` and `boss` in it. `UPDATE_GENERATED=1 swift test --filter",
            "DocumentationTests` writes this page.",
        ]
        for (number, asked) in asked.enumerated() {
            let shown = ((asked.fields ?? []).map(\.dotted) + asked.computed).joined(separator: ", ")
            let sorted =
                (shown.isEmpty ? "" : ", `\(shown)`")
                + asked.order.map { ", by \($0.isAscending ? "" : "-")\($0.path.dotted)" }.joined()
                + (asked.limit.map { ", first \($0)" } ?? "")
            lines += ["", "## \(number + 1). `\(asked.format)`\(sorted)", "", "```sql", "-- by hand", asked.expert]
            for store in stores {
                let isDocument = store.storage.documentColumn != nil
                let query = try query(asked, date: store.date, isDocument: isDocument)
                let statement = try query.sql(store.dialect, from: SQLTable("person", storage: store.storage))
                lines += ["-- " + store.name, asked.order.isEmpty ? statement.where : statement.sql]
            }
            lines.append("```")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static let tables = """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, age INTEGER NOT NULL, city TEXT,
          score REAL, joined TEXT, tags JSON, boss_id INTEGER REFERENCES person (id));
        CREATE TABLE orders (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person (id), total REAL, state TEXT);
        """

    /// Rows of which each query finds some and leaves some.
    static let rows = """
        INSERT INTO person VALUES
          (1, 'Ann', 'ann@x.org', 30, 'Rome', 40.5, '2024-05-01T00:00:00Z', '["vip","new"]', NULL),
          (2, 'John', NULL, 17, NULL, 4.5, '2023-05-01T00:00:00Z', '[]', 1),
          (3, 'Jónsson', 'j@y', 70, 'Oslo', NULL, NULL, '["new"]', 1),
          (4, 'Jonson', 'jo@z.com', 18, 'Paris', 4.8, '2024-01-01T00:00:00Z', NULL, 3),
          (5, 'ann', 'A@B.COM', 65, 'Rome', 70, '2020-01-01T00:00:00Z', '["a","vip","c"]', NULL);
        INSERT INTO orders VALUES (1, 1, 120, 'paid'), (2, 1, 10, 'open'), (3, 2, 60, 'open'), (4, 3, 99, 'paid'),
          (5, 3, 1.5, 'paid'), (6, 4, 40, NULL), (7, NULL, 500, 'open');
        """
}
