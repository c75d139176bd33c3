import QueryChecking
import QueryTree
import QueryValues

/// Random conditions over the fields of ``Hostile`` rows.
package struct ConditionGenerator {
    package var random: SeededGenerator
    /// True for rows of scalars: no lists, objects or bools.
    package var isFlat = false
    /// The names of the fields; nil for those of the rows.
    package var fields: [String]?
    /// The paths of the collections; nil for those of the rows.
    package var collections: [String]?
    /// What `@unionOfObjects` and similar are asked of: a collection, and a path from its elements.
    package var unions: [(of: String, path: String)] = []
    /// The paths after a variable.
    package var elements = ["a", "b"]
    /// More constants.
    package var constants: [QueryValue] = []
    /// How many of a hundred sides and collections are arbitrary terms.
    package var anyTerms: UInt64 = 0
    var variables: [Variable] = []

    package init(seed: UInt64, isFlat: Bool = false, anyTerms: UInt64 = 0) {
        random = SeededGenerator(seed)
        self.isFlat = isFlat
        self.anyTerms = anyTerms
    }

    package mutating func condition(_ depth: Int = 3) -> Condition {
        guard depth > 0, random.chance(55) else { return .comparison(comparison()) }
        let parts = (0..<(1 + random.below(3))).map { _ in condition(depth - 1) }
        switch random.below(3) {
        case 0: return .and(parts)
        case 1: return .or(parts)
        default: return .not(parts[0])
        }
    }

    // MARK: Terms

    mutating func constant() -> QueryValue {
        if !constants.isEmpty, random.chance(25) { return random.pick(constants) }
        if isFlat {
            let value = Hostile.scalar(&random)
            if case .bool = value { return .int(5) }
            return value
        }
        return random.chance(8) ? Hostile.value(&random) : Hostile.scalar(&random)
    }

    mutating func field() -> Term {
        var names = fields ?? ["x", "y", "n", "m", "s", "t"]
        if !isFlat, fields == nil { names += ["l", "o", "k", "o.a", "o.b", "k.a", "x.a"] }
        if !isFlat, let variable = variables.last, random.chance(60) {
            return random.chance(50)
                ? .variable(variable, .none)
                : .path(
                    .variable(variable, .none),
                    random.pick(elements).split(separator: ".").map { .key(String($0)) },
                    .none
                )
        }
        return .field(FieldPath(dotted: random.pick(names)), .none)
    }

    mutating func collection() -> Term {
        if random.chance(anyTerms) { return anyTerm() }
        if isFlat { return field() }
        if !unions.isEmpty, random.chance(40) {
            let union = random.pick(unions)
            let base = Term.field(FieldPath(dotted: union.of), .none)
            let aggregate = random.pick(Aggregate.allCases.filter(\.givesList))
            return .aggregate(aggregate, of: base, FieldPath(dotted: union.path), .none)
        }
        return .field(
            FieldPath(
                dotted: random.pick(collections ?? ["l", "k", "k.a", "k.b", "x", "o", "o.a", "x.a", "s", "k.a.b"])
            ),
            .none
        )
    }

    mutating func number(_ depth: Int = 2) -> Term {
        switch depth > 0 ? random.below(7) : random.below(2) {
        case 0: return .value(random.pick(Hostile.numbers), .none)
        case 1, 2: return field()
        case 3:
            let operators: [ArithmeticOperator] =
                random.chance(50) ? [.add, .subtract] : [.multiply, .divide]
            let rest = (0..<(1 + random.below(2))).map { _ in
                Arithmetic.Link(random.pick(operators), number(depth - 1))
            }
            return .arithmetic(Arithmetic(first: number(depth - 1), rest: rest), .none)
        case 4: return .negated(number(depth - 1), .none)
        case 5:
            let function: Function = random.pick([.absolute, .floor, .ceiling, .truncate, .onesComplement])
            return .call(function, [number(depth - 1)], .none)
        default:
            if random.chance(30) { return .call(.length, [field()], .none) }
            let function: Function = random.pick([.bitwiseAnd, .bitwiseOr, .bitwiseXor, .modulus])
            return .call(function, [number(depth - 1), number(depth - 1)], .none)
        }
    }

    private mutating func aggregate() -> Term {
        let aggregate: Aggregate = random.pick([.count, .sum, .average, .min, .max])
        let path: FieldPath = aggregate == .count || random.chance(50) ? FieldPath(keys: []) : FieldPath(keys: ["a"])
        if random.chance(15) {
            let functions: [Function] = [.sum, .count, .min, .max, .average, .median, .mode, .standardDeviation]
            return .call(random.pick(functions), [computedList()], .none)
        }
        let base: Term = random.chance(25) ? subquery() : collection()
        return .aggregate(aggregate, of: base, path, .none)
    }

    /// A list with a field in it.
    private mutating func computedList() -> Term {
        var elements = [field()]
        for _ in 0..<random.below(3) {
            elements.append(random.chance(40) ? field() : random.chance(50) ? number(1) : .constant(constant()))
        }
        return .list(elements, .none)
    }

    /// A set operation on lists or other values.
    private mutating func set() -> Term {
        func operand(_ generator: inout ConditionGenerator) -> Term {
            switch generator.random.below(5) {
            case 0: generator.field()
            case 1, 2: generator.collection()
            case 3: generator.computedList()
            default: .constant(.list((0..<3).map { _ in generator.constant() }))
            }
        }
        let rest = (0..<(1 + random.below(2))).map { _ in
            Arithmetic.Link(random.pick([.union, .intersect, .minus]), operand(&self))
        }
        return .arithmetic(Arithmetic(first: operand(&self), rest: rest), .none)
    }

    private mutating func subquery() -> Term { subquery(of: collection()) }

    mutating func subquery(of base: Term) -> Term {
        let variable = Variable("v\(variables.count)")
        variables.append(variable)
        let inner = condition(1)
        variables.removeLast()
        return .subquery(Subquery(base, variable, where: inner), .none)
    }

    private mutating func side() -> Term {
        if random.chance(anyTerms) { return anyTerm() }
        switch random.below(12) {
        case 10: return .call(random.pick([.uppercase, .lowercase]), [field()], .none)
        case 11:
            if random.chance(50) || isFlat {
                return .cast(field(), random.pick([.number, .string, .decimal]), .none)
            }
            return .call(random.pick([.mode, .standardDeviation]), [collection()], .none)
        case 0: return number()
        case 1: return isFlat ? number() : aggregate()
        case 2: return .constant(constant())
        case 3:
            guard !isFlat else { return field() }
            return .index(
                .field(FieldPath(dotted: random.pick(["l", "x", "k"])), .none),
                random.pick([.first, .last, .size, .at(.value(.int(1), .none)), .at(.value(.string("a"), .none))]),
                .none
            )
        default: return field()
        }
    }

    // MARK: Comparisons

    private mutating func options() -> StringOptions {
        random.pick([[], [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    }

    private mutating func comparison() -> Comparison {
        var quantifier: Comparison.Quantifier?
        var left = side()
        if random.chance(20) {
            quantifier = random.pick([.any, .all])
            left = random.chance(15) && !isFlat ? subquery() : random.chance(8) ? computedList() : collection()
        }
        switch random.below(12) {
        case 0, 1, 2:
            return Comparison(
                left,
                random.pick([.equal, .notEqual]),
                right(),
                quantifier: quantifier,
                options: options()
            )
        case 3, 4:
            let operation: Comparison.Operator = random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual])
            return Comparison(left, operation, right(), quantifier: quantifier, options: options())
        case 5:
            let bounds: Term =
                random.chance(80)
                ? .list([.constant(constant()), random.chance(70) ? .constant(constant()) : field()], .none) : field()
            return Comparison(left, .between, bounds, quantifier: quantifier)
        case 6, 7:
            if random.chance(10) {
                return Comparison(left, .in, set(), quantifier: quantifier, options: options())
            }
            let list: Term =
                random.chance(60)
                ? .list((0..<random.below(4)).map { _ in random.chance(85) ? .constant(constant()) : field() }, .none)
                : collection()
            return Comparison(left, .in, list, quantifier: quantifier, options: options())
        case 8:
            return Comparison(left, .contains, right(), quantifier: quantifier, options: options())
        default:
            let operation: Comparison.Operator = random.pick([.beginsWith, .endsWith, .like, .matches])
            var options = options()
            if operation == .matches { options.remove(.diacriticInsensitive) }
            return Comparison(left, operation, text(operation), quantifier: quantifier, options: options)
        }
    }

    private mutating func text(_ operation: Comparison.Operator) -> Term {
        if operation == .matches {
            return .value(.string(random.pick(["a.*", "[0-9]+", "", "é?", ".", "a|ab", "\\w+", "k"])), .none)
        }
        if random.chance(20) { return field() }
        var text = random.pick(Hostile.texts)
        if operation == .like { text = random.pick(["", "*", "?", "a"]) + text + random.pick(["", "*", "?"]) }
        if operation == .like, text.hasSuffix("\\"), !text.hasSuffix("\\\\") { text += "\\" }
        return .value(.string(text), .none)
    }

    private mutating func right() -> Term {
        random.chance(70) ? .constant(constant()) : side()
    }
}
