import QueryTree
import QueryValues

// `@count @sum @avg @min @max` and the functions over lists (S18).

extension SQLWriter {
    func aggregateNode(_ aggregation: Aggregation, _ scope: Scope) throws(QueryError) -> Node {
        let (base, path, origin) = (aggregation.base, aggregation.path, aggregation.origin)
        switch aggregation.aggregate {
        case .count: return .number(try count(base, scope), .int)
        case .sum: return try elements(base, path, origin, scope).map(sum) ?? .number(.zero, .int)
        case .average: return try elements(base, path, origin, scope).map(average) ?? .none
        case .min, .max:
            guard let chain = try elements(base, path, origin, scope) else { return .none }
            let node = read(chain.element)
            guard case .json = node.kinds, node.type.mayHoldContainers else {
                return extreme(chain, isLeast: aggregation.aggregate == .min)
            }
            return try exactExtreme(chain, aggregation.aggregate == .min ? .min : .max, origin)
        case .unionOfObjects, .unionOfArrays, .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets:
            return try listNode(.aggregate(aggregation.aggregate, of: base, path, origin), scope)
        }
    }

    /// The elements that an aggregate works on: those of a list, mapped by its path; nil if it is never a list.
    func elements(_ base: Term, _ path: FieldPath, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Collection? {
        var chain = try collection(of: base, scope)
        if chain.isList.isFalse { return nil }
        if let lists = onlyOfLists(chain) {
            chain = lists
        } else if !chain.isList.isTrue, chain.link == nil {
            // Rows without a parent have no elements.
            chain.conditions.append(chain.isList)
        }
        chain = try inTable(chain)
        var flag = SQLText.one
        if chain.from.isEmpty { chain = try inOneRow(chain, origin) }
        let name = chain.element.mappedName.map { $0 + path.keys }
        for key in path.keys { (chain, flag) = try mapped(chain, key, flag, origin, keepsMissing: true) }
        return try distinct(path.keys.isEmpty ? chain : named(chain, name), origin)
    }

    /// A single value as a table of one row: SQLite assigns an aggregate that uses only columns of an outer SELECT to
    /// that SELECT.
    private func inOneRow(_ chain: Collection, _ origin: Origin) throws(QueryError) -> Collection {
        var chain = chain
        let value = try table(of: [.node(read(chain.element), origin)], origin)
        chain.from = value.from
        chain.element = value.element
        return chain
    }

    // MARK: Least and greatest

    /// The minimum or maximum in sort order (S22), including lists and objects; NULL for none.
    private func exactExtreme(_ chain: Collection, _ function: Function, _ origin: Origin) throws(QueryError)
        -> Node
    {
        let node = read(chain.element)
        let value = try over(function.rawValue, node, chain, origin)
        let kind = try over(CalledName.kind(of: function), node, chain, origin)
        let text = chain.element.isScalar ? nil : jsonText(of: value, kind)
        return Node(
            value: value,
            kinds: .json(kind),
            type: node.type,
            json: text,
            mayHoldNul: node.mayHoldNul,
            mayBeBytes: node.mayBeBytes,
            mappedName: node.mappedName,
            isComputed: true
        )
    }

    /// A side of a comparison or of arithmetic; compared with a scalar, it does not matter which of several lists or
    /// objects is the minimum.
    func operand(_ term: Term, ordersContainers: Bool, _ scope: Scope) throws(QueryError) -> Operand {
        guard !ordersContainers, let asked = term.aggregation, [.min, .max].contains(asked.aggregate) else {
            return try operand(term, scope)
        }
        let chain = try elements(asked.base, asked.path, asked.origin, scope)
        return .node(chain.map { extreme($0, isLeast: asked.aggregate == .min) } ?? .none, asked.origin)
    }

    /// The minimum or maximum in sort order (S22), if lists and objects need no order among themselves; NULL for none.
    func extreme(_ chain: Collection, isLeast: Bool) -> Node {
        let node = read(chain.element)
        var chain = chain
        chain.conditions.append(node.value.followed(by: "IS NOT NULL"))
        let direction = isLeast ? "" : "DESC"
        let isLoose = node.mayHoldTexts && node.type.kind == .date
        let rank = isLoose ? Self.isNumber(node.value) : rank(node)
        let order = [rank.sorted(direction), node.value.sorted(direction)]
        let first = { [chain] piece in self.select([piece], from: chain, order: order, limit: .number(1)) }
        guard case .json(let type) = node.kinds else {
            var result = node
            let least = SQLText.call(isLeast ? "min" : "max", node.value)
            result.value = node.asStored == nil && !isLoose ? select(least, chain) : first(node.value)
            if node.asStored != nil { result.asStored = result.value }
            result.json = nil
            result.isComputed = true
            return result
        }
        return Node(
            value: first(node.value),
            kinds: .json(first(type)),
            type: node.type,
            json: chain.element.isScalar ? nil : node.json.map(first),
            mayHoldNul: node.mayHoldNul,
            mayBeBytes: node.mayBeBytes,
            mappedName: node.mappedName,
            isComputed: true
        )
    }

    /// The rank of a value's kind in sort order (S22): of a JSON value, and of a text that may be no date.
    func rank(_ node: Node) -> SQLText {
        guard case .json(let type) = node.kinds else { return node.asStored == nil ? .one : isDateText(node, .iso8601) }
        var text = SQLText.number(2)
        if case .date(let encoding) = node.type, encoding.isText {
            text = .choice([(isDateText(node, encoding), .number(8))], else: .number(2))
        }
        return .choice(
            of: type,
            [
                (["integer", "real"], .number(1)), (["text"], text), (["object"], .number(3)),
                (["array"], .number(4)), (["blob"], .number(5)), (["true", "false"], .number(7)),
            ],
            else: .number(0)
        )
    }
}

/// What an operator over a list computes, from which values.
struct Aggregation {
    let aggregate: Aggregate
    let base: Term
    let path: FieldPath
    let origin: Origin
}

extension SQLPlace {
    /// True if the path may cross a list and so map (S9).
    var isUncertain: Bool { type == .any && (name?.count ?? 2) > 1 }
}

extension Term {
    /// Of an operator or a function over a list; nil for every other term.
    var aggregation: Aggregation? {
        switch self {
        case .aggregate(let aggregate, of: let base, let path, let origin):
            return Aggregation(aggregate: aggregate, base: base, path: path, origin: origin)
        case .call(let function, let arguments, let origin):
            guard let aggregate = function.aggregate, let list = arguments.first else { return nil }
            return Aggregation(aggregate: aggregate, base: list, path: FieldPath(keys: []), origin: origin)
        case .value, .list, .field, .variable, .path, .index, .arithmetic, .negated, .subquery, .conditional, .cast,
            .assignment:
            return nil
        }
    }

