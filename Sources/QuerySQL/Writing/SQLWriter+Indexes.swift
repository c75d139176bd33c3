import QueryTree
import QueryValues

// `a[b]`, and paths and indexes into computed values.

extension SQLWriter {
    func indexNode(_ base: Term, _ index: Index, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node {
        let found = try place(of: base, scope)
        guard let place = found, !place.mayMap else {
            // Rows of another table are counted.
            if found == nil, case .size = index, !base.isComputedValue { return .number(try count(base, scope), .int) }
            // An index into a computed list, as JSON text.
            let computed = try withValue(of: base, scope) { (value, inner) throws(QueryError) in
                try operand(.index(value, index, origin), inner)
            }
            guard case .node(let node, _) = computed else { return .none }
            return node
        }
        var node = read(container(place))
        if base.isPath, place.isUncertain { node = try mapped(node, base, scope) }
        switch index {
        case .size:
            guard let json = node.json, case .json(let type) = node.kinds else { return .number(.null, .int) }
            let length = SQLText.choice(of: type, [(["array"], .call("json_array_length", json))])
            return .number(length, .int)
        case .at(let term):
            guard let json = node.json, case .node(let position, _) = try operand(term, scope) else {
                throw unsupported("this index is not supported in SQL", at: origin)
            }
            return try computedIndex(json, node, position)
        case .first, .last:
            throw unsupported("this index is not supported in SQL", at: origin)
        }
    }

    /// Runs a closure with a term's value under the name of a variable: JSON text that paths and indexes can enter.
    func withValue<Result>(
        of term: Term,
        _ scope: Scope,
        _ work: (Term, Scope) throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        let value = Variable("\u{0}value")
        var inner = scope
        var place = Place(site: .computed(.none), type: .any)
        switch try operand(term, scope) {
        case .constant(let constant, let origin):
            if constant.kind == .list || constant.kind == .object {
                place.site = .document(.bind(.string(try jsonText(constant, .any, origin))))
            }
        case .node(let node, let origin):
            if node.isRow { throw unsupported("rows of another table are not a single value", at: origin) }
            if let json = node.json {
                place = Place(site: .document(json), type: node.type)
            } else if node.isUndeclared || node.mayBeBytes {
                throw unknownList(origin)
            }
        }
        inner.variables[value] = place
        return try work(.variable(value, term.origin), inner)
    }

    /// SQLite reads indexes as 32 bits, and no JSON text has that many elements.
    static let lastPosition = 2_147_483_647

    /// `a[b]`: an int is an index into a list, a text a key of an object.
    ///
    /// The index is checked to be an int before it becomes part of a path; a key never becomes one.
    private func computedIndex(_ json: SQLText, _ node: Node, _ index: Node) throws(QueryError) -> Node {
        let number = numeric(index)
        let isPosition = SQLText.all(
            .between(number, .zero, .number(Self.lastPosition)),
            .compare(number, "=", number.cast(to: "INTEGER"))
        )
        let path = SQLText.joined(.literal("$["), number.cast(to: "INTEGER"), .literal("]"))
        let member = try member(json, node, index)
        let type: FieldType = if case .list(let element) = node.type { element } else { .any }
        return Node(
            value: .choice([(isPosition, .call("json_extract", json, path))], else: member?.value),
            kinds: .json(.choice([(isPosition, .call("json_type", json, path))], else: member?.kind)),
            type: type,
            json: .choice(
                [(isPosition, .infix(json.above(.concatenation), "->", path.parenthesized, .concatenation))],
                else: member?.json
            )
        )
    }

    /// The value of a computed key of an object; nil if there can be no such key.
    private func member(
        _ json: SQLText,
        _ node: Node,
        _ key: Node
    ) throws(QueryError) -> (value: SQLText, kind: SQLText, json: SQLText)? {
        if case .list = node.type { return nil }
        let isText = textTest(key) ?? .one
        if isText.isFalse { return nil }
        let alias = try alias("e")
        let element = Place(site: .element(alias: alias), type: .any)
        let chain = Collection(
            from: [.item("json_each", json, alias)],
            conditions: [isText, .compare(.column(of: alias, "key"), "=", key.value)].filter { !$0.isTrue },
            element: element,
            isList: .one
        )
        let member = read(element)
        guard case .json(let kind) = member.kinds else { return nil }
        return (select(member.value, chain), select(kind, chain), select(jsonText(of: member.value, kind), chain))
    }
}
