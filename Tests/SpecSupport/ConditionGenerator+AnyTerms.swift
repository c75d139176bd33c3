import QueryParsing
import QueryTree
import QueryValues

// Terms of every form in every place that the language allows.

extension ConditionGenerator {
    /// A condition as the parser reads its text; nil if it is rejected.
    package mutating func parsed(anyTerms percent: UInt64, schema: Schema? = nil) -> Condition? {
        let before = anyTerms
        anyTerms = percent
        defer { anyTerms = before }
        return try? Condition(parsing: condition().format, schema: schema)
    }

    /// A computed group key; with `any`, some are arbitrary terms.
    package mutating func groupKey(any: Bool) -> Term {
        switch random.below(any ? 7 : 6) {
        case 0, 1: return number()
        case 2: return .call(random.pick([.uppercase, .lowercase]), [field()], .none)
        case 3: return .call(.length, [field()], .none)
        case 4, 5:
            let pairs: [[QueryValue]] = [["big", "small"], [1, 2], [true, false], [1.5, nil], ["a", nil]]
            let branches = random.pick(pairs).map { Term.value($0, .none) }
            return .conditional(simply { $0.condition(1) }, branches[0], branches[1], .none)
        default: return anyTerm()
        }
    }

    /// An arbitrary term of arbitrary terms.
    mutating func anyTerm(_ depth: Int = 3) -> Term {
        guard depth > 0, random.chance(85) else { return simpleTerm() }
        func inner(_ generator: inout ConditionGenerator) -> Term { generator.anyTerm(depth - 1) }
        switch random.below(isFlat ? 9 : 11) {
        case 0: return .list((0..<random.below(4)).map { _ in inner(&self) }, .none)
        case 1:
            let path: FieldPath =
                isFlat || random.chance(60) ? FieldPath(keys: []) : FieldPath(keys: [random.pick(["a", "b"])])
            let aggregate = random.pick(Aggregate.allCases)
            // A number of elements has no keys.
            return .aggregate(aggregate, of: inner(&self), aggregate == .count ? FieldPath(keys: []) : path, .none)
        case 2:
            let operators: [ArithmeticOperator] = [.add, .subtract, .multiply, .divide, .union, .intersect, .minus]
            let links = (0..<(1 + random.below(2))).map { _ in Arithmetic.Link(random.pick(operators), inner(&self)) }
            return .arithmetic(Arithmetic(first: inner(&self), rest: links), .none)
        case 3: return .negated(inner(&self), .none)
        case 4, 5:
            let function = random.pick(Function.allCases.filter { $0 != .random && $0 != .randomBelow })
            var arguments = function.entry.arguments.map { _ in inner(&self) }
            if function.entry.last != nil, random.chance(50) { arguments.append(zone()) }
            return .call(function, arguments, .none)
        case 6: return simply { $0.subquery(of: $0.anyTerm(depth - 1)) }
        case 7: return .conditional(simply { $0.condition(1) }, inner(&self), inner(&self), .none)
        case 8: return .cast(inner(&self), random.pick(CastTarget.allCases), .none)
        // Columns hold scalars.
        case 9: return .path(inner(&self), [.key(random.pick(["a", "b"]))], .none)
        default: return .index(inner(&self), index(depth), .none)
        }
    }

    /// Conditions inside terms contain no such terms, which would otherwise grow without end.
    private mutating func simply<Part>(_ make: (inout ConditionGenerator) -> Part) -> Part {
        let percent = anyTerms
        anyTerms = 0
        defer { anyTerms = percent }
        return make(&self)
    }

    /// A zone of a function of dates.
    package mutating func zone() -> Term {
        let names = ["UTC", "+14:00", "-14:00", "-00:30", "Europe/Vienna", "America/New_York", "Asia/Kathmandu"]
        return .value(.string(random.pick(names)), .none)
    }

    private mutating func simpleTerm() -> Term {
        if !isFlat, random.chance(40) {
            return .field(FieldPath(keys: [random.pick(["l", "k", "o", "x"])]), .none)
        }
        return random.chance(70) ? field() : .constant(constant())
    }

    private mutating func index(_ depth: Int) -> Index {
        switch random.below(5) {
        case 0: .first
        case 1: .last
        case 2: .size
        case 3: .at(.value(random.pick([.int(0), .int(1), .string("a")]), .none))
        default: .at(anyTerm(depth - 1))
        }
    }
}
