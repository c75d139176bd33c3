// Negating and joining conditions.

extension SQLText {
    /// `(condition) IS NOT 1`: true exactly when the condition is not true.
    var isNotTrue: SQLText {
        if isTrue { return .zero }
        if isFalse { return .one }
        return .infix(above(.order), "IS NOT", .one, .equality)
    }

    /// The same in the words of stores whose truth values are no numbers.
    var isNotTrueInWords: SQLText {
        if isTrue { return .zero }
        if isFalse { return .one }
        return parenthesized.followed(by: "IS NOT TRUE")
    }

    /// The negation of a two-valued condition.
    var not: SQLText {
        if isTrue { return .zero }
        if isFalse { return .one }
        return preceded(by: "NOT ", .not)
    }

    /// All of the conditions; constants are folded, chains of more than some terms become balanced groups.
    static func all(_ parts: [SQLText], groupedFrom length: Int = chainLength) -> SQLText {
        folded(parts, "AND", .and, neutral: true, length)
    }

    static func all(_ parts: SQLText...) -> SQLText { all(parts) }

    /// Some of the conditions.
    static func some(_ parts: [SQLText], groupedFrom length: Int = chainLength) -> SQLText {
        folded(parts, "OR", .or, neutral: false, length)
    }

    static func some(_ parts: SQLText...) -> SQLText { some(parts) }

    private static func folded(
        _ parts: [SQLText],
        _ word: String,
        _ level: Precedence,
        neutral: Bool,
        _ length: Int
    ) -> SQLText {
        var hasConstants = false
        for part in parts {
            guard case .truth(let value) = part else { continue }
            if value != neutral { return .truth(value) }
            hasConstants = true
        }
        let rest = hasConstants ? parts.filter { if case .truth = $0 { false } else { true } } : parts
        return chain(rest, word, level, length) ?? .truth(neutral)
    }

    /// From this need on, the left part of a chain is chosen with care.
    private static let leaning = 40

    /// The maximum number of terms in one flat chain.
    ///
    /// Stores bound the height of an expression, and a chain is as high as it is long. Thirty chains of this length may
    /// be nested.
    static let chainLength = 24
    /// From this many terms on, the planner considers only the first ones of an AND, because it tries indexes pairwise.
    private static let plannedTerms = 400

    private static func chain(_ parts: [SQLText], _ word: String, _ level: Precedence, _ length: Int) -> SQLText? {
        guard let first = parts.first else { return nil }
        if parts.count == 1 { return first }
        if parts.count > length {
            let size = (parts.count + length - 1) / length
            let isLong = level == .and && parts.count > plannedTerms
            let groups = stride(from: 0, to: parts.count, by: max(size, 2)).compactMap { start -> SQLText? in
                let group = chain(Array(parts[start..<min(start + max(size, 2), parts.count)]), word, level, length)
                guard let group = group?.parenthesized else { return nil }
                return isLong && start > 0 ? .infix(group, "IS", .one, .equality) : group
            }
            return chain(groups, word, level, length)
        }
        return joined(parts, word, level)
    }

    /// The parts in this order, unless depth matters; a part of the same level needs no parentheses.
    private static func joined(_ parts: [SQLText], _ word: String, _ level: Precedence) -> SQLText {
        var (need, greatest, size, hasChains) = (0, 0, SQLSize(), false)
        for (position, part) in parts.enumerated() {
            let isChain = part.precedence == level
            let inner = isChain ? part.need : part.need(above: level)
            greatest = max(greatest, part.need)
            need = max(need, position == 0 ? inner : inner + 2)
            size += part.size + (word.utf8.count + 2)
            hasChains = hasChains || isChain
        }
        if greatest > leaning, let ordered = leaningLeft(parts) { return joined(ordered, word, level) }
        // A chain in a chain of the same word is a part of it, so that the tree stays as low as its text.
        var pieces = parts
        if hasChains {
            pieces.removeAll(keepingCapacity: true)
            for part in parts {
                if part.precedence == level, case .compound(let compound) = part,
                    case .chain(_, let links) = compound.form
                {
                    pieces += links
                } else {
                    pieces.append(part)
                }
            }
        }
        return SQLText(.chain(word, pieces), level, need: need, size: size)
    }

    /// The deepest part first, because the left side costs no parser stack; nil if it is.
    private static func leaningLeft(_ parts: [SQLText]) -> [SQLText]? {
        guard let deepest = parts.indices.max(by: { parts[$0].need < parts[$1].need }), deepest > 0 else { return nil }
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
    mutating func join(_ tables: [SQLText], on link: (inner: SQLText, outer: SQLText)?, keepsMissing: Bool) {
        guard let link else {
            from += tables
            return
        }
        let belongs = SQLText.compare(link.inner, "=", link.outer)
        guard keepsMissing, let first = from.popLast() else {
            from += tables
            conditions.append(belongs)
            return
        }
        from.append(tables.reduce(first) { $0.leftJoined($1, on: belongs) })
        conditions.append(.some(link.inner.followed(by: "IS NOT NULL"), link.outer.followed(by: "IS NULL")))
    }
}
