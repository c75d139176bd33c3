#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite

    extension Configuration {
        /// Registers on every connection the functions that queries need: folding, LIKE and MATCHES.
        ///
        ///     var configuration = Configuration()
        ///     configuration.addPredicateQLFunctions()
        ///     let pool = try DatabasePool(path: path, configuration: configuration)
        public mutating func addPredicateQLFunctions() {
            prepareDatabase { try $0.addPredicateQLFunctions() }
        }
    }

    extension Database {
        /// Registers on this connection the functions that queries need: folding, LIKE and MATCHES.
        ///
        /// - Throws: `QueryError` of code `store` when SQLite refuses.
        public func addPredicateQLFunctions() throws {
            guard let connection = sqliteConnection else { throw QueryError(.store, "the database is closed") }
            try SQLiteFunctions.register(on: connection)
        }
    }
#endif
