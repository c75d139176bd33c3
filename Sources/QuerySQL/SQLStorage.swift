/// Where the fields of a row live in a table.
///
/// A schema mixes them freely: a field with a relation lives in another table, a list or object without one is JSON
/// text in its own column.
///
///     let query = try Query(format: "state == 'MA'")
///     try query.sql(.sqlite, from: "cities").where  // → …"cities"."state" = ?…
///     try query.sql(.sqlite, from: "cities", storage: .document()).where  // → …"cities"."doc"…
public struct SQLStorage: Hashable, Sendable {
    init(layout: Layout) {
        self.layout = layout
    }

    enum Layout: Hashable, Sendable {
        case columns(json: Set<String>)
        case document(column: String)
    }

    let layout: Layout

    /// FTS5 tables of trigrams that narrow CONTAINS over a column, by the column's stored name.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.trigramTables["title"] = "title_trigrams"
    ///     try Query(format: "title CONTAINS 'Swift'").sql(.sqlite, from: "articles", storage: storage).where
    ///     // → …"title_trigrams"…
    ///
    /// Such a table is made by
    /// `CREATE VIRTUAL TABLE title_trigrams USING fts5(title, content='articles', content_rowid='id', tokenize='trigram')`
    /// and kept up to date by triggers. It must know the text of every row under the row's `rowid`, and no text may
    /// hold NUL, where FTS5 stops reading. It is asked for needles of three or more characters without `[c]` or `[d]`;
    /// each row that it gives is examined again, so the answer stays the same (S12).
    public var trigramTables: [String: String] = [:]

    /// Columns that hold the text of a column folded, by the column's stored name and the letters of the options.
    ///
    ///     var storage = SQLStorage.columns
    ///     storage.foldedColumns["name"] = ["cd": "name_folded"]
    ///     try Query(format: "name ==[cd] 'zoe'").sql(.postgresql, from: "people", storage: storage).where
    ///     // → …"name_folded"…
    ///
    /// A store that cannot be given a function needs them for `[c]` and `[d]`; ``StringOptions/folded(_:)`` gives the text
    /// to keep, the same on every store (S14). The letters are `c`, `d` or `cd`. Stores that are given the library's
    /// functions do without them.
    public var foldedColumns: [String: [String: String]] = [:]

    /// The column that holds whole documents; nil when fields have columns of their own.
    public var documentColumn: String? {
        if case .document(let column) = layout { column } else { nil }
    }

    /// The columns that are declared to hold any value as JSON text, by their stored names.
    package var jsonColumns: Set<String> {
        if case .columns(let json) = layout { json } else { [] }
    }

    /// One column a field.
    ///
    /// What a query uses as a list, and what a dotted path such as `a.b` leads through, is read as JSON where no schema
    /// says what the column holds: the text of a list is that list, anything else a single value.
    ///
    ///     let query = try Query(format: "ANY tags == 'red'")
    ///     try query.sql(.sqlite, from: "people").assumptions.map(\.document)  // → [{"json":"tags"}]
    public static let columns = SQLStorage(layout: .columns(json: []))

    /// One column a field, of which some hold any value as JSON text.
    ///
    ///     let storage = SQLStorage.columns(json: ["tags"])
    ///     try Query(format: "ANY tags == 'red'").sql(.sqlite, from: "people", storage: storage).where
    ///     // → …json_each…
    ///
    /// - Parameter json: the stored names of those columns.
    /// - Returns: the storage.
    public static func columns(json: Set<String>) -> SQLStorage { SQLStorage(layout: .columns(json: json)) }

    /// The whole row as JSON text in one column.
    ///
    ///     SQLStorage.document(column: "body").documentColumn  // → body
    ///
    /// - Parameter column: the column's name.
    /// - Returns: the storage.
    public static func document(column: String = "doc") -> SQLStorage {
        SQLStorage(layout: .document(column: column))
    }

    /// True for a column that is named as one of JSON text.
    package func holdsJSON(_ column: String) -> Bool {
        if case .columns(let json) = layout { json.contains(column) } else { false }
    }
}
