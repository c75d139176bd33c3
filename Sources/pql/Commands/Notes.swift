#if CLI
    import PredicateQL

    extension SQLQuery {
        /// What accompanies the statement, one line each: its bindings, the functions that it calls, its assumptions.
        var notes: [String] {
            var lines: [String] = []
            if !bindings.isEmpty { lines.append("bindings: " + QueryValue.list(bindings).json) }
            if !functions.isEmpty { lines.append("functions: " + functions.map(\.name).joined(separator: ", ")) }
            return lines + Assumption.notes(assumptions)
        }
    }

    extension Assumption {
        /// One line with the assumptions of a translation; none if there are none.
        static func notes(_ assumptions: [Assumption]) -> [String] {
            if assumptions.isEmpty { return [] }
            return ["assumes: " + assumptions.map { QueryValue.object($0.document).json }.joined(separator: " ")]
        }
    }
#endif
