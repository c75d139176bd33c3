import QueryMeaning
import QueryTree
import QueryValues

extension ExpressionWriter {
    /// The answer to a question, with operands that may be repeated in the expression.
    func compare(_ left: Operand, _ question: Question, _ right: Operand) throws(QueryError) -> QueryValue {
        let holds = try holds(left, question, right)
        return question.isNegated ? Self.not(holds) : holds
    }

    private func holds(_ left: Operand, _ question: Question, _ right: Operand) throws(QueryError) -> QueryValue {
        switch question.test {
        case .never: return .bool(false)
        case .isNil(let meaning): return isNil(left, meaning)
        case .equal(let value): return try equal(left, to: value, question)
        case .equalToTerm: return try equal(left, right, question)
        case .ordered(let rule, let value): return try ordered(left, rule, value, question)
        case .orderedByTerm(let rule): return try ordered(left, rule, right, question)
        case .between(let low, let high):
            if low.isNull || high.isNull { return .bool(false) }
            return try within(left, constant(low, question.origin), constant(high, question.origin), question)
        case .betweenTerms: return try between(left, question)
        case .members(let values, let orNil):
            let isMember = try member(left, ofConstants: values, question)
            return Self.some([orNil.map { isNil(left, $0) } ?? .bool(false), isMember])
        case .memberOfTerm(let orNil):
            let isMember = try member(left, in: right, question)
            return Self.some([orNil.map { isNil(left, $0) } ?? .bool(false), isMember])
        case .containsTerm: return try member(right, in: left, question)
        case .part(.middle, let text):
            return try member(constant(.string(text), question.origin), in: left, question)
        case .part, .like, .matches: return try matching(left.constant.map(Self.literal) ?? left.expression, question)
        case .textByTerm(let relation): return try text(left, relation, right, question)
        case .withinTerm:
            throw unsupported("geoWithin takes a field and a constant shape", at: question.whole)
        }
    }

    /// Notes the assumed date form of fields compared with a date, because an expression does not parse text as dates
    /// (S5).
    func noteDates(_ comparison: Comparison) {
        var (hasDate, notes) = (false, [Assumption]())
        for case .term(let term) in Condition.comparison(comparison).nodes {
            if case .value(.date, _) = term { hasDate = true }
            guard case .field(let path, _) = term else { continue }
            var (encoding, isDeclared) = (context.profile.dates, false)
            switch scope.type(of: term).element {
            case .any: break
            case .date(let declared): (encoding, isDeclared) = (declared, true)
            case .bool, .int, .double, .string, .data, .uuid, .objectID, .object, .list: continue
            }
            if let form = encoding.assumedForm(isDeclared: isDeclared) { notes.append(.date(path.dotted, form)) }
        }
        if hasDate { notes.forEach { context.note($0) } }
    }

    /// A constant in the form of the operand that it is compared with.
    func value(_ constant: QueryValue, with partner: Operand) throws(QueryError) -> QueryValue {
        Self.literal(try constants.encode(constant, for: partner.type.element, path: nil, at: partner.origin))
    }

    /// Two operands of which one, an element of a list, may be a constant.
    func equal(_ left: Operand, _ right: Operand, _ question: Question) throws(QueryError) -> QueryValue {
        if let constant = right.constant { return try equal(left, to: constant, question) }
        if let constant = left.constant { return try equal(right, to: constant, question) }
        if !question.options.folding.isEmpty { throw folded(question) }
        let (a, b) = (left.expression, right.expression)
        guard try relation(left, right, isOrdered: false, question) != .never else {
            return Self.all([Self.isNil(a), Self.isNil(b)])
        }
        let mayBeNaN = left.mayBeNaN && right.mayBeNaN
        // Nil equals nil, whether null or absent; NaN equals nothing.
        return Self.all([
            mayBeNaN ? op("$ne", [a, .double(.nan)]) : .bool(true), op("$eq", [Self.orNull(left), Self.orNull(right)]),
        ])
    }

    private func equal(
        _ operand: Operand,
        to constant: QueryValue,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        switch constant {
        case .null: return isNil(operand, .nullOrAbsent)
        case .string where !question.options.folding.isEmpty:
            return try matching(operand.expression, question.asking(.equal(constant)))
        case _ where constant.holdsNaN: return .bool(false)
        case .list where constant.isFolded(question.options), .object where constant.isFolded(question.options):
            throw folded(question)
        case _ where constant.isOrderSensitive:
            throw unsupported("Mongo compares the fields of objects in their order", at: question.whole)
        case .bool, .int, .double, .string, .date, .data, .uuid, .list, .object, .shape:
            if let other = operand.constant, other.kind != constant.kind { return .bool(false) }
            if operand.type.readsAsDate(constant) { return .bool(false) }
            return op("$eq", [try expression(operand, with: operand), try value(constant, with: operand)])
        }
    }

