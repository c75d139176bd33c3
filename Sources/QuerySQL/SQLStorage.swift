import QueryTree
import QueryValues

/// Where the fields of a row are stored.
///
/// Schemas can mix these: a field with a relation is stored in another table, a list or object without one as JSON text
/// in its own column.
///
///     let query = try Query(format: "state == 'MA'")
///     try query.sql(.sqlite, from: "cities").where  // → …"cities"."state" = ?…
///     try query.sql(.sqlite, from: SQLTable("cities", storage: .document())).where  // → …"cities"."doc"…
public struct SQLStorage: Hashable, Sendable {
    init(layout: Layout) { self.layout = layout }

    enum Layout: Hashable, Sendable {
        case columns(json: Set<String>)
        case document(column: String)
    }

    let layout: Layout

    /// FTS5 trigram tables that narrow CONTAINS over a column, by the column's stored name.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.trigramTables["title"] = "title_trigrams"
    ///     try Query(format: "title CONTAINS 'Swift'").sql(.sqlite, from: SQLTable("articles", storage: storage)).where
    ///     // → …"title_trigrams"…
    ///
    /// Create such a table with
    /// `CREATE VIRTUAL TABLE title_trigrams USING fts5(title, content='articles', content_rowid='id', tokenize='trigram')`
    /// and keep it up to date by triggers. It must contain the text of every row under the row's `rowid`, and no text
    /// may contain NUL, where FTS5 stops reading. It is used for needles of three or more characters without `[c]` or
    /// `[d]`; each row that it finds is checked again, so the answer stays the same (S12).
    public var trigramTables: [String: String] = [:]

    /// Columns with the folded text of a column, by the column's stored name and the letters of the options.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.foldedColumns["name"] = ["cd": "name_folded"]
    ///     try Query(format: "name ==[cd] 'zoe'").sql(.postgresql, from: SQLTable("people", storage: storage)).where
    ///     // → …"name_folded"…
    ///
    /// Stores without custom functions need them for `[c]` and `[d]`; ``StringOptions/folded(_:)`` gives the text to
    /// store, the same for every store (S14). The letters are `c`, `d` or `cd`. Stores with the library's functions do
    /// not need them.
    public var foldedColumns: [String: [String: String]] = [:]

    /// True if the columns of native dates keep whole milliseconds, as `timestamptz(3)` does.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.keepsWholeMilliseconds = true
    ///     var query = try Query(
    ///         format: "TRUEPREDICATE",
    ///         schema: Schema([.field("placed", .date(.native), isOptional: false)])
    ///     )
    ///     query.order = ["-placed"]
    ///     try query.sql(.postgresql, from: SQLTable("orders", storage: storage)).sql  // → …ORDER BY "orders"."placed" DESC
    ///
    /// Then an order by such a column is the column's own, which its index gives; otherwise fractions of a millisecond
    /// are cut off first (S5), which no index does.
    public var keepsWholeMilliseconds = false

    /// True if the columns of native dates are instants, as `timestamptz` columns are.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.keepsTimeZones = true
    ///     let schema = Schema([.field("placed", .date(.native))])
    ///     let query = try Query(format: "placed < now()", schema: schema)
    ///     try query.sql(.postgresql, from: SQLTable("orders", storage: storage)).where
    ///     // → "orders"."placed" < CAST($1 AS timestamptz)
    ///
    /// Otherwise a column may be a `timestamp`, which stores would read in the connection's time zone, so its
    /// milliseconds are compared too.
    public var keepsTimeZones = false

    /// The columns of exact decimal numbers, `numeric` or `DECIMAL`, by their stored names.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.decimalColumns = ["price"]
    ///     let query = try Query(format: "price > 9.5", schema: Schema([.field("price", .double)]))
    ///     try query.sql(.postgresql, from: SQLTable("goods", storage: storage)).where  // → "goods"."price" > CAST($1 AS numeric)
    ///
    /// Their digits are compared with those of a constant, which an index serves; compared with a double, the store
    /// would read every row. Arithmetic is that of doubles, as in memory; sums and averages are exact before they become
    /// doubles.
    public var decimalColumns: Set<String> = []

    /// The columns of another type than their field's, by their stored names, which stores with typed columns cast.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.castColumns = ["state"]
    ///     let query = try Query(format: "state == 'open'", schema: Schema([.field("state", .string)]))
    ///     try query.sql(.postgresql, from: SQLTable("orders", storage: storage)).where
    ///     // → CAST("orders"."state" AS text) = CAST($1 AS text)
    ///
    /// In PostgreSQL for fields that are texts the columns of enums, `char(n)` and `citext`, which compare by rules of
    /// their own, and for lists and any values arrays such as `text[]`, and `json`. Their own indexes do not serve. In
    /// SQLite the texts with a collation of their own, as `COLLATE NOCASE`, which open databases report themselves; an
    /// index of theirs serves `==` and IN.
    public var castColumns: Set<String> = []

