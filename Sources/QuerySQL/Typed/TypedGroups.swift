import QueryMeaning
import QueryTree
import QueryValues

/// Groups for a store with typed columns.
struct TypedGroups: GroupWriter {
    let grouping: Grouping
    let statement: TypedStatement

    func key(_ node: TypedNode, _ inner: inout [SQLText]) throws(QueryError) -> (node: TypedNode, groupBy: [SQLText]) {
        var node = node
        if node.stored == .document, let documents = writer.forms.documents {
            node.value = .call("nullif", node.value, documents.null())
        }
        if node.stored == .date(.native) { node.value = writer.milliseconds(node) }
        node = try named(node, &inner)
        return (node, [node.value])
    }

    private func read(_ path: FieldPath) throws(QueryError) -> TypedNode { try statement.value(of: path) }

    func named(_ node: TypedNode, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        let name = try writer.alias("v")
        inner.append(node.value.named(name))
        var node = node
        node.value = .word("g." + name)
        node.folded = [:]
        node.isComputed = true
        return node
    }

    func value(_ reducer: Reducer, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        switch reducer.operation {
        case .count: return writer.computed(.call("count", .star), .int)
        case .sum(let path):
            guard let node = try number(path, &inner) else {
                return writer.computed(SQLText.zero.cast(to: writer.forms.int), .int)
            }
            return writer.computed(writer.sum(node.value, node.stored), node.stored)
        case .average(let path):
            return try mean(path, &inner) { node in writer.average(node.value, node.stored) }
        case .min(let path): return try extreme(path, isLeast: true, &inner)
        case .max(let path): return try extreme(path, isLeast: false, &inner)
        case .countDistinct(let path):
            var node = try named(try read(path), &inner)
            // Nil is not counted.
            node.isPresent = true
            return writer.computed(try writer.distinctCount(node, .none), .int)
        case .median(let path):
            return try mean(path, &inner, as: writer.forms.double, writer.median)
        case .distinct, .first, .last, .custom: throw reducer.unsupported
        }
    }

    private func number(
        _ path: FieldPath,
        _ inner: inout [SQLText],
        as type: String? = nil
    ) throws(QueryError) -> TypedNode? {
        guard let (value, stored) = try writer.summand(try read(path), .none) else { return nil }
        if stored == .decimal { throw writer.unknownNumber(.none) }
        return try named(writer.computed(type.map(value.cast) ?? value, stored), &inner)
    }

    private func mean(
        _ path: FieldPath,
        _ inner: inout [SQLText],
        as type: String? = nil,
        _ write: (TypedNode) -> SQLText
    ) throws(QueryError) -> TypedNode {
        let mean = try number(path, &inner, as: type).map(write)
        return writer.computed(mean ?? SQLText.null.cast(to: writer.forms.double), .double)
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
