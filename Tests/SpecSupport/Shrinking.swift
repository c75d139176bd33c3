import QueryChecking
import QueryTree
import QueryValues

/// Shrinks a condition and a row that show a fault.
package enum Shrinking {
    /// The smallest condition and row found that still fail.
    ///
    /// - Parameters:
    ///   - condition: fails with the row.
    ///   - row: the row.
    ///   - fails: whether a pair fails.
    /// - Returns: a pair that fails.
    package static func smallest(
        _ condition: Condition,
        _ row: Document,
        fails: (Condition, Document) -> Bool
    ) -> (condition: Condition, row: Document) {
        var best = (condition: condition, row: row)
        var isShrinking = true
        while isShrinking {
            isShrinking = false
            if let smaller = best.condition.smaller.first(where: { fails($0, best.row) }) {
                best.condition = smaller
                isShrinking = true
            }
            if let smaller = QueryValue.object(best.row).smaller.compactMap(\.asDocument)
                .first(where: { fails(best.condition, $0) })
            {
                best.row = smaller
                isShrinking = true
            }
        }
        return best
    }

    /// The pair as a block of a spec file.
    ///
    /// - Parameters:
    ///   - condition: the condition.
    ///   - row: the row.
    ///   - finds: whether the evaluator finds the row.
    /// - Returns: the block.
    package static func block(_ condition: Condition, _ row: Document, finds: Bool) -> String {
        "row a: \(QueryValue.object(row).json)\n\nquery: \(condition.format)\nfinds: \(finds ? "a" : "-")"
    }
}

extension Condition {
    /// Conditions with one part less.
    fileprivate var smaller: [Condition] {
        switch self {
        case .constant: return []
        case .not(let inner): return [inner] + inner.smaller.map { .not($0) }
        case .and(let parts): return parts + Self.smaller(parts).map { .and($0) }
        case .or(let parts): return parts + Self.smaller(parts).map { .or($0) }
        case .comparison(let comparison): return comparison.smaller.map { .comparison($0) }
        }
    }

    private static func smaller(_ parts: [Condition]) -> [[Condition]] {
        parts.indices.flatMap { position in
            [parts.without(position)] + parts[position].smaller.map { parts.with($0, at: position) }
        }
    }
}

extension Comparison {
    fileprivate var smaller: [Comparison] {
        var found: [Comparison] = []
        if !options.isEmpty { found.append(changed { $0.options = [] }) }
        if quantifier != nil { found.append(changed { $0.quantifier = nil }) }
        for term in left.smaller { found.append(changed { $0.left = term }) }
        for term in right.smaller { found.append(changed { $0.right = term }) }
        return found
    }

    private func changed(_ change: (inout Comparison) -> Void) -> Comparison {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Term {
    /// The subterms, and this term with one of them smaller.
    fileprivate var smaller: [Term] {
        switch self {
        case .value(let value, let origin): return value.smaller.map { .value($0, origin) }
        case .list(let elements, let origin):
            return elements.indices.flatMap { position in
                [.list(elements.without(position), origin)]
                    + elements[position].smaller.map { .list(elements.with($0, at: position), origin) }
            }
        default: return inside
        }
    }

    private var inside: [Term] {
        let parts = children.compactMap { if case .term(let term) = $0 { term } else { nil } }
        var found = parts
        for (position, part) in parts.enumerated() {
            for smaller in part.smaller {
                var next = -1
                found.append(
                    mapChildren {
                        next += 1
                        return next == position ? smaller : $0
                    } _: {
                        $0
                    }
                )
            }
        }
        if case .subquery(let subquery, let origin) = self {
            found += subquery.condition.smaller.map {
                .subquery(Subquery(subquery.collection, subquery.variable, where: $0), origin)
            }
        }
        return found
    }
}

extension QueryValue {
    fileprivate var asDocument: Document? {
        if case .object(let document) = self { document } else { nil }
    }

    /// Values with one element, key or part less.
    fileprivate var smaller: [QueryValue] {
        switch self {
        case .list(let elements):
            return elements.indices.flatMap { position in
                [.list(elements.without(position))]
                    + elements[position].smaller.map { .list(elements.with($0, at: position)) }
            }
        case .object(let document):
            let pairs = Array(document.pairs)
            return pairs.indices.flatMap { position -> [QueryValue] in
                let (key, value) = pairs[position]
                return [.object(Document(pairs: pairs.without(position)))]
                    + value.smaller.map { .object(Document(pairs: pairs.with((key, $0), at: position))) }
            }
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: return []
        }
    }
}

extension Array {
    fileprivate func without(_ position: Int) -> [Element] {
        enumerated().filter { $0.offset != position }.map(\.element)
    }

    fileprivate func with(_ element: Element, at position: Int) -> [Element] {
        var copy = self
        if copy.indices.contains(position) { copy[position] = element }
        return copy
    }
}
