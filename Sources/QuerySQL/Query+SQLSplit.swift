import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// The query in two parts: the widest part that the store's SQL supports, and the rest for memory.
    ///
    ///     let query = try Query(format: "state == 'MA' AND random() < 0.1", limit: 20)
    ///     let split = try query.split(for: .sqlite, from: "cities")
    ///     split.store  // → state == "MA"
    ///     split.rest  // → random() < 0.1
    ///
    /// The parts agree with the evaluator: the store's rows, filtered by the rest, are the query's rows. Skip, limit,
    /// count and fields go to the store only if there is no rest.
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table, or its name.
    ///   - now: the instant of `now()` in milliseconds since 1970, nil for the present; both halves must be given the same
    ///     (S20).
    /// - Returns: both parts.
    /// - Throws: `QueryError` of code `unsupported` if the rest would read other tables, whose rows are not in memory,
    ///   or if nothing supports the query (S25); and what ``sql(_:from:now:)`` throws for other
    ///   reasons.
    public func split(
        for dialect: SQLDialect,
        from table: some SQLTableConvertible = "t",
        now: Int64? = nil
    ) throws(QueryError) -> QuerySplit {
        try StackRoom.run(for: condition) { () throws(QueryError) in try condition.checkSupportedEverywhere() }
        let split = try split { (query) throws(QueryError) in
            _ = try query.sql(dialect, from: table, now: now)
        }
        if split.memory?.readsOtherTables == true {
            // The statement's error says what is unsupported.
            _ = try sql(dialect, from: table, now: now)
        }
        return split
    }

    /// True if a path leads into another table; memory has only the rows of one table.
    private var readsOtherTables: Bool {
        guard let schema else { return false }
        let row = FieldType.object(schema)
        func leads(_ path: FieldPath) -> Bool { row.resolve(path.keys)?.steps.contains { $0.relation != nil } ?? false }
        return ((fields ?? []) + sortedFields).contains(where: leads)
            || readingCondition.nodes.contains {
                if case .term(.field(let path, _)) = $0 { leads(path) } else { false }
            }
    }
}
