import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

/// Work that no request waits for: old rows go, indexes are made, and go where nobody uses them.
extension Service {
    /// Removes expired data: versions of a history, receipts, sessions, and automatic indexes that none of the last
    /// requests used for a week.
    ///
    /// A server calls it regularly, when load is low; each call removes at most a thousand rows of a kind.
    ///
    ///     await service.tidy()  // → false
    ///
    /// - Returns: true if more may be left.
    @discardableResult
    public func tidy() async -> Bool {
        let now = environment.now()
        let configuration = configuration
        let limits = configuration.limits
        let collections = storage.collections.all
        let histories = collections.filter(\.keepsHistory)
        let historyEnd = now - Int64(configuration.historyDays) * CivilDate.millisecondsPerDay
        let receiptEnd = now - Int64(limits.receiptDays) * CivilDate.millisecondsPerDay
        let sessionEnd = now - Int64(limits.sessionDays) * CivilDate.millisecondsPerDay
        let indexEnd = now - Self.daysOfIndex * CivilDate.millisecondsPerDay
        let mostRows: Int64 = 1_000
        let removed = try? await storage.change {
            [started, finds, committer = storage.committer] (group) throws(QueryError) in
            try committer.checkClock(group.connection)
            var isMore = false
            for collection in histories {
                let count = try group.forget(collection, before: historyEnd, most: mostRows)
                isMore = isMore || count == mostRows
            }
            for (table, keys, time, end) in [
                ("receipt", "n, id, client", "at", receiptEnd), ("session", "tokenHash", "used", sessionEnd),
            ] {
                try group.connection.run(
                    "DELETE FROM \(table) WHERE (\(keys)) IN (SELECT \(keys) FROM \(table) WHERE \(time) < ? LIMIT ?)",
                    [.int(end), .int(mostRows)]
                )
                isMore = try group.connection.int("SELECT changes()") == mostRows || isMore
            }
            // What was asked before the start is not known.
            if started < indexEnd { try group.forgetIndexes(of: collections, before: indexEnd, finds, configuration) }
            return isMore
        }
        return removed ?? false
    }

    /// Days after which an automatic index that no request used is removed.
    private static let daysOfIndex: Int64 = 7

    /// Makes the indexes that a query would use.
    func makeIndexes(for query: Query, in collection: Collection) async {
        guard let statements = collection.newIndexes(for: query) else { return }
        let now = environment.now()
        for statement in statements {
            let isMade: Void? = try? await storage.change { (group) throws(QueryError) in
                let last = try group.connection.int("SELECT max(rowid) FROM sqlite_schema")
                try group.connection.database.execute(statement)
                try group.connection.run(
                    "INSERT OR IGNORE INTO autoIndex SELECT name, ?, ?, ? FROM sqlite_schema "
                        + "WHERE rowid > ? AND type = 'index'",
                    [.int(collection.number), .string(statement), .int(now), .int(last)]
                )
            }
            environment.log(isMade == nil ? "cannot make: \(statement)" : statement)
        }
    }

    /// Tells of a query that took long, and makes its indexes where that is wanted.
    func watch(_ query: Query, in collection: Collection, by caller: Caller, _ time: Duration) async {
        guard time >= configuration.slowQuery else { return }
        if configuration.makesIndexes {
            if collection.wantsIndexes(for: query, caller) { await makeIndexes(for: query, in: collection) }
        } else if let statements = collection.newIndexes(for: query), !statements.isEmpty {
            environment.log("slow query in \(collection.key.name); it would use: " + statements.joined(separator: "; "))
        }
    }
}

extension WriteGroup {
    /// Removes automatic indexes that were made, or seen in use, before an instant and that no kept request uses.
    fileprivate func forgetIndexes(
        of collections: [Collection],
        before end: Int64,
        _ finds: PreparedFinds,
        _ configuration: ServiceConfiguration
    ) throws(QueryError) {
        for collection in collections {
            let due = try connection.list(
                "SELECT name, statement FROM autoIndex WHERE n = ? AND used < ?",
                [.int(collection.number), .int(end)]
            ) { row in row.string(at: 0).flatMap { name in row.string(at: 1).map { (name, $0) } } }
            if due.isEmpty { continue }
            // The owner may have named an index after it was made by itself.
            let lasting = collection.lastingIndexes(configuration)
            var steps: [String] = []
            for statement in finds.statements(in: collection) { steps += try statement.plan(in: connection.database) }
            for (name, statement) in due {
                // SQLite writes `SEARCH e1 USING INDEX e1_n__id (<expr>>?)`.
                let isUsed = steps.contains { ($0 + " ").contains("INDEX \(name) ") }
                if isUsed || lasting.contains(statement) {
                    try connection.run("UPDATE autoIndex SET used = ? WHERE name = ?", [.int(now), .string(name)])
                    continue
                }
                try connection.database.execute("DROP INDEX IF EXISTS \(SQLiteImporter.quoted(name))")
                try connection.run("DELETE FROM autoIndex WHERE name = ?", [.string(name)])
                collection.forgetIndex(statement)
            }
        }
    }

    /// Removes versions of a history that are older than an instant.
    ///
    /// - Returns: the number of rows removed.
    fileprivate func forget(_ collection: Collection, before end: Int64, most: Int64) throws(QueryError) -> Int64 {
        var last: Int64?
        var count: Int64 = 0
        try connection.forEach(
            "SELECT max(tick), count(*) FROM (SELECT tick FROM \(collection.history) WHERE tick < ? ORDER BY tick LIMIT ?)",
            [.int(end), .int(most)]
        ) { row in
            last = row.isNull(at: 0) ? nil : row.int(at: 0)
            count = row.int(at: 1)
            return false
        }
        guard let last else { return 0 }
        try connection.run("DELETE FROM \(collection.history) WHERE tick <= ?", [.int(last)])
        try connection.run(
            "UPDATE collection SET historyFrom = max(historyFrom, ?) WHERE n = ?",
            [.int(last), .int(collection.number)]
        )
        return count
    }
}
