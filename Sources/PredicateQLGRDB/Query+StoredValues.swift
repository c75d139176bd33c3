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

        /// The query that finds dates in every text that SQLite's own functions have for them, as CURRENT_DATE and
        /// CURRENT_TIMESTAMP, where a column is declared for dates and no schema names their form.
        ///
        /// All these texts sort as the dates do; those of one instant begin with the shortest.
        ///
        /// - Parameter given: the schema that the query came with.
        /// - Returns: the query.
        func findingTextsOfSQLite(_ given: Schema?) -> Query {
            guard var schema else { return self }
            let dates = schema.fields.filter { field in
                field.type == .date(.sqliteText) && field.relation == nil
                    && given.map { $0.field(named: field.name)?.type == .date(.native) } ?? true
            }
            var found: Set<String> = []
            func changed(_ condition: Condition) -> Condition {
                condition.mapChildren(changed) { comparison in
                    let test = comparison.left.constantValue == nil ? comparison : comparison.mirrored ?? comparison
                    guard case .field(let path, let origin) = test.left, path.keys.count == 1,
                        let name = path.keys.first,
                        dates.contains(where: { $0.name.hasSameUTF8(as: name) }),
                        let test = test.ofTextsOfSQLite(
                            .field(FieldPath(keys: ["\0" + name]), origin)
                        )
                    else { return .comparison(comparison) }
                    found.insert(name)
                    return test
                }
            }
            var copy = self
            copy.condition = changed(condition)
            // No format string can name a field with NUL.
            for field in dates where found.contains(field.name) {
                let name = "\0" + field.name
                schema.fields.append(.field(name, .string, storedAs: field.storedName, isOptional: field.isOptional))
                schema.plainFields.insert(name)
            }
            schema.index()
            copy.schema = schema
            return found.isEmpty ? self : copy
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

    extension Comparison {
        /// The comparison with the texts of its dates, made of the column's text; nil where that is the same, and for the
        /// values of a cursor.
        fileprivate func ofTextsOfSQLite(_ text: Term) -> Condition? {
            let origin = right.origin
            guard quantifier == nil, !origin.isOfOrder, !origin.isOfAnyKind, let value = right.constantValue else {
                return nil
            }
            let takesList = self.operator == .in || self.operator == .between
            var dates: [[QueryValue]] = []
            var others: [QueryValue] = []
            let list = if takesList, case .list(let values) = value { values } else { [value] }
            for value in list {
                guard case .date(let date) = value else {
                    others.append(value)
                    continue
                }
                let texts = date.sqliteTexts.map { QueryValue.string($0) }
                // Dates beyond the years of four digits have no such text.
                guard texts.first == DateEncoding.sqliteText.compared(date) else { return nil }
                dates.append(texts)
            }
            guard others.isEmpty || self.operator == .in && others.allSatisfy(\.isNull),
                let least = dates.first?.last, let greatest = dates.last?.first
            else { return nil }
            func compare(_ relation: Operator, _ value: Term) -> Condition {
                .comparison(Comparison(text, relation, value))
            }
            func written(_ texts: [QueryValue]) -> Term { .list(texts.map { .value($0, origin) }, origin) }
            if self.operator == .equal || self.operator == .in {
                return compare(.in, written(dates.flatMap { $0 } + others))
            }
            if self.operator == .notEqual { return .not(compare(.in, written(dates.flatMap { $0 }))) }
            if self.operator == .between { return compare(.between, written([least, greatest])) }
            if self.operator == .less || self.operator == .greaterOrEqual {
                return compare(self.operator, .value(least, origin))
            }
            let isUpper = self.operator == .lessOrEqual || self.operator == .greater
            return isUpper ? compare(self.operator, .value(greatest, origin)) : nil
        }
    }

    extension String {
        /// True for SQLite's names of the row number.
        var isRowNumber: Bool { ["rowid", "_rowid_", "oid"].contains(lowercased()) }
    }
#endif
