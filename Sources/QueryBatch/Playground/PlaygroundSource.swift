import PredicateQL
import PredicateQLSQLite
import QueryEvaluation
import QueryTree
import QueryValues

/// Rows that a playground can ask.
package struct PlaygroundSource: Sendable {
    enum Content: Sendable {
        /// NDJSON, or a JSON list of objects; CSV becomes NDJSON.
        case rows([UInt8], SQLiteTable, isCSV: Bool)
        /// A table of a database.
        case table(SharedDatabase, String)

        /// The size of the rows in memory, if they are there.
        var bytes: Int? { if case .rows(let bytes, _, _) = self { bytes.count } else { nil } }
    }

    /// Set when a playground takes it.
    package var id = ""
    let name: String
    /// The number of rows.
    let count: Int
    /// The paths of the first rows, with the kinds of their values.
    let fields: [(path: String, kind: String)]
    /// Some rows, which show the kinds of values.
    let sample: [Document]
    let content: Content
    /// The size of a dropped file as it is held; nil for what was there from the start.
    var droppedBytes: Int?

    /// The fields of the rows that were looked at.
    var names: RowNames {
        let isWhole = count <= FieldSurvey.sample
        let rows = isWhole ? "no row" : "none of the first \(FieldSurvey.sample) rows"
        return RowNames(fields.map(\.path), rows: rows, sample: sample)
    }

    /// `id`, `name`, `rows`, `form` and `fields`.
    package var answer: QueryValue {
        let form =
            switch content {
            case .rows(_, _, let isCSV): isCSV ? "CSV" : "JSON"
            case .table: "SQLite"
            }
        return .object([
            "id": .string(id), "name": .string(name), "rows": .int(Int64(count)), "form": .string(form),
            "fields": .list(fields.map { [.string($0.path), .string($0.kind)] }),
        ])
    }
}

extension PlaygroundSource {
    /// The sources of a file in memory.
    static func sources(
        of name: String,
        _ bytes: [UInt8],
        isCSV: Bool,
        _ limits: Limits
    ) throws(QueryError) -> [PlaygroundSource] {
        let format: RowFormat
        do {
            format = try RowFormat(bytes, path: name)
        } catch {
            throw QueryError(.json, error.message(name), hint: "convert it: " + error.command(name))
        }
        switch format {
        case .database: return try sources(of: name, SharedDatabase(try SQLiteDatabase(bytes: bytes)))
        case .cells(let separator):
            return [try source(of: name, try lines(name, bytes, separator, limits), isCSV: true, limits)]
        case .values:
            var (lines, text) = (ValueLines(), [UInt8]())
            lines.convert(bytes, into: &text)
            return [try source(of: name, text, isCSV: false, limits)]
        case .lines, .list: return [try source(of: name, bytes, isCSV: isCSV, limits)]
        }
    }

    /// CSV as lines of JSON.
    private static func lines(
        _ name: String,
        _ bytes: [UInt8],
        _ separator: UInt8,
        _ limits: Limits
    ) throws(QueryError) -> [UInt8] {
        func reading() -> (Int) -> [UInt8] {
            var rest = bytes[...]
            return { size in
                defer { rest = rest.dropFirst(size) }
                return Array(rest.prefix(size))
            }
        }
        do {
            var text: [UInt8] = []
            var lines = try CellLines(name, separator, limits: limits, sample: reading(), read: reading())
            var part: [UInt8] = []
            while try lines.convert(into: &part) {
                text += part
                part.removeAll(keepingCapacity: true)
                // A long header stands in every row.
                guard text.count <= Playground.convertedBytes else {
                    let most = Playground.convertedBytes >> 20
                    throw QueryError(.tooMuchWork, "the rows of \(name) are larger than \(most) MiB as JSON")
                }
            }
            return text
        } catch {
            throw error as? QueryError ?? QueryError(.json, "\(name) cannot be read")
        }
    }

