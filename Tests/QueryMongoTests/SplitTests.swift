import PredicateQL
import QuerySyntax
import SpecSupport
import Testing

@Suite("A service and memory share a query")
struct MongoSplitTests {
    @Test("both halves give the whole answer")
    func halvesAgree() throws {
        var halves = 0
        var faults: [String] = []
        for seed in 0..<900 as Range<UInt64> {
            var generator = Generator(seed: seed)
            let query = Query(generator.condition())
            // The profile that understands least is split most.
            guard let split = try? query.split(for: .findOnly, guarded: true, now: 0) else { continue }
            let filter = try split.store.mongo(.findOnly, guarded: true, now: 0).filter
            if split.memory != nil, !filter.isEmpty { halves += 1 }
            for _ in 0..<12 {
                let row = generator.row()
                guard let expected = try? query.matches(row, now: 0) else { continue }
                let isGiven = try MongoJudge.matches(row, filter)
                let isFound = try isGiven && (split.memory?.matches(row, now: 0) ?? true)
                if isFound != expected {
                    faults.append("\(seed): \(query.condition.treeDump)\n\(QueryValue.object(filter).json)")
                }
            }
        }
        #expect(faults.isEmpty, "\(faults.prefix(10).joined(separator: "\n"))")
        #expect(halves > 30, "\(halves)")
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

    @Test("pages are filters like any other")
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
