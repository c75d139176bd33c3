import QueryTree
import QueryValues

/// The statements of a query, alike in every store: SELECT, count, EXISTS, DELETE and groups.
protocol QueryStatement: AnyObject {
    var writer: StatementWriter { get }
    var query: Query { get }
    /// Those of the query, which is large to copy.
    var page: (skip: Int?, limit: Int?) { get }
    /// The quoted name.
    var table: String { get }
    /// The table in a FROM, after its schema's name.
    var source: SQLText { get }
    /// The columns that identify rows.
    var key: RowKey { get }
    /// The condition of the rows.
    var condition: SQLText { get }

    /// The selected columns: all, the document, or the named fields.
    func columns() throws(QueryError) -> [SQLText]
    /// The pieces of ORDER BY before the key.
    func sortedPieces() throws(QueryError) -> [SQLText]
    /// A number of rows.
    func bind(_ count: Int) -> SQLText
    /// GROUP BY over an inner SELECT that names keys and values (S23).
    func groups(of grouping: Grouping, withKinds: Bool) throws(QueryError) -> SQLQuery
}

extension Query {
    /// The query's statements in a dialect; documents already contain what breaks ties in memory (S22).
    func statement(_ dialect: SQLDialect, _ table: SQLTable, _ now: Int64?) throws(QueryError) -> any QueryStatement {
        if dialect.sharedForms != nil { return try TypedStatement(self, dialect, table, now) }
        return try Statement(self, dialect, table, now)
    }

    /// The query; documents already contain what breaks ties in memory (S22).
    func asStored(_ storage: SQLStorage) -> Query { storage.documentColumn == nil ? self : breakingTies }
}

extension QueryStatement {
    private var isPaged: Bool { page.skip != nil || page.limit != nil }

    /// Filter, order, skip, limit and fields.
    func rows() throws(QueryError) -> SQLQuery { try rows(of: try columns()) }

    func rows(of columns: [SQLText]) throws(QueryError) -> SQLQuery {
        try finished(select(columns, order: try order()))
    }

    /// The number of rows.
    func count() throws(QueryError) -> SQLQuery {
        guard isPaged else { return try finished(select(["count(*)"])) }
        return try finished(SQLSelect(["count(*)"], from: [.select(select([.number(1)])).named("counted")]))
    }

    /// Whether there is a row.
    func exists() throws(QueryError) -> SQLQuery { try finished(SQLSelect([.exists(select([.number(1)]))])) }

    /// DELETE of the rows; by their keys if only a part of them is meant.
    func deletion() throws(QueryError) -> SQLQuery {
        guard isPaged else {
            return try finished(
                SQLSelect([], from: [source], where: writer.restricted(condition), isDeletion: true, isOfQuery: true)
            )
        }
        let columns = try key.columns(of: table, writer.dialect)
        var rows = select(columns, order: try order())
        if writer.dialect.forms?.nestsDeletedRows == true {
            rows = SQLSelect([.star], from: [.select(rows).named("deleted")])
        }
        let keys = columns.count == 1 ? columns[0] : .row(columns)
        return try finished(SQLSelect([], from: [source], where: keys.isIn(rows), isDeletion: true))
    }

    /// The statement of groups: the inner SELECT names keys and values, the outer one groups them, and `groups`, if any,
    /// names the results for a third.
    func grouped(
        inner: [SQLText],
        groups: [SQLText]?,
        columns: [SQLText],
        groupBy: [SQLText],
        having: SQLText,
        order: [SQLText]
    ) throws(QueryError) -> SQLQuery {
        try writer.checkColumns(max(columns.count, inner.count, groupBy.count, order.count))
        var from = select(inner.isEmpty ? [.number(1)] : inner, isPaged: false)
        if let groups { from = SQLSelect(groups, from: [.select(from).named("g")], where: .one, groupBy: groupBy) }
        return try finished(
            SQLSelect(
                columns,
                from: [.select(from).named("g")],
                where: groups == nil ? .one : writer.restricted(having),
                groupBy: groups == nil ? groupBy : [],
                having: groups == nil ? writer.restricted(having) : .one,
                order: order,
                limit: limit,
                offset: offset
            )
        )
    }

