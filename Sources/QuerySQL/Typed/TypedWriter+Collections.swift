import QueryTree
import QueryValues

// Collections as the FROM of a subquery (S9, S10).

extension TypedWriter {
    func single(_ term: Term, _ scope: Scope) throws(QueryError) -> Collection {
        if let place = try place(of: term, scope) { return try asCollection(place) }
        guard case .node(let node, _) = try operand(term, scope) else {
            throw unsupported("a single constant is not a collection in this store", at: term.origin)
        }
        try checkOrder(node, term.origin)
        return try asCollection(Place(site: .computed(node), type: node.type))
    }

    func isPresent(_ term: Term, _ chain: Collection, _ scope: Scope) throws(QueryError) -> SQLText {
        guard let place = try place(of: term, scope) else {
            guard term.isComputedValue, case .node(let node, _) = try operand(term, scope) else { return chain.isList }
            return some(isNotNil(node), chain.isList)
        }
        if case .column = place.site, case .list = place.type { return chain.isList }
        return some(isNotNil(read(place)), chain.isList)
    }

    func united(_ collection: Collection, _ aggregation: Aggregation, _ scope: Scope) throws(QueryError) -> Collection {
        let (aggregate, path, origin) = (aggregation.aggregate, aggregation.path, aggregation.origin)
        var chain = collection
        chain.conditions.append(chain.isList)
        chain.isOfSet = chain.isSet
        if aggregate != .unionOfObjects, aggregate != .unionOfArrays { (chain.isSet, chain.isOfSet) = (true, false) }
        if !path.keys.isEmpty {
            let element = Variable("\u{0}united")
            var inner = scope
            inner.variables[element] = chain.element
            let steps = path.keys.map { PathStep.key($0) }
            guard let value = try place(of: .path(.variable(element, origin), steps, origin), inner) else {
                throw unsupported("this path cannot be followed in SQL", at: origin)
            }
            if value.mayMap { throw mayMap(origin) }
            chain.element = value
        }
        guard aggregate != .unionOfObjects, aggregate != .distinctUnionOfObjects, mayBeList(chain.element) else {
            return chain
        }
        guard case .json = chain.element.site, let documents = forms.documents else {
            throw unsupported("a list of lists cannot be followed here", at: origin)
        }
        let spliced = try alias("e")
        let list = asList(read(chain.element).value, documents, keepsNil: .one)
        chain.from.append(documents.elements(list, .word(spliced)))
        chain.element = Place(site: .document(.word(spliced + ".value")), type: chain.element.type.element)
        return chain
    }

    func list(_ term: Term, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Collection {
        guard let value = term.constantValue else {
            throw unsupported("a list of computed values is not a collection in SQL", at: origin)
        }
        guard let documents = forms.documents, let list = try documentConstant(value, .any, origin) else {
            throw noDocuments(origin)
        }
        let element = try alias("e")
        return Collection(
            from: [documents.elements(list, .word(element))],
            element: Place(site: .document(.word(element + ".value")), type: .any),
            isList: .one
        )
    }

    // MARK: Walking

    func mayHoldList(_ site: Place.Site) -> Bool { if case .json = site { true } else { false } }

    func collection(computed path: Term, _ scope: Scope, _ wanted: WantedElements) throws(QueryError) -> Collection {
        throw unsupported("a path from here cannot be followed in SQL", at: path.origin)
    }

    func mayMap(over place: Place) -> Bool { mayBeList(place) }

    func isUndeclared(_ element: Place) -> Bool { read(element).stored == .unknown }

    func entered(_ chain: inout Collection, from start: Place, _ name: [String]?) {
        guard let around = start.elementOf else { return }
        chain.element.elementOf = name
        chain.element.elementsAround = start.elementsAround + [around]
    }

    func isList(inJSON place: Place) -> SQLText? {
        guard case .json = place.site, let documents = forms.documents else { return nil }
        return .compare(documents.kind(read(place).value), "=", .literal("array"))
    }

    func entering(_ chain: Collection, _ isMapped: SQLText, _ origin: Origin) throws(QueryError) -> Collection {
        var chain = chain
        chain.isOfSet = chain.isSet
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
        guard mayBeList(next), let documents = forms.documents, case .json = next.site,
            let isList = isList(inJSON: next)
        else {
            if case .list(let type) = next.type {
                guard let nested = forms.nested, case .column = next.site else {
                    throw unsupported("a list of lists cannot be followed here", at: origin)
                }
                let spliced = try alias("e")
                chain.from.append(nested.elements(nested.listOrNil(node.value), .word(spliced)))
                chain.element = Place(site: .column(.word(spliced + ".value")), type: type)
                return (chain, isMapped)
            }
            if !isMapped.isTrue { chain.conditions.append(some(isMapped, isNotNil(node))) }
            return (chain, isMapped)
        }
        let spliced = try alias("e")
        chain.from.append(documents.elements(asList(node.value, documents, keepsNil: isMapped), .word(spliced)))
        chain.element = Place(site: .document(.word(spliced + ".value")), type: next.type.element)
        chain.element.mappedName = next.name ?? next.mappedName
        return (chain, some(isMapped, isList))
    }

    /// The list itself, or the value as its only element; for nil a list of nil or nothing.
    private func asList(_ value: SQLText, _ documents: SQLForms.Documents, keepsNil: SQLText) -> SQLText {
        let kind = documents.kind(value)
        let isList = SQLText.compare(kind, "=", .literal("array"))
        let isPresent = SQLText.compare(kind, "<>", .literal("null"))
        var branches = [(isList, value), (isPresent, documents.list(value))]
        if !keepsNil.isFalse { branches.append((spelled(keepsNil), documents.list(documents.null()))) }
        return .choice(branches)
    }

    func asCollection(_ place: Place) throws(QueryError) -> Collection {
        let element = try alias("e")
        if case .list(let type) = place.type, case .column(let column) = place.site, let nested = forms.nested {
            return Collection(
                from: [nested.elements(place.throughJoins(column), .word(element))],
                element: Place(site: .column(.word(element + ".value")), type: type),
                isList: place.throughJoins(column).followed(by: "IS NOT NULL")
            )
        }
        let node = read(place)
        guard node.stored == .document, let documents = forms.documents else {
            var single = place
            single.name = nil
            if node.stored == .unknown { assumeSingle(node) }
            return Collection(from: [], conditions: [isNotNil(node)], element: single, isList: .zero)
        }
        return Collection(
            from: [documents.elements(asList(node.value, documents, keepsNil: .zero), .word(element))],
            element: Place(site: .document(.word(element + ".value")), type: place.type.element),
            isList: .compare(documents.kind(node.value), "=", .literal("array"))
        )
    }
}

extension TypedWriter {
    /// Some element satisfies the inner piece; never NULL where there is a table.
    func exists(_ chain: Collection, _ inner: SQLText) -> Leaf {
        if inner.isFalse || chain.conditions.contains(where: \.isFalse) { return .never }
        if chain.from.isEmpty { return leaf(all(chain.conditions + [inner])) }
        return .twoValued(.exists(rows([.number(1)], chain, where: [inner])))
    }

