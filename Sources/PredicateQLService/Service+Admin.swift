import PredicateQL
import QueryValues
import StoreModel

/// What an app's owner sees and changes while the service runs.
extension Service {
    /// GET of the settings and the app's collections; after a change with what it opened or deleted.
    func describe(_ exchange: Exchange, loosened: [String] = []) async throws(ServiceFault) -> WireResponse {
        try demandOwner(exchange)
        let settings = configuration.settings
        let facts = try await storage.read(for: exchange.sender) { (connection) throws(ServiceFault) in
            try connection.faults { () throws(QueryError) in try connection.collections(of: exchange.caller.app) }
        }
        var told: Document = [
            "settings": .object(settings.document), "collections": .list(facts.map { .object($0.document) }),
        ]
        if !loosened.isEmpty { told["loosened"] = .list(loosened.map(QueryValue.string)) }
        var response = WireResponse.json(.object(told))
        response.headers["ETag"] = tag(settings)
        return response
    }

    /// PUT of settings, which hold from the next request on.
    func configure(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        try demandOwner(exchange)
        let loosens = try exchange.flag("loosen")
        try exchange.refuse(["If-None-Match", "Idempotency-Key"], "settings")
        guard storage.apps.count == 1 else {
            let debug = "the settings are those of \(storage.apps.count) apps; change them in the file of the service"
            throw ServiceFault(.insufficientCredentials, debug: debug)
        }
        let document = try exchange.object()
        let expected = exchange.request.headers.list("If-Match")
        let outcome = try await storage.change {
            [storage, self] (group) throws(QueryError) -> Result<[String], ServiceFault> in
            let before = storage.collections.newestConfiguration.settings
            if let expected, expected != self.tag(before) {
                return .failure(ServiceFault(.preconditionFailed, debug: "the settings were changed meanwhile"))
            }
            var settings = before
            do throws(QueryError) {
                try settings.change(document)
            } catch {
                return .failure(ServiceFault(.badRequest, debug: error.rendered()))
            }
            let loosened = settings.loosened(from: before)
            guard loosened.isEmpty || loosens else {
                let debug = loosened.joined(separator: "; ") + "; loosen=true allows it"
                return .failure(ServiceFault(.badRequest, debug: debug))
            }
            do throws(QueryError) { try group.connection.demandNames() } catch {
                return .failure(ServiceFault(.internalErrorRetry, debug: error.rendered()))
            }
            if settings != before { try storage.collections.change(to: settings, in: group) }
            return .success(loosened)
        }
        return try await describe(exchange, loosened: outcome.get())
    }

    /// DELETE of a collection with all its entities and its history.
    func removeCollection(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        try demandOwner(exchange)
        try exchange.refuse(Self.conditions, "a collection")
        let key = try exchange.collection()
        let isRemoved = try await storage.change { [storage] (group) throws(QueryError) in
            try storage.collections.remove(key, in: group)
        }
        guard isRemoved else { throw ServiceFault(.entityNotFound, debug: "there is no collection \(key.name)") }
        return WireResponse(status: 204)
    }

    /// The headers that only writes of entities take.
    static let conditions = ["If-Match", "If-None-Match", "Idempotency-Key"]

    private func demandOwner(_ exchange: Exchange) throws(ServiceFault) {
        guard exchange.caller.identity == .master else {
            throw ServiceFault(.insufficientCredentials, debug: "only the master secret may")
        }
    }

    private func tag(_ settings: ServiceSettings) -> String {
        let digest = environment.digest(Array(settings.document.json.utf8))
        return "\"" + hexDigits(digest.prefix(16)) + "\""
    }
}

extension Service {
    /// A collection as its owner sees it.
    ///
    ///     Service.CollectionFacts(app: "kid", name: "Book", count: 2, rights: .shared, keepsHistory: true).name  // → Book
    public struct CollectionFacts: Hashable, Sendable {
        /// The key of its app.
        public var app: String
        /// Its name.
        public var name: String
        /// The number of its entities.
        public var count: Int
        /// Who may do what; in a file, from the next start on.
        public var rights: CollectionRights
        /// True if it supports deltas.
        public var keepsHistory: Bool

        /// A collection's facts.
        ///
        /// - Parameters:
        ///   - app: the key of its app.
        ///   - name: its name.
        ///   - count: the number of its entities.
        ///   - rights: who may do what.
        ///   - keepsHistory: true if it supports deltas.
        public init(app: String, name: String, count: Int, rights: CollectionRights, keepsHistory: Bool) {
            (self.app, self.name, self.count) = (app, name, count)
            (self.rights, self.keepsHistory) = (rights, keepsHistory)
        }

