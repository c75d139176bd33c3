import PredicateQL
import Testing

@Suite("Streamed rows (S21, S27)")
struct StreamTests {
    private struct Person: Encodable, Equatable {
        var name: String
        var age: Int
    }

    private struct Pattern: Queryable {
        var text: String
        var pattern: String
        static let fields: FieldTable<Pattern> = ["text": \.text, "pattern": \.pattern]
    }

    private static let samples = Sample.samples(300)
    private static let documents = samples.map { Document(queryable: $0) }
    private static let people = (0..<100).map { Person(name: "p\($0)", age: $0 * 7 % 50) }

    private static let pipelines: [([SortKey], Int?, Int?)] = [
        ([], nil, nil), ([], 3, nil), ([], 2, 5), ([], nil, 0), (["-years", "name"], nil, nil), (["name"], 4, 9),
    ]

    private func all<Rows>(_ cursor: ResultCursor<Rows>) throws -> [Rows.Element] {
        var cursor = cursor
        var found: [Rows.Element] = []
        while let row = try cursor.next() { found.append(row) }
        #expect(try cursor.next() == nil)
        return found
    }

    private func all<Rows: AsyncSequence>(_ rows: Rows) async throws -> [Rows.Element] {
        var found: [Rows.Element] = []
        for try await row in rows { found.append(row) }
        return found
    }

    private func stream<Row: Sendable>(_ rows: [Row]) -> AsyncStream<Row> {
        AsyncStream { continuation in
            for row in rows { continuation.yield(row) }
            continuation.finish()
        }
    }

    @Test("cursor, lazy and asynchronous sequences find what results(in:) finds")
    func agreement() async throws {
        for format in ["years > 40", "name BEGINSWITH 'M' OR ANY tags == 'Kyoto'", "initials == 'Ma'", "TRUEPREDICATE"]
        {
            for (order, skip, limit) in Self.pipelines {
                let query = try Query(parsing: format, order: order, skip: skip, limit: limit)
                let expected = try query.results(in: Self.documents)
                #expect(try all(query.cursor(over: Self.documents)) == expected, "\(format) \(order)")
                let awaited = try await all(query.results(in: stream(Self.documents)))
                #expect(awaited == expected, "\(format) \(order)")
                var typed = query
                typed.order = order.map { $0.path.dotted == "years" ? "-age" : $0 }
                typed.condition = try Query(parsing: format.replacing("years", with: "age")).condition
                let structs = try all(typed.cursor(over: Self.samples)).map { Document(queryable: $0) }
                #expect(structs == expected, "\(format) \(order)")
                let awaitedStructs = try await all(typed.results(in: stream(Self.samples)))
                #expect(awaitedStructs.map { Document(queryable: $0) } == expected, "\(format) \(order)")
                guard order.isEmpty else { continue }
                let lazy = try query.lazyResults(in: Self.documents)
                #expect(Array(lazy) == expected && Array(lazy) == expected, "\(format)")
                let lazyStructs = try typed.lazyResults(in: Self.samples).map { Document(queryable: $0) }
                #expect(Array(lazyStructs) == expected, "\(format)")
            }
        }
    }

    @Test("encodable rows, fields of documents")
    func encodable() async throws {
        let query = try Query(format: "age > 20 AND name ENDSWITH '1'", order: ["-age"], limit: 3)
        let expected = try query.results(in: Self.people)
        #expect(try all(query.cursor(over: Self.people)) == expected)
        #expect(try await all(query.results(in: stream(Self.people))) == expected)
        var fields = try Query(format: "age == 43", fields: ["name"])
        let rows: [Document] = [["name": "a", "age": 43], ["name": "b", "age": 1]]
        #expect(try all(fields.cursor(over: rows)) == [["name": "a"]])
        #expect(Array(try fields.lazyResults(in: rows)) == [["name": "a"]])
        fields.order = ["age"]
        #expect(try await all(fields.results(in: stream(rows))) == [["name": "a"]])
        #expect(throws: QueryError.self) { try fields.cursor(over: Self.people) }
        #expect(throws: QueryError.self) { try fields.results(in: stream(Self.samples)) }
    }

    @Test("a lazy sequence takes no row too many, even from an endless sequence")
    func laziness() throws {
        var taken = 0
        let endless = sequence(state: 0) { (age: inout Int) -> Document? in
            age += 1
            taken += 1
            return ["age": .int(Int64(age))]
        }
        let query = try Query(format: "age > 4", skip: 1, limit: 2)
        let lazy = try query.lazyResults(in: endless)
        #expect(taken == 0)
        #expect(Array(lazy) == [["age": 6], ["age": 7]])
        #expect(taken == 7)
        var cursor = try query.cursor(over: endless)
        taken = 0
        #expect(try cursor.next() == ["age": 6])
        #expect(taken == 6)
        #expect(Array(try Query(format: "age > 4", limit: 0).lazyResults(in: endless)).isEmpty)
    }

