import QueryChecking
import QueryTree
import QueryValues

// IN, CONTAINS and BETWEEN (S12, S13).

extension SQLWriter {
    /// `element IN container`, which is `container CONTAINS element`; with `usesNilMeaning`, nil in a list follows the
    /// query's nil meaning (S8).
    func membership(
        of element: Term,
        in container: Term,
        _ comparison: Comparison,
        _ scope: SQLScope,
        usesNilMeaning: Bool = true
    ) throws(QueryError) -> Leaf {
        switch container {
        case .list(let terms, _):
            return try listMembership(of: element, in: terms, comparison, scope, usesNilMeaning: usesNilMeaning)
        case .value(.null, _):
            return .never
        case .value(.string, _):
            return try containsText(
                try operand(container, scope),
                try operand(element, scope),
                comparison.options
            )
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

    /// `x IN a UNION b` is `x IN a OR x IN b`, and so on, if all are lists.
    private func setMembership(
        of element: Term,
        _ chain: Arithmetic,
        _ comparison: Comparison,
        _ scope: SQLScope
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
            if run.add(next, link.operation) { try check(term: run.start.holds, at: comparison.origin) }
        }
        let areLists = SQLText.all(lists)
        if areLists.isFalse { return .never }
        return areLists.isTrue ? run.whole : Leaf(.all(areLists, run.whole.holds))
    }

    /// True if an operand of a set operation is a list; with anything else there is no set.
    private func isWholeList(_ term: Term, _ scope: SQLScope) throws(QueryError) -> SQLText {
        if let value = term.constantValue { return .truth(value.kind == .list) }
        if case .arithmetic(let chain, _) = term, chain.rest.first?.operation.row.precedence == .set {
            let terms = [chain.first] + chain.rest.map(\.operand)
            return .all(try terms.map { (term) throws(QueryError) in try isWholeList(term, scope) })
        }
        return try collection(of: term, scope).isList
    }

    // MARK: Literal lists

    private func listMembership(
        of element: Term,
        in terms: [Term],
        _ comparison: Comparison,
        _ scope: SQLScope,
        usesNilMeaning: Bool
    ) throws(QueryError) -> Leaf {
        let container = terms.first { !$0.isScalarConstant }
        let subject = try compared(element, ordersContainers: container.map { !$0.isScalarConstant } ?? false, scope)
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

    /// Compares a node with a list of constants, one IN for each kind.
    private func oneOf(
        _ values: [QueryValue],
        _ node: SQLNode,
        _ options: StringOptions,
        usesNilMeaning: Bool,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        assumeSingle(node)
        if values.count == 1 { return try equal(node, values[0], options, usesNilMeaning: usesNilMeaning, origin) }
        var leaves: [Leaf] = []
        var groups: [Kind: [StoredConstant]] = [:]
        var order: [Kind] = []
        var seen: Set<QueryValue> = []
        var dates: [QueryValue] = []
        for value in values where seen.insert(value).inserted {
            switch value {
            case .null, .list, .object, .bool:
                leaves.append(try equal(node, value, options, usesNilMeaning: usesNilMeaning, origin))
            case .date where !node.isRow:
                dates.append(value)
            case .int, .double, .string, .date, .data, .uuid, .shape:
                guard !node.isRow, var constant = try stored(value, for: node, origin) else { continue }
                if case .string(let text) = value, !options.folding.isEmpty {
                    constant.value = .string(Folding.folded(text, options.folding))
                }
                if groups[value.kind] == nil { order.append(value.kind) }
                groups[value.kind, default: []].append(constant)
            }
        }
        if let first = dates.first {
            let dated = try dated(node, beside: first, origin)
            var group: [StoredConstant] = []
            for date in dates { if let date = try stored(date, for: dated, origin) { group.append(date) } }
            if !group.isEmpty { leaves.insert(oneOf(group, .date, dated, options), at: 0) }
        }
        for kind in order {
            if let group = groups[kind] { leaves.insert(oneOf(group, kind, node, options), at: 0) }
        }
        return leaves.isEmpty ? .never : .some(leaves)
    }

    private func oneOf(_ group: [StoredConstant], _ kind: Kind, _ node: SQLNode, _ options: StringOptions) -> Leaf {
        guard let form = group.first?.form else { return .never }
        let test = kindTest(node, kind, form)
        if let test, test.isFalse { return .never }
        let subject = kind == .string ? folded(node.value, options) : node.value
        let isIn =
            group.count >= dialect.longList ? longList(subject, group) : subject.isIn(group.map { .bind($0.value) })
        guard let test, kind != .number || needsTest(node, group) else {
            return Leaf(isIn)
        }
        return Leaf(.all(isIn, test))
    }

    private func needsTest(_ node: SQLNode, _ group: [StoredConstant]) -> Bool {
        guard case .json = node.kinds else { return true }
        return group.contains { constant in
            switch constant.value {
            case .int(let number): number == 0 || number == 1
            case .double(let number): number == 0 || number == 1
            default: true
            }
        }
    }

    /// One JSON list as one value: a cached statement whatever its length.
    ///
    /// Doubles are bound separately, because stores read decimal text with an error in the last digit.
    private func longList(_ subject: SQLText, _ group: [StoredConstant]) -> SQLText {
        var inJSON: [QueryValue] = []
        var apart: [SQLText] = []
        for constant in group {
            switch constant.value {
            case .int: inJSON.append(constant.value)
            case .string(let text) where !text.utf8.contains(0): inJSON.append(constant.value)
            default: apart.append(.bind(constant.value))
            }
        }
        var pieces: [SQLText] = []
        if !apart.isEmpty { pieces.append(subject.isIn(apart)) }
        if !inJSON.isEmpty {
            let inner = subject.above(.equality)
            pieces.append(
                SQLText(
                    inner.text + " IN (SELECT value FROM json_each(?))",
                    inner.bindings + [.string(JSONWriter().text(.list(inJSON)))],
                    precedence: .equality,
                    need: inner.need + 10
                )
            )
        }
        return .some(pieces)
    }

    // MARK: Stored containers

    private func storedMembership(
        of element: Term,
        in container: Term,
        _ comparison: Comparison,
        _ scope: SQLScope
    ) throws(QueryError) -> Leaf {
        let subject = try operand(element, scope)
        var text: SQLNode?
        if let place = try place(of: container, scope) {
            if place.undeclared != nil, place.trigrams == nil {
                return try membership(of: subject, inUndeclared: place, comparison, container.origin)
            }
            text = read(place)
        } else if !givesList(container), case .node(let node, _) = try operand(container, scope) {
            text = node
        }
        if let node = text, case .known(let kind) = node.kinds {
            if kind == .string { return try containsText(.node(node, container.origin), subject, comparison.options) }
        }
        let chain = try collection(of: container, scope, wanted: element.wantedAsElement)
        let found = try equal(
            subject,
            .node(read(chain.element), container.origin),
            comparison.options,
            usesNilMeaning: false
        )
        let isElement = exists(chain, found.holds)
        guard let node = text, let isText = textTest(node), !isText.isFalse else { return isElement }
        let within = try containsText(.node(node, container.origin), subject, comparison.options)
        if node.json == nil { assumeSingle(node) }
        let branches = [(isText, within.holds.isFalse ? SQLText.zero : within.holds)]
        return Leaf(.choice(branches, else: isElement.holds))
    }

    private func givesList(_ term: Term) -> Bool {
        switch term {
        case .subquery, .list, .field: true
        case .path(let base, _, _): !base.isComputedValue
        case .aggregate(let aggregate, of: _, _, _): aggregate.givesList
        case .value, .variable, .index, .arithmetic, .negated, .call, .conditional, .cast, .assignment: false
        }
    }

    // MARK: BETWEEN

    func between(_ comparison: Comparison, _ scope: SQLScope) throws(QueryError) -> Leaf {
        let subject = try compared(comparison.left, ordersContainers: false, scope)
        if case .list(let bounds, _) = comparison.right {
            guard bounds.count == 2 else { return .never }
            let low = try operand(bounds[0], scope)
            let high = try operand(bounds[1], scope)
            if let short = try shortBetween(subject, low, high) { return short }
            return try within(subject, low, high)
        }
        if case .value = comparison.right { return .never }
        guard let place = try place(of: comparison.right, scope).map(container), !place.isUncertain,
            case .json(let text, let path, let guardian) = place.site
        else { return try betweenComputed(subject, comparison.right, scope) }
        let bounds = [0, 1].map { position -> Operand in
            var bound = place
            bound.site = .json(text: text, path: path.position(String(position)), when: guardian)
            bound.type = place.type.element
            bound.name = nil
            return .node(read(bound), comparison.right.origin)
        }
        let length = SQLText.call("json_array_length", text, path.literal).when(guardian)
        let inside = try within(subject, bounds[0], bounds[1])
        return Leaf(.all(.compare(place.throughJoins(length), "=", .number(2)), inside.holds))
    }

    /// The bounds are a computed list, such as one that a path maps to (S9).
    private func betweenComputed(_ subject: Operand, _ bounds: Term, _ scope: SQLScope) throws(QueryError) -> Leaf {
        var bound = try operand(bounds, scope)
        if let place = try place(of: bounds, scope), place.isUncertain, case .json = place.site {
            bound = .node(try listNode(bounds, scope), bounds.origin)
        }
        guard case .node(let given, let origin) = bound else { return .never }
        let node = container(given)
        guard let json = node.json, case .json(let type) = node.kinds else { return .never }
        let sides = [0, 1].map { position -> Operand in
            let path = JSONPath().position(String(position))
            return .node(
                read(SQLPlace(site: .json(text: json, path: path, when: nil), type: node.type.element)),
                origin
            )
        }
        let length = SQLText.choice(of: type, [(["array"], .call("json_array_length", json))])
        let inside = try within(subject, sides[0], sides[1])
        return Leaf(.all(.compare(length, "=", .number(2)), inside.holds))
    }

    private func within(_ subject: Operand, _ low: Operand, _ high: Operand) throws(QueryError) -> Leaf {
        .all([
            try ordered(subject, .greaterOrEqual, low, [], nilEqualsNil: false),
            try ordered(subject, .lessOrEqual, high, [], nilEqualsNil: false),
        ])
    }

    /// `x BETWEEN ? AND ?` if both bounds are of one kind.
    private func shortBetween(_ subject: Operand, _ low: Operand, _ high: Operand) throws(QueryError) -> Leaf? {
        guard case .node(let given, let origin) = subject, case .constant(let first, _) = low,
            case .constant(let last, _) = high, first.kind == last.kind, !first.isNull, !given.isRow
        else { return nil }
        assumeSingle(given)
        let node = try dated(given, beside: first, origin)
        guard let a = try stored(first, for: node, origin), let b = try stored(last, for: node, origin) else {
            return .never
        }
        if a.isDateText, case .json = node.kinds { return nil }
        if case .storage = node.kinds, case .string = first { return nil }
        let test = kindTest(node, first.kind, a.form) ?? .one
        if test.isFalse { return .never }
        return Leaf(.all(.between(node.value, .bind(a.value), .bind(b.value)), test))
    }
}
