import QueryTree
import QueryValues

// Columns whose kind nobody declared: used as a list, the JSON text of a list is that list, and anything else a single
// value (S10, S11).

extension Place {
    /// The column where no schema says what it holds; nil for every other place.
    var undeclared: SQLText? {
        if case .column(let column) = site, case .any = type { column } else { nil }
    }

    /// The path by which assumptions name the place.
    fileprivate var assumedName: [String]? { name ?? mappedName ?? elementOf }
}

extension SQLWriter {
    /// The JSON text that a column holds; NULL where it holds anything else.
    private static func jsonText(in column: SQLText) -> SQLText {
        let isText = SQLText.compare(.call("typeof", column), "=", .literal("text"))
        return .choice([(.all(isText, .call("json_valid", column)), column)])
    }

    /// `array` for the JSON text of a list, `object` for that of an object.
    private static func jsonKind(of column: SQLText) -> SQLText { .call("json_type", jsonText(in: column)) }

    private func assumeJSON(_ name: [String]?) {
        if let name, !name.isEmpty { assume(.json(name.joined(separator: "."))) }
    }

    /// A place with keys and positions behind it: of a column that nobody declared, its JSON text.
    func container(_ place: Place) -> Place {
        guard let column = place.undeclared else { return place }
        assumeJSON(place.assumedName)
        var text = place
        text.site = .json(text: Self.jsonText(in: column), path: JSONPath(), when: nil)
        text.trigrams = nil
        return text
    }

    /// The value of a column that nobody declared, with the kind that its JSON text gives it; every other as it is.
    func container(_ node: Node) -> Node {
        guard node.isStorage, case .any = node.type else { return node }
        assumeJSON(node.name ?? node.mappedName)
        var json = node
        json.kinds = .json(
            .choice(
                of: Self.jsonKind(of: node.value),
                [(["array"], .literal("array")), (["object"], .literal("object"))],
                else: .call("typeof", node.value)
            )
        )
        json.json = Self.jsonText(in: node.value)
        (json.name, json.mappedName) = (nil, node.name ?? node.mappedName)
        json.mayHoldNul = true
        json.mayBeBytes = true
        return json
    }

    /// Rejects to take for a list what is computed of columns that nobody declared.
    func unknownList(_ origin: Origin) -> QueryError {
        unsupported(
            "nothing says whether this value is a list",
            at: origin,
            hint: "declare the columns in a schema, or as JSON by storage: .columns(json: …)"
        )
    }

    /// The elements of a column that nobody declared: those of its list, or the one value, or none for nil.
    ///
    /// A single value has a row of its own, whose key is a text as no position in a list is.
    func elements(ofUndeclared place: Place) throws(QueryError) -> Chain {
        assumeJSON(place.assumedName)
        let column = read(place).value
        return try elements(of: column, Self.jsonKind(of: column), .call("typeof", column), place.assumedName)
    }

    /// The elements of what such an element is in turn.
    func elements(ofSingle place: Place) throws(QueryError) -> Chain? {
        guard place.single != nil, case .json(let kind) = read(place).kinds else { return nil }
        return try elements(of: read(place).value, kind, kind, place.assumedName)
    }

    /// `kind` is `array` and `object` for lists and objects; `single` is the kind where the value is neither.
    private func elements(
        of column: SQLText,
        _ kind: SQLText,
        _ single: SQLText,
        _ name: [String]?
    ) throws(QueryError) -> Chain {
        let alias = try alias("e")
        let object = SQLText.infix(
            .infix(.literal("["), "||", column, .concatenation),
            "||",
            .literal("]"),
            .concatenation
        )
        let row = SQLText.choice([(column.followed(by: "IS NOT NULL"), .literal("{\"\":0}"))])
        let list = SQLText.choice(of: kind, [(["array"], column), (["object"], object)], else: row)
        var element = Place(site: .element(alias: alias), type: .any)
        element.single = Place.Single(value: column, kind: single)
        element.mayHoldNul = true
        element.mayBeBytes = true
        element.mappedName = name
        var chain = Chain(
            from: [.item("json_each", list, alias)],
            conditions: [],
            element: element,
            isList: .compare(kind, "=", .literal("array"))
        )
        chain.ofLists = .item("json_each", .choice(of: kind, [(["array"], column)]), alias)
        return chain
    }

    /// The elements of a list alone, among which no single value is; nil where the chain is not of such a column.
    func onlyOfLists(_ chain: Chain) -> Chain? {
        guard let item = chain.ofLists, chain.element.single != nil, chain.from.count == 1 else { return nil }
        var lists = chain
        lists.from = [item]
        lists.element.single = nil
        lists.element.mayHoldNul = false
        lists.element.mayBeBytes = false
        return lists
    }

    /// The elements as a table of their own: SQLite's ORDER BY sees no columns of an outer SELECT.
    func inTable(_ chain: Chain) throws(QueryError) -> Chain {
        let node = read(chain.element)
        guard chain.element.single != nil, let json = node.json, case .json(let kind) = node.kinds else { return chain }
        let pieces = [node.value.named("value"), kind.named("type"), json.named("json")]
        let columns = SQLText(
            pieces.map(\.text).joined(separator: ", ") + ", '$' AS fullkey",
            pieces.flatMap(\.bindings),
            need: (pieces.map(\.need).max() ?? 0) + 4
        )
        let alias = try alias("e")
        let table = select(columns, chain)
        var element = chain.element
        element.site = .element(alias: alias)
        element.single = nil
        element.hasAtoms = false
        return Chain(
            from: [SQLText(table.text + " AS " + alias, table.bindings, need: table.need)],
            conditions: [],
            element: element,
            isList: chain.isList
        )
    }

    /// The number of elements of the list that a column holds; NULL where it holds none.
    func count(ofUndeclared place: Place) -> SQLText {
        assumeJSON(place.assumedName)
        let column = read(place).value
        return .choice(of: Self.jsonKind(of: column), [(["array"], .call("json_array_length", column))])
    }

    /// `subject IN column`: an element of its list, a part of its text, or its one value (S12).
    ///
    /// A text is searched unchanged where it is not a list.
    func membership(
        of subject: Operand,
        inUndeclared place: Place,
        _ comparison: Comparison,
        _ origin: Origin
    ) throws(QueryError) -> Leaf {
        assumeJSON(place.assumedName)
        var column = read(place)
        (column.name, column.mappedName) = (nil, place.assumedName)
        let alias = try alias("e")
        let list = Chain(
            from: [.item("json_each", column.value, alias)],
            conditions: [],
            element: Place(site: .element(alias: alias), type: .any, mappedName: place.assumedName),
            isList: .one
        )
        let element = Operand.node(read(list.element), origin)
        let isElement = exists(list, try equal(subject, element, comparison.options, asks: false).holds)
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
        let within = try containsText(.node(column, origin), subject, comparison.options).holds
        if case .constant(.string, _) = subject { return within }
        let value = Operand.node(container(column), origin)
        let same = try equal(subject, value, comparison.options, asks: false).holds
        let equal = SQLText.all(column.value.followed(by: "IS NOT NULL"), same)
        guard let isText = textTest(column), !isText.isFalse else { return equal }
        return .choice([(isText, within)], else: equal)
    }
}
