import PredicateQL
import QueryTree
import QueryValues

extension SQLiteDatabase {
    /// Adds documents to a table with one prepared statement; creates the table if it does not exist.
    ///
    ///     let database = try SQLiteDatabase.inMemory()
    ///     try database.importDocuments(cities, into: "places")  // → 4
    ///     try Query(format: "state == 'MA'").count(in: database, from: "places")  // → 3
    ///
    /// A new table has a column for each top-level field, with a type inferred from the values: lists, objects and mixed
    /// kinds are JSON. A query finds the same rows in the documents and in the table, including dates. Complexity:
    /// O(values), with a second pass for a new table.
    ///
    /// - Parameters:
    ///   - documents: the rows; read twice for a new table.
    ///   - table: the table's name.
    /// - Returns: the number of rows added.
    /// - Throws: `QueryError` of code `store` if a document does not fit the table or SQLite fails; no row is added then.
    @discardableResult
    public func importDocuments(
        _ documents: some Collection<Document>,
        into table: String
    ) throws(QueryError) -> Int {
        try importDocuments(documents, into: table, form: .text).count
    }

    /// The same with dates and UUIDs in a form, and whether the table is new.
    package func importDocuments(
        _ documents: some Collection<Document>,
        into table: String,
        form: SQLiteImporter.ValueForm
    ) throws(QueryError) -> (count: Int, isNewTable: Bool) {
        func insert(_ add: (Document) throws(QueryError) -> Void) throws(QueryError) {
            for document in documents { try add(document) }
        }
        var importer = SQLiteImporter(table: table, form: form)
        guard try rows("SELECT 1 FROM pragma_table_info(?)", [.string(table)]).isEmpty else {
            return (try importer.append(to: self, insert), false)
        }
        for document in documents { try importer.observe(document) }
        return (try importer.write(to: self, insert), true)
    }
}

