import FuzzChecks
import PredicateQL
import PredicateQLSQLite
import QueryChecking
import QueryEvaluation
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// `Limits.steps` and `Limits.duration` end every kind of run, and the estimate is at least the counted steps.
@Suite("Work is counted and bounded")
struct WorkTests {
    private static let rows: [Document] = (0..<8).map { number in
        ["a": .list((0..<50).map { .int($0) }), "n": .int(Int64(number)), "t": "abc"]
    }
    private static let text = rows.map { QueryValue.object($0).json }.joined(separator: "\n")
    /// A condition without a shortcut in lanes or SQL, and 2,500 elements per row.
    private static let condition = "SUBQUERY(a, $x, ANY a == $x).@count > 60 OR SUBQUERY(a, $x, $x < 60).@count > 1"

    private struct Person: Encodable, Sendable {
        var a: [Int]
        var n: Int
    }

    private static func limits(_ steps: Int) -> Limits {
        var limits = Limits.default
        limits.steps = steps
        return limits
    }

    /// Every way to run a query over rows in memory, each with its number of results.
    private static func entries(
        _ query: Query
    ) -> [(name: String, run: (Limits) throws -> Int)] {
        let people = rows.map { _ in Person(a: Array(0..<50), n: 1) }
        let groups = query.grouped(by: "t", computing: [.count, .max("n")])
        let sorted = {
            var sorted = query
            sorted.order = ["a", "-n"]
            return sorted
        }()
        let json = { (limits: Limits) in JSONRows(text, limits: limits) }
        return [
            ("matches", { try query.matches(rows[0], limits: $0) ? 1 : 0 }),
            ("matcher", { try Matcher(query, limits: $0).matches(rows[0]) ? 1 : 0 }),
            ("encoded", { try query.matches(people[0], limits: $0) ? 1 : 0 }),
            ("results", { try query.results(in: rows, limits: $0).count }),
            ("values", { try query.results(in: people, limits: $0).count }),
            ("count", { try query.count(in: rows, limits: $0) }),
            ("count of values", { try query.count(in: people, limits: $0) }),
            ("first", { try query.first(in: rows, limits: $0) == nil ? 0 : 1 }),
            ("indices", { try query.matchingIndices(in: rows, limits: $0).count }),
            (
                "run",
                { limits in
                    var run = try query.run(limits: limits)
                    for row in rows where try !run.add(row) { break }
                    return try run.finish().count
                }
            ),
            ("sorted", { try sorted.results(in: rows, limits: $0).count }),
            ("all cores", { try query.results(in: rows, now: nil, concurrently: true, each: 2, limits: $0).count }),
            ("count by all cores", { try query.count(in: rows, concurrently: true, limits: $0) }),
            (
                "cursor",
                { limits in
                    var cursor = try query.cursor(over: rows, limits: limits)
                    var count = 0
                    while try cursor.next() != nil { count += 1 }
                    return count
                }
            ),
            (
                "sorted cursor",
                { limits in
                    var cursor = try sorted.cursor(over: rows, limits: limits)
                    var count = 0
                    while try cursor.next() != nil { count += 1 }
                    return count
                }
            ),
            ("groups", { try groups.results(in: rows, limits: $0).count }),
            (
                "group run",
                { limits in
                    var run = try GroupRun(groups, limits: limits)
                    for row in rows { try run.add(row) }
                    return try run.finish().count
                }
            ),
            ("JSON", { try query.results(in: json($0)).count }),
            ("count of JSON", { try query.count(in: json($0)) }),
            ("sorted JSON", { try sorted.results(in: json($0)).count }),
            ("JSON by all cores", { try query.results(in: json($0), now: nil, concurrently: true, piece: 200).count }),
            ("groups of JSON", { try groups.results(in: json($0)).count }),
        ]
    }

    @Test("every entry point stops at its budget, and gives the whole answer with a little more")
    func entries() throws {
        for (name, run) in Self.entries(try Query(parsing: Self.condition)) {
            let whole = try run(.default)
            #expect(whole > 0, "\(name)")
            #expect(Self.code { _ = try run(Self.limits(0)) } == "tooMuchWork", "\(name)")
            // With the smallest sufficient number of steps, the answer is complete.
            var (low, high) = (0, 1 << 24)
            #expect(try run(Self.limits(high)) == whole, "\(name)")
            while high - low > 1 {
                let middle = (low + high) / 2
                if Self.code({ _ = try run(Self.limits(middle)) }) == nil { high = middle } else { low = middle }
            }
            #expect(try run(Self.limits(high)) == whole, "\(name)")
            #expect(Self.code { _ = try run(Self.limits(high - 1)) } == "tooMuchWork", "\(name)")
            // More steps than one row's elements were counted.
            #expect(high > 50 * 50, "\(name): \(high)")
            var late = Limits.default
            late.duration = .zero
            #expect(Self.code { _ = try run(late) } == "tooMuchWork", "\(name)")
            late.duration = .seconds(600)
            #expect(try run(late) == whole, "\(name)")
        }
    }

