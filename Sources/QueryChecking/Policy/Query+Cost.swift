import QueryTree
import QueryValues

extension Query {
    /// An upper bound on the steps that a row of 2 KB takes in memory; a step takes one to two nanoseconds.
    ///
    ///     let plain = try Query(format: "age > 21")
    ///     let heavy = try Query(format: "SUBQUERY(orders, $o, ANY $o.items.name == 'x').@count > 0")
    ///     plain.estimatedCost < heavy.estimatedCost  // → true
    ///
    /// It holds whatever the row contains: its 2,048 bytes of JSON may be a list of 1,024 elements, or a single text.
    /// Work per element is counted for each element, and in a nested SUBQUERY once more for each element of the outer
    /// one, unless it reads the outer element's own lists, which share those bytes. Two fields share them too, so
    /// `a CONTAINS 'x' OR b CONTAINS 'x'` counts one search. Comparing rows by sort keys that are lists or objects is
    /// counted neither here nor in a run. MATCHES counts as all the steps of `Limits.default`.
    ///
    /// A run that counts steps, because `Limits` bounds its `steps` or its `duration`, counts no more than this for
    /// such a row. ``QueryPolicy`` rejects queries that cost too much.
    public var estimatedCost: Int { estimatedCost(countsMatchLimit: true) }

    /// The same, with or without the steps that the match limit of a MATCHES allows.
    package func estimatedCost(countsMatchLimit: Bool) -> Int {
        // One more key breaks ties.
        let ties = Work(order.isEmpty ? 0 : Steps.sorted + 32)
        let sorting = sortingByComputed.order.reduce(into: ties) { sum, key in
            var estimate = CostEstimate(schema)
            let (work, share) = StackRoom.run(for: key.computedTest ?? .constant(true)) { estimate.cost(of: key.term) }
            let folding = share.each(Steps.folding(CostEstimate.bytes * 8, key.options))
            sum += work + folding + Work(Steps.sorted + 32)
        }
        let condition = readingCondition
        if condition.isHigher(than: StackRoom.mostHeight) { return .max }
        let whole = StackRoom.run(for: condition) { () -> Work in
            var estimate = CostEstimate(schema)
            if !countsMatchLimit { estimate.matchSteps = 0 }
            return Work(condition.stepsOfRow) + estimate.cost(of: condition)
        }
        return (whole + sorting).peak
    }
}

extension Condition {
    /// The place of the comparison that takes the most steps by itself, the first of several; the whole condition's if
    /// that is too high to be looked at.
    func costliestOrigin(_ schema: Schema?, countsMatchLimit: Bool) -> Origin {
        if isHigher(than: StackRoom.mostHeight) { return origin }
        return StackRoom.run(for: self) {
            comparisons.max { first, second in
                first.cost(schema, countsMatchLimit) < second.cost(schema, countsMatchLimit)
            }?.origin ?? origin
        }
    }

    private var comparisons: [Comparison] {
        switch self {
        case .constant: []
        case .comparison(let comparison): [comparison]
        case .and(let parts), .or(let parts): parts.flatMap(\.comparisons)
        case .not(let part): part.comparisons
        }
    }
}

extension Comparison {
    fileprivate func cost(_ schema: Schema?, _ countsMatchLimit: Bool) -> Int {
        var estimate = CostEstimate(schema)
        if !countsMatchLimit { estimate.matchSteps = 0 }
        return (Work(stepsOfRow) + estimate.cost(of: .comparison(self))).peak
    }
}

/// Walks a condition; adds to ``Condition/stepsOfRow`` what grows with lists and texts.
struct CostEstimate {
    /// The size of the row that the estimate assumes.
    static let bytes = 2_048
    /// An element takes two bytes.
    static let elements = bytes / 2
    /// The steps for every element of such a row.
    static func elements(_ steps: Int) -> Int { elements.times(steps) }

    /// The most steps of one MATCHES besides those that grow with the text.
    var matchSteps = Limits.default.matchSteps
    private var scope: TypeScope
    /// The SUBQUERY element whose bytes are shared out; nil for the row.
    private var innermost: Variable?
    /// The bytes of the enclosing elements.
    private var outer: [Variable: Int] = [:]