    @Test("a lazy sequence rejects what could fail on a row")
    func refusals() throws {
        for (format, order) in [
            ("name MATCHES 'a+'", []), ("SUBQUERY(tags, $t, $t MATCHES 'x').@count > 0", []), ("name == 'a'", ["name"]),
            (String(repeating: "NOT (", count: 30) + "name MATCHES 'a'" + String(repeating: ")", count: 30), []),
        ] as [(String, [SortKey])] {
            let query = try Query(parsing: format, order: order)
            for make in [
                { _ = try query.lazyResults(in: Self.documents) }, { _ = try query.lazyResults(in: Self.samples) },
            ] {
                let error = #expect(throws: QueryError.self, "\(format)") { try make() }
                #expect(error?.code == .unsupported, "\(format)")
                #expect((error?.range == nil) == !order.isEmpty, "\(format)")
            }
        }
    }

    @Test("an error is thrown at its row, after the results before it, and ends the results")
    func errors() async throws {
        let rows: [Pattern] = ["a", "b", "[", "c"].map { Pattern(text: $0, pattern: $0) }
        let documents = rows.map { Document(queryable: $0) }
        let query = try Query(format: "text MATCHES pattern")
        var cursor = try query.cursor(over: documents)
        var structs = try query.cursor(over: rows)
        var awaited = try query.results(in: stream(documents)).makeAsyncIterator()
        for _ in 0..<2 {
            #expect(try cursor.next() != nil)
            #expect(try structs.next() != nil)
            #expect(try await awaited.next() != nil)
        }
        for message in [
            #expect(throws: QueryError.self) { try cursor.next() }?.message,
            #expect(throws: QueryError.self) { try structs.next() }?.message,
            await #expect(throws: QueryError.self) { try await awaited.next() }?.message,
        ] { #expect(message?.hasPrefix("documents[2]: ") == true) }
        #expect(try cursor.next() == nil)
        #expect(try structs.next() == nil)
        #expect(try await awaited.next() == nil)
        // The limit is reached before the bad row.
        let two = Query(query.condition, limit: 2)
        #expect(try await all(two.results(in: stream(documents))).count == 2)
        let sorted = Query(query.condition, order: ["text"], limit: 2)
        await #expect(throws: QueryError.self) { try await all(sorted.results(in: stream(documents))) }
    }

    @Test("an order stays within its budget")
    func budget() async throws {
        var limits = Limits.default
        limits.sortedRows = 10
        let query = Query(order: ["age"])
        let rows = (0..<11).map { ["age": .int($0)] as Document }
        var cursor = try query.cursor(over: rows, limits: limits)
        let error = #expect(throws: QueryError.self) { try cursor.next() }
        #expect(error?.code == .limit)
        let results = try query.results(in: stream(rows), limits: limits)
        await #expect(throws: QueryError.self) { try await all(results) }
        let few = try Query(order: ["-age"], limit: 3).results(in: stream(rows), limits: limits)
        #expect(try await all(few) == [["age": 10], ["age": 9], ["age": 8]])
    }

    @Test("a cancelled task gets an error, not half an answer")
    func cancellation() async throws {
        // Endless rows that do not check whether they are still needed.
        struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
            var isLast = false
            mutating func next() async -> Document? { ["age": 1] }
            func makeAsyncIterator() -> Endless { self }
        }
        let results = try Query(format: "age == 2").results(in: Endless())
        let task = Task {
            for try await _ in results {}
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let sorting = try Query(order: ["age"], limit: 2).results(in: Endless())
        let other = Task { for try await _ in sorting {} }
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test("rows that end because their task is cancelled give no whole answer", arguments: [nil, 1, 5])
    func endsOfCancelledSources(limit: Int?) async throws {
        // As AsyncStream ends when the task that waits for it is cancelled.
        struct Cancelled: AsyncSequence, AsyncIteratorProtocol, Sendable {
            var rest: [Document] = [["age": 3], ["age": 2]]
            mutating func next() async -> Document? {
                if rest.isEmpty { withUnsafeCurrentTask { $0?.cancel() } }
                return rest.isEmpty ? nil : rest.removeFirst()
            }
            func makeAsyncIterator() -> Cancelled { self }
        }
        for order in [[], ["age"]] as [[SortKey]] {
            let results = try Query(order: order, limit: limit).results(in: Cancelled())
            let task = Task { try await self.all(results) }
            if order.isEmpty, limit == 1 {
                #expect(try await task.value == [["age": 3]], "the limit makes the answer whole")
            } else {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }

    @Test("errors of the row source are rethrown")
    func sourceErrors() async throws {
        struct Broken: Error {}
        let rows = AsyncThrowingStream<Document, any Error> { continuation in
            continuation.yield(["age": 1])
            continuation.finish(throwing: Broken())
        }
        var results = try Query().results(in: rows).makeAsyncIterator()
        #expect(try await results.next() == ["age": 1])
        await #expect(throws: Broken.self) { try await results.next() }
        #expect(try await results.next() == nil)
    }

    @Test("results are awaited on the caller's actor")
    @MainActor func isolation() async throws {
        final class Box { var value: Document = [:] }
        let box = Box()
        for try await row in try Query(format: "age == 1").results(in: stream([["age": 1], ["age": 2]])) {
            box.value = row
        }
        #expect(box.value == ["age": 1])
    }
}
