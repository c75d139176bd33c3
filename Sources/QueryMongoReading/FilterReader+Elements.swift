import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension FilterReader {
    /// `{"f": {"$elemMatch": …}}`: conditions on one element.
    func elementMatch(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> Condition {
        let filter = try node.object("$elemMatch's operand")
        guard !filter.isEmpty else { throw node.unsupported("an empty $elemMatch matches objects and lists") }
        if filter == ["$exists": true] {
            guard isPrefixSingle(field) else { throw containers(field, node) }
            return counts(field, .greater, .value(0, node.origin), node)
        }
        let isOperators = filter.keys.contains { MongoOperator(rawValue: $0)?.place == .field }
        return isOperators ? try values(field, node) : try objects(field, node)
    }

    /// Operators on the element itself.
    private func values(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> Condition {
        guard try isOneList(field, node) else { throw containers(field, node) }
        let element = MongoField(names: [], types: [field.last.element], path: field.path, origin: node.origin)
        if let (test, isNegated) = try elementTest(element, node) {
            let some = test.over(term(field), isNegated ? .all : .any)
            return try listed(field, isNegated ? .not(some) : some, node)
        }
        let variable = reading.freshVariable()
        let inner = try deeper(node).entering(field, variable, field.last.element)
        var guards = ListGuards([]).inside
        let parts = try inner.tests(element, node, &guards)
        let found = Self.finds(Subquery(term(field), variable, where: Self.all(parts)), node)
        return try listed(field, found, node)
    }

    /// A filter on the element's fields.
    private func objects(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> Condition {
        guard try isOneList(field, node) else { throw containers(field, node) }
        let variable = reading.freshVariable()
        let inner = try deeper(node).entering(field, variable, field.last.element)
        if let ((key, member), isKnown) = try only(node, field),
            try inner.count(atPosition: key, member, ListGuards([])) == nil
        {
            let sub = try inner.field(key, member)
            if sub.listSteps == 0, !sub.hasPosition, let (test, isNegated) = try inner.elementTest(sub, member),
                isKnown,
                sub.isKnownSingle || reading.isSingle(sub.pathText, stored: sub.names, in: inner.storedPath)
            {
                var whole = field
                whole.names += sub.names
                whole.types += sub.types
                whole.path = sub.path
                let some = test.over(term(whole), isNegated ? .all : .any)
                return isNegated ? .not(some) : some
            }
        }
        var condition = try inner.condition(node)
        let holdsObjects =
            if case .object = field.last.element { true } else {
                !field.names.isEmpty && reading.holdsObjects(field.pathText)
            }
        if !holdsObjects {
            guard condition.isFalseOfNil else {
                throw node.unsupported(
                    "Mongo skips elements that are not objects, but this condition would hold for them",
                    hint: "give a schema, or assume that \(field.pathText) holds objects",
                    inRequest: Self.askFormat
                )
            }
            // In a list inside the list Mongo matches indexes, and no field has such a name.
            let element = MongoField(names: [], types: [.any], path: field.path, origin: node.origin)
            let noList = inner.noList(element, node)
            if case .and(let parts) = condition {
                condition = .and([noList] + parts)
            } else {
                condition = .and([noList, condition])
            }
        }
        return try listed(field, Self.finds(Subquery(term(field), variable, where: condition), node), node)
    }

    /// The only field of a filter on elements, and whether ANY can express it, which requires that the path holds
    /// objects.
    private func only(
        _ node: MongoNode,
        _ field: MongoField
    ) throws(QueryError) -> ((key: String, node: MongoNode), Bool)? {
        guard node.members.count == 1, let member = node.members.first, member.key.utf8.first != UInt8(ascii: "$"),
            subject == nil
        else { return nil }
        if case .list(.object) = field.last { return (member, true) }
        guard field.last == .any, reading.holdsObjects(field.pathText) else { return (member, false) }
        return (member, reading.isList(field.pathText))
    }

    /// The reader of an element's fields.
    private func entering(_ field: MongoField, _ variable: Variable, _ element: FieldType) -> FilterReader {
        var inner = self
        (inner.subject, inner.element) = (variable, nil)
        inner.base = element
        inner.path = field.path
        inner.storedPath = storedPath + field.names
        return inner
    }

    /// True if only the field itself can be a list.
    private func isOneList(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> Bool {
        field.names.isEmpty || reading.isNamedList(field.pathText) || isPrefixSingle(field)
    }

    /// Mongo requires a list; here a single value counts as a collection of one (S10).
    private func listed(
        _ field: MongoField,
        _ condition: Condition,
        _ node: MongoNode
    ) throws(QueryError) -> Condition {
        if field.last.isList || (!field.names.isEmpty && reading.isList(field.pathText)) { return condition }
        return .and([counts(field, .greaterOrEqual, .value(0, node.origin), node), condition])
    }

    // MARK: One test of every element

    /// A comparison without its collection.
    struct ElementTest {
        var comparison: Comparison

        func over(_ collection: Term, _ quantifier: Comparison.Quantifier) -> Condition {
            var comparison = comparison
            (comparison.left, comparison.quantifier) = (collection, quantifier)
            return .comparison(comparison)
        }
    }

    /// The tests of one element that only `$elemMatch` can make, and whether NOT ALL is meant; nil for all others.
    private func elementTest(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> (ElementTest, Bool)? {
        if node.value.isNull { return try elementTest(.equal, node, field, false) }
        guard let operators = node.operators else { return nil }
        if operators.count == 2, operators["$gte"] != nil, operators["$lte"] != nil {
            return try asked(field, node).map { ($0, false) }
        }
        guard operators.count == 1, let member = node.members.first else { return nil }
        switch MongoOperator(rawValue: member.key) {
        case .notEqual: return try elementTest(.notEqual, member.node, field, false)
        case .equal:
            switch member.node.value {
            case .null, .list: return try elementTest(.equal, member.node, field, false)
            default: return nil
            }
        case .notIn: return try elementTest(.in, member.node, field, true)
        case .in:
            guard member.node.elements.contains(where: \.value.isNull) else { return nil }
            return try elementTest(.in, member.node, field, false)
        case .not:
            guard member.node.operators != nil else { return nil }
            return try asked(field, member.node).map { ($0, true) }
        default: return nil
        }
    }

    private func elementTest(
        _ operation: Comparison.Operator,
        _ node: MongoNode,
        _ field: MongoField,
        _ isNegated: Bool
    ) throws(QueryError) -> (ElementTest, Bool)? {
        let value = try constant(node, field)
        if operation == .in {
            guard case .list(let elements) = value, !elements.contains(where: { $0.kind == .list }) else { return nil }
        }
        if value.isNull, reading.nilMeaning != .nullOrAbsent {
            // `<=` tests for both null and absent (S7).
            let right = Term.value(.null, node.origin)
            let test = ElementTest(comparison: Comparison(right, .lessOrEqual, right, origin: node.origin))
            return (test, operation == .notEqual)
        }
        if value.holdsNil, reading.nilMeaning != .nullOrAbsent { return nil }
        let right = Term.constant(value, node.origin)
        return (ElementTest(comparison: Comparison(right, operation, right, origin: node.origin)), isNegated)
    }

    /// The single comparison that operators express for one value, or nil.
    ///
    /// Only operators without nested filters are read for it, so that nothing is read twice at every level.
    private func asked(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> ElementTest? {
        guard node.members.allSatisfy({ MongoOperator(rawValue: $0.key)?.holdsFilters == false }) else { return nil }
        var guards = ListGuards([]).inside
        let element = MongoField(names: [], types: [field.last], path: field.path, origin: field.origin)
        var inner = self
        (inner.subject, inner.element) = (inner.subject ?? Variable("x"), nil)
        inner.path = field.path
        let conditions = try inner.tests(element, node, &guards)
        guard conditions.count == 1, case .comparison(let comparison) = conditions[0], comparison.quantifier == nil,
            case .variable = comparison.left
        else { return nil }
        return ElementTest(comparison: comparison)
    }
}

extension Condition {
    /// True if the condition is certainly false for an element whose fields are all nil.
    fileprivate var isFalseOfNil: Bool {
        switch self {
        case .constant(let holds): return !holds
        case .and(let parts): return parts.contains(where: \.isFalseOfNil)
        case .or(let parts): return parts.allSatisfy(\.isFalseOfNil)
        case .not: return false
        case .comparison(let comparison):
            guard comparison.quantifier != .all else { return false }
            switch comparison.operator.operands {
            case .valueAndRange, .collectionAndValue, .texts, .placeAndShape: return true
            case .ordered where comparison.operator == .less || comparison.operator == .greater: return true
            case .anyValues where comparison.operator == .notEqual: return false
            case .anyValues, .ordered, .valueAndCollection:
                return comparison.right.constantValue.map { !$0.holdsNil } ?? false
            }
        }
    }
}
