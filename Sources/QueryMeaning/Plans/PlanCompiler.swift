import QueryChecking
import QueryTree
import QueryValues

/// Compiles a condition to its plan: one exhaustive switch per enum, recursion as deep as the tree is high (S26).
struct PlanCompiler {
    let evaluator: RowEvaluator
    var sizes = RowFrame.Sizes()
    /// Where the frame keeps the elements of the enclosing SUBQUERYs.
    private var places: [Variable: Int] = [:]

    /// The row paths that are read, if the rows are to be flat.
    var paths: RowPaths?
    /// What is read of each variable's value, as of an element of a list, by its slot.
    var elementNeeds: [Int: ListNeed] = [:]
    /// How often each variable was read, by its slot, and what else a condition may read.
    var reads: [Int: Int] = [:]
    static let (row, subquery) = (-1, -2)
    /// The variable whose value replaces the row, so that its keys are the row's.
    var rowVariable: Variable?
    /// The stored keys of every row path that is read, once per read.
    private(set) var pathsRead: [[String]] = []

    init(evaluator: RowEvaluator, paths: RowPaths? = nil) {
        self.evaluator = evaluator
        self.paths = paths
    }

    /// The walk of a row path; `need` says how much of a list at its end is used.
    mutating func rowWalk(
        _ keys: [String],
        _ scope: TypeScope,
        for need: ListNeed,
        at origin: Origin
    ) throws(QueryError) -> PathWalk {
        let walk = try walk(keys, from: scope.row, at: origin)
        pathsRead.append(walk.keys)
        reads[Self.row, default: 0] += 1
        guard let key = paths?.key(of: walk.keys, for: need) else { return walk }
        return PathWalk(keys: [key], place: walk.place, form: walk.form)
    }

    mutating func plan(_ condition: Condition, _ scope: TypeScope) throws(QueryError) -> ConditionPlan {
        switch condition {
        case .constant(let holds): return ConstantConditionPlan(holds)
        case .comparison(let comparison): return try plan(comparison, scope)
        case .and(let parts): return JoinPlan(try plans(parts, scope), decidedBy: false)
        case .or(let parts): return JoinPlan(try plans(parts, scope), decidedBy: true)
        case .not(let part): return NotPlan(try plan(part, scope))
        }
    }

    private mutating func plans(
        _ parts: [Condition],
        _ scope: TypeScope
    ) throws(QueryError) -> [ConditionPlan] {
        var plans: [ConditionPlan] = []
        plans.reserveCapacity(parts.count)
        for part in parts { plans.append(try plan(part, scope)) }
        return plans
    }

    private mutating func plan(_ comparison: Comparison, _ scope: TypeScope) throws(QueryError) -> ConditionPlan {
        try checkQuantifier(comparison)
        let question = try Question(comparison, nilMeaning: evaluator.nilMeaning)
        let test = try test(question, scope)
        let right = try question.term.map { term throws(QueryError) in try plan(term, scope) }
        let left = try plan(question.subject, scope)
        if let quantifier = question.quantifier {
            return QuantifiedPlan(quantifier, left, test, right, steps: Steps.asked + steps(of: comparison))
        }
        if right == nil, let field = left as? FieldPlan, let key = field.walk.onlyKey {
            return KeyComparisonPlan(key, at: field.walk.place, test)
        }
        return ComparisonPlan(left, test, right)
    }

    /// The steps of a test; irrelevant if nothing is bounded.
    private func steps(of comparison: Comparison) -> Int { evaluator.limits.boundsWork ? comparison.stepsOfTest : 0 }

    private func checkQuantifier(_ comparison: Comparison) throws(QueryError) {
        guard comparison.quantifier != nil, case .value(let value, let origin) = comparison.left, !value.isNull else {
            return
        }
        throw QueryError(.quantifier, "ANY and ALL need a collection", at: origin, hint: "write a list or a path")
    }

