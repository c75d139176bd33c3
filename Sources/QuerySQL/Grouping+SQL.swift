import QueryMeaning
import QueryTree
import QueryValues

extension Grouping {
    /// The groups as one SQL statement.
    ///
    /// The columns are named after the result's fields. See S23. ``Query/sql(_:from:now:)`` describes the parameters.
    ///
    ///     let byState = Query().grouped(by: "state", computing: [.count, .average("population")])
    ///     try byState.sql(.sqlite, from: "cities").sql  // → SELECT … GROUP BY …
    ///
    /// - Returns: the statement; `where` is the filter of rows.
    /// - Throws: `QueryError` of code `unsupported` for what SQL does not support, including custom reducers, and
    ///   `pipeline` for clashing names.
    public func sql(
        _ dialect: SQLDialect = .sqlite,
        from table: some SQLTableConvertible,
        now: Int64? = nil
    ) throws(QueryError) -> SQLQuery { try groups(dialect, table.sqlTable, now) }

    /// The same statement with an extra column for each result: its kind as text, NULL if the storage class shows it.
    ///
    /// A reader can thus distinguish `true` from 1 and a list from its text.
    package func sqlWithKinds(_ dialect: SQLDialect, from table: SQLTable, now: Int64?) throws(QueryError) -> SQLQuery {
        try groups(dialect, table, now, withKinds: true)
    }

    private func groups(
        _ dialect: SQLDialect,
        _ table: SQLTable,
        _ now: Int64?,
        withKinds: Bool = false
    ) throws(QueryError) -> SQLQuery {
        try validate()
        let grouping = try checked()
        return try grouping.query.statement(dialect, table, now)
            .groups(of: grouping, withKinds: withKinds)
    }
}

/// Groups for a store whose values tell their kind.
struct Groups: GroupWriter {
    let grouping: Grouping
    let statement: Statement

    func key(_ node: SQLNode, _ inner: inout [SQLText]) throws(QueryError) -> (node: SQLNode, groupBy: [SQLText]) {
        let node = try named(node, &inner)
        return (node, try writer.groupKeys(of: node, .none))
    }

    func kinds(of results: [(name: String, node: SQLNode)]) throws(QueryError) -> [SQLText] {
        var columns: [SQLText] = []
        for (position, result) in results.enumerated() {
            columns.append(writer.resultKind(result.node).named(try writer.dialect.quoted("kind \(position)")))
        }
        return columns
    }

    /// A value, with the dates of columns as they are stored.
    private func stored(_ value: GroupKey) throws(QueryError) -> SQLNode {
        var node = try statement.value(of: value)
        if let stored = node.asStored, case .known = node.kinds { node.value = stored }
        return node
    }

    func named(_ read: SQLNode, _ inner: inout [SQLText]) throws(QueryError) -> SQLNode {
        var node = read
        writer.assumeSingle(node)
        let value = try writer.alias("v")
        inner.append(node.value.named(value))
        node.value = .word("g." + value)
        if case .json(let type) = node.kinds {
            let kind = try writer.alias("t")
            inner.append(type.named(kind))
            node.kinds = .json(.word("g." + kind))
        }
        if node.asStored != nil { node.asStored = node.value }
        // What was on the way counts as single from here on, and its columns are those of the row.
        node.onTheWay = []
        node.isComputed = true
        return asList(node)
    }

    /// A condition on groups may read what a list of a key or a result holds.
    private func asList(_ node: SQLNode) -> SQLNode {
        var node = node
        node.json = nil
        switch node.kinds {
        case .json(let kind):
            guard node.type.mayHoldContainers else { break }
            // An extreme has one kind for both truth values and for both kinds of numbers.
            let truth = SQLText.choice([(node.value, .literal("true"))], else: .literal("false"))
            let branches = [(["array", "object"], node.value), (["true", "false"], truth)]
            node.json = .choice(of: kind, branches, else: writer.jsonText(of: node.value, .call("typeof", node.value)))
        case .storage: node.mayBeBytes = !node.mayHoldTexts
        case .known: break
        }
        return node
    }

