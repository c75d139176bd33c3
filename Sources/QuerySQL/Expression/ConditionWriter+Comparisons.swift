import QueryMeaning
import QueryTree
import QueryValues

// Comparisons by operator (S2, S7, S12, S13).

extension ConditionWriter {
    /// A comparison in both polarities.
    func leaf(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        let leaf: Leaf
        if let quantifier = comparison.quantifier {
            leaf = try quantified(comparison, quantifier, scope)
        } else if let search = try throughKeys(comparison, scope) {
            leaf = search
        } else {
            leaf = try plainLeaf(comparison, scope)
        }
        try check(leaf.holds, most: dialect.statementLimit, at: comparison.origin)
        return leaf
    }

    private func plainLeaf(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        switch comparison.operator {
        case .equal: return try equality(comparison, scope)
        case .notEqual: return try equality(comparison, scope).reversed
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return try ordering(comparison, scope)
        case .between: return try between(comparison, scope)
        case .in: return try sought(comparison.left, in: comparison.right, comparison, scope)
        case .contains: return try sought(comparison.right, in: comparison.left, comparison, scope)
        case .beginsWith: return try textLeaf(comparison, .part(.prefix), scope)
        case .endsWith: return try textLeaf(comparison, .part(.suffix), scope)
        case .like: return try textLeaf(comparison, .like, scope)
        case .matches: return try textLeaf(comparison, .matches, scope)
        case .geoWithin: return try within(comparison, scope)
        }
    }

