import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension FilterReader {
    /// The condition that holds where an expression is true; nil if none is known.
    ///
    /// Expressions that the writer does not write are rewritten, by what holds in Mongo for all values, until it does:
    /// its order is total, so `a < 5` is the opposite of `a >= 5`, which nil does not meet. Where an expression fails in
    /// Mongo, such as the `$size` of nil, any answer will do.
    func exact(_ expression: QueryValue, _ node: MongoNode) throws(QueryError) -> Condition? {
        if let condition = try written(expression, node) { return condition }
        if case .string = expression {
            guard try field(of: expression, node)?.last == .bool else { return nil }
            return try written(op("$eq", [expression, true]), node)
        }
        guard case .object(let object) = expression, object.count == 1, let name = object.keys.first,
            let operand = object.values.first
        else { return nil }
        if let operation = ExpressionReader.operators[name] {
            guard case .list(let sides) = operand, sides.count == 2 else { return nil }
            return try compared(sides[0], operation, sides[1], node)
        }
        switch (name, operand) {
        case ("$and", .list(let parts)) where !parts.isEmpty: return try exact(parts, node).map(Self.all)
        case ("$or", .list(let parts)) where !parts.isEmpty:
            return try exact(parts, node).map { $0.count == 1 ? $0[0] : .or($0) }
        case ("$not", .list(let parts)) where parts.count == 1: return try exact(parts[0], node).map(Self.not)
        case ("$not", .object): return try exact(operand, node).map(Self.not)
        case ("$in", .list(let sides)) where sides.count == 2: return try member(sides[0], of: sides[1], node)
        case ("$regexMatch", .object(var match)):
            guard let input = match["input"], try field(of: input, node) != nil else { return nil }
            // Nil matches no pattern, and other values fail.
            match["input"] = op("$cond", [input.hasType("string"), input, .null])
            return try written(op(name, .object(match)), node)
        default: return nil
        }
    }

    private func exact(_ parts: [QueryValue], _ node: MongoNode) throws(QueryError) -> [Condition]? {
        var conditions: [Condition] = []
        for part in parts {
            guard let condition = try exact(part, node) else { return nil }
            conditions.append(condition)
        }
        return conditions
    }

    private func compared(
        _ left: QueryValue,
        _ operation: Comparison.Operator,
        _ right: QueryValue,
        _ node: MongoNode
    ) throws(QueryError) -> Condition? {
        guard let constant = right.expressionConstant else {
            if left.expressionConstant != nil, let mirror = operation.entry.mirror {
                return try compared(right, mirror, left, node)
            }
            return try comparedByOpposite(left, operation, right, node)
        }
        if constant.isNull { return try nilTest(left, operation, node) }
        let value = constant.asExpression
        if let found = try counted(left, operation, constant, node) { return found }
        guard let (inner, substitute) = left.ifNull else {
            return try comparedByOpposite(left, operation, value, node)
        }
        guard let order = substitute.order(relativeTo: constant), let isNil = try isNil(inner, node),
            let found = try comparedByOpposite(inner, operation, value, node)
        else { return nil }
        // Nil is below every constant.
        return found.where(isNil, holds: operation.allows(order), insteadOf: operation.allows(.ascending))
    }

    /// A comparison, or the opposite of the opposite one: Mongo's order is total.
    private func comparedByOpposite(
        _ left: QueryValue,
        _ operation: Comparison.Operator,
        _ right: QueryValue,
        _ node: MongoNode
    ) throws(QueryError) -> Condition? {
        if let found = try comparedDirectly(left, operation, right, node) { return found }
        guard let opposite = Self.opposites[operation] else { return nil }
        return try comparedDirectly(left, opposite, right, node).map(reader(node).opposite)
    }

    private static let opposites: [Comparison.Operator: Comparison.Operator] = [
        .equal: .notEqual, .notEqual: .equal, .less: .greaterOrEqual, .greaterOrEqual: .less, .greater: .lessOrEqual,
        .lessOrEqual: .greater,
    ]

    private func comparedDirectly(
        _ left: QueryValue,
        _ operation: Comparison.Operator,
        _ right: QueryValue,
        _ node: MongoNode
    ) throws(QueryError) -> Condition? {
        guard let name = ExpressionReader.operators.first(where: { $0.value == operation })?.key else { return nil }
        let plain = op(name, [left, right])
        if let found = try written(plain, node) { return found }
        switch operation {
        case .equal:
            // Null and absent differ only where both sides are nil.
            for (required, other) in [(left, right), (right, left)] where try isRequired(required, node) {
                let optional = op("$ifNull", [other, .null])
                let sides = required == left ? [left, optional] : [optional, right]
                if let found = try written(op(name, sides), node) { return found }
            }
            // A year that a query has is one of 1 to 9999.
            guard let date = left.operand("$year"), case .int(1...9_999) = right,
                try field(of: date, node)?.last == .date(.native), let zone = try? DateZone(nil)
            else { return nil }
            return try written(op(name, [op("$year", op("$cond", [zone.isShown(date), date, .null])), right]), node)
        case .greater, .greaterOrEqual:
            // Nil is not greater than a constant, so the writer's test of the kind adds nothing.
            guard right.expressionConstant != nil, let type = try field(of: left, node)?.last.bsonType else {
                return nil
            }
            return try written(op("$and", [left.hasType(type), plain]), node)
        default: return nil
        }
    }

    /// `$size` and `$strLenCP`, whose operand may be the empty value where it is nil.
    private func counted(
        _ left: QueryValue,
        _ operation: Comparison.Operator,
        _ number: QueryValue,
        _ node: MongoNode
    ) throws(QueryError) -> Condition? {
        guard number.kind == .number, !number.holdsNaN, case .object(let call) = left, call.count == 1,
            let name = call.keys.first, name == "$size" || name == "$strLenCP", let operand = call.values.first
        else { return nil }
        var counted = operand
        if case .list(let operands) = operand, operands.count == 1 { counted = operands[0] }
        let empty: QueryValue = name == "$size" ? [] : ""
        if let parts = counted.operands("$ifNull"), parts.count == 2, parts[1] == empty { counted = parts[0] }
        guard let field = try field(of: counted, node), isPrefixSingle(field) else { return nil }
        let count: Term
        if name == "$size" {
            guard field.last == .any || field.last.isList else { return nil }
            count = .aggregate(.count, of: term(field), FieldPath(keys: []), node.origin)
        } else {
            guard field.last == .any || field.last == .string else { return nil }
            count = .call(.length, [term(field)], node.origin)
        }
        let right = Term.value(number, node.origin)
        let found = Condition.comparison(Comparison(count, operation, right, origin: node.origin))
        guard counted != operand, let isNil = try isNil(counted, node),
            let order = QueryValue.int(0).order(relativeTo: number)
        else { return found }
        return found.where(isNil, holds: operation.allows(order), insteadOf: operation == .notEqual)
    }

    /// `$in` of a field in constants, or of a constant in a list.
    private func member(_ needle: QueryValue, of container: QueryValue, _ node: MongoNode) throws(QueryError)
        -> Condition?
    {
        if let constant = needle.expressionConstant, constant.kind != .null {
            let list =
                container.operands("$ifNull").flatMap { $0.count == 2 && $0[1] == [] ? $0[0] : container } ?? container
            guard let field = try field(of: list, node), case .list(let element) = field.last,
                element.kind == constant.kind, [.number, .string, .bool].contains(constant.kind), !constant.holdsNaN,
                isPrefixSingle(field)
            else { return nil }
            let value = Term.value(constant, node.origin)
            return .comparison(Comparison(term(field), .contains, value, origin: node.origin))
        }
        guard case .list(let choices) = container.operand("$literal") ?? container, !choices.isEmpty,
            choices.count <= reading.limits.listElements
        else { return nil }
        var parts: [Condition] = []
        for choice in choices {
            guard let constant = choice.expressionConstant, !constant.isNull,
                let part = try comparedDirectly(needle, .equal, constant.asExpression, node)
            else { return nil }
            parts.append(part)
        }
        return parts.count == 1 ? parts[0] : reader(node).membership(.or(parts))
    }

    /// Comparisons of a field with null, which is above an absent field and below every other value.
    private func nilTest(
        _ left: QueryValue,
        _ operation: Comparison.Operator,
        _ node: MongoNode
    ) throws(QueryError) -> Condition? {
        guard let field = try field(of: left, node), isPrefixSingle(field) else { return nil }
        switch operation {
        case .equal: return try nilTest(term(field), .null, node)
        case .notEqual: return Self.not(try nilTest(term(field), .null, node))
        case .lessOrEqual: return try nilTest(term(field), .nullOrAbsent, node)
        case .greater: return Self.not(try nilTest(term(field), .nullOrAbsent, node))
        case .less: return try nilTest(term(field), .absent, node)
        case .greaterOrEqual: return Self.not(try nilTest(term(field), .absent, node))
        default: return nil
        }
    }

    private func isNil(_ value: QueryValue, _ node: MongoNode) throws(QueryError) -> Condition? {
        guard let field = try field(of: value, node), isPrefixSingle(field) else { return nil }
        return try nilTest(term(field), .nullOrAbsent, node)
    }

    /// The field that `"$a.b"` names; nil for anything else.
    func field(of expression: QueryValue, _ node: MongoNode) throws(QueryError) -> MongoField? {
        guard case .string(let text) = expression, text.utf8.first == UInt8(ascii: "$"),
            !text.utf8.starts(with: "$$".utf8)
        else { return nil }
        return try field(text.droppingBytes(1), node)
    }

    private func isRequired(_ expression: QueryValue, _ node: MongoNode) throws(QueryError) -> Bool {
        guard let field = try field(of: expression, node), let resolved = base.resolve(field.path) else { return false }
        return resolved.steps.allSatisfy { !$0.isOptional && !$0.type.isList }
    }
}

