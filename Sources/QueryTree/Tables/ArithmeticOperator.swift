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
    /// `a / b`; between ints it truncates toward zero (S17).
    case divide
    /// `a ** b`; always a double (S17).
    case power
    /// `a UNION b`: the elements of both, each once.
    case union
    /// `a INTERSECT b`: the elements of `a` that are in `b`.
    case intersect
    /// `a MINUS b`: the elements of `a` that are not in `b`.
    case minus

    /// The properties of one operator.
    package struct Row: Sendable {
        /// The sign or word.
        package var spelling: String
        /// Larger binds tighter; operators of the same precedence chain from left to right.
        package var precedence: Precedence
        /// A query that uses it.
        package var example: String
    }

    /// The binding strengths of everything between comparison and unary minus, loosest first.
    ///
    ///     ArithmeticOperator.add.row.precedence < ArithmeticOperator.multiply.row.precedence  // → true
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

    /// The operator's row.
    package var row: Row {
        switch self {
        case .add: Row(spelling: "+", precedence: .sum, example: "price + tax > 100")
        case .subtract: Row(spelling: "-", precedence: .sum, example: "price - discount > 100")
        case .multiply: Row(spelling: "*", precedence: .product, example: "price * quantity > 100")
        case .divide: Row(spelling: "/", precedence: .product, example: "total / count > 10")
        case .power: Row(spelling: "**", precedence: .power, example: "side ** 2 > 100")
        case .union: Row(spelling: "UNION", precedence: .set, example: "3 IN a UNION b")
        case .intersect: Row(spelling: "INTERSECT", precedence: .set, example: "3 IN a INTERSECT b")
        case .minus: Row(spelling: "MINUS", precedence: .set, example: "3 IN a MINUS b")
        }
    }
}
