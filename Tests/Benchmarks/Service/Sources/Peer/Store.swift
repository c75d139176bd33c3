import CPeerSQLite
import Foundation

struct StoreError: Error {
    var message: String
}

/// A connection and its prepared statements, used by one thread at a time.
final class Connection: @unchecked Sendable {
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    init(_ path: String) throws {
        guard
            sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
                == SQLITE_OK
        else { throw StoreError(message: "cannot open \(path)") }
        sqlite3_busy_timeout(handle, 2_000)
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA mmap_size = 268435456")
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw StoreError(message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// Runs a statement; `row` gets the text of each row's first column.
    func run(_ sql: String, _ values: [Value], _ row: (UnsafeBufferPointer<UInt8>) -> Void = { _ in }) throws {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (position, value) in values.enumerated() {
            let index = Int32(position + 1)
            switch value {
            case .int(let number): sqlite3_bind_int64(statement, index, number)
            case .text(let bytes):
                bytes.withUnsafeBytes { raw in
                    _ = sqlite3_bind_text(
                        statement,
                        index,
                        raw.baseAddress?.assumingMemoryBound(to: CChar.self),
                        Int32(raw.count),
                        transient
                    )
                }
            }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                row(
                    UnsafeBufferPointer(
                        start: sqlite3_column_text(statement, 0),
                        count: Int(sqlite3_column_bytes(statement, 0))
                    )
                )
            case SQLITE_DONE: return
            default: throw StoreError(message: String(cString: sqlite3_errmsg(handle)))
            }
        }
    }

    enum Value {
        case int(Int64)
        case text([UInt8])
    }

    private func prepared(_ sql: String) throws -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw StoreError(message: String(cString: sqlite3_errmsg(handle))) }
        statements[sql] = statement
        return statement
    }
}

/// Connections that wait for work, each with a thread's worth of it.
final class Pool: @unchecked Sendable {
    private let lock = NSLock()
    private var idle: [Connection] = []
    private let path: String

    init(_ path: String) { self.path = path }

    func use<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try lock.withLock { idle.popLast() } ?? Connection(path)
        defer { lock.withLock { idle.append(connection) } }
        return try body(connection)
    }
}

/// The one connection that writes.
actor Writer {
    private let connection: Connection
    private var tick: Int64 = 0

    init(_ path: String) throws {
        connection = try Connection(path)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS book (id TEXT PRIMARY KEY NOT NULL, tick INTEGER NOT NULL, doc TEXT NOT NULL);
            CREATE INDEX IF NOT EXISTS book_author ON book (json_extract(doc, '$.author'), json_extract(doc, '$.n'));
            """
        )
    }

    /// Adds documents in one transaction; each is completed with its tick.
    func insert(_ documents: [(id: String, document: (Int64) throws -> [UInt8])]) throws -> [[UInt8]] {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            tick = max(Int64(Date().timeIntervalSince1970 * 1_000), tick + 1)
            let made = try documents.map { entry in
                let bytes = try entry.document(tick)
                try connection.run(
                    "INSERT INTO book VALUES (?, ?, ?)",
                    [.text(Array(entry.id.utf8)), .int(tick), .text(bytes)]
                )
                return bytes
            }
            try connection.execute("COMMIT")
            return made
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }
}
