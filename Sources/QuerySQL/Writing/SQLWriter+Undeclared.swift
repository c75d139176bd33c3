import QueryTree
import QueryValues

// Undeclared columns: used as a list, the JSON text of a list is that list, and anything else a single value (S10,
// S11).

extension SQLPlace {
    /// The column if no schema declares it; nil for every other place.
    var undeclared: SQLText? { if case .column(let column) = site, case .any = type { column } else { nil } }

    /// The path that assumptions use to name the place.
    fileprivate var assumedName: [String]? { name ?? mappedName ?? elementOf }
}

extension SQLWriter {
    /// The JSON text in a column; NULL if it holds anything else.
    private static func jsonText(in column: SQLText) -> SQLText {
        let isText = SQLText.compare(.call("typeof", column), "=", .literal("text"))
        return .choice([(.all(isText, .call("json_valid", column)), column)])
    }

    /// `array` for the JSON text of a list, `object` for that of an object.
    private static func jsonKind(of column: SQLText) -> SQLText { .call("json_type", jsonText(in: column)) }

    private func assumeJSON(_ name: [String]?) {
        if let name, !name.isEmpty { assume(.json(name.joined(separator: "."))) }
    }

    /// A place that keys and indexes can enter: for an undeclared column, its JSON text.
    func container(_ place: Place) -> Place {
        guard let column = place.undeclared else { return place }
        assumeJSON(place.assumedName)
        var text = place
        text.site = .document(Self.jsonText(in: column))
        text.trigrams = nil
        return text
    }

    /// The value of an undeclared column with the kind from its JSON text; any other node unchanged.
    func container(_ node: Node) -> Node {
        guard node.isUndeclared, case .any = node.type else { return node }
        assumeJSON(node.assumedName)
        var json = node
        json.kinds = .json(
            .choice(
                of: Self.jsonKind(of: node.value),
                [(["array"], .literal("array")), (["object"], .literal("object"))],
                else: .call("typeof", node.value)
            )
        )
        json.json = Self.jsonText(in: node.value)
        (json.name, json.mappedName) = (nil, node.assumedName)
        json.mayHoldNul = true
        json.mayBeBytes = true
        return json
    }

    /// A side of a comparison that is used as a list.
    func container(_ side: Operand) -> Operand {
        guard case .node(let node, let origin) = side else { return side }
        return .node(container(node), origin)
    }

    /// `element IN list`; an undeclared column sought among lists is read as JSON for all of them.
    func sought(_ element: Term, in list: Term, _ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        let use = comparison.operator == .in ? comparison.uses.left : comparison.uses.right
        guard use == .list, let place = try place(of: element, scope), place.undeclared != nil else {
            return try membership(of: element, in: list, comparison, scope)
        }
        var node = self.container(read(place))
        // A TEXT column would turn a number beside it into a text.
        node.value = node.value.withoutAffinity
        let json = Variable("\u{0}json")
        var inner = scope
        inner.variables[json] = Place(site: .computed(node), type: .any)
        return try membership(of: .variable(json, element.origin), in: list, comparison, inner)
    }

    /// The error for using a value computed from undeclared columns as a list.
    func unknownList(_ origin: Origin) -> QueryError {
        unsupported(
            "it is unknown whether this value is a list",
            at: origin,
            hint: "declare the columns in a schema (pql: --schema), or as JSON with storage: .columns(json: …)"
        )
    }

    /// The elements of an undeclared column: those of its list, or its single value, or none for nil.
    ///
    /// A single value has a row of its own, whose key is a text, unlike a list's indexes.
    func elements(ofUndeclared place: Place, keepsNil: SQLText = .zero) throws(QueryError) -> Collection {
        assumeJSON(place.assumedName)
        let column = read(place).value
        let (kind, single) = (Self.jsonKind(of: column), SQLText.call("typeof", column))
        return try elements(of: column, kind, single, place.assumedName, keepsNil: keepsNil)
    }

    /// The elements of such an element.
    func elements(ofSingle place: Place) throws(QueryError) -> Collection? {
        guard place.single != nil, case .json(let kind) = read(place).kinds else { return nil }
        return try elements(of: read(place).value, kind, kind, place.assumedName)
    }

