import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues
import SpecSupport
import Testing

@Suite("A service and memory share a query")
struct MongoSplitTests {
    @Test("both parts give the whole answer", arguments: [("findOnly", true), ("findOnly", false), ("kinvey", false)])
    func halvesAgree(name: String, guarded: Bool) throws {
        let profile = name == "kinvey" ? MongoProfile.kinvey : .findOnly
        var halves = 0
        var rests = 0
        var faults: [String] = []
        for seed in 0..<UInt64(SeededGenerator.count(200)) {
            var generator = Generator(seed: seed)
            let query = Query(generator.condition())
            // A query can be split unless it contains something that no backend supports.
            guard let split = try? query.split(for: profile, guarded: guarded, now: 0) else {
                #expect(throws: QueryError.self, "\(seed)") { try query.condition.checkSupportedEverywhere() }
                continue
            }
            let mongo = try split.store.mongo(profile, guarded: guarded, now: 0)
            rests += split.memory == nil ? 0 : 1
            if split.memory != nil, !mongo.filter.isEmpty { halves += 1 }
            for _ in 0..<12 {
                let row = generator.row()
                guard mongo.assumptions.hold(in: row) else { continue }
                guard let expected = try? query.matches(row, now: 0) else { continue }
                let isGiven = try MongoJudge.matches(row, mongo.filter)
                let isFound = try isGiven && (split.memory?.matches(row, now: 0) ?? true)
                if isFound != expected {
                    faults.append("\(seed): \(query.condition.treeDump)\n\(QueryValue.object(mongo.filter).json)")
                }
            }
        }
        #expect(faults.isEmpty, "\(faults.prefix(10).joined(separator: "\n"))")
        #expect(halves > SeededGenerator.count(3) && rests > SeededGenerator.count(20), "\(halves) of \(rests)")
    }

    @Test("fetched rows with order, skip, limit and fields are the whole query's")
    func fetching() throws {
        let schema = Schema([.field("a", .int), .field("b", .int), .field("s", .string)])
        let query = try Query(
            format: "a > 1 AND uppercase(s) == 'X' AND b != 3",
            order: ["-b", "a"],
            skip: 1,
            limit: 3,
            fields: ["a", "b"],
            schema: schema
        )
        var generator = Generator(seed: 9)
        let rows: [Document] = (0..<60).map { _ in
            [
                "a": .int(Int64(generator.below(5))), "b": .int(Int64(generator.below(6))),
                "s": generator.pick(["x", "y"]),
            ]
        }
        for profile in [MongoProfile.mongoDB, .findOnly, .kinvey] {
            let split = try query.split(for: profile)
            let mongo = try split.store.mongo(profile)
            #expect(mongo.skip == nil && mongo.limit == nil && mongo.projection == nil)
            #expect(QueryValue.object(mongo.filter).json == #"{"a":{"$gt":1},"b":{"$ne":3}}"#)
            #expect(mongo.sort == ["b": -1, "a": 1, "_id": 1])
            let given = try rows.filter { try MongoJudge.matches($0, mongo.filter) }
            let sorted = try split.store.results(in: given)
            #expect(try split.memory?.results(in: sorted) == query.results(in: rows))
        }
    }

    @Test("what the service lacks stays in memory")
    func parts() throws {
        let query = try Query(
            format: "a > 1 AND uppercase(s) == 'A' AND b == nil",
            order: ["a"],
            skip: 1,
            limit: 2,
            fields: ["a"]
        )
        let split = try query.split(for: .mongoDB)
        #expect(split.store.format == "a > 1 AND b == nil")
        #expect(split.rest?.format == "uppercase:(s) == \"A\"")
        #expect(split.store.order == query.order && split.store.limit == nil && split.store.fields == nil)
        #expect(split.memory?.skip == 1 && split.memory?.limit == 2 && split.memory?.order == [])
        let folded = try Query(format: "a > 1", order: [.ascending("s", options: [.caseInsensitive])], limit: 5)
        let sorted = try folded.split(for: .mongoDB)
        #expect(sorted.rest == nil && sorted.store.order.isEmpty && sorted.store.limit == nil)
        #expect(sorted.memory?.order == folded.order && sorted.memory?.limit == 5)
        let whole = try Query(format: "a > 1", limit: 5)
        #expect(try whole.split(for: .mongoDB).memory == nil)
    }

    @Test("pages are ordinary filters")
    func pages() throws {
        let schema = Schema([.field("_id", .string, isOptional: false), .field("n", .int)])
        let query = Query(order: ["-n"], limit: 2, schema: schema)
        let page = try query.page(after: query.cursor(after: ["_id": "b", "n": 7]))
        let mongo = try page.mongo()
        #expect(mongo.sort == ["n": -1, "_id": -1])
        let rows: [Document] = [
            ["_id": "a", "n": 7], ["_id": "b", "n": 7], ["_id": "c", "n": 7], ["_id": "d", "n": nil], ["_id": "e"],
            ["_id": "f", "n": 6], ["_id": "g", "n": 8],
        ]
        let found = try rows.filter { try MongoJudge.matches($0, mongo.filter) }
        #expect(found.map { $0["_id"] } == ["a", "d", "e", "f"])
        #expect(try page.matchingIndices(in: rows) == [0, 3, 4, 5])
    }
}
