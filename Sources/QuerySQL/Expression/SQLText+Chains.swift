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
        if parts.contains(where: \.isFalse) { return .zero }
        let rest = parts.contains(where: \.isTrue) ? parts.filter { !$0.isTrue } : parts
        return chain(rest, "AND", .and, length) ?? .one
    }

    static func all(_ parts: SQLText...) -> SQLText { all(parts) }

    /// Some of the conditions.
    static func some(_ parts: [SQLText], groupedFrom length: Int = chainLength) -> SQLText {
        if parts.contains(where: \.isTrue) { return .one }
        let rest = parts.contains(where: \.isFalse) ? parts.filter { !$0.isFalse } : parts
        return chain(rest, "OR", .or, length) ?? .zero
    }

    static func some(_ parts: SQLText...) -> SQLText { some(parts) }

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
        return joined(leaningLeft(parts), word, level)
    }

    /// The parts in this order; a part of the same level needs no parentheses.
    private static func joined(_ parts: [SQLText], _ word: String, _ level: Precedence) -> SQLText {
        var (need, size) = (0, SQLSize())
        for (position, part) in parts.enumerated() {
            let inner = part.precedence == level ? part.need : part.need(above: level)
            need = max(need, position == 0 ? inner : inner + 2)
            size += part.size + (word.utf8.count + 2)
        }
        // A chain in a chain of the same word is a part of it, so that the tree stays as low as its text.
        var pieces = parts
        if parts.contains(where: { $0.precedence == level }) {
            pieces = parts.flatMap { part in
                guard part.precedence == level, case .compound(let compound) = part,
                    case .chain(_, let links) = compound.form
                else { return [part] }
                return links
            }
        }
        return SQLText(.chain(word, pieces), level, need: need, size: size)
    }

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
