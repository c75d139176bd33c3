import PredicateQL
import QueryTree
import QueryValues
import StoreModel

/// Work that no request waits for: old rows go, indexes are made.
extension Service {
    /// Removes some of what is too old: versions of a history, receipts, sessions.
    ///
    /// A server calls it now and then, when little is going on; each call removes at most a thousand rows of a kind.
    ///
    ///     await service.tidy()  // → false
    ///
    /// - Returns: true if more may be left.
    @discardableResult
    public func tidy() async -> Bool {
        let now = environment.now()
        let limits = configuration.limits
        let histories = storage.collections.all.filter(\.keepsHistory)
        let historyEnd = now - Int64(configuration.historyDays) * CivilDate.millisecondsPerDay
        let receiptEnd = now - Int64(limits.receiptDays) * CivilDate.millisecondsPerDay
        let sessionEnd = now - Int64(limits.sessionDays) * CivilDate.millisecondsPerDay
        let mostRows: Int64 = 1_000
        let removed = try? await storage.change { (group) throws(QueryError) in
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
            return isMore
        }
        return removed ?? false
    }

    /// Makes the indexes that a query would use.
    func makeIndexes(for query: Query, in collection: Collection) async {
        guard let statements = collection.newIndexes(for: query) else { return }
        for statement in statements {
            let isMade: Void? = try? await storage.change { (group) throws(QueryError) in
                try group.connection.database.execute(statement)
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

/// The keys of an index as an option names them: paths that are compared, then signed ones that are only sorted by, such
/// as `author,-year`.
///
/// The last path that is compared may be a range of it, in its order.
struct IndexKeys {
    private let text: String

    init(_ text: String) { self.text = text }

    /// A page that would use the index.
    func query() -> Query {
        var query = Query(limit: 1)
        for part in text.split(separator: ",") {
            if part.hasPrefix("-") || part.hasPrefix("+") {
                query.order.append(SortKey(FieldPath(dotted: String(part.dropFirst())), ascending: part.hasPrefix("+")))
            } else {
                query.condition = query.condition && Field(FieldPath(dotted: String(part))) == ""
            }
        }
        return query
    }
}

extension WriteGroup {
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
