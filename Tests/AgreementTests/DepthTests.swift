import Foundation
import PredicateQL
import QueryEvaluation
import SpecSupport
import Testing

/// Queries nested to the limit, on a thread of 512 KiB: nothing overflows (S26).
@Suite struct DepthTests {
    /// The frames of a sanitizer are several times as large.
    private static let stackSize: Int = {
        let environment = ProcessInfo.processInfo.environment
        let isSanitized = environment["ASAN_OPTIONS"] != nil || environment["TSAN_OPTIONS"] != nil
        return SmallThread.stackSize * (isSanitized ? 4 : 1)
    }()

    /// Runs on a small thread; an overflow ends the process, which no test can miss.
    private func onSmallThread(_ work: @escaping @Sendable (Query) throws -> Void) {
        for text in DeepTexts.all {
            let error = SmallThread.run(stackSize: Self.stackSize) { try work(try Query(parsing: text)) }
            guard let error else { continue }
            if let error = error as? QueryError, error.code == .unsupported || error.code == .limit { continue }
            Issue.record("\(text): \(error)")
        }
    }

    @Test func matching() { onSmallThread { _ = try $0.matches(["a": 1, "b": [1, 2]]) } }
    @Test func streams() {
        onSmallThread { query in
            var cursor = try query.cursor(over: [["a": 1, "b": [1, 2]]] as [Document])
            _ = try cursor.next()
            var structs = try query.cursor(over: [Deep()])
            _ = try structs.next()
        }
    }
    /// Rows whose fields are read in place, by this thread and by the workers of all cores, whose stacks are as small.
    @Test func lanes() {
        let rows = Array(repeating: Deep(), count: 200)
        onSmallThread { query in
            let plan = try QueryPlan<Deep>(query, now: 0)
            let found = try plan.matchingIndices(in: rows)
            let byAll = try plan.withSource(rows) { (source) throws(QueryError) in
                try plan.core.resultIndices(in: source, concurrently: true, piece: 64)
            }
            #expect(found == byAll)
            #expect(try plan.matches(rows[0]) == !found.isEmpty)
        }
    }
    @Test func documentsByAllCores() {
        let rows = Array(repeating: ["a": 1, "b": [1, 2], "x": 3] as Document, count: 20)
        onSmallThread { query in
            let found = try query.results(in: rows, now: 0, concurrently: true, each: 5)
            #expect(try found == query.results(in: rows, now: 0))
        }
    }
    /// Values nested as deep as rows may be, encoded on a small stack.
    @Test func encodedRows() {
        let rows = (0..<8).map { _ in Nested(level: Limits.default.jsonDepth - 2) }
        onSmallThread { query in
            guard query.format.hasPrefix("a[") else { return }
            var query = query
            query.condition = try Condition(format: "next != nil AND SELF != nil")
            #expect(try query.matches(rows[0]))
            #expect(try query.count(in: rows) == rows.count)
            #expect(try query.results(in: rows, now: 0, concurrently: true, each: 2).count == rows.count)
            #expect(throws: QueryError.self) { try query.matches(Nested(level: Limits.default.jsonDepth + 1)) }
        }
    }
    @Test func normalizing() { onSmallThread { _ = $0.condition.normalized(now: 0) } }
    @Test func mongo() { onSmallThread { _ = try $0.mongo(now: 0).json } }
    @Test func guardedMongo() { onSmallThread { _ = try $0.mongo(guarded: true, now: 0).json } }
    @Test func columns() { onSmallThread { _ = try $0.sql(.sqlite, from: "t", now: 0) } }
    @Test func documents() { onSmallThread { _ = try $0.sql(.sqlite, from: "t", storage: .document(), now: 0) } }
    @Test func splits() {
        onSmallThread { query in
            _ = try query.split(for: .sqlite, storage: .document())
            _ = try query.split(for: .kinvey)
            _ = try query.suggestedIndexes(.sqlite, from: "t")
            #expect(query.problems().isEmpty)
        }
    }
    /// Trees that no parser bounds: what is higher than stacks hold is an error.
    @Test func treesMadeInSwift() {
        for levels in [10, 400, 600] {
            let error = SmallThread.run(stackSize: Self.stackSize) {
                var condition = Field("a") == 1
                for _ in 0..<levels { condition = !condition || Field("b") == 2 }
                let query = Query(condition)
                _ = try query.matches(["a": 1] as Document)
                _ = try query.sql(.sqlite, from: "t", storage: .document())
                _ = try query.mongo()
            }
            // Memory takes what a store's parser does not.
            let isTooHigh = (error as? QueryError)?.message.contains("higher than") == true
            #expect(isTooHigh == (levels == 600), "\(levels): \(String(describing: error))")
        }
    }
    @Test func text() {
        onSmallThread { query in
            let again = try Query(parsing: query.format, arguments: query.arguments)
            #expect(again == query)
        }
    }
    @Test func trees() { onSmallThread { #expect(!($0.treeDump + $0.treeDot).isEmpty) } }
    @Test func binding() { onSmallThread { _ = try $0.binding([:]) } }
    @Test func coding() {
        onSmallThread { query in
            let data = try JSONEncoder().encode(query)
            let again = try JSONDecoder().decode(Query.self, from: data)
            #expect(again == query)
        }
    }
}

/// A row with fields of any kind.
private struct Deep: Queryable, Sendable {
    var a: AnyField? = AnyField(queryValue: 1)
    var b: AnyField? = AnyField(queryValue: [1, 2])
    var c: AnyField?
    var x: Int? = 3

    static let fields: FieldTable<Deep> = ["a": \.a, "b": \.b, "c": \.c, "x": \.x]
}

private final class Nested: Encodable, Sendable {
    let next: Nested?

    init(level: Int) {
        var node: Nested?
        for _ in 1..<level { node = Nested(node) }
        next = node
    }

    private init(_ next: Nested?) {
        self.next = next
    }
}
