import QueryTree
import QueryValues

// Chains as parts of a statement: values, EXISTS, quantifiers (S10).

extension SQLWriter {
    /// A SELECT of a chain's elements.
    private func rows(
        _ columns: [SQLText],
        _ chain: SQLCollection,
        where inner: [SQLText],
        linked: Bool = true,
        groupBy: [SQLText] = [],
        order: [SQLText] = [],
        limit: SQLText? = nil,
        offset: SQLText? = nil
    ) -> SQLSelect {
        var conditions = chain.conditions
        if linked, let link = chain.link { conditions.insert(.compare(link.inner, "=", link.outer), at: 0) }
        if !chain.from.isEmpty { note(tables: chain.from.count) }
        return SQLSelect(
            columns,
            from: chain.from,
            where: .all(conditions + inner + chain.checks),
            groupBy: groupBy,
            order: order,
            limit: limit,
            offset: offset
        )
    }

    /// `(SELECT what FROM chain …)`.
    func select(
        _ columns: [SQLText],
        from chain: SQLCollection,
        groupBy: [SQLText] = [],
        order: [SQLText] = [],
        limit: SQLText? = nil
    ) -> SQLText {
        .select(rows(columns, chain, where: [], groupBy: groupBy, order: order, limit: limit))
    }

    func select(_ what: SQLText, _ chain: SQLCollection) -> SQLText { select([what], from: chain) }

    /// True if some element, or at least `count` elements, satisfy the inner piece.
    func exists(_ chain: SQLCollection, _ inner: SQLText, atLeast count: Int64 = 1) -> Leaf {
        if inner.isFalse { return .never }
        if chain.from.isEmpty {
            return count > 1 ? .never : Leaf(.all(chain.conditions + [inner] + chain.checks))
        }
        if count == 1, let link = chain.link, chain.from.count == 1,
            !(chain.conditions + [inner] + chain.checks).contains(where: { link.outer.isOfTable(in: $0) })
        {
            if !inner.isTrue || !chain.conditions.isEmpty || !chain.checks.isEmpty { return inForm(chain, link, inner) }
        }
        let skipped = count > 1 ? SQLText.bind(.int(count - 1)) : nil
        let limit = skipped.map { _ in SQLText.number(1) }
        return .twoValued(.exists(rows([.number(1)], chain, where: [inner], limit: limit, offset: skipped)))
    }

    /// `outer IN (SELECT inner …)`: one index search where EXISTS would scan the outer table.
    private func inForm(_ chain: SQLCollection, _ link: (inner: SQLText, outer: SQLText), _ inner: SQLText) -> Leaf {
        Leaf(link.outer.isIn(rows([link.inner], chain, where: [inner], linked: false)))
    }

    /// ANY and ALL (S10).
    func quantified(
        _ comparison: Comparison,
        _ quantifier: Comparison.Quantifier,
        _ scope: SQLScope
    ) throws(QueryError) -> Leaf {
        let chain = try collection(of: comparison.left, scope, wanted: comparison.wanted(by: quantifier))
        var inner = scope
        inner.variables[.element] = chain.element
        let leaf = try leaf(comparison.ofElement, inner)
        switch quantifier {
        case .any: return exists(chain, leaf.holds)
        case .all: return exists(chain, leaf.fails).reversed
        }
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