    init(_ schema: Schema?) {
        scope = TypeScope(schema)
    }

    mutating func cost(of condition: Condition) -> Work {
        switch condition {
        case .constant: Work()
        case .comparison(let comparison): cost(of: comparison.withConstantOnTheRight)
        case .and(let parts), .or(let parts): parts.reduce(into: Work()) { $0 += cost(of: $1) }
        case .not(let part): cost(of: part)
        }
    }

    // MARK: Comparisons

    private mutating func cost(of comparison: Comparison) -> Work {
        isReadInPlace(comparison) ? costOnce(of: comparison) : costOnce(of: comparison) + Work(Steps.computed)
    }

    /// True unless SUBQUERY must compute something for each of its elements: a key is compared with a constant in place.
    private func isReadInPlace(_ comparison: Comparison) -> Bool {
        guard innermost != nil else { return true }
        guard case .path(.variable, _, _) = comparison.left else { return false }
        return comparison.quantifier == nil && comparison.right.constantValue != nil
    }

    /// ANY and ALL follow a path without building lists of its values.
    private mutating func costInPlace(of term: Term) -> (Work, Work) {
        guard case .field(let path, _) = term else { return cost(of: term) }
        let bytes = bytes(of: path)
        return (walk(path.keys.count - 1, over: bytes, scope.type(of: term)), bytes)
    }

    private func bytes(of path: FieldPath) -> Work {
        innermost == nil ? Work.part(path.keys.first) : Work(Self.bytes)
    }

    private mutating func costOnce(of comparison: Comparison) -> Work {
        guard let constant = comparison.right.constantValue else {
            let (leftWork, left) = cost(of: comparison.left)
            let (rightWork, right) = cost(of: comparison.right)
            return leftWork + rightWork + asked(comparison, left, right, test(comparison, right.mostBytes))
        }
        let isInPlace = comparison.quantifier != nil
        let (leftWork, left) = isInPlace ? costInPlace(of: comparison.left) : cost(of: comparison.left)
        return leftWork + asked(comparison, left, Work(), test(comparison, constant))
    }

    /// The steps of a test besides ``Comparison/stepsOfTest``.
    private struct Test {
        /// If the values on the left, or on the right, add up to the bytes of a row.
        var left = 0
        var right = 0
        /// For each test.
        var always = 0
    }

    /// The steps of testing one value, or each element.
    private func asked(_ comparison: Comparison, _ left: Work, _ right: Work, _ test: Test) -> Work {
        if comparison.quantifier == nil { return left.each(test.left) + right.each(test.right) + Work(test.always) }
        // The right side is the same for each test.
        let again = right.each(test.right).peak.adding(test.always)
        let each = (Steps.asked + comparison.stepsOfTest).adding(again)
        return left.each(Self.elements(each).adding(test.left)) + Work(each)
    }