    @Test("an error in one part does not hide that the work exceeded its budget")
    func undecided() throws {
        let query = try Query(format: "n == 0 OR SUBQUERY(a, $x, ANY a == $x).@count > 0 OR n >= 0")
        #expect(Self.code { _ = try query.matches(Self.rows[1], limits: Self.limits(100)) } == "tooMuchWork")
        #expect(try query.matches(Self.rows[1], limits: Self.limits(1 << 20)))
        let error = try #require(throws: QueryError.self) { try query.matches(Self.rows[1], limits: Self.limits(100)) }
        #expect(error.hint?.isEmpty == false)
        #expect(error.message.contains("100 steps"))
    }

    @Test("lanes of structs count batches")
    func lanes() throws {
        let lanes = try QueryPlan<LaneRow>(Query(format: "n >= 0"), limits: Self.limits(10_000))
        let rows = (0..<100_000).map { LaneRow(n: $0) }
        #expect(Self.code { _ = try lanes.count(in: rows) } == "tooMuchWork")
        #expect(Self.code { _ = try lanes.results(in: rows, concurrently: true) } == "tooMuchWork")
        #expect(try lanes.count(in: Array(rows.prefix(1_000))) == 1_000)
    }

    private struct LaneRow: Queryable {
        var n: Int
        static let fields: FieldTable<LaneRow> = ["n": \.n]
    }

