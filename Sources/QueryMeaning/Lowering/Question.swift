import QueryTree
import QueryValues

/// A lowered comparison: the constant is on the right, nil, LIKE and order are resolved, and backends switch over the test.
package struct Question {
    /// The term that is tested; under a quantifier the collection.
    package var subject: Term
    /// ANY or ALL (S10).
    package var quantifier: Comparison.Quantifier?
    /// The test of the subject's value, or of each element.
    package var test: Test
    /// The right side, unless the test contains its constant.
    package var term: Term?
    /// True if the test must fail: `!=` is the opposite of `==` (S6).
    package var isNegated = false
    /// `[c] [d] [n]` (S14).
    package var options: StringOptions
    /// True for `'x' IN a`, which unlike `a CONTAINS 'x'` suggests that `a` is a list.
    package var isWrittenAsMember = false
    /// The place of the right side.
    package var origin: Origin
    /// The place of the whole comparison.
    package var whole: Origin

    package enum Test {
        /// Never holds: `< nil`, or a text operator with a constant that is not text (S7).
        case never
        /// Is nil (S8).
        case isNil(NilMeaning)
        /// Equals a value other than nil.
        case equal(QueryValue)
        case equalToTerm
        /// Is less or greater than a value other than nil.
        case ordered(OrderRule, QueryValue)
        case orderedByTerm(OrderRule)
        /// Lies between two bounds, both included (S13).
        case between(QueryValue, QueryValue)
        case betweenTerms
        /// IN a list of constants; a nil that is not just null or absent is left out of them (S8, S12).
        case members([QueryValue], orNil: NilMeaning?)
        case memberOfTerm(orNil: NilMeaning?)
        /// CONTAINS a term, or a constant that is not text.
        case containsTerm
        /// Has a text at its start, at its end or anywhere; `.middle` applies to lists too (S12).
        case part(TextPart, String)
        case like(LikePattern)
        case matches(String)
        case textByTerm(TextRelation)
        /// Lies within a shape.
        case withinTerm
    }

    /// Lowers a comparison.
    ///
    /// - Parameters:
    ///   - given: a checked comparison; a constant may be on either side.
    ///   - nilMeaning: the meaning of a literal nil (S8).
    /// - Throws: `kindMismatch` for a BETWEEN without two bounds, `pattern` for a bad LIKE.
    package init(_ given: Comparison, nilMeaning: NilMeaning) throws(QueryError) {
        let comparison = given.withConstantOnTheRight
        let right = comparison.right
        let constant = right.constantValue
        (subject, quantifier, options) = (comparison.left, comparison.quantifier, comparison.options)
        origin = right.origin
        whole = given.origin
        isWrittenAsMember = given.operator == .in && given.left.constantValue != nil
        switch comparison.operator {
        case .equal, .notEqual:
            isNegated = comparison.operator == .notEqual
            // `nil == nil` holds whatever nil means (S7).
            let isLiteral = quantifier == nil && subject.constantValue?.isNull == true
            let meaning = isLiteral ? .nullOrAbsent : nilMeaning
            test = constant.map { $0.isNull ? .isNil(meaning) : .equal($0) } ?? .equalToTerm
        case .less: test = Self.ordered(OrderRule(.ascending), constant)
        case .lessOrEqual: test = Self.ordered(OrderRule(.ascending, orEqual: true), constant)
        case .greater: test = Self.ordered(OrderRule(.descending), constant)
        case .greaterOrEqual: test = Self.ordered(OrderRule(.descending, orEqual: true), constant)
        case .between: test = try Self.between(right, constant)
        case .in: (test, term) = Self.member(of: right, nilMeaning)
        case .contains: test = Self.text(constant).map { .part(.middle, $0) } ?? .containsTerm
        case .beginsWith: test = try Self.text(.part(.prefix), constant, options, at: origin)
        case .endsWith: test = try Self.text(.part(.suffix), constant, options, at: origin)
        case .like: test = try Self.text(.like, constant, options, at: origin)
        case .matches: test = try Self.text(.matches, constant, options, at: origin)
        case .geoWithin: test = .withinTerm
        }
        if term == nil, test.needsTerm { term = right }
    }

    /// `<= nil` and `>= nil` mean `== nil`, where nil is null or absent (S7).
    private static func ordered(_ rule: OrderRule, _ constant: QueryValue?) -> Test {
        guard let constant else { return .orderedByTerm(rule) }
        if constant.isNull { return rule.allowsEqual ? .isNil(.nullOrAbsent) : .never }
        return .ordered(rule, constant)
    }

    private static func between(_ right: Term, _ constant: QueryValue?) throws(QueryError) -> Test {
        if case .list(let bounds)? = constant, bounds.count == 2 { return .between(bounds[0], bounds[1]) }
        let isComputed = if case .list(let bounds, _) = right { bounds.count == 2 } else { true }
        if constant == nil, isComputed { return .betweenTerms }
        throw QueryError(
            .kindMismatch,
            "BETWEEN takes a list of two bounds",
            at: right.origin,
            hint: "write {low, high}"
        )
    }

    /// IN; nil as null or absent is a member like any other.
    private static func member(of right: Term, _ nilMeaning: NilMeaning) -> (Test, Term?) {
        if case .list(let values)? = right.constantValue {
            let others = nilMeaning == .nullOrAbsent ? values : values.filter { !$0.isNull }
            return (.members(others, orNil: others.count == values.count ? nil : nilMeaning), nil)
        }
        guard nilMeaning != .nullOrAbsent, case .list(let elements, let origin) = right else {
            return (.memberOfTerm(orNil: nil), right)
        }
        let others = elements.filter { !($0.constantValue?.isNull ?? false) }
        return (.memberOfTerm(orNil: others.count == elements.count ? nil : nilMeaning), .list(others, origin))
    }

    private static func text(_ constant: QueryValue?) -> String? {
        if case .string(let text)? = constant { text } else { nil }
    }

    private static func text(
        _ relation: TextRelation,
        _ constant: QueryValue?,
        _ options: StringOptions,
        at origin: Origin
    ) throws(QueryError) -> Test {
        guard let constant else { return .textByTerm(relation) }
        guard let text = text(constant) else { return .never }
        switch relation {
        case .part(let part): return .part(part, text)
        case .like: return .like(try LikePattern(text, options: options, at: origin))
        case .matches: return .matches(text)
        }
    }

    /// The same subject with another test, which must hold.
    package func asking(_ test: Test, _ quantifier: Comparison.Quantifier? = nil) -> Question {
        var question = self
        (question.test, question.quantifier, question.isNegated) = (test, quantifier, false)
        return question
    }
}

