import PredicateQL
import QueryValues
import StoreModel

/// The collections of a database, as the last commit left them.
final class Collections: Sendable {
    private struct State {
        var known: [Collection.Key: Collection] = [:]
        /// Made by the group that is open; known to nobody else before its commit.
        var made: [Collection.Key: Collection] = [:]
    }

    private let state = Mutex(State())
    let configuration: ServiceConfiguration

    init(_ configuration: ServiceConfiguration) {
        self.configuration = configuration
    }

    /// A collection; nil if nothing was ever written to it.
    subscript(key: Collection.Key) -> Collection? {
        state.withLock { $0.known[key] }
    }

    /// All collections.
    var all: [Collection] { state.withLock { Array($0.known.values) } }

    /// The number of an app's collections.
    func count(of app: String) -> Int { state.withLock { $0.known.keys.count { $0.app == app } } }

    /// The collections of the group that was committed are known from now on.
    func publish() {
        state.withLock { state in
            for (key, collection) in state.made { state.known[key] = collection }
            state.made = [:]
        }
    }

    /// The collections of the group that was rolled back do not exist.
    func forget() {
        state.withLock { $0.made = [:] }
    }

    /// A collection within a group; it is made if it does not exist.
    ///
    /// - Parameters:
    ///   - key: the app and the name.
    ///   - group: the open group.
    ///   - makesIt: whether to make it.
    /// - Returns: the collection; nil if there is none.
    /// - Throws: `QueryError` if the store fails.
    func collection(
        _ key: Collection.Key,
        in group: WriteGroup,
        makesIt: Bool
    ) throws(QueryError) -> Collection? {
        if let known = state.withLock({ $0.known[key] ?? $0.made[key] }) { return known }
        guard makesIt else { return nil }
        // Whom an entity is shared with is a list in many.
        let lists = KnownLists(json: #"["_acl.r","_acl.w"]"#)
        let rights = configuration.rights(of: key.name)
        let keepsHistory = configuration.deltas.includes(key.name)
        try group.connection.run(
            "INSERT INTO collection (app, name, tick, historyFrom, keepsHistory, rights, lists) VALUES (?, ?, 0, 0, ?, ?, ?)",
            [
                .string(key.app), .string(key.name), .int(keepsHistory ? 1 : 0), .string(rights.rawValue),
                .string(lists.json),
            ]
        )
        let number = try group.connection.int("SELECT last_insert_rowid()")
        let made = Collection(number: number, key: key, rights: rights, keepsHistory: keepsHistory, lists: lists)
        try group.connection.database.execute(
            """
            CREATE TABLE \(made.table) (id TEXT PRIMARY KEY NOT NULL, tick INTEGER NOT NULL, doc TEXT NOT NULL);
            CREATE TABLE \(made.history) (id TEXT, tick INTEGER, prev TEXT, PRIMARY KEY (id, tick)) WITHOUT ROWID;
            CREATE INDEX \(made.history)_tick ON \(made.history) (tick);
            """
        )
        try makeIndexes(of: made, group.connection)
        state.withLock { $0.made[key] = made }
        return made
    }

    /// Reads the collections of a database, and brings their rights and histories to the configuration.
    ///
    /// - Parameter connection: the open database.
    /// - Throws: `QueryError` if the store fails.
    func load(_ connection: Connection) throws(QueryError) {
        let rows = try connection.database.rows("SELECT * FROM collection")
        let shared = try connection.sharing(rows.compactMap { if case .int(let n)? = $0["n"] { n } else { nil } })
        for row in rows {
            guard case .int(let number)? = row["n"], case .string(let app)? = row["app"],
                case .string(let name)? = row["name"], case .string(let lists)? = row["lists"]
            else { throw QueryError(.store, "the table collection has an unknown form") }
            let rights = configuration.rights(of: name)
            let keepsHistory = configuration.deltas.includes(name)
            let isChanged =
                row["rights"] != .string(rights.rawValue) || row["keepsHistory"] != .int(keepsHistory ? 1 : 0)
            if isChanged {
                // What a client knows from before says nothing about what it may see now.
                try connection.run(
                    "UPDATE collection SET rights = ?, keepsHistory = ?, historyFrom = tick WHERE n = ?",
                    [.string(rights.rawValue), .int(keepsHistory ? 1 : 0), .int(number)]
                )
                try connection.run("DELETE FROM h\(number)")
            }
            let collection = Collection(
                number: number,
                key: .init(app: app, name: name),
                rights: rights,
                keepsHistory: keepsHistory,
                lists: KnownLists(json: lists),
                hasShares: shared.contains(number)
            )
            try makeIndexes(of: collection, connection)
            state.withLock { $0.known[collection.key] = collection }
        }
    }

    /// Makes the indexes of every collection, and those that the configuration names.
    private func makeIndexes(of collection: Collection, _ connection: Connection) throws(QueryError) {
        var queries = ["-_kmd.lmt", "-_kmd.ect"].map { IndexKeys($0).query() }
        if collection.rights == .private { queries.append(Access.ownEntities) }
        queries += (configuration.indexes[collection.key.name] ?? []).map { IndexKeys($0).query() }
        for query in queries {
            for statement in collection.newIndexes(for: query) ?? [] { try connection.database.execute(statement) }
        }
    }
}

extension ServiceConfiguration {
    /// The rights of a collection.
    func rights(of collection: String) -> CollectionRights { rightsOfCollections[collection] ?? rights }
}
