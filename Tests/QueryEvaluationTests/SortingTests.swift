import PredicateQL
import QueryTree
import QueryValues
import Testing

/// Numbers from a fixed seed.
struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}

@Suite("Sorts and groups of random rows against a simple reference (S18, S22, S23)")
struct SortingTests {
    private static let values: [QueryValue] =
        hostileValues + [1, 1.0, 2, 2, "b", "B", "É", "abcdefgh1", "abcdefgh2", "abcdefgh", 9_007_199_254_740_992]

    private static func rows(_ count: Int, _ dice: inout Dice) -> [Document] {
        (0..<count).map { number in
            var row: Document = ["n": .int(Int64(number)), "few": .int(Int64(dice.below(4)))]
            if dice.below(8) > 0 { row["a"] = values[dice.below(values.count)] }
            row["t"] = .string(["x", "X", "é", "E", "e", ""][dice.below(6)])
            return row
        }
    }

    private static func precedes(_ left: Document, _ right: Document, _ order: [SortKey]) -> Bool {
        for key in order {
            let name = key.path.keys[0]
            let result = (left[name] ?? .null)
                .sortOrder(relativeTo: right[name] ?? .null, folding: key.options.folding)
            if result != .same { return (result == .ascending) == key.isAscending }
        }
        return false
    }

    @Test("any order, skip and limit agree with a stable sort")
    func sorts() throws {
        var dice = Dice(1)
        let orders: [[SortKey]] = [
            ["a"], ["-a"], ["few", "-a"], ["-few"], [.ascending("t", options: .caseInsensitive), "a"],
            [.descending("t", options: [.caseInsensitive, .diacriticInsensitive])],
            [.ascending("a", options: .caseInsensitive), "-n"],
        ]
        for round in 0..<12 {
            let rows = Self.rows(1 + dice.below(200), &dice)
            for order in orders {
                let sorted = rows.enumerated()
                    .sorted { left, right in
                        if Self.precedes(left.element, right.element, order) { return true }
                        return !Self.precedes(right.element, left.element, order) && left.offset < right.offset
                    }
                    .map { $0.element["n"] }
                for (skip, limit) in [(0, Int?.none), (0, 1), (3, 5), (0, 20), (150, 100), (0, 0)] {
                    let query = Query(order: order, skip: skip, limit: limit)
                    let found = try query.results(in: rows).map { $0["n"] }
                    let wanted = Array(sorted.dropFirst(skip).prefix(limit ?? .max))
                    #expect(found == wanted, "round \(round), order \(order), \(skip), \(limit ?? -1)")
                }
            }
        }
    }

    @Test("texts of a date are sorted as a page compares them, as dates (S5)")
    func pagesOfDatesAsTexts() throws {
        let texts: [QueryValue] = [
            "2024-01-01T00:00:00Z", "2024-01-01T01:00:00+02:00", "2023-12-31 23:30:00", .date(1_704_000_000_000),
            "2025-06-01", .null, "2024-01-01", "2023-12-31T23:30:00.000Z",
        ]
        let rows = texts.enumerated().map { Document(pairs: [("_id", .int(Int64($0.offset))), ("d", $0.element)]) }
        for encoding in [DateEncoding.native, .iso8601] {
            let schema = Schema([.field("_id", .int), .field("d", .date(encoding))])
            for (key, wanted): (String, [Int64]) in [
                ("d", [5, 3, 1, 2, 7, 0, 6, 4]), ("-d", [4, 6, 0, 7, 2, 1, 3, 5]),
            ] {
                let query = Query(order: [try SortKey(parsing: key)], limit: 2, schema: schema)
                var found: [QueryValue?] = []
                var cursor: PageCursor?
                for _ in 0..<5 {
                    let page = try query.page(after: cursor).results(in: rows)
                    found += page.map { $0["_id"] }
                    guard let last = page.last else { break }
                    cursor = try query.cursor(after: last)
                }
                #expect(found == wanted.map { .int($0) }, "\(key), \(encoding)")
            }
        }
    }

    @Test("the order of the rows changes no sum of ints, and only the end becomes a double (S17)")
    func sums() throws {
        let rows: [Document] = [["v": .int(.max)], ["v": 1], ["v": -1], ["v": .int(.max)], ["v": .int(.min)]]
        let grouping = Query().grouped(computing: [.sum("v"), .average("v")])
        let wanted: [Document] = [["sum_v": .int(.max - 1), "avg_v": .double(Double(Int64.max - 1) / 5)]]
        #expect(try grouping.results(in: rows) == wanted)
        #expect(try grouping.results(in: rows.reversed()) == wanted)
        #expect(try grouping.results(in: Array(rows.prefix(2)))[0]["sum_v"] == .double(9_223_372_036_854_775_808))
        #expect(
            try result(aggregate(.sum, "l"), ["l": [.int(.max), 1, -1]]) == .int(.max),
            "@sum keeps the same rule"
        )
    }

    @Test("more rows or groups than the limits allow are an error of code limit")
    func budgets() throws {
        var limits = Limits.default
        limits.sortedRows = 10
        limits.groups = 3
        let rows: [Document] = (0..<20).map { ["a": .int($0)] }
        func sorted(_ query: Query) throws -> Int {
            var run = try QueryRun(query, limits: limits)
            for row in rows where try !run.add(row) { break }
            return try run.finish().count
        }
        #expect(try sorted(Query(order: ["a"], limit: 10)) == 10)
        #expect(try code { try sorted(Query(order: ["a"])) } == .limit)
        #expect(try sorted(Query()) == 20)
        var run = try GroupRun(Query().grouped(by: "a", computing: [.count]), limits: limits)
        for row in rows.prefix(3) { try run.add(row) }
        #expect(try code { try run.add(rows[5]) } == .limit)
    }

    private func code(_ work: () throws -> some Any) throws -> QueryError.Code? {
        do {
            _ = try work()
            return nil
        } catch let error as QueryError {
            return error.code
        }
    }
}
