import QueryChecking
import QueryTree
import QueryValues

extension FilterWriter {
    /// `f IN {…}` (S12).
    func member(_ comparison: Comparison, _ field: MongoField, _ value: QueryValue) throws(QueryError) -> Clause? {
        guard field.listSteps == 0 else { return nil }
        switch value {
        case .null: return .constant(false)
        case .string, .object: return nil
        case .bool, .int, .double, .date, .data, .uuid, .shape:
            return try equal(field, value, .nullOrAbsent, at: comparison.right.origin)
        case .list(let elements):
            guard let choice = try choice(comparison, elements, field) else { return nil }
            return try .some(alternatives(choice, field))
        }
    }

    /// The elements of an IN list, grouped by how they are tested.
    struct Choice {
        var hasNil = false
        var plain: [QueryValue] = []
        var patterns: [MongoPattern] = []
    }

    func choice(
        _ comparison: Comparison,
        _ elements: [QueryValue],
        _ field: MongoField
    ) throws(QueryError) -> Choice? {
        var choice = Choice()
        let origin = comparison.right.origin
        let folds = !comparison.options.folding.isEmpty
        for element in elements {
            switch element {
            case .null:
                choice.hasNil = true
                if context.nilMeaning == .nullOrAbsent { choice.plain.append(.null) }
            case .double(let number) where number.isNaN: continue
            case .list: return nil
            case .object where element.isOrderSensitive || element.isFolded(comparison.options): return nil
            case .string(let text) where folds:
                let pattern = try patterns.pattern(.equal, text, comparison.options, at: comparison.origin)
                if let pattern { choice.patterns.append(pattern) }
            case .bool, .int, .double, .string, .date, .data, .uuid, .object, .shape:
                let type = field.last.element
                choice.plain.append(try constants.encode(element, for: type, path: field.pathText, at: origin))
            }
        }
        return choice
    }

    private func alternatives(_ choice: Choice, _ field: MongoField) throws(QueryError) -> [Clause] {
        var parts: [Clause] = []
        let plain = choice.plain
        if choice.hasNil, context.nilMeaning != .nullOrAbsent, let absent = try absent(field, context.nilMeaning) {
            parts.append(absent)
        }
        if !plain.isEmpty {
            parts.append(single(field, FieldTest(operators: ["$in": .list(plain)], isNegatable: true)))
        }
        return parts + choice.patterns.map { single(field, FieldTest(operators: $0.operators)) }
    }

    /// `f CONTAINS v`: substring, membership, or both if the schema does not declare the field (S12).
    func contains(_ comparison: Comparison, _ field: MongoField, _ value: QueryValue) throws(QueryError) -> Clause? {
        if field.listSteps > 0 { return try membership(comparison, field, value) }
        switch (field.last, value) {
        case (.string, .string): return try text(comparison, field, value)
        case (.string, _): return .constant(false)
        case (.any, .string) where context.isGuarded: return try substringOrMember(comparison, field, value)
        // The field is assumed to be single, so CONTAINS tests only for a part of a text.
        case (.any, .string): return try text(comparison, field, value)
        case (.any, _): return try membership(comparison, field, value)
        case (.bool, _), (.int, _), (.double, _), (.date, _), (.data, _), (.uuid, _), (.objectID, _), (.object, _),
            (.list, _):
            return value.isNull ? .constant(false) : try equal(field, value, .nullOrAbsent, at: comparison.right.origin)
        }
    }

    /// Membership is `ANY f == v`.
    func membership(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> Clause? {
        var any = comparison
        any.operator = .equal
        any.quantifier = .any
        return try quantified(any, field, value)
    }

    /// Exact for both text and lists: a list must contain the text as an element, a text as a part.
    private func substringOrMember(
        _ comparison: Comparison,
        _ field: MongoField,
        _ value: QueryValue
    ) throws(QueryError) -> Clause? {
        guard case .string(let text) = value else { return nil }
        guard let part = try patterns.pattern(.contains, text, comparison.options, at: comparison.origin) else {
            return nil
        }
        var within = part.operators
        within = Document(pairs: [("$not", Self.isArray)] + Array(within.pairs))
        let folds = !comparison.options.folding.isEmpty
        let whole = try folds ? patterns.pattern(.equal, text, comparison.options, at: comparison.origin) : nil
        let element = whole?.operators ?? ["$eq": value]
        let isPlain = field.names.count == 1 && context.profile.allowsElementMatch
        let member: FieldTest =
            isPlain
            ? FieldTest(operators: ["$elemMatch": .object(element)]) : FieldTest(operators: element)
        let substring = guardingPrefixes(field, .field(field.dotted, FieldTest(operators: within)))
        return .some([substring, .field(field.dotted, member)])
    }

    /// A string operator with a text; any other operand matches nothing (S7).
    func text(_ comparison: Comparison, _ field: MongoField, _ value: QueryValue) throws(QueryError) -> Clause? {
        guard field.listSteps == 0 else { return nil }
        guard case .string(let text) = value else { return .constant(false) }
        let pattern = try patterns.pattern(comparison.operator, text, comparison.options, at: comparison.origin)
        return pattern.map { single(field, FieldTest(operators: $0.operators)) }
    }

    /// `geoWithin(f, shape)`: on the sphere for circles, flat for polygons, as the server does.
    func within(_ comparison: Comparison, _ field: MongoField, _ value: QueryValue) throws(QueryError) -> Clause? {
        guard case .shape(let shape) = value else {
            throw QueryError(.unsupported, "geoWithin needs a circle or polygon", at: comparison.right.origin)
        }
        return .test(field.dotted, "$geoWithin", shape.mongo)
    }
}

extension GeoShape {
    /// The radius of the Earth in metres.
    private static let earth = 6_371_000.0

    /// The operand of `$geoWithin`.
    fileprivate var mongo: QueryValue {
        switch self {
        case .circle(let longitude, let latitude, let radius):
            let center: QueryValue = .list([Self.number(longitude), Self.number(latitude)])
            return op("$centerSphere", [center, Self.number(radius / Self.earth)])
        case .polygon(let corners):
            return op("$polygon", corners.map { .list([Self.number($0.longitude), Self.number($0.latitude)]) })
        }
    }

    /// A number that is written without a fraction if it has none.
    private static func number(_ value: Double) -> QueryValue {
        Int64(exactly: value).map(QueryValue.int) ?? .double(value)
    }
}
