import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Undeclared columns with lists and objects as JSON text, broken JSON, plain texts, numbers, bytes and nil.
@Suite(.serialized) struct TextColumnTests {
    private static let names = ["x", "y", "n", "m", "s", "t", "l", "o", "k"]
    private static let table =
        "CREATE TABLE docs (id INTEGER PRIMARY KEY, x, y, n, m NUMERIC, s TEXT, t, l TEXT, o TEXT, k TEXT)"

    /// Texts that are not JSON, and JSON that is not a list.
    private static let texts: [QueryValue] = [
        .string("[1,"), .string("[a]"), .string("plain"), .string("\"a\""), .string("5"), .string(" [\"a\", 5]"),
        .string("null"), .string("[]"), .string("[[1],[2,[3]]]"), .string("{\"a\":[1,\"a\"]}"), .string("[null]"),
        .int(5), .double(0.1), .null, .data([0x5B, 0x31, 0x5D]), .string("[true,false,1]"),
    ]

    // MARK: Random

    /// Every construct over such columns: SQLite finds what the evaluator finds over the rows with their texts parsed.
    @Test func constructsAgree() throws {
        let seed = SeededGenerator.seed(20_261_122)
        try agree(ConditionGenerator(seed: seed), seed, least: 3)
        try agree(ConditionGenerator(seed: seed, anyTerms: 50), seed, least: 20)
    }

    private func agree(_ conditions: ConditionGenerator, _ seed: UInt64, least: Int) throws {
        var generator = conditions
        var random = SeededGenerator(seed)
        let database = try SQLiteDatabase.inMemory()
        let stored = try Self.fill(database, (0..<40).map { _ in Self.row(&random) })
        let rows = stored.map(Self.read)
        let count = SeededGenerator.count(110)
        var (asked, pairs, rests, mismatches) = (0, 0, 0, 0)
        var refused: [String: Int] = [:]
        for _ in 0..<count where mismatches < 8 {
            let percent = generator.anyTerms
            guard let condition = percent > 0 ? generator.parsed(anyTerms: percent) : generator.condition() else {
                continue
            }
            let query = Query(condition)
            do {
                let statement = try query.sql(.sqlite, from: "docs", now: 0)
                let calculations = condition.calculations
                func isDoubtful(_ row: Document) -> Bool {
                    statement.assumptions.contains { !row.fulfils($0) } || row.givesNaN(calculations)
                }
                let looksIn = condition.asksForMembership
                let answers = try query.answers(over: rows) { row in
                    isDoubtful(row) || statement.assumptions.contains { !row.isRead(by: $0, looksIn) }
                }
                let found = Set(try Fixture.found(query, .columns, database))
                asked += 1
                pairs += rows.count - answers.doubtful.count
                if let row = found.symmetricDifference(answers.expected).subtracting(answers.doubtful).min() {
                    mismatches += 1
                    let json = JSONWriter().text(.object(rows[row]))
                    let sql = "\(statement.where.prefix(3_000))\n\(statement.whereBindings)"
                    Issue.record("SEED=\(seed), SQLite \(found.contains(row)): \(json)\n\(query.format)\n\(sql)")
                    continue
                }
                // The memory part of a split reads the columns like the statement.
                let never = try Query(format: "random() < 0").condition
                let whole = Query(.or([condition, never]))
                guard let left = try? whole.results(in: database, from: "docs", now: 0) else { continue }
                let inMemory = Set(
                    left.compactMap { row in
                        if case .int(let id)? = row["id"] { Int(id) - 1 } else { nil }
                    }
                )
                rests += 1
                #expect(left.allSatisfy { stored.contains($0) }, "rows are shown as they stand")
                if let row = found.symmetricDifference(inMemory).first(where: { !isDoubtful(rows[$0]) }) {
                    mismatches += 1
                    let json = JSONWriter().text(.object(stored[row]))
                    let sql = statement.where.prefix(3_000)
                    Issue.record("SEED=\(seed), rest \(inMemory.contains(row)): \(json)\n\(query.format)\n\(sql)")
                }
            } catch let error as QueryError where error.code == .unsupported || error.code == .limit {
                refused[error.message, default: 0] += 1
            } catch {
                mismatches += 1
                Issue.record("SEED=\(seed)\n\(query.format)\n\(error)")
            }
        }
        #expect(asked > count / least, "SEED=\(seed) refused: \(refused)")
        #expect(pairs > asked * 10 && rests > asked / 2)
        print("SEED=\(seed), text columns: \(pairs) pairs of \(asked) queries, \(rests) rests, \(mismatches) differ")
        if ProcessEnvironment.number("VERBOSE") != nil { print(refused) }
    }

