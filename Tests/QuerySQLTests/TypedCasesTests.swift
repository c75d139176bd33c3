import Foundation
import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Stores with typed columns: most queries are supported, and a judge runs them in the real store.
@Suite struct TypedCasesTests {
    private static let stores: [(name: String, dialect: SQLDialect, layouts: [TypedCases.Layout])] = [
        ("postgresql", .postgresql, [.columns, .documents, .typedDocuments]),
        ("duckdb", .duckDB, [.columns, .nested]),
        ("mariadb", .mariadb, [.columns]),
    ]

    /// `SQL_CASES=path` writes the cases there for `Tests/Judges/sql.sh`; `SEED` and `SCALE` choose them.
    @Test func mostQueriesCanBeSaid() throws {
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        let count = SeededGenerator.count(80)
        for store in Self.stores {
            let functions = store.dialect.functionDefinitions.map { QueryValue.string($0) }
            #expect(functions.isEmpty == (store.dialect.foldFunction == nil))
            try TypedCases.write(["functions": .list(functions)], as: "functions-\(store.name)")
            for layout in store.layouts {
                var cases = TypedCases(layout, store.dialect, seed: seed)
                var found = cases.next(count)
                #expect(
                    found.count > count / 4,
                    "\(store.name) says \(found.count) of \(count) over \(layout.rawValue)"
                )
                found += try cases.writtenCases()
                var statements = try cases.statements()
                #expect(statements.count >= 20, "\(store.name) over \(layout.rawValue)")
                let pipelines = try cases.pipelines(count / 3, seed: seed)
                #expect(pipelines.count > count / 20, "\(store.name) says \(pipelines.count) over \(layout.rawValue)")
                statements += pipelines
                for statement in found + statements { checkBindings(statement) }
                try cases.write(found + statements, as: "\(store.name)-\(layout.rawValue)")
            }
        }
    }

    /// Documents that store dates as texts of other forms and as numbers.
    @Test func datesOfEveryForm() throws {
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        let count = SeededGenerator.count(80)
        let pairs: [(d: DateEncoding, e: DateEncoding)] = [
            (.sqliteText, .epochSeconds), (.epochMilliseconds, .iso8601Milliseconds),
        ]
        for (number, dates) in pairs.enumerated() {
            var cases = TypedCases(.typedDocuments, .postgresql, seed: seed, dates: dates)
            let found = cases.next(count / 2)
            #expect(found.count > count / 8)
            found.forEach(checkBindings)
            try cases.write(found, as: "postgresql-dates-\(number)")
        }
    }

    /// PostgreSQL columns without a time zone, which the judge queries under several time zones.
    @Test func datesWithoutAZone() throws {
        let schema = Schema([.field("d", .date(.native)), .field("e", .date(.native))])
        let day: Int64 = 86_400_000
        let rows = (0..<12).map { number in
            Document(pairs: [
                ("d", .date((19_723 + Int64(number / 4)) * day)),
                ("e", .date(19_724 * day + Int64(number - 6) * 7_200_000)),
            ])
        }
        var cases: [Document] = []
        for sign in ["==", "!=", "<", "<=", ">", ">="] {
            cases.append(try Query(parsing: "d \(sign) e", schema: schema).judged(in: .postgresql, .columns, rows))
            for moment in [19_724 * day, 19_724 * day + 1, 19_724 * day - 1, 19_724 * day + day / 2] {
                for name in ["d", "e"] {
                    let query = try Query(parsing: "\(name) \(sign) %@", arguments: [.date(moment)], schema: schema)
                    cases.append(try query.judged(in: .postgresql, .columns, rows))
                }
            }
        }
        let inserts = rows.enumerated().map { number, row in
            let texts = row.values.map { value -> String in
                if case .date(let instant) = value { "'" + DateText.iso8601(instant).dropLast() + "'" } else { "NULL" }
            }
            return "INSERT INTO docs VALUES (\(number + 1), \(texts.joined(separator: ", ")))"
        }
        let setup = ["CREATE TABLE docs (id bigint PRIMARY KEY, d date, e timestamp)"] + inserts
        cases.forEach(checkBindings)
        try TypedCases.write(
            [
                "rows": .list(rows.map { TypedCases.encoded(.object($0)) }), "cases": .list(cases.map { .object($0) }),
                "setup": .list(setup.map { .string($0) }),
            ],
            as: "postgresql-zones"
        )
    }

    /// The functions that fold text in a store, scalar by scalar and in words (S14).
    @Test func storesFoldAsMemoryDoes() throws {
        let options: [StringOptions] = [
            .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
        ]
        let scalars = (1...UInt32(0x2_FFFF)).compactMap(Unicode.Scalar.init).map { String($0) }
        for option in options {
            let (from, to) = Folding.translation(option)
            var partners: [Unicode.Scalar: Unicode.Scalar?] = [:]
            let targets = Array(to.unicodeScalars)
            for (place, scalar) in from.unicodeScalars.enumerated() {
                #expect(partners[scalar] == nil)
                partners[scalar] = .some(place < targets.count ? targets[place] : nil)
            }
            let wrong = scalars.filter { text in
                let translated = text.unicodeScalars.compactMap { partners[$0, default: $0] }
                return !String(String.UnicodeScalarView(translated)).hasSameUTF8(as: Folding.folded(text, option))
            }
            #expect(wrong.isEmpty)
        }
        let changed = scalars.filter {
            !Folding.folded($0, [.caseInsensitive, .diacriticInsensitive]).hasSameUTF8(as: $0)
        }
        let others = stride(from: 0, to: scalars.count, by: 101).map { scalars[$0] }
        let words = [
            "", "Zoé MÜLLER", "ÎLE de Ré", "ΣΊΣΥΦΟΣ", "Ёлка", "e\u{301}E\u{301}", "北京 İstanbul ſ µ", "東京ABCが", "서울 Ab",
            "カメラ ガ", "ß ẞ ŉ 'x' \\",
        ]
        let texts = changed + others + words
        let inserts = texts.enumerated().map { number, text in
            "INSERT INTO docs VALUES (\(number), '\(text.replacingOccurrences(of: "'", with: "''"))')"
        }
        for store in Self.stores where store.dialect.foldFunction != nil {
            let cases = options.map { option -> QueryValue in
                let rows = texts.map { QueryValue.list([TypedCases.encoded(.string(Folding.folded($0, option)))]) }
                let sql = "SELECT pql_fold('\(option.folding.text)', s) FROM docs ORDER BY id"
                return .object([
                    "query": .string("fold \(option.folding.text)"), "sql": .string(sql), "bindings": .list([]),
                    "rows": .list(rows),
                ])
            }
            let setup = ["CREATE TABLE docs (id bigint PRIMARY KEY, s text)"] + inserts
            try TypedCases.write(
                ["rows": .list([]), "cases": .list(cases), "setup": .list(setup.map { .string($0) })],
                as: "\(store.name)-folding"
            )
        }
    }

    /// Random patterns with a portable form, over texts that engines disagree on.
    @Test func patternsOfEveryEngine() throws {
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        let count = SeededGenerator.count(80)
        let schema = Schema([.field("s", .string)])
        var random = SeededGenerator(seed)
        let texts = (0..<80).map { _ in (0..<random.below(5)).map { _ in random.pick(Self.parts) }.joined() }
        let rows: [Document] = texts.map { ["s": .string($0)] }
        let inserts = texts.enumerated().map { number, text in
            "INSERT INTO docs VALUES (\(number + 1), '\(text.replacing("'", with: "''"))')"
        }
        let setup = ["DROP TABLE IF EXISTS docs", "CREATE TABLE docs (id bigint PRIMARY KEY, s text)"] + inserts
        let queries = (0..<count).compactMap { _ in
            let options = random.chance(30) ? "[c]" : ""
            return try? Query(
                parsing: "s MATCHES\(options) %@",
                arguments: [.string(Self.pattern(&random))],
                schema: schema
            )
        }
        for store in Self.stores {
            let cases = queries.compactMap { try? $0.judged(in: store.dialect, .columns, rows) }
            #expect(cases.count > count / 2, "\(store.name) says \(cases.count) of \(count) patterns")
            try TypedCases.write(
                [
                    "rows": .list(rows.map { .object($0) }), "cases": .list(cases.map { .object($0) }),
                    "setup": .list(setup.map { .string($0) }),
                ],
                as: "\(store.name)-patterns"
            )
        }
    }

    private static let parts = [
        "a", "b", "K", "k", "s", "S", "\u{212A}", "ſ", "é", "É", "_", "-", ".", "@", "1", "20", " ", "\n", "\t", "^",
        "$", "[",
        "]", "&", "~", "\\", "mug-001", "ab@c.de", "x\u{A0}", "😀",
    ]

    private static func pattern(_ random: inout SeededGenerator) -> String {
        let atoms = [
            "a", "k", "S", "K", "1", "_", ".", "-", "@", "é", "\\.", "\\d", "\\w", "\\W", "\\s", "\\S", "\\b", "\\n",
            "[a-k]", "[^a-k]",
            "[A-Za-z0-9._%+-]", "[-ab]", "[^@]", "[^@\\s]", "[\\w.-]", "[\\]^]", "[&~$]", "[^\\n]", "[!-~]", "(a|b)",
            "(?:k|)", "(?:s1?)",
            "[0-9]", "[^S]", "\\$", "\\^",
        ]
        func chain(_ random: inout SeededGenerator) -> String {
            (0..<1 + random.below(4)).map { _ in
                random.pick(atoms) + random.pick(["", "", "*", "+", "?", "{2}", "{1,3}", "*?"])
            }.joined()
        }
        var pattern = chain(&random)
        if random.chance(20) { pattern = "(" + pattern + ")" + random.pick(["", "*", "+", "?"]) }
        if random.chance(20) { pattern += "|" + chain(&random) }
        if random.chance(20) { pattern = "^" + pattern }
        if random.chance(20) { pattern += random.pick(["$", "\\z"]) }
        return (random.chance(15) ? "(?i)" : "") + pattern
    }

    /// The queries of the spec files and `truth.json`, for PostgreSQL over documents.
    @Test func writtenQuestionsCanBeSaid() throws {
        var files: [String: [Document]] = [:]
        var (asked, refused) = (0, 0)
        for question in try WrittenQuestion.specs() + WrittenQuestion.truths() where question.isForDocuments {
            guard let judged = try question.judged(in: .postgresql) else {
                refused += 1
                if ProcessEnvironment.number("VERBOSE") != nil { print("PostgreSQL refuses \(question.place)") }
                continue
            }
            checkBindings(judged)
            asked += 1
            let rows = question.rows.map { QueryValue.string(JSONWriter().text(.object($0))) }
            files[JSONWriter().text(.list(rows)), default: []].append(judged)
        }
        print("written queries: \(asked) asked of PostgreSQL, \(refused) refused")
        #expect(asked > 500)
        guard let path = getenv("SQL_CASES").map({ String(cString: $0) }) else { return }
        for (number, (rows, cases)) in files.enumerated() {
            let cases = JSONWriter().text(.list(cases.map { .object($0) }))
            let text = "{\"rows\": \(rows), \"cases\": \(cases)}"
            try TypedCases.write(text, to: "\(path)/postgresql-written-\(number).json")
        }
    }

    /// As many placeholders as values; the library's own names and texts contain no `?` and no `$` with digits.
    private func checkBindings(_ statement: Document) {
        guard case .string(let sql)? = statement["sql"] ?? statement["where"],
            case .list(let bindings)? = statement["bindings"]
        else {
            Issue.record("no statement: \(statement)")
            return
        }
        let numbered = Set(sql.matches(of: /\$([0-9]+)/).compactMap { Int($0.1) })
        if numbered.isEmpty {
            #expect(sql.count { $0 == "?" } == bindings.count, "\(sql)")
        } else {
            #expect(numbered == Set(1..<bindings.count + 1), "\(sql)")
        }
    }
}

extension TypedCases {
    /// The supported ones of this many attempts.
    mutating func next(_ count: Int) -> [Document] {
        (0..<count).compactMap { _ in next() }
    }

    /// Writes the rows and queries for a judge, if `SQL_CASES` names a folder.
    func write(_ cases: [Document], as name: String) throws {
        try Self.write(["rows": encodedRows, "cases": .list(cases.map { .object($0) })], as: name)
    }

    /// Writes the queries for a judge, if `SQL_CASES` names a folder.
    static func write(_ content: Document, as name: String) throws {
        guard let path = getenv("SQL_CASES").map({ String(cString: $0) }) else { return }
        try write(JSONWriter().text(.object(content)), to: "\(path)/\(name).json")
    }

    /// Writes a judge's file.
    static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
