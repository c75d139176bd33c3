import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

extension ServiceSettings {
    /// What to change others into these by ``change(_:)``.
    package func changes(from before: ServiceSettings) -> Document {
        let old = before.document
        let changes = document.pairs.compactMap { (name, value) -> (String, QueryValue)? in
            if old[name] == value { return nil }
            guard case .object(let new) = value, case .object(let known)? = old[name] else { return (name, value) }
            let others = new.pairs.filter { known[$0.0] != $0.1 }.map { ($0.0, $0.1) }
            let removed = known.keys.filter { new[$0] == nil }.map { ($0, QueryValue.null) }
            return (name, .object(Document(pairs: others + removed)))
        }
        return Document(pairs: changes)
    }

    /// The most indexes that are named for a collection: it has some always, and each makes writes slower.
    private static let mostIndexes = 15

    /// Refuses what no collection is called.
    static func check(collection name: String) throws(QueryError) {
        guard !EntityID.isCollection(name) else { return }
        throw QueryError(
            .argument,
            "\(quoted(name)) is no name of a collection",
            hint: "write 1 to 128 letters, digits, - and _, of which _ is not the first"
        )
    }

    /// Refuses indexes that no query would use.
    static func check(_ indexes: [String], of name: String) throws(QueryError) {
        try check(collection: name)
        for index in indexes {
            if let flaw = IndexKeys(index).flaw {
                throw QueryError(
                    .argument,
                    "the index \(quoted(index)) of \(name) \(flaw)",
                    hint: "write paths to compare, then signed paths to sort by, such as author,-year"
                )
            }
        }
        if let twice = indexes.first(where: { index in indexes.count { $0 == index } > 1 }) {
            throw QueryError(.argument, "the index \(quoted(twice)) of \(name) is there twice", hint: "write it once")
        }
        guard indexes.count <= mostIndexes else {
            throw QueryError(
                .argument,
                "\(indexes.count) indexes of \(name)",
                hint: "name at most \(mostIndexes): each makes writes slower"
            )
        }
    }

    /// Refuses what no browser sends as the origin of a page.
    static func check(origin text: String) throws(QueryError) {
        if text == "*" || text == "null" { return }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-+._~:/[]".utf8.contains(byte)
            }
        }
        let usual = ["http": ":80", "https": ":443"].first {
            text.hasPrefix($0.key + "://") && text.hasSuffix($0.value)
        }
        guard isPlain, usual == nil, parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains("/") }) else {
            throw QueryError(
                .argument,
                "\(quoted(text)) is no origin of a page",
                hint:
                    "write it as a browser sends it, such as https://example.org or http://localhost:3000: in lower case, "
                    + "without a path and without the scheme's own port; or * for every page"
            )
        }
    }

    private static func quoted(_ text: String) -> String { QueryValue.string(String(text.prefix(80))).json }
}

extension IndexKeys {
    /// Why no query would use the index; nil if one may.
    fileprivate var flaw: String? {
        let paths = all
        if paths.contains(where: { $0.split(separator: ".", omittingEmptySubsequences: false).contains("") }) {
            return "has an empty path"
        }
        if paths.contains(where: { $0.hasPrefix(" ") || $0.hasSuffix(" ") }) { return "has a space beside a path" }
        if Set(paths).count < paths.count { return "has a path twice" }
        do throws(QueryError) {
            if try !query().suggestedIndexes(from: SQLTable("e0", storage: .entities)).isEmpty { return nil }
            return paths.contains("_id") ? "has _id: it is the key already" : "has no path to compare"
        } catch {
            return "cannot be made: " + error.message
        }
    }
}

extension Service {
    /// A note for each path of an index that the entities of its collection do not have, but nearly.
    ///
    ///     try Service.misspeltIndexes(of: ServiceSettings(), path: "/no/such/file.sqlite")  // → []
    ///
    /// A later version of an app may write the field, so the settings are kept.
    ///
    /// - Parameters:
    ///   - settings: the settings with the indexes.
    ///   - path: the database of the service, which may be running.
    /// - Returns: sentences by collection.
    /// - Throws: `QueryError` of code `store` for a file that is not a service's.
    package static func misspeltIndexes(of settings: ServiceSettings, path: String) throws(QueryError) -> [String] {
        if settings.indexes.isEmpty { return [] }
        let connection = try Connection(path: path, isReadOnly: true)
        try connection.demandService(path)
        var notes: [String] = []
        for (name, indexes) in settings.indexes.sorted(by: { $0.key < $1.key }) {
            let fields = try connection.fields(of: name)
            let known = fields.sorted()
            for path in indexes.flatMap({ IndexKeys($0).paths }) where !fields.contains(path) {
                guard let near = Suggestion.nearest(to: path, among: known) else { continue }
                notes.append("the last entities of \(name) have no field \(path); did you mean \(near)?")
            }
        }
        return notes
    }
}

extension Connection {
    /// So many bytes of entities tell the fields of a collection, and so many fields are told.
    private static let mostBytes = 1 << 20
    private static let mostFields = 10_000

    /// The paths of the fields in the last entities of a collection, in all apps; none if there are too many.
    fileprivate func fields(of name: String) throws(QueryError) -> Set<String> {
        let numbers = try list("SELECT n FROM collection WHERE name = ?", [.string(name)]) { $0.int(at: 0) }
        var fields: Set<String> = []
        for number in numbers {
            var bytes = 0
            try forEach("SELECT doc FROM e\(number) ORDER BY rowid DESC") { row in
                guard let json = row.bytes(at: 0), let entity = try? QueryValue(json: json) else { return true }
                Self.add(entity, to: &fields)
                bytes += json.count
                return bytes < Self.mostBytes && fields.count <= Self.mostFields
            }
        }
        return fields.count > Self.mostFields ? [] : fields
    }

    private static func add(_ entity: QueryValue, to fields: inout Set<String>) {
        var waiting = [(path: "", value: entity)]
        while let (path, value) = waiting.popLast() {
            switch value {
            case .object(let members):
                for (key, value) in members.pairs {
                    let path = path.isEmpty ? key : path + "." + key
                    fields.insert(path)
                    waiting.append((path, value))
                }
            case .list(let elements): waiting += elements.map { (path, $0) }
            default: break
            }
        }
    }
}