    func value(_ reducer: Reducer, _ inner: inout [SQLText]) throws(QueryError) -> SQLNode {
        switch reducer.operation {
        case .count:
            return .number(.call("count", .star), .int)
        case .sum(let value):
            let node = try number(value, &inner)
            return .number(SQLWriter.exactSum(node.value), node.type)
        case .average(let value):
            return .number(SQLWriter.exactMean(try number(value, &inner).value))
        case .min(let value):
            return try extreme(try named(try stored(value), &inner), .min)
        case .max(let value):
            return try extreme(try named(try stored(value), &inner), .max)
        case .countDistinct(let value): return try distinctCount(try named(try statement.value(of: value), &inner))
        case .distinct, .median, .first, .last, .custom: throw reducer.unsupported
        }
    }

    /// The number of different values, each kind counted by itself.
    private func distinctCount(_ node: SQLNode) throws(QueryError) -> SQLNode {
        let keys = try writer.groupKeys(of: node, .none)
        guard keys.count == 2 else { return .number(.call("count", Self.distinct(node.value)), .int) }
        let (kind, value) = (keys[0], keys[1])
        var kinds = ["real", "text", "true", Kind.date.rawValue, Kind.uuid.rawValue]
        if node.type.mayHoldContainers { kinds += ["array", "object"] }
        let counts = kinds.map { SQLText.call("count", Self.distinct(.choice(of: kind, [([$0], value)]))) }
        return .number(counts.dropFirst().reduce(counts[0]) { .infix($0, "+", $1, .sum) }, .int)
    }

    private static func distinct(_ value: SQLText) -> SQLText { .phrase(["DISTINCT ", value], need: value.need) }

    /// A value's numbers as a column of the inner SELECT.
    private func number(_ value: GroupKey, _ inner: inout [SQLText]) throws(QueryError) -> SQLNode {
        let node = try statement.value(of: value)
        let number = writer.numeric(node)
        let value = try writer.alias("v")
        inner.append(number.named(value))
        return .number(.word("g." + value), node.type)
    }

    /// The least or greatest by kind rank, then value (S22).
    private func extreme(_ node: SQLNode, _ function: Function) throws(QueryError) -> SQLNode {
        var result = node
        result.isComputed = true
        guard case .json(let type) = node.kinds else {
            result.value = .call(function.rawValue, node.value)
            if node.asStored != nil, let dateFunction = writer.dialect.dateFunction {
                // Texts that are no dates are below all dates.
                let date = writer.call(dateFunction, node.value)
                let text = SQLText.choice([(date.followed(by: "IS NULL"), node.value)])
                let (first, second) = function == .max ? (date, node.value) : (text, date)
                result.value = .call("ifnull", .call(function.rawValue, first), .call(function.rawValue, second))
                result.asStored = result.value
            }
            return result
        }
        func part(_ kinds: [String], _ test: SQLText = .one) -> (value: SQLText, kind: SQLText) {
            let value = SQLText.call(function.rawValue, .choice([(.all(type.isOne(of: kinds), test), node.value)]))
            return (value, .choice([(value.followed(by: "IS NOT NULL"), .literal(kinds[0]))]))
        }
        var isDate = SQLText.truth(false)
        if case .date(let encoding) = node.type, encoding.isText { isDate = writer.isDateText(node, encoding) }
        var parts = [part(["integer", "real"]), part(["text"], isDate.isFalse ? .one : isDate.isNotTrue)]
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
        if !isDate.isFalse { parts.append(part(["text"], isDate)) }
        if function == .max { parts.reverse() }
        result.value = .call("coalesce", parts.map(\.value))
        result.kinds = .json(.call("coalesce", parts.map(\.kind)))
        result.asStored = node.asStored.map { _ in result.value }
        return asList(result)
    }
}

extension SQLNode {
    /// True for a computed value that reads back as it is.
    var isShown: Bool {
        switch kinds {
        case .json, .storage, .known(.bool), .known(.number), .known(.string): true
        case .known(.null), .known(.date), .known(.uuid), .known(.data), .known(.list), .known(.object), .known(.shape):
            false
        }
    }
}

extension SQLWriter {
    func resultKind(_ node: SQLNode) -> SQLText {
        switch node.kinds {
        case .json: kindText(node)
        case .known(let kind): .literal(kind == .bool ? "true" : "")
        case .storage: .null
        }
    }
}
