#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import QueryChecking
    import Testing

    /// Queries over the rows that foreign keys lead to, without a schema.
    @Suite struct RelationTests {
        private struct Person: Codable, FetchableRecord, PersistableRecord {
            static let databaseTableName = "person"
            var id: Int64
            var name: String
            var age: Int
            var bossId: Int64?
            var teamId: Int64?
            var mark: Data?
            var address: String?
        }

        private let queue: DatabaseQueue

        init() throws {
            queue = try DatabaseQueue()
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, teamId INTEGER);
                        INSERT INTO team VALUES (1, 'Red', NULL), (2, 'blue', 9);
                        CREATE TABLE person (
                            id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL,
                            bossId INTEGER REFERENCES person, teamId INTEGER REFERENCES team, mark BLOB, address TEXT
                        );
                        INSERT INTO person VALUES
                            (1, 'Ann', 30, NULL, 1, x'01', '{"city":"Wien"}'), (2, 'Bob', 20, 1, 2, x'02', NULL),
                            (3, 'Cem', 40, 1, NULL, x'ff', '{"city":"Graz"}'), (4, 'Dan', 50, 3, 1, NULL, NULL);
                        CREATE TABLE pet (id INTEGER PRIMARY KEY, personId INTEGER REFERENCES person, weight REAL);
                        INSERT INTO pet VALUES (1, 1, 1.5), (2, 1, 2.0), (3, 2, 4.0);
                        """
                )
            }
        }

        private func ids(_ format: String) throws -> [Int64] {
            let query = try Query(parsing: format)
            return try queue.read { db -> [Int64] in
                let found = try Person.filter(query).fetchAll(db).map(\.id)
                #expect(try query.request(for: Person.self, in: db).fetchAll(db).map(\.id) == found, "\(format)")
                #expect(try query.count(in: db, from: "person") == found.count, "\(format)")
                let documents = try query.results(in: db, from: "person")
                #expect(documents.map { $0["id"] } == found.map { .int($0) }, "\(format)")
                return found
            }
        }

        /// The foreign key is the row's, even where the other table has a column of its name.
        @Test func foreignKeysThatAreNil() throws {
            #expect(try ids("boss == nil") == [1])
            #expect(try ids("boss != nil") == [2, 3, 4])
            #expect(try ids("boss IN {nil}") == [1])
            #expect(try ids("team == nil OR boss == nil") == [1, 3])
            #expect(try ids("NOT team == nil") == [1, 2, 4])
            #expect(try ids("team.name == 'Red' AND boss != nil") == [4])
            try queue.inTransaction { db in
                let bosses = try Person.filter(Query(parsing: "boss == nil"))
                let changed = try bosses.updateAll(db, Column("age").set(to: 1))
                #expect(changed == 1)
                return .rollback
            }
        }

        @Test func otherTablesCompareTextsByBytes() throws {
            #expect(try ids("team.name == 'RED'") == [])
            #expect(try ids("team.name BEGINSWITH 'r'") == [])
            #expect(try ids("team.name IN {'Red', 'BLUE'}") == [1, 4])
        }

        @Test func computedValuesOfOtherTables() throws {
            let computed = try ["n = pet.@sum.weight", "t = team.name", "x = age + pet.@count"]
                .map { try ComputedField(parsing: $0) }
            var query = Query(order: ["id"], limit: 2, fields: ["id", "address.city"], computed: computed)
            let rows = try queue.read { try query.results(in: $0, from: "person") }
            #expect(
                rows == [
                    ["id": 1, "address": .object(["city": "Wien"]), "n": 3.5, "t": "Red", "x": 32],
                    ["id": 2, "n": 4.0, "t": "blue", "x": 21],
                ]
            )
            let none = try queue.read { try Query(limit: 1, fields: []).results(in: $0, from: "person") }
            #expect(none == [[:]])
            query.computed = []
            let some = try queue.read { db in
                query.condition = try Condition(parsing: "random() >= 0")
                return try query.results(in: db, from: "person")
            }
            #expect(some == [["id": 1, "address": .object(["city": "Wien"])], ["id": 2]])
            (query.condition, query.fields) = (.constant(true), ["id", "team.name"])
            let error = #expect(throws: QueryError.self) {
                try queue.read { try query.results(in: $0, from: "person") }
            }
            #expect(error?.message == "rows of another table cannot be selected as a field")
        }

        /// GRDB writes the dates of `Codable` properties in JSON as milliseconds and their UUIDs in upper case, which a
        /// schema says.
        @Test func datesAndUUIDsInJSON() throws {
            let id = try #require(UUID(uuidString: "ABCDEF00-0000-0000-0000-000000000001"))
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE bag (id INTEGER PRIMARY KEY, items TEXT)")
                try db.execute(
                    sql: "INSERT INTO bag VALUES (1, ?), (2, NULL)",
                    arguments: [#"[{"at":1704067200000,"id":"\#(id.uuidString)"}]"#]
                )
            }
            let item = Schema([.field("at", .date(.epochMilliseconds)), .field("id", .string)])
            let schema = Schema([.field("id", .int), .field("items", .list(.object(item)))])
            let date = Date(timeIntervalSince1970: 1_704_067_200)
            let queries = [
                try Query(format: "ANY items.at == %@", date, schema: schema),
                try Query(format: "items.@min.at < now()", schema: schema),
                try Query(format: "ANY items.id == %@", id.uuidString, schema: schema),
                try Query(format: "SUBQUERY(items, $i, $i.at > %@).@count == 0 AND items != nil", date, schema: schema),
            ]
            for query in queries {
                let found = try queue.read { db in
                    try Table<Row>("bag").all().filter(query).fetchAll(db).map { $0["id"] as Int }
                }
                #expect(found == [1], "\(query)")
            }
        }

        /// Pages by bytes end, in both directions.
        @Test(arguments: ["mark", "-mark"]) func pagesByBytes(_ key: String) throws {
            let declared = try queue.read { try Schema(database: $0, table: "person") }
            for schema in [declared, nil] {
                let query = try Query(order: [SortKey(parsing: key)], limit: 1, schema: schema)
                #expect(try pages(query) == (key == "mark" ? [4, 1, 2, 3] : [3, 2, 1, 4]))
            }
        }

        /// No row holds the fields of another, so that a page cannot continue after them.
        @Test func pagesByRelatedRowsAreRefused() throws {
            let declared = try queue.read { try Schema(database: $0, table: "person") }
            for schema in [declared, nil] {
                let error = #expect(throws: QueryError.self) {
                    try pages(Query(order: ["team.name"], limit: 1, schema: schema))
                }
                #expect(error?.code == .unsupported, "\(String(describing: error))")
            }
        }

        /// A cursor made of a record holds its `Date`, which GRDB's column holds as text.
        @Test func pagesAfterDatesOfRecords() throws {
            let dates = (0..<4).map { Date(timeIntervalSince1970: Double(1_704_067_200 + $0 / 2 * 60)) }
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, at DATETIME)")
                for date in dates { try db.execute(sql: "INSERT INTO visit (at) VALUES (?)", arguments: [date]) }
            }
            for schema in [nil, Schema([.field("id", .int), .field("at", .date(.native))])] {
                for key in ["at", "-at"] {
                    let query = try Query(order: [SortKey(parsing: key), "id"], limit: 1, schema: schema)
                    var found: [Int] = []
                    var cursor: PageCursor?
                    for _ in 0..<4 {
                        let page = try query.page(after: cursor, by: "id")
                        let rows = try queue.read { try page.results(in: $0, from: "visit") }
                        guard case .int(let id)? = rows.first?["id"], rows.count == 1 else { break }
                        found.append(Int(id))
                        let record: Document = ["id": .int(id), "at": dates[Int(id) - 1].queryValue]
                        cursor = try query.cursor(after: record, by: "id")
                    }
                    #expect(found == (key == "at" ? [1, 2, 3, 4] : [3, 4, 1, 2]), "\(key) \(schema == nil)")
                }
            }
        }

        /// The ids of four pages.
        private func pages(_ query: Query) throws -> [QueryValue?] {
            var found: [QueryValue?] = []
            var cursor: PageCursor?
            for _ in 0..<4 {
                let page = try query.page(after: cursor, by: "id")
                let rows = try queue.read { try page.results(in: $0, from: "person") }
                found += rows.map { $0["id"] }
                cursor = try rows.last.map { try query.cursor(after: $0, by: "id") }
            }
            return found
        }

        /// Rows hold the bytes of UUIDs, after which a page continues where a schema declares UUIDs.
        @Test func pagesByUUIDs() throws {
            try queue.write { db in
                try db.execute(sql: "UPDATE person SET mark = NULL WHERE id = 2")
                for id in [1, 3, 4] {
                    let uuid = UUID(uuid: (UInt8(9 - id), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
                    try db.execute(sql: "UPDATE person SET mark = ? WHERE id = ?", arguments: [uuid, id])
                }
            }
            let schema = Schema([.field("id", .int), .field("mark", .uuid)])
            #expect(try pages(Query(order: ["mark"], limit: 1, schema: schema)) == [2, 4, 3, 1])
            #expect(try pages(Query(order: ["-mark"], limit: 1, schema: schema)) == [1, 3, 4, 2])
        }

        /// SQLite would find these; memory, which computes a part of some queries, reads rows by their columns' names.
        @Test func namesAreExact() throws {
            #expect(try ids("rowid == 3") == [3])
            func failure(_ query: Query) -> QueryError? {
                #expect(throws: QueryError.self) { try queue.read { try query.results(in: $0, from: "person") } }
            }
            let other = failure(try Query(parsing: "Name == 'Ann'"))
            #expect(other?.code == .unknownField)
            #expect(other?.hint == "did you mean name?")
            #expect(failure(try Query(parsing: "rowid == 3 OR random() < 0"))?.code == .unsupported)
            #expect(failure(Query(fields: ["rowid"]))?.code == .unsupported)
        }
    }
#endif
