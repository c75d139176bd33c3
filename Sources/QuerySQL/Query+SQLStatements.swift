import QueryTree
import QueryValues

extension Query {
    /// A test whether the query finds a row, as one SQL statement; order and fields do not matter.
    ///
    ///     try query.sqlExists(.sqlite, from: "cities").sql  // → SELECT EXISTS (SELECT 1 FROM "cities" WHERE …)
    ///
    /// - Returns: the statement, which gives one row with one column, 1 or 0.
    /// - Throws: as ``sql(_:from:now:)``, which describes the parameters.
    public func sqlExists(
        _ dialect: SQLDialect = .sqlite,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline(computing: true)
        return try statement(dialect, table.sqlTable, now).exists()
    }

    /// The deletion of the rows that the query finds, as one SQL statement.
    ///
    /// With a skip or limit the rows are deleted by their keys, in the query's order (S22).
    ///
    ///     try Query(format: "state == 'MA'").sqlDelete(.sqlite, from: "cities").sql  // → DELETE FROM "cities" WHERE …
    ///
    /// - Returns: the statement; it gives no rows.
    /// - Throws: as ``sql(_:from:now:)``, which describes the parameters, and `pipeline` for a query with fields, because
    ///   rows are deleted whole.
    public func sqlDelete(
        _ dialect: SQLDialect = .sqlite,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline()
        if fields != nil { throw QueryError(.pipeline, "rows are deleted whole", hint: "leave out fields") }
        return try statement(dialect, table.sqlTable, now).deletion()
    }
}

extension Query {
    /// The rows with the named columns as they are stored, whatever the fields; in a dialect without typed columns.
    ///
    ///     try Query().sql(selecting: ["name"], .sqlite, from: SQLTable("cities")).sql
    ///     // → SELECT "cities"."name" AS "name" FROM "cities"
    ///
    /// Computed fields follow as columns of their values, and then of their kinds.
    ///
    /// `columns` are the names, at least one without computed fields, or nil to select the fields; the rest is as in
    /// ``sql(_:from:now:)``.
    package func sql(
        selecting columns: [String]?,
        _ dialect: SQLDialect,
        from table: SQLTable,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        guard let columns else { return try sql(dialect, from: table, now: now) }
        try validatePipeline(computing: true)
        let statement = try Statement(asComputing(), dialect, table, now)
        let pieces = try columns.map { (name) throws(QueryError) in
            try dialect.column(name, of: statement.table).named(dialect.quoted(name))
        }
        return try statement.rows(of: pieces + statement.computedWithKinds())
    }

    /// The statement of the rows, its `where` as text between columns of the row, which the caller names, and whether
    /// that has a SELECT inside.
    package func sqlInPieces(
        _ dialect: SQLDialect,
        from table: SQLTable
    ) throws(QueryError) -> (statement: SQLQuery, condition: [SQLPrinter.Piece], containsSelect: Bool) {
        try validatePipeline(computing: true)
        let rows = try asComputing().statement(dialect, table, nil)
        let statement = try rows.rows()
        return (statement, rows.condition(of: statement), rows.condition.containsSelect)
    }
}
