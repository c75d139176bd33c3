#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import PredicateQLSQLite
    import QueryTree
    import QueryValues
    import Testing

    private struct Author: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "author"
        static let boss = belongsTo(Author.self, key: "boss", using: ForeignKey(["bossId"]))
        var uid: String
        var name: String
        var bossId: String?
        var tags: String?
    }

    private struct Book: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "book"
        static let author = belongsTo(Author.self, key: "author", using: ForeignKey(["authorId"]))
        static let translator = belongsTo(Author.self, key: "translator", using: ForeignKey(["translatorId"]))
        var id: Int64
        var title: String
        var authorId: String
        var translatorId: String?
    }

    /// Common set-ups: tables joined to themselves, text keys, views, connections without the functions.
    @Suite struct OrdinaryTests {
        /// A database without registered functions.
        private static func makeQueue() throws -> DatabaseQueue {
            let queue = try DatabaseQueue()
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE author (uid TEXT PRIMARY KEY, name TEXT NOT NULL, tags JSON,
                            bossId TEXT REFERENCES author);
                        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
                            authorId TEXT REFERENCES author, translatorId TEXT REFERENCES author);
                        CREATE TABLE shelf (room TEXT, place TEXT, width INT, active BOOLEAN,
                            PRIMARY KEY (room, place)) WITHOUT ROWID;
                        CREATE VIEW title AS SELECT title, authorId FROM book;
                        INSERT INTO shelf VALUES ('a', 'x', 1, 1), ('a', 'y', 1, 0), ('b', 'x', 2, 1);
                        """
                )
                for (uid, name, boss, tags) in [
                    ("u3", "Ann", nil, #"["red"]"#), ("u1", "Ben", "u3", #"["red","blue"]"#), ("u2", "Cid", "u1", nil),
                ] { try Author(uid: uid, name: name, bossId: boss, tags: tags).insert(db) }
                for (id, title, author, translator) in [
                    (1, "One", "u3", "u1"), (2, "Two", "u1", "u2"), (3, "Three", "u1", nil),
                ] { try Book(id: Int64(id), title: title, authorId: author, translatorId: translator).insert(db) }
            }
            return queue
        }

        /// Requests that join a table to itself, or twice; GRDB would crash the process if an alias were used twice.
        private static func joinTwice() throws {
            let red = try Query(format: "ANY tags == 'red'")
            let schema = Schema([
                .field("uid", .string), .field("name", .string),
                .field(
                    "books",
                    .list(.object(Schema([.field("id", .int), .field("title", .string)]))),
                    relation: .init(table: "book", foreignKey: "authorId")
                ),
            ])
            let writers = try Query(format: "books.@count > 0 AND ANY books.title CONTAINS 'T'", schema: schema)
            let all = [red, writers, try Query(format: "boss.name == 'Ann' OR name == 'Ann'")]
            let queue = try makeQueue()
            try queue.read { db in
                for outer in all {
                    for inner in all {
                        let expected = try Set(Author.filter(outer).fetchAll(db).map(\.uid))
                        let bosses = try Set(Author.filter(inner).fetchAll(db).map(\.uid))
                        let people = try Author.fetchAll(db)
                        let wanted = people.filter {
                            expected.contains($0.uid) && $0.bossId.map(bosses.contains) ?? false
                        }
                        for request in [
                            Author.joining(required: Author.boss.filter(inner)).filter(outer),
                            Author.filter(outer).joining(required: Author.boss.filter(inner)),
                            Author.aliased(TableAlias(name: "someone")).joining(required: Author.boss.filter(inner))
                                .filter(outer),
                            Author.filter(outer).filter(outer).including(required: Author.boss.filter(inner)),
                        ] { #expect(try Set(request.fetchAll(db).map(\.uid)) == Set(wanted.map(\.uid))) }
                        let books = Book.including(required: Book.author.filter(outer))
                            .including(required: Book.translator.filter(inner))
                        let found = try books.fetchAll(db).map(\.id)
                        let right = try Book.fetchAll(db).filter { book in
                            expected.contains(book.authorId) && book.translatorId.map(bosses.contains) ?? false
                        }
                        #expect(Set(found) == Set(right.map(\.id)))
                    }
                }
                #expect(try Author.filter(red).fetchAll(db).map(\.uid).sorted() == ["u1", "u3"])
                #expect(try Author.filter(writers).fetchAll(db).map(\.uid) == ["u1"])
                let withBoss = Author.joining(required: Author.boss).filter(red)
                #expect(try withBoss.fetchAll(db).map(\.uid) == ["u1"])
            }
        }

        /// A schema may lead to tables that a database lacks, as long as the query does not.
        @Test func unusedRelationsNeedNoTable() throws {
            let order = Schema([.field("state", .string)])
            let relation = Schema.Relation(table: "orders", foreignKey: "author_uid")
            let schema = Schema(
                [.field("name", .string), .field("orders", .list(.object(order)), relation: relation)],
                primaryKey: ["uid"]
            )
            try Self.makeQueue().read { db in
                let query = try Query(format: "name == 'Ann'", schema: schema)
                #expect(try query.rows(in: db, from: "author").count == 1)
                let used = try Query(format: "ANY orders.state == 'x'", schema: schema)
                #expect(throws: (any Error).self) { try used.rows(in: db, from: "author") }
            }
        }

        /// A column's collation decides no answer (S4), in requests, counts and conditions of GRDB alike.
        @Test func collationsDecideNothing() throws {
            let queue = try DatabaseQueue()
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
                        INSERT INTO person VALUES (1, 'Bob'), (2, 'bob'), (3, 'ann'), (4, NULL);
                        """
                )
                for (format, ids) in [
                    ("name == 'bob'", [2]), ("name IN {'BOB', 'bob'}", [2]), ("name != 'bob'", [1, 3, 4]),
                    ("name BEGINSWITH 'B'", [1]), ("name < 'a'", [1]), ("name ==[c] 'BOB'", [1, 2]),
                ] as [(String, [Int64])] {
                    var query = try Query(parsing: format)
                    query.order = ["id"]
                    let found = try query.rows(in: db, from: "person").map { $0["id"] as Int64? ?? 0 }
                    #expect(found == ids, "\(format)")
                    #expect(try query.count(in: db, from: "person") == ids.count, "\(format)")
                }
                let sorted = try Query(order: ["name"]).rows(in: db, from: "person").map { $0["id"] as Int64? ?? 0 }
                #expect(sorted == [4, 1, 3, 2])
            }
        }

        @Test func joinsOfATableWithItself() async throws {
            try Self.joinTwice()
            await #expect(processExitsWith: .success) { try OrdinaryTests.joinTwice() }
        }

        @Test func viewsAndKeysOfSeveralColumns() throws {
            try Self.makeQueue().write { db in
                let shelves = try Query(order: ["-width"], skip: 1, limit: 1).rows(in: db, from: "shelf")
                #expect(shelves.map { $0["place"] as String } == ["y"])
                let titles = try Query(order: ["authorId"], limit: 1).rows(in: db, from: "title")
                #expect(titles.map { $0["title"] as String } == ["Three"])
                #expect(try Query(order: ["width"], limit: 1).delete(in: db, from: "shelf") == 1)
                let left = try Query(format: "active == FALSE").results(in: db, from: "shelf")
                #expect(left == [["room": "a", "place": "y", "width": 1, "active": false]])
                let filtered = Table<Row>("shelf").all().filter(try Query(format: "room IN {'a', 'c'}"))
                #expect(try filtered.fetchCount(db) == 1)
            }
        }

        @Test func unknownColumnsAreNamed() throws {
            try Self.makeQueue().read { db in
                for ask in [
                    { try Author.filter(Query(format: "nme == 'Ann'")).fetchAll(db) },
                    { try Query(order: ["nme"]).request(for: Author.self, in: db).fetchAll(db) },
                    { try Author.filter(Query(format: "ANY nme.x == 'Ann'")).fetchAll(db) },
                ] {
                    let error = #expect(throws: QueryError.self) { _ = try ask() }
                    #expect(error?.code == .unknownField && error?.hint == "did you mean name?")
                }
                do {
                    _ = try Query(format: "zzz == 1").count(in: db, from: "shelf")
                    Issue.record("there is no column zzz")
                } catch let error as QueryError {
                    #expect(error.hint == "it has room, place, width, active")
                }
            }
        }

        @Test func functionsComeByThemselves() throws {
            let queue = try Self.makeQueue()
            let folded = try Query(format: "name ==[c] 'ANN' OR name LIKE 'B*'")
            #expect(try queue.read { try Author.filter(folded).fetchCount($0) } == 2)
            #expect(try Self.makeQueue().read { try folded.count(in: $0, from: "author") } == 2)
        }

        @Test func fieldsGroupsAndRests() throws {
            try Self.makeQueue().read { db in
                #expect(try Author.filter(Field("name") == "Ann").fetchCount(db) == 1)
                let byAuthor = Query(order: ["-count"]).grouped(by: "author.name", computing: [.count])
                #expect(try byAuthor.rows(in: db, from: "book").map { $0["count"] as Int } == [2, 1])
                let query = try Query(format: "id > 1 AND random() >= 0", order: ["-id"], limit: 1, fields: ["title"])
                let split = try query.split(in: db, from: "book")
                #expect(split.rest == (try Condition(format: "random() >= 0")))
                #expect(try query.results(in: db, from: "book") == [["title": "Three"]])
                #expect(try Query(format: "title == 'One'").results(in: db, from: "book").count == 1)
            }
        }

        @Test func foreignKeysGiveRelations() throws {
            try Self.makeQueue().read { db in
                let schema = try Schema(database: db, table: "book")
                for given in [schema, nil] {
                    let query = try Query(
                        format: "author.name == 'Ben' AND translator.boss.name == 'Ben'",
                        schema: given
                    )
                    #expect(try Book.filter(query).fetchAll(db).map(\.id) == [2])
                }
                // Two keys of one table refer to authors, so the inverse relation has no name.
                #expect(try Schema(database: db, table: "author").field(named: "book") == nil)
                #expect(try Author.filter(Query(format: "ANY author.name == 'Ben'")).fetchAll(db).map(\.uid) == ["u3"])
            }
        }

        /// The rows at a limit agree with memory, which is given the key.
        @Test func tiesAgree() throws {
            try Self.makeQueue().read { db in
                for table in ["book", "author", "shelf", "title"] {
                    let schema = try Schema(database: db, table: table)
                    let rows = try Query().results(in: db, from: table)
                    for column in rows[0].keys {
                        for sign in ["", "-"] {
                            for (skip, limit) in [(0, 1), (1, 1), (2, 5), (1, 2)] {
                                var query = Query(
                                    order: [SortKey(FieldPath(keys: [column]), ascending: sign.isEmpty)],
                                    skip: skip,
                                    limit: limit
                                )
                                let found = try query.results(in: db, from: table)
                                query.schema = Schema([], allowsOthers: true, primaryKey: schema.primaryKey)
                                #expect(try query.results(in: rows) == found, "\(table) \(sign)\(column)")
                            }
                        }
                    }
                }
            }
        }
    }
#endif
