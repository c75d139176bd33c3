import PredicateQL
import QueryValues
import StoreModel

/// An app as the database keeps it: without its secrets.
struct AppDigests: Hashable, Sendable {
    var key: String
    var secret: [UInt8]
    var master: [UInt8]
}

extension Service {
    /// Returns true if a database has an app, so that a service can be started without naming one.
    ///
    ///     Service.hasApps(path: "/no/such/file.sqlite")  // → false
    ///
    /// - Parameter path: the file.
    /// - Returns: false for a file that does not exist or has no app.
    public static func hasApps(path: String) -> Bool {
        guard let connection = try? Connection(path: path, isReadOnly: true) else { return false }
        return (try? connection.apps())?.isEmpty == false
    }
}

extension Connection {
    /// The apps given, which take the place of those of the database; without any, those of the database.
    ///
    /// - Parameters:
    ///   - given: the apps of the configuration.
    ///   - environment: makes digests.
    /// - Returns: the apps with the digests of their secrets.
    /// - Throws: `QueryError` of code `store` if the database fails.
    func apps(
        replacedBy given: [ServiceConfiguration.App],
        _ environment: ServiceEnvironment
    ) throws(QueryError) -> [AppDigests] {
        try database.transaction { () throws(QueryError) in
            try run(
                """
                CREATE TABLE IF NOT EXISTS app (
                    key TEXT PRIMARY KEY, secretHash BLOB NOT NULL, masterHash BLOB NOT NULL
                )
                """
            )
            if given.isEmpty { return try apps() }
            try run("DELETE FROM app")
            return try given.map { (app) throws(QueryError) in
                let digests = AppDigests(
                    key: app.key,
                    secret: environment.digest(Array(app.secret.utf8)),
                    master: environment.digest(Array(app.master.utf8))
                )
                try run(
                    "INSERT OR REPLACE INTO app VALUES (?, ?, ?)",
                    [.string(app.key), .data(digests.secret), .data(digests.master)]
                )
                return digests
            }
        }
    }

    fileprivate func apps() throws(QueryError) -> [AppDigests] {
        try list("SELECT key, secretHash, masterHash FROM app") { row in
            guard let key = row.string(at: 0), let secret = row.blob(at: 1), let master = row.blob(at: 2) else {
                return nil
            }
            return AppDigests(key: key, secret: Array(secret), master: Array(master))
        }
    }
}
