import QueryTree
import QueryValues

extension FieldPath {
    /// True when the first key is one of the names.
    package func begins(in names: Set<UTF8Key>) -> Bool { keys.first.map { names.contains(UTF8Key($0)) } ?? true }
}

extension Query {
    /// True if every path into the row starts with one of the names.
    package func names(only names: Set<UTF8Key>) -> Bool {
        guard (sortedFields + (fields ?? [])).allSatisfy({ $0.begins(in: names) }) else { return false }
        let nodes = [condition.nodes] + computed.map(\.key.test.nodes)
        return nodes.joined().allSatisfy {
            if case .term(.field(let path, _)) = $0 { path.begins(in: names) } else { true }
        }
    }

    /// The query whose order has the terms of the computed fields that it names (S22).
    package var sortingByComputed: Query {
        if computed.isEmpty || order.isEmpty { return self }
        var copy = self
        let terms = Dictionary(computed.map { (UTF8Key($0.name), $0.term) }) { first, _ in first }
        for (position, key) in order.enumerated() {
            if let term = terms[UTF8Key(key.path.dotted)] { copy.order[position].computed = term }
        }
        return copy
    }

    /// The fields of the rows that the order names.
    package var sortedFields: [FieldPath] { sortingByComputed.order.filter { $0.computed == nil }.map(\.path) }
}
