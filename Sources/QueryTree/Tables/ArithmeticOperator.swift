/// An operator between two terms; the one table of their signs and precedence.
///
///     let area = Arithmetic(first: .field("radius", .none), rest: [.init(.power, .value(2, .none))])
///     Term.arithmetic(area, .none)  // → radius ** 2
///
/// Bit operators are functions in the tree (`a & b` prints as `bitwiseAnd:with:(a, b)`), see ``Function``.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable, Codable {
    /// `a + b`.
    case add
    /// `a - b`.
    case subtract
    /// `a * b`.
    case multiply
    /// `a / b`; between ints it truncates toward zero.
    case divide  // S17
    /// `a ** b`; always a double.
    case power  // S17
    /// `a UNION b`: the elements of both, each once.
    case union
    /// `a INTERSECT b`: the elements of `a` that are in `b`.
    case intersect
    /// `a MINUS b`: the elements of `a` that are not in `b`.
    case minus

    /// The properties of one operator.
    package struct Entry: Sendable {
        /// The sign or word.
        package var spelling: String
        /// Larger binds tighter; operators of the same precedence chain from left to right.
        package var precedence: Precedence
        /// A query that uses it.
        package var example: String
    }

    /// The binding strengths of everything between comparison and unary minus, loosest first.
    ///
    ///     ArithmeticOperator.add.entry.precedence < ArithmeticOperator.multiply.entry.precedence  // → true
    package enum Precedence: Int, Hashable, Sendable, Comparable, CaseIterable {
        /// `UNION INTERSECT MINUS`.
        case set
        /// `|`.
        case bitOr
        /// `^`.
        case bitXor
        /// `&`.
        case bitAnd
        /// `<< >>`.
        case shift
        /// `+ -`.
        case sum
        /// `* /`.
        case product
        /// Unary `-`.
        case negation
        /// `**`.
        case power

        /// Looser first.
        package static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
    }

    /// True for UNION, INTERSECT and MINUS.
    package var isOfSets: Bool {
        switch self {
        case .union, .intersect, .minus: true
        case .add, .subtract, .multiply, .divide, .power: false
        }
    }

    /// The operator's entry.
    package var entry: Entry {
        switch self {
        case .add: Entry(spelling: "+", precedence: .sum, example: "price + tax > 100")
        case .subtract: Entry(spelling: "-", precedence: .sum, example: "price - discount > 100")
        case .multiply: Entry(spelling: "*", precedence: .product, example: "price * quantity > 100")
        case .divide: Entry(spelling: "/", precedence: .product, example: "total / count > 10")
        case .power: Entry(spelling: "**", precedence: .power, example: "side ** 2 > 100")
        case .union: Entry(spelling: "UNION", precedence: .set, example: "3 IN a UNION b")
        case .intersect: Entry(spelling: "INTERSECT", precedence: .set, example: "3 IN a INTERSECT b")
        case .minus: Entry(spelling: "MINUS", precedence: .set, example: "3 IN a MINUS b")
        }
    }
}
