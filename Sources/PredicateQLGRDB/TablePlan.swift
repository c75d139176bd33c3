#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite
    import QueryChecking
    import QueryTree

    /// A query over one table of a GRDB connection, with the declarations of its columns.
    struct TablePlan {
        private let original: Query
        let query: Query
        let table: String
        var storage: SQLStorage
        /// The table as statements need it.
        var stored: SQLTable { SQLTable(table, storage: storage) }
        private let db: Database
        private let bools: Set<String>
        private let columns: [String]

        /// A plan of a query; `values` are what groups read of its rows.
        init(query: Query, values: [GroupKey] = [], table: String, db: Database, now: Int64? = nil) throws {
            var json: Set<String> = []
            var bools: Set<String> = []
            let columns = try db.columns(in: table)
            for column in columns {
                switch column.type.uppercased() {
                case "JSON", "JSONB": json.insert(column.name)
                case "BOOLEAN", "BOOL", SQLiteTable.plainBooleanType: bools.insert(column.name)
                default: break
                }
            }
            storage = json.isEmpty ? .columns : .columns(json: json)
            self.table = table
            self.db = db
            self.bools = bools
            self.columns = columns.map(\.name)
            let relations = try query.relations(
                also: values.flatMap(\.readPaths),
                columns: columns.map(\.name),
                table: table,
                db: db
            )
            original = try query.declaring(relations: relations, values: values, table: table, db: db)
            self.query = try original.withGRDBValues(now: now).findingTextsOfSQLite(query.schema)
            storage.castColumns = try db.collatedColumns(of: table)
            storage.looseColumns = try db.looseColumns(of: table)
            for name in (original.schema ?? .any).relatedTables {
                // A query need not use every relation; SQLite reports a missing table that it uses.
                if let collated = try? db.collatedColumns(of: name), !collated.isEmpty {
                    storage.relatedTables[name, default: .columns].castColumns = collated
                }
                if let loose = try? db.looseColumns(of: name), !loose.isEmpty {
                    storage.relatedTables[name, default: .columns].looseColumns = loose
                }
            }
            try original.refuseOtherForms(than: original.schema, in: stored) { (sql, bindings) throws(QueryError) in
                // GRDB reports what is wrong with a table itself.
                let row = try? Row.fetchOne(db, sql: sql, arguments: StatementArguments(bindings))
                return row?.map { QueryValue($0.1) } ?? []
            }
        }

        /// The whole statement.
        func statement() throws -> SQLQuery {
            try ready(query.sql(.sqlite, from: stored))
        }

        /// The statement that counts.
        func countStatement() throws -> SQLQuery {
            try ready(query.sqlCount(.sqlite, from: stored))
        }

        /// The statement that tests whether there is a row.
        func existenceStatement() throws -> SQLQuery {
            try ready(query.sqlExists(.sqlite, from: stored))
        }

        /// The statement that deletes.
        func deletionStatement() throws -> SQLQuery {
            try ready(query.sqlDelete(.sqlite, from: stored))
        }

        /// The indexes that would help.
        func indexes() throws -> [String] {
            // A view has no indexes, and a virtual table none but its own.
            let sql = """
                SELECT type = 'view' OR sql LIKE 'CREATE VIRTUAL%' FROM
                    (SELECT * FROM sqlite_temp_master UNION ALL SELECT * FROM sqlite_master)
                WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')
                """
            let hasNone = try Bool.fetchOne(db, sql: sql, arguments: [table]) ?? false
            return hasNone ? [] : try query.suggestedIndexes(.sqlite, from: stored)
        }

        /// The part of the query that SQL supports, and the rest.
        func split() throws(QueryError) -> QuerySplit {
            let split = try query.split(for: .sqlite, from: stored)
            guard let memory = split.memory else { return split }
            try memory.refuseBytesInJSON(of: storage)
            for path in memory.sortedFields + (memory.fields ?? []) { try refuseRowNumber(path, .none) }
            for case .term(.field(let path, let origin)) in memory.readingCondition.nodes {
                try refuseRowNumber(path, origin)
            }
            return split
        }

        private func refuseRowNumber(_ path: FieldPath, _ origin: Origin) throws(QueryError) {
            guard let name = path.keys.first, name.isRowNumber, !columns.contains(name) else { return }
            throw QueryError(
                .unsupported,
                "\(name) is not a column of the rows, which memory reads",
                at: origin,
                hint: "use the table's key, or a query that SQL supports as a whole"
            )
        }

        /// The assumptions; columns declared as dates are taken to hold them in GRDB's form.
        func assumptions() throws(QueryError) -> [Assumption] {
            var assumptions = Set(try original.sql(.sqlite, from: stored).assumptions)
            guard original.schema?.checked == nil else { return Assumption.sorted(assumptions) }
            let scope = TypeScope(original.schema)
            for case .term(.field(let path, let origin)) in original.readingCondition.nodes {
                guard case .date = scope.type(of: .field(path, origin)) else { continue }
                assumptions.insert(.date(path.dotted, .grdb))
            }
            return Assumption.sorted(assumptions)
        }

        /// The warnings of the query that this plan was made of.
        func warnings(of query: Query) -> [QueryError] {
            guard let schema = original.schema else { return query.warnings }
            return query.warnings(declared: schema, loose: storage.looseColumns, of: table) { column, table in
                // GRDB reports a missing table itself.
                let declared = (try? db.columns(in: table))?.first { $0.name.hasSameUTF8(as: column) }?.type
                return declared.map { SQLiteTable.Column(name: column, declaredType: $0, isRequired: false) }
            }
        }

        /// A statement whose functions are registered on the connection.
        func ready(_ statement: SQLQuery) throws -> SQLQuery {
            if !statement.functions.isEmpty { try db.addMissingFunctions() }
            return statement
        }

        /// The rows with the fields and computed values of a query that SQL supports as a whole.
        func documents() throws -> [Document] {
            for path in query.fields ?? [] {
                try refuseRowNumber(path, .none)
                guard let name = path.keys.first, query.schema?.field(named: name)?.relation != nil else { continue }
                throw QueryError(
                    .unsupported,
                    "rows of another table cannot be selected as a field",
                    hint: "compute a value of them instead, with a name of its own"
                )
            }
            var unprojected = query
            unprojected.fields = nil
            let fields = query.fields.map { paths in paths.map { query.storedKeys(of: $0) } }
            let wanted = Set((fields ?? []).compactMap { $0.first.map { UTF8Key($0) } })
            let columns = columns.filter { wanted.contains(UTF8Key($0)) }
            let isWhole = columns.isEmpty && query.computed.isEmpty
            let statement = try ready(unprojected.sql(selecting: isWhole ? nil : columns, .sqlite, from: stored))
            let rows = try Row.fetchCursor(db, sql: statement.sql, arguments: StatementArguments(statement.bindings))
            let names = query.computed.map(\.name)
            var documents: [Document] = []
            while let row = try rows.next() {
                let own = isWhole ? row.count : columns.count
                var document = try document(row.prefix(own)).projected(fields, holdsColumns: true)
                let values = row.dropFirst(own).map { QueryValue($0.1) }
                for (name, (value, kind)) in zip(names, zip(values, values.dropFirst(names.count))) {
                    document[name] = try value.ofKind(kind, name)
                }
                documents.append(document)
            }
            return documents
        }

        /// A row as a document: bools and JSON decoded, everything else as stored.
        func document(_ row: some Sequence<(String, DatabaseValue)>) throws -> Document {
            var pairs: [(String, QueryValue)] = []
            for (name, stored) in row {
                switch QueryValue(stored) {
                case .null where isJSON(name): break
                case .int(let number) where bools.contains(name) && (0...1).contains(number):
                    pairs.append((name, .bool(number == 1)))
                case .string(let text) where isJSON(name):
                    pairs.append((name, try QueryValue(stored: text, in: name)))
                case let value: pairs.append((name, value))
                }
            }
            return Document(pairs: pairs)
        }

        /// True for a column declared JSON, and for one that the schema declares a list or an object.
        private func isJSON(_ column: String) -> Bool {
            if storage.holdsJSON(column) { return true }
            guard let field = query.schema?.field(storedAs: column), field.relation == nil else { return false }
            return switch field.type {
            case .object, .list: true
            case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: false
            }
        }

        // MARK: Expressions

        /// The name of this row in a subquery.
        private static let row = "predicateql_row"

        /// A name as it stands between quotes, where GRDB writes it verbatim.
        private static func inQuotes(_ name: String) -> String { name.replacingScalar("\"", with: "\"\"") }

        /// The condition with GRDB's own columns, so that requests qualify them.
        func expression(alias: TableAlias<Void>?) throws -> SQLExpression {
            let (statement, pieces, hasSubquery) = try query.sqlInPieces(
                .sqlite,
                from: SQLTable(Self.row, storage: storage)
            )
            _ = try ready(statement)
            let arguments = try StatementArguments(statement.whereBindings)
            func column(_ name: String) -> SQL {
                let column = Column(Self.inQuotes(name))
                return alias.map { SQL($0[column]) } ?? SQL(column)
            }
            let names = pieces.compactMap { piece in
                if case .column(let name) = piece { name.lowercased() } else { nil }
            }
            var literal = SQL(sql: "(")
            if hasSubquery, try isNamedAsInside || !Set(names).isDisjoint(with: innerNames()) {
                // Inside the subquery a name could refer to one of its columns or tables, so the row is looked up in a
                // separate subquery.
                let key = try rowKey()
                let isOne = key.count == 1
                literal +=
                    SQL(sql: isOne ? "" : "(") + key.map(column).joined(separator: ", ") + SQL(sql: isOne ? "" : ")")
                let selected = key.map { Self.row + "." + Self.inQuotes($0).quotedDatabaseIdentifier }.joined(
                    separator: ", "
                )
                let source = " FROM \(table.quotedDatabaseIdentifier) AS \(Self.row)"
                let text = " IN (SELECT " + selected + source + " WHERE " + statement.where + "))"
                return (literal + SQL(sql: text, arguments: arguments)).sqlExpression
            }
            // GRDB only joins the arguments, so all of them may go with the first piece.
            var left: StatementArguments? = arguments
            for piece in pieces {
                switch piece {
                case .text(let text):
                    literal += SQL(sql: text, arguments: left ?? StatementArguments())
                    left = nil
                case .column(let name): literal += column(name)
                }
            }
            literal += SQL(sql: ")")
            return literal.sqlExpression
        }

        /// True for a letter alone or with a number: subqueries name their tables so, and GRDB numbers tables that a
        /// request joins twice.
        private var isNamedAsInside: Bool {
            guard let first = table.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20 else {
                return false
            }
            return table.utf8.dropFirst().allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        }

        /// The columns that a subquery may read, in lower case.
        private func innerNames() throws -> Set<String> {
            var names: Set<String> = [
                "key", "value", "type", "atom", "id", "parent", "fullkey", "path", "json", "root", "rowid", "i", "n",
                "s",
                "v",
            ]
            for table in (query.schema ?? .any).relatedTables {
                for column in try db.columns(in: table) { names.insert(column.name.lowercased()) }
            }
            return names
        }

        /// The columns that identify a row.
        private func rowKey() throws -> [String] {
            guard try db.tableExists(table) else {
                throw QueryError(
                    .unsupported,
                    "a view has no key, so it cannot be filtered by a condition on a collection",
                    hint: "query the table, or use request(for:in:)"
                )
            }
            let key = try db.primaryKey(table)
            if key.isRowID { return key.columns }
            // A key of other columns may be NULL, unless the table has no row number.
            let probe = "SELECT rowid FROM " + table.quotedDatabaseIdentifier
            return (try? db.cachedStatement(sql: probe)) == nil ? key.columns : ["rowid"]
        }
    }

    extension QueryValue {
        /// A value as stored.
        fileprivate init(_ stored: DatabaseValue) {
            self =
                switch stored.storage {
                case .null: .null
                case .int64(let number): .int(number)
                case .double(let number): .double(number)
                case .string(let text): .string(text)
                case .blob(let data): .data(Array(data))
                }
        }
    }

    extension Database {
        /// The columns that compare texts by other rules than their bytes, as with `COLLATE NOCASE`.
        fileprivate func collatedColumns(of table: String) throws -> Set<String> {
            let names = try columns(in: table).map(\.name)
            return Set(names.filter { SQLiteTable.hasCollation($0, of: table, sqliteConnection) })
        }

        /// The columns of numbers that let texts in, as those of all tables do that are not STRICT, but for the row number.
        fileprivate func looseColumns(of table: String) throws -> Set<String> {
            let loose = try columns(in: table).filter { column in
                SQLiteTable.Column(name: column.name, declaredType: column.type, isRequired: false).isOfNumbers
            }
            // SQLite before 3.37 has neither the list nor STRICT.
            let isStrict = try? Bool.fetchOne(self, sql: "SELECT strict FROM pragma_table_list(?)", arguments: [table])
            guard !loose.isEmpty, isStrict != true else { return [] }
            let number = try tableExists(table) ? primaryKey(table).rowIDColumn : nil
            return Set(loose.map(\.name)).subtracting([number].compactMap { $0 })
        }

        /// The columns that identify a table's rows, none if only the row number does.
        ///
        /// Those of the primary key, else `_id` if the table has it; all columns of a view.
        func keyColumns(of table: String) throws -> [String] {
            let names = try columns(in: table).map(\.name)
            guard try tableExists(table) else { return names }
            let key = try primaryKey(table)
            if key.isRowID, key.rowIDColumn == nil { return names.contains("_id") ? ["_id"] : [] }
            return key.columns
        }

        /// Registers missing functions on the connection.
        func addMissingFunctions() throws {
            let probe = "SELECT \(SQLDialect.sqlite.matchFunction)('', '')"
            if (try? cachedStatement(sql: probe)) == nil { try addPredicateQLFunctions() }
        }
    }
#endif
