import QueryTree
import QueryValues

extension SQLWriter {
    /// A term as a constant or as SQL for a scalar.
    func operand(_ term: Term, _ scope: Scope) throws(QueryError) -> Operand {
        if let value = term.constantValue { return .constant(value, term.origin) }
        if let column = try knownColumn(term, scope) { return .node(column, term.origin) }
        if case .path(let base, let steps, let origin) = term, base.isComputedValue, try place(of: base, scope) == nil {
            return try withValue(of: base, scope) { (value, inner) throws(QueryError) in
                try self.operand(.path(value, steps, origin), inner)
            }
        }
        let operand = try unchecked(term, scope)
        // Some forms repeat their operand, so a nested term is rejected before its text doubles once more.
        if case .node(let node, let origin) = operand { try check(term: node.value, at: origin) }
        return operand
    }

    func negatedNode(_ inner: Term, _ scope: Scope) throws(QueryError) -> Node {
        let number = try number(inner, scope)
        return .number(number.value.negated, number.type)
    }

    func scalar(_ column: SQLText, _ kind: Kind, _ field: ResolvedPath.Step, of row: TableRow, _ key: String) -> Node? {
        inOneForm(Node(value: column, kinds: .known(kind), type: field.type, distinguishesAbsence: false))
    }

    /// A list as one JSON text, nil if it is nil; elements in order.
    func listNode(_ term: Term, _ scope: Scope) throws(QueryError) -> Node {
        let chain = try collection(of: term, scope)
        if chain.isList.isFalse { return term.isPath ? .absent : .none }
        try checkOrdered(chain, term.origin)
        let element = read(chain.element)
        if chain.element.mayBeBytes { throw mayBeBytes(term.origin) }
        guard !chain.from.isEmpty, chain.link == nil, case .json = element.kinds, let json = element.json else {
            let hint = "use ANY, ALL, an aggregate or SUBQUERY"
            throw unsupported("rows of another table are not a single value", at: term.origin, hint: hint)
        }
        let list = select(.call("json_group_array", .call("json", json)), chain)
        let value = chain.isList.isTrue ? list : SQLText.choice([(chain.isList, list)])
        let type = SQLText.choice([(chain.isList, .literal("array"))])
        return Node(value: value, kinds: .json(type), type: .list(.any), json: value, isComputed: !term.isPath)
    }

    private func checkOrdered(_ chain: Collection, _ origin: Origin) throws(QueryError) {
        guard chain.isSet || chain.isUnordered else { return }
        throw unsupported("a list of distinct values is not a single value in SQL", at: origin)
    }

    /// The value of a path that a list on the way turns into a list (S9).
    func mapped(_ node: Node, _ term: Term, _ scope: Scope) throws(QueryError) -> Node {
        let chain = try collection(of: term, scope)
        guard case .json(let kind) = node.kinds, let json = node.json, !chain.isList.isFalse,
            let element = read(chain.element).json
        else { return node }
        try checkOrdered(chain, term.origin)
        var chosen = node
        let list = select(.call("json_group_array", .call("json", element)), chain)
        chosen.value = .choice([(chain.isList, list)], else: node.value)
        chosen.kinds = .json(.choice([(chain.isList, .literal("array"))], else: kind))
        chosen.json = .choice([(chain.isList, list)], else: json)
        return chosen
    }

    // MARK: Numbers

    /// A term as a number; NULL for nil and non-numbers (S17).
    func number(_ term: Term, _ scope: Scope) throws(QueryError) -> (value: SQLText, type: FieldType) {
        switch try operand(term, ordersContainers: false, scope) {
        case .constant(.int(let value), _): return (.bind(.int(value)), .int)
        case .constant(.double(let value), _): return (value.isNaN ? .null : .bind(.double(value)), .double)
        case .constant: return (.null, .double)
        case .node(let node, _):
            assumeSingle(node)
            return (numeric(node), node.type)
        }
    }

    /// The node's value if it is a number, else NULL.
    func numeric(_ node: Node) -> SQLText {
        if node.mayHoldTexts { return .choice([(Self.isNumber(node.value), node.value)]) }
        guard let test = kindTest(node, .number, .number) else { return node.value }
        return test.isFalse ? .null : .choice([(test, node.value)])
    }

    func arithmeticNode(_ chain: Arithmetic, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node {
        try arithmetic(of: chain.rest.count, at: origin) { () throws(QueryError) in
            try calculated(chain, origin, scope)
        }
    }

    private func calculated(_ chain: Arithmetic, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node {
        var (value, type) = try number(chain.first, scope)
        for link in chain.rest {
            let right = try number(link.operand, scope)
            if right.type != .int { type = .double }
            switch link.operation {
            case .add: value = .infix(value, "+", right.value, .sum)
            case .subtract: value = .infix(value, "-", right.value, .sum)
            case .multiply: value = .infix(value, "*", right.value, .product)
            case .divide: value = .infix(value, "/", right.value, .product)
            case .power:
                value = try math("pow", [value, right.value], origin)
                type = .double
            case .union, .intersect, .minus: throw setIsNoValue(origin)
            }
        }
        return .number(value, type)
    }

    func math(_ name: String, _ arguments: [SQLText], _ origin: Origin) throws(QueryError) -> SQLText {
        guard dialect.hasMathFunctions else {
            throw unsupported("this store's SQL has no \(name) function", at: origin)
        }
        return .call(name, arguments)
    }

    // MARK: Cast

    func castNode(_ inner: Term, _ target: CastTarget, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node {
        let value = try operand(inner, scope)
        if case .node(let node, _) = value, case .known(let kind) = node.kinds {
            switch (target, kind) {
            case (.number, .number), (.string, .string), (.date, .date), (.uuid, .uuid):
                return node
            default: break
            }
        }
        if case .node(let node, _) = value {
            if node.isRow { throw unsupported("a row of a table cannot be cast", at: origin) }
            assumeSingle(node)
        }
        let result = try called(CalledName.cast(target), [value], origin)
        switch target {
        case .number, .decimal: return .number(result)
        case .string: return .text(result)
        case .date:
            return Node(value: result, kinds: .known(.date), type: .date(.iso8601Milliseconds), isComputed: true)
        case .uuid: return Node(value: result, kinds: .known(.uuid), type: .uuid, isComputed: true)
        }
    }

    // MARK: Constants as JSON

    /// The JSON text of a list or object, with its dates and UUIDs in the field's form.
    func jsonText(_ value: QueryValue, _ type: FieldType, _ origin: Origin) throws(QueryError) -> String {
        JSONWriter().text(try SQLConstant.json(value, type, origin, keepsDigits: false))
    }
}

extension Term {
    /// True for terms that are absent if a step is missing (S8).
    var isPath: Bool {
        switch self {
        case .field, .path: true
        case .value, .list, .variable, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast,
            .assignment:
            false
        }
    }
}