extension Question.Test {
    fileprivate var needsTerm: Bool {
        switch self {
        case .equalToTerm, .orderedByTerm, .betweenTerms, .memberOfTerm, .containsTerm, .textByTerm, .withinTerm: true
        case .never, .isNil, .equal, .ordered, .between, .members, .part, .like, .matches: false
        }
    }
}

/// `< <= > >=` (S2, S7).
package struct OrderRule: Sendable {
    package let wanted: QueryOrder
    package let allowsEqual: Bool

    package init(_ wanted: QueryOrder, orEqual allowsEqual: Bool = false) {
        self.wanted = wanted
        self.allowsEqual = allowsEqual
    }

    /// The rule with the sides exchanged.
    package var mirrored: OrderRule { OrderRule(wanted.reversed, orEqual: allowsEqual) }

    @inline(__always)
    package func accepts(_ order: QueryOrder?) -> Bool {
        order == wanted || (allowsEqual && order == .same)
    }
}

/// Where one text occurs in another.
package enum TextPart: Sendable {
    case prefix, suffix, middle

    /// True if a text has another in this place.
    func holds(_ text: String, _ part: String, _ options: StringOptions = []) -> Bool {
        switch self {
        case .prefix: Folding.hasPrefix(text, part, options)
        case .suffix: Folding.hasSuffix(text, part, options)
        case .middle: Folding.contains(text, part, options)
        }
    }
}

/// How two texts of a row are compared.
package enum TextRelation: Sendable {
    case part(TextPart), like, matches
}
