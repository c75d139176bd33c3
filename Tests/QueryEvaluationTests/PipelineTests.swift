import PredicateQL
import Testing

@Suite("Sort, skip, limit, fields (S21, S22)")
struct PipelineTests {
    private static let rows: [Document] = [
        ["_id": 1, "n": "b", "p": 3, "o": .object(["x": 1, "y": 2])], ["_id": 2, "n": "A", "p": 1],
        ["_id": 3, "n": "a", "p": nil], ["_id": 4, "n": "B", "p": 2], ["_id": 5, "p": 1.0],
    ]

    private func ids(_ query: Query) throws -> [QueryValue?] {
        try query.results(in: Self.rows).map { $0["_id"] }
    }

    @Test("order, nil first, stable (S22)")
    func order() throws {
        #expect(try ids(Query(order: ["p"])) == [3, 2, 5, 4, 1])
        #expect(try ids(Query(order: ["-p"])) == [1, 4, 2, 5, 3])
        #expect(try ids(Query(order: ["p", "n"])) == [3, 5, 2, 4, 1])
        #expect(try ids(Query(order: ["n"])) == [5, 2, 4, 3, 1])
        #expect(try ids(Query(order: [.ascending("n", options: .caseInsensitive)])) == [5, 2, 3, 1, 4])
        #expect(try ids(Query(order: ["p"], skip: 1, limit: 2)) == [2, 5])
        #expect(try ids(Query(limit: 0)) == [])
        #expect(try ids(Query(order: ["p"], limit: 0)) == [])
        #expect(try ids(Query(skip: 9)) == [])
        #expect(try ids(Query(order: ["p"], skip: .max, limit: .max)) == [])
        #expect(throws: QueryError.self) { try ids(Query(skip: -1)) }
    }

    @Test("the order of kinds is total and stable over hostile values (S22)")
    func total() throws {
        let rows = hostileValues.enumerated().map { Document(pairs: [("v", $1), ("i", .int(Int64($0)))]) }
        let sorted = try Query(order: ["v"]).results(in: rows)
        let ranks = sorted.map { $0["v"]?.kind }
        let order: [Kind] = [.null, .number, .string, .object, .list, .data, .bool, .date]
        #expect(ranks == order.flatMap { kind in ranks.filter { $0 == kind } })
        #expect(try Query(order: ["v"]).results(in: sorted) == sorted)
        #expect(try Query(order: ["v", "i"]).results(in: rows.reversed()) == sorted)
        #expect(try Query(order: ["-v"]).results(in: rows).map { $0["v"]?.kind } == ranks.reversed())
    }

    @Test("pages concatenate to the whole; the heap agrees with the full sort (S21)")
    func pages() throws {
        var random = RandomNumbers(seed: 7)
        let rows = (0..<300).map { Document(pairs: [("a", .int(random.next(below: 5))), ("i", .int(Int64($0)))]) }
        for order: [SortKey] in [[], ["a"], ["-a"]] {
            let whole = try Query(order: order).results(in: rows)
            for size in [1, 7, 100, 301] {
                var pages: [Document] = []
                for skip in stride(from: 0, to: 300, by: size) {
                    pages += try Query(order: order, skip: skip, limit: size).results(in: rows)
                }
                #expect(pages == whole)
            }
            #expect(try Query(order: order, skip: 290, limit: 50).count(in: rows) == 10)
        }
    }

    @Test("fields nest as paths, keep document order, and omit absent values (S21)")
    func fields() throws {
        let row: Document = [
            "a": 1, "o": .object(["x": 1, "y": 2]), "l": [.object(["k": 1, "z": 2]), 5, .object(["z": 3])], "n": nil,
            "_id": 1,
        ]
        let table: [([FieldPath], Document)] = [
            (["n", "a"], ["a": 1, "n": nil]), (["o.x"], ["o": .object(["x": 1])]), (["o.z", "a"], ["a": 1]),
            (["l.k"], ["l": [.object(["k": 1]), .object([:])]]), (["o", "o.x"], ["o": .object(["x": 1, "y": 2])]),
            (["_id"], ["_id": 1]), (["a.b"], [:]), ([], [:]),
        ]
        for (fields, expected) in table {
            #expect(try Query(fields: fields).results(in: [row]) == [expected], "\(fields.map(\.dotted))")
        }
    }

    @Test("a schema maps order and fields; encoded dates sort as dates; results keep stored names")
    func schema() throws {
        let schema = Schema([
            .field("name", .string, storedAs: "n"), .field("when", .date(.epochSeconds), storedAs: "w"),
            .field("tags", .list(.object(Schema([.field("key", .string, storedAs: "k")])))),
        ])
        let rows: [Document] = [
            ["n": "x", "w": 20], ["n": "y", "w": 3.5], ["n": "z", "tags": [.object(["k": "p"])]],
        ]
        let query = Query(order: ["-when"], fields: ["name", "tags.key"], schema: schema)
        #expect(try query.results(in: rows) == [["n": "x"], ["n": "y"], ["n": "z", "tags": [.object(["k": "p"])]]])
        let early = compare(field("when"), .less, value(.date(4_000)))
        #expect(try Query(early, schema: schema).results(in: rows) == [rows[1]])
        #expect(try holds(any(field("tags.key"), .equal, value("p")), rows[2], schema: schema))
        #expect(try holds(compare(aggregate(.count, "tags"), .equal, value(1)), rows[2], schema: schema))
        #expect(throws: QueryError.self) { try Query(order: ["nope"], schema: schema).results(in: rows) }
    }

    @Test("a path has no operator: what one computes is named")
    func operators() throws {
        for query in [Query(order: ["-o.@max.x"]), Query(fields: ["_id", "o.@count"])] {
            let error = #expect(throws: QueryError.self, "\(query)") { try ids(query) }
            #expect(error?.code == .pipeline && error?.hint?.contains("ComputedField(format:") == true)
            #expect(error?.path == (query.order.isEmpty ? "fields[1]" : "order[0]"))
            #expect(throws: QueryError.self) { try query.sql(.sqlite, from: "t") }
            #expect(throws: QueryError.self) { try query.mongo(.mongoDB) }
        }
        for grouping in [
            Query().grouped(by: "o.@count", computing: [.count]),
            Query().grouped(by: "n", computing: [.sum("o.@sum.x")]),
        ] {
            let error = #expect(throws: QueryError.self) { try grouping.results(in: Self.rows) }
            #expect(error?.code == .pipeline && error?.path?.hasPrefix("group.") == true)
        }
        let named = try Query(order: ["-most", "_id"], computed: [ComputedField(format: "n.@count", as: "most")])
        #expect(try ids(named).count == 5)
        // Other keys with the sign are keys.
        #expect(try Query(order: ["-@type"]).results(in: [["@type": 1], ["@type": 2]]).first == ["@type": 2])
    }

    @Test("a run stops when it has enough, and returns rows as they come")
    func run() throws {
        var run = try Query(limit: 2).run()
        #expect(try run.add(Self.rows[0]))
        #expect(try run.takeReady().count == 1)
        #expect(try !run.add(Self.rows[1]))
        #expect(try !run.add(Self.rows[2]))
        #expect(try run.finish().map { $0["_id"] } == [2])
    }
}

/// A small generator with a seed, so that a failure can be reproduced.
struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next(below bound: Int64) -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64(state >> 33) % bound
    }
}
