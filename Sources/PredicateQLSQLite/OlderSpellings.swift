import PredicateQL
import QueryTree
import QueryValues

// The spellings of version 0.1, before `SQLTable`.

extension Query {
    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
    public func rows(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage?,
        now: Int64? = nil
    ) throws(QueryError) -> [Document] {
        try rows(in: database, from: SQLTable(table, storage: storage), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
    public func forEachRow(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage?,
        now: Int64? = nil,
        _ body: (Document) throws(QueryError) -> Void
    ) throws(QueryError) {
        try forEachRow(in: database, from: SQLTable(table, storage: storage), now: now, body)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
    public func results(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage?,
        now: Int64? = nil
    ) throws(QueryError) -> [Document] {
        try results(in: database, from: SQLTable(table, storage: storage), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
    public func count(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage?,
        now: Int64? = nil
    ) throws(QueryError) -> Int {
        try count(in: database, from: SQLTable(table, storage: storage), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
    public func exists(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage?,
        now: Int64? = nil
    ) throws(QueryError) -> Bool {
        try exists(in: database, from: SQLTable(table, storage: storage), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
    @discardableResult
    public func delete(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage?,
        now: Int64? = nil
    ) throws(QueryError) -> Int {
        try delete(in: database, from: SQLTable(table, storage: storage), now: now)
    }

    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …, primaryKey: …)")
    public func forEachJSON(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage,
        primaryKey: String? = nil,
        now: Int64? = nil,
        _ body: (UnsafeRawBufferPointer) throws(QueryError) -> Void
    ) throws(QueryError) {
        let table = SQLTable(table, storage: storage, primaryKey: primaryKey)
        try forEachJSON(in: database, from: table, now: now, body)
    }
}

extension Grouping {
    /// The spelling of version 0.1.
    @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
    public func results(
        in database: SQLiteDatabase,
        from table: String,
        storage: SQLStorage?,
        now: Int64? = nil
    ) throws(QueryError) -> [Document] {
        try results(in: database, from: SQLTable(table, storage: storage), now: now)
    }
}

#if canImport(Dispatch)
    extension SQLitePool {
        /// The spelling of version 0.1.
        @available(*, deprecated, message: "write from: SQLTable(table, storage: …)")
        public func rows(
            _ query: Query,
            from table: String,
            storage: SQLStorage?,
            now: Int64? = nil
        ) -> SQLiteRows {
            rows(query, from: SQLTable(table, storage: storage), now: now)
        }
    }
#endif
