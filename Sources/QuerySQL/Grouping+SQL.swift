import QueryMeaning
import QueryTree
import QueryValues

extension Grouping {
    /// The groups as one SQL statement (S23).
    ///
    /// The columns are named after the result's fields.
    ///
    ///     let byState = Query().grouped(by: "state", computing: [.count, .average("population")])
    ///     try byState.sql(.sqlite, from: "cities").sql  // → SELECT … GROUP BY …
    ///
    /// - Parameters:
    ///   - dialect: the SQL dialect of the store.
    ///   - table: the table's name; any name, because it is quoted.
    ///   - storage: where the fields are stored.
    ///   - primaryKey: the column that identifies rows, for child tables; nil for the schema's, else the row number.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    /// - Returns: the statement; `where` is the filter of rows.
    /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, including custom reducers, and
    ///   `pipeline` for clashing names.
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: String,
        storage: SQLStorage = .columns,
        primaryKey: String? = nil,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery {
        try validate()
        let grouping = try checked()
        if let forms = dialect.typed {
            let statement = try TypedStatement(grouping.query, forms, dialect, table, storage, primaryKey, now)
            return try TypedGroups(grouping: grouping, statement: statement).query()
        }
        let statement = try Statement(grouping.query, dialect, table, storage, primaryKey, now)
        return try GroupWriter(grouping, statement).query(withKinds: false)
    }

    /// The same statement with an extra column for each result: its kind as text, NULL if the storage class shows it.
    ///
    /// A reader can thus distinguish `true` from 1 and a list from its text.
    package func sqlWithKinds(
        _ dialect: SQLDialect,
        from table: String,
        storage: SQLStorage,
        primaryKey: String?,
        now: Int64?
    ) throws(QueryError) -> SQLQuery {
        try validate()
        let grouping = try checked()
        let statement = try Statement(grouping.query, dialect, table, storage, primaryKey, now)
        return try GroupWriter(grouping, statement).query(withKinds: true)
    }
}

/// Writes GROUP BY: an inner SELECT names keys and values, so that each is written only once.
private struct GroupWriter {
    let grouping: Grouping
    let statement: Statement

    init(_ grouping: Grouping, _ statement: Statement) {
        self.grouping = grouping
        self.statement = statement
    }

    private var writer: SQLWriter { statement.writer }

    func query(withKinds: Bool) throws(QueryError) -> SQLQuery {
        var inner: [SQLText] = []
        var results: [(name: String, node: SQLNode)] = []
        var groupBy: [SQLText] = []
        for key in grouping.keys {
            let node = try named(key, &inner)
            groupBy += try writer.groupKeys(of: node, .none)
            results.append((Grouping.name(of: key), node))
        }
        for reducer in grouping.reducers {
            results.append((reducer.name, try value(reducer, &inner)))
        }
        var columns: [SQLText] = []
        for (name, node) in results {
            let quoted = try writer.dialect.quoted(name)
            columns.append(SQLText(node.value.text + " AS " + quoted, node.value.bindings, need: node.value.need))
        }
        if withKinds {
            for (position, result) in results.enumerated() {
                let kind = resultKind(result.node)
                columns.append(
                    SQLText(kind.text + " AS " + (try writer.dialect.quoted("kind \(position)")), kind.bindings)
                )
            }
        }
        let having = try having(results)
        let order = sorting(results)
        let limit = grouping.query.limit
        let skip = grouping.query.skip
        return try statement.grouped(
            inner: inner,
            columns: columns,
            groupBy: groupBy,
            having: having,
            order: order,
            skip: skip,
            limit: limit
        )
    }

    private func resultKind(_ node: SQLNode) -> SQLText {
        switch node.kinds {
        case .json: writer.kindText(node)
        case .known(let kind): .literal(kind == .bool ? "true" : "")
        case .storage: .null
        }
    }

    /// A path's value as a column of the inner SELECT; plain columns are used directly.
    private func named(_ path: FieldPath, _ inner: inout [SQLText]) throws(QueryError) -> SQLNode {
        guard let place = try writer.place(of: .field(path, .none), statement.scope) else {
            throw writer.unsupported("\(path.dotted) has several values and cannot be grouped in SQL", at: .none)
        }
        var node = writer.read(place)
        writer.assumeSingle(node)
        let value = try writer.alias("v")
        inner.append(SQLText(node.value.text + " AS " + value, node.value.bindings, need: node.value.need))
        node.value = SQLText("g." + value)
        if case .json(let type) = node.kinds {
            let kind = try writer.alias("t")
            inner.append(SQLText(type.text + " AS " + kind, type.bindings, need: type.need))
            node.kinds = .json(SQLText("g." + kind))
        }
        node.json = nil
        node.isComputed = true
        return node
    }

