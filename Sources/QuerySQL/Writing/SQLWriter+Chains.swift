import QueryTree
import QueryValues

// Chains as parts of a statement: values, EXISTS, quantifiers (S10).

extension SQLWriter {
    /// True if some element, or at least `count` elements, satisfy the inner piece.
    func exists(_ chain: SQLCollection, _ inner: SQLText) -> Leaf { exists(chain, inner, atLeast: 1) }

    var stopsCounting: Bool { true }

    func exists(_ chain: SQLCollection, atLeast count: Int) -> Leaf { exists(chain, .one, atLeast: Int64(count)) }

    private func exists(_ chain: SQLCollection, _ inner: SQLText, atLeast count: Int64) -> Leaf {
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
