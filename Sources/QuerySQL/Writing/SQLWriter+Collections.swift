import QueryTree
import QueryValues

// Collections as the FROM of a subquery (S9, S10).

extension SQLWriter {
    /// The elements of a term: those of a list, or the single value, or none for nil.
    ///
    /// If only scalars are wanted, nil, lists and objects may be omitted.
    func collection(
        of term: Term,
        _ scope: SQLScope,
        wanted: WantedElements = .all
    ) throws(QueryError) -> SQLCollection {
        switch term {
        case .field(let path, let origin):
            guard scope.results == nil else { return try single(term, scope) }
            var chain = try walk(scope.row, path.keys, wanted, origin)
            chain.element.elementOf = path.keys
            return named(chain, path.keys)
        case .path(let base, let steps, let origin):
            if let start = try place(of: base, scope) {
                let keys = try keys(steps, origin)
                return named(try walk(start, keys, wanted, origin), (start.name ?? start.mappedName).map { $0 + keys })
            }
            if base.isComputedValue {
                return try withValue(of: base, scope) { (value, inner) throws(QueryError) in
                    try collection(of: .path(value, steps, origin), inner, wanted: wanted)
                }
            }
            var chain = try collection(of: base, scope)
            for key in try keys(steps, origin) { chain = try mapped(chain, key, .one, origin).chain }
            return chain
        case .aggregate(let aggregate, of: let base, let path, let origin) where aggregate.givesList:
            return try united(collection(of: base, scope), path, aggregate, origin, scope)
        case .subquery(let subquery, _):
            var chain = try collection(of: subquery.collection, scope)
            var inner = scope
            inner.variables[subquery.variable] = chain.element
            chain.conditions.append(try holds(subquery.condition, inner))
            if !chain.isList.isTrue { chain.isList = try isPresent(subquery.collection, chain, scope) }
            chain.ofLists = nil
            return chain
        case .list(let terms, let origin):
            if let value = term.constantValue { return try constantList(value, origin) }
            return try computedList(terms, origin, scope)
        case .call(.noindex, let arguments, _) where arguments.count == 1:
            return try collection(of: arguments[0], scope, wanted: wanted)
        case .value, .variable, .index, .aggregate, .arithmetic, .negated, .call, .conditional, .cast, .assignment:
            return try single(term, scope)
        }
    }

    /// The collection with a name for assumptions: an undeclared column of related rows holds single values (S11).
    func named(_ chain: SQLCollection, _ name: [String]?) -> SQLCollection {
        var chain = chain
        chain.element.mappedName = name
        if chain.element.undeclared != nil, let name { assume(.single(name.joined(separator: "."))) }
        return chain
    }

    private func single(_ term: Term, _ scope: SQLScope) throws(QueryError) -> SQLCollection {
        if let place = try place(of: term, scope) { return try asCollection(place) }
        switch try operand(term, scope) {
        case .node(let node, let origin):
            if node.json == nil, node.isStorage || node.mayBeBytes { throw unknownList(origin) }
            return try asCollection(SQLPlace(site: .computed(node), type: node.type))
        case .constant(let value, let origin):
            if value.kind == .list { return try constantList(value, origin) }
            let node = try constantNode(value, origin)
            return try asCollection(SQLPlace(site: .computed(node), type: node.type))
        }
    }

