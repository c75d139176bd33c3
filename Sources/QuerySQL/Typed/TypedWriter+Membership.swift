import QueryTree
import QueryValues

// IN and CONTAINS (S12).

extension TypedWriter {
    /// `element IN container`, which is `container CONTAINS element`; with `usesNilMeaning`, nil in a list follows the
    /// query's nil meaning (S8).
    func membership(
        of element: Term,
        in container: Term,
        _ comparison: Comparison,
        _ scope: TypedScope,
        usesNilMeaning: Bool = true
    ) throws(QueryError) -> Leaf {
        switch container {
        case .list(let terms, _):
            return try listMembership(of: element, in: terms, comparison, scope, usesNilMeaning: usesNilMeaning)
        case .value(.null, _):
            return .never
        case .value(.string, _):
            return try containsText(try operand(container, scope), try operand(element, scope), comparison)
        case .value(let value, let origin):
            return try equal(
                try operand(element, scope),
                .constant(value, origin),
                comparison.options,
                usesNilMeaning: false
            )
        case .arithmetic(let chain, _) where chain.rest.first?.operation.row.precedence == .set:
            return try setMembership(of: element, chain, comparison, scope)
        case .field, .variable, .path, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional,
            .cast, .assignment:
            return try storedMembership(of: element, in: container, comparison, scope)
        }
    }

    private func setMembership(
        of element: Term,
        _ chain: Arithmetic,
        _ comparison: Comparison,
        _ scope: TypedScope
    ) throws(QueryError) -> Leaf {
        var run = LeafRun(try membership(of: element, in: chain.first, comparison, scope, usesNilMeaning: false))
        var lists = [try isWholeList(chain.first, scope)]
        if !comparison.options.folding.isEmpty, chain.rest.contains(where: { $0.operation != .union }) {
            throw unsupported("lists are intersected by exact texts, without options", at: comparison.origin)
        }
        for link in chain.rest {
            lists.append(try isWholeList(link.operand, scope))
            let next = try membership(of: element, in: link.operand, comparison, scope, usesNilMeaning: false)
            guard link.operation.row.precedence == .set else {
                throw unsupported("a number is not a collection", at: comparison.origin)
            }
            if run.add(next, link.operation) { try check(run.start.holds, at: comparison.origin) }
        }
        let areLists = all(lists)
        if areLists.isFalse { return .never }
        return areLists.isTrue ? run.whole : leaf(all(areLists, run.whole.holds))
    }

    /// True if an operand of a set operation is a list; with anything else there is no set.
    private func isWholeList(_ term: Term, _ scope: TypedScope) throws(QueryError) -> SQLText {
        if let value = term.constantValue { return .truth(value.kind == .list) }
        if case .arithmetic(let chain, _) = term, chain.rest.first?.operation.row.precedence == .set {
            let terms = [chain.first] + chain.rest.map(\.operand)
            return .all(try terms.map { (term) throws(QueryError) in try isWholeList(term, scope) })
        }
        return try collection(of: term, scope).isList
    }

    private func listMembership(
        of element: Term,
        in terms: [Term],
        _ comparison: Comparison,
        _ scope: TypedScope,
        usesNilMeaning: Bool
    ) throws(QueryError) -> Leaf {
        let subject = try operand(element, scope)
        var constants: [QueryValue] = []
        var leaves: [Leaf] = []
        for term in terms {
            if let value = term.constantValue, case .node = subject {
                constants.append(value)
            } else {
                // The nil meaning applies to nil in the list, not to nil as the element.
                leaves.append(try equal(subject, try operand(term, scope), comparison.options, usesNilMeaning: false))
            }
        }
        if case .node(let node, let origin) = subject, !constants.isEmpty {
            leaves.insert(try oneOf(constants, node, comparison.options, usesNilMeaning: usesNilMeaning, origin), at: 0)
        }
        return leaves.isEmpty ? .never : .some(leaves)
    }

    /// Compares a node with a list of constants: one IN for those that the store compares the same way.
    private func oneOf(
        _ values: [QueryValue],
        _ node: TypedNode,
        _ options: StringOptions,
        usesNilMeaning: Bool,
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
            case .null, .bool, .date, .data, .uuid, .list, .object, .shape:
                leaves.append(try equal(node, value, options, usesNilMeaning: usesNilMeaning, origin))
            }
        }
        if !bounds.isEmpty {
            assumeSingle(node)
            let subject = try folded(node, options, origin)
            leaves.insert(leaf(subject.isIn(bounds), orNull: node.value, fails: subject.isIn(bounds, "NOT IN")), at: 0)
        }
        return leaves.isEmpty ? .never : .some(leaves)
    }

    private func storedMembership(
        of element: Term,
        in container: Term,
        _ comparison: Comparison,
        _ scope: TypedScope
    ) throws(QueryError) -> Leaf {
        let subject = try operand(element, scope)
        var text: TypedNode?
        if let place = try place(of: container, scope) {
            text = read(place)
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
        let found = try equal(
            subject,
            .node(read(chain.element), container.origin),
            comparison.options,
            usesNilMeaning: false
        )
        let isElement = exists(chain, found.holds)
        guard let node = text, node.stored == .document, let documents = forms.documents else { return isElement }
        let isText = isText(node, documents)
        if isText.isFalse { return isElement }
        let within = try containsText(.node(node, container.origin), subject, comparison)
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
