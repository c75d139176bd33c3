import QueryTree
import QueryValues

/// A comparison as SQL in both polarities.
struct Leaf {
    /// True exactly when the comparison holds.
    let holds: SQLText
    private let opposite: Opposite

    /// The SQL that is true exactly when the comparison does not hold; written only on demand, which is rare.
    private enum Opposite {
        /// `(holds) IS NOT 1`.
        case isNotTrue
        /// `(holds) IS NOT TRUE`.
        case isNotTrueInWords
        /// `NOT holds`, if `holds` is never NULL.
        case not
        /// Another piece.
        case piece(SQLText)
        /// The same comparison with another word, or a test that a value is nil.
        case compared(String, orNull: SQLText?)
        /// The sides of the comparison in a dialect's form.
        case formed(SQLForm)
    }

    private init(_ holds: SQLText, _ opposite: Opposite) { (self.holds, self.opposite) = (holds, opposite) }

    /// A comparison whose opposite has no short form.
    init(_ holds: SQLText) { self.init(holds, .isNotTrue) }

    /// A comparison with the short form of its opposite.
    init(_ holds: SQLText, fails: SQLText) { self.init(holds, .piece(fails)) }

    /// A comparison whose opposite has the truth values of other stores.
    init(inWords holds: SQLText) { self.init(holds, .isNotTrueInWords) }

    /// `subject word bound`; the opposite has another word, and also holds where a value is NULL.
    init(_ subject: SQLText, _ word: String, bound: SQLText, opposite: String, orNull: SQLText? = nil) {
        self.init(.compare(subject, word, bound), .compared(opposite, orNull: orNull))
    }

    /// `subject = bound`; the opposite has a form.
    init(_ subject: SQLText, equals bound: SQLText, differs: SQLForm) {
        self.init(.compare(subject, "=", bound), .formed(differs))
    }

    /// `subject word value`; the opposite has another word, and may also hold for nil.
    init(_ subject: SQLText, _ word: String, _ value: QueryValue, opposite: String, orNil: Bool = false) {
        let holds = SQLText.compare(subject, word, .bind(value))
        guard word == "=", let column = subject.uncollated else {
            self.init(holds, .compared(opposite, orNull: orNil ? subject : nil))
            return
        }
        // What is equal by bytes is equal by the column's collation, whose index finds it.
        self.init(.all(.compare(column, word, .bind(value)), holds), .piece(.compare(subject, opposite, .bind(value))))
    }

    /// True exactly when it does not hold.
    var fails: SQLText {
        switch opposite {
        case .isNotTrue: return holds.isNotTrue
        case .isNotTrueInWords: return holds.isNotTrueInWords
        case .not: return holds.not
        case .piece(let piece): return piece
        case .compared(let word, let orNull):
            guard let (subject, value) = sides else { return holds.isNotTrue }
            let compared = SQLText.compare(subject, word, value)
            return orNull.map { .some(compared, $0.followed(by: "IS NULL")) } ?? compared
        case .formed(let differs):
            guard let (subject, value) = sides else { return holds.isNotTrueInWords }
            return differs([subject.above(.equality), value.above(.equality)], .equality)
        }
    }

    private var sides: (SQLText, SQLText)? {
        guard case .compound(let compound) = holds, case .infix(let left, _, let right) = compound.form else {
            return nil
        }
        return (left, right)
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

    init(_ first: Leaf) { start = first }

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
