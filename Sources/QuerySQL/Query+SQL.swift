import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension Query {
    /// The query as one SQL statement: filter, order, skip, limit and fields.
    ///
    /// Values are bound, never written as text; the statement finds exactly the rows that ``Query`` finds in memory
    /// (S6, S7).
    ///
    ///     let query = try Query(format: "state == 'MA' AND population >= 50000")
    ///     try query.sql(.sqlite, from: "cities").bindings  // → ["MA", 50000]
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table's name; any name, because it is quoted.
    ///   - storage: where the fields are stored.
    ///   - primaryKey: the column that identifies rows, for paging and child tables; nil for the schema's, else the row
    ///     number.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statement.
    /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, `unboundVariable`, `pipeline`,
    ///   `limit` for what the store's parser would reject, and what ``Query/checked()`` throws with a schema.
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage = .columns,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline()
        if let forms = dialect.typed {
            return try TypedStatement(self, forms, dialect, table, storage, primaryKey, now).rows()
        }
        let stored = asStored(storage)
        let statement = try Statement(stored, dialect, table, storage, primaryKey, now)
        let columns = try statement.columns(fields)
        let order = try statement.order(stored.order, isPaged: skip != nil || limit != nil)
        return try statement.query(select: columns, tail: order, skip: skip, limit: limit)
    }

    /// The number of rows that satisfy the condition, as one SQL statement; order and fields do not matter.
    ///
    ///     try query.sqlCount(.sqlite, from: "cities").sql  // → SELECT count(*) FROM "cities" WHERE …
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table's name.
    ///   - storage: where the fields are stored.
    ///   - primaryKey: the column that identifies rows; nil for the schema's, else the row number.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statement, which gives one row with one column.
    /// - Throws: as ``sql(_:from:storage:primaryKey:now:)``.
    public func sqlCount(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage = .columns,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validatePipeline()
        if let forms = dialect.typed {
            return try TypedStatement(self, forms, dialect, table, storage, primaryKey, now).count()
        }
        let statement = try Statement(self, dialect, table, storage, primaryKey, now)
        guard skip != nil || limit != nil else {
            return try statement.query(select: SQLText("count(*)"), tail: nil, skip: nil, limit: nil)
        }
        var inner = try statement.query(select: SQLText("1"), tail: nil, skip: skip, limit: limit)
        inner.sql = "SELECT count(*) FROM (" + inner.sql + ")"
        return inner
    }
}

extension Query {
    /// Writes the condition: checked, without parts that no store supports, and with constants folded.
    ///
    /// An ordinary condition needs none of these steps, which take most of a translation's time.
    func writingCondition(
        over row: FieldType,
        now: Int64,
        _ write: (Condition) throws(QueryError) -> SQLText
    ) throws(QueryError) -> SQLText {
        if condition.isOrdinary(row) { return try write(condition) }
        let asked = try checkedCondition()
        return try StackRoom.run(for: asked, above: StackRoom.plainHeightOfWriters) { () throws(QueryError) in
            try asked.checkSupportedEverywhere()
            return try write(asked.foldingConstants(now: now, nilMeaning: nilMeaning))
        }
    }
}

extension Query {
    /// The query; documents already contain what breaks ties in memory (S22).
    func asStored(_ storage: SQLStorage) -> Query { storage.documentColumn == nil ? self : breakingTies }
}

/// The columns that identify a table's rows.
struct RowKey: Sendable {
    /// At least one.
    let columns: [String]
    /// The columns that foreign keys refer to; empty if unknown.
    let related: [String]
    /// True for the row number that the store assigns in insertion order.
    let isRowNumber: Bool

    init(_ primaryKey: String?, _ schema: Schema?, _ storage: SQLStorage, _ dialect: SQLDialect) {
        let declared = schema?.primaryKey ?? []
        let primaryKey = primaryKey ?? storage.keyColumn
        // The key named by a schema is inside the document.
        let named = primaryKey.map { [$0] } ?? (storage.documentColumn == nil ? declared : [])
        isRowNumber =
            named.isEmpty
            || named.count == 1 && (named[0] == SQLDialect.sqlite.rowNumber || named[0] == dialect.rowNumber)
        columns = isRowNumber ? [dialect.rowNumber] : named
        related = primaryKey.map { [$0] } ?? declared
    }

