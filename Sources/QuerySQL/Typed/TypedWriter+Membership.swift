import QueryTree
import QueryValues

// IN and CONTAINS (S12).

extension TypedWriter {
    /// One IN for those that the store compares the same way.
    func oneOf(
        _ values: [QueryValue],
        _ node: Node,
        _ options: StringOptions,
        _ meaning: NilMeaning,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        var leaves: [Leaf] = []
        var bounds: [SQLText] = []
        var seen: Set<QueryValue> = []
        for value in values where seen.insert(value).inserted {
            switch value {
            case .int, .double, .string:
                // With a column of their own kind, each of them is one equality.
                let typed = try known(node, value.kind)
                guard typed.stored.kind == value.kind, typed.stored != .unknown else { fallthrough }
                if let bound = try constant(value, for: typed, options, origin) { bounds.append(bound) }
            case .bool, .date, .data, .uuid, .list, .object, .shape:
                leaves.append(try equal(node, value, options, origin))
            case .null: leaves.append(try nilTest(node, meaning, origin))
            }
        }
        if !bounds.isEmpty {
            assumeSingle(node)
            let subject = try folded(node, options, origin)
            leaves.insert(leaf(subject.isIn(bounds), orNull: node.value, fails: subject.isIn(bounds, "NOT IN")), at: 0)
        }
        return leaves.isEmpty ? .never : .some(leaves)
    }

    func storedMembership(
        of element: Term,
        in container: Term,
        _ comparison: Comparison,
        _ scope: Scope
    ) throws(QueryError) -> Leaf {
        let subject = try operand(element, scope)
        var text: Node?
        if let place = try place(of: container, scope) {
            text = place.declared?.array == nil ? read(place) : nil
        } else if !container.givesList, case .node(let node, _) = try operand(container, scope) {
            text = node
        }
        if let node = text, node.stored == .text || node.stored == .unknown {
            // A column of unknown type compared with a text is assumed to hold text.
            if case .constant(let value, _) = subject, value.kind != .string {
                try check(node, maybeList: container.origin)
            }
            return try containsText(.node(try known(node, .string), container.origin), subject, comparison)
        }
        let chain = try collection(of: container, scope)
        let found = try equal(subject, .node(read(chain.element), container.origin), comparison.options)
        var equality = comparison
        (equality.left, equality.operator, equality.right) = (container, .equal, element)
        let isElement = try contained(equality, scope) ?? exists(chain, found.holds)
        guard let node = text, node.stored == .document, let documents = forms.documents else { return isElement }
        let isText = isText(node, documents)
        if isText.isFalse { return isElement }
        var known = node
        (known.stored, known.value) = (.text, documents.text(node.value))
        let within = try containsText(.node(known, container.origin), subject, comparison)
        return leaf(when(isText, spelled(within.holds), else: spelled(isElement.holds)))
    }
}

extension Term {
    /// True for terms that give lists.
    fileprivate var givesList: Bool {
        switch self {
        case .subquery, .list, .field, .path: true
        case .aggregate(let aggregate, of: _, _, _): aggregate.givesList
        case .value, .variable, .index, .arithmetic, .negated, .call, .conditional, .cast, .assignment: false
        }
    }
}
