import QueryMeaning
import QueryTree
import QueryValues

extension FilterWriter {
    /// `ANY p op v` and `ALL p op v` (S10).
    func quantified(_ question: Question, _ field: MongoField) throws(QueryError) -> Clause? {
        guard !field.hasPosition, let test = try element(question, field) else { return nil }
        switch question.quantifier {
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
    func element(_ question: Question, _ field: MongoField) throws(QueryError) -> ElementTest? {
        switch question.test {
        case .isNil(.nullOrAbsent): return equality(question, .null)
        case .equal(let value): return try equality(question, value, field)
        case .ordered(let rule, let value):
            let operators = try order(question, rule, value, field)
            return operators.map { ElementTest(operators: $0, isDirect: $0.count == 1) }
        case .between(let low, let high):
            let range = try range(question, low, high, field)
            return range.map { ElementTest(operators: $0, isDirect: false) }
        case .members(let values, nil):
            guard let choice = try choice(question, values, field), choice.patterns.isEmpty, !choice.plain.isEmpty
            else { return nil }
            let isDirect = !values.contains(where: \.isNull)
            return ElementTest(operators: ["$in": .list(choice.plain)], isDirect: isDirect)
        case .part(.middle, _) where field.last.element != .string: return nil
        case .part, .like, .matches:
            return try patterns.pattern(question).map { ElementTest(operators: $0.operators, isDirect: true) }
        case .never, .isNil, .members, .equalToTerm, .orderedByTerm, .betweenTerms, .memberOfTerm, .containsTerm,
            .textByTerm, .withinTerm:
            return nil
        }
    }

    private func equality(
        _ question: Question,
        _ value: QueryValue,
        _ field: MongoField
    ) throws(QueryError) -> ElementTest? {
        if case .string = value, !question.options.folding.isEmpty {
            let pattern = try patterns.pattern(question)
            let test = pattern.map { ElementTest(operators: $0.operators, isDirect: true) }
            return question.isNegated ? test?.opposite : test
        }
        if value.holdsNaN || value.isOrderSensitive || value.isFolded(question.options) { return nil }
        let type = field.last.element
        return equality(question, try constants.encode(value, for: type, path: field.pathText, at: question.origin))
    }

    private func equality(_ question: Question, _ constant: QueryValue) -> ElementTest {
        ElementTest(
            operators: Document(pairs: [(question.isNegated ? "$ne" : "$eq", constant)]),
            isDirect: !question.isNegated && !constant.isNull && constant.kind != .list
        )
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
