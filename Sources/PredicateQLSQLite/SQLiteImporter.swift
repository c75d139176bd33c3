import PredicateQL
import QuerySyntax

/// Writes documents into one new table, in one transaction: all of them or none.
///
/// Two passes: every document is observed, then every document is inserted.
/// One column for each top-level field, declared INTEGER, REAL, TEXT, BOOLEAN, DATE (ISO text), or JSON for lists,
/// objects and mixed kinds; absent and null are one in scalar columns.
///
///     var importer = SQLiteImporter(table: "cities")
///     for city in cities { try importer.observe(city) }
///     try importer.write(to: database) { insert in
///         for city in cities { try insert(city) }
///     }
public struct SQLiteImporter {
    private let table: String
    private let schema: Schema?
    private var names: [String] = []
    private var slots: [UTF8Key: Int] = [:]
    private var inferences: [ColumnInference] = []

    /// An importer for a new table.
    ///
    /// - Parameters:
    ///   - table: the name of the table to make.
    ///   - schema: kinds that are known; by stored names. Its dates are kept as it says.
    public init(table: String, schema: Schema? = nil) {
        self.table = table
        self.schema = schema
        for field in schema?.fields ?? [] { _ = slot(of: field.storedName) }
    }

    /// First pass: takes note of a document's fields and their kinds.
    ///
    /// - Parameter document: the document.
    /// - Throws: `QueryError` of code `store` for a field without a name.
    public mutating func observe(_ document: Document) throws(QueryError) {
        for (key, value) in document.pairs {
            if key.isEmpty || key.utf8.contains(0) {
                throw QueryError(.store, "a field's name is empty or holds a NUL character: it can be no column")
            }
            inferences[slot(of: key)].observe(value)
        }
    }

    private mutating func slot(of key: String) -> Int {
        if let slot = slots[UTF8Key(key)] { return slot }
        slots[UTF8Key(key)] = names.count
        names.append(key)
        inferences.append(ColumnInference())
        return names.count - 1
    }

    /// The columns as they will be declared.
    public var columns: [SQLiteTable.Column] {
        zip(names, inferences).map { name, inference in
            let known = schema?.fields.first { $0.storedName.hasSameUTF8(as: name) }
            let type = known.flatMap { ColumnInference.declaredType($0.type) } ?? inference.declaredType
            return SQLiteTable.Column(name: name, declaredType: type, isRequired: false)
        }
    }

    /// Second pass: makes the table and inserts what the closure gives; rolls back on any error.
    ///
    /// - Parameters:
    ///   - database: a database opened for writing.
    ///   - body: calls its argument with every document that was observed.
    /// - Returns: the number of rows written.
    /// - Throws: `QueryError` of code `store` when the table exists, when two fields differ only in case, or when SQLite
    ///   fails; and what the closure throws. The file is then as before.
    @discardableResult
    public func write(
        to database: SQLiteDatabase,
        _ body: ((Document) throws(QueryError) -> Void) throws(QueryError) -> Void
    ) throws(QueryError) -> Int {
        let columns = columns
        try check(columns)
        try database.execute("BEGIN IMMEDIATE")
        do throws(QueryError) {
            try database.execute(create(columns))
            let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
            let statement = try database.prepare(
                "INSERT INTO " + Self.quoted(table) + " VALUES (" + marks + ")",
                Array(repeating: .null, count: columns.count)
            )
            var count = 0
            try body { (document) throws(QueryError) in
                try statement.bind(try self.values(of: document, columns))
                try statement.run()
                count += 1
            }
            try database.execute("COMMIT")
            return count
        } catch {
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    private func check(_ columns: [SQLiteTable.Column]) throws(QueryError) {
        if table.isEmpty || table.utf8.contains(0) {
            throw QueryError(.store, "a table needs a name without NUL characters")
        }
        if columns.isEmpty { throw QueryError(.store, "there is no field to make a column of") }
        var seen: Set<String> = []
        for column in columns {
            let folded = String(decoding: column.name.utf8.map { $0 >= 65 && $0 <= 90 ? $0 | 32 : $0 }, as: UTF8.self)
            guard seen.insert(folded).inserted else {
                throw QueryError(
                    .store,
                    "two fields are named \(column.name) but for case; SQLite's columns cannot be",
                    hint: "rename one of them"
                )
            }
        }
    }

    private func create(_ columns: [SQLiteTable.Column]) -> String {
        let list = columns.map { Self.quoted($0.name) + " " + $0.declaredType }.joined(separator: ", ")
        return "CREATE TABLE " + Self.quoted(table) + " (" + list + ")"
    }

    private static func quoted(_ name: String) -> String {
        var result = "\""
        for scalar in name.unicodeScalars {
            result.unicodeScalars.append(scalar)
            if scalar == "\"" { result += "\"" }
        }
        return result + "\""
    }

    // MARK: Values

    private func values(
        of document: Document,
        _ columns: [SQLiteTable.Column]
    ) throws(QueryError) -> [QueryValue] {
        var values: [QueryValue] = []
        values.reserveCapacity(columns.count)
        for column in columns {
            guard let value = document[column.name] else {
                values.append(.null)
                continue
            }
            values.append(try column.isJSON ? json(value, column) : scalar(value, column))
        }
        return values
    }

    private func scalar(_ value: QueryValue, _ column: SQLiteTable.Column) throws(QueryError) -> QueryValue {
        switch (value, column.declaredType) {
        case (.null, _), (.bool, "BOOLEAN"), (.int, "INTEGER"), (.double, "REAL"), (.int, "REAL"), (.string, "TEXT"),
            (.date, "DATE"), (.data, "BLOB"), (.uuid, "UUID"):
            return value
        case (.string(let text), "DATE") where DateText.parseExact(text) != nil: return value
        case (.string, "UUID"): return value
        case (.double(let number), "INTEGER"):
            if let whole = Int64(exactly: number) { return .int(whole) }
        default: break
        }
        throw QueryError(
            .store,
            "the field \(column.name) is declared \(column.declaredType) but a document holds a \(value.kind.rawValue)",
            hint: "leave the field out of the schema, or mend the document"
        )
    }

    /// JSON text; a number stays text by a space that keeps the column from reading it as a number of its own.
    private func json(_ value: QueryValue, _ column: SQLiteTable.Column) throws(QueryError) -> QueryValue {
        guard value.isPlainJSON else {
            throw QueryError(
                .store,
                "the field \(column.name) mixes kinds, one of which JSON cannot hold",
                hint: "give the field one kind"
            )
        }
        return .string(JSONWriter().text(value.withDateText))
    }
}

extension QueryValue {
    /// True when JSON can hold the value: no bytes, UUIDs, shapes, infinities or NaN, no NUL in texts.
    fileprivate var isPlainJSON: Bool {
        switch self {
        case .null, .bool, .int, .date: true
        case .double(let number): number.isFinite
        case .string(let text): !text.utf8.contains(0)
        case .list(let elements): elements.allSatisfy(\.isPlainJSON)
        case .object(let document): document.values.allSatisfy(\.isPlainJSON)
        case .data, .uuid, .shape: false
        }
    }

    fileprivate var withDateText: QueryValue {
        switch self {
        case .date(let milliseconds): .string(DateText.iso8601(milliseconds))
        case .list(let elements): .list(elements.map(\.withDateText))
        case .object(let document):
            .object(Document(shape: document.shape, values: document.values.map(\.withDateText)))
        default: self
        }
    }
}
