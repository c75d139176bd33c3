import QueryValues

/// A condition or a term: a node of a query's tree.
package enum TreeNode {
    /// A condition.
    case condition(Condition)
    /// A term.
    case term(Term)

    /// The nodes one level below, in text order: a comparison's terms, a SUBQUERY's collection and condition.
    package var children: [TreeNode] {
        var children: [TreeNode] = []
        appendChildren(to: &children)
        return children
    }

    /// Appends the nodes one level below.
    func appendChildren(to nodes: inout [TreeNode]) {
        _ = containsChild {
            nodes.append(.term($0))
            return false
        } condition: {
            nodes.append(.condition($0))
            return false
        }
    }

    private func containsChild(_ term: (Term) -> Bool, condition: (Condition) -> Bool) -> Bool {
        switch self {
        case .condition(let node): node.containsChild(term, condition: condition)
        case .term(let node): node.containsChild(term, condition: condition)
        }
    }
}

/// All nodes of a tree, outer before inner, from left to right; iterating does not recurse, so any stack is large enough.
package struct TreeNodes: Sequence, IteratorProtocol {
    private var waiting: [TreeNode] = []
    private var first: TreeNode?

    fileprivate init(_ first: TreeNode) { self.first = first }

    /// The next node.
    package mutating func next() -> TreeNode? {
        guard let node = first ?? waiting.popLast() else { return nil }
        first = nil
        let count = waiting.count
        node.appendChildren(to: &waiting)
        if waiting.count > count + 1 { waiting[count...].reverse() }
        return node
    }
}

extension Condition {
    /// True if the condition is a comparison, NOT of one, or several joined by one AND or OR, and all pass a test.
    ///
    /// Most conditions are; finding out allocates nothing.
    package func isFlat(_ test: (Comparison) -> Bool) -> Bool {
        switch self {
        case .constant: false
        case .comparison: passes(test)
        case .not(let part): part.passes(test)
        case .and(let parts), .or(let parts): parts.count > 1 && parts.allSatisfy { $0.passes(test) }
        }
    }

    /// True for a comparison that passes a test.
    private func passes(_ test: (Comparison) -> Bool) -> Bool {
        if case .comparison(let comparison) = self { test(comparison) } else { false }
    }

    /// This condition and all that is inside it.
    package var nodes: TreeNodes { TreeNodes(.condition(self)) }

    /// True if a node one level below passes its test; allocates nothing.
    package func containsChild(_ term: (Term) -> Bool, condition: (Condition) -> Bool) -> Bool {
        switch self {
        case .constant: return false
        case .comparison(let comparison): return term(comparison.left) || term(comparison.right)
        case .and(let parts), .or(let parts):
            for part in parts where condition(part) { return true }
            return false
        case .not(let part): return condition(part)
        }
    }
}

extension Term {
    /// This term and all that is inside it.
    package var nodes: TreeNodes { TreeNodes(.term(self)) }

    /// The nodes one level below.
    package var children: [TreeNode] { TreeNode.term(self).children }

    /// True when other terms or conditions are inside it.
    var hasChildren: Bool {
        switch self {
        case .value, .field, .variable: false
        case .list, .path, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional, .cast,
            .assignment:
            true
        }
    }

    /// True if a node one level below passes its test; allocates nothing.
    package func containsChild(_ term: (Term) -> Bool, condition: (Condition) -> Bool) -> Bool {
        switch self {
        case .value, .field, .variable: return false
        case .list(let elements, _), .call(_, let elements, _):
            for element in elements where term(element) { return true }
            return false
        case .path(let base, _, _), .aggregate(_, of: let base, _, _), .negated(let base, _), .cast(let base, _, _),
            .assignment(_, let base, _):
            return term(base)
        case .index(let base, let index, _):
            if term(base) { return true }
            if case .at(let position) = index { return term(position) }
            return false
        case .arithmetic(let chain, _):
            if term(chain.first) { return true }
            for link in chain.rest where term(link.operand) { return true }
            return false
        case .subquery(let subquery, _): return term(subquery.collection) || condition(subquery.condition)
        case .conditional(let test, let first, let second, _): return condition(test) || term(first) || term(second)
        }
    }
}

// Rebuilding the tree one level at a time. Height is bounded by `Limits.nesting`, so recursion is too.

extension Term {
    /// The same node with its child terms and conditions replaced.
    ///
    /// - Parameters:
    ///   - term: gives the replacement of a child term.
    ///   - condition: gives the replacement of a child condition.
    /// - Returns: the rebuilt node.
    /// - Throws: what the closures throw.
    package func mapChildren<Failure>(
        _ term: (Term) throws(Failure) -> Term,
        _ condition: (Condition) throws(Failure) -> Condition
    ) throws(Failure) -> Term {
        // One small function per case, because a debug build reserves stack for the locals of every case.
        switch self {
        case .value, .field, .variable: self
        case .list(let elements, let origin): .list(try elements.map(term), origin)
        case .path(let base, let steps, let origin): .path(try term(base), steps, origin)
        case .index: try mapIndex(term)
        case .aggregate: try mapAggregate(term)
        case .arithmetic(let chain, let origin): .arithmetic(try chain.mapTerms(term), origin)
        case .negated(let operand, let origin): .negated(try term(operand), origin)
        case .call(let function, let arguments, let origin): .call(function, try arguments.map(term), origin)
        case .subquery: try mapSubquery(term, condition)
        case .conditional: try mapConditional(term, condition)
        case .cast(let operand, let target, let origin): .cast(try term(operand), target, origin)
        case .assignment(let variable, let operand, let origin): .assignment(variable, try term(operand), origin)
        }
    }

