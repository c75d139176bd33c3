#if CLI
    import PredicateQL
    import PredicateQLSQLite

    /// A query over a table of an SQLite file.
    struct DatabaseSearch {
        private let database: SQLiteDatabase
        private let table: SQLiteTable
        private let storage: SQLStorage

        /// Opens the file; a table with a column `doc` of JSON and nothing else known holds documents.
        ///
        /// - Parameters:
        ///   - file: the path.
        ///   - name: the table, or nil for the only one.
        ///   - storage: where fields live, or nil to find out.
        /// - Throws: a `Failure` when there is no such file or table, `QueryError` when it is no database.
        init(_ file: String, table name: String?, storage: SQLStorage?) throws {
            database = try DatabaseFile.open(file)
            table = try DatabaseFile.table(name, in: database, named: file)
            self.storage = storage == .columns ? table.storage : storage ?? table.usualStorage
        }

        /// The kinds of the columns by their declared types; nil when rows are documents.
        var schema: Schema? { storage == .document() ? nil : table.schema }

        func forEachResult(_ question: Question, _ body: (Document) throws -> Void) throws {
            switch question {
            case .groups(let grouping):
                for group in try grouping.rows(on: database, table: table.name, storage: storage) { try body(group) }
            case .rows(let query):
                // The closure's errors are ours and not the query's, so they travel beside it.
                var failure: (any Error)?
                do {
                    try query.forEachRow(on: database, table: table.name, storage: storage) {
                        (row) throws(QueryError) in
                        do {
                            try body(row)
                        } catch {
                            failure = error
                            throw QueryError(.store, "stopped")
                        }
                    }
                } catch {
                    throw failure ?? error
                }
            }
        }

        func count(_ question: Question) throws -> Int {
            switch question {
            case .groups(let grouping):
                return try grouping.rows(on: database, table: table.name, storage: storage).count
            case .rows(let query):
                let statement = try query.sqlCount(
                    .sqlite,
                    from: table.name,
                    storage: storage,
                    primaryKey: table.primaryKey
                )
                let row = try database.rows(statement.sql, statement.bindings).first
                guard case .int(let count)? = row?.values.first else { return 0 }
                return Int(count)
            }
        }

        /// The statement, its values, SQLite's plan, and the indexes that would help where it scans.
        func explain(_ question: Question) throws {
            let statement =
                switch question {
                case .rows(let query):
                    try query.sql(.sqlite, from: table.name, storage: storage, primaryKey: table.primaryKey)
                case .groups(let grouping):
                    try grouping.sql(.sqlite, from: table.name, storage: storage, primaryKey: table.primaryKey)
                }
            let out = StandardOutput.shared
            try out.write(line: "SQL:\n  " + statement.sql)
            try out.write(line: "bindings:\n  " + QueryValue.list(statement.bindings).json)
            try out.write(line: "plan:")
            let plan = try database.queryPlan(statement.sql, statement.bindings)
            for step in plan { try out.write(line: "  " + step) }
            guard case .rows(let query) = question, plan.contains(where: { $0.contains("SCAN") || $0.contains("TEMP") })
            else { return }
            let indexes = try query.suggestedIndexes(from: table.name, storage: storage, primaryKey: table.primaryKey)
            if indexes.isEmpty { return }
            try out.write(line: "indexes that would help:")
            for index in indexes { try out.write(line: "  " + index) }
        }
    }

    extension SQLiteTable {
        /// Documents when the table has a column `doc`, else columns.
        var usualStorage: SQLStorage { columns.contains { $0.name == "doc" } ? .document() : storage }
    }
#endif
