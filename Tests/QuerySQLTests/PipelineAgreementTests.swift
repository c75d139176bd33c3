import PredicateQL
import PredicateQLSQLite
import QuerySyntax
import SpecSupport
import Testing

/// Random orders, pages, fields and groups over hostile documents and columns: SQLite gives what the evaluator gives,
/// row by row in its order.
///
/// `AGREEMENT=10000` asks so many of a fixed seed and of a fresh one, which is printed; `SEED=n` asks one seed.
@Suite(.serialized) struct PipelineAgreementTests {
    @Test(arguments: [true, false])
    func agree(isFlat: Bool) throws {
        let count = ProcessEnvironment.number("AGREEMENT") ?? 400
        let given = ProcessEnvironment.number("SEED").map(UInt64.init)
        let seeds = given.map { [$0] } ?? [SQLAgreementTests.seed, UInt64.random(in: 0..<1 << 32)]
        for seed in seeds {
            var pipelines = Pipelines(seed: seed, isFlat: isFlat)
            var (asked, results, mismatches) = (0, 0, 0)
            var refused: [String: Int] = [:]
            for _ in 0..<count where mismatches < 6 {
                let pipeline = pipelines.next()
                do {
                    let (expected, found) = try pipelines.answers(pipeline)
                    asked += 1
                    results += expected.count
                    guard !found.isSame(as: expected) else { continue }
                    mismatches += 1
                    let shown = [expected, found].map { rows in rows.map { QueryValue.object($0).json } }
                    Issue.record("SEED=\(seed)\n\(pipeline)\nevaluator \(shown[0])\nSQLite    \(shown[1])")
                } catch let error as QueryError where error.code != .store {
                    refused[error.message, default: 0] += 1
                } catch {
                    mismatches += 1
                    Issue.record("SEED=\(seed)\n\(pipeline)\n\(error)")
                }
            }
            #expect(asked > count / 3, "SEED=\(seed) refused: \(refused)")
            let name = isFlat ? "columns" : "documents"
            print("SEED=\(seed), \(name): \(results) results of \(asked) pipelines, \(mismatches) differ")
            if ProcessEnvironment.number("VERBOSE") != nil { print(refused) }
        }
    }
}

/// What is asked: rows, or groups of them.
private enum Pipeline: CustomStringConvertible {
    case rows(Query)
    case groups(Grouping)

    var description: String {
        switch self {
        case .rows(let query): "\(query.condition.format)\n\(Self.tail(query))"
        case .groups(let groups):
            """
            \(groups.query.condition.format)
            by \(groups.keys.map(\.dotted)), \(groups.reducers.map(\.operation)), having \(groups.having?.format ?? "-")
            \(Self.tail(groups.query))
            """
        }
    }

    private static func tail(_ query: Query) -> String {
        let order = query.order.map { "\($0.isAscending ? "" : "-")\($0.path.dotted)[\($0.options.text)]" }
        return "order \(order), skip \(query.skip ?? -1), limit \(query.limit ?? -1), fields "
            + "\(query.fields?.map(\.dotted) ?? ["-"])"
    }
}

/// Pipelines over rows of one kind, and both answers to each.
private struct Pipelines {
    private let isFlat: Bool
    private var random: SeededGenerator
    private var conditions: ConditionGenerator
    private let rows: [Document]
    private let paths: [String]

    init(seed: UInt64, isFlat: Bool) {
        self.isFlat = isFlat
        random = SeededGenerator(seed)
        conditions = ConditionGenerator(seed: seed, isFlat: isFlat)
        var rows: [Document] = []
        for number in 0..<50 {
            var row = isFlat ? Hostile.flatRow(&random) : Hostile.row(&random)
            row["_id"] = .int(Int64(number))
            rows.append(row)
        }
        self.rows = rows
        let nested = ["o", "o.a", "o.b", "l", "k", "k.a", "k.a.b", "x.a", "missing", "missing.a"]
        paths = ["x", "y", "n", "m", "s", "t"] + (isFlat ? [] : nested)
    }

