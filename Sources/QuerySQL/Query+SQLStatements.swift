import QueryTree
import QueryValues

extension Query {
    /// Whether the query finds a row, as one SQL statement; order and fields do not matter.
    ///
    ///     try query.sqlExists(.sqlite, from: "cities").sql  // → SELECT EXISTS (SELECT 1 FROM "cities" WHERE …)
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table's name.
    ///   - storage: where the fields are stored.
    ///   - primaryKey: the column that identifies rows; nil for the schema's, else the row number.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statement, which gives one row with one column, 1 or 0.
    /// - Throws: as ``sql(_:from:storage:primaryKey:now:)``.
    public func sqlExists(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage = .columns,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline()
        if let forms = dialect.typed {
            return try TypedStatement(self, forms, dialect, table, storage, primaryKey, now).exists()
        }
        let statement = try Statement(self, dialect, table, storage, primaryKey, now)
        var inner = try statement.query(select: SQLText("1"), tail: nil, skip: skip, limit: limit)
        inner.sql = "SELECT EXISTS (" + inner.sql + ")"
        return inner
    }

    /// The deletion of the rows that the query finds, as one SQL statement.
    ///
    /// With a skip or limit the rows are deleted by their keys, in the query's order (S22).
    ///
    ///     try Query(format: "state == 'MA'").sqlDelete(.sqlite, from: "cities").sql  // → DELETE FROM "cities" WHERE …
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table's name.
    ///   - storage: where the fields are stored.
    ///   - primaryKey: the column that identifies rows; nil for the schema's, else the row number.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statement; it gives no rows.
    /// - Throws: as ``sql(_:from:storage:primaryKey:now:)``, and `pipeline` for a query with fields, because rows are
    ///   deleted whole.
    public func sqlDelete(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage = .columns,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline()
        if fields != nil { throw QueryError(.pipeline, "rows are deleted whole", hint: "leave out fields") }
        if let forms = dialect.typed {
            return try TypedStatement(self, forms, dialect, table, storage, primaryKey, now).deletion()
        }
        let stored = asStored(storage)
        let statement = try Statement(stored, dialect, table, storage, primaryKey, now)
        return try statement.deletion(order: stored.order, skip: skip, limit: limit)
    }
}
