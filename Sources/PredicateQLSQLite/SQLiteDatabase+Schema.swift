import CSQLite
import PredicateQL
import QueryChecking
import QueryTree
import QueryValues

/// A table's declarations: the kinds of its columns by their declared types.
///
///     let table = try database.table("cities")
///     table.columns.map(\.name)  // → ["_id", "name", "state", "population"]
///     table.primaryKey  // → _id
public struct SQLiteTable: Sendable {
    /// One column.
    ///
    ///     let column = try database.table("cities").columns[1]
    ///     column.declaredType  // → TEXT
    ///     column.isRequired  // → true
    public struct Column: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The declared type, possibly empty.
        public var declaredType: String
        /// True when NOT NULL is declared.
        public var isRequired: Bool
        /// True for texts that the column compares by other rules than their bytes, as with `COLLATE NOCASE`.
        ///
        /// So it is for the texts of views where any table has such a column, for a view does not tell.
        public package(set) var hasCollation = false

        /// True for a column of numbers that lets texts in, as those of all tables do that are not STRICT.
        package var mayHoldTexts = false

        /// A column of a table.
        ///
        ///     SQLiteTable.Column(name: "age", declaredType: "INTEGER", isRequired: true).fieldType  // → int
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - declaredType: the declared type, possibly empty.
        ///   - isRequired: whether NOT NULL is declared.
        package init(name: String, declaredType: String, isRequired: Bool) {
            self.name = name
            self.declaredType = declaredType
            self.isRequired = isRequired
        }

        /// What the declared type guarantees; `.any` if nothing.
        public var fieldType: FieldType {
            let type = declaredType.uppercased()
            // A length or a precision decides nothing.
            switch type.prefix(while: { $0 != "(" && $0 != " " }) {
            case "BOOLEAN", "BOOL", SQLiteTable.plainBooleanType: return .bool
            case "DATE", "DATETIME", "TIMESTAMP", "TIMESTAMPTZ", SQLiteTable.plainFarDateType: return .date(.iso8601)
            case "ISO8601_MILLISECONDS", SQLiteTable.plainDateType: return .date(.iso8601Milliseconds)
            case "ISO8601_SECONDS": return .date(.iso8601Seconds)
            case "ISO8601_DATE": return .date(.iso8601Date)
            case "JSON", SQLiteTable.jsonTextType, "": return .any
            case "UUID", SQLiteTable.plainUUIDType: return .uuid
            case "DECIMAL", "NUMERIC", SQLiteTable.plainNumberType: return .double
            default: break
            }
            if type.contains("DATE") || type.contains("TIME") { return .any }
            if type.contains("INT") { return .int }
            if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") { return .string }
            if type.contains("BLOB") { return .data }
            if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") { return .double }
            return .any
        }

        /// The kind that the column makes of texts and numbers by its affinity, else what the declared type guarantees.
        package var heldType: FieldType {
            let declared = fieldType
            if declared == .string || declared == .int { return declared }
            let type = declaredType.uppercased()
            let isText = ["CHAR", "CLOB", "TEXT"].contains { type.contains($0) }
            return isText && !type.contains("INT") ? .string : declared
        }

        /// True when the values are what they are: texts that are no JSON, truth values that no number is, dates and
        /// UUIDs that no text is.
        package var isPlain: Bool { SQLiteTable.plainTypes.contains(declaredType) }

        /// True for a type of numbers that makes numbers of texts, and keeps those that are none.
        package var isOfNumbers: Bool { fieldType.kind == .number && declaredType != SQLiteTable.plainNumberType }

        /// The type of dates and UUIDs of which no text is one, so that they are read as what they are; nil for others.
        var readType: FieldType? {
            switch fieldType {
            case .date, .uuid: isPlain ? fieldType : nil
            case .any, .bool, .int, .double, .string, .data, .objectID, .object, .list: nil
            }
        }

        /// True for a type in which documents are kept; an import declares its own field `doc` as another.
        fileprivate var mayBeDocument: Bool {
            switch fieldType {
            case .any, .string, .data: !isPlain && !SQLiteTable.importedTypes.contains(declaredType)
            case .bool, .int, .double, .date, .uuid, .objectID, .object, .list: false
            }
        }

