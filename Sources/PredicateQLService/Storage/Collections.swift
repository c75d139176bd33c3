import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

/// The collections of a database, as the last commit left them.
final class Collections: Sendable {
    private struct State {
        var known: [Collection.Key: Collection] = [:]
        /// What the group that is open made, changed, or removed (nil); known to nobody else before its commit.
        var made: [Collection.Key: Collection?] = [:]
        var configuration: ServiceConfiguration
        /// What the group that is open brings.
        var next: ServiceConfiguration?
    }

    private let state: Mutex<State>

    init(_ configuration: ServiceConfiguration) {
        state = Mutex(State(configuration: configuration))
    }

    /// What the service offers, as the last commit left it.
    var configuration: ServiceConfiguration { state.withLock { $0.configuration } }

    /// What the group that is open finds, or leaves.
    var newestConfiguration: ServiceConfiguration { state.withLock { $0.next ?? $0.configuration } }

    /// A collection; nil if nothing was ever written to it.
    subscript(key: Collection.Key) -> Collection? {
        state.withLock { $0.known[key] }
    }

    /// All collections.
    var all: [Collection] { state.withLock { Array($0.known.values) } }

    /// The number of an app's collections.
    func count(of app: String) -> Int { state.withLock { $0.known.keys.count { $0.app == app } } }

    /// What the group that was committed made, changed or removed is so from now on.
    func publish() {
        state.withLock { state in
            for (key, collection) in state.made { state.known[key] = collection }
            if let next = state.next { state.configuration = next }
            (state.made, state.next) = ([:], nil)
        }
    }

    /// Nothing of the group that was rolled back happened.
    func forget() {
        state.withLock { ($0.made, $0.next) = ([:], nil) }
    }

    /// A collection within a group, which may make it if it does not exist; nil if there is none.
    func collection(_ key: Collection.Key, in group: WriteGroup, makesIt: Bool) throws(QueryError) -> Collection? {
        if let known = state.withLock({ $0.made[key] ?? $0.known[key] }) { return known }
        guard makesIt else { return nil }
        let configuration = newestConfiguration
        // Whom an entity is shared with is a list in many.
        let lists = KnownLists(json: #"["_acl.r","_acl.w"]"#)
        let rights = configuration.rights(of: key.name)
        let keepsHistory = configuration.deltas.includes(key.name)
        // A number is used once: who still reads a removed collection never sees another one's entities.
        let number =
            try max(group.connection.int("SELECT max(n) FROM collection"), group.connection.lastRemovedNumber()) + 1
        let end = try group.connection.end(of: key)
        try group.connection.run(
            "INSERT INTO collection (n, app, name, tick, historyFrom, keepsHistory, rights, lists) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .int(number), .string(key.app), .string(key.name), .int(end), .int(end), .int(keepsHistory ? 1 : 0),
                .string(rights.rawValue), .string(lists.json),
            ]
        )
        let made = Collection(number: number, key: key, rights: rights, keepsHistory: keepsHistory, lists: lists)
        try group.connection.database.execute(
            """
            CREATE TABLE \(made.table) (id TEXT PRIMARY KEY NOT NULL, tick INTEGER NOT NULL, doc TEXT NOT NULL);
            CREATE TABLE \(made.history) (id TEXT, tick INTEGER, prev TEXT, PRIMARY KEY (id, tick)) WITHOUT ROWID;
            CREATE INDEX \(made.history)_tick ON \(made.history) (tick);
            """
        )
        try group.connection.demandNames()
        try bringIndexes(of: made, configuration, group.connection)
        state.withLock { $0.made[key] = made }
        return made
    }

    /// Brings all collections to other settings within a group, and keeps these.
    func change(to settings: ServiceSettings, in group: WriteGroup) throws(QueryError) {
        let (configuration, known) = state.withLock { state in
            var configuration = state.next ?? state.configuration
            configuration.settings = settings
            state.next = configuration
            return (configuration, state.known.mapValues(Optional.some).merging(state.made) { $1 })
        }
        try group.connection.keep(settings)
        for (key, collection) in known {
            guard let collection else { continue }
            let rights = configuration.rights(of: key.name)
            let keepsHistory = configuration.deltas.includes(key.name)
            var changed = collection
            if rights != collection.rights || keepsHistory != collection.keepsHistory {
                changed = Collection(collection, rights: rights, keepsHistory: keepsHistory)
                try bring(changed, at: group.tick(of: collection), group.connection)
                state.withLock { $0.made[key] = changed }
            }
            try bringIndexes(of: changed, configuration, group.connection)
        }
    }

    /// Removes a collection within a group; false if there is none.
    func remove(_ key: Collection.Key, in group: WriteGroup) throws(QueryError) -> Bool {
        guard try collection(key, in: group, makesIt: false) != nil, try group.connection.remove(key) else {
            return false
        }
        state.withLock { $0.made[key] = .some(nil) }
        return true
    }