    @Test("SQLite is interrupted in the middle of a statement, and the connection stays usable without a handler")
    func sqlite() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute(
            """
            CREATE TABLE t (n INTEGER, s TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000)
            INSERT INTO t SELECT n, 'text ' || n FROM c;
            """
        )
        let query = try Query(format: "s CONTAINS '9' AND n + 1 > 5")
        let all = try query.rows(in: database, from: "t").count
        let split = try Query(format: "s CONTAINS '9' AND random() >= 0", order: ["n"])
        let groups = Query().grouped(by: "s", computing: [.count])
        let runs: [(String, () throws -> Int)] = [
            ("rows", { try query.rows(in: database, from: "t").count }),
            ("fetch", { try query.results(in: database, from: "t").count }),
            ("split", { try split.results(in: database, from: "t").count }),
            ("count", { try query.count(in: database, from: "t") }),
            ("exists", { try Query(format: "s == 'no'").exists(in: database, from: "t") ? 1 : 0 }),
            ("groups", { try groups.results(in: database, from: "t").count }),
            ("delete", { try Query(format: "n < 0 AND s CONTAINS 'q'").delete(in: database, from: "t") }),
        ]
        for (name, run) in runs {
            database.limits = .default
            let whole = try run()
            database.limits.steps = 5_000
            #expect(Self.code { _ = try run() } == "tooMuchWork", "\(name)")
            database.limits.steps = 1 << 30
            #expect(try run() == whole, "\(name)")
            database.limits = .default
            database.limits.duration = .zero
            #expect(Self.code { _ = try run() } == "tooMuchWork", "\(name)")
        }
        // Other statements are not counted, and no handler remains.
        #expect(try database.rows("SELECT count(*) AS n FROM t WHERE s LIKE '%9%'")[0]["n"] == .int(Int64(all)))
        database.limits = .default
        #expect(try query.rows(in: database, from: "t").count == all)
        var limits = Limits.default
        limits.steps = 5_000
        let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) AS n FROM c"
        let borrowed = try SQLiteDatabase(borrowing: database.handle)
        #expect(
            Self.code { try SQLiteMeter.run(on: borrowed.handle, limits) { try borrowed.rows(endless) } }
                == "tooMuchWork"
        )
        #expect(try SQLiteMeter.run(on: borrowed.handle, limits) { try borrowed.rows("SELECT 1 AS n").count } == 1)
        // Other errors are unchanged.
        #expect(
            Self.code { try SQLiteMeter.run(on: borrowed.handle, limits) { try borrowed.rows("SELECT") } } == "store"
        )
    }

    @Test("the steps counted for a row of 2 KB do not exceed the estimate")
    func law() throws {
        var hostile = HostileRows(seed: 7)
        var rows: [(String, Document)] = []
        while rows.count < 50 {
            let text = hostile.row()
            guard text.utf8.count <= HostileRows.bytes, case .object(let row) = try QueryValue(json: text) else {
                continue
            }
            rows.append((text, row))
        }
        var generator = ConditionGenerator(seed: 11, anyTerms: 40)
        generator.fields = ["a", "b", "c", "a.b", "b.a", "a.b.c"]
        generator.collections = ["a", "b", "a.b"]
        generator.elements = ["a", "b", "a.b"]
        let policy = QueryPolicy(fields: ["*"])
        var (passed, tried) = (0, 0)
        for _ in 0..<1_500 {
            let query = Query(generator.condition(2), limit: 10)
            let cost = query.estimatedCost
            // The work of more expensive queries is bounded by the budget itself.
            if cost > 2_000_000 { continue }
            guard let matcher = try? Matcher(query, now: 0, limits: Self.limits(cost)) else { continue }
            if policy.problems(with: query).isEmpty { passed += 1 }
            for (text, row) in rows where Self.code({ _ = try matcher.matches(row) }) == "tooMuchWork" {
                Issue.record("\(query.format) counts more than \(cost) over \(text)")
            }
            tried += 1
        }
        #expect(tried > 500)
        #expect(passed > 100)
    }

    @Test("a query that passes a policy returns listed fields only, and at most its limit of rows")
    func listedFields() throws {
        var hostile = HostileRows(seed: 3)
        let rows = try (0..<20).map { _ in try QueryValue(json: hostile.row()) }.compactMap { value in
            if case .object(let row) = value { row } else { nil }
        }
        var random = SeededGenerator(5)
        let patterns = ["a", "b", "c", "a.b", "b.a", "a.b.c", "b.*", "*", "c.*.a"]
        let paths: [FieldPath] = ["a", "b", "c", "a.b", "b.a", "a.b.c", "b.c", "c.a.a"]
        var (passed, refused) = (0, 0)
        for _ in 0..<400 {
            let listed = (0..<(1 + random.below(3))).map { _ in random.pick(patterns) }
            var policy = QueryPolicy(fields: listed)
            policy.maximumLimit = 5
            policy.clampsLimit = random.chance(50)
            var query = Query(.constant(true))
            query.limit = random.pick([nil, 0, 3, 5, 6, 1_000])
            if random.chance(50) { query.fields = (0..<(1 + random.below(2))).map { _ in random.pick(paths) } }
            if random.chance(30) { query.order = [SortKey(random.pick(paths))] }
            if random.chance(30) {
                let keys = (0..<random.below(3)).map { _ in random.pick(paths) }
                let reducers: [Reducer] = [.count, .max(random.pick(paths))]
                query.fields = nil
                query.order = []
                var grouping = Grouping(query, by: keys.map { GroupKey($0) }, computing: reducers)
                if random.chance(40) {
                    grouping.keys.append(GroupKey(Field(random.pick(paths)) + Field(random.pick(paths)), as: "sum"))
                }
                guard let asked = try? policy.checked(grouping) else {
                    refused += 1
                    continue
                }
                passed += 1
                let named = asked.readPaths
                #expect(named.allSatisfy { Self.isListed($0.keys, listed) }, "\(listed) \(named)")
                guard let groups = try? asked.results(in: rows) else { continue }
                #expect(groups.count <= 5)
            } else {
                if random.chance(30) {
                    let sum = Field(random.pick(paths)) + Field(random.pick(paths))
                    query.computed = [ComputedField(sum, as: "sum")]
                    if random.chance(50) { query.order = ["-sum"] }
                }
                guard let asked = try? policy.checked(query) else {
                    refused += 1
                    continue
                }
                passed += 1
                for case .term(.field(let path, _)) in asked.readingCondition.nodes {
                    #expect(Self.isListed(path.keys, listed), "\(listed) \(path)")
                }
                guard let found = try? asked.results(in: rows) else { continue }
                #expect(found.count <= 5)
                for row in found {
                    for leaf in Self.leaves(.object(row)) where leaf != ["sum"] {
                        #expect(Self.isListed(leaf, listed), "\(listed) \(asked.fields ?? []) gave \(leaf)")
                    }
                }
            }
        }
        #expect(passed > 100 && refused > 50, "\(passed) \(refused)")
    }

    /// True if the path or a prefix of it is listed: the test's own implementation, without limits.
    private static func isListed(_ keys: [String], _ listed: [String]) -> Bool {
        listed.contains { pattern in
            let parts = pattern.split(separator: ".").map(String.init)
            if parts.last == "*", keys.count < parts.count - 1 { return false }
            let wanted = parts.last == "*" ? parts.dropLast() : parts[...]
            return keys.count >= wanted.count && zip(wanted, keys).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    /// The paths of every value that is not a container, and of every requested empty one.
    private static func leaves(_ value: QueryValue, below path: [String] = []) -> [[String]] {
        switch value {
        case .object(let object):
            zip(object.keys, object.values).flatMap { key, value in leaves(value, below: path + [key]) }
        // Elements other than objects are skipped if a key below them is requested.
        case .list(let elements): elements.flatMap { leaves($0, below: path) }
        default: [path]
        }
    }

    private static func code(_ body: () throws -> some Any) -> String? {
        do { _ = try body() } catch { return (error as? QueryError)?.code.rawValue ?? "\(error)" }
        return nil
    }
}
