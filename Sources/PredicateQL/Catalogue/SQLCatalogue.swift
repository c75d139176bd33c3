import QueryChecking
import QuerySQL
import QueryTree
import QueryValues

/// The tables of a PostgreSQL or DuckDB database, as its catalogue describes them.
///
/// Run ``SQLDialect/catalogueQuery`` with your driver; it gives one text. Queries are then checked against the tables
/// before they run, foreign keys are relations, and each column is read as its type demands.
///
///     let catalogue = try SQLCatalogue(
///         json: #"""
///             [{"table": "orders", "column": "id", "type": "int8", "required": true, "key": 1},
///              {"table": "orders", "column": "total", "type": "numeric", "required": false}]
///             """#
///     )
///     let query = try Query(format: "total > 9.5", schema: catalogue.schema(ofTable: "orders"))
///     let storage = try catalogue.storage(ofTable: "orders")
///     try query.sql(.postgresql, from: SQLTable("orders", storage: storage)).where  // → "orders"."total" > CAST($1 AS numeric)
///     try Query(format: "totl > 9.5", schema: catalogue.schema(ofTable: "orders"))  // throws unknownField
public struct SQLCatalogue: Sendable {
    fileprivate struct Table: Sendable {
        var name: String
        var fields: [Schema.Field] = []
        var key: [(position: Int64, name: String)] = []
        var json: Set<String> = []
        var decimals: Set<String> = []
        var casts: Set<String> = []
        var enums: Set<String> = []
        var nativeDates: [String: NativeDate] = [:]
        /// The types of the elements of arrays.
        var arrays: [String: String] = [:]
        /// True for a view, which numbers no rows.
        var isView = false
        /// The columns that the store can sort by.
        var sortable: [String] = []
        /// The types of columns that are not read.
        var unread: [String: String] = [:]
        /// What the table's dates have in common; nil without dates.
        var keepsTimeZones: Bool?
        var keepsWholeMilliseconds = true
        /// The names of its foreign keys in order, and their parts.
        var foreignKeys: [(name: String, parts: [KeyPart])] = []
    }

    fileprivate struct KeyPart: Sendable {
        var position: Int64
        var column: String
        var table: String
        var referred: String
        /// True if the store lets it refer to no missing row.
        var isEnforced: Bool
    }

    private var tables: [Table] = []

    /// Reads what ``SQLDialect/catalogueQuery`` gave.
    ///
    ///     try SQLCatalogue(json: "[]").tableNames  // → []
    ///     try SQLCatalogue(json: "{}")  // throws schema
    ///
    /// - Parameter json: a list of columns, each an object with the keys `table`, `column`, `type`, `required`, and,
    ///   where they apply, `key`, `precision`, `references` and `view`; those of a table in their order.
    /// - Throws: `QueryError` of code `json` for malformed JSON and `schema` for JSON of another form, with its path.
    /// - Complexity: O(length of the text).
    public init(json: String) throws(QueryError) {
        guard case .list(let rows) = try QueryValue(json: json, path: "catalogue") else {
            throw Self.mistake("the catalogue is a list of columns", "catalogue")
        }
        var places: [UTF8Key: Int] = [:]
        for (index, row) in rows.enumerated() {
            let path = "catalogue[\(index)]"
            guard case .object(let row) = row, case .string(let name)? = row["table"],
                case .string(let column)? = row["column"], case .string(let type)? = row["type"]
            else { throw Self.mistake("a column has the texts table, column and type", path) }
            let place = places[UTF8Key(name)] ?? tables.count
            if place == tables.count {
                places[UTF8Key(name)] = place
                tables.append(Table(name: name))
            }
            tables[place].add(column, ColumnType(type), isRequired: row["required"] == .bool(true), row["precision"])
            if type == "enum" { tables[place].enums.insert(column) }
            if row["view"] == .bool(true) { tables[place].isView = true }
            if case .int(let position)? = row["key"] { tables[place].key.append((position, column)) }
            guard case .list(let references)? = row["references"] else { continue }
            for reference in references {
                guard case .object(let reference) = reference, case .string(let key)? = reference["name"],
                    case .int(let position)? = reference["position"], case .string(let parent)? = reference["table"],
                    case .string(let referred)? = reference["column"]
                else { throw Self.mistake("a reference has name, position, table and column", path) }
                tables[place].add(
                    key,
                    KeyPart(
                        position: position,
                        column: column,
                        table: parent,
                        referred: referred,
                        isEnforced: reference["enforced"] == .bool(true)
                    )
                )
            }
        }
        nameReferredTables(places)
    }

    /// Gives references the names of their tables: DuckDB reports them as they were written, in any case.
    private mutating func nameReferredTables(_ places: [UTF8Key: Int]) {
        let anyCase = Dictionary(grouping: tableNames) { $0.lowercased() }
        for index in tables.indices {
            tables[index].renameReferred { name in
                if places[UTF8Key(name)] != nil { return name }
                let names = anyCase[name.lowercased()] ?? []
                return names.count == 1 ? names[0] : name
            }
        }
    }

    private static func mistake(_ message: String, _ path: String) -> QueryError {
        QueryError(.schema, message, hint: "use what the statement of `pql catalogue postgresql` gives").at(path: path)
    }

