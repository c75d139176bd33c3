import QueryTree
import QueryValues

// Counts (S18), and their comparisons with constants.

extension SQLWriter {
    /// The number of elements; NULL if the value is not a list.
    func count(_ base: Term, _ scope: SQLScope) throws(QueryError) -> SQLText {
        if let place = try place(of: base, scope), case .json(let text, let path, let guardian) = place.site,
            case .json(let type) = read(place).kinds
        {
            let length = SQLText.call("json_array_length", text, path.literal).when(guardian)
            if let whole = place.wholeText {
                return .choice([(isList(place, type), .call("json_array_length", whole))])
            }
            if !place.isUncertain {
                return .choice(of: type, [(["array"], place.throughJoins(length))])
            }
        }
        if let place = try place(of: base, scope), place.undeclared != nil { return count(ofUndeclared: place) }
        let chain = try collection(of: base, scope)
        if chain.isList.isFalse { return .null }
        let count = select(.call("count", SQLText("*")), try distinct(chain, base.origin))
        return chain.isList.isTrue ? count : .choice([(chain.isList, count)])
    }

    /// `x.@count >= n` and similar over rows of another table or SUBQUERY: EXISTS stops at the n-th.
    func countShortcut(_ comparison: Comparison, _ scope: SQLScope) throws(QueryError) -> Leaf? {
        guard comparison.left.isComputed || comparison.right.isComputed else { return nil }
        var relation = comparison.operator
        var subject = comparison.left
        var bound = comparison.right
        if case .value = subject {
            swap(&subject, &bound)
            relation = relation.row.mirror ?? relation
        }
        guard case .value(.int(let number), _) = bound, let counted = subject.counted else { return nil }
        if let count = try countOfMany(relation, number, counted, scope) {
            return Leaf(.compare(count, relation.sql, .bind(.int(number))))
        }
        guard let asked = relation.leastCount(number), try place(of: counted, scope) == nil else { return nil }
        let chain = try collection(of: counted, scope)
        guard chain.link != nil || counted.isSubquery else { return nil }
        if asked.count > 1, chain.isSet { return nil }
        let enough = exists(chain, .one, atLeast: asked.count)
        // A nil collection has no elements and so never enough; that it has too few must be tested.
        if asked.isEnough { return enough }
        return chain.isList.isTrue ? enough.reversed : Leaf(.all(chain.isList, enough.fails))
    }

    /// A count that may be 0 where it should be nil, for comparisons that neither satisfies, so that no test for lists
    /// is needed.
    ///
    /// For JSON other than a list `json_array_length` is 0; SUBQUERY of nil has no elements.
    private func countOfMany(
        _ relation: Comparison.Operator,
        _ number: Int64,
        _ counted: Term,
        _ scope: SQLScope
    ) throws(QueryError) -> SQLText? {
        switch relation {
        case .equal, .greaterOrEqual: guard number > 0 else { return nil }
        case .greater: guard number >= 0 else { return nil }
        default: return nil
        }
        if case .subquery(let subquery, _) = counted {
            guard relation == .equal, let place = try place(of: subquery.collection, scope), case .json = place.site
            else { return nil }
            let chain = try collection(of: counted, scope)
            return chain.isUncertain || chain.isSet ? nil : select(.call("count", SQLText("*")), chain)
        }
        guard let place = try place(of: counted, scope), case .json(let text, let path, nil) = place.site else {
            return nil
        }
        if let whole = place.wholeText { return .call("json_array_length", whole) }
        return place.isUncertain ? nil : place.throughJoins(.call("json_array_length", text, path.literal))
    }
}

extension Comparison.Operator {
    /// How many elements decide a comparison of a count with a number, and whether it holds if there are that many.
    ///
    /// `!=` is tested as `==` and negated.
    fileprivate func leastCount(_ number: Int64) -> (count: Int64, isEnough: Bool)? {
        let next = number < .max ? number + 1 : number
        return switch self {
        case .greater where number >= 0 && next > number: (next, true)
        case .greaterOrEqual where number > 0: (number, true)
        case .less where number > 0: (number, false)
        case .lessOrEqual where number >= 0 && next > number: (next, false)
        case .equal where number == 0, .notEqual where number == 0: (1, false)
        default: nil
        }
    }
}

extension Term {
    /// The collection whose elements the term counts.
    var counted: Term? {
        switch self {
        case .aggregate(.count, of: let base, _, _): base
        case .call(.count, let arguments, _): arguments.first
        default: nil
        }
    }

    fileprivate var isSubquery: Bool {
        if case .subquery = self { true } else { false }
    }
}
