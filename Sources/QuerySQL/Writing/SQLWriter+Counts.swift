import QueryMeaning
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
        let count = select(.call("count", .star), try distinct(chain, base.origin))
        return chain.isList.isTrue ? count : .choice([(chain.isList, count)])
    }

    func shortCount(
        _ relation: Comparison.Operator,
        _ number: Int64,
        of counted: Term,
        _ asked: (count: Int, isEnough: Bool)?,
        _ scope: SQLScope
    ) throws(QueryError) -> Leaf? {
        guard let count = try countOfMany(relation, number, counted, scope) else { return nil }
        return Leaf(.compare(count, relation.sql, .bind(.int(number))))
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
            return chain.isUncertain || chain.isSet ? nil : select(.call("count", .star), chain)
        }
        guard let place = try place(of: counted, scope), case .json(let text, let path, nil) = place.site else {
            return nil
        }
        if let whole = place.wholeText { return .call("json_array_length", whole) }
        return place.isUncertain ? nil : place.throughJoins(.call("json_array_length", text, path.literal))
    }
}
