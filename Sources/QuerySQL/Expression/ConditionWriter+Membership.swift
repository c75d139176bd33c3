import QueryTree
import QueryValues

// IN and CONTAINS (S12), and what names refer to.

extension ConditionWriter {
    /// `element IN container`, which is `container CONTAINS element`; with `usesNilMeaning`, nil in a list follows the
    /// query's nil meaning (S8).
    func membership(
        of element: Term,
        in container: Term,
        _ comparison: Comparison,
        _ scope: Scope,
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
            return try equal(try operand(element, scope), .constant(value, origin), comparison.options)
        case .arithmetic(let chain, _) where chain.isOfSets:
            return try setMembership(of: element, chain, comparison, scope)
        case .field, .variable, .path, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional,
            .cast, .assignment:
            return try storedMembership(of: element, in: container, comparison, scope)
        }
    }

    /// `x IN a UNION b` is `x IN a OR x IN b`, and so on, if all are lists.
    private func setMembership(
        of element: Term,
        _ chain: Arithmetic,
        _ comparison: Comparison,
        _ scope: Scope
    ) throws(QueryError) -> Leaf {
        var run = LeafRun(try membership(of: element, in: chain.first, comparison, scope, usesNilMeaning: false))
        var lists = [try isWholeList(chain.first, scope)]
        if !comparison.options.folding.isEmpty, chain.rest.contains(where: { $0.operation != .union }) {
            throw unsupported("lists are intersected by exact texts, without options", at: comparison.origin)
        }
        for link in chain.rest {
            lists.append(try isWholeList(link.operand, scope))
            let next = try membership(of: element, in: link.operand, comparison, scope, usesNilMeaning: false)
            guard link.operation.isOfSets else {
                throw unsupported("a number is not a collection", at: comparison.origin)
            }
            if run.add(next, link.operation) { try check(term: run.start.holds, at: comparison.origin) }
        }
        let areLists = all(lists)
        if areLists.isFalse { return .never }
        return areLists.isTrue ? run.whole : leaf(all([areLists, run.whole.holds]))
    }

    /// True if an operand of a set operation is a list; with anything else there is no set.
    private func isWholeList(_ term: Term, _ scope: Scope) throws(QueryError) -> SQLText {
        if let value = term.constantValue { return .truth(value.kind == .list) }
        if case .arithmetic(let chain, _) = term, chain.isOfSets {
            let terms = [chain.first] + chain.rest.map(\.operand)
            return all(try terms.map { (term) throws(QueryError) in try isWholeList(term, scope) })
        }
        return try collection(of: term, scope).isList
    }

    private func listMembership(
        of element: Term,
        in terms: [Term],
        _ comparison: Comparison,
        _ scope: Scope,
        usesNilMeaning: Bool
    ) throws(QueryError) -> Leaf {
        let subject = try compared(element, ordersContainers: terms.contains { !$0.isScalarConstant }, scope)
        var constants: [QueryValue] = []
        var leaves: [Leaf] = []
        for term in terms {
            if [element, term].contains(where: { $0.constantValue?.kind == .list }) {
                // A list is compared with the whole list that a path may map to.
                var equality = comparison
                (equality.operator, equality.left, equality.right) = (.equal, element, term)
                let (left, right) = try sides(equality, scope)
                leaves.append(try equal(left, right, comparison.options))
            } else if let value = term.constantValue, case .node = subject {
                constants.append(value)
            } else {
                // The nil meaning applies to nil in the list, not to nil as the element.
                leaves.append(try equal(subject, try operand(term, scope), comparison.options))
            }
        }
        if case .node(let node, let origin) = subject, !constants.isEmpty {
            let meaning = usesNilMeaning ? nilMeaning : .nullOrAbsent
            let list = ConstantList(values: constants, options: comparison.options, meaning: meaning, origin: origin)
            leaves.insert(try oneOf(list, node), at: 0)
        }
        return leaves.isEmpty ? .never : .some(leaves)
    }

    /// An element of a list or a part of a text, by what a container that is no constant holds.
    private func storedMembership(
        of element: Term,
        in container: Term,
        _ comparison: Comparison,
        _ scope: Scope
    ) throws(QueryError) -> Leaf {
        let (subject, origin) = (try operand(element, scope), container.origin)
        var given: Node?
        if let place = try place(of: container, scope) {
            if let leaf = try membership(of: subject, at: place, comparison, origin) { return leaf }
            given = read(place)
        } else if !container.givesList, case .node(let node, _) = try operand(container, scope) {
            given = node
        }
        let text = try given.flatMap { (node) throws(QueryError) in try asText(node, beside: subject, origin) }
        if let text, text.isText.isTrue { return try containsText(.node(text.node, origin), subject, comparison) }
        if let given, given.type == .string { return try containsText(.node(given, origin), subject, comparison) }
        let chain = try collection(of: container, scope, wanted: element.wantedAsElement)
        let found = try equal(subject, .node(read(chain.element), origin), comparison.options)
        var equality = comparison
        (equality.left, equality.operator, equality.right) = (container, .equal, element)
        let isElement = try contained(equality, scope) ?? exists(chain, found.holds)
        guard let text, !text.isText.isFalse else { return isElement }
        let within = try containsText(.node(text.node, origin), subject, comparison)
        return leaf(.choice([(text.isText, spelled(within.holds))], else: spelled(isElement.holds)))
    }

    // MARK: Names

    /// A field of a group.
    func result(_ path: FieldPath, of results: [UTF8Key: Node], _ origin: Origin) throws(QueryError) -> Node {
        if path.keys.count == 1, let key = path.keys.first, let node = results[UTF8Key(key)] { return node }
        throw QueryError(
            .unknownField,
            "groups have no field \(path.dotted)",
            at: origin,
            hint: "use one of " + results.keys.map(\.text).sorted { $0.precedesInUTF8($1) }.joined(separator: ", ")
        )
    }

    func place(of variable: Variable, _ scope: Scope, _ origin: Origin) throws(QueryError) -> Place {
        guard let place = scope.variables[variable] else { throw unbound(variable, origin) }
        return place
    }

    func keys(_ steps: [PathStep], _ origin: Origin) throws(QueryError) -> [String] {
        var keys: [String] = []
        for step in steps {
            switch step {
            case .key(let key): keys.append(key)
            case .variable(let variable): throw unbound(variable, origin)
            }
        }
        return keys
    }

    /// The place after some keys, with every step taken as single.
    func follow(_ start: Place, _ keys: [String], _ origin: Origin) throws(QueryError) -> Place? {
        var place = start
        for key in keys {
            guard let next = try step(place, key, origin) else { return nil }
            place = next
        }
        return place
    }

    private func unbound(_ variable: Variable, _ origin: Origin) -> QueryError {
        QueryError(
            .unboundVariable,
            "the variable $\(variable.name) has no value",
            at: origin,
            hint: "bind it before translating"
        )
    }
}

extension Term {
    /// True for terms that give lists.
    fileprivate var givesList: Bool {
        switch self {
        case .subquery, .list, .field: true
        case .path(let base, _, _): !base.isComputedValue
        case .aggregate(let aggregate, of: _, _, _): aggregate.givesList
        case .value, .variable, .index, .arithmetic, .negated, .call, .conditional, .cast, .assignment: false
        }
    }
}
