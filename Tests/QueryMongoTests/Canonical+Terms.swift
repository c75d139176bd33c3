import PredicateQL
import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

extension Canonical {
    func form(_ term: Term) -> Term {
        let inner = term.mapChildren(form, form)
        switch inner {
        case .field(let path, _): return .field(FieldPath(keys: path.keys), .none)
        case .path(.field(let path, _), let steps, _):
            let keys = steps.compactMap { step in if case .key(let key) = step { key } else { String?.none } }
            return .field(FieldPath(keys: path.keys + keys), .none)
        case .index(let base, .at(.value(.string(let key), _)), _): return form(.path(base, [.key(key)], .none))
        case .call(.noindex, let arguments, _): return arguments[0]
        case .call(.sum, let arguments, _): return aggregate(.sum, arguments)
        case .call(.average, let arguments, _): return aggregate(.average, arguments)
        case .call(.min, let arguments, _): return aggregate(.min, arguments)
        case .call(.max, let arguments, _): return aggregate(.max, arguments)
        case .call(.count, let arguments, _): return aggregate(.count, arguments)
        case .index(let base, .size, _): return aggregate(.count, [base])
        case .aggregate(.distinctUnionOfSets, of: let base, let path, _):
            return .aggregate(.distinctUnionOfArrays, of: base, path, .none)
        case .index(let base, .at(let position), _) where position.constantValue == 0:
            return .index(base, .first, .none)
        // The values of a list's elements equal those of the path, and only the list is assumed.
        case .aggregate(let aggregate, of: .field(let base, _), let path, _)
        where aggregate != .count && !path.keys.isEmpty && lists.contains(base.dotted):
            return self.aggregate(aggregate, [.field(FieldPath(keys: base.keys + path.keys), .none)])
        case .arithmetic(let chain, _): return arithmetic(chain)
        case .subquery(let subquery, _): return .subquery(renamed(subquery), .none)
        default: return inner
        }
    }

    private func aggregate(_ aggregate: Aggregate, _ arguments: [Term]) -> Term {
        .aggregate(aggregate, of: arguments[0], FieldPath(keys: []), .none)
    }

    /// A constant that is not a number counts as nil in sums.
    private func number(_ term: Term) -> Term {
        if let value = term.constantValue, value.kind != .number { .value(.null, .none) } else { term }
    }

    /// A single chain per precedence; `x * -1` is `-x`.
    private func arithmetic(_ chain: Arithmetic) -> Term {
        var chain = chain
        chain.first = number(chain.first)
        chain.rest = chain.rest.map { Arithmetic.Link($0.operation, number($0.operand)) }
        if case .arithmetic(let inner, _) = chain.first,
            inner.rest.first?.operation.entry.precedence == chain.rest.first?.operation.entry.precedence
        {
            chain = Arithmetic(first: inner.first, rest: inner.rest + chain.rest)
        }
        while let last = chain.rest.last, last.operation == .multiply, last.operand.constantValue == -1 {
            chain.rest.removeLast()
            let rest: Term = chain.rest.isEmpty ? chain.first : .arithmetic(chain, .none)
            return .negated(rest, .none)
        }
        return .arithmetic(chain, .none)
    }

    /// Variables numbered by their depth; their names do not matter.
    private func renamed(_ subquery: Subquery) -> Subquery {
        let variable = Variable("e")
        return Subquery(
            subquery.collection,
            variable,
            where: subquery.condition.replacing(subquery.variable, with: variable)
        )
    }

    // MARK: Counts

    /// The counts that a comparison accepts: nil, and 0 to 39; nothing else about it matters.
    func counted(_ comparison: Comparison) -> Condition? {
        guard comparison.quantifier == nil, case .aggregate(.count, of: let list, let path, _) = comparison.left,
            path.keys.isEmpty, comparison.right.constantValue != nil
        else { return nil }
        let evaluator = RowEvaluator(nilMeaning: nilMeaning)
        func accepts(_ count: QueryValue) -> Bool {
            var test = comparison
            test.left = .value(count, .none)
            return (try? evaluator.holds(.comparison(test), in: [:], now: 0)) ?? false
        }
        // A computed nil counts as null (S8).
        let acceptsNil = accepts(.null) && !(comparison.operator == .equal && nilMeaning == .absent)
        let counts = (0..<40).filter { accepts(.int(Int64($0))) }
        if case .subquery(let subquery, _) = list, !acceptsNil {
            let found = found(subquery)
            if counts == Array(1..<40) { return found }
            if counts == [0] {
                let isList = Comparison(
                    form(Term.aggregate(.count, of: subquery.collection, FieldPath(keys: []), .none)),
                    .greaterOrEqual,
                    .value(0, .none)
                )
                return join([counted(isList) ?? .constant(true), not(found)], isAnd: true)
            }
        }
        return Self.counting(comparison.left, Set(counts.map(String.init) + (acceptsNil ? ["nil"] : [])))
    }