    /// The columns, qualified by a table or alias.
    func columns(of table: String, _ dialect: SQLDialect) throws(QueryError) -> [SQLText] {
        var texts: [SQLText] = []
        for column in columns { texts.append(SQLText(String(joining: table, ".", try dialect.quoted(column)))) }
        return texts
    }

    /// One column, or a row of several, for IN.
    func compared(_ list: SQLText) -> String { columns.count == 1 ? list.text : "(" + list.text + ")" }

    /// Ends an order that is cut by the key: in the last key's direction, row numbers ascending (S22).
    func breakTies(
        of pieces: inout [SQLText],
        _ table: String,
        _ dialect: SQLDialect,
        isAscending: Bool?,
        isParenthesized: Bool = false
    ) throws(QueryError) {
        let direction = isAscending == false && !isRowNumber ? " DESC" : ""
        for column in try columns(of: table, dialect) {
            let text = isParenthesized ? "(" + column.text + ")" : column.text
            if !pieces.contains(where: { $0.text.hasPrefix(text) }) { pieces.append(SQLText(text + direction)) }
        }
    }
}

/// The parts that statements share: the writer, the row, the condition.
struct Statement {
    let writer: SQLWriter
    let scope: SQLScope
    let condition: SQLText
    /// The columns that identify rows.
    let key: RowKey
    private let asked: Condition
    private let table: String
    private let storage: SQLStorage

    init(
        _ query: Query,
        _ dialect: SQLDialect,
        _ table: String,
        _ storage: SQLStorage,
        _ primaryKey: String?,
        _ now: Int64?
    ) throws(QueryError) {
        let now = now ?? Query.presentInstant
        key = RowKey(primaryKey, query.schema, storage, dialect)
        writer = SQLWriter(
            dialect: dialect,
            nilMeaning: query.nilMeaning,
            now: now,
            primaryKey: key.related,
            believesTexts: query.schema.map { !$0.isOfStore } ?? false
        )
        self.table = try dialect.quoted(table)
        self.storage = storage
        asked = query.condition
        let type = query.rowType
        scope = SQLScope(
            row: SQLPlace(
                site: .row(alias: self.table, storage: storage, key: key.columns[0]),
                type: type,
                name: [],
                isSingle: true
            )
        )
        let (writer, scope) = (writer, scope)
        condition = try query.writingCondition(over: type, now: now) { (condition: Condition) throws(QueryError) in
            try writer.holds(condition, scope)
        }
    }

    /// The kinds of the fields of documents that have only one in the rows found.
    var kindsOfFields: [FieldPath: Kind] { storage.documentColumn == nil ? [:] : asked.kindsOfFields }

    /// The whole statement; LIMIT and OFFSET are the last bindings.
    func query(
        select columns: SQLText,
        tail: SQLText?,
        skip: Int?,
        limit: Int?
    ) throws(QueryError) -> SQLQuery {
        var whole = condition
        whole.text = String(joining: "SELECT ", columns.text, " FROM ", table)
        if condition.isTrue {
            whole.need = 1
        } else {
            whole.text = String(joining: whole.text, " WHERE ", condition.text)
        }
        if !columns.bindings.isEmpty { whole.bindings = columns.bindings + whole.bindings }
        whole.need = max(whole.need, columns.need)
        if let tail { whole.append(tail) }
        return try finished(whole, skip: skip, limit: limit)
    }

