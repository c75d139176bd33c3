import QueryValues

// Walking and rebuilding the tree one level at a time. Height is bounded by `Limits.nesting`, so recursion is too.

extension Term {
    /// The same node with its child terms and conditions replaced.
    ///
    /// - Parameters:
    ///   - term: gives the replacement of a child term.
    ///   - condition: gives the replacement of a child condition.
    /// - Returns: the rebuilt node.
    /// - Throws: what the closures throw.
    package func mapChildren(
        _ term: (Term) throws(QueryError) -> Term,
        _ condition: (Condition) throws(QueryError) -> Condition
    ) throws(QueryError) -> Term {
        // One small function a case: a debug build gives one frame the locals of every case.
        switch self {
        case .value, .field, .variable: self
        case .list(let elements, let origin): .list(try elements.mapTerms(term), origin)
        case .path(let base, let steps, let origin): .path(try term(base), steps, origin)
        case .index: try mapIndex(term)
        case .aggregate: try mapAggregate(term)
        case .arithmetic(let chain, let origin): .arithmetic(try chain.mapTerms(term), origin)
        case .negated(let operand, let origin): .negated(try term(operand), origin)
        case .call(let function, let arguments, let origin): .call(function, try arguments.mapTerms(term), origin)
        case .subquery: try mapSubquery(term, condition)
        case .conditional: try mapConditional(term, condition)
        case .cast(let operand, let target, let origin): .cast(try term(operand), target, origin)
        case .assignment(let variable, let operand, let origin): .assignment(variable, try term(operand), origin)
        }
    }

    private func mapIndex(_ transform: (Term) throws(QueryError) -> Term) throws(QueryError) -> Term {
        guard case .index(let base, let index, let origin) = self else { return self }
        return .index(try transform(base), try index.mapTerm(transform), origin)
    }

    private func mapAggregate(_ transform: (Term) throws(QueryError) -> Term) throws(QueryError) -> Term {
        guard case .aggregate(let aggregate, of: let base, let path, let origin) = self else { return self }
        return .aggregate(aggregate, of: try transform(base), path, origin)
    }

    private func mapSubquery(
        _ term: (Term) throws(QueryError) -> Term,
        _ condition: (Condition) throws(QueryError) -> Condition
    ) throws(QueryError) -> Term {
        guard case .subquery(let subquery, let origin) = self else { return self }
        let inner = Subquery(try term(subquery.collection), subquery.variable, where: try condition(subquery.condition))
        return .subquery(inner, origin)
    }

    private func mapConditional(
        _ term: (Term) throws(QueryError) -> Term,
        _ condition: (Condition) throws(QueryError) -> Condition
    ) throws(QueryError) -> Term {
        guard case .conditional(let test, let first, let second, let origin) = self else { return self }
        return .conditional(try condition(test), try term(first), try term(second), origin)
    }
}

extension [Term] {
    package func mapTerms(_ transform: (Term) throws(QueryError) -> Term) throws(QueryError) -> [Term] {
        var terms: [Term] = []
        terms.reserveCapacity(count)
        for term in self { terms.append(try transform(term)) }
        return terms
    }
}

extension Index {
    fileprivate func mapTerm(_ transform: (Term) throws(QueryError) -> Term) throws(QueryError) -> Index {
        switch self {
        case .first, .last, .size: self
        case .at(let term): .at(try transform(term))
        }
    }
}

