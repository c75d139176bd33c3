import QueryTree
import QueryValues

// Chains as parts of a statement: values, EXISTS, quantifiers (S10).

extension SQLWriter {
    /// The FROM and WHERE of a chain, for use after a SELECT list.
    func source(_ chain: SQLCollection, where inner: [SQLText] = [], linked: Bool = true) -> SQLText {
        var conditions = chain.conditions
        if linked, let link = chain.link { conditions.insert(.compare(link.inner, "=", link.outer), at: 0) }
        let condition = SQLText.all(conditions + inner + chain.checks)
        var text = ""
        var bindings: [QueryValue] = []
        var need = 0
        if !chain.from.isEmpty {
            note(tables: chain.from.count)
            text = " FROM " + chain.from.map(\.text).joined(separator: ", ")
            bindings = chain.from.flatMap(\.bindings)
            need = chain.from.map(\.need).max() ?? 0
        }
        if !condition.isTrue {
            text += " WHERE " + condition.text
            bindings += condition.bindings
        }
        return SQLText(text, bindings, need: max(need, condition.need))
    }

    /// `(SELECT what FROM chain …)`.
    func select(_ what: SQLText, _ chain: SQLCollection, where inner: [SQLText] = [], tail: SQLText? = nil) -> SQLText {
        let source = source(chain, where: inner)
        return SQLText(
            "(SELECT " + what.text + source.text + (tail.map { " " + $0.text } ?? "") + ")",
            what.bindings + source.bindings + (tail?.bindings ?? []),
            need: max(what.need, source.need, tail?.need ?? 0) + 8
        )
    }

    /// True if some element, or at least `count` elements, satisfy the inner piece.
    func exists(_ chain: SQLCollection, _ inner: SQLText, atLeast count: Int64 = 1) -> Leaf {
        if inner.isFalse { return .never }
        if chain.from.isEmpty {
            return count > 1 ? .never : Leaf(.all(chain.conditions + [inner] + chain.checks))
        }
        if count == 1, let link = chain.link, chain.from.count == 1,
            !mentions(link.outer, chain.conditions + [inner] + chain.checks)
        {
            if !inner.isTrue || !chain.conditions.isEmpty || !chain.checks.isEmpty { return inForm(chain, link, inner) }
        }
        var source = source(chain, where: [inner])
        if count > 1 {
            source.text += " LIMIT 1 OFFSET ?"
            source.bindings.append(.int(count - 1))
        }
        return .twoValued(
            SQLText("EXISTS (SELECT 1" + source.text + ")", source.bindings, need: source.need + 8)
        )
    }

    /// `outer IN (SELECT inner …)`: one index search where EXISTS would scan the outer table.
    private func inForm(_ chain: SQLCollection, _ link: (inner: SQLText, outer: SQLText), _ inner: SQLText) -> Leaf {
        let source = source(chain, where: [inner], linked: false)
        let subject = link.outer.above(.equality)
        return Leaf(
            SQLText(
                subject.text + " IN (SELECT " + link.inner.text + source.text + ")",
                subject.bindings + source.bindings,
                precedence: .equality,
                need: source.need + 8
            )
        )
    }

    private func mentions(_ outer: SQLText, _ pieces: [SQLText]) -> Bool {
        let quote = dialect.identifierQuote
        guard let start = outer.text.firstIndex(of: quote) else { return true }
        let rest = outer.text[outer.text.index(after: start)...]
        guard let end = rest.firstIndex(of: quote) else { return true }
        let name = String(outer.text[start...end]) + "."
        return pieces.contains { $0.text.contains(name) }
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