    /// Reads the collections of a database, and brings their rights and histories to the configuration.
    func load(_ connection: Connection) throws(QueryError) {
        let configuration = configuration
        try connection.demandNames()
        let rows = try connection.database.rows("SELECT * FROM collection")
        let shared = try connection.sharing(rows.compactMap { if case .int(let n)? = $0["n"] { n } else { nil } })
        for row in rows {
            guard case .int(let number)? = row["n"], case .string(let app)? = row["app"],
                case .string(let name)? = row["name"], case .string(let lists)? = row["lists"],
                case .int(let tick)? = row["tick"]
            else { throw QueryError(.store, "the table collection has an unknown form") }
            let collection = Collection(
                number: number,
                key: .init(app: app, name: name),
                rights: configuration.rights(of: name),
                keepsHistory: configuration.deltas.includes(name),
                lists: KnownLists(json: lists),
                hasShares: shared.contains(number)
            )
            let isAsKept =
                row["rights"] == .string(collection.rights.rawValue)
                && row["keepsHistory"] == .int(collection.keepsHistory ? 1 : 0)
            if !isAsKept { try bring(collection, at: Tick(rawValue: tick).next(at: 0), connection) }
            try bringIndexes(of: collection, configuration, connection)
            state.withLock { $0.known[collection.key] = collection }
        }
    }

    /// Keeps other rights, or another history, of a collection from a tick on that nobody knows yet.
    private func bring(_ collection: Collection, at tick: Tick, _ connection: Connection) throws(QueryError) {
        // What a client knows from before says nothing about what it may see now.
        try connection.run(
            "UPDATE collection SET rights = ?, keepsHistory = ?, historyFrom = ?, tick = ? WHERE n = ?",
            [
                .string(collection.rights.rawValue), .int(collection.keepsHistory ? 1 : 0), .int(tick.rawValue),
                .int(tick.rawValue), .int(collection.number),
            ]
        )
        try connection.run("DELETE FROM \(collection.history)")
    }

    /// Makes the indexes of every collection and those that the configuration names, and drops those that it named
    /// before, or that an earlier version made in another form.
    private func bringIndexes(
        of collection: Collection,
        _ configuration: ServiceConfiguration,
        _ connection: Connection
    ) throws(QueryError) {
        let lasting = collection.lastingIndexes(configuration)
        // Those of earlier versions had names that two of them could share; a query that is slow makes them again.
        let number = QueryValue.int(collection.number)
        try connection.run("DELETE FROM autoIndex WHERE n = ?1 AND name GLOB 'e' || ?1 || '_*'", [number])
        // SQLite keeps a statement from the name on.
        let surplus = try connection.list(
            "SELECT name, substr(sql, length('CREATE INDEX ') + 1) FROM sqlite_schema WHERE type = 'index' "
                + "AND tbl_name = ?1 AND name GLOB ?1 || '[_.]*' AND name NOT IN (SELECT name FROM autoIndex)",
            [.string(collection.table)]
        ) { row in
            row.string(at: 1).flatMap { definition in
                lasting.contains { $0.hasSuffix(definition) } ? nil : row.string(at: 0)
            }
        }
        for name in surplus { try connection.database.execute("DROP INDEX \(SQLiteImporter.quoted(name))") }
        for statement in lasting { try connection.database.execute(statement) }
        let automatic = try connection.list("SELECT statement FROM autoIndex WHERE n = ?", [number]) {
            $0.string(at: 0)
        }
        collection.setIndexes(Set(lasting + automatic))
    }
}

extension Connection {
    /// Refuses a database in which something else has a name that only indexes of a collection have.
    func demandNames() throws(QueryError) {
        try forEach(
            """
            SELECT s.name, c.name FROM sqlite_schema s
            JOIN collection c ON c.n = CAST(substr(s.name, 2) AS INTEGER) AND lower(s.name) GLOB 'e' || c.n || '.*'
            WHERE s.type IN ('table', 'view') OR s.type = 'index' AND s.tbl_name <> 'e' || c.n
            """
        ) { (row) throws(QueryError) in
            throw QueryError(
                .store,
                "\(row.string(at: 0) ?? "") has a name that only indexes of the collection \(row.string(at: 1) ?? "") have",
                hint: "rename it in the database"
            )
        }
    }
}

extension Collection {
    /// The indexes that every collection has, and those that the configuration names.
    func lastingIndexes(_ configuration: ServiceConfiguration) -> [String] {
        var queries = ["-_kmd.lmt", "-_kmd.ect"].map { IndexKeys($0).query() }
        if rights == .private { queries.append(Access.ownEntities) }
        queries += (configuration.indexes[key.name] ?? []).map { IndexKeys($0).query() }
        return queries.flatMap(indexes)
    }
}

extension ServiceConfiguration {
    /// The rights of a collection.
    func rights(of collection: String) -> CollectionRights { rightsOfCollections[collection] ?? rights }
}
