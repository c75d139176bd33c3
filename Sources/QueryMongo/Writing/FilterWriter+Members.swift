import QueryMeaning
import QueryTree
import QueryValues

extension FilterWriter {
    /// `f IN {…}` (S12).
    func member(
        _ question: Question,
        _ values: [QueryValue],
        _ orNil: NilMeaning?,
        _ field: MongoField
    ) throws(QueryError) -> Clause? {
        guard let choice = try choice(question, values, field) else { return nil }
        var parts: [Clause] = []
        if let orNil, let absent = try absent(field, orNil) { parts.append(absent) }
        if !choice.plain.isEmpty {
            parts.append(single(field, FieldTest(operators: ["$in": .list(choice.plain)], isNegatable: true)))
        }
        return .some(parts + choice.patterns.map { single(field, FieldTest(operators: $0.operators)) })
    }

    /// `f IN 5`: a collection of one.
    func member(of value: QueryValue, _ field: MongoField, at origin: Origin) throws(QueryError) -> Clause? {
        switch value {
        case .null: return .constant(false)
        case .string, .object, .list: return nil
        case .bool, .int, .double, .date, .data, .uuid, .shape: return try equal(field, value, at: origin)
        }
    }

    /// The elements of an IN list, grouped by how they are tested.
    struct Choice {
        var plain: [QueryValue] = []
        var patterns: [MongoPattern] = []
    }

    func choice(_ question: Question, _ elements: [QueryValue], _ field: MongoField) throws(QueryError) -> Choice? {
        var choice = Choice()
        let folds = !question.options.folding.isEmpty
        for element in elements {
            switch element {
            case .double(let number) where number.isNaN: continue
            case .list: return nil
            case .object where element.isOrderSensitive || element.isFolded(question.options): return nil
            case .string where folds:
                if let pattern = try patterns.pattern(question.asking(.equal(element))) {
                    choice.patterns.append(pattern)
                }
            case .null, .bool, .int, .double, .string, .date, .data, .uuid, .object, .shape:
                let type = field.last.element
                choice.plain.append(
                    try constants.encode(element, for: type, path: field.pathText, at: question.origin)
                )
            }
        }
        return choice
    }

    /// `f CONTAINS v`: substring, membership, or both if the schema does not declare the field (S12).
    func contains(_ question: Question, _ value: QueryValue, _ field: MongoField) throws(QueryError) -> Clause? {
        if field.listSteps > 0 { return try membership(question, value, field) }
        switch (field.last, value) {
        case (.string, .string): return try text(question, field)
        case (.string, _): return .constant(false)
        case (.any, .string) where context.isGuarded: return try substringOrMember(question, value, field)
        // The field is assumed to be single, so CONTAINS tests only for a part of a text.
        case (.any, .string): return try text(question, field)
        case (.any, _):
            // Where dates are texts a part of a text would be one.
            if value.kind == .date, context.profile.dates.isText { context.assume(.list(field.pathText)) }
            return try membership(question, value, field)
        case (.bool, _), (.int, _), (.double, _), (.date, _), (.data, _), (.uuid, _), (.objectID, _), (.object, _),
            (.list, _):
            return value.isNull ? .constant(false) : try equal(field, value, at: question.origin)
        }
    }

    /// Membership is `ANY f == v`.
    private func membership(
        _ question: Question,
        _ value: QueryValue,
        _ field: MongoField
    ) throws(QueryError) -> Clause? {
        try quantified(question.asking(value.isNull ? .isNil(context.nilMeaning) : .equal(value), .any), field)
    }

    /// Exact for both text and lists: a list must contain the text as an element, a text as a part.
    private func substringOrMember(
        _ question: Question,
        _ value: QueryValue,
        _ field: MongoField
    ) throws(QueryError) -> Clause? {
        guard let part = try patterns.pattern(question) else { return nil }
        let within = Document(pairs: [("$not", Self.isArray)] + Array(part.operators.pairs))
        let folds = !question.options.folding.isEmpty
        let whole = try folds ? patterns.pattern(question.asking(.equal(value))) : nil
        let element = whole?.operators ?? ["$eq": value]
        let isPlain = field.names.count == 1 && context.profile.allowsElementMatch
        let member = FieldTest(operators: isPlain ? ["$elemMatch": .object(element)] : element)
        let substring = guardingPrefixes(field, .field(field.dotted, FieldTest(operators: within)))
        return .some([substring, .field(field.dotted, member)])
    }

    /// A test of a text with a regular expression.
    func text(_ question: Question, _ field: MongoField) throws(QueryError) -> Clause? {
        guard field.listSteps == 0, let pattern = try patterns.pattern(question) else { return nil }
        return single(field, FieldTest(operators: pattern.operators))
    }

    /// `geoWithin(f, shape)`: on the sphere for circles, flat for polygons, as the server does.
    func within(_ question: Question, _ field: MongoField) throws(QueryError) -> Clause? {
        guard case .shape(let shape)? = question.term?.constantValue else {
            throw QueryError(.unsupported, "geoWithin needs a circle or polygon", at: question.origin)
        }
        // The server also finds GeoJSON points, lists of places, and objects of any two numbers.
        context.note(.kind(field.pathText, .shape), ofElement: true)
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