    private func value(_ reducer: Reducer, _ inner: inout [SQLText]) throws(QueryError) -> SQLNode {
        switch reducer.operation {
        case .count:
            return .number(.call("count", SQLText("*")), .int)
        case .sum(let path):
            let node = try number(path, &inner)
            return .number(SQLWriter.exactSum(node.value), node.type)
        case .average(let path):
            return .number(SQLWriter.exactMean(try number(path, &inner).value))
        case .min(let path):
            return try extreme(try named(path, &inner), .min)
        case .max(let path):
            return try extreme(try named(path, &inner), .max)
        case .custom(let reduction):
            throw writer.unsupported("the Swift code of \(reduction.name) cannot run in SQL", at: .none)
        }
    }

    /// A path's numbers as a column of the inner SELECT.
    private func number(_ path: FieldPath, _ inner: inout [SQLText]) throws(QueryError) -> SQLNode {
        guard let place = try writer.place(of: .field(path, .none), statement.scope) else {
            throw writer.unsupported("\(path.dotted) has several values and cannot be summed in SQL", at: .none)
        }
        let node = writer.read(place)
        writer.assumeSingle(node)
        let number = writer.numeric(node)
        let value = try writer.alias("v")
        inner.append(SQLText(number.text + " AS " + value, number.bindings, need: number.need))
        return .number(SQLText("g." + value), node.type)
    }

    /// The least or greatest by kind rank, then value (S22).
    private func extreme(_ node: SQLNode, _ function: Function) throws(QueryError) -> SQLNode {
        var result = node
        result.isComputed = true
        guard case .json(let type) = node.kinds else {
            result.value = .call(function.rawValue, node.value)
            return result
        }
        func part(_ kinds: [String]) -> (value: SQLText, kind: SQLText) {
            let value = SQLText.call(function.rawValue, .choice([(type.isOne(of: kinds), node.value)]))
            return (value, .choice([(value.followed(by: "IS NOT NULL"), .literal(kinds[0]))]))
        }
        var parts = [part(["integer", "real"]), part(["text"])]
        if node.type.mayHoldContainers {
            var containers = node
            let isContainer = type.isOne(of: ["object", "array"])
            containers.kinds = .json(.choice([(isContainer, type)]))
            let value = try writer.over(function.rawValue, containers, .none)
            parts.append((value, try writer.over(CalledName.kind(of: function), containers, .none)))
        } else {
            parts += [part(["object"]), part(["array"])]
        }
        parts.append(part(["true", "false"]))
        if function == .max { parts.reverse() }
        result.value = .call("coalesce", parts.map(\.value))
        result.kinds = .json(.call("coalesce", parts.map(\.kind)))
        return result
    }

    private func having(_ results: [(name: String, node: SQLNode)]) throws(QueryError) -> SQLText {
        guard let condition = grouping.having else { return .one }
        try condition.checkSupportedEverywhere()
        var scope = statement.scope
        scope.results = [:]
        for (name, node) in results { scope.results?[UTF8Key(name)] = node }
        do {
            return try writer.holds(condition.foldingConstants(now: writer.now, nilMeaning: writer.nilMeaning), scope)
        } catch {
            throw error.at(path: "having")
        }
    }

    /// The requested order, followed by the keys.
    private func sorting(_ results: [(name: String, node: SQLNode)]) -> [SQLText] {
        var pieces: [SQLText] = []
        let nodes = Dictionary(results.map { (UTF8Key($0.name), $0.node) }) { first, _ in first }
        for key in grouping.query.order {
            guard let node = nodes[UTF8Key(key.path.dotted)] else { continue }
            pieces += writer.sorting(node, isAscending: key.isAscending, key.options)
        }
        for result in results.prefix(grouping.keys.count) {
            pieces += writer.sorting(result.node, isAscending: true, [])
        }
        return pieces
    }
}
