import QueryTree
import QueryValues

extension ExpressionWriter {
    /// `left op right` of two operands that may be repeated in the expression.
    func compare(_ left: Operand, _ comparison: Comparison, _ right: Operand) throws(QueryError) -> QueryValue {
        noteDates(comparison)
        switch comparison.operator {
        case .equal: return try equal(left, right, comparison)
        case .notEqual: return Self.not(try equal(left, right, comparison))
        case .less: return try ordered(left, right, comparison)
        case .lessOrEqual: return try ordered(left, right, comparison)
        case .greater: return try ordered(left, right, comparison)
        case .greaterOrEqual: return try ordered(left, right, comparison)
        case .between: return try between(left, right, comparison)
        case .in: return try member(left, in: right, comparison)
        case .contains: return try member(right, in: left, comparison)
        case .beginsWith, .endsWith, .like, .matches: return try text(left, right, comparison)
        case .geoWithin:
            throw unsupported("geoWithin takes a field and a constant shape", at: comparison.origin)
        }
    }

    /// Notes the assumed date form of fields compared with a date, because an expression does not parse text as dates
    /// (S5).
    private func noteDates(_ comparison: Comparison) {
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

    private func equal(_ left: Operand, _ right: Operand, _ comparison: Comparison) throws(QueryError) -> QueryValue {
        if let constant = right.constant { return try equal(left, to: constant, comparison) }
        if let constant = left.constant { return try equal(right, to: constant, comparison) }
        if !comparison.options.folding.isEmpty { throw foldedPaths(comparison) }
        let (a, b) = (left.expression, right.expression)
        guard try relation(left, right, comparison) != .never else {
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
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        switch constant {
        case .null: return isNil(operand)
        case .string(let text) where !comparison.options.folding.isEmpty:
            return try matching(operand.expression, .equal, text, comparison)
        case _ where constant.holdsNaN: return .bool(false)
        case .list where constant.isFolded(comparison.options), .object where constant.isFolded(comparison.options):
            throw foldedPaths(comparison)
        case _ where constant.isOrderSensitive:
            throw unsupported("Mongo compares the fields of objects in their order", at: comparison.origin)
        case .bool, .int, .double, .string, .date, .data, .uuid, .list, .object, .shape:
            if let other = operand.constant, other.kind != constant.kind { return .bool(false) }
            if operand.type.readsAsDate(constant) { return .bool(false) }
            return op("$eq", [try expression(operand, with: operand), try value(constant, with: operand)])
        }
    }

    /// Tests for nil in the meaning that the query gives it (S8).
    private func isNil(_ operand: Operand) -> QueryValue {
        let type = op("$type", operand.expression)
        switch context.nilMeaning {
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
    private func ordered(_ left: Operand, _ right: Operand, _ comparison: Comparison) throws(QueryError) -> QueryValue {
        guard left.constant == nil else {
            var mirrored = comparison
            guard right.constant == nil, let mirror = comparison.operator.row.mirror else { return .bool(false) }
            mirrored.operator = mirror
            return try ordered(right, left, mirrored)
        }
        let allowsEqual = comparison.operator == .lessOrEqual || comparison.operator == .greaterOrEqual
        if let constant = right.constant {
            guard !constant.isNull else { return allowsEqual ? Self.isNil(left.expression) : .bool(false) }
            return try ordered(left, by: comparison.operator, constant, comparison)
        }
        let holds = try strictlyOrdered(left, right, comparison)
        if !allowsEqual || left.isRequired || right.isRequired { return holds }
        return Self.some([Self.all([Self.isNil(left.expression), Self.isNil(right.expression)]), holds])
    }

    /// Compares two values of one ordered kind; nil and NaN sort below all others, so the lower side is tested for
    /// them.
    private func strictlyOrdered(
        _ left: Operand,
        _ right: Operand,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        guard let name = comparison.operator.mongoName else { return .bool(false) }
        let isLess = comparison.operator == .less || comparison.operator == .lessOrEqual
        let (lower, upper) = isLess ? (left, right) : (right, left)
        let relation = try relation(left, right, comparison)
        if relation == .never || lower.type.isList { return .bool(false) }
        if relation != .numbers, !comparison.options.folding.isEmpty { throw foldedPaths(comparison) }
        let holds = op(name, [left.expression, right.expression])
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
        by operation: Comparison.Operator,
        _ constant: QueryValue,
        _ comparison: Comparison
    ) throws(QueryError) -> QueryValue {
        guard let name = operation.mongoName else { return .bool(false) }
        let expression = operand.expression
        let encoded = try value(constant, with: operand)
        let test = op(name, [expression, encoded])
        switch constant {
        case .null, .list, .object, .shape: return .bool(false)
        case .double(let number) where number.isNaN: return .bool(false)
        case .data: throw FilterWriter.bytesOrder(comparison.origin)
        case .string where !comparison.options.folding.isEmpty: throw foldedPaths(comparison)
        case .int, .double: return numbers(operand, operation, test)
        case .bool: return Self.all([op("$eq", [op("$type", expression), "bool"]), test])
        case .uuid:
            let bounds = FilterWriter.order(name, encoded, operand.type)
            guard bounds.count > 1 else { return Self.all([op("$eq", [op("$type", expression), "binData"]), test]) }
            return Self.all(bounds.pairs.map { op($0.0, [expression, $0.1]) })
        case .string where operand.type.element == .objectID:
            return Self.all([op("$eq", [op("$type", expression), "objectId"]), test])
        case .string: return Self.all([Self.isText(expression), test])
        case .date:
            if encoded.kind == .number { return numbers(operand, operation, test) }
            let type: QueryValue = encoded.kind == .date ? "date" : "string"
            return Self.all([op("$eq", [op("$type", expression), type]), test])
        }
    }

    /// Mongo orders values of other kinds above numbers, and nil and NaN below them, so the test excludes these.
    private func numbers(_ operand: Operand, _ operation: Comparison.Operator, _ test: QueryValue) -> QueryValue {
        let isLess = operation == .less || operation == .lessOrEqual
        if isLess { return Self.all([Self.isValue(operand), test]) }
        return Self.all([operand.isNumber ? .bool(true) : Self.isNumber(operand.expression), test])
    }

    private func foldedPaths(_ comparison: Comparison) -> QueryError {
        unsupported(
            "Mongo folds case only against constants",
            at: comparison.origin,
            hint: "leave out [\(comparison.options.text)]"
        )
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

    private func relation(_ a: Operand, _ b: Operand, _ comparison: Comparison) throws(QueryError) -> Relation {
        let left = a.isNumber ? Kind.number : a.type.kind
        let right = b.isNumber ? Kind.number : b.type.kind
        guard let left, let right else {
            let known = a.type.kind == nil ? b.type : a.type
            if known == .objectID {
                throw unsupported(
                    "Mongo distinguishes ObjectIds from texts, and only one of the two is declared",
                    at: comparison.origin
                )
            }
            if case .date(let encoding) = known, encoding != context.profile.dates {
                throw unsupported("the two sides may keep dates in different forms", at: comparison.origin)
            }
            return .unknown
        }
        guard left == right else { return .never }
        if left == .date, a.type != b.type || a.type == .date(.iso8601) {
            throw unsupported("the two sides keep dates in different forms", at: comparison.origin)
        }
        if left == .data, comparison.operator != .equal, comparison.operator != .notEqual {
            throw FilterWriter.bytesOrder(comparison.origin)
        }
        if left == .object {
            throw unsupported("Mongo compares the fields of objects in their order", at: comparison.origin)
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

    /// `a BETWEEN {low, high}`; bounds may be computed (S13).
    private func between(_ left: Operand, _ right: Operand, _ comparison: Comparison) throws(QueryError) -> QueryValue {
        var low = comparison
        var high = comparison
        (low.operator, high.operator) = (.greaterOrEqual, .lessOrEqual)
        if case .list(let bounds)? = right.constant {
            guard bounds.count == 2, !bounds.contains(where: \.isNull) else { return .bool(false) }
            return try within(left, constant(bounds[0], right.origin), constant(bounds[1], right.origin), low, high)
        }
        guard case .list(let terms, _) = comparison.right, terms.count == 2 else {
            throw unsupported("BETWEEN needs its two bounds written out", at: comparison.right.origin)
        }
        let (first, second) = (try operand(terms[0]), try operand(terms[1]))
        return try binding(first) { (first) throws(QueryError) in
            try binding(second) { (second) throws(QueryError) in try within(left, first, second, low, high) }
        }
    }

    private func within(
        _ value: Operand,
        _ first: Operand,
        _ second: Operand,
        _ low: Comparison,
        _ high: Comparison
    ) throws(QueryError) -> QueryValue {
        let lower = try bounded(value, first, low)
        return Self.all([lower, try bounded(value, second, high)])
    }

    /// `>=` or `<=` that does not hold for two nils, because BETWEEN with nil never holds (S7).
    private func bounded(_ value: Operand, _ bound: Operand, _ comparison: Comparison) throws(QueryError) -> QueryValue
    {
        if let constant = bound.constant {
            if constant.isNull { return .bool(false) }
            guard let value = value.constant else {
                return try ordered(value, by: comparison.operator, constant, comparison)
            }
            let order = value.order(relativeTo: constant)
            let wanted: QueryOrder = comparison.operator == .greaterOrEqual ? .descending : .ascending
            return .bool(order == .same || order == wanted)
        }
        if let constant = value.constant {
            guard !constant.isNull, let mirror = comparison.operator.row.mirror else { return .bool(false) }
            return try ordered(bound, by: mirror, constant, comparison)
        }
        return try strictlyOrdered(value, bound, comparison)
    }

    func constant(_ value: QueryValue, _ origin: Origin) -> Operand {
        Operand(expression: Self.literal(value), type: value.fieldType, constant: value, origin: origin)
    }
}
