import PredicateQL
import QueryValues
import StoreModel

extension Connection {
    /// The session of a token's digest.
    func session(_ digest: [UInt8]) throws(ServiceFault) -> (app: String, user: String, used: Int64)? {
        var found: (app: String, user: String, used: Int64)?
        try faults { () throws(QueryError) in
            try forEach("SELECT app, user, used FROM session WHERE tokenHash = ?", [.data(digest)]) { row in
                if let app = row.string(at: 0), let user = row.string(at: 1) { found = (app, user, row.int(at: 2)) }
                return false
            }
        }
        return found
    }

    func addSession(_ digest: [UInt8], _ app: String, _ user: String, at now: Int64) throws(QueryError) {
        try run(
            "INSERT INTO session (tokenHash, app, user, made, used) VALUES (?, ?, ?, ?, ?)",
            [.data(digest), .string(app), .string(user), .int(now), .int(now)]
        )
    }

    /// Adds a user; the texts are its app, id, name and document.
    func addUser(_ texts: [String], _ salt: [UInt8], _ hash: [UInt8]) throws(QueryError) {
        let sql = "INSERT INTO user (app, id, username, doc, salt, hash) VALUES (?, ?, ?, ?, ?, ?)"
        try run(sql, texts.map(QueryValue.string) + [.data(salt), .data(hash)])
    }

    func endSessions(of user: String, _ app: String) throws(QueryError) {
        try run("DELETE FROM session WHERE app = ? AND user = ?", [.string(app), .string(user)])
    }

    func user(named username: String, of app: String) throws(QueryError) -> User? {
        try user("username", username, app)
    }

    func user(_ id: String, of app: String) throws(QueryError) -> User? {
        try user("id", id, app)
    }

    private func user(_ column: String, _ value: String, _ app: String) throws(QueryError) -> User? {
        var found: User?
        try forEach(
            "SELECT id, username, salt, hash, doc FROM user WHERE app = ? AND \(column) = ?",
            [.string(app), .string(value)]
        ) { (row) throws(QueryError) in
            guard let id = row.string(at: 0), let username = row.string(at: 1), let json = row.string(at: 4),
                case .object(let document) = try QueryValue(json: json)
            else { return false }
            found = User(
                id: id,
                username: username,
                salt: row.blob(at: 2).map { Array($0) } ?? [],
                hash: row.blob(at: 3).map { Array($0) } ?? [],
                document: document
            )
            return false
        }
        return found
    }
}
