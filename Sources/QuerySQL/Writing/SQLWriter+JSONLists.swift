import QueryTree
import QueryValues

// Lists in JSON that are read in one pass, because only scalars are needed.

/// Which elements of a collection can satisfy a test.
enum WantedElements {
    case all
    /// Neither nil nor lists and objects: these need not be distinguished where they occur.
    case scalars
}

extension Comparison {
    /// What a quantifier searches for: ANY for an element that satisfies the comparison, ALL for one that does not.
    func wanted(by quantifier: Quantifier) -> WantedElements {
        let asksForEqual = `operator` != .notEqual
        guard (quantifier == .any) == asksForEqual else { return .all }
        switch `operator`.operands {
        case .anyValues, .ordered, .texts:
            return right.isScalarConstant && !right.isNullConstant ? .scalars : .all
        case .valueAndCollection, .valueAndRange:
            guard case .list(let elements)? = right.constantValue else { return .all }
            return elements.allSatisfy(\.isScalar) ? .scalars : .all
        case .collectionAndValue, .placeAndShape:
            return .all
        }
    }
}

extension Term {
    fileprivate var isNullConstant: Bool { constantValue?.isNull ?? false }

    /// Which elements of a collection can equal the term.
    var wantedAsElement: WantedElements { isScalarConstant && !isNullConstant ? .scalars : .all }
}

extension QueryValue {
    /// True for what is neither nil nor a list nor an object.
    fileprivate var isScalar: Bool { !isNull && kind != .list && kind != .object }
}

extension SQLWriter {
    /// The scalars of a list, or the single value, by `json_each` of the raw text; nil if it is not JSON.
    ///
    /// An object counts as one non-scalar element, so its values are omitted: their keys are texts.
    func scalars(at place: Place) throws(QueryError) -> Collection? {
        let node = read(place)
        guard !place.isScalar, case .json = place.site, let json = node.json, case .json(let type) = node.kinds else {
            return nil
        }
        let element = try alias("e")
        let isOfObject = SQLText.compare(.column(of: element, "key"), ">=", .literal(""))
        return Collection(
            from: [.item("json_each", place.wholeText ?? json, element)],
            checks: [isOfObject.isNotTrue],
            element: Place(site: .element(alias: element), type: place.type.element),
            isList: isList(place, type)
        )
    }

    /// The scalars of a key in a list's objects, or in a single object, by one `json_tree`; nil if the schema does not
    /// declare them as scalars.
    func scalars(behind key: String, of list: Place) throws(QueryError) -> Collection? {
        guard let member = member(key, of: list) else { return nil }
        let node = read(list)
        guard let json = node.json, case .json(let type) = node.kinds else { return nil }
        let alias = try alias("e")
        let path = SQLText.call("rtrim", .column(of: alias, "path"), .literal("0123456789]"))
        return Collection(
            from: [.item("json_tree", list.wholeText ?? json, alias)],
            checks: [.compare(.column(of: alias, "key"), "=", .literal(member.storedName)), path.isIn(Self.roots)],
            element: Place(site: .computed(atom(alias, member.type)), type: member.type, isScalar: true),
            isList: isList(list, type)
        )
    }

    /// The path is `$[n]` for a list's own objects and `$` for a single object.
    private static let roots = [SQLText.literal("$["), .literal("$")]

    /// A scalar field that the schema declares for the objects of a list in JSON.
    func member(_ key: String, of list: Place) -> ResolvedPath.Step? {
        guard case .json = list.site, case .list(let element) = list.type, case .object = element,
            let field = element.step(key), field.relation == nil, field.type.isScalar,
            !field.storedName.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\"") })
        else { return nil }
        return field
    }

    /// A row of `json_tree` as a scalar; NULL for a list or object.
    private func atom(_ alias: String, _ type: FieldType) -> Node {
        Node(value: .column(of: alias, "atom"), kinds: .json(.column(of: alias, "type")), type: type)
    }
}

extension FieldType {
    /// True if a schema declares the values as scalars.
    fileprivate var isScalar: Bool { !mayHoldContainers }
}
