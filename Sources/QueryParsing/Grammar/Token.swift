import QueryChecking
import QueryTree
import QueryValues

/// A token: its kind and its range.
struct Token {
    /// What a token is; words and signs come from the tables of QueryTree.
    enum Kind: Hashable {
        /// The end of the text.
        case end
        /// An unrecognized token; `value` holds the ``LexicalFault``.
        case invalid
        /// A word that is not a keyword: a key, or a function's name.
        case word
        /// `#word`: a key, whatever the word means elsewhere.
        case escapedWord
        /// `@word`.
        case aggregate
        /// `$word`.
        case variable
        /// `word:word:` before a parenthesis.
        case functionName
        /// `word:` before anything else.
        case selector
        /// A whole number; `value` holds it without sign.
        case int
        /// A double; `value` holds its bits.
        case float
        /// A text in quotes; `value` is 1 when it has escapes.
        case string
        /// `%@`, `%K`, `%ld`; `value` holds the ``Specifier``.
        case specifier
        /// AND, OR, NOT, a quantifier, as word or sign.
        case logical(LogicalWord)
        /// A comparison, as word or sign.
        case comparison(Comparison.Operator)
        /// A literal, SELF, a special call, an index word.
        case reserved(ReservedWord)
        /// `+ - * / **`, UNION ….
        case arithmetic(ArithmeticOperator, Strength)
        /// `& | ^ << >>`.
        case bits(Function, Strength)
        /// `(`.
        case open
        /// `)`.
        case close
        /// `[`.
        case openBracket
        /// `]`.
        case closeBracket
        /// `{`.
        case openBrace
        /// `}`.
        case closeBrace
        /// `,`.
        case comma
        /// `.`.
        case dot
        /// `:=`.
        case assign
    }

    var kind: Kind
    var start: Int
    var end: Int
    var value: UInt64 = 0

    var range: Range<Int> { start..<end }
}

extension Token.Kind {
    /// How tightly the operator binds, or nil if it is not an infix operator.
    var strength: Strength? {
        switch self {
        case .logical(.or): .or
        case .logical(.and): .and
        case .comparison: .comparison
        case .arithmetic(_, let strength), .bits(_, let strength): strength
        default: nil
        }
    }
}

/// How tightly an infix operator binds, loosest first.
enum Strength: UInt8, Comparable {
    case or, and, comparison, set, bitOr, bitXor, bitAnd, shift, sum, product, power, operand

    /// The next tighter one.
    var tighter: Strength { Strength(rawValue: rawValue &+ 1) ?? .operand }

    init(_ precedence: ArithmeticOperator.Precedence) {
        switch precedence {
        case .set: self = .set
        case .bitOr: self = .bitOr
        case .bitXor: self = .bitXor
        case .bitAnd: self = .bitAnd
        case .shift: self = .shift
        case .sum: self = .sum
        case .product: self = .product
        case .negation, .power: self = .power
        }
    }

    static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
}

/// Why a piece of text is not a token; the parser writes the message.
enum LexicalFault: UInt64 {
    /// A character that is not part of the language.
    case character
    /// A text without its closing quote.
    case unclosedString
    /// A whole number beyond 64 bits.
    case intRange
    /// A double beyond the largest double.
    case floatRange
    /// `0x` without a digit of its base.
    case digitsMissing
    /// `1e+`.
    case exponentMissing
    /// `1.2.3`.
    case secondPoint
    /// `5abc`.
    case lettersAfterNumber
    /// `$` without a name.
    case variableName
    /// `@` without a name.
    case aggregateName
    /// `#` without a word.
    case escapedName
    /// `%` that begins no placeholder.
    case specifier
}

/// The kind of argument that a placeholder takes.
struct Specifier {
    /// Larger positions count as this one.
    static let mostPosition = 1 << 24
    /// The letter: `@`, `K`, `d` ….
    var conversion: UInt8
    /// The position of `%2$@`, from 1; nil without one.
    var position: Int?

    init(conversion: UInt8, position: Int?) {
        self.conversion = conversion
        self.position = position
    }

    init(packed: UInt64) {
        conversion = UInt8(truncatingIfNeeded: packed)
        position = packed >> 8 == 0 ? nil : Int(packed >> 8) - 1
    }

    var packed: UInt64 { UInt64(conversion) | UInt64(position.map { $0 + 1 } ?? 0) << 8 }
}
