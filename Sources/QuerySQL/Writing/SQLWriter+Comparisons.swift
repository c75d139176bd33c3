import QueryMeaning
import QueryTree
import QueryValues

extension SQLWriter {
    func within(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        .twoValued(
            try called(
                CalledName.within,
                [try operand(comparison.right, scope), try location(comparison.left, scope)],
                comparison.origin
            )
        )
    }

    // MARK: Equality

    /// Both sides; a path compared with a list is the whole list that it may map to (S9, S11).
    func sides(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> (Operand, Operand) {
        var left = try compared(comparison.left, ordersContainers: !comparison.right.isScalarConstant, scope)
        var right = try compared(comparison.right, ordersContainers: !comparison.left.isScalarConstant, scope)
        let uses = comparison.uses
        if uses.left == .list { left = container(left) }
        if uses.right == .list { right = container(right) }
        if case .constant(.list, _) = right, let list = try mappedList(comparison.left, scope) { left = list }
        if case .constant(.list, _) = left, let list = try mappedList(comparison.right, scope) { right = list }
        return (left, right)
    }

    private func mappedList(_ term: Term, _ scope: Scope) throws(QueryError) -> Operand? {
        if case .call(.noindex, let arguments, _) = term, let inner = arguments.first {
            return try mappedList(inner, scope)
        }
        guard term.isPath, let place = try place(of: term, scope), place.isUncertain,
            case .json = place.site
        else { return nil }
        return .node(try listNode(term, scope), term.origin)
    }

    /// Compares a node with a constant.
    func equal(
        _ node: Node,
        _ value: QueryValue,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        if value.kind == .list || value.kind == .object {
            return try containerEqual(container(node), value, options, origin)
        }
        assumeSingle(node)
        let node = try dated(node, beside: value, origin)
        guard !node.isRow, let constant = try stored(value, for: node, origin) else { return .never }
        let isAsStored = isAsStored(origin, node, options)
        let test = isAsStored ? nil : kindTest(node, value.kind, constant.form)
        if let test, test.isFalse { return .never }
        if case .string(let text) = value, !isAsStored, !options.folding.isEmpty {
            let subject = folded(node.value, options)
            let folded = QueryValue.string(Folding.folded(text, options.folding))
            guard let test else { return Leaf(subject, "=", folded, opposite: "IS NOT") }
            return Leaf(.all(test, .compare(subject, "=", .bind(folded))))
        }
        if case .json(let type) = node.kinds, case .bool(let flag) = value, !node.isComputed {
            let word = SQLText.literal(flag ? "true" : "false")
            return Leaf(.compare(type, "=", word), fails: .compare(type, "IS NOT", word))
        }
        let spellings = spellings(of: constant, value, node)
        if spellings.count > 1 { return oneOf(spellings, value.kind, node, options) }
        guard let test, needsKindTest(node, constant) else {
            let leaf = Leaf(node.value, "=", constant.value, opposite: "IS NOT")
            let near = nearDates(node, from: value, to: value)
            return near.isTrue ? leaf : Leaf(.all(near, leaf.holds), fails: leaf.fails)
        }
        return Leaf(.all(.compare(node.value, "=", .bind(constant.value)), test))
    }

    /// True if equal SQL values can be of different kinds: 1 and true, a text and a list's JSON text (T4).
    func needsKindTest(_ node: Node, _ constant: StoredConstant) -> Bool {
        guard case .json = node.kinds else { return !node.mayHoldTexts || constant.form != .number }
        switch constant.value {
        case .int(let number): return number == 0 || number == 1
        case .double(let number): return number == 0 || number == 1
        case .string(let text):
            return text.utf8.first == UInt8(ascii: "[") || text.utf8.first == UInt8(ascii: "{")
        default: return true
        }
    }

    /// `node == nil` (S7, S8, T5).
    func nilTest(_ node: Node, _ meaning: NilMeaning, _ origin: Origin) throws(QueryError) -> Leaf {
        // It sees a list on the way.
        if node.isUndeclared { assumeSingle(node) }
        let value = node.asStored ?? node.value
        if node.isPresent { return .never }
        func isNull(_ value: SQLText) -> Leaf {
            let isNull = Leaf(value.followed(by: "IS NULL"), fails: value.followed(by: "IS NOT NULL"))
            let lists = node.onTheWay.map { kind in
                Leaf(.compare(kind, "IS NOT", .literal("array")), fails: .compare(kind, "IS", .literal("array")))
            }
            return lists.isEmpty ? isNull : .all([isNull] + lists)
        }
        if meaning == .nullOrAbsent || node.isComputed { return meaning == .absent ? .never : isNull(value) }
        if case .known(.null) = node.kinds { return meaning == .absent ? .always : .never }
        guard case .json(let type) = node.kinds, node.distinguishesAbsence else { throw absenceIsUnknown(origin) }
        return meaning == .absent
            ? isNull(type)
            : Leaf(.compare(type, "=", .literal("null")), fails: .compare(type, "IS NOT", .literal("null")))
    }

    /// Compares two nodes (S2, S7): both nil, or the same kind and value.
    func equal(_ left: Node, _ right: Node, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> Leaf {
        if left.isUndeclared, right.type.isList { return try equal(container(left), right, options, origin) }
        if right.isUndeclared, left.type.isList { return try equal(left, container(right), options, origin) }
        assumeSingle(left)
        assumeSingle(right)
        let bothNil = SQLText.all(left.value.followed(by: "IS NULL"), right.value.followed(by: "IS NULL"))
        if left.isForeignRow || right.isForeignRow {
            if left.isKnownScalar || right.isKnownScalar { return .twoValued(bothNil) }
            throw unsupported("rows of a table cannot be compared with each other", at: origin)
        }
        if let (a, b) = datesOfTwoForms(left, right) { return Leaf(.some(.compare(a.value, "=", b.value), bothNil)) }
        if left.holdsNumbers, right.holdsNumbers, options.folding.isEmpty {
            return Leaf(.compare(left.value, "IS", right.value), fails: .compare(left.value, "IS NOT", right.value))
        }
        switch (left.kinds, right.kinds) {
        case (.known(let a), .known(let b)) where a != b:
            return .twoValued(bothNil)
        case (.known(let kind), .known) where kind != .list && kind != .object:
            let (a, b) = (known(left, kind, options), known(right, kind, options))
            return Leaf(.compare(a, "IS", b), fails: .compare(a, "IS NOT", b))
        case (.storage, .storage) where options.folding.isEmpty:
            let (a, b) = (left.value.withoutAffinity, right.value.withoutAffinity)
            return Leaf(.compare(a, "IS", b), fails: .compare(a, "IS NOT", b))
        default: break
        }
        // Values that are equal in SQL can be of different kinds: 1 and true, a text and a list's JSON text (T4).
        let sameValue = SQLText.all(
            .compare(comparable(left, options), "IS", comparable(right, options)),
            .some(left.value.followed(by: "IS NULL"), sameKind(left, right))
        )
        guard let a = left.json, let b = right.json else { return .twoValued(sameValue) }
        var same = sameJSON(a, b)
        if !options.folding.isEmpty, case .json(let first) = left.kinds, case .json(let second) = right.kinds {
            let sides: [Operand] = [.node(plain(a, first), origin), .node(plain(b, second), origin)]
            same = try called(CalledName.same(options), sides, origin)
        }
        let kind = typeText(left)
        let areContainers = SQLText.all(.compare(kind, "IS", typeText(right)), kind.isOne(of: ["array", "object"]))
        return .twoValued(.some(sameValue, .all(areContainers, same)))
    }

    /// True if two values that are equal in SQL, and not nil, are of the same kind.
    private func sameKind(_ left: Node, _ right: Node) -> SQLText {
        if case .storage = left.kinds, case .storage = right.kinds { return .one }
        guard let (a, b) = plainKinds(left, right) else { return .compare(kindText(left), "=", kindText(right)) }
        return .some(.compare(a, "=", b), .all(a.isOne(of: Self.numbers), b.isOne(of: Self.numbers)))
    }

    /// The kinds of two values of JSON, if no declared type rules out that one is text and the other a number.
    private func plainKinds(_ left: Node, _ right: Node) -> (SQLText, SQLText)? {
        guard case .json(let a) = left.kinds, case .json(let b) = right.kinds,
            left.type == right.type || left.type.keptAsOther == nil && right.type.keptAsOther == nil
        else { return nil }
        return (a, b)
    }

    private static let numbers = ["integer", "real"]

    /// True if two values with an order in SQL have one as values (S2): they are of the same kind, not lists or objects.
    func haveOrder(_ left: Node, _ right: Node) -> SQLText {
        guard left.type.keptAsOther == nil, let (a, b) = plainKinds(left, right) else {
            let kind = kindText(left)
            let isScalar = kind.isIn([.literal("array"), .literal("object")], "NOT IN")
            return .all(.compare(kind, "=", kindText(right)), isScalar)
        }
        let both = SQLText.joined(a, .literal(" "), b)
        return both.isOne(of: Self.orderedKinds)
    }

    /// The kinds of two values of JSON with an order.
    private static let orderedKinds =
        ["text text"]
        + [numbers, ["true", "false"]].flatMap { kinds in kinds.flatMap { a in kinds.map { b in a + " " + b } } }

    /// The kind of a value as ``kindText(_:)`` gives it, where neither ints nor nil need to be known.
    private func typeText(_ node: Node) -> SQLText {
        if case .json(let type) = node.kinds, node.type.keptAsOther == nil { type } else { kindText(node) }
    }

    /// The value without affinity, with texts folded as the options require.
    func comparable(_ node: Node, _ options: StringOptions) -> SQLText {
        let plain: SQLText
        if case .json = node.kinds { plain = node.value } else { plain = node.value.withoutAffinity }
        if isUUIDText(node) {
            return .choice(of: kindText(node), [([Kind.uuid.rawValue], .call("lower", plain))], else: plain)
        }
        guard !options.folding.isEmpty else { return plain }
        if case .known(let kind) = node.kinds { return kind == .string ? folded(node.value, options) : plain }
        return .choice(of: typeText(node), [(["text"], folded(node.value, options))], else: plain)
    }

    /// True if two JSON texts represent the same value: numbers by value, keys in any order.
    func sameJSON(_ a: SQLText, _ b: SQLText) -> SQLText { SQLText.all(isCovered(a, by: b), isCovered(b, by: a)) }

    /// True if every path of `a` has the same kind and scalar in `b`.
    private func isCovered(_ a: SQLText, by b: SQLText) -> SQLText {
        let kind: SQLText = "replace(type, 'integer', 'real')"
        let rows = [a, b].map { SQLSelect(["fullkey", kind, "atom"], from: [.call("json_tree", $0)]) }
        return .phrase(["NOT EXISTS ", .rows(rows, "EXCEPT")], .not, need: max(a.need, b.need) + 12)
    }

    /// A container as JSON text with its kind, ignoring the schema.
    private func plain(_ json: SQLText, _ type: SQLText) -> Node { Node(value: json, kinds: .json(type)) }

    /// A list or object constant (S2: whole).
    private func containerEqual(
        _ node: Node,
        _ value: QueryValue,
        _ options: StringOptions,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        if node.json == nil, node.mayBeBytes { throw unknownList(origin) }
        assumeSingle(node)
        if node.isRow, value.kind == .object {
            throw unsupported("a whole row is not compared in SQL", at: origin, hint: "compare its fields")
        }
        guard !node.isRow, let json = node.json, case .json(let type) = node.kinds else { return .never }
        let isContainer = type.isOne(of: [value.kind == .list ? "array" : "object"])
        let text = SQLText.bind(.string(try jsonText(value, node.type, origin)))
        var same = sameJSON(json, text)
        if !options.folding.isEmpty, value.holdsText {
            let sides: [Operand] = [.node(plain(json, type), origin), .node(plain(text, .literal("array")), origin)]
            same = try called(CalledName.same(options), sides, origin)
        }
        return Leaf(.choice([(isContainer, same)], else: .zero))
    }
}