    /// Tests for nil in one of its meanings (S8).
    private func isNil(_ operand: Operand, _ meaning: NilMeaning) -> QueryValue {
        let type = op("$type", operand.expression)
        switch meaning {
        case .nullOrAbsent: return Self.isNil(operand.expression)
        // A computed nil counts as null.
        case .absent: return operand.isPath ? op("$eq", [type, "missing"]) : .bool(false)
        case .null where operand.isPath: return op("$eq", [type, "null"])
        case .null: return op("$eq", [op("$ifNull", [operand.expression, .null]), .null])
        }
    }

    private func expression(_ operand: Operand, with partner: Operand) throws(QueryError) -> QueryValue {
        guard let constant = operand.constant else { return operand.expression }
        return try value(constant, with: partner)
    }

    /// `< <= > >=`: holds for two values of one ordered kind; `<=` and `>=` also for two nils (S7).
    private func ordered(
        _ left: Operand,
        _ rule: OrderRule,
        _ right: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        // SUBQUERY of nil turns out to be a constant only here.
        if let constant = right.constant {
            if constant.isNull { return rule.allowsEqual ? Self.isNil(left.expression) : .bool(false) }
            return left.constant == nil ? try ordered(left, rule, constant, question) : .bool(false)
        }
        if left.constant != nil { return try ordered(right, rule.mirrored, left, question) }
        let holds = try strictlyOrdered(left, rule, right, question)
        if !rule.allowsEqual || left.isRequired || right.isRequired { return holds }
        return Self.some([Self.all([Self.isNil(left.expression), Self.isNil(right.expression)]), holds])
    }

    /// Compares two values of one ordered kind; nil and NaN sort below all others, so the lower side is tested for
    /// them.
    private func strictlyOrdered(
        _ left: Operand,
        _ rule: OrderRule,
        _ right: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        let (lower, upper) = rule.isLess ? (left, right) : (right, left)
        let relation = try relation(left, right, isOrdered: true, question)
        if relation == .never || lower.type.isList { return .bool(false) }
        if relation != .numbers, !question.options.folding.isEmpty { throw folded(question) }
        let holds = op(rule.mongoName, [left.expression, right.expression])
        if relation == .unknown, !lower.isNumber, !upper.isNumber {
            guard !context.isGuarded, let path = left.assumablePath, let other = right.assumablePath else {
                let isLower = op("$or", [Self.not(Self.isNumber(lower.expression)), Self.isNoNaN(lower.expression)])
                return Self.all([Self.bracket(left.expression, right.expression), isLower, holds])
            }
            for path in [path, other] { context.assume(.kind(path, .number)) }
            return Self.all([Self.isValue(lower, isAssumed: true), holds])
        }
        let isNumber = relation == .unknown && !upper.isNumber ? Self.isNumber(upper.expression) : .bool(true)
        return Self.all([isNumber, Self.isValue(lower), holds])
    }

    /// Compares an operand with a constant that is not nil.
    private func ordered(
        _ operand: Operand,
        _ rule: OrderRule,
        _ constant: QueryValue,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        let expression = operand.expression
        let encoded = try value(constant, with: operand)
        let test = op(rule.mongoName, [expression, encoded])
        switch constant {
        case .null, .list, .object, .shape: return .bool(false)
        case .double(let number) where number.isNaN: return .bool(false)
        case .data: throw FilterWriter.bytesOrder(question.whole)
        case .string where !question.options.folding.isEmpty: throw folded(question)
        case .int, .double: return numbers(operand, rule, test)
        case .bool: return Self.all([op("$eq", [op("$type", expression), "bool"]), test])
        case .uuid:
            let bounds = FilterWriter.order(rule.mongoName, encoded, operand.type)
            guard bounds.count > 1 else { return Self.all([op("$eq", [op("$type", expression), "binData"]), test]) }
            return Self.all(bounds.pairs.map { op($0.0, [expression, $0.1]) })
        case .string where operand.type.element == .objectID:
            return Self.all([op("$eq", [op("$type", expression), "objectId"]), test])
        case .string: return Self.all([Self.isText(expression), test])
        case .date:
            if encoded.kind == .number { return numbers(operand, rule, test) }
            let type: QueryValue = encoded.kind == .date ? "date" : "string"
            return Self.all([op("$eq", [op("$type", expression), type]), test])
        }
    }

