#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite

    extension Database {
        /// Runs a body whose statements may take so many steps and so long, all together.
        ///
        ///     var limits = Limits.default
        ///     limits.duration = .seconds(5)
        ///     let query = try Query(format: "name LIKE '*o*'")
        ///     try queue.read { db in try db.withLimits(limits) { try query.count(in: db, from: "cities") } }  // → 3
        ///
        /// The connection's progress handler is set for the time of the call; GRDB has none of its own.
        ///
        /// - Parameters:
        ///   - limits: its `steps`, of which one instruction of SQLite is one, and its `duration`.
        ///   - body: runs statements on this connection.
        /// - Returns: what the body returns.
        /// - Throws: `QueryError` of code `tooMuchWork` when a statement was ended, else what the body throws.
        public func withLimits<Value>(_ limits: Limits, _ body: () throws -> Value) throws -> Value {
            guard let handle = sqliteConnection else { return try body() }
            return try SQLiteMeter.run(on: handle, limits, body)
        }
    }
#endif