extension Arithmetic {
    fileprivate func mapTerms(_ transform: (Term) throws(QueryError) -> Term) throws(QueryError) -> Arithmetic {
        var links: [Link] = []
        links.reserveCapacity(rest.count)
        let head = try transform(first)
        for link in rest { links.append(Link(link.operation, try transform(link.operand))) }
        return Arithmetic(first: head, rest: links)
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
    package func mapChildren(
        _ part: (Condition) throws(QueryError) -> Condition,
        _ comparison: (Comparison) throws(QueryError) -> Condition
    ) throws(QueryError) -> Condition {
        switch self {
        case .constant: return self
        case .comparison(let node): return try comparison(node)
        case .and(let parts): return .and(try parts.mapParts(part))
        case .or(let parts): return .or(try parts.mapParts(part))
        case .not(let inner): return .not(try part(inner))
        }
    }

    /// Calls a closure with every comparison and every term, outer before inner.
    ///
    /// - Parameters:
    ///   - visit: called with each comparison.
    ///   - term: called with each term.
    /// - Throws: what the closures throw.
    package func walk(
        comparison visit: (Comparison) throws(QueryError) -> Void = { _ throws(QueryError) in },
        term: (Term) throws(QueryError) -> Void = { _ throws(QueryError) in }
    ) throws(QueryError) {
        switch self {
        case .constant: return
        case .comparison(let node):
            try visit(node)
            try node.left.walk(comparison: visit, term: term)
            try node.right.walk(comparison: visit, term: term)
        case .and(let parts), .or(let parts):
            for part in parts { try part.walk(comparison: visit, term: term) }
        case .not(let part): try part.walk(comparison: visit, term: term)
        }
    }
}

extension Term {
    /// Calls a closure with this term and every term and comparison inside it, outer before inner.
    ///
    /// - Parameters:
    ///   - comparison: called with each comparison.
    ///   - visit: called with each term.
    /// - Throws: what the closures throw.
    package func walk(
        comparison: (Comparison) throws(QueryError) -> Void = { _ throws(QueryError) in },
        term visit: (Term) throws(QueryError) -> Void
    ) throws(QueryError) {
        try visit(self)
        guard hasChildren else { return }
        _ = try mapChildren { (child) throws(QueryError) -> Term in
            try child.walk(comparison: comparison, term: visit)
            return child
        } _: { (condition) throws(QueryError) -> Condition in
            try condition.walk(comparison: comparison, term: visit)
            return condition
        }
    }
}

extension [Condition] {
    fileprivate func mapParts(
        _ transform: (Condition) throws(QueryError) -> Condition
    ) throws(QueryError) -> [Condition] {
        var parts: [Condition] = []
        parts.reserveCapacity(count)
        for part in self { parts.append(try transform(part)) }
        return parts
    }
}

extension Condition {
    /// Refuses what no backend can say: `:=`, `[l]` and MATCHES`[d]` (S25).
    ///
    /// - Throws: `QueryError` of code `unsupported` with the range of the part.
    package func checkSupportedEverywhere() throws(QueryError) {
        if hasNothingRare { return }
        try walk { (comparison) throws(QueryError) in
            if comparison.options.contains(.localized) {
                throw QueryError(
                    .unsupported,
                    "[l] compares by a locale, which differs from machine to machine",
                    at: comparison.origin,
                    hint: "use [c], [d] or [cd]"
                )
            }
            if comparison.operator == .matches, comparison.options.contains(.diacriticInsensitive) {
                throw QueryError(
                    .unsupported,
                    "[d] has no exact meaning on a regular expression",
                    at: comparison.origin,
                    hint: "use MATCHES or MATCHES[c]"
                )
            }
        } term: { (term) throws(QueryError) in
            if case .assignment(_, _, let origin) = term {
                throw QueryError(
                    .unsupported,
                    "assignments are parsed but never evaluated",
                    at: origin,
                    hint: "bind the variable instead"
                )
            }
        }
    }

    /// True for comparisons without options of terms without children, however joined: every backend says these.
    private var hasNothingRare: Bool {
        switch self {
        case .constant: true
        case .comparison(let comparison):
            comparison.options.isEmpty && !comparison.left.hasChildren && !comparison.right.hasChildren
        case .and(let parts), .or(let parts): parts.allSatisfy(\.hasNothingRare)
        case .not(let part): part.hasNothingRare
        }
    }
}
