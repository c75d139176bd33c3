import PredicateQL
import QueryTree
import QueryValues

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
        var numbers: [Int64] = []
        try forEach("SELECT n FROM collection WHERE name = ?", [.string(name)]) { row in
            numbers.append(row.int(at: 0))
            return true
        }
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
