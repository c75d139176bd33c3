import PredicateQL
import PredicateQLSQLite
import StoreModel

/// A step that migrates entities to a later version of the app's types.
///
/// Properties that are added, removed or made optional need no step; renamed and converted ones do. A step runs on the
/// rows and changes of the cache, and on every entity that the service sends; entities sent to the service are
/// converted back, so that they keep the form that other apps use.
///
///     let step = Migration(to: 2) { collection, entity in
///         if collection == "Book" { entity.rename("author", to: "authorName") }
///     }
///     step.version  // → 2
public struct Migration: Sendable {
    /// The version that entities have after the step; steps run in the order of their versions, from 1.
    public let version: Int
    let change: @Sendable (_ collection: String, _ entity: inout Fields) -> Void
    let back: (@Sendable (_ collection: String, _ entity: inout Fields) -> Void)?

    /// A step.
    ///
    /// ``Fields/rename(_:to:)`` and ``Fields/convert(_:_:back:)`` are reversible, and queries sent to the service are
    /// translated too. Other changes need `back`; without it, what the app saves is sent in the app's form, and the
    /// step must handle both forms. The service is queried for such entities by `_id` alone. What a step declares is
    /// found by running it on an entity without fields.
    ///
    /// - Parameters:
    ///   - version: the version that entities have afterwards, from 1.
    ///   - change: changes an entity of a collection.
    ///   - back: undoes it in an entity that is sent to the service; nil for the inverse of what `change` declares.
    public init(
        to version: Int,
        _ change: @escaping @Sendable (_ collection: String, _ entity: inout Fields) -> Void,
        back: (@Sendable (_ collection: String, _ entity: inout Fields) -> Void)? = nil
    ) {
        self.version = version
        self.change = change
        self.back = back
    }

    /// Brings an entity to this version.
    func run(_ collection: String, _ entity: inout Document) {
        var fields = Fields(entity)
        change(collection, &fields)
        entity = fields.stored
    }

    /// What is known to happen to entities of a collection, found by running the step without one.
    func declared(_ collection: String) -> (changes: [FieldChange], isOpaque: Bool) {
        let record = Fields.Record()
        var fields = Fields(Document(), record)
        change(collection, &fields)
        return (record.changes, record.isOpaque)
    }
}

/// A change of a field whose way back is known.
enum FieldChange: Sendable {
    case rename(String, to: String)
    case convert(String, back: @Sendable (QueryValue) -> QueryValue?)
}

extension Migration {
    /// The fields of an entity while a step changes it.
    ///
    ///     let step = Migration(to: 3) { collection, entity in
    ///         guard collection == "Book" else { return }
    ///         entity.rename("author", to: "authorName")
    ///         entity["edition"] = entity["edition"] ?? 1
    ///     }
    ///     step.version  // → 3
    public struct Fields {
        /// What a step does to an entity of which nothing is known.
        final class Record {
            var changes: [FieldChange] = []
            var isOpaque = false
        }

        fileprivate var stored: Document
        private let record: Record?

        fileprivate init(_ document: Document, _ record: Record? = nil) {
            stored = document
            self.record = record
        }

        /// All fields as one value; see ``Migration/init(to:_:back:)`` for what that means for the service.
        public var document: Document {
            get {
                record?.isOpaque = true
                return stored
            }
            set {
                record?.isOpaque = true
                stored = newValue
            }
        }

        /// The value of a field; nil if there is none.
        ///
        /// Prefer ``rename(_:to:)`` and ``convert(_:_:back:)``, which are reversible.
        ///
        /// - Parameter name: the field.
        public subscript(name: String) -> QueryValue? {
            get { document[name] }
            set { document[name] = newValue }
        }

        /// Renames a field; does nothing if the field is missing.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - other: the new name; an existing value under it is lost.
        public mutating func rename(_ name: String, to other: String) {
            record?.changes.append(.rename(name, to: other))
            guard let value = stored[name] else { return }
            stored[name] = nil
            stored[other] = value
        }

        /// Converts the value of a field; does nothing if the field is missing.
        ///
        ///     let step = Migration(to: 4) { collection, entity in
        ///         guard collection == "Book" else { return }
        ///         entity.convert("price") { price in
        ///             if case .int(let cents) = price { .double(Double(cents) / 100) } else { price }
        ///         } back: { price in
        ///             if case .double(let euros) = price { .int(Int64((euros * 100).rounded())) } else { price }
        ///         }
        ///     }
        ///     step.version  // → 4
        ///
        /// - Parameters:
        ///   - name: the field.
        ///   - change: the value in the new version; nil for none.
        ///   - back: the value in the previous version; nil for none.
        public mutating func convert(
            _ name: String,
            _ change: (QueryValue) -> QueryValue?,
            back: @escaping @Sendable (QueryValue) -> QueryValue?
        ) {
            record?.changes.append(.convert(name, back: back))
            if let value = stored[name] { stored[name] = change(value) }
        }
    }
}

