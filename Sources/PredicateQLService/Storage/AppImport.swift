import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryValues
import StoreModel

extension Service {
    /// Copies an app from a folder of text files into a service's database, which is created if it does not exist.
    ///
    ///     try Service.importApp("/no/such/folder", as: "kid", into: "service.sqlite", environment)  // throws store
    ///
    /// All entities and users are added, or none. Entities keep `_id`, `_acl` and `_kmd`, users their ids and
    /// passwords. A new database gets the settings of the folder too; in an existing one new collections get their
    /// rights, and existing data does not change.
    ///
    /// - Parameters:
    ///   - folder: a folder in the form of ``exportApp(_:from:to:)``.
    ///   - app: the key of the app in the database.
    ///   - path: the database of the service, which must not be running.
    ///   - environment: the clock, and randomness for the epoch of a new database.
    /// - Returns: what was added.
    /// - Throws: `QueryError` of code `store` with the file and the line of what cannot be added, such as an id that
    ///   exists already.
    /// - Complexity: O(*n* log *n*) for *n* bytes of entities; memory for their ids.
    public static func importApp(
        _ folder: String,
        as app: String,
        into path: String,
        _ environment: ServiceEnvironment
    ) throws(QueryError) -> MovedApp {
        // A key is a part of a URL, as the name of a collection is.
        guard !app.isEmpty, EntityID.isCollection("a" + app) else {
            throw QueryError(.argument, "the key of an app takes letters, digits, - and _")
        }
        let source = try AppSource(AppFolder(folder))
        let isNew = !FileManager.default.fileExists(atPath: path)
        do throws(QueryError) {
            SQLiteDatabase.makeFile(path)
            let connection = try Connection(path: path, isReadOnly: false)
            try connection.database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            _ = try Tables.prepare(connection, environment)
            let group = try WriteGroup(connection, now: environment.now())
            do throws(QueryError) {
                var entry = try AppEntry(source, app, group)
                let moved = try entry.add()
                try group.commit()
                return moved
            } catch {
                group.rollBack()
                throw error
            }
        } catch {
            if isNew {
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            }
            throw error
        }
    }
}

/// The files of a folder that an app is read from, and what `app.json` says.
private struct AppSource {
    var folder: AppFolder
    /// The settings; nil if it has none.
    var settings: ServiceSettings?
    /// True if there is a file of users.
    var hasUsers: Bool
    /// The number of users; nil if it is unknown.
    var users: Int?
    /// The collections, in order, with the number of their entities; nil if it is unknown.
    var collections: [(name: String, count: Int?)] = []

    init(_ folder: AppFolder) throws(QueryError) {
        self.folder = folder
        guard let names = folder.names else { throw QueryError(.store, "\(folder.path) is not a readable folder") }
        hasUsers = names.contains(AppFolder.users)
        guard let bytes = FileManager.default.contents(atPath: folder.file(AppFolder.facts)) else {
            throw QueryError(
                .store,
                "\(folder.path) holds no \(AppFolder.facts)",
                hint: #"pql export writes it; for other files it is {"format": 1}"#
            )
        }
        let facts = try Self.object(Array(bytes))
        let known = ["format", "app", "users", "collections", "settings"]
        if let key = facts.keys.first(where: { !known.contains($0) }) {
            throw Self.error(
                "there is no key \(key)",
                hint: "it has \(known.joined(separator: ", ")); rights are a part of settings"
            )
        }
        guard facts["format"] == AppFolder.format else {
            throw Self.error("the format is \(facts["format"]?.json ?? "missing"), and 1 is what can be read")
        }
        switch facts["settings"] {
        case nil: break
        case .object(let said)?:
            do throws(QueryError) {
                var read = ServiceSettings()
                try read.takeKept(said)
                settings = read
            } catch {
                throw Self.error([error.path, error.message].compactMap(\.self).joined(separator: ": "))
            }
        default: throw Self.error("settings must be an object")
        }
        if let said = facts["users"] { users = try Self.count(said, "users") }
        let found = names.filter { $0.hasSuffix(AppFolder.ending) && $0 != AppFolder.users }
            .map { String($0.dropLast(AppFolder.ending.count)) }
        for name in names where name != AppFolder.facts && !name.hasSuffix(AppFolder.ending) {
            throw folder.refusal(of: name)
        }
        for name in found where !EntityID.isCollection(name) {
            throw QueryError(
                .store,
                "\(name)\(AppFolder.ending): the name of a collection takes letters, digits, - and _"
            )
        }
        switch facts["collections"] {
        case nil: collections = found.map { ($0, nil) }
        case .object(let said)?:
            for name in said.keys where !found.contains(name) {
                throw QueryError(.store, "\(folder.path) holds no \(name)\(AppFolder.ending)")
            }
            for name in found {
                guard let count = said[name] else { throw Self.error("it does not name the collection \(name)") }
                collections.append((name, try Self.count(count, "collections.\(name)")))
            }
        default: throw Self.error("collections must be an object")
        }
        guard users ?? 0 == 0 || hasUsers else {
            throw QueryError(.store, "\(folder.path) holds no \(AppFolder.users)")
        }
    }

