import QueryMeaning
import QueryTree
import QueryValues

/// Writes GROUP BY for a store with typed columns (S23).
struct TypedGroups {
    let grouping: Grouping
    let statement: TypedStatement

    private var writer: TypedWriter { statement.typedWriter }

    func query() throws(QueryError) -> SQLQuery {
        var inner: [SQLText] = []
        var results: [(name: String, node: TypedNode)] = []
        var groupBy: [SQLText] = []
        for (position, key) in grouping.keys.enumerated() {
            var node = try read(key, position)
            if node.stored == .document, let documents = writer.forms.documents {
                node.value = .call("nullif", node.value, documents.null())
            }
            if node.stored == .date(.native) { node.value = writer.milliseconds(node) }
            node = try named(node, &inner)
            groupBy.append(node.value)
            results.append((key.name, node))
        }
        for reducer in grouping.reducers { results.append((reducer.name, try value(reducer, &inner))) }
        return try statement.grouped(
            inner: inner,
            columns: try writer.columns(of: results),
            groupBy: groupBy,
            having: try writer.having(grouping.having, of: results, statement.scope),
            order: try writer.order(grouping, of: results)
        )
    }

    private func read(_ key: GroupKey, _ position: Int) throws(QueryError) -> TypedNode {
        do throws(QueryError) {
            return try statement.value(of: key)
        } catch {
            throw key.path == nil ? error.ofGroupKey(position) : error
        }
    }

    private func read(_ path: FieldPath) throws(QueryError) -> TypedNode { try statement.value(of: path) }

    /// A value as a column of the inner SELECT.
    private func named(_ node: TypedNode, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        let name = try writer.alias("v")
        inner.append(node.value.named(name))
        var node = node
        node.value = .word("g." + name)
        node.folded = [:]
        node.isComputed = true
        return node
    }

    private func value(_ reducer: Reducer, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        switch reducer.operation {
        case .count: return writer.computed(.call("count", .star), .int)
        case .sum(let path):
            guard let node = try number(path, &inner) else {
                return writer.computed(SQLText.zero.cast(to: writer.forms.int), .int)
            }
            return writer.computed(writer.sum(node.value, node.stored), node.stored)
        case .average(let path):
            guard let node = try number(path, &inner) else {
                return writer.computed(SQLText.null.cast(to: writer.forms.double), .double)
            }
            return writer.computed(writer.average(node.value, node.stored), .double)
        case .min(let path): return try extreme(path, isLeast: true, &inner)
        case .max(let path): return try extreme(path, isLeast: false, &inner)
        case .countDistinct(let path):
            var node = try named(try read(path), &inner)
            // Nil is not counted.
            node.isPresent = true
            return writer.computed(try writer.distinctCount(node, .none), .int)
        case .distinct, .median, .first, .last, .custom: throw reducer.unsupported
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
}
