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
        func open() throws(QueryError) -> Cache {
            try Cache(path: path, isFull: isFull, client: environment.text(22), appVersion: version)
        }
        do throws(QueryError) {
            let cache = try open()
            cache.switchedOff = environment.switchedOff
            try cache.migrate(migrations)
            return cache
        } catch {
            guard path != ":memory:", StoreFiles.exists(path), error.isDamage else { throw error }
            let stamp = DateText.iso8601(environment.now()).filter { $0 != ":" && $0 != "." }
            let aside = path.dropLast(".sqlite".count) + "-" + stamp + ".set-aside.sqlite"
            try StoreFiles.move(path, to: String(aside))
            let cache = try open()
            try cache.carryOver(from: String(aside), migrations)
            return cache
        }
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
    private func carryOver(from path: String, _ migrations: [Migration]) throws(QueryError) {
        guard let old = try? SQLiteDatabase(path: path, isReadOnly: true),
            let names = try? old.rows("SELECT n, name FROM collection")
        else { return }
        var version = 0
        if case .int(let number)?? = try? old.rows("SELECT appVersion FROM client").first?["appVersion"] {
            version = Int(clamping: number)
        }
        let steps = migrations.filter { $0.version > version }.sorted { $0.version < $1.version }
        for row in names {
            guard case .int(let number)? = row["n"], case .string(let name)? = row["name"] else { continue }
            let sql =
                "SELECT o.id, o.kind, o.firstAt, e.doc FROM outbox o LEFT JOIN e\(number) e ON e.id = o.id "
                + "WHERE o.n = \(number) AND o.kind > 0 ORDER BY o.seq"
            guard let entries = try? old.rows(sql) else { continue }
            let mine = try self.number(of: name)
            for entry in entries {
                guard case .string(let id)? = entry["id"], case .int(let kind)? = entry["kind"],
                    let kind = ChangeKind(rawValue: kind), case .int(let at)? = entry["firstAt"]
                else { continue }
                var json: [UInt8]?
                if case .string(let text)? = entry["doc"], var document = Document(json: Array(text.utf8)) {
                    for step in steps { step.change(name, &document) }
                    json = document.wireJSON
                }
                if kind != .delete, json == nil { continue }
                try transaction { () throws(QueryError) in
                    // Whether the service has it is not known any more: an upsert is right either way.
                    let kind: ChangeKind = kind == .delete ? .delete : .update
                    try write(OutboxEntry(collection: mine, id: id, kind: kind, firstAt: at))
                    try put(mine, id, json, seen: 0, now: at)
                }
            }
        }
    }
}

extension QueryError {
    /// Whether SQLite says that a file is no database or is damaged.
    fileprivate var isDamage: Bool {
        message.contains("not a database") || message.contains("malformed") || message.contains("no such column")
            || message.contains("no such table")
    }
}
