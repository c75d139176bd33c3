import QueryTree
import QueryValues

// `@unionOfObjects` and similar: one value per element, or the elements of inner lists, optionally without duplicates
// (S18).

extension SQLWriter {
    func united(_ collection: Collection, _ aggregation: Aggregation, _ scope: Scope) throws(QueryError) -> Collection {
        let (aggregate, path, origin) = (aggregation.aggregate, aggregation.path, aggregation.origin)
        var chain = try distinct(collection, origin)
        if let lists = onlyOfLists(chain) {
            chain = lists
        } else if !chain.isList.isTrue, chain.link == nil {
            chain.conditions.append(chain.isList)
        }
        chain.isSet = aggregate != .unionOfObjects && aggregate != .unionOfArrays
        if chain.isList.isFalse { return chain }
        if !path.keys.isEmpty { chain.element = try value(at: path, of: chain.element, origin, scope) }
        guard aggregate != .unionOfObjects, aggregate != .distinctUnionOfObjects else {
            return named(chain, chain.element.mappedName)
        }
        if chain.element.undeclared != nil {
            let inner = try elements(ofUndeclared: chain.element, keepsNil: .one)
            chain.from += inner.from
            chain.element = inner.element
            return chain
        }
        let node = read(chain.element)
        guard !chain.element.isScalar, let json = node.json, case .json(let kind) = node.kinds else { return chain }
        // JSON cannot represent bytes in a list.
        if node.mayBeBytes { throw mayBeBytes(origin) }
        let spliced = try alias("e")
        chain.from.append(.item("json_each", asList(json, kind, keepsNil: .one), spliced))
        chain.element = Place(site: .element(alias: spliced), type: chain.element.type.element)
        return chain
    }

    private func value(
        at path: FieldPath,
        of element: Place,
        _ origin: Origin,
        _ scope: Scope
    ) throws(QueryError) -> Place {
        let variable = Variable("\u{0}united")
        var inner = scope
        inner.variables[variable] = element
        inner.variables[variable]?.elementOf = nil
        let value = Term.path(.variable(variable, origin), path.keys.map { .key($0) }, origin)
        let stored = try place(of: value, inner)
        if let stored, !stored.mayMap, !stored.distinguishesAbsence { return stored }
        guard case .node(var node, _) = try operand(value, inner) else { return element }
        // An element without the path gives a nil that counts as null (S8).
        node.isComputed = true
        return Place(site: .computed(node), type: node.type, mappedName: stored?.mappedName)
    }

    /// The chain with duplicates removed, in no order.
    func distinct(_ chain: Collection, _ origin: Origin) throws(QueryError) -> Collection {
        guard chain.isSet, !chain.from.isEmpty else { return chain }
        let node = read(chain.element)
        guard !node.isRow else { throw unsupported("distinct rows are not supported in SQL", at: origin) }
        let kind = try typeText(node, origin)
        let json = node.json ?? jsonText(of: node.value, kind)
        let columns = Self.elementColumns(node.value, .call("coalesce", kind, .literal("null")), json)
        let groups = try groupKeys(of: node, origin)
        var plain = chain
        plain.isSet = false
        let table = select(columns, from: plain, groupBy: groups)
        let alias = try alias("e")
        var element = Place(site: .element(alias: alias), type: chain.element.type)
        element.hasAtoms = false
        element.mayBeBytes = node.isUndeclared || node.mayBeBytes
        element.mayHoldNul = node.isColumnText
        element.isScalar = node.json == nil
        element.mappedName = node.mappedName
        return Collection(from: [table.named(alias)], element: element, isList: chain.isList, isUnordered: true)
    }

    /// The GROUP BY terms under which equal values fall together: numbers of both kinds, also in lists and objects;
    /// bools are not numbers (S3).
    func groupKeys(of node: Node, _ origin: Origin) throws(QueryError) -> [SQLText] {
        guard case .json(let type) = node.kinds else { return [node.value] }
        let kind = kindText(node)
        guard node.type.mayHoldContainers else { return [kind, node.value] }
        let order = try called(CalledName.orderKey([]), [.node(node, origin)], origin)
        return [kind, .choice(of: type, [(["array", "object"], order)], else: node.value)]
    }

    /// The kind of a value as named by `json_type`.
    private func typeText(_ node: Node, _ origin: Origin) throws(QueryError) -> SQLText {
        switch node.kinds {
        case .json(let type): return type
        case .known(.bool):
            return .choice([
                (.compare(node.value, "=", .one), .literal("true")),
                (.compare(node.value, "=", .zero), .literal("false")),
            ])
        case .storage, .known(.number), .known(.string), .known(.date), .known(.uuid), .known(.null):
            return .call("typeof", node.value)
        case .known(.object), .known(.list), .known(.data), .known(.shape):
            throw unsupported("distinct values of this kind are not supported in SQL", at: origin)
        }
    }
}
