#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryChecking
import QueryTree
import QueryValues

extension FilterWriter {
    /// A comparison as a find filter, or nil if it has none.
    package func find(_ comparison: Comparison) throws(QueryError) -> Clause? {
        let isMember = comparison.operator == .in && comparison.left.constantValue != nil
        let comparison = comparison.withConstantOnTheRight
        guard let right = comparison.right.constantValue else { return nil }
        if let counted = try count(comparison) { return counted }
        if let divided = try remainder(comparison, right) { return divided }
        guard let field = try field(comparison.left) else { return nil }
        if comparison.quantifier != nil { return try quantified(comparison, field, right) }
        if isMember, field.last == .any, !context.isGuarded, case .string = right {
            context.assume(.list(field.pathText))
            return try membership(comparison, field, right)
        }
        return try plain(comparison, field, right)
    }

    /// A field without a quantifier against a constant.
    private func plain(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> Clause? {
        let folds = !comparison.options.folding.isEmpty
        switch comparison.operator {
        case .equal:
            if folds, case .string = value { return try text(comparison, field, value) }
            if value.isFolded(comparison.options) { return nil }
            return try equal(field, value, context.nilMeaning, at: comparison.right.origin)
        case .notEqual:
            return try unequal(comparison, field, value)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return try ordered(comparison, field, value)
        case .between: return try between(comparison, field, value)
        case .in: return try member(comparison, field, value)
        case .contains: return try contains(comparison, field, value)
        case .beginsWith, .endsWith, .like, .matches: return try text(comparison, field, value)
        case .geoWithin: return try within(comparison, field, value)
        }
    }

    /// `modulus:by:(n, 2) == 0` for a field declared as an int; the server truncates the fractions of other numbers.
    private func remainder(_ comparison: Comparison, _ value: QueryValue) throws(QueryError) -> Clause? {
        guard comparison.quantifier == nil, comparison.operator == .equal || comparison.operator == .notEqual,
            case .call(.modulus, let arguments, _) = comparison.left, arguments.count == 2,
            case .int(let divisor)? = arguments[1].constantValue, divisor != 0, case .int(let remainder) = value,
            let field = try field(arguments[0]), field.isKnownSingle, field.last == .int
        else { return nil }
        let operands: QueryValue = .list([.int(divisor), .int(remainder)])
        let clause = Clause.test(field.dotted, "$mod", operands, isNegatable: true)
        return comparison.operator == .equal ? clause : clause.negated
    }

    private func unequal(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> Clause? {
        var opposite = comparison
        opposite.operator = .equal
        guard let clause = try plain(opposite, field, value) else { return nil }
        guard case .field(let name, let test) = clause, test.operators.count == 1, let equal = test.operators["$eq"]
        else { return clause.negated }
        return .test(name, "$ne", equal)
    }

    /// `f == v`, where nil, lists and other values are written differently.
    func equal(
        _ field: MongoField,
        _ value: QueryValue,
        _ meaning: NilMeaning,
        at origin: Origin
    ) throws(QueryError) -> Clause? {
        switch value {
        case .null: return try absent(field, meaning)
        case .list: return try equalList(field, value, at: origin)
        case .double(let number) where number.isNaN: return .constant(false)
        case .object where value.isOrderSensitive: return nil
        case .bool, .int, .double, .string, .date, .data, .uuid, .object, .shape:
            guard field.listSteps == 0 else { return nil }
            let constant = try constants.encode(value, for: field.last, path: field.pathText, at: origin)
            return single(field, FieldTest(operators: ["$eq": constant], isNegatable: true))
        }
    }

    /// `f == nil` in one of its meanings (S8).
    func absent(_ field: MongoField, _ meaning: NilMeaning) throws(QueryError) -> Clause? {
        if let list = field.types.firstIndex(where: \.isList) {
            let container = field.prefix(list + 1)
            guard container.prefix(list).isKnown else { return nil }
            let name = container.dotted
            switch meaning {
            case .absent: return .test(name, "$exists", .bool(false))
            case .null where list + 1 < field.names.count: return .constant(false)
            case .null: return .field(name, FieldTest(operators: ["$type": 10, "$not": Self.isArray]))
            case .nullOrAbsent: return .field(name, FieldTest(operators: ["$eq": .null, "$not": Self.isArray]))
            }
        }
        switch meaning {
        case .nullOrAbsent: return single(field, FieldTest(operators: ["$eq": .null], isNegatable: true))
        case .absent: return single(field, FieldTest(operators: ["$exists": false]))
        case .null: return single(field, FieldTest(operators: ["$type": 10]))
        }
    }

    /// `f == {…}` for a whole list; `$eq` also matches lists that contain the list, so those are excluded.
    private func equalList(
        _ field: MongoField,
        _ value: QueryValue,
        at origin: Origin
    ) throws(QueryError) -> Clause? {
        if value.holdsNaN { return .constant(false) }
        if value.isOrderSensitive { return nil }
        let steps = field.types.dropLast()
        guard context.profile.allowsElementMatch, !steps.contains(where: \.isList) else { return nil }
        // A list on the way gives a list of values, which may equal this one (S9).
        if context.isGuarded, steps.contains(.any) { return nil }
        let constant = try constants.encode(value, for: field.last, path: field.pathText, at: origin)
        let without = op("$elemMatch", op("$eq", constant))
        let test = FieldTest(operators: ["$eq": constant, "$not": without])
        return guardingPrefixes(field, .field(field.dotted, test))
    }

    private func ordered(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> Clause? {
        guard field.listSteps == 0 else { return nil }
        switch value {
        case .null:
            let holdsForNil = comparison.operator == .lessOrEqual || comparison.operator == .greaterOrEqual
            return holdsForNil ? try absent(field, .nullOrAbsent) : .constant(false)
        case .list, .object, .shape: return .constant(false)
        case .double(let number) where number.isNaN: return .constant(false)
        case .string where !comparison.options.folding.isEmpty: throw Self.foldedOrder(comparison)
        case .data: throw Self.bytesOrder(comparison.origin)
        case .bool, .int, .double, .string, .date, .uuid:
            guard let name = comparison.operator.mongoName else { return nil }
            let origin = comparison.right.origin
            let constant = try constants.encode(value, for: field.last, path: field.pathText, at: origin)
            let operators = Self.order(name, constant, field.last)
            return single(field, FieldTest(operators: operators, isNegatable: operators.count == 1))
        }
    }

    private func between(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> Clause? {
        guard field.listSteps == 0 else { return nil }
        guard let range = try range(comparison, value, field) else { return .constant(false) }
        if context.profile.mergesTests { return single(field, FieldTest(operators: range)) }
        let parts = range.pairs.map { Clause.test(field.dotted, $0.0, $0.1) }
        guard !field.isKnownSingle, context.isGuarded else {
            if !field.isKnownSingle { context.assume(.single(field.pathText), ofElement: subject != nil) }
            return .document(["$and": .list(parts.map { .object($0.document()) })])
        }
        return .all(parts.map { single(field, $0) })
    }

    /// `{"$gte": low, "$lte": high}`, or nil if no value lies between (S13).
    func range(
        _ comparison: Comparison,
        _ value: QueryValue,
        _ field: MongoField
    ) throws(QueryError) -> Document? {
        guard case .list(let bounds) = value, bounds.count == 2 else { return nil }
        var encoded: [QueryValue] = []
        for bound in bounds {
            switch bound {
            case .null, .list, .object, .shape: return nil
            case .double(let number) where number.isNaN: return nil
            case .data: throw Self.bytesOrder(comparison.origin)
            case .bool, .int, .double, .string, .date, .uuid:
                let origin = comparison.right.origin
                encoded.append(try constants.encode(bound, for: field.last.element, path: field.pathText, at: origin))
            }
        }
        return ["$gte": encoded[0], "$lte": encoded[1]]
    }

    /// `{"$lt": v}`; Mongo orders UUIDs among all bytes, so an undeclared field gets a second bound that admits only
    /// UUIDs.
    static func order(_ name: String, _ constant: QueryValue, _ type: FieldType) -> Document {
        guard case .uuid = constant, type.element == .any else { return Document(pairs: [(name, constant)]) }
        let isLess = name == "$lt" || name == "$lte"
        let bound: (String, QueryValue) = isLess ? ("$gte", .leastUUID) : ("$lte", .greatestUUID)
        return Document(pairs: isLess ? [bound, (name, constant)] : [(name, constant), bound])
    }

    static func foldedOrder(_ comparison: Comparison) -> QueryError {
        QueryError(
            .unsupported,
            "Mongo orders text by its bytes only",
            at: comparison.origin,
            hint: "leave out [\(comparison.options.text)]"
        )
    }

    static func bytesOrder(_ origin: Origin) -> QueryError {
        QueryError(.unsupported, "Mongo orders bytes by their length first", at: origin)
    }
}

extension Comparison.Operator {
    /// The operator's name in filters and expressions, if it compares two values.
    package var mongoName: String? {
        switch self {
        case .equal: "$eq"
        case .notEqual: "$ne"
        case .less: "$lt"
        case .lessOrEqual: "$lte"
        case .greater: "$gt"
        case .greaterOrEqual: "$gte"
        case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin: nil
        }
    }
}

extension QueryValue {
    static let leastUUID = Self.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    static let greatestUUID = Self.uuid(
        UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
    )

    /// True if the value contains text that the options fold.
    func isFolded(_ options: StringOptions) -> Bool {
        if options.folding.isEmpty { return false }
        switch self {
        case .string: return true
        case .list(let elements): return elements.contains { $0.isFolded(options) }
        case .object(let object): return object.values.contains { $0.isFolded(options) }
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: return false
        }
    }

    /// True if the value contains an object of several keys, whose order Mongo would compare.
    package var isOrderSensitive: Bool {
        switch self {
        case .object(let object): object.count > 1 || object.values.contains(where: \.isOrderSensitive)
        case .list(let elements): elements.contains(where: \.isOrderSensitive)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: false
        }
    }
}
