import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import Testing

/// SQLite failures in the middle of work: a clear error, the file unchanged, the connection still usable.
@Suite struct SQLiteFaultTests {
    /// Calls `body` with the path of a file whose table `old` has three rows.
    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.sqlite").path
        try SQLiteDatabase(path: path, isReadOnly: false)
            .execute("CREATE TABLE old (a INTEGER, s TEXT); INSERT INTO old VALUES (1, 'x'), (2, 'y'), (3, 'z')")
        try body(path)
    }

    private func error(_ body: () throws -> Void) -> QueryError? {
        do { try body() } catch { return error as? QueryError }
        return nil
    }

    private func append(_ count: Int, to database: SQLiteDatabase) throws {
        try SQLiteImporter(table: "old").append(to: database) { (insert) throws(QueryError) in
            for number in 0..<count {
                try insert(["a": .int(Int64(number)), "s": .string(String(repeating: "s", count: 500))])
            }
        }
    }

    private func importing(_ count: Int, to database: SQLiteDatabase) throws {
        var importer = SQLiteImporter(table: "new")
        try importer.observe(["a": 1, "s": "s"])
        try importer.write(to: database) { (insert) throws(QueryError) in
            for number in 0..<count {
                try insert(["a": .int(Int64(number)), "s": .string(String(repeating: "s", count: 500))])
            }
        }
    }

    private func store(_ count: Int, _ isNew: Bool, _ database: SQLiteDatabase) throws {
        if isNew { try importing(count, to: database) } else { try append(count, to: database) }
    }

    private func expectAsBefore(_ path: String) throws {
        let database = try SQLiteDatabase(path: path)
        #expect(try database.tableNames() == ["old"])
        #expect(try Query().rows(in: database, from: "old").count == 3)
        #expect(try database.rows("PRAGMA integrity_check").first?["integrity_check"] == "ok")
    }

    /// A kept statement starts anew each time, also after an error and inside of itself, and outlives its connection.
    @Test func keptStatements() throws {
        let database = try SQLiteDatabase.inMemory()
        try database.execute("CREATE TABLE t (a INTEGER, s TEXT, b BLOB)")
        try database.execute("INSERT INTO t VALUES (1, 'é', x'00ff'), (2, NULL, x'')")
        let sql = "SELECT a, s, b FROM t WHERE a >= ? ORDER BY a"
        func found(_ least: Int64) throws(QueryError) -> [Int64] {
            try database.withStatement(sql, [.int(least)]) { (rows) throws(QueryError) in
                var found: [Int64] = []
                while try rows.step() { found.append(rows.int(at: 0)) }
                return found
            }
        }
        #expect(try found(1) == [1, 2])
        #expect(try found(2) == [2])
        #expect(error { _ = try database.withStatement(sql, []) { _ in } }?.code == .store)
        try database.withStatement(sql, [1]) { (rows) throws(QueryError) in
            let (isFirst, inner) = (try rows.step(), try found(1))
            #expect(isFirst && inner == [1, 2])
            #expect(rows.text(at: 1).map { String(decoding: $0, as: UTF8.self) } == "é")
            #expect(rows.blob(at: 2).map(Array.init) == [0, 255])
            #expect(rows.text(at: 0) == nil && rows.blob(at: 1) == nil && !rows.isNull(at: 1))
            let isSecond = try rows.step()
            #expect(isSecond && rows.isNull(at: 1) && rows.text(at: 1) == nil && rows.blob(at: 2)?.isEmpty == true)
        }
        // A statement that stopped in the middle holds no lock.
        try database.withStatement(sql, [1]) { (rows) throws(QueryError) in _ = try rows.step() }
        try database.execute("ALTER TABLE t ADD c; DROP TABLE t")
        #expect(error { _ = try found(1) }?.code == .store)
        for number in 0..<100 {
            try database.withStatement("SELECT \(number)") { (rows) throws(QueryError) in _ = try rows.step() }
        }
        var other: SQLiteDatabase? = try .inMemory()
        let left = try other?.prepare("SELECT 7")
        other = nil
        #expect(try left?.step() == true && left?.int(at: 0) == 7)
    }

    @Test func busy() throws {
        try withFile { path in
            let holder = try SQLiteDatabase(path: path, isReadOnly: false)
            let writer = try SQLiteDatabase(path: path, isReadOnly: false)
            try writer.execute("PRAGMA busy_timeout = 20")
            try holder.execute("BEGIN IMMEDIATE; INSERT INTO old VALUES (4, 'w')")
            for isNew in [false, true] {
                let failure = try #require(error { try store(5, isNew, writer) })
                #expect(failure.code == .store && failure.message.contains("locked"), "\(failure)")
                #expect(failure.hint == "another connection is writing; try again")
            }
            // A reader sees the previous contents.
            #expect(try Query().rows(in: writer, from: "old").count == 3)
            try holder.execute("ROLLBACK; BEGIN EXCLUSIVE")
            let reading = try #require(error { _ = try Query().rows(in: writer, from: "old") })
            #expect(reading.code == .store && reading.hint != nil, "\(reading)")
            try holder.execute("ROLLBACK")
            try expectAsBefore(path)
            try append(5, to: writer)
            #expect(try Query().rows(in: holder, from: "old").count == 8)
        }
    }

    @Test func readOnly() throws {
        try withFile { path in
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let reader = try SQLiteDatabase(path: path)
            for isNew in [false, true] {
                let failure = error { try store(1, isNew, reader) }
                #expect(failure?.code == .store && failure?.message.contains("readonly") == true, "\(failure as Any)")
                #expect(failure?.hint?.isEmpty == false)
            }
            #expect(try Query().rows(in: reader, from: "old").count == 3, "the connection is still of use")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test func fileInAFile() throws {
        try withFile { path in
            let failure = error { _ = try SQLiteDatabase(path: path + "/none", isReadOnly: false).tableNames() }
            #expect(failure?.code == .store)
        }
    }

    /// With a page limit SQLite reports the same as on a full disk.
    @Test func full() throws {
        try withFile { path in
            let database = try SQLiteDatabase(path: path, isReadOnly: false)
            try database.execute("PRAGMA max_page_count = 40")
            for isNew in [false, true] {
                let failure = try #require(error { try store(20_000, isNew, database) })
                #expect(failure.code == .store && failure.message.contains("full"), "\(failure)")
                #expect(failure.hint?.isEmpty == false)
                try expectAsBefore(path)
            }
            // Inside the caller's transaction the caller's own rows stay.
            try database.execute("BEGIN; INSERT INTO old VALUES (4, 'w')")
            #expect(throws: QueryError.self) { try append(20_000, to: database) }
            #expect(try Query().rows(in: database, from: "old").count <= 4)
            try database.execute("PRAGMA max_page_count = 4000")
            // A full disk may end the transaction itself.
            try? database.execute("ROLLBACK")
            try append(2, to: database)
            #expect(try Query().rows(in: database, from: "old").count == 5)
        }
    }

    @Test func notADatabase() throws {
        try withFile { path in
            for bytes in [Data("SQLite format 3\0 and then no more".utf8), Data(repeating: 7, count: 9_000)] {
                let other = path + ".other"
                try bytes.write(to: URL(fileURLWithPath: other))
                let failure = error { _ = try Query().rows(in: SQLiteDatabase(path: other), from: "old") }
                #expect(failure?.code == .store, "\(bytes.count)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == bytes)
            }
            // A file without its last page is detected; SQLite itself treats a page truncated in the middle as one with
            // zeros.
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for count in stride(from: 0, to: whole.count, by: 512) {
                let other = path + ".cut\(count)"
                try whole.prefix(count).write(to: URL(fileURLWithPath: other))
                let failure = error { _ = try Query().rows(in: SQLiteDatabase(path: other), from: "old") }
                let isCutInLastPage = whole.count - count < 4096
                #expect(failure.map { $0.code == .store } ?? isCutInLastPage, "\(count)")
            }
        }
    }
}
