#if GRDB
    import GRDB
    import PredicateQL
    import QueryChecking
    import QueryMeaning
    import QueryTree
    import QueryValues

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension Query {
        /// The query with its dates and UUIDs as GRDB stores them: a `Date` as text, a `UUID` as 16 bytes (S5).
        ///
        /// A field that a schema declares as a date or UUID is compared in the schema's own form.
        func withGRDBValues(now: Int64?) -> Query {
            let scope = TypeScope(schema)
            var copy = mappingComputed { $0.withGRDBValues(scope) }
            copy.condition = condition.foldingConstants(now: now ?? Query.presentInstant, nilMeaning: nilMeaning)
                .withGRDBValues(scope)
            return copy
        }

        /// The query with a schema of what the database declares: the kinds of columns, to which constants are converted
        /// (S2), the relations it names, and the keys of all tables; a schema of its own gets only the keys.
        func declaring(relations: [Schema.Field], table: String, db: Database) throws -> Query {
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
            copy.schema = schema.withPrimaryKeys(of: table) { name in
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

    extension Condition {
        func withGRDBValues(_ scope: TypeScope) -> Condition {
            // GRDB's rows have bytes, no UUIDs.
            if testsForUUIDs { return .constant(false) }
            return mapChildren {
                $0.withGRDBValues(scope)
            } _: { comparison in
                // A value beside what a schema declares as a date, a UUID or a text is kept as the schema says.
                let (left, right) = (comparison.left, comparison.right)
                let (isLeft, isRight) = (left.hasDeclaredForm(scope), right.hasDeclaredForm(scope))
                var copy = comparison
                if isLeft || !isRight { copy.left = left.withGRDBValues(scope) }
                if isRight || !isLeft { copy.right = right.withGRDBValues(scope) }
                return .comparison(copy)
            }
        }
    }

    extension Condition {
        /// True for `x < id OR x >= id`, by which a page finds the rows whose kind sorts after that of its cursor.
        private var testsForUUIDs: Bool {
            guard case .or(let parts) = self, parts.count == 2, case .comparison(let below) = parts[0],
                case .comparison(let above) = parts[1], case .value(.uuid, _) = below.right
            else { return false }
            return below.operator == .less && above.operator == .greaterOrEqual && below.left == above.left
                && below.right == above.right
        }
    }

    extension Term {
        /// True for stored values that a schema declares as dates, UUIDs or texts: a text is a date where it denotes one
        /// (S5).
        fileprivate func hasDeclaredForm(_ scope: TypeScope) -> Bool {
            switch self {
            case .field, .variable, .path, .index, .aggregate: break
            case .value, .list, .arithmetic, .negated, .call, .subquery, .conditional, .cast, .assignment: return false
            }
            switch scope.type(of: self).element {
            case .date, .uuid, .string: return true
            case .any, .bool, .int, .double, .data, .objectID, .object, .list: return false
            }
        }

        fileprivate func withGRDBValues(_ scope: TypeScope) -> Term {
            switch self {
            case .value(.date(let milliseconds), let origin):
                return .value(DateEncoding.sqliteText.compared(milliseconds), origin)
            case .value(.uuid(let uuid), let origin):
                return .value(withUnsafeBytes(of: uuid.uuid) { .data(Array($0)) }, origin)
            case .subquery(let subquery, let origin):
                let inner = scope.binding(subquery.variable, to: scope.type(of: subquery.collection).element)
                let condition = subquery.condition.withGRDBValues(inner)
                let collection = subquery.collection.withGRDBValues(scope)
                return .subquery(Subquery(collection, subquery.variable, where: condition), origin)
            case .value, .variable, .field, .list, .arithmetic, .negated, .cast, .path, .index, .aggregate, .call,
                .conditional, .assignment:
                return mapChildren({ $0.withGRDBValues(scope) }, { $0.withGRDBValues(scope) })
            }
        }
    }
#endif