    /// How related tables store their columns, in databases with typed columns.
    ///
    /// By the tables' names; a column per field where none is given.
    ///
    ///     var (orders, people) = (SQLStorage.columns, SQLStorage.columns)
    ///     orders.castColumns = ["state"]
    ///     people.relatedTables["orders"] = orders
    ///     let order = Schema([.field("state", .string)])
    ///     let schema = Schema(
    ///         [.field("orders", .list(.object(order)), relation: .init(table: "orders", foreignKey: "person"))],
    ///         primaryKey: ["id"]
    ///     )
    ///     let query = try Query(format: "ANY orders.state == 'open'", schema: schema)
    ///     try query.sql(.postgresql, from: SQLTable("people", storage: people)).where  // → …CAST("k1"."state" AS text) = …
    public var relatedTables: [String: SQLStorage] = [:]

    /// Fields of whole documents that hold a text in every row, so that an order by them needs no rank of kinds.
    package var textFields: [FieldPath: Kind] = [:]

    /// Columns of numbers that the store lets hold texts, by their stored names: a text is above all numbers there.
    package var looseColumns: Set<String> = []

    /// The `castColumns` of enums, whose texts no index holds.
    package var enumColumns: Set<String> = []

    /// The types of the elements of arrays of texts or ints, by the columns' stored names.
    package var arrayColumns: [String: String] = [:]

    /// The relations to one row whose keys the store lets refer to no missing row.
    package var enforcedRelations: Set<Schema.Relation> = []

    /// What is known of columns of native dates, by their stored names.
    package var nativeDates: [String: NativeDate] = [:]

    /// The types of columns that are not read, by the columns' stored names.
    package var unreadColumns: [String: String] = [:]

    /// How a table that a relation leads to keeps its columns.
    func related(_ table: String) -> SQLStorage {
        if relatedTables.isEmpty { return .columns }
        var storage = relatedTables[table] ?? .columns
        storage.relatedTables = relatedTables
        return storage
    }

    /// The column that holds whole documents; nil if fields have columns of their own.
    package var documentColumn: String? { if case .document(let column) = layout { column } else { nil } }

    /// The columns declared to hold any value as JSON text, by their stored names.
    package var jsonColumns: Set<String> { if case .columns(let json) = layout { json } else { [] } }

    /// The column that holds the `_id` of whole documents; nil if only the documents do.
    package private(set) var keyColumn: String?

    /// One column per field.
    ///
    /// A column that a query uses as a list, or that a dotted path such as `a.b` goes through, is read as JSON if no
    /// schema declares it: the text of a list is that list, anything else a single value.
    ///
    ///     let query = try Query(format: "ANY tags == 'red'")
    ///     try query.sql(.sqlite, from: "people").assumptions.map(\.document)  // → [{"json":"tags"}]
    public static let columns = SQLStorage(layout: .columns(json: []))

    /// One column per field, some of which hold any value as JSON text.
    ///
    ///     let storage = SQLStorage.columns(json: ["tags"])
    ///     try Query(format: "ANY tags == 'red'").sql(.sqlite, from: SQLTable("people", storage: storage)).where
    ///     // → …json_each…
    ///
    /// - Parameter json: the stored names of those columns.
    /// - Returns: the storage.
    public static func columns(json: Set<String>) -> SQLStorage { SQLStorage(layout: .columns(json: json)) }

    /// The whole row as JSON text in one column.
    ///
    ///     let storage = SQLStorage.document(column: "body", key: "id")
    ///     try Query(format: "_id > 'm'").sql(.sqlite, from: SQLTable("notes", storage: storage)).where  // → "notes"."id" > ?
    ///
    /// With a key column SQLite searches and sorts `_id` by the table's primary key. The column must be declared
    /// `TEXT PRIMARY KEY NOT NULL` and hold the text that the document has under `_id`.
    ///
    /// - Parameters:
    ///   - column: the documents' column.
    ///   - key: the column that holds each document's `_id`; nil if there is none.
    /// - Returns: the storage.
    public static func document(column: String = "doc", key: String? = nil) -> SQLStorage {
        var storage = SQLStorage(layout: .document(column: column))
        storage.keyColumn = key
        return storage
    }

    /// The column that holds a field of whole documents under a stored name, as a text that is never nil.
    func keyColumn(_ name: String, _ type: FieldType) -> String? {
        guard let keyColumn, name.hasSameUTF8(as: "_id") else { return nil }
        switch type {
        case .any, .string, .objectID: return keyColumn
        case .bool, .int, .double, .date, .data, .uuid, .object, .list: return nil
        }
    }

    /// True for a column listed as JSON text.
    package func holdsJSON(_ column: String) -> Bool {
        if case .columns(let json) = layout { json.contains(column) } else { false }
    }
}

/// What a column of the store's own dates holds: days, instants, or the date and time of a clock without a time zone.
package enum NativeDate: Hashable, Sendable { case day, instant, clock }
