import Foundation
import PredicateQL
import QueryValues
import StoreModel

extension Service {
    /// Copies an app from a service's database into a folder of text files; the service may keep writing.
    ///
    ///     try Service.exportApp("kid", from: "/no/such/file.sqlite", to: "kid")  // throws store
    ///
    /// The folder gets `app.json` with the settings, `_users.ndjson` with users and the hashes of their passwords, and
    /// a file for each collection with one entity per line: the state of one commit. It contains no secrets of the app,
    /// no sessions and no history. It is written beside its place and moved there once it is complete.
    ///
    /// - Parameters:
    ///   - app: the key of the app.
    ///   - path: the database of the service.
    ///   - folder: where the files go; it must not exist, or be empty.
    /// - Returns: what was written.
    /// - Throws: `QueryError` of code `store` if there is no such database or app, if the folder is not empty, or if
    ///   it cannot be written.
    /// - Complexity: O(*n*) for *n* bytes of entities; memory for one of them.
    public static func exportApp(_ app: String, from path: String, to folder: String) throws(QueryError) -> MovedApp {
        let connection = try Connection(path: path, isReadOnly: true)
        try connection.demandService(path)
        let place = AppFolder(folder)
        if FileManager.default.fileExists(atPath: place.path) {
            let held = try? FileManager.default.contentsOfDirectory(atPath: place.path)
            guard held == [] else {
                throw QueryError(.store, "\(place.path) exists already" + (held == nil ? "" : " and is not empty"))
            }
        }
        let part = AppFolder(place.path + ".part")
        guard mkdir(part.path, 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw QueryError(
                .store,
                "cannot make \(part.path): \(reason)",
                hint: "a leftover of an interrupted export can be removed"
            )
        }
        do throws(QueryError) {
            try connection.run("BEGIN")
            let moved = try connection.export(app, to: part)
            // The system replaces an empty folder, and no other.
            guard rename(part.path, place.path) == 0 else {
                throw QueryError(.store, "cannot make \(place.path): " + String(cString: strerror(errno)))
            }
            return moved
        } catch {
            try? FileManager.default.removeItem(atPath: part.path)
            throw error
        }
    }
}

extension Connection {
    /// Writes an app as this snapshot shows it.
    fileprivate func export(_ app: String, to folder: AppFolder) throws(QueryError) -> MovedApp {
        try demandApp(app)
        var moved = MovedApp(users: try exportUsers(app, to: folder.file(AppFolder.users)))
        let numbers = try list("SELECT name, n FROM collection WHERE app = ? ORDER BY name", [.string(app)]) { row in
            row.string(at: 0).map { ($0, row.int(at: 1)) }
        }
        for (name, number) in numbers {
            var file = try NewFile(folder.file(name + AppFolder.ending))
            var count = 0
            try forEach("SELECT doc FROM e\(number) ORDER BY id") { (row) throws(QueryError) in
                guard let entity = row.bytes(at: 0) else { return true }
                try file.write(entity)
                count += 1
                return true
            }
            try file.close()
            moved.collections[name] = count
        }
        let counts = numbers.map { name, _ in (name, QueryValue.int(Int64(moved.collections[name] ?? 0))) }
        let facts: Document = [
            "format": AppFolder.format, "app": .string(app), "users": .int(Int64(moved.users)),
            "collections": .object(Document(pairs: counts)), "settings": .object(try settings().document),
        ]
        var file = try NewFile(folder.file(AppFolder.facts))
        try file.write(Array(JSONWriter(isPretty: true).text(.object(facts)).utf8))
        try file.close()
        return moved
    }

    private func exportUsers(_ app: String, to path: String) throws(QueryError) -> Int {
        var file = try NewFile(path)
        var count = 0
        try forEach("SELECT doc, salt, hash FROM user WHERE app = ? ORDER BY id", [.string(app)]) {
            (row) throws(QueryError) in
            guard let json = row.string(at: 0), case .object(var user) = try QueryValue(json: json) else { return true }
            // No field of a user has this name.
            user["password"] = .object(["salt": Self.base64(row.blob(at: 1)), "hash": Self.base64(row.blob(at: 2))])
            try file.write(Array(QueryValue.object(user).json.utf8))
            count += 1
            return true
        }
        try file.close()
        return count
    }

    private static func base64(_ bytes: (some Sequence<UInt8>)?) -> QueryValue {
        .string(bytes.map { Data($0).base64EncodedString() } ?? "")
    }

    /// Refuses the key of an app that the database knows nothing of.
    private func demandApp(_ app: String) throws(QueryError) {
        let tables = ["collection", "user"].map { "SELECT app FROM \($0)" }
        let named = try database.tableNames().contains("app") ? ["SELECT key FROM app"] : []
        let keys = try list((tables + named).joined(separator: " UNION ")) { $0.string(at: 0) }
        guard !keys.contains(app) else { return }
        throw QueryError(
            .store,
            "the database has no app \(app)",
            hint: keys.isEmpty ? nil : "known: " + keys.sorted().joined(separator: ", ")
        )
    }
}
