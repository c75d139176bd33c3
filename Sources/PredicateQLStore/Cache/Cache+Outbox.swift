import PredicateQL
import PredicateQLSQLite
import StoreModel

/// A pending change: which entity, what to send, and what was sent.
struct OutboxEntry: Hashable, Sendable {
    var collection: Int64
    var id: String
    var kind: ChangeKind
    /// Grows with each local change.
    var revision: Int64 = 1
    /// The key of the request that has no answer yet; its client is the cache's.
    var number: Int64?
    var nonce: String?
    var sentKind: ChangeKind?
    var sentRevision: Int64?
    /// The service's version under the change, as JSON text; nil if there is none.
    var base: [UInt8]?
    /// The tick of the base; nil if nothing is known.
    var baseSeen: Int64?
    var attempts: Int64 = 0
    /// When the change was made and last sent, milliseconds since 1970.
    var firstAt: Int64
    var lastAt: Int64?
    /// The body of the service's last error.
    var fault: [UInt8]?
    /// Where it is in the queue.
    var seq: Int64 = 0

    /// Which change of which entity it is; a later one has another place.
    var place: [Int64] { [seq, revision, firstAt] }

    /// True if a request has no response yet.
    var isSent: Bool { number != nil }

    /// True if it was ever sent: the service may have the entity.
    var wasSent: Bool { attempts > 0 }

    /// True if it is unchanged since it was sent; a change that was dropped and made again has another number.
    func isSame(as sent: OutboxEntry) -> Bool { revision == sent.revision && number == sent.number }

    /// The version that was changed: what the entity itself says, else the one under the change; nil if there is none.
    func version(_ json: [UInt8]?) -> Int64? {
        let own = (sentKind ?? kind) == .update ? json.flatMap(Document.init(json:))?.changed : nil
        return own ?? base.flatMap(Document.init(json:))?.changed
    }

    /// True if the service refused the change for good.
    var isRefused: Bool {
        guard let fault, case .object(let document)? = try? QueryValue(json: fault) else { return false }
        return document["isRefused"] == .bool(true)
    }
}

extension Cache {
    private static let columns = """
        n, id, kind, revision, number, nonce, sentKind, sentRevision, base, baseSeen, attempts, firstAt, lastAt, fault
        """

    /// The pending change of an entity.
    func entry(_ collection: Int64, _ id: String) throws(QueryError) -> OutboxEntry? {
        try entries("n = ? AND id = ?", [.int(collection), .string(id)]).first
    }

    /// Where the changes of some entities are.
    func made(_ collection: Int64, _ ids: [String]) throws(QueryError) -> [MadeChange] {
        try ids.map { (id) throws(QueryError) in (id, try entry(collection, id)?.seq ?? 0) }
    }

    /// The pending changes of a collection, in the order of their first change; without pending fetches.
    func entries(_ collection: Int64) throws(QueryError) -> [OutboxEntry] {
        try entries("n = ? AND kind > 0", [.int(collection)])
    }

    /// The ids that the next pull fetches.
    func asked(_ collection: Int64) throws(QueryError) -> [String] {
        try entries("n = ? AND kind = 0", [.int(collection)]).map(\.id)
    }

    /// All pending changes and fetches of a collection.
    func allEntries(_ collection: Int64) throws(QueryError) -> [OutboxEntry] {
        try entries("n = ?", [.int(collection)])
    }