        /// True when the column holds any value as JSON text.
        public var isJSON: Bool { declaredType.uppercased() == "JSON" || declaredType == SQLiteTable.jsonTextType }
    }

    /// The declared type of columns whose texts may be dates; it guarantees only text affinity.
    static let dateTextType = "DATE_TEXT"
    /// The declared type of columns whose texts are texts, even those that look like JSON.
    package static let plainTextType = "PLAIN_TEXT"
    /// The declared type of columns that hold truth values, of which no number is one.
    package static let plainBooleanType = "PLAIN_BOOLEAN"
    /// The declared type of columns of dates, of which no text is one; they have the one form with milliseconds.
    package static let plainDateType = "PLAIN_DATE"
    /// The same for dates of which some have years that this form cannot represent.
    package static let plainFarDateType = "PLAIN_FAR_DATE"
    /// The declared type of columns of UUIDs, of which no text is one.
    package static let plainUUIDType = "PLAIN_UUID"
    private static let plainTypes: Set = [
        plainTextType, plainBooleanType, plainDateType, plainFarDateType, plainUUIDType,
    ]
    /// The declared type of columns whose numbers stay ints and doubles, as BLOB in the name converts nothing.
    package static let plainNumberType = "NUMBER_BLOB"
    /// The declared type of columns of JSON text some of which is a double: a column declared JSON makes an int of 1.0.
    static let jsonTextType = "JSON_TEXT"

    /// Other types that only imports declare.
    private static let importedTypes: Set = [dateTextType, jsonTextType]

    /// The table's name.
    public var name: String
    /// The columns in order.
    public var columns: [Column]
    /// The single column of the primary key, else `rowid`.
    public var primaryKey: String { keyColumns.count == 1 ? keyColumns[0] : "rowid" }
    /// The columns that identify rows; empty if only the row number does.
    ///
    /// Those of the primary key, else `_id` if the table has it; all columns of a view.
    public var keyColumns: [String]
    /// True when each row is a document in the column `doc`.
    ///
    /// Beside it are only a key, which is declared or named `_id` or `id`, generated columns, and what the service and
    /// the store keep.
    package fileprivate(set) var holdsDocuments = false

    /// True when other columns make fields of the rows, and the column `doc` may hold documents nevertheless.
    package var mayHoldDocuments: Bool {
        !holdsDocuments && columns.contains { $0.name == "doc" && $0.mayBeDocument }
    }

    /// Documents when the table holds them, else columns.
    package var usualStorage: SQLStorage { holdsDocuments ? .document() : storage }

    /// The kinds of the columns as a schema; for other tables see ``SQLiteDatabase/schema(ofTable:)``.
    ///
    /// A column declared TEXT or BLOB may hold JSON text if the query uses it as a list or an object.
    ///
    ///     let schema = try database.table("cities").schema
    ///     let query = try Query(format: "ANY name == 'Boston'", schema: schema)
    ///     try query.sql(.sqlite, from: "cities").assumptions.map(\.document)  // → [{"json":"name"}]
    public var schema: Schema {
        var schema = Schema(
            columns.map { .field($0.name, $0.fieldType, isOptional: !$0.isRequired) },
            primaryKey: keyColumns
        )
        schema.isOfTable = true
        schema.plainFields = Set(columns.filter(\.isPlain).map(\.name))
        return schema
    }

    /// Where fields are stored: one column each, those declared JSON as JSON text.
    public var storage: SQLStorage {
        var storage = SQLStorage.columns(json: Set(columns.filter(\.isJSON).map(\.name)))
        storage.castColumns = Set(columns.filter(\.hasCollation).map(\.name))
        storage.looseColumns = Set(columns.filter(\.mayHoldTexts).map(\.name))
        return storage
    }
}

extension SQLiteTable {
    /// True if a column compares texts by other rules than their bytes, or may do so, as a view's.
    ///
    /// - Parameters:
    ///   - column: the column's name.
    ///   - table: the table's name.
    ///   - connection: an open `sqlite3` connection.
    /// - Returns: false for a table's column with the collation `BINARY`.
    package static func hasCollation(_ column: String, of table: String, _ connection: OpaquePointer?) -> Bool {
        var name: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(connection, nil, table, column, nil, &name, nil, nil, nil)
        guard code == SQLITE_OK, let name else { return mentionsCollations(connection) }
        return sqlite3_stricmp(name, "BINARY") != 0
    }

    /// True if any declaration names a collation, or cannot be read.
    private static func mentionsCollations(_ connection: OpaquePointer?) -> Bool {
        let declared = ["sqlite_master", "sqlite_temp_master"].map { "SELECT 1 FROM \($0) WHERE sql LIKE '%collate%'" }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = declared.joined(separator: " UNION ALL ")
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return true }
        return sqlite3_step(statement) != SQLITE_DONE
    }
}

