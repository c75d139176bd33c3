#if GRDB
    import GRDB
    import PredicateQL
    import PredicateQLSQLite
    import QueryTree
    import QueryValues

    extension Schema {
        /// The kinds of a table's columns by their declared types, with dates in the text that GRDB writes.
        ///
        ///     let schema = try queue.read { try Schema(database: $0, table: "person") }
        ///     try Query(format: "age > 'x'", schema: schema)  // throws kindMismatch
        ///
        /// A column declared TEXT may hold JSON text if the query uses it as a list or an object.
        ///
        /// The rows of other tables that foreign keys lead to are fields, too, named as by
        /// `SQLiteDatabase/schema(ofTable:)`. NOT NULL columns and the primary key are required, so that cursors over
        /// them need no nil. Columns declared JSON or BLOB, where GRDB keeps UUIDs, and those whose type guarantees
        /// nothing, hold any kind.
        ///
        /// - Parameters:
        ///   - db: a connection.
        ///   - table: the table or view.
        /// - Throws: GRDB's error for a table that does not exist.
        public init(database db: Database, table: String) throws {
            let own = try Schema(columnsOf: table, db)
            var keys: [RelatedSchemas.ForeignKey] = []
            let names = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            for child in try String.fetchAll(db, sql: names) {
                // A foreign key without a target leads nowhere.
                for key in (try? db.foreignKeys(on: child)) ?? [] {
                    keys.append(
                        RelatedSchemas.ForeignKey(
                            child: child,
                            parent: key.destinationTable,
                            columns: key.originColumns,
                            referred: key.destinationColumns
                        )
                    )
                }
            }
            var schemas = RelatedSchemas(keys: keys) { try? Schema(columnsOf: $0, db) }
            self = schemas.schema(of: table) ?? own
        }

        /// The columns alone.
        init(columnsOf table: String, _ db: Database) throws {
            let key = try db.tableExists(table) ? db.primaryKey(table) : nil
            let columns = try db.columns(in: table)
            let described = columns.map { column in
                SQLiteTable.Column(
                    name: column.name,
                    declaredType: column.type,
                    isRequired: column.isNotNull || key?.rowIDColumn == column.name
                )
            }
            let fields = described.map { column in
                let type = column.isDate ? FieldType.date(.sqliteText) : column.fieldTypeInGRDB
                return Field.field(column.name, type, isOptional: !column.isRequired)
            }
            self.init(fields, primaryKey: try db.keyColumns(of: table))
            isOfTable = true
            plainFields = Set(described.filter(\.isPlain).map(\.name))
        }
    }

    extension Schema {
        /// The schema with the UUIDs of columns declared BLOB as bytes, in related tables, too.
        func withUUIDsAsBytes(of table: String, in db: Database) -> Schema {
            guard fields.contains(where: { $0.type == .uuid || $0.relation != nil }) else { return self }
            // GRDB reports a missing table itself.
            let columns = (try? db.columns(in: table)) ?? []
            var copy = self
            copy.fields = fields.map { field in
                var field = field
                switch (field.type, field.relation) {
                case (.uuid, nil):
                    let column = columns.first { $0.name.hasSameUTF8(as: field.storedName) }
                    if column?.type.uppercased() == "BLOB" { field.type = .data }
                case (.object(let inner), let relation?):
                    field.type = .object(inner.withUUIDsAsBytes(of: relation.table, in: db))
                case (.list(.object(let inner)), let relation?):
                    field.type = .list(.object(inner.withUUIDsAsBytes(of: relation.table, in: db)))
                default: break
                }
                return field
            }
            copy.index()
            return copy
        }

        /// The schema with a form for dates that have none of their own.
        ///
        /// It is GRDB's text in columns that it declares for dates, milliseconds in JSON, and any form in other columns.
        func withDates(of table: String, in db: Database) -> Schema {
            storingDates(of: table, inJSON: .epochMilliseconds) { column, table in
                // GRDB reports a missing table itself.
                let declared = (try? db.columns(in: table))?.first { $0.name.hasSameUTF8(as: column) }
                let column = SQLiteTable.Column(name: column, declaredType: declared?.type ?? "", isRequired: false)
                return column.isDate ? .sqliteText : .iso8601
            }
        }
    }

    extension SQLiteTable.Column {
        /// The kind of the values; UUIDs and plain bytes share BLOB columns.
        fileprivate var fieldTypeInGRDB: FieldType { fieldType == .data ? .any : fieldType }

        /// True for the types that GRDB declares for dates.
        var isDate: Bool {
            let type = declaredType.uppercased()
            return type == "DATE" || type == "DATETIME" || type == "TIMESTAMP"
        }
    }
#endif
