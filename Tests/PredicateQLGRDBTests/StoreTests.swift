#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import Testing

    private struct Event: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "event"
        static let venue = belongsTo(Venue.self)
        var id: Int64
        var title: String
        var starts: Date?
        var key: UUID
        var venueId: Int64?
    }

    private struct Venue: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "venue"
        static let events = hasMany(Event.self)
        var id: Int64
        var title: String
    }

    /// GRDB features beyond filters: schemas, observation, associations, imports.
    @Suite struct StoreTests {
        private let queue: DatabaseQueue
        private static let keys = [UUID(), UUID(), UUID()]

        init() throws {
            var configuration = Configuration()
            configuration.addPredicateQLFunctions()
            queue = try DatabaseQueue(configuration: configuration)
            try queue.write { db in
                try db.create(table: "venue") { table in
                    table.primaryKey("id", .integer)
                    table.column("title", .text).notNull()
                }
                try db.create(table: "event") { table in
                    table.primaryKey("id", .integer)
                    table.column("title", .text).notNull()
                    table.column("starts", .datetime)
                    table.column("key", .blob).notNull()
                    table.column("venueId", .integer).references("venue")
                }
                try Venue(id: 1, title: "Hall").insert(db)
                try Venue(id: 2, title: "Park").insert(db)
                for (index, key) in Self.keys.enumerated() {
                    let starts = index == 2 ? nil : Date(timeIntervalSince1970: Double(index) * 86_400)
                    try Event(
                        id: Int64(index),
                        title: "Event \(index)",
                        starts: starts,
                        key: key,
                        venueId: index == 0 ? 1 : 2
                    ).insert(db)
                }
            }
        }

        @Test func statementsEndInTime() throws {
            let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c"
            var limits = Limits.default
            limits.steps = 10_000
            let error = #expect(throws: QueryError.self) {
                try queue.read { db in try db.withLimits(limits) { try Int.fetchOne(db, sql: endless) } }
            }
            #expect(error?.code == .tooMuchWork)
            // The connection stays usable, without a handler.
            let many = endless.replacingOccurrences(of: "FROM c)", with: "FROM c WHERE n < 50000)")
            #expect(try queue.read { try Int.fetchOne($0, sql: many) } == 50_000)
            #expect(try queue.write { db in try db.withLimits(limits) { try Int.fetchOne(db, sql: "SELECT 1") } } == 1)
        }

        @Test func schemasComeFromTheDatabase() throws {
            let schema = try queue.read { try Schema(database: $0, table: "event") }
            #expect(
                Array(schema.fields.dropLast()) == [
                    .field("id", .int, isOptional: false), .field("title", .string, isOptional: false),
                    .field("starts", .date(.sqliteText)), .field("key", .any, isOptional: false),
                    .field("venueId", .int),
                ]
            )
            #expect(schema.primaryKey == ["id"])
            // The foreign key leads to the venue, and the inverse relation back.
            let venue = schema.field(named: "venue")
            #expect(venue?.relation == .init(table: "venue", foreignKey: "venueId", key: "id"))
            #expect(venue?.type.step("event")?.relation == .init(table: "event", foreignKey: "venueId", key: "id"))
            #expect(throws: QueryError.self) { try Query(format: "title > 5", schema: schema) }
            let query = try Query(format: "starts >= '1970-01-02T00:00:00Z'", schema: schema)
            #expect(try queue.read { try Event.filter(query).fetchAll($0).map(\.id) } == [1])
            #expect(throws: DatabaseError.self) { try queue.read { try Schema(database: $0, table: "none") } }
        }

        @Test func datesOfOtherTablesAreComparedAsTheyAreStored() throws {
            try queue.write { db in
                try db.execute(sql: "ALTER TABLE venue ADD COLUMN opened DATETIME")
                try db.execute(sql: "UPDATE venue SET opened = '1970-01-01 11:00:00.000' WHERE id = 1")
            }
            let noon = Date(timeIntervalSince1970: 43_200).queryValue
            func find(_ format: String, in table: String, _ schema: Schema?) throws -> [QueryValue?] {
                let count = format.components(separatedBy: "%@").count - 1
                let arguments = Array(repeating: noon, count: count)
                let query = try Query(parsing: format, arguments: arguments, schema: schema)
                return try queue.read { try query.results(in: $0, from: table).map { $0["id"] } }
            }
            for table in ["venue", "event"] {
                let schema = try queue.read { try Schema(database: $0, table: table) }
                for (format, ids) in [
                    "venue": [
                        ("opened < %@", [1]), ("ANY event.starts < %@", [1]), ("NONE event.starts < %@", [2]),
                        ("SUBQUERY(event, $e, $e.starts < %@).@count == 1", [1]), ("event.@max.starts > %@", [2]),
                        ("SUBQUERY(event, $e, $e.title == 'Event 1').@min.starts > %@", [2]),
                        ("SUBQUERY(event, $e, $e.venue.opened <= %@).@count == 1", [1]),
                    ],
                    "event": [
                        ("venue.opened < %@", [0]), ("venue.opened BETWEEN {CAST(-978307200, 'NSDate'), %@}", [0]),
                        ("venue.opened != %@", [0, 1, 2]), ("venue.opened == nil", [1, 2]),
                        ("starts < venue.opened", [0]), ("NOT venue.opened IN {%@}", [0, 1, 2]),
                    ],
                ][table] ?? [] {
                    let expected = ids.map { QueryValue?.some(.int(Int64($0))) }
                    for schema in [nil, schema] {
                        let found = try find(format, in: table, schema)
                        #expect(found == expected, "\(format) \(schema == nil)")
                    }
                }
            }
            // A text is a date where it denotes one (S5).
            #expect(try find("venue.title < %@", in: "event", nil).isEmpty)
        }

        @Test func datesAndUUIDsAreComparedAsTheyAreStored() throws {
            let schemas = [nil, try queue.read { try Schema(database: $0, table: "event") }]
            for schema in schemas {
                let query = try Query(
                    format: "key == %@ AND starts < %@",
                    arguments: [Self.keys[1].queryValue, Date(timeIntervalSince1970: 90_000).queryValue],
                    schema: schema
                )
                #expect(try queue.read { try Event.filter(query).fetchAll($0).map(\.id) } == [1])
                let others = try Query(
                    format: "NOT key IN %@",
                    arguments: [.list([Self.keys[1].queryValue])],
                    schema: schema
                )
                #expect(try queue.read { try Event.filter(others).fetchCount($0) } == 2)
            }
        }

        @Test func associationsJoin() throws {
            let late = try Query(format: "title ENDSWITH '1' OR title ENDSWITH '2'")
            let park = try Query(format: "title == 'Park' AND id > 0")
            try queue.read { db in
                let joined = Event.filter(late).joining(required: Event.venue.filter(park))
                #expect(try joined.fetchAll(db).map(\.id) == [1, 2])
                let having = Venue.annotated(with: Venue.events.count)
                    .having(Venue.events.filter(late).isEmpty == false)
                #expect(try having.fetchAll(db).map(\.id) == [2])
                let including = try Event.including(required: Event.venue.filter(park)).filter(late).fetchCount(db)
                #expect(including == 2)
            }
        }

        @Test func expressionsStandWhereGRDBTakesThem() throws {
            let query = try Query(format: "starts == nil OR id == 0")
            try queue.write { db in
                let expression = try query.expression(in: db, table: "event")
                let flags = try Bool.fetchAll(db, Event.select(expression.forKey("hit")).order(Column("id")))
                #expect(flags == [true, false, true])
                #expect(try Event.order(expression.desc, Column("id")).fetchAll(db).map(\.id) == [0, 2, 1])
                #expect(try Event.filter(query).updateAll(db, Column("title").set(to: "found")) == 2)
                let found = try SQLRequest<Int>("SELECT count(*) FROM event WHERE \(expression)").fetchOne(db)
                #expect(found == 2)
                #expect(try Event.filter(query).deleteAll(db) == 2)
            }
        }

        @Test func observationSeesChanges() async throws {
            let query = try Query(format: "title BEGINSWITH 'Event' AND venueId != 1")
            let observation = ValueObservation.tracking { try Event.filter(query).fetchAll($0).map(\.id) }
            var seen: [[Int64]] = []
            for try await ids in observation.values(in: queue) {
                seen.append(ids)
                if seen.count == 3 { break }
                let isFirst = seen.count == 1
                try await queue.write { db in
                    if isFirst {
                        try Event(id: 9, title: "Event 9", starts: nil, key: UUID(), venueId: nil).insert(db)
                    } else {
                        try db.importDocuments(
                            [["id": 10, "title": "Event 10", "key": .uuid(UUID()), "starts": .date(5)]],
                            into: "event"
                        )
                    }
                }
            }
            #expect(seen == [[1, 2], [1, 2, 9], [1, 2, 9, 10]])
        }

        @Test func importsInOneTransaction() throws {
            let key = UUID()
            let documents: [Document] = [
                ["name": "a", "at": .date(0), "key": .uuid(key), "tags": ["x", "y"], "on": true],
                ["name": "b", "at": .date(86_400_000), "score": 1.5],
            ]
            let count = try queue.write { try $0.importDocuments(documents, into: "made") }
            #expect(count == 2)
            let schema = try queue.read { try Schema(database: $0, table: "made") }
            #expect(schema.fields.map(\.type) == [.string, .date(.sqliteText), .any, .any, .bool, .double])
            let query = try Query(
                format: "at < %@ AND key == %@ AND ANY tags == 'y' AND on == TRUE",
                Date(timeIntervalSince1970: 1),
                key
            )
            let names = try queue.read { try query.rows(in: $0, from: "made").map { $0["name"] as String } }
            #expect(names == ["a"])

            let more: [Document] = [["name": "c"], ["name": "d", "unknown": 1]]
            let error = #expect(throws: QueryError.self) {
                try queue.write { try $0.importDocuments(more, into: "made") }
            }
            #expect(error?.code == .store)
            let wrong = #expect(throws: QueryError.self) {
                try queue.write { try $0.importDocuments([["name": 5]], into: "made") }
            }
            #expect(wrong?.code == .store)
            let rows = try queue.read { try Query(format: "TRUEPREDICATE").count(in: $0, from: "made") }
            #expect(rows == 2)
        }
    }
#endif
