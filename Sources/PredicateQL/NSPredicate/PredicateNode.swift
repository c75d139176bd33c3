import QueryTree
import QueryValues

/// The content of an NSPredicate without its class: an intermediate form between NSPredicate and ``Condition``.
///
/// Numbers are those of Foundation's enumerations, so that all of the translation is ordinary code, tested on every
/// platform; only reading and creating the objects themselves needs Apple's Foundation.
package indirect enum PredicateNode: Hashable, Sendable {
    /// TRUEPREDICATE or FALSEPREDICATE.
    case constant(Bool)
    /// NSCompoundPredicate: its logical type and its parts.
    case compound(UInt, [PredicateNode])
    /// NSComparisonPredicate.
    case comparison(ComparisonNode)
    /// Any other class, by name: block predicates and custom subclasses.
    case other(String)

    /// The numbers of NSCompoundPredicate.LogicalType.
    package enum LogicalType {
        package static let not: UInt = 0
        package static let and: UInt = 1
        package static let or: UInt = 2
    }
}

/// The content of an NSComparisonPredicate.
package struct ComparisonNode: Hashable, Sendable {
    package var left: ExpressionNode
    package var right: ExpressionNode
    /// NSComparisonPredicate.Operator.
    package var operation: UInt
    /// NSComparisonPredicate.Modifier.
    package var modifier: UInt = 0
    /// NSComparisonPredicate.Options.
    package var options: UInt = 0
    /// The method that a custom operator calls.
    package var selector: String?

    /// The operator that calls a method.
    static let customSelector: UInt = 11

    /// A comparison of two expressions, with Foundation's numbers.
    package init(
        left: ExpressionNode,
        right: ExpressionNode,
        operation: UInt,
        modifier: UInt = 0,
        options: UInt = 0,
        selector: String? = nil
    ) {
        self.left = left
        self.right = right
        self.operation = operation
        self.modifier = modifier
        self.options = options
        self.selector = selector
    }
}

/// The content of an NSExpression.
package indirect enum ExpressionNode: Hashable, Sendable {
    /// A constant, including lists and nil.
    case constant(QueryValue)
    /// SELF.
    case evaluatedObject
    /// `$name`.
    case variable(String)
    /// Keys with dots and `@` operators, of the row or of another value.
    case keyPath(String, of: ExpressionNode?)
    /// A function; with a receiver, a method of that object.
    case function(String, of: ExpressionNode?, [ExpressionNode])
    /// UNION.
    case unionSet(ExpressionNode, ExpressionNode)
    /// INTERSECT.
    case intersectSet(ExpressionNode, ExpressionNode)
    /// MINUS.
    case minusSet(ExpressionNode, ExpressionNode)
    /// SUBQUERY: the collection, the variable, the condition.
    case subquery(ExpressionNode, String, PredicateNode)
    /// `{a, b}`.
    case aggregate([ExpressionNode])
    /// TERNARY.
    case conditional(PredicateNode, ExpressionNode, ExpressionNode)
    /// FIRST, LAST or SIZE in the brackets of an index.
    case symbol(String)
    /// Unsupported expressions, by name: ANYKEY, blocks, assignments.
    case other(String)
}

extension Comparison.Operator {
    /// NSComparisonPredicate.Operator; nil for the operator that NSPredicate lacks.
    var foundationNumber: UInt? {
        switch self {
        case .less: 0
        case .lessOrEqual: 1
        case .greater: 2
        case .greaterOrEqual: 3
        case .equal: 4
        case .notEqual: 5
        case .matches: 6
        case .like: 7
        case .beginsWith: 8
        case .endsWith: 9
        case .in: 10
        case .contains: 99
        case .between: 100
        case .geoWithin: nil
        }
    }
}

extension Comparison.Quantifier? {
    /// NSComparisonPredicate.Modifier.
    var foundationNumber: UInt {
        switch self {
        case nil: 0
        case .all: 1
        case .any: 2
        }
    }
}

extension StringOptions {
    /// NSComparisonPredicate.Options, which has the same bits.
    var foundationBits: UInt { UInt(rawValue) }

    /// The options of NSComparisonPredicate; nil if a bit is unknown.
    init?(foundationBits: UInt) {
        let all = Self.letters.reduce(into: StringOptions()) { $0.insert($1.option) }
        guard let bits = UInt8(exactly: foundationBits), all.isSuperset(of: StringOptions(rawValue: bits)) else {
            return nil
        }
        self.init(rawValue: bits)
    }
}

/// The content of an NSSortDescriptor.
package struct SortNode: Hashable, Sendable {
    /// The key path; nil for a comparator.
    package var key: String?
    package var ascending: Bool
    /// The method that compares two values; nil for `compare:`.
    package var selector: String?

    /// A descriptor from its parts.
    package init(key: String?, ascending: Bool, selector: String? = nil) {
        self.key = key
        self.ascending = ascending
        self.selector = selector
    }

    /// The method that compares any two values.
    static let compare = "compare:"
    /// The method that compares texts without their case.
    static let caseInsensitiveCompare = "caseInsensitiveCompare:"
}
