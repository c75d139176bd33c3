import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// ISO 8601 text of any form is an instant, in memory, over documents and over columns (S5).
@Suite struct DateAgreementTests {
    private static let everyForm: [QueryValue] = [
        "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000Z", "2024-01-01", "2024-01-01T02:00:00+02:00",
        "2024-01-01T02:00:00+0200", "2024-01-01 00:00",
    ]
    private static let newYear: QueryValue = .date(1_704_067_200_000)

    private func counts(_ format: String, _ value: QueryValue, _ schema: Schema?) throws -> [Int] {
        let query = try Query(parsing: format, arguments: [value], schema: schema)
        let rows = Self.everyForm.map { Document(pairs: [("d", $0)]) }
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (d TEXT); CREATE TABLE docs (doc TEXT)")
        for row in rows {
            _ = try database.rows("INSERT INTO t VALUES (?)", [row["d"] ?? .null])
            _ = try database.rows("INSERT INTO docs VALUES (?)", [.string(JSONWriter().text(.object(row)))])
        }
        let text = rows.map { JSONWriter().text(.object($0)) }.joined(separator: "\n")
        return try [
            query.count(in: rows), query.count(in: JSONRows(text)),
            query.count(in: database, from: SQLTable("t", storage: .columns)),
            query.count(in: database, from: SQLTable("docs", storage: .document())),
        ]
    }

    @Test func everyFormIsTheInstantThatItWrites() throws {
        for schema in [nil, Schema([.field("d", .date(.iso8601))]), Schema([.field("d", .date(.native))])] {
            for format in ["d == %@", "d >= %@", "d <= %@", "d IN {%@, nil}", "%@ == d", "ANY d == %@"] {
                let found = try counts(format, Self.newYear, schema)
                #expect(found == [6, 6, 6, 6], "\(format), \(String(describing: schema))")
            }
            for format in ["d != %@", "d < %@", "d > %@", "NOT d == %@"] {
                #expect(try counts(format, Self.newYear, schema) == [0, 0, 0, 0], "\(format)")
            }
            #expect(try counts("d BETWEEN {%@, now()}", Self.newYear, schema) == [6, 6, 6, 6])
        }
    }

    private struct Visit: Codable {
        var id: Int
        var at: Date
        var ended: Date?
    }