    /// `kind` is `array` or `object` for lists and objects; `single` is the kind of any other value.
    private func elements(
        of column: SQLText,
        _ kind: SQLText,
        _ single: SQLText,
        _ name: [String]?,
        keepsNil: SQLText = .zero
    ) throws(QueryError) -> Collection {
        let alias = try alias("e")
        let object = SQLText.joined(.literal("["), column, .literal("]"))
        var rows = [(column.followed(by: "IS NOT NULL"), SQLText.literal("{\"\":0}"))]
        if !keepsNil.isFalse { rows.append((keepsNil, .literal("[null]"))) }
        let row = SQLText.choice(rows)
        let list = SQLText.choice(of: kind, [(["array"], column), (["object"], object)], else: row)
        var element = Place(site: .element(alias: alias), type: .any)
        element.single = SingleValue(value: column, kind: single)
        element.mayHoldNul = true
        element.mayBeBytes = true
        element.mappedName = name
        var chain = Collection(
            from: [.item("json_each", list, alias)],
            element: element,
            isList: .compare(kind, "=", .literal("array"))
        )
        chain.ofLists = .item("json_each", .choice(of: kind, [(["array"], column)]), alias)
        return chain
    }

    /// The elements of lists only, without single values; nil if the chain is not of such a column.
    func onlyOfLists(_ chain: Collection) -> Collection? {
        guard let item = chain.ofLists, chain.element.single != nil, chain.from.count == 1 else { return nil }
        var lists = chain
        lists.from = [item]
        lists.element.single = nil
        lists.element.mayHoldNul = false
        lists.element.mayBeBytes = false
        return lists
    }

    /// The elements as a separate table, because SQLite's ORDER BY cannot see columns of an outer SELECT.
    func inTable(_ chain: Collection) throws(QueryError) -> Collection {
        let node = read(chain.element)
        guard chain.element.single != nil, let json = node.json, case .json(let kind) = node.kinds else { return chain }
        let alias = try alias("e")
        let table = select(Self.elementColumns(node.value, kind, json), from: chain)
        var element = chain.element
        element.site = .element(alias: alias)
        element.single = nil
        element.hasAtoms = false
        return Collection(from: [table.named(alias)], element: element, isList: chain.isList)
    }

    /// The number of elements of the list in a column; NULL if there is no list.
    func count(ofUndeclared place: Place) -> SQLText {
        assumeJSON(place.assumedName)
        let column = read(place).value
        return .choice(of: Self.jsonKind(of: column), [(["array"], .call("json_array_length", column))])
    }

    /// `subject IN column`: an element of its list, a substring of its text, or its single value (S12).
    ///
    /// A text that is not a list is searched unchanged.
    func membership(
        of subject: Operand,
        at place: Place,
        _ comparison: Comparison,
        _ origin: Origin
    ) throws(QueryError) -> Leaf? {
        guard place.undeclared != nil, place.trigrams == nil else { return nil }
        assumeJSON(place.assumedName)
        var column = read(place)
        (column.name, column.mappedName) = (nil, place.assumedName)
        let alias = try alias("e")
        let list = Collection(
            from: [.item("json_each", column.value, alias)],
            element: Place(site: .element(alias: alias), type: .any, mappedName: place.assumedName),
            isList: .one
        )
        let element = Operand.node(read(list.element), origin)
        let isElement = exists(list, try equal(subject, element, comparison.options).holds)
        let isList = SQLText.compare(Self.jsonKind(of: column.value), "=", .literal("array"))
        let single = try membership(of: subject, inValue: column, comparison, origin)
        return Leaf(.choice([(isList, isElement.holds)], else: single))
    }

    private func membership(
        of subject: Operand,
        inValue column: Node,
        _ comparison: Comparison,
        _ origin: Origin
    ) throws(QueryError) -> SQLText {
        let within = try containsText(.node(column, origin), subject, comparison).holds
        if case .constant(.string, _) = subject { return within }
        let value = Operand.node(container(column), origin)
        let same = try equal(subject, value, comparison.options).holds
        let equal = SQLText.all(column.value.followed(by: "IS NOT NULL"), same)
        guard let isText = textTest(column), !isText.isFalse else { return equal }
        return .choice([(isText, within)], else: equal)
    }
}
