import QueryTree
import QueryValues

// Comparisons that hold for no row, or for all, and are valid all the same (S2, S12, S18).

extension Query {
    /// What holds for no row by the kinds that a schema declares: a number as the container of IN or CONTAINS, and a whole
    /// number beside a fraction.
    var declaredWarnings: [QueryError] {
        guard schema != nil else { return [] }
        var scope = TypeScope(schema)
        return condition.nodes.compactMap { node in
            switch node {
            case .term(.subquery(let subquery, _)):
                scope.variables[subquery.variable] = scope.type(of: subquery.collection).element
                return nil
            case .condition(.comparison(let comparison)):
                return comparison.loneField(scope) ?? comparison.wholeNumber(scope)
            case .term, .condition: return nil
            }
        }
    }
}

extension Comparison {
    /// What IN and CONTAINS look in, and what they look for; nil for other operators.
    private var containment: (container: Term, element: Term)? {
        self.operator == .in ? (right, left) : self.operator == .contains ? (left, right) : nil
    }

    /// `x IN 5.5` and `5 CONTAINS x`: a constant container that is no list and no text, which is taken for a list of one.
    var loneContainer: QueryError? {
        guard let (container, element) = containment, element.constantValue == nil,
            let kind = container.isWrittenDate ? .date : container.constantValue?.kind
        else { return nil }
        switch kind {
        case .bool, .number, .date, .data, .uuid: return lone(kind.single + " is", container)
        case .null, .string, .list, .object, .shape: return nil
        }
    }

    /// `5 IN age`, where a schema declares the container to be no list and no text.
    fileprivate func loneField(_ scope: TypeScope) -> QueryError? {
        guard let (container, _) = containment, container.isPath else { return nil }
        let own = scope.type(of: container)
        let type = self.operator == .contains && quantifier != nil ? own.element : own
        switch type {
        case .bool, .int, .double, .date, .uuid: break
        // A column of bytes may hold texts.
        case .data where scope.guaranteesNothing: return nil
        case .data: break
        case .any, .string, .objectID, .object, .list: return nil
        }
        let held = type.kind?.plural ?? type.name
        return lone("\(container.written) holds \(held), of which each is", container)
    }

    private func lone(_ what: String, _ container: Term) -> QueryError {
        QueryError(
            .unlikely,
            "\(self.operator.spelling) looks in lists and texts, and \(what) taken for a list of one",
            at: container.origin.range == nil ? origin : container.origin,
            hint: container.isPath
                ? "write \(Operator.equal.spelling)" : "write \(Operator.equal.spelling), or give a list in its place"
        )
    }

    /// `age == 1.5`, where a schema declares whole numbers.
    fileprivate func wholeNumber(_ scope: TypeScope) -> QueryError? {
        guard !scope.guaranteesNothing, let (place, value) = neverMet(scope) else { return nil }
        return QueryError(
            .unlikely,
            "\(place.written) holds whole numbers, of which none meets \(value)",
            at: place.origin.range == nil ? origin : place.origin,
            hint: "compare with a whole number, or declare fractions: `number` in a JSON Schema"
        )
    }

    /// The side of whole numbers and what it is compared with, if the two are never equal.
    private func neverMet(_ scope: TypeScope) -> (Term, String)? {
        func holdsInts(_ term: Term, inList: Bool = false) -> Bool {
            if case .variable = term {} else if !term.isPath { return false }
            let type = scope.type(of: term)
            if inList { return quantifier == nil && type == .list(.int) }
            return quantifier != nil && term == left ? type == .list(.int) : type == .int
        }
        switch self.operator.operands {
        case .anyValues:
            if let value = right.constantValue, value.isFraction, holdsInts(left) { return (left, value.json) }
            if let value = left.constantValue, value.isFraction, holdsInts(right) { return (right, value.json) }
        case .collectionAndValue:
            if let value = right.constantValue, value.isFraction, holdsInts(left, inList: true) {
                return (left, value.json)
            }
        case .valueAndCollection:
            if case .list(let values)? = right.constantValue, !values.isEmpty, values.allSatisfy(\.isFraction),
                holdsInts(left)
            {
                return (left, right.written)
            }
        case .valueAndRange:
            if case .list(let bounds)? = right.constantValue, bounds.count == 2, let low = bounds[0].doubleValue,
                let high = bounds[1].doubleValue, low <= high, low.rounded(.up) > high.rounded(.down), holdsInts(left)
            {
                return (left, right.written)
            }
        case .ordered, .texts, .placeAndShape: break
        }
        return nil
    }
}

extension QueryValue {
    /// True for a number with a part after the point.
    fileprivate var isFraction: Bool {
        if case .double(let number) = self { number.isFinite && number != number.rounded() } else { false }
    }
}

extension Aggregate {
    /// `SUBQUERY(items, $i, $i.price > 1).@min`: a total or an extreme of objects.
    ///
    /// - Parameters:
    ///   - base: what the operator is applied to.
    ///   - path: the path after it.
    ///   - origin: the place of the term.
    /// - Returns: the warning; nil where the elements may be numbers.
    func ofObjects(_ base: Term, _ path: FieldPath, at origin: Origin) -> QueryError? {
        guard path.keys.isEmpty, case .subquery(let subquery, _) = base, let key = subquery.key else { return nil }
        return ofObjects(in: "SUBQUERY(…)", by: key, at: origin)
    }

    /// The warning of a total or an extreme of objects; nil for a count and a list of them.
    ///
    /// - Parameters:
    ///   - list: the list as it is written.
    ///   - key: a key of its objects.
    ///   - origin: the place of the term.
    /// - Returns: the warning.
    func ofObjects(in list: String, by key: String, at origin: Origin) -> QueryError? {
        guard pathRule == .optional else { return nil }
        return QueryError(
            .unlikely,
            "\(spelling) is one of values, and the elements are objects",
            at: origin,
            hint: "write the path to a field of them after it: \(list).\(spelling).\(key.asKey)"
        )
    }
}

extension Subquery {
    /// The first key of its element that the condition reads.
    fileprivate var key: String? {
        condition.nodes.lazy.compactMap { node -> String? in
            guard case .term(.path(.variable(let owner, _), let steps, _)) = node, owner == variable,
                case .key(let key)? = steps.first
            else { return nil }
            return key
        }.first
    }
}
