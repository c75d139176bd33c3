import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryEvaluation
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Random orders, pages, fields, computed fields and groups over fields of declared kinds, dates in each form that SQLite
/// keeps: columns and documents answer as memory does, row by row in order.
@Suite(.serialized) struct DeclaredPipelineTests {
    private static let days: [Int64] = [1_704_067_200_000, 1_704_153_600_000, -86_400_000, 1_709_164_800_000]
    private static let ids = ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"]
    private static let paths = ["d", "e", "u", "b", "q", "f", "s", "l", "o.d", "o.n", "p", "k.q", "x"]

    private static func schema(_ encoding: DateEncoding) -> Schema {
        let date = FieldType.date(encoding)
        return Schema(
            [
                .field("d", date), .field("e", date), .field("u", .uuid), .field("b", .bool), .field("q", .int),
                .field("f", .double), .field("s", .string), .field("l", .list(.string)), .field("p", .list(date)),
                .field("o", .object(Schema([.field("d", date), .field("n", .int)]))),
                .field("k", .list(.object(Schema([.field("q", .int)])))),
            ],
            allowsOthers: true
        )
    }

    /// A row as the store keeps it.
    private static func row(_ number: Int, _ encoding: DateEncoding, _ random: inout SeededGenerator) -> Document {
        func date(_ random: inout SeededGenerator) -> QueryValue { encoding.compared(random.pick(days)) }
        var row: Document = ["_id": .string("id\(number * 17 % 40)")]
        for key in ["d", "e"] where random.chance(80) { row[key] = date(&random) }
        if random.chance(80) {
            // A column of texts of UUIDs in lower or in upper case (S5).
            let id = random.pick(ids)
            row["u"] = .string(encoding.isText ? id : id.uppercased())
        }
        if random.chance(80) { row["b"] = .bool(random.chance(50)) }
        if random.chance(80) { row["q"] = .int(Int64(random.below(4)) - 1) }
        if random.chance(80) { row["f"] = .double(random.pick([0.5, 1, -2.25])) }
        if random.chance(80) { row["s"] = .string(random.pick(["a", "A", "é", "b", ""])) }
        if random.chance(80) { row["l"] = .list((0..<random.below(3)).map { _ in random.pick(["a", "b", "c"]) }) }
        if random.chance(80) { row["p"] = .list((0..<random.below(3)).map { _ in date(&random) }) }
        if random.chance(80) {
            var object: Document = ["n": .int(Int64(random.below(3)))]
            if random.chance(60) { object["d"] = date(&random) }
            row["o"] = .object(object)
        }
        if random.chance(80) {
            row["k"] = .list((0..<random.below(3)).map { _ in .object(["q": .int(Int64(random.below(3)))]) })
        }
        if random.chance(80) { row["x"] = random.pick([.int(1), .double(1.5), .string("1"), .string("a")]) }
        return Document(pairs: stored.map { ($0, row[$0] ?? .null) })
    }

    private static let terms = [
        "d", "e", "TERNARY(b == TRUE, d, e)", "year(d)", "lowercase(s)", "length(s)", "q + f", "q * 2", "abs(f)", "o.d",
        "o.n", "l.@count",
        "k.@sum.q", "p.@max", "max({d, e})", "{d, e}.@max", "{d, e}[0]", "max({{e, d}[0], d})", "TERNARY(d > e, q, f)",
        "u", "b", "k.q[0]", "k[0].q", "l[0]", "p[0]",
        "month(o.d)",
        "modulus:by:(q, 2)", "TERNARY(u == nil, 'none', s)",
    ]

    private static let conditions = [
        "d >= %D", "d == e", "d IN {%D, %D}", "u == %U", "u != %U", "u IN {%U, %U, nil}", "u > %U",
        "u <= %U", "b == TRUE", "NOT b == TRUE", "q > 0", "s ==[c] 'a'",
        "ANY l == 'a'",
        "ANY p > %D", "o.d < %D", "o.n == 1", "p.@max == d", "ANY k.q == 2", "k.@count > 1", "d != nil",
        "year(d) == 2024",
        "x == 1", "max({d, e}) > %D", "'2024-01-02' IN {d, e}", "'2024-01-02' BETWEEN {d, e}",
        "max({d, e}) == '2024-01-02'",
        "TERNARY(b == TRUE, d, e) IN {'2024-01-02', d}", "ANY {d, e} >= '2024-01-02'",
        "%U IN {u, TERNARY(q > 0, u, nil)}",
    ]

