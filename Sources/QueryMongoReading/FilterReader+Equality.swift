import QueryChecking
import QueryMongo
import QueryTree
import QueryValues

extension FilterReader {
    /// `{"f": v}` and `{"f": {"$eq": v}}`.
    func equal(_ field: MongoField, _ node: MongoNode, _ guards: inout ListGuards) throws(QueryError) -> Condition {
        let value = try constant(node, field)
        switch value {
        case .null: return try isNil(field, .nullOrAbsent, node, &guards)
        case .list: return try equalList(field, value, node, guards)
        case .bool, .int, .double, .string, .date, .data, .uuid, .object, .shape:
            return comparison(field, .equal, .value(value, node.origin), node, &guards)
        }
    }

    /// `{"f": {"$ne": v}}`: the opposite of `$eq`.
    func unequal(_ field: MongoField, _ node: MongoNode, _ guards: ListGuards) throws(QueryError) -> Condition {
        var open = guards
        let equal = try equal(field, node, &open)
        guard case .comparison(var comparison) = equal, comparison.quantifier == nil, comparison.operator == .equal
        else { return Self.not(equal) }
        comparison.operator = .notEqual
        return .comparison(comparison)
    }

    /// A constant of the filter in the form of a field of this type: stored dates become dates (S5).
    ///
    /// - Throws: `json` for operators where a value belongs, `unsupported` for NaN and objects of several keys.
    func constant(_ node: MongoNode, _ field: MongoField) throws(QueryError) -> QueryValue {
        if field.last.element != .objectID, let place = node.objectID {
            throw place.unsupported(
                "an ObjectId is compared only with a field that is known to hold ObjectIds",
                hint: "declare \(field.pathText.isEmpty ? "the field" : field.pathText) as an objectID",
                inRequest: "ids are texts here: write the 24 digits as a text"
            )
        }
        return try checked(decoded(try node.extended().value, field.last, field.pathText), node)
    }

    private func decoded(_ value: QueryValue, _ type: FieldType, _ path: String) -> QueryValue {
        switch value {
        case .list(let elements): return .list(elements.map { decoded($0, type.element, path) })
        case .object, .null, .shape: return value
        case .bool, .int, .double, .string, .date, .data, .uuid:
            let declared: DateEncoding? = if case .date(let encoding) = type.element { encoding } else { nil }
            let encoding = declared ?? (reading.holdsDates(path) ? .iso8601Milliseconds : nil)
            if case .date = value, type == .any { reading.noteStoreDates(path) }
            return encoding?.decodeCompared(value).map { .date($0) } ?? value
        }
    }

    private func checked(_ value: QueryValue, _ node: MongoNode) throws(QueryError) -> QueryValue {
        if value.holdsNaN { throw node.unsupported("NaN equals itself in Mongo, but equals nothing here") }
        if case .object(let object) = value, object["__type"] == "Date", case .string(let date)? = object["iso"] {
            let hint = "write {\"$date\":\(QueryValue.string(date).json)}"
            throw node.unsupported("this is a date of Parse, which is an object to Mongo", hint: hint)
        }
        if value.isOrderSensitive {
            throw node.unsupported("Mongo compares the fields of objects in their order", hint: "compare each field")
        }
        if value.holdsShape { throw node.wrong("a shape is allowed only as an operand of $geoWithin") }
        if value.depth > reading.limits.nesting {
            throw node.error(.limit, "the value is nested deeper than \(reading.limits.nesting) levels")
        }
        if case .list(let elements) = value, elements.count > reading.limits.listElements {
            throw node.error(.limit, "the list has more than \(reading.limits.listElements) elements")
        }
        return value
    }

    // MARK: Whole lists

