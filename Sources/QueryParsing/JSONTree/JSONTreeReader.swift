import QueryTree
import QueryValues

/// Reads the JSON that ``Condition/jsonTree`` describes.
struct JSONTreeReader {
    let limits: Limits

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// The JSON of a text.
    func value(of text: String) throws(QueryError) -> QueryValue {
        guard text.utf8.count <= limits.jsonTreeBytes else {
            throw QueryError(.limit, "the JSON text is longer than \(limits.jsonTreeBytes) bytes", path: "$")
        }
        var readerLimits = limits
        readerLimits.jsonDepth = limits.jsonTreeDepth
        return try QueryValue(json: text, extended: true, limits: readerLimits)
    }

    func condition(_ text: String) throws(QueryError) -> Condition {
        try root(value(of: text), at: "$")
    }

    /// A whole tree, as parsed from its canonical text.
    func root(_ value: QueryValue, at path: String) throws(QueryError) -> Condition {
        try JSONTreeBuilder.condition(value, path, limits).reparsed(limits)
    }
}

// MARK: - Queries

extension JSONTreeReader {
    func query(_ node: JSONTreeNode, _ schema: Schema?) throws(QueryError) -> Query {
        var query = Query(try root(node.value(.condition), at: node.way(to: .condition)), schema: schema)
        if node[.order] != nil {
            query.order = try nodes(node, .order).map { (key) throws(QueryError) in
                try key.allows([.field, .startsAtSelf, .descending, .options])
                return SortKey(try key.field(limits), ascending: try !key.flag(.descending), options: try key.options())
            }
        }
        query.skip = try rowCount(node, .skip)
        query.limit = try rowCount(node, .limit)
        if node[.fields] != nil { query.fields = try paths(node, .fields) }
        if node[.computed] != nil {
            query.computed = try nodes(node, .computed).map { (field) throws(QueryError) in
                _ = try field.value(.of)
                return ComputedField(try key(field).term, as: try field.text(.element))
            }
        }
        if node[.nilMeaning] != nil {
            query.nilMeaning = try node.word(.nilMeaning, "meaning of nil", NilMeaning.allCases) { [$0.rawValue] }
        }
        return query
    }

    func grouping(_ node: JSONTreeNode, _ schema: Schema?) throws(QueryError) -> Grouping {
        try node.allows([.condition, .order, .skip, .limit, .fields, .computed, .nilMeaning, .group])
        let query = try query(node, schema)
        let group = try JSONTreeNode(node.value(.group), at: node.way(to: .group))
        try group.allows([.by, .compute, .having])
        let reducers = try nodes(group, .compute).map { (reducer) throws(QueryError) in try self.reducer(reducer) }
        let having = group[.having]
        return Grouping(
            query,
            by: try nodes(group, .by).map { (key) throws(QueryError) in try self.key(key) },
            computing: reducers,
            having: try having.map { (value) throws(QueryError) in try root(value, at: group.way(to: .having)) }
        )
    }

    private func key(_ node: JSONTreeNode) throws(QueryError) -> GroupKey {
        guard node[.of] != nil else {
            try node.allows([.field, .startsAtSelf], Self.ofTerms)
            return GroupKey(try node.field(limits))
        }
        try node.allows([.of, .element], "; a field belongs into `of`")
        let alias = node[.element] == nil ? nil : try node.text(.element)
        return GroupKey(try term(node), as: alias)
    }

    private static let ofTerms = #"; of a term `of` and `as`, as in "of":{"call":"sqrt:","arguments":[…]},"as":"m""#

    /// The term that a node computes, as parsed from its canonical text, like a condition.
    private func term(_ node: JSONTreeNode) throws(QueryError) -> Term {
        let term = try JSONTreeBuilder.term(try node.value(.of), node.way(to: .of), limits)
        let written = GroupKey(term, as: nil).written
        return try Term(parsing: written.text, written.arguments, limits)
    }

    private func reducer(_ node: JSONTreeNode) throws(QueryError) -> Reducer {
        let kind = try node.word(.compute, "value to compute", Reducer.Kind.named) { [$0.rawValue] }
        let isComputed = node[.of] != nil
        try node.allows(
            kind == .count
                ? [.compute, .element]
                : isComputed ? [.compute, .of, .element] : [.compute, .field, .startsAtSelf, .element],
            kind == .count || isComputed ? "" : Self.ofTerms
        )
        let alias = node[.element] == nil ? nil : try node.text(.element)
        var value: GroupKey?
        if kind != .count { value = isComputed ? GroupKey(try term(node), as: nil) : GroupKey(try node.field(limits)) }
        guard let operation = kind.operation(value) else {
            throw node.error("a group does not compute this", at: .compute)
        }
        return Reducer(operation, as: alias)
    }

    private func rowCount(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> Int? {
        guard let value = node[key] else { return nil }
        guard case .int(let number) = value, number >= 0, let count = Int(exactly: number) else {
            throw node.error("expected a whole number that is not negative", at: key)
        }
        return count
    }

    private func nodes(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> [JSONTreeNode] {
        var nodes: [JSONTreeNode] = []
        for (position, value) in try node.list(key).enumerated() {
            nodes.append(try JSONTreeNode(value, at: node.way(to: key) + "[\(position)]"))
        }
        return nodes
    }

    private func paths(_ node: JSONTreeNode, _ key: JSONTreeKey) throws(QueryError) -> [FieldPath] {
        try nodes(node, key).map { (path) throws(QueryError) in
            try path.allows([.field, .startsAtSelf])
            return try path.field(limits)
        }
    }
}

extension Condition {
    /// The tree parsed from the canonical text, with the parser's checks and limits.
    package func reparsed(_ limits: Limits) throws(QueryError) -> Condition {
        let written = written
        return try Condition(parsing: written.text, written.arguments, limits)
    }
}
