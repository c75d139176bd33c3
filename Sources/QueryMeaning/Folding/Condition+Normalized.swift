import QueryTree
import QueryValues

extension Condition {
    /// The condition in its simplest equivalent form: the same truth for every row, including nil and mixed kinds (S6,
    /// S7).
    ///
    /// Constants are computed, chains flattened, double negations removed, duplicate parts dropped, `IN` of one value
    /// becomes `==`, bounds on one field become one range, and cheap parts come first. Idempotent. See S6, S7.
    ///
    ///     try Condition(format: "NOT NOT (a >= 1 AND a <= 5)").normalized()  // → a BETWEEN {1, 5}
    ///
    /// - Parameters:
    ///   - now: the instant of `now()` in milliseconds since 1970; nil leaves `now()` as it is.
    ///   - nilMeaning: what `== nil` tests for (S8).
    /// - Returns: the normalized condition. O(n log n) in the number of nodes.
    package func normalized(now: Int64? = nil, nilMeaning: NilMeaning = .nullOrAbsent) -> Condition {
        StackRoom.run(for: self) {
            let normalizer = Normalizer(now: now, nilMeaning: nilMeaning)
            return normalizer.normalize(normalizer.folded(self))
        }
    }
}

/// Simplifies a condition whose constants are folded.
private struct Normalizer {
    var now: Int64?
    var nilMeaning: NilMeaning

    func folded(_ condition: Condition) -> Condition {
        guard let now else {
            return condition.mentionsNow ? condition : condition.foldingConstants(now: 0, nilMeaning: nilMeaning)
        }
        return condition.foldingConstants(now: now, nilMeaning: nilMeaning)
    }

    func normalize(_ condition: Condition) -> Condition {
        switch condition {
        case .constant: return condition
        case .comparison(let comparison): return .comparison(normalize(comparison))
        case .not(let part): return negate(normalize(part))
        case .and(let parts):
            let flat = parts.map(normalize).flatMap { part in if case .and(let inner) = part { inner } else { [part] } }
            return join(mergeRanges(unique(flat)), Condition.and, absorbing: false)
        case .or(let parts):
            let flat = parts.map(normalize).flatMap { part in if case .or(let inner) = part { inner } else { [part] } }
            return join(unique(flat), Condition.or, absorbing: true)
        }
    }

    private func join(_ parts: [Condition], _ node: ([Condition]) -> Condition, absorbing: Bool) -> Condition {
        if parts.contains(.constant(absorbing)) { return .constant(absorbing) }
        let rest = parts.filter { $0 != .constant(!absorbing) }
        if rest.count <= 1 { return rest.first ?? .constant(!absorbing) }
        // A stable order by cost, for stores that test from left to right.
        return node(
            rest.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
        )
    }

    /// The parts without duplicates, except those that contain `random()`.
    private func unique(_ parts: [Condition]) -> [Condition] {
        var seen: Set<Condition> = []
        return parts.filter { !$0.isRepeatable || seen.insert($0).inserted }
    }

    private func negate(_ condition: Condition) -> Condition {
        switch condition {
        case .constant(let value): return .constant(!value)
        case .not(let inner): return inner
        case .comparison(var comparison):
            // `==` and `!=` are opposites for every row (S6); the other operators are not, because of nil.
            guard comparison.quantifier == nil, let opposite = comparison.operator.entry.negation else {
                return .not(condition)
            }
            comparison.operator = opposite
            return .comparison(comparison)
        case .and, .or: return .not(condition)
        }
    }

    private func normalize(_ original: Comparison) -> Comparison {
        var comparison = original
        if comparison.operator == .in, case .list(let elements, _) = comparison.right, elements.count == 1 {
            comparison.operator = .equal
            comparison.right = elements[0]
        }
        guard comparison.quantifier == nil, comparison.operator != .in, comparison.left.constantValue != nil,
            comparison.right.constantValue == nil
        else { return comparison }
        return comparison.mirrored ?? comparison
    }

    // MARK: Ranges

    /// Bounds on one field become the tightest pair, two inclusive bounds BETWEEN, an empty range false.
    private func mergeRanges(_ parts: [Condition]) -> [Condition] {
        var ranges: [Term: FieldRange] = [:]
        var order: [Int: Term] = [:]
        var others: [(Int, Condition)] = []
        for (position, part) in parts.enumerated() {
            guard let bound = FieldRange(part) else {
                others.append((position, part))
                continue
            }
            if ranges[bound.field] == nil {
                ranges[bound.field] = bound
                order[position] = bound.field
            } else if ranges[bound.field]?.narrow(to: bound) != true {
                others.append((position, part))
            }
        }
        for (position, field) in order {
            for condition in ranges[field]?.conditions ?? [] { others.append((position, condition)) }
        }
        return others.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
    }
}

/// The combined bounds on one field.
private struct FieldRange {
    var field: Term
    private var lower: (comparison: Comparison, value: QueryValue)?
    private var upper: (comparison: Comparison, value: QueryValue)?

