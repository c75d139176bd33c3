import QueryValues

/// A function with its own node in the tree; arithmetic names such as `add:to:` produce other nodes.
///
///     try Condition(format: "sqrt(area) > 2") == Condition(format: "sqrt:(area) > 2")  // → true
///     Function.squareRoot.rawValue  // → squareRoot
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
    /// The largest whole number not greater.
    case floor
    /// The smallest whole number not less.
    case ceiling
    /// Absolute value.
    case absolute
    /// Toward zero.
    case truncate
    /// A random number from 0 to 1.
    case random
    /// A random int below a bound.
    case randomBelow
    /// The instant of the run.
    case now  // S20
    /// Bits in both.
    case bitwiseAnd
    /// Bits in either.
    case bitwiseOr
    /// Bits in exactly one.
    case bitwiseXor
    /// Bits shifted left.
    case leftShift
    /// Bits shifted right.
    case rightShift
    /// Every bit inverted.
    case onesComplement
    /// Upper case.
    case uppercase
    /// Lower case.
    case lowercase
    /// The number of Unicode scalars.
    case length
    /// The same value; a hint to some stores.
    case noindex
    /// The distance between two points in metres.
    case distance
    /// The year of a date, in UTC or in a zone.
    case year  // S28
    /// The month of a date, 1 to 12.
    case month  // S28
    /// The day of a date's month, 1 to 31.
    case day  // S28
    /// The day of a date's week, 1 (Sunday) to 7.
    case weekday  // S28
    /// The hour of a date, 0 to 23.
    case hour  // S28
    /// The minute of a date, 0 to 59.
    case minute  // S28
}

/// One entry of the function table: all the properties that functions share.
///
///     let entry = FunctionEntry.named("sqrt")
///     entry?.name  // → sqrt:
///     entry?.arguments.map(\.rawValue)  // → ["number"]
///     entry?.sql.isThere  // → true
package struct FunctionEntry: Sendable {
    /// What a call becomes in the tree.
    ///
    ///     FunctionEntry.named("sqrt")?.node == .call(.squareRoot)  // → true
    package enum Node: Hashable, Sendable {
        /// A call node.
        case call(Function)
        /// A link of an arithmetic chain; `true` if the arguments are in the sign's order.
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
    ///     FunctionEntry.named("modulus:by:")?.arguments.map(\.rawValue)  // → ["int", "int"]
    package enum Argument: String, Hashable, Sendable {
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
        /// A geographic point.
        case place
        /// A date.
        case date
        /// A constant text that names a time zone.
        case zone
    }

    /// What the result is.
    ///
    ///     FunctionEntry.named("lowercase")?.result  // → string
    package enum Result: String, Hashable, Sendable {
        /// An int.
        case int
        /// A double.
        case double
        /// An int or a double, like the argument.
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

    /// How a store spells a function.
    package enum Spelling: Hashable, Sendable, ExpressibleByStringLiteral {
        /// A function or operator of the store: `$sqrt`, `sqrt`, `&`.
        case name(String)
        /// Composed from other functions, as the text describes.
        case form(String)
        /// The library's own function.
        static let registered = Spelling.form("pred_call, registered on the connection")
        /// Not available, for the reason given; the backend throws an error (never silent).
        case missing(String)

        /// A function or operator of the store.
        package init(stringLiteral name: String) {
            self = .name(name)
        }

        /// True if the store supports it.
        package var isThere: Bool {
            if case .missing = self { false } else { true }
        }

        /// The store's own name; empty for a composed form.
        ///
        /// - Parameter call: the call's range in the query.
        /// - Returns: the word.
        /// - Throws: `QueryError` of code `unsupported` with the reason if it is not available.
        package func word(at call: Origin) throws(QueryError) -> String {
            switch self {
            case .name(let name): return name
            case .form: return ""
            case .missing(let reason): throw QueryError(.unsupported, reason, at: call)
            }
        }
    }

    /// The name as written before the parenthesis, with its colons: `sqrt:`, `modulus:by:`, `now`.
    package var name: String
    /// What a call becomes.
    package var node: Node
    /// The kinds of the arguments that every call has.
    package var arguments: [Argument]
    /// A last argument that a call may leave out, and the label that it adds to the name.
    package var last: (label: String, argument: Argument)?
    /// The kind of the result; any function may also give nil if an argument does not fit.
    package var result: Result
    /// The operator sign that makes the same node, if any.
    package var sign: String?
    /// A short description.
    package var summary: String
    /// A query that uses it.
    package var example: String
    /// The Mongo expression for it.
    package var mongo: Spelling
    /// The SQL for it; a dialect may use another name.
    package var sql: Spelling

    /// The names a call may use: one-argument functions also work without the colon.
    package var spellings: [String] {
        (arguments.count == 1 && name.hasSuffix(":") ? [String(name.dropLast()), name] : [name])
            + (last.map { [name + $0.label] } ?? [])
    }

    /// The name of a call with this many arguments, with its colons: `year:`, `year:in:`.
    package func name(of count: Int) -> String { name + (count > arguments.count ? last?.label ?? "" : "") }

    /// What an argument must be; nil for one too many.
    package func argument(at position: Int) -> Argument? {
        position < arguments.count ? arguments[position] : position == arguments.count ? last?.argument : nil
    }

    /// True if a call may have this many arguments.
    package func takes(_ count: Int) -> Bool { count == arguments.count || last != nil && count == arguments.count + 1 }
}

extension Function {
    /// The function's entry of the table.
    ///
    ///     Function.lowercase.entry.name  // → lowercase:
    package var entry: FunctionEntry { Self.entries[self] ?? FunctionEntry.table[0] }

    private static let entries: [Function: FunctionEntry] = {
        var entries: [Function: FunctionEntry] = [:]
        for entry in FunctionEntry.table {
            if case .call(let function) = entry.node { entries[function] = entry }
        }
        return entries
    }()
}

extension FunctionEntry {
    /// The entry of CAST.
    package static let cast = entry(of: .cast)
    /// The entry of the comparison `geoWithin`.
    package static let geoWithin = entry(of: .geoWithin)

    private static func entry(of node: Node) -> FunctionEntry {
        table.first { $0.node == node } ?? table[0]
    }

    /// The entry that a name before a parenthesis belongs to, or nil for an unknown function.
    ///
    ///     FunctionEntry.named("sqrt")?.name  // → sqrt:
    ///     FunctionEntry.named("cube") == nil  // → true
    ///
    /// O(1).
    ///
    /// - Parameter spelling: in its own case, with or without the colon of one-argument functions.
    /// - Returns: the entry, or nil.
    package static func named(_ spelling: String) -> FunctionEntry? {
        byName[UTF8Key(spelling)]
    }

    private static let byName: [UTF8Key: FunctionEntry] = Dictionary(
        table.flatMap { entry in entry.spellings.map { (UTF8Key($0), entry) } },
        uniquingKeysWith: { first, _ in first }
    )
}
