import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

/// A collection: its tables, its rights, and which paths of its entities hold lists.
final class Collection: Sendable {
    /// The app and the name.
    struct Key: Hashable, Sendable {
        var app: String
        var name: String
    }

    /// The number in the names of its tables.
    let number: Int64
    let key: Key
    let rights: CollectionRights
    /// True if it keeps a history, and so supports deltas.
    let keepsHistory: Bool
    /// The dotted paths that hold a list in some entity, or held one.
    ///
    /// Paths and holders are added before the commit that stores such an entity, so a snapshot never shows a list that
    /// is missing here. All other paths hold single values, and a filter on them can use an index.
    private let lists: Mutex<Lists>
    /// The indexes that were made or suggested.
    private let indexes = Mutex<Set<String>>([])

    init(
        number: Int64,
        key: Key,
        rights: CollectionRights,
        keepsHistory: Bool,
        lists: KnownLists,
        hasShares: Bool = false
    ) {
        self.number = number
        self.key = key
        self.rights = rights
        self.keepsHistory = keepsHistory
        self.lists = Mutex(Lists(paths: lists, hasShares: hasShares))
    }

    /// A collection with other rights, or another history, than it had.
    init(_ collection: Collection, rights: CollectionRights, keepsHistory: Bool) {
        (number, key) = (collection.number, collection.key)
        (self.rights, self.keepsHistory) = (rights, keepsHistory)
        lists = Mutex(collection.listPaths)
        indexes.withLock { $0 = collection.indexes.withLock { $0 } }
    }

    /// The table of the entities.
    var table: String { "e\(number)" }
    /// The table of the entities, for queries.
    var rows: SQLTable { SQLTable(table, storage: .entities) }
    /// The table of their earlier versions.
    var history: String { "h\(number)" }

    /// The paths that hold lists, and how often paths were added since the start.
    struct Lists {
        var paths: KnownLists
        /// True if some entity's `_acl` says more than who made it, or said so since the start.
        var hasShares: Bool
        var version = 0
    }

    /// The paths that hold lists, at present.
    var listPaths: Lists { lists.withLock { $0 } }

    /// The statements of the indexes that a query would use.
    ///
    /// Their names begin with the table's and a digest: paths such as `a.b` and `a_b`, or `a` and `A`, have one name in SQL.
    func indexes(for query: Query) -> [String] {
        let start = "CREATE INDEX IF NOT EXISTS \"\(table)"
        return ((try? query.suggestedIndexes(from: rows)) ?? []).map { statement in
            let digest = statement.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return start + "." + String(digest, radix: 16) + statement.dropFirst(start.count)
        }
    }

    /// The statements of the indexes that a query would use, each returned once; nil if there are too many indexes.
    func newIndexes(for query: Query) -> [String]? {
        let found = indexes(for: query)
        return indexes.withLock { known in
            known.count < Self.mostIndexes ? found.filter { known.insert($0).inserted } : nil
        }
    }

    /// These are the indexes; others may be suggested again.
    func setIndexes(_ statements: Set<String>) { indexes.withLock { $0 = statements } }

    /// An index that is gone may be made again.
    func forgetIndex(_ statement: String) {
        indexes.withLock { _ = $0.remove(statement) }
        slow.withLock { $0 = [:] }
    }

    /// Notes that a query was slow; true once such queries were frequent, by the app's owner or by several callers:
    /// a stranger's questions make no indexes that everybody's writes pay for.
    func wantsIndexes(for query: Query, _ caller: Caller) -> Bool {
        let found = indexes(for: query)
        if found.isEmpty { return false }
        return slow.withLock { slow in
            if slow.count >= Self.mostSlow { slow = [:] }
            var asked = slow[found] ?? (0, [])
            asked.count += 1
            if asked.callers.count < Self.callersOfIndex { asked.callers.insert(caller.fingerprint) }
            slow[found] = asked
            return asked.count >= Self.questionsOfIndex
                && (asked.callers.count >= Self.callersOfIndex || caller.identity == .master)
        }
    }

    /// How often slow queries ran, by the statements of their indexes, and by whom.
    private let slow = Mutex<[[String]: (count: Int, callers: Set<String>)]>([:])
    private static let mostSlow = 64
    private static let questionsOfIndex = 8
    private static let callersOfIndex = 3

    /// Each index makes writes slower.
    private static let mostIndexes = 18

    /// Notes before the commit that an entity's `_acl` says more than who made it.
    func noteShares() {
        lists.withLock { known in
            if known.hasShares { return }
            known.hasShares = true
            known.version += 1
        }
    }

    /// Adds the paths at which an entity holds lists; what is known then, to be stored, or nil if that was known.
    func add(_ paths: ListPaths, of id: String) -> KnownLists? {
        lists.withLock { known in
            switch known.paths.add(paths, of: id) {
            case .nothing: return nil
            case .holder: break
            case .path: known.version += 1
            }
            return known.paths
        }
    }
}
