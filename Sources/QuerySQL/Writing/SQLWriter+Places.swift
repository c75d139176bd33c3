import QueryChecking
import QueryTree
import QueryValues

// Following a path to where its value is stored (S9).

extension SQLWriter {
    var absent: Place.Site { .computed(.absent) }

    func enter(_ next: inout Place, _ place: Place, _ field: ResolvedPath.Step, _ origin: Origin) throws(QueryError) {
        switch place.site {
        case .row(let row):
            next.site = try site(row, field, origin)
            next.trigrams = try trigrams(row, field, origin)
            next.mayHoldTexts = row.storage.looseColumns.contains(field.storedName)
            if let key = row.storage.keyColumn(field.storedName, field.type) {
                next.keyColumn = KeyColumn(try dialect.column(key, of: row.alias, at: origin))
                next.isSingle = true
            }
        case .column:
            guard case .json(let text, let path, _) = container(place).site else { break }
            next.site = .json(text: text, path: try path.key(field.storedName, at: origin), when: nil)
            if place.undeclared != nil { next.onTheWay.append(place.throughJoins(.call("json_type", text))) }
        case .json(let text, let path, let guardian):
            next.site = .json(text: text, path: try path.key(field.storedName, at: origin), when: guardian)
            if place.name != nil && mayBeList(place) {
                next.onTheWay.append(place.throughJoins(.call("json_type", text, path.literal).when(guardian)))
            }
        case .element(let alias):
            next.site = .json(
                text: .column(of: alias, "value"),
                path: try JSONPath().key(field.storedName, at: origin),
                when: place.guardian(of: alias, "object")
            )
            // An element may be a list of objects.
            if place.elementOf != nil, mayBeList(place), case .json(let kind) = elementNode(place, alias).kinds {
                next.onTheWay.append(place.throughJoins(kind))
            }
        case .computed(let node):
            if let json = node.json {
                let path = try JSONPath().key(field.storedName, at: origin)
                next.site = .json(text: json, path: path, when: nil)
            } else {
                next.site = absent
            }
        }
    }

    private func site(_ row: TableRow, _ key: ResolvedPath.Step, _ origin: Origin) throws(QueryError) -> Place.Site {
        switch row.storage.layout {
        case .document(let column):
            let text = try dialect.column(column, of: row.alias, at: origin)
            return .json(text: text, path: try JSONPath().key(key.storedName, at: origin), when: nil)
        case .columns(let json):
            let column = try dialect.column(key.storedName, of: row.alias, at: origin)
            switch key.type {
            case .list, .object: return .document(column)
            case .any where json.contains(key.storedName): return .document(column)
            case .any, .string:
                return .column(row.storage.castColumns.contains(key.storedName) ? column.collated : column)
            case .bool, .int, .double, .date, .data, .uuid, .objectID:
                return .column(column)
            }
        }
    }

    func member(_ name: String, of document: SQLText, _ origin: Origin) throws(QueryError) -> SQLText {
        .call("json_extract", document, try JSONPath().key(name, at: origin).literal)
    }

    func position(of base: Term, _ index: Int, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Place? {
        guard var place = try place(of: base, scope) else { return nil }
        if !place.mayMap, base.isPath, place.isUncertain, case .json = place.site {
            (place.site, place.onTheWay) = (.computed(try mapped(read(place), base, scope)), [])
        }
        let isReachable = index < Self.lastPosition
        return try position(place, index < 0 ? "#-1" : isReachable ? String(index) : nil, origin)
    }

    /// A position in a list; nil for an index that no list has.
    private func position(_ place: Place, _ index: String?, _ origin: Origin) throws(QueryError) -> Place? {
        guard !place.mayMap, place.joins.isEmpty || !isRow(place) else { return nil }
        var next = place.withoutPosition
        guard let index else {
            next.site = .computed(.absent)
            return next
        }
        switch place.site {
        case .json(let text, let path, let guardian):
            next.site = .json(text: text, path: path.position(index), when: guardian)
        case .element(let alias):
            next.site = .json(
                text: .column(of: alias, "value"),
                path: JSONPath().position(index),
                when: place.guardian(of: alias, "array")
            )
        case .column:
            guard case .json(let text, let path, _) = container(place).site else {
                next.site = .computed(.absent)
                return next
            }
            next.site = .json(text: text, path: path.position(index), when: nil)
        case .row:
            return nil
        case .computed(let node):
            next.site =
                node.json.map { .json(text: $0, path: JSONPath().position(index), when: nil) } ?? .computed(.absent)
        }
        return next
    }

    private func isRow(_ place: Place) -> Bool { if case .row = place.site { true } else { false } }
}

extension SQLWriter {
    /// The value at a place, with the known facts about its kind.
    func read(_ place: Place) -> Node {
        if let key = place.keyColumn {
            return Node(value: key.text, kinds: .known(.string), type: place.type, name: place.name, isPresent: true)
        }
        return switch place.site {
        case .row(let row): rowNode(place, row)
        case .column(let column): inOneForm(columnNode(place, column))
        case .json(let text, let path, let guardian): inOneForm(jsonNode(place, text, path, guardian))
        case .element(let alias): inOneForm(elementNode(place, alias))
        case .computed(let node): node
        }
    }

