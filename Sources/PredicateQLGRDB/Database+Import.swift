#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite

    extension Database {
        /// Adds documents to a table with one prepared statement; creates the table if it does not exist.
        ///
        ///     try queue.write { db in try db.importDocuments(cities, into: "places") }  // → 4
        ///
        /// A new table has a column for each top-level field, with a type inferred from the values: lists, objects and
        /// mixed kinds are JSON. Dates and UUIDs are stored like GRDB's. Either all documents are added or none.
        /// Complexity: O(values), with a second pass for a new table.
        ///
        /// - Parameters:
        ///   - documents: the rows; read twice for a new table.
        ///   - table: the table's name.
        /// - Returns: the number of rows added.
        /// - Throws: `QueryError` of code `store` when a document does not fit the table or SQLite fails; GRDB's errors.
        @discardableResult
        public func importDocuments(_ documents: some Collection<Document>, into table: String) throws -> Int {
            guard let connection = sqliteConnection else { throw QueryError(.store, "the database is closed") }
            let database = try SQLiteDatabase(borrowing: connection)
            let (count, isNewTable) = try database.importDocuments(documents, into: table, form: .grdb)
            // The statements are not GRDB's own, so its schema cache and its observers are told here.
            if isNewTable { clearSchemaCache() } else { try notifyChanges(in: Table(table)) }
            return count
        }
    }
#endif
