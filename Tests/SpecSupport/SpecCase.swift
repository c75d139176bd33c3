/// One block of a spec file: a query, its rows and options, and the expected results.
public struct SpecCase: Sendable {
    /// A line of a block: its position and its text.
    public struct Entry: Sendable {
        /// The line number, from 1.
        public var line: Int
        /// The text after the colon, with the lines that continue it.
        public var text: String
        /// The text after the colon unchanged, so that carets keep their column.
        public var raw: String
    }

    /// A row and its name in `finds:`.
    public struct Row: Sendable {
        /// The name.
        public var label: String
        /// The row as JSON.
        public var json: String
    }

    /// The file's name.
    public var file: String
    /// The line of the query.
    public var line: Int
    /// The block's own lines by key, over those of the context before it.
    public var entries: [String: Entry]
    /// The rows of the block, or of the context before it.
    public var rows: [Row]

    /// The format string.
    public var query: String { entries["query"]?.text ?? "" }

    /// `file:line`, for messages.
    public var place: String { "\(file):\(line)" }

    /// `file:line` of a key's line.
    ///
    /// - Parameter key: the key.
    /// - Returns: the place, or the query's if there is no such key.
    public func place(of key: String) -> String { "\(file):\(entries[key]?.line ?? line)" }

    /// The text of a key, or nil.
    ///
    /// - Parameter key: the key.
    public subscript(key: String) -> String? { entries[key]?.text }
}

/// The inputs of a case, by key.
enum SpecGiven {
    static let keys: Set<String> = [
        "query", "arguments", "variables", "schema", "tables", "order", "skip", "limit", "fields", "nil", "group",
        "compute", "having", "now",
    ]
}

/// The expectations of a case, by key; each column has one runner.
public enum SpecColumn: String, Sendable, CaseIterable {
    /// The tree of the condition.
    case tree
    /// The canonical text.
    case format
    /// The Mongo filter, or the whole document if it has a key `filter` or `pipeline`.
    case mongo
    /// The same with guards.
    case mongoGuarded = "mongo guarded"
    /// The same for Kinvey.
    case mongoKinvey = "mongo kinvey"
    /// The same without `$expr`.
    case mongoFindOnly = "mongo findOnly"
    /// The assumptions of the Mongo translation.
    case assumes
    /// The SQL condition over columns, with its bindings after `--`.
    case sqlite
    /// The SQL condition over a JSON column.
    case sqliteDocument = "sqlite document"
    /// The start of SQLite's plan over columns once the suggested indexes exist.
    case plan
    /// The same over a JSON column.
    case planDocument = "plan document"
    /// The PostgreSQL condition over columns.
    case postgresql
    /// The PostgreSQL condition over a `jsonb` column.
    case postgresqlDocument = "postgresql document"
    /// The DuckDB condition over columns.
    case duckdb
    /// The labels of the rows that it finds.
    case finds
    /// The stores that reject an everyday query.
    case refused
    /// The objects that it returns, one per line.
    case results
    /// The mistake: carets under the range, then its code.
    case error
    /// The text with the mistake's fix, or `-` if it has none.
    case fix
    /// Words of the mistake's hint.
    case hint
    /// What is told of a query that has seen its rows: the warnings, one a line, each perhaps with ` → ` and its fix.
    case told
}