    /// The statement of groups: the inner SELECT names keys and values, the outer one groups them.
    func grouped(
        inner: [SQLText],
        columns: [SQLText],
        groupBy: [SQLText],
        having: SQLText,
        order: [SQLText],
        skip: Int?,
        limit: Int?
    ) throws(QueryError) -> SQLQuery {
        try writer.checkColumns(max(columns.count, inner.count, groupBy.count, order.count))
        var parts = [Self.list("SELECT ", columns)]
        let names = Self.list("FROM (SELECT ", inner.isEmpty ? [SQLText("1")] : inner)
        parts.append(
            SQLText(names.text + " " + source.text + ") AS g", names.bindings + source.bindings, need: source.need + 8)
        )
        if !groupBy.isEmpty { parts.append(Self.list("GROUP BY ", groupBy)) }
        if !having.isTrue { parts.append(SQLText("HAVING " + having.text, having.bindings, need: having.need)) }
        if !order.isEmpty { parts.append(Self.list("ORDER BY ", order)) }
        return try finished(parts.joined(), skip: skip, limit: limit)
    }

    /// DELETE of the rows; by their keys if only a part of them is meant.
    func deletion(order keys: [SortKey], skip: Int?, limit: Int?) throws(QueryError) -> SQLQuery {
        guard skip != nil || limit != nil else {
            var parts = source
            parts.text = "DELETE " + parts.text
            return try finished(parts, skip: nil, limit: nil)
        }
        let order = try order(keys, isPaged: true)
        let rowKey = Statement.list("", try key.columns(of: table, writer.dialect))
        var inner = try query(select: rowKey, tail: order, skip: skip, limit: limit)
        inner.sql = "DELETE FROM " + table + " WHERE " + key.compared(rowKey) + " IN (" + inner.sql + ")"
        return inner
    }

    /// FROM and WHERE.
    private var source: SQLText {
        guard !condition.isTrue else { return SQLText("FROM " + table) }
        return SQLText(
            String(joining: "FROM ", table, " WHERE ", condition.text),
            condition.bindings,
            need: condition.need
        )
    }

    private func finished(_ statement: SQLText, skip: Int?, limit: Int?) throws(QueryError) -> SQLQuery {
        var whole = statement
        if let limit {
            whole.append(SQLText("LIMIT ?", [.int(Int64(limit))]))
        } else if skip != nil {
            whole.append(SQLText("LIMIT -1"))
        }
        if let skip { whole.append(SQLText("OFFSET ?", [.int(Int64(skip))])) }
        try writer.check(whole)
        var condition = condition
        if let most = writer.dialect.wrapsConstantsFrom, whole.bindings.count >= most {
            whole = whole.wrappingConstants(writer.dialect.identifierQuote)
            condition = condition.wrappingConstants(writer.dialect.identifierQuote)
        }
        return SQLQuery(
            sql: whole.text,
            bindings: whole.bindings,
            where: condition.text,
            whereBindings: condition.bindings,
            functions: writer.functions.isEmpty
                ? [] : writer.functions.sorted { ($0.name, $0.arguments) < ($1.name, $1.arguments) },
            assumptions: writer.assumptions.isEmpty ? [] : Assumption.sorted(writer.assumptions)
        )
    }

    /// ORDER BY, ending in the key column if only a part of the rows is wanted (S22).
    func order(_ keys: [SortKey], isPaged: Bool) throws(QueryError) -> SQLText? {
        var pieces: [SQLText] = []
        let kinds = keys.isEmpty ? [:] : kindsOfFields
        for key in keys { pieces += try writer.sorting(key, scope, kinds) }
        if isPaged { try key.breakTies(of: &pieces, table, writer.dialect, isAscending: keys.last?.isAscending) }
        try writer.checkColumns(pieces.count)
        return pieces.isEmpty ? nil : Self.list("ORDER BY ", pieces)
    }

    static func list(_ head: String, _ pieces: [SQLText]) -> SQLText {
        SQLText(
            head + pieces.map(\.text).joined(separator: ", "),
            pieces.flatMap(\.bindings),
            need: (pieces.map(\.need).max() ?? 0) + 2
        )
    }

    /// The selected columns: all, the document, or the named fields.
    func columns(_ fields: [FieldPath]?) throws(QueryError) -> SQLText {
        switch storage.layout {
        case .document(let column):
            guard let fields else { return SQLText(table + "." + (try writer.dialect.quoted(column))) }
            return try writer.projection(fields, scope, column)
        case .columns:
            guard let fields else { return SQLText(table + ".*") }
            return try writer.selected(fields, scope)
        }
    }
}
