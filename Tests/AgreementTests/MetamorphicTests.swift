import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import SpecSupport
import Testing

/// Laws between answers that need no expected answer: random conditions on hostile rows, in memory and in SQLite.
@Suite struct MetamorphicTests {
    private let rows: [Document]
    private let database: SQLiteDatabase

    init() throws {
        var random = SeededGenerator(7_411)
        rows = (0..<70).map { index in
            var row = Hostile.row(&random)
            row["_id"] = .int(Int64(index))
            row["w"] = random.pick([.int(1), .int(-7), .int(40), .null])
            row["g"] = random.pick([.string("a"), .string("b"), .int(1), .double(1), .bool(true), .null])
            return row
        }
        database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE docs (_id INTEGER PRIMARY KEY, doc TEXT)")
        for (index, row) in rows.enumerated() {
            let text = JSONWriter().text(.object(row))
            _ = try database.rows("INSERT INTO docs VALUES (?, ?)", [.int(Int64(index)), .string(text)])
        }
    }

    private func inMemory(_ query: Query) throws -> [QueryValue?] {
        try query.results(in: rows, now: 0).map { $0["_id"] }
    }

    /// Nil if SQLite does not support it.
    private func inSQLite(_ query: Query) throws -> [QueryValue?]? {
        do throws(QueryError) {
            return try query.rows(in: database, from: SQLTable("docs", storage: .document()), now: 0).map { $0["_id"] }
        } catch {
            guard error.code == .unsupported || error.code == .limit else { throw error }
            return nil
        }
    }

    private func answers(_ query: Query) throws -> [[QueryValue?]] {
        try [inMemory(query)] + [inSQLite(query)].compactMap(\.self)
    }

    private func ids(_ answer: [QueryValue?]) -> Set<Int64> {
        Set(answer.compactMap { if case .int(let id)? = $0 { id } else { nil } })
    }

    @Test func logicIsLogicOfSets() throws {
        var generator = ConditionGenerator(seed: 20_261_122)
        let all = Set(rows.indices.map(Int64.init))
        var asked = 0
        let count = SeededGenerator.count(20)
        for _ in 0..<count {
            let (p, q) = (generator.condition(2), generator.condition(2))
            let asking = [p, q, .not(p), .and([p, q]), .or([p, q]), .not(.and([p, q])), .or([.not(p), .not(q)])]
            let found: [[Set<Int64>]]
            do {
                found = try asking.map { try answers(Query($0)).map(ids) }
            } catch let error as QueryError where error.code == .unsupported || error.code == .evaluation {
                continue
            }
            for source in 0..<(found.map(\.count).min() ?? 0) {
                let (hasP, hasQ) = (found[0][source], found[1][source])
                let text = "\(source): \(p.format) | \(q.format)"
                #expect(found[2][source] == all.subtracting(hasP), "NOT: \(text)")
                #expect(found[3][source] == hasP.intersection(hasQ), "AND: \(text)")
                #expect(found[4][source] == hasP.union(hasQ), "OR: \(text)")
                #expect(found[5][source] == found[6][source], "De Morgan: \(text)")
                asked += 1
            }
        }
        #expect(asked > count, "\(asked)")
    }

    @Test func ordersAreStableTotalAndReversible() throws {
        let orders: [[SortKey]] = [
            ["x"], ["y"], ["s", "n"], ["g"], ["l"], ["o.a"], ["w", "x"], [.ascending("s", options: [.caseInsensitive])],
        ]
        for order in orders {
            let sorted = try inMemory(Query(order: order))
            #expect(ids(sorted).count == rows.count)
            // Tied rows keep their positions: sorting by the order and then by position changes nothing (S22).
            #expect(try inMemory(Query(order: order + ["_id"])) == sorted, "\(order)")
            #expect(try inSQLite(Query(order: order + ["_id"])) ?? sorted == sorted, "\(order)")
            let backwards = (order + ["_id"]).map { SortKey($0.path, ascending: !$0.isAscending, options: $0.options) }
            #expect(try Array(inMemory(Query(order: backwards)).reversed()) == sorted, "\(order)")
            // Sorting sorted rows changes nothing.
            let byOrder = try Query(order: order).results(in: rows)
            #expect(try Query(order: order).results(in: byOrder) == byOrder, "\(order)")
        }
    }

    @Test func pagesMakeTheWhole() throws {
        let conditions = try ["TRUEPREDICATE", "w > 0", "x == nil OR s CONTAINS 'a'", "g IN {'a', 1}"].map {
            try Condition(format: $0)
        }
        for condition in conditions {
            for order in [["x", "_id"], ["-s", "_id"], ["_id"]] as [[SortKey]] {
                for whole in try answers(Query(condition, order: order)) {
                    for size in [3, 64, 1_000] {
                        var joined: [[QueryValue?]] = [[], []]
                        for start in stride(from: 0, through: rows.count, by: size) {
                            let page = try answers(Query(condition, order: order, skip: start, limit: size))
                            for (source, part) in page.enumerated() {
                                #expect(part.count <= size)
                                joined[source] += part
                            }
                        }
                        #expect(joined[0] == whole && joined[1] == whole, "\(condition.format) \(order) by \(size)")
                    }
                }
            }
        }
    }

    @Test func groupsAddUpToTheWhole() throws {
        let reducers: [Reducer] = [.count, .sum("w"), .min("w"), .max("w")]
        for format in ["TRUEPREDICATE", "w > 0", "x != nil", "FALSEPREDICATE"] {
            let query = Query(try Condition(parsing: format))
            for keys in [["g"], ["s"], ["g", "w"], ["x"]] as [[FieldPath]] {
                let parts = Grouping(query, by: keys.map { GroupKey($0) }, computing: reducers)
                let total = Grouping(query, by: [], computing: reducers)
                let sources = try [
                    (parts.results(in: rows), total.results(in: rows)),
                    (
                        parts.results(in: database, from: SQLTable("docs", storage: .document())),
                        total.results(in: database, from: SQLTable("docs", storage: .document()))
                    ),
                ]
                for (groups, whole) in sources {
                    let one = whole.first ?? ["count": 0, "sum_w": 0]
                    #expect(groups.reduce(0) { $0 + int($1["count"]) } == int(one["count"]), "\(format) \(keys)")
                    #expect(groups.reduce(0) { $0 + int($1["sum_w"]) } == int(one["sum_w"]), "\(format) \(keys)")
                    #expect(
                        groups.compactMap { number($0["min_w"]) }.min() == number(one["min_w"]),
                        "\(format) \(keys)"
                    )
                    #expect(
                        groups.compactMap { number($0["max_w"]) }.max() == number(one["max_w"]),
                        "\(format) \(keys)"
                    )
                }
                #expect(try query.count(in: rows) == int(sources[0].1.first?["count"] ?? 0), "\(format)")
            }
        }
    }

    private func number(_ value: QueryValue?) -> Int64? {
        if case .int(let number)? = value { number } else { nil }
    }

    private func int(_ value: QueryValue?) -> Int64 { number(value) ?? 0 }
}
