import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// SQLite lets texts into columns of numbers, such as the empty cells of a CSV file: they are texts for every question.
@Suite struct LooseColumnTests {
    private static let conditions = [
        "a > 1", "a >= 1", "a < 1", "NOT a > 1", "NOT a >= 1", "NOT a < 1", "b >= -0.5", "a > b", "a >= b", "NOT a < b",
        "a == b", "a BETWEEN {b, 5}", "a * 2 > 3", "-a < 1", "abs(b) >= 2.5", "TERNARY(d > 1, a, 2) > 1",
        "CAST(b, 'NSNumber') > 3", "max({a, b}) != d", "max({a, b}) > 1", "sum({a, b}) > 3", "1 < a AND a < 9",
        "a IN {1, b}", "a BETWEEN {FALSE, TRUE}", "NOT a BETWEEN {FALSE, TRUE}", "a BETWEEN {'', 'x'}",
        "ANY others.s > 1", "ALL others.s <= 4", "others.@max.s >= 2", "others.@sum.s > 1", "others.@min.q < 3",
        "SUBQUERY(others, $o, $o.s > $o.q).@count > 0", "id > 3",
    ]

    private static let cells: [QueryValue] = [
        .null, "", "x", "12 kg", 0, 1, 2, 7, -1, 0.5, 2.5, -1.5, .double(1e300), .double(.infinity),
    ]

