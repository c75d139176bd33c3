import QueryValues

/// A function that is a node of its own in the tree; arithmetic names such as `add:to:` make other nodes.
///
///     Function.squareRoot.row.name  // → sqrt:
///     Function.squareRoot.row.example  // → sqrt(a) > 1
public enum Function: String, Hashable, Sendable, CaseIterable, Codable {
    /// Sum of a list.
    case sum
    /// Number of elements of a list.
    case count
    /// Least element.
    case min
    /// Greatest element.
    case max
    /// Mean of a list.
    case average
    /// Middle of a list.
    case median
    /// Most frequent elements, as a list.
    case mode
    /// Population standard deviation.
    case standardDeviation
    /// Remainder of two ints.
    case modulus
    /// Square root.
    case squareRoot
    /// Logarithm to base ten.
    case log
    /// Natural logarithm.
    case ln
    /// e to a power.
    case exp
    /// Largest whole number below.
    case floor
    /// Smallest whole number above.
    case ceiling
    /// Absolute value.
    case absolute
    /// Toward zero.
    case truncate
    /// A random number from 0 to 1.
    case random
    /// A random int below a bound.
    case randomBelow
    /// The instant of the run (S20).
    case now
    /// Bits in both.
    case bitwiseAnd
    /// Bits in one.
    case bitwiseOr
    /// Bits in exactly one.
    case bitwiseXor
    /// Bits moved up.
    case leftShift
    /// Bits moved down.
    case rightShift
    /// Every bit turned.
    case onesComplement
    /// Upper case.
    case uppercase
    /// Lower case.
    case lowercase
    /// Number of characters.
    case length
    /// The same value; a hint to some stores.
    case noindex
    /// Metres between two places.
    case distance
}

/// One row of the function table: everything regular about a function.
///
///     let row = FunctionRow.named("sqrt")
///     row?.name  // → sqrt:
///     row?.arguments.map(\.rawValue)  // → ["number"]
///     row?.sql.isThere  // → true
public struct FunctionRow: Sendable {
    /// What a call becomes in the tree.
    ///
    ///     FunctionRow.named("sqrt")?.node == .call(.squareRoot)  // → true
    public enum Node: Hashable, Sendable {
        /// A call node.
        case call(Function)
        /// A link of an arithmetic chain; `true` when the arguments stand in the sign's order.
        case arithmetic(ArithmeticOperator)
        /// CAST.
        case cast
        /// An index.
        case index
        /// The comparison `geoWithin`.
        case geoWithin
    }

    /// What an argument must be.
    ///
    ///     FunctionRow.named("modulus:by:")?.arguments.map(\.rawValue)  // → ["int", "int"]
    public enum Argument: String, Hashable, Sendable {
        /// A number.
        case number
        /// An int.
        case int
        /// Text.
        case string
        /// A list.
        case list
        /// Any value.
        case any
        /// A place on the globe.
        case place
    }

    /// What the result is.
    ///
    ///     FunctionRow.named("lowercase")?.result  // → string
    public enum Result: String, Hashable, Sendable {
        /// An int.
        case int
        /// A double.
        case double
        /// An int or a double, as the argument is.
        case number
        /// Text.
        case string
        /// A date.
        case date
        /// An element of the list.
        case element
        /// A list.
        case list
        /// Whatever the argument is.
        case same
    }

    /// How a store says a function.
    public enum Spelling: Hashable, Sendable, ExpressibleByStringLiteral {
        /// A function or operator of the store: `$sqrt`, `sqrt`, `&`.
        case name(String)
        /// Put together from others, as the text says.
        case form(String)
        /// Not there, for the reason that the text gives; the backend refuses it (never silent).
        case missing(String)

        /// A function or operator of the store.
        public init(stringLiteral name: String) {
            self = .name(name)
        }

        /// True when the store can say it.
        public var isThere: Bool {
            if case .missing = self { false } else { true }
        }

        /// The store's own word; empty for a form put together from others.
        ///
        /// - Parameter call: the call's place in the query.
        /// - Returns: the word.
        /// - Throws: `QueryError` of code `unsupported` with the reason when it is not there.
        package func word(at call: Origin) throws(QueryError) -> String {
            switch self {
            case .name(let name): return name
            case .form: return ""
            case .missing(let reason): throw QueryError(.unsupported, reason, at: call)
            }
        }
    }

    /// The name as written before the parenthesis, with its colons: `sqrt:`, `modulus:by:`, `now`.
    public var name: String
    /// What a call becomes.
    public var node: Node
    /// The kinds of the arguments; their number is fixed.
    public var arguments: [Argument]
    /// The kind of the result; nil means "or nil when an argument does not fit".
    public var result: Result
    /// The operator sign that makes the same node, if any.
    public var sign: String?
    /// What it means in a few words.
    public var summary: String
    /// A query that uses it.
    public var example: String
    /// How a Mongo expression says it.
    public var mongo: Spelling
    /// How SQL says it; a dialect may name it otherwise.
    public var sql: Spelling

    /// The names a call may use: one-argument functions also without the colon.
    public var spellings: [String] {
        arguments.count == 1 && name.hasSuffix(":") ? [String(name.dropLast()), name] : [name]
    }
}

extension Function {
    /// The function's row of the table.
    ///
    ///     Function.lowercase.row.name  // → lowercase:
    public var row: FunctionRow { Self.rows[self] ?? FunctionRow.table[0] }

    private static let rows: [Function: FunctionRow] = {
        var rows: [Function: FunctionRow] = [:]
        for row in FunctionRow.table {
            if case .call(let function) = row.node { rows[function] = row }
        }
        return rows
    }()
}

extension FunctionRow {
    /// The row of CAST.
    package static let cast = row(of: .cast)
    /// The row of the comparison `geoWithin`.
    package static let geoWithin = row(of: .geoWithin)

    private static func row(of node: Node) -> FunctionRow {
        table.first { $0.node == node } ?? table[0]
    }

    /// The row that a name before a parenthesis belongs to, or nil for an unknown function.
    ///
    ///     FunctionRow.named("sqrt")?.name  // → sqrt:
    ///     FunctionRow.named("cube") == nil  // → true
    ///
    /// O(1).
    ///
    /// - Parameter spelling: in its own case, with or without the colon of one-argument functions.
    /// - Returns: the row, or nil.
    public static func named(_ spelling: String) -> FunctionRow? {
        byName[UTF8Key(spelling)]
    }

    private static let byName: [UTF8Key: FunctionRow] = Dictionary(
        table.flatMap { row in row.spellings.map { (UTF8Key($0), row) } },
        uniquingKeysWith: { first, _ in first }
    )
}
