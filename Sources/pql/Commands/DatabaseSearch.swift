#if CLI
    import PredicateQL
    import PredicateQLSQLite
    import QueryBatch
    import QueryChecking
    import QueryEvaluation
    import QueryTree
    import QueryValues

    /// A query over a table of an SQLite file.
    struct DatabaseSearch {
        private let database: SQLiteDatabase
        private let table: SQLiteTable
        private let storage: SQLStorage
        private var stored: SQLTable { SQLTable(table.name, storage: storage) }

        /// Opens the file; the table's columns show whether it holds documents.
        ///
        /// - Parameters:
        ///   - file: the path.
        ///   - name: the table, or nil for the only one.
        ///   - storage: where fields are stored, or nil to detect it.
        ///   - limits: the bounds of a run.
        /// - Throws: a `Failure` if there is no such file or table, `QueryError` if it is not a database.
        init(_ file: String, table name: String?, storage: SQLStorage?, limits: Limits = .default) throws {
            database = try DatabaseFile.open(file)
            database.limits = limits
            table = try DatabaseFile.table(name, in: database, named: file)
            self.storage = storage == .columns ? table.storage : storage ?? table.usualStorage
            guard storage == nil, database.showsDocuments(in: table) else { return }
            let options = "--storage document reads the fields in doc, --storage columns silences this note"
            Diagnostics.noteOnce("\(table.name) is read as columns, since it has others than doc; \(options)")
        }

        /// The kinds of the columns by their declared types, and relations from foreign keys; nil if rows are
        /// documents.
        func schema() throws(QueryError) -> Schema? {
            try storage == .document() ? nil : database.schema(ofTable: table.name)
        }

        /// What the table declares about the rows that are wanted.
        private func plan(_ wanted: RowsOrGroups) throws(QueryError) -> StoragePlan {
            try StoragePlan(wanted.query.schema, database, stored) { _ in true }
        }

        /// Calls a closure with each result.
        func forEachResult(_ wanted: RowsOrGroups, _ body: (Document) throws -> Void) throws {
            try offeringColumns { try find(wanted, body) }
        }

        /// Runs something over the table; an error of documents that are none names the other storage.
        private func offeringColumns<Result>(_ run: () throws -> Result) throws -> Result {
            do {
                return try run()
            } catch let error as QueryError where storage.documentColumn != nil {
                throw error.offeringColumns("--storage columns")
            }
        }

        private func find(_ wanted: RowsOrGroups, _ body: (Document) throws -> Void) throws {
            switch wanted {
            case .groups(let grouping):
                for group in try grouping.results(in: database, from: stored) { try body(group) }
            case .rows(let query) where !query.computed.isEmpty:
                for row in try query.results(in: database, from: stored) { try body(row) }
                if cutsTies(query.ofWholeRows) { Diagnostics.warnOfTies() }
            case .rows(let query):
                guard try whole(query, wanted) != nil else {
                    for row in try query.results(in: database, from: stored) { try body(row) }
                    return
                }
                // The closure's errors do not belong to the query, so they are passed separately.
                var failure: (any Error)?
                do {
                    try query.forEachRow(in: database, from: stored) {
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
                if cutsTies(query) { Diagnostics.warnOfTies() }
            }
        }

        /// The statement with its table, or nil, after a note of what memory does, if SQLite does not support all of it.
        private func whole(_ query: Query, _ wanted: RowsOrGroups) throws -> (query: Query, table: SQLTable)? {
            let plan = try plan(wanted)
            var query = query
            query.schema = plan.schema
            let split = try query.split(for: .sqlite, from: plan.known)
            guard let rest = split.memory else { return (query, plan.known) }
            if let condition = split.rest {
                Diagnostics.note("tested in memory, since SQLite does not support it: \(condition)")
            } else {
                let order = rest.order.map(\.description).joined(separator: ", ")
                Diagnostics.note("sorted in memory, since SQLite does not support the order: \(order)")
            }
            return nil
        }

        /// True if skip or limit cuts between rows that differ only in their position in the table.
        ///
        /// Not if that needs more than the limits: the results are there already.
        private func cutsTies(_ query: Query) -> Bool {
            (try? findsTies(query)) ?? false
        }

        private func findsTies(_ query: Query) throws(QueryError) -> Bool {
            guard !query.order.isEmpty, storage.documentColumn != nil || table.keyColumns.isEmpty else { return false }
            let skip = query.skip ?? 0
            let end = query.limit.map { skip.addingReportingOverflow($0) }
            for place in [query.limit == 0 ? 0 : skip, end?.overflow == false ? end?.partialValue ?? 0 : 0]
            where place > 0 {
                var around = query
                (around.skip, around.limit, around.fields) = (place - 1, 2, nil)
                let rows = try around.results(in: database, from: stored)
                if rows.count == 2, try around.ties(rows[0], rows[1]) { return true }
            }
            return false
        }

        func count(_ wanted: RowsOrGroups) throws -> Int {
            try offeringColumns { try number(wanted) }
        }

        private func number(_ wanted: RowsOrGroups) throws -> Int {
            switch wanted {
            case .groups(let grouping):
                return try grouping.results(in: database, from: stored).count
            case .rows(let query):
                guard let whole = try whole(query, wanted) else {
                    return try query.count(in: database, from: stored)
                }
                let statement = try whole.query.sqlCount(.sqlite, from: whole.table)
                let rows = try SQLiteMeter.run(on: database.handle, database.limits) {
                    try database.rows(statement.sql, statement.bindings)
                }
                guard case .int(let count)? = rows.first?.values.first else { return 0 }
                return Int(count)
            }
        }

        /// What the first rows show about fields that nothing declares, and about texts and what should be dates.
        ///
        /// Rows that cannot be read within the limits show nothing: the results are there already.
        func names(_ wanted: RowsOrGroups) -> FieldNames {
            let scope = TypeScope(wanted.query.schema)
            let isOpen = wanted.paths.contains { path in
                switch scope.row.resolve(path.keys)?.type ?? .any {
                case .any, .date, .string, .bool: true
                case .int, .double, .data, .uuid, .objectID, .object, .list: false
                }
            }
            var first = Query(limit: 100)
            first.schema = wanted.query.schema
            let found = isOpen ? try? first.rows(in: database, from: stored) : nil
            let rows = found ?? []
            let names = FieldNames(rows, isWhole: rows.count < 100)
            names.watch(wanted)
            return names
        }

        /// What a query takes for granted about the columns that no declaration describes (S11).
        ///
        /// Nothing where memory computed what SQL does not: the results are there already.
        func assumptions(_ wanted: RowsOrGroups) throws -> [Assumption] {
            let plan = try plan(wanted)
            return (try? statement(wanted, plan))?.assumptions ?? []
        }

        private func statement(_ wanted: RowsOrGroups, _ plan: StoragePlan) throws -> SQLQuery {
            switch wanted {
            case .rows(var query):
                query.schema = plan.schema
                return try query.sql(.sqlite, from: plan.known)
            case .groups(var grouping):
                if let rows = grouping.rowsInMemory { return try statement(.rows(rows), plan) }
                grouping.query.schema = plan.schema
                return try grouping.sql(.sqlite, from: plan.known)
            }
        }

        /// The part of a query that SQLite runs, and the steps in memory over its rows.
        private func parts(_ wanted: Query, _ plan: StoragePlan) throws -> (store: Query, steps: [String]) {
            var query = wanted
            query.schema = plan.schema
            let split = try query.split(for: .sqlite, from: plan.known)
            guard let memory = split.memory else { return (query, []) }
            return (split.store, Array(split.rest == nil ? memory.steps.dropFirst() : memory.steps[...]))
        }

        /// The same of groups, of which SQLite may find only the rows; no query of rows if it makes the groups.
        private func parts(_ grouping: Grouping, _ plan: StoragePlan) throws -> (store: Query?, steps: [String]) {
            var made = grouping
            made.query.schema = plan.schema
            do {
                _ = try made.sql(.sqlite, from: plan.known)
                return (nil, [])
            } catch {
                var rows = grouping.query
                (rows.order, rows.skip, rows.limit, rows.schema) = ([], nil, nil, plan.schema)
                let split = try rows.split(for: .sqlite, from: plan.known)
                let needsOrder = grouping.reducers.contains { [.first, .last, .custom].contains($0.kind) }
                guard error.code == .unsupported, !needsOrder, grouping.rowsInMemory != nil || split.memory != nil
                else {
                    throw error
                }
                made.query.condition = split.rest ?? .constant(true)
                return (split.store, Array(split.rest == nil ? made.steps.dropFirst() : made.steps[...]))
            }
        }

        /// The statement, its bindings, SQLite's plan, the steps in memory, and the indexes that would help if it scans.
        func explain(_ wanted: RowsOrGroups) throws {
            let plan = try plan(wanted)
            let (store, memory): (Query?, [String]) =
                switch wanted {
                case .rows(let query): try parts(query, plan)
                case .groups(let grouping): try parts(grouping, plan)
                }
            let statement = try store?.sql(.sqlite, from: plan.known) ?? statement(wanted, plan)
            let out = StandardOutput.shared
            try out.write(line: "SQL:\n  " + statement.sql)
            try out.write(line: "bindings:\n  " + QueryValue.list(statement.bindings).json)
            try out.write(line: "plan:")
            let steps = try database.queryPlan(statement.sql, statement.bindings)
            for step in steps { try out.write(line: "  " + step) }
            if !memory.isEmpty { try out.write(line: "in memory:") }
            for (number, step) in memory.enumerated() { try out.write(line: "  \(number + 1). \(step)") }
            guard let store,
                steps.contains(where: { $0.contains("SCAN") || $0.contains("TEMP") })
            else { return }
            let indexes = try store.suggestedIndexes(from: plan.known)
            if indexes.isEmpty { return }
            try out.write(line: "indexes that would help:")
            for index in indexes { try out.write(line: "  " + index) }
        }
    }
#endif