    /// The rows; LIMIT and OFFSET are the last bindings.
    private func select(_ columns: [SQLText], order: [SQLText] = [], isPaged: Bool = true) -> SQLSelect {
        SQLSelect(
            columns,
            from: [source],
            where: writer.restricted(condition),
            order: order,
            limit: isPaged ? limit : nil,
            offset: isPaged ? offset : nil,
            isOfQuery: true
        )
    }

    private var limit: SQLText? {
        if let limit = page.limit { return bind(limit) }
        return page.skip == nil ? nil : writer.dialect.noLimit.map { .number($0) }
    }

    private var offset: SQLText? { if let skip = page.skip { bind(skip) } else { nil } }

    /// ORDER BY, ending in the key if only a part of the rows is wanted (S22).
    private func order() throws(QueryError) -> [SQLText] {
        // A number alone would be the position of a column.
        var pieces = try sortedPieces().filter { !$0.sortedPiece.isConstant }
        if query.isCut {
            try key.breakTies(of: &pieces, table, writer.dialect, isAscending: query.order.last?.isAscending)
        }
        try writer.checkColumns(pieces.count)
        return pieces
    }

    private func finished(_ statement: SQLSelect) throws(QueryError) -> SQLQuery {
        try writer.check(statement)
        let spelled = writer.spelled(condition)
        var condition = SQLPrinter.print(spelled, writer.style)
        var whole = SQLPrinter.print(statement, where: condition, writer.style)
        if let style = writer.wrapping(whole.bindings.count) {
            condition = SQLPrinter.print(spelled, style)
            whole = SQLPrinter.print(statement, where: condition, style)
        }
        return SQLQuery(
            sql: whole.text,
            bindings: whole.bindings,
            where: condition.text,
            whereBindings: condition.bindings,
            functions: whole.functions.isEmpty
                ? [] : whole.functions.sorted { ($0.name, $0.arguments) < ($1.name, $1.arguments) },
            assumptions: writer.assumptions.isEmpty ? [] : Assumption.sorted(writer.assumptions)
        )
    }
}

extension QueryStatement {
    /// The statement's `where`, cut at the columns of the row.
    func condition(of statement: SQLQuery) -> [SQLPrinter.Piece] {
        let style = writer.wrapping(statement.bindings.count) ?? writer.style
        return SQLPrinter.pieces(of: writer.spelled(condition), style, cutAt: table)
    }
}

/// The columns that identify a table's rows.
struct RowKey: Sendable {
    /// At least one.
    let columns: [String]
    /// The columns that foreign keys refer to; empty if unknown.
    let related: [String]
    /// True for the row number that the store assigns in insertion order.
    let isRowNumber: Bool

    init(_ primaryKey: String?, declared: [String], isDocument: Bool, rowNumber: String) {
        // The key named by a schema is inside the document.
        let named = primaryKey.map { [$0] } ?? (isDocument ? [] : declared)
        isRowNumber =
            named.isEmpty
            || named.count == 1 && (named[0] == SQLDialect.sqlite.rowNumber || named[0] == rowNumber)
        columns = isRowNumber ? [rowNumber] : named
        related = primaryKey.map { [$0] } ?? declared
    }

    /// The columns, qualified by a table or alias.
    func columns(of table: String, _ dialect: SQLDialect) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        if columns.contains("") {
            throw QueryError(
                .unsupported,
                "the store has no row numbers, so skip and limit need a key to break ties",
                hint: "name the table's key: primaryKey"
            )
        }
        for column in columns { pieces.append(try dialect.column(column, of: table)) }
        return pieces
    }

    /// Ends an order that is cut by the key: in the last key's direction, row numbers ascending (S22).
    func breakTies(
        of pieces: inout [SQLText],
        _ table: String,
        _ dialect: SQLDialect,
        isAscending: Bool?,
        isParenthesized: Bool = false
    ) throws(QueryError) {
        let direction = isAscending == false && !isRowNumber ? "DESC" : ""
        for column in try columns(of: table, dialect) {
            if pieces.contains(where: { $0.sortedPiece.isColumn(column) }) { continue }
            pieces.append((isParenthesized ? column.parenthesized : column).sorted(direction))
        }
    }
}
