import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Documents written to a table and read back give the same answers.
@Suite struct SQLiteImportTests {
    private func importing(_ rows: [Document], schema: Schema? = nil) throws -> SQLiteDatabase {
        let database = try SQLiteDatabase.inMemory()
        var importer = SQLiteImporter(table: "t", schema: schema)
        for row in rows { try importer.observe(row) }
        try importer.write(to: database) { (insert) throws(QueryError) in
            for row in rows { try insert(row) }
        }
        return database
    }

    /// A field that held only texts stays one of texts, though some look like JSON.
    @Test func textsLikeJSONStayTexts() throws {
        let rows: [Document] = [
            ["id": 1, "genres": #"[{"id":28,"name":"Action"}]"#, "plain": "a"],
            ["id": 2, "genres": "[]", "plain": "b"],
            ["id": 3, "genres": " {\"a\":1}", "plain": nil], ["id": 4, "genres": "none"],
            ["id": 5, "genres": "2024-01-01"],
        ]
        for schema in [nil, Schema([.field("id", .int), .field("genres", .string), .field("plain", .string)])] {
            let database = try importing(rows, schema: schema)
            let table = try database.table("t")
            #expect(table.columns.map(\.declaredType) == ["INTEGER", "PLAIN_TEXT", "TEXT"])
            for text in [
                "genres CONTAINS 'Action'", "genres CONTAINS '['", "genres == '[]'", "genres IN {'[]', 'none'}",
                "genres BEGINSWITH '['", "genres LIKE '*a*'", "genres != '[]'", "plain CONTAINS 'a'",
                "ANY genres == '[]'", "ALL genres > 'A'", "genres.@count == 0",
                "genres > CAST('2023-01-01', 'NSDate')",
            ] {
                let query = try Query(parsing: text)
                let wanted = try query.results(in: rows).map { $0["id"] }
                let found = try query.rows(in: database, from: "t")
                #expect(found.map { $0["id"] } == wanted, "\(text)")
                #expect(try found.map { $0["genres"] } == query.results(in: rows).map { $0["genres"] }, "\(text)")
            }
        }
    }

    /// A field that held no value takes a question of any kind, as in the file.
    @Test func columnsWithoutValuesTakeAnyKind() throws {
        let database = try importing([["id": 1, "void": nil], ["id": 2, "void": nil]])
        let schema = try database.schema(ofTable: "t")
        for text in ["void > 1", "void == 'a'", "void == TRUE", "void CONTAINS 'a'", "void.a == 1", "ANY void == 1"] {
            #expect(try Query(parsing: text, schema: schema).count(in: database, from: "t") == 0, "\(text)")
            #expect(try Query(parsing: "NOT (\(text))", schema: schema).count(in: database, from: "t") == 2, "\(text)")
        }
    }

    /// No number is one of a file's truth values, and none is one of the table's that was made of it.
    @Test func numbersAreNoTruthValues() throws {
        let rows: [Document] = [["id": 1, "b": true], ["id": 2, "b": false], ["id": 3]]
        let database = try importing(rows)
        let schema = try database.schema(ofTable: "t")
        for text in ["b == 1", "NOT b == 1", "0 != b", "b IN {0, 1}", "b IN {1, FALSE}", "NOT b IN {0}", "b == TRUE"] {
            let query = try Query(parsing: text, schema: schema)
            let wanted = try Query(parsing: text).results(in: rows).map { $0["id"] }
            #expect(try query.rows(in: database, from: "t").map { $0["id"] } == wanted, "\(text)")
            let isNoted = !text.contains("TRUE") && !text.contains("FALSE")
            #expect(query.warnings.isEmpty != isNoted, "\(text)")
            #expect(try Query(parsing: text).warnings(seeing: rows).isEmpty != isNoted, "\(text)")
        }
        // Where somebody declared the column, a number may be one.
        let declared = try importing(rows, schema: Schema([.field("id", .int), .field("b", .bool)]))
        let query = try Query(parsing: "b == 1", schema: declared.schema(ofTable: "t"))
        #expect(try query.rows(in: declared, from: "t").map { $0["id"] } == [1])
    }

    /// No text is one of a file's dates and UUIDs, and none is one of the table's that was made of it.
    @Test func textsAreNoDatesAndNoUUIDs() throws {
        let uuid = try QueryValue.uuid(#require(UUID(uuidString: "00000000-0000-4000-8000-00000000000a")))
        let rows: [Document] = [
            ["id": 1, "d": .date(1_514_764_800_000), "u": uuid, "f": .date(253_402_300_800_000)],
            ["id": 2, "d": .date(1_451_606_400_000), "f": .date(1_514_764_800_000)], ["id": 3],
        ]
        let database = try importing(rows)
        let table = try database.table("t")
        #expect(table.columns.map(\.declaredType) == ["INTEGER", "PLAIN_DATE", "PLAIN_UUID", "PLAIN_FAR_DATE"])
        for (text, hint) in [
            ("d > '2017-01-01'", "write CAST(\"2017-01-01\", \"NSDate\")"), ("NOT d > '2017-01-01'", nil),
            ("'2018-01-01' != d", nil), ("d BETWEEN {'2017-01-01', '2019-01-01'}", nil), ("d IN {'2018-01-01'}", nil),
            ("f > '2017-01-01'", nil), ("u != '00000000-0000-4000-8000-00000000000a'", nil),
            (
                "u == '00000000-0000-4000-8000-00000000000a'",
                "write CAST(\"00000000-0000-4000-8000-00000000000a\", \"NSUUID\")"
            ),
        ] {
            let query = try Query(parsing: text, schema: database.schema(ofTable: "t"))
            let plain = try Query(parsing: text)
            let wanted = try plain.results(in: rows).map { $0["id"] }
            #expect(try query.rows(in: database, from: "t").map { $0["id"] } == wanted, "\(text)")
            #expect(try plain.rows(in: database, from: "t").map { $0["id"] } == wanted, "\(text)")
            #expect(query.warnings.count == 1 && plain.warnings(seeing: rows).count == 1, "\(text)")
            if let hint { #expect(query.warnings.first?.hint == hint) }
        }
        for text in [
            "d > CAST('2017-01-01', 'NSDate')", "year(d) == 2018", "d < now()", "f == d", "year(f) == 2018",
            "f > CAST('2017-01-01', 'NSDate')", "u == CAST('00000000-0000-4000-8000-00000000000a', 'NSUUID')",
        ] {
            let query = try Query(parsing: text, schema: database.schema(ofTable: "t"))
            let wanted = try Query(parsing: text).results(in: rows).map { $0["id"] }
            #expect(try query.rows(in: database, from: "t").map { $0["id"] } == wanted, "\(text)")
            #expect(query.warnings.isEmpty, "\(text)")
        }
        // Where somebody declared the column, a text may be one.
        let declared = try importing(rows, schema: Schema([.field("id", .int), .field("d", .date(.native))]))
        let query = try Query(parsing: "d > '2017-01-01'", schema: declared.schema(ofTable: "t"))
        #expect(try query.rows(in: declared, from: "t").map { $0["id"] } == [1])
    }

    /// Dates and UUIDs come out of the table as they went into it: in rows, groups and computed fields.
    @Test func datesAndUUIDsComeOutAsTheyAre() throws {
        let uuid = try QueryValue.uuid(#require(UUID(uuidString: "00000000-0000-4000-8000-00000000000a")))
        let rows: [Document] = [
            ["id": 1, "d": .date(1_514_764_800_000), "u": uuid, "f": .date(253_402_300_800_000)],
            ["id": 2, "d": .date(1_451_606_400_000), "u": uuid, "f": .date(-253_402_300_800_000)], ["id": 3, "d": nil],
        ]
        let database = try importing(rows)
        for query in try [
            Query(order: ["id"], fields: ["d", "u", "f"]), Query(order: ["d", "id"], limit: 1, fields: ["d"]),
            Query(parsing: "random() >= 0", order: ["u", "d"], fields: ["u", "d"]),
            Query(
                order: ["id"],
                fields: ["id"],
                computed: ["a = d", "b = {u, d}", "y = year(f)", "l = max({d, f})"].map { text throws(QueryError) in
                    try ComputedField(parsing: text)
                }
            ),
        ] {
            let found = try query.results(in: database, from: "t")
            let wanted = try query.results(in: rows)
            #expect(
                found.map { $0.pairs.filter { $0.1 != .null } }.description
                    == wanted.map { $0.pairs.filter { $0.1 != .null } }.description
            )
        }
        let reducers: [Reducer] = [.count, .min("d"), .max("f"), .distinct("u"), .countDistinct("d")]
        for reducers in [reducers, reducers.filter { $0.kind != .distinct }] {
            for key in ["u", "d", "f", "id"] {
                let groups = Grouping(Query(), by: [GroupKey(FieldPath(keys: [key]))], computing: reducers)
                #expect(try groups.results(in: database, from: "t") == groups.results(in: rows), "\(key)")
            }
        }
        for having in [
            "d == '2018-01-01T00:00:00.000Z'", "d == CAST('2018-01-01', 'NSDate')", "d != nil", "year(d) == 2018",
            "min_u == '00000000-0000-4000-8000-00000000000a'", "max_f > '2000-01-01'", "max_f != nil",
            "ANY distinct_u == '00000000-0000-4000-8000-00000000000a'",
        ] {
            let isInMemory = having.contains("distinct_u")
            let groups = Grouping(
                Query(),
                by: ["d"],
                computing: isInMemory ? [.distinct("u")] : [.min("u"), .max("f")],
                having: try Query(parsing: having).condition
            )
            let found = try groups.results(in: database, from: "t")
            #expect(try found == groups.results(in: rows), "\(having)")
        }
    }

    /// Division, bits and texts tell 1 from 1.0, in a table as in the file.
    @Test func intsAndDoublesStayApart() throws {
        let rows: [Document] = [
            ["id": 1, "n": 1, "m": 1.0, "r": 1.0], ["id": 2, "n": 2.5, "m": 3, "r": 2.5],
            ["id": 3, "n": 7.0, "m": "a"], ["id": 4, "n": .int(.max), "m": true], ["id": 5, "n": .int(.min), "m": 2],
            ["id": 6, "n": 9_007_199_254_740_993, "m": 1.5], ["id": 7],
        ]
        let database = try importing(rows)
        let table = try database.table("t")
        #expect(table.columns.map(\.declaredType) == ["INTEGER", "NUMBER_BLOB", "JSON_TEXT", "REAL"])
        for text in [
            "n / 2 > 0.4", "n / 2 == 0", "m / 2 == 0.5", "m / 2 == 1", "n & 1 == 1", "n + 1 > 9e18", "-n > 0",
            "n == 9007199254740993", "n == 9007199254740992.0", "n IN {1, 7}", "n BETWEEN {1, 2.5}", "m == 1",
            "CAST(n, 'NSString') == '1'", "CAST(n, 'NSString') == '7.0'", "trunc(n) / 2 == 1", "n == nil", "n > m",
            "r / 2 == 0.5",
        ] {
            let query = try Query(parsing: text)
            let wanted = try query.results(in: rows).map { $0["id"] }
            #expect(try query.rows(in: database, from: "t").map { $0["id"] } == wanted, "\(text)")
        }
        let order = try Query(parsing: "n != nil", order: ["n"]).rows(in: database, from: "t").map { $0["n"] }
        #expect(order == [.int(.min), 1, 2.5, 7.0, 9_007_199_254_740_993, .int(.max)])
        let groups = Grouping(Query(), by: [], computing: [.sum("n"), .average("n"), .min("n"), .countDistinct("n")])
        #expect(try groups.results(in: database, from: "t") == groups.results(in: rows))
    }

    /// A schema's `number` makes no double of an int.
    @Test func schemasChangeNoNumbers() throws {
        let rows: [Document] = [["id": 1, "m": 3], ["id": 2, "m": 2.5], ["id": 3, "m": 5], ["id": 4]]
        let schema = Schema([.field("id", .int), .field("m", .double)])
        for rows in [rows, [rows[0], rows[2]], [rows[1]]] {
            let database = try importing(rows, schema: schema)
            for text in ["m / 2 == 1", "m / 2 == 1.5", "m == 3.0"] {
                let query = try Query(parsing: text, schema: schema)
                let wanted = try query.results(in: rows).map { $0["id"] }
                #expect(try query.results(in: database, from: "t").map { $0["id"] } == wanted, "\(text)")
            }
        }
    }

    /// A column declared REAL would store 0 for -0.0.
    @Test func negativeZeroStays() throws {
        let rows: [Document] = [["id": 1, "d": -0.0], ["id": 2, "d": 0.0], ["id": 3, "d": 2.0]]
        for schema in [nil, Schema([.field("id", .int), .field("d", .double)])] {
            let database = try importing(rows, schema: schema)
            #expect(try database.table("t").columns.last?.declaredType == "NUMBER_BLOB")
            let found = try Query().rows(in: database, from: "t")
            #expect(found.map { QueryValue.object($0).json } == rows.map { QueryValue.object($0).json })
            #expect(try Query(format: "d / 2 == 1").rows(in: database, from: "t").map { $0["id"] } == [3])
        }
        let integers = Schema([.field("d", .int)])
        #expect(throws: QueryError.self) { try importing([["d": -0.0]], schema: integers) }
    }

    /// SQLite stores NULL for NaN, which would make nil of a number.
    @Test func valuesThatTheTableWouldChangeAreRefused() throws {
        for (value, other, message) in [
            (
                QueryValue.double(.nan), QueryValue.double(1.5),
                "row 2: the field d holds NaN, which SQLite stores as NULL"
            ),
            (.double(.nan), 1, "row 2: the field d holds NaN, which SQLite stores as NULL"),
            (.double(.nan), "a", "row 2: the field d is stored as JSON, which cannot represent NaN"),
            (
                .list(["a\0b"]), .list([]),
                "row 2: the field d is stored as JSON, which cannot represent a text with a NUL character"
            ),
        ] {
            let error = #expect(throws: QueryError.self) { try importing([["d": other], ["d": value]]) }
            #expect(error?.message == message)
            #expect(error?.hint != nil)
        }
        // NaN as an argument finds in the table what it finds in the file.
        let rows: [Document] = [["id": 1, "d": 0.5], ["id": 2, "d": nil], ["id": 3, "d": .double(.infinity)]]
        let database = try importing(rows)
        for text in ["d == %@", "d != %@", "d < %@", "NOT d >= %@", "d IN {%@, 0.5}"] {
            let query = try Query(parsing: text, arguments: [.double(.nan)])
            let found = try query.rows(in: database, from: "t").map { $0["id"] }
            #expect(try found == query.results(in: rows).map { $0["id"] }, "\(text)")
        }
    }

    @Test func typesAreDeclared() throws {
        let rows: [Document] = [
            [
                "i": 1, "r": 1.5, "s": "a", "b": true, "l": [1, 2], "o": .object(["k": 1]), "m": 1, "n": nil,
                "d": .date(0), "q": 1,
            ],
            ["i": 2, "r": 2, "s": nil, "b": false, "l": [], "m": "x", "q": .int(.max)],
            ["q": 0.5],
        ]
        let database = try importing(rows)
        let types = try database.table("t").columns.map { $0.name + " " + $0.declaredType }
        #expect(
            types == [
                "i INTEGER", "r NUMBER_BLOB", "s TEXT", "b PLAIN_BOOLEAN", "l JSON", "o JSON", "m JSON", "n JSON",
                "d PLAIN_DATE",
                "q NUMBER_BLOB",
            ]
        )
        let read = try Query().rows(in: database, from: "t")
        #expect(read.first?["l"] == [1, 2])
        #expect(read.first?["b"] == true)
        #expect(read.first?["o"] == .object(["k": 1]))
        #expect(read[1]["m"] == "x")
    }

    @Test func answersAreTheSame() throws {
        var random = SeededGenerator(5)
        let rows = (0..<60).map { _ -> Document in
            var row = Hostile.row(&random)
            row["y"] = random.chance(80) ? .bool(random.chance(50)) : .null
            if let number = row["n"], case .int(let value) = number { row["n"] = .int(value / 4096) }
            return row
        }
        let database = try importing(rows)
        let formats = [
            "x == nil", "y == TRUE", "y != TRUE", "n > 1", "n <= 2.5", "s BEGINSWITH 'a'", "x == 'a'", "x > 0",
            "l CONTAINS 'a'",
            "ANY l == 1", "ALL l != nil", "l.@count > 1", "o.a == 1", "o.a == nil", "ANY k.a == 'a'", "k.@count == 2",
            "SUBQUERY(k, $k, $k.a == nil).@count > 0", "x IN {1, 'a', TRUE, nil}", "s IN {'a', 'b'}",
            "NOT (s CONTAINS[cd] 'E')",
            "x == y", "m + 1 > n", "l[0] == nil", "l == {}", "y == 1", "n == '1'", "s LIKE 'a*b'", "x CONTAINS 'a'",
        ]
        for format in formats {
            let query = try Query(parsing: format)
            let expected = try query.count(in: rows)
            #expect(try query.rows(in: database, from: "t").count == expected, "\(format)")
        }
        let groups = Grouping(Query(), by: ["y"], computing: [.count, .max("s")])
        #expect(try groups.results(in: database, from: "t") == groups.results(in: rows))
    }

    /// Random columns, each of a kind or of several, and random questions: as the documents answer, so does the table.
    @Test func randomColumnsAnswerAsDocuments() throws {
        let seed = SeededGenerator.seed(20_261_126)
        var random = SeededGenerator(seed)
        var generator = ConditionGenerator(seed: seed)
        var asked = 0
        for _ in 0..<SeededGenerator.count(12) {
            let kinds = ["x", "y", "n", "m", "s", "t", "l", "o", "k"].map { ($0, random.below(12)) }
            let rows = (0..<20).map { number in
                var row: Document = ["id": .int(Int64(number))]
                for (name, kind) in kinds where random.chance(85) { row[name] = Self.value(kind, &random) }
                return row
            }
            let database = try importing(rows)
            let table = try database.table("t")
            for number in 0..<60 {
                generator.constants = number % 3 == 0 ? Hostile.instants : Self.isoTexts
                var query = Query(generator.condition())
                query.fields = ["id"]
                guard let found = try Self.ids(query, in: database) else { continue }
                var known = query
                known.schema = table.schema.ofStore
                let assumptions = try known.sql(.sqlite, from: SQLTable("t", storage: table.storage)).assumptions
                let calculations = query.condition.calculations
                let answers = try query.answers(over: rows) { row in
                    assumptions.contains { !row.fulfils($0) } || row.givesNaN(calculations)
                }
                asked += 1
                let differing = found.subtracting(answers.doubtful).symmetricDifference(answers.expected)
                // A text beside a date is one in the table; of the file a note says that it never is.
                guard let row = differing.sorted().first, query.warnings(seeing: rows).isEmpty else { continue }
                let columns = table.columns.map { $0.name + " " + $0.declaredType }.joined(separator: ", ")
                Issue.record(
                    "SEED=\(seed) \(query.condition.format)\n\(columns)\n\(JSONWriter().text(.object(rows[row]))) \(assumptions)"
                )
            }
        }
        #expect(asked > SeededGenerator.count(200))
    }

    /// The ids of the rows that SQLite finds; nil if it cannot say the query.
    private static func ids(_ query: Query, in database: SQLiteDatabase) throws -> Set<Int>? {
        let rows: [Document]
        do throws(QueryError) {
            rows = try query.rows(in: database, from: "t")
        } catch {
            if [.unsupported, .limit, .unknownField].contains(error.code) { return nil }
            throw error
        }
        return Set(rows.compactMap { if case .int(let id)? = $0["id"] { Int(id) } else { nil } })
    }

    private static let isoTexts: [QueryValue] = [
        "2016-11-14", "2016-11-14T10:05:55.787Z", "2016-11-14 10:05:55", "2016-11-14T11:05:55+01:00",
    ]

    /// A value of a column.
    private static func value(_ kind: Int, _ random: inout SeededGenerator) -> QueryValue {
        switch kind {
        case 0: return .int(Int64(random.below(5)) - 1)
        case 1: return .double(Double(random.below(9)) / 2 - 1)
        case 2: return random.pick([.int(1), .double(1), .double(0.5), .int(3), .int(.max)])
        case 3: return .string(random.pick(Hostile.texts))
        case 4: return .bool(random.chance(50))
        case 5: return random.pick(Hostile.instants)
        case 6: return random.pick(isoTexts)
        case 7: return random.pick(isoTexts + [.string("a"), .string("")])
        case 8: return .list((0..<random.below(4)).map { _ in Hostile.scalar(&random) })
        case 9: return .object(Hostile.document(&random, ["a", "b"], depth: 1))
        case 10:
            return .list((0..<random.below(3)).map { _ in .object(Hostile.document(&random, ["a", "b"], depth: 1)) })
        default: return Hostile.value(&random)
        }
    }

    /// One pass makes the same table as two, or none; new fields may come late.
    @Test func onePassMakesTheSameTable() throws {
        let seed = SeededGenerator.seed(20_261_127)
        var random = SeededGenerator(seed)
        var outcomes = [0, 0]
        for _ in 0..<SeededGenerator.count(300) {
            let kinds = ["x", "y", "n", "m", "s"].map { ($0, random.below(11), 1 + random.below(100)) }
            let rows = (0..<20).map { number in
                var row: Document = ["id": .int(Int64(number))]
                for (name, kind, chance) in kinds where random.below(100) < chance {
                    row[name] = Self.value(kind, &random)
                }
                return row
            }
            let wanted = try importing(rows)
            let database = try SQLiteDatabase.inMemory()
            var importer = SQLiteImporter(table: "t")
            let first = rows.prefix(random.below(19) + 1)
            var rest = rows.dropFirst(first.count)
            for row in first { try importer.observe(row) }
            let count = try importer.write(Array(first), to: database) { () throws(QueryError) in rest.popFirst() }
            outcomes[count == nil ? 0 : 1] += 1
            guard let count else {
                #expect(try database.tableNames().isEmpty)
                continue
            }
            #expect(count == rows.count && rest.isEmpty)
            let tables = try [wanted, database].map { try $0.rows("SELECT sql FROM sqlite_schema") }
            #expect(tables[0] == tables[1], "SEED=\(seed)")
            let found = try [wanted, database].map { try $0.rows("SELECT * FROM t ORDER BY rowid") }
            #expect(found[0] == found[1], "SEED=\(seed)")
        }
        #expect(outcomes.allSatisfy { $0 > 20 })
    }

    /// What the input throws is passed on, and leaves no table.
    @Test func faultsOfOnePassArePassedOn() throws {
        let database = try SQLiteDatabase.inMemory()
        var importer = SQLiteImporter(table: "t")
        try importer.observe(["a": 1])
        #expect(throws: QueryError(.json, "broken")) {
            try importer.write([["a": 1]], to: database) { () throws(QueryError) in throw QueryError(.json, "broken") }
        }
        #expect(throws: QueryError.self) {
            try importer.write([["a": 1]], to: database) { () throws(QueryError) in ["": 2] }
        }
        #expect(try database.tableNames().isEmpty)
    }