    /// The bounds of a comparison with constants of an ordered kind; nil for everything else.
    init?(_ condition: Condition) {
        guard case .comparison(let comparison) = condition, comparison.quantifier == nil,
            comparison.options.folding.isEmpty, case .field = comparison.left
        else { return nil }
        field = comparison.left
        if comparison.operator == .between {
            guard let (low, high) = Self.bounds(of: comparison) else { return nil }
            (lower, upper) = (low, high)
            return
        }
        guard let value = comparison.right.constantValue, value.order(relativeTo: value) == .same else { return nil }
        switch comparison.operator {
        case .greater, .greaterOrEqual: lower = (comparison, value)
        case .less, .lessOrEqual: upper = (comparison, value)
        default: return nil
        }
    }

    /// The two bounds of BETWEEN, if both are constants of one ordered kind.
    private static func bounds(of comparison: Comparison) -> (low: Bound, high: Bound)? {
        guard case .list(let terms, _) = comparison.right, terms.count == 2, let low = terms[0].constantValue,
            let high = terms[1].constantValue, low.kind == high.kind, low.order(relativeTo: low) == .same,
            high.order(relativeTo: high) == .same
        else { return nil }
        let origin = comparison.origin
        return (
            (Comparison(comparison.left, .greaterOrEqual, terms[0], origin: origin), low),
            (Comparison(comparison.left, .lessOrEqual, terms[1], origin: origin), high)
        )
    }

    /// Adds the bounds of another range; false if the kinds differ, so that the other must remain a part of its own.
    mutating func narrow(to other: FieldRange) -> Bool {
        for known in [lower, upper].compactMap({ $0 }) {
            for new in [other.lower, other.upper].compactMap({ $0 }) where known.value.kind != new.value.kind {
                return false
            }
        }
        if let new = other.lower { lower = lower.map { Self.tighter($0, new, wants: .descending) } ?? new }
        if let new = other.upper { upper = upper.map { Self.tighter($0, new, wants: .ascending) } ?? new }
        return true
    }

    private typealias Bound = (comparison: Comparison, value: QueryValue)

    private static func tighter(_ old: Bound, _ new: Bound, wants order: QueryOrder) -> Bound {
        let found = new.value.order(relativeTo: old.value)
        if found == order { return new }
        if found == .same, new.comparison.operator == .greater || new.comparison.operator == .less { return new }
        return old
    }

    var conditions: [Condition] {
        guard let lower, let upper else {
            return [lower, upper].compactMap { $0.map { .comparison($0.comparison) } }
        }
        let order = lower.value.order(relativeTo: upper.value)
        let isInclusive =
            lower.comparison.operator == .greaterOrEqual && upper.comparison.operator == .lessOrEqual
        if order == .descending || (order == .same && !isInclusive) { return [.constant(false)] }
        guard isInclusive else { return [.comparison(lower.comparison), .comparison(upper.comparison)] }
        let origin = lower.comparison.origin.union(upper.comparison.origin)
        let bounds = Term.list([lower.comparison.right, upper.comparison.right], origin)
        return [.comparison(Comparison(field, Comparison.Operator.between, bounds, origin: origin))]
    }
}

extension Condition {
    /// True if the condition calls `now()`.
    fileprivate var mentionsNow: Bool { has { if case .call(.now, _, _) = $0 { true } else { false } } }

    /// True if the condition has no random part, so that repeating it changes nothing.
    var isRepeatable: Bool {
        !has { term in
            switch term {
            case .call(.random, _, _), .call(.randomBelow, _, _): true
            default: false
            }
        }
    }

    private func has(_ test: (Term) -> Bool) -> Bool {
        nodes.contains { if case .term(let term) = $0 { test(term) } else { false } }
    }

    /// The approximate cost of a test: constants, then numbers, texts, collections, regular expressions.
    fileprivate var cost: Int {
        switch self {
        case .constant: 0
        case .comparison(let comparison): comparison.cost
        case .and(let parts), .or(let parts): parts.reduce(1) { $0 + $1.cost }
        case .not(let part): part.cost
        }
    }
}

extension Query {
    /// True if its results may change while the rows stay the same: with the time (S20), or at random.
    package var isVolatile: Bool {
        let terms = order.compactMap(\.computed) + computed.map(\.term)
        return condition.nodes.contains(where: \.isVolatile)
            || terms.contains { $0.nodes.contains(where: \.isVolatile) }
    }
}

extension TreeNode {
    fileprivate var isVolatile: Bool {
        switch self {
        case .term(.call(.now, _, _)), .term(.call(.random, _, _)), .term(.call(.randomBelow, _, _)): true
        default: false
        }
    }
}

extension Comparison {
    fileprivate var cost: Int {
        let test =
            switch self.operator {
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between: 1
            case .in, .contains, .beginsWith, .endsWith: 3
            case .like: 5
            case .matches: 8
            case .geoWithin: 8
            }
        let folding = options.folding.isEmpty ? 0 : 4
        return test + folding + left.cost + right.cost + (quantifier == nil ? 0 : 10)
    }
}

extension Term {
    fileprivate var cost: Int {
        switch self {
        case .value, .field, .variable, .list: 0
        case .path, .index, .arithmetic, .negated, .call, .conditional, .cast, .assignment: 4
        case .aggregate: 12
        case .subquery: 20
        }
    }
}
