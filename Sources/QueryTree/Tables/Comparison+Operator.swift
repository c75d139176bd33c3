extension Comparison {
    /// How two terms are compared.
    ///
    ///     Comparison.Operator.in.spelling  // → IN
    public enum Operator: String, Hashable, Sendable, CaseIterable, Codable {
        /// `==`.
        case equal
        /// `!=`: the opposite of `==`.
        case notEqual  // S6
        /// `<`.
        case less
        /// `<=`.
        case lessOrEqual
        /// `>`.
        case greater
        /// `>=`.
        case greaterOrEqual
        /// `a BETWEEN {low, high}`, both ends included.
        case between  // S13
        /// `a IN {…}`: the left is in the right.
        case `in`  // S12
        /// `a CONTAINS b`: the right is in the left.
        case contains  // S12
        /// The text begins with.
        case beginsWith
        /// The text ends with.
        case endsWith
        /// Wildcards `?` and `*` over the whole text.
        case like  // S15
        /// A regular expression over the whole text.
        case matches  // S16
        /// `geoWithin(field, shape)`: the point lies in the shape.
        case geoWithin
    }

    /// ANY or ALL in front of a comparison.
    ///
    ///     Comparison(.field("tags", .none), .equal, .value("red", .none), quantifier: .any).quantifier  // → any
    ///
    /// SOME is read as ANY, NONE as NOT ANY. See S10.
    public enum Quantifier: String, Hashable, Sendable, CaseIterable, Codable {
        /// Some element.
        case any
        /// Every element; true on an empty collection.
        case all
    }
}

extension Comparison.Operator {
    /// The operands that an operator takes.
    ///
    ///     Comparison.Operator.like.entry.operands  // → texts
    package enum Operands: String, Hashable, Sendable {
        /// Any two values.
        case anyValues
        /// Two values of one kind that has an order.
        case ordered
        /// A value and a list of two.
        case valueAndRange
        /// A value and a collection or text.
        case valueAndCollection
        /// A collection or text and a value.
        case collectionAndValue
        /// Two texts.
        case texts
        /// A geographic point and a shape.
        case placeAndShape
    }

    /// What this operator's sides are; the entry has it too, but takes a lookup.
    package var operands: Operands {
        switch self {
        case .equal, .notEqual: .anyValues
        case .less, .lessOrEqual, .greater, .greaterOrEqual: .ordered
        case .between: .valueAndRange
        case .in: .valueAndCollection
        case .contains: .collectionAndValue
        case .beginsWith, .endsWith, .like, .matches: .texts
        case .geoWithin: .placeAndShape
        }
    }

    /// The properties of one operator; the rest of the library reads them from here.
    package struct Entry: Sendable {
        /// The operator.
        package var `operator`: Comparison.Operator
        /// How it is written; the first is canonical.
        package var spellings: [String]
        /// True when `[c]`, `[d]`, `[n]`, `[l]` may follow.
        package var allowsOptions: Bool
        /// What its operands are.
        package var operands: Operands
        /// The operator that holds exactly if this one does not, if any.
        package var negation: Comparison.Operator?
        /// The operator that holds with the sides swapped, if any.
        package var mirror: Comparison.Operator?
        /// True when it is written as a call, `geoWithin(a, b)`.
        package var isCall: Bool
        /// A short description.
        package var summary: String
        /// A query that uses it.
        package var example: String
    }

    /// The operator table.
    ///
    ///     Comparison.Operator.table.contains { $0.spellings.contains("BEGINSWITH") }  // → true
    package static let table: [Entry] = [
        entry(.equal, ["==", "="], not: .notEqual, mirror: .equal, "equal", "state == 'MA'"),
        entry(.notEqual, ["!=", "<>"], not: .equal, mirror: .notEqual, "not equal", "state != 'MA'"),
        entry(.less, ["<"], mirror: .greater, "less than", "age < 18"),
        entry(.lessOrEqual, ["<=", "=<"], mirror: .greaterOrEqual, "less than or equal", "age <= 18"),
        entry(.greater, [">"], mirror: .less, "greater than", "age > 18"),
        entry(.greaterOrEqual, [">=", "=>"], mirror: .lessOrEqual, "greater than or equal", "age >= 18"),
        entry(
            .between,
            ["BETWEEN"],
            options: false,
            "between two bounds, both included",
            "age BETWEEN {18, 65}"
        ),
        entry(.in, ["IN"], mirror: .contains, "in a list or text", "state IN {'MA', 'NY'}"),
        entry(
            .contains,
            ["CONTAINS"],
            mirror: .in,
            "contains the text or element",
            "name CONTAINS[cd] 'ton'"
        ),
        entry(.beginsWith, ["BEGINSWITH"], "begins with", "name BEGINSWITH 'Bo'"),
        entry(.endsWith, ["ENDSWITH"], "ends with", "name ENDSWITH 'ton'"),
        entry(.like, ["LIKE"], "matches ? (one character) and * (any number)", "name LIKE 'B?st*'"),
        entry(.matches, ["MATCHES"], "matches a regular expression as a whole", "zip MATCHES '[0-9]{5}'"),
        entry(
            .geoWithin,
            ["geoWithin"],
            options: false,
            call: true,
            "lies within a circle or polygon",
            "geoWithin(location, %@)"
        ),
    ]

