#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import PredicateQLSQLite
    import QueryValues
    import Testing

    /// One record, asked without a schema through every door: its properties and the columns of its table have kinds,
    /// to which constants are converted (S2).
    @Suite struct OneRecordTests {
        struct User: Codable, Sendable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "user"
            var id: Int
            var name: String
            var isAdmin: Bool
            var born: Date
            var seen: Date?
            var isNew: Bool?
            var score: Double
        }

        private static let users: [User] = (0..<10).map { number in
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            return User(
                id: number,
                name: "n\(number)",
                isAdmin: number % 2 == 0,
                born: date,
                seen: number % 3 == 0 ? nil : date,
                isNew: number < 4 ? nil : number % 2 == 0,
                score: Double(number) / 2
            )
        }

        private static let columns =
            "id INTEGER PRIMARY KEY, name TEXT, isAdmin BOOLEAN, born DATETIME, seen TIMESTAMP, isNew BOOLEAN, score REAL"

        /// A table as other programs write it: dates as ISO 8601 has them.
        private func table() throws -> SQLiteDatabase {
            let database = try SQLiteDatabase.inMemory()
            try database.execute("CREATE TABLE user (\(Self.columns))")
            for user in Self.users {
                func date(_ date: Date?) -> QueryValue {
                    date.map { .string($0.formatted(.iso8601)) } ?? .null
                }
                func flag(_ flag: Bool?) -> QueryValue { flag.map { .int($0 ? 1 : 0) } ?? .null }
                _ = try database.rows(
                    "INSERT INTO user VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [
                        .int(Int64(user.id)), .string(user.name), flag(user.isAdmin), date(user.born), date(user.seen),
                        flag(user.isNew), .double(user.score),
                    ]
                )
            }
            return database
        }

        @Test func everyDoorGivesOneAnswer() throws {
            let queue = try DatabaseQueue()
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE user (\(Self.columns))")
                for user in Self.users { try user.insert(db) }
            }
            let database = try table()
            let days = Schema([.field("born", .date(.native)), .field("seen", .date(.native))], allowsOthers: true)
            for (text, count) in [
                ("born > '1970-01-05'", 5), ("'1970-01-05' < born", 5), ("born == '1970-01-05'", 1),
                ("born BETWEEN {'1970-01-02', '1970-01-04'}", 3), ("born IN {'1970-01-05', '1971-01-01'}", 1),
                ("seen > '1970-01-05'", 3), ("seen != '1970-01-05'", 9), ("NOT seen <= '1970-01-05'", 7),
                ("born == seen AND seen < '1970-01-03T00:00:00Z'", 1), ("isAdmin == 1", 5), ("isAdmin > 0", 5),
                ("NOT isAdmin == 1", 5), ("isAdmin IN {1}", 5), ("1 == isAdmin", 5),
                ("isNew == 1", 3), ("isNew != 1", 7), ("isNew == 0 OR isNew == nil", 7), ("id == '3'", 0),
                ("name == 3", 0), ("score > '2'", 0), ("name > 5", 0), ("score > 2 AND isAdmin == 1", 2),
            ] {
                let query = try Query(parsing: text)
                let matcher = try Matcher(query)
                #expect(try query.results(in: Self.users).count == count, "memory: \(text)")
                #expect(try query.count(in: Self.users) == count, "count: \(text)")
                #expect(try Self.users.filter { try matcher.matches($0) }.count == count, "matcher: \(text)")
                #expect(try Self.users.filter { try query.matches($0) }.count == count, "matches: \(text)")
                var cursor = try query.cursor(over: Self.users)
                var found = 0
                while try cursor.next() != nil { found += 1 }
                #expect(found == count, "cursor: \(text)")
                let groups = try query.grouped(computing: [.count]).results(in: Self.users)
                #expect(groups.first?["count"] == .int(Int64(count)), "groups: \(text)")
                #expect(try query.count(in: database, from: "user") == count, "SQLite: \(text)")
                #expect(try query.results(in: database, from: "user").count == count, "SQLite: \(text)")
                #expect(try queue.read { try User.filter(query).fetchAll($0) }.count == count, "GRDB: \(text)")
                #expect(try queue.read { try query.count(in: $0, from: "user") } == count, "GRDB: \(text)")
                guard text.contains("born") || text.contains("seen") else { continue }
                let known = try Query(parsing: text, schema: days)
                #expect(try known.count(in: Self.users) == count, "schema: \(text)")
            }
        }

        struct Order: Codable, Sendable {
            struct Line: Codable, Sendable {
                var shipped: Date?
                var isGift: Bool
            }
            var id: UUID
            var lines: [Line]
            var days: [Date]
            var first: Line?
        }

        /// Properties of properties, of elements and of lists have kinds, too.
        @Test func innerPropertiesHaveKinds() throws {
            let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
            let day = Date(timeIntervalSince1970: 86_400)
            let gift = Order.Line(shipped: day, isGift: true)
            let orders = [
                Order(id: id, lines: [Order.Line(shipped: nil, isGift: false), gift], days: [], first: nil),
                Order(id: UUID(), lines: [], days: [day], first: gift),
            ]
            for (text, count) in [
                ("id == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", 1), ("ANY lines.isGift == 1", 1),
                ("SUBQUERY(lines, $l, $l.shipped == '1970-01-02' AND $l.isGift == 1).@count == 1", 1),
                ("ANY days > '1970-01-01T12:00:00Z'", 1), ("first.shipped == '1970-01-02'", 1),
                ("first.isGift == 1", 1),
                ("first.isGift != 1", 1), ("ALL lines.isGift == 0", 1), ("'1970-01-02' IN days", 1),
                ("days CONTAINS '1970-01-02'", 1),
            ] {
                let query = try Query(parsing: text)
                #expect(try query.count(in: orders) == count, "\(text)")
                #expect(try query.count(in: Array(orders.reversed())) == count, "\(text)")
                #expect(try orders.filter { try query.matches($0) }.count == count, "\(text)")
            }
        }

        /// Each value that a matcher tests has a budget of its own, and no more.
        @Test func eachValueHasItsBudget() throws {
            var limits = Limits.default
            limits.steps = 500
            let easy = try Matcher(Query(parsing: "born >= '1970-01-01'"), limits: limits)
            for _ in 0..<500 { #expect(try easy.matches(Self.users[0])) }
            let day = Date(timeIntervalSince1970: 0)
            let large = Order(id: UUID(), lines: [], days: Array(repeating: day, count: 5_000), first: nil)
            let hard = try Matcher(Query(parsing: "ALL days == '1970-01-01'"), limits: limits)
            #expect { try hard.matches(large) } throws: { ($0 as? QueryError)?.code == .tooMuchWork }
            #expect(try Query(parsing: "ALL days == '1970-01-01'").matches(large))
        }

        /// Rows of JSON have no kinds but those of their values (S2).
        @Test func rowsOfJSONAreAsBefore() throws {
            let rows: [Document] = [["b": true, "d": .date(0)], ["b": 1]]
            #expect(try Query(parsing: "b == 1").count(in: rows) == 1)
            #expect(try Query(parsing: "d == '1970-01-01'").count(in: rows) == 0)
        }
    }
#endif
