import QuerySyntax

extension ExpressionWriter {
    /// A term where a collection is wanted: set operators are allowed, for their order does not matter there.
    func collection(_ term: Term) throws(QueryError) -> Operand {
        guard case .arithmetic(let chain, let origin) = term, chain.rest.first?.operation.row.precedence == .set else {
            return try operand(term)
        }
        var result = Operand(expression: .null, type: scope.type(of: term), origin: origin)
        var lists: [QueryValue] = []
        var set = try setElements(chain.first, &lists)
        for link in chain.rest {
            guard let name = link.operation.setName else { throw unsupported("not a set operator", at: origin) }
            set = op(name, [set, try setElements(link.operand, &lists)])
        }
        switch Self.all(lists) {
        case .bool(let isSet): result.expression = isSet ? set : .null
        case let areLists: result.expression = Self.choose(areLists, set, .null)
        }
        return result
    }

    /// An operand of a set operation, and what must hold for it to be a list: beside anything else there is no set.
    private func setElements(_ term: Term, _ lists: inout [QueryValue]) throws(QueryError) -> QueryValue {
        let set = try collection(term)
        guard let constant = set.constant else {
            if set.isSurelyList { return set.expression }
            // A set operation of null is null.
            guard case .string = set.expression else {
                return Self.named(set.expression) { Self.choose(Self.isList($0), $0, .null) }
            }
            lists.append(Self.isList(set.expression))
            return set.expression
        }
        if constant.holdsNaN || constant.isOrderSensitive {
            throw unsupported("Mongo compares these elements by other rules", at: set.origin)
        }
        if case .list = constant {
            return Self.literal(try constants.encode(constant, for: .any, path: nil, at: set.origin))
        }
        lists.append(.bool(false))
        return .list([])
    }

    /// `items.@sum.price` and the like (S18).
    func aggregate(
        _ aggregate: Aggregate,
        _ base: Term,
        _ path: FieldPath,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        let list = try values(base, path, result.origin)
        switch aggregate {
        case .count: return counting(list, result)
        case .sum: return numbers(list, "$sum", result)
        case .average: return numbers(list, "$avg", result)
        case .min: return extreme(list, "$min", result)
        case .max: return extreme(list, "$max", result)
        case .unionOfObjects: return lists(list, distinct: false, result)
        case .distinctUnionOfObjects: return lists(list, distinct: true, result)
        case .unionOfArrays, .distinctUnionOfArrays, .distinctUnionOfSets:
            throw unsupported("Mongo filters have no \(aggregate.spelling)", at: result.origin)
        }
    }

    /// The collection, or the values of a path in its elements.
    private func values(_ base: Term, _ path: FieldPath, _ origin: Origin) throws(QueryError) -> Operand {
        if path.keys.isEmpty { return try collection(base) }
        let list = try collection(base)
        let type: FieldType = list.type.isList ? list.type : .list(list.type)
        let field = try scope.field(path.keys, from: type, path: [], at: origin)
        let name = context.freshName()
        var mapped = walk(field, list: "$$" + name, type: type.resolve(path.keys)?.type ?? .any, origin)
        let variables = Document(pairs: [(name, Self.listed(list))])
        mapped.expression = op("$let", .object(["vars": .object(variables), "in": mapped.expression]))
        mapped.isSurelyList = true
        return mapped
    }

    func counting(_ list: Operand, _ result: Operand) -> Operand {
        var result = result
        result.expression =
            list.isSurelyList
            ? op("$size", list.expression)
            : Self.named(list.expression) { Self.choose(Self.isList($0), op("$size", $0), .null) }
        (result.isNumeric, result.isInt) = (true, true)
        return result
    }

    /// A reduction of the numbers among the elements.
    func numbers(_ list: Operand, _ name: String, _ result: Operand) -> Operand {
        var result = result
        result.expression = op(name, filtered(list) { Self.isNumber($0) })
        result.isNumeric = true
        return result
    }

    /// The least or greatest element in sort order; nil and NaN do not count.
    func extreme(_ list: Operand, _ name: String, _ result: Operand) -> Operand {
        var result = result
        result.expression = op(
            name,
            filtered(list) { Self.all([Self.not(Self.isNil($0)), op("$ne", [$0, .double(.nan)])]) }
        )
        return result
    }

    private func filtered(_ list: Operand, _ test: (QueryValue) -> QueryValue) -> QueryValue {
        let name = context.freshName()
        return op(
            "$filter",
            .object(["input": Self.listed(list), "as": .string(name), "cond": test(.string("$$" + name))])
        )
    }

    private func lists(_ list: Operand, distinct: Bool, _ result: Operand) -> Operand {
        var result = result
        let elements = Self.listed(list)
        result.expression = distinct ? op("$setUnion", [elements]) : elements
        return result
    }

    /// `SUBQUERY(c, $x, p)`: the elements for which p holds; nil over nil (S19).
    func elements(_ subquery: Subquery, _ result: Operand) throws(QueryError) -> Operand {
        var result = result
        let list = try collection(subquery.collection)
        let name = context.freshName()
        var inner = self
        inner.scope = scope.binding(subquery.variable, to: list.type.element)
        inner.names[subquery.variable] = name
        let test = try inner.truth(subquery.condition)
        let filter = Self.named(Self.collected(list)) {
            op("$filter", .object(["input": $0, "as": .string(name), "cond": test]))
        }
        let isNothing: QueryValue = list.constant.map { .bool($0.isNull) } ?? Self.isNil(list.expression)
        switch isNothing {
        case .bool(true): return constant(.null, result.origin)
        case .bool(false): result.expression = filter
        default: result.expression = Self.choose(isNothing, .null, filter)
        }
        return result
    }

    /// `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]`, `a['key']`.
    func indexed(_ base: Term, _ index: Index, _ origin: Origin) throws(QueryError) -> Operand {
        let list = try operand(base)
        var result = Operand(expression: .null, type: scope.type(of: .index(base, index, origin)), origin: origin)
        result.isPath = list.isPath
        switch index {
        case .first: result.expression = op("$arrayElemAt", [Self.listed(list), 0])
        case .last: result.expression = op("$arrayElemAt", [Self.listed(list), -1])
        case .size: return counting(list, result)
        case .at(let term):
            switch term.constantValue {
            case .int(let position) where (0...Int64(Int32.max)).contains(position):
                result.expression = op("$arrayElemAt", [Self.listed(list), .int(position)])
            case .string(let key):
                return try operand(.path(base, [.key(key)], origin))
            default: throw unsupported("Mongo needs the position written out, from 0", at: term.origin)
            }
        }
        return result
    }
}

extension ArithmeticOperator {
    /// The operator on sets.
    fileprivate var setName: String? {
        switch self {
        case .union: "$setUnion"
        case .intersect: "$setIntersection"
        case .minus: "$setDifference"
        case .add, .subtract, .multiply, .divide, .power: nil
        }
    }
}