    private static func condition(_ random: inout SeededGenerator, _ formats: [String], _ schema: Schema?) throws
        -> Condition
    {
        var text = random.pick(formats)
        var arguments: [QueryValue] = []
        while let place = text.firstIndex(of: "%") {
            let next = text.index(after: place)
            arguments.append(text[next] == "D" ? .date(random.pick(days)) : .string(random.pick(ids)))
            text.replaceSubrange(place...next, with: "\u{1}")
        }
        text = text.replacing("\u{1}", with: "%@")
        let query = try Query(parsing: text, arguments: arguments, schema: schema)
        return random.chance(20) ? .not(query.condition) : query.condition
    }

    private static func pipeline(_ random: inout SeededGenerator, _ schema: Schema) throws -> Pipeline {
        var query = Query(random.chance(40) ? try condition(&random, conditions, schema) : .constant(true))
        query.schema = schema
        if random.chance(30) { query.skip = random.below(5) }
        if random.chance(40) { query.limit = random.below(20) }
        func key(_ name: String, _ random: inout SeededGenerator) -> SortKey {
            SortKey(
                FieldPath(dotted: name),
                ascending: random.chance(50),
                options: random.chance(20) ? .caseInsensitive : []
            )
        }
        func term(_ random: inout SeededGenerator) throws -> Term {
            let text = random.pick(terms)
            return try ComputedField(parsing: "t = \(text)").term
        }
        guard random.chance(55) else {
            query.order = (0..<random.below(3)).map { _ in key(random.pick(paths), &random) }
            if random.chance(30) { query.fields = [FieldPath(dotted: random.pick(paths))] }
            if random.chance(50) {
                query.computed = [ComputedField(try term(&random), as: "c")]
                if random.chance(50) { query.order.insert(key("c", &random), at: 0) }
            }
            return .rows(query)
        }
        var keys = random.chance(60) ? [GroupKey(FieldPath(dotted: random.pick(paths)))] : []
        if random.chance(40) { keys.append(GroupKey(try term(&random), as: "key")) }
        let reducers = try (0..<(1 + random.below(2))).map { number -> Reducer in
            let path = FieldPath(dotted: random.pick(paths))
            let value = random.chance(30) ? GroupKey(try term(&random), as: nil) : GroupKey(path)
            let kind = random.pick([.count, .sum, .average, .min, .max, .countDistinct] as [Reducer.Kind])
            return Reducer(kind.operation(kind == .count ? nil : value) ?? .count, as: "r\(number)")
        }
        let names = keys.map(\.name) + reducers.map(\.name)
        query.order = (0..<random.below(3)).map { _ in key(random.pick(names), &random) }
        let having = [
            "N == nil", "N != nil", "N > 1", "N == %D", "N >= %D", "N == 'a'", "N == TRUE", "N.@count == 1",
            "ANY N > %D", "year(N) == 2024", "N IN {%D, 1}", "N == M", "max({N, M}) > %D", "N BETWEEN {%D, %D}",
        ]
        let formats = having.map {
            $0.replacing("N", with: random.pick(names)).replacing("M", with: random.pick(names))
        }
        let test = random.chance(50) ? try? condition(&random, formats, nil) : nil
        return .groups(Grouping(query, by: keys, computing: reducers, having: test))
    }

    private static let stored = ["_id", "d", "e", "u", "b", "q", "f", "s", "l", "o", "p", "k", "x"]

    @Test func agree() throws {
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        var random = SeededGenerator(seed)
        var (asked, mismatches) = (0, 0)
        var refused: [String: Int] = [:]
        for encoding in DateEncoding.allCases where encoding != .native {
            let schema = Self.schema(encoding)
            let (rows, database, tables) = try Self.store(encoding, &random)
            for _ in 0..<SeededGenerator.count(40) where mismatches < 8 {
                let pipeline = try Self.pipeline(&random, schema)
                for (name, table) in tables {
                    do {
                        guard
                            try Self.assumptions(pipeline, table).allSatisfy({ assumption in
                                rows.allSatisfy { $0.fulfils(assumption) }
                            })
                        else { continue }
                        let (expected, found) = try Self.answers(pipeline, rows, database, table)
                        asked += 1
                        guard !found.isSame(as: expected) else { continue }
                        mismatches += 1
                        let first = zip(expected, found).first { ![$0].isSame(as: [$1]) }
                        let shown = [first?.0 ?? expected.last, first?.1 ?? found.last].map {
                            QueryValue.object($0 ?? [:]).json
                        }
                        Issue.record(
                            "SEED=\(seed) \(encoding) \(name)\n\(pipeline)\nmemory \(expected.count) \(shown[0])\nSQLite \(found.count) \(shown[1])"
                        )
                    } catch let error as QueryError where error.code != .store {
                        refused["\(name): \(error.message)", default: 0] += 1
                    } catch {
                        mismatches += 1
                        Issue.record("SEED=\(seed) \(encoding) \(name)\n\(pipeline)\n\(error)")
                    }
                }
            }
        }
        #expect(asked > SeededGenerator.count(100), "SEED=\(seed) refused: \(refused)")
        print("SEED=\(seed): \(asked) pipelines over declared fields, \(mismatches) differ")
        if ProcessEnvironment.number("VERBOSE") != nil {
            for (k, v) in refused.sorted(by: { $0.value > $1.value }) { print(v, k) }
        }
    }