    /// True for a value computed as a whole, which may be a list or an object.
    var isComputedValue: Bool {
        switch self {
        case .conditional, .index, .value: true
        case .aggregate(let aggregate, of: _, _, _): !aggregate.givesList
        case .call(.noindex, let arguments, _): arguments.first?.isComputedValue ?? false
        case .call: true
        case .arithmetic, .negated, .cast: true
        case .list, .field, .variable, .path, .subquery, .assignment: false
        }
    }

    /// True for a constant that is neither a list nor an object.
    var isScalarConstant: Bool {
        switch constantValue?.kind {
        case .none, .list, .object: false
        case .null, .bool, .number, .string, .date, .data, .uuid, .shape: true
        }
    }
}

extension FieldType {
    /// True if no schema says that values are scalars.
    var mayHoldContainers: Bool {
        switch self {
        case .any, .list, .object: true
        case .bool, .int, .double, .string, .date, .data, .uuid, .objectID: false
        }
    }
}

extension Function {
    /// The operator that computes the same.
    fileprivate var aggregate: Aggregate? {
        switch self {
        case .sum: .sum
        case .count: .count
        case .min: .min
        case .max: .max
        case .average: .average
        case .median, .mode, .standardDeviation, .modulus, .squareRoot, .log, .ln, .exp, .floor, .ceiling, .absolute,
            .truncate, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement, .now, .noindex,
            .length, .uppercase, .lowercase, .distance, .year, .month, .day, .weekday, .hour, .minute, .random,
            .randomBelow:
            nil
        }
    }
}
