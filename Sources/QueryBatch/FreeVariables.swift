import QueryTree
import QueryValues

extension Condition {
    /// Throws for the first variable that nothing binds.
    ///
    /// The backends refuse them too, but some leave an operand out that they need not look at; an answer must not
    /// depend on that.
    ///
    /// - Throws: `QueryError` of code `unboundVariable` with the variable's range where it can be told.
    func checkBound() throws(QueryError) {
        let free = Set(freeVariables)
        guard let first = freeVariables.first else { return }
        let found = nodes.lazy.compactMap { node -> (variable: Variable, origin: Origin)? in
            guard case .term(.variable(let variable, let origin)) = node else { return nil }
            return free.contains(variable) ? (variable, origin) : nil
        }
        let (variable, origin) = found.first { _ in true } ?? (first, .none)
        throw QueryError(
            .unboundVariable,
            "$\(variable.name) has no value",
            at: origin,
            hint: "give it one in `variables`"
        )
    }
}