    mutating func next() -> Pipeline {
        var query = Query(random.chance(30) ? conditions.condition() : .constant(true))
        if random.chance(30) { query.skip = random.pick([0, 1, 3, 20, 100]) }
        if random.chance(40) { query.limit = random.pick([0, 1, 2, 7, 30, 100]) }
        guard random.chance(45) else {
            query.order = (0..<random.below(4)).map { _ in key(FieldPath(dotted: random.pick(paths))) }
            if random.chance(35) { query.fields = distinctPaths(1 + random.below(3)) }
            return .rows(query)
        }
        let keys = distinctPaths(random.below(3))
        let reducers = self.reducers()
        let names = keys.map { $0.keys.joined(separator: "_") } + reducers.map(\.name)
        query.order = (0..<random.below(3)).map { _ in key(FieldPath(keys: [random.pick(names)])) }
        return .groups(
            Grouping(query, by: keys, computing: reducers, having: random.chance(40) ? having(names) : nil)
        )
    }

    private mutating func key(_ path: FieldPath) -> SortKey {
        let options: StringOptions = random.pick([[], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]])
        return SortKey(path, ascending: random.chance(50), options: options)
    }

    private mutating func distinctPaths(_ count: Int) -> [FieldPath] {
        var found: [String] = []
        for _ in 0..<count {
            let path = random.pick(paths)
            // A field and what lies in it cannot both be given.
            if !found.contains(where: { $0.hasPrefix(path) || path.hasPrefix($0) }) { found.append(path) }
        }
        return found.map { FieldPath(dotted: $0) }
    }

    private mutating func reducers() -> [Reducer] {
        (0..<(1 + random.below(3))).map { number in
            let path = FieldPath(dotted: random.pick(paths))
            let reducer: Reducer = random.pick([.count, .sum(path), .average(path), .min(path), .max(path)])
            return reducer.as("r\(number)")
        }
    }

    private mutating func having(_ names: [String]) -> Condition {
        let field = Term.field(FieldPath(keys: [random.pick(names)]), .none)
        let value = random.pick([Hostile.scalar(&random), .int(1), .int(2)])
        let asked = Comparison(
            field,
            random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
            .constant(value),
            options: random.chance(20) ? .caseInsensitive : []
        )
        return random.chance(20) ? .not(.comparison(asked)) : .comparison(asked)
    }

    /// What the evaluator gives and what SQLite gives, of the rows that are as the translation assumes.
    func answers(_ pipeline: Pipeline) throws -> (expected: [Document], found: [Document]) {
        let database = try SQLiteDatabase.inMemory()
        switch pipeline {
        case .rows(let query):
            let statement = try query.sql(.sqlite, from: "docs", storage: storage, now: 0)
            let kept = try fill(database, query.condition, statement.assumptions)
            var tied = query
            // A store's page ends its order in the primary key, in the last key's direction (S22).
            if query.skip != nil || query.limit != nil {
                tied.order.append(SortKey("_id", ascending: query.order.last?.isAscending ?? true))
            }
            let found = try query.rows(on: database, table: "docs", storage: storage, now: 0)
            return (try tied.results(in: kept, now: 0), found)
        case .groups(let groups):
            let statement = try groups.sql(.sqlite, from: "docs", storage: storage, now: 0)
            let kept = try fill(database, groups.query.condition, statement.assumptions)
            let found = try groups.rows(on: database, table: "docs", storage: storage, now: 0)
            return (try groups.results(in: kept, now: 0), found)
        }
    }

    private var storage: SQLStorage { isFlat ? .columns : .document() }

    private func fill(
        _ database: SQLiteDatabase,
        _ condition: Condition,
        _ assumptions: [Assumption]
    ) throws -> [Document] {
        let calculations = condition.calculations
        let kept = rows.filter { row in
            assumptions.allSatisfy { row.fulfils($0) } && !row.givesNaN(calculations)
                && (try? Query(condition).matches(row)) != nil
        }
        guard isFlat else {
            try Fixture.makeDocuments(kept, in: database)
            return kept
        }
        let columns = Fixture.columns + ["_id"]
        try database.execute("CREATE TABLE docs (x, y, n, m NUMERIC, s TEXT, t, _id INTEGER)")
        for row in kept {
            _ = try database.rows("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?)", columns.map { row[$0] ?? .null })
        }
        return try database.rows("SELECT * FROM docs ORDER BY rowid")
    }
}

extension [Document] {
    /// The same rows by meaning: a group of 1 and 1.0 may show either.
    fileprivate func isSame(as other: [Document]) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { a, b in
                a.keys == b.keys && zip(a.values, b.values).allSatisfy { $0.isEqual(to: $1) || $0.isNaN && $1.isNaN }
            }
    }
}
