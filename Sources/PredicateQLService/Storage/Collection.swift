import PredicateQL
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
    /// Whether it keeps a history, so that it answers deltas.
    let keepsHistory: Bool
    /// The dotted paths that hold a list in some entity, or held one.
    ///
    /// Paths are added before the commit that stores such an entity, so a snapshot never shows a list at a path that
    /// is missing here. All other paths hold single values, and a filter on them can use an index.
    private let lists: Mutex<Lists>
    /// The indexes that were made or suggested.
    private let indexes = Mutex<Set<String>>([])

    init(number: Int64, key: Key, rights: CollectionRights, keepsHistory: Bool, lists: ListPaths) {
        self.number = number
        self.key = key
        self.rights = rights
        self.keepsHistory = keepsHistory
        self.lists = Mutex(Lists(paths: lists))
    }

    /// The table of the entities.
    var table: String { "e\(number)" }
    /// The table of their earlier versions.
    var history: String { "h\(number)" }

    /// The paths that hold lists, and how often paths were added since the start.
    struct Lists {
        var paths: ListPaths
        var version = 0
    }

    /// The paths that hold lists, at present.
    var listPaths: Lists { lists.withLock { $0 } }

    /// The statements of the indexes that a query would use, each told once; nil if there are too many indexes.
    func newIndexes(for query: Query) -> [String]? {
        let found = try? query.suggestedIndexes(from: table, storage: .entities)
        return indexes.withLock { known in
            guard known.count < Self.mostIndexes else { return nil }
            return found?.filter { known.insert($0).inserted }
        }
    }

    /// Each index makes writes slower.
    private static let mostIndexes = 16

    /// Adds paths that hold lists; the new ones to store, or nil if all are known.
    func add(_ paths: ListPaths) -> ListPaths? {
        lists.withLock { known in
            if paths.isSubset(of: known.paths) { return nil }
            known.paths.formUnion(paths)
            known.version += 1
            return known.paths
        }
    }
}

/// Dotted paths at which documents hold lists: `tags` and `address.zips` of
/// `{"tags":["a"],"address":{"zips":[1]}}`.
struct ListPaths: Sendable {
    /// More paths than this are not told apart: then every path may hold a list.
    static let mostPaths = 500

    private(set) var paths: Set<String> = []
    /// True if every path may hold a list.
    private(set) var isEverywhere = false

    init() {}

    /// The paths of a document; elements of a list have the list's path.
    init(of document: Document) {
        collect(document, below: "")
    }

    /// The stored form.
    init(json: String) {
        guard case .list(let values)? = try? QueryValue(json: json) else {
            isEverywhere = true
            return
        }
        for case .string(let path) in values { insert(path) }
    }

    /// The form to store.
    var json: String {
        isEverywhere ? "null" : QueryValue.list(paths.sorted().map(QueryValue.string)).json
    }

    func isSubset(of other: ListPaths) -> Bool {
        other.isEverywhere || !isEverywhere && paths.isSubset(of: other.paths)
    }

    mutating func formUnion(_ other: ListPaths) {
        isEverywhere = isEverywhere || other.isEverywhere
        for path in other.paths { insert(path) }
    }

    /// Whether no list is at a path or on the way to it.
    func allowSingle(_ path: String) -> Bool {
        if isEverywhere { return false }
        if paths.isEmpty { return true }
        if paths.contains(path) { return false }
        var end = path.startIndex
        while let dot = path[end...].firstIndex(of: ".") {
            if paths.contains(String(path[..<dot])) { return false }
            end = path.index(after: dot)
        }
        return true
    }

    private mutating func insert(_ path: String) {
        if paths.count < Self.mostPaths || paths.contains(path) {
            paths.insert(path)
        } else {
            isEverywhere = true
        }
    }

    /// The depth of the document is bounded by its reader.
    private mutating func collect(_ document: Document, below prefix: String) {
        for (key, value) in document.pairs { collect(value, at: prefix + key) }
    }

    private mutating func collect(_ value: QueryValue, at path: String) {
        switch value {
        case .object(let inner): collect(inner, below: path + ".")
        case .list(let elements):
            insert(path)
            for element in elements { collect(element, at: path) }
        default: break
        }
    }
}