    /// A comparison with a value in another table as a search for its keys, `fk IN (SELECT id … WHERE name = ?)`, of any
    /// length: one search on each table, where the scalar form would scan the outer one.
    ///
    /// Nil where the path leads to no other table, or where a missing row may satisfy the comparison.
    private func throughKeys(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf? {
        if case .any = scope.typeOfRow { return nil }
        if comparison.right.origin.isOfOrder, comparison.left.isLongPath,
            try place(of: comparison.left, scope)?.joins.isEmpty == false
        {
            let message = "a page cannot continue after a key of a related row, which the cursor's row does not hold"
            let hint = "order by fields of the row itself"
            throw QueryError(.unsupported, message, at: comparison.left.origin, hint: hint)
        }
        guard comparison.left.isLongPath, comparison.rejectsNil, var value = try place(of: comparison.left, scope),
            !value.joins.isEmpty
        else { return nil }
        let joins = value.joins
        value.joins = []
        var inner = scope
        inner.variables[.element] = value
        let holds = try plainLeaf(comparison.ofElement, inner).holds
        if holds.isFalse { return .never }
        return leaf(joins.reversed().reduce(holds) { holds, join in join.foreignKey(where: spelled(holds)) })
    }

    /// ANY and ALL (S10).
    private func quantified(
        _ comparison: Comparison,
        _ quantifier: Comparison.Quantifier,
        _ scope: Scope
    ) throws(QueryError) -> Leaf {
        if quantifier == .any, let leaf = try contained(comparison, scope) { return leaf }
        let chain = try collection(of: comparison.left, scope, wanted: comparison.wanted(by: quantifier))
        var inner = scope
        inner.variables[.element] = chain.element
        let leaf = try leaf(comparison.ofElement, inner)
        switch quantifier {
        case .any: return exists(chain, leaf.holds)
        case .all: return exists(chain, leaf.fails).reversed
        }
    }

    private func equality(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        if let shortcut = try countShortcut(comparison, scope) { return shortcut }
        let (left, right) = try sides(comparison, scope)
        return try equal(left, right, comparison.options, usesNilMeaning: true)
    }

    private func ordering(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        if let shortcut = try countShortcut(comparison, scope) { return shortcut }
        if let shortcut = try anyBeyond(comparison, scope) { return shortcut }
        // Lists and objects have no order (S2), so it does not matter which of them is the minimum.
        let left = try compared(comparison.left, ordersContainers: false, scope)
        let right = try compared(comparison.right, ordersContainers: false, scope)
        return try ordered(left, OrderTest(relation: comparison.operator, options: comparison.options), right)
    }

    /// `x.@count >= n` and similar over rows of another table or SUBQUERY: EXISTS stops at the n-th.
    private func countShortcut(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf? {
        guard comparison.left.counted != nil || comparison.right.counted != nil else { return nil }
        let given = comparison.withConstantOnTheRight
        guard case .value(.int(let number), _) = given.right, let counted = given.left.counted else { return nil }
        let asked = AcceptedCounts(try Question(given, nilMeaning: nilMeaning))?.threshold
        let test = CountTest(relation: given.operator, number: number, counted: counted, threshold: asked)
        if let short = try shortCount(test, scope) { return short }
        guard let asked, asked.count == 1 || stopsCounting, try place(of: counted, scope) == nil else { return nil }
        let chain = try collection(of: counted, scope)
        let isSubquery = if case .subquery = counted { true } else { false }
        guard chain.link != nil || isSubquery, asked.count == 1 || !chain.isSet else { return nil }
        let enough = exists(chain, atLeast: asked.count)
        // A nil collection has no elements and so never enough; that it has too few must be tested.
        if asked.isEnough { return enough }
        return chain.isList.isTrue ? enough.reversed : leaf(all([chain.isList, enough.fails]))
    }

    private func between(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf {
        let subject = try compared(comparison.left, ordersContainers: false, scope)
        if case .list(let bounds, _) = comparison.right {
            guard bounds.count == 2 else { return .never }
            let low = try operand(bounds[0], scope)
            let high = try operand(bounds[1], scope)
            if let short = try shortBetween(subject, low, high) { return short }
            return try within(subject, low, high)
        }
        if case .value = comparison.right { return .never }
        return try between(subject, stored: comparison.right, scope)
    }

    /// `low <= subject <= high`; nil is within no bounds.
    func within(_ subject: Operand, _ low: Operand, _ high: Operand) throws(QueryError) -> Leaf {
        .all([
            try ordered(subject, OrderTest(relation: .greaterOrEqual, nilEqualsNil: false), low),
            try ordered(subject, OrderTest(relation: .lessOrEqual, nilEqualsNil: false), high),
        ])
    }
}

// BEGINSWITH, ENDSWITH, CONTAINS on text, LIKE and MATCHES (S12, S14–S16).

/// A side of a comparison of texts.
struct TextOperand {
    var text: SQLText
    /// The test that it is a text; `1` if it is known to be a text or nil.
    var isText = SQLText.one
    var constant: String?
    /// True for columns, whose text may contain NUL; JSON text cannot.
    var mayHoldNul = false
    /// True for a column whose kind no schema declares.
    var isStorage = false
    var trigrams: TrigramTable?
}

extension ConditionWriter {
    func constant(_ text: String, _ origin: Origin) throws(QueryError) -> TextOperand {
        TextOperand(text: try bind(text: text, at: origin), constant: text)
    }

    private func text(_ side: Operand, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> TextOperand? {
        switch side {
        case .constant(.string(let text), _): try constant(options.folded(text), origin)
        case .constant: nil
        case .node(let node, _): try text(node, options, origin)
        }
    }

    func containsText(_ text: Operand, _ part: Operand, _ comparison: Comparison) throws(QueryError) -> Leaf {
        let (options, origin) = (comparison.options, comparison.origin)
        guard let text = try self.text(text, options, origin), let part = try self.text(part, options, origin) else {
            return .never
        }
        return contains(text, part)
    }

    private func textLeaf(_ comparison: Comparison, _ relation: TextRelation, _ scope: Scope) throws(QueryError) -> Leaf
    {
        let (left, right) = (try operand(comparison.left, scope), try operand(comparison.right, scope))
        // A regular expression ignores case by itself.
        let options = comparison.operator == .matches ? [] : comparison.options
        guard let text = try text(left, options, comparison.origin),
            let other = try self.text(right, options, comparison.origin)
        else { return .never }
        switch relation {
        case .part(.prefix): return texts(text, other, begins(text, other))
        case .part(.suffix): return texts(text, other, ends(text, other))
        case .part(.middle): return contains(text, other)
        case .like: return try like(text, right, other, comparison)
        case .matches:
            if let constant = other.constant {
                _ = try RegexPattern(constant, options: comparison.options, at: comparison.right.origin)
            }
            return try matches(text, other, comparison)
        }
    }

    private func like(
        _ text: TextOperand,
        _ written: Operand,
        _ pattern: TextOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> Leaf {
        guard case .constant(.string(let words), _) = written else {
            return try like(text, computed: pattern, comparison.origin)
        }
        let (parsed, options) = (try LikePattern(words, at: comparison.right.origin), comparison.options)
        let piece: SQLText
        switch parsed.relation {
        case .whole(let whole)?:
            piece = .compare(text.text, "=", try constant(options.folded(whole), comparison.right.origin).text)
        case .prefix(let head)?:
            piece = begins(text, try constant(options.folded(head), comparison.right.origin))
        case .anything?, .suffix?, .part?, .ends?, nil: piece = try like(text, parsed, pattern, comparison)
        }
        return texts(text, pattern, piece)
    }
}

extension Term {
    /// True for a path of several steps, which may lead to another table.
    fileprivate var isLongPath: Bool {
        switch self {
        case .field(let path, _): path.keys.count > 1
        case .path: true
        case .value, .list, .variable, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional,
            .cast, .assignment:
            false
        }
    }
}

extension Comparison {
    /// True if nil on the left never satisfies it.
    fileprivate var rejectsNil: Bool {
        guard let value = right.constantValue, self.operator != .notEqual else { return false }
        return !value.holdsNil
    }
}
