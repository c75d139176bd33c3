import PredicateQL
import QueryEvaluation
import QuerySQL
import QuerySyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQLiteDatabase {
    /// The rows of a table that a query finds, whatever SQL can say of it.
    ///
    /// SQLite is asked for the widest part that it can say; the rest is done in memory over the rows that it gives. The
    /// answer is the evaluator's.
    ///
    ///     let query = try Query(format: "state == 'MA' AND random() < 0.1", limit: 20)
    ///     let sample = try database.fetch(query, from: "cities")
    ///
    /// - Parameters:
    ///   - query: any query; without a schema of its own it is read by the declared types of the columns.
    ///   - table: the table's name.
    ///   - storage: where the fields live, nil to ask the table.
    ///   - now: the instant of `now()` in milliseconds since 1970, nil for the present (S20).
    /// - Returns: the rows in the query's order.
    /// - Throws: `QueryError` of code `store` for a missing table and what SQLite reports, `unsupported` for what neither
    ///   SQLite nor memory can do, and the error of a row that decides (S27).
    public func fetch(
        _ query: Query,
        from table: String,
        storage: SQLStorage? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> [Document] {
        let info = try self.table(table)
        let storage = storage ?? info.storage
        let now = now ?? Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
        var query = query
        if query.schema == nil, storage.documentColumn == nil { query.schema = info.schema }
        let split = try query.split(
            for: .sqlite,
            from: table,
            storage: storage,
            primaryKey: info.primaryKey,
            now: now
        )
        guard let memory = split.memory else {
            return try query.rows(on: self, table: table, storage: storage, now: now)
        }
        var run = try memory.run(now: now)
        try split.store.forEachRow(on: self, table: table, storage: storage, now: now) { (row) throws(QueryError) in
            // A run that is full takes no more.
            _ = try run.add(row)
        }
        return run.finish()
    }
}
