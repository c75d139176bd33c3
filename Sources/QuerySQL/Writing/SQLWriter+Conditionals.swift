import QueryTree
import QueryValues

// TERNARY: one of two values, which may be lists or objects.

extension SQLWriter {
    func conditionalNode(_ conditional: Conditional, _ scope: Scope) throws(QueryError) -> Node {
        let condition = try holds(conditional.test, scope)
        let a = try branch(conditional.first, scope)
        let b = try branch(conditional.second, scope)
        let type = try commonType(a, b, conditional.origin)
        let value = SQLText.choice([(condition, a.value)], else: b.value)
        if let kind = commonKind(a, b) {
            var node = Node(value: value, kinds: .known(kind), type: type, isComputed: true)
            node.readsAsDate = readAsDates(a, b)
            return node
        }
        if a.holdsNumbers, b.holdsNumbers {
            return Node(value: value, kinds: .storage, type: type, mayHoldTexts: true, isComputed: true)
        }
        let kind = SQLText.choice([(condition, jsonKind(a))], else: jsonKind(b))
        var node = Node(value: value, kinds: .json(kind), type: type, isComputed: true)
        node.mayHoldNul = a.isColumnText || b.isColumnText
        node.mayBeBytes = a.isUndeclared || b.isUndeclared || a.mayBeBytes || b.mayBeBytes
        if a.json != nil || b.json != nil {
            let (first, second) = (try jsonText(of: a, conditional.origin), try jsonText(of: b, conditional.origin))
            node.json = .choice([(condition, first)], else: second)
        }
        return node
    }

    /// Whether the texts of two branches are dates beside one; nil if only some are.
    private func readAsDates(_ a: Node, _ b: Node) -> Bool? {
        let mayBeDates = [a, b].filter { branch in
            if case .bound(.string(let text)) = branch.value { DateText.parse(text) != nil } else { !branch.isNil }
        }
        let areDates = mayBeDates.map { branch -> Bool? in
            guard case .known(.string) = branch.kinds, !believesTexts else { return false }
            return branch.isComputed ? branch.readsAsDate : true
        }
        return Set(areDates).count > 1 ? nil : areDates.first ?? false
    }

    private func branch(_ term: Term, _ scope: Scope) throws(QueryError) -> Node {
        switch try operand(term, scope) {
        case .node(let node, let origin):
            if node.isRow, node.json == nil {
                throw unsupported("rows of another table are not a single value", at: origin)
            }
            assumeSingle(node)
            return node
        case .constant(let value, let origin): return try constantNode(value, origin)
        }
    }

    /// A constant as a node.
    func constantNode(_ value: QueryValue, _ origin: Origin) throws(QueryError) -> Node {
        func known(_ bound: QueryValue, _ type: FieldType = .any) -> Node {
            Node(value: .bind(bound), kinds: .known(value.kind), type: type, isComputed: true)
        }
        switch value {
        case .null: return .none
        case .int, .string, .data: return known(value)
        case .double(let number) where !number.isNaN: return known(value)
        case .bool(let flag): return known(.int(flag ? 1 : 0))
        case .date(let milliseconds):
            let form = DateEncoding.holding([value])
            return known(form.compared(milliseconds), .date(form))
        case .uuid(let uuid): return known(.string(uuid.uuidString.lowercased()), .uuid)
        case .list, .object:
            let text = SQLText.bind(.string(try jsonText(value, .any, origin)))
            let kind = SQLText.literal(value.kind == .list ? "array" : "object")
            return Node(value: text, kinds: .json(kind), json: text, isComputed: true)
        case .double, .shape:
            throw unsupported("this constant is not supported here in SQL", at: origin)
        }
    }

    private func jsonKind(_ node: Node) -> SQLText {
        if case .json(let kind) = node.kinds { kind } else { kindText(node) }
    }

    /// The kind of both if it is the same scalar kind, or one of them is nil.
    private func commonKind(_ a: Node, _ b: Node) -> Kind? {
        guard case .known(let x) = a.kinds, case .known(let y) = b.kinds, a.json == nil, b.json == nil else {
            return nil
        }
        if y == .null || x == y { return x }
        return x == .null ? y : nil
    }

    /// The type of both, `.any` if they differ; dates and UUIDs, stored as texts or numbers, can be mixed only with
    /// their own type.
    private func commonType(_ a: Node, _ b: Node, _ origin: Origin) throws(QueryError) -> FieldType {
        if a.isNil { return b.type }
        if b.isNil { return a.type }
        let isKept = [a, b].contains { $0.type.kind == .date || $0.type.kind == .uuid }
        guard isKept else { return a.type == b.type ? a.type : .any }
        switch (a.kinds, b.kinds) {
        case (.known, .known) where a.type == b.type, (.json, .json) where a.type == b.type: return a.type
        default: throw datesBesideOthers("conditional", origin)
        }
    }

    /// A value as JSON text, NULL for nil.
    private func jsonText(of node: Node, _ origin: Origin) throws(QueryError) -> SQLText {
        if let json = node.json { return json }
        if node.mayBeBytes { throw mayBeBytes(origin) }
        switch node.kinds {
        case .json(let kind): return jsonText(of: node.value, kind)
        case .known(.null): return .null
        case .known(.bool):
            let words = [(SQLText.one, "true"), (.zero, "false")]
            return .choice(words.map { (.compare(node.value, "=", $0.0), .literal($0.1)) })
        case .storage where !node.mayHoldTexts: throw mayBeBytes(origin)
        case .storage, .known(.number), .known(.string): return jsonText(of: node.value, .call("typeof", node.value))
        case .known(.date), .known(.uuid), .known(.data), .known(.list), .known(.object), .known(.shape):
            throw unsupported("a conditional in SQL cannot choose between this value and a list", at: origin)
        }
    }
}

extension SQLNode {
    /// True for what is always nil.
    fileprivate var isNil: Bool { if case .known(.null) = kinds { true } else { false } }
}
