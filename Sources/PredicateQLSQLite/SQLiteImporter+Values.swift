import PredicateQL
import QuerySyntax

/// Documents' values as columns hold them.
extension SQLiteImporter {
    func values(
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
        let stored = form.stored(value)
        switch (stored, column.fieldType) {
        case (.null, _), (.bool, .bool), (.int, .int), (.double, .double), (.int, .double), (.string, .string),
            (.date, .date), (.data, .data), (.uuid, .uuid), (.string, .uuid):
            return stored
        case (.string(let text), .date) where form.date(text) != nil: return stored
        case (.double(let number), .int):
            if let whole = Int64(exactly: number) { return .int(whole) }
        case (.bool, .any), (.int, .any), (.double, .any), (.string, .any), (.date, .any), (.data, .any), (.uuid, .any):
            return stored
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

extension SQLiteImporter.ValueForm {
    /// The declared type of a column for the type that values suggest.
    func declared(_ type: String) -> String {
        switch (self, type) {
        case (.grdb, "DATE"): "DATETIME"
        case (.grdb, "UUID"): "BLOB"
        default: type
        }
    }

    /// The date that a stored text stands for; nil for any other text.
    fileprivate func date(_ text: String) -> Int64? {
        switch self {
        case .text: DateText.parseExact(text)
        case .grdb: DateText.parseExactGRDB(text)
        }
    }

    fileprivate func stored(_ value: QueryValue) -> QueryValue {
        switch (self, value) {
        case (.grdb, .date(let milliseconds)): .string(DateText.grdb(milliseconds))
        case (.grdb, .uuid(let uuid)): withUnsafeBytes(of: uuid.uuid) { .data(Array($0)) }
        default: value
        }
    }
}
