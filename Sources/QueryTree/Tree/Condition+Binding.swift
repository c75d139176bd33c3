import QueryValues

extension Condition {
    /// The condition with its variables replaced by values.
    ///
    ///     let template = try Condition(format: "age > $least AND city == $city")
    ///     try template.binding(["least": 21, "city": "Boston"]).format  // → age > 21 AND city == "Boston"
    ///
    /// - Parameter values: by variable name without the `$`; a name that the condition does not use is an error.
    /// - Returns: the bound condition.
    /// - Throws: `QueryError` of code `argument` for a name that the condition does not use.
    public func binding(_ values: [String: QueryValue]) throws(QueryError) -> Condition {
        var binder = Binder(values: values)
        let bound = try StackRoom.run(for: self) { () throws(QueryError) in try binder.bind(self, hidden: []) }
        for name in values.keys.sorted(by: { $0.precedesInUTF8($1) }) where !binder.used.contains(Variable(name)) {
            throw QueryError(
                .argument,
                "the query has no variable $\(name)",
                path: "variables.\(name)",
                hint: "remove it, or use $\(name) in the query"
            )
        }
        return bound
    }

    /// The variables that need a value, in order of appearance, without SUBQUERY's own.
    ///
    ///     try Condition(format: "age > $least AND city == $city").freeVariables.map(\.name)  // → ["least", "city"]
    public var freeVariables: [Variable] {
        var binder = Binder(values: [:])
        _ = try? StackRoom.run(for: self) { () throws(QueryError) in try binder.bind(self, hidden: []) }
        return binder.free
    }
}

/// Replaces free variables; a SUBQUERY shadows an outer variable of the same name.
private struct Binder {
    var values: [Variable: QueryValue]
    var used: Set<Variable> = []
    var free: [Variable] = []

    init(values: [String: QueryValue]) {
        self.values = Dictionary(values.map { (Variable($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func bind(_ condition: Condition, hidden: Set<Variable>) throws(QueryError) -> Condition {
        try condition.mapChildren { (part) throws(QueryError) in
            try bind(part, hidden: hidden)
        } _: { (original) throws(QueryError) in
            var comparison = original
            comparison.left = try bind(original.left, hidden: hidden)
            comparison.right = try bind(original.right, hidden: hidden)
            return .comparison(comparison)
        }
    }

    private mutating func bind(_ term: Term, hidden: Set<Variable>) throws(QueryError) -> Term {
        switch term {
        case .variable(let variable, let origin):
            guard let value = lookup(variable, hidden) else { return term }
            return .constant(value, origin)
        case .path(let base, let steps, let origin):
            let base = try bind(base, hidden: hidden)
            var bound: [PathStep] = []
            for step in steps { bound.append(try bind(step, hidden: hidden, at: origin)) }
            return Self.joined(base, bound, origin)
        case .subquery(let subquery, let origin):
            let collection = try bind(subquery.collection, hidden: hidden)
            let condition = try bind(subquery.condition, hidden: hidden.union([subquery.variable]))
            return .subquery(Subquery(collection, subquery.variable, where: condition), origin)
        default:
            return try term.mapChildren { (child) throws(QueryError) in
                try bind(child, hidden: hidden)
            } _: { (condition) throws(QueryError) in
                try bind(condition, hidden: hidden)
            }
        }
    }

    /// Appends keys after a field to its path, as in parsed text.
    private static func joined(_ base: Term, _ steps: [PathStep], _ origin: Origin) -> Term {
        guard case .field(var path, _) = base else { return .path(base, steps, origin) }
        var rest = steps[...]
        while case .key(let key)? = rest.first {
            path.keys.append(key)
            rest.removeFirst()
        }
        let field = Term.field(path, origin)
        return rest.isEmpty ? field : .path(field, Array(rest), origin)
    }

    private mutating func bind(
        _ step: PathStep,
        hidden: Set<Variable>,
        at origin: Origin
    ) throws(QueryError) -> PathStep {
        guard case .variable(let variable) = step, let value = lookup(variable, hidden) else { return step }
        guard case .string(let key) = value else {
            throw QueryError(.argument, "$\(variable.name) is used as a key and takes text", at: origin)
        }
        return .key(key)
    }

    private mutating func lookup(_ variable: Variable, _ hidden: Set<Variable>) -> QueryValue? {
        guard !hidden.contains(variable) else { return nil }
        if used.insert(variable).inserted { free.append(variable) }
        return values[variable]
    }
}
