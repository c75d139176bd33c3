import PredicateQL
import QueryTree
import QueryValues
import SpecSupport
import Testing

@Suite("Groups as pipelines")
struct GroupPipelineTests {
    private static let rows: [Document] = [
        ["s": "MA", "p": 3], ["s": "MA", "p": "x"], ["s": "NY", "p": 2.5], ["p": 7], ["s": nil, "p": .double(.nan)],
        ["s": true], ["s": 1, "p": [1]], ["s": 1.0, "p": -1], ["s": "NY", "p": true],
    ]

    private func check(_ grouping: Grouping, on rows: [Document] = Self.rows, guarded: Bool = false) throws {
        let found = try MongoJudge.run(grouping.mongo(guarded: guarded).stages, on: rows)
        let expected = try grouping.results(in: rows)
        #expect(found.count == expected.count, "\(found) \(expected)")
        for (a, b) in zip(found, expected) {
            #expect(a.keys == b.keys)
            #expect(zip(a.values, b.values).allSatisfy { isSameJSON($0, $1) }, "\(a) \(b)")
        }
    }

    private static let all: [Reducer] = [.count, .sum("p"), .average("p"), .min("p"), .max("p")]

    @Test("the stages agree with the evaluator")
    func agreement() throws {
        try check(Query(order: [], skip: nil).grouped(by: "s", computing: [.count, .sum("p"), .min("p"), .max("p")]))
        try check(Query().grouped(by: "s", computing: [.average("p")], having: Condition(format: "avg_p > 0")))
        try check(Query(order: [.descending("count")], skip: 1, limit: 2).grouped(by: "s", computing: [.count]))
        try check(Query(limit: 0).grouped(by: "s", computing: [.count]))
        try check(Query(format: "p > 0").grouped(by: "s", "p", computing: [.count.as("n")]), guarded: true)
    }

    @Test("computed keys agree with the evaluator")
    func computedKeys() throws {
        let rows = Self.rows.filter { $0["p"] != .double(.nan) }
        let schema = Schema([.field("p", .double), .field("s", .string)])
        let terms = [
            "p + 1", "trunc(p)", "-p * 2", "length(s)", "TERNARY(p > 2, 'big', 'small')", "TERNARY(s == nil, p, 0)",
            "TERNARY(s == 'MA', TRUE, FALSE)", "TERNARY(p > 0, s, nil)", "noindex(s)",
        ]
        var asked = 0
        for term in terms {
            let key = try GroupKey(parsing: term + " as k")
            guard (try? Query(schema: schema).grouped(by: key, computing: []).mongo()) != nil else { continue }
            asked += 1
            for query in [Query(), Query(order: ["-k"], limit: 2)] {
                try check(query.grouped(by: key, computing: [.count, .max("p")]), on: rows)
            }
            let typed = rows.filter { row in
                [.null, .number].contains((row["p"] ?? .null).kind)
                    && [.null, .string].contains((row["s"] ?? .null).kind)
            }
            let having = try Condition(format: "count >= 1")
            try check(Query(schema: schema).grouped(by: key, "s", computing: [.count], having: having), on: typed)
            let value = GroupKey(key.term, as: nil)
            for kind in [.sum, .average, .min, .max, .countDistinct] as [Reducer.Kind] {
                let isOfNumbers = TypeScope(schema).type(of: key.term).kind == .number
                guard isOfNumbers || kind != .sum && kind != .average, let made = kind.operation(value) else {
                    continue
                }
                try check(Query(schema: schema).grouped(by: "s", computing: [Reducer(made, as: "v")]), on: typed)
                try check(Query(schema: schema).grouped(computing: [Reducer(made, as: "v")]), on: typed)
            }
        }
        #expect(asked > 6)
        let unknown = #expect(throws: QueryError.self) {
            try Query().grouped(by: GroupKey(format: "l[0]", as: "k"), computing: [.count]).mongo()
        }
        #expect(unknown?.hint?.contains("schema") == true && unknown?.path == "group.by[0]")
    }

    @Test("no keys: one group, even without rows")
    func single() throws {
        let numbers = Self.rows.filter { $0["p"] != .double(.nan) }
        try check(Query().grouped(computing: Self.all), on: numbers)
        try check(Query().grouped(computing: Self.all), on: [])
        try check(Query(format: "s == 'none'").grouped(computing: Self.all))
        try check(Query().grouped(computing: [.count], having: Condition(format: "count > 100")))
    }

    @Test("the text of a pipeline")
    func text() throws {
        let grouping = try Query(format: "p > 1", limit: 3).grouped(by: "s", computing: [.count, .sum("p")])
        let expected =
            #"{"pipeline":[{"$match":{"p":{"$gt":1}}},"#
            + #"{"$group":{"_id":{"k0":{"$ifNull":["$s",null]}},"v0":{"$sum":1},"#
            + #""v1":{"$sum":{"$cond":[{"$isNumber":"$p"},"$p",null]}}}},"#
            + #"{"$project":{"_id":0,"s":"$_id.k0","count":"$v0","sum_p":"$v1"}},{"$sort":{"s":1}},{"$limit":3}]}"#
        #expect(try grouping.mongo().json == expected)
        #expect(try grouping.mongo().assumptions == [.single("p"), .single("s")])
    }

    @Test("a query's stages agree with the evaluator")
    func stages() throws {
        let rows = Self.rows.enumerated().map { at, row in
            var row = row
            row["_id"] = .int(Int64(at))
            return row
        }
        let queries: [Query] = try [
            Query(format: "s != nil", order: [.descending("_id")], skip: 1, limit: 3), Query(limit: 0),
            Query(order: ["_id"], skip: 2), Query(), Query(format: "p > 1", order: ["_id"], skip: 0),
        ]
        for query in queries {
            let stages = try query.mongoPipeline().stages
            #expect(try MongoJudge.run(stages, on: rows) == query.results(in: rows), "\(stages)")
            #expect(throws: QueryError.self) { try query.mongoPipeline(.findOnly) }
        }
        let fields = try Query(skip: 2, fields: ["s"]).mongoPipeline().json
        #expect(fields == #"{"pipeline":[{"$skip":2},{"$project":{"s":1,"_id":0}}]}"#)
    }

    @Test("a limited sort breaks ties as the evaluator does")
    func ties() throws {
        var random = SeededGenerator(7)
        for _ in 0..<300 {
            let rows = (0..<20).map { number -> Document in
                [
                    "_id": .int(Int64(number * 7 % 20)), "a": .int(Int64(random.below(3))),
                    "b": .int(Int64(random.below(2))),
                ]
            }
            var query = Query(order: [SortKey("a", ascending: random.chance(50))])
            if random.chance(40) { query.order.append(SortKey("b", ascending: random.chance(50))) }
            if random.chance(60) { query.skip = random.below(15) }
            query.limit = 1 + random.below(15)
            // A schema without the key, one that names another key, and no schema.
            let other = Schema([.field("a", .int), .field("b", .int)], primaryKey: random.chance(50) ? ["_id"] : [])
            query.schema = random.chance(50) ? other : nil
            #expect(try MongoJudge.run(query.mongoPipeline().stages, on: rows) == query.results(in: rows), "\(query)")
        }
    }

    @Test("what cannot be grouped")
    func refusals() throws {
        #expect(throws: QueryError.self) { try Query().grouped(by: "s", computing: [.count]).mongo(.kinvey) }
        #expect(throws: QueryError.self) { try Query().grouped(by: "s", computing: [.count]).mongo(.findOnly) }
        #expect(throws: QueryError.self) { try Query().grouped(by: "s", computing: [.count.as("$n")]).mongo() }
    }
}
