import QueryChecking
import QueryTree
import QueryValues

/// Which numbers of elements a comparison of `@count` accepts.
struct AcceptedCounts {
    /// The least accepted count.
    var lowest = 0
    /// The greatest accepted count, or nil for no end.
    var highest: Int?
    /// Single counts in place of a range.
    var counts: [Int]?
    /// True when a count of nil is accepted: what is no list has no count (S18).
    var holdsForNil = false
    /// True when everything else is accepted instead.
    var isNegated = false

    /// The counts that `count op value` accepts, or nil for operators that no filter on sizes says.
    init?(_ operation: Comparison.Operator, _ value: QueryValue) {
        switch operation {
        case .equal, .notEqual:
            counts = Self.count(value).map { [$0] } ?? []
            holdsForNil = value.isNull
            isNegated = operation == .notEqual
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let bound = Self.bound(value) else {
                counts = []
                holdsForNil = value.isNull && (operation == .lessOrEqual || operation == .greaterOrEqual)
                return
            }
            switch operation {
            case .less: highest = Self.ceiling(bound) - 1
            case .lessOrEqual: highest = Self.floor(bound)
            case .greater: lowest = max(0, Self.floor(bound) + 1)
            default: lowest = max(0, Self.ceiling(bound))
            }
        case .between:
            guard case .list(let bounds) = value, bounds.count == 2, let low = Self.bound(bounds[0]),
                let high = Self.bound(bounds[1])
            else {
                counts = []
                return
            }
            lowest = max(0, Self.ceiling(low))
            highest = Self.floor(high)
        case .in:
            guard case .list(let elements) = value else { return nil }
            counts = Set(elements.compactMap(Self.count)).sorted()
            holdsForNil = elements.contains(where: \.isNull)
        case .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin: return nil
        }
    }

    /// The single counts, when they are few.
    func list(most: Int) -> [Int]? {
        if let counts { return counts.count <= most ? counts : nil }
        guard let highest else { return nil }
        if highest < lowest { return [] }
        return highest - lowest < most ? Array(lowest...highest) : nil
    }

    private static func count(_ value: QueryValue) -> Int? {
        guard let bound = bound(value), bound >= 0, bound < 1e9, bound == bound.rounded() else { return nil }
        return Int(exactly: bound)
    }

    private static func bound(_ value: QueryValue) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number.isNaN ? nil : number
        case .null, .bool, .string, .date, .data, .uuid, .list, .object, .shape: nil
        }
    }

    /// Far beyond any list's length, and far from overflow.
    private static func clamp(_ value: Double) -> Int { Int(max(-1e9, min(1e9, value))) }
    private static func floor(_ value: Double) -> Int { clamp(value.rounded(.down)) }
    private static func ceiling(_ value: Double) -> Int { clamp(value.rounded(.up)) }
}

extension Comparison.Operator {
    /// True for the operators whose nil has the meaning that the query gives it (S8).
    fileprivate var asksForNil: Bool {
        switch self {
        case .equal, .notEqual, .in: true
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .contains, .beginsWith, .endsWith, .like,
            .matches, .geoWithin:
            false
        }
    }
}

extension FilterWriter {
    /// The most `$size` in one filter: beyond it `$expr` is shorter, where the service has it.
    private var mostSizes: Int { context.profile.allowsExpressions ? 9 : 100 }

    /// `list.@count op n` and `SUBQUERY(…).@count op n`, or nil for everything else.
    func count(_ comparison: Comparison, _ value: QueryValue) throws(QueryError) -> Clause? {
        guard comparison.quantifier == nil, let counted = comparison.left.counted,
            var accepted = AcceptedCounts(comparison.operator, value)
        else { return nil }
        // A computed nil counts as null.
        if context.nilMeaning == .absent, comparison.operator.asksForNil { accepted.holdsForNil = false }
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
    /// An object would find them among its keys, and so would a list among those of its elements.
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

    /// A list of at least so many elements.
    private func atLeast(_ count: Int, _ name: String) -> Clause {
        let isList = Clause.test(name, "$type", "array")
        if count == 0 { return isList }
        if count == 1, context.profile.allowsElementMatch {
            return .test(name, "$elemMatch", .object(["$exists": true]))
        }
        return .and([isList, .nor((0..<count).map { .test(name, "$size", .int(Int64($0))) })])
    }

    /// Whether a SUBQUERY finds something; other counts have no find form.
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

    /// `{list: {"$elemMatch": …}}`: all conditions on one element.
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

    /// `$x > 5` and the like: operators on the element itself, or nil.
    private func elementOperators(_ condition: Condition, _ type: FieldType) throws(QueryError) -> Document? {
        switch condition {
        case .comparison(let comparison):
            let comparison = comparison.withConstantOnTheRight
            guard comparison.quantifier == nil, case .variable(let variable, let origin) = comparison.left,
                variable == subject, let value = comparison.right.constantValue, type.isList == false
            else { return nil }
            let field = MongoField(names: [], types: [type], path: path, origin: origin)
            return try element(comparison, field, value)?.operators
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

extension Term {
    /// What `x.@count`, `count(x)` and `x[SIZE]` count.
    fileprivate var counted: Term? {
        switch self {
        case .aggregate(.count, of: let base, let path, _) where path.keys.isEmpty: base
        case .call(.count, let arguments, _): arguments.first
        case .index(let base, .size, _): base
        case .value, .field, .variable, .list, .path, .index, .aggregate, .arithmetic, .negated, .call, .subquery,
            .conditional, .cast, .assignment:
            nil
        }
    }
}
