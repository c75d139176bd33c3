import QueryMeaning
import QueryTree
import QueryValues

/// Writes GROUP BY for a store with typed columns (S23).
struct TypedGroups {
    let grouping: Grouping
    let statement: TypedStatement

    private var writer: TypedWriter { statement.writer }

    func query() throws(QueryError) -> SQLQuery {
        var inner: [SQLText] = []
        var results: [(name: String, node: TypedNode)] = []
        var groupBy: [SQLText] = []
        for key in grouping.keys {
            var node = try read(key)
            if node.stored == .document, let documents = writer.forms.documents {
                node.value = .call("nullif", node.value, documents.null())
            }
            if node.stored == .date(.native) { node.value = writer.milliseconds(node) }
            node = try named(node, &inner)
            groupBy.append(node.value)
            results.append((Grouping.name(of: key), node))
        }
        for reducer in grouping.reducers { results.append((reducer.name, try value(reducer, &inner))) }
        var columns: [SQLText] = []
        for (name, node) in results {
            let quoted = try writer.dialect.quoted(name)
            columns.append(SQLText(node.value.text + " AS " + quoted, node.value.bindings, need: node.value.need))
        }
        return try statement.grouped(
            inner: inner,
            columns: columns,
            groupBy: groupBy,
            having: try having(results),
            order: try order(results)
        )
    }

    private func read(_ path: FieldPath) throws(QueryError) -> TypedNode {
        guard let place = try writer.place(of: .field(path, .none), statement.scope) else {
            throw writer.unsupported("\(path.dotted) has several values and cannot be grouped in SQL", at: .none)
        }
        let node = writer.read(place)
        writer.assumeSingle(node)
        return node
    }

    /// A value as a column of the inner SELECT.
    private func named(_ node: TypedNode, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        let name = try writer.alias("v")
        inner.append(SQLText(node.value.text + " AS " + name, node.value.bindings, need: node.value.need))
        var node = node
        node.value = SQLText("g." + name)
        node.folded = [:]
        node.isComputed = true
        return node
    }

    private func value(_ reducer: Reducer, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        switch reducer.operation {
        case .count: return writer.computed(.call("count", SQLText("*")), .int)
        case .sum(let path):
            guard let node = try number(path, &inner) else {
                return writer.computed(SQLText("0").cast(to: writer.forms.int), .int)
            }
            return writer.computed(writer.sum(node.value, node.stored), node.stored)
        case .average(let path):
            guard let node = try number(path, &inner) else {
                return writer.computed(SQLText.null.cast(to: writer.forms.double), .double)
            }
            return writer.computed(writer.average(node.value, node.stored), .double)
        case .min(let path): return try extreme(path, isLeast: true, &inner)
        case .max(let path): return try extreme(path, isLeast: false, &inner)
        case .custom(let reduction):
            throw writer.unsupported("the Swift code of \(reduction.name) cannot run in SQL", at: .none)
        }
    }

    private func number(_ path: FieldPath, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode? {
        guard let (value, stored) = try writer.summand(try read(path), .none) else { return nil }
        if stored == .decimal { throw writer.unknownNumber(.none) }
        return try named(writer.computed(value, stored), &inner)
    }

    private func extreme(_ path: FieldPath, isLeast: Bool, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        var node = try read(path)
        if node.stored == .document {
            node.value = try writer.scalar(node, .none)
            node.stored = TypedWriter.stored(of: node.type) ?? .unknown
        }
        var result = try named(node, &inner)
        result.value = try writer.extreme(result, isLeast: isLeast, .none)
        return result
    }

    private func having(_ results: [(name: String, node: TypedNode)]) throws(QueryError) -> SQLText {
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
    private func order(_ results: [(name: String, node: TypedNode)]) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        let nodes = Dictionary(results.map { (UTF8Key($0.name), $0.node) }) { first, _ in first }
        for key in grouping.query.order {
            guard let node = nodes[UTF8Key(key.path.dotted)] else { continue }
            pieces += try writer.sorting(node, isAscending: key.isAscending, key.options)
        }
        for result in results.prefix(grouping.keys.count) {
            pieces += try writer.sorting(result.node, isAscending: true, [])
        }
        return pieces
    }
}