    /// A column compared with lists, by itself or among other values, is read as a list by the statement and in memory.
    @Test func columnsBesideLists() throws {
        let database = try SQLiteDatabase.inMemory()
        let texts = ["[]", "[\"a\"]", " [1]", "a", "{}", "[1,", "[null]"]
        var rows = texts.map { Document(pairs: [("x", .string($0)), ("y", .string("[\"a\"]")), ("n", .int(1))]) }
        rows += [
            Document(pairs: [("x", .int(10)), ("y", .string("a")), ("l", .string("5"))]),
            Document(pairs: [("y", .string("[]"))]),
        ]
        let stored = try Self.fill(database, rows)
        let never = try Query(format: "random() < 0").condition
        for format in [
            "x IN[cd] {10, {}, 'A'}", "NOT x IN {10, {}, 'a'}", "{10, {}, nil} CONTAINS x", "x IN {nil, {'a'}}",
            "{'a'} IN {x, 2}", "{x, {1}} CONTAINS {}", "{'a'} IN ({x} UNION {2})", "x IN ({'a'} UNION {{}, {1}})",
            "x IN {TERNARY(n == 1, {}, {1}), 'a'}", "TERNARY(n == 1, {}, {1}) == x",
            "TERNARY(n == 1, {nil}.b, y.@unionOfArrays.b) == x",
            "l IN {5, {1}}", "m IN {'5', {1}}", "l IN {'5', {}}", "TERNARY(n == 1, x, y)[0] == 'a'",
            "TERNARY(n == 1, x, y)[SIZE] == 0", "TERNARY(n == 1, x, y).k == nil",
            "ANY TERNARY(n == 1, x, y) == 'a'", "TERNARY(n == 1, x, y) == {}",
        ] {
            let query = try Query(parsing: format)
            let expected = try query.results(in: stored.map(Self.read)).map { $0["id"] }
            for asked in [query, Query(.or([query.condition, never]))] {
                let found = try asked.results(in: database, from: "docs").map { $0["id"] }
                #expect(found == expected, "\(asked.format)")
            }
        }
    }

    /// A place in a text is read as the list or the object that it is.
    @Test func placesInTexts() throws {
        let database = try SQLiteDatabase.inMemory()
        let texts = ["[16.4, 48.2]", "[0, 0]", "{\"type\": \"Point\", \"coordinates\": [16.4, 48.2]}", "[", "Vienna"]
        let rows = texts.map { Document(pairs: [("x", .string($0)), ("l", .string($0))]) }
        let stored = try Self.fill(database, rows + [[:]])
        let never = try Query(format: "random() < 0").condition
        for name in ["x", "l"] {
            let circle = Field(name).isWithin(.circle(longitude: 16.3, latitude: 48.2, radius: 50_000))
            let near = Field.distance(to: Field(name), from: Field(.value([16.3, 48.2], .none))) < 50_000
            for condition in [circle, near, !circle] {
                let expected = try Query(condition).results(in: stored.map(Self.read)).map { $0["id"] }
                #expect(!expected.isEmpty && expected.count < 6)
                for schema in [nil, try database.schema(ofTable: "docs")] {
                    for asked in [Query(condition, schema: schema), Query(condition || never, schema: schema)] {
                        let found = try asked.results(in: database, from: "docs").map { $0["id"] }
                        #expect(found == expected, "\(asked.format)")
                    }
                }
                let assumptions = try Query(condition).sql(.sqlite, from: "docs").assumptions
                #expect(assumptions.contains(.list(name)), "\(assumptions)")
            }
        }
    }

    private static func row(_ random: inout SeededGenerator) -> Document {
        var row = Hostile.row(&random)
        for name in names {
            if random.chance(12) { row[name] = random.pick(texts) }
            // A column stores a bool as a number.
            if case .bool? = row[name] { row[name] = .data([0x61, 0x00]) }
        }
        return row
    }

    /// The rows as the columns store them: affinity turns `10.0` into 10.
    private static func fill(_ database: SQLiteDatabase, _ rows: [Document]) throws -> [Document] {
        try database.execute(table)
        for (position, row) in rows.enumerated() {
            let values = names.map { name -> QueryValue in
                switch row[name] {
                case .list?, .object?: .string(JSONWriter().text(row[name] ?? .null))
                case let value: value ?? .null
                }
            }
            let marks = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
            _ = try database.rows("INSERT INTO docs VALUES (\(marks))", [.int(Int64(position + 1))] + values)
        }
        return try database.rows("SELECT * FROM docs ORDER BY id")
    }

    /// A row with its texts parsed as lists and objects.
    private static func read(_ stored: Document) -> Document {
        var row = stored
        for name in names {
            guard case .string(let text)? = stored[name], let value = try? QueryValue(json: text, path: ""),
                value.kind == .list || value.kind == .object
            else { continue }
            row[name] = value
        }
        return row
    }
}

extension Document {
    /// Whether the two readings of a column are equivalent; they are not for a list or an object that is read as a
    /// text, or for an object that CONTAINS searches for a text.
    fileprivate func isRead(by assumption: Assumption, _ looksIn: Bool) -> Bool {
        switch assumption {
        case .single(let path), .kind(let path, _), .date(let path, _):
            guard let value = self[path] else { return true }
            return value.kind != .list && value.kind != .object
        case .json(let path): return !looksIn || self[path]?.kind != .object
        case .list, .objects: return true
        }
    }
}

extension Condition {
    /// Whether the condition searches a value for another.
    fileprivate var asksForMembership: Bool {
        nodes.contains { node in
            guard case .condition(.comparison(let comparison)) = node else { return false }
            return comparison.operator == .in || comparison.operator == .contains
        }
    }
}
