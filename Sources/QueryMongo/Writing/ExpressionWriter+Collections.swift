import QueryTree
import QueryValues

extension ExpressionWriter {
    /// A term used as a collection; set operators are allowed, because order does not matter there.
    func collection(_ term: Term) throws(QueryError) -> Operand {
        if term.constantValue != nil { return try operand(term) }
        var result = Operand(expression: .null, type: scope.type(of: term), origin: term.origin)
        switch term {
        case .arithmetic(let chain, _) where chain.isOfSets:
            result = try set(chain, result)
        case .aggregate(let aggregate, of: let base, let path, _) where aggregate.isUnion:
            result = try union(aggregate, try collection(base), path, inOrder: false, result)
        case .subquery(let subquery, _):
            result = try elements(subquery, of: try collection(subquery.collection), result)
        case .value, .field, .variable, .list, .path, .index, .aggregate, .arithmetic, .negated, .call, .conditional,
            .cast, .assignment:
            return try operand(term)
        }
        try context.check(result.expression, at: result.origin)
        return result
    }

    /// A term used for its elements.
    func container(_ term: Term) throws(QueryError) -> Operand {
        var writer = self
        writer.looksIntoLists = true
        return try writer.collection(term)
    }

    private func set(_ chain: Arithmetic, _ result: Operand) throws(QueryError) -> Operand {
        var result = result
        try context.check(chainOf: chain.rest.count, at: result.origin)
        var set = try setElements(chain.first)
        for link in chain.rest {
            guard let name = link.operation.setName else { throw unsupported("not a set operator", at: result.origin) }
            set = op(name, [set, try setElements(link.operand)])
        }
        result.expression = set
        return result
    }

    /// An operand of a set operation, or null if it is not a list, which makes the operation null.
    private func setElements(_ term: Term) throws(QueryError) -> QueryValue {
        let set = try collection(term)
        guard let constant = set.constant else {
            if set.isSurelyList { return set.expression }
            return Self.named(set.expression) { Self.choose(Self.isList($0), $0, .null) }
        }
        if constant.holdsNaN || constant.isOrderSensitive {
            throw unsupported("Mongo compares these elements differently", at: set.origin)
        }
        if case .list = constant {
            return Self.literal(try constants.encode(constant, for: .any, path: nil, at: set.origin))
        }
        return .null
    }

    /// `items.@sum.price` and the like (S18).
    func aggregate(
        _ aggregate: Aggregate,
        _ base: Term,
        _ path: FieldPath,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        switch aggregate {
        case .count: return counting(try values(base, path, result.origin, orNil: true), result)
        case .sum: return numbers(try values(base, path, result.origin), "$sum", result)
        case .average: return numbers(try values(base, path, result.origin), "$avg", result)
        case .min: return extreme(try values(base, path, result.origin), "$min", result)
        case .max: return extreme(try values(base, path, result.origin), "$max", result)
        case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .distinctUnionOfSets:
            return try union(aggregate, try operand(base), path, inOrder: true, result)
        }
    }

    /// The collection, or the values of a path in its elements; a value that is not a list has none, or is nil.
    private func values(
        _ base: Term,
        _ path: FieldPath,
        _ origin: Origin,
        orNil: Bool = false
    ) throws(QueryError) -> Operand {
        if !orNil, let field = try listed(base, path, origin) { return field }
        if path.keys.isEmpty { return try collection(base) }
        let list = try collection(base)
        let type: FieldType = list.type.isList ? list.type : .list(list.elementType)
        let field = try scope.field(path.keys, from: type, path: [], at: origin)
        let name = context.freshName()
        let isSure = list.isSurelyList || !orNil
        var mapped = walk(
            field,
            list: "$$" + name,
            isSure: isSure,
            type: type.resolve(path.keys)?.type ?? .any,
            origin
        )
        mapped.certain = isSure ? .list : nil
        let value = orNil ? list.expression : Self.listed(list)
        if !mapped.isSurelyList {
            mapped.expression = Self.choose(Self.isList(.string("$$" + name)), mapped.expression, .null)
        }
        let variables = Document(pairs: [(name, value)])
        mapped.expression = op("$let", .object(["vars": .object(variables), "in": mapped.expression]))
        return mapped
    }

    /// `"$items.price"`: the values of the elements that have one, if the path crosses one list and does not end in
    /// another.
    private func listed(_ base: Term, _ path: FieldPath, _ origin: Origin) throws(QueryError) -> Operand? {
        guard case .field(let list, let place) = base, !list.keys.isEmpty else { return nil }
        let field = try scope.field(
            list.keys + path.keys,
            from: scope.row,
            path: [],
            at: path.keys.isEmpty ? place : origin
        )
        let container = field.prefix(list.keys.count)
        guard !field.hasPosition, field.types.dropFirst(list.keys.count).allSatisfy({ !$0.isList }),
            container.types.dropLast().allSatisfy({ !$0.isList }), container.last.isList || container.last == .any
        else { return nil }
        if !field.isKnown {
            if context.isGuarded { return nil }
            if !container.isKnown {
                context.assume(.list(container.pathText))
                // Below another list it would be a list of lists.
                context.noteRowPath(container.pathText)
            }
            if !path.keys.isEmpty {
                context.assume(.objects(container.pathText))
                context.assume(.single(field.pathText), ofElement: true)
            }
        }
        var operand = Operand(expression: .string("$" + field.dotted), type: .list(field.last.element), origin: origin)
        operand.certain = .list
        return operand
    }