    private static func entry(
        _ op: Comparison.Operator,
        _ spellings: [String],
        options: Bool = true,
        not negation: Comparison.Operator? = nil,
        mirror: Comparison.Operator? = nil,
        call: Bool = false,
        _ summary: String,
        _ example: String
    ) -> Entry {
        Entry(
            operator: op,
            spellings: spellings,
            allowsOptions: options,
            operands: op.operands,
            negation: negation,
            mirror: mirror,
            isCall: call,
            summary: summary,
            example: example
        )
    }

    private static let entries: [Comparison.Operator: Entry] = Dictionary(
        table.map { ($0.operator, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// The operator's entry of the table.
    ///
    ///     Comparison.Operator.equal.entry.negation  // → notEqual
    package var entry: Entry {
        Self.entries[self] ?? Self.entry(self, [rawValue], rawValue, rawValue)
    }

    /// The canonical spelling.
    ///
    ///     Comparison.Operator.beginsWith.spelling  // → BEGINSWITH
    public var spelling: String { entry.spellings[0] }
}

/// AND, OR, NOT and the quantifiers: the rest of the operator table.
///
///     LogicalWord.any.spellings  // → ["ANY", "SOME"]
package enum LogicalWord: String, Hashable, Sendable, CaseIterable {
    /// Every part holds.
    case and
    /// Some part holds.
    case or
    /// The part does not hold.
    case not
    /// Some element.
    case any
    /// Every element.
    case all
    /// No element: NOT ANY.
    case none

    /// How it is written; the first is canonical.
    package var spellings: [String] {
        switch self {
        case .and: ["AND", "&&"]
        case .or: ["OR", "||"]
        case .not: ["NOT", "!"]
        case .any: ["ANY", "SOME"]
        case .all: ["ALL"]
        case .none: ["NONE"]
        }
    }

    /// A short description.
    package var summary: String {
        switch self {
        case .and: "both hold; binds tighter than OR"
        case .or: "at least one holds"
        case .not: "takes one comparison"
        case .any: "some element"
        case .all: "every element; true on an empty collection"
        case .none: "no element; the same as NOT ANY"
        }
    }

    /// A query that uses it.
    package var example: String {
        switch self {
        case .and: "a == 1 AND b == 2"
        case .or: "a == 1 OR b == 2"
        case .not: "NOT a == 1"
        case .any: "ANY tags == 'red'"
        case .all: "ALL scores > 5"
        case .none: "NONE scores > 5"
        }
    }
}

/// Reserved words that are not operators: literals, SELF, index words and special calls.
///
///     ReservedWord.true.spellings  // → ["TRUE", "YES"]
package enum ReservedWord: String, Hashable, Sendable, CaseIterable {
    /// The row itself.
    case `self` = "SELF"
    /// True.
    case `true` = "TRUE"
    /// False.
    case `false` = "FALSE"
    /// Null.
    case null = "nil"
    /// Holds for every row.
    case truePredicate = "TRUEPREDICATE"
    /// Holds for no row.
    case falsePredicate = "FALSEPREDICATE"
    /// The first element, between brackets.
    case first = "FIRST"
    /// The last element, between brackets.
    case last = "LAST"
    /// The number of elements, between brackets.
    case size = "SIZE"
    /// Elements that satisfy a condition.
    case subquery = "SUBQUERY"
    /// A conditional expression.
    case ternary = "TERNARY"
    /// A conversion.
    case cast = "CAST"
    /// Calls any method by name; rejected (S25).
    case function = "FUNCTION"

    /// How it is written, in any case; the first is canonical.
    package var spellings: [String] {
        switch self {
        case .true: ["TRUE", "YES"]
        case .false: ["FALSE", "NO"]
        case .null: ["nil", "NULL"]
        default: [rawValue]
        }
    }

    /// Words that Apple reserves without a public meaning; the printer escapes them in paths.
    package static let otherReserved = ["CASEINSENSITIVE", "CI", "ANYKEY"]
}
