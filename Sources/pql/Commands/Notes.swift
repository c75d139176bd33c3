#if CLI
    import PredicateQL

    extension SQLQuery {
        /// What goes with the statement, a line each: its bindings, the functions that it calls, what it takes for granted.
        var notes: [String] {
            var lines: [String] = []
            if !bindings.isEmpty { lines.append("bindings: " + QueryValue.list(bindings).json) }
            if !functions.isEmpty { lines.append("functions: " + functions.map(\.name).joined(separator: ", ")) }
            return lines + Assumption.notes(assumptions)
        }
    }

    extension Assumption {
        /// One line of what a translation takes for granted; none where there is nothing.
        static func notes(_ assumptions: [Assumption]) -> [String] {
            if assumptions.isEmpty { return [] }
            return ["assumes: " + assumptions.map { QueryValue.object($0.document).json }.joined(separator: " ")]
        }
    }
#endif