    private func entries(_ condition: String, _ bindings: [QueryValue]) throws(QueryError) -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        try forEach("SELECT \(Self.columns), seq FROM outbox WHERE \(condition) ORDER BY seq", bindings) { row in
            entries.append(
                OutboxEntry(
                    collection: row.int(at: 0),
                    id: row.string(at: 1) ?? "",
                    kind: ChangeKind(rawValue: row.int(at: 2)) ?? .ask,
                    revision: row.int(at: 3),
                    number: row.number(at: 4),
                    nonce: row.string(at: 5),
                    sentKind: row.number(at: 6).flatMap(ChangeKind.init),
                    sentRevision: row.number(at: 7),
                    base: row.bytes(at: 8),
                    baseSeen: row.number(at: 9),
                    attempts: row.int(at: 10),
                    firstAt: row.int(at: 11),
                    lastAt: row.number(at: 12),
                    fault: row.bytes(at: 13),
                    seq: row.int(at: 14)
                )
            )
        }
        return entries
    }

    /// The number of pending changes.
    func pendingCount(_ collection: Int64) throws(QueryError) -> Int {
        Int(try int("SELECT count(*) FROM outbox WHERE n = ? AND kind > 0", [.int(collection)]))
    }

    private static let writing = """
        INSERT INTO outbox (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (n, id) DO UPDATE SET
        kind = excluded.kind, revision = excluded.revision, number = excluded.number, nonce = excluded.nonce,
        sentKind = excluded.sentKind, sentRevision = excluded.sentRevision, base = excluded.base,
        baseSeen = excluded.baseSeen, attempts = excluded.attempts, firstAt = excluded.firstAt,
        lastAt = excluded.lastAt, fault = excluded.fault
        """

    /// Stores an entry; one that was there keeps its place in the order.
    func write(_ entry: OutboxEntry) throws(QueryError) {
        func int(_ value: Int64?) -> QueryValue { value.map(QueryValue.int) ?? .null }
        func text(_ value: [UInt8]?) -> QueryValue {
            value.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
        }
        try run(
            Self.writing,
            [
                .int(entry.collection), .string(entry.id), .int(entry.kind.rawValue), .int(entry.revision),
                int(entry.number), entry.nonce.map(QueryValue.string) ?? .null, int(entry.sentKind?.rawValue),
                int(entry.sentRevision), text(entry.base), int(entry.baseSeen), .int(entry.attempts),
                .int(entry.firstAt), int(entry.lastAt), text(entry.fault),
            ]
        )
    }

    /// Removes an entry.
    func removeEntry(_ collection: Int64, _ id: String) throws(QueryError) {
        try run("DELETE FROM outbox WHERE n = ? AND id = ?", [.int(collection), .string(id)])
    }

    // MARK: Local changes

    /// Stores a local change and its entry, in one transaction (W1).
    ///
    /// - Parameters:
    ///   - collection: the number of the collection.
    ///   - id: the entity.
    ///   - isNamed: whether the app gave the id.
    ///   - now: milliseconds since 1970.
    ///   - version: the version that takes the place of the one before; nil removes it.
    /// - Returns: whether there was one before.
    /// - Throws: `QueryError` of code `store`.
    @discardableResult
    func change(
        _ collection: Int64,
        _ id: String,
        isNamed: Bool = true,
        now: Int64,
        to version: (_ before: [UInt8]?) -> [UInt8]?
    ) throws(QueryError) -> Bool {
        try transaction { () throws(QueryError) in
            let row = try row(collection, id)
            let json = version(row?.json)
            let waiting = try entry(collection, id)
            let outcome = Coalescing.outcome(
                of: json == nil ? .remove : isNamed ? .saveNamed : .save,
                row == nil ? .unknown : .known,
                waiting.map { .init(kind: $0.kind, wasSent: $0.wasSent) }
            )
            switch outcome {
            case .begin(let kind):
                var entry = OutboxEntry(collection: collection, id: id, kind: kind, firstAt: now)
                // What a purge left behind is no version of the service's; its base is.
                entry.base = waiting == nil ? row?.json : waiting?.base
                entry.baseSeen = waiting == nil ? row?.seen : waiting?.baseSeen
                try write(entry)
            case .become(let kind):
                guard var entry = waiting else { return false }
                entry.kind = kind
                entry.revision += 1
                entry.fault = nil
                try write(entry)
            case .stay: return row != nil
            case .vanish: try removeEntry(collection, id)
            }
            try put(collection, id, json, seen: 0, now: now)
            return row != nil
        }
    }
}