extension Comparison.Operator {
    /// True if an order of two values meets the operator.
    fileprivate func allows(_ order: QueryOrder) -> Bool {
        switch self {
        case .equal: order == .same
        case .notEqual: order != .same
        case .less: order == .ascending
        case .lessOrEqual: order != .descending
        case .greater: order == .descending
        case .greaterOrEqual: order != .ascending
        default: false
        }
    }
}

extension Condition {
    /// The condition where it holds for nil or not, if that is not what it does.
    fileprivate func `where`(_ isNil: Condition, holds: Bool, insteadOf held: Bool) -> Condition {
        holds == held ? self : holds ? .or([self, isNil]) : .and([FilterReader.not(isNil), self])
    }
}

extension FieldType {
    /// The one type of the stored values besides nil, where the writer tests it.
    fileprivate var bsonType: String? {
        switch self {
        case .string: "string"
        case .bool: "bool"
        case .objectID: "objectId"
        case .date(.native): "date"
        case .any, .int, .double, .date, .data, .uuid, .object, .list: nil
        }
    }
}

extension QueryValue {
    /// The value of a constant that is no list and no object, but for an ObjectId.
    var expressionConstant: QueryValue? {
        switch self {
        case .string(let text):
            if text.utf8.first == UInt8(ascii: "$") { return nil }
            return self
        case .null, .bool, .int, .double, .date, .data, .uuid: return self
        case .list, .shape: return nil
        case .object(let object):
            guard object.count == 1 else { return nil }
            guard let value = object["$literal"] else { return isObjectID ? .some(self) : .none }
            switch value {
            case .object: return value.isObjectID ? .some(value) : .none
            case .list, .shape: return nil
            case .null, .bool, .int, .double, .string, .date, .data, .uuid: return value
            }
        }
    }