    /// The values of a path, one per element; the unions of arrays flatten the lists among them (S18).
    private func union(
        _ aggregate: Aggregate,
        _ list: Operand,
        _ path: FieldPath,
        inOrder: Bool,
        _ result: Operand
    ) throws(QueryError) -> Operand {
        var result = result
        let name = context.freshName()
        let type = list.elementType
        let field = try scope.field(path.keys, from: type, path: [], at: result.origin)
        let element = Operand(expression: .string("$$" + name), type: type, isPath: true, origin: list.origin)
        let value = walk(field, from: element, type: .any, result.origin).expression
        func written(_ list: QueryValue) -> QueryValue {
            var elements = list
            if !path.keys.isEmpty {
                elements = op("$map", .object(["input": list, "as": .string(name), "in": value]))
            }
            switch aggregate {
            case .unionOfObjects: return elements
            case .unionOfArrays: return spliced(elements)
            case .distinctUnionOfObjects: return distinct(elements, inOrder: inOrder)
            case .distinctUnionOfArrays, .distinctUnionOfSets: return distinct(spliced(elements), inOrder: inOrder)
            case .count, .sum, .average, .min, .max: return .null
            }
        }
        result.certain = list.isSurelyList ? .list : nil
        result.expression =
            list.isSurelyList
            ? written(list.expression)
            : Self.named(list.expression) {
                let isItself = aggregate == .unionOfObjects && path.keys.isEmpty
                return Self.choose(Self.isList($0), isItself ? $0 : written(Self.listed($0)), .null)
            }
        return result
    }

    /// The values without duplicates; the server has a set operator if the order does not matter.
    private func distinct(_ list: QueryValue, inOrder: Bool) -> QueryValue {
        if !inOrder { return op("$setUnion", [list]) }
        let joined = op("$concatArrays", ["$$value", .list(["$$this"])])
        let next = Self.choose(op("$in", ["$$this", "$$value"]), "$$value", joined)
        return op("$reduce", .object(["input": list, "initialValue": .list([]), "in": next]))
    }

    func counting(_ list: Operand, _ result: Operand) -> Operand {
        var result = result
        result.expression =
            list.isSurelyList
            ? op("$size", list.expression)
            : Self.named(list.expression) { Self.choose(Self.isList($0), op("$size", Self.listed($0)), .null) }
        (result.certain, result.isInt) = (.number, true)
        return result
    }

    /// A reduction of the numbers among the elements.
    func numbers(_ list: Operand, _ name: String, _ result: Operand) -> Operand {
        var result = result
        // The server skips the elements of a list that are not numbers.
        result.expression = op(name, Self.listed(list))
        result.certain = .number
        return result
    }

    /// The least or greatest element in sort order; the server skips nil, and NaN is filtered out.
    func extreme(_ list: Operand, _ name: String, _ result: Operand) -> Operand {
        var result = result
        var elements = Self.listed(list)
        if list.elementMayBeNaN {
            let element = context.freshName()
            let test = op("$ne", [.string("$$" + element), .double(.nan)])
            // Of one document's value that is no list, `$filter` would end the whole query.
            if case .string = elements { elements = Self.listed(elements) }
            elements = op("$filter", .object(["input": elements, "as": .string(element), "cond": test]))
        }
        result.expression = op(name, elements)
        return result
    }

    /// `SUBQUERY(c, $x, p)`: the elements for which p holds; nil if c is nil (S19).
    func elements(_ subquery: Subquery, of list: Operand, _ result: Operand) throws(QueryError) -> Operand {
        try subquery.collection.checkNoExtreme(result.origin)
        var result = result
        let name = context.freshName()
        var inner = self
        inner.scope = scope.binding(subquery.variable, to: list.elementType)
        inner.names[subquery.variable] = name
        inner.collections[subquery.variable] = nil
        if case .field(let path, _) = subquery.collection { inner.collections[subquery.variable] = path.dotted }
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
}

extension ExpressionWriter.Operand {
    /// The type of the elements; a schema does not declare the keys of a constant.
    fileprivate var elementType: FieldType { constant == nil ? type.element : .any }

    fileprivate var elementMayBeNaN: Bool { elementType != .int && (elementType.kind ?? .number) == .number }
}

extension Aggregate {
    /// True for the operators that return a list.
    fileprivate var isUnion: Bool {
        switch self {
        case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .distinctUnionOfSets:
            true
        case .count, .sum, .average, .min, .max: false
        }
    }
}

extension ArithmeticOperator {
    /// The server's operator on sets.
    fileprivate var setName: String? {
        switch self {
        case .union: "$setUnion"
        case .intersect: "$setIntersection"
        case .minus: "$setDifference"
        case .add, .subtract, .multiply, .divide, .power: nil
        }
    }
}
