import QueryChecking
import QueryTree
import QueryValues

/// The statements of a query for a store with typed columns.
struct TypedStatement {
    let writer: TypedWriter
    let scope: TypedScope
    let condition: SQLText
    private let query: Query
    private let table: String
    private let key: RowKey
    private let storage: SQLStorage

    init(
        _ query: Query,
        _ forms: TypedForms,
        _ dialect: SQLDialect,
        _ table: String,
        _ storage: SQLStorage,
        _ primaryKey: String?,
        _ now: Int64?
    ) throws(QueryError) {
        let query = query.asStored(storage)
        let now = now ?? Query.presentInstant
        key = RowKey(primaryKey, query.schema, storage, dialect)
        writer = TypedWriter(
            dialect: dialect,
            forms: forms,
            nilMeaning: query.nilMeaning,
            now: now,
            primaryKey: key.related
        )
        self.query = query
        self.table = try dialect.quoted(table)
        self.storage = storage
        scope = TypedScope(
            row: TypedPlace(
                site: .row(alias: self.table, storage: storage, key: key.columns[0]),
                type: query.schema.map { .object($0) } ?? .any,
                name: [],
                isSingle: true
            )
        )
        let (writer, scope) = (writer, scope)
        let row = scope.row.type
        condition = try query.writingCondition(over: row, now: now) { (condition: Condition) throws(QueryError) in
            try writer.holds(condition, scope)
        }
    }

    /// Filter, order, skip, limit and fields.
    func rows() throws(QueryError) -> SQLQuery {
        try rows(select: try columns(), isOrdered: true)
    }

    /// The number of rows.
    func count() throws(QueryError) -> SQLQuery {
        guard query.skip != nil || query.limit != nil else {
            return try rows(select: SQLText("count(*)"), isOrdered: false)
        }
        var inner = try rows(select: SQLText("1"), isOrdered: false)
        inner.sql = "SELECT count(*) FROM (" + inner.sql + ") AS counted"
        return inner
    }

    /// Whether there is a row.
    func exists() throws(QueryError) -> SQLQuery {
        var inner = try rows(select: SQLText("1"), isOrdered: false)
        inner.sql = "SELECT EXISTS (" + inner.sql + ")"
        return inner
    }

    /// DELETE of the rows; by their keys if only a part of them is meant.
    func deletion() throws(QueryError) -> SQLQuery {
        guard query.skip != nil || query.limit != nil else {
            var parts = source
            parts.text = "DELETE " + parts.text
            return try finished([parts], isPaged: false)
        }
        let rowKey = Statement.list("", try key.columns(of: table, writer.dialect))
        var inner = try rows(select: rowKey, isOrdered: true)
        inner.sql = "DELETE FROM " + table + " WHERE " + key.compared(rowKey) + " IN (" + inner.sql + ")"
        return inner
    }

    private func rows(select columns: SQLText, isOrdered: Bool) throws(QueryError) -> SQLQuery {
        var parts = [SQLText("SELECT " + columns.text, columns.bindings, need: columns.need), source]
        if isOrdered, let order = try order() { parts.append(order) }
        return try finished(parts, isPaged: true)
    }

    /// FROM and WHERE.
    private var source: SQLText {
        guard !condition.isTrue else { return SQLText("FROM " + table) }
        let condition = writer.spelled(condition)
        return SQLText("FROM " + table + " WHERE " + condition.text, condition.bindings, need: condition.need)
    }

