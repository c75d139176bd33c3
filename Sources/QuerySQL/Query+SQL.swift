import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension Query {
    /// The query as one SQL statement: filter, order, skip, limit and fields.
    ///
    /// Values are bound, never written as text; the statement finds exactly the rows that ``Query`` finds in memory
    /// (S6, S7).
    ///
    ///     let query = try Query(format: "state == 'MA' AND population >= 50000")
    ///     try query.sql(.sqlite, from: "cities").bindings  // → ["MA", 50000]
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table, or its name.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statement.
    /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unboundVariable`, `pipeline`,
    ///   `limit` for what the store's parser would reject, and what ``Query/checked()`` throws with a schema.
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline(computing: true)
        return try asComputing().statement(dialect, table.sqlTable, now).rows()
    }

    /// The number of rows that satisfy the condition, as one SQL statement; order and fields do not matter.
    ///
    ///     try query.sqlCount(.sqlite, from: "cities").sql  // → SELECT count(*) FROM "cities" WHERE …
    ///
    /// - Returns: the statement, which gives one row with one column.
    /// - Throws: as ``sql(_:from:now:)``, which describes the parameters.
    public func sqlCount(
        _ dialect: SQLDialect = .sqlite,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline(computing: true)
        return try statement(dialect, table.sqlTable, now).count()
    }
}

extension Query {
    /// Writes the condition: checked, without parts that no store supports, and with constants folded.
    ///
    /// An ordinary condition needs none of these steps, which take most of a translation's time.
    func writingCondition(
        over row: FieldType,
        now: Int64,
        _ write: (Condition) throws(QueryError) -> SQLText
    ) throws(QueryError) -> SQLText {
        if condition.isOrdinary(row) { return try write(condition) }
        let asked = try checkedCondition()
        return try StackRoom.run(for: asked, above: StackRoom.plainHeightOfWriters) { () throws(QueryError) in
            try asked.checkSupportedEverywhere()
            return try write(asked.foldingConstants(now: now, nilMeaning: nilMeaning))
        }
    }
}

/// The statements of a query for a store whose values tell their kind.
final class Statement: StatementBase<SQLWriter>, WriterStatement {
    /// The kinds of the fields of documents that have only one in the rows found.
    var kindsOfFields: [FieldPath: Kind] {
        storage.documentColumn == nil ? [:] : query.condition.kindsOfFields(and: storage.textFields)
    }

    func bind(_ count: Int) -> SQLText { .bind(.int(Int64(count))) }

    func sortedPieces() throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        let kinds = query.order.isEmpty ? [:] : kindsOfFields
        for (position, key) in query.order.enumerated() {
            if let node = try computed(key) {
                pieces += conditionWriter.sorting(node, isAscending: key.isAscending, key.options)
            } else {
                pieces += try conditionWriter.sorting(key, scope, kinds, in: ("order", position))
            }
        }
        return pieces
    }

    func projection(_ fields: [FieldPath], _ column: String) throws(QueryError) -> SQLText {
        if let position = query.computed.firstIndex(where: { $0.name.hasSameUTF8(as: column) }) {
            throw writer.unsupported("the fields are in the column \(column) too", at: .none)
                .ofComputedField(position)
        }
        return try conditionWriter.projection(fields, scope, column)
    }

    /// The computed fields and then their kinds, under names of their places.
    func computedWithKinds() throws(QueryError) -> [SQLText] {
        let results = try computed()
        var values: [(name: String, node: SQLNode)] = []
        var kinds: [SQLText] = []
        for (position, result) in results.enumerated() {
            values.append(("value \(position)", result.node))
            let name = try writer.dialect.quoted("kind \(position)")
            kinds.append(conditionWriter.resultKind(result.node).named(name))
        }
        return try conditionWriter.columns(of: values) + kinds
    }

    func checkShown(_ node: SQLNode, _ origin: Origin) throws(QueryError) {
        if node.isRow || !node.isShown { throw conditionWriter.ungroupable(origin) }
    }

    func groups(of grouping: Grouping, withKinds: Bool) throws(QueryError) -> SQLQuery {
        try Groups(grouping: grouping, statement: self).query(withKinds: withKinds)
    }
}
