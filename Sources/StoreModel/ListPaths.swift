import QueryValues

/// Dotted paths at which a document holds lists: `tags` and `address.zips` of
/// `{"tags":["a"],"address":{"zips":[1]}}`.
package struct ListPaths: Sendable {
    package private(set) var paths: Set<String> = []
    /// Keys of the document below which a list may be anywhere, for they have more than are told apart.
    package private(set) var wide: Set<String> = []
    /// True if every path may hold a list.
    package private(set) var isEverywhere = false

    package init() {}

    /// The paths of a document; elements of a list have the list's path.
    package init(of document: Document) {
        collect(document, below: "")
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

    private mutating func insert(_ path: String) {
        if isEverywhere || wide.contains(KnownLists.top(of: path)) { return }
        paths.insert(path)
        // The keys are counted too, or each of many would look through all paths again.
        while paths.count + wide.count > KnownLists.mostPaths, !isEverywhere {
            let crowded = KnownLists.crowded(paths)
            wide.formUnion(crowded)
            paths = paths.filter { !crowded.contains(KnownLists.top(of: $0)) }
            isEverywhere = crowded.isEmpty
        }
    }

    /// True if a list may be at a path.
    package func contains(_ path: String) -> Bool {
        isEverywhere || paths.contains(path) || wide.contains(KnownLists.top(of: path))
    }
}

/// The paths at which the entities of a collection hold lists, or held them, with the few that do where they are few.
package struct KnownLists: Sendable {
    /// What is new to a collection.
    package enum News {
        case nothing, holder, path
    }

    /// More paths than this are told apart by their first keys only.
    static let mostPaths = 500
    /// More holders than this are not told apart.
    private static let mostHolders = 3
    /// A longer id is one of many.
    private static let longestID = 64

    /// The ids of all entities that hold a list at a path, or held one; nil where they are many.
    private var holders: [String: [String]?] = [:]
    /// First keys below which a list may be anywhere, also in the value itself.
    private var wide: Set<String> = []
    /// True if every path may hold a list.
    package private(set) var isEverywhere = false

    package init() {}

    /// The stored form; an earlier one has only the paths.
    package init(json: String) {
        switch try? QueryValue(json: json) {
        case .list(let values)?:
            for case .string(let path) in values { holders[path] = .some(nil) }
        case .object(let stored)?:
            guard case .object(let paths)? = stored["paths"], case .list(let keys)? = stored["wide"] else {
                fallthrough
            }
            for (path, ids) in paths.pairs {
                guard case .list(let ids) = ids else {
                    holders[path] = .some(nil)
                    continue
                }
                holders[path] = ids.compactMap { if case .string(let id) = $0 { id } else { nil } }
            }
            for case .string(let key) in keys { wide.insert(key) }
        default: isEverywhere = true
        }
    }

    /// The form to store.
    package var json: String {
        if isEverywhere { return "null" }
        let paths = holders.sorted { $0.key < $1.key }.map { path, ids in
            (path, ids.map { QueryValue.list($0.map(QueryValue.string)) } ?? .null)
        }
        let keys = QueryValue.list(wide.sorted().map(QueryValue.string))
        return QueryValue.object(["paths": .object(Document(pairs: paths)), "wide": keys]).json
    }

    /// Adds what one entity holds.
    package mutating func add(_ lists: ListPaths, of id: String) -> News {
        if isEverywhere { return .nothing }
        isEverywhere = lists.isEverywhere
        var news = lists.isEverywhere || !lists.wide.isSubset(of: wide) ? News.path : .nothing
        widen(lists.wide.subtracting(wide))
        for path in lists.paths where !wide.contains(Self.top(of: path)) {
            switch holders[path] {
            case nil:
                holders[path] = id.utf8.count > Self.longestID ? .some(nil) : [id]
                news = .path
            case .some(nil): break
            case .some(let ids?):
                if ids.contains(where: { $0.hasSameUTF8(as: id) }) { break }
                let isMany = ids.count == Self.mostHolders || id.utf8.count > Self.longestID
                holders[path] = isMany ? .some(nil) : ids + [id]
                if case .nothing = news { news = .holder }
            }
        }
        while holders.count + wide.count > Self.mostPaths, !isEverywhere {
            let crowded = Self.crowded(holders.keys)
            widen(crowded)
            isEverywhere = crowded.isEmpty
        }
        return news
    }

    private mutating func widen(_ keys: Set<String>) {
        if keys.isEmpty { return }
        wide.formUnion(keys)
        holders = holders.filter { !keys.contains(Self.top(of: $0.key)) }
    }

    /// True if no list is at a path or on the way to it.
    ///
    /// - Parameters:
    ///   - path: a dotted path.
    ///   - holds: whether an entity holds a list at a path; asked where few may.
    /// - Returns: false where a list may be.
    package func allowSingle(_ path: String, _ holds: (_ id: String, _ path: String) -> Bool = { _, _ in true }) -> Bool
    {
        if isEverywhere || wide.contains(Self.top(of: path)) { return false }
        if holders.isEmpty { return true }
        let ends = path.indices.filter { path[$0] == "." } + [path.endIndex]
        return ends.allSatisfy { end in
            let way = String(path[..<end])
            guard let ids = holders[way] else { return true }
            guard let ids else { return false }
            return !ids.contains { holds($0, way) }
        }
    }

    /// The first key of a path.
    static func top(of path: String) -> String { String(path.prefix { $0 != "." }) }

    /// The first keys of many paths: at least of half as many as any has, and of two.
    static func crowded(_ paths: some Sequence<String>) -> Set<String> {
        var counts: [String: Int] = [:]
        for path in paths { counts[top(of: path), default: 0] += 1 }
        let least = max(2, (counts.values.max() ?? 0) / 2)
        return Set(counts.filter { $0.value >= least }.keys)
    }
}