    /// The test of a question; compared with a date, texts of an undeclared subject are read as dates (S5).
    private func test(_ question: Question, _ scope: TypeScope) throws(QueryError) -> ValueTest {
        let (options, isNegated, term) = (question.options, question.isNegated, question.term)
        let readsDates = scope.readsDates(of: question.subject)
        func dated(_ test: ValueTest, _ isDate: Bool, _ reading: DateTextTest.Reading = .value) -> ValueTest {
            readsDates && isDate ? DateTextTest(test, reading) : test
        }
        switch question.test {
        case .never: return NeverTest()
        case .isNil(let nilMeaning): return NilTest(nilMeaning, isNegated: isNegated)
        case .equal(let value):
            return dated(EqualConstantTest(value, options, isNegated: isNegated), value.kind == .date)
        case .equalToTerm: return dated(EqualTest(options, isNegated: isNegated), term?.isGivenDate == true)
        case .ordered(let rule, let value): return dated(OrderConstantTest(rule, value, options), value.kind == .date)
        case .orderedByTerm(let rule): return dated(OrderTest(rule, options), term?.isGivenDate == true)
        case .between(let low, let high): return BetweenConstantTest(low, high, options, readsDates: readsDates)
        case .betweenTerms: return BetweenTest(options, sides(question, readsDates, scope))
        case .members(let values, let orNil):
            let test = KnownMembershipTest(values, options, literalNil: orNil)
            return dated(test, values.contains { $0.kind == .date }, .valueOrText)
        case .memberOfTerm(let orNil):
            let test = MembershipTest(options, containerOnLeft: false, literalNil: orNil)
            if case .list(let elements, _)? = term {
                return dated(test, elements.contains(where: \.isGivenDate), .valueOrText)
            }
            return dated(test, term?.isGivenDate == true)
        case .containsTerm:
            let test = MembershipTest(options, containerOnLeft: true, literalNil: nil)
            if case .list(let elements, _) = question.subject, term?.isGivenDate == true {
                return DateTextTest(test, .written(elements.map(scope.readsDates(of:))))
            }
            return dated(test, term?.isGivenDate == true, .elements)
        case .part(let part, let text): return PartTest(part, text, options)
        case .like(let pattern): return LikeTest(pattern)
        case .matches(let text):
            return RegexTest(try RegexPattern(text, options: options, limits: evaluator.limits, at: question.origin))
        case .textByTerm(let relation): return TextTest(relation, options, evaluator.limits, at: question.origin)
        case .withinTerm: return GeoTest()
        }
    }

    /// Which side of each bound is undeclared and compared with a date, and so read as one (S5).
    private func sides(_ question: Question, _ readsDates: Bool, _ scope: TypeScope) -> [BetweenTest.Side] {
        let bounds = if case .list(let bounds, _)? = question.term { Optional(bounds) } else { [Term]?.none }
        if question.subject.isGivenDate {
            let terms = bounds ?? [question.term, question.term].compactMap { $0 }
            return terms.map { scope.readsDates(of: $0) ? .readsBound : .asTheyStand }
        }
        guard readsDates, let bounds else { return [.asTheyStand, .asTheyStand] }
        return bounds.map { $0.isGivenDate ? .readsValue : .asTheyStand }
    }
}

extension PlanCompiler {
    mutating func place(of variable: Variable) -> Int {
        sizes.variables += 1
        places[variable] = sizes.variables - 1
        return sizes.variables - 1
    }

    /// Runs a body with a variable bound; an outer variable of the same name is restored afterwards (S19).
    mutating func binding<Result>(
        _ variable: Variable,
        _ body: (inout PlanCompiler, Int) throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        let outer = places[variable]
        let place = place(of: variable)
        let result = try body(&self, place)
        places[variable] = outer
        return result
    }

    /// The plan of a variable of whose value a key is read or, without a key, everything.
    mutating func plan(
        _ variable: Variable,
        reading key: String? = nil,
        at origin: Origin
    ) throws(QueryError) -> TermPlan {
        guard let place = places[variable] else {
            throw QueryError(
                .unboundVariable,
                "$\(variable.name) has no value",
                at: origin,
                hint: "bind it before the query runs (pql: --var \(variable.name)=VALUE)"
            )
        }
        reads[place, default: 0] += 1
        elementNeeds[place, default: .count].formUnion(key.map { .members([$0]) } ?? .whole)
        return VariablePlan(at: place)
    }
}
