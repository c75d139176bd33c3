/// A table that queries run on: its name, where its fields are stored, and its key.
///
///     let notes = SQLTable("notes", storage: .document(), primaryKey: "id")
///     let query = try Query(format: "stars > 4", limit: 10)
///     try query.sql(.postgresql, from: notes).sql  // → …FROM "notes"…ORDER BY "notes"."id" LIMIT…
///     try query.sqlCount(.sqlite, from: "cities").sql  // → …FROM "cities"…
///
/// A name alone is a table whose fields are columns.
public struct SQLTable: Hashable, Sendable, SQLTableConvertible {
    /// The name; any name, because it is quoted.
    ///
    /// In PostgreSQL and DuckDB `shop.people` is a table of the schema `shop`, and `"a.b"` one with a dot in its name.
    public var name: String
    /// Where the fields are stored; nil for columns, or for what an open database declares.
    public var storage: SQLStorage?
    /// The column that identifies rows, for paging and child tables; nil for the schema's, else the row number.
    public var primaryKey: String?

    /// A table.
    ///
    /// - Parameters:
    ///   - name: any name, because it is quoted; in PostgreSQL and DuckDB after its schema's and a dot, if it has one.
    ///   - storage: where the fields are stored; nil for columns, or for what an open database declares.
    ///   - primaryKey: the column that identifies rows; nil for the schema's, else the row number.
    public init(_ name: String, storage: SQLStorage? = nil, primaryKey: String? = nil) {
        (self.name, self.storage, self.primaryKey) = (name, storage, primaryKey)
    }

    /// The table itself.
    public var sqlTable: SQLTable { self }

    /// The storage, without a look into a database.
    package var layout: SQLStorage { storage ?? .columns }
}

/// What names a table: a text, or a table with its storage and key.
///
///     let name = "cities"
///     try Query().sqlCount(.sqlite, from: name).sql  // → SELECT count(*) FROM "cities"
///     try Query().sqlCount(.sqlite, from: SQLTable(name, storage: .document())).sql  // → SELECT count(*) FROM "cities"
public protocol SQLTableConvertible {
    /// The table.
    var sqlTable: SQLTable { get }
}

extension String: SQLTableConvertible {
    /// A table of this name, whose fields are columns.
    ///
    ///     "cities".sqlTable.name  // → cities
    public var sqlTable: SQLTable { SQLTable(self) }
}
