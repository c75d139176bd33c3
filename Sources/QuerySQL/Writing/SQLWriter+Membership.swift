import QueryChecking
import QueryTree
import QueryValues

// IN, CONTAINS and BETWEEN (S12, S13).

extension SQLWriter {
    /// One IN for each kind.
    func oneOf(_ list: ConstantList, _ node: Node) throws(QueryError) -> Leaf {
        let (values, options, origin) = (list.values, list.options, list.origin)
        assumeSingle(node)
        if values.count == 1, !values[0].isNull { return try equal(node, values[0], options, origin) }
        var leaves: [Leaf] = []
        var groups: [Kind: [StoredConstant]] = [:]
        var order: [Kind] = []
        var seen: Set<QueryValue> = []
        var dates: [QueryValue] = []
        for value in values where seen.insert(value).inserted {
            switch value {
            case .null: leaves.append(try nilTest(node, list.meaning, origin))
            case .list, .object, .bool: leaves.append(try equal(node, value, options, origin))
            case .date where !node.isRow:
                dates.append(value)
            case .int, .double, .string, .date, .data, .uuid, .shape:
                guard !node.isRow, var constant = try stored(value, for: node, origin) else { continue }
                if case .string(let text) = value, !options.folding.isEmpty {
                    constant.value = .string(Folding.folded(text, options.folding))
                }
                if groups[value.kind] == nil { order.append(value.kind) }
                groups[value.kind, default: []] += spellings(of: constant, value, node)
            }
        }
        if let first = dates.first {
            let dated = try dated(node, beside: first, origin)
            var group: [StoredConstant] = []
            for date in dates { if let date = try stored(date, for: dated, origin) { group.append(date) } }
            if !group.isEmpty { leaves.insert(oneOf(group, .date, dated, options), at: 0) }
        }
        for kind in order { if let group = groups[kind] { leaves.insert(oneOf(group, kind, node, options), at: 0) } }
        return leaves.isEmpty ? .never : .some(leaves)
    }

    /// A constant as it may be kept: a UUID in lower or in upper case, as Swift writes them (S5).
    func spellings(of constant: StoredConstant, _ value: QueryValue, _ node: Node) -> [StoredConstant] {
        guard case .uuid(let uuid) = value, isUUIDText(node) else { return [constant] }
        return [constant, StoredConstant(value: .string(uuid.uuidString), form: constant.form)]
    }

    /// True for a value that is declared to be a UUID, whose text may be in either case.
    func isUUIDText(_ node: Node) -> Bool {
        if case .storage = node.kinds { false } else { node.type == .uuid }
    }

    /// A value of a known kind as it is compared: a text folded as the options require, a UUID in lower case.
    func known(_ node: Node, _ kind: Kind, _ options: StringOptions) -> SQLText {
        kind == .string ? folded(node.value, options) : isUUIDText(node) ? .call("lower", node.value) : node.value
    }

    func oneOf(_ group: [StoredConstant], _ kind: Kind, _ node: Node, _ options: StringOptions) -> Leaf {
        guard let form = group.first?.form else { return .never }
        let test = kindTest(node, kind, form)
        if let test, test.isFalse { return .never }
        let subject = kind == .string ? folded(node.value, options) : node.value
        let isIn =
            group.count >= dialect.longList ? longList(subject, group) : subject.isIn(group.map { .bind($0.value) })
        let column = group.count < dialect.longList ? subject.uncollated : nil
        let found = column.map { .all($0.isIn(group.map { .bind($0.value) }), isIn) } ?? isIn
        // A fold makes texts of numbers.
        let isFolded = kind == .string && !options.folding.isEmpty
        guard let test, isFolded || group.contains(where: { needsKindTest(node, $0) }) else { return Leaf(found) }
        return Leaf(.all(found, test))
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
            let list = SQLText.bind(.string(JSONWriter().text(.list(inJSON))))
            pieces.append(subject.isIn(SQLSelect([.word("value")], from: [.call("json_each", list)])))
        }
        return .some(pieces)
    }

    // MARK: Stored containers

    func asText(_ node: Node, beside other: Operand, _ origin: Origin) -> (node: Node, isText: SQLText)? {
        if case .known(.string) = node.kinds { return (node, .one) }
        return textTest(node).map { (node, $0) }
    }

    // MARK: BETWEEN

    func between(_ subject: Operand, stored bounds: Term, _ scope: Scope) throws(QueryError) -> Leaf {
        let found = try place(of: bounds, scope)
        if let list = found.map(container), !list.isUncertain, case .json(let text, let path, let guardian) = list.site
        {
            let length = SQLText.call("json_array_length", text, path.literal).when(guardian)
            return try between(subject, list, list.throughJoins(length), bounds.origin)
        }
        // The bounds are a computed list, such as one that a path maps to (S9).
        var bound = try operand(bounds, scope)
        if let found, found.isUncertain, case .json = found.site {
            bound = .node(try listNode(bounds, scope), bounds.origin)
        }
        guard case .node(let given, let origin) = bound else { return .never }
        let node = container(given)
        guard let json = node.json, case .json(let type) = node.kinds else { return .never }
        let length = SQLText.choice(of: type, [(["array"], .call("json_array_length", json))])
        return try between(subject, Place(site: .document(json), type: node.type), length, origin)
    }

    /// The bounds are the elements of a list of this length.
    private func between(
        _ subject: Operand,
        _ list: Place,
        _ length: SQLText,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        guard case .json(let text, let path, let guardian) = list.site else { return .never }
        let sides = [0, 1].map { position -> Operand in
            var bound = list
            bound.site = .json(text: text, path: path.position(String(position)), when: guardian)
            bound.type = list.type.element
            bound.name = nil
            return .node(read(bound), origin)
        }
        let inside = try within(subject, sides[0], sides[1])
        return Leaf(.all(.compare(length, "=", .number(2)), inside.holds))
    }

    /// `x BETWEEN ? AND ?` if both bounds are of one kind.
    func shortBetween(_ subject: Operand, _ low: Operand, _ high: Operand) throws(QueryError) -> Leaf? {
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
        let test = node.mayHoldTexts && a.form == .number ? .one : kindTest(node, first.kind, a.form) ?? .one
        if test.isFalse { return .never }
        let between = SQLText.all(.between(node.value, .bind(a.value), .bind(b.value)), test)
        return Leaf(.all(nearDates(node, from: first, to: last), between), fails: between.isNotTrue)
    }
}
