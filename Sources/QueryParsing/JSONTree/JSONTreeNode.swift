import QueryTree
import QueryValues

/// An object of a tree's JSON and its path.
struct JSONTreeNode {
    var members: Document
    /// The JSON path, such as `$.and[1].left`.
    var path: String

    init(_ value: QueryValue, at path: String) throws(QueryError) {
        guard case .object(let members) = value else { throw Self.error("expected an object", path) }
        self.members = members
        self.path = path
    }

    static func error(_ message: String, _ path: String, hint: String? = nil) -> QueryError {
        QueryError(.json, message, path: path, hint: hint)
    }

    /// The error for the value at a key.
    func error(_ message: String, at key: JSONTreeKey? = nil, hint: String? = nil) -> QueryError {
        Self.error(message, key.map(way(to:)) ?? path, hint: hint)
    }

    func way(to key: JSONTreeKey) -> String { path + "." + key.rawValue }

    /// Rejects every key but these; the hint says more.
    func allows(_ keys: [JSONTreeKey], _ more: String = "") throws(QueryError) {
        for name in members.keys where !keys.contains(where: { $0.rawValue.hasSameUTF8(as: name) }) {
            throw error(
                "unknown key \(name)",
                hint: "known keys: " + keys.map { "`\($0.rawValue)`" }.joined(separator: ", ") + more
            )
        }
    }

    /// The value of an optional key.
    subscript(_ key: JSONTreeKey) -> QueryValue? { members[key.rawValue] }

    func value(_ key: JSONTreeKey) throws(QueryError) -> QueryValue {
        guard let value = self[key] else { throw error("the key \(key.rawValue) is missing") }
        return value
    }

    func text(_ key: JSONTreeKey) throws(QueryError) -> String {
        guard case .string(let text) = try value(key) else { throw error("expected text", at: key) }
        return text
    }

    func list(_ key: JSONTreeKey) throws(QueryError) -> [QueryValue] {
        guard case .list(let values) = try value(key) else { throw error("expected a list", at: key) }
        return values
    }

    func texts(_ key: JSONTreeKey) throws(QueryError) -> [String] {
        var texts: [String] = []
        for (position, value) in try list(key).enumerated() {
            guard case .string(let text) = value else {
                throw Self.error("expected text", way(to: key) + "[\(position)]")
            }
            texts.append(text)
        }
        return texts
    }

    /// A bool that is only written if true.
    func flag(_ key: JSONTreeKey) throws(QueryError) -> Bool {
        switch self[key] {
        case nil: return false
        case .bool(let value): return value
        default: throw error("expected true or false", at: key)
        }
    }

    /// The one key that names the node.
    func name(among keys: [JSONTreeKey]) throws(QueryError) -> JSONTreeKey {
        for name in members.keys {
            if let key = JSONTreeKey(rawValue: name), keys.contains(key) { return key }
        }
        let names = keys.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw error("no key says what the node is", hint: "one of " + names)
    }

    /// The table entry of a word.
    func word<Meaning>(
        _ key: JSONTreeKey,
        _ what: String,
        _ meanings: some Sequence<Meaning>,
        _ spellings: (Meaning) -> [String]
    ) throws(QueryError) -> Meaning {
        let text = try text(key)
        for meaning in meanings where spellings(meaning).contains(where: { $0.hasSameUTF8(as: text) }) {
            return meaning
        }
        let known = meanings.flatMap(spellings)
        let nearest = Suggestion.nearest(to: text, among: known)
        throw error("unknown \(what)", at: key, hint: nearest.map { "did you mean `\($0)`?" })
    }

    func options() throws(QueryError) -> StringOptions {
        guard self[.options] != nil else { return [] }
        var options: StringOptions = []
        for letter in try text(.options) {
            guard let entry = StringOptions.letters.first(where: { $0.letter == letter }),
                options.insert(entry.option).inserted
            else { throw error("options are letters of `cdnl`, each at most once", at: .options) }
        }
        return options
    }

    /// The path that the key `field` names.
    func field(_ limits: Limits) throws(QueryError) -> FieldPath {
        let keys = try keys(.field, limits)
        return FieldPath(keys: keys, startsAtSelf: try flag(.startsAtSelf))
    }

    func keys(_ key: JSONTreeKey, _ limits: Limits) throws(QueryError) -> [String] {
        let keys = try texts(key)
        guard keys.count <= limits.pathParts else {
            throw QueryError(.limit, "a path has more than \(limits.pathParts) parts", path: way(to: key))
        }
        if let empty = keys.firstIndex(where: \.isEmpty) {
            throw Self.error("a key is empty", way(to: key) + "[\(empty)]")
        }
        return keys
    }

    func variable(_ key: JSONTreeKey) throws(QueryError) -> Variable {
        let name = try text(key)
        if name.isEmpty { throw error("a variable needs a name", at: key) }
        return Variable(name)
    }
}
