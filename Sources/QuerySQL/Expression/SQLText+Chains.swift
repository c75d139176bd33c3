// Negating and joining conditions.

extension SQLText {
    /// `(condition) IS NOT 1`: true exactly when the condition is not true.
    var isNotTrue: SQLText {
        if isTrue { return .zero }
        if isFalse { return .one }
        return .infix(above(.order), "IS NOT", .one, .equality)
    }

    /// The negation of a two-valued condition.
    var not: SQLText {
        if isTrue { return .zero }
        if isFalse { return .one }
        let inner = above(.not)
        return SQLText("NOT " + inner.text, inner.bindings, precedence: .not, need: inner.need + 1)
    }

    /// All of the conditions; constants are folded, long chains become balanced groups.
    static func all(_ parts: [SQLText]) -> SQLText {
        if parts.contains(where: \.isFalse) { return .zero }
        let rest = parts.contains(where: \.isTrue) ? parts.filter { !$0.isTrue } : parts
        return chain(rest, "AND", .and) ?? .one
    }

    static func all(_ first: SQLText, _ second: SQLText, _ third: SQLText) -> SQLText { all([first, second, third]) }

    static func all(_ first: SQLText, _ second: SQLText) -> SQLText {
        if first.isFalse || second.isFalse { return .zero }
        if first.isTrue { return second }
        return second.isTrue ? first : first.chained("AND", second, .and)
    }

    /// Some of the conditions.
    static func some(_ parts: [SQLText]) -> SQLText {
        if parts.contains(where: \.isTrue) { return .one }
        let rest = parts.contains(where: \.isFalse) ? parts.filter { !$0.isFalse } : parts
        return chain(rest, "OR", .or) ?? .zero
    }

    static func some(_ first: SQLText, _ second: SQLText, _ third: SQLText) -> SQLText { some([first, second, third]) }

    static func some(_ first: SQLText, _ second: SQLText) -> SQLText {
        if first.isTrue || second.isTrue { return .one }
        if first.isFalse { return second }
        return second.isFalse ? first : first.chained("OR", second, .or)
    }

    /// Two parts of a chain; once depth matters, the deeper one goes on the left.
    private func chained(_ word: String, _ other: SQLText, _ level: Precedence) -> SQLText {
        let turns = other.need > max(Self.leaning, need)
        var whole = (turns ? other : self).inChain(level)
        let rest = (turns ? self : other).inChain(level)
        whole.text = String(joining: whole.text, " ", word, " ", rest.text)
        whole.bindings.append(of: rest)
        whole.precedence = level
        whole.need = max(whole.need, rest.need + 2)
        return whole
    }

    /// From this need on, the left part of a chain is chosen with care.
    private static let leaning = 40

    /// The maximum number of terms in one flat chain.
    ///
    /// Stores bound the height of an expression, and a chain is as high as it is long. Thirty chains of this length may
    /// be nested.
    private static let chainLength = 24
    /// From this many terms on, the planner considers only the first ones of an AND, because it tries indexes pairwise.
    private static let plannedTerms = 400

    private static func chain(_ parts: [SQLText], _ word: String, _ level: Precedence) -> SQLText? {
        guard let first = parts.first else { return nil }
        if parts.count == 1 { return first }
        if parts.count > chainLength {
            let size = (parts.count + chainLength - 1) / chainLength
            let isLong = level == .and && parts.count > plannedTerms
            let groups = stride(from: 0, to: parts.count, by: max(size, 2)).compactMap { start -> SQLText? in
                let group = chain(Array(parts[start..<min(start + max(size, 2), parts.count)]), word, level)
                guard let group = group?.parenthesized else { return nil }
                return isLong && start > 0 ? .infix(group, "IS", .one, .equality) : group
            }
            return chain(groups, word, level)
        }
        var ordered = leaningLeft(parts)[...]
        guard var whole = ordered.popFirst()?.inChain(level) else { return nil }
        whole.precedence = level
        whole.text.reserveCapacity(
            ordered.reduce(whole.text.utf8.count) { $0 + $1.text.utf8.count + word.utf8.count + 4 }
        )
        whole.bindings.reserveCapacity(ordered.reduce(whole.bindings.count) { $0 + $1.bindings.count })
        for piece in ordered {
            let piece = piece.inChain(level)
            whole.text += " "
            whole.text += word
            whole.text += " "
            whole.text += piece.text
            whole.bindings += piece.bindings
            whole.need = max(whole.need, piece.need + 2)
        }
        return whole
    }

    private func inChain(_ level: Precedence) -> SQLText { precedence == level ? self : above(level) }

    /// The deepest part first once depth matters, because the left side costs no parser stack.
    private static func leaningLeft(_ parts: [SQLText]) -> [SQLText] {
        guard parts.contains(where: { $0.need > leaning }),
            let deepest = parts.indices.max(by: { parts[$0].need < parts[$1].need }), deepest > 0
        else { return parts }
        var ordered = parts
        ordered.insert(ordered.remove(at: deepest), at: 0)
        return ordered
    }
}

/// A collection as the FROM of a subquery, in either family of dialects.
protocol JoinedRows {
    var from: [SQLText] { get set }
    var conditions: [SQLText] { get set }
}

extension JoinedRows {
    /// Joins the rows of another table to the elements; an element without such a row keeps one row of nils.
    mutating func join(
        _ tables: [SQLText],
        on link: (inner: SQLText, outer: SQLText)?,
        keepsMissing: Bool
    ) {
        guard let link else {
            from += tables
            return
        }
        let belongs = SQLText.compare(link.inner, "=", link.outer)
        guard keepsMissing, var last = from.popLast() else {
            from += tables
            conditions.append(belongs)
            return
        }
        for table in tables {
            last.text += " LEFT JOIN " + table.text + " ON " + belongs.text
            last.bindings += table.bindings + belongs.bindings
            last.need = max(last.need, table.need, belongs.need + 8)
        }
        from.append(last)
        conditions.append(.some(link.inner.followed(by: "IS NOT NULL"), link.outer.followed(by: "IS NULL")))
    }
}
