#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension FilterWriter {
    /// A comparison as a find filter, or nil if it has none.
    package func find(_ comparison: Comparison) throws(QueryError) -> Clause? {
        let question = try Question(comparison, nilMeaning: context.nilMeaning)
        if let term = question.term, term.constantValue == nil { return nil }
        if let counted = try count(question) { return counted }
        if let divided = try remainder(question) { return divided }
        guard let field = try field(question.subject) else { return nil }
        if question.quantifier != nil { return try quantified(question, field) }
        if question.isWrittenAsMember, field.last == .any, !context.isGuarded, case .part(_, let text) = question.test {
            context.assume(.list(field.pathText))
            return try quantified(question.asking(.equal(.string(text)), .any), field)
        }
        guard let clause = try plain(question, field) else { return nil }
        return question.isNegated ? clause.differing : clause
    }

    /// A field without a quantifier against a constant.
    private func plain(_ question: Question, _ field: MongoField) throws(QueryError) -> Clause? {
        switch question.test {
        case .isNil(let meaning): return try absent(field, meaning)
        case .equal(.string) where !question.options.folding.isEmpty: return try text(question, field)
        case .equal(let value):
            return value.isFolded(question.options) ? nil : try equal(field, value, at: question.origin)
        case .part(.middle, let text): return try contains(question, .string(text), field)
        case .containsTerm: return try contains(question, question.term?.constantValue ?? .null, field)
        case .withinTerm: return try within(question, field)
        case .never, .ordered, .between, .members, .memberOfTerm, .part, .like, .matches:
            // With a list on the way only an expression is exact.
            return field.listSteps > 0 ? nil : try single(question, field)
        case .equalToTerm, .orderedByTerm, .betweenTerms, .textByTerm: return nil
        }
    }

    /// The tests of a field that the schema does not declare as a list.
    private func single(_ question: Question, _ field: MongoField) throws(QueryError) -> Clause? {
        switch question.test {
        case .never: return .constant(false)
        case .ordered(let rule, let value):
            guard let operators = try order(question, rule, value, field) else { return .constant(false) }
            return single(field, FieldTest(operators: operators, isNegatable: operators.count == 1))
        case .between(let low, let high): return try between(question, low, high, field)
        case .members(let values, let orNil): return try member(question, values, orNil, field)
        case .memberOfTerm: return try member(of: question.term?.constantValue ?? .null, field, at: question.origin)
        case .part, .like, .matches: return try text(question, field)
        case .isNil, .equal, .equalToTerm, .orderedByTerm, .betweenTerms, .containsTerm, .textByTerm, .withinTerm:
            return nil
        }
    }

    /// `modulus:by:(n, 2) == 0` for a field declared as an int; the server truncates the fractions of other numbers.
    private func remainder(_ question: Question) throws(QueryError) -> Clause? {
        guard question.quantifier == nil, case .equal(.int(let remainder)) = question.test,
            case .call(.modulus, let arguments, _) = question.subject, arguments.count == 2,
            case .int(let divisor)? = arguments[1].constantValue, divisor != 0,
            let field = try field(arguments[0]), field.isKnownSingle, field.last == .int
        else { return nil }
        let operands: QueryValue = .list([.int(divisor), .int(remainder)])
        let clause = Clause.test(field.dotted, "$mod", operands, isNegatable: true)
        return question.isNegated ? clause.negated : clause
    }

    /// `f == v`, where lists and other values are written differently.
    func equal(_ field: MongoField, _ value: QueryValue, at origin: Origin) throws(QueryError) -> Clause? {
        switch value {
        case .null: return try absent(field, .nullOrAbsent)
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
            // Below null a key is absent, which no test of one path says.
            case .absent where list + 1 < field.names.count: return nil
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

    /// `{"$lt": v}` for a field or its elements; nil if no value is less.
    func order(
        _ question: Question,
        _ rule: OrderRule,
        _ value: QueryValue,
        _ field: MongoField
    ) throws(QueryError) -> Document? {
        if case .string = value, !question.options.folding.isEmpty { throw Self.foldedOrder(question) }
        return try bound(question, value, field).map { Self.order(rule.mongoName, $0, field.last) }
    }

    /// A bound as stored; nil if nothing is ordered beside it.
    private func bound(_ question: Question, _ value: QueryValue, _ field: MongoField) throws(QueryError) -> QueryValue?
    {
        switch value {
        case .null, .list, .object, .shape: return nil
        case .double(let number) where number.isNaN: return nil
        case .data: throw Self.bytesOrder(question.whole)
        case .bool, .int, .double, .string, .date, .uuid:
            return try constants.encode(value, for: field.last.element, path: field.pathText, at: question.origin)
        }
    }

    private func between(
        _ question: Question,
        _ low: QueryValue,
        _ high: QueryValue,
        _ field: MongoField
    ) throws(QueryError) -> Clause? {
        guard let range = try range(question, low, high, field) else { return .constant(false) }
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
        _ question: Question,
        _ low: QueryValue,
        _ high: QueryValue,
        _ field: MongoField
    ) throws(QueryError) -> Document? {
        guard let low = try bound(question, low, field), let high = try bound(question, high, field) else { return nil }
        return ["$gte": low, "$lte": high]
    }

    /// `{"$lt": v}`; Mongo orders UUIDs among all bytes, so an undeclared field gets a second bound that admits only
    /// UUIDs.
    static func order(_ name: String, _ constant: QueryValue, _ type: FieldType) -> Document {
        guard case .uuid = constant, type.element == .any else { return Document(pairs: [(name, constant)]) }
        let isLess = name == "$lt" || name == "$lte"
        let bound: (String, QueryValue) = isLess ? ("$gte", .leastUUID) : ("$lte", .greatestUUID)
        return Document(pairs: isLess ? [bound, (name, constant)] : [(name, constant), bound])
    }

    private static func foldedOrder(_ question: Question) -> QueryError {
        QueryError(
            .unsupported,
            "Mongo orders text by its bytes only",
            at: question.whole,
            hint: "leave out [\(question.options.text)]"
        )
    }

    static func bytesOrder(_ origin: Origin) -> QueryError {
        QueryError(.unsupported, "Mongo orders bytes by their length first", at: origin)
    }
}

extension Clause {
    /// The negation as `$ne`, where it is that of a single value.
    fileprivate var differing: Clause {
        guard case .field(let name, let test) = self, test.operators.count == 1, let equal = test.operators["$eq"]
        else { return negated }
        return .test(name, "$ne", equal)
    }
}

extension OrderRule {
    /// The operator's name in filters and expressions.
    var mongoName: String {
        switch wanted {
        case .ascending: allowsEqual ? "$lte" : "$lt"
        case .descending, .same: allowsEqual ? "$gte" : "$gt"
        }
    }

    var isLess: Bool { wanted == .ascending }
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
