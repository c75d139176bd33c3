import PredicateQL
import PredicateQLSQLite
import StoreModel

/// A step that brings cached entities to a later version of the app's types.
///
/// Properties that are added, removed or made optional need no step; renamed and converted ones do.
///
///     let step = Migration(to: 2) { collection, entity in
///         if collection == "Book" { entity.rename("author", to: "authorName") }
///     }
///     step.version  // → 2
public struct Migration: Sendable {
    /// The version that entities have after the step; steps run in the order of their versions, from 1.
    public let version: Int
    /// What happens to each entity: rows, changes that wait and the versions under them.
    public let change: @Sendable (_ collection: String, _ entity: inout Document) -> Void

    /// A step.
    ///
    /// - Parameters:
    ///   - version: the version that entities have afterwards, from 1.
    ///   - change: changes an entity of a collection.
    public init(to version: Int, _ change: @escaping @Sendable (_ collection: String, _ entity: inout Document) -> Void)
    {
        self.version = version
        self.change = change
    }
}

extension Document {
    /// Gives a field another name; nothing happens without it.
    ///
    ///     var novel: Document = ["author": "Austen"]
    ///     novel.rename("author", to: "authorName")
    ///     QueryValue.object(novel).json  // → {"authorName":"Austen"}
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - other: the new name.
    public mutating func rename(_ name: String, to other: String) {
        guard let value = self[name] else { return }
        self[name] = nil
        self[other] = value
    }
}

extension Cache {
    /// Opens a file, brings its entities to the app's version, and sets aside what cannot be opened.
    ///
    /// A file is never deleted: it is moved beside a new one, and the changes that wait in it are carried over.
    static func open(
        _ path: String,
        isFull: Bool,
        _ migrations: [Migration],
        _ environment: StoreEnvironment
    ) throws(QueryError) -> Cache {
        let version = migrations.map(\.version).max() ?? 0
        func open(isDoubtful: Bool = false) throws(QueryError) -> Cache {
            try Cache(
                path: path,
                isDoubtful: isDoubtful,
                isFull: isFull,
                client: environment.text(22),
                appVersion: version
            )
        }
        do throws(QueryError) {
            let isDoubtful = path != ":memory:" && StoreFiles.isDoubtful(path)
            let cache = try open(isDoubtful: isDoubtful)
            if isDoubtful { StoreFiles.setDoubtful(path, false) }
            cache.switchedOff = environment.switchedOff
            try cache.migrate(migrations)
            try cache.prune(now: environment.now())
            return cache
        } catch {
            guard path != ":memory:", StoreFiles.exists(path), isUnusable(path) else { throw error }
            let stamp = DateText.iso8601(environment.now()).filter { $0 != ":" && $0 != "." }
            let aside = String(path.dropLast(".sqlite".count)) + "-" + stamp + ".set-aside.sqlite"
            try StoreFiles.move(path, to: aside)
            StoreFiles.setDoubtful(path, false)
            let cache = try open()
            cache.switchedOff = environment.switchedOff
            cache.setAside = try cache.carryOver(from: aside, migrations)
            return cache
        }
    }

    /// Whether a file is damaged, no database, or has tables of another kind than ours.
    private static func isUnusable(_ path: String) -> Bool {
        if SQLiteDatabase.isDamaged(path: path) { return true }
        let columns = """
            SELECT m.name AS "table", p.name AS "column" FROM sqlite_schema m JOIN pragma_table_info(m.name) p
            """
        guard let new = try? Cache(path: ":memory:", isFull: false, client: "", appVersion: 0),
            let ours = try? new.database.rows(columns), let theirs = try? SQLiteDatabase(path: path).rows(columns)
        else { return false }
        let tables = Set(theirs.map { $0["table"] })
        return !Set(ours.filter { tables.contains($0["table"]) }).isSubset(of: theirs)
    }