    /// Rows with some texts, as documents with the rows of the other table in them.
    private func database(_ seed: UInt64) throws -> (SQLiteDatabase, [Document]) {
        var random = SeededGenerator(seed)
        let database = try SQLiteDatabase.inMemory()
        let columns = "a INTEGER, b REAL, d DECIMAL(8,2), n NUMERIC"
        for sql in [
            "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns))",
            "CREATE VIEW v AS SELECT id, a, b, d, n FROM t",
            "CREATE TABLE others (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id), s REAL, q INTEGER)",
        ] { _ = try database.rows(sql) }
        for id in 1...25 {
            let cells = (0..<4).map { _ in random.pick(Self.cells) }
            _ = try database.rows("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [.int(Int64(id))] + cells)
            for _ in 0..<random.below(4) {
                let cells = (0..<2).map { _ in random.pick(Self.cells) }
                _ = try database.rows("INSERT INTO others VALUES (NULL, ?, ?, ?)", [.int(Int64(id))] + cells)
            }
        }
        var rows = try database.rows("SELECT * FROM t ORDER BY id")
        for position in rows.indices {
            let id = rows[position]["id"] ?? .null
            let others = try database.rows("SELECT * FROM others WHERE t_id = ?", [id])
            rows[position]["others"] = .list(others.map { .object($0) })
        }
        return (database, rows)
    }

    private func ids(_ rows: [Document]) -> [QueryValue] { rows.map { $0["id"] ?? .null } }

    @Test func textsAmongNumbersAreTexts() throws {
        for seed in UInt64(1)...4 {
            let (database, rows) = try database(seed)
            for condition in Self.conditions {
                var query = try Query(parsing: condition)
                query.order = ["id"]
                let wanted = ids(try query.results(in: rows))
                for table in condition.contains("others") ? ["t"] : ["t", "v"] {
                    #expect(ids(try query.rows(in: database, from: table)) == wanted, "\(seed) \(table): \(condition)")
                    #expect(try query.count(in: database, from: table) == wanted.count, "\(table): \(condition)")
                }
            }
            for key in ["a", "-a", "b", "-n"] {
                let query = Query(order: [SortKey(stringLiteral: key), "id"])
                #expect(ids(try query.rows(in: database, from: "t")) == ids(try query.results(in: rows)), "\(key)")
            }
            let reducers: [Reducer] = [
                .sum("b"), .average("n"), .min("d"), .max("b"), .median("n"), .countDistinct("n"),
            ]
            let grouping = Query().grouped(by: "a", computing: reducers)
            #expect(try grouping.results(in: database, from: "t") == grouping.results(in: rows))
        }
    }

    /// A text in a column of numbers is found as the hint says.
    @Test func hintsFindOtherKinds() throws {
        let database = try SQLiteDatabase.inMemory()
        _ = try database.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, age INTEGER, zip TEXT)")
        _ = try database.rows("INSERT INTO t VALUES (1, '', '02139'), (2, 17, '2139')")
        for (text, hinted, wanted) in [
            ("age == ''", "CAST(age, \"NSString\") == ''", [1]), ("zip == 2139", "zip == '2139'", [2]),
            ("zip == 2139", "CAST(zip, \"NSNumber\") == 2139", [1, 2]),
        ] as [(String, String, [Int64])] {
            let schema = try database.schema(ofTable: "t")
            let error = #expect(throws: QueryError.self) { try Query(parsing: text, schema: schema) }
            #expect(error?.code == .kindMismatch && error?.hint?.contains("CAST(field, ") == true, "\(text)")
            #expect(
                try Query(parsing: hinted).rows(in: database, from: "t").map { $0["id"] } == wanted.map { .int($0) }
            )
        }
    }

    /// SQLite lets any number into a column of truth values.
    @Test func numbersAmongTruthValuesAreNumbers() throws {
        let database = try SQLiteDatabase.inMemory()
        _ = try database.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, flag BOOLEAN)")
        for flag in [1, 0, 2, .null, "true", "x", -1, 0.5] as [QueryValue] {
            _ = try database.rows("INSERT INTO t VALUES (NULL, ?)", [flag])
        }
        let rows = try Query(order: ["id"]).rows(in: database, from: "t")
        #expect(rows.map { $0["flag"] } == [true, false, 2, .null, "true", "x", -1, 0.5])
        for relation in ["<", "<=", ">", ">=", "==", "!="] {
            for truth in ["TRUE", "FALSE"] {
                for text in ["flag \(relation) \(truth)", "NOT \(truth) \(relation) flag"] {
                    let query = try Query(parsing: text, order: ["id"])
                    let schemas = [nil, try database.schema(ofTable: "t")]
                    for schema in schemas {
                        let found = try Query(query.condition, order: ["id"], schema: schema).rows(
                            in: database,
                            from: "t"
                        )
                        #expect(try ids(found) == ids(query.results(in: rows)), "\(text)")
                    }
                }
            }
        }
        let computed = try Query(order: ["id"], computed: [ComputedField(parsing: "f = flag")])
        #expect(try computed.rows(in: database, from: "t") == computed.results(in: rows))
        for computing in [[.count, .max("flag")], [.count, .min("flag"), .distinct("id")]] as [[Reducer]] {
            let grouping = Query().grouped(by: "flag", computing: computing)
            let found = try grouping.results(in: database, from: "t")
            #expect(Set(found.map(\.json)) == Set(try grouping.results(in: rows).map(\.json)), "\(grouping)")
        }
    }

    @Test func randomConditionsAgree() throws {
        var compared = 0
        for seed in UInt64(1)...4 {
            let (database, rows) = try database(seed)
            var generator = ConditionGenerator(seed: seed, isFlat: true, anyTerms: 30)
            (generator.fields, generator.collections) = (["a", "b", "d", "n"], ["others"])
            (generator.elements, generator.constants) = (["s", "q"], [0, 1, 2.5, 7])
            for _ in 0..<150 {
                var query = Query(generator.condition(2))
                query.order = ["id"]
                guard let found = try? query.rows(in: database, from: "t") else { continue }
                compared += 1
                let wanted = ids(try query.results(in: rows))
                #expect(ids(found) == wanted, "\(seed): \(query.condition)")
            }
        }
        #expect(compared > 200, "\(compared)")
    }

    /// Where no text can be, the SQL stays as it is written by hand.
    @Test func columnsThatHoldNumbersOnlyAreCompared() throws {
        let (database, _) = try database(1)
        _ = try database.rows("CREATE TABLE strict (id INTEGER PRIMARY KEY, a INTEGER, b REAL) STRICT")
        func text(_ condition: String, _ table: String) throws -> String {
            let declared = try database.table(table)
            let query = Query(try Condition(parsing: condition), schema: declared.schema)
            return try query.sql(.sqlite, from: SQLTable(table, storage: declared.storage)).where
        }
        #expect(try text("a > 1", "strict") == #""strict"."a" > ?"#)
        #expect(try text("a > 1", "t") == #""t"."a" > ? AND "t"."a" <= 9e999"#)
        #expect(try text("a >= 1", "t") == #""t"."a" >= ? AND "t"."a" <= 9e999"#)
        #expect(try text("id > 1", "t") == #""t"."id" > ?"#)
        _ = try database.rows("CREATE TABLE plain (id INTEGER PRIMARY KEY, a INTEGER) WITHOUT ROWID")
        #expect(try text("id > 1", "plain") == #""plain"."id" > ? AND "plain"."id" <= 9e999"#)
    }

    /// What a group computes of other tables' rows, and a condition on them, where the groups are made in memory.
    @Test func groupsInMemoryReadOtherTables() throws {
        let (database, rows) = try database(2)
        let found = try Query(parsing: "ANY others.q <= 2").grouped(by: "b", computing: [.median("n"), .count])
        #expect(try found.results(in: database, from: "t") == found.results(in: rows))
        var others: [Document] = []
        for row in rows {
            guard case .list(let list)? = row["others"] else { continue }
            for case .object(var other) in list {
                other["t"] = .object(row)
                others.append(other)
            }
        }
        let ofOther = Query().grouped(by: "t.b", "q", computing: [.median("s"), .max("t.n"), .distinct("t.b")])
        #expect(try ofOther.results(in: database, from: "others") == ofOther.results(in: others))
        #expect(throws: QueryError.self) {
            try Query(fields: ["id", "t.b"]).rows(in: database, from: "others")
        }
    }

    /// Numbers of a schema over texts, and UUIDs over bytes, are refused wherever a query reads them; what the hint
    /// offers finds them.
    @Test func otherKindsThanDeclaredAreRefused() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE dept (id INTEGER PRIMARY KEY, budget TEXT);
            CREATE TABLE person (
                id INTEGER PRIMARY KEY, dept_id INTEGER, p TEXT, u BLOB, n INTEGER, w DATE_TEXT, z NUMERIC(5));
            INSERT INTO dept VALUES (1, '100'), (2, '9');
            INSERT INTO person VALUES (1, 1, '100', randomblob(16), 5, 'x', 10), (2, 2, '9', x'00', 6, '9', 9),
                (3, NULL, NULL, NULL, 7, NULL, NULL)
            """
        )
        let dept = Schema([.field("id", .int), .field("budget", .double)])
        let person = Schema([
            .field("id", .int), .field("p", .int), .field("u", .uuid), .field("n", .int), .field("w", .double),
            .field("z", .string), .field("dept", .object(dept), relation: .init(table: "dept", foreignKey: "dept_id")),
        ])
        let key = QueryValue.uuid(UUID())
        for (format, hint) in [
            ("p > 70", "CAST(p, 'NSNumber')"), ("p + 1 > 70", "CAST(p, 'NSNumber')"), ("n < p", "CAST(p, 'NSNumber')"),
            ("p IN {1, nil}", "CAST(p, 'NSNumber')"), ("CAST(p, 'NSNumber') > 70 OR p == 9", "CAST(p, 'NSNumber')"),
            ("max({p, n}) > 7", "CAST(p, 'NSNumber')"), ("TERNARY(n == 5, p, n) > 7", "CAST(p, 'NSNumber')"),
            ("dept.budget > 70", "CAST(dept.budget, 'NSNumber')"),
            ("n > 5 AND dept.budget > n", "CAST(dept.budget, 'NSNumber')"),
            ("w > 5", "CAST(w, 'NSNumber')"), ("CAST(p, 'NSDate') > now()", "CAST(p, 'NSNumber')"),
            ("z == '9'", "CAST(z, 'NSString')"), ("z BEGINSWITH '1'", "CAST(z, 'NSString')"),
            ("CAST(u, 'NSString') == 'a'", "declare the field as data and compare with its 16 bytes"),
            ("TERNARY(n == 5, u, u) == %@", "declare the field as data and compare with its 16 bytes"),
        ] {
            for text in [format, format + " OR random() < 0"] {
                let keys = text.contains("%@") ? [key] : []
                let query = try Query(parsing: text, arguments: keys, schema: person)
                func refused(_ body: () throws -> Void) {
                    let error = #expect(throws: QueryError.self) { try body() }
                    #expect(error?.code == .unsupported && error?.hint == hint, "\(text): \(String(describing: error))")
                }
                refused { _ = try query.results(in: database, from: "person") }
                refused { _ = try query.count(in: database, from: "person") }
                refused { _ = try query.delete(in: database, from: "person") }
                refused { _ = try query.grouped(computing: [.count]).results(in: database, from: "person") }
            }
        }
        let people = Schema.Field.field(
            "people",
            .list(.object(Schema([.field("id", .int), .field("p", .int)]))),
            relation: .init(table: "person", foreignKey: "dept_id")
        )
        let whole = Schema(dept.fields + [people], primaryKey: ["id"])
        for format in [
            "ANY people.p > 70", "people.@max.p > 70", "people.@sum.p > 70", "max(people.p) > 70",
            "SUBQUERY(people, $x, $x.p > 70).@count > 0",
        ] {
            let query = try Query(parsing: format, schema: whole)
            let error = #expect(throws: QueryError.self) { try query.results(in: database, from: "dept") }
            let isOne = format.contains("$x")
            #expect(
                error?.hint == (isOne ? "CAST($x.p, 'NSNumber')" : "declare the field as a string and cast it"),
                "\(format)"
            )
        }
        for order: SortKey in ["p", "dept.budget"] {
            let query = Query(order: [order], schema: person)
            #expect(throws: QueryError.self) { try query.results(in: database, from: "person") }
        }
        for grouping in [
            Query(schema: person).grouped(computing: [.sum("p")]),
            Query(schema: person).grouped(by: "u", computing: [.count]),
        ] { #expect(throws: QueryError.self) { try grouping.results(in: database, from: "person") } }
        for (format, wanted): (String, [QueryValue]) in [
            ("CAST(p, 'NSNumber') > 70", [1]), ("CAST(dept.budget, 'NSNumber') > 70", [1]),
            ("CAST(z, 'NSString') BEGINSWITH '1'", [1]), ("z == nil", [3]), ("p == nil AND u == nil", [3]),
            ("p IN {nil}", [3]), ("p != nil", [1, 2]), ("dept.budget == nil", [3]),
        ] {
            for text in [format, format + " OR random() < 0"] where !(text.contains("dept") && text.contains("random"))
            {
                let query = try Query(parsing: text, order: ["id"], fields: ["id", "p"], schema: person)
                #expect(try query.results(in: database, from: "person").compactMap { $0["id"] } == wanted, "\(text)")
            }
        }
        for (format, wanted): (String, [QueryValue]) in [
            ("SUBQUERY(people, $x, CAST($x.p, 'NSNumber') > 70).@count > 0", [1]), ("people.p.@count == 1", [1, 2]),
        ] {
            let query = try Query(parsing: format, order: ["id"], schema: whole)
            #expect(try query.results(in: database, from: "dept").compactMap { $0["id"] } == wanted, "\(format)")
        }
    }

    /// Dates in the form of texts over columns of numbers, the other way round, and truth values over texts are refused;
    /// what the hint offers finds them.
    @Test func otherFormsOfDatesThanTheTableKeepsAreRefused() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, r REAL, n NUMERIC, s TEXT, d DATETIME, x, flag VARCHAR(5));
            INSERT INTO t VALUES (1, 86400, 86400.5, 86400, '1970-01-02', '1970-01-02', 86400, 'true'),
                (2, NULL, NULL, NULL, NULL, 86400, '1970-01-02', 'false')
            """
        )
        let past = QueryValue.date(0)
        func found(_ format: String, _ name: String, _ type: FieldType) throws -> [QueryValue?] {
            let schema = Schema([.field(name, type)], allowsOthers: true)
            let query = try Query(
                parsing: format,
                arguments: format.contains("%@") ? [past] : [],
                order: ["id"],
                schema: schema
            )
            return try query.results(in: database, from: "t").map { $0["id"] }
        }
        let texts: [DateEncoding] = [.native, .iso8601, .iso8601Date, .sqliteText]
        let numbers: [DateEncoding] = [.epochSeconds, .epochMilliseconds]
        for (names, forms, hint) in [("irn", texts, ".date(.epochSeconds)"), ("s", numbers, ".date(.iso8601)")] {
            for (name, form) in names.map(String.init).flatMap({ name in forms.map { (name, $0) } }) {
                for format in [
                    "\(name) > %@", "\(name) != %@", "year(\(name)) == 1970", "CAST(\(name), 'NSNumber') > 0",
                ] {
                    let error = #expect(throws: QueryError.self) { try found(format, name, .date(form)) }
                    #expect(error?.code == .unsupported && error?.hint?.contains(hint) == true, "\(form): \(format)")
                }
                #expect(try found("\(name) == nil", name, .date(form)) == [2])
            }
        }
        for name in ["i", "r", "n"] { #expect(try found("\(name) > %@", name, .date(.epochSeconds)) == [1]) }
        #expect(try found("s > %@", "s", .date(.iso8601Date)) == [1])
        #expect(try found("d > %@", "d", .date(.native)) == [1])
        #expect(try found("x > %@", "x", .date(.iso8601)) == [2])
        for format in ["flag == TRUE", "flag != FALSE", "CAST(flag, 'NSString') == 'true'"] {
            let error = #expect(throws: QueryError.self) { try found(format, "flag", .bool) }
            #expect(error?.hint == "declare the field as a string and compare with its texts", "\(format)")
        }
        #expect(try found("flag == 'true'", "flag", .string) == [1])
    }

    /// Dates as numbers, with texts among them, which are no dates (S5).
    @Test func textsAmongDatesAreTexts() throws {
        let moment: Int64 = 1_704_067_200
        let forms: [DateEncoding] = [.epochSeconds, .epochMilliseconds, .epochSeconds]
        for (seed, form) in zip(UInt64(1)..., forms) {
            let database = try SQLiteDatabase.inMemory()
            try database.execute(
                """
                CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b REAL);
                CREATE TABLE others (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id), s REAL)
                """
            )
            var random = SeededGenerator(seed)
            let unit: Int64 = form == .epochSeconds ? 1 : 1000
            let cells: [QueryValue] = [.null, "soon", "", "x"] + (-2...2).map { .int((moment + $0 * 100_000) * unit) }
            for id in 1...25 {
                let row = [.int(Int64(id)), random.pick(cells), random.pick(cells)]
                _ = try database.rows("INSERT INTO t VALUES (?, ?, ?)", row)
                for _ in 0..<random.below(4) {
                    _ = try database.rows(
                        "INSERT INTO others VALUES (NULL, ?, ?)",
                        [.int(Int64(id)), random.pick(cells)]
                    )
                }
            }
            let date = FieldType.date(form)
            let others = Schema.Field.field(
                "others",
                .list(.object(Schema([.field("s", date)]))),
                relation: .init(table: "others", foreignKey: "t_id")
            )
            let schema = Schema([.field("id", .int), .field("a", date), .field("b", date), others], primaryKey: ["id"])
            var rows = try database.rows("SELECT * FROM t ORDER BY id")
            for position in rows.indices {
                let found = try database.rows("SELECT s FROM others WHERE t_id = ?", [rows[position]["id"] ?? .null])
                rows[position]["others"] = .list(found.map { .object($0) })
            }
            for condition in [
                "a > %@", "a >= %@", "a < %@", "a <= %@", "NOT a > %@", "NOT a <= %@", "a == %@", "a != %@", "%@ < b",
                "a IN {%@, nil}", "a BETWEEN {%@, %@}", "NOT a BETWEEN {%@, %@}", "a BETWEEN {b, %@}", "a > b",
                "a >= b",
                "NOT a < b", "a == b", "a != b", "a == nil", "ANY others.s > %@", "ALL others.s <= %@",
                "others.@max.s >= %@", "others.@min.s < %@", "SUBQUERY(others, $o, $o.s > a).@count > 0",
                "year(a) == 2024", "year(b) != 2024",
            ] {
                let count = condition.split(separator: "%@", omittingEmptySubsequences: false).count - 1
                let query = try Query(
                    parsing: condition,
                    arguments: Array(repeating: .date(moment * 1000), count: count),
                    order: ["id"],
                    schema: schema
                )
                #expect(
                    ids(try query.rows(in: database, from: "t")) == ids(try query.results(in: rows)),
                    "\(condition)"
                )
            }
        }
    }

    /// What the declarations of a table rule out is told without a schema, with what to write; what they let in is not.
    @Test func comparisonsThatNeverHoldAreTold() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, fav INTEGER, made REAL, money TEXT, raw BLOB, at DATETIME, flag BOOLEAN,
                x, tags TEXT, up_id INTEGER REFERENCES t (id));
            INSERT INTO t VALUES (1, 1, 86400, '10', x'41', '1970-01-02', 1, 5, '[5]', 1),
                (2, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', NULL)
            """
        )
        let date = "CAST('2024-01-01', 'NSDate')"
        for (format, hint): (String, String) in [
            ("fav == YES", "write 1, or declare the field as a bool in a schema"),
            ("fav != TRUE", "write 1, or declare the field as a bool in a schema"),
            ("FALSE == fav", "write 0, or declare the field as a bool in a schema"),
            ("up.fav == TRUE", "write 1, or declare the field as a bool in a schema"),
            ("made > \(date)", "declare the form of the dates in a schema, as .date(.epochSeconds)"),
            ("money > 9", "write CAST(money, \"NSNumber\")"), ("raw == 'A'", ""), ("raw BEGINSWITH 'A'", ""),
            ("at > 5", ""),
            ("id == '1'", "write 1"), ("money == TRUE", ""), ("flag == \(date)", ""),
        ] {
            let query = try Query(parsing: format)
            let told = try query.warnings(in: database, from: "t")
            #expect(told.count == 1 && told.first?.hint?.hasPrefix(hint) == true, "\(format): \(told)")
            let isAll = format.contains("!=")
            #expect(try query.count(in: database, from: "t") == (isAll ? 2 : 0), "\(format)")
        }
        for format in [
            "fav == 1", "fav == 'a'", "made == 'b'", "money > '9'", "money > \(date)", "raw == %@", "at > \(date)",
            "at == nil",
            "flag == TRUE", "flag == 1", "flag == 'f'", "x == TRUE", "x > \(date)", "ANY tags == 5", "tags CONTAINS 5",
            "CAST(money, 'NSNumber') > 9", "up.fav == 'a'", "at > '1970-01-01'", "up.id == 1",
        ] {
            let query = try Query(parsing: format, arguments: format.contains("%@") ? [.data([65])] : [])
            #expect(try query.warnings(in: database, from: "t") == [], "\(format)")
        }
        // A schema of its own is checked by its own rules.
        let own = try Query(parsing: "fav == YES", schema: Schema([.field("fav", .bool)]))
        #expect(try own.warnings(in: database, from: "t") == [] && own.count(in: database, from: "t") == 1)
    }

    /// Doubles that are kept as ints where they are whole divide as ints (S17), which is told; with `* 1.0` they do not.
    @Test func divisionsOfWholeDoublesAreTold() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n NUMERIC, r DOUBLE, j JSON, i INTEGER);
            INSERT INTO t VALUES (1, 1.0, 1.0, '[{"m":1}]', 1)
            """
        )
        let item = Schema([.field("m", .double)])
        let schema = Schema([
            .field("n", .double), .field("r", .double), .field("j", .list(.object(item))), .field("i", .int),
        ])
        for (format, hint, found): (String, String?, Int) in [
            ("n / 2 == 0.5", "make it a double first: n * 1.0", 0),
            ("2 / n + r == 3", "make it a double first: n * 1.0", 1),
            ("SUBQUERY(j, $l, $l.m / 2 == 0.5).@count > 0", "make it a double first: $l.m * 1.0", 0),
            ("n * 1.0 / 2 == 0.5", nil, 1), ("n / 2.0 == 0.5", nil, 1), ("r / 2 == 0.5", nil, 1),
            ("i / 2 == 0", nil, 1),
            ("SUBQUERY(j, $l, $l.m * 1.0 / 2 == 0.5).@count > 0", nil, 1),
        ] {
            let query = try Query(parsing: format, schema: schema)
            #expect(try query.warnings(in: database, from: "t").map(\.hint) == (hint.map { [$0] } ?? []), "\(format)")
            #expect(try query.count(in: database, from: "t") == found, "\(format)")
        }
        let computed = try Query(computed: [ComputedField(parsing: "half = n / 2")])
        #expect(try computed.warnings(in: database, from: "t").map(\.hint) == ["make it a double first: n * 1.0"])
    }
}