    static let allCounts = Set((0..<40).map(String.init) + ["nil"])

    /// The condition that a count is among these.
    static func counting(_ count: Term, _ accepted: Set<String>) -> Condition {
        if accepted.isEmpty || accepted == allCounts { return .constant(!accepted.isEmpty) }
        return .comparison(Comparison(count, .equal, .value(.string(accepted.sorted().joined(separator: " ")), .none)))
    }

    /// The counts that such a condition accepts.
    static func accepted(_ comparison: Comparison) -> (Term, Set<String>)? {
        guard case .aggregate(.count, of: _, _, _) = comparison.left, comparison.operator == .equal,
            comparison.quantifier == nil, case .string(let text)? = comparison.right.constantValue
        else { return nil }
        return (comparison.left, Set(text.split(separator: " ").map(String.init)))
    }

    /// The conditions on one count, combined.
    static func joinedCounts(_ parts: [Condition], isAnd: Bool) -> [Condition] {
        var (rest, counts, order) = ([Condition](), [Term: Set<String>](), [Term]())
        for part in parts {
            guard case .comparison(let comparison) = part, let (count, accepted) = accepted(comparison) else {
                rest.append(part)
                continue
            }
            guard let own = counts[count] else {
                counts[count] = accepted
                order.append(count)
                continue
            }
            counts[count] = isAnd ? own.intersection(accepted) : own.union(accepted)
        }
        return rest + order.map { counting($0, counts[$0] ?? []) }
    }

    /// A SUBQUERY that finds some element; with one comparison it is ANY or NOT ALL.
    private func found(_ subquery: Subquery) -> Condition {
        switch subquery.condition {
        case .comparison(let comparison):
            if let any = over(comparison, subquery, .any) { return form(.comparison(any)) }
        case .not(.comparison(let comparison)):
            if let all = over(comparison, subquery, .all) { return not(form(.comparison(all))) }
        case .and(let parts):
            if let range = Self.range(parts), let any = over(range, subquery, .any) { return form(.comparison(any)) }
        default: break
        }
        let count = Term.aggregate(.count, of: .subquery(subquery, .none), FieldPath(keys: []), .none)
        return .comparison(Comparison(count, .greater, .value(0, .none)))
    }

    /// `>= low` and `<= high` of one term as BETWEEN.
    private static func range(_ parts: [Condition]) -> Comparison? {
        let comparisons = parts.compactMap { if case .comparison(let comparison) = $0 { comparison } else { nil } }
        guard parts.count == 2, let low = comparisons.first(where: { $0.operator == .greaterOrEqual }),
            let high = comparisons.first(where: { $0.operator == .lessOrEqual }), low.left == high.left,
            low.options.isEmpty, high.options.isEmpty
        else { return nil }
        return Comparison(low.left, .between, .list([low.right, high.right], .none))
    }

    private func over(
        _ comparison: Comparison,
        _ subquery: Subquery,
        _ quantifier: Comparison.Quantifier
    ) -> Comparison? {
        guard comparison.quantifier == nil, comparison.right.constantValue != nil else { return nil }
        var result = comparison
        result.quantifier = quantifier
        switch (comparison.left, subquery.collection) {
        case (.variable(subquery.variable, _), _): result.left = subquery.collection
        case (.path(.variable(subquery.variable, _), let steps, _), .field(let path, _)):
            let keys = steps.compactMap { step in if case .key(let key) = step { key } else { String?.none } }
            result.left = .field(FieldPath(keys: path.keys + keys), .none)
        default: return nil
        }
        return result
    }
}

extension Condition {
    fileprivate func replacing(_ old: Variable, with new: Variable) -> Condition {
        func replaced(_ term: Term) -> Term {
            if case .variable(old, let origin) = term { return .variable(new, origin) }
            return term.mapChildren(replaced) { $0.replacing(old, with: new) }
        }
        return mapChildren {
            $0.replacing(old, with: new)
        } _: { original in
            var comparison = original
            (comparison.left, comparison.right) = (replaced(comparison.left), replaced(comparison.right))
            return .comparison(comparison)
        }
    }
}

extension QueryValue {
    var isNaN: Bool { if case .double(let number) = self { number.isNaN } else { false } }

    /// True if it contains NaN at any depth.
    var holdsNaN: Bool {
        switch self {
        case .list(let elements): elements.contains(where: \.holdsNaN)
        case .object(let object): object.values.contains(where: \.holdsNaN)
        default: isNaN
        }
    }

    /// True for values that are neither less nor greater than any other, except nil.
    var hasNoOrder: Bool {
        switch self {
        case .list, .object, .shape: true
        case .double(let number): number.isNaN
        default: false
        }
    }
}
