#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import Testing

    private struct Box: Codable {
        var weight: Double
    }

    private struct Parcel: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "parcel"
        var id: Int64
        var price: Decimal
        var cost: Decimal
        var lower: UUID
        var upper: UUID
        var sent: Date
        var box: Box

        static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
            ["lower": .lowercaseString, "upper": .uppercaseString][column] ?? .deferredToUUID
        }

        static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
            column == "sent" ? .secondsSince1970 : .deferredToDate
        }
    }

    /// What the page about stores says of the forms in which GRDB stores values.
    @Suite struct StoredFormTests {
        private let queue: DatabaseQueue
        private static let keys = (0..<3).map { _ in UUID() }

        init() throws {
            queue = try DatabaseQueue()
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE parcel (id INTEGER PRIMARY KEY, price TEXT, cost NUMERIC, lower TEXT, upper TEXT,
                            sent DATETIME, box TEXT, made DATETIME DEFAULT CURRENT_TIMESTAMP, day DATE DEFAULT CURRENT_DATE)
                        """
                )
                for (index, key) in Self.keys.enumerated() {
                    let price = try #require(Decimal(string: "\(index * 10).5"))
                    try Parcel(
                        id: Int64(index),
                        price: price,
                        cost: price,
                        lower: key,
                        upper: key,
                        sent: Date(timeIntervalSince1970: Double(index) * 100),
                        box: Box(weight: Double(index))
                    ).insert(db)
                }
            }
        }

        private func ids(_ text: String, _ arguments: QueryValue..., schema: Schema? = nil) throws -> [Int64] {
            let query = try Query(parsing: text, arguments: arguments, schema: schema)
            return try queue.read { db in
                let ids = try Parcel.filter(query).order(Column("id")).select(Column("id"), as: Int64.self).fetchAll(db)
                #expect(try query.results(in: db, from: "parcel").map { $0["id"] } == ids.map { .int($0) }, "\(text)")
                return ids
            }
        }

        @Test func decimalsAreNumbersInNumericColumns() throws {
            #expect(try ids("cost > 9") == [1, 2])
            #expect(try ids("price > 9") == [])
            #expect(try ids("CAST(price, 'NSNumber') > 9") == [1, 2])
        }

        /// A number of the schema in a column of texts needs a cast; nil and other fields need none.
        @Test func numbersInTextColumnsAreRefused() throws {
            let schema = Schema(
                [.field("id", .int), .field("price", .double), .field("cost", .double)],
                allowsOthers: true
            )
            #expect(try ids("CAST(price, 'NSNumber') > 9 AND price != nil", schema: schema) == [1, 2])
            #expect(try ids("price IN {nil} OR cost > 9", schema: schema) == [1, 2])
            func refused(_ body: (Database) throws -> Void) {
                let error = #expect(throws: QueryError.self) { try queue.read(body) }
                #expect(error?.code == .unsupported && error?.hint == "CAST(price, 'NSNumber')")
            }
            for text in ["price > 9", "CAST(price, 'NSNumber') > 9 OR price == 0.5", "cost < price", "price + 1 > 9"] {
                let query = try Query(parsing: text, schema: schema)
                refused { db in _ = try query.results(in: db, from: "parcel") }
                refused { db in _ = try Parcel.filter(query).fetchCount(db) }
            }
            refused { db in _ = try Query(order: ["price"], schema: schema).results(in: db, from: "parcel") }
            let groups = Query(schema: schema).grouped(computing: [.sum("price")])
            refused { db in _ = try groups.rows(in: db, from: "parcel") }
        }

        /// The same in a row that a relation leads to.
        @Test func numbersInTextsOfRelatedRowsAreRefused() throws {
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE label (id INTEGER PRIMARY KEY, parcelId INTEGER REFERENCES parcel)")
                for id in 0..<3 { try db.execute(sql: "INSERT INTO label VALUES (?, ?)", arguments: [id, id]) }
            }
            let relation = Schema.Relation(table: "parcel", foreignKey: "parcelId")
            let parcel = Schema.Field.field("parcel", .object(Schema([.field("price", .double)])), relation: relation)
            let schema = Schema([.field("id", .int), parcel])
            let query = try Query(parsing: "parcel.price > 9", order: ["id"], schema: schema)
            let error = #expect(throws: QueryError.self) { try queue.read { try query.results(in: $0, from: "label") } }
            #expect(error?.hint == "CAST(parcel.price, 'NSNumber')")
            let cast = try Query(parsing: "CAST(parcel.price, 'NSNumber') > 9", order: ["id"], schema: schema)
            #expect(try queue.read { try cast.results(in: $0, from: "label").map { $0["id"] } } == [1, 2])
        }

        @Test func textsOfUUIDs() throws {
            let schema = Schema([.field("lower", .uuid), .field("upper", .string)], allowsOthers: true)
            #expect(try ids("lower == %@", .uuid(Self.keys[1]), schema: schema) == [1])
            #expect(try ids("lower IN {%@, nil}", .uuid(Self.keys[1]), schema: schema) == [1])
            #expect(try ids("upper == %@", .string(Self.keys[1].uuidString), schema: schema) == [1])
        }

        @Test func wholeDoublesInJSONAreInts() throws {
            #expect(try ids("box.weight / 2 == 0.5") == [])
            #expect(try ids("box.weight * 1.0 / 2 == 0.5") == [1])
            #expect(try ids("box.weight == 1.0") == [1])
        }

        @Test func otherFormsOfDatesNeedASchema() throws {
            let past = QueryValue.date(0)
            let schema = Schema(
                [
                    .field("made", .date(.iso8601)), .field("day", .date(.iso8601Date)),
                    .field("sent", .date(.epochSeconds)),
                ],
                allowsOthers: true
            )
            #expect(try ids("made > %@", past, schema: schema) == [0, 1, 2])
            #expect(try ids("day > %@", past, schema: schema) == [0, 1, 2])
            #expect(try ids("sent > %@", past, schema: schema) == [1, 2])
            #expect(try ids("max({made, made}) > %@", past, schema: schema) == [0, 1, 2])
        }
    }
#endif
