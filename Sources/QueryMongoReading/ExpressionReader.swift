import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

/// Reads the aggregation expressions that the writer writes as conditions.
///
/// They check the kinds of their operands, name values that are used twice, and exclude nil; the reader skips all that
/// to find the comparison at the core, and the result is written again: it counts only if that gives the same
/// expression. So nothing is guessed, whatever the expression.
struct ExpressionReader {
    let reading: MongoKnowledge
    let origin: Origin
    /// The types of the row and of SUBQUERY's variables.
    var scope: TypeScope
    /// The terms behind the names in the expression.
    var names: [UTF8Key: Term] = [:]
    /// The names that `$let` has bound, outer before inner.
    var bound: [QueryValue] = []

    /// The condition that an expression appears to be, or nil.
    func condition(_ expression: QueryValue) -> Condition? {
        switch expression {
        case .bool(let holds): return .constant(holds)
        case .object(let object) where object.count == 1:
            guard let name = object.keys.first, let operand = object.values.first else { return nil }
            return condition(name, operand)
        default: return nil
        }
    }

    private func condition(_ name: String, _ operand: QueryValue) -> Condition? {
        switch (name, operand) {
        case ("$and", .list(let parts)): return conjunction(parts)
        case ("$or", .list(let parts)): return disjunction(parts)
        case ("$not", .list(let parts)):
            guard parts.count == 1, let inner = condition(parts[0]) else { return nil }
            return opposite(inner)
        case ("$anyElementTrue", .list(let lists)): return quantified(lists, .any)
        case ("$allElementsTrue", .list(let lists)): return quantified(lists, .all)
        case ("$regexMatch", .object(let match)): return matching(match)
        case ("$in", .list(let operands)): return member(operands)
        case ("$cond", .list(let parts)): return container(parts)
        case ("$let", _): return binding(operand) { reader, body in reader.condition(body) }.map(membership)
        case (_, .list(let operands)) where operands.count == 2: return comparison(name, operands[0], operands[1])
        default: return nil
        }
    }

