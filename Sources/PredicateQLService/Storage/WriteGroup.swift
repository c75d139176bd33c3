import PredicateQL
import PredicateQLSQLite
import QueryValues
import StoreModel

/// Writes that are committed together: one transaction, one tick for each collection.
///
/// An entity changes at most once in a group, so that each version has a tick and a history row of its own.
final class WriteGroup {
    let connection: Connection
    let now: Int64
    private var ticks: [Int64: Tick] = [:]
    private var changed: Set<EntityName> = []

    private struct EntityName: Hashable {
        var collection: Int64
        var id: String
    }

    /// What is stored of an entity.
    struct Version {
        var json: [UInt8]
        var tick: Tick
        var access: AccessControl
        var created: String?
    }

    init(_ connection: Connection, now: Int64) throws(QueryError) {
        self.connection = connection
        self.now = now
        try connection.run("BEGIN IMMEDIATE")
    }

    /// True if a group must be closed before an entity may change.
    func holds(_ id: String, of collection: Collection) -> Bool {
        changed.contains(EntityName(collection: collection.number, id: id))
    }

    func commit() throws(QueryError) {
        for (number, tick) in ticks {
            try connection.run("UPDATE collection SET tick = ? WHERE n = ?", [.int(tick.rawValue), .int(number)])
        }
        try connection.database.demandFile()
        try connection.run("COMMIT")
    }

    func rollBack() {
        try? connection.run("ROLLBACK")
    }

    /// The tick of this group in a collection.
    func tick(of collection: Collection) throws(QueryError) -> Tick {
        if let tick = ticks[collection.number] { return tick }
        let tick = try lastTick(of: collection).next(at: now)
        ticks[collection.number] = tick
        return tick
    }

    /// The tick of the last commit, or of this group.
    func presentTick(of collection: Collection) throws(QueryError) -> Tick {
        if let tick = ticks[collection.number] { return tick }
        return try lastTick(of: collection)
    }

    /// Lets this group have a tick that is not before another.
    func raise(_ tick: Tick, of collection: Collection) throws(QueryError) {
        ticks[collection.number] = try max(tick, self.tick(of: collection))
    }

    private func lastTick(of collection: Collection) throws(QueryError) -> Tick {
        Tick(rawValue: try connection.int("SELECT tick FROM collection WHERE n = ?", [.int(collection.number)]))
    }

    /// The version of an entity that is stored now.
    func version(of id: String, in collection: Collection) throws(QueryError) -> Version? {
        var found: (json: [UInt8], tick: Tick)?
        try connection.forEach("SELECT doc, tick FROM \(collection.table) WHERE id = ?", [.string(id)]) { row in
            found = row.bytes(at: 0).map { ($0, Tick(rawValue: row.int(at: 1))) }
            return false
        }
        guard let found else { return nil }
        guard case .object(let document) = try QueryValue(json: found.json) else { return nil }
        var version = Version(json: found.json, tick: found.tick, access: AccessControl(of: document))
        if case .object(let metadata)? = document["_kmd"], case .string(let created)? = metadata["ect"] {
            version.created = created
        }
        return version
    }

    /// Stores a version of an entity, and at the tick of the group the one before it in the history.
    func put(
        _ json: [UInt8],
        at tick: Tick,
        version: Tick? = nil,
        id: String,
        in collection: Collection,
        replacing previous: Version?
    ) throws(QueryError) {
        try remember(previous, id, in: collection, at: tick)
        let text = String(decoding: json, as: UTF8.self)
        try connection.run(
            "INSERT INTO \(collection.table) (id, tick, doc) VALUES (?, ?, ?) "
                + "ON CONFLICT (id) DO UPDATE SET tick = excluded.tick, doc = excluded.doc",
            [.string(id), .int((version ?? tick).rawValue), .string(text)]
        )
    }

    /// Removes an entity, and keeps its last version in the history.
    func remove(_ id: String, in collection: Collection, previous: Version) throws(QueryError) {
        try remember(previous, id, in: collection, at: tick(of: collection))
        try share(id, AccessControl(), in: collection, replacing: previous.access)
        try connection.run("DELETE FROM \(collection.table) WHERE id = ?", [.string(id)])
    }

    /// Keeps whom an entity is shared with.
    func share(
        _ id: String,
        _ access: AccessControl,
        in collection: Collection,
        replacing previous: AccessControl?
    ) throws(QueryError) {
        guard previous?.isPlain == false || !access.isPlain else { return }
        // Known before the commit, so that no snapshot shows what is not known to be shared.
        collection.noteShares()
        try connection.share(id, access, in: collection.number)
    }

    private func remember(
        _ previous: Version?,
        _ id: String,
        in collection: Collection,
        at tick: Tick
    ) throws(QueryError) {
        changed.insert(EntityName(collection: collection.number, id: id))
        guard collection.keepsHistory else { return }
        let json = previous.map { QueryValue.string(String(decoding: $0.json, as: UTF8.self)) } ?? .null
        try connection.run(
            "INSERT INTO \(collection.history) (id, tick, prev) VALUES (?, ?, ?)",
            [.string(id), .int(tick.rawValue), json]
        )
    }
}
