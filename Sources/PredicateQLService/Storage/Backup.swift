import Foundation
import PredicateQL
import PredicateQLSQLite
import QueryValues
import StoreModel

extension Service {
    /// Copies the database of a service to a new file; the service may keep writing.
    ///
    ///     try Service.backUp(path: "/no/such/file.sqlite", to: "/no/such/copy.sqlite")  // throws store
    ///
    /// The copy is the state of one commit. It is written beside its place and moved there once it is on the disk, so a
    /// file with that name is a complete backup. Only its owner reads it.
    ///
    /// - Parameters:
    ///   - path: the database of the service.
    ///   - copy: the new file.
    /// - Throws: `QueryError` of code `store` if there is no such database, the copy exists, or it cannot be written.
    public static func backUp(path: String, to copy: String) throws(QueryError) {
        try refuseExisting(copy)
        let connection = try Connection(path: path, isReadOnly: true)
        try connection.demandService(path)
        let part = try freePart(of: copy)
        do throws(QueryError) {
            SQLiteDatabase.makeFile(part)
            try connection.run("VACUUM INTO ?", [.string(part)])
            try move(part, to: copy)
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
    }

    /// Creates a service's database from a backup, with a new epoch and histories that begin now: no delta from before
    /// is answered, as what was written after the backup is in no history.
    ///
    ///     try Service.restore("/no/such/copy.sqlite", to: "/no/such/file.sqlite", environment)  // throws store
    ///
    /// - Parameters:
    ///   - backup: a file that ``backUp(path:to:)`` made.
    ///   - path: the database to create; it must not exist.
    ///   - environment: the clock, and randomness for the epoch.
    /// - Throws: `QueryError` of code `store` if the file is not a backup, the database exists, or it cannot be
    ///   written.
    public static func restore(
        _ backup: String,
        to path: String,
        _ environment: ServiceEnvironment
    ) throws(QueryError) {
        try refuseExisting(path)
        for suffix in ["-wal", "-shm"] { try refuseExisting(path + suffix) }
        let part = try freePart(of: path)
        do throws(QueryError) {
            let source = try Connection(path: backup, isReadOnly: true)
            try source.demandService(backup)
            SQLiteDatabase.makeFile(part)
            try source.run("VACUUM INTO ?", [.string(part)])
            let copy = try Connection(path: part, isReadOnly: false)
            let epoch = EntityID.text(of: environment.random(), environment.random())
            let now = environment.now()
            try copy.database.transaction { () throws(QueryError) in
                try Tables.set("epoch", epoch, copy)
                // Clients that send no epoch are refused by their ticks, also in collections that are made later.
                let next = "max(?1, min(tick, \(Int64.max - 1)) + 1)"
                try copy.run("UPDATE collection SET tick = \(next), historyFrom = \(next)", [.int(now)])
                try Tables.set("restored", String(now), copy)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
        try move(part, to: path)
    }

    private static func refuseExisting(_ path: String) throws(QueryError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw QueryError(.store, "\(path) exists already; move it away first")
        }
    }

    /// The name under which a file is written first; what an interrupted one left there goes.
    private static func freePart(of path: String) throws(QueryError) -> String {
        let part = path + ".part"
        for file in [part, part + "-journal"] where unlink(file) != 0 && errno != ENOENT {
            throw QueryError(.store, "\(file) is in the way: " + String(cString: strerror(errno)))
        }
        return part
    }

    /// Gives a file its name when its bytes are on the disk.
    private static func move(_ part: String, to path: String) throws(QueryError) {
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: part))
            try file.synchronize()
            try file.close()
            try FileManager.default.moveItem(atPath: part, toPath: path)
            // The name itself is in the folder.
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try FileHandle(forReadingAtPath: folder)?.synchronize()
        } catch {
            throw QueryError(.store, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

extension Connection {
    /// Refuses a database that is not a service's.
    func demandService(_ path: String) throws(QueryError) {
        guard try SQLiteDatabase.areOfService(database.tableNames()) else {
            throw QueryError(.store, "\(path) is not the database of a service")
        }
        try Tables.demandFormat(self)
    }
}
