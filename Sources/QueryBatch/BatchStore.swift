import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues

/// The file that `pql batch --register` runs statements on.
///
///     let store = BatchStore(database: database, table: "cities")
///     let line = #"{"id":1,"format":"name == 'Salem'","fields":["name"],"outputs":["results"]}"#
///     BatchProcessor(store: store).answer(to: line.utf8)  // → {"id":1,"rows":[{"name":"Salem"}]}
public struct BatchStore {
    /// The open file, with the functions registered.
    package var database: SQLiteDatabase
    /// The table of requests that name none.
    package var table: String

    /// A file and its table.
    ///
    ///     let store = BatchStore(database: database, table: "cities")
    ///     let line = #"{"id":3,"format":"name == 'Salem'","fields":["name"],"outputs":["results"]}"#
    ///     BatchProcessor(store: store).answer(to: line.utf8)  // → {"id":3,"rows":[{"name":"Salem"}]}
    ///
    /// - Parameters:
    ///   - database: the open file.
    ///   - table: the table of requests that name none.
    public init(database: SQLiteDatabase, table: String) {
        self.database = database
        self.table = table
    }
}

/// Where a request's rows are stored: its own settings, completed by the declarations of the file's table.
struct BatchPlace {
    var table: SQLTable
    /// The table with the database's own key.
    var declared: SQLTable { SQLTable(table.name, storage: table.storage) }
    /// The schema of the request, else of the table's declared types.
    var schema: Schema?
    /// The schema of SQL; rows in memory need none.
    var statementSchema: Schema?
    /// The file's table if it is read as columns, as the request names no storage.
    var detectedColumns: SQLiteTable?

    /// The table that an import of rows in memory would make.
    init(_ request: BatchRequest, imported: SQLiteTable) {
        self.init(request)
        guard request.storage != .document, schema == nil else { return }
        (table.storage, statementSchema) = (imported.storage, imported.schema)
    }

    /// The storage that the request names, with the interface's defaults.
    init(_ request: BatchRequest) {
        let storage: SQLStorage = request.storage == .columns ? .columns : .document()
        table = SQLTable(request.table ?? "documents", storage: storage, primaryKey: request.primaryKey)
        schema = request.schema
    }

    /// The storage in a file: documents or columns, as `pql run` detects them.
    ///
    /// - Throws: `QueryError` of code `store` when there is no such table.
    init(_ request: BatchRequest, in store: BatchStore) throws(QueryError) {
        self.init(request)
        table.name = request.table ?? store.table
        let declared = try store.database.table(table.name)
        let form = request.storage ?? (declared.holdsDocuments ? .document : .columns)
        if form == .columns { table.storage = declared.storage }
        if request.storage == nil, form == .columns { detectedColumns = declared }
        let plan = try StoragePlan(schema, store.database, self.declared) { _ in true }
        // A query without a schema of its own is still checked against the columns.
        schema =
            schema == nil && table.layout.documentColumn == nil
            ? try store.database.schema(ofTable: table.name) : plan.schema
        table.primaryKey = request.primaryKey ?? plan.primaryKey
    }
}