    /// What a type calls a date is one of any form in the table, wherever a query reads it.
    @Test func datesOfATypeAreThoseOfTheTable() throws {
        let forms = [
            "2024-01-01T02:00:00Z", "2024-01-01 03:00:00", "2024-01-01T05:00:00+01:00", "2024-01-01",
            "2024-01-01T06:00:00.250Z",
        ]
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT, ended DATETIME); CREATE TABLE docs (doc)"
        )
        var visits: [Visit] = []
        func date(_ text: String) -> Date {
            Date(timeIntervalSince1970: Double(DateText.parse(text) ?? 0) / 1000)
        }
        for (id, text) in forms.enumerated() {
            let ended: String? = id == 2 ? nil : forms[(id + 1) % forms.count]
            let row: Document = [
                "id": .int(Int64(id)), "at": .string(text), "ended": ended.map { .string($0) } ?? .null,
            ]
            _ = try database.rows("INSERT INTO t VALUES (?, ?, ?)", row.values)
            _ = try database.rows("INSERT INTO docs VALUES (?)", [.string(JSONWriter().text(.object(row)))])
            visits.append(Visit(id: id, at: date(text), ended: ended.map(date)))
        }
        let cut = QueryValue.date(1_704_067_200_000 + 3 * 3_600_000 + 60_000)
        let schema = Schema(of: Visit.self)
        for table in [SQLTable("t", storage: .columns), SQLTable("docs", storage: .document())] {
            for format in [
                "at > %@", "max({at, ended}) > %@", "year(max({at, ended})) == 2024 AND at != %@", "at < ended",
                "CAST(at, 'NSNumber') > 725767200 AND at != %@", "ANY {at, ended} <= %@",
                "hour(ended) == 4 OR at == %@",
            ] {
                for text in [format, format + " OR random() < 0"] {
                    let dates = text.contains("%@") ? [cut] : []
                    let query = try Query(parsing: text, arguments: dates, order: ["-at"], schema: schema)
                    let expected = try query.results(in: visits).map { QueryValue.int(Int64($0.id)) }
                    #expect(!expected.isEmpty)
                    let found = try query.results(in: database, from: table).compactMap { $0["id"] }
                    #expect(found == expected, "\(text) in \(table.name)")
                }
            }
            for format in ["latest > %@", "latest <= %@", "hour(latest) == 4", "latest == nil"] {
                let having = try Condition(parsing: format, arguments: format.contains("%@") ? [cut] : [])
                for path: FieldPath in ["at", "ended"] {
                    let grouping = Query(order: ["id"], schema: schema)
                        .grouped(by: "id", computing: [.max(path).as("latest")], having: having)
                    let expected = try grouping.results(in: visits).map { $0["id"] }
                    let found = try grouping.results(in: database, from: table).map { $0["id"] }
                    #expect(found == expected, "\(format) of \(path) in \(table.name)")
                }
            }
        }
    }

    /// Texts of a column declared TEXT are dates beside a date, also where a term or a group gives one of them.
    @Test func computedTextsAreDatesBesideDates() throws {
        let seed = SeededGenerator.seed(20_261_128)
        var random = SeededGenerator(seed)
        let rows = (0..<40).map { id in
            func text() -> QueryValue { random.chance(10) ? .null : .string(random.pick(Hostile.dateTexts)) }
            return Document(pairs: [
                ("id", .int(Int64(id))), ("x", text()), ("y", text()), ("g", .int(Int64(id % 7))),
            ])
        }
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, y VARCHAR(40), g INTEGER)")
        for row in rows { _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?)", row.values) }
        let schemas = [nil, try database.schema(ofTable: "t")]
        let terms = [
            "max({x, y})", "min({x, y})", "{x, y}.@max", "{x, y}[0]", "noindex(max({y, x}))",
        ]
        var found = 0
        for _ in 0..<SeededGenerator.count(60) {
            var format = Self.format(&random, terms, pairs: false)
            if random.chance(20) { format = "year(\(random.pick(terms))) \(random.pick(["<", "=="])) 2024" }
            for text in [format, format + " OR random() < 0"] {
                let expected = try Query(parsing: text).results(in: rows).map { $0["id"] }
                found += expected.count
                for schema in schemas {
                    let query = try Query(parsing: text, order: ["id"], schema: schema)
                    let found = try query.results(in: database, from: "t").map { $0["id"] }
                    #expect(found == expected, "seed \(seed): \(text)")
                }
            }
            var having = Self.format(&random, ["last", "first"], pairs: false)
            if random.chance(20) { having = "month(last) \(random.pick(["<", "=="])) 6" }
            let condition = try Condition(parsing: having)
            let medians: [Reducer] = random.chance(30) ? [.median("id").as("middle")] : []
            for schema in schemas {
                func groups(_ schema: Schema?) -> Grouping {
                    Query(order: ["g"], schema: schema).grouped(
                        by: "g",
                        computing: [.max("x").as("last"), .min("y").as("first")] + medians,
                        having: condition
                    )
                }
                let expected = try groups(nil).results(in: rows).map { $0["g"] }
                let found = try groups(schema).results(in: database, from: "t").map { $0["g"] }
                #expect(found == expected, "seed \(seed): \(having)")
            }
        }
        #expect(found > SeededGenerator.count(60))
    }

    /// Texts of TEXT columns are dates also where TERNARY chooses one; beside texts that are none it is refused.
    @Test func chosenTextsAreDatesBesideDates() throws {
        let texts: [QueryValue] = [
            "2024-01-01 10:00:00", "2023-01-01T00:00:00Z", "never", .null, "2025-06-01", "2024-06-01T12:00:00.500Z",
        ]
        let rows = texts.enumerated().map { id, text -> Document in
            ["id": .int(Int64(id)), "x": text, "y": texts[(id + 2) % texts.count], "d": texts[(id + 4) % texts.count]]
        }
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, y TEXT, d DATETIME)")
        for row in rows { _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?)", row.values) }
        let date = QueryValue.date(1_709_251_200_000)
        for (format, isRefused) in [
            ("TERNARY(id > 2, x, y) > %@", false), ("TERNARY(id > 2, x, nil) > %@", false),
            ("year(TERNARY(id > 2, x, y)) == 2024", false), ("TERNARY(x == nil, 'a', x) > %@", false),
            ("TERNARY(id > 4, x, TERNARY(id > 2, y, 'b')) <= %@", false), ("TERNARY(id > 2, x, y) IN {%@, nil}", false),
            ("TERNARY(id > 2, x, y) BETWEEN {%@, now()}", false), ("TERNARY(id > 2, x, '2024-06-01') > %@", true),
            ("TERNARY(id > 2, x, lowercase(y)) > %@", true), ("lowercase(TERNARY(id > 2, x, y)) != %@", false),
            ("TERNARY(id > 2, x, d) > %@", true), ("max({x, d}) > %@", true),
        ] {
            for text in [format, "NOT (\(format))"] {
                let query = try Query(parsing: text, arguments: text.contains("%@") ? [date] : [], order: ["id"])
                let expected = try query.results(in: rows).map { $0["id"] }
                try database.execute("BEGIN")
                do {
                    #expect(try query.delete(in: database, from: "t") == expected.count && !isRefused, "\(text)")
                } catch { #expect(isRefused && error.code == .unsupported, "\(text): \(error)") }
                try database.execute("ROLLBACK")
                // What SQL refuses, and the rest of a split, memory tests.
                for text in [text, text + " OR random() < 0"] {
                    let query = try Query(parsing: text, arguments: text.contains("%@") ? [date] : [], order: ["id"])
                    let found = try query.results(in: database, from: "t").map { $0["id"] }
                    #expect(found == expected, "\(text)")
                }
            }
        }
    }

    /// Texts that are no dates are below all dates (S22).
    @Test func otherTextsSortBeforeDates() throws {
        let cells: [QueryValue] = ["2024-01-01", "unknown", "", .null, "2023-05-05T10:00:00+02:00", "N/A", "0"]
        let rows = cells.enumerated().map { id, cell -> Document in
            [
                "id": .int(Int64(id)), "g": .int(Int64(id % 3)), "d": cell,
                "l": .list([.object(["d": cell]), .object(["d": cells[(id + 1) % 7]])]),
            ]
        }
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, d TEXT, l JSON); CREATE TABLE docs (doc)"
        )
        for row in rows {
            let text = QueryValue.string(JSONWriter().text(.object(row)))
            _ = try database.rows("INSERT INTO docs VALUES (?)", [text])
            _ = try database.rows("INSERT INTO t SELECT ?1 ->> 'id', ?1 ->> 'g', ?1 ->> 'd', ?1 -> 'l'", [text])
        }
        let dates = Schema.Field.field("d", .date(.iso8601))
        let schema = Schema([
            .field("id", .int), .field("g", .int), dates, .field("l", .list(.object(Schema([dates])))),
        ])
        for table in [SQLTable("t", storage: .columns(json: ["l"])), SQLTable("docs", storage: .document())] {
            for key in ["d", "-d"] {
                var query = Query(order: [try SortKey(parsing: key), "id"], limit: 6)
                query.schema = schema
                let found = try query.results(in: database, from: table).map { $0["id"] }
                #expect(found == (try query.results(in: rows).map { $0["id"] }), "\(key)")
                // A page after a date has the texts where they follow.
                let latest = try query.page(
                    after: query.cursor(after: key == "d" ? rows[4] : rows[0], by: "id"),
                    by: "id"
                )
                let after = try latest.results(in: rows).map { $0["id"] }
                #expect(after == (key == "d" ? [0] : [4, 1, 5, 6, 2, 3]), "\(after)")
                #expect(try latest.results(in: database, from: table).map { $0["id"] } == after, "\(key)")
                (query.order, query.limit) = ([], nil)
                let groups = query.grouped(by: ["g"], computing: [.min("d"), .max("d")])
                let inMemory = try groups.results(in: rows)
                #expect(try groups.results(in: database, from: table) == inMemory, "\(key)")
                let byDate = Grouping(query, by: ["d"], computing: [.count])
                let keys = try byDate.results(in: rows).map { $0["d"] }
                #expect(try byDate.results(in: database, from: table).map { $0["d"] } == keys, "\(key)")
            }
            for format in [
                "l.@max.d >= '2024-01-01'", "l.@min.d == nil", "l.@max.d == nil", "l.@min.d < '2024-01-01'",
            ] {
                var query = try Query(parsing: format, order: ["id"])
                query.schema = schema
                let found = try query.results(in: database, from: table).map { $0["id"] }
                #expect(found == (try query.results(in: rows).map { $0["id"] }), "\(format)")
            }
        }
    }

    @Test func aDeclaredTextIsATextInAWrittenListToo() throws {
        let row: Document = ["t": "2024-01-01T00:00:00.000Z", "u": "2024-01-01"]
        let text = #"CAST(725760000, "NSDate") IN {t, "2024-01-01", CAST(5, "NSDate")}"#
        let declared = Schema([.field("t", .string)])
        #expect(try !Query(parsing: text, schema: declared).matches(row))
        #expect(try Query(parsing: text).matches(row))
        // A text in the query is one, too.
        #expect(try !Query(parsing: text).matches(["u": "2024-01-01"] as Document))
    }

    @Test func theCallIsListedAndServedByAnIndex() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (d TEXT)")
        let query = try Query(format: "d > %@", Self.newYear, schema: Schema([.field("d", .date(.iso8601))]))
        let statement = try query.sql(.sqlite, from: "t")
        #expect(statement.functions.map(\.name) == ["pred_date"])
        for index in try query.suggestedIndexes(from: "t") { try database.execute(index) }
        let plan = try database.rows("EXPLAIN QUERY PLAN " + statement.sql, statement.bindings)
        #expect(plan.contains { row in row.values.contains { $0.json.contains("USING INDEX") } }, "\(plan)")
    }

    @Test func fixedFormsKeepTheirIndex() throws {
        let cases: [(DateEncoding, Int64, QueryValue)] = [
            (.iso8601Milliseconds, 500, "2024-01-01T00:00:00.500Z"), (.iso8601Seconds, 0, "2024-01-01T00:00:00Z"),
            (.iso8601Seconds, 500, "2024-01-01T00:00:00Z+500"), (.iso8601Date, 0, "2024-01-01"),
            (.iso8601Date, 500, "2024-01-01+500"),
        ]
        for (encoding, rest, text) in cases {
            let query = try Query(
                format: "d < %@",
                QueryValue.date(1_704_067_200_000 + rest),
                schema: Schema([.field("d", .date(encoding))])
            )
            let statement = try query.sql(.sqlite, from: "t")
            #expect(statement.where == #""t"."d" < ?"#)
            #expect(statement.whereBindings == [text])
            #expect(statement.functions.isEmpty)
            #expect(encoding.decodeCompared(text) == 1_704_067_200_000 + rest)
        }
    }

    /// Two fields of every pair of encodings, over columns, documents and a child table.
    @Test func declaredDatesAgree() throws {
        var random = SeededGenerator(SeededGenerator.seed(SQLAgreementTests.seed))
        let encodings: [DateEncoding] = [
            .iso8601, .native, .iso8601Milliseconds, .iso8601Seconds, .iso8601Date, .sqliteText,
        ]
        var compared = 0
        for first in encodings {
            for second in encodings {
                let schema = Schema([.field("x", .date(first)), .field("y", .date(second)), .field("s", .string)])
                for storage in [SQLStorage.columns, .document()] {
                    for isPure in [false, true] {
                        compared += try agree(first, second, schema, storage, isPure: isPure, &random)
                    }
                }
            }
        }
        print("\(compared) pairs of a query and a row with declared dates")
    }

    private func agree(
        _ first: DateEncoding,
        _ second: DateEncoding,
        _ schema: Schema,
        _ storage: SQLStorage,
        isPure: Bool,
        _ random: inout SeededGenerator
    ) throws -> Int {
        let rows = (0..<30).map { _ in
            Document(pairs: [
                ("x", Self.value(first, isPure: isPure || storage == .columns, &random)),
                ("y", Self.value(second, isPure: isPure || storage == .columns, &random)),
                ("s", .string(random.pick(Hostile.dateTexts))),
            ])
        }
        let database = try SQLiteDatabase.inMemory()
        if storage == .columns {
            _ = try Fixture.makeColumns(rows, in: database)
        } else {
            try Fixture.makeDocuments(rows, in: database)
        }
        let asked = SeededGenerator.count(100) / 40
        for _ in 0..<asked {
            let isPair = isPure && first != .native && second != .native
            let format = Self.format(&random, ["x", "y"], pairs: isPair, extremes: isPair && storage == .columns)
            var query = try Query(parsing: format, schema: schema)
            let difference = try Fixture.answer(query, rows, storage, database)
            #expect(difference == nil, "\(first) \(second) \(storage) \(format)\n\(difference ?? "")")
            // A trusted schema decides where texts that are not dates sort, so only pure columns are compared.
            guard isPure, first != .native else { continue }
            query.order = ["x"]
            func dates(_ rows: [Document]) -> [Int64?] { rows.map { row in row["x"].flatMap(first.decode) } }
            let found = try dates(query.results(in: database, from: SQLTable("docs", storage: storage)))
            #expect(try found == dates(query.results(in: rows)), "\(first) \(storage) \(format) in order")
        }
        return asked * rows.count
    }

    /// A value of a field: a date in the encoding, or a text that may not be a date; a column of one form is trusted.
    private static func value(
        _ encoding: DateEncoding,
        isPure: Bool,
        _ random: inout SeededGenerator
    ) -> QueryValue {
        if random.chance(10) { return .null }
        let isFixed = encoding != .iso8601 && encoding != .native
        if isFixed, isPure || random.chance(60), case .date(let instant) = random.pick(Hostile.instants) {
            let text = encoding.encode(instant)
            if encoding.decode(text) != nil { return text }
        }
        let text = QueryValue.string(random.pick(Hostile.dateTexts))
        let isDate = DateEncoding.iso8601.decode(text) != nil
        return isPure && (isFixed || !isDate) ? .null : text
    }

    private static func format(
        _ random: inout SeededGenerator,
        _ fields: [String],
        pairs: Bool,
        extremes: Bool = false
    ) -> String {
        func date() -> String {
            guard case .date(let instant) = random.pick(Hostile.instants) else { return "nil" }
            return "CAST(\"\(DateText.iso8601(instant))\", \"NSDate\")"
        }
        var (field, other) = (random.pick(fields), random.pick(fields))
        // A date of the query beside those of the column, which its form may be unable to hold.
        if extremes, random.chance(20) { field = "\(random.pick(["max", "min"]))({\(field), \(date())})" }
        if extremes, random.chance(10) { other = "max({\(date()), \(other)})" }
        let sign = random.pick(["==", "!=", "<", "<=", ">", ">="])
        let format =
            switch random.below(pairs ? 7 : 6) {
            case 0: "\(field) BETWEEN {\(date()), \(date())}"
            case 1: "\(field) IN {\(date()), \(date()), nil}"
            case 2: "\(date()) \(sign) \(field)"
            case 3: "\(field) == nil OR \(other) \(sign) \(date())"
            case 6: "\(field) \(sign) \(other)"
            default: "\(field) \(sign) \(date())"
            }
        return random.chance(25) ? "NOT (\(format))" : format
    }

    /// A date that a column's form cannot hold is a value of its own beside the column's, or is refused.
    @Test func datesBesideCoarserColumns() throws {
        let days = ["2023-12-31", "2024-01-01", "2022-05-05", "2023-12-30", "2025-01-01"]
        let instants = days.map { DateText.parse($0) } + [nil]
        let forms: [DateEncoding] = [.iso8601Date, .iso8601Seconds, .iso8601Milliseconds, .sqliteText, .epochSeconds]
        let half = QueryValue.date(1_704_067_199_500)
        let refused = ["j.d", "[1]", "max({m", "TERNARY"]
        for form in forms {
            let inner = Schema([.field("d", .date(form))])
            let schema = Schema([
                .field("id", .int), .field("d", .date(form)), .field("m", .date(.iso8601Milliseconds)),
                .field("j", .object(inner)),
            ])
            let rows = instants.enumerated().map { id, instant -> Document in
                let date = instant.map(form.encode) ?? .null
                let other = instant.map(DateEncoding.iso8601Milliseconds.encode) ?? .null
                return ["id": .int(Int64(id)), "d": date, "m": other, "j": .object(["d": date])]
            }
            let database = try SQLiteDatabase.inMemory()
            try database.execute(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, d \(form.isText ? "TEXT" : "REAL"), m TEXT, j JSON)"
            )
            for row in rows {
                _ = try database.rows(
                    "INSERT INTO t VALUES (?1 ->> 'id', ?1 ->> 'd', ?1 ->> 'm', ?1 -> 'j')",
                    [
                        .string(JSONWriter().text(.object(row)))
                    ]
                )
            }
            for format in [
                "year(max({d, %@})) != 2024", "year(min({d, %@})) != 2023", "max({%@, d}) == %@", "min({d, %@}) < m",
                "hour(max({d, %@})) == 23", "CAST(max({d, %@}), 'NSString') == '2023-12-31T23:59:59.500Z'",
                "{d, %@}[1] == %@", "SUBQUERY({d, %@}, $x, year($x) == 2023).@count > 1", "ANY {d, %@} > m",
                "max({d, max({m, %@})}) == %@", "TERNARY(id == 1, %@, %@) > d",
                "SUBQUERY({%@}, $x, $x > d).@count == 1",
                "max({j.d, %@}) == %@",
            ] {
                for date in [half, .date(300_000_000_000_000), .date(-90_000_000_000_000)] {
                    let dates = Array(repeating: date, count: format.components(separatedBy: "%@").count - 1)
                    let query = try Query(parsing: format, arguments: dates, order: ["id"], schema: schema)
                    let expected = try query.results(in: rows).map { $0["id"] }
                    let found = try query.results(in: database, from: "t").map { $0["id"] }
                    #expect(found == expected, "\(form): \(format) with \(date)")
                    try database.execute("BEGIN")
                    do {
                        #expect(try query.delete(in: database, from: "t") == expected.count, "\(form): \(format)")
                    } catch {
                        #expect(
                            error.code == .unsupported && refused.contains { format.contains($0) },
                            "\(form): \(format)"
                        )
                    }
                    try database.execute("ROLLBACK")
                }
            }
            var query = Query(order: ["id"], fields: ["id"], schema: schema)
            guard case .comparison(let latest) = try Condition(parsing: "max({d, %@}) == nil", arguments: [half]) else {
                return
            }
            query.computed = [ComputedField(latest.left, as: "last")]
            let found = try query.results(in: database, from: "t").map { $0["last"] }
            #expect(found == (try query.results(in: rows).map { $0["last"] }), "\(form)")
        }
    }

    /// The same over a file's rows and over the table that they are imported into.
    @Test func importChangesNoAnswer() throws {
        var random = SeededGenerator(SeededGenerator.seed(SQLAgreementTests.seed))
        for round in 0..<12 {
            let isMixed = round % 2 == 0
            let rows = (0..<25).map { number in
                var row: Document = ["id": .int(Int64(number))]
                if random.chance(85) { row["d"] = .string(random.pick(isMixed ? Hostile.dateTexts : ["2024-01-01"])) }
                if random.chance(85) {
                    row["e"] = random.chance(20) ? .int(5) : .string(random.pick(Hostile.dateTexts))
                }
                row["f"] = .date(1_704_067_200_000 + Int64(random.below(3)))
                return row
            }
            let database = try SQLiteDatabase.inMemory()
            var importer = SQLiteImporter(table: "rows")
            for row in rows { try importer.observe(row) }
            try importer.write(to: database) { (add) throws(QueryError) in for row in rows { try add(row) } }
            let table = try database.table("rows")
            for _ in 0..<SeededGenerator.count(100) / 10 {
                var format = Self.format(&random, ["d", "e", "f"], pairs: false)
                if random.chance(30) { format = random.pick(["d", "e"]) + " BEGINSWITH '2024' AND \(format)" }
                if random.chance(20) { format = "d == '2024-01-01' OR \(format)" }
                let file = try Query(parsing: format).results(in: rows).map { $0["id"] ?? .null }
                let query = try Query(parsing: format, schema: table.schema)
                let found = try query.results(in: database, from: SQLTable("rows", storage: table.storage)).map {
                    $0["id"] ?? .null
                }
                #expect(found == file, "\(format)")
            }
        }
    }

    @Test func theImporterSaysWhichFormItFound() throws {
        var importer = SQLiteImporter(table: "rows")
        try importer.observe([
            "a": "2024-01-01T00:00:00Z", "b": "2024-01-01", "c": "2024-01-01", "s": "x", "d": .date(0),
        ])
        try importer.observe(["a": "2024-02-01T00:00:00Z", "b": "soon", "c": "2024-01-01T00:00:00.000Z", "s": "y"])
        #expect(
            importer.foundDates.map(\.description) == [
                "a: ISO 8601 text, yyyy-MM-ddTHH:mm:ssZ, without milliseconds",
                "b: ISO 8601 text, yyyy-MM-dd, mixed with texts that are not dates",
                "c: ISO 8601 text, in several forms",
            ]
        )
        #expect(
            importer.columns.map(\.declaredType) == [
                "DATE_TEXT", "DATE_TEXT", "DATE_TEXT", "TEXT", "PLAIN_DATE",
            ]
        )
    }
}
