import QueryChecking
import QueryTree
import QueryValues

/// The statements of a query by a writer of conditions: what every store's have in common.
protocol WriterStatement: QueryStatement {
    associatedtype Writer: ConditionWriter

    var conditionWriter: Writer { get }
    var scope: RowScope<Writer.Node> { get }
    var storage: SQLStorage { get }
    /// The named fields of a document, as a document.
    func projection(_ fields: [FieldPath], _ column: String) throws(QueryError) -> SQLText
    /// Rejects a computed value that does not read back as it is.
    func checkShown(_ node: Writer.Node, _ origin: Origin) throws(QueryError)
}

/// What all statements of a query begin with, by one writer: the table, its key and the condition of the rows.
class StatementBase<Writer: ConditionWriter> {
    final let conditionWriter: Writer
    final let query: Query
    final let scope: RowScope<Writer.Node>
    final let condition: SQLText
    final let key: RowKey
    final let table: String
    final let source: SQLText
    private final let row: TableRow

    init(_ query: Query, _ dialect: SQLDialect, _ table: SQLTable, _ now: Int64?) throws(QueryError) {
        let storage = table.layout
        let (query, now) = (query.asStored(storage), now ?? Query.presentInstant)
        key = RowKey(
            table.primaryKey ?? storage.keyColumn,
            declared: query.schema?.primaryKey ?? [],
            isDocument: storage.documentColumn != nil,
            rowNumber: dialect.rowNumber
        )
        let (source, qualifier) = try dialect.names(of: table.name)
        (self.source, self.table) = (.word(source), qualifier)
        let writer = Writer(dialect, query, table, key, now)
        writer.table = qualifier.lowercased()
        row = TableRow(qualifier, storage, key.columns[0])
        let type = query.rowType
        let scope = RowScope<Writer.Node>(row: ValuePlace(site: .row(row), type: type, name: [], isSingle: true))
        condition = try query.writingCondition(over: type, now: now) { (condition: Condition) throws(QueryError) in
            try writer.holds(condition, scope)
        }
        (conditionWriter, self.query, self.scope) = (writer, query, scope)
    }

    final var storage: SQLStorage { row.storage }
    final var page: (skip: Int?, limit: Int?) { (query.skip, query.limit) }
}

extension WriterStatement {
    var writer: StatementWriter { conditionWriter }

    func columns() throws(QueryError) -> [SQLText] {
        guard let fields = query.fields else {
            if !query.computed.isEmpty { return try computedColumns() }
            guard let column = storage.documentColumn else { return [.word(table + ".*")] }
            return [try writer.dialect.column(column, of: table)]
        }
        guard let column = storage.documentColumn else { return try selected(fields) + computedColumns() }
        return try [projection(fields, column)] + computedColumns()
    }

    /// The named fields as columns of their paths' names.
    private func selected(_ fields: [FieldPath]) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        for (position, field) in fields.enumerated() {
            let place = try conditionWriter.place(of: field, scope, in: ("fields", position))
            let name = try writer.dialect.quoted((place.name ?? field.keys).joined(separator: "."))
            pieces.append(conditionWriter.read(place).value.named(name))
        }
        try writer.checkColumns(pieces.count)
        return pieces
    }

    private func computedColumns() throws(QueryError) -> [SQLText] {
        let results = try computed()
        try writer.checkColumns((query.fields?.count ?? 0) + results.count)
        return try conditionWriter.columns(of: results)
    }

    /// The computed fields.
    func computed() throws(QueryError) -> [(name: String, node: Writer.Node)] {
        var results: [(name: String, node: Writer.Node)] = []
        for (position, field) in query.computed.enumerated() {
            do throws(QueryError) {
                results.append((field.name, try node(of: field)))
            } catch { throw error.ofComputedField(position) }
        }
        return results
    }

    /// The computed value that the rows are sorted by; nil for a field.
    func computed(_ key: SortKey) throws(QueryError) -> Writer.Node? {
        // A field behind a list would be computed as the list of its values.
        if key.computed != nil { try ComputedField(key.term, as: "").checkSingle(TypeScope(row: scope.row.type)) }
        return key.field == nil ? try node(of: ComputedField(key.term, as: "")) : nil
    }

    private func node(of field: ComputedField) throws(QueryError) -> Writer.Node {
        try field.checkSingle(TypeScope(row: scope.row.type))
        let node = try value(of: field.key)
        if node.isRow { throw conditionWriter.ungroupable(field.term.origin) }
        return node
    }

    /// The value of a group's key, or of a computed field.
    func value(of key: GroupKey) throws(QueryError) -> Writer.Node {
        if let path = key.path { return try value(of: path) }
        let (node, origin) = try conditionWriter.computed(key, scope.row.type, scope)
        conditionWriter.assumeSingle(node)
        try checkShown(node, origin)
        return node
    }

    /// The value of a field.
    func value(of path: FieldPath) throws(QueryError) -> Writer.Node {
        let node = conditionWriter.read(try conditionWriter.place(of: path, scope))
        conditionWriter.assumeSingle(node)
        return node
    }
}

/// Writes GROUP BY: an inner SELECT names keys and values, so that each is written only once (S23).
protocol GroupWriter {
    associatedtype Statement: WriterStatement
    typealias Node = Statement.Writer.Node

    var grouping: Grouping { get }
    var statement: Statement { get }

    /// A key as a column of the inner SELECT, and what the rows are grouped by.
    func key(_ node: Node, _ inner: inout [SQLText]) throws(QueryError) -> (node: Node, groupBy: [SQLText])
    func value(_ reducer: Reducer, _ inner: inout [SQLText]) throws(QueryError) -> Node
    /// A value as a column of an inner SELECT.
    func named(_ node: Node, _ inner: inout [SQLText]) throws(QueryError) -> Node
    /// The kinds of results as more columns.
    func kinds(of results: [(name: String, node: Node)]) throws(QueryError) -> [SQLText]
}

extension GroupWriter {
    var writer: Statement.Writer { statement.conditionWriter }

    func kinds(of results: [(name: String, node: Node)]) throws(QueryError) -> [SQLText] { [] }

    func query(withKinds: Bool) throws(QueryError) -> SQLQuery {
        var inner: [SQLText] = []
        var results: [(name: String, node: Node)] = []
        var groupBy: [SQLText] = []
        for (position, key) in grouping.keys.enumerated() {
            do throws(QueryError) {
                let (node, pieces) = try self.key(try statement.value(of: key), &inner)
                groupBy += pieces
                results.append((key.name, node))
            } catch { throw error.ofGroupKey(position) }
        }
        for (position, reducer) in grouping.reducers.enumerated() {
            do throws(QueryError) {
                results.append((reducer.name, try value(reducer, &inner)))
            } catch { throw error.ofReducer(position) }
        }
        var having = try writer.having(grouping.having, of: results, statement.scope)
        var groups: [SQLText]?
        if having.containsSelect {
            // SQLite allows no aggregate in the FROM of such a SELECT, so that it reads named values of the groups.
            var columns: [SQLText] = []
            for position in results.indices { results[position].node = try named(results[position].node, &columns) }
            groups = columns
            having = try writer.having(grouping.having, of: results, statement.scope)
        }
        return try statement.grouped(
            inner: inner,
            groups: groups,
            columns: try writer.columns(of: results) + (withKinds ? try kinds(of: results) : []),
            groupBy: groupBy,
            having: having,
            order: try writer.order(grouping, of: results)
        )
    }
}