    /// AND, or a comparison preceded by the checks of its operands.
    private func conjunction(_ parts: [QueryValue]) -> Condition? {
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return nil }
        if isCheck(first) { return condition(last) }
        guard let conditions = parts.mapAll(condition) else { return nil }
        if conditions.count == 2, let range = range(conditions[0], conditions[1]) { return range }
        return .and(conditions)
    }

    /// OR, or a comparison that also holds when both sides are nil.
    private func disjunction(_ parts: [QueryValue]) -> Condition? {
        guard parts.count == 2, let checks = parts[0].operands("$and"), checks.count == 2,
            checks.allSatisfy(\.isNilCheck)
        else { return parts.mapAll(condition).map(Condition.or) }
        guard let second = condition(parts[1]) else { return nil }
        if case .comparison(let comparison) = second, comparison.right.constantValue == nil,
            [.equal, .lessOrEqual, .greaterOrEqual].contains(comparison.operator)
        {
            return second
        }
        return condition(parts[0]).map { .or([$0, second]) }
    }

    /// A named value that equals one of several terms is a member of their list.
    func membership(_ condition: Condition) -> Condition {
        guard case .or(let parts) = condition, case .comparison(var member)? = parts.first else { return condition }
        var terms: [Term] = []
        for part in parts {
            guard case .comparison(let one) = part, one.operator == .equal, one.quantifier == nil,
                one.left == member.left, one.options == member.options
            else { return condition }
            terms.append(one.right)
        }
        member.operator = .in
        member.right = .list(terms, origin)
        return .comparison(member)
    }

    func opposite(_ condition: Condition) -> Condition {
        guard case .comparison(var comparison) = condition, comparison.quantifier == nil,
            comparison.operator == .equal
        else { return .not(condition) }
        comparison.operator = .notEqual
        return .comparison(comparison)
    }

    /// `x >= low` and `x <= high` are `x BETWEEN {low, high}`.
    private func range(_ low: Condition, _ high: Condition) -> Condition? {
        guard case .comparison(let low) = low, case .comparison(let high) = high, low.quantifier == nil,
            high.quantifier == nil, low.operator == .greaterOrEqual, high.operator == .lessOrEqual,
            low.left == high.left
        else { return nil }
        let bounds = Term.list([low.right, high.right], origin)
        return .comparison(Comparison(low.left, .between, bounds, origin: origin))
    }

    private func comparison(_ name: String, _ left: QueryValue, _ right: QueryValue) -> Condition? {
        guard let operation = Self.operators[name] else { return nil }
        // An expression of one of these forms is nothing else, so nothing is read twice.
        if left.operand("$indexOfBytes") != nil || left.operand("$substrCP") != nil {
            return place(operation, left, right)
        }
        if operation == .lessOrEqual, right.isNull { return nilTest(left) }
        if operation == .equal, let typed = left.operand("$type"), right == "missing" || right == "null" {
            let nothing = Term.value(.null, origin)
            return term(typed).map { .comparison(Comparison($0, .equal, nothing, origin: origin)) }
        }
        guard let left = term(left), let right = term(right) else { return nil }
        return .comparison(Comparison(left, operation, decoded(right, with: left), origin: origin))
    }

    static let operators: [String: Comparison.Operator] = [
        "$eq": .equal, "$ne": .notEqual, "$lt": .less, "$lte": .lessOrEqual, "$gt": .greater, "$gte": .greaterOrEqual,
    ]

    /// A nil test by its rank below every value.
    private func nilTest(_ value: QueryValue) -> Condition? {
        let nilOperator: Comparison.Operator = reading.nilMeaning == .nullOrAbsent ? .equal : .lessOrEqual
        return term(value).map { .comparison(Comparison($0, nilOperator, .value(.null, origin), origin: origin)) }
    }

    /// A comparison by the position of one text in another.
    private func place(_ operation: Comparison.Operator, _ left: QueryValue, _ right: QueryValue) -> Condition? {
        guard case .object(let call) = left, call.count == 1 else { return nil }
        var found: Comparison.Operator?
        var texts: [QueryValue] = []
        if let operands = left.operands("$indexOfBytes"), operands.count == 2, right == 0 {
            found = operation == .equal ? .beginsWith : operation == .greaterOrEqual ? .contains : nil
            texts = operands
        } else if operation == .equal, let operands = left.operands("$substrCP"), operands.count == 3 {
            found = .endsWith
            texts = [operands[0], right]
        }
        guard let found, let whole = term(texts[0]), let part = term(texts[1]) else { return nil }
        if found == .contains, let (outer, inner) = bound(texts[0], texts[1]), outer > inner {
            return .comparison(Comparison(part, .in, whole, origin: origin))
        }
        return .comparison(Comparison(whole, found, part, origin: origin))
    }

    private func matching(_ match: Document) -> Condition? {
        guard let input = match["input"], case .string(let pattern)? = match["regex"], let subject = term(input)
        else { return nil }
        var letters = ""
        if case .string(let text)? = match["options"] { letters = text }
        guard let found = PatternReader.readings(pattern, letters).first else { return nil }
        let text = Term.value(.string(found.text), origin)
        return .comparison(Comparison(subject, found.operation, text, options: found.options, origin: origin))
    }

    private func member(_ operands: [QueryValue]) -> Condition? {
        guard operands.count == 2, let needle = term(operands[0]), let container = term(operands[1]) else {
            return nil
        }
        return .comparison(Comparison(needle, .in, decoded(container, with: needle), origin: origin))
    }

    /// `needle IN container` where the container may be a list, a text or a single value.
    private func container(_ parts: [QueryValue]) -> Condition? {
        guard parts.count == 3, let tested = parts[0].operands("$isArray")?.first, let container = term(tested) else {
            return nil
        }
        if parts[1] == false {
            // NaN is in no list.
            return .comparison(Comparison(container, .contains, .value(.double(.nan), origin), origin: origin))
        }
        guard case .comparison(var comparison)? = condition(parts[1])
        else { return nil }
        if comparison.quantifier == .any, comparison.operator == .equal {
            (comparison.quantifier, comparison.operator) = (nil, .contains)
            return .comparison(comparison)
        }
        guard comparison.operator == .in else { return nil }
        comparison.right = container
        let needle = parts[1].operands("$in")?.first
        if let needle, let (outer, inner) = bound(tested, needle.operands("$ifNull")?.first ?? needle), outer < inner {
            comparison.operator = .contains
            (comparison.left, comparison.right) = (comparison.right, comparison.left)
        }
        return .comparison(comparison)
    }

    /// Which of two names was bound first, if both are; it is the left side.
    private func bound(_ a: QueryValue, _ b: QueryValue) -> (Int, Int)? {
        func name(_ value: QueryValue) -> Int? {
            bound.lastIndex(of: value.operands("$cond")?.dropFirst().first ?? value)
        }
        guard let a = name(a), let b = name(b) else { return nil }
        return (a, b)
    }

    /// ANY and ALL.
    private func quantified(_ lists: [QueryValue], _ quantifier: Comparison.Quantifier) -> Condition? {
        guard lists.count == 1, case .object(let outer) = lists[0], case .object(let map)? = outer["$map"],
            let input = map["input"], case .string(let name)? = map["as"], let body = map["in"],
            let collection = term(input)
        else { return nil }
        if case .bool(let holds) = body {
            // A test that holds for no element, or for every one.
            let right: Term = holds ? .value(.double(.nan), origin) : .list([], origin)
            let operation: Comparison.Operator = holds ? .notEqual : .in
            return .comparison(Comparison(collection, operation, right, quantifier: quantifier, origin: origin))
        }
        let variable = Variable(name)
        var inner = self
        inner.scope = scope.binding(variable, to: scope.type(of: collection).element)
        let element = Term.variable(variable, origin)
        inner.names[UTF8Key(name)] = element
        guard let condition = inner.condition(body), var comparison = condition.ofOneElement(element) else {
            return nil
        }
        if comparison.left != element {
            guard comparison.right == element, let mirrored = comparison.mirrored else { return nil }
            comparison = mirrored
        }
        (comparison.left, comparison.quantifier) = (collection, quantifier)
        return .comparison(comparison)
    }
}

extension Condition {
    /// A comparison of one element; a choice of values is IN.
    fileprivate func ofOneElement(_ element: Term) -> Comparison? {
        switch self {
        case .comparison(let comparison): return comparison
        case .or(let parts):
            var values: [Term] = []
            var options: StringOptions = []
            for part in parts {
                guard case .comparison(let comparison) = part, comparison.left == element else { return nil }
                options.formUnion(comparison.options)
                switch (comparison.operator, comparison.right) {
                case (.in, .list(let elements, _)): values += elements
                case (.equal, let value): values.append(value)
                default: return nil
                }
            }
            return Comparison(element, .in, .list(values, .none), options: options)
        case .constant, .and, .not: return nil
        }
    }
}

extension [QueryValue] {
    /// The transformed elements, or nil if one has no result.
    func mapAll<Result>(_ transform: (QueryValue) -> Result?) -> [Result]? {
        var results: [Result] = []
        results.reserveCapacity(count)
        for element in self {
            guard let result = transform(element) else { return nil }
            results.append(result)
        }
        return results
    }
}
