import PredicateQL
import PredicateQLSQLite

/// Local answers: the core over the rows.
extension Cache {
    /// The table of a collection.
    private static func table(_ collection: Int64) -> SQLTable {
        SQLTable("e\(collection)", storage: .document(column: "doc", key: "id"), primaryKey: "id")
    }

    /// Calls a closure with each entity that a query finds, as JSON text that is valid during the call.
    ///
    /// Entities that the order does not tell apart come by their ids, as from the service.
    func forEach(
        _ query: Query,
        in collection: Int64,
        now: Int64,
        _ body: (UnsafeBufferPointer<UInt8>) throws(QueryError) -> Void
    ) throws(QueryError) {
        var query = query
        // Ties are broken where a part of the rows is asked for (S22).
        if !query.order.isEmpty, query.limit == nil { query.limit = .max }
        let statement: JSONStatement
        do throws(QueryError) {
            statement = try self.statement(query, in: collection, now: now)
        } catch  where error.code == .unsupported {
            // What SQLite cannot say is answered in memory.
            try makeIndexes(for: query, in: collection)
            for row in try query.results(in: database, from: Self.table(collection), now: now) {
                var json: [UInt8] = []
                JSONWriter().write(.object(row), to: &json)
                try json.withUnsafeBufferPointer { (text) throws(QueryError) in try body(text) }
            }
            return
        }
        try makeIndexes(for: query, statement.sql, in: collection)
        try statement.forEach(in: database) { (text) throws(QueryError) in
            try body(text.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The statement of a query; apps ask the same again and again.
    private func statement(_ query: Query, in collection: Int64, now: Int64) throws(QueryError) -> JSONStatement {
        let key = LocalQuery(query: query, collection: collection)
        if let known = statements[key] { return known }
        let made = try query.jsonStatement(
            in: database,
            from: Self.table(collection),
            now: now
        )
        if made.sql.utf8.count <= 4_096, !made.isVolatile {
            if statements.count == 64 { statements = [:] }
            statements[key] = made
        }
        return made
    }

    /// The number of entities that a query finds.
    func count(_ query: Query, in collection: Int64, now: Int64) throws(QueryError) -> Int {
        try query.count(in: database, from: Self.table(collection), now: now)
    }

    /// Groups of the entities.
    func groups(_ grouping: Grouping, in collection: Int64, now: Int64) throws(QueryError) -> [Document] {
        try grouping.results(in: database, from: Self.table(collection), now: now)
    }

    /// Throws what the cache throws for groups, whatever its rows.
    static func check(_ grouping: Grouping, now: Int64) throws(QueryError) {
        var none = grouping
        none.query.condition = .constant(false)
        let empty = try SQLiteDatabase(path: ":memory:", isReadOnly: false)
        try empty.execute("CREATE TABLE e0 (id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)")
        _ = try none.results(in: empty, from: table(0), now: now)
    }

    /// True if a query finds a row that was last confirmed before an instant.
    func hasStale(_ query: Query, in collection: Int64, before instant: Int64, now: Int64) throws(QueryError) -> Bool {
        let whole = query.tracked
        if try freshCheckpoints(of: collection, instant).contains(where: { $0.query == whole }) { return false }
        let matcher = try Matcher(Query(query.condition, nilMeaning: query.nilMeaning, schema: query.schema), now: now)
        var isStale = false
        try forEach("SELECT doc, seen, at FROM e\(collection) WHERE at < ? AND seen > 0", [.int(instant)]) {
            (row) throws(QueryError) in
            guard !isStale, let json = row.bytes(at: 0), try matcher.matches(json: json) else { return }
            let row = CachedRow(json: json, seen: row.int(at: 1), at: row.int(at: 2))
            isStale = try self.isStale(row, in: collection, before: instant, now: now)
        }
        return isStale
    }

    /// True if a row was last confirmed before an instant, by itself or by a pull of a query that finds it.
    func isStale(
        _ row: CachedRow,
        in collection: Int64,
        before instant: Int64,
        now: Int64
    ) throws(QueryError) -> Bool {
        guard row.seen > 0, row.at < instant else { return false }
        for checkpoint in try freshCheckpoints(of: collection, instant)
        where try finds(checkpoint, in: collection, row.json, now: now) {
            return false
        }
        return true
    }

    /// The tracked queries whose last pull is complete and not older than an instant: it confirmed what they find, even
    /// rows that it did not send.
    private func freshCheckpoints(of collection: Int64, _ instant: Int64) throws(QueryError) -> [Checkpoint] {
        try checkpoints(of: collection).filter { $0.tick != nil && $0.cursor == nil && $0.at >= instant }
    }

    /// Makes the indexes that queries of this form, with whatever values, want often over many rows.
    ///
    /// Those of a statement, which is without its values, are looked for once.
    func makeIndexes(for query: Query, _ statement: String? = nil, in collection: Int64) throws(QueryError) {
        guard try int("SELECT max(rowid) FROM e\(collection)") > 1_000 else { return }
        if let statement, let known = suggested[statement] { return known.forEach(want) }
        let indexes = try? query.suggestedIndexes(.sqlite, from: Self.table(collection))
        if suggested.count > 1_000 { suggested = [:] }
        if let statement { suggested[statement] = indexes ?? [] }
        indexes?.forEach(want)
    }

    // MARK: Removal

    /// The rows missing from a result: they match the query, have no pending change, and were last seen before it.
    func leftOver(_ query: Query, in collection: Int64, before tick: Int64, now: Int64) throws(QueryError) -> [String] {
        var ids: [String] = []
        let sql = """
            SELECT id, doc FROM e\(collection) WHERE seen < ?
            AND id NOT IN (SELECT id FROM outbox WHERE n = ?)
            """
        let matcher = try Matcher(query, now: now)
        try forEach(sql, [.int(tick), .int(collection)]) { (row) throws(QueryError) in
            guard let json = row.text(at: 1), let id = row.string(at: 0) else { return }
            if (try? matcher.matches(json: json)) ?? false { ids.append(id) }
        }
        return ids
    }

    /// Takes out rows of which an answer was silent: unknown from now on, not gone.
    ///
    /// What stays behind is a floor just under the answer's tick, so that a fact of that tick is taken.
    func forgetRows(_ ids: [String], in collection: Int64, before tick: Int64, now: Int64) throws(QueryError) {
        for id in ids {
            try put(collection, id, nil, seen: 0, now: now)
            try setGone(collection, id, tick - (switchedOff.contains(.forgottenIsNotGone) ? 0 : 1), now: now)
        }
    }

    /// Takes out rows and what is known of queries: of the rows that a query finds, or of all and the outbox too.
    ///
    /// - Returns: the number of rows.
    func clear(_ query: Query?, in collection: Int64, now: Int64) throws(QueryError) -> Int {
        try transaction { () throws(QueryError) in
            try forget(collection)
            guard let query else {
                let count = try int("SELECT count(*) FROM e\(collection)")
                try run("DELETE FROM e\(collection)")
                try run("DELETE FROM outbox WHERE n = ?", [.int(collection)])
                try run("DELETE FROM gone WHERE n = ?", [.int(collection)])
                return Int(count)
            }
            var ids: [String] = []
            let matcher = try Matcher(query, now: now)
            try forEach("SELECT id, doc FROM e\(collection)") { (row) throws(QueryError) in
                guard let id = row.string(at: 0), let json = row.text(at: 1) else { return }
                if try matcher.matches(json: json) { ids.append(id) }
            }
            for id in ids {
                try put(collection, id, nil, seen: 0, now: now)
                try removeEntry(collection, id)
            }
            return ids.count
        }
    }
}

/// A query of a collection.
struct LocalQuery: Hashable {
    var query: Query
    var collection: Int64

    /// Hashes what the queries of an app differ in.
    func hash(into hasher: inout Hasher) {
        hasher.combine(query.condition)
        hasher.combine(query.order)
        hasher.combine(query.limit)
        hasher.combine(collection)
    }
}

extension Query {
    /// The query as a checkpoint keeps it: its tree, with the schema if it has one.
    func cached() throws(QueryError) -> String {
        let tree = try jsonTree
        guard let schema else { return JSONWriter(style: .canonical).text(tree) }
        return JSONWriter(style: .canonical).text(.object(["pql": tree, "schema": schema.jsonSchema]))
    }

    /// Reads ``cached()``.
    init(cached json: [UInt8]) throws(QueryError) {
        var limits = Limits.default
        // Each level of a tree takes two of its JSON.
        limits.jsonDepth += limits.treeHeight * 2 + 8
        var reader = JSONReader(mode: .extendedUnder(["pql"]), limits: limits)
        let value = try json.withUnsafeBufferPointer { (text) throws(QueryError) in try reader.read(text) }
        guard case .object(let members) = value, let tree = members["pql"] else {
            try self.init(jsonTree: String(decoding: json, as: UTF8.self))
            return
        }
        let schema = try members["schema"].map { (value) throws(QueryError) in try Schema(jsonSchema: value) }
        try self.init(jsonTree: tree, schema: schema)
    }

    /// The query without order, fields, skip and limit: what a pull tracks.
    ///
    /// A query of all entities is the same whatever the schema, which may change with the app.
    var tracked: Query {
        condition == .constant(true) ? Query() : Query(condition, nilMeaning: nilMeaning, schema: schema)
    }
}
