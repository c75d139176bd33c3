import PredicateQL
import QueryChecking
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
        grouping.query.schema = try plan.completed(ofRows, values: keys + reducers.compactMap(\.value)).schema
        if rowsInMemory != nil { return try grouping.resultsInMemory(database, plan, now) }
        let statement: SQLQuery
        do {
            statement = try grouping.sqlWithKinds(.sqlite, from: plan.known, now: now)
        } catch {
            // SQL finds more rows than the condition, of which memory tests the rest, or cannot compute of a row what
            // memory can.
            let split = try? grouping.ofRows.split(for: .sqlite, from: plan.known, now: now)
            let isRefused = split?.memory == nil && grouping.readsOtherTables || ofUnordered != nil
            if error.code != .unsupported || isRefused { throw error }
            return try grouping.resultsInMemory(database, plan, now)
        }
        let shape = Shape(keys: resultNames)
        let types = (keys.map(\.path) + reducers.map(\.shownPath)).map { plan.readType(of: $0, in: grouping.query) }
        let areComputed = keys.map { $0.path == nil } + reducers.map { $0.value != nil && $0.path == nil }
        let found = try database.metered { (_) throws(QueryError) in
            try database.rows(statement.sql, statement.bindings)
        }
        var rows: [Document] = []
        for row in found {
            var values: [QueryValue] = []
            for (position, name) in shape.keys.enumerated() where position + shape.keys.count < row.values.count {
                let kind = row.values[position + shape.keys.count]
                let value = try row.values[position].ofKind(kind, name, isComputed: areComputed[position])
                values.append(value.read(as: types[position]))
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
        reducers.contains { $0.kind == .distinct || $0.kind == .median } ? ofRows : nil
    }

    /// The query of the rows that are grouped.
    private var ofRows: Query {
        var rows = query
        (rows.order, rows.skip, rows.limit) = ([], nil, nil)
        return rows
    }

    /// A value that depends on the order of rows, of which a table has none, or on code; nil if there is none.
    private var ofUnordered: Reducer? { reducers.first { [.first, .last, .custom].contains($0.kind) } }

    /// True if rows of other tables are read, too.
    private var readsOtherTables: Bool { readPaths.contains { query.schema?.leadsToOtherTable($0) ?? false } }

    /// The groups of the rows that SQL finds, computed row by row.
    private func resultsInMemory(
        _ database: SQLiteDatabase,
        _ plan: StoragePlan,
        _ now: Int64?
    ) throws(QueryError) -> [Document] {
        let now = now ?? Query.presentInstant
        if let ofUnordered { throw ofUnordered.unsupported }
        var (rows, grouping) = (ofRows, self)
        grouping.query.schema = plan.read(query.schema)
        // A row does not hold those of other tables, which only SQL reads.
        if readsOtherTables { (rows.computed, grouping) = ofComputedValues }
        grouping.query.condition = .constant(true)
        var run = try grouping.run(now: now, limits: database.limits)
        if try rows.split(for: .sqlite, from: plan.known, now: now).memory == nil {
            try rows.forEachRow(in: database, from: plan.known, now: now) { (row) throws(QueryError) in
                try run.add(row)
            }
        } else {
            for row in try rows.results(in: database, from: plan.known, now: now) { try run.add(row) }
        }
        return try run.finish()
    }

    /// What SQL computes for each row, and the grouping of those values.
    private var ofComputedValues: ([ComputedField], Grouping) {
        var values: [ComputedField] = []
        func value(_ term: Term) -> FieldPath {
            values.append(ComputedField(term, as: "value \(values.count)"))
            return FieldPath(keys: ["value \(values.count - 1)"])
        }
        var grouping = self
        grouping.query.schema = nil
        grouping.keys = keys.map { GroupKey(.field(value($0.term), .none), as: $0.name) }
        grouping.reducers = reducers.map { reducer in
            let path = reducer.value.map { GroupKey(value($0.term)) }
            return Reducer(reducer.kind.operation(path) ?? reducer.operation, as: reducer.name)
        }
        return (values, grouping)
    }
}

extension Reducer {
    /// The field of which the result is one value; nil for other results.
    fileprivate var shownPath: FieldPath? {
        switch operation {
        case .min(let value), .max(let value), .first(let value), .last(let value): value.path
        case .count, .countDistinct, .sum, .average, .median, .distinct, .custom: nil
        }
    }
}

extension QueryValue {
    /// The value of a result column, decoded with the kind column next to it; a computed date or UUID is one.
    package func ofKind(
        _ kind: QueryValue,
        _ name: String,
        isComputed: Bool = false
    ) throws(QueryError) -> QueryValue {
        switch (kind, self) {
        // A BOOLEAN column may hold other numbers.
        case (.string("true"), .int(let number)): number == 0 || number == 1 ? .bool(number == 1) : self
        case (.string("array"), .string(let text)), (.string("object"), .string(let text)):
            try QueryValue(stored: text, in: name)
        case (.string(Kind.date.rawValue), .string) where isComputed: read(as: .date(.iso8601))
        case (.string(Kind.uuid.rawValue), .string) where isComputed: read(as: .uuid)
        default: self
        }
    }
}
