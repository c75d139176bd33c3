import CSQLite
import PredicateQL
import QueryChecking
import QueryEvaluation
import QueryMeaning
import QuerySQL
import QueryTree
import QueryValues

extension Query {
    /// The rows of a table that the query finds, including what SQL does not support.
    ///
    /// SQLite gets the widest part that it supports; the rest runs in memory over the rows it returns. The answer
    /// equals the evaluator's over rows with the stored values: dates and UUIDs are texts or numbers, as they are stored,
    /// whatever a schema declares, but in columns that an import declared so.
    ///
    ///     let query = try Query(format: "state == 'MA' AND random() >= 0", limit: 20)
    ///     try query.results(in: database, from: "cities").count  // → 3
    ///
    /// - Parameters:
    ///   - database: an open database; without a schema of its own the query uses the declared types of the columns.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the rows in the query's order.
    /// - Throws: `QueryError` of code `store` for a missing table and what SQLite reports, `unsupported` for what
    ///   neither SQLite nor memory supports, and a row's error that decides the result (S27).
    public func results(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> [Document] {
        let now = now ?? Query.presentInstant
        let plan = try StoragePlan(self, database, table.sqlTable)
        let query = try plan.completed(self)
        let split = try query.split(
            for: .sqlite,
            from: plan.known,
            now: now
        )
        guard var memory = split.memory else {
            return try query.rows(in: database, from: plan.known, now: now)
        }
        memory.schema = plan.read(memory.schema)
        let texts = JSONTexts(memory, plan.storage)
        return try database.metered { (budget) throws(QueryError) in
            var run = try QueryRun(texts.query, now: now, limits: database.limits, budget: budget)
            try split.store.forEachRow(in: database, from: plan.known, now: now) {
                (row) throws(QueryError) in
                // A full run takes no more rows.
                _ = try run.add(texts.read(row))
            }
            return try texts.shown(try run.finish(), now: now, limits: database.limits, budget: budget)
        }
    }

    /// ``warnings``, and comparisons of columns with values of a kind that the table does not let them hold, which
    /// without a schema hold for no row (S2); divisions of doubles that are kept as ints where they are whole (S17).
    ///
    ///     try Query(format: "population == TRUE").warnings(in: database, from: "cities").map(\.message)
    ///     // → ["population holds numbers in the table, and is compared with a truth value"]
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name.
    /// - Returns: warnings with what to write instead.
    /// - Throws: `QueryError` of code `store` for a missing table.
    public func warnings(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible
    ) throws(QueryError) -> [QueryError] {
        let plan = try StoragePlan(self, database, table.sqlTable)
        guard let declared = plan.schema else { return warnings }
        let columns = DeclaredColumns(database, plan.table)
        let ownTable = plan.storage.documentColumn == nil ? plan.table.name : nil
        return warnings(declared: declared, loose: plan.storage.looseColumns, of: ownTable, columns.column)
    }

    /// The number of rows of a table that the query finds, within its skip and limit.
    ///
    ///     try Query(format: "state == 'MA'").count(in: database, from: "cities")  // → 3
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the number.
    /// - Throws: as ``results(in:from:now:)``.
    public func count(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> Int {
        let now = now ?? Query.presentInstant
        let plan = try StoragePlan(self, database, table.sqlTable)
        do throws(QueryError) {
            let statement = try plan.completed(self).sqlCount(
                .sqlite,
                from: plan.known,
                now: now
            )
            return try database.number(statement)
        } catch  where error.code == .unsupported || error.code == .limit {
            return try ofWholeRows.results(in: database, from: plan.known, now: now).count
        }
    }

    /// The first row of a table that the query finds; nil if there is none.
    ///
    ///     try Query(format: "state == 'MA'", order: ["-population"]).first(in: database, from: "cities")?["name"]
    ///     // → "Boston"
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the row.
    /// - Throws: as ``results(in:from:now:)``.
    public func first(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> Document? {
        var first = self
        first.limit = min(limit ?? 1, 1)
        return try first.results(in: database, from: table, now: now).first
    }

    /// True if the query finds a row of a table.
    ///
    ///     try Query(format: "name BEGINSWITH[c] 'bo'").exists(in: database, from: "cities")  // → true
    ///
    /// - Parameters:
    ///   - database: an open database.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: true when there is one.
    /// - Throws: as ``results(in:from:now:)``.
    public func exists(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> Bool {
        let now = now ?? Query.presentInstant
        let plan = try StoragePlan(self, database, table.sqlTable)
        do throws(QueryError) {
            let statement = try plan.completed(self).sqlExists(
                .sqlite,
                from: plan.known,
                now: now
            )
            return try database.number(statement) == 1
        } catch  where error.code == .unsupported || error.code == .limit {
            return try count(in: database, from: table, now: now) > 0
        }
    }

    /// Deletes the rows of a table that the query finds: all of them or, on an error, none.
    ///
    /// SQL must support the query completely, because half a condition must not delete rows.
    ///
    ///     try Query(format: "state == 'MA'").delete(in: database, from: "cities")  // → 3
    ///     try Query().count(in: database, from: "cities")  // → 1
    ///
    /// - Parameters:
    ///   - database: a database opened for writing.
    ///   - table: the table, or its name; without a storage its declarations say where fields are stored.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the number of rows deleted.
    /// - Throws: `QueryError` of code `store` for a missing table and what SQLite reports, `unsupported` for a view, and
    ///   everything that `sqlDelete` throws.
    @discardableResult
    public func delete(
        in database: SQLiteDatabase,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> Int {
        let plan = try StoragePlan(self, database, table.sqlTable)
        let statement = try plan.completed(self).sqlDelete(
            .sqlite,
            from: plan.known,
            now: now ?? Query.presentInstant
        )
        do throws(QueryError) {
            _ = try database.prepare(statement.sql, statement.bindings)
        } catch {
            throw (try? database.isView(plan.table.name)) == true ? .isView(plan.table.name) : error
        }
        _ = try database.metered { (_) throws(QueryError) in try database.rows(statement.sql, statement.bindings) }
        return Int(sqlite3_changes(database.handle))
    }
}

extension SQLiteDatabase {
    fileprivate func number(_ statement: SQLQuery) throws(QueryError) -> Int {
        let found = try metered { (_) throws(QueryError) in try rows(statement.sql, statement.bindings) }
        guard case .int(let number)? = found.first?.values.first else { return 0 }
        return Int(number)
    }

    /// Runs a body within ``limits``, or within those of the enclosing call.
    func metered<Value>(
        _ body: (WorkBudget?) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        if isMetered { return try body(nil) }
        isMetered = limits.boundsWork
        defer {
            isMetered = false
            // The meter was the connection's only handler.
            if isCancelled != nil { watchCancelling() }
        }
        return try SQLiteMeter.run(on: handle, limits, sharing: body)
    }
}

/// A query completed with what its table declares.
package struct StoragePlan {
    package let table: SQLiteTable
    package let storage: SQLStorage
    /// The query's schema with the keys of the tables, else that of the columns; nil for documents without one.
    package let schema: Schema?
    /// The schema with the kinds that the columns hold; nil if it declares them.
    private var held: Schema?
    /// The key column of documents, or the caller's; nil if the schema names the key.
    package let primaryKey: String?
    /// The table with what is known, as a statement needs it.
    package var known: SQLTable { SQLTable(table.name, storage: storage, primaryKey: primaryKey) }

    /// What is known about a table's rows.
    ///
    /// - Parameters:
    ///   - schema: the query's own schema.
    ///   - database: the open database.
    ///   - given: the table; without a storage its declarations say where fields are stored.
    ///   - namesOthers: whether the query names fields that are not columns of the table.
    /// - Throws: `QueryError` of code `store` when there is no such table.
    package init(
        _ schema: Schema?,
        _ database: SQLiteDatabase,
        _ given: SQLTable,
        namesOthers: (SQLiteTable) -> Bool
    ) throws(QueryError) {
        table = try database.table(given.name)
        let storage = given.storage ?? table.storage
        let holdsDocuments = storage.documentColumn != nil
        let ownKey = holdsDocuments ? storage.keyColumn ?? database.documentKey(of: table) : nil
        primaryKey = given.primaryKey ?? ownKey
        if let schema {
            let declared = DeclaredColumns(database, table)
            let ownTable = holdsDocuments ? nil : given.name
            let stored = schema.storingDates(of: ownTable, declared.form(of:in:))
            self.schema = stored.completed(in: database, table, holdsDocuments: holdsDocuments)
            held = self.schema?.holding(of: ownTable, declared.type(of:in:))
        } else {
            let ofColumns = try namesOthers(table) ? database.schema(ofTable: given.name) : table.schema
            self.schema = holdsDocuments ? nil : ofColumns.ofStore
        }
        self.storage = storage.completed(in: database, table, self.schema)
    }

    private init(table: SQLiteTable, storage: SQLStorage, schema: Schema?, primaryKey: String?) {
        (self.table, self.storage, self.schema, self.primaryKey) = (table, storage, schema, primaryKey)
    }

    /// What is known about the rows of a query's table.
    ///
    /// Reading the declarations takes longer than finding a row by its key, so they are not read if the caller knows
    /// the key of a table of documents and no relation leads out of it.
    init(
        _ query: Query,
        _ database: SQLiteDatabase,
        _ table: SQLTable
    ) throws(QueryError) {
        if let storage = table.storage, storage.documentColumn != nil,
            let primaryKey = table.primaryKey ?? storage.keyColumn, query.schema?.leadsToOtherTables != true
        {
            let known = SQLiteTable(name: table.name, columns: [], keyColumns: [primaryKey])
            let schema = query.schema?.storingDates(of: nil) { _, _ in .iso8601 }
            self.init(table: known, storage: storage, schema: schema, primaryKey: primaryKey)
            return
        }
        try self.init(query.schema, database, table) { !query.names(only: $0.columnNames) }
        try query.refuseOtherForms(than: schema, in: known) { (sql, bindings) throws(QueryError) in
            try database.rows(sql, bindings).first?.values ?? []
        }
    }

    /// The query with this schema.
    ///
    /// - Parameters:
    ///   - query: a query over the table.
    ///   - values: what groups read of its rows.
    /// - Returns: the query.
    /// - Throws: `QueryError` of code `unsupported` for a field whose column holds another kind of value.
    func completed(_ query: Query, values: [GroupKey] = []) throws(QueryError) -> Query {
        var query = query
        if let kinds = query.schema == nil ? schema : held { query = query.converting(by: kinds) }
        query.schema = held ?? schema
        if let schema, let held { try HeldColumns(declared: schema, held: held).check(query, values: values) }
        return query
    }
}

/// What tables declare of their columns.
private final class DeclaredColumns {
    private let database: SQLiteDatabase
    private var tables: [String: [SQLiteTable.Column]]

    init(_ database: SQLiteDatabase, _ table: SQLiteTable) {
        (self.database, tables) = (database, [table.name: table.columns])
    }

    /// The kind that a column is declared to hold.
    func type(of column: String, in table: String) -> FieldType? { self.column(column, table)?.heldType }

    func column(_ column: String, _ table: String) -> SQLiteTable.Column? {
        // SQLite reports a missing table itself.
        let columns = tables[table] ?? (try? database.table(table).columns) ?? []
        tables[table] = columns
        return columns.first { $0.name.hasSameUTF8(as: column) }
    }

    /// The form of dates that a column is declared to have, else any form.
    func form(of column: String, in table: String) -> DateEncoding {
        if case .date(let encoding) = self.column(column, table)?.fieldType { encoding } else { .iso8601 }
    }
}

extension Schema {
    /// The schema with a form for each date that has none of its own: SQLite has no dates, so what a type calls a date
    /// is kept in a form (S5).
    ///
    /// - Parameters:
    ///   - table: the table whose columns the fields are; nil for those inside JSON.
    ///   - inJSON: the form of dates inside JSON.
    ///   - form: the form of a column of a table, in related tables, too.
    /// - Returns: the schema.
    package func storingDates(
        of table: String?,
        inJSON: DateEncoding = .iso8601,
        _ form: (_ column: String, _ table: String) -> DateEncoding
    ) -> Schema {
        var copy = self
        var isChanged = false
        for (position, field) in fields.enumerated() {
            let type = field.type.storingDates(table.map { form(field.storedName, $0) } ?? inJSON, inJSON) { inner in
                inner.storingDates(of: field.relation?.table, inJSON: inJSON, form)
            }
            if type == field.type { continue }
            copy.fields[position].type = type
            isChanged = true
        }
        if isChanged { copy.index() }
        return copy
    }
}

extension FieldType {
    fileprivate func storingDates(
        _ form: @autoclosure () -> DateEncoding,
        _ inJSON: DateEncoding,
        _ inner: (Schema) -> Schema
    ) -> FieldType {
        switch self {
        case .date(.native): .date(form())
        case .object(let schema): .object(inner(schema))
        case .list(let element): .list(element.storingDates(inJSON, inJSON, inner))
        case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: self
        }
    }
}

/// Dates and UUIDs that are read as what they are.
extension StoragePlan {
    /// The type of the dates and UUIDs at a path; nil for what is read as it is stored.
    func readType(of path: FieldPath?, in query: Query) -> FieldType? {
        guard storage.documentColumn == nil, let path else { return nil }
        let keys = query.storedKeys(of: path)
        return keys.count == 1 ? table.columns.first { $0.name.hasSameUTF8(as: keys[0]) }?.readType : nil
    }

    /// The schema of the rows as they are read.
    func read(_ schema: Schema?) -> Schema? {
        guard var schema, storage.documentColumn == nil else { return schema }
        let read = Set(table.columns.filter { $0.readType != nil }.map { UTF8Key($0.name) })
        for position in schema.fields.indices where read.contains(UTF8Key(schema.fields[position].storedName)) {
            if case .date = schema.fields[position].type { schema.fields[position].type = .date(.native) }
        }
        return schema
    }
}

extension SQLiteTable {
    /// The columns' names.
    var columnNames: Set<UTF8Key> { Set(columns.map { UTF8Key($0.name) }) }
}

extension SQLiteDatabase {
    /// The key column of a table of documents; nil for the row number.
    fileprivate func documentKey(of table: SQLiteTable) -> String? {
        guard table.keyColumns.count == 1, let key = table.keyColumns.first else { return nil }
        let type = table.columns.first { $0.name.hasSameUTF8(as: key) }?.declaredType.uppercased()
        // Such a key is the row number itself, unless the table has none.
        let name = try? SQLDialect.sqlite.quoted(table.name)
        let hasRowNumber = type == "INTEGER" && (try? prepare("SELECT rowid FROM \(name ?? "NULL")")) != nil
        return hasRowNumber ? "rowid" : key
    }
}

extension Schema {
    /// The schema with the keys of the tables that it leads to.
    fileprivate func completed(in database: SQLiteDatabase, _ table: SQLiteTable, holdsDocuments: Bool) -> Schema {
        guard leadsToOtherTables || !holdsDocuments else { return self }
        var completed = withPrimaryKeys(of: table.name) { name in
            // SQLite reports a missing table itself.
            (try? database.table(name))?.keyColumns ?? ["rowid"]
        }
        // Only the schema knows the name of a document's own key.
        if holdsDocuments { completed.primaryKey = primaryKey }
        return completed
    }
}

extension SQLStorage {
    /// The storage with what the columns do by themselves, here and in related tables: the rules by which they compare
    /// texts, and whether those of numbers let texts in.
    fileprivate func completed(in database: SQLiteDatabase, _ table: SQLiteTable, _ schema: Schema?) -> SQLStorage {
        var storage = self
        if documentColumn == nil { storage.add(table.storage) }
        for name in schema?.relatedTables ?? [] {
            guard let declared = (try? database.table(name))?.storage else { continue }
            if declared.castColumns.isEmpty, declared.looseColumns.isEmpty { continue }
            storage.relatedTables[name, default: .columns].add(declared)
        }
        return storage
    }

    private mutating func add(_ declared: SQLStorage) {
        castColumns.formUnion(declared.castColumns)
        looseColumns.formUnion(declared.looseColumns)
    }
}
