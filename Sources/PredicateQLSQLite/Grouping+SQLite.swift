import PredicateQL
import QueryEvaluation
import QuerySQL
import QueryTree
import QueryValues

extension Grouping {
    /// The groups of a table's rows.
    ///
    ///     let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
    ///     try byState.results(in: database, from: "cities")  // → [{"state":"MA","count":3}, {"state":"NY","count":1}]
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: one flat object per group (S23).
    /// - Throws: `QueryError` of code `store` for a missing table and what SQLite reports, and everything that `sql`
    ///   throws.
    public func results(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> [Document] {
        let plan = try StoragePlan(query.schema, database, table.sqlTable) { info in
            let columns = info.columnNames
            return !query.names(only: columns) || !readPaths.allSatisfy { $0.begins(in: columns) }
        }
        var grouping = self
        if query.schema == nil, let kinds = plan.schema { grouping = converting(by: kinds) }
        grouping.query.schema = plan.schema
        if let rows = rowsInMemory {
            return try grouping.results(of: rows, in: database, from: plan.known, now: now)
        }
        let statement = try grouping.sqlWithKinds(.sqlite, from: plan.known, now: now)
        let shape = Shape(keys: resultNames)
        let found = try database.metered { (_) throws(QueryError) in
            try database.rows(statement.sql, statement.bindings)
        }
        var rows: [Document] = []
        for row in found {
            var values: [QueryValue] = []
            for (position, name) in shape.keys.enumerated() where position + shape.keys.count < row.values.count {
                values.append(try row.values[position].ofKind(row.values[position + shape.keys.count], name))
            }
            rows.append(Document(shape: shape, values: values))
        }
        return rows
    }
}

extension Grouping {
    /// The rows that are grouped in memory, because a value needs all values of its group, for which SQLite has no
    /// aggregate; nil if SQLite groups them.
    package var rowsInMemory: Query? {
        guard reducers.contains(where: { $0.kind == .distinct || $0.kind == .median }) else { return nil }
        var rows = query
        (rows.order, rows.skip, rows.limit) = ([], nil, nil)
        return rows
    }

    /// The groups of the rows that SQL finds, computed row by row.
    private func results(
        of rows: Query,
        in database: SQLiteDatabase,
        from table: SQLTable,
        now: Int64?
    ) throws(QueryError) -> [Document] {
        let now = now ?? Query.presentInstant
        if let refused = reducers.first(where: { [.first, .last, .custom].contains($0.kind) }) {
            throw refused.unsupported
        }
        var run = try run(now: now, limits: database.limits)
        var rows = rows
        rows.schema = query.schema
        try rows.forEachRow(in: database, from: table, now: now) { (row) throws(QueryError) in
            try run.add(row)
        }
        return try run.finish()
    }
}

extension QueryValue {
    /// The value of a result column, decoded with the kind column next to it.
    package func ofKind(_ kind: QueryValue, _ name: String) throws(QueryError) -> QueryValue {
        switch (kind, self) {
        case (.string("true"), .int(let number)): .bool(number != 0)
        case (.string("array"), .string(let text)), (.string("object"), .string(let text)):
            try QueryValue(stored: text, in: name)
        default: self
        }
    }
}
