#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import PredicateQLSQLite
    import QueryTree
    import QueryValues
    import Testing

    private struct Meeting: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "meeting"
        var id: Int64
        var starts: Date
        var moved: Date?
        var title: String
        var seconds: Double
        var key: UUID
    }

    /// Computed dates, and lists of dates, find the same rows in GRDB as the records in memory.
    @Suite struct ComputedDateTests {
        private let queue: DatabaseQueue
        private let meetings: [Meeting]
        private static let keys = (0..<4).map { _ in UUID() }

        init() throws {
            var configuration = Configuration()
            configuration.addPredicateQLFunctions()
            queue = try DatabaseQueue(configuration: configuration)
            let times: [(Double, Double?)] = [(0, nil), (86_400, 200_000), (300_000, nil), (100, 1e9)]
            meetings = zip(times, ["a", "Lunch", "10", "9"]).enumerated().map { index, row in
                Meeting(
                    id: Int64(index + 1),
                    starts: Date(timeIntervalSince1970: row.0.0),
                    moved: row.0.1.map { Date(timeIntervalSince1970: $0) },
                    title: row.1,
                    seconds: row.0.0 - 978_307_200,
                    key: Self.keys[index]
                )
            }
            try queue.write { [meetings] db in
                try db.create(table: "meeting") { table in
                    table.primaryKey("id", .integer)
                    table.column("starts", .datetime).notNull()
                    table.column("moved", .datetime)
                    table.column("title", .text).notNull()
                    table.column("seconds", .double).notNull()
                    table.column("key", .blob).notNull()
                }
                for meeting in meetings { try meeting.insert(db) }
            }
        }

        /// The rows of a query and of its NOT, by every way to ask GRDB, with the table's schema and without.
        private func check(_ format: String, _ arguments: QueryValue..., at line: Int = #line) throws {
            try check(format, arguments: arguments, at: line)
        }

        private func check(_ format: String, arguments: [QueryValue], at line: Int = #line) throws {
            let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
            let schema = try queue.read { try Schema(database: $0, table: "meeting") }
            for text in [format, "NOT (\(format))"] {
                let plain = try Query(parsing: text, arguments: arguments)
                let found = try plain.results(in: meetings).map(\.id)
                // A schema rejects a date beside a text.
                let declared = [schema, Schema(of: Meeting.self)].compactMap {
                    try? Query(parsing: text, arguments: arguments, schema: $0)
                }
                for query in [plain] + declared {
                    let kind: Comment = "\(text) \(query.schema == nil ? "without" : "with") a schema"
                    try queue.read { db in
                        let ids = try query.results(in: db, from: "meeting").map { $0["id"] }
                        #expect(ids == found.map { .int($0) }, kind, sourceLocation: location)
                        let filtered = try Meeting.filter(query).order(Column("id")).fetchAll(db).map(\.id)
                        #expect(filtered == found, kind, sourceLocation: location)
                        #expect(try query.count(in: db, from: "meeting") == found.count, kind, sourceLocation: location)
                    }
                }
            }
        }

        private let cut = QueryValue.date(150_000_000)

        @Test(arguments: [
            "%@ BETWEEN {starts, moved}", "TERNARY(moved == nil, starts, moved) >= %@",
            "TERNARY(moved == nil, starts, moved) != %@", "max({starts, moved}) >= %@", "{starts, moved}.@max > %@",
            "{starts, moved}.@min <= %@", "ANY {starts, moved} > %@", "ALL {starts, moved} > %@",
            "SUBQUERY({starts, moved}, $d, $d > %@).@count > 0", "%@ IN {starts, moved}", "noindex(starts) >= %@",
            "CAST(starts, 'NSDate') >= %@", "CAST(CAST(seconds, 'NSNumber'), 'NSDate') > %@",
            "CAST(title, 'NSDate') == %@", "{starts, %@}.@max > moved", "starts IN {%@, moved}",
            "starts >= TERNARY(title == 'a', %@, %@)", "{starts, moved} CONTAINS %@",
            "year(max({starts, moved})) == 1970 AND starts != %@",
            "CAST(starts, 'NSNumber') > -978220800 AND starts != %@",
        ]) func dates(_ format: String) throws {
            for seconds: Int64 in [0, 86_400, 150_000, 200_000, 300_000, 1_000_000_000, 2_000_000_000] {
                let date = QueryValue.date(seconds * 1000)
                try check(
                    format,
                    arguments: Array(repeating: date, count: format.components(separatedBy: "%@").count - 1)
                )
            }
        }

        /// A text is no date, so it has no order with one (S2).
        @Test func textsAreNoDates() throws {
            try check("lowercase(title) < %@", cut)
            try check("CAST(id, 'NSString') < %@", cut)
            try check("CAST(starts, 'NSString') < %@", cut)
            try check("TERNARY(title == 'a', title, 'b') < %@", cut)
        }

        @Test func nestedConditionsHaveTheirOwnForm() throws {
            try check("starts >= TERNARY(key == %@, starts, moved)", .uuid(Self.keys[1]))
            try check("TERNARY(key == %@, starts, moved) >= %@", .uuid(Self.keys[1]), cut)
            try check("key IN %@", .list([.uuid(Self.keys[0]), .uuid(Self.keys[2])]))
            try check("key IN {%@, %@}", .uuid(Self.keys[0]), .uuid(Self.keys[2]))
            try check("starts IN %@", .list([cut, .date(100_000)]))
        }

        @Test func deletionsByTheOpposite() throws {
            for schema in [nil, Schema(of: Meeting.self)] {
                let query = try Query(parsing: "NOT (max({starts, moved}) < %@)", arguments: [cut], schema: schema)
                try queue.inTransaction { db in
                    _ = try query.delete(in: db, from: "meeting")
                    #expect(try Meeting.fetchAll(db).map(\.id) == [1])
                    return .rollback
                }
            }
        }

        @Test func groups() throws {
            for schema in [nil, Schema(of: Meeting.self)] {
                for text in [
                    "TERNARY(last == nil, first, last) >= %@", "first > %@", "last <= %@", "hour(last) == 7",
                    "last == nil",
                ] {
                    let dates = text.contains("%@") ? [cut] : []
                    let grouping = Query(order: ["title"], schema: schema).grouped(
                        by: "title",
                        computing: [.max("moved").as("last"), .min("starts").as("first")],
                        having: try Condition(parsing: text, arguments: dates)
                    )
                    let rows = try queue.read { db in
                        try grouping.rows(in: db, from: "meeting").map { $0["title"] as String }
                    }
                    let expected = try grouping.results(in: meetings).map { $0["title"] }
                    #expect(rows.map { .string($0) } == expected && !rows.isEmpty || text.contains("<="), "\(text)")
                }
            }
        }

        /// Keys and values of groups compare dates as the table keeps them.
        @Test func computedGroups() throws {
            let dates = [QueryValue.date(86_400_000), .date(150_000_000)]
            for format in ["TERNARY(starts >= %@, 1, 0)", "TERNARY(moved > %@, 1, 0)", "year(moved)", "id * 2"] {
                for date in dates {
                    let arguments = format.contains("%@") ? [date] : []
                    let term = try Query(parsing: format + " == 0", arguments: arguments).condition
                    guard case .comparison(let test) = term else { continue }
                    let key = GroupKey(test.left, as: "k")
                    for grouping in [
                        Query(order: ["k"]).grouped(by: [key], computing: [.count]),
                        Query().grouped(computing: [
                            Reducer(.sum(GroupKey(test.left, as: nil)), as: "k"),
                            Reducer(.max(GroupKey(test.left, as: nil)), as: "count"),
                        ]),
                    ] {
                        let found = try queue.read { db in
                            try grouping.rows(in: db, from: "meeting").map { [$0["k"] as Int?, $0["count"] as Int?] }
                        }
                        let expected = try grouping.results(in: meetings).map { row in
                            [row["k"]?.int, row["count"]?.int]
                        }
                        #expect(found == expected, "\(grouping)")
                    }
                }
            }
        }

        /// A schema may declare the bytes that GRDB keeps of a UUID as a UUID, in other tables, too.
        @Test func declaredUUIDsAreBytes() throws {
            try queue.write { db in
                try db.create(table: "minute") { table in
                    table.primaryKey("id", .integer)
                    table.column("meetingId", .integer).references("meeting")
                }
                for id in 1...4 {
                    try db.execute(sql: "INSERT INTO minute VALUES (?, ?)", arguments: [id, 5 - id])
                }
            }
            let meeting = Schema([
                .field("id", .int), .field("title", .string), .field("uid", .uuid, storedAs: "key", isOptional: false),
            ])
            let relation = Schema.Relation(table: "meeting", foreignKey: "meetingId")
            let minute = Schema([.field("id", .int), .field("meeting", .object(meeting), relation: relation)])
            let key = Self.keys[1]
            for (format, expected) in [
                ("uid == %@", 1), ("uid != %@", 3), ("uid IN {%@}", 1), ("uid == '\(key.uuidString)'", 1),
                ("TERNARY(title == 'x', uid, uid) == %@", 1), ("noindex(uid) == %@", 1), ("uid > %@ OR uid <= %@", 4),
                ("NOT (uid == %@ OR random() < 0)", 3),
            ] {
                for (schema, table, text) in [
                    (meeting, "meeting", format),
                    (minute, "minute", format.replacingOccurrences(of: "uid", with: "meeting.uid")),
                ] where table == "meeting" || !text.contains("(") {
                    let count = text.components(separatedBy: "%@").count - 1
                    let keys = Array(repeating: QueryValue.uuid(key), count: count)
                    let query = try Query(parsing: text, arguments: keys, schema: schema)
                    let found = try queue.read { try query.results(in: $0, from: table).count }
                    #expect(found == expected, "\(text)")
                }
            }
        }

        /// In the JSON of a property a UUID is a text, which bytes never equal: every way to ask refuses them.
        @Test(arguments: [
            "more.id == %@", "more.id != %@ OR id == 1", "ANY more.id == %@", "ANY more == %@", "%@ IN more",
            "SUBQUERY(more, $m, $m.id == %@).@count > 0", "more[0].id == %@", "TERNARY(id == 1, more.id, nil) == %@",
        ]) func bytesAreNotInJSON(_ format: String) throws {
            for type in ["TEXT", "JSON"] {
                try queue.write { db in
                    try? db.execute(sql: "ALTER TABLE meeting DROP COLUMN more")
                    try db.execute(sql: "ALTER TABLE meeting ADD COLUMN more \(type)")
                }
                for value in [QueryValue.uuid(Self.keys[0]), .data([1])] {
                    let query = try Query(parsing: format, arguments: [value])
                    let filtered = #expect(throws: QueryError.self) {
                        try queue.read { try Meeting.filter(query).fetchAll($0) }
                    }
                    let found = #expect(throws: QueryError.self) {
                        try queue.read { try query.results(in: $0, from: "meeting") }
                    }
                    #expect(filtered?.code == .unsupported && found?.code == .unsupported, "\(format) \(type)")
                }
            }
            let plain = try Query(parsing: "key == %@ OR random() < 0", arguments: [.uuid(Self.keys[0])])
            #expect(try queue.read { try plain.results(in: $0, from: "meeting").count } == 1)
        }

        /// A list of columns of UUIDs finds them or is refused.
        @Test(arguments: ["%@ IN {key, key}", "ANY {key, key} == %@", "TERNARY(id == 9, title, key) == %@"])
        func mixedUUIDsAreNotLost(_ format: String) throws {
            let query = try Query(parsing: format, arguments: [.uuid(Self.keys[1])])
            do {
                let found = try queue.read { try Meeting.filter(query).fetchAll($0).map(\.id) }
                #expect(found == [2])
            } catch { #expect((error as? QueryError)?.code == .unsupported) }
        }

        /// Beside values without a declared kind there is no form in which a UUID equals both.
        @Test func kindsMustBeKnown() throws {
            let query = try Query(parsing: "key == CAST(title, 'NSUUID')")
            let error = #expect(throws: QueryError.self) { try queue.read { try query.count(in: $0, from: "meeting") } }
            #expect(error?.code == .unsupported)
            #expect(error?.hint == "compare bytes with UUIDs of the query alone")
        }

        /// Dates beside texts in columns that promise none, in bytes and in JSON: memory, SQLite and GRDB find the same.
        @Test func datesAmongOtherTexts() throws {
            let file = NSTemporaryDirectory() + "texts-\(UUID().uuidString).db"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let queue = try DatabaseQueue(path: file)
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, at DATETIME, w, b BLOB, j JSON)")
            }
            let database = try SQLiteDatabase(path: file, isReadOnly: false)
            let texts: [QueryValue] = [
                "2024-01-01 10:00:00", "2023-01-01T00:00:00Z", "never", .null, "2025-06-01", "+012025-01-01T00:00:00Z",
            ]
            var rows: [Document] = []
            for (id, text) in texts.enumerated() {
                let (other, third) = (texts[(id + 2) % 6], texts[(id + 4) % 6])
                // GRDB has no form for the last one.
                let date = third.readAsDate.kind == .date && third != texts[5] ? third.readAsDate : .null
                let row: Document = [
                    "id": .int(Int64(id)), "x": text, "at": date, "w": other, "b": text, "j": .object(["d": text]),
                ]
                rows.append(row)
                let stored = row.values.map { value -> QueryValue in
                    if case .date(let instant) = value { return .string(DateText.grdb(instant)) }
                    return value.kind == .object ? .string(JSONWriter().text(value)) : value
                }
                _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", stored)
            }
            let table = try database.schema(ofTable: "t")
            let dates = ["2024-03-01", "+012024-03-01T00:00:00Z"].compactMap { DateText.parse($0) }
            #expect(dates.count == 2)
            var answered: [String: Int] = [:]
            for format in [
                "b > %@", "b == %@", "b IN {%@, x}", "b BETWEEN {%@, %@}", "year(b) == 2024", "max({b, at}) > %@",
                "TERNARY(id > 2, b, nil) > %@", "b < at", "j.d > %@", "j.d < %@", "j.d BETWEEN {%@, %@}", "j.d < at",
                "max({j.d, at}) > %@", "w > %@", "w < at", "x < at", "at IN {%@, w}", "max({at, j.d}) > %@",
                "CAST(x, 'NSDate') == j.d",
            ] {
                for text in [format, "NOT (\(format))", format + " OR random() < 0"] {
                    for (date, schema) in [(dates[0], nil), (dates[1], nil), (dates[0], Schema?.some(table))] {
                        let count = text.components(separatedBy: "%@").count - 1
                        let values = Array(repeating: QueryValue.date(date), count: count)
                        let plain = try Query(parsing: text, arguments: values, order: ["id"])
                        let memory = try plain.results(in: rows).map { $0["id"] }
                        guard let query = try? Query(parsing: text, arguments: values, order: ["id"], schema: schema)
                        else { continue }
                        func check(_ door: String, _ results: () throws -> [Document]) throws {
                            do {
                                let found = try results().map { $0["id"] }
                                answered[door, default: 0] += 1
                                #expect(found == memory, "\(door), \(date), \(schema == nil): \(text)")
                            } catch let error as QueryError where error.code == .unsupported {}
                        }
                        try check("SQLite") { try query.results(in: database, from: "t") }
                        try check("GRDB") { try queue.read { try query.results(in: $0, from: "t") } }
                    }
                }
            }
            #expect(answered.values.allSatisfy { $0 > 100 } && answered.count == 2, "\(answered)")
        }
    }
#endif