    /// `{"$eq": […], "$not": {"$elemMatch": {"$eq": […]}}}` is `f == {…}`: the value equals the list, and no element
    /// does.
    func equalList(
        _ field: MongoField,
        _ node: MongoNode,
        _ operators: Document,
        _ guards: ListGuards
    ) throws(QueryError) -> Condition? {
        guard let list = node.member("$eq"), case .list = list.value, let not = operators["$not"],
            not == op("$elemMatch", op("$eq", list.value))
        else { return nil }
        let value = try constant(list, field)
        guard isPrefixSingle(field, guards) else { throw containers(field, node) }
        return .comparison(Comparison(term(field), .equal, .constant(value, list.origin), origin: node.origin))
    }

    /// A bare list equals the whole list or one of its elements.
    private func equalList(
        _ field: MongoField,
        _ value: QueryValue,
        _ node: MongoNode,
        _ guards: ListGuards
    ) throws(QueryError) -> Condition {
        guard isPrefixSingle(field, guards) else { throw containers(field, node) }
        let whole = Comparison(term(field), .equal, .constant(value, node.origin), origin: node.origin)
        if case .list(let element) = field.last, element != .any, !element.isList { return .comparison(whole) }
        var some = whole
        some.quantifier = .any
        return .or([.comparison(whole), .comparison(some)])
    }

    // MARK: nil

    /// nil in one of its meanings (S8), whatever the query's own meaning is.
    func isNil(
        _ field: MongoField,
        _ meaning: NilMeaning,
        _ node: MongoNode,
        _ guards: inout ListGuards
    ) throws(QueryError) -> Condition {
        // An absent key is absent, list or not.
        if meaning == .absent, field.listSteps == 0 || field.types.dropLast().allSatisfy({ !$0.isList }) {
            guard isPrefixSingle(field, guards) else { throw containers(field, node) }
            _ = isGuarded(field, &guards)
            return try nilTest(field, meaning, node)
        }
        if isSingle(field, &guards) { return try nilTest(field, meaning, node) }
        guard isPrefixSingle(field, guards) else { return try nilInLists(field, meaning, node) }
        let whole = try nilTest(field, meaning, node)
        if guards.cover([field.dotted]) {
            guards.absorb([field.dotted])
            return whole
        }
        let nilOperator: Comparison.Operator = reading.nilMeaning == .nullOrAbsent ? .equal : .lessOrEqual
        let nothing = Term.value(.null, node.origin)
        let some = Comparison(term(field), nilOperator, nothing, quantifier: .any, origin: node.origin)
        return .or([whole, .comparison(some)])
    }

    /// nil where any container may be a list: then Mongo looks at the objects in it, and at nothing else there.
    private func nilInLists(
        _ field: MongoField,
        _ meaning: NilMeaning,
        _ node: MongoNode
    ) throws(QueryError) -> Condition {
        let keys = Array(field.path.dropFirst(path.count))
        let areOpen = field.types.dropLast().allSatisfy { $0 == .any } && field.names.count == keys.count
        // The condition doubles with each key.
        guard meaning == .nullOrAbsent, areOpen, keys.count <= 4, !keys.contains(where: { Int($0) != nil }) else {
            throw containers(field, node)
        }
        let base = element ?? subject.map { Term.variable($0, field.origin) }
        return try nilInLists(base, [], keys[...], node)
    }

    /// Nil at the keys below a base, of which the first ones lead through no list.
    private func nilInLists(
        _ base: Term?,
        _ singles: [String],
        _ keys: ArraySlice<String>,
        _ node: MongoNode
    ) throws(QueryError) -> Condition {
        let path = singles + keys.prefix(1)
        let row = Term.field(FieldPath(keys: path), node.origin)
        let term = base.map { Term.path($0, path.map(PathStep.key), node.origin) } ?? row
        let whole = try nilTest(term, .nullOrAbsent, node)
        guard keys.count > 1 else {
            guard case .comparison(var some) = whole else { return whole }
            some.quantifier = .any
            return .or([whole, .comparison(some)])
        }
        let variable = reading.freshVariable()
        let item = Term.variable(variable, node.origin)
        // Nothing else that is no list has no text.
        let isObject = Condition.and([
            .not(try nilTest(item, .nullOrAbsent, node)), noList(item, node),
            try nilTest(.cast(item, .string, node.origin), .nullOrAbsent, node),
            try nilInLists(item, [], keys.dropFirst(), node),
        ])
        let items = Term.subquery(Subquery(term, variable, where: isObject), node.origin)
        let count = Term.aggregate(.count, of: items, FieldPath(keys: []), node.origin)
        return .or([
            .and([noList(term, node), try nilInLists(base, path, keys.dropFirst(), node)]),
            .comparison(Comparison(count, .greater, .value(0, node.origin), origin: node.origin)),
        ])
    }