    private static func object(_ bytes: [UInt8]) throws(QueryError) -> Document {
        do throws(QueryError) {
            if case .object(let document) = try QueryValue(json: bytes) { return document }
        } catch {
            throw Self.error(error.message)
        }
        throw Self.error("it holds no object")
    }

    private static func count(_ value: QueryValue, _ name: String) throws(QueryError) -> Int {
        guard case .int(let count) = value, count >= 0 else { throw error("\(name) must be a number of lines") }
        return Int(count)
    }

    static func error(_ message: String, hint: String? = nil) -> QueryError {
        QueryError(.store, "\(AppFolder.facts): \(message)", hint: hint)
    }
}

/// Adds an app to a database, in an open group.
private struct AppEntry {
    private let source: AppSource
    private let app: String
    private let group: WriteGroup
    private let collections: Collections
    private let limits = ServiceLimits()
    private var moved = MovedApp()

    init(_ source: AppSource, _ app: String, _ group: WriteGroup) throws(QueryError) {
        (self.source, self.app, self.group) = (source, app, group)
        let settings = try Self.settings(source, group.connection)
        try group.connection.keep(settings)
        var configuration = ServiceConfiguration(apps: [])
        configuration.settings = settings
        collections = Collections(configuration)
        try collections.load(group.connection)
    }

    /// The settings of the database, with those of collections that are new.
    private static func settings(_ source: AppSource, _ connection: Connection) throws(QueryError) -> ServiceSettings {
        let known = Set(try connection.list("SELECT name FROM collection") { $0.string(at: 0) })
        var settings = try connection.settings()
        guard let wanted = source.settings else { return settings }
        if known.isEmpty, try Tables.value("settings", connection) == nil { return wanted }
        for (name, _) in source.collections {
            let rights = wanted.rightsOfCollections[name] ?? wanted.rights
            let present = settings.rightsOfCollections[name] ?? settings.rights
            if rights != present {
                // A collection of that name, of whichever app, keeps its rights: they are one setting.
                guard settings.rightsOfCollections[name] == nil, !known.contains(name) else {
                    throw QueryError(
                        .store,
                        "the rights of \(name) are \(rights.rawValue) in \(AppFolder.facts), and \(present.rawValue) in "
                            + "the database",
                        hint: "make them the same; pql admin changes those of the database"
                    )
                }
                settings.rightsOfCollections[name] = rights
            }
            if known.contains(name) { continue }
            if wanted.deltas.includes(name), !settings.deltas.includes(name) {
                if case .named(let names) = settings.deltas {
                    settings.deltas = .named(names.union([name]))
                } else {
                    settings.deltas = .named([name])
                }
            }
            if settings.indexes[name] == nil { settings.indexes[name] = wanted.indexes[name] }
        }
        return settings
    }

    mutating func add() throws(QueryError) -> MovedApp {
        if source.hasUsers { try addUsers() }
        for (name, count) in source.collections { try addEntities(name, count) }
        return moved
    }

    private mutating func addEntities(_ name: String, _ count: Int?) throws(QueryError) {
        let key = Collection.Key(app: app, name: name)
        guard let collection = try collections.collection(key, in: group, makesIt: true) else { return }
        let access = Access(rights: collection.rights, caller: Caller(app: app, identity: .master))
        var later = 0
        let added = try forEachLine(name + AppFolder.ending, count) { (entity) throws(ServiceFault) in
            let id = try Self.id(of: entity)
            var body = try EntityBody(entity, isOwner: true)
            let times = past(body.times, &later)
            body.times = times
            guard body.members.count <= limits.entityBytes else {
                throw ServiceFault(.entityTooLarge, debug: "an entity has at most \(limits.entityBytes) bytes")
            }
            var write = EntityWrite(kind: .insert, id: id)
            write.body = body
            let done = try group.connection.faults { () throws(QueryError) in
                try group.raise(max(times.created ?? .zero, times.changed ?? .zero), of: collection)
                return try group.carryOut(write, in: collection, access)
            }
            _ = try done.get()
        }
        moved.collections[name] = added
        moved.later += later
        guard added > 0 else { return }
        // What a client knows from before says nothing about what came in.
        try group.connection.run("DELETE FROM \(collection.history)")
        try group.connection.run(
            "UPDATE collection SET historyFrom = ? WHERE n = ?",
            [.int(try group.presentTick(of: collection).rawValue), .int(collection.number)]
        )
    }

