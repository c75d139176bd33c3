import Foundation
import PredicateQL
import PredicateQLSQLite
import Testing

/// Connections that tasks share: snapshots, turns, cancellation, and rows that are read as they are asked for.
@Suite struct PoolTests {
    /// A file with a table of numbers, which ends with the test.
    private final class NumberFile {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pool-\(UUID().uuidString).sqlite")
            .path

        init(_ count: Int = 1_000) throws {
            let database = try SQLiteDatabase(path: path, isReadOnly: false)
            try database.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY, text TEXT, list JSON)")
            try database.execute(
                """
                WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < \(count))
                INSERT INTO numbers SELECT n, 'no. ' || n, '[' || n || ']' FROM s
                """
            )
        }

        deinit {
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
    }

    /// An interrupt that comes before a statement's first step is lost.
    @Test(.timeLimit(.minutes(1))) func cancellingBeforeTheFirstStepEndsAStatement() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (name TEXT)")
        var asked = 0
        database.isCancelled = {
            asked += 1
            return asked > 1
        }
        #expect(throws: QueryError.self) { try database.rows(Self.endless) }
        // The same after a query with bounds of its own.
        asked = -100
        database.limits.steps = 1_000_000
        #expect(try Query(format: "name == 'x'").count(in: database, from: "t") == 0)
        #expect(throws: QueryError.self) { try database.rows(Self.endless) }
        database.isCancelled = nil
        #expect(try database.rows("SELECT 7").count == 1)
    }

    private static let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t"

    private let file: NumberFile

    init() throws { file = try NumberFile() }

    private func code(_ body: () async throws -> Void) async -> QueryError.Code? {
        do { try await body() } catch { return (error as? QueryError)?.code }
        return nil
    }

    @Test func manyTasksShareFewConnections() async throws {
        let pool = try SQLitePool(path: file.path, readers: 2)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for most in 1...200 {
                group.addTask {
                    if most % 10 == 0 {
                        try await pool.write { try $0.execute("UPDATE numbers SET text = text WHERE n = \(most)") }
                    }
                    return try await pool.read { try Query(format: "n <= %d", most).count(in: $0, from: "numbers") }
                        - most
                }
            }
            for try await difference in group { #expect(difference == 0) }
        }
    }

    @Test func aReaderSeesOneSnapshot() async throws {
        let pool = try SQLitePool(path: file.path, readers: 1)
        var seen: [Document] = []
        for try await row in pool.rows(try Query(format: "n <= 500", fields: ["n"]), from: "numbers") {
            if seen.isEmpty { try await pool.write { try $0.execute("DELETE FROM numbers") } }
            seen.append(row)
        }
        #expect(seen.count == 500 && seen.last == ["n": 500])
        #expect(try await pool.read { try Query().count(in: $0, from: "numbers") } == 0)
    }

    @Test func whatThrowsChangesNothing() async throws {
        let pool = try SQLitePool(path: file.path)
        struct Mine: Error {}
        await #expect(throws: Mine.self) {
            try await pool.write { database in
                try database.execute("DELETE FROM numbers")
                throw Mine()
            }
        }
        let written = await code { try await pool.read { try $0.execute("DELETE FROM numbers") } }
        #expect(written == .store, "a reader cannot write")
        #expect(try await pool.read { try Query().count(in: $0, from: "numbers") } == 1_000)
        let reading = try SQLitePool(path: file.path, isReadOnly: true)
        #expect(await code { try await reading.write { try $0.execute("DELETE FROM numbers") } } == .store)
        #expect(try await reading.read { try Query().count(in: $0, from: "numbers") } == 1_000)
    }

    @Test(.timeLimit(.minutes(60))) func aCancelledTaskEndsItsStatement() async throws {
        let pool = try SQLitePool(path: file.path, readers: 1)
        let running = Task { try await pool.read { try $0.rows(Self.endless).count } }
        let waiting = Task { try await pool.read { try Query().count(in: $0, from: "numbers") } }
        try await Task.sleep(for: .milliseconds(100))
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        // And the connection is as before.
        #expect(try await pool.read { try Query().count(in: $0, from: "numbers") } == 1_000)
        let writing = Task {
            try await pool.write { database in
                try database.execute("DELETE FROM numbers")
                _ = try database.rows(Self.endless)
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        #expect(try await pool.read { try Query().count(in: $0, from: "numbers") } == 1_000)
    }

    /// A cancel that comes between two statements ends the second.
    @Test(.timeLimit(.minutes(60))) func aCancelBetweenStatementsIsNotLost() async throws {
        let pool = try SQLitePool(path: file.path, readers: 1)
        let (started, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let running = Task {
            try await pool.write { database in
                try database.execute("DELETE FROM numbers")
                started.signal()
                cancelled.wait()
                _ = try database.rows(Self.endless)
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                started.wait()
                continuation.resume()
            }
        }
        running.cancel()
        cancelled.signal()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try await pool.read { try Query().count(in: $0, from: "numbers") } == 1_000)
    }

    @Test(.timeLimit(.minutes(60))) func aLoopThatIsLeftGivesItsConnectionBack() async throws {
        let pool = try SQLitePool(path: file.path, readers: 1)
        let all = Query(order: ["-n"], fields: ["n"])
        for _ in 0..<3 {
            for try await row in pool.rows(all, from: "numbers") {
                #expect(row == ["n": 1_000])
                break
            }
            #expect(await code { for try await _ in pool.rows(all, from: "none") {} } == .store)
        }
        var count = 0
        for try await row in pool.rows(all, from: "numbers") {
            #expect(row == ["n": .int(Int64(1_000 - count))])
            count += 1
        }
        #expect(count == 1_000)
        let task = Task {
            for try await _ in pool.rows(all, from: "numbers") { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await pool.read { try Query().count(in: $0, from: "numbers") } == 1_000)
    }

    @Test func whatSQLDoesNotSupportIsAnsweredToo() async throws {
        let pool = try SQLitePool(path: file.path, readers: 1)
        let query = try Query(format: "n > 10 AND random() >= 0", order: ["-n"], limit: 300, fields: ["n", "list"])
        var rows: [Document] = []
        for try await row in pool.rows(query, from: "numbers") { rows.append(row) }
        #expect(rows.count == 300 && rows.first == ["n": 1_000, "list": [1_000]])
    }

    @Test func limitsHoldForAWholePass() async throws {
        var limits = Limits.default
        limits.steps = 5_000
        let pool = try SQLitePool(path: file.path, limits: limits)
        var count = 0
        let found = await code {
            for try await _ in try pool.rows(Query(format: "text MATCHES '.*no.*'"), from: "numbers") { count += 1 }
        }
        #expect(found == .tooMuchWork && count > 0 && count < 1_000, "\(count) rows before the end")
        #expect(
            await code {
                try await pool.read { _ = try Query(format: "text MATCHES '.*no.*'").rows(in: $0, from: "numbers") }
            } == .tooMuchWork
        )
    }

    @Test func onlyTheColumnsOfTheFieldsAreRead() throws {
        let database = try SQLiteDatabase(path: file.path, isReadOnly: false)
        try database.execute("UPDATE numbers SET list = 'broken' WHERE n = 1")
        let query = try Query(format: "n == 1", fields: ["text", "n"])
        #expect(try query.results(in: database, from: "numbers") == [["n": 1, "text": "no. 1"]])
        let whole = #expect(throws: QueryError.self) {
            try Query(format: "n == 1", fields: ["list"]).results(in: database, from: "numbers")
        }
        #expect(whole?.code == .store && whole?.category == .server, "\(String(describing: whole))")
        #expect(try Query(format: "n == 2", fields: []).results(in: database, from: "numbers") == [[:]])
    }

    @Test func whatIsNoFileIsRefused() throws {
        for path in ["", ":memory:", "/no/such/folder/file.sqlite"] {
            #expect(throws: QueryError.self, "\(path)") { try SQLitePool(path: path) }
        }
        let text = FileManager.default.temporaryDirectory.appendingPathComponent("pool-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: text) }
        try Data(String(repeating: "no database\n", count: 100).utf8).write(to: text)
        let fault = #expect(throws: QueryError.self) { try SQLitePool(path: text.path, isReadOnly: true) }
        #expect(fault?.hint == "the file is not an SQLite database")
    }
}