    /// `f == nil` if the query means that by it; `f <= nil` always tests for null or absent (S7, S8).
    private func nilTest(_ field: MongoField, _ meaning: NilMeaning, _ node: MongoNode) throws(QueryError) -> Condition
    {
        try nilTest(term(field), meaning, node)
    }

    func nilTest(_ term: Term, _ meaning: NilMeaning, _ node: MongoNode) throws(QueryError) -> Condition {
        let nothing = Term.value(.null, node.origin)
        func test(_ operation: Comparison.Operator) -> Condition {
            .comparison(Comparison(term, operation, nothing, origin: node.origin))
        }
        if meaning == reading.nilMeaning { return test(.equal) }
        if meaning == .nullOrAbsent { return test(.lessOrEqual) }
        guard reading.nilMeaning != .nullOrAbsent else {
            throw node.unsupported(
                "this distinguishes null from absent, which the requested nil meaning does not",
                hint: "read it with the nil meaning \(meaning.rawValue) (pql: --nil \(meaning.rawValue))",
                inRequest: Self.askFormat
            )
        }
        return .and([test(.lessOrEqual), test(.notEqual)])
    }

    /// `{"f": {"$exists": false}}`.
    func exists(_ field: MongoField, _ node: MongoNode, _ guards: inout ListGuards) throws(QueryError) -> Condition {
        let exists: Bool
        switch try node.extended().value {
        case .bool(let flag): exists = flag
        case .int(1), .double(1): exists = true
        case .int(0), .double(0): exists = false
        default: throw node.wrong("$exists takes true or false")
        }
        if !isPrefixSingle(field, guards) {
            let element = element ?? subject.map { Term.variable($0, node.origin) }
            let found = try isThere(element, field.path.dropFirst(path.count), node)
            return exists ? found : Self.not(found)
        }
        if !exists { return try isNil(field, .absent, node, &guards) }
        // A test that lists satisfy does not make the guards next to it redundant.
        var open = guards
        return Self.opposite(try isNil(field, .absent, node, &open))
    }

    /// Whether keys lead to something from an element, and from an object in each list on the way, where Mongo looks
    /// inside lists, but not inside lists of lists.
    func isThere(_ element: Term?, _ keys: ArraySlice<String>, _ node: MongoNode) throws(QueryError) -> Condition {
        guard let key = keys.first else { return .constant(true) }
        let next: Term =
            if let element { .path(element, [.key(key)], node.origin) } else {
                .field(FieldPath(keys: [key]), node.origin)
            }
        if keys.count == 1 { return Self.opposite(try nilTest(next, .absent, node)) }
        let variable = reading.freshVariable()
        let inner = Term.variable(variable, node.origin)
        let some = try Condition.and([noList(inner, node), isThere(inner, keys.dropFirst(), node)])
        return Self.finds(Subquery(next, variable, where: some), node)
    }

    /// `f != nil` for `f == nil`.
    private static func opposite(_ condition: Condition) -> Condition {
        guard case .comparison(var comparison) = condition, comparison.quantifier == nil,
            let negation = comparison.operator.entry.negation
        else { return not(condition) }
        comparison.operator = negation
        return .comparison(comparison)
    }
}

extension QueryValue {
    /// True if a shape occurs anywhere inside.
    fileprivate var holdsShape: Bool {
        switch self {
        case .shape: true
        case .list(let elements): elements.contains(where: \.holdsShape)
        case .object(let object): object.values.contains(where: \.holdsShape)
        case .null, .bool, .int, .double, .string, .date, .data, .uuid: false
        }
    }
}