extension Migration {
    /// Undoes the step in an entity that goes to the service.
    ///
    /// - Throws: `StoreError.badEntity` for a field whose name is another one's on the service.
    func undo(_ collection: String, _ entity: inout Document) throws(StoreError) {
        if let back {
            var fields = Fields(entity)
            back(collection, &fields)
            entity = fields.stored
            return
        }
        let (changes, isOpaque) = declared(collection)
        if isOpaque { return }
        for change in changes.reversed() {
            switch change {
            case .rename(let name, let other):
                if entity[name] != nil {
                    throw .badEntity("on the service, \(name) is the name of what is \(other) since version \(version)")
                }
                guard let value = entity[other] else { continue }
                entity[other] = nil
                entity[name] = value
            case .convert(let name, let back):
                if let value = entity[name] { entity[name] = back(value) }
            }
        }
    }
}

extension Cache {
    /// Opens a file, migrates its entities to the app's version, and sets aside a file that cannot be opened.
    ///
    /// A file is never deleted: it is moved beside a new one, and its pending changes are carried over.
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

    /// True if a file is damaged, not a database, or has tables of another kind than ours.
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
            // What they say by silence is said of entities in the form before.
            checkpoints = [:]
            try run("DELETE FROM checkpoint WHERE tree <> ?", [.string(try Query().cached())])
            for collection in try collectionsInOrder() {
                let number = try self.number(of: collection)
                let changed = { (json: [UInt8]) -> QueryValue in
                    guard var entity = Document(json: json) else {
                        return .string(String(decoding: json, as: UTF8.self))
                    }
                    for step in steps { step.run(collection, &entity) }
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

    /// Copies the pending changes from a file that was set aside, row by row; what cannot be read is left there.
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
                    for step in steps { step.run(name, &document) }
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
    /// The pending changes in a file that may be damaged, as far as they can be read, each with its row.
    ///
    /// Where the change cannot be read and the row can, the row is pending if the queue's index has it, or if it never had
    /// a version of the service's.
    fileprivate func changes(ofCollection number: Int64) -> [(entry: OutboxEntry, json: [UInt8]?)] {
        var places: [[UInt8]: Int64] = [:]
        var changes: [[UInt8]: (entry: OutboxEntry, json: [UInt8]?)] = [:]
        let queue = "FROM outbox INDEXED BY sqlite_autoindex_outbox_1 WHERE n = \(number)"
        readFromBothEnds("SELECT id, seq \(queue)", by: "id") { row in
            if let id = row.bytes(at: 0) { places[id] = row.int(at: 1) }
        }
        readFromBothEnds("SELECT seq, id, kind, firstAt FROM outbox NOT INDEXED WHERE n = \(number)", by: "seq") {
            row in
            guard let id = row.string(at: 1), let kind = ChangeKind(rawValue: row.int(at: 2)) else { return }
            places[Array(id.utf8)] = row.int(at: 0)
            let entry = OutboxEntry(collection: number, id: id, kind: kind, firstAt: row.int(at: 3))
            changes[Array(id.utf8)] = (entry, nil)
        }
        readFromBothEnds("SELECT id, doc, seen, at FROM e\(number) NOT INDEXED", by: "rowid") { row in
            guard let id = row.string(at: 0), let json = row.bytes(at: 1) else { return }
            let key = Array(id.utf8)
            if let known = changes[key] {
                if known.entry.kind != .ask { changes[key]?.json = json }
            } else if row.int(at: 2) == 0, places[key] != nil || Document(json: json)?.changed == nil {
                let entry = OutboxEntry(collection: number, id: id, kind: .update, firstAt: row.int(at: 3))
                changes[key] = (entry, json)
            }
        }
        let sorted = changes.sorted { left, right in
            let (first, second) = (places[left.key] ?? .max, places[right.key] ?? .max)
            return first == second ? left.key.lexicographicallyPrecedes(right.key) : first < second
        }
        return sorted.map(\.value).filter { $0.entry.kind != .ask }
    }

    /// The rows of a table in both orders, each up to what cannot be read.
    private func readFromBothEnds(_ select: String, by column: String, _ body: (SQLiteStatement) -> Void) {
        for order in ["ASC", "DESC"] {
            try? withStatement("\(select) ORDER BY \(column) \(order)") { (rows) throws(QueryError) in
                while try rows.step() { body(rows) }
            }
        }
    }
}
