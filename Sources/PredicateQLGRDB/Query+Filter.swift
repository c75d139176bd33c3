#if GRDB
    import GRDB
    import PredicateQL
    import QueryEvaluation

    extension TableRecord {
        /// The rows of this table for which the query holds.
        ///
        ///     let adults = try Query(format: "age >= 18 AND name BEGINSWITH[cd] %@", "jo")
        ///     try queue.read { try Person.filter(adults).fetchAll($0) }.map(\.name)  // → ["João"]
        ///
        /// - Parameter query: a condition; order, skip and limit belong to `request(for:in:)`, fields to `results(in:from:)`.
        /// - Returns: a request; running it throws `QueryError` if SQL does not support part of the query.
        public static func filter(_ query: Query) -> QueryInterfaceRequest<Self> {
            all().filter(query)
        }

        /// The rows of this table for which the condition holds.
        ///
        ///     try queue.read { try Person.filter(Field("age") >= 18).fetchCount($0) }  // → 2
        ///
        /// - Parameter condition: a condition, as `query.condition` or combined with `&&`, `||` and `!`.
        /// - Returns: a request; running it throws `QueryError` if SQL does not support part of the condition.
        public static func filter(_ condition: Condition) -> QueryInterfaceRequest<Self> {
            all().filter(condition)
        }
    }

    extension FilteredRequest where Self: TableRequest {
        /// The rows of this request for which the query also holds.
        ///
        ///     let adults = try Query(format: "age >= 18")
        ///     try queue.read { try Person.limit(1).filter(adults).fetchAll($0) }.map(\.name)  // → ["Ann"]
        ///
        /// Columns are qualified if the request joins other tables, even the same one.
        ///
        /// - Parameters:
        ///   - query: a condition; order, skip and limit belong to `request(for:in:)`, fields to `results(in:from:)`.
        ///   - trigramTables: FTS5 tables that narrow CONTAINS, by column; see `SQLStorage.trigramTables`.
        /// - Returns: the narrowed request; running it throws `QueryError` if SQL does not support part of the query.
        public func filter(_ query: Query, trigramTables: [String: String] = [:]) -> Self {
            let table = databaseTableName
            return filterWhenConnected { db in
                try query.expression(in: db, table: table, trigramTables: trigramTables)
            }
        }

        /// The rows of this request for which the condition also holds.
        ///
        ///     try queue.read { try Person.all().filter(Field("age") >= 18).fetchCount($0) }  // → 2
        ///
        /// - Parameter condition: a condition, as `query.condition` or combined with `&&`, `||` and `!`.
        /// - Returns: the narrowed request; running it throws `QueryError` if SQL does not support part of the
        ///   condition.
        public func filter(_ condition: Condition) -> Self {
            filter(Query(condition))
        }
    }

    extension Query {
        /// The condition as an expression of GRDB's query interface, to combine with others.
        ///
        ///     let query = try Query(format: "age >= 18")
        ///     let found = try queue.read { db in
        ///         let expression = try query.expression(in: db, table: "person")
        ///         return try Person.filter(expression && Column("id") > 1).fetchAll(db)
        ///     }
        ///     found.map(\.name)  // → ["João"]
        ///
        /// GRDB's `!` on the expression is SQL's NOT, which is unknown if a value is nil; negate the condition itself
        /// instead (S6).
        ///
        /// - Parameters:
        ///   - db: a connection; its tables declare which columns hold bools, dates and JSON.
        ///   - table: the table of the rows.
        ///   - alias: the alias of that table in the request, when it has one.
        ///   - trigramTables: FTS5 tables that narrow CONTAINS, by column; see `SQLStorage.trigramTables`.
        /// - Returns: the expression.
        /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unknownField` for a column that
        ///   the table does not have, `pipeline` for a query with order, skip, limit or fields, and GRDB's errors for a
        ///   missing table.
        public func expression(
            in db: Database,
            table: String,
            alias: TableAlias<Void>? = nil,
            trigramTables: [String: String] = [:]
        ) throws -> SQLExpression {
            try refuseFieldsOfTypedRows(else: "use results(in:from:)")
            guard order.isEmpty, skip == nil, limit == nil else {
                throw QueryError(
                    .pipeline,
                    "a filter has no order, skip or limit",
                    hint: "use request(for:in:), or GRDB's own order and limit"
                )
            }
            var plan = try TablePlan(query: self, table: table, db: db)
            plan.storage.trigramTables = trigramTables
            return try plan.expression(alias: alias)
        }
    }
#endif