    /// The form of a date is the fixed one that decodes it, or any.
    @Test func formsOfDatesAreThoseThatDecodeThem() throws {
        var random = SeededGenerator(7)
        let starts = [
            "2016-11-14", "2016-02-30", "0000-01-01", "9999-12-31", "+012345-01-01", "-000001-01-01", "2016-1-14",
        ]
        let times = ["", "T10:05:55", " 10:05:55", "t10:05:55", "T10:05", "T24:00:00", "T10:05:60"]
        let ends = ["", "Z", "z", ".787Z", ",787Z", ".78Z", ".7871Z", "+01:00", "+0100", ".1+01", "-0130"]
        for _ in 0..<SeededGenerator.count(2_000) {
            var text = random.pick(starts) + random.pick(times) + random.pick(ends)
            if random.chance(10) { text.removeLast() }
            var importer = SQLiteImporter(table: "t")
            try importer.observe(["a": .string(text)])
            let fixed: [DateEncoding] = [.iso8601Milliseconds, .iso8601Seconds, .iso8601Date, .iso8601]
            #expect(importer.foundDates.first?.encoding == fixed.first { $0.decode(.string(text)) != nil }, "\(text)")
        }
    }

    @Test func errorsLeaveNothing() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE old (a)")
        var importer = SQLiteImporter(table: "t", schema: Schema([.field("a", .int)], allowsOthers: true))
        try importer.observe(["a": "x"])
        #expect(throws: QueryError.self) {
            try importer.write(to: database) { (insert) throws(QueryError) in
                try insert(["a": 1])
                try insert(["a": "x"])
            }
        }
        #expect(try database.tableNames() == ["old"])
        var wide = SQLiteImporter(table: "t")
        try wide.observe(Document(pairs: (0...2_000).map { ("f\($0)", 1) }))
        let error = #expect(throws: QueryError.self) { try wide.write(to: database) { _ throws(QueryError) in } }
        #expect(error?.message.hasPrefix("the documents have 2001 fields") == true)
        let again = SQLiteImporter(table: "old", schema: Schema([.field("a", .int)]))
        #expect(throws: QueryError.self) { try again.write(to: database) { _ throws(QueryError) in } }
        var twice = SQLiteImporter(table: "t")
        try twice.observe(["name": 1, "Name": 2])
        #expect(throws: QueryError.self) { try twice.write(to: database) { _ throws(QueryError) in } }
    }
}
