import QueryMeaning
import QueryTree
import QueryValues

// GROUP BY (S23).

extension ConditionWriter {
    /// A computed group key; the store's kinds decide whether its value reads back as it is.
    func computed(_ key: GroupKey, _ row: FieldType, _ scope: Scope) throws(QueryError) -> (node: Node, origin: Origin)
    {
        let term = try key.termForStore(TypeScope(row: row), now: now, nilMeaning: nilMeaning)
        let value = try StackRoom.run(for: key.test, above: StackRoom.plainHeightOfWriters) {
            () throws(QueryError) -> TermOperand<Node> in
            try operand(term, scope)
        }
        guard case .node(let node, let origin) = value else { throw ungroupable(term.origin) }
        return (node, origin)
    }

    func ungroupable(_ origin: Origin) -> QueryError {
        unsupported(
            "this value cannot be computed in SQL",
            at: origin,
            hint: "use a number, a text or a bool, or compute it in memory"
        )
    }

    func columns(of results: [(name: String, node: Node)]) throws(QueryError) -> [SQLText] {
        var columns: [SQLText] = []
        for (name, node) in results { columns.append(node.value.named(try dialect.quoted(name))) }
        return columns
    }

    func having(
        _ condition: Condition?,
        of results: [(name: String, node: Node)],
        _ scope: Scope
    ) throws(QueryError) -> SQLText {
        guard let condition else { return .one }
        try condition.checkSupportedEverywhere()
        var scope = scope
        scope.results = [:]
        for (name, node) in results { scope.results?[UTF8Key(name)] = node }
        do {
            return try holds(condition.foldingConstants(now: now, nilMeaning: nilMeaning), scope)
        } catch {
            throw error.at(path: "having")
        }
    }

    /// The requested order, followed by the keys.
    func order(_ grouping: Grouping, of results: [(name: String, node: Node)]) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        let nodes = Dictionary(results.map { (UTF8Key($0.name), $0.node) }) { first, _ in first }
        for key in grouping.query.order {
            guard let node = nodes[UTF8Key(key.path.dotted)] else { continue }
            pieces += try sorting(node, isAscending: key.isAscending, key.options)
        }
        for result in results.prefix(grouping.keys.count) {
            pieces += try sorting(result.node, isAscending: true, [])
        }
        return pieces
    }
}