    /// Mongo orders values of other kinds above numbers, and nil and NaN below them, so the test excludes these.
    private func numbers(_ operand: Operand, _ rule: OrderRule, _ test: QueryValue) -> QueryValue {
        if rule.isLess { return Self.all([Self.isValue(operand), test]) }
        return Self.all([operand.isNumber ? .bool(true) : Self.isNumber(operand.expression), test])
    }

    private func folded(_ question: Question) -> QueryError {
        foldedTerms(question, hint: "leave out [\(question.options.text)]")
    }

    func foldedTerms(_ question: Question, hint: String? = nil) -> QueryError {
        let meant = hint ?? "leave out [\(question.options.text)], or answer this part in memory by splitting the query"
        return unsupported("Mongo folds case only against constants", at: question.whole, hint: meant)
    }
}

extension ExpressionWriter {
    /// What is known about the kinds of two operands.
    private enum Relation {
        case never
        case numbers
        case sameKind
        case unknown
    }

    private func relation(
        _ a: Operand,
        _ b: Operand,
        isOrdered: Bool,
        _ question: Question
    ) throws(QueryError) -> Relation {
        let left = a.isNumber ? Kind.number : a.type.kind
        let right = b.isNumber ? Kind.number : b.type.kind
        guard let left, let right else {
            let known = a.type.kind == nil ? b.type : a.type
            if known == .objectID {
                throw unsupported(
                    "Mongo distinguishes ObjectIds from texts, and only one of the two is declared",
                    at: question.whole
                )
            }
            if case .date(let encoding) = known, encoding != context.profile.dates {
                throw unsupported("the two sides may keep dates in different forms", at: question.whole)
            }
            return .unknown
        }
        guard left == right else { return .never }
        if left == .date, a.type != b.type || a.type == .date(.iso8601) {
            throw unsupported("the two sides keep dates in different forms", at: question.whole)
        }
        if left == .data, isOrdered {
            throw FilterWriter.bytesOrder(question.whole)
        }
        if left == .object {
            throw unsupported("Mongo compares the fields of objects in their order", at: question.whole)
        }
        return left == .number ? .numbers : .sameKind
    }

    /// Tests that both are numbers, or both of one kind that Mongo orders as the rules do.
    private static func bracket(_ a: QueryValue, _ b: QueryValue) -> QueryValue {
        let kinds: [QueryValue] = ["string", "bool", "date", "objectId", "binData"]
        let type = op("$type", a)
        return some([
            all([isNumber(a), isNumber(b)]),
            all([op("$eq", [type, op("$type", b)]), op("$in", [type, .list(kinds)])]),
        ])
    }

    /// `a BETWEEN {low, high}` with computed bounds (S13).
    private func between(_ left: Operand, _ question: Question) throws(QueryError) -> QueryValue {
        guard case .list(let terms, _)? = question.term, terms.count == 2 else {
            throw unsupported("BETWEEN needs its two bounds written out", at: question.origin)
        }
        let (first, second) = (try operand(terms[0]), try operand(terms[1]))
        return try binding(first) { (first) throws(QueryError) in
            try binding(second) { (second) throws(QueryError) in try within(left, first, second, question) }
        }
    }

    private func within(
        _ value: Operand,
        _ low: Operand,
        _ high: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        let lower = try bounded(value, OrderRule(.descending, orEqual: true), low, question)
        return Self.all([lower, try bounded(value, OrderRule(.ascending, orEqual: true), high, question)])
    }

    /// `>=` or `<=` that does not hold for two nils, because BETWEEN with nil never holds (S7).
    private func bounded(
        _ value: Operand,
        _ rule: OrderRule,
        _ bound: Operand,
        _ question: Question
    ) throws(QueryError) -> QueryValue {
        if let constant = bound.constant {
            if constant.isNull { return .bool(false) }
            guard let value = value.constant else { return try ordered(value, rule, constant, question) }
            return .bool(rule.accepts(value.order(relativeTo: constant)))
        }
        if let constant = value.constant {
            return constant.isNull ? .bool(false) : try ordered(bound, rule.mirrored, constant, question)
        }
        return try strictlyOrdered(value, rule, bound, question)
    }

    func constant(_ value: QueryValue, _ origin: Origin) -> Operand {
        Operand(expression: Self.literal(value), type: value.fieldType, constant: value, origin: origin)
    }
}
