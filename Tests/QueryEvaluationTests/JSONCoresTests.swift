import Dispatch
import PredicateQL
import QueryEvaluation
import QueryStreams
import QueryValues
import Testing

@Suite("JSON lines read on all cores (S21, S27)")
struct JSONCoresTests {
    private static let lines = (0..<40).map { number in
        #"{"age": \#(number * 7 % 20), "name": "n\#(number)", "s": "a", "p": "a"}"# + (number % 9 == 0 ? "\n" : "")
    }

    private func check(_ query: Query, _ text: String) throws {
        let rows = JSONRows(text)
        let expected = Result { try query.results(in: rows) }
        let count = Result { try query.count(in: rows) }
        for piece in [40, 700, 1 << 20] {
            let found = Result { try query.results(in: rows, now: nil, concurrently: true, piece: piece) }
            let counted = Result { try query.count(in: rows, now: nil, concurrently: true, piece: piece) }
            switch (expected, found) {
            case (.success(let left), .success(let right)): #expect(left == right, "\(query.format) \(piece)")
            case (.failure(let left), .failure(let right)): #expect("\(left)" == "\(right)", "\(query.format) \(piece)")
            default: Issue.record("\(query.format) in pieces of \(piece): \(found), not \(expected)")
            }
            switch (count, counted) {
            case (.success(let left), .success(let right)): #expect(left == right, "\(query.format) \(piece)")
            case (.failure(let left), .failure(let right)): #expect("\(left)" == "\(right)", "\(query.format) \(piece)")
            default: Issue.record("\(query.format) counted in pieces of \(piece): \(counted), not \(count)")
            }
        }
    }

    @Test("the same rows, order, page and fields")
    func pages() throws {
        let text = Self.lines.joined(separator: "\n")
        for (order, skip, limit) in [
            ([], nil, nil), ([], 3, nil), ([], 1, 4), (["-age"], 2, 5), (["age", "-name"], nil, nil),
            (["age"], 50, nil),
        ] as [([SortKey], Int?, Int?)] {
            try check(Query(format: "age > 5", order: order, skip: skip, limit: limit), text)
            try check(Query(format: "age > 5", order: order, skip: skip, limit: limit, fields: ["name"]), text + "\n")
        }
        try check(Query(format: "age > 5"), "\u{FEFF}" + text)
        try check(Query(format: "age > 5"), "[" + Self.lines.joined(separator: ",") + "]")
        try check(Query(format: "age > 5"), "")
    }

    @Test("the same error for the same row")
    func errors() throws {
        for bad in [#"{"age": 1"#, "\u{FEFF}" + #"{"age": 6}"#, #"{"s": "a", "p": "("}"#, "[1]"] {
            for place in [0, 7, 39] {
                var lines = Self.lines
                lines[place] = bad
                let text = lines.joined(separator: "\n")
                try check(Query(format: "age > 5"), text)
                try check(Query(format: "s MATCHES p", order: ["-age"], limit: 3), text)
                try check(Query(format: "s MATCHES p", limit: 3), text)
            }
        }
        try check(Query(format: "age > 5", skip: -1), Self.lines[1])
    }

    @Test("lines of every length, however few bytes arrive at a time")
    func lengths() throws {
        let query = try Query(format: "age > 5")
        for length in [0, 1, 14, 15, 16, 17, 39, 40, 41, 79, 80, 81, 700, 5_000] {
            var lines = Self.lines
            lines[5] = #"{"age": 9, "note": "\#(String(repeating: "x", count: length))"}"#
            let text = lines.joined(separator: "\n")
            try check(query, text)
            try check(query, text + "\n\n")
            let expected = try query.count(in: JSONRows(text))
            for step in [1, 7, 64, 4_096] {
                let rows = JSONRows(layout: .lines, extended: false, isRepeatable: true) { () throws(QueryError) in
                    var rest = Array(text.utf8)[...]
                    return ByteStream(chunk: 32) { buffer throws(QueryError) in
                        let part = rest.prefix(min(step, buffer.count))
                        buffer.copyBytes(from: part)
                        rest = rest.dropFirst(part.count)
                        return part.count
                    }
                }
                let found = try query.countByCores(in: rows, now: 0, piece: 64)
                #expect(found?.rows == 40 && found?.results == expected, "\(length) \(step)")
            }
        }
    }

