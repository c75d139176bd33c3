import QueryMeaning
import QueryTree
import QueryValues

// GROUP BY (S23).

/// Where a query names a field outside its condition.
typealias FieldUse = (list: String, position: Int)

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
        let hint = "use a number, a text or a bool, or compute it in memory"
        return unsupported("this value cannot be computed in SQL", at: origin, hint: hint)
    }

    /// The place of a field that is one value of the row; `use` is where the query names it, for errors.
    func place(of field: FieldPath, _ scope: Scope, in use: FieldUse? = nil) throws(QueryError) -> Place {
        var (problem, hint) = ("has several values, and SQL takes one", "compute one value of them, such as @count")
        if let place = try place(of: .field(field, .none), scope) {
            guard read(place).isForeignRow else { return place }
            problem = "is a whole row of a table, and SQL takes a value"
            let value = field.dotted + "." + (place.type.primaryKey.first ?? "name")
            // Results of SQLite have computed fields of other tables only.
            hint =
                use?.list == "fields"
                ? "compute one of its fields: value = " + value : "name one of its fields, such as " + value
        }
        let error = unsupported(field.dotted + " " + problem, at: .none, hint: hint)
        throw use.map { error.at(path: "\($0.list)[\($0.position)]") } ?? error
    }

    func columns(of results: [(name: String, node: Node)]) throws(QueryError) -> [SQLText] {
        try results.map { (name, node) throws(QueryError) in node.value.named(try dialect.quoted(name)) }
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
        for result in results.prefix(grouping.keys.count) { pieces += try sorting(result.node, isAscending: true, []) }
        return pieces
    }
}
