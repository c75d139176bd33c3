import QueryTree
import QueryValues

// Collections as the FROM of a subquery (S9, S10).

extension SQLWriter {
    func single(_ term: Term, _ scope: Scope) throws(QueryError) -> Collection {
        if let place = try place(of: term, scope) { return try asCollection(place) }
        switch try operand(term, scope) {
        case .node(let node, let origin):
            if node.json == nil, node.isUndeclared || node.mayBeBytes { throw unknownList(origin) }
            return try asCollection(Place(site: .computed(node), type: node.type))
        case .constant(let value, let origin):
            if value.kind == .list { return try constantList(value, origin) }
            let node = try constantNode(value, origin)
            return try asCollection(Place(site: .computed(node), type: node.type))
        }
    }

    func isPresent(_ term: Term, _ chain: Collection, _ scope: Scope) throws(QueryError) -> SQLText {
        guard let place = try place(of: term, scope) else {
            let isWorkedOut =
                if case .path(let base, _, _) = term { base.isComputedValue } else { term.isComputedValue }
            guard isWorkedOut else { return chain.isList }
            switch try operand(term, scope) {
            case .constant(let value, _): return .truth(!value.isNull)
            case .node(let node, _): return node.value.followed(by: "IS NOT NULL")
            }
        }
        let isSomething = read(place).value.followed(by: "IS NOT NULL")
        return .some(beginsAsList(place) ?? .zero, isSomething, chain.isUncertain ? chain.isList : .zero)
    }

    private func constantList(_ value: QueryValue, _ origin: Origin) throws(QueryError) -> Collection {
        let type = try elementType(of: value, origin)
        let element = try alias("e")
        let text = try jsonText(value, .list(type), origin)
        return Collection(
            from: [.item("json_each", .bind(.string(text)), element)],
            element: Place(site: .element(alias: element), type: type),
            isList: .one
        )
    }

    /// Dates and UUIDs are texts in JSON, so they can be compared only with their own kind.
    private func elementType(of list: QueryValue, _ origin: Origin) throws(QueryError) -> FieldType {
        guard case .list(let elements) = list else { return .any }
        let kinds = Set(elements.map(\.kind)).subtracting([.null])
        guard kinds.contains(.date) || kinds.contains(.uuid) else { return .any }
        guard kinds.count == 1 else { throw datesBesideOthers("list", origin) }
        return kinds.contains(.date) ? .date(.holding(elements)) : .uuid
    }

    // MARK: Walking

    func list(_ list: Term, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Collection {
        if let value = list.constantValue { return try constantList(value, origin) }
        guard case .list(let terms, _) = list else { return try single(list, scope) }
        return try computedList(terms, origin, scope)
    }

    func collection(computed path: Term, _ scope: Scope, _ wanted: WantedElements) throws(QueryError) -> Collection {
        guard case .path(let base, let steps, let origin) = path else { return try single(path, scope) }
        return try withValue(of: base, scope) { (value, inner) throws(QueryError) in
            try collection(of: .path(value, steps, origin), inner, wanted: wanted)
        }
    }

    func mayMap(over place: Place) -> Bool { mayBeList(place) || place.undeclared != nil }

    func isUndeclared(_ element: Place) -> Bool { element.undeclared != nil }

    func isList(inJSON place: Place) -> SQLText? {
        guard case .json(let type) = read(place).kinds else { return nil }
        return .compare(type, "=", .literal("array"))
    }

    func mayHoldList(_ site: Place.Site) -> Bool {
        switch site {
        case .json, .element: true
        case .computed(let node): node.json != nil
        case .row, .column: false
        }
    }

    func entering(_ chain: Collection, _ isMapped: SQLText, _ origin: Origin) throws(QueryError) -> Collection {
        var chain = try distinct(chain, origin)
        if chain.element.undeclared != nil {
            // The key is asked of the objects in the column's JSON text.
            let inner = try elements(ofUndeclared: chain.element, keepsNil: isMapped)
            chain.from += inner.from
            (chain.element, chain.ofLists) = (inner.element, nil)
        }
        return chain
    }

    func spliced(
        _ chain: Collection,
        _ isMapped: SQLText,
        _ origin: Origin
    ) throws(QueryError) -> (chain: Collection, isMapped: SQLText) {
        var chain = chain
        let next = chain.element
        let node = read(next)
        guard mayBeList(next), let json = node.json, case .json(let type) = node.kinds else {
            if !isMapped.isTrue { chain.checks.append(.some(isMapped, node.value.followed(by: "IS NOT NULL"))) }
            return (chain, isMapped)
        }
        let spliced = try alias("e")
        chain.from.append(.item("json_each", asList(json, type, keepsNil: isMapped), spliced))
        chain.element = Place(site: .element(alias: spliced), type: next.type.element)
        chain.element.mappedName = next.name ?? next.mappedName
        return (chain, .some(isMapped, .compare(type, "=", .literal("array"))))
    }

    /// JSON text of a list: the list itself, or the value as its only element; for nil `[null]` or nothing.
    func asList(_ json: SQLText, _ type: SQLText, keepsNil: SQLText) -> SQLText {
        let wrapped = SQLText.joined(.literal("["), json, .literal("]"))
        if keepsNil.isFalse { return .choice(of: type, [(["array"], json), (["null"], .null)], else: wrapped) }
        let kept = keepsNil.isTrue ? SQLText.literal("[null]") : .choice([(keepsNil, .literal("[null]"))])
        return .choice(of: type, [(["array"], json), (["null"], kept)], else: .call("coalesce", wrapped, kept))
    }

    func asCollection(_ place: Place) throws(QueryError) -> Collection {
        if place.undeclared != nil { return try elements(ofUndeclared: place) }
        if let elements = try elements(ofSingle: place) { return elements }
        let node = read(place)
        guard !place.isScalar, let json = node.json, case .json(let type) = node.kinds else {
            var element = place
            element.name = nil
            return Collection(
                from: [],
                conditions: [node.value.followed(by: "IS NOT NULL")],
                element: element,
                isList: .zero
            )
        }
        let element = try alias("e")
        var list = asList(json, type, keepsNil: .zero)
        if let text = place.wholeText, let isList = beginsAsList(place) { list = .choice([(isList, text)], else: list) }
        return Collection(
            from: [.item("json_each", list, element)],
            element: Place(site: .element(alias: element), type: place.type.element),
            isList: isList(place, type)
        )
    }

    /// True for a list; `type` is the place's kind by `json_type`.
    func isList(_ place: Place, _ type: SQLText) -> SQLText {
        .some(beginsAsList(place) ?? .zero, .compare(type, "=", .literal("array")))
    }

    /// True if the JSON text of a column starts with a bracket, so that it is a list or malformed, without parsing it.
    ///
    /// A list with leading space starts differently. Nil for every place inside a text.
    private func beginsAsList(_ place: Place) -> SQLText? {
        place.wholeText.map { .all(.compare($0, ">=", .literal("[")), .compare($0, "<", .literal("\\"))) }
    }
}
