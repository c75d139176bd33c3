import PredicateQL
import QueryChecking
import QueryTree
import QueryValues

extension Query {
    /// The rows of a table that the query finds, in its order.
    ///
    /// Columns declared BOOLEAN give bools, those declared JSON their values. Without a schema of its own the query
    /// uses the declared types of the columns. Dates and UUIDs are given as they are stored, whatever a schema declares,
    /// but those of columns that an import declared so; `Document.decode(_:)` reads them.
    ///
    ///     let large = try Query(format: "population > 200000", order: ["name"], fields: ["name"])
    ///     try large.rows(in: database, from: "cities")
    ///     // → [{"name":"Boston"}, {"name":"New York"}, {"name":"Worcester"}]
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the rows.
    /// - Throws: `QueryError` of code `store` for a missing table and what SQLite reports, and everything that `sql`
    ///   throws.
    public func rows(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> [Document] {
        var rows: [Document] = []
        try forEachRow(in: database, from: table, now: now) { (row) throws(QueryError) in
            rows.append(row)
        }
        return rows
    }

    /// Calls a closure with each row that the query finds, one at a time.
    ///
    ///     var found: [Document] = []
    ///     try query.forEachRow(in: database, from: "cities") { found.append($0) }
    ///     found.count  // → 2
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - body: called with each row.
    /// - Throws: as ``rows(in:from:now:)``, and what the closure throws.
    public func forEachRow(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil,
        _ body: (Document) throws(QueryError) -> Void
    ) throws(QueryError) {
        let rows = try cursor(in: database, StoragePlan(self, database, table.sqlTable), now: now)
        try database.metered { (_) throws(QueryError) in
            while let row = try rows.next() { try body(row) }
        }
    }

    /// Calls a closure with the JSON text of each document that the query finds, as it is stored.
    ///
    ///     try database.execute("CREATE TABLE notes (doc TEXT); INSERT INTO notes VALUES ('{\"stars\": 5}')")
    ///     var found: [String] = []
    ///     try Query(format: "stars > 4").forEachJSON(in: database, from: SQLTable("notes", storage: .document())) { json in
    ///         found.append(String(decoding: json, as: UTF8.self))
    ///     }
    ///     found  // → ["{\"stars\": 5}"]
    ///
    /// The text is neither read nor copied, unless the query has `fields`: then it is written anew with those fields.
    /// With a primary key and no relations the table's declarations are not read either; the connection keeps the
    /// statement for queries that differ only in their values.
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table; its storage names the column of the documents, and its key breaks ties of the order: nil
    ///     for the storage's key column, else the database's.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - body: called with each text in UTF-8, valid during the call.
    /// - Throws: as ``rows(in:from:now:)``, and what the closure throws; `unsupported` if the storage has no
    ///   documents, `store` for a row without a text.
    /// - Complexity: besides SQLite's work, constant for each row without `fields`, linear in its text with them.
    public func forEachJSON(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil,
        _ body: (UnsafeRawBufferPointer) throws(QueryError) -> Void
    ) throws(QueryError) {
        try jsonStatement(in: database, from: table.sqlTable, now: now)
            .forEach(in: database, body)
    }

    /// The indexes that the query would benefit from in an open database, as CREATE INDEX statements.
    ///
    /// They are of what the statements for this table read: of `pred_date(…)` where a column declared DATETIME may hold
    /// dates in any form, which `suggestedIndexes(_:from:now:)` does not see.
    ///
    ///     try Query(order: ["-population"]).suggestedIndexes(in: database, from: "cities")
    ///     // → ["CREATE INDEX IF NOT EXISTS \"cities_population\" ON \"cities\" (\"population\")"]
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statements; none if no index helps.
    /// - Throws: `QueryError` of code `store` for a missing table, and everything that `sql` throws.
    public func suggestedIndexes(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> [String] {
        let plan = try StoragePlan(self, database, table.sqlTable)
        return try plan.completed(self).suggestedIndexes(.sqlite, from: plan.known, now: now)
    }

    /// The statement of ``forEachJSON(in:from:now:_:)``, to run more than once.
    package func jsonStatement(
        in database: SQLiteDatabase,
        from table: SQLTable,
        now: Int64? = nil
    ) throws(QueryError) -> JSONStatement {
        guard let column = table.layout.documentColumn else {
            throw QueryError(.unsupported, "rows of columns have no JSON text", hint: "use rows or forEachRow")
        }
        try refuseComputed()
        let plan = try StoragePlan(self, database, table)
        let query = try plan.completed(self)
        let statement = try query.statement(plan, now)
        return JSONStatement(
            sql: statement.sql,
            isVolatile: isVolatile,
            bindings: statement.bindings,
            table: plan.table,
            column: column,
            fields: query.storedFields
        )
    }

    /// The statement for the columns that `fields` are in, or for whole rows; the fields are taken from them afterwards.
    private func statement(_ plan: StoragePlan, _ now: Int64?) throws(QueryError) -> SQLQuery {
        var unprojected = self
        unprojected.fields = nil
        let isComputing = !computed.isEmpty
        if isComputing { try validatePipeline(computing: true) }
        var columns: [String] = []
        if let column = plan.storage.documentColumn {
            if isComputing, fields != nil { columns = [column] }
        } else if let fields = storedFields {
            if let path = self.fields?.first(where: { schema?.leadsToOtherTable($0) ?? false }) {
                let name = path.keys.last ?? ""
                throw QueryError(
                    .unsupported,
                    "the field \(path.dotted) is in a row of another table",
                    hint: path.keys.count > 1
                        ? "compute it: \(name) = \(path.dotted)" : "compute its fields: name = \(name).name"
                )
            }
            let wanted = Set(fields.compactMap { $0.first.map { UTF8Key($0) } })
            columns = plan.table.columns.map(\.name).filter { wanted.contains(UTF8Key($0)) }
        }
        if !columns.isEmpty || isComputing {
            return try unprojected.sql(
                selecting: columns,
                .sqlite,
                from: plan.known,
                now: now
            )
        }
        return try unprojected.sql(.sqlite, from: plan.known, now: now)
    }

    /// Begins to read the rows that the query finds.
    ///
    /// - Returns: a cursor before the first row; its steps are not metered.
    func cursor(in database: SQLiteDatabase, _ plan: StoragePlan, now: Int64?) throws(QueryError) -> RowCursor {
        let query = try plan.completed(self)
        let statement = try query.statement(plan, now)
        let rows = try database.prepare(statement.sql, statement.bindings)
        let column = plan.storage.documentColumn
        if column == nil {
            rows.decodings = rows.columnNames.map { plan.table.decoding(of: $0, query.schema, plan.storage) }
        }
        let computed = query.computed.map { ($0.name, $0.key.path != nil, plan.readType(of: $0.key.path, in: query)) }
        return RowCursor(rows: rows, table: plan.table, column: column, fields: query.storedFields, computed: computed)
    }

    /// The stored paths of `fields`; nil for whole rows.
    private var storedFields: [[String]]? {
        fields?.map { storedKeys(of: $0) }
    }
}

/// A running statement whose rows are decoded, with the query's fields.
struct RowCursor {
    fileprivate let rows: SQLiteStatement
    fileprivate let table: SQLiteTable
    /// The column of the documents; nil for rows of columns.
    fileprivate let column: String?
    /// The stored paths of `fields`; nil for whole rows.
    fileprivate let fields: [[String]]?
    /// The names of the computed fields, whose values and kinds are the last columns, and how these are read.
    fileprivate let computed: [(name: String, isField: Bool, type: FieldType?)]

    /// The next row, or nil after the last.
    func next() throws(QueryError) -> Document? {
        guard let row = try rows.next() else { return nil }
        if computed.isEmpty { return try shown(row) }
        let first = row.values.count - computed.count * 2
        var shown = fields == nil ? Document() : try shown(Document(pairs: Array(row.pairs.prefix(first))))
        for (position, field) in computed.enumerated() {
            let kind = row.values[first + computed.count + position]
            let value = try row.values[first + position].ofKind(kind, field.name, isComputed: !field.isField)
            shown[field.name] = value.read(as: field.type)
        }
        return shown
    }

    private func shown(_ row: Document) throws(QueryError) -> Document {
        guard let column else { return row.projected(fields, holdsColumns: true) }
        guard case .string(let text)? = row[column] else { throw table.hasNoObject(in: column) }
        return try table.document(text, in: column).projected(fields)
    }
}

/// A statement for the JSON texts of documents.
package struct JSONStatement: Sendable {
    package let sql: String
    /// True if it means something else at another time.
    package let isVolatile: Bool
    fileprivate let bindings: [QueryValue]
    fileprivate let table: SQLiteTable
    fileprivate let column: String
    /// The stored paths of `fields`; nil for the texts as they are stored.
    fileprivate let fields: [[String]]?

    /// How SQLite would find the rows: the lines of EXPLAIN QUERY PLAN.
    package func plan(in database: SQLiteDatabase) throws(QueryError) -> [String] {
        try database.queryPlan(sql, bindings)
    }

    /// Calls a closure with each text in UTF-8, valid during the call.
    package func forEach(
        in database: SQLiteDatabase,
        _ body: (UnsafeRawBufferPointer) throws(QueryError) -> Void
    ) throws(QueryError) {
        try database.metered { (_) throws(QueryError) in
            try database.withStatement(sql, bindings) { (rows) throws(QueryError) in
                let number = rows.columnNames.firstIndex { $0.hasSameUTF8(as: column) } ?? 0
                while try rows.step() {
                    guard let text = rows.text(at: number) else { throw table.hasNoObject(in: column) }
                    guard let fields else {
                        try body(text)
                        continue
                    }
                    let row = try table.document(String(decoding: text, as: UTF8.self), in: column)
                    var json: [UInt8] = []
                    JSONWriter().write(.object(row.projected(fields)), to: &json)
                    try json.withUnsafeBufferPointer { (bytes) throws(QueryError) in
                        try body(UnsafeRawBufferPointer(bytes))
                    }
                }
            }
        }
    }
}

extension SQLiteTable {
    /// The document of a JSON text.
    fileprivate func document(_ text: String, in column: String) throws(QueryError) -> Document {
        guard case .object(let document) = try QueryValue(stored: text, in: column) else {
            throw hasNoObject(in: column)
        }
        return document
    }

    fileprivate func hasNoObject(in column: String) -> QueryError {
        QueryError(.store, "a row of \(name) has no JSON object in \(column)")
    }

    /// How to decode a column's values.
    func decoding(of column: String, _ schema: Schema?, _ storage: SQLStorage) -> SQLiteStatement.Decoding {
        if storage.jsonColumns.contains(where: { $0.hasSameUTF8(as: column) }) { return .json }
        let declared = columns.first { $0.name.hasSameUTF8(as: column) }
        if let type = declared?.readType { return .typed(type) }
        if declared?.isJSON == true { return .json }
        guard let field = schema?.field(storedAs: column) else { return .plain }
        switch field.type {
        case .bool: return .bool
        case .object, .list: return field.relation == nil ? .json : .plain
        case .any, .int, .double, .string, .date, .data, .uuid, .objectID: return .plain
        }
    }
}

extension Document {
    /// The document with only the given paths, nested like them, in document order (S21).
    ///
    /// - Parameters:
    ///   - paths: the stored paths; nil for the whole document.
    ///   - holdsColumns: true if the values come from columns, whose texts may be JSON that a path looks into.
    /// - Returns: the document with the paths that are present.
    package func projected(_ paths: [[String]]?, holdsColumns: Bool = false) -> Document {
        guard let paths else { return self }
        var result = Document()
        for (key, value) in pairs {
            let rests = paths.filter { $0.first.map { $0.hasSameUTF8(as: key) } ?? false }.map { Array($0.dropFirst()) }
            if rests.isEmpty { continue }
            if rests.contains(where: \.isEmpty) {
                result[key] = value
            } else if let inner = (holdsColumns ? value.inJSONText ?? value : value).projected(rests) {
                result[key] = inner
            }
        }
        return result
    }
}

extension QueryValue {
    /// The parts of an object, or of each object in a list; nil if nothing is present.
    fileprivate func projected(_ paths: [[String]]) -> QueryValue? {
        switch self {
        case .object(let document):
            let inner = document.projected(paths)
            if inner.isEmpty { return Optional.none }
            return .object(inner)
        case .list(let elements):
            return .list(
                elements.compactMap { element in
                    if case .object(let inner) = element { .object(inner.projected(paths)) } else { nil }
                }
            )
        default: return nil
        }
    }
}