    @Test("a text that breaks off, and a line that is too long, end the work of all")
    func broken() throws {
        let text = Array(Self.lines.joined(separator: "\n").utf8)
        let query = try Query(format: "age > 5")
        let rows = JSONRows(layout: .lines, extended: false) { () throws(QueryError) in
            var isFirst = true
            return ByteStream { buffer throws(QueryError) in
                if !isFirst { throw QueryError(.store, "gone") }
                isFirst = false
                buffer.copyBytes(from: text.prefix(buffer.count))
                return min(text.count, buffer.count)
            }
        }
        #expect(try query.countByCores(in: rows, now: 0, piece: 1_024) == nil)
        var limits = Limits.default
        limits.rowBytes = 20
        #expect(try query.countByCores(in: JSONRows(text, limits: limits), now: 0, piece: 16) == nil)
        #expect(try query.countByCores(in: JSONRows("[]"), now: 0) == nil)
    }

    private struct Enough: Error {}

    @Test("batches come in order, end before an error, and stop when no more are wanted")
    func batches() throws {
        let query = try Query(format: "age > 5")
        for (bad, piece) in [(nil, 40), (nil, 700), (29, 40), (29, 300), (0, 40), (39, 1 << 20)] as [(Int?, Int)] {
            var lines = Self.lines
            if let bad { lines[bad] = #"{"age": 1"# }
            let rows = JSONRows(lines.joined(separator: "\n"))
            let expected = try Self.lines.enumerated().filter { bad == nil || $0.offset < bad ?? 0 }.flatMap {
                try query.results(in: JSONRows($0.element))
            }
            var found: [Document] = []
            let count = try query.forEachBatch(in: rows, now: 0, piece: piece) { run in
                var batch: [Document] = []
                while let row = try run.next() { batch.append(row) }
                return batch
            } _: {
                found += $0
            }
            #expect(count == (bad == nil ? 40 : nil), "\(piece)")
            // Only what is in one piece with the error is missing, at 40 bytes at most the line before it.
            #expect(found == Array(expected.prefix(found.count)), "\(piece)")
            let missing = expected.count - found.count
            #expect(bad == nil ? missing == 0 : piece != 40 || missing <= 1, "\(piece)")
            // All rows before the first error; the rest is not wanted here.
            let batches = try #require(RowBatches(rows, .everything, piece: 40))
            var read: [Document] = []
            while read.count < 20, let batch = batches.next() { read += batch.rows }
            let rest = try Query().results(in: JSONRows(Self.lines.joined(separator: "\n")))
            #expect(read == Array(rest.prefix(read.count)), "\(piece)")
            #expect(bad == 0 ? read.isEmpty && batches.isBroken : read.count >= 20, "\(piece)")
            if bad == 0 { continue }
            #expect(throws: Enough.self) {
                _ = try query.forEachBatch(in: rows, now: 0, piece: 40, { _ in 0 }, { _ in throw Enough() })
            }
        }
        let all = JSONRows(Self.lines.joined(separator: "\n"))
        #expect(try query.forEachBatch(in: JSONRows("[]"), now: 0, { _ in 0 }, { _ in }) == nil)
        #expect(try Query(limit: 3).forEachBatch(in: all, now: 0, { _ in 0 }, { _ in }) == nil)
        #expect(throws: QueryError.self) {
            try Query(format: "s MATCHES '('").forEachBatch(in: all, now: 0, { _ in 0 }, { _ in })
        }
    }

    /// Callers may be on the threads that workers would run on, and take all of them.
    @Test("many callers at once, on the threads of the system's pool")
    func callers() async throws {
        let text = Self.lines.joined(separator: "\n")
        let query = try Query(format: "age > 5")
        let expected = try query.count(in: JSONRows(text))
        let group = DispatchGroup()
        let right = Mutex(0)
        for _ in 0..<1_000 {
            DispatchQueue.global().async(group: group) {
                let found = try? query.results(in: JSONRows(text), now: nil, concurrently: true, piece: 100)
                if found?.count == expected { right.withLock { $0 += 1 } }
            }
        }
        await withCheckedContinuation { done in group.notify(queue: DispatchQueue(label: "done")) { done.resume() } }
        #expect(right.withLock { $0 } == 1_000)
    }
}
