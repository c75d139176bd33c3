import QueryMeaning
import QueryTree
import QueryValues

// Counts (S18), their comparisons with constants, and EXISTS (S10).

extension SQLWriter {
    /// The number of elements; NULL if the value is not a list.
    func count(_ base: Term, _ scope: Scope) throws(QueryError) -> SQLText {
        if let place = try place(of: base, scope), case .json(let text, let path, let guardian) = place.site,
            case .json(let type) = read(place).kinds
        {
            let length = SQLText.call("json_array_length", text, path.literal).when(guardian)
            if let whole = place.wholeText {
                return .choice([(isList(place, type), .call("json_array_length", whole))])
            }
            if !place.isUncertain { return .choice(of: type, [(["array"], place.throughJoins(length))]) }
        }
        if let place = try place(of: base, scope), place.undeclared != nil { return count(ofUndeclared: place) }
        let chain = try collection(of: base, scope)
        if chain.isList.isFalse { return .null }
        let count = select(.call("count", .star), try distinct(chain, base.origin))
        return chain.isList.isTrue ? count : .choice([(chain.isList, count)])
    }

    /// A count that may be 0 where it should be nil, for comparisons that neither satisfies, so that no test for lists
    /// is needed.
    ///
    /// For JSON other than a list `json_array_length` is 0; SUBQUERY of nil has no elements.
    func shortCount(_ test: CountTest, _ scope: Scope) throws(QueryError) -> Leaf? {
        let (counted, isEqual) = (test.counted, test.relation == .equal)
        func compared(_ count: SQLText) -> Leaf { Leaf(.compare(count, test.relation.sql, .bind(.int(test.number)))) }
        let isEnough = test.threshold?.isEnough == true && test.relation != .notEqual
        guard isEqual ? test.number > 0 : isEnough else { return nil }
        if case .subquery(let subquery, _) = counted {
            guard isEqual, let place = try place(of: subquery.collection, scope), case .json = place.site
            else { return nil }
            let chain = try collection(of: counted, scope)
            return chain.isUncertain || chain.isSet ? nil : compared(select(.call("count", .star), chain))
        }
        guard let place = try place(of: counted, scope), case .json(let text, let path, nil) = place.site else {
            return nil
        }
        if let whole = place.wholeText { return compared(.call("json_array_length", whole)) }
        return place.isUncertain ? nil : compared(place.throughJoins(.call("json_array_length", text, path.literal)))
    }

    /// True if some element, or at least `count` elements, satisfy the inner piece.
    func exists(_ chain: Collection, _ inner: SQLText) -> Leaf { exists(chain, inner, atLeast: 1) }

    var stopsCounting: Bool { true }

    func exists(_ chain: Collection, atLeast count: Int) -> Leaf { exists(chain, .one, atLeast: Int64(count)) }

    private func exists(_ chain: Collection, _ inner: SQLText, atLeast count: Int64) -> Leaf {
        if inner.isFalse { return .never }
        if chain.from.isEmpty { return count > 1 ? .never : Leaf(.all(chain.conditions + [inner] + chain.checks)) }
        if count == 1, let link = chain.link, chain.from.count == 1,
            !(chain.conditions + [inner] + chain.checks).contains(where: { link.outer.isOfTable(in: $0) })
        {
            if !inner.isTrue || !chain.conditions.isEmpty || !chain.checks.isEmpty {
                // One index search where EXISTS would scan the outer table.
                return Leaf(link.outer.isIn(rows([link.inner], chain, where: [inner], linked: false)))
            }
        }
        let skipped = count > 1 ? SQLText.bind(.int(count - 1)) : nil
        let limit = skipped.map { _ in SQLText.number(1) }
        return .twoValued(.exists(rows([.number(1)], chain, where: [inner], limit: limit, offset: skipped)))
    }
}

extension SQLText {
    /// True if a piece reads a column of the table that this one is of.
    fileprivate func isOfTable(in piece: SQLText) -> Bool {
        switch self {
        case .column(of: let table, _): piece.mentions(table: table)
        case .compound(let compound): compound.form.parts.contains { $0.isOfTable(in: piece) }
        case .truth, .word, .literal, .number, .bound: false
        }
    }
}