    /// The names of the tables and views, in the catalogue's order.
    ///
    ///     try SQLCatalogue(json: #"[{"table": "t", "column": "a", "type": "text"}]"#).tableNames  // → ["t"]
    public var tableNames: [String] { tables.map(\.name) }

    /// The fields of a table's columns, and the relations that foreign keys declare.
    ///
    ///     let catalogue = try SQLCatalogue(json: #"[{"table": "t", "column": "a", "type": "int4", "required": true}]"#)
    ///     try catalogue.schema(ofTable: "t").field(named: "a")?.isOptional  // → false
    ///
    /// A foreign key gives two relations: to the row it refers to, named after its column without `_id` or `Id`, else
    /// after the other table; and from there to the rows that refer to it, named after this table. A name that a column
    /// or another relation already has is left out. Relations are followed at most three steps.
    ///
    /// - Parameter name: the table's name.
    /// - Returns: the schema.
    /// - Throws: `QueryError` of code `schema` if there is no such table.
    /// - Complexity: O(tables), because any of them may refer to this one.
    public func schema(ofTable name: String) throws(QueryError) -> Schema {
        _ = try table(name)
        var schemas = RelatedSchemas(keys: tables.flatMap(\.keys), ignoresCase: false) { table in
            tables.first { $0.name.hasSameUTF8(as: table) }?.schema
        }
        return schemas.schema(of: name) ?? Schema([])
    }

    /// How a table, and those that relations lead to, keep their columns.
    ///
    ///     let catalogue = try SQLCatalogue(json: #"[{"table": "t", "column": "a", "type": "numeric"}]"#)
    ///     try catalogue.storage(ofTable: "t").decimalColumns  // → ["a"]
    ///
    /// - Parameter name: the table's name.
    /// - Returns: the storage.
    /// - Throws: `QueryError` of code `schema` if there is no such table.
    /// - Complexity: O(tables).
    public func storage(ofTable name: String) throws(QueryError) -> SQLStorage {
        var storage = try table(name).kept
        // Dates of all tables are read alike.
        let dated = tables.filter { $0.keepsTimeZones != nil }
        storage.keepsTimeZones = !dated.isEmpty && dated.allSatisfy { $0.keepsTimeZones == true }
        storage.keepsWholeMilliseconds = !dated.isEmpty && dated.allSatisfy(\.keepsWholeMilliseconds)
        for table in tables { storage.relatedTables[table.name] = table.kept }
        return storage
    }

    private func table(_ name: String) throws(QueryError) -> Table {
        if let table = tables.first(where: { $0.name.hasSameUTF8(as: name) }) { return table }
        let names = tableNames.joined(separator: ", ")
        throw QueryError(
            .schema,
            "the catalogue has no table \(name)",
            hint: names.isEmpty ? "it has no tables" : "it has \(names)"
        )
    }
}

extension SQLCatalogue.Table {
    mutating func add(_ column: String, _ type: ColumnType, isRequired: Bool, _ precision: QueryValue?) {
        fields.append(.field(column, type.field, isOptional: !isRequired))
        arrays[column] = type.element
        if type.isSortable { sortable.append(column) }
        switch type.form {
        case .plain: break
        case .decimal: decimals.insert(column)
        case .cast: casts.insert(column)
        case .json: json.insert(column)
        case .unread(let name): unread[column] = name
        }
        guard case .date = type.field, let hasTimeZone = type.hasTimeZone else { return }
        keepsTimeZones = (keepsTimeZones ?? true) && hasTimeZone
        nativeDates[column] = type.isDay ? .day : hasTimeZone ? .instant : .clock
        if type.isDay { return }
        if case .int(let digits)? = precision, digits <= 3 { return }
        keepsWholeMilliseconds = false
    }

    mutating func add(_ key: String, _ part: SQLCatalogue.KeyPart) {
        if let index = foreignKeys.firstIndex(where: { $0.name.hasSameUTF8(as: key) }) {
            foreignKeys[index].parts.append(part)
        } else {
            foreignKeys.append((key, [part]))
        }
    }

    mutating func renameReferred(_ name: (String) -> String) {
        for key in foreignKeys.indices {
            for part in foreignKeys[key].parts.indices {
                foreignKeys[key].parts[part].table = name(foreignKeys[key].parts[part].table)
            }
        }
    }

    var keys: [RelatedSchemas.ForeignKey] {
        foreignKeys.map { _, parts in
            let parts = parts.sorted { $0.position < $1.position }
            return RelatedSchemas.ForeignKey(
                child: name,
                parent: parts[0].table,
                columns: parts.map(\.column),
                referred: parts.map(\.referred)
            )
        }
    }

    /// All columns identify the rows of a view.
    var schema: Schema {
        let key = key.sorted { $0.position < $1.position }.map(\.name)
        return Schema(fields, primaryKey: isView ? sortable : key)
    }

    /// The columns as they are kept.
    var kept: SQLStorage {
        var storage = SQLStorage.columns(json: json)
        (storage.decimalColumns, storage.castColumns, storage.unreadColumns) = (decimals, casts, unread)
        (storage.enumColumns, storage.nativeDates, storage.arrayColumns) = (enums, nativeDates, arrays)
        for (_, parts) in foreignKeys where parts.count == 1 && parts[0].isEnforced {
            let relation = Schema.Relation(table: parts[0].table, foreignKey: parts[0].column, key: parts[0].referred)
            storage.enforcedRelations.insert(relation)
        }
        return storage
    }
}
