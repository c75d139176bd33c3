import PredicateQL
import PredicateQLSQLite
import QueryValues
import StoreModel

/// The tables of a service's database; those of the entities are made with their collections.
enum Tables {
    /// The form of the tables; a database of a later form is not opened, so that none is written without what it keeps.
    ///
    /// Version 2 added who each entity is shared with, and what the hash of a password costs.
    static let format = "2"
    /// The forms that are read; an earlier one is brought to the present one when a service opens it.
    static let knownFormats: Set<String?> = ["1", format]

    private static let sql = """
        CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS user (
            app TEXT NOT NULL, id TEXT NOT NULL, username TEXT NOT NULL, salt BLOB NOT NULL, hash BLOB NOT NULL,
            doc TEXT NOT NULL, PRIMARY KEY (app, id), UNIQUE (app, username)
        );
        CREATE TABLE IF NOT EXISTS session (
            tokenHash BLOB PRIMARY KEY, app TEXT NOT NULL, user TEXT NOT NULL, made INTEGER NOT NULL,
            used INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS session_user ON session (app, user);
        CREATE TABLE IF NOT EXISTS collection (
            n INTEGER PRIMARY KEY, app TEXT NOT NULL, name TEXT NOT NULL, tick INTEGER NOT NULL,
            historyFrom INTEGER NOT NULL, keepsHistory INTEGER NOT NULL, rights TEXT NOT NULL, lists TEXT NOT NULL,
            UNIQUE (app, name)
        );
        CREATE TABLE IF NOT EXISTS receipt (
            n INTEGER, id TEXT, client TEXT, number INTEGER NOT NULL, nonce TEXT NOT NULL, tick INTEGER NOT NULL,
            status INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (n, id, client)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS receipt_at ON receipt (at);
        CREATE TABLE IF NOT EXISTS share (n INTEGER, who TEXT, id TEXT, PRIMARY KEY (n, who, id)) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS share_id ON share (n, id);
        CREATE TABLE IF NOT EXISTS autoIndex (
            name TEXT PRIMARY KEY, n INTEGER NOT NULL, statement TEXT NOT NULL, used INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// Makes the tables that are missing.
    ///
    /// - Returns: the epoch, which names the history of the database.
    /// - Throws: `QueryError` of code `store` for a database of another version.
    static func prepare(_ connection: Connection, _ environment: ServiceEnvironment) throws(QueryError) -> String {
        try connection.database.transaction { () throws(QueryError) in
            try connection.database.demandServicesOwn()
            try connection.database.execute(sql + "PRAGMA application_id = \(SQLiteDatabase.serviceID);")
            try connection.run("INSERT OR IGNORE INTO meta VALUES ('format', ?)", [.string(format)])
            try demandFormat(connection)
            try set("format", format, connection)
            let epoch = EntityID.text(of: environment.random(), environment.random())
            try connection.run("INSERT OR IGNORE INTO meta VALUES ('epoch', ?)", [.string(epoch)])
            return try value("epoch", connection) ?? epoch
        }
    }

    /// Refuses a database of a form that is not read.
    static func demandFormat(_ connection: Connection) throws(QueryError) {
        let present = try value("format", connection)
        if !knownFormats.contains(present) { throw SQLiteDatabase.refusal(ofFormat: present, newest: format) }
    }

    /// Keeps a text in the table meta, in place of what it has.
    static func set(_ key: String, _ value: String, _ connection: Connection) throws(QueryError) {
        try connection.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", [.string(key), .string(value)])
    }

    /// A text of the table meta.
    static func value(_ key: String, _ connection: Connection) throws(QueryError) -> String? {
        var value: String?
        try connection.forEach("SELECT value FROM meta WHERE key = ?", [.string(key)]) { row in
            value = row.string(at: 0)
            return false
        }
        return value
    }
}