    private mutating func addUsers() throws(QueryError) {
        var later = 0
        moved.users = try forEachLine(AppFolder.users, source.users) { (body) throws(ServiceFault) in
            let id = try Self.id(of: body)
            guard User.isID(id) else { throw ServiceFault(.invalidIdentifier, debug: "no user has the _id \(id)") }
            guard case .string(let name)? = body["username"], 1...1_024 ~= name.utf8.count else {
                throw ServiceFault(.badRequest, debug: "username must be a text of 1 to 1,024 bytes")
            }
            try body.demandOwnAccess(of: id)
            let password = try Self.password(body["password"])
            let times = past(try body.times(), &later)
            let json = try User.document(body, id: id, username: name, times, at: group.now).userJSON(limits)
            try group.connection.faults { () throws(QueryError) in
                for (other, what) in [
                    (try group.connection.user(id, of: app), "_id"),
                    (try group.connection.user(named: name, of: app), "username"),
                ] where other != nil {
                    throw QueryError(.store, "a user of that \(what) already exists in this app")
                }
                try group.connection.addUser([app, id, name, json], password.salt, password.hash)
            }
        }
        moved.later += later
    }

    /// Times with now in the place of those that a clock which was ahead gave; counts where there were some.
    private func past(_ times: (created: Tick?, changed: Tick?), _ later: inout Int) -> (created: Tick?, changed: Tick?)
    {
        func past(_ time: Tick?) -> Tick? { time.map { $0 > .latest(at: group.now) ? Tick(rawValue: group.now) : $0 } }
        let past = (created: past(times.created), changed: past(times.changed))
        if past != times { later += 1 }
        return past
    }

    /// The id of an entity or a user, with what makes one of what other programs write.
    private static func id(of object: Document) throws(ServiceFault) -> String {
        let fault: String
        switch object["_id"] {
        case .string(let id)?:
            if EntityID.isValid(id) { return id }
            fault = "the _id \(QueryValue.string(id).json) is not allowed"
        case nil, .null?: fault = "the _id is missing; jq -c '{_id: \"\\(input_line_number)\"} + .' gives each line one"
        case .int?, .double?: fault = "the _id is a number and must be a text: jq -c '._id |= tostring'"
        case .object(let inner)? where inner.keys == ["$oid"]:
            fault = "the _id is an object and must be a text: jq -c '._id |= .[\"$oid\"]'"
        case let other?: fault = "the _id is a \(other.kind.rawValue) and must be a text"
        }
        throw ServiceFault(.invalidIdentifier, debug: fault)
    }

    /// The hash of a user; without one the account is closed until the app's owner gives it a password.
    private static func password(_ value: QueryValue?) throws(ServiceFault) -> (salt: [UInt8], hash: [UInt8]) {
        guard let value else { return ([], []) }
        if case .object(let parts) = value, case .string(let salt)? = parts["salt"],
            case .string(let hash)? = parts["hash"], let salt = Data(base64Encoded: salt),
            let hash = Data(base64Encoded: hash), hash.isEmpty || PasswordHash(stored: Array(hash)) != nil
        {
            return (Array(salt), Array(hash))
        }
        throw ServiceFault(.badRequest, debug: "password must be an object of salt and hash, as pql export writes it")
    }

    /// Calls a closure with the object of each line; the number of the lines.
    private func forEachLine(
        _ name: String,
        _ count: Int?,
        _ body: (Document) throws(ServiceFault) -> Void
    ) throws(QueryError) -> Int {
        var lines = try FileLines(source.folder.file(name), named: name)
        var bounds = Limits.default
        bounds.jsonDepth = limits.entityDepth + 2
        var found = 0
        while let line = try lines.next() {
            if lines.number == 1, line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") {
                var error = lines.error("the line must be a JSON object")
                error.hint = "make lines of the list: pql run \(name) -o lines.ndjson && mv lines.ndjson \(name)"
                throw error
            }
            let value: QueryValue
            do throws(QueryError) {
                value = try QueryValue(json: line, limits: bounds)
            } catch {
                throw lines.error(error.message)
            }
            guard case .object(let document) = value else { throw lines.error("the line must be a JSON object") }
            do throws(ServiceFault) { try body(document) } catch { throw lines.error(error.debug) }
            found += 1
        }
        if let count, found != count {
            throw QueryError(.store, "\(name) has \(found) entries, but \(AppFolder.facts) says \(count)")
        }
        return found
    }
}