    /// True when a collection is not nil: it is a list, or a single value.
    private func isPresent(_ term: Term, _ chain: SQLCollection, _ scope: SQLScope) throws(QueryError) -> SQLText {
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

    private func constantList(_ value: QueryValue, _ origin: Origin) throws(QueryError) -> SQLCollection {
        let type = try elementType(of: value, origin)
        let element = try alias("e")
        let text = try jsonText(value, .list(type), origin)
        return SQLCollection(
            from: [.item("json_each", .bind(.string(text)), element)],
            conditions: [],
            element: SQLPlace(site: .element(alias: element), type: type),
            isList: .one
        )
    }

    /// Dates and UUIDs are texts in JSON, so they can be compared only with their own kind.
    private func elementType(of list: QueryValue, _ origin: Origin) throws(QueryError) -> FieldType {
        guard case .list(let elements) = list else { return .any }
        let kinds = Set(elements.map(\.kind)).subtracting([.null])
        guard kinds.contains(.date) || kinds.contains(.uuid) else { return .any }
        guard kinds.count == 1 else { throw datesBesideOthers("list", origin) }
        return kinds.contains(.date) ? .date(.iso8601Milliseconds) : .uuid
    }

    // MARK: Walking

    /// The elements at the end of a path.
    private func walk(
        _ start: SQLPlace,
        _ keys: [String],
        _ wanted: WantedElements,
        _ origin: Origin
    ) throws(QueryError) -> SQLCollection {
        var place = start
        for (position, key) in keys.enumerated() {
            if mayBeList(place) || place.undeclared != nil, position > 0 || !place.isSingle {
                if wanted == .scalars, position + 1 == keys.count, let chain = try scalars(behind: key, of: place) {
                    return chain
                }
                return try mapping(place, Array(keys[position...]), origin)
            }
            if let field = place.type.step(key), let relation = field.relation,
                case .list(let element) = field.type
            {
                var chain = try children(of: place, relation, element, origin)
                for rest in keys[(position + 1)...] {
                    chain = try mapped(chain, rest, .one, origin, keepsMissing: wanted != .scalars).chain
                }
                return chain
            }
            guard let next = try step(place, key, origin) else {
                throw unsupported("this path cannot be followed in SQL", at: origin)
            }
            place = next
        }
        if wanted == .scalars, let chain = try scalars(at: place) { return chain }
        return try asCollection(place)
    }

    func mayBeList(_ place: SQLPlace) -> Bool {
        switch place.type {
        case .list: return true
        case .any:
            if place.isSingle { return false }
            switch place.site {
            case .json, .element: return true
            case .computed(let node): return node.json != nil
            case .row, .column: return false
            }
        case .object, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: return false
        }
    }

    /// Keys over what may be a list: each step maps and flattens.
    private func mapping(_ place: SQLPlace, _ keys: [String], _ origin: Origin) throws(QueryError) -> SQLCollection {
        var chain = try asCollection(place)
        var flag = chain.isList
        var lists = [chain.isList]
        var plain = place
        for key in keys {
            (chain, flag) = try mapped(chain, key, flag, origin)
            plain.type = plain.type.element
            if let next = try step(plain, key, origin) {
                plain = next
                if case .json(let type) = read(plain).kinds { lists.append(.compare(type, "=", .literal("array"))) }
            }
        }
        chain.isList = .some(lists)
        chain.isUncertain = true
        return chain
    }

    /// One key over the elements of a chain; `isMapped` is true if the chain is a list rather than a single value.
    ///
    /// An element that leads to no row gives nil, unless nil may be dropped.
    func mapped(
        _ chain: SQLCollection,
        _ key: String,
        _ isMapped: SQLText,
        _ origin: Origin,
        keepsMissing: Bool = true
    ) throws(QueryError) -> (chain: SQLCollection, isMapped: SQLText) {
        var chain = try distinct(chain, origin)
        if chain.element.undeclared != nil {
            // The key is asked of the objects in the column's JSON text.
            let inner = try elements(ofUndeclared: chain.element, keepsNil: isMapped)
            chain.from += inner.from
            (chain.element, chain.ofLists) = (inner.element, nil)
        }
        var element = chain.element
        element.type = element.type.element
        if let field = element.type.step(key), let relation = field.relation,
            case .list(let inner) = field.type
        {
            let children = try children(of: element, relation, inner, origin)
            chain.join(children.from, on: children.link, keepsMissing: keepsMissing && !children.isList.isTrue)
            chain.element = children.element
            return (chain, .one)
        }
        guard let next = try step(element, key, origin) else {
            throw unsupported("this path cannot be followed in SQL", at: origin)
        }
        chain.element = next
        let node = read(next)
        guard mayBeList(next), let json = node.json, case .json(let type) = node.kinds else {
            if !isMapped.isTrue { chain.checks.append(.some(isMapped, node.value.followed(by: "IS NOT NULL"))) }
            return (chain, isMapped)
        }
        let spliced = try alias("e")
        chain.from.append(.item("json_each", asList(json, type, keepsNil: isMapped), spliced))
        chain.element = SQLPlace(site: .element(alias: spliced), type: next.type.element)
        chain.element.mappedName = next.name ?? next.mappedName
        return (chain, .some(isMapped, .compare(type, "=", .literal("array"))))
    }

    /// JSON text of a list: the list itself, or the value as its only element; for nil `[null]` or nothing.
    func asList(_ json: SQLText, _ type: SQLText, keepsNil: SQLText) -> SQLText {
        let wrapped = SQLText.infix(
            .infix(.literal("["), "||", json, .concatenation),
            "||",
            .literal("]"),
            .concatenation
        )
        if keepsNil.isFalse {
            return .choice(of: type, [(["array"], json), (["null"], .null)], else: wrapped)
        }
        let kept = keepsNil.isTrue ? SQLText.literal("[null]") : .choice([(keepsNil, .literal("[null]"))])
        return .choice(of: type, [(["array"], json), (["null"], kept)], else: .call("coalesce", wrapped, kept))
    }

    /// A place as a collection: the elements of a list, or the value itself, or none for nil.
    func asCollection(_ place: SQLPlace) throws(QueryError) -> SQLCollection {
        if place.undeclared != nil { return try elements(ofUndeclared: place) }
        if let elements = try elements(ofSingle: place) { return elements }
        let node = read(place)
        guard !place.isScalar, let json = node.json, case .json(let type) = node.kinds else {
            var element = place
            element.name = nil
            return SQLCollection(
                from: [],
                conditions: [node.value.followed(by: "IS NOT NULL")],
                element: element,
                isList: .zero
            )
        }
        let element = try alias("e")
        var list = asList(json, type, keepsNil: .zero)
        if let text = place.wholeText, let isList = beginsAsList(place) { list = .choice([(isList, text)], else: list) }
        return SQLCollection(
            from: [.item("json_each", list, element)],
            conditions: [],
            element: SQLPlace(site: .element(alias: element), type: place.type.element),
            isList: isList(place, type)
        )
    }

    /// True for a list; `type` is the place's kind by `json_type`.
    func isList(_ place: SQLPlace, _ type: SQLText) -> SQLText {
        .some(beginsAsList(place) ?? .zero, .compare(type, "=", .literal("array")))
    }

    /// True if the JSON text of a column starts with a bracket, so that it is a list or malformed, without parsing it.
    ///
    /// A list with leading space starts differently. Nil for every place inside a text.
    private func beginsAsList(_ place: SQLPlace) -> SQLText? {
        place.wholeText.map { .all(.compare($0, ">=", .literal("[")), .compare($0, "<", .literal("\\"))) }
    }

    /// The rows of another table that belong to a row (to-many).
    private func children(
        of place: SQLPlace,
        _ relation: Schema.Relation,
        _ type: FieldType,
        _ origin: Origin
    ) throws(QueryError) -> SQLCollection {
        guard case .row = place.site else {
            throw unsupported("only rows of a table can have related rows", at: origin)
        }
        let key = try relation.keyColumn(place.name?.isEmpty == true ? primaryKey : place.type.primaryKey, at: origin)
        let table = try dialect.quoted(relation.table, at: origin)
        let child = try alias("k")
        let inner = try dialect.column(relation.foreignKey, of: child, at: origin)
        let outer = place.throughJoins(try keyColumn(key, of: place, origin))
        return SQLCollection(
            from: [.word(table).named(child)],
            conditions: [],
            element: SQLPlace(
                // An existing row has the foreign key, whatever the table's own key.
                site: .row(alias: child, storage: place.related(relation.table), key: relation.foreignKey),
                type: type,
                isSingle: true
            ),
            // A missing row has no list.
            isList: place.joins.isEmpty ? .one : outer.followed(by: "IS NOT NULL"),
            link: (inner, outer)
        )
    }
}