    private var isObjectID: Bool { operand(MongoConstants.objectIDKey) != nil }

    /// An expression whose texts in lists of operands are written as the writer does.
    var withLiterals: QueryValue {
        switch self {
        case .list(let elements):
            return .list(elements.map { $0.expressionConstant?.asExpression ?? $0.withLiterals })
        case .object(let object):
            if object["$literal"] != nil { return self }
            return .object(Document(pairs: object.pairs.map { ($0.0, $0.1.withLiterals) }))
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return self
        }
    }

    /// A constant as the writer writes it.
    fileprivate var asExpression: QueryValue {
        switch self {
        case .string, .object: op("$literal", self)
        case .null, .bool, .int, .double, .date, .data, .uuid, .list, .shape: self
        }
    }

    /// The operands of `$ifNull` with a constant that is not null.
    fileprivate var ifNull: (value: QueryValue, substitute: QueryValue)? {
        guard let parts = operands("$ifNull"), parts.count == 2, let constant = parts[1].expressionConstant,
            !constant.isNull
        else { return nil }
        return (parts[0], constant)
    }

    fileprivate func hasType(_ name: String) -> QueryValue { op("$eq", [op("$type", self), .string(name)]) }

    /// Calls a function for each `"$a.b"`.
    func noteFields(_ note: (String) -> Void) {
        switch self {
        case .string(let text): if text.utf8.first == UInt8(ascii: "$") { note(text) }
        case .list(let elements): for element in elements { element.noteFields(note) }
        case .object(let object): for (key, value) in object.pairs where key != "$literal" { value.noteFields(note) }
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: break
        }
    }
}
