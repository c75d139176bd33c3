import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension FilterWriter {
    /// The maximum number of `$size` tests in one filter; beyond it `$expr` is shorter, if the service supports it.
    private var mostSizes: Int { context.profile.allowsExpressions ? 9 : 100 }

    /// `list.@count op n` and `SUBQUERY(…).@count op n`, or nil for everything else.
    func count(_ question: Question) throws(QueryError) -> Clause? {
        guard question.quantifier == nil, let counted = question.subject.counted,
            let accepted = AcceptedCounts(question, most: 1e9)
        else { return nil }
        if case .subquery(let subquery, _) = counted { return try elements(subquery, accepted) }
        guard let field = try field(counted), let clause = sizes(field, accepted) else { return nil }
        if context.isGuarded, field.types.dropLast().contains(.any) { return nil }
        return guardingPrefixes(field, clause)
    }

    private func sizes(_ field: MongoField, _ accepted: AcceptedCounts) -> Clause? {
        let listSteps = field.types.dropLast().count { $0.isList }
        guard listSteps == 0, field.last.isList || field.last == .any else { return nil }
        let name = field.dotted
        let clause: Clause
        if let clauses = range(field, accepted) {
            clause = clauses
        } else if let counts = accepted.list(most: mostSizes) {
            clause = .some(counts.map { .test(name, "$size", .int(Int64($0)), isNegatable: true) })
        } else if accepted.counts == nil, accepted.highest == nil, accepted.lowest <= mostSizes {
            clause = atLeast(accepted.lowest, name)
        } else {
            return nil
        }
        let missing = Clause.field(name, FieldTest(operators: ["$not": Self.isArray]))
        let whole = accepted.holdsForNil ? Clause.some([missing, clause]) : clause
        return accepted.isNegated ? whole.negated : whole
    }

    /// A range of counts by the positions that exist: `{"tags.2": {"$exists": true}}` is more than two elements.
    ///
    /// An object with numeric keys would match too, and so would a list of such objects.
    private func range(_ field: MongoField, _ accepted: AcceptedCounts) -> Clause? {
        guard accepted.counts == nil, accepted.highest.map({ $0 > accepted.lowest }) ?? (accepted.lowest > 0) else {
            return nil
        }
        if field.last.mayHavePositionKeys {
            if context.isGuarded { return nil }
            context.assume(.list(field.pathText))
        }
        func exists(_ position: Int, _ exists: Bool) -> Clause {
            .test("\(field.dotted).\(position)", "$exists", .bool(exists))
        }
        let list = Clause.test(field.dotted, "$type", "array")
        let first = accepted.lowest == 0 ? list : exists(accepted.lowest - 1, true)
        return .all([first] + (accepted.highest.map { [exists($0, false)] } ?? []))
    }

    /// A list with at least this many elements.
    private func atLeast(_ count: Int, _ name: String) -> Clause {
        let isList = Clause.test(name, "$type", "array")
        if count == 0 { return isList }
        if count == 1, context.profile.allowsElementMatch {
            return .test(name, "$elemMatch", .object(["$exists": true]))
        }
        return .and([isList, .nor((0..<count).map { .test(name, "$size", .int(Int64($0))) })])
    }

    /// Whether a SUBQUERY finds any element; other counts have no find form.
    private func elements(_ subquery: Subquery, _ accepted: AcceptedCounts) throws(QueryError) -> Clause? {
        let asksForSome = accepted.counts == nil && accepted.lowest == 1 && accepted.highest == nil
        let asksForNone = accepted.list(most: 1) == [0]
        guard asksForSome || asksForNone, !accepted.holdsForNil, context.profile.allowsElementMatch,
            let field = try field(subquery.collection), !field.hasPosition,
            let found = try elementMatch(field, subquery)
        else { return nil }
        if asksForSome { return found }
        let isList = Clause.field(field.dotted, FieldTest(operators: ["$type": "array"]))
        let isNoList = Clause.field(field.dotted, FieldTest(operators: ["$not": Self.isArray]))
        return accepted.isNegated ? .some([found, isNoList]) : .all([isList, found.negated])
    }

    /// `{list: {"$elemMatch": …}}`, which tests all conditions on the same element.
    private func elementMatch(_ field: MongoField, _ subquery: Subquery) throws(QueryError) -> Clause? {
        let element: FieldType
        if field.isKnown {
            guard field.listSteps == 1, field.last.isList else { return nil }
            element = field.last.element
        } else {
            guard !context.isGuarded, field.listSteps == 0, field.names.count == 1 || subject == nil else { return nil }
            context.assume(.list(field.pathText))
            if field.names.count > 1 { context.assume(.single(field.prefix(field.names.count - 1).pathText)) }
            element = .any
        }
        var inner = self
        inner.scope = scope.binding(subquery.variable, to: element)
        inner.subject = subquery.variable
        inner.path = field.path
        if let operators = try inner.elementOperators(subquery.condition, element) {
            return .test(field.dotted, "$elemMatch", .object(operators))
        }
        guard let clause = try inner.findOnly(subquery.condition) else { return nil }
        switch clause {
        case .constant(false): return .constant(false)
        case .constant(true): return .test(field.dotted, "$elemMatch", .object(["$exists": true]))
        case .field, .document, .and, .or, .nor:
            if element == .any { context.assume(.objects(field.pathText)) }
            return .test(field.dotted, "$elemMatch", .object(clause.document()))
        }
    }

    /// Operators on the element itself, for conditions such as `$x > 5`; nil if there are none.
    private func elementOperators(_ condition: Condition, _ type: FieldType) throws(QueryError) -> Document? {
        switch condition {
        case .comparison(let comparison):
            let question = try Question(comparison, nilMeaning: context.nilMeaning)
            guard question.quantifier == nil, case .variable(let variable, let origin) = question.subject,
                variable == subject, type.isList == false
            else { return nil }
            return try element(question, MongoField(names: [], types: [type], path: path, origin: origin))?.operators
        case .and(let parts):
            var merged = Document()
            for part in parts {
                guard let operators = try elementOperators(part, type) else { return nil }
                for (key, value) in operators.pairs {
                    guard merged[key] == nil else { return nil }
                    merged[key] = value
                }
            }
            return merged
        case .constant, .or, .not: return nil
        }
    }
}
