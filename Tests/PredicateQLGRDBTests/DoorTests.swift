#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import PredicateQLSQLite
    import QueryChecking
    import QueryValues
    import SpecSupport
    import Testing

    /// Random questions about one record, without a schema: its values in memory, rows as GRDB writes them, and a table
    /// as other programs write it give one answer, or one error.
    @Suite struct DoorTests {
        struct Item: Codable, Sendable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "item"
            var id: Int
            var name: String
            var nick: String?
            var isNew: Bool
            var wasNew: Bool?
            var made: Date
            var sold: Date?
            var score: Double
            var rank: Int?
            var price: Double
            var tax: Double?
            var key: UUID
        }

        private static let declarations = [
            "id INTEGER PRIMARY KEY", "name TEXT", "nick TEXT", "isNew BOOLEAN", "wasNew BOOLEAN", "made DATETIME",
            "sold TIMESTAMP", "score REAL", "rank INTEGER",
            "price NUMERIC", "tax DECIMAL(9, 2)", "key TEXT",
        ]
        private static let texts = ["", "n", "n1", "N1", "3", "0", "1970-01-03", "true", "a%", "é"]

        private static func items(_ generator: inout SeededGenerator) -> [Item] {
            (0..<12).map { number in
                let day = Date(timeIntervalSince1970: Double(Int.random(in: 0..<6, using: &generator)) * 43_200)
                func maybe<Value>(_ value: Value) -> Value? {
                    Int.random(in: 0..<3, using: &generator) == 0 ? nil : value
                }
                return Item(
                    id: number,
                    name: texts.randomElement(using: &generator) ?? "",
                    nick: maybe(texts.randomElement(using: &generator) ?? ""),
                    isNew: Bool.random(using: &generator),
                    wasNew: maybe(Bool.random(using: &generator)),
                    made: day,
                    sold: maybe(day.addingTimeInterval(43_200)),
                    score: Double(Int.random(in: -4..<5, using: &generator)) / 2,
                    rank: maybe(Int.random(in: -2..<4, using: &generator)),
                    price: Double(Int.random(in: 0..<9, using: &generator)) / 4,
                    tax: maybe(Double(Int.random(in: 0..<4, using: &generator)) / 2),
                    key: keys.randomElement(using: &generator) ?? UUID()
                )
            }
        }

        private static let keys = (1...3).compactMap { UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5\($0)") }
        private static let fields = [
            "id", "name", "nick", "isNew", "wasNew", "made", "sold", "score", "rank", "price", "tax",
        ]
        private static let constants = [
            "0", "1", "2", "-1", "1.5", "0.0", "1.0", "TRUE", "FALSE", "nil", "''", "'n'", "'n1'", "'3'", "'0'",
            "'true'",
            "'1970-01-03'", "'1970-01-02T12:00:00Z'", "'1970-01-03 00:00:00'", "'E621E1F8-C36C-495A-93FC-0C247A3E6E51'",
            "'e621e1f8-c36c-495a-93fc-0c247a3e6e52'", "%@",
        ]

        private static let computedDates = [
            "max({made, sold}) >= %@", "{made, sold}.@min < %@", "ANY {made, sold} == %@", "%@ IN {made, sold}",
            "%@ BETWEEN {made, sold}", "SUBQUERY({made, sold}, $d, $d > %@).@count == 1",
            "TERNARY(sold == nil, made, sold) != %@", "noindex(sold) > %@", "lowercase(name) < %@",
            "CAST(made, 'NSNumber') < -978134400", "day(max({made, sold})) == 2",
        ]
        private static let computedDatesOfGroups = [
            "TERNARY(newest == nil, oldest, newest) >= %@", "%@ BETWEEN {oldest, newest}", "lowercase(top) < %@",
            "hour(newest) == 12", "newest > %@", "oldest <= %@",
        ]

        private static func condition(
            _ depth: Int,
            of fields: [String] = fields,
            _ generator: inout SeededGenerator
        ) -> String {
            func one(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
            switch Int.random(in: -1..<(depth > 0 ? 12 : 9), using: &generator) {
            case -1 where fields == Self.fields: return one(computedDates)
            case -1: return one(computedDatesOfGroups)
            case 0: return "\(one(fields)) BETWEEN {\(one(constants)), \(one(constants))}"
            case 1: return "\(one(fields)) IN {\(one(constants)), \(one(constants)), \(one(constants))}"
            case 2: return "\(one(fields)) \(one(["BEGINSWITH", "CONTAINS", "LIKE", "ENDSWITH[c]"])) \(one(constants))"
            case 3: return "\(one(fields)) \(one(["==", "<", ">=", "!="])) \(one(fields))"
            case 4: return "\(one(constants)) \(one(["==", "<", ">=", "!="])) \(one(fields))"
            case 5...8: return "\(one(fields)) \(one(["==", "!=", "<", "<=", ">", ">="])) \(one(constants))"
            case 9: return "NOT (\(condition(depth - 1, of: fields, &generator)))"
            case 10:
                return
                    "(\(condition(depth - 1, of: fields, &generator)) OR \(condition(depth - 1, of: fields, &generator)))"
            default:
                return
                    "(\(condition(depth - 1, of: fields, &generator)) AND \(condition(depth - 1, of: fields, &generator)))"
            }
        }

        private static func outcome(_ body: () throws -> Int) -> String {
            do { return try String(body()) } catch {
                guard let error = error as? QueryError else { return "\(error)" }
                return "\(error.code) \(error.message)"
            }
        }

        /// Tables of the items, as GRDB writes them and as another program does.
        private static func tables(_ items: [Item]) throws -> (DatabaseQueue, SQLiteDatabase) {
            let queue = try DatabaseQueue()
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE item (\(declarations.joined(separator: ", ")))")
                for item in items { try item.insert(db) }
            }
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE item (\(declarations.joined(separator: ", ")))")
            for item in items {
                func date(_ date: Date?) -> QueryValue { date.map { .string($0.formatted(.iso8601)) } ?? .null }
                func flag(_ flag: Bool?) -> QueryValue { flag.map { .int($0 ? 1 : 0) } ?? .null }
                _ = try database.rows(
                    "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        .int(Int64(item.id)), .string(item.name), item.nick.map { .string($0) } ?? .null,
                        flag(item.isNew), flag(item.wasNew), date(item.made), date(item.sold), .double(item.score),
                        item.rank.map { .int(Int64($0)) } ?? .null, .double(item.price),
                        item.tax.map { .double($0) } ?? .null, .string(item.key.uuidString.lowercased()),
                    ]
                )
            }
            return (queue, database)
        }

        @Test func randomQuestionsGetOneAnswer() throws {
            var generator = SeededGenerator(SeededGenerator.seed(20_261_126))
            let items = Self.items(&generator)
            let (queue, database) = try Self.tables(items)
            var asked = 0
            for _ in 0..<SeededGenerator.count(400) {
                let text = Self.condition(2, &generator)
                let count = text.components(separatedBy: "%@").count - 1
                let dates = Array(repeating: QueryValue.date(86_400_000), count: count)
                guard let query = try? Query(parsing: text, arguments: dates) else { continue }
                asked += 1
                let memory = Self.outcome { try query.count(in: items) }
                let doors = [
                    ("matches", Self.outcome { try items.filter { try query.matches($0) }.count }),
                    ("SQLite", Self.outcome { try query.count(in: database, from: "item") }),
                    ("GRDB", Self.outcome { try queue.read { try Item.filter(query).fetchCount($0) } }),
                ]
                for (door, found) in doors { #expect(found == memory, "\(door): \(text)") }
                guard let typed = try? Query(parsing: text, arguments: dates, schema: Schema(of: Item.self)) else {
                    continue
                }
                let ofItems = Self.outcome { try typed.count(in: items) }
                let table = Self.outcome { try typed.count(in: database, from: "item") }
                #expect(table == ofItems, "SQLite, with a schema: \(text)")
                let ofGRDB = Self.outcome { try queue.read { try Item.filter(typed).fetchCount($0) } }
                #expect(ofGRDB == ofItems, "GRDB, with a schema: \(text)")
            }
            #expect(asked > 100)
        }

        /// Conditions on groups, whose values have the kinds of their fields.
        @Test func groupsHaveTheKindsOfTheirFields() throws {
            var generator = SeededGenerator(SeededGenerator.seed(20_261_127))
            let items = Self.items(&generator)
            let (queue, database) = try Self.tables(items)
            let names = ["isNew", "rank", "n", "newest", "oldest", "top", "least"]
            var found = 0
            for _ in 0..<SeededGenerator.count(150) {
                let having = Self.condition(1, of: names, &generator)
                let dates = Array(
                    repeating: QueryValue.date(86_400_000),
                    count: having.components(separatedBy: "%@").count - 1
                )
                guard let condition = try? Condition(parsing: having, arguments: dates) else { continue }
                for schema in [nil, Schema(of: Item.self)] {
                    let grouping = Query(schema: schema).grouped(
                        by: ["isNew", "rank"],
                        computing: [
                            .count.as("n"), .max("sold").as("newest"), .min("made").as("oldest"),
                            .max("nick").as("top"), .min("score").as("least"),
                        ],
                        having: condition
                    )
                    let memory = Self.outcome { try grouping.results(in: items).count }
                    let table = Self.outcome { try grouping.results(in: database, from: "item").count }
                    #expect(table == memory, "\(having)")
                    let ofGRDB = Self.outcome { try queue.read { try grouping.rows(in: $0, from: "item").count } }
                    #expect(ofGRDB == memory, "GRDB: \(having)")
                    if memory != "0" { found += 1 }
                }
            }
            #expect(found > SeededGenerator.count(20))
        }

        /// Keys that are computed from fields, which have kinds.
        @Test func computedKeysHaveTheKindsOfTheirFields() throws {
            var generator = SeededGenerator(SeededGenerator.seed(20_261_128))
            let items = Self.items(&generator)
            let (queue, database) = try Self.tables(items)
            for key in [
                "TERNARY(made > '1970-01-02T06:00:00Z', 'new', 'old')", "TERNARY(isNew == 1, 1, 2)",
                "TERNARY(sold BETWEEN {'1970-01-01', '1970-01-03'}, name, 'none')", "TERNARY(wasNew != 0, 1, 0)",
            ] {
                let grouping = Grouping(
                    Query(),
                    by: [try GroupKey(parsing: key + " as k")],
                    computing: [.count.as("n")]
                )
                func groups(_ rows: [(QueryValue?, QueryValue?)]) -> [String] {
                    rows.map { "\($0.0 ?? .null) \($0.1 ?? .null)" }
                }
                let memory = try groups(grouping.results(in: items).map { ($0["k"], $0["n"]) })
                #expect(memory.count > 1, "\(key)")
                let table = try groups(grouping.results(in: database, from: "item").map { ($0["k"], $0["n"]) })
                #expect(table == memory, "\(key)")
                let ofGRDB = try queue.read {
                    try grouping.rows(in: $0, from: "item").map { ($0["n"] as Int? ?? 0, $0["k"] as DatabaseValue?) }
                }
                let shown = ofGRDB.map { n, k in "\(k.flatMap(String.fromDatabaseValue) ?? k?.description ?? "") \(n)" }
                #expect(shown == memory.map { $0.replacing("\"", with: "") }, "\(key)")
            }
        }

        /// Fields that are computed from fields, which have kinds; as rows of GRDB and as documents.
        @Test func computedFields() throws {
            var generator = SeededGenerator(SeededGenerator.seed(20_261_129))
            let items = Self.items(&generator)
            let (queue, database) = try Self.tables(items)
            let terms = [
                "rank * 2 + score", "price * 4 - tax", "uppercase(nick)", "length(name)", "TERNARY(isNew == 1, 1, 2)",
                "TERNARY(made > '1970-01-02T06:00:00Z', 'new', 'old')", "TERNARY(wasNew != 0, 1, 0)", "score", "nick",
                "TERNARY(sold BETWEEN {'1970-01-01', '1970-01-03'}, name, nil)", "-rank", "rank & 1", "trunc(score)",
            ]
            let documents = try items.map { try Document(encoding: $0) }
            let kinds = Schema([
                .field("isNew", .bool), .field("wasNew", .bool), .field("made", .date(.native)),
                .field("sold", .date(.native)),
            ])
            for term in terms {
                let computed = [try ComputedField(parsing: "value = " + term)]
                for (number, condition) in ["TRUEPREDICATE", "rank > 0", "random() >= 0"].enumerated() {
                    let query = try Query(
                        parsing: condition,
                        order: number == 1 ? ["-score", "id"] : ["-value", "id"],
                        skip: 1,
                        limit: 8,
                        fields: ["id"],
                        computed: computed
                    )
                    let memory = try query.converting(by: kinds).results(in: documents)
                    let table = try query.results(in: database, from: "item")
                    #expect(Self.isSame(table, memory), "\(term): \(table) \(memory)")
                    let found = try queue.read { try query.results(in: $0, from: "item") }
                    #expect(Self.isSame(found, memory), "GRDB, \(term): \(found) \(memory)")
                    guard !condition.hasPrefix("random") else { continue }
                    let rows = try queue.read { db in
                        try query.rows(in: db, from: "item").map { $0["value"] as DatabaseValue? }
                    }
                    for (row, expected) in zip(rows, memory) {
                        let shown =
                            row.map { $0.isNull ? "null" : String.fromDatabaseValue($0) ?? $0.description } ?? ""
                        let wanted = (expected["value"] ?? .null).json.replacing("\"", with: "")
                        #expect(shown == wanted || Double(shown) == Double(wanted), "GRDB, \(term): \(shown) \(wanted)")
                    }
                    #expect(rows.count == memory.count)
                    #expect(try queue.read { try query.count(in: $0, from: "item") } == memory.count)
                }
            }
        }

        private static func isSame(_ found: [Document], _ expected: [Document]) -> Bool {
            found.count == expected.count
                && zip(found, expected).allSatisfy { a, b in
                    a.keys == b.keys && zip(a.values, b.values).allSatisfy { $0.isEqual(to: $1) || $0 == $1 }
                }
        }

        /// Rows are deleted from a view only where a trigger does so.
        @Test func viewsAreNotDeletedFrom() throws {
            let file = NSTemporaryDirectory() + "views-\(UUID().uuidString).db"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let queue = try DatabaseQueue(path: file)
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (1, 1), (2, 2), (3, 3);
                        CREATE VIEW v AS SELECT * FROM t; CREATE VIEW w AS SELECT * FROM t;
                        CREATE TRIGGER d INSTEAD OF DELETE ON w BEGIN DELETE FROM t WHERE id = OLD.id; END
                        """
                )
            }
            let database = try SQLiteDatabase(path: file, isReadOnly: false)
            for query in [try Query(parsing: "n > 1"), try Query(parsing: "n > 1", order: ["n"], limit: 1)] {
                let errors = [
                    #expect(throws: QueryError.self) { try query.delete(in: database, from: "v") },
                    #expect(throws: QueryError.self) { try queue.write { try query.delete(in: $0, from: "v") } },
                ]
                for error in errors {
                    #expect(error?.code == .unsupported)
                    #expect(error?.message == "rows cannot be deleted from v, which is a view")
                }
            }
            try Query(parsing: "n == 1").delete(in: database, from: "w")
            try queue.write { _ = try Query(parsing: "n == 2").delete(in: $0, from: "w") }
            #expect(try Query().count(in: database, from: "t") == 1)
        }
    }
#endif
