import QueryTree
import QueryValues

extension Condition {
    /// Throws for the first unbound variable.
    ///
    /// The backends reject them too, but some skip operands that they need not evaluate; an answer must not depend on
    /// that.
    ///
    /// - Throws: `QueryError` of code `unboundVariable` with the variable's range if known.
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