    private func finished(_ parts: [SQLText], isPaged: Bool) throws(QueryError) -> SQLQuery {
        var parts = parts.filter { !$0.text.isEmpty }
        if isPaged, let limit = query.limit {
            let bound = writer.bind(.int(Int64(limit)), as: writer.forms.int)
            parts.append(SQLText("LIMIT " + bound.text, bound.bindings))
        }
        if isPaged, let skip = query.skip {
            let bound = writer.bind(.int(Int64(skip)), as: writer.forms.int)
            parts.append(SQLText("OFFSET " + bound.text, bound.bindings))
        }
        let whole = SQLText(
            parts.map(\.text).joined(separator: " "),
            parts.flatMap(\.bindings),
            need: parts.map(\.need).max() ?? 0
        )
        try writer.check(whole)
        let quote = writer.dialect.identifierQuote
        return SQLQuery(
            sql: whole.numbered(quote),
            bindings: whole.bindings,
            where: writer.spelled(condition).numbered(quote),
            whereBindings: condition.bindings,
            functions: writer.functions.sorted { ($0.name, $0.arguments) < ($1.name, $1.arguments) },
            assumptions: Assumption.sorted(writer.assumptions)
        )
    }

    // MARK: Columns and order

    private func columns() throws(QueryError) -> SQLText {
        guard let fields = query.fields else {
            return SQLText(
                table + "."
                    + (try storage.documentColumn.map { column throws(QueryError) in
                        try writer.dialect.quoted(column)
                    } ?? "*")
            )
        }
        if storage.documentColumn != nil {
            throw writer.unsupported(
                "some fields of a document cannot be selected in this store",
                at: .none,
                hint: "select the whole document"
            )
        }
        var pieces: [SQLText] = []
        for field in fields {
            guard let place = try writer.place(of: .field(field, .none), scope) else {
                throw writer.unsupported("rows of another table cannot be selected as a field", at: .none)
            }
            let node = writer.read(place)
            let name = try writer.dialect.quoted((node.name ?? field.keys).joined(separator: "."))
            pieces.append(SQLText(node.value.text + " AS " + name, node.value.bindings, need: node.value.need))
        }
        return Statement.list("", pieces)
    }

    /// ORDER BY, ending in the key column if only a part of the rows is wanted (S22).
    private func order() throws(QueryError) -> SQLText? {
        let pieces = try orderPieces(query.order, forIndex: false)
        return pieces.isEmpty ? nil : Statement.list("ORDER BY ", pieces)
    }

    /// The terms of ORDER BY, or the columns of an index that gives this order: none if no index does.
    private func orderPieces(_ order: [SortKey], forIndex: Bool) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        for key in order {
            guard let place = try writer.place(of: .field(key.path, .none), scope) else {
                throw writer.unsupported("a list or rows of another table cannot be a sort key", at: .none)
            }
            let node = writer.read(place)
            // Time zones may change what truncating an instant gives.
            let isIndexed = place.joins.isEmpty && (node.stored != .date(.native) || storage.keepsWholeMilliseconds)
            if forIndex, !isIndexed { return [] }
            pieces += try writer.sorting(
                node,
                isAscending: key.isAscending,
                key.options,
                isOptional: query.schema?.isOptional(key.path) ?? true,
                isWhole: storage.keepsWholeMilliseconds,
                isParenthesized: forIndex
            )
        }
        let isKeyed = !forIndex || !pieces.isEmpty && !key.isRowNumber
        if query.skip != nil || query.limit != nil, isKeyed {
            let isAscending = order.last?.isAscending
            try key.breakTies(
                of: &pieces,
                table,
                writer.dialect,
                isAscending: isAscending,
                isParenthesized: forIndex
            )
        }
        return pieces
    }

    // MARK: Indexes

    /// The indexes of the expressions that the statement compares with constants or sorts by.
    func indexes(of name: String) throws(QueryError) -> [String] {
        var finder = TypedIndexFinder(writer: writer, scope: scope, table: name, key: key.columns)
        let folded = try query.checkedCondition().foldingConstants(now: writer.now, nilMeaning: query.nilMeaning)
        let same = try finder.fieldsTestedForEquality(folded)
        let order = query.order.filter { !same.contains($0.path.dotted) }
        // The key has an index that gives its order.
        let isByKey = order.first.map { key.columns.contains($0.path.dotted) } ?? true
        let pieces = isByKey ? [] : try orderPieces(order, forIndex: true)
        let names = order.map { $0.path.dotted + ($0.isAscending ? "_ordered" : "_descending") }
        try finder.find(folded, order: pieces.map(\.text), named: names)
        return finder.statements
    }

    // MARK: Groups

    /// GROUP BY over an inner SELECT that names keys and values (S23).
    func grouped(
        inner: [SQLText],
        columns: [SQLText],
        groupBy: [SQLText],
        having: SQLText,
        order: [SQLText]
    ) throws(QueryError) -> SQLQuery {
        var parts = [Statement.list("SELECT ", columns)]
        let names = Statement.list("FROM (SELECT ", inner.isEmpty ? [SQLText("1")] : inner)
        parts.append(
            SQLText(names.text + " " + source.text + ") AS g", names.bindings + source.bindings, need: source.need + 8)
        )
        if !groupBy.isEmpty { parts.append(Statement.list("GROUP BY ", groupBy)) }
        if !having.isTrue {
            let having = writer.spelled(having)
            parts.append(SQLText("HAVING " + having.text, having.bindings, need: having.need))
        }
        if !order.isEmpty { parts.append(Statement.list("ORDER BY ", order)) }
        return try finished(parts, isPaged: true)
    }
}