extension SQLiteDatabase {
    /// The names of the tables and views, sorted.
    ///
    ///     try database.tableNames()  // → ["cities"]
    ///
    /// - Returns: the names, without SQLite's own tables.
    /// - Throws: `QueryError` of code `store`.
    public func tableNames() throws(QueryError) -> [String] {
        let sql =
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name"
        return try rows(sql).compactMap { row in
            if case .string(let name)? = row["name"] { name } else { nil }
        }
    }

    /// A table's columns and key.
    ///
    ///     try database.table("cities").schema.field(named: "population")?.type  // → int
    ///
    /// - Parameter name: the table's name.
    /// - Returns: the table's declarations.
    /// - Throws: `QueryError` of code `store` if there is no such table; the hint lists the existing ones.
    public func table(_ name: String) throws(QueryError) -> SQLiteTable {
        let declared = "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1"
        let rows = try rows(declared, [.string(name)])
        guard !rows.isEmpty else {
            let names = try tableNames()
            throw QueryError(
                .store,
                "there is no table \(name)",
                hint: names.isEmpty ? "the file has no tables" : "it has " + names.joined(separator: ", ")
            )
        }
        var columns: [SQLiteTable.Column] = []
        var keys: [(position: Int64, name: String)] = []
        for row in rows {
            guard case .string(let column)? = row["name"] else { continue }
            var type = ""
            if case .string(let declared)? = row["type"] { type = declared }
            var declared = SQLiteTable.Column(name: column, declaredType: type, isRequired: row["notnull"] == .int(1))
            let isText = declared.fieldType == .string || declared.fieldType == .any && !declared.isJSON
            declared.hasCollation = isText && SQLiteTable.hasCollation(column, of: name, handle)
            declared.mayHoldTexts = declared.isOfNumbers
            columns.append(declared)
            if case .int(let position)? = row["pk"], position > 0 { keys.append((position, column)) }
        }
        let (hasRowNumbers, isStrict) = form(ofTable: name)
        for position in columns.indices where columns[position].mayHoldTexts {
            let isRowNumber =
                hasRowNumbers && keys.count == 1 && keys[0].name == columns[position].name
                && columns[position].declaredType.uppercased() == "INTEGER"
            columns[position].mayHoldTexts = !isStrict && !isRowNumber
        }
        var keyColumns = keys.sorted { $0.position < $1.position }.map(\.name)
        if keyColumns.isEmpty, columns.contains(where: { $0.name.hasSameUTF8(as: "_id") }) { keyColumns = ["_id"] }
        if keyColumns.isEmpty, try isView(name) { keyColumns = columns.map(\.name) }
        var table = SQLiteTable(name: name, columns: columns, keyColumns: keyColumns)
        // What is neither generated nor the declared key.
        var fields = rows.filter { $0["hidden"] == .int(0) && $0["pk"] == .int(0) }.compactMap { $0["name"] }
        // Views and copies of tables declare no key.
        let ownKey = keys.isEmpty ? ["_id", "id"].first { fields.contains(.string($0)) } : nil
        if let ownKey { fields.removeAll { $0 == .string(ownKey) } }
        let hasOneKey = keys.count == 1 || ownKey != nil
        let kept: Set<[QueryValue]> = [["doc"], ["tick", "doc"], ["doc", "seen", "at"]]
        table.holdsDocuments =
            kept.contains(fields) && (hasOneKey || keys.isEmpty && fields.count == 1)
            && columns.contains { $0.name == "doc" && $0.mayBeDocument }
        if table.holdsDocuments, let ownKey, !keyColumns.isEmpty { table.keyColumns = [ownKey] }
        return table
    }

    /// Whether rows have numbers, of which a column declared INTEGER PRIMARY KEY is one, and whether it is STRICT.
    private func form(ofTable name: String) -> (hasRowNumbers: Bool, isStrict: Bool) {
        // SQLite before 3.37 has neither the list nor STRICT.
        let row = try? rows("SELECT wr, strict FROM pragma_table_list(?)", [.string(name)]).first
        return (row?["wr"] != .int(1), row?["strict"] == .int(1))
    }

