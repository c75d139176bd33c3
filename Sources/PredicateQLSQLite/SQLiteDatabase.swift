import CSQLite
import PredicateQL
import QueryValues

/// A connection to an SQLite file with the functions of ``SQLiteFunctions`` registered.
///
///     let database = try SQLiteDatabase.inMemory()
///     try database.execute("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3)")
///     try Query(format: "a > 1").rows(in: database, from: "t")  // → [{"a":2}, {"a":3}]
///
/// Closed when it is released. Use it from one thread at a time.
public final class SQLiteDatabase {
    /// The plain handle; valid while this object exists.
    public let handle: OpaquePointer
    private let isOwner: Bool
    /// The bounds of each query: `steps` and `duration` end it, even in the middle of a statement, with an error of
    /// code `tooMuchWork`.
    ///
    ///     database.limits.duration = .seconds(5)
    ///     try Query(format: "name LIKE '*o*'").count(in: database, from: "cities")  // → 3
    ///
    /// One SQLite instruction counts as a step, and they are counted by the thousand, so a statement of a few thousand
    /// is never ended. A rest that is left for memory counts against the same budget, including the bounds of regular
    /// expressions. Statements of your own, such as those of ``rows(_:_:)``, are not counted.
    public var limits = Limits.default
    /// True while a metered call is running.
    var isMetered = false
    /// Asked before each statement is prepared, and while one runs; true for a call that was cancelled.
    package var isCancelled: (() -> Bool)? { didSet { watchCancelling() } }
    /// Statements of ``withStatement(_:_:_:)`` that wait to be run again, the last used at the end.
    private var idle: [(sql: String, length: Int, statement: SQLiteStatement)] = []
    private static let mostIdle = 32
    /// Statements with a longer text are not kept.
    private static let longestIdle = 4_096

    /// Opens a file.
    ///
    ///     try SQLiteDatabase(path: "/no/such/file.sqlite")  // throws store
    ///
    /// - Parameters:
    ///   - path: the file, or `:memory:`.
    ///   - isReadOnly: true to open an existing file for reading; false to create it if it does not exist.
    /// - Throws: `QueryError` of code `store` when the file cannot be opened or is not a database.
    public init(path: String, isReadOnly: Bool = true) throws(QueryError) {
        var handle: OpaquePointer?
        let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let error = Self.error(code, handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        isOwner = true
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 2_000)
        try SQLiteFunctions.register(on: handle)
    }

    /// A connection opened and closed elsewhere, for example by a library.
    ///
    ///     let borrowed = try SQLiteDatabase(borrowing: database.handle)
    ///     try borrowed.tableNames()  // → ["cities"]
    ///
    /// - Parameter handle: an open connection; it must stay open as long as this object exists.
    /// - Throws: `QueryError` of code `store` when SQLite rejects the functions.
    public init(borrowing handle: OpaquePointer) throws(QueryError) {
        self.handle = handle
        isOwner = false
        try SQLiteFunctions.register(on: handle)
    }

    /// A connection to a database in memory.
    ///
    ///     try SQLiteDatabase.inMemory().tableNames()  // → []
    ///
    /// - Returns: an empty database.
    /// - Throws: `QueryError` of code `store` when there is no memory.
    public static func inMemory() throws(QueryError) -> SQLiteDatabase {
        try SQLiteDatabase(path: ":memory:", isReadOnly: false)
    }

    /// A database whose file is in memory, for reading.
    ///
    /// - Parameter bytes: the content of an SQLite file.
    /// - Throws: `QueryError` of code `store` when it is not a database, or there is no memory.
    package convenience init(bytes: [UInt8]) throws(QueryError) {
        try self.init(path: ":memory:", isReadOnly: false)
        guard let copy = sqlite3_malloc64(UInt64(max(1, bytes.count))) else { throw Self.error(SQLITE_NOMEM, nil) }
        let buffer = UnsafeMutableRawBufferPointer(start: copy, count: bytes.count)
        buffer.copyBytes(from: bytes)
        // A file in WAL mode would need its log, which has no place in memory; a whole file reads the same without.
        for place in [18, 19] where bytes.count > 19 && bytes[place] == 2 { buffer[place] = 1 }
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        let count = Int64(bytes.count)
        let code = sqlite3_deserialize(handle, "main", copy.assumingMemoryBound(to: UInt8.self), count, count, flags)
        guard code == SQLITE_OK else { throw Self.error(code, handle) }
        // What is no database is noticed when it is first read.
        _ = try tableNames()
    }

