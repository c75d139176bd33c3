#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite
    import QueryEvaluation

    extension Query {
        /// The whole query as a request: condition, order, skip and limit.
        ///
        ///     let query = try Query(format: "age >= 18", order: ["-age"])
        ///     try queue.read { try query.request(for: Person.self, in: $0).fetchAll($0) }.map(\.name)
        ///     // → ["João", "Ann"]
        ///
        /// - Parameters:
        ///   - record: the record type, whose table is queried.
        ///   - db: a connection; its tables declare which columns hold bools, dates and JSON.
        /// - Returns: a request of records.
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, `pipeline` for a query with fields, since records are returned whole, and GRDB's
        ///   errors for a missing table.
        public func request<Record: TableRecord>(
            for record: Record.Type,
            in db: Database
        ) throws -> SQLRequest<Record> {
            try refuseFieldsOfTypedRows(else: "use results(in:from:)")
            let statement = try TablePlan(query: self, table: record.databaseTableName, db: db).statement()
            return SQLRequest(sql: statement.sql, arguments: try StatementArguments(statement.bindings))
        }

        /// The rows of a table that the query finds, with its order, skip, limit and fields.
        ///
        ///     let names = try queue.read { db in try query.rows(in: db, from: "cities").map { $0["name"] as String } }
        ///     names  // → ["Boston", "Worcester"]
        ///
        /// - Parameters:
        ///   - db: a connection; missing functions are registered on it.
        ///   - table: the table.
        /// - Returns: the rows in the query's order.
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, and GRDB's errors.
        public func rows(in db: Database, from table: String) throws -> [Row] {
            let statement = try TablePlan(query: self, table: table, db: db).statement()
            return try Row.fetchAll(db, sql: statement.sql, arguments: StatementArguments(statement.bindings))
        }

        /// The number of rows of a table for which the condition holds, within skip and limit.
        ///
        ///     try queue.read { try query.count(in: $0, from: "cities") }  // → 2
        ///
        /// - Parameters:
        ///   - db: a connection; missing functions are registered on it.
        ///   - table: the table.
        /// - Returns: the number.
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, and GRDB's errors.
        public func count(in db: Database, from table: String) throws -> Int {
            let plan = try TablePlan(query: self, table: table, db: db)
            let statement = try plan.countStatement()
            let arguments = try StatementArguments(statement.bindings)
            return try Int.fetchOne(db, sql: statement.sql, arguments: arguments) ?? 0
        }

        /// True if the query finds a row of a table.
        ///
        ///     try queue.read { try query.exists(in: $0, from: "cities") }  // → true
        ///
        /// - Parameters:
        ///   - db: a connection; missing functions are registered on it.
        ///   - table: the table.
        /// - Returns: true when there is one.
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, and GRDB's errors.
        public func exists(in db: Database, from table: String) throws -> Bool {
            let statement = try TablePlan(query: self, table: table, db: db).existenceStatement()
            let arguments = try StatementArguments(statement.bindings)
            return try Bool.fetchOne(db, sql: statement.sql, arguments: arguments) ?? false
        }

        /// Deletes the rows of a table that the query finds, within its skip and limit.
        ///
        ///     try queue.write { try Query(format: "state == 'MA'").delete(in: $0, from: "cities") }  // → 3
        ///
        /// - Parameters:
        ///   - db: a connection; missing functions are registered on it.
        ///   - table: the table.
        /// - Returns: the number of rows deleted.
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, and GRDB's errors.
        @discardableResult
        public func delete(in db: Database, from table: String) throws -> Int {
            let statement = try TablePlan(query: self, table: table, db: db).deletionStatement()
            if try db.viewExists(table), (try? db.makeStatement(sql: statement.sql)) == nil {
                throw QueryError.isView(table)
            }
            try db.execute(sql: statement.sql, arguments: StatementArguments(statement.bindings))
            return db.changesCount
        }

        /// The indexes that the query would benefit from, as CREATE INDEX statements.
        ///
        ///     try queue.read { try Query(format: "age > 21").suggestedIndexes(in: $0, from: "person") }
        ///     // → ["CREATE INDEX IF NOT EXISTS \"person_age\" ON \"person\" (\"age\")"]
        ///
        /// - Parameters:
        ///   - db: a connection.
        ///   - table: the table.
        /// - Returns: the statements; none if no index helps.
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, and GRDB's errors for a missing table.
        public func suggestedIndexes(in db: Database, from table: String) throws -> [String] {
            try TablePlan(query: self, table: table, db: db).indexes()
        }

        /// What the SQL for a table assumes because no schema declares it.
        ///
        ///     let query = try Query(format: "ANY city == 'Oslo'")
        ///     try queue.read { try query.assumptions(in: $0, from: "person") }.map(\.document)
        ///     // → [{"json":"city"}]
        ///
        /// - Parameters:
        ///   - db: a connection.
        ///   - table: the table.
        /// - Returns: the assumptions; columns declared as dates are taken to hold them in GRDB's format (S11).
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, and GRDB's errors for a missing table.
        public func assumptions(in db: Database, from table: String) throws -> [Assumption] {
            try TablePlan(query: self, table: table, db: db).assumptions()
        }

        /// ``warnings``, and comparisons of columns with values of a kind that the table does not let them hold, which
        /// without a schema hold for no row (S2); divisions of doubles that are kept as ints where they are whole (S17).
        ///
        ///     let query = try Query(format: "age == TRUE")
        ///     try queue.read { try query.warnings(in: $0, from: "person") }.map(\.message)
        ///     // → ["age holds numbers in the table, and is compared with a truth value"]
        ///
        /// - Parameters:
        ///   - db: a connection.
        ///   - table: the table.
        /// - Returns: warnings with what to write instead.
        /// - Throws: as `assumptions(in:from:)`.
        public func warnings(in db: Database, from table: String) throws -> [QueryError] {
            try TablePlan(query: self, table: table, db: db).warnings(of: self)
        }

        /// The rows of a table that the query finds, including what SQL does not support.
        ///
        ///     let query = try Query(format: "state == 'MA' AND random() >= 0", order: ["name"], fields: ["name"])
        ///     try queue.read { try query.results(in: $0, from: "cities").count }  // → 3
        ///
        /// SQLite gets the widest part that it supports; the rest runs in memory over the rows it returns.
        ///
        /// - Parameters:
        ///   - db: a connection; missing functions are registered on it.
        ///   - table: the table.
        /// - Returns: the rows in the query's order: bools and JSON decoded, dates and UUIDs as GRDB stores them.
        /// - Throws: `QueryError` of code `unsupported` for what neither SQL nor memory supports, `unknownField` for a
        ///   column that the table does not have, a row's error that decides the result (S27), and GRDB's errors.
        public func results(in db: Database, from table: String) throws -> [Document] {
            let plan = try TablePlan(query: self, table: table, db: db)
            let split = try plan.split()
            guard let memory = split.memory else { return try plan.documents() }
            let texts = JSONTexts(memory, plan.storage)
            var run = try texts.query.run()
            let statement = try plan.ready(split.store.sql(.sqlite, from: plan.stored))
            let arguments = try StatementArguments(statement.bindings)
            let rows = try Row.fetchCursor(db, sql: statement.sql, arguments: arguments)
            while let row = try rows.next(), try run.add(texts.read(plan.document(row))) {}
            return try texts.shown(try run.finish())
        }

        /// The query in two parts: the widest part that SQL supports for a table, and the rest for memory.
        ///
        ///     let query = try Query(format: "state == 'MA' AND random() >= 0")
        ///     try queue.read { try query.split(in: $0, from: "cities").rest }  // → random() >= 0
        ///
        /// - Parameters:
        ///   - db: a connection; its tables declare which columns hold bools, dates and JSON.
        ///   - table: the table.
        /// - Returns: both parts, dates and UUIDs as GRDB stores them.
        /// - Throws: `QueryError` of code `unsupported` if the rest would read other tables, `unknownField` for a
        ///   column that the table does not have, and GRDB's errors.
        public func split(in db: Database, from table: String) throws -> QuerySplit {
            try TablePlan(query: self, table: table, db: db).split()
        }
    }

    extension Grouping {
        /// The groups of a table's rows.
        ///
        ///     let byState = Query(order: ["state"]).grouped(by: "state", computing: [.count])
        ///     try queue.read { db in try byState.rows(in: db, from: "cities").map { $0["count"] as Int } }  // → [3, 1]
        ///
        /// - Parameters:
        ///   - db: a connection; missing functions are registered on it.
        ///   - table: the table.
        /// - Returns: a row for each group, its columns named as the group's fields (S23).
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, and GRDB's errors.
        public func rows(in db: Database, from table: String) throws -> [Row] {
            var rows = query
            // The order is of groups.
            rows.order = []
            let plan = try TablePlan(query: rows, values: readValues, table: table, db: db)
            var grouping = self
            grouping.query = plan.query
            grouping.query.order = query.order
            if query.schema == nil, let kinds = plan.query.schema {
                let converted = converting(by: kinds)
                (grouping.keys, grouping.having) = (converted.keys, converted.having)
                grouping.reducers = converted.reducers
            }
            let scope = StoredScope(grouping.query.schema)
            try grouping.mapTerms { (value, placed) throws(QueryError) in
                do throws(QueryError) {
                    guard case .comparison(let test) = try value.test.withGRDBValues(scope) else { return value.term }
                    return test.left
                } catch {
                    throw placed(error)
                }
            }
            grouping.having = try grouping.checked().having?.withGRDBValues(StoredScope(grouping.resultSchema))
            let statement = try plan.ready(grouping.sql(.sqlite, from: plan.stored))
            return try Row.fetchAll(db, sql: statement.sql, arguments: StatementArguments(statement.bindings))
        }
    }
#endif
