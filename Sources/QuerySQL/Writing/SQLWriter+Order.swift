import QueryTree
import QueryValues

extension SQLWriter {
    /// The ORDER BY terms of one key (S22): by kind rank if kinds may mix, then by value.
    ///
    /// A field in `kinds` has only that kind, so an index on its value serves a range and the order alike.
    func sorting(
        _ key: SortKey,
        _ scope: Scope,
        _ kinds: [FieldPath: Kind],
        in use: FieldUse
    ) throws(QueryError) -> [SQLText] {
        let path = key.field ?? key.path
        var node = read(try place(of: path, scope, in: use))
        if case .json = node.kinds, let kind = kinds[path] {
            // JSON keeps dates of no declared form as texts.
            node.kinds = .known(node.type.kind ?? (kind == .date ? .string : kind))
        }
        return sorting(node, isAscending: key.isAscending, key.options)
    }

    func sorting(_ node: Node, isAscending: Bool, _ options: StringOptions) -> [SQLText] {
        assumeSingle(node)
        var pieces = [sortable(node, options)]
        let rank = rank(node)
        if !rank.isTrue { pieces.insert(rank, at: 0) }
        return pieces.map { $0.sorted(isAscending ? "" : "DESC") }
    }

    /// A value that SQL sorts as the language does: texts folded, lists and objects by a binary key.
    private func sortable(_ node: Node, _ options: StringOptions) -> SQLText {
        let text: (when: [String], then: SQLText) = (["text"], folded(node.value, options))
        switch node.kinds {
        case .known(let kind):
            return kind == .string ? text.then : node.value
        case .storage:
            if options.folding.isEmpty { return node.value }
            return .choice(of: .call("typeof", node.value), [text], else: node.value)
        case .json(let type):
            var branches = options.folding.isEmpty ? [] : [text]
            if node.type.mayHoldContainers, let function = dialect.callFunction {
                let name = SQLText.literal(CalledName.orderKey(options))
                branches.append((["array", "object"], call(function, name, type, node.value)))
            }
            return branches.isEmpty ? node.value : .choice(of: type, branches, else: node.value)
        }
    }

    /// A JSON object of the named fields that are present, in document order (S21).
    func projection(_ fields: [FieldPath], _ scope: Scope, _ column: String) throws(QueryError) -> SQLText {
        guard case .row(let row) = scope.row.site else { throw unsupported("no row", at: .none) }
        var tree = FieldTree()
        for field in fields { tree.insert((scope.row.type.resolve(field.keys)?.storedKeys ?? field.keys)[...]) }
        return try projected(tree, try dialect.column(column, of: row.alias)).named(try dialect.quoted(column))
    }

    private func projected(_ tree: FieldTree, _ object: SQLText) throws(QueryError) -> SQLText {
        let element = try alias("f")
        let key = SQLText.word(element + ".key")
        let type = SQLText.word(element + ".type")
        let value = SQLText.word(element + ".value")
        var branches: [(when: SQLText, then: SQLText)] = []
        var isWanted: [SQLText] = []
        for (name, inner) in tree.children {
            let isNamed = SQLText.compare(key, "=", .bind(.string(name)))
            if inner.isWhole {
                isWanted.append(isNamed)
                continue
            }
            let nested = try projected(inner, value)
            let item = try alias("i")
            let listed = try projected(inner, .word(item + ".value"))
            let isItem = SQLText.compare(.word(item + ".type"), "=", .literal("object"))
            let list = group(.call("json_group_array", .call("json", listed)), of: value, item, where: isItem)
            let isList = SQLText.compare(type, "=", .literal("array"))
            let isObject = SQLText.compare(type, "=", .literal("object"))
            // An object without any of the fields, and a scalar where an object should be, are omitted.
            let hasAny = SQLText.choice(of: type, [(["object"], .compare(nested, "<>", .literal("{}")))], else: isList)
            isWanted.append(.all(isNamed, hasAny))
            branches.append((.all(isNamed, isObject), .call("json", nested)))
            branches.append((.all(isNamed, isList), .call("json", list)))
        }
        let plain = SQLText.call(
            "json",
            .choice(
                of: type,
                [
                    (["array", "object"], value), (["true"], .literal("true")), (["false"], .literal("false")),
                    // json_quote() rounds doubles to 15 digits.
                    (["real"], Self.jsonOfElement(element)),
                ],
                else: .call("json_quote", value)
            )
        )
        let content = branches.isEmpty ? plain : SQLText.choice(branches, else: plain)
        return group(.call("json_group_object", key, content), of: object, element, where: .some(isWanted))
    }

    private func group(_ what: SQLText, of list: SQLText, _ alias: String, where condition: SQLText) -> SQLText {
        let select = SQLSelect([what], from: [.item("json_each", list, alias)], where: condition)
        return .phrase([select.piece.parenthesized], need: max(what.need + 5, list.need + 10, condition.need + 10))
    }
}

/// Paths as a tree of keys in order of first occurrence.
private struct FieldTree {
    var children: [(name: String, tree: FieldTree)] = []
    private var places: [UTF8Key: Int] = [:]
    /// True if the value is wanted whole.
    var isWhole = false

    mutating func insert(_ keys: ArraySlice<String>) {
        guard let key = keys.first else {
            isWhole = true
            return
        }
        let index = places[UTF8Key(key)] ?? children.count
        if index == children.count {
            places[UTF8Key(key)] = index
            children.append((key, FieldTree()))
        }
        children[index].tree.insert(keys.dropFirst())
    }
}

extension Condition {
    /// The fields that have one kind in all rows that satisfy the condition: the known ones, and by its comparisons.
    func kindsOfFields(and known: [FieldPath: Kind]) -> [FieldPath: Kind] {
        var kinds = known
        addKinds(to: &kinds)
        return kinds
    }

    private func addKinds(to kinds: inout [FieldPath: Kind]) {
        switch self {
        case .and(let parts): for part in parts { part.addKinds(to: &kinds) }
        case .comparison(let comparison):
            let asked = comparison.withConstantOnTheRight
            guard asked.quantifier == nil, case .field(let path, _) = asked.left else { return }
            if let kind = asked.kindOfLeft { kinds[path] = kind }
        case .constant, .or, .not: return
        }
    }
}

extension Comparison {
    /// The kind that the left side must have; nil if it may have several, be nil, a list or an object.
    fileprivate var kindOfLeft: Kind? {
        switch self.operator {
        case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual: right.constantValue?.kindOfScalar
        case .in, .between:
            if case .list(let values)? = right.constantValue, let kind = values.first?.kindOfScalar,
                values.allSatisfy({ $0.kind == kind })
            {
                kind
            } else {
                nil
            }
        case .beginsWith, .endsWith, .like, .matches: .string
        case .notEqual, .contains, .geoWithin: nil
        }
    }
}

extension QueryValue {
    /// The kind of what is neither nil nor a list nor an object.
    fileprivate var kindOfScalar: Kind? {
        switch kind {
        case .number, .string, .bool, .date, .uuid, .data: kind
        case .null, .list, .object, .shape: nil
        }
    }
}