    /// True if the file was removed or renamed, or another one is in its place: what is written is lost.
    package var hasMoved: Bool {
        var flag: Int32 = 0
        return sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &flag) == SQLITE_OK && flag != 0
    }

    deinit {
        if isOwner { sqlite3_close_v2(handle) }
    }

    /// Runs statements without results.
    ///
    ///     try database.execute("DELETE FROM cities WHERE state = 'MA'")
    ///     try Query().count(in: database, from: "cities")  // → 1
    ///
    /// - Parameter sql: one statement or several, separated by semicolons.
    /// - Throws: `QueryError` of code `store` with SQLite's message.
    public func execute(_ sql: String) throws(QueryError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Self.error(code, handle) }
    }

    /// Runs the body in a transaction, or in a savepoint of the open transaction; rolls back on any error.
    ///
    ///     try database.transaction { () throws(QueryError) in try database.execute("DELETE FROM cities") }
    ///     try Query().count(in: database, from: "cities")  // → 0
    ///
    /// - Parameter body: reads and writes.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, and `QueryError` of code `store` if the transaction cannot begin or commit.
    package func transaction<Result>(_ body: () throws(QueryError) -> Result) throws(QueryError) -> Result {
        let isNested = sqlite3_get_autocommit(handle) == 0
        try run(isNested ? "SAVEPOINT predicateql" : "BEGIN IMMEDIATE")
        do throws(QueryError) {
            let result = try body()
            try run(isNested ? "RELEASE predicateql" : "COMMIT")
            return result
        } catch {
            try? execute(isNested ? "ROLLBACK TO predicateql; RELEASE predicateql" : "ROLLBACK")
            throw error
        }
    }

    /// Asks ``isCancelled`` while a statement runs: an interrupt that comes before the statement's first step is lost.
    func watchCancelling() {
        guard isCancelled != nil else { return sqlite3_progress_handler(handle, 0, nil, nil) }
        // About every millisecond. The handler is removed with the closure.
        sqlite3_progress_handler(
            handle,
            100_000,
            { context in
                guard let context else { return 0 }
                let database = Unmanaged<SQLiteDatabase>.fromOpaque(context).takeUnretainedValue()
                return database.isCancelled?() == true ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Ends the statement that runs, with an error; called from another thread.
    ///
    ///     database.interrupt()
    package func interrupt() { sqlite3_interrupt(handle) }

    /// Prepares a statement and binds its values.
    ///
    ///     let statement = try database.prepare("SELECT name FROM cities WHERE population > ?", [1_000_000])
    ///     try statement.next()  // → {"name":"New York"}
    ///
    /// - Parameters:
    ///   - sql: one statement.
    ///   - bindings: a value for each `?`.
    /// - Returns: the statement, before its first row.
    /// - Throws: `QueryError` of code `store` with SQLite's message, such as a missing table or column.
    package func prepare(_ sql: String, _ bindings: [QueryValue] = []) throws(QueryError) -> SQLiteStatement {
        if isCancelled?() == true { throw Self.error(SQLITE_INTERRUPT, nil) }
        let statement = try SQLiteStatement(self, sql)
        try statement.bind(bindings)
        return statement
    }

    /// Passes a statement to a closure, prepared once for calls with the same text.
    ///
    ///     let sql = "SELECT population FROM cities WHERE name = ?"
    ///     var people: Int64 = 0
    ///     try database.withStatement(sql, ["Boston"]) { (rows) throws(QueryError) in
    ///         if try rows.step() { people = rows.int(at: 0) }
    ///     }
    ///     people  // → 653833
    ///
    /// The connection keeps the last 32 statements of up to 4,096 bytes; a call inside `body` gets a statement of its
    /// own.
    ///
    /// - Parameters:
    ///   - sql: one statement.
    ///   - bindings: a value for each `?`.
    ///   - body: gets the statement before its first row; it is reset afterwards.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, and `QueryError` of code `store` with SQLite's message.
    package func withStatement<Result>(
        _ sql: String,
        _ bindings: [QueryValue] = [],
        _ body: (SQLiteStatement) throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        let length = sql.utf8.count
        let known = idle.lastIndex { $0.length == length && Self.isSame($0.sql, sql) }
        let statement = if let known { idle.remove(at: known).statement } else { try SQLiteStatement(self, sql) }
        defer {
            statement.reset()
            if length <= Self.longestIdle {
                if idle.count == Self.mostIdle { idle.removeFirst() }
                idle.append((sql, length, statement))
            }
        }
        try statement.bind(bindings)
        return try body(statement)
    }

    /// True if two statements of one length have the same text: mostly the same literal, else compared as bytes.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let isSame = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                left.baseAddress == right.baseAddress || left.elementsEqual(right)
            }
        }
        return (isSame ?? nil) ?? left.hasSameUTF8(as: right)
    }

    /// Runs a statement without values and results, prepared once.
    private func run(_ sql: String) throws(QueryError) {
        try withStatement(sql) { (statement) throws(QueryError) in _ = try statement.step() }
    }

    /// The rows of a statement, each value by its storage class.
    ///
    ///     try database.rows("SELECT name FROM cities WHERE state = ?", ["NY"])  // → [{"name":"New York"}]
    ///
    /// - Parameters:
    ///   - sql: one statement.
    ///   - bindings: a value for each `?`.
    /// - Returns: the rows, keys named as the columns.
    /// - Throws: `QueryError` of code `store` with SQLite's message.
    public func rows(_ sql: String, _ bindings: [QueryValue] = []) throws(QueryError) -> [Document] {
        let statement = try prepare(sql, bindings)
        var rows: [Document] = []
        while let row = try statement.next() { rows.append(row) }
        return rows
    }

    /// Leaves out SQLite's counters of memory in this process, whose lock all threads share.
    ///
    /// For a process of its own that has not used SQLite yet; later it does nothing.
    package static func dropMemoryCounters() { _ = pql_sqlite_without_memory_counters() }

    /// How SQLite would run a statement: the lines of EXPLAIN QUERY PLAN.
    ///
    ///     try database.queryPlan("SELECT * FROM cities WHERE _id = ?", ["1"])[0]  // → SEARCH cities USING INDEX …
    ///
    /// - Parameters:
    ///   - sql: one statement.
    ///   - bindings: a value for each `?`.
    /// - Returns: one line per step, indented by its depth.
    /// - Throws: `QueryError` of code `store` with SQLite's message.
    package func queryPlan(_ sql: String, _ bindings: [QueryValue] = []) throws(QueryError) -> [String] {
        var depths: [Int64: Int] = [0: 0]
        return try rows("EXPLAIN QUERY PLAN " + sql, bindings).compactMap { row in
            guard case .string(let detail)? = row["detail"], case .int(let id)? = row["id"],
                case .int(let parent)? = row["parent"]
            else { return nil }
            let depth = depths[parent] ?? 0
            depths[id] = depth + 1
            return String(repeating: "  ", count: depth) + detail
        }
    }

    /// Converts SQLite's error.
    static func error(_ code: Int32, _ handle: OpaquePointer?) -> QueryError {
        let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        if let handle, sqlite3_extended_errcode(handle) == SQLiteFunctions.evaluationCode {
            return QueryError(.evaluation, message)
        }
        var hint: String?
        if message.hasPrefix("no such function") {
            hint = "register the functions with SQLiteFunctions.register(on:)"
        } else if message.hasPrefix("malformed JSON") {
            hint = "a row has text that is not valid JSON"
        } else if code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED {
            hint = "another connection is writing; try again"
        } else {
            hint = faultHint(code)
        }
        var error = QueryError(.store, "SQLite: " + message, hint: hint)
        error.sqliteCode = code
        return error
    }

    /// A hint for a failure of the file or its disk.
    private static func faultHint(_ code: Int32) -> String? {
        switch code & 0xFF {
        case SQLITE_NOTADB: "the file is not an SQLite database"
        case SQLITE_FULL: "free disk space so that the file can grow"
        // A writer crashed in the middle; only a connection that may write can undo what it left (the code's high byte
        // is 3).
        case SQLITE_READONLY where code >> 8 == 3: "a write was interrupted; open the file for writing once"
        case SQLITE_READONLY: "the file or its folder cannot be written"
        default: nil
        }
    }

    /// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
    static var transient: sqlite3_destructor_type? {
        unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
}
