extension Query {
    /// What is allowed and yet hardly meant; see ``Condition/warnings``.
    ///
    ///     let query = try Query(format: "SUBQUERY(items, $i, price > 5).@count > 0")
    ///     query.warnings.map(\.code)  // → [unusedVariable]
    public var warnings: [QueryError] { condition.warnings }
}

extension Condition {
    /// What is allowed and yet hardly meant, each with its place: a SUBQUERY whose condition never looks at its element,
    /// so that it keeps all elements or none (S19).
    ///
    ///     let condition = try Condition(format: "SUBQUERY(items, $i, price > 5).@count > 0")
    ///     condition.warnings[0].hint  // → a bare key belongs to the row; write $i.key for the element's
    ///
    /// O(nodes × depth of nested SUBQUERYs).
    ///
    /// - Returns: warnings of code `unusedVariable`, outer before inner; empty for most queries.
    public var warnings: [QueryError] {
        StackRoom.run(for: self) {
            var warnings: [QueryError] = []
            // The closure throws nothing.
            try? walk(term: { (term) throws(QueryError) in
                guard case .subquery(let subquery, let origin) = term,
                    !subquery.condition.freeVariables.contains(subquery.variable)
                else { return }
                let name = "$" + subquery.variable.name
                warnings.append(
                    QueryError(
                        .unusedVariable,
                        "the condition never looks at \(name), so it keeps all elements or none",
                        at: subquery.condition.origin.range == nil ? origin : subquery.condition.origin,
                        hint: "a bare key belongs to the row; write \(name).key for the element's"
                    )
                )
            })
            return warnings
        }
    }
}
