#if GRDB
    import Foundation
    import GRDB
    import PredicateQL
    import PredicateQLGRDB
    import SpecSupport
    import Testing

    private struct Note: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "note"
        var id: Int64
        var type: String
        var tags: [String]?
        var address: Address?
        var lines: [Line]
    }

    private struct Address: Codable {
        var city: String
    }

    private struct Line: Codable {
        var quantity: Int
        var flags: [Bool]
    }

    /// Codable properties in columns declared `.jsonText`, as in GRDB's own guide, without a schema.
    @Suite struct TextColumnTests {
        private let queue: DatabaseQueue

        private static let notes = [
            Note(
                id: 1,
                type: "a",
                tags: ["a", "b"],
                address: Address(city: "x"),
                lines: [Line(quantity: 3, flags: [true])]
            ),
            Note(id: 2, type: "b", tags: [], address: nil, lines: []),
            Note(
                id: 3,
                type: "a",
                tags: nil,
                address: Address(city: "y"),
                lines: [Line(quantity: 1, flags: [false]), Line(quantity: 9, flags: [])]
            ),
            Note(id: 4, type: "[\"a\"]", tags: ["ab"], address: Address(city: "a"), lines: []),
        ]

        init() throws {
            var configuration = Configuration()
            configuration.addPredicateQLFunctions()
            queue = try DatabaseQueue(configuration: configuration)
            try queue.write { db in
                try db.create(table: "note") { table in
                    table.primaryKey("id", .integer)
                    table.column("type", .text).notNull()
                    table.column("tags", .jsonText)
                    table.column("address", .jsonText)
                    table.column("lines", .jsonText).notNull()
                }
                for note in Self.notes { try note.insert(db) }
            }
        }

        private func ids(_ query: Query) throws -> [Int64] {
            try queue.read { try Note.filter(query).order(Column("id")).fetchAll($0).map(\.id) }
        }

        /// Each with and without a schema, as a filter and as a request.
        private func find(_ format: String) throws -> [Int64] {
            let schema = try queue.read { try Schema(database: $0, table: "note") }
            let plain = try Query(parsing: format)
            let found = try ids(plain)
            #expect(try ids(Query(parsing: format, schema: schema)) == found, "\(format) with the table's schema")
            let asked = try queue.read { try plain.request(for: Note.self, in: $0).fetchAll($0).map(\.id) }
            #expect(asked == found, "\(format) as a request")
            let rest = try Query(parsing: format + " OR random() < 0")
            let left = try queue.read { try rest.results(in: $0, from: "note").map { $0["id"] } }
            #expect(left == found.map { .int($0) }, "\(format) in the memory part of a split")
            for text in [format, format + " OR random() < 0"] {
                let typed = try Query(parsing: text, schema: Schema(of: Note.self))
                let left = try queue.read { try typed.results(in: $0, from: "note").map { $0["id"] } }
                #expect(left == found.map { .int($0) }, "\(text) with the record's schema")
            }
            #expect(try Query(parsing: format).results(in: Self.notes).map(\.id) == found, "\(format) in memory")
            return found
        }

        @Test func lists() throws {
            #expect(try find("ANY tags == 'a'") == [1])
            #expect(try find("NONE tags == 'a'") == [2, 3, 4])
            #expect(try find("ALL tags BEGINSWITH 'a'") == [2, 3, 4])
            #expect(try find("tags.@count == 0") == [2])
            #expect(try find("tags CONTAINS 'a'") == [1])
            #expect(try find("'ab' IN tags") == [4])
            #expect(try find("type IN tags") == [1])
            #expect(try find("tags[0] == 'a' AND tags[SIZE] == 2") == [1])
            #expect(try find("tags == {'a', 'b'}") == [1])
            #expect(try find("SUBQUERY(tags, $t, $t ENDSWITH 'b').@count == 1") == [1, 4])
            #expect(try find("'b' IN (tags UNION {'c'})") == [1])
            #expect(try find("tags == nil") == [3])
            #expect(try find("tags.@max == 'b'") == [1])
        }

        /// What a schema declares as lists and objects is given as such, whatever the column declares.
        @Test func declaredListsAreShownAsLists() throws {
            let schema = Schema(of: Note.self)
            let computed = [try ComputedField(parsing: "all = tags UNION {'x'}")]
            for text in ["id == 1", "id == 1 AND random() >= 0"] {
                let query = try Query(parsing: text, fields: ["tags", "address"], schema: schema)
                let rows = try queue.read { try query.results(in: $0, from: "note") }
                #expect(rows == [["tags": ["a", "b"], "address": .object(["city": "x"])]], "\(text)")
                let more = try Query(parsing: text, fields: ["id"], computed: computed, schema: schema)
                let found = try queue.read { try more.results(in: $0, from: "note") }
                #expect(found == [["id": 1, "all": ["a", "b", "x"]]], "\(text)")
            }
        }

        @Test func objects() throws {
            #expect(try find("address.city == 'x'") == [1])
            #expect(try find("address.city != 'x'") == [2, 3, 4])
            #expect(try find("ANY lines.quantity > 2") == [1, 3])
            #expect(try find("lines.@sum.quantity == 10") == [3])
            #expect(try find("ANY lines.flags == FALSE") == [3])
            #expect(try find("SUBQUERY(lines, $l, $l.quantity < 5).@count == 1") == [1, 3])
        }

        /// Texts of a TEXT column are dates beside a date, in the database as in the memory part of a split (S5).
        @Test func textsAreDatesBesideDates() throws {
            try queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE visit (id INTEGER PRIMARY KEY, made TEXT);
                        INSERT INTO visit VALUES (1, '2024-06-15 10:00:00'), (2, '2023-01-01T00:00:00Z'), (3, 'never'), (4, NULL)
                        """
                )
            }
            let schema = try queue.read { try Schema(database: $0, table: "visit") }
            for (format, wanted): (String, [QueryValue]) in [
                ("made > CAST('2024-01-01', 'NSDate')", [1]), ("NOT made < now()", [3, 4]), ("year(made) == 2023", [2]),
                ("made BETWEEN {CAST('2022-01-01', 'NSDate'), CAST('2023-06-01', 'NSDate')}", [2]),
                ("max({made, made}) > CAST('2024-01-01', 'NSDate')", [1]), ("year(max({made, made})) == 2023", [2]),
                ("{made, made}.@min < CAST('2024-01-01', 'NSDate')", [2]),
            ] {
                for text in [format, format + " OR random() < 0"] {
                    for schema in [nil, schema] {
                        let query = try Query(parsing: text, order: ["id"], schema: schema)
                        let found = try queue.read { try query.results(in: $0, from: "visit").map { $0["id"] } }
                        #expect(found == wanted, "\(text)")
                    }
                }
            }
            for (format, wanted): (String, [Int64]) in [
                ("last > CAST('2024-01-01', 'NSDate')", [1]), ("last < CAST('2024-01-01', 'NSDate')", [2]),
                ("hour(last) == 10", [1]),
            ] {
                for schema in [nil, schema] {
                    let groups = Query(order: ["id"], schema: schema)
                        .grouped(by: "id", computing: [.max("made").as("last")], having: try Condition(parsing: format))
                    let found = try queue.read { db in
                        try groups.rows(in: db, from: "visit").map { $0["id"] as Int64 }
                    }
                    #expect(found == wanted, "\(format)")
                }
            }
        }

        @Test func whatIsTakenForGranted() throws {
            let query = try Query(format: "ANY tags == 'a' AND address.city == 'x' AND type == 'a'")
            let assumptions = try queue.read { try query.assumptions(in: $0, from: "note") }
            #expect(assumptions == [.json("address"), .json("tags"), .single("address.city")])
            let indexes = try queue.read { try query.suggestedIndexes(in: $0, from: "note") }
            #expect(indexes.contains { $0.contains("\"type\"") }, "\(indexes)")
        }

        /// Random conditions over random lists, through GRDB and in memory.
        @Test func randomLists() throws {
            let seed = SeededGenerator.seed(20_261_122)
            var random = SeededGenerator(seed)
            let words = ["a", "b", "ab", "[\"a\"]", "\"", "é", ""]
            let notes = (10..<60).map { id in
                Note(
                    id: id,
                    type: random.pick(words),
                    tags: random.chance(15) ? nil : (0..<random.below(4)).map { _ in random.pick(words) },
                    address: random.chance(30) ? nil : Address(city: random.pick(words)),
                    lines: (0..<random.below(3)).map { _ in
                        let flags = (0..<random.below(3)).map { _ in random.chance(50) }
                        return Line(quantity: random.below(4), flags: flags)
                    }
                )
            }
            try queue.write { db in
                try Note.deleteAll(db)
                for note in notes { try note.insert(db) }
            }
            let formats = [
                "ANY tags == %@", "ALL tags != %@", "NONE tags CONTAINS %@", "tags CONTAINS %@", "%@ IN tags",
                "tags[0] == %@", "tags[LAST] < %@", "address.city == %@", "address.city >= %@",
                "ANY tags > address.city",
                "SUBQUERY(tags, $t, $t == %@).@count > 1", "ANY tags IN {%@, 'ab'}", "tags == {%@}",
                "tags.@max == %@", "%@ IN (tags INTERSECT {'a', 'ab'})", "tags.@count > lines.@count",
                "ANY lines.quantity IN {1, 3} OR ANY tags == %@", "ALL lines.flags == TRUE AND tags.@min != %@",
            ]
            for format in formats {
                for word in words {
                    let count = format.components(separatedBy: "%@").count - 1
                    let query = try Query(parsing: format, arguments: Array(repeating: .string(word), count: count))
                    let expected = try query.results(in: notes).map(\.id)
                    #expect(try ids(query) == expected, "seed \(seed): \(query.format)")
                    var typed = query
                    typed.schema = Schema(of: Note.self)
                    typed.condition = typed.condition || (try Condition(parsing: "random() < 0"))
                    let left = try queue.read { try typed.results(in: $0, from: "note").map { $0["id"] } }
                    #expect(left == expected.map { .int($0) }, "seed \(seed): \(typed.format) with a schema")
                }
            }
        }
    }
#endif