    /// Whether the first document of a table's first thousand rows begins as an object.
    ///
    /// - Parameter table: a table with a column `doc`.
    /// - Returns: false if the rows cannot be read within the limits.
    package func showsDocuments(in table: SQLiteTable) -> Bool {
        guard table.mayHoldDocuments else { return false }
        let first = "SELECT \"doc\" FROM \(SQLiteImporter.quoted(table.name)) LIMIT 1000"
        let sql = "SELECT substr(CAST(doc AS TEXT), 1, 1) AS start FROM (\(first)) WHERE doc IS NOT NULL LIMIT 1"
        let found = try? SQLiteMeter.run(on: handle, limits) { () throws(QueryError) in try rows(sql) }
        return found?.first?["start"] == "{"
    }

    func isView(_ name: String) throws(QueryError) -> Bool {
        let views = ["sqlite_temp_master", "sqlite_master"].map {
            "SELECT 1 FROM \($0) WHERE type = 'view' AND name = ?1 COLLATE NOCASE"
        }
        return try !rows(views.joined(separator: " UNION ALL "), [.string(name)]).isEmpty
    }

    /// The kinds of a table's columns by their declared types, and the relations that foreign keys declare.
    ///
    ///     let schema = try database.schema(ofTable: "cities")
    ///     try Query(format: "population > 'x'", schema: schema)  // throws kindMismatch
    ///
    /// A foreign key gives two relations: to the row it refers to, named after its column without `_id` or `Id`, else
    /// after the other table; and from there to the rows that refer to it, named after this table. A name that a column
    /// or another relation already has is left out. Relations are followed at most three steps.
    ///
    /// - Parameter name: the table's name.
    /// - Returns: a field for each column and relation.
    /// - Throws: `QueryError` of code `store` when there is no such table.
    /// - Complexity: O(tables), because any of them may refer to this one.
    public func schema(ofTable name: String) throws(QueryError) -> Schema {
        let own = try table(name).schema
        var schemas = RelatedSchemas(keys: try foreignKeys()) { try? self.table($0).schema }
        return schemas.schema(of: name) ?? own
    }

    /// The foreign keys that the tables declare.
    private func foreignKeys() throws(QueryError) -> [RelatedSchemas.ForeignKey] {
        let sql = """
            SELECT m.name AS child, k.id, k."table" AS parent, k."from" AS column, k."to" AS referred
            FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS k
            WHERE m.type = 'table' ORDER BY m.name, k.id, k.seq
            """
        var keys: [RelatedSchemas.ForeignKey] = []
        var last: QueryValue = .null
        for row in try rows(sql) {
            guard case .string(let child)? = row["child"], case .string(let parent)? = row["parent"],
                case .string(let column)? = row["column"], let number = row["id"]
            else { continue }
            var referred: [String] = []
            if case .string(let name)? = row["referred"] { referred = [name] }
            if let index = keys.indices.last, number == last, keys[index].child.hasSameUTF8(as: child) {
                keys[index].columns.append(column)
                keys[index].referred += referred
            } else {
                keys.append(
                    RelatedSchemas.ForeignKey(child: child, parent: parent, columns: [column], referred: referred)
                )
            }
            last = number
        }
        return keys
    }

    /// The column that identifies a table's rows.
    ///
    ///     try database.primaryKey(ofTable: "cities")  // → _id
    ///
    /// - Parameter name: the table's name.
    /// - Returns: the one column of the primary key, else `rowid`.
    /// - Throws: `QueryError` of code `store` when there is no such table.
    public func primaryKey(ofTable name: String) throws(QueryError) -> String {
        try table(name).primaryKey
    }
}

extension QueryError {
    /// Rows cannot be deleted from a view, unless a trigger deletes them.
    package static func isView(_ name: String) -> QueryError {
        let hint = "delete from the table that it shows, or create a trigger INSTEAD OF DELETE ON it"
        return QueryError(.unsupported, "rows cannot be deleted from \(name), which is a view", hint: hint)
    }

    /// The error with a hint at the other storage, if a row's document is not JSON.
    ///
    /// - Parameter option: how the caller names the storage of columns.
    /// - Returns: the error itself for any other.
    package func offeringColumns(_ option: String) -> QueryError {
        // Texts that are no JSON are errors of the statement, or of what reads its rows.
        guard code == .store, (sqliteCode ?? SQLITE_ERROR) == SQLITE_ERROR else { return self }
        var error = self
        error.hint = (hint.map { $0 + "; " } ?? "") + "\(option) reads doc as a field"
        return error
    }
}
