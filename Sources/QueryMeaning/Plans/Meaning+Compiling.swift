import QueryChecking
import QueryTree
import QueryValues

/// Compiles a condition to its plan: one exhaustive switch per enum, recursion as deep as the tree is high (S26).
struct PlanCompiler {
    let meaning: Meaning
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
    private(set) var walked: [[String]] = []

    init(meaning: Meaning, paths: RowPaths? = nil) {
        self.meaning = meaning
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
        walked.append(walk.keys)
        reads[Self.row, default: 0] += 1
        guard let key = paths?.key(of: walk.keys, for: need) else { return walk }
        return PathWalk(keys: [key], place: walk.place, form: walk.form)
    }

    mutating func plan(_ condition: Condition, _ scope: TypeScope) throws(QueryError) -> ConditionPlan {
        switch condition {
        case .constant(let holds): return ConstantConditionPlan(holds)
        case .comparison(let comparison): return try plan(comparison, scope)
        case .and(let parts): return AllPlan(try plans(parts, scope))
        case .or(let parts): return SomePlan(try plans(parts, scope))
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

    private mutating func plan(_ given: Comparison, _ scope: TypeScope) throws(QueryError) -> ConditionPlan {
        let comparison = given.withConstantOnTheRight
        try checkQuantifier(comparison)
        let (test, right) = try test(comparison, scope.readsDates(of: comparison.left), scope)
        let left = try plan(comparison.left, scope)
        if let quantifier = comparison.quantifier {
            return QuantifiedPlan(quantifier, left, test, right, steps: Steps.asked + steps(of: comparison))
        }
        if right == nil, let field = left as? FieldPlan, let key = field.walk.onlyKey {
            return KeyComparisonPlan(key, at: field.walk.place, test)
        }
        return ComparisonPlan(left, test, right)
    }

    /// The steps of a test; irrelevant if nothing is bounded.
    private func steps(of comparison: Comparison) -> Int { meaning.limits.boundsWork ? comparison.stepsOfTest : 0 }

    private func checkQuantifier(_ comparison: Comparison) throws(QueryError) {
        guard comparison.quantifier != nil, case .value(let value, let origin) = comparison.left, !value.isNull else {
            return
        }
        throw QueryError(.quantifier, "ANY and ALL need a collection", at: origin, hint: "write a list or a path")
    }

    /// The test of a comparison, and the right side unless the test includes its constant.
    ///
    /// `readsDates` is true if the left side is undeclared, so that a date on the right decides how it is read (S5).
    private mutating func test(
        _ comparison: Comparison,
        _ readsDates: Bool,
        _ scope: TypeScope
    ) throws(QueryError) -> (ValueTest, TermPlan?) {
        switch comparison.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            let (test, right) = try comparisonTest(comparison, scope)
            return (readsDates && comparison.right.isGivenDate ? DateTextTest(test) : test, right)
        case .between: return try betweenTest(comparison, readsDates, scope)
        case .in, .contains: return try membershipTest(comparison, readsDates, scope)
        case .beginsWith: return try textTest(.beginsWith, comparison, scope)
        case .endsWith: return try textTest(.endsWith, comparison, scope)
        case .like: return try textTest(.like, comparison, scope)
        case .matches: return try textTest(.matches, comparison, scope)
        case .geoWithin: return (GeoTest(), try plan(comparison.right, scope))
        }
    }

    /// The test of `== != < <= > >=`.
    private mutating func comparisonTest(
        _ comparison: Comparison,
        _ scope: TypeScope
    ) throws(QueryError) -> (ValueTest, TermPlan?) {
        switch comparison.operator {
        case .less: return try orderTest(OrderRule(.ascending), comparison, scope)
        case .lessOrEqual: return try orderTest(OrderRule(.ascending, orEqual: true), comparison, scope)
        case .greater: return try orderTest(OrderRule(.descending), comparison, scope)
        case .greaterOrEqual: return try orderTest(OrderRule(.descending, orEqual: true), comparison, scope)
        case .equal, .notEqual, .between, .in, .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin:
            let (options, isNegated) = (comparison.options, comparison.operator == .notEqual)
            return switch comparison.right.constantValue {
            case .null?: (nilTest(comparison, isNegated: isNegated), nil)
            case let constant?: (EqualConstantTest(constant, options, isNegated: isNegated), nil)
            case nil: (EqualTest(options, isNegated: isNegated), try plan(comparison.right, scope))
            }
        }
    }

    /// `nil == nil` holds whatever nil means (S7).
    private func nilTest(_ comparison: Comparison, isNegated: Bool) -> ValueTest {
        let isLiteral = comparison.quantifier == nil && comparison.left.constantValue?.isNull == true
        return NilTest(isLiteral ? .nullOrAbsent : meaning.nilMeaning, isNegated: isNegated)
    }

    private mutating func orderTest(
        _ rule: OrderRule,
        _ comparison: Comparison,
        _ scope: TypeScope
    ) throws(QueryError) -> (ValueTest, TermPlan?) {
        switch comparison.right.constantValue {
        // `<= nil` and `>= nil` mean `== nil`, in the default meaning of nil (S7).
        case .null?: (rule.allowsEqual ? NilTest(.nullOrAbsent, isNegated: false) : NeverTest(), nil)
        case let constant?: (OrderConstantTest(rule, constant, comparison.options), nil)
        case nil: (OrderTest(rule, comparison.options), try plan(comparison.right, scope))
        }
    }

    private mutating func betweenTest(
        _ comparison: Comparison,
        _ readsDates: Bool,
        _ scope: TypeScope
    ) throws(QueryError) -> (ValueTest, TermPlan?) {
        if case .list(let bounds, _) = comparison.right, bounds.count != 2 { throw Self.badBounds(comparison.right) }
        guard let constant = comparison.right.constantValue else {
            var sides: [BetweenTest.Side] = [.asTheyStand, .asTheyStand]
            if comparison.left.isGivenDate {
                var bounds = [comparison.right, comparison.right]
                if case .list(let terms, _) = comparison.right { bounds = terms }
                sides = bounds.map { scope.readsDates(of: $0) ? .readsBound : .asTheyStand }
            } else if readsDates, case .list(let bounds, _) = comparison.right {
                sides = bounds.map { $0.isGivenDate ? .readsValue : .asTheyStand }
            }
            return (BetweenTest(comparison.options, sides), try plan(comparison.right, scope))
        }
        guard case .list(let bounds) = constant else { throw Self.badBounds(comparison.right) }
        return (BetweenConstantTest(bounds[0], bounds[1], comparison.options, readsDates: readsDates), nil)
    }

    private static func badBounds(_ term: Term) -> QueryError {
        QueryError(.kindMismatch, "BETWEEN takes a list of two bounds", at: term.origin, hint: "write {low, high}")
    }

    private mutating func membershipTest(
        _ comparison: Comparison,
        _ readsDates: Bool,
        _ scope: TypeScope
    ) throws(QueryError) -> (ValueTest, TermPlan?) {
        let options = comparison.options
        let isContains = comparison.operator == .contains
        if isContains, case .string(let part)? = comparison.right.constantValue {
            return (PartTest(.contains, part, options), nil)
        }
        if !isContains, case .value(.list(let list), _) = comparison.right {
            let test = KnownMembershipTest(list, options, literalNil: nil)
            let readsDates = readsDates && list.contains { $0.kind == .date }
            return (readsDates ? DateTextTest(test, .valueOrText) : test, nil)
        }
        guard !isContains, case .list(let elements, let origin) = comparison.right else {
            let test = MembershipTest(options, containerOnLeft: isContains, literalNil: nil)
            let right = try plan(comparison.right, scope)
            guard comparison.right.isGivenDate else { return (test, right) }
            if isContains, case .list(let elements, _) = comparison.left {
                return (DateTextTest(test, .written(elements.map(scope.readsDates(of:)))), right)
            }
            return (readsDates ? DateTextTest(test, isContains ? .elements : .value) : test, right)
        }
        let readsDates = readsDates && elements.contains(where: \.isGivenDate)
        let others = elements.filter { !($0.constantValue?.isNull ?? false) }
        let literalNil = others.count == elements.count ? nil : meaning.nilMeaning
        if case .list(let constants)? = Term.list(others, origin).constantValue {
            let test = KnownMembershipTest(constants, options, literalNil: literalNil)
            return (readsDates ? DateTextTest(test, .valueOrText) : test, nil)
        }
        let test = MembershipTest(options, containerOnLeft: false, literalNil: literalNil)
        return (readsDates ? DateTextTest(test, .valueOrText) : test, try plan(.list(others, origin), scope))
    }

    private mutating func textTest(
        _ kind: TextTest.Kind,
        _ comparison: Comparison,
        _ scope: TypeScope
    ) throws(QueryError) -> (ValueTest, TermPlan?) {
        let (options, origin) = (comparison.options, comparison.right.origin)
        guard let constant = comparison.right.constantValue else {
            return (TextTest(kind, options, meaning.limits, at: origin), try plan(comparison.right, scope))
        }
        guard case .string(let text) = constant else { return (NeverTest(), nil) }
        return switch kind {
        case .beginsWith: (PartTest(.beginsWith, text, options), nil)
        case .endsWith: (PartTest(.endsWith, text, options), nil)
        case .like: (LikeTest(try LikePattern(text, options: options, at: origin)), nil)
        case .matches:
            (RegexTest(try RegexPattern(text, options: options, limits: meaning.limits, at: origin)), nil)
        }
    }
}

extension TypeScope {
    /// True for a term known only to possibly be a date: a date compared with it means that its
    /// texts may be dates (S5).
    fileprivate func readsDates(of term: Term) -> Bool {
        switch type(of: term).element {
        case .any, .date(.native): !term.isRowless
        case .string: isOfStore && term.isStored
        case .date, .bool, .int, .double, .data, .uuid, .objectID, .object, .list: false
        }
    }
}

extension TypeScope {
    /// True if the types are reported by a store, whose TEXT guarantees nothing about dates.
    private var isOfStore: Bool {
        if case .object(let schema) = row { schema.isOfStore } else { false }
    }
}

extension Term {
    /// True for values that are read rather than computed.
    fileprivate var isStored: Bool {
        switch self {
        case .field, .variable, .path: true
        case .value, .list, .subquery, .arithmetic, .negated, .cast, .index, .aggregate, .call, .conditional,
            .assignment:
            false
        }
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
                hint: "bind it before the query runs"
            )
        }
        reads[place, default: 0] += 1
        elementNeeds[place, default: .count].formUnion(key.map { .members([$0]) } ?? .whole)
        return VariablePlan(at: place)
    }
}
