import QueryValues

/// A predicate as a tree: what a row must satisfy.
///
///     let adult = try Condition(format: "age >= 18")
///     let local: Condition = Field("city") == "Boston"
///     adult && !local  // → age >= 18 AND NOT city == "Boston"
///
/// Every condition is true or false for every object (S6).
/// AND and OR hold an array, so flat chains stay flat; an empty AND is true, an empty OR false.
public indirect enum Condition: Hashable, Sendable {
    /// TRUEPREDICATE or FALSEPREDICATE.
    case constant(Bool)
    /// `left operator right`, optionally quantified.
    case comparison(Comparison)
    /// Every part holds.
    case and([Condition])
    /// Some part holds.
    case or([Condition])
    /// The part does not hold.
    case not(Condition)

    /// The first source range that belongs to this condition.
    public var origin: Origin {
        switch self {
        case .constant: .none
        case .comparison(let comparison): comparison.origin
        case .and(let parts), .or(let parts): parts.reduce(.none) { $0.union($1.origin) }
        case .not(let part): part.origin
        }
    }
}

extension Condition {
    /// Both hold.
    public static func && (left: Condition, right: Condition) -> Condition {
        .and(left.conjuncts + right.conjuncts)
    }

    /// At least one holds.
    public static func || (left: Condition, right: Condition) -> Condition {
        .or(left.disjuncts + right.disjuncts)
    }

    /// It does not hold.
    public static prefix func ! (condition: Condition) -> Condition {
        .not(condition)
    }

    private var conjuncts: [Condition] {
        if case .and(let parts) = self { parts } else { [self] }
    }

    private var disjuncts: [Condition] {
        if case .or(let parts) = self { parts } else { [self] }
    }
}

/// `ANY children.age < 18`: a term, an operator and a term.
///
///     let comparison = Comparison(.field("age", .none), .less, .value(18, .none))
///     Condition.comparison(comparison)  // → age < 18
public struct Comparison: Hashable, Sendable {
    /// ANY or ALL in front; SOME is ANY, NONE is NOT ANY.
    public var quantifier: Quantifier?  // S10
    /// The left term; under a quantifier the collection.
    public var left: Term
    /// The operator.
    public var `operator`: Operator
    /// The right term.
    public var right: Term
    /// `[c] [d] [n] [l]` after the operator.
    public var options: StringOptions  // S14
    /// The source range of the whole comparison.
    public var origin: Origin

    /// A comparison of two terms.
    ///
    ///     Condition.comparison(Comparison(.field("tags", .none), .equal, .value("red", .none), quantifier: .all))
    ///     // → ALL tags == "red"
    ///
    /// - Parameters:
    ///   - left: the left term.
    ///   - operator: the operator.
    ///   - right: the right term.
    ///   - quantifier: ANY or ALL over the left term, nil for neither.
    ///   - options: letters after the operator; none are allowed on BETWEEN.
    ///   - origin: the place of the comparison in its text.
    public init(
        _ left: Term,
        _ operator: Operator,
        _ right: Term,
        quantifier: Quantifier? = nil,
        options: StringOptions = [],
        origin: Origin = .none
    ) {
        self.quantifier = quantifier
        self.left = left
        self.operator = `operator`
        self.right = right
        self.options = options
        self.origin = origin
    }
}
