#if CLI
    import PredicateQL
    import PredicateQLSQLite

    /// SQLite files that are opened by name.
    enum DatabaseFile {
        /// Opens an existing file for reading, with the functions registered.
        ///
        /// - Throws: a `Failure` of status 66 when there is no such file, `QueryError` when it is not a database.
        static func open(_ path: String) throws -> SQLiteDatabase {
            _ = systemClose(try FileText.open(path))
            recover(path)
            return try SQLiteDatabase(path: path)
        }

        /// Undoes what a crashed writer left in the file, which a read-only connection cannot do.
        ///
        /// If the file cannot be written, reading it reports that.
        private static func recover(_ path: String) {
            guard access(path + "-journal", F_OK) == 0 else { return }
            _ = try? SQLiteDatabase(path: path, isReadOnly: false).rows("SELECT 1 FROM sqlite_master LIMIT 1")
        }

        /// The named table, or the only one.
        static func table(_ name: String?, in database: SQLiteDatabase, named file: String) throws -> SQLiteTable {
            if let name {
                do throws(QueryError) {
                    return try database.table(name)
                } catch {
                    var error = error
                    error.hint = collectionHint(name, in: database) ?? error.hint
                    throw error
                }
            }
            let names = try database.tableNames()
            guard let only = names.first, names.count == 1 else {
                let list = names.isEmpty ? "it has none" : "it has " + names.joined(separator: ", ")
                throw Failure(status: .usage, message: "\(file): name a table with --table", hint: list)
            }
            return try database.table(only)
        }

        /// The table of a collection, if the file is a service's; apps may have collections of one name.
        private static func collectionHint(_ name: String, in database: SQLiteDatabase) -> String? {
            let tables = database.tables(ofCollection: name).map { "--table \($0.table) for the app \($0.app)" }
            if tables.isEmpty { return nil }
            return "the file is a service's, which keeps the collection in " + tables.joined(separator: ", ")
        }
    }
#endif