extension TypedWriter {
    /// The ORDER BY terms of one key (S22): nil first, NaN before other numbers, texts by their bytes.
    func sorting(
        _ node: TypedNode,
        isAscending: Bool,
        _ options: StringOptions,
        isOptional: Bool = true,
        isWhole: Bool = false,
        isParenthesized: Bool = false
    ) throws(QueryError) -> [SQLText] {
        assumeSingle(node)
        try noteForm(node, .none)
        // Without NULLS FIRST an ordinary index gives the order; where there is no NULL, it says nothing.
        let places = isOptional ? (" NULLS FIRST", " NULLS LAST") : ("", "")
        let direction = isAscending ? " ASC" + places.0 : " DESC" + places.1
        var keys: [SQLText]
        switch node.stored {
        case .double: keys = [.compare(node.value, "<", SQLText(forms.notANumber)), node.value]
        case .text: keys = [forms.byBytes(try folded(node, options, .none).above(.unary))]
        case .date(.native): keys = [isWhole ? node.value : milliseconds(node)]
        case .date(let encoding):
            keys = [encoding.isText ? forms.byBytes(node.value.above(.unary)) : node.value]
        case .bool, .int, .decimal, .bytes, .uuid, .row, .null: keys = [node.value]
        case .document: keys = try documentKeys(node, options)
        case .nested: throw unsupported("a whole list or object cannot be a sort key in this store", at: .none)
        case .unknown:
            throw unsupported(
                "a column of unknown type cannot be a sort key in this store",
                at: .none,
                hint: "declare the field in a schema"
            )
        }
        return keys.map { key in
            SQLText((isParenthesized ? "(" + key.text + ")" : key.text) + direction, key.bindings, need: key.need)
        }
    }

    /// The kind's rank, then the value within its kind.
    func documentKeys(_ node: TypedNode, _ options: StringOptions) throws(QueryError) -> [SQLText] {
        guard let documents = forms.documents else { throw noDocuments(.none) }
        let kind = documents.kind(node.value)
        let text = forms.byBytes(try folded(documents.text(node.value), options, .none).above(.unary))
        return [
            .choice(
                of: kind,
                [
                    (["number"], SQLText("1")), (["string"], SQLText("2")), (["object"], SQLText("3")),
                    (["array"], SQLText("4")), (["boolean"], SQLText("7")),
                ],
                else: SQLText("0")
            ),
            .choice(of: kind, [(["string"], text)]),
            .choice(of: kind, [(["number", "boolean"], node.value)]),
        ]
    }
}

extension Schema {
    /// False for a column that the schema declares as never nil.
    fileprivate func isOptional(_ path: FieldPath) -> Bool {
        guard path.keys.count == 1, let name = path.keys.first, let field = field(named: name) else { return true }
        return field.isOptional || field.relation != nil
    }
}
