#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import PredicateQLSQLite
    import QueryTree
    import QueryValues
    import SpecSupport
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

    /// A record whose columns hold dates and UUIDs in every form in which GRDB writes them.
    private struct Event: Codable, FetchableRecord, PersistableRecord {
        struct Box: Codable { var at: Date }

        var id: Int64
        var text, clock, seconds, milliseconds, iso, reference: Date
        var bytes, lower, upper: UUID
        var box: Box

        static let columns = """
            id INTEGER PRIMARY KEY, text DATETIME, clock DATETIME, seconds REAL, milliseconds INTEGER, iso TEXT,
            reference TIMESTAMP, bytes BLOB, lower TEXT, upper TEXT, box TEXT
            """

        static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
            ["lower": .lowercaseString, "upper": .uppercaseString][column] ?? .deferredToUUID
        }

        static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
            switch column {
            // As CURRENT_TIMESTAMP has it.
            case "clock": .custom { String(DateText.grdb(Int64($0.timeIntervalSince1970) * 1000).prefix(19)) }
            case "seconds": .timeIntervalSince1970
            case "milliseconds": .millisecondsSince1970
            case "iso": .iso8601
            case "reference": .timeIntervalSinceReferenceDate
            default: .deferredToDate
            }
        }

        /// The record as `Document(queryable:)` gives it.
        var document: Document {
            func date(_ date: Date) -> QueryValue { .date(Int64((date.timeIntervalSince1970 * 1000).rounded(.down))) }
            return [
                "id": .int(id), "text": date(text), "clock": date(clock), "seconds": date(seconds),
                "milliseconds": date(milliseconds), "iso": date(iso), "reference": date(reference),
                "bytes": .uuid(bytes), "lower": .uuid(lower), "upper": .uuid(upper),
                "box": .object(["at": date(box.at)]),
            ]
        }

        /// What `Schema(queryable:)` says, or a schema that names the forms.
        static func schema(isExact: Bool) -> Schema {
            func date(_ name: String, _ encoding: DateEncoding) -> Schema.Field {
                .field(name, .date(isExact ? encoding : .native), isOptional: false)
            }
            return Schema([
                .field("id", .int, isOptional: false), date("text", .sqliteText), date("clock", .iso8601),
                date("seconds", .epochSeconds), date("milliseconds", .epochMilliseconds), date("iso", .iso8601),
                date("reference", .iso8601), .field("bytes", .uuid), .field("lower", .uuid), .field("upper", .uuid),
                .field("box", .object(Schema([date("at", .epochMilliseconds)])), isOptional: false),
            ])
        }
    }

    private struct Dated: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "t"
        var id: Int64
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
            let both = Schema([.field("lower", .uuid), .field("upper", .uuid)], allowsOthers: true)
            for schema in [nil, both] {
                let key = QueryValue.uuid(Self.keys[1])
                #expect(try ids("lower == %@ AND upper == %@", key, key, schema: schema) == [1])
                #expect(try ids("upper IN {%@}", key, schema: schema) == [1])
                #expect(try ids("upper != %@", key, schema: schema) == [0, 2])
            }
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

        /// The texts of CURRENT_DATE and CURRENT_TIMESTAMP are found without a schema, as at SQLite's own door.
        @Test func textsOfSQLitesOwnFunctions() throws {
            let file = NSTemporaryDirectory() + "texts-\(UUID().uuidString).db"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let queue = try DatabaseQueue(path: file)
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE t (id INTEGER PRIMARY KEY, d DATETIME); CREATE INDEX ofDates ON t (d);
                        INSERT INTO t (d) VALUES (NULL), ('2024-03-04 23:59:59.999'), ('2024-03-05'),
                            ('2024-03-05 00:00:00'), ('2024-03-05 00:00:00.000'), ('2024-03-05 00:00'),
                            ('2024-03-05 00:00:00.001'), ('2024-03-05 10:00:00'), ('2024-03-05 10:00:00.000'), ('2024-03-06')
                        """
                )
            }
            let database = try SQLiteDatabase(path: file)
            let midnight = Int64(1_709_596_800_000)
            let native = Schema([.field("id", .int), .field("d", .date(.native))])
            for schema in [nil, native] {
                for instant in [midnight, midnight + 1, midnight + 36_000_000, midnight - 1, midnight + 86_400_000] {
                    for format in [
                        "d == %@", "d != %@", "d < %@", "d <= %@", "d > %@", "d >= %@", "%@ <= d", "d IN {%@, nil}",
                        "d BETWEEN {%@, %@}", "NOT d < %@", "d >= %@ OR random() < 0", "d == %@ OR random() < 0",
                    ] {
                        let values = Array(repeating: QueryValue.date(instant), count: format.count { $0 == "%" })
                        let query = try Query(parsing: format, arguments: values, order: ["id"], schema: schema)
                        let found = try queue.read { try query.results(in: $0, from: "t").map { $0["id"] } }
                        #expect(try found == query.results(in: database, from: "t").map { $0["id"] }, "\(query)")
                        let count = try queue.read {
                            try query.split(in: $0, from: "t").memory == nil
                                ? query.count(in: $0, from: "t") : found.count
                        }
                        #expect(count == found.count)
                    }
                }
            }
            let plan = try queue.read { db in
                let request = try Query(format: "d == %@", QueryValue.date(midnight)).request(for: Dated.self, in: db)
                let statement = try request.makePreparedRequest(db).statement
                return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: statement.arguments)
            }
            #expect("\(plan)".contains("INDEX ofDates (d=?)"))
        }

        /// What a schema declares in another form than the table keeps is refused, as by the other door.
        @Test func otherFormsThanTheTableKeepsAreRefused() throws {
            for (condition, type): (String, FieldType) in [
                ("cost > %@", .date(.native)), ("cost > %@", .date(.sqliteText)), ("box > %@", .date(.epochSeconds)),
                ("box != %@", .bool),
            ] {
                let name = String(condition.prefix { $0 != " " })
                let schema = Schema([.field(name, type)], allowsOthers: true)
                let value: QueryValue = type == .bool ? true : .date(0)
                let error = #expect(throws: QueryError.self) { try ids(condition, value, schema: schema) }
                #expect(error?.code == .unsupported && error?.hint?.hasPrefix("declare the f") == true, "\(condition)")
            }
        }

        /// What the declarations rule out is told without a schema, and doubles that divide as ints (S17).
        @Test func comparisonsThatNeverHoldAreTold() throws {
            for (text, messages): (String, [String]) in [
                ("cost == TRUE", ["cost holds numbers in the table, and is compared with a truth value"]),
                ("price > 9", ["price holds text in the table, and is compared with a number"]), ("price > '9'", []),
                (
                    "cost / 4 == 0.25",
                    ["cost is kept as an int where it is whole, and two ints are divided without a remainder"]
                ),
                ("cost / 4.0 == 0.25", []), ("sent > '1970-01-01'", []), ("box.weight == 1", []),
            ] {
                let query = try Query(parsing: text)
                let told = try queue.read { try query.warnings(in: $0, from: "parcel") }
                #expect(told.map(\.message) == messages, "\(text)")
            }
            let schema = Schema([.field("box", .object(Schema([.field("weight", .double)])))])
            let query = try Query(parsing: "box.weight / 2 == 0.5", schema: schema)
            let told = try queue.read { try query.warnings(in: $0, from: "parcel") }
            #expect(told.map(\.hint) == ["make it a double first: box.weight * 1.0"])
        }

        /// Columns of numbers let texts in, which are above all numbers, on pages, too.
        @Test func pagesOfNumbersAndTexts() throws {
            let file = NSTemporaryDirectory() + "loose-\(UUID().uuidString).db"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let queue = try DatabaseQueue(path: file)
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, r REAL, w);
                        INSERT INTO t VALUES (1, 5, 1.5, 1), (2, 'b', 'zz', 'x'), (3, 7, 2.5, NULL), (4, 'c', 'yy', 2.5),
                            (5, NULL, NULL, 'w'), (6, 6, 'yy', 1)
                        """
                )
            }
            let database = try SQLiteDatabase(path: file)
            for (key, wanted): (String, [Int64]) in [
                ("n", [5, 1, 6, 3, 2, 4]), ("-n", [4, 2, 3, 6, 1, 5]), ("r", [5, 1, 3, 4, 6, 2]),
                ("-r", [2, 6, 4, 3, 1, 5]), ("w", [3, 1, 6, 4, 5, 2]), ("-w", [2, 5, 4, 6, 1, 3]),
            ] {
                let query = try Query(order: [SortKey(parsing: key)], limit: 2)
                let doors: [(Query) throws -> [Document]] = [
                    { try $0.results(in: database, from: "t") },
                    { page in try queue.read { try page.results(in: $0, from: "t") } },
                ]
                for results in doors {
                    var found: [QueryValue?] = []
                    var cursor: PageCursor?
                    for _ in 0..<4 {
                        let rows = try results(query.page(after: cursor, by: "id"))
                        found += rows.map { $0["id"] }
                        cursor = try rows.last.map { try query.cursor(after: $0, by: "id") }
                        if cursor == nil { break }
                    }
                    #expect(found == wanted.map { .int($0) }, "\(key)")
                }
            }
            // Texts among dates that are numbers are no dates, and behind them.
            let dates = Schema([.field("n", .date(.epochSeconds)), .field("id", .int)])
            for results: (Query) throws -> [Document] in [
                { try $0.results(in: database, from: "t") },
                { page in try queue.read { try page.results(in: $0, from: "t") } },
            ] {
                let later = try Query(parsing: "n > %@", arguments: [.date(5_500)], order: ["id"], schema: dates)
                #expect(try results(later).map { $0["id"] } == [3, 6])
                let query = Query(order: ["n"], limit: 2, schema: dates)
                var found: [QueryValue?] = []
                var cursor: PageCursor?
                for _ in 0..<3 {
                    let rows = try results(query.page(after: cursor, by: "id"))
                    found += rows.map { $0["id"] }
                    cursor = found.count < 6 ? try rows.last.map { try query.cursor(after: $0, by: "id") } : nil
                }
                #expect(found == [5, 1, 6, 3, 2, 4])
            }
        }

        /// A page continues after a date in JSON of a record, or of a row if the schema says how it is stored.
        @Test func pagesAfterDatesInJSON() throws {
            let at = Schema([.field("at", .date(.native))])
            let schema = Schema([.field("id", .int), .field("j", .object(at))])
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, j TEXT)")
                for day in [5, 3, 9, 3, 1] {
                    try db.execute(sql: "INSERT INTO visit (j) VALUES (?)", arguments: ["{\"at\":\(day * 86_400_000)}"])
                }
            }
            func pages(_ query: Query, _ read: (Document) -> Document) throws -> [QueryValue?] {
                var found: [QueryValue?] = []
                var cursor: PageCursor?
                for _ in 0..<5 {
                    let page = try query.page(after: cursor, by: "id")
                    guard let row = try queue.read({ try page.results(in: $0, from: "visit") }).first else { break }
                    found.append(row["id"])
                    cursor = try query.cursor(after: read(row), by: "id")
                }
                return found
            }
            var query = Query(order: [SortKey("j.at")], limit: 1, schema: schema)
            let record = { (row: Document) -> Document in
                guard case .object(let inner)? = row["j"], case .int(let instant)? = inner["at"] else { return row }
                return ["id": row["id"] ?? .null, "j": .object(["at": .date(instant)])]
            }
            #expect(try pages(query, record) == [5, 2, 4, 1, 3])
            let error = #expect(throws: QueryError.self) { try pages(query) { $0 } }
            #expect(error?.hint == "declare the form in which the store keeps the dates, as .date(.epochMilliseconds)")
            let stored = Schema([.field("at", .date(.epochMilliseconds))])
            query.schema = Schema([.field("id", .int), .field("j", .object(stored))])
            #expect(try pages(query) { $0 } == [5, 2, 4, 1, 3])
        }

        /// Pages after records have every row once, or are refused with what to do.
        @Test(arguments: [0.0, 0.353_000_2]) func pagesAfterRecords(fraction: Double) throws {
            let seed = SeededGenerator.seed(3)
            var random = SeededGenerator(seed)
            let file = NSTemporaryDirectory() + "pages-\(UUID().uuidString).db"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let queue = try DatabaseQueue(path: file)
            let events = (0..<30).map { number in
                let date = Date(timeIntervalSince1970: 1_704_067_200 + Double(random.below(12)) * 40_000 + fraction)
                let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
                let key = UUID()
                return Event(
                    id: Int64(number),
                    text: date,
                    clock: whole,
                    seconds: date,
                    milliseconds: whole,
                    iso: whole,
                    reference: date,
                    bytes: key,
                    lower: key,
                    upper: key,
                    box: Event.Box(at: date)
                )
            }
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE event (\(Event.columns))")
                for event in events { try event.insert(db) }
            }
            let database = try SQLiteDatabase(path: file)
            func walk(_ query: Query, _ identity: FieldPath, _ ids: (Query) throws -> [Int64]) throws -> String {
                var found: [Int64] = []
                var cursor: PageCursor?
                while found.count <= events.count {
                    do {
                        let page = try ids(query.page(after: cursor, by: identity))
                        found += page
                        guard let last = page.last else { break }
                        cursor = try query.cursor(after: events[Int(last)].document, by: identity)
                    } catch let error as QueryError {
                        #expect(error.hint != nil, "\(error)")
                        return "refused"
                    }
                }
                return found.sorted() == events.map(\.id) ? "whole" : "\(found.count) of \(events.count)"
            }
            let names = [
                "text", "clock", "seconds", "milliseconds", "iso", "reference", "bytes", "lower", "upper", "box.at",
            ]
            let isWhole = fraction == 0
            for (form, schema, wanted): (String, Schema?, Set<String>) in [
                ("none", nil, ["text", "bytes"]),
                ("derived", Event.schema(isExact: false), ["text", "iso", "bytes", "lower", "upper"]),
                (
                    "exact", Event.schema(isExact: true),
                    ["text", "clock", "milliseconds", "iso", "bytes", "lower", "upper"]
                ),
            ] {
                for name in names {
                    for isAscending in [true, false] {
                        var query = Query(order: [SortKey(FieldPath(dotted: name), ascending: isAscending)])
                        (query.limit, query.schema) = (1 + random.below(6), schema)
                        let identity = FieldPath(
                            dotted: random.pick(name == "text" && schema != nil ? ["id", "upper"] : ["id"])
                        )
                        let found = try walk(query, identity) { page in
                            try queue.read { try page.request(for: Event.self, in: $0).fetchAll($0) }.map(\.id)
                        }
                        let isExact = form == "exact" && (name == "seconds" || name == "box.at")
                        let isKept =
                            wanted.contains(name) || isWhole && (isExact || form == "derived" && name == "box.at")
                        #expect(found == (isKept ? "whole" : "refused"), "GRDB, \(form): \(name), SEED=\(seed)")
                        let rows = try walk(query, identity) { page in
                            try page.results(in: database, from: "event").map { row in
                                if case .int(let id)? = row["id"] { id } else { -1 }
                            }
                        }
                        #expect(rows == "whole" || rows == "refused", "SQLite, \(form): \(name), SEED=\(seed)")
                    }
                }
            }
        }

        /// The order of UUIDs is that of their 16 bytes.
        @Test func uuidsBesideBytes() throws {
            let keys = Self.keys.sorted { $0.uuidString < $1.uuidString }
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE k (id INTEGER PRIMARY KEY, b BLOB, w)")
                for key in keys { try db.execute(sql: "INSERT INTO k (b, w) VALUES (?, ?)", arguments: [key, key]) }
                try db.execute(sql: "INSERT INTO k (b, w) VALUES ('a', NULL)")
            }
            for (format, wanted): (String, [Int64]) in [
                ("X < %@", [1]), ("X <= %@", [1, 2]), ("X > %@", [3]), ("X >= %@", [2, 3]), ("X == %@", [2]),
                ("X BETWEEN {%@, %@}", [2]), ("X IN {%@}", [2]), ("NOT X < %@", [2, 3, 4]),
            ] {
                for (name, rest) in [("b", ""), ("w", ""), ("b", " OR random() < 0"), ("w", " OR random() < 0")] {
                    let text = format.replacing("X", with: name) + rest
                    let values = Array(repeating: QueryValue.uuid(keys[1]), count: text.count { $0 == "%" })
                    let query = try Query(parsing: text, arguments: values, order: ["id"])
                    let found = try queue.read { try query.results(in: $0, from: "k").map { $0["id"] } }
                    #expect(found == wanted.map { .int($0) }, "\(text)")
                }
            }
        }
    }
#endif