    /// The source of JSON rows.
    private static func source(
        of name: String,
        _ bytes: [UInt8],
        isCSV: Bool,
        _ limits: Limits
    ) throws(QueryError) -> PlaygroundSource {
        guard isCSV || RowFormat.firstByte(bytes) != nil else {
            throw QueryError(.json, "\(name) is empty", hint: "NDJSON has an object per line")
        }
        var survey = FieldSurvey()
        var importer = SQLiteImporter(table: name)
        var reader = try JSONRows(bytes, extended: true, limits: limits).reader(.everything)
        var count = 0
        do throws(QueryError) {
            while try reader.next() {
                count += 1
                survey.add(reader.row)
                // A name that cannot be a column is reported by the SQL that needs it.
                try? importer.observe(reader.row)
            }
        } catch {
            var fault = QueryError(.json, "\(name), line \(reader.line): \(error.message)", hint: error.hint)
            if error.code != .json { fault.code = error.code }
            throw fault
        }
        let content = Content.rows(bytes, importer.declaredTable, isCSV: isCSV)
        return PlaygroundSource(
            name: name,
            count: count,
            fields: survey.fields,
            sample: survey.first,
            content: content
        )
    }

    /// The tables of a database.
    static func sources(of name: String, _ shared: SharedDatabase) throws(QueryError) -> [PlaygroundSource] {
        let made = try shared.use { (database) throws(QueryError) -> [PlaygroundSource] in
            var made: [PlaygroundSource] = []
            for table in try database.tableNames() {
                var survey = FieldSurvey()
                let query = Query(limit: FieldSurvey.sample)
                for row in try query.results(in: database, from: table) { survey.add(row) }
                let count = try Query().count(in: database, from: table)
                made.append(
                    PlaygroundSource(
                        name: "\(name): \(table)",
                        count: count,
                        fields: survey.fields,
                        sample: survey.first,
                        content: .table(shared, table)
                    )
                )
            }
            return made
        }
        guard !made.isEmpty else { throw QueryError(.store, "\(name) has no tables") }
        return made
    }
}

/// The paths of the first rows, and the kinds of their values.
private struct FieldSurvey {
    /// How many rows are looked at, and how many paths are kept.
    static let sample = 1_000

    private var seen: [[UInt8]: Int] = [:]
    private(set) var fields: [(path: String, kind: String)] = []
    private var rows = 0
    /// A few rows.
    private(set) var first: [Document] = []

    mutating func add(_ row: Document) {
        rows += 1
        if rows <= 100 { first.append(row) }
        if rows <= Self.sample { add(row, after: [], depth: 4) }
    }

    private mutating func add(_ row: Document, after prefix: [String], depth: Int) {
        for (key, value) in zip(row.keys, row.values) {
            let keys = prefix + [key]
            let path = Array(keys.joined(separator: "\0").utf8)
            let kind = value.kind.rawValue
            if let index = seen[path] {
                // A field that is sometimes null keeps the kind of its values.
                if fields[index].kind == "null" { fields[index].kind = kind }
            } else if fields.count < Self.sample {
                seen[path] = fields.count
                fields.append((FieldPath(keys: keys).format, kind))
            }
            guard depth > 1 else { continue }
            let objects: [QueryValue] = if case .list(let elements) = value { elements } else { [value] }
            for case .object(let object) in objects { add(object, after: keys, depth: depth - 1) }
        }
    }
}

/// A database that several threads ask, one after the other.
final class SharedDatabase: @unchecked Sendable {
    private let lock = Mutex(())
    private let database: SQLiteDatabase

    init(_ database: sending SQLiteDatabase) { self.database = database }

    func use<Answer: Sendable>(
        _ body: (SQLiteDatabase) throws(QueryError) -> Answer
    ) throws(QueryError) -> Answer {
        try lock.withLock { _ throws(QueryError) in try body(database) }
    }

    func use<Answer: Sendable>(_ body: (SQLiteDatabase) -> Answer) -> Answer {
        lock.withLock { _ in body(database) }
    }
}