    /// Pages by keys, one after the other, are the whole answer.
    @Test func pagesAgree() throws {
        let seed = SeededGenerator.seed(SQLAgreementTests.seed)
        var random = SeededGenerator(seed)
        let keys = ["d", "e", "u", "b", "q", "f", "s", "o.d", "o.n", "x"]
        var walked = 0
        for encoding in DateEncoding.allCases where encoding != .native {
            let (rows, database, tables) = try Self.store(encoding, &random)
            for _ in 0..<SeededGenerator.count(6) {
                let schema = Self.schema(encoding)
                var query = Query(
                    random.chance(30) ? try Self.condition(&random, Self.conditions, schema) : .constant(true)
                )
                query.schema = schema
                query.order = (0..<(1 + random.below(2))).map { _ in
                    let options: StringOptions = random.chance(20) ? .caseInsensitive : []
                    return SortKey(FieldPath(dotted: random.pick(keys)), ascending: random.chance(50), options: options)
                }
                let whole = try query.page(after: nil).results(in: rows).map { $0["_id"] }
                query.limit = 1 + random.below(9)
                for (name, table) in tables {
                    var found: [QueryValue?] = []
                    var last: PageCursor?
                    repeat {
                        let page = try query.page(after: last).results(in: database, from: table)
                        found += page.map { $0["_id"] }
                        last = try page.last.map { try query.cursor(after: $0) }
                    } while last != nil && found.count <= rows.count
                    #expect(found == whole, "SEED=\(seed) \(encoding) \(name) \(query)")
                    walked += 1
                }
            }
        }
        print("SEED=\(seed): \(walked) walks over pages")
    }

    /// Rows, and a database with a table of columns and one of documents.
    private static func store(
        _ encoding: DateEncoding,
        _ random: inout SeededGenerator
    ) throws -> (rows: [Document], database: SQLiteDatabase, tables: [(String, SQLTable)]) {
        let rows = (0..<40).map { row($0, encoding, &random) }
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            "CREATE TABLE docs (doc JSON); CREATE TABLE t (_id TEXT PRIMARY KEY, d, e, u TEXT, b BOOLEAN, q INTEGER, f REAL, s TEXT, l JSON, o JSON, p JSON, k JSON, x)"
        )
        for row in rows {
            _ = try database.rows("INSERT INTO docs VALUES (?)", [.string(JSONWriter().text(.object(row)))])
            let cells = stored.map { name -> QueryValue in
                switch row[name] ?? .null {
                case .bool(let flag): .int(flag ? 1 : 0)
                case .list, .object: .string(JSONWriter().text(row[name] ?? .null))
                case let other: other
                }
            }
            let marks = stored.map { _ in "?" }.joined(separator: ", ")
            _ = try database.rows("INSERT INTO t VALUES (\(marks))", cells)
        }
        return (
            rows, database,
            [
                ("columns", SQLTable("t", storage: .columns(json: ["l", "o", "p", "k"]), primaryKey: "_id")),
                ("documents", SQLTable("docs", storage: .document())),
            ]
        )
    }

    private static func assumptions(_ pipeline: Pipeline, _ table: SQLTable) throws -> [Assumption] {
        switch pipeline {
        case .rows(let query): try query.sql(.sqlite, from: table, now: 0).assumptions
        case .groups(let groups): try groups.sql(.sqlite, from: table, now: 0).assumptions
        }
    }

    private static func answers(
        _ pipeline: Pipeline,
        _ rows: [Document],
        _ database: SQLiteDatabase,
        _ table: SQLTable
    ) throws -> (expected: [Document], found: [Document]) {
        switch pipeline {
        case .rows(var query):
            query.order.append(SortKey("_id"))
            // A column of JSON that is NULL is an absent field.
            let answers = [try query.results(in: rows, now: 0), try query.rows(in: database, from: table, now: 0)]
                .map { $0.map { row in Document(pairs: zip(row.keys, row.values).filter { !$1.isNull }) } }
            return (answers[0], answers[1])
        case .groups(let groups):
            return (try groups.results(in: rows, now: 0), try groups.results(in: database, from: table, now: 0))
        }
    }
}
