import Foundation
import PredicateQL
import QueryEvaluation
import SpecSupport
import TestConditions
import Testing

/// Queries nested to the limit, on a thread of 512 KiB: nothing overflows (S26).
@Suite struct DepthTests {
    /// A sanitizer's frames are several times as large.
    private static let stackSize: Int = {
        let environment = ProcessInfo.processInfo.environment
        let isSanitized = environment["ASAN_OPTIONS"] != nil || environment["TSAN_OPTIONS"] != nil
        return SmallThread.stackSize * (isSanitized ? 4 : 1)
    }()

    /// Runs on a small thread; an overflow crashes the process, which no test can miss.
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
    /// Rows whose fields are read in place, by this thread and by the workers of all cores, which have equally small
    /// stacks.
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
    @Test func documents() {
        onSmallThread { _ = try $0.sql(.sqlite, from: SQLTable("t", storage: .document()), now: 0) }
    }
    @Test func splits() {
        onSmallThread { query in
            _ = try query.split(for: .sqlite, from: SQLTable("t", storage: .document()))
            _ = try query.split(for: .kinvey)
            _ = try query.suggestedIndexes(.sqlite, from: "t")
            _ = try query.suggestedIndexes(.postgresql, from: SQLTable("t", storage: .document()))
            #expect(query.problems().isEmpty)
        }
    }
    /// Trees without a parser's bounds: trees too high for the stack are an error.
    @Test func treesMadeInSwift() {
        for levels in [10, 400, 600] {
            let error = SmallThread.run(stackSize: Self.stackSize) {
                var condition = Field("a") == 1
                for _ in 0..<levels { condition = !condition || Field("b") == 2 }
                let query = Query(condition)
                _ = try query.matches(["a": 1] as Document)
                _ = try query.sql(.sqlite, from: SQLTable("t", storage: .document()))
                _ = try query.mongo()
            }
            // Memory supports what a store's parser does not.
            let isTooHigh = (error as? QueryError)?.message.contains("higher than") == true
            #expect(isTooHigh == (levels == 600), "\(levels): \(String(describing: error))")
        }
    }
    /// Every output of long chains and paths, built and released on a small stack.
    @Test(.timeLimit(.minutes(60))) func longTexts() {
        // Only expressions nested in a service's documents overflow, from 1,770 links on.
        let links = Machine.isOurs ? 4_000 : 2_000
        let nested = DeepTexts.chains(links).prefix(12).map { ($0, LongText.outputs.prefix(5)) }
        for (text, outputs) in nested
            + (DeepTexts.chains(Machine.isOurs ? 500 : 40) + DeepTexts.paths).map({ ($0, LongText.outputs[...]) })
        {
            let query: Query
            do {
                query = try Query(parsing: text)
            } catch {
                Issue.record("\(text.prefix(60)): \(error)")
                continue
            }
            for (name, output) in outputs {
                let error = SmallThread.run(stackSize: Self.stackSize) { try output(query) }
                let code = (error as? QueryError)?.code
                // A struct has no such fields.
                let isRefused = code == .unsupported || code == .limit || (name == "lanes" && code == .unknownField)
                #expect(error == nil || isRefused, "\(name) of \(text.prefix(60)): \(String(describing: error))")
            }
        }
    }
    /// JSON nested up to the readers' limit and far beyond, as filters, trees, values and rows.
    @Test func hostileNesting() {
        let ways = [
            ("[", "]"), ("{\"a\":", "}"), ("{\"$not\":", "}"), ("{\"$and\":[", "]}"), ("{\"$elemMatch\":", "}"),
            ("{\"not\":", "}"), ("{\"and\":[", "]}"), ("{\"negate\":", "}"), ("{\"$add\":[1,", "]}"),
            ("{\"$cond\":[1,", ",2]}"), ("{\"$literal\":", "}"),
        ]
        for count in [60, 95, 190, 197, 198, 199, 200, 201, 100_000] {
            for (open, close) in ways {
                let text = String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
                let error = SmallThread.run(stackSize: Self.stackSize) {
                    for filter in [text, "{\"a\":\(text)}", "{\"$expr\":{\"$eq\":[1,\(text)]}}"] {
                        guard let query = try? Query(mongo: filter) else { continue }
                        _ = try? query.mongo(guarded: true)
                    }
                    _ = try? Condition(jsonTree: text)
                    if let value = try? QueryValue(json: text, extended: true) {
                        #expect(value == value && value.hashValue == value.hashValue && value.json == text)
                        let data = try JSONEncoder().encode(value)
                        #expect(try JSONDecoder().decode(QueryValue.self, from: data) == value)
                        let row: Document = ["a": value, "b": .list([value, value])]
                        for format in ["a == b", "a IN b", "ANY b IN b", "(b UNION b).@count == 1", "a == %@"] {
                            let arguments = format.contains("%@") ? [value] : []
                            _ = try? Query(parsing: format, arguments: arguments, order: ["a"], fields: ["b"])
                                .results(in: [row, row])
                        }
                    }
                    for rows in ["[{\"a\":\(text)}]", "{\"b\":1,\"a\":\(text)}"] {
                        _ = try? Query(format: "a == b OR a != 1", order: ["a"]).results(in: JSONRows(rows))
                    }
                }
                #expect(error == nil, "\(open) × \(count): \(String(describing: error))")
            }
        }
    }
    /// Anything too deep for a service's documents is rejected before it is built, and nothing below that limit.
    @Test func chainsAreAsLongAsAServiceTakes() throws {
        for sign in ["+", "-", "*", " UNION "] {
            let accepted = (1...60).filter { links in
                let chain = Array(repeating: "b", count: links + 1).joined(separator: sign)
                do throws(QueryError) {
                    _ = try Query(parsing: sign == " UNION " ? "x IN (\(chain))" : "a == " + chain).mongo()
                    return true
                } catch {
                    #expect(error.code == .unsupported)
                    return false
                }
            }
            let most = accepted.last ?? 0
            #expect(accepted == Array(1...max(1, most)) && most > 40 && most < 50, "\(sign): \(most)")
        }
        for (count, isAccepted) in [(100, true), (101, false)] {
            let path = Array(repeating: "k", count: count).joined(separator: ".")
            #expect(((try? Query(parsing: path + " == 1").mongo()) != nil) == isAccepted, "\(count)")
        }
    }
    /// The condition of a page nests with the number of sort keys.
    @Test func pagesOfManyKeys() throws {
        for (count, code) in [(99, nil), (100, QueryError.Code.limit), (30_000, .limit)] {
            let error = SmallThread.run(stackSize: Self.stackSize) {
                let query = Query(order: (0..<count).map { SortKey(FieldPath(keys: ["k\($0)"])) })
                let cursor = try query.cursor(after: ["_id": 1])
                let page = try query.page(after: cursor)
                _ = try page.matches(["_id": 2])
            }
            #expect((error as? QueryError)?.code == code, "\(count): \(String(describing: error))")
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

private enum LongText {
    typealias Output = @Sendable (Query) throws -> Void

    static let outputs: [(String, Output)] = [
        ("mongo", { _ = try $0.mongo(now: 0).json }),
        ("guarded mongo", { _ = try $0.mongo(guarded: true, now: 0).canonicalJSON }),
        ("pipeline", { _ = try $0.mongoPipeline(now: 0).json }),
        ("REST", { _ = try $0.rest(now: 0).url(of: "c") }),
        ("mongo and back", { _ = try? Query(mongo: try $0.mongo(now: 0)) }),
        ("split for Kinvey", { _ = try $0.split(for: .kinvey, now: 0) }),
        ("columns", { _ = try $0.sql(.sqlite, from: "t", now: 0) }),
        ("documents", { _ = try $0.sql(.sqlite, from: SQLTable("t", storage: .document()), now: 0) }),
        ("PostgreSQL", { _ = try $0.sql(.postgresql, from: SQLTable("t", storage: .document()), now: 0) }),
        ("DuckDB", { _ = try $0.sql(.duckDB, from: "t", now: 0) }),
        ("indexes", { _ = try $0.suggestedIndexes(.sqlite, from: "t") }),
        (
            "indexes of PostgreSQL",
            { _ = try $0.suggestedIndexes(.postgresql, from: SQLTable("t", storage: .document()), now: 0) }
        ),
        ("memory", { _ = try $0.matches(["a": 1, "b": [1, 2], "x": 2]) }),
        ("lanes", { _ = try $0.count(in: [Deep(), Deep()], now: 0) }),
        ("format", { _ = $0.format }),
        ("outlines", { _ = $0.treeDump + $0.treeDot }),
        ("JSON tree", { _ = try $0.condition.jsonTree.json }),
        ("normal form", { _ = $0.condition.normalized(now: 0) }),
        ("binding", { _ = try $0.binding([:]) }),
        ("problems", { _ = $0.problems() + QueryPolicy(fields: ["*"]).problems(with: $0) }),
    ]
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
