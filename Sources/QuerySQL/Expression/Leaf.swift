import QueryTree
import QueryValues

/// A comparison as SQL in both polarities.
struct Leaf {
    /// True exactly when the comparison holds.
    var holds: SQLText
    private let opposite: Opposite

    /// The SQL that is true exactly when the comparison does not hold; written only on demand, which is rare.
    private enum Opposite {
        /// `(holds) IS NOT 1`.
        case isNotTrue
        /// `NOT holds`, if `holds` is never NULL.
        case not
        /// Another piece.
        case piece(SQLText)
        /// The same comparison with another word, or a test that its left side is nil.
        case compared(String, orNil: Bool)
    }

    private init(_ holds: SQLText, _ opposite: Opposite) {
        self.holds = holds
        self.opposite = opposite
    }

    /// A comparison whose opposite has no short form.
    init(_ holds: SQLText) { self.init(holds, .isNotTrue) }

    /// A comparison with the short form of its opposite.
    init(_ holds: SQLText, fails: SQLText) { self.init(holds, .piece(fails)) }

    /// `subject word value`; the opposite has another word, and may also hold for nil.
    init(_ subject: SQLText, _ word: String, _ value: QueryValue, opposite: String, orNil: Bool = false) {
        let holds = SQLText.compare(subject, word, .bind(value))
        guard word == "=", let column = subject.uncollated else {
            self.init(holds, .compared(opposite, orNil: orNil))
            return
        }
        // What is equal by bytes is equal by the column's collation, whose index finds it.
        self.init(.all(.compare(column, word, .bind(value)), holds), .piece(.compare(subject, opposite, .bind(value))))
    }

    /// True exactly when it does not hold.
    var fails: SQLText {
        switch opposite {
        case .isNotTrue: return holds.isNotTrue
        case .not: return holds.not
        case .piece(let piece): return piece
        case .compared(let word, let orNil):
            guard case .compound(let compound) = holds, case .infix(let subject, _, let value) = compound.form else {
                return holds.isNotTrue
            }
            let compared = SQLText.compare(subject, word, value)
            return orNil ? .some(compared, subject.followed(by: "IS NULL")) : compared
        }
    }

    static var never: Leaf { Leaf(.zero, fails: .one) }
    static var always: Leaf { Leaf(.one, fails: .zero) }

    /// A comparison that is never NULL.
    static func twoValued(_ holds: SQLText) -> Leaf { Leaf(holds, .not) }

    var reversed: Leaf { Leaf(fails, fails: holds) }

    static func some(_ leaves: [Leaf]) -> Leaf {
        leaves.count == 1 ? leaves[0] : Leaf(.some(leaves.map(\.holds)), fails: .all(leaves.map(\.fails)))
    }

    static func all(_ leaves: [Leaf]) -> Leaf {
        leaves.count == 1 ? leaves[0] : Leaf(.all(leaves.map(\.holds)), fails: .some(leaves.map(\.fails)))
    }
}

/// A chain of set operators in order: operands of one kind are collected and joined once.
struct LeafRun {
    /// The combination of all links before this run.
    private(set) var start: Leaf
    private var others: [Leaf] = []
    private var isUnion = true

    init(_ first: Leaf) {
        start = first
    }

    /// Adds an operand.
    ///
    /// - Returns: true if a new run starts and the previous one has been joined.
    mutating func add(_ leaf: Leaf, _ operation: ArithmeticOperator) -> Bool {
        let joins = (operation == .union) != isUnion && !others.isEmpty
        if joins { (start, others) = (whole, []) }
        isUnion = operation == .union
        others.append(operation == .minus ? leaf.reversed : leaf)
        return joins
    }

    /// The whole chain so far.
    var whole: Leaf {
        if others.isEmpty { return start }
        return isUnion ? .some([start] + others) : .all([start] + others)
    }
}