    /// Runs the steps that the entities lack, in one transaction.
    private func migrate(_ migrations: [Migration]) throws(QueryError) {
        guard !migrations.isEmpty else { return }
        try transaction { () throws(QueryError) in
            // Another process may have run them a moment ago.
            let present = Int(try int("SELECT appVersion FROM client"))
            let steps = migrations.filter { $0.version > present }.sorted { $0.version < $1.version }
            guard let last = steps.last else { return }
            for collection in try collectionsInOrder() {
                let number = try self.number(of: collection)
                let changed = { (json: [UInt8]) -> QueryValue in
                    guard var entity = Document(json: json) else {
                        return .string(String(decoding: json, as: UTF8.self))
                    }
                    for step in steps { step.change(collection, &entity) }
                    return .string(String(decoding: entity.wireJSON, as: UTF8.self))
                }
                try rewrite(
                    "SELECT rowid, doc FROM e\(number)",
                    "UPDATE e\(number) SET doc = ? WHERE rowid = ?",
                    changed
                )
                try rewrite(
                    "SELECT seq, base FROM outbox WHERE base IS NOT NULL AND n = \(number)",
                    "UPDATE outbox SET base = ? WHERE seq = ?",
                    changed
                )
            }
            try run("UPDATE client SET appVersion = ?", [.int(Int64(last.version))])
        }
    }

    private func rewrite(
        _ select: String,
        _ update: String,
        _ changed: ([UInt8]) -> QueryValue
    ) throws(QueryError) {
        var rows: [(Int64, [UInt8])] = []
        try forEach(select) { row in rows.append((row.int(at: 0), row.bytes(at: 1) ?? [])) }
        for (number, json) in rows { try run(update, [changed(json), .int(number)]) }
    }

    /// Takes the changes that wait from a file that was set aside, row by row; what cannot be read is left there.
    private func carryOver(from path: String, _ migrations: [Migration]) throws(QueryError) -> SetAsideFile {
        var carried = 0
        guard let old = try? SQLiteDatabase(path: path, isReadOnly: true),
            let names = try? old.rows("SELECT n, name FROM collection")
        else { return SetAsideFile(path: path, carried: 0, lost: nil) }
        var version = 0
        if case .int(let number)?? = try? old.rows("SELECT appVersion FROM client").first?["appVersion"] {
            version = Int(clamping: number)
        }
        let steps = migrations.filter { $0.version > version }.sorted { $0.version < $1.version }
        for row in names {
            guard case .int(let number)? = row["n"], case .string(let name)? = row["name"] else { continue }
            let mine = try self.number(of: name)
            for (entry, text) in old.changes(ofCollection: number) {
                var json: [UInt8]?
                if let text, var document = Document(json: text) {
                    for step in steps { step.change(name, &document) }
                    json = document.wireJSON
                }
                if entry.kind != .delete, json == nil { continue }
                try transaction { () throws(QueryError) in
                    // Whether the service has it is not known any more: an upsert is right either way.
                    let kind: ChangeKind = entry.kind == .delete ? .delete : .update
                    try write(OutboxEntry(collection: mine, id: entry.id, kind: kind, firstAt: entry.firstAt))
                    try put(mine, entry.id, json, seen: 0, now: entry.firstAt)
                }
                carried += 1
            }
        }
        var lost: Int?
        if case .int(let count)?? = try? old.rows("SELECT count(*) AS n FROM outbox WHERE kind > 0").first?["n"] {
            lost = Int(clamping: count) - carried
        }
        return SetAsideFile(path: path, carried: carried, lost: lost)
    }
}

extension SQLiteDatabase {
    /// The changes that wait in a file that may be damaged, as far as they can be read, each with its row.
    fileprivate func changes(ofCollection number: Int64) -> [(entry: OutboxEntry, json: [UInt8]?)] {
        var entries: [Int64: OutboxEntry] = [:]
        readFromBothEnds("SELECT seq, id, kind, firstAt FROM outbox NOT INDEXED WHERE n = \(number) AND kind > 0") {
            row in
            guard let id = row.string(at: 1), let kind = ChangeKind(rawValue: row.int(at: 2)) else { return }
            entries[row.int(at: 0)] = OutboxEntry(collection: number, id: id, kind: kind, firstAt: row.int(at: 3))
        }
        var rows: [[UInt8]: [UInt8]?] = [:]
        for entry in entries.values { rows[Array(entry.id.utf8)] = .some(nil) }
        readFromBothEnds("SELECT id, doc FROM e\(number) NOT INDEXED") { row in
            if let id = row.bytes(at: 0), rows[id] != nil { rows[id] = row.bytes(at: 1) }
        }
        return entries.sorted { $0.key < $1.key }.map { ($0.value, rows[Array($0.value.id.utf8)] ?? nil) }
    }

    /// The rows of a table in both orders, each up to what cannot be read.
    private func readFromBothEnds(_ select: String, _ body: (SQLiteStatement) -> Void) {
        for order in ["ASC", "DESC"] {
            try? withStatement(select + " ORDER BY rowid " + order) { (rows) throws(QueryError) in
                while try rows.step() { body(rows) }
            }
        }
    }
}
