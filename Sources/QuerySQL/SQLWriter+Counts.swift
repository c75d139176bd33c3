import QuerySyntax

// Counts (S18), and their comparisons with constants.

extension SQLWriter {
    /// The number of elements; NULL for what is no list.
    func count(_ base: Term, _ scope: SQLScope) throws(QueryError) -> SQLText {
        if let place = try place(of: base, scope), case .json(let text, let path, let guardian) = place.site,
            case .json(let type) = read(place).kinds
        {
            let length = SQLText.call("json_array_length", text, path.literal).when(guardian)
            if let whole = place.wholeText {
                return .choice([(isList(place, type), .call("json_array_length", whole))])
            }
            if !place.isUncertain {
                return .choice(of: type, [(["array"], place.through(length))])
            }
        }
        let chain = try collection(of: base, scope)
        if chain.from.isEmpty { return .null }
        let count = select(.call("count", SQLText("*")), chain)
        return chain.isList.isTrue ? count : .choice([(chain.isList, count)])
    }

    /// `x.@count > 0` and its kin over rows of another table or SUBQUERY: EXISTS stops at the first.
    func countShortcut(_ comparison: Comparison, _ scope: SQLScope) throws(QueryError) -> Leaf? {
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
        let wantsSome: Bool
        switch (relation, number) {
        case (.greater, 0), (.greaterOrEqual, 1): wantsSome = true
        case (.equal, 0), (.notEqual, 0), (.less, 1), (.lessOrEqual, 0): wantsSome = false
        default: return nil
        }
        if try place(of: counted, scope) != nil { return nil }
        let chain = try collection(of: counted, scope)
        guard chain.link != nil || counted.isSubquery else { return nil }
        let some = exists(chain, .one)
        if chain.isList.isTrue { return wantsSome ? some : some.reversed }
        return wantsSome
            ? Leaf(.all(chain.isList, some.holds))
            : Leaf(.all(chain.isList, some.fails))
    }

    /// A count that may be 0 where it should be nil, for comparisons that neither fulfils: nobody asks for lists first.
    ///
    /// Of JSON that is no list `json_array_length` is 0; SUBQUERY of nil has no elements.
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
            if (relation, number) == (.greater, 0) || (relation, number) == (.greaterOrEqual, 1) { return nil }
            guard let place = try place(of: subquery.collection, scope), case .json = place.site else { return nil }
            let chain = try collection(of: counted, scope)
            return chain.isUncertain ? nil : select(.call("count", SQLText("*")), chain)
        }
        guard let place = try place(of: counted, scope), case .json(let text, let path, nil) = place.site else {
            return nil
        }
        if let whole = place.wholeText { return .call("json_array_length", whole) }
        return place.isUncertain ? nil : place.through(.call("json_array_length", text, path.literal))
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
