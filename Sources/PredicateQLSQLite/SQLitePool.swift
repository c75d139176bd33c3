#if canImport(Dispatch)
    import PredicateQL
    import QueryMeaning
    import QuerySQL
    import QueryTree
    import QueryValues

    /// Connections to one SQLite file, for the tasks of a server: several readers and one writer.
    ///
    ///     let large = try Query(format: "population > 500000", order: ["name"], fields: ["name"])
    ///     try await pool.read { database in try large.count(in: database, from: "cities") }  // → 2
    ///     var names: [Document] = []
    ///     for try await city in pool.rows(large, from: "cities") { names.append(city) }
    ///     names  // → [{"name":"Boston"}, {"name":"New York"}]
    ///
    /// SQLite's calls block, so they run on threads of the pool's own, never on those of Swift's tasks. A reader sees
    /// the file as it was when its call began, while the writer goes on (WAL). When a task is cancelled, it no longer
    /// waits for a connection, its running statement is interrupted, and the call throws `CancellationError`. The
    /// connections are closed when the pool and its last call are gone.
    public final class SQLitePool: Sendable {
        private let readers: ConnectionShelf
        /// Nil for a pool that only reads.
        private let writer: ConnectionShelf?

        /// Opens a file.
        ///
        ///     try SQLitePool(path: "/no/such/folder/file.sqlite")  // throws store
        ///     try SQLitePool(path: ":memory:")  // throws argument
        ///
        /// - Parameters:
        ///   - path: the file; it is made if it does not exist, and put into WAL mode.
        ///   - readers: the number of parallel readers, at least one; further calls wait.
        ///   - isReadOnly: true to open an existing file without changing it; ``write(_:)`` throws then.
        ///   - limits: the bounds of each query, as in ``SQLiteDatabase/limits``.
        /// - Throws: `QueryError` of code `store` if the file cannot be opened or is no database, `argument` for a path
        ///   that each connection would open for itself.
        public init(
            path: String,
            readers: Int = 4,
            isReadOnly: Bool = false,
            limits: Limits = .default
        ) throws(QueryError) {
            guard !path.isEmpty, !path.hasPrefix(":memory:") else {
                throw QueryError(.argument, "a pool needs a file", hint: "use SQLiteDatabase.inMemory()")
            }
            func connection(isReadOnly: Bool) throws(QueryError) -> PooledConnection {
                let database = try SQLiteDatabase(path: path, isReadOnly: isReadOnly)
                database.limits = limits
                return PooledConnection(database)
            }
            if isReadOnly {
                writer = nil
            } else {
                let made = try connection(isReadOnly: false)
                try made.database.execute("PRAGMA journal_mode = WAL")
                writer = ConnectionShelf([made])
            }
            var made: [PooledConnection] = []
            for _ in 0..<max(1, readers) { made.append(try connection(isReadOnly: true)) }
            // What is no database is noticed when it is first read.
            _ = try made.first?.database.rows("PRAGMA schema_version")
            self.readers = ConnectionShelf(made)
        }

        /// Reads from one snapshot of the file.
        ///
        ///     let query = try Query(format: "state == 'MA'", limit: 10)
        ///     let (rows, total) = try await pool.read { database in
        ///         (try query.results(in: database, from: "cities"), try Query().count(in: database, from: "cities"))
        ///     }
        ///     rows.count  // → 3
        ///     total  // → 4
        ///
        /// - Parameter body: runs on a thread of the pool, with an exclusive read-only connection.
        /// - Returns: what the body returns.
        /// - Throws: what the body throws, `CancellationError`, and `QueryError` of code `store`.
        public func read<Value: Sendable>(
            _ body: @escaping @Sendable (SQLiteDatabase) throws -> Value
        ) async throws -> Value {
            try await readers.run("BEGIN", body)
        }

        /// Writes in one transaction, after the writes that came before.
        ///
        ///     try await pool.write { try Query(format: "state == 'MA'").delete(in: $0, from: "cities") }  // → 3
        ///
        /// - Parameter body: runs on a thread of the pool; when it throws, or the task is cancelled, nothing is changed.
        /// - Returns: what the body returns, once it is committed.
        /// - Throws: what the body throws, `CancellationError`, and `QueryError` of code `store`, also for a pool that
        ///   only reads.
        public func write<Value: Sendable>(
            _ body: @escaping @Sendable (SQLiteDatabase) throws -> Value
        ) async throws -> Value {
            guard let writer else {
                throw QueryError(.store, "the pool only reads", hint: "open it with isReadOnly: false")
            }
            return try await writer.run("BEGIN IMMEDIATE", body)
        }

        /// The rows of a table that a query finds, read on demand.
        ///
        ///     var first: [Document] = []
        ///     for try await city in pool.rows(Query(order: ["name"], fields: ["name"]), from: "cities") {
        ///         first.append(city)
        ///         if first.count == 2 { break }
        ///     }
        ///     first  // → [{"name":"Boston"}, {"name":"New York"}]
        ///
        /// - Parameters:
        ///   - query: what to find, as in `Query.results(in:from:)`.
        ///   - table: the table, or its name; without a storage its declarations say where fields are
        ///     stored.
        ///   - now: the instant of `now()` in milliseconds since 1970; nil for the time of the first row (S20).
        /// - Returns: the rows in the query's order.
        public func rows(
            _ query: Query,
            from table: some SQLTableConvertible,
            now: Int64? = nil
        ) -> SQLiteRows {
            SQLiteRows(readers: readers, query: query, table: table.sqlTable, now: now)
        }
    }

    /// The rows of a query, read from an ``SQLitePool`` in pieces of 64.
    ///
    ///     let rows = try pool.rows(Query(format: "state == 'NY'", fields: ["name"]), from: "cities")
    ///     try await rows.first { _ in true }  // → {"name":"New York"}
    ///
    /// Each pass takes a connection of the pool when its first row is asked for and gives it back after the last row,
    /// after an error, or when the loop is left; a pass that pauses keeps its connection, and the snapshot that it reads.
    /// The limits of the pool hold for the whole pass. A part of the query that SQL does not support is answered in
    /// memory first.
    public struct SQLiteRows: AsyncSequence, Sendable {
        /// A row with the query's fields.
        public typealias Element = Document
        /// `QueryError` as in `Query.results(in:from:)`, or `CancellationError`.
        public typealias Failure = any Error

        let readers: ConnectionShelf
        let query: Query
        let table: SQLTable
        let now: Int64?

        /// Iterates over the rows.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let rows: SQLiteRows
            private var pass: ConnectionPass?
            /// The rows that were read, the next one last.
            private var read: [Document] = []
            private var isDone = false

            fileprivate init(_ rows: SQLiteRows) { self.rows = rows }

            /// The next row, or nil after the last and after an error.
            ///
            /// - Throws: as the sequence.
            public mutating func next() async throws -> Document? {
                if let row = read.popLast() { return row }
                if isDone { return nil }
                do {
                    let pass = if let pass { pass } else { ConnectionPass(rows, try await rows.readers.take()) }
                    self.pass = pass
                    (read, isDone) = try await pass.read()
                } catch {
                    isDone = true
                    pass = nil
                    throw error
                }
                if isDone { pass = nil }
                return read.popLast()
            }
        }

        /// Begins a pass.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }

    /// One pass over the rows of a query, on a connection that it gives back in the end.
    private final class ConnectionPass: @unchecked Sendable {
        private static let most = 64

        private let rows: SQLiteRows
        private let connection: PooledConnection
        /// Used on the connection's thread; nil before the first rows.
        private var cursor: RowCursor?
        private var meter: SQLiteMeter?

        init(_ rows: SQLiteRows, _ connection: PooledConnection) {
            (self.rows, self.connection) = (rows, connection)
        }

        deinit {
            // The statement ends before another pass gets the connection.
            cursor = nil
            rows.readers.give(connection)
        }

        /// The next rows in reverse, and whether they are the last.
        func read() async throws -> ([Document], isLast: Bool) {
            try await connection.run { [self] database in
                guard let cursor = try cursor ?? begin(database) else {
                    let (query, table) = (rows.query, rows.table)
                    let all = try query.results(in: database, from: table, now: rows.now)
                    return (all.reversed(), true)
                }
                self.cursor = cursor
                let found =
                    try meter.map { (meter) throws(QueryError) in
                        try meter.run { () throws(QueryError) in try Self.rows(of: cursor) }
                    } ?? Self.rows(of: cursor)
                return (found.reversed(), found.count < Self.most)
            }
        }

        /// Begins the statement; nil if a part of the query is left for memory.
        private func begin(_ database: SQLiteDatabase) throws(QueryError) -> RowCursor? {
            let (query, now) = (rows.query, rows.now ?? Query.presentInstant)
            let plan = try StoragePlan(query, database, rows.table)
            let split = try plan.completed(query).split(
                for: .sqlite,
                from: plan.known,
                now: now
            )
            if split.memory != nil { return nil }
            meter = SQLiteMeter(database.limits, database.handle)
            return try query.cursor(in: database, plan, now: now)
        }

        private static func rows(of cursor: RowCursor) throws(QueryError) -> [Document] {
            var found: [Document] = []
            while found.count < most, let row = try cursor.next() { found.append(row) }
            return found
        }
    }
#endif
