import PredicateQL
import PredicateQLSQLite
import StoreModel

/// The file of one app and user: rows, pending changes, and the state of the service.
///
/// It is confined to the actor of its client; every method that writes is one transaction or runs within one.
final class Cache {
    let database: SQLiteDatabase
    private let path: String
    /// The last version of the app's entities.
    private let appVersion: Int
    /// The numbers of the collections in the names of their tables.
    private var numbers: [String: Int64] = [:]
    private var isInTransaction = false
    /// What SQLite counts of other connections' commits.
    private var fileVersion: Int64 = 0
    /// The checkpoints of each collection, as they are stored.
    var checkpoints: [Int64: [Checkpoint]] = [:]
    /// The tracked queries, compiled for an instant.
    var matchers: (now: Int64, known: [CheckpointName: Matcher]) = (.min, [:])
    /// The name of the client, as it was read; nil if another process may have changed it.
    private var clientName: String?
    /// Prepared statements of earlier queries.
    var statements: [LocalQuery: JSONStatement] = [:]
    /// Rules that a simulation leaves out.
    var switchedOff: Set<SyncRule> = []
    /// The file that this one took the place of.
    var setAside: SetAsideFile?
    /// The indexes that would help statements.
    var suggested: [String: [String]] = [:]
    /// How often each index would have helped.
    private var wanted: [String: Int] = [:]

    /// The version of the tables; a file of a later one is not touched.
    static let format: Int64 = 1

    private static let tables = """
        CREATE TABLE IF NOT EXISTS collection (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE IF NOT EXISTS gone (
            n INTEGER, id TEXT, seen INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (n, id)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS outbox (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL,
            revision INTEGER NOT NULL, number INTEGER, nonce TEXT, sentKind INTEGER, sentRevision INTEGER,
            base TEXT, baseSeen INTEGER, attempts INTEGER NOT NULL DEFAULT 0, firstAt INTEGER NOT NULL,
            lastAt INTEGER, fault TEXT, UNIQUE (n, id)
        );
        CREATE TABLE IF NOT EXISTS checkpoint (
            n INTEGER, query TEXT, tree TEXT NOT NULL, tick INTEGER, epoch TEXT, cursor TEXT, at INTEGER NOT NULL,
            PRIMARY KEY (n, query)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS client (
            id TEXT NOT NULL, nextNumber INTEGER NOT NULL, format INTEGER NOT NULL, appVersion INTEGER NOT NULL
        );
        """

    /// Opens a file, and makes the tables that are missing.
    ///
    /// - Parameters:
    ///   - path: the file; `:memory:` for a cache of this process.
    ///   - isDoubtful: whether the file is checked first.
    ///   - isFull: true if a commit waits for the disk, so that a power cut loses nothing either.
    ///   - client: 22 characters that name the client if the file is new.
    ///   - appVersion: the version of the app's entities if the file is new.
    /// - Throws: `QueryError` of code `store`.
    init(
        path: String,
        isDoubtful: Bool = false,
        isFull: Bool,
        client: String,
        appVersion: Int
    ) throws(QueryError) {
        self.path = path
        self.appVersion = appVersion
        StoreFiles.makeOwn(path)
        database = try SQLiteDatabase(path: path, isReadOnly: false)
        // Another process may have the file open.
        try database.execute("PRAGMA busy_timeout = 10000; PRAGMA temp_store = MEMORY")
        if isDoubtful, try database.isDamaged { throw QueryError(.store, "the file is damaged") }
        try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        try transaction { () throws(QueryError) in
            let names = "('collection', 'gone', 'outbox', 'checkpoint', 'client')"
            if try int("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN \(names)") < 5 {
                try database.execute(Self.tables)
            }
            if try int("SELECT count(*) FROM client") == 0 {
                let row: [QueryValue] = [.string(client), .int(Self.format), .int(Int64(appVersion))]
                try run("INSERT INTO client VALUES (?, 1, ?, ?)", row)
            }
            guard try int("SELECT format FROM client") <= Self.format else {
                throw QueryError(.store, "the cache was written by a later version of the library")
            }
            try requireKnownForm()
            try forEach("SELECT name, n FROM collection") { row in numbers[row.string(at: 0) ?? ""] = row.int(at: 1) }
        }
    }

    /// Refuses a file whose entities a later version of the app has brought to its own form.
    private func requireKnownForm() throws(QueryError) {
        let present = try int("SELECT appVersion FROM client")
        guard present > appVersion else { return }
        throw QueryError(
            .store,
            "the cache has entities of version \(present), and the app supports versions up to \(appVersion)",
            hint: "a later version of the app used this file; keep all steps in the app's migrations"
        )
    }

