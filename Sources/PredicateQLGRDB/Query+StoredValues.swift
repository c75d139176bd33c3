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
            var copy = self
            copy.condition = condition.foldingConstants(now: now ?? Query.presentInstant, nilMeaning: nilMeaning)
                .withGRDBValues(schema.map { .object($0) } ?? .any)
            return copy
        }

        /// The query with a schema of what the database declares: bool columns, the relations it names, and the keys of
        /// all tables; a schema of its own gets only the keys.
        func declaring(
            bools: Set<String>,
            relations: [Schema.Field],
            table: String,
            db: Database
        ) throws -> Query {
            var copy = self
            guard let schema else {
                let fields = bools.sorted().map { Schema.Field.field($0, .bool) } + relations
                copy.schema = Schema(fields, allowsOthers: true, primaryKey: try db.keyColumns(of: table))
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
            let known = Set(columns.map { $0.lowercased() }).union(["rowid", "_rowid_", "oid"])
            var unknown: [(name: String, origin: Origin)] = []
            let row = schema.map { FieldType.object($0) } ?? .any
            func look(_ path: FieldPath, _ origin: Origin) {
                guard let first = path.keys.first else { return }
                let step = row.step(first)
                let name = step?.storedName ?? first
                if step?.relation == nil, !known.contains(name.lowercased()) { unknown.append((name, origin)) }
            }
            for path in order.map(\.path) + (fields ?? []) + paths { look(path, .none) }
            for case .term(.field(let path, let origin)) in condition.nodes { look(path, origin) }
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

    extension Schema {
        /// The tables that paths may lead to.
        var relatedTables: Set<String> {
            var tables: Set<String> = []
            for field in fields {
                guard let relation = field.relation else { continue }
                tables.insert(relation.table)
                if case .object(let inner) = field.type.element { tables.formUnion(inner.relatedTables) }
            }
            return tables
        }
    }

    extension Condition {
        func withGRDBValues(_ row: FieldType) -> Condition {
            mapChildren {
                $0.withGRDBValues(row)
            } _: { comparison in
                // What a schema declares as a date or UUID is kept as the schema says.
                if comparison.left.hasDeclaredForm(row) || comparison.right.hasDeclaredForm(row) {
                    return .comparison(comparison)
                }
                var copy = comparison
                copy.left = comparison.left.withGRDBValues(row)
                copy.right = comparison.right.withGRDBValues(row)
                return .comparison(copy)
            }
        }
    }

    extension Term {
        /// True for a path that a schema declares as a date or a UUID.
        fileprivate func hasDeclaredForm(_ row: FieldType) -> Bool {
            guard case .field(let path, _) = self, let type = row.resolve(path.keys)?.type.element else { return false }
            switch type {
            case .date, .uuid: return true
            case .any, .bool, .int, .double, .string, .data, .objectID, .object, .list: return false
            }
        }

        fileprivate func withGRDBValues(_ row: FieldType) -> Term {
            switch self {
            case .value(.date(let milliseconds), let origin):
                return .value(DateEncoding.sqliteText.compared(milliseconds), origin)
            case .value(.uuid(let uuid), let origin):
                return .value(withUnsafeBytes(of: uuid.uuid) { .data(Array($0)) }, origin)
            case .value, .variable, .field, .list, .arithmetic, .negated, .cast, .path, .index, .aggregate, .call,
                .subquery, .conditional, .assignment:
                return mapChildren({ $0.withGRDBValues(row) }, { $0.withGRDBValues(row) })
            }
        }
    }
#endif
