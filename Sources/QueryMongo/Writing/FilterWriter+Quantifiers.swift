import QueryChecking
import QueryTree
import QueryValues

extension FilterWriter {
    /// `ANY p op v` and `ALL p op v` (S10).
    func quantified(_ comparison: Comparison, _ field: MongoField, _ value: QueryValue) throws(QueryError) -> Clause? {
        guard !field.hasPosition, let test = try element(comparison, field, value) else { return nil }
        switch comparison.quantifier {
        case .all:
            return try some(test.opposite, field)?.negated
        case .any, nil:
            return try some(test, field)
        }
    }

    /// A test of one element.
    struct ElementTest {
        var operators: Document
        /// True if `{"p": test}` means that some element passes, whichever step is the list.
        ///
        /// Such a test never matches nil, and its operand is not a list.
        var isDirect: Bool

        /// The opposite test, which matches nil if this one does not.
        var opposite: ElementTest {
            if operators.count == 1, let value = operators["$ne"] {
                return ElementTest(operators: ["$eq": value], isDirect: !value.isNull && value.kind != .list)
            }
            let opposite = FieldTest(operators: ["$not": .object(operators)]).direct
            return ElementTest(operators: opposite.operators, isDirect: false)
        }
    }

    /// The test that an element must pass, or nil if find filters have none.
    func element(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> ElementTest? {
        switch comparison.operator {
        case .equal, .notEqual: return try equality(comparison, field, value)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return try order(comparison, field, value)
        case .between:
            let range = try range(comparison, value, field)
            return range.map { ElementTest(operators: $0, isDirect: false) }
        case .in: return try choiceOfElements(comparison, field, value)
        case .contains where field.last.element != .string: return nil
        case .contains, .beginsWith, .endsWith, .like, .matches:
            guard case .string(let text) = value else { return nil }
            let pattern = try patterns.pattern(comparison.operator, text, comparison.options, at: comparison.origin)
            return pattern.map { ElementTest(operators: $0.operators, isDirect: true) }
        case .geoWithin: return nil
        }
    }

    private func equality(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> ElementTest? {
        let isEqual = comparison.operator == .equal
        if case .string(let text) = value, !comparison.options.folding.isEmpty {
            let pattern = try patterns.pattern(.equal, text, comparison.options, at: comparison.origin)
            let test = pattern.map { ElementTest(operators: $0.operators, isDirect: true) }
            return isEqual ? test : test?.opposite
        }
        if value.holdsNaN || value.isOrderSensitive || value.isFolded(comparison.options) { return nil }
        if value.isNull, context.nilMeaning != .nullOrAbsent { return nil }
        let origin = comparison.right.origin
        let constant = try constants.encode(value, for: field.last.element, path: field.pathText, at: origin)
        return ElementTest(
            operators: Document(pairs: [(isEqual ? "$eq" : "$ne", constant)]),
            isDirect: isEqual && !value.isNull && value.kind != .list
        )
    }

    private func order(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> ElementTest? {
        switch value {
        case .null:
            guard comparison.operator == .lessOrEqual || comparison.operator == .greaterOrEqual else { return nil }
            return ElementTest(operators: ["$eq": .null], isDirect: false)
        case .list, .object, .shape: return nil
        case .double(let number) where number.isNaN: return nil
        case .string where !comparison.options.folding.isEmpty: throw Self.foldedOrder(comparison)
        case .data: throw Self.bytesOrder(comparison.origin)
        case .bool, .int, .double, .string, .date, .uuid:
            guard let name = comparison.operator.mongoName else { return nil }
            let origin = comparison.right.origin
            let constant = try constants.encode(value, for: field.last.element, path: field.pathText, at: origin)
            let operators = Self.order(name, constant, field.last)
            return ElementTest(operators: operators, isDirect: operators.count == 1)
        }
    }

    private func choiceOfElements(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> ElementTest? {
        guard case .list(let elements) = value, let choice = try choice(comparison, elements, field) else { return nil }
        guard choice.patterns.isEmpty, !choice.hasNil || context.nilMeaning == .nullOrAbsent else { return nil }
        let plain = choice.plain
        if plain.isEmpty { return nil }
        return ElementTest(operators: ["$in": .list(plain)], isDirect: !choice.hasNil)
    }

    /// Some element passes the test.
    private func some(_ test: ElementTest, _ field: MongoField) throws(QueryError) -> Clause? {
        if test.isDirect {
            let isPlain = test.operators.count == 1 && test.operators["$regex"] == nil
            return .field(field.dotted, FieldTest(operators: test.operators, isNegatable: isPlain))
        }
        guard context.profile.allowsElementMatch else { return nil }
        if field.isKnown { return someOfKnown(test, field) }
        if context.isGuarded { return nil }
        if !field.types.dropLast().contains(.any) {
            guard field.listSteps == 0 else {
                context.assume(.single(field.pathText), ofElement: true)
                return someOfKnown(test, field)
            }
            context.assume(.list(field.pathText))
            return .test(field.dotted, "$elemMatch", .object(test.operators))
        }
        // With more steps, only an expression can determine which one is the list.
        guard field.names.count == 2 else { return nil }
        let container = field.prefix(1)
        context.assume(.list(container.pathText))
        context.assume(.objects(container.pathText))
        context.assume(.single(field.pathText), ofElement: true)
        return match(container, field.dropFirst(1), test)
    }

    /// The test if the schema declares which step is the list; several lists, or none, have no find form.
    private func someOfKnown(_ test: ElementTest, _ field: MongoField) -> Clause? {
        guard field.listSteps == 1, let list = field.types.firstIndex(where: \.isList) else { return nil }
        if list == field.names.count - 1 {
            return .test(field.dotted, "$elemMatch", .object(test.operators))
        }
        return match(field.prefix(list + 1), field.dropFirst(list + 1), test)
    }

    private func match(_ container: MongoField, _ rest: MongoField, _ test: ElementTest) -> Clause {
        let inner = Clause.field(rest.dotted, FieldTest(operators: test.operators)).document()
        return .test(container.dotted, "$elemMatch", .object(inner))
    }
}