    private func test(_ comparison: Comparison, _ constant: QueryValue) -> Test {
        let options = comparison.options
        let folding = Steps.folding(Self.bytes, options)
        switch comparison.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between: return Test(left: folding * 2)
        case .in: return membership(in: constant, options)
        case .contains:
            // The bytes of a text or the elements of a list.
            let search = max(Steps.searching(Self.bytes), Self.elements(Steps.met))
            return Test(left: search + Self.bytes * 2 + folding)
        case .beginsWith, .endsWith: return Test(left: folding)
        case .like:
            guard case .string(let text) = constant, let pattern = try? LikePattern(text, options: options) else {
                return Test()
            }
            return Test(left: Self.bytes.times(pattern.stepsOfByte), always: pattern.stepsOfEnds)
        case .matches: return Test(left: Steps.matching(Self.bytes), always: matchSteps)
        case .geoWithin: return Test(always: constant.mass)
        }
    }

    private func membership(in constant: QueryValue, _ options: StringOptions) -> Test {
        let folding = Steps.folding(Self.bytes, options)
        guard case .list = constant else {
            let text = constant.textBytes
            let search = Steps.searching(text) + Steps.folding(text, options)
            return Test(left: Self.bytes + folding, always: search)
        }
        return Test(left: Steps.hashing(Self.bytes) + folding)
    }

    /// The same if both sides are computed per row, the right one from at most this many bytes.
    private func test(_ comparison: Comparison, _ other: Int) -> Test {
        let options = comparison.options
        let (bytes, folding) = (Self.bytes, Steps.folding(Self.bytes, options))
        // A text is searched, a list is scanned.
        let search = Self.elements(Steps.met) + bytes * 2 + folding * 17 + Steps.searching(bytes)
        switch comparison.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
            // No more than the shorter of the two.
            return Test(left: bytes * 2 + Steps.comparing(bytes, options))
        case .in: return Test(left: bytes + folding, right: search)
        case .contains: return Test(left: search, right: bytes + folding)
        case .beginsWith, .endsWith:
            return Test(left: Steps.comparing(bytes, options), right: Steps.comparing(bytes, options))
        case .like: return Test(left: bytes.times(other.adding(3)), always: Steps.compiling(other))
        case .matches:
            let once = Steps.compiling(other).adding(matchSteps)
            return Test(left: Steps.matching(bytes), always: once)
        case .geoWithin: return Test(right: bytes)
        }
    }

    // MARK: Terms

    /// The steps of a term, and the bytes of its value.
    mutating func cost(of term: Term) -> (Work, Work) {
        switch term {
        case .value(let value, _): return (Work(), Work(value.bytes))
        case .field(let path, _):
            let bytes = bytes(of: path)
            // The first key is the row's own.
            return (walk(path.keys.count - 1, over: bytes, scope.type(of: term), Steps.mapped), bytes)
        case .variable(let variable, _): return (Work(), self.bytes(of: variable, nil))
        case .assignment: return (Work(), Work())
        case .list(let elements, _):
            return elements.reduce(into: (Work(), Work(3))) { sum, element in
                let (work, bytes) = cost(of: element)
                sum.0 += work
                sum.1 += bytes + Work(3)
            }
        case .path(let base, let steps, _): return cost(ofPath: base, steps, scope.type(of: term))
        case .index(let base, let index, _):
            let (work, bytes) = cost(of: base)
            guard case .at(let position) = index else { return (work, bytes) }
            return (work + cost(of: position).0, bytes)
        case .aggregate(let aggregate, of: let base, let path, _): return cost(of: aggregate, base, path)
        case .arithmetic(let chain, _): return cost(of: chain)
        case .negated(let operand, _): return (cost(of: operand).0, Work(QueryValue.numberBytes))
        case .cast(let operand, _, _):
            let (work, bytes) = cost(of: operand)
            // A text stays a single value.
            return (work + bytes.each(Self.bytes), bytes + Work(QueryValue.numberBytes))
        case .call(let function, let arguments, _): return cost(of: function, arguments)
        case .subquery(let subquery, _): return cost(of: subquery)
        case .conditional(let test, let first, let second, _):
            let (firstWork, firstBytes) = cost(of: first)
            let (secondWork, secondBytes) = cost(of: second)
            return (cost(of: test) + firstWork + secondWork, firstBytes + secondBytes)
        }
    }

    /// The keys of a path, each of which may cross a list.
    private func walk(_ keys: Int, over bytes: Work, _ type: FieldType, _ steps: Int = Steps.walked) -> Work {
        switch type.element {
        case .date, .uuid, .objectID:
            return bytes.each(Self.elements(max(0, keys).times(Steps.mapped) + Steps.decoded))
        case .any, .bool, .int, .double, .string, .data, .object, .list:
            return bytes.each(Self.elements(max(0, keys).times(steps)))
        }
    }

    private func bytes(of variable: Variable, _ key: String?) -> Work {
        if variable == innermost { return .part(key) }
        return Work(outer[variable] ?? Self.bytes)
    }

    private mutating func cost(ofPath base: Term, _ steps: [PathStep], _ type: FieldType) -> (Work, Work) {
        if case .variable(let variable, _) = base {
            let key: String? = if case .key(let key)? = steps.first { key } else { nil }
            let bytes = bytes(of: variable, key)
            return (walk(steps.count, over: bytes, type), bytes)
        }
        let (work, bytes) = cost(of: base)
        return (work + walk(steps.count, over: bytes, type), bytes)
    }

    private mutating func cost(of aggregate: Aggregate, _ base: Term, _ path: FieldPath) -> (Work, Work) {
        let (work, bytes) = cost(of: base)
        let adding = bytes.each(Self.elements(path.keys.isEmpty ? 0 : aggregate.stepsOfGathering))
        let walking = walk(path.keys.count, over: bytes, .any) + adding
        var comparing = bytes.each(Self.elements(aggregate.stepsOfElement))
        if aggregate.comparesElements { comparing = comparing + bytes.each(Self.bytes) + Work(2) }
        // A path in a schema may end in dates.
        let decoding = path.keys.isEmpty ? Work() : bytes.each(Self.elements(scope.row == .any ? 0 : Steps.decoded))
        return (work + walking + comparing + decoding, bytes)
    }

    private mutating func cost(of chain: Arithmetic) -> (Work, Work) {
        var (work, bytes) = cost(of: chain.first)
        var isSet = false
        for link in chain.rest {
            let (operandWork, operandBytes) = cost(of: link.operand)
            work += operandWork
            guard link.operation.isOfSets else { continue }
            isSet = true
            let both = bytes + operandBytes
            work = work + both.each(Self.elements(Steps.hashed) + Self.bytes) + Work(4)
            bytes = both
        }
        return (work, isSet ? bytes : Work(QueryValue.numberBytes))
    }

    private mutating func cost(of function: Function, _ arguments: [Term]) -> (Work, Work) {
        var work = Work()
        var all = Work()
        for argument in arguments {
            let (argumentWork, bytes) = cost(of: argument)
            work += argumentWork
            all += bytes
        }
        work = work + all.each(Self.elements(function.stepsOfElement) + Self.bytes.times(function.stepsOfByte))
        if function.comparesElements { work = work + all.each(Self.bytes) + Work(2) }
        // Folding may turn one letter into three.
        return (work, all.each(3) + Work(QueryValue.numberBytes))
    }

    private mutating func cost(of subquery: Subquery) -> (Work, Work) {
        let (work, bytes) = cost(of: subquery.collection)
        let before = (scope, innermost, outer)
        scope = scope.binding(subquery.variable, to: scope.type(of: subquery.collection).element)
        // Inside, every outer value is assumed to be as large as possible.
        outer[subquery.variable] = bytes.mostBytes
        innermost = subquery.variable
        let inside = cost(of: subquery.condition)
        (scope, innermost, outer) = before
        let each = Steps.bound.adding(subquery.condition.stepsOfRow).adding(inside.fixed)
        let elements = bytes.each(Self.elements(each).adding(inside.growth))
        // A single value counts as a list of one.
        return (work + elements + Work(each), bytes)
    }
}

extension QueryValue {
    /// The bytes of a computed number, date or UUID as text.
    fileprivate static let numberBytes = 64

    /// An estimate of the bytes of its JSON, never too low.
    fileprivate var bytes: Int {
        switch self {
        case .string(let text): text.utf8.count.adding(3)
        case .data(let bytes): bytes.count.times(2).adding(3)
        case .list(let elements): elements.reduce(3) { $0.adding($1.bytes) }
        case .object(let object):
            zip(object.keys, object.values).reduce(3) { $0.adding($1.0.utf8.count).adding(4).adding($1.1.bytes) }
        case .shape(.polygon(let corners)): corners.count.times(Self.numberBytes)
        case .null, .bool, .int, .double, .date, .uuid, .shape(.circle): Self.numberBytes
        }
    }

    fileprivate var plainText: String { if case .string(let text) = self { text } else { "" } }
}
