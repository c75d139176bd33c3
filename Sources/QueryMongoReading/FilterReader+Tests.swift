import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension FilterReader {
    /// The tests of a field: a value, or operators that must all hold.
    func tests(
        _ field: MongoField,
        _ node: MongoNode,
        _ guards: inout ListGuards
    ) throws(QueryError) -> [Condition] {
        guard let operators = node.operators else { return [try equal(field, node, &guards)] }
        if operators.count == 1, let key = operators.keys.first, QueryValue.isExtendedJSONKey(key) {
            return [try equal(field, node, &guards)]
        }
        if let range = try range(field, node, operators, &guards) { return range }
        var conditions: [Condition] = []
        let list = try equalList(field, node, operators, guards)
        if let list { conditions.append(list) }
        for (key, operand) in node.members where list == nil || key != "$eq" && key != "$not" {
            let operation = try MongoOperator.named(key, .field, at: operand)
            if let condition = try test(field, operation, operand, in: node, &guards) { conditions.append(condition) }
        }
        return conditions
    }

    /// One operator of a field; nil if another operator has already covered it.
    private func test(
        _ field: MongoField,
        _ operation: MongoOperator,
        _ node: MongoNode,
        in operators: MongoNode,
        _ guards: inout ListGuards
    ) throws(QueryError) -> Condition? {
        switch operation {
        case .equal: return try equal(field, node, &guards)
        case .notEqual: return try unequal(field, node, guards)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return try operation.order.map { order throws(QueryError) in
                if case .uuid = try constant(node, field), field.last.element == .any, operators.members.count < 2 {
                    // Mongo orders UUIDs among all bytes.
                    reading.noteKind(.uuid, of: field.pathText)
                }
                return try ordered(field, order, node, &guards)
            }
        case .in: return try member(field, node, &guards)
        case .notIn:
            var open = guards
            return Self.not(try member(field, node, &open))
        case .not: return try opposite(field, node, guards)
        case .exists: return try exists(field, node, &guards)
        case .type: return try type(field, node, &guards)
        case .regex, .regularExpression: return try matches(field, node, operators.member("$options"), &guards)
        case .options:
            guard operators.member("$regex") != nil else { throw node.wrong("$options needs $regex next to it") }
            return nil
        case .all: return try all(field, node)
        case .size: return try size(field, node, guards)
        case .elementMatch: return try elementMatch(field, node)
        case .modulus: return try modulus(field, node, &guards)
        case .geoWithin, .within: return try within(field, node)
        case .near, .nearSphere: return try near(field, operation, node, in: operators)
        case .maxDistance, .minDistance:
            guard operators.member("$nearSphere") != nil else {
                throw node.wrong("\(operation.rawValue) needs $nearSphere next to it")
            }
            return nil
        case .and, .or, .nor, .expression, .comment, .alwaysTrue, .alwaysFalse:
            throw node.wrong("the operator must be next to fields")
        }
    }

    /// A comparison of a field with a constant that nil does not satisfy: with ANY if the field may hold a list.
    func comparison(
        _ field: MongoField,
        _ operation: Comparison.Operator,
        _ constant: Term,
        _ node: MongoNode,
        _ guards: inout ListGuards,
        options: StringOptions = []
    ) -> Condition {
        let quantifier: Comparison.Quantifier? = isSingle(field, &guards) ? nil : .any
        return .comparison(
            Comparison(
                term(field),
                operation,
                constant,
                quantifier: quantifier,
                options: options,
                origin: node.origin
            )
        )
    }

    private func opposite(
        _ field: MongoField,
        _ node: MongoNode,
        _ guards: ListGuards
    ) throws(QueryError) -> Condition? {
        guard let operators = node.operators else {
            throw node.wrong("$not takes operators", hint: "write {\"$ne\": …} for a value")
        }
        if node.value == FilterWriter.isArray || node.value == .object(["$type": 4]) {
            // A guard is read together with the tests next to it.
            guard guards.areTests else { return nil }
            guard isPrefixSingle(field, guards) else { throw containers(field, node) }
            return noList(field, node)
        }
        if operators.count == 1, let key = operators.keys.first, QueryValue.isExtendedJSONKey(key) {
            throw node.wrong("$not takes operators", hint: "write {\"$ne\": …} for a value")
        }
        // Inside NOT a test does not make guards redundant.
        var open = guards.inside
        let inner = try deeper(node).tests(field, node, &open)
        return .not(Self.all(inner)).simplified
    }

    /// `$gt` and similar.
    private func ordered(
        _ field: MongoField,
        _ operation: Comparison.Operator,
        _ node: MongoNode,
        _ guards: inout ListGuards
    ) throws(QueryError) -> Condition {
        let value = try constant(node, field)
        switch value {
        case .null:
            // `<=` and `>=` with nil test for nil (S7), `<` and `>` never hold, as on the server.
            guard operation == .lessOrEqual || operation == .greaterOrEqual else { return .constant(false) }
            return try isNil(field, .nullOrAbsent, node, &guards)
        case .bool, .int, .double, .string, .date, .uuid:
            return comparison(field, operation, .value(value, node.origin), node, &guards)
        case .data: throw node.unsupported("Mongo orders bytes by their length first")
        case .list, .object, .shape:
            throw node.unsupported("lists and objects have no order here", hint: "compare a field inside")
        }
    }

    /// `{"$gte": low, "$lte": high}` alone, or with a guard, is BETWEEN; nil for anything else.
    private func range(
        _ field: MongoField,
        _ node: MongoNode,
        _ operators: Document,
        _ guards: inout ListGuards
    ) throws(QueryError) -> [Condition]? {
        guard let low = node.member("$gte"), let high = node.member("$lte"),
            operators.count == (guards.cover([field.dotted]) ? 3 : 2)
        else { return nil }
        let bounds = [try constant(low, field), try constant(high, field)]
        let areOrdered = bounds.allSatisfy { bound in
            switch bound {
            case .bool, .int, .double, .string, .date, .uuid: true
            case .null, .data, .list, .object, .shape: false
            }
        }
        guard areOrdered, isSingle(field, &guards) else { return nil }
        let list = Term.list([.value(bounds[0], low.origin), .value(bounds[1], high.origin)], node.origin)
        return [.comparison(Comparison(term(field), .between, list, origin: node.origin))]
    }
}

extension Condition {
    /// Without double negation.
    fileprivate var simplified: Condition {
        if case .not(let inner) = self { FilterReader.not(inner) } else { self }
    }
}
