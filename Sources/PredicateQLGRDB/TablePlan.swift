#if GRDB
    import GRDB
    import PredicateQL

    /// A query over one table of a GRDB connection, with what the table's declaration says of its columns.
    struct TablePlan {
        private let original: Query
        private let query: Query
        private let table: String
        var storage: SQLStorage
        private let primaryKey: String

        init(query: Query, table: String, db: Database) throws {
            var json: Set<String> = []
            var bools: Set<String> = []
            for column in try db.columns(in: table) {
                switch column.type.uppercased() {
                case "JSON", "JSONB": json.insert(column.name)
                case "BOOLEAN", "BOOL": bools.insert(column.name)
                default: break
                }
            }
            let key = try db.primaryKey(table).columns
            primaryKey = key.count == 1 ? key[0] : "rowid"
            storage = json.isEmpty ? .columns : .columns(json: json)
            self.table = table
            original = try query.declaring(bools: bools)
            self.query = try query.withGRDBValues(now: nil).declaring(bools: bools)
        }

        /// The whole statement.
        func statement() throws(QueryError) -> SQLQuery {
            try query.sql(.sqlite, from: table, storage: storage, primaryKey: primaryKey)
        }

        /// The statement that counts.
        func countStatement() throws(QueryError) -> SQLQuery {
            try query.sqlCount(.sqlite, from: table, storage: storage, primaryKey: primaryKey)
        }

        /// The statement that tells whether there is a row.
        func existenceStatement() throws(QueryError) -> SQLQuery {
            try query.sqlExists(.sqlite, from: table, storage: storage, primaryKey: primaryKey)
        }

        /// The statement that deletes.
        func deletionStatement() throws(QueryError) -> SQLQuery {
            try query.sqlDelete(.sqlite, from: table, storage: storage, primaryKey: primaryKey)
        }

        /// The indexes that would help.
        func indexes() throws(QueryError) -> [String] {
            try query.suggestedIndexes(.sqlite, from: table, storage: storage, primaryKey: primaryKey)
        }

        /// What is taken for granted, dates in GRDB's form.
        func assumptions() throws(QueryError) -> [Assumption] {
            let plain = try original.sql(.sqlite, from: table, storage: storage, primaryKey: primaryKey).assumptions
            return plain.map { assumption in
                if case .date(let path, .iso8601) = assumption { .date(path, .grdb) } else { assumption }
            }
        }

        /// The condition, its columns as GRDB's own so that requests qualify them.
        func expression(alias: TableAlias<Void>?) throws -> SQLExpression {
            let row = RowName(avoiding: query)
            let statement = try query.sql(.sqlite, from: row.name, storage: storage, primaryKey: primaryKey)
            var arguments: StatementArguments? = try StatementArguments(statement.whereBindings)
            var literal = SQL(sql: "(")
            for piece in row.pieces(of: statement.where) {
                switch piece {
                case .text(let text):
                    // GRDB only joins the arguments, so all of them may stand with the first piece.
                    literal += SQL(sql: text, arguments: arguments ?? StatementArguments())
                    arguments = nil
                case .column(let name):
                    literal += alias.map { SQL($0[Column(name)]) } ?? SQL(Column(name))
                }
            }
            literal += SQL(sql: ")")
            return literal.sqlExpression
        }
    }
#endif