/// Writes documents into one table in one transaction: all of them or none.
///
/// A new table takes two passes: every document is observed, then every document is inserted; or one, if the first
/// documents show the types of all columns. One column for each
/// top-level field, declared INTEGER, REAL, NUMBER_BLOB (ints and doubles, or -0.0), TEXT, PLAIN_BOOLEAN (truth values, of which
/// no number is one), PLAIN_DATE and PLAIN_UUID (dates and UUIDs, of which no text is one), DATE_TEXT (texts that may be
/// dates), PLAIN_TEXT (texts of which some look like JSON), or JSON for lists, objects and mixed kinds, JSON_TEXT if one
/// of those is a double; absent and null are the same in scalar columns. A query finds the same rows in the documents
/// and in the table, including dates.
///
///     let database = try SQLiteDatabase.inMemory()
///     var importer = SQLiteImporter(table: "cities")
///     for city in cities { try importer.observe(city) }
///     try importer.write(to: database) { (insert) throws(QueryError) in for city in cities { try insert(city) } }
///     try Query(format: "state == 'MA'").count(in: database, from: "cities")  // → 3
package struct SQLiteImporter {
    /// How dates and UUIDs are stored.
    ///
    ///     var importer = SQLiteImporter(table: "events", form: .grdb)
    ///     try importer.observe(["day": .date(0)])
    ///     importer.columns.map(\.declaredType)  // → ["DATETIME"]
    package enum ValueForm: Sendable {
        /// Dates as ISO 8601 text with milliseconds, UUIDs as text in UUID columns.
        case text
        /// Like GRDB's `Date` and `UUID`: `yyyy-MM-dd HH:mm:ss.SSS` in DATETIME columns, 16 bytes in BLOB columns.
        case grdb
    }

    /// SQLite's own bound, unless it was compiled with another.
    private static let mostColumns = 2_000

    let table: String
    private let schema: Schema?
    let form: ValueForm
    private var names: [String] = []
    private var slots: [UTF8Key: Int] = [:]
    private var inferences: [ColumnInference] = []
    /// Where the fields of documents belong, by their shapes.
    private var places = RecentShapes<[Int]>()
    /// True if the columns may have changed since this was set to false.
    private var hasNews = true

    /// An importer for a new table.
    ///
    ///     let importer = SQLiteImporter(table: "people", schema: Schema([.field("age", .int)]))
    ///     importer.columns.map(\.declaredType)  // → ["INTEGER"]
    ///
    /// - Parameters:
    ///   - table: the name of the table to create.
    ///   - schema: known kinds, by stored names. Dates are stored in its encodings.
    ///   - form: how dates and UUIDs are stored.
    package init(table: String, schema: Schema? = nil, form: ValueForm = .text) {
        self.table = table
        self.schema = schema
        self.form = form
        for field in schema?.fields ?? [] { _ = slot(of: field.storedName) }
    }

    /// First pass: records a document's fields and their kinds.
    ///
    ///     var importer = SQLiteImporter(table: "people")
    ///     try importer.observe(["name": "Ann", "age": 34])
    ///     importer.columns.map(\.name)  // → ["name", "age"]
    ///
    /// - Parameter document: the document.
    /// - Throws: `QueryError` of code `store` for a field without a name.
    package mutating func observe(_ document: Document) throws(QueryError) {
        let slots = try slots(of: document.shape)
        for (slot, value) in zip(slots, document.values) where inferences[slot].observe(value) { hasNews = true }
    }

    private mutating func slots(of shape: Shape) throws(QueryError) -> [Int] {
        if let known = places[shape] { return known }
        var slots: [Int] = []
        for key in shape.keys {
            if key.isEmpty || key.utf8.contains(0) {
                throw QueryError(.store, "a field's name is empty or has a NUL character, so it cannot be a column")
            }
            slots.append(slot(of: key))
        }
        places[shape] = slots
        return slots
    }

    private mutating func slot(of key: String) -> Int {
        if let slot = slots[UTF8Key(key)] { return slot }
        slots[UTF8Key(key)] = names.count
        names.append(key)
        inferences.append(ColumnInference())
        hasNews = true
        return names.count - 1
    }

    /// The columns as they will be declared.
    package var columns: [SQLiteTable.Column] {
        zip(names, inferences).map { name, inference in
            let known = schema?.field(storedAs: name)
            var type = known.flatMap { inference.declaredType($0.type) } ?? form.declared(inference.declaredType)
            // Declared so, a field of this name is not taken for the documents of a collection.
            switch (name, type) {
            case ("doc", "JSON"): type = SQLiteTable.jsonTextType
            case ("doc", "TEXT"): type = SQLiteTable.plainTextType
            default: break
            }
            return SQLiteTable.Column(name: name, declaredType: type, isRequired: false)
        }
    }

    /// The table as it will be made.
    package var declaredTable: SQLiteTable {
        let columns = columns
        return SQLiteTable(name: table, columns: columns, keyColumns: columns.map(\.name).filter { $0 == "_id" })
    }

    /// The texts of a column that are dates.
    ///
    ///     var importer = SQLiteImporter(table: "events")
    ///     try importer.observe(["day": "2024-01-01"])
    ///     importer.foundDates.map(\.description)  // → ["day: ISO 8601 text, yyyy-MM-dd"]
    package struct FoundDates: Hashable, Sendable, CustomStringConvertible {
        /// The column.
        package var column: String
        /// The single form of the dates; ``DateEncoding/iso8601`` if there are several, or one has an offset.
        package var encoding: DateEncoding
        /// True when the column has texts that are not dates.
        package var hasOtherTexts: Bool

        /// A description of the column and its form.
        package var description: String {
            let form =
                switch encoding {
                case .iso8601Milliseconds: "yyyy-MM-ddTHH:mm:ss.SSSZ"
                case .iso8601Seconds: "yyyy-MM-ddTHH:mm:ssZ, without milliseconds"
                case .iso8601Date: "yyyy-MM-dd"
                case .native, .iso8601, .sqliteText, .epochSeconds, .epochMilliseconds: "in several forms"
                }
            return "\(column): ISO 8601 text, \(form)" + (hasOtherTexts ? ", mixed with texts that are not dates" : "")
        }
    }

    /// The text columns in which dates were found, and their form; name it in a schema so that an index applies.
    ///
    ///     var importer = SQLiteImporter(table: "events")
    ///     try importer.observe(["day": "2024-01-01T00:00:00Z"])
    ///     importer.foundDates[0].encoding  // → iso8601Seconds
    package var foundDates: [FoundDates] {
        zip(names, inferences).compactMap { name, inference in
            guard let first = inference.dateForms.first else { return nil }
            let encoding = inference.dateForms.count == 1 ? first : .iso8601
            return FoundDates(column: name, encoding: encoding, hasOtherTexts: inference.hasOtherTexts)
        }
    }

    /// The columns of JSON whose dates become texts, which are found where a query compares them with a date.
    ///
    ///     var importer = SQLiteImporter(table: "events")
    ///     try importer.observe(["days": [.date(0)]])
    ///     importer.columnsOfDateTexts  // → ["days"]
    package var columnsOfDateTexts: [String] {
        zip(names, inferences).compactMap { name, inference in inference.makesDatesTexts ? name : nil }
    }

    /// Second pass: creates the table and inserts the documents from the closure; rolls back on any error.
    ///
    ///     let database = try SQLiteDatabase.inMemory()
    ///     var importer = SQLiteImporter(table: "people")
    ///     try importer.observe(["name": "Ann"])
    ///     try importer.write(to: database) { (insert) throws(QueryError) in try insert(["name": "Ann"]) }  // → 1
    ///
    /// - Parameters:
    ///   - database: a database opened for writing.
    ///   - body: calls its argument with every observed document.
    /// - Returns: the number of rows written.
    /// - Throws: `QueryError` of code `store` if the table exists, two fields differ only in case, or SQLite fails; and
    ///   what the closure throws. The file is then unchanged.
    @discardableResult
    package func write(
        to database: SQLiteDatabase,
        _ body: ((Document) throws(QueryError) -> Void) throws(QueryError) -> Void
    ) throws(QueryError) -> Int {
        let columns = columns
        try check(columns)
        return try database.transaction { () throws(QueryError) in
            try database.execute(create(columns))
            return try insert(columns, into: database, body)
        }
    }

    /// Both passes in one: creates the table as the documents observed so far suggest, and observes and inserts more.
    ///
    ///     let database = try SQLiteDatabase.inMemory()
    ///     var importer = SQLiteImporter(table: "people")
    ///     try importer.observe(["name": "Ann"])
    ///     var more: [Document] = [["name": "Bob", "age": 34]]
    ///     let count = try importer.write([["name": "Ann"]], to: database) { () throws(QueryError) in more.popLast() }
    ///     count  // → 2
    ///
    /// - Parameters:
    ///   - observed: all documents observed so far.
    ///   - database: a database opened for writing.
    ///   - next: gives the others one by one, then nil.
    /// - Returns: the number of rows written; nil, with nothing written, if a document shows that a column has another
    ///   type, or the table cannot be written: two passes are needed then, and the first goes on with the next document.
    /// - Throws: as ``observe(_:)``, and what `next` throws; nothing is written then.
    package mutating func write(
        _ observed: [Document],
        to database: SQLiteDatabase,
        next: () throws(QueryError) -> Document?
    ) throws(QueryError) -> Int? {
        var fault: QueryError?
        let count = try? database.transaction { () throws(QueryError) in
            var columns = columns
            try check(columns)
            try database.execute(create(columns))
            var inserter = try RowInserter(self, columns, database)
            for document in observed { try inserter.add(document) }
            hasNews = false
            while true {
                let document: Document
                do throws(QueryError) {
                    guard let following = try next() else { return inserter.count }
                    try observe(following)
                    document = following
                } catch {
                    fault = error
                    throw error
                }
                if hasNews {
                    let known = columns.count
                    columns = try extended(columns, in: database)
                    if columns.count > known {
                        inserter = try RowInserter(self, columns, database, after: inserter.count)
                    }
                    hasNews = false
                }
                try inserter.add(document)
            }
        }
        if let fault { throw fault }
        return count
    }

    /// Adds the columns that a table lacks by now; an error if one that it has got another type.
    private func extended(
        _ old: [SQLiteTable.Column],
        in database: SQLiteDatabase
    ) throws(QueryError) -> [SQLiteTable.Column] {
        let columns = columns
        guard columns.starts(with: old) else { throw QueryError(.store, "a column has another type") }
        try check(columns)
        for column in columns.dropFirst(old.count) {
            try database.execute("ALTER TABLE " + Self.quoted(table) + " ADD COLUMN " + declaration(column))
        }
        return columns
    }

    /// Adds documents to an existing table; none of them on any error.
    ///
    ///     let quincy: Document = ["_id": "5", "name": "Quincy", "state": "MA", "population": 101_636]
    ///     try SQLiteImporter(table: "cities").append(to: database) { (add) throws(QueryError) in try add(quincy) }
    ///     try Query().count(in: database, from: "cities")  // → 5
    ///
    /// Columns missing from a document are NULL. No observing pass is needed.
    ///
    /// - Parameters:
    ///   - database: a database opened for writing; inside an open transaction a savepoint is used.
    ///   - body: calls its argument with every document.
    /// - Returns: the number of rows added.
    /// - Throws: `QueryError` of code `store` if there is no such table, a document has a field without a column or of
    ///   another kind than the column, or SQLite fails; and what the closure throws. The file is then unchanged.
    @discardableResult
    package func append(
        to database: SQLiteDatabase,
        _ body: ((Document) throws(QueryError) -> Void) throws(QueryError) -> Void
    ) throws(QueryError) -> Int {
        let columns = try database.table(table).columns
        return try database.transaction { () throws(QueryError) in
            try insert(columns, into: database, body)
        }
    }

    private func insert(
        _ columns: [SQLiteTable.Column],
        into database: SQLiteDatabase,
        _ body: ((Document) throws(QueryError) -> Void) throws(QueryError) -> Void
    ) throws(QueryError) -> Int {
        var inserter = try RowInserter(self, columns, database)
        try body { (document) throws(QueryError) in try inserter.add(document) }
        return inserter.count
    }

    private func check(_ columns: [SQLiteTable.Column]) throws(QueryError) {
        if table.isEmpty || table.utf8.contains(0) {
            throw QueryError(.store, "a table needs a name without NUL characters")
        }
        if columns.isEmpty { throw QueryError(.store, "the documents have no fields to make columns from") }
        if columns.count > Self.mostColumns {
            throw QueryError(
                .store,
                "the documents have \(columns.count) fields, and a table of SQLite has at most \(Self.mostColumns) columns",
                hint: "make one field of them, which is a column of JSON: jq -c '{fields: .}'"
            )
        }
        var seen: Set<String> = []
        for column in columns {
            let folded = String(decoding: column.name.utf8.map { $0 >= 65 && $0 <= 90 ? $0 | 32 : $0 }, as: UTF8.self)
            guard seen.insert(folded).inserted else {
                throw QueryError(
                    .store,
                    "two fields have names that differ from \(column.name) only in case, which SQLite does not allow",
                    hint: "rename one of them"
                )
            }
        }
    }

    private func create(_ columns: [SQLiteTable.Column]) -> String {
        "CREATE TABLE " + Self.quoted(table) + " (" + columns.map(declaration).joined(separator: ", ") + ")"
    }

    private func declaration(_ column: SQLiteTable.Column) -> String {
        Self.quoted(column.name) + " " + column.declaredType
    }

    /// A name as SQL text has it.
    package static func quoted(_ name: String) -> String {
        var result = "\""
        for scalar in name.unicodeScalars {
            result.unicodeScalars.append(scalar)
            if scalar == "\"" { result += "\"" }
        }
        return result + "\""
    }
}
