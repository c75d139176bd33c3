import QuerySyntax

/// What one translation shares: its options, what it has assumed so far, and fresh variable names.
final class MongoContext {
    let profile: MongoProfile
    let isGuarded: Bool
    let nilMeaning: NilMeaning
    private(set) var assumptions: Set<Assumption> = []
    /// False where the values are the translation's own, such as the fields of a group.
    var collectsAssumptions = true
    private var names = 0

    init(_ profile: MongoProfile, isGuarded: Bool, nilMeaning: NilMeaning) {
        self.profile = profile
        self.isGuarded = isGuarded
        self.nilMeaning = nilMeaning
    }

    /// Notes what guards would answer; with guards there is nothing to note.
    func assume(_ assumption: Assumption) {
        if !isGuarded { note(assumption) }
    }

    /// Notes what no guard answers.
    func note(_ assumption: Assumption) {
        if collectsAssumptions { assumptions.insert(assumption) }
    }

    /// A trial that gives nil leaves no assumption behind.
    func attempt(_ trial: () throws(QueryError) -> Clause?) throws(QueryError) -> Clause? {
        let before = assumptions
        guard let clause = try trial() else {
            assumptions = before
            return nil
        }
        return clause
    }

    /// A variable name that no other expression of this translation uses.
    func freshName() -> String {
        names += 1
        return "v\(names)"
    }
}

/// An object of one operator: `{"$op": value}`.
func op(_ name: String, _ value: QueryValue) -> QueryValue {
    .object(Document(pairs: [(name, value)]))
}

/// An operator with a list of operands: `{"$op": [a, b]}`.
func op(_ name: String, _ operands: [QueryValue]) -> QueryValue {
    op(name, .list(operands))
}
