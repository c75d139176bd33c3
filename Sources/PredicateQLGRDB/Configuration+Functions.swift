#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite

    extension Configuration {
        /// Registers on every connection the functions that queries need: folding, LIKE and MATCHES.
        ///
        ///     var configuration = Configuration()
        ///     configuration.addPredicateQLFunctions()
        ///     let queue = try DatabaseQueue(configuration: configuration)
        ///     try queue.read { try String.fetchOne($0, sql: "SELECT fold('c', 'ZOE')") }  // → zoe
        public mutating func addPredicateQLFunctions() {
            prepareDatabase { try $0.addPredicateQLFunctions() }
        }
    }

    extension Database {
        /// Registers on this connection the functions that queries need: folding, LIKE and MATCHES.
        ///
        ///     let plain = try DatabaseQueue()
        ///     try plain.write { try $0.addPredicateQLFunctions() }
        ///     try plain.read { try String.fetchOne($0, sql: "SELECT fold('c', 'ZOE')") }  // → zoe
        ///
        /// - Throws: `QueryError` of code `store` if SQLite reports an error.
        public func addPredicateQLFunctions() throws {
            guard let connection = sqliteConnection else { throw QueryError(.store, "the database is closed") }
            try SQLiteFunctions.register(on: connection)
        }
    }
#endif
