#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite

    extension Database {
        /// Runs a body whose statements together may take a number of steps and a time.
        ///
        ///     var limits = Limits.default
        ///     limits.duration = .seconds(5)
        ///     let query = try Query(format: "name LIKE '*o*'")
        ///     try queue.read { db in try db.withLimits(limits) { try query.count(in: db, from: "cities") } }  // → 3
        ///
        /// The connection's progress handler is set during the call; GRDB has none of its own.
        ///
        /// - Parameters:
        ///   - limits: its `steps`, where one SQLite instruction is one step, and its `duration`.
        ///   - body: runs statements on this connection.
        /// - Returns: what the body returns.
        /// - Throws: `QueryError` of code `tooMuchWork` if a statement was ended, else what the body throws.
        public func withLimits<Value>(_ limits: Limits, _ body: () throws -> Value) throws -> Value {
            guard let handle = sqliteConnection else { return try body() }
            return try SQLiteMeter.run(on: handle, limits, body)
        }
    }
#endif
