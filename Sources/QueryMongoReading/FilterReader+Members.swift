import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension FilterReader {
    /// `{"f": {"$in": […]}}`.
    func member(_ field: MongoField, _ node: MongoNode, _ guards: inout ListGuards) throws(QueryError) -> Condition {
        let elements = try node.list("the operand")
        guard elements.count <= reading.limits.listElements else {
            throw node.error(.limit, "the list has more than \(reading.limits.listElements) elements")
        }
        var terms: [Term] = []
        var hasNil = false
        for element in elements {
            let value = try constant(element, field)
            switch value {
            case .null: hasNil = true
            case .list: throw element.unsupported("a list among the values matches lists and elements alike")
            case .bool, .int, .double, .string, .date, .data, .uuid, .object, .shape: break
            }
            terms.append(.value(value, element.origin))
        }
        let list = Term.list(terms, node.origin)
        guard hasNil else { return comparison(field, .in, list, node, &guards) }
        if reading.nilMeaning == .nullOrAbsent, isSingle(field, &guards) {
            return .comparison(Comparison(term(field), .in, list, origin: node.origin))
        }
        let nothing = try isNil(field, .nullOrAbsent, node, &guards)
        let others = terms.filter { $0.constantValue?.isNull != true }
        if others.isEmpty { return nothing }
        return .or([nothing, comparison(field, .in, .list(others, node.origin), node, &guards)])
    }

    /// `{"f": {"$all": [a, b]}}`: each of them, possibly in different elements.
    func all(_ field: MongoField, _ node: MongoNode) throws(QueryError) -> Condition {
        var parts: [Condition] = []
        for element in try node.list("$all's operand") {
            var none = ListGuards([]).inside
            if let match = element.member("$elemMatch") {
                guard element.members.count == 1 else { throw element.wrong("$elemMatch must be the only key here") }
                parts.append(try elementMatch(field, match))
            } else {
                parts.append(try equal(field, element, &none))
            }
        }
        // Without values Mongo finds nothing.
        return parts.isEmpty ? .constant(false) : Self.all(parts)
    }

    /// `{"f": {"$size": n}}`.
    func size(_ field: MongoField, _ node: MongoNode, _ guards: ListGuards) throws(QueryError) -> Condition {
        let size = try node.whole("$size")
        guard size >= 0 else { throw node.wrong("$size must not be negative") }
        guard isPrefixSingle(field, guards) else { throw containers(field, node) }
        return counts(field, .equal, .value(.int(size), node.origin), node)
    }

    /// `f.@count op n`.
    func counts(_ field: MongoField, _ operation: Comparison.Operator, _ value: Term, _ node: MongoNode) -> Condition {
        let count = Term.aggregate(.count, of: term(field), FieldPath(keys: []), node.origin)
        return .comparison(Comparison(count, operation, value, origin: node.origin))
    }

    /// `{"f": {"$type": …}}`, for the kinds that a query can test.
    func type(_ field: MongoField, _ node: MongoNode, _ guards: inout ListGuards) throws(QueryError) -> Condition {
        switch node.value {
        case 10, "null": return try isNil(field, .null, node, &guards)
        case 4, "array":
            guard isPrefixSingle(field, guards) else { throw containers(field, node) }
            return counts(field, .greaterOrEqual, .value(0, node.origin), node)
        case 2, "string":
            return comparison(field, .greaterOrEqual, .value("", node.origin), node, &guards)
        case 8, "bool":
            let both = Term.list([.value(false, node.origin), .value(true, node.origin)], node.origin)
            return comparison(field, .in, both, node, &guards)
        case "number":
            var copy = guards
            let isNegative = comparison(field, .less, .value(0, node.origin), node, &copy)
            return .or([isNegative, comparison(field, .greaterOrEqual, .value(0, node.origin), node, &guards)])
        case .list:
            var tests: [Condition] = []
            for kind in try node.list("$type's operand") {
                var copy = guards
                tests.append(try type(field, kind, &copy))
            }
            if tests.isEmpty { throw node.wrong("$type takes at least one type") }
            return tests.count == 1 ? tests[0] : .or(tests)
        case .int, .double, .string:
            let hint = "known: string, number, bool, null and array"
            throw node.unsupported("a query has no test for this type", hint: hint)
        default: throw node.wrong("$type takes the name or the number of a type")
        }
    }

    /// `{"f": {"$mod": [divisor, remainder]}}`; Mongo truncates fractions first, so that one of doubles is arithmetic.
    func modulus(_ field: MongoField, _ node: MongoNode, _ guards: inout ListGuards) throws(QueryError) -> Condition {
        let parts = try node.list("$mod's operand")
        guard parts.count == 2 else { throw node.wrong("$mod takes a divisor and a remainder") }
        let divisor = try parts[0].whole("the divisor")
        let remainder = try parts[1].whole("the remainder")
        guard divisor != 0 else { throw parts[0].wrong("the divisor must not be 0") }
        let isSingle = isSingle(field, &guards)
        let (by, result) = (Term.value(.int(divisor), parts[0].origin), Term.value(.int(remainder), parts[1].origin))
        func equals(_ term: Term) -> Condition {
            .comparison(Comparison(term, .equal, result, origin: node.origin))
        }
        func holds(_ term: Term) -> Condition {
            let ofInts = equals(.call(.modulus, [term, by], node.origin))
            if field.last.element == .int { return ofInts }
            // Exact up to 2^53; above it, doubles are not found.
            let most: Int64 = 1 << 53
            let ends = Term.list([.value(.int(-most), node.origin), .value(.int(most), node.origin)], node.origin)
            let quotient = Term.arithmetic(Arithmetic(first: term, rest: [.init(.divide, by)]), node.origin)
            let whole = Term.call(.truncate, [quotient], node.origin)
            let multiple = Term.arithmetic(Arithmetic(first: by, rest: [.init(.multiply, whole)]), node.origin)
            let truncated = Term.call(.truncate, [term], node.origin)
            return ofInts
                || .comparison(Comparison(term, .between, ends, origin: node.origin))
                    && equals(
                        .arithmetic(Arithmetic(first: truncated, rest: [.init(.subtract, multiple)]), node.origin)
                    )
        }
        if isSingle { return holds(term(field)) }
        let variable = reading.freshVariable()
        let found = Subquery(term(field), variable, where: holds(.variable(variable, node.origin)))
        return Self.finds(found, node)
    }

    /// `SUBQUERY(…).@count > 0`.
    static func finds(_ subquery: Subquery, _ node: MongoNode) -> Condition {
        let count = Term.aggregate(.count, of: .subquery(subquery, node.origin), FieldPath(keys: []), node.origin)
        return .comparison(Comparison(count, .greater, .value(0, node.origin), origin: node.origin))
    }
}