        /// As an answer has them.
        fileprivate var document: Document {
            [
                "name": .string(name), "count": .int(Int64(count)), "rights": .string(rights.rawValue),
                "delta": .bool(keepsHistory),
            ]
        }
    }

    /// The collections of a database, by app and name.
    ///
    ///     try Service.collections(path: "/no/such/file.sqlite")  // throws store
    ///
    /// - Parameter path: the database of the service, which may be running.
    /// - Returns: its collections.
    /// - Throws: `QueryError` of code `store` for a file that is not a service's.
    /// - Complexity: O(entities), which are counted.
    public static func collections(path: String) throws(QueryError) -> [CollectionFacts] {
        let connection = try Connection(path: path, isReadOnly: true)
        try connection.demandService(path)
        let facts = try connection.collections()
        guard try Tables.value("settings", connection) != nil else { return facts }
        var configuration = ServiceConfiguration(apps: [])
        configuration.settings = try connection.settings()
        return facts.map { facts in
            var facts = facts
            facts.rights = configuration.rights(of: facts.name)
            facts.keepsHistory = configuration.deltas.includes(facts.name)
            return facts
        }
    }

    /// Removes a collection with all its entities, its history and the receipts of its writes.
    ///
    ///     try Service.removeCollection("Draft", of: "kid", path: "/no/such/file.sqlite")  // throws store
    ///
    /// - Parameters:
    ///   - name: the collection.
    ///   - app: the key of its app.
    ///   - path: the database of the service, which must not be running.
    /// - Returns: false if there is no such collection.
    /// - Throws: `QueryError` of code `store` if it cannot be written or is not a service's.
    public static func removeCollection(_ name: String, of app: String, path: String) throws(QueryError) -> Bool {
        let connection = try Connection(path: path, isReadOnly: false)
        try connection.demandService(path)
        return try connection.database.transaction { () throws(QueryError) in
            try connection.remove(Collection.Key(app: app, name: name))
        }
    }
}

extension Connection {
    /// The collections of an app, or of all, by app and name.
    fileprivate func collections(of app: String? = nil) throws(QueryError) -> [Service.CollectionFacts] {
        var facts: [Service.CollectionFacts] = []
        let rows = try database.rows(
            "SELECT * FROM collection WHERE ?1 IS NULL OR app = ?1 ORDER BY app, name",
            [app.map(QueryValue.string) ?? .null]
        )
        for row in rows {
            guard case .int(let number)? = row["n"], case .string(let app)? = row["app"],
                case .string(let name)? = row["name"], case .string(let rights)? = row["rights"]
            else { continue }
            facts.append(
                Service.CollectionFacts(
                    app: app,
                    name: name,
                    count: Int(try int("SELECT count(*) FROM e\(number)")),
                    rights: CollectionRights(rawValue: rights) ?? .closed,
                    keepsHistory: row["keepsHistory"] == .int(1)
                )
            )
        }
        return facts
    }

    /// Removes a collection with all that is kept of it; false if there is none.
    ///
    /// A tick after its last is kept, so that no delta joins a later collection of the name to what clients know.
    func remove(_ key: Collection.Key) throws(QueryError) -> Bool {
        let found = try database.rows(
            "SELECT n, tick FROM collection WHERE app = ? AND name = ?",
            [.string(key.app), .string(key.name)]
        )
        guard case .int(let number)?? = found.first.map({ $0["n"] }),
            case .int(let tick)?? = found.first.map({ $0["tick"] })
        else { return false }
        for table in ["receipt", "share", "autoIndex"] { try run("DELETE FROM \(table) WHERE n = ?", [.int(number)]) }
        try run("DELETE FROM collection WHERE n = ?", [.int(number)])
        try database.execute("DROP TABLE e\(number); DROP TABLE h\(number)")
        try Tables.set(endKey(key), String(Tick(rawValue: tick).next(at: 0).rawValue), self)
        try Tables.set("lastRemoved", String(max(number, lastRemovedNumber())), self)
        return true
    }

    /// The highest number of a collection that was removed; 0 if none was.
    func lastRemovedNumber() throws(QueryError) -> Int64 { Int64(try Tables.value("lastRemoved", self) ?? "") ?? 0 }

    /// A tick after all those of the collections of a name that were removed, or that a restored database may have lost;
    /// 0 if there was none.
    func end(of key: Collection.Key) throws(QueryError) -> Int64 {
        var end: Int64 = 0
        for name in [endKey(key), "restored"] { end = max(end, Int64(try Tables.value(name, self) ?? "") ?? 0) }
        return end
    }

    private func endKey(_ key: Collection.Key) -> String { "end \(key.app)/\(key.name)" }
}