    // MARK: Statements

    /// Runs a closure in a transaction; an error undoes what the outermost one did.
    func transaction<Result>(_ body: () throws(QueryError) -> Result) throws(QueryError) -> Result {
        if isInTransaction { return try body() }
        if database.hasMoved {
            throw QueryError(.store, "the cache's file was removed or replaced: \(path)", hint: "make a new client")
        }
        isInTransaction = true
        defer { isInTransaction = false }
        do throws(QueryError) {
            return try database.transaction { () throws(QueryError) in
                let version = try int("PRAGMA data_version")
                // Another process wrote.
                if version != fileVersion {
                    if fileVersion != 0 { try requireKnownForm() }
                    (fileVersion, checkpoints, clientName) = (version, [:], nil)
                }
                return try body()
            }
        } catch {
            (checkpoints, clientName) = ([:], nil)
            throw error
        }
    }

    /// Calls a closure with each row of a statement, which is prepared once for each text.
    func forEach(
        _ sql: String,
        _ bindings: [QueryValue] = [],
        _ body: (SQLiteStatement) throws(QueryError) -> Void
    ) throws(QueryError) {
        try database.withStatement(sql, bindings) { (statement) throws(QueryError) in
            while try statement.step() { try body(statement) }
        }
    }

    /// Runs a statement without results.
    func run(_ sql: String, _ bindings: [QueryValue] = []) throws(QueryError) {
        try forEach(sql, bindings) { _ in }
    }

    /// The number that a statement returns; 0 without a row.
    func int(_ sql: String, _ bindings: [QueryValue] = []) throws(QueryError) -> Int64 {
        var number: Int64 = 0
        try forEach(sql, bindings) { row in number = row.int(at: 0) }
        return number
    }

    /// Makes an index the sixteenth time that it would help.
    func want(_ index: String) {
        if wanted.count > 1_000 { wanted = [:] }
        wanted[index, default: 0] += 1
        // Without it queries are slower, no more.
        if wanted[index] == 16 { try? database.execute(index) }
    }

    /// Marks the file to be checked when it is next opened, if an error indicates damage.
    func note(_ error: QueryError) {
        guard path != ":memory:", SQLiteDatabase.tellsOfDamage(error) else { return }
        StoreFiles.setDoubtful(path, true)
    }

    // MARK: Collections

    /// The number of a collection; makes its table if it is new.
    func number(of collection: String) throws(QueryError) -> Int64 {
        if let number = numbers[collection] { return number }
        let number = try transaction { () throws(QueryError) in
            try run("INSERT OR IGNORE INTO collection (name) VALUES (?)", [.string(collection)])
            let number = try int("SELECT n FROM collection WHERE name = ?", [.string(collection)])
            try database.execute(
                "CREATE TABLE IF NOT EXISTS e\(number) (id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL, seen INTEGER NOT NULL, "
                    + "at INTEGER NOT NULL)"
            )
            return number
        }
        numbers[collection] = number
        return number
    }

    /// The collections by name, those of the outbox's first changes first.
    func collectionsInOrder() throws(QueryError) -> [String] {
        var names: [String] = []
        let sql = """
            SELECT name FROM collection LEFT JOIN (SELECT n AS o, min(seq) AS first FROM outbox GROUP BY n) ON o = n
            ORDER BY first IS NULL, first, n
            """
        try forEach(sql) { row in names.append(row.string(at: 0) ?? "") }
        return names
    }

    // MARK: The client

    /// The number of the next write; it is never used again.
    func takeNumber() throws(QueryError) -> Int64 {
        try int("UPDATE client SET nextNumber = nextNumber + 1 RETURNING nextNumber - 1")
    }

    /// The name of the client.
    func client() throws(QueryError) -> String {
        if let clientName { return clientName }
        var client = ""
        try forEach("SELECT id FROM client") { row in client = row.string(at: 0) ?? "" }
        clientName = client
        return client
    }

    /// The number that the next write takes.
    func nextNumber() throws(QueryError) -> Int64 { try int("SELECT nextNumber FROM client") }

    /// Takes another name: this file is a copy of one whose client is at work.
    ///
    /// All pending changes are sent as new ones.
    func rename(to client: String) throws(QueryError) {
        clientName = nil
        try transaction { () throws(QueryError) in
            try run("UPDATE client SET id = ?, nextNumber = 1", [.string(client)])
            try run("UPDATE outbox SET number = NULL, nonce = NULL")
        }
    }
}

extension SQLiteStatement {
    /// A whole number; nil for NULL.
    func number(at column: Int) -> Int64? { isNull(at: column) ? nil : int(at: column) }
}
