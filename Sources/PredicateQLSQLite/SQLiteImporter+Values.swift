import PredicateQL
import QueryTree
import QueryValues

/// Documents' values as columns store them.
extension SQLiteImporter {
    /// A column that values go to, with what its declared type says.
    struct Target {
        let column: SQLiteTable.Column
        fileprivate let type: FieldType
        fileprivate let isJSON: Bool

        init(_ column: SQLiteTable.Column) {
            self.column = column
            type = column.fieldType
            isJSON = column.isJSON
        }
    }

    /// Binds a value as its column stores it; `text` is room for JSON text.
    func bind(
        _ value: QueryValue,
        _ target: Target,
        to statement: SQLiteStatement,
        at position: Int,
        _ text: inout [UInt8]
    ) throws(QueryError) {
        guard target.isJSON else { return try statement.bind(try scalar(value, target), at: position) }
        text.removeAll(keepingCapacity: true)
        try writeJSON(value, target.column, to: &text)
        try statement.bind(text: text, at: position)
    }

    private func scalar(_ value: QueryValue, _ target: Target) throws(QueryError) -> QueryValue {
        let stored = form.stored(value)
        let column = target.column
        if case .double(let number) = stored, number.isNaN {
            throw QueryError(
                .store,
                "the field \(column.name) holds NaN, which SQLite stores as NULL",
                hint: "write null in its place, or leave the field out"
            )
        }
        switch (stored, target.type) {
        case (.null, _), (.bool, .bool), (.int, .int), (.double, .double), (.int, .double), (.string, .string),
            (.data, .data), (.uuid, .uuid), (.string, .uuid):
            return stored
        case (.string, .date(let encoding)) where form.isDate(stored, encoding): return stored
        case (.date(let milliseconds), .date(let encoding)):
            // A column of one form must not hold a date that the form truncates.
            let text = encoding.encode(milliseconds)
            if encoding == .native || encoding.decode(text) == milliseconds { return text }
        case (.double(let number), .int):
            if let whole = Int64(exactly: number), whole != 0 || number.sign == .plus { return .int(whole) }
        case (.bool, .any), (.int, .any), (.double, .any), (.string, .any), (.date, .any), (.data, .any), (.uuid, .any):
            return stored
        default: break
        }
        throw QueryError(
            .store,
            "the field \(column.name) is declared \(column.declaredType) but a document holds a \(value.kind.rawValue)",
            hint: "leave the field out of the schema, or fix the document"
        )
    }

    private func writeJSON(
        _ value: QueryValue,
        _ column: SQLiteTable.Column,
        to text: inout [UInt8]
    ) throws(QueryError) {
        if let part = value.partBeyondJSON {
            throw QueryError(
                .store,
                "the field \(column.name) is stored as JSON, which cannot represent \(part)",
                hint: "leave it out of lists and objects, and give the field one kind"
            )
        }
        JSONWriter().write(value.holdsDate ? value.withDateText : value, to: &text)
    }
}

extension QueryValue {
    /// What JSON cannot represent of the value; nil if it can represent all of it.
    fileprivate var partBeyondJSON: String? {
        switch self {
        case .null, .bool, .int, .date: nil
        case .double(let number): number.isNaN ? "NaN" : number.isFinite ? nil : "an infinity"
        case .string(let text): text.utf8.contains(0) ? "a text with a NUL character" : nil
        case .list(let elements): elements.lazy.compactMap(\.partBeyondJSON).first
        case .object(let document): document.values.lazy.compactMap(\.partBeyondJSON).first
        case .data: "bytes"
        case .uuid: "a UUID"
        case .shape: "a shape"
        }
    }

    /// True for a date, and for a list or an object with one in it.
    var holdsDate: Bool {
        switch self {
        case .date: true
        case .list(let elements): elements.contains(where: \.holdsDate)
        case .object(let document): document.values.contains(where: \.holdsDate)
        case .null, .bool, .int, .double, .string, .data, .uuid, .shape: false
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
    /// The declared type of a column for the type inferred from values.
    func declared(_ type: String) -> String {
        switch (self, type) {
        case (.grdb, SQLiteTable.plainDateType), (.grdb, SQLiteTable.plainFarDateType): "DATETIME"
        case (.grdb, SQLiteTable.plainUUIDType): "BLOB"
        case (.grdb, SQLiteTable.plainBooleanType): "BOOLEAN"
        default: type
        }
    }

    /// True for a text that is a date in this encoding.
    fileprivate func isDate(_ text: QueryValue, _ encoding: DateEncoding) -> Bool {
        switch self {
        case .text: encoding.decode(text) != nil
        case .grdb: DateEncoding.sqliteText.decode(text) != nil
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
