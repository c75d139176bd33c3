#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite
    import QueryChecking
    import QueryMeaning
    import QueryTree
    import QueryValues

    extension Query {
        /// The query with its UUIDs as GRDB stores them: as 16 bytes.
        ///
        /// A field that a schema declares as a UUID is compared in the schema's own form. Dates stay dates: SQL compares
        /// them in the form of a column that is declared for dates, and reads every other text as a date (S5).
        ///
        /// - Throws: `QueryError` of code `unsupported` for a UUID beside both what has a declared kind and what has none.
        func withGRDBValues(now: Int64?) throws(QueryError) -> Query {
            let scope = StoredScope(schema)
            var copy = try mappingComputed { (test) throws(QueryError) in try test.withGRDBValues(scope) }
            copy.condition = try condition.foldingConstants(now: now ?? Query.presentInstant, nilMeaning: nilMeaning)
                .withGRDBValues(scope)
            return copy
        }

        /// The query with a schema of what the database declares: the kinds of columns, to which constants are converted
        /// (S2), the relations it names, and the keys of all tables; a schema of its own gets only the keys.
        ///
        /// `values` are what groups read of the rows.
        func declaring(
            relations: [Schema.Field],
            values: [GroupKey],
            table: String,
            db: Database
        ) throws -> Query {
            var copy = self
            guard let schema else {
                var declared = try Schema(columnsOf: table, db)
                declared.fields += relations
                declared.allowsOthers = true
                declared.index()
                copy = converting(by: declared)
                copy.schema = declared.ofStore
                return try copy.checked()
            }
            var stored = schema.withUUIDsAsBytes(of: table, in: db).withDates(of: table, in: db)
            let held = stored.holding(of: table) { column, table in
                // GRDB reports a missing table itself.
                let declared = (try? db.columns(in: table))?.first { $0.name.hasSameUTF8(as: column) }?.type
                return declared.map { SQLiteTable.Column(name: column, declaredType: $0, isRequired: false).heldType }
            }
            if let held {
                try HeldColumns(declared: stored, held: held).check(self, values: values)
                stored = held
            }
            copy.schema = stored.withPrimaryKeys(of: table) { name in
                // GRDB reports a missing table itself.
                (try? db.keyColumns(of: name)) ?? ["rowid"]
            }
            return copy
        }

        /// The table's relations that the query names, if it has no schema.
        ///
        /// - Throws: `QueryError` of code `unknownField` for a name that is neither a column nor a relation.
        func relations(also paths: [FieldPath], columns: [String], table: String, db: Database) throws -> [Schema.Field]
        {
            let known = Set(columns.map { UTF8Key($0) })
            var unknown: [(name: String, origin: Origin)] = []
            let row = schema.map { FieldType.object($0) } ?? .any
            func look(_ path: FieldPath, _ origin: Origin) {
                guard let first = path.keys.first else { return }
                let step = row.step(first)
                let name = step?.storedName ?? first
                if step?.relation == nil, !known.contains(UTF8Key(name)), !name.isRowNumber {
                    unknown.append((name, origin))
                }
            }
            for path in sortedFields + (fields ?? []) + paths { look(path, .none) }
            for case .term(.field(let path, let origin)) in readingCondition.nodes { look(path, origin) }
            guard !unknown.isEmpty else { return [] }
            let declared =
                schema == nil ? try Schema(database: db, table: table).fields.filter { $0.relation != nil } : []
            var used: [Schema.Field] = []
            for (name, origin) in unknown {
                if let field = declared.first(where: { $0.name.hasSameUTF8(as: name) }) {
                    if !used.contains(field) { used.append(field) }
                    continue
                }
                let names = columns + declared.map(\.name)
                let meant = Suggestion.nearest(to: name, among: names)
                throw QueryError(
                    .unknownField,
                    "the table \(table) has no column \(name)",
                    at: origin,
                    hint: meant.map { "did you mean \($0)?" } ?? "it has " + names.joined(separator: ", ")
                )
            }
            return used
        }
    }

    extension String {
        /// True for SQLite's names of the row number.
        var isRowNumber: Bool { ["rowid", "_rowid_", "oid"].contains(lowercased()) }
    }
#endif
