import CSQLite
import PredicateQL
import QuerySyntax

/// What a table says about itself: the kinds of its columns by their declared types.
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
        /// The type as it was declared, perhaps empty.
        public var declaredType: String
        /// True when NOT NULL is declared.
        public var isRequired: Bool

        /// A column of a table.
        ///
        ///     SQLiteTable.Column(name: "age", declaredType: "INTEGER", isRequired: true).fieldType  // → int
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - declaredType: the type as declared, perhaps empty.
        ///   - isRequired: whether NOT NULL is declared.
        public init(name: String, declaredType: String, isRequired: Bool) {
            self.name = name
            self.declaredType = declaredType
            self.isRequired = isRequired
        }

        /// What the declared type promises; `.any` where it promises nothing.
        public var fieldType: FieldType {
            let type = declaredType.uppercased()
            switch type {
            case "BOOLEAN", "BOOL": return .bool
            case "DATE": return .date(.iso8601)
            case "JSON", "": return .any
            case "UUID": return .uuid
            default: break
            }
            if type.contains("DATE") || type.contains("TIME") { return .any }
            if type.contains("INT") { return .int }
            if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") { return .string }
            if type.contains("BLOB") { return .data }
            if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") { return .double }
            return .any
        }

        /// True when the column holds any value as JSON text.
        public var isJSON: Bool { declaredType.uppercased() == "JSON" }
    }

    /// The table's name.
    public var name: String
    /// The columns in order.
    public var columns: [Column]
    /// The one column of the primary key, else `rowid`.
    public var primaryKey: String

    /// The kinds of the columns as a schema.
    public var schema: Schema {
        Schema(columns.map { .field($0.name, $0.fieldType, isOptional: !$0.isRequired) })
    }

    /// Where fields live: a column each, those declared JSON as JSON text.
    public var storage: SQLStorage { .columns(json: Set(columns.filter(\.isJSON).map(\.name))) }
}

extension SQLiteDatabase {
    /// The names of the tables and views, sorted.
    ///
    ///     try database.tableNames()  // → ["cities"]
    ///
    /// - Returns: the names, SQLite's own tables left out.
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
    /// - Returns: what the table says about itself.
    /// - Throws: `QueryError` of code `store` when there is no such table; the hint lists the ones there are.
    public func table(_ name: String) throws(QueryError) -> SQLiteTable {
        let rows = try rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)", [.string(name)])
        guard !rows.isEmpty else {
            let names = try tableNames()
            throw QueryError(
                .store,
                "there is no table \(name)",
                hint: names.isEmpty ? "the file has no tables" : "it has " + names.joined(separator: ", ")
            )
        }
        var columns: [SQLiteTable.Column] = []
        var keys: [String] = []
        for row in rows {
            guard case .string(let column)? = row["name"] else { continue }
            var type = ""
            if case .string(let declared)? = row["type"] { type = declared }
            columns.append(
                SQLiteTable.Column(name: column, declaredType: type, isRequired: row["notnull"] == .int(1))
            )
            if case .int(let position)? = row["pk"], position > 0 { keys.append(column) }
        }
        return SQLiteTable(name: name, columns: columns, primaryKey: keys.count == 1 ? keys[0] : "rowid")
    }

    /// The kinds of a table's columns by their declared types.
    ///
    ///     let schema = try database.schema(ofTable: "cities")
    ///     try Query(format: "population > 'x'", schema: schema)  // throws kindMismatch
    ///
    /// - Parameter name: the table's name.
    /// - Returns: a field for each column.
    /// - Throws: `QueryError` of code `store` when there is no such table.
    public func schema(ofTable name: String) throws(QueryError) -> Schema {
        try table(name).schema
    }

    /// The column that tells a table's rows apart.
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