    private func mapIndex<Failure>(_ transform: (Term) throws(Failure) -> Term) throws(Failure) -> Term {
        guard case .index(let base, let index, let origin) = self else { return self }
        return .index(try transform(base), try index.mapTerm(transform), origin)
    }

    private func mapAggregate<Failure>(_ transform: (Term) throws(Failure) -> Term) throws(Failure) -> Term {
        guard case .aggregate(let aggregate, of: let base, let path, let origin) = self else { return self }
        return .aggregate(aggregate, of: try transform(base), path, origin)
    }

    private func mapSubquery<Failure>(
        _ term: (Term) throws(Failure) -> Term,
        _ condition: (Condition) throws(Failure) -> Condition
    ) throws(Failure) -> Term {
        guard case .subquery(let subquery, let origin) = self else { return self }
        let inner = Subquery(try term(subquery.collection), subquery.variable, where: try condition(subquery.condition))
        return .subquery(inner, origin)
    }

    private func mapConditional<Failure>(
        _ term: (Term) throws(Failure) -> Term,
        _ condition: (Condition) throws(Failure) -> Condition
    ) throws(Failure) -> Term {
        guard case .conditional(let test, let first, let second, let origin) = self else { return self }
        return .conditional(try condition(test), try term(first), try term(second), origin)
    }
}

extension Index {
    fileprivate func mapTerm<Failure>(_ transform: (Term) throws(Failure) -> Term) throws(Failure) -> Index {
        switch self {
        case .first, .last, .size: self
        case .at(let term): .at(try transform(term))
        }
    }
}

extension Arithmetic {
    fileprivate func mapTerms<Failure>(_ transform: (Term) throws(Failure) -> Term) throws(Failure) -> Arithmetic {
        let head = try transform(first)
        return Arithmetic(
            first: head,
            rest: try rest.map { link throws(Failure) in Link(link.operation, try transform(link.operand)) }
        )
    }
}

extension Condition {
    /// The same node with its parts replaced.
    ///
    /// - Parameters:
    ///   - part: gives the replacement of a child condition.
    ///   - comparison: gives the replacement of a comparison.
    /// - Returns: the rebuilt node.
    /// - Throws: what the closures throw.
    package func mapChildren<Failure>(
        _ part: (Condition) throws(Failure) -> Condition,
        _ comparison: (Comparison) throws(Failure) -> Condition
    ) throws(Failure) -> Condition {
        switch self {
        case .constant: return self
        case .comparison(let node): return try comparison(node)
        case .and(let parts): return .and(try parts.map(part))
        case .or(let parts): return .or(try parts.map(part))
        case .not(let inner): return .not(try part(inner))
        }
    }
}

extension Condition {
    /// Throws for what no backend supports: `:=`, `[l]` and MATCHES`[d]` (S25).
    ///
    /// - Throws: `QueryError` of code `unsupported` with the range of the part.
    package func checkSupportedEverywhere() throws(QueryError) {
        if isFlat({ $0.options.isEmpty && !$0.left.hasChildren && !$0.right.hasChildren }) { return }
        for node in nodes {
            switch node {
            case .condition(.comparison(let comparison)): try comparison.checkSupportedEverywhere()
            case .term(.assignment(_, _, let origin)):
                let message = "assignments are parsed but never evaluated"
                throw QueryError(.unsupported, message, at: origin, hint: "bind the variable instead")
            case .condition, .term: break
            }
        }
    }
}

extension Comparison {
    fileprivate func checkSupportedEverywhere() throws(QueryError) {
        if options.contains(.localized) {
            throw QueryError(
                .unsupported,
                "[l] compares by a locale, which differs from machine to machine",
                at: origin,
                hint: "use [c], [d] or [cd]"
            )
        }
        if `operator` == .matches, options.contains(.diacriticInsensitive) {
            let rest = origin.source?.text.utf8.enumerated().dropFirst(left.origin.range?.upperBound ?? .max)
            let start = rest?.first { $0.element == UInt8(ascii: "[") }?.offset
            let end = start.flatMap { start in rest?.first { $0.offset > start && $0.element == UInt8(ascii: "]") } }?
                .offset
            let kept = options.contains(.caseInsensitive) ? "[c]" : ""
            throw QueryError(
                .unsupported,
                "[d] has no exact meaning on a regular expression",
                at: origin,
                hint: "use MATCHES or MATCHES[c]",
                fix: start.flatMap { start in end.map { QueryError.Fix(range: start..<($0 + 1), replacement: kept) } }
            )
        }
    }
}
