import PredicateQL
import Testing

@Suite("Groups (S18, S23)")
struct GroupingTests {
    private static let rows: [Document] = [
        ["s": "MA", "p": 10, "c": .object(["x": 1])], ["s": "NY", "p": 20, "c": .object(["x": 1])],
        ["s": "MA", "p": 30, "c": .object(["x": 2])], ["s": nil, "p": "x"], ["p": nil],
        ["s": "NY", "p": 5.5, "c": .object(["x": 1.0])],
    ]

    @Test("null and absent are one group, in key order, with the usual names")
    func keys() throws {
        let groups = try Query().grouped(by: "s", computing: [.count, .average("p"), .sum("p"), .min("p"), .max("p")])
            .results(in: Self.rows)
        #expect(
            groups == [
                ["s": nil, "count": 2, "avg_p": nil, "sum_p": 0, "min_p": "x", "max_p": "x"],
                ["s": "MA", "count": 2, "avg_p": 20.0, "sum_p": 40, "min_p": 10, "max_p": 30],
                ["s": "NY", "count": 2, "avg_p": 12.75, "sum_p": 25.5, "min_p": 5.5, "max_p": 20],
            ]
        )
    }

    @Test("equal numbers share a group, bools do not, lists are one value")
    func equality() throws {
        let values: [QueryValue] = [1, 1.0, true, [1], [1.0], .double(.nan), .double(.nan), "1", .double(-0.0), 0]
        let groups = try Query().grouped(by: "k", computing: [.count]).results(in: values.map { ["k": $0] })
        #expect(groups.map { $0["k"] } == [.double(.nan), .double(-0.0), 1, "1", [1], true])
        #expect(groups.map { $0["count"] } == [2, 2, 2, 1, 2, 1])
    }

    @Test("several keys and nested paths")
    func nested() throws {
        let groups = try Query().grouped(by: "c.x", "s", computing: [.count.as("n")]).results(in: Self.rows)
        #expect(groups.map { $0["n"] } == [2, 1, 2, 1])
        #expect(groups.first?.keys == ["c_x", "s", "n"])
    }

    @Test("having, order, skip and limit apply to the groups, the filter to the rows")
    func pipeline() throws {
        let query = Query(compare(field("p"), .greater, value(8)), order: ["-sum_p"], skip: 1, limit: 1)
        let groups = try query.grouped(by: "s", computing: [.sum("p")]).results(in: Self.rows)
        #expect(groups == [["s": "NY", "sum_p": 20]])
        let having = compare(field("n"), .greater, value(1)) && compare(field("s"), .notEqual, value(nil))
        let many = try Query(order: ["-s"]).grouped(by: "s", computing: [.count.as("n")], having: having)
            .results(in: Self.rows)
        #expect(many == [["s": "NY", "n": 2], ["s": "MA", "n": 2]])
    }

    @Test("without keys there is one group, even without rows")
    func one() throws {
        let grouping = Query().grouped(computing: [.count, .sum("p"), .average("p"), .min("p")])
        #expect(try grouping.results(in: [Document]()) == [["count": 0, "sum_p": 0, "avg_p": nil, "min_p": nil]])
        #expect(try Query().grouped(by: "s", computing: [.count]).results(in: [Document]()).isEmpty)
    }

    @Test("sums, averages and medians of what is declared as no number are errors")
    func kinds() throws {
        let schema = Schema([
            .field("name", .string), .field("born", .date(.native)), .field("on", .bool), .field("n", .int),
            .field("any", .any), .field("words", .list(.string)),
        ])
        for reducer: Reducer in [.sum("name"), .average("born"), .sum("on"), .sum("words")] {
            let grouping = Query(schema: schema).grouped(computing: [.count, reducer])
            let error = #expect(throws: QueryError.self) { try grouping.results(in: [Document]()) }
            #expect(error?.code == .kindMismatch && error?.path == "group.compute[1]", "\(reducer)")
            #expect(throws: QueryError.self) { try grouping.sql(from: "t") }
        }
        let message = #expect(throws: QueryError.self) {
            try Query(schema: schema).grouped(by: "on", computing: [.average("born")]).checked()
        }?.message
        #expect(message == "the field born holds a date, and only numbers are averaged")
        let sound = Query(schema: schema).grouped(computing: [.sum("n"), .sum("any"), .min("name"), .max("on")])
        #expect(throws: Never.self) { try sound.checked() }
    }

    @Test("custom reducers, encoded dates, Swift values")
    func others() throws {
        let longest = Reducer.custom("ids", initial: []) { (sofar: QueryValue, row: Document) throws(QueryError) in
            guard case .list(let ids) = sofar else { return sofar }
            return .list(ids + [row["p"] ?? .null])
        }
        #expect(try Query().grouped(by: "s", computing: [longest]).results(in: Self.rows)[1]["ids"] == [10, 30])
        let schema = Schema([.field("day", .date(.iso8601), storedAs: "d")])
        let day: QueryValue = "2001-01-01T00:16:40.000Z"
        let groups = try Query(schema: schema).grouped(by: "day", computing: [.max("day")]).results(in: [["d": day]])
        #expect(groups == [["day": day, "max_day": day]])
        #expect(throws: QueryError.self) {
            try Query(order: ["x"]).grouped(by: "s", computing: [.count]).results(in: Self.rows)
        }
    }

    /// With a schema the names of the groups are no fields of the rows, so they are given with the groups.
    @Test func groupsHaveAnOrderOfTheirOwn() throws {
        let schema = Schema([.field("state", .string), .field("n", .int)])
        let rows: [Document] = [["state": "a", "n": 1], ["state": "b", "n": 5], ["state": "a", "n": 2]]
        let query = try Query(format: "n > 0", schema: schema)
        let most = query.grouped(by: "state", computing: [.sum("n")], order: ["-sum_n"])
        #expect(try most.results(in: rows).map { $0["state"] } == ["b", "a"])
        let own = Query(order: ["-state"], schema: schema).grouped(by: "state", computing: [.sum("n")])
        #expect(try own.results(in: rows).map { $0["state"] } == ["b", "a"])
        #expect(throws: QueryError.self) {
            try query.grouped(by: "state", computing: [.count], order: ["n"]).results(in: rows)
        }
    }
}
