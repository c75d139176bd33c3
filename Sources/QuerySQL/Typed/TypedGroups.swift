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
        case .sum(let value):
            guard let node = try number(value, &inner) else {
                return writer.computed(SQLText.zero.cast(to: writer.forms.int), .int)
            }
            return writer.computed(writer.sum(node.value, node.stored), node.stored)
        case .average(let value):
            return try mean(value, &inner) { node in writer.average(node.value, node.stored) }
        case .min(let value): return try extreme(value, isLeast: true, &inner)
        case .max(let value): return try extreme(value, isLeast: false, &inner)
        case .countDistinct(let value):
            var node = try named(try statement.value(of: value), &inner)
            // Nil is not counted.
            node.isPresent = true
            return writer.computed(try writer.distinctCount(node, .none), .int)
        case .median(let value):
            return try mean(value, &inner, as: writer.forms.double, writer.median)
        case .distinct, .first, .last, .custom: throw reducer.unsupported
        }
    }

    private func number(
        _ value: GroupKey,
        _ inner: inout [SQLText],
        as type: String? = nil
    ) throws(QueryError) -> TypedNode? {
        guard let (number, stored) = try writer.summand(try statement.value(of: value), .none) else { return nil }
        if stored == .decimal { throw writer.unknownNumber(.none) }
        return try named(writer.computed(type.map(number.cast) ?? number, stored), &inner)
    }

    private func mean(
        _ value: GroupKey,
        _ inner: inout [SQLText],
        as type: String? = nil,
        _ write: (TypedNode) -> SQLText
    ) throws(QueryError) -> TypedNode {
        let mean = try number(value, &inner, as: type).map(write)
        return writer.computed(mean ?? SQLText.null.cast(to: writer.forms.double), .double)
    }

    private func extreme(_ value: GroupKey, isLeast: Bool, _ inner: inout [SQLText]) throws(QueryError) -> TypedNode {
        var node = try statement.value(of: value)
        if node.stored == .document {
            node.value = try writer.scalar(node, .none)
            node.stored = TypedWriter.stored(of: node.type) ?? .unknown
        }
        var result = try named(node, &inner)
        result.value = try writer.extreme(result, isLeast: isLeast, .none)
        return result
    }
}