    private func rowNode(_ place: Place, _ row: TableRow) -> Node {
        var node = Node(value: place.throughJoins(keyColumn(row.key, of: row.alias)), kinds: .known(.object))
        node.isRow = true
        node.type = place.type
        node.distinguishesAbsence = place.joins.isEmpty
        if case .document(let column) = row.storage.layout {
            node.value = keyColumn(column, of: row.alias)
            node.json = node.value
        }
        return node
    }

    private func keyColumn(_ key: String, of alias: String) -> SQLText {
        (try? dialect.column(key, of: alias)) ?? .column(of: alias, "rowid")
    }

    private func columnNode(_ place: Place, _ column: SQLText) -> Node {
        var node = Node(value: place.throughJoins(column), kinds: .storage, type: place.type)
        // A column of a related row is taken to hold single values, too.
        node.name = place.name ?? place.mappedName
        node.distinguishesAbsence = false
        node.trigrams = place.trigrams
        node.mayHoldTexts = place.mayHoldTexts && (node.type.kind == .number || node.type.kind == .date)
        if let kind = place.type.kind, !node.mayHoldTexts || kind == .date { node.kinds = .known(kind) }
        return node
    }

    private func jsonNode(_ place: Place, _ text: SQLText, _ path: JSONPath, _ guardian: JSONGuard?) -> Node {
        let value = SQLText.call("json_extract", text, path.literal).when(guardian)
        let kind = SQLText.call("json_type", text, path.literal).when(guardian)
        let json = SQLText.infix(text, "->", path.literal, .concatenation).when(guardian)
        return Node(
            value: place.throughJoins(value),
            kinds: .json(place.throughJoins(kind)),
            type: place.type,
            json: place.throughJoins(json),
            name: place.name,
            mappedName: place.mappedName,
            onTheWay: place.onTheWay
        )
    }

    /// `(alias.json -> alias.fullkey)`.
    static func jsonOfElement(_ alias: String) -> SQLText { .word("(" + alias + ".json -> " + alias + ".fullkey)") }

    private func elementNode(_ place: Place, _ alias: String) -> Node {
        var value = SQLText.column(of: alias, "value")
        var kind = SQLText.column(of: alias, "type")
        // The raw text in the list: json_quote() would round doubles to 15 digits.
        var text = Self.jsonOfElement(alias)
        if let single = place.single {
            let key = SQLText.column(of: alias, "key")
            value = .choice(of: key, [([""], single.value)], else: value)
            kind = .choice(of: key, [([""], single.kind)], else: kind)
            text = .choice(of: key, [([""], jsonText(of: single.value, single.kind))], else: text)
        }
        let json = SQLText.choice(of: kind, [(["array", "object"], value)], else: text)
        return Node(
            value: place.throughJoins(value),
            kinds: .json(place.throughJoins(kind)),
            type: place.type,
            json: place.throughJoins(json),
            mayHoldNul: place.mayHoldNul,
            mayBeBytes: place.mayBeBytes,
            name: place.name,
            mappedName: place.mappedName
        )
    }
}
