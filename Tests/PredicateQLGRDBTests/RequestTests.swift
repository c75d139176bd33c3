#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import Testing

    private struct Person: Codable, FetchableRecord, PersistableRecord, Equatable {
        static let databaseTableName = "person"
        static let pets = hasMany(Pet.self)
        var id: Int64
        var name: String?
        var age: Int?
        var active: Bool
        var joined: Date?
        var tags: [String]?
    }

    private struct Pet: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "pet"
        static let person = belongsTo(Person.self)
        var id: Int64
        var personId: Int64
        var name: String
        var age: Int
    }

    /// Queries on a real file, through GRDB's requests.
    @Suite struct RequestTests {
        private let pool: DatabasePool
        private let file: TemporaryFile

        /// Removes the files of a database after the test.
        private final class TemporaryFile: Sendable {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
            deinit {
                for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
            }
        }

        init() throws {
            file = TemporaryFile()
            var configuration = Configuration()
            configuration.addPredicateQLFunctions()
            pool = try DatabasePool(path: file.path, configuration: configuration)
            try pool.write { db in
                try db.create(table: "person") { table in
                    table.primaryKey("id", .integer)
                    table.column("name", .text)
                    table.column("age", .integer)
                    table.column("active", .boolean).notNull()
                    table.column("joined", .datetime)
                    table.column("tags", Database.ColumnType(rawValue: "JSON"))
                }
                try db.create(table: "pet") { table in
                    table.primaryKey("id", .integer)
                    table.column("personId", .integer).references("person")
                    table.column("name", .text)
                    table.column("age", .integer)
                }
                for person in Self.people { try person.insert(db) }
                try Pet(id: 1, personId: 1, name: "Rex", age: 3).insert(db)
                try Pet(id: 2, personId: 2, name: "Tom", age: 9).insert(db)
            }
        }

        private static let people = [
            Person(id: 1, name: "Ann", age: 21, active: true, joined: Date(timeIntervalSince1970: 0), tags: ["red"]),
            Person(id: 2, name: "Änne", age: 40, active: false, joined: nil, tags: []),
            Person(id: 3, name: nil, age: nil, active: true, joined: Date(timeIntervalSince1970: 9.5), tags: nil),
        ]

        private func ids(_ format: String, _ arguments: (any QueryValueConvertible)?...) throws -> [Int64] {
            let query = try Query(parsing: format, arguments: arguments.map { $0?.queryValue ?? .null })
            return try pool.read { try Person.filter(query).order(Column("id")).fetchAll($0).map(\.id) }
        }

        @Test func filters() throws {
            #expect(try ids("age > 30") == [2])
            #expect(try ids("age != 21") == [2, 3])
            #expect(try ids("NOT age > 30") == [1, 3])
            #expect(try ids("name == nil") == [3])
            #expect(try ids("name BEGINSWITH[cd] 'AN'") == [1, 2])
            #expect(try ids("name LIKE 'A*'") == [1])
            #expect(try ids("name MATCHES '[A-Z]nn'") == [1])
            #expect(try ids("age IN {21, nil}") == [1, 3])
            #expect(try ids("TRUEPREDICATE") == [1, 2, 3])
        }

        @Test func declaredKinds() throws {
            #expect(try ids("active == TRUE") == [1, 3])
            #expect(try ids("active == FALSE") == [2])
            #expect(try ids("ANY tags == 'red'") == [1])
            #expect(try ids("tags CONTAINS 'red'") == [1])
            #expect(try ids("tags.@count == 0") == [2])
        }

        @Test func datesAreInTheFormatOfGRDB() throws {
            #expect(try ids("joined == %@", Date(timeIntervalSince1970: 9.5)) == [3])
            #expect(try ids("joined < %@", Date(timeIntervalSince1970: 9)) == [1])
            // The text of the year 11476 would sort before all others.
            #expect(try ids("joined < %@", Date(timeIntervalSince1970: 300_000_000_000)) == [1, 3])
            #expect(try ids("joined < now()") == [1, 3])
            let query = try Query(format: "joined == %@", Date(timeIntervalSince1970: 0))
            let assumptions = try pool.read { try query.assumptions(in: $0, from: "person") }
            #expect(assumptions.contains(.date("joined", .grdb)))
        }

        @Test func joinsQualifyColumns() throws {
            let query = try Query(format: "age > 20 AND name BEGINSWITH 'A'")
            let request = Person.joining(required: Person.pets).filter(query)
            #expect(try pool.read { try request.fetchAll($0).map(\.id) } == [1])
            let pets = Pet.filter(try Query(format: "age > 5")).joining(required: Pet.person.filter(query))
            #expect(try pool.read { try pets.fetchCount($0) } == 0)
        }

        @Test func childTables() throws {
            let pet = Schema([.field("id", .int), .field("name", .string), .field("age", .int)])
            let schema = Schema([
                .field("id", .int), .field("name", .string),
                .field("pets", .list(.object(pet)), relation: .init(table: "pet", foreignKey: "personId")),
            ])
            let query = try Query(format: "ANY pets.age > 5", schema: schema)
            #expect(try pool.read { db in try Person.filter(query).fetchAll(db).map(\.id) } == [2])
            let none = try Query(format: "pets.@count == 0", schema: schema)
            #expect(try pool.read { try Person.filter(none).fetchAll($0).map(\.id) } == [3])
        }

        @Test func wholeQueries() throws {
            let query = try Query(format: "TRUEPREDICATE", order: [.descending("age")], skip: 1, limit: 1)
            let records = try pool.read { try query.request(for: Person.self, in: $0).fetchAll($0) }
            #expect(records.map(\.id) == [1])
            let rows = try pool.read { try query.rows(in: $0, from: "person") }
            #expect(rows.map { $0["id"] as Int64 } == [1])
            let count = try Query(format: "age > 20")
            #expect(try pool.read { try count.count(in: $0, from: "person") } == 2)
        }

        /// Records are returned whole, in requests as in memory (S21).
        @Test func recordsHaveNoFields() throws {
            let some = try Query(format: "age > 20", fields: ["name"])
            let summed = try Query(parsing: "age > 20", computed: [ComputedField(parsing: "old = age * 2")])
            try pool.read { db in
                for query in [some, summed] {
                    for run in [
                        { try query.request(for: Person.self, in: db).fetchAll(db).count },
                        { try Person.filter(query).fetchAll(db).count },
                    ] {
                        #expect { try run() } throws: { error in
                            let error = error as? QueryError
                            return error?.message == "typed rows are returned whole"
                                && error?.hint == "leave out fields, or use results(in:from:)"
                        }
                    }
                    #expect(try query.results(in: db, from: "person").count == 2)
                }
                var policy = QueryPolicy(fields: ["name", "age"])
                policy.allowsWholeRows = true
                let query = try policy.checked(Query(parsing: "age > 20", skip: 1, limit: 20))
                #expect(try query.request(for: Person.self, in: db).fetchAll(db).count == 1)
            }
        }

        @Test func pagesExistenceAndDeletion() throws {
            let query = Query(order: ["-age"], limit: 1)
            let all = try pool.read { db in try Query(order: ["-age", "-id"]).rows(in: db, from: "person") }
            var found: [Int64] = []
            var cursor: PageCursor?
            while found.count < 10 {
                let page = try query.page(after: cursor, by: "id")
                guard let row = try pool.read({ try page.rows(in: $0, from: "person") }).first else { break }
                let id: Int64 = row["id"]
                found.append(id)
                let age: Int64? = row["age"]
                let last: Document = ["id": .int(id), "age": age.map { .int($0) } ?? .null]
                cursor = try query.cursor(after: last, by: "id")
            }
            #expect(found == all.map { $0["id"] as Int64 })
            let doomed = try Query(format: "age > 20")
            #expect(try pool.read { try doomed.suggestedIndexes(in: $0, from: "person") }.count == 1)
            // Views and virtual tables have no indexes.
            for name in ["seen", "found"] {
                let indexes = try pool.write { db in
                    try db.execute(
                        sql: name == "seen"
                            ? "CREATE VIEW seen AS SELECT * FROM person" : "CREATE VIRTUAL TABLE found USING fts5(age)"
                    )
                    return try doomed.suggestedIndexes(in: db, from: name)
                }
                #expect(indexes.isEmpty, "\(indexes)")
            }
            let (before, count, after) = try pool.write { db in
                try db.execute(sql: "CREATE TABLE copied AS SELECT id, age FROM person")
                let before = try doomed.exists(in: db, from: "copied")
                let count = try doomed.delete(in: db, from: "copied")
                return (before, count, try doomed.exists(in: db, from: "copied"))
            }
            #expect(before && count == 2 && !after)
        }

        @Test func expressionsCombine() throws {
            let query = try Query(format: "age > 20")
            let ids = try pool.read { db in
                let expression = try query.expression(in: db, table: "person")
                return try Person.filter(expression && Column("id") > 1).fetchAll(db).map(\.id)
            }
            #expect(ids == [2])
        }

        @Test func refusals() throws {
            let query = try Query(format: "age > 20", limit: 1)
            #expect(throws: QueryError.self) { try pool.read { try Person.filter(query).fetchAll($0) } }
            #expect(throws: QueryError.self) { try ids("name == %@", "a\0b") }
            #expect(throws: QueryError.self) { try ids("name == $unbound") }
        }

        @Test func namesWithQuotes() throws {
            let columns = try pool.write { db in
                try db.execute(sql: #"CREATE TABLE "odd" ("id" INTEGER PRIMARY KEY, "\#u{301}a""\#u{301}b ? 'c" TEXT)"#)
                try db.execute(sql: #"INSERT INTO "odd" VALUES (1, 'x'), (2, NULL)"#)
                let query = Query(
                    .comparison(
                        Comparison(
                            .field(FieldPath(keys: ["\u{301}a\"\u{301}b ? 'c"]), .none),
                            .equal,
                            .value("x", .none)
                        )
                    )
                )
                return try Table<Row>("odd").all().filter(query).fetchAll(db).map { $0["id"] as Int64 }
            }
            #expect(columns == [1])
        }
    }
#endif
