import PredicateQL
import QueryChecking
import QueryTree
import QueryValues

/// Random documents and conditions that repeat from their seed.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    private static let texts = [
        "", "a", "b", "ab", "Ab", "é", "e", "a.c", "ab\n", "É", "k", "\u{212A}", "1970-01-01", "1970-01-01T00:00:01Z",
        "1970-01-01T00:00:02.00Z", "1970-01-01T01:00:01+0100",
    ]

    /// A leap day, ends of years, and those of the years whose parts are taken (S28).
    private static let instants: [Int64] = [
        -1, 1_709_249_400_500, 1_735_689_599_999, -62_135_596_800_000, -62_135_596_800_001, 253_402_300_799_999,
        253_402_300_800_000, -62_135_550_000_000, 253_402_260_000_000,
    ]

    mutating func scalar(allowsNaN: Bool = true) -> QueryValue {
        switch below(12) {
        case 0: .null
        case 1: .bool(below(2) == 0)
        case 2...5: .int(Int64(below(7) - 2))
        case 6: .double(pick([0.5, 2.0, -1.5, 1e20, allowsNaN ? .nan : 3.5]))
        case 7...10: .string(pick(Self.texts))
        default: .date(below(2) == 0 ? Int64(below(3)) * 1000 : pick(Self.instants))
        }
    }

    mutating func value(depth: Int = 2) -> QueryValue {
        switch depth == 0 ? 0 : below(10) {
        case 0...5: return scalar(allowsNaN: depth == 2)
        case 6, 7: return .list((0..<below(4)).map { _ in value(depth: depth - 1) })
        default: return .object(object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int) -> Document {
        var object = Document()
        for key in ["x", "y"] where below(4) > 0 { object[key] = value(depth: depth) }
        return object
    }

    mutating func row() -> Document {
        var row = Document()
        for key in ["a", "b", "o"] where below(5) > 0 { row[key] = value() }
        return row
    }

    mutating func field() -> Term { .field(FieldPath(dotted: pick(["a", "b", "o", "o.x", "o.y", "a", "b"])), .none) }
}

extension Generator {
    mutating func condition(depth: Int = 2) -> Condition {
        switch depth == 0 ? 9 : below(10) {
        case 0: return .and((0..<(2 + below(2))).map { _ in condition(depth: depth - 1) })
        case 1: return .or((0..<(2 + below(2))).map { _ in condition(depth: depth - 1) })
        case 2, 3: return .not(condition(depth: depth - 1))
        default: return .comparison(comparison())
        }
    }

    private mutating func constant() -> Term { .constant(scalar()) }

    private static let compared: [Comparison.Operator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    private static let textual: [Comparison.Operator] = [.beginsWith, .endsWith, .like, .contains]

    mutating func comparison() -> Comparison {
        let quantifier: Comparison.Quantifier? = below(3) == 0 ? pick([.any, .all]) : nil
        switch below(9) {
        case 0, 1, 2: return Comparison(field(), pick(Self.compared), constant(), quantifier: quantifier)
        case 3: return Comparison(field(), .between, .list([constant(), constant()], .none), quantifier: quantifier)
        case 4:
            return Comparison(
                field(),
                .in,
                .list((0..<below(4)).map { _ in constant() }, .none),
                quantifier: quantifier
            )
        case 5:
            let options: StringOptions = pick([[], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]])
            let text = Term.value(.string(pick(Self.texts)), .none)
            return Comparison(field(), pick(Self.textual + [.equal]), text, quantifier: quantifier, options: options)
        case 6: return Comparison(field(), pick([.contains, .contains, .in]), pick([constant(), field()]))
        case 7: return Comparison(computed(), pick(Self.compared), pick([present(), field(), term(depth: 1)]))
        default:
            let count = Term.aggregate(.count, of: field(), FieldPath(keys: []), .none)
            return Comparison(count, pick(Self.compared), .value(.int(Int64(below(4))), .none))
        }
    }

    private mutating func computed() -> Term { term(depth: 2) }

    /// A constant that is not nil.
    private mutating func present() -> Term { .constant(pick([1, 2, 0, 2.5, "a", true])) }

    mutating func term(depth: Int) -> Term {
        guard depth > 0 else { return field() }
        switch below(9) {
        case 0:
            let variable: Variable = "x"
            let left: Term = pick([.variable(variable, .none), .path(.variable(variable, .none), [.key("x")], .none)])
            let inner = Comparison(left, pick(Self.compared), present())
            let found = Term.subquery(Subquery(field(), variable, where: .comparison(inner)), .none)
            return .aggregate(.count, of: found, FieldPath(keys: []), .none)
        case 1, 2:
            let path = pick([[], ["x"], ["y"]])
            return .aggregate(pick([.sum, .average, .min, .max]), of: field(), FieldPath(keys: path), .none)
        case 3, 4:
            let operation: ArithmeticOperator = pick([.add, .subtract, .multiply, .divide])
            return .arithmetic(Arithmetic(first: term(depth: depth - 1), rest: [.init(operation, present())]), .none)
        case 5: return .negated(field(), .none)
        case 6: return .index(field(), pick([.first, .last, .size, .at(.value(.int(1), .none))]), .none)
        case 7 where below(3) == 0:
            let zone = pick(["UTC", "+14:00", "-14:00", "-00:30", "Europe/Vienna", "America/New_York"])
            let zones = below(2) == 0 ? [] : [Term.value(.string(zone), .none)]
            return .call(pick([.year, .month, .day, .weekday, .hour, .minute]), [field()] + zones, .none)
        case 7:
            return .call(pick([.absolute, .floor, .squareRoot, .length, .noindex]), [field()], .none)
        default: return field()
        }
    }
}