    /// The place of a list in a document, if no list is on the way to it.
    func documentList(_ term: Term, _ scope: Scope) throws(QueryError) -> Place? {
        guard forms.documents != nil, scope.results == nil, let place = try place(of: term, scope),
            case .json = place.site, !place.mayMap, !place.mayLeadThroughLists, mayBeList(place)
        else { return nil }
        return place
    }

    /// `ANY list == constant` as containment, which an index of all elements serves: a list contains a scalar, and a
    /// scalar itself, exactly if an element is equal to it.
    func contained(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf? {
        guard let documents = forms.documents, let value = comparison.right.constantValue,
            comparison.options.folding.isEmpty, comparison.operator == .equal || comparison.operator == .in,
            let list = try documentList(comparison.left, scope), list.type.element.isPlain
        else { return nil }
        let array = list.declared?.array
        var values = [value]
        if comparison.operator == .in {
            guard case .list(let elements) = value, elements.count <= 8 || array != nil else { return nil }
            values = elements
        }
        var pieces: [SQLText] = []
        for value in values {
            switch value {
            case .bool, .int, .double, .string: break
            case .null, .date, .data, .uuid, .list, .object, .shape: return nil
            }
            guard let bound = try documentConstant(value, list.type.element, comparison.origin) else { continue }
            let contains = documents.contains(read(list).value, bound)
            guard let piece = array.map({ element(value, of: $0.element) }) ?? contains else { continue }
            pieces.append(piece)
        }
        guard let array, !pieces.isEmpty else { return pieces.isEmpty ? .never : leaf(some(pieces)) }
        // An array of arrays has arrays as its elements, but contains all that they contain.
        let column = list.throughJoins(array.column)
        let isFlat = SQLText.compare(.call("array_ndims", column), "<", .number(2))
        let wanted = SQLForm("ARRAY[{0}]")(.list(pieces))
        return leaf(all(.compare(column, pieces.count == 1 ? "@>" : "&&", wanted), isFlat))
    }

    /// An element of an array of ints or texts; nil if none is equal.
    private func element(_ value: QueryValue, of type: String) -> SQLText? {
        guard ["integer", forms.int].contains(type) else { return value.kind == .string ? bind(value, as: type) : nil }
        let number = value.exactInt.flatMap { type == forms.int ? $0 : Int32(exactly: $0).map(Int64.init) }
        return number.map { bind(.int($0), as: type) }
    }
}

extension FieldType {
    /// True for values that documents hold as they are.
    fileprivate var isPlain: Bool { self == .any || self != .uuid && isEqualInLists }
}
