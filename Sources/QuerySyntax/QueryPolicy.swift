/// What a server lets strangers ask: fields, operators, sizes and cost of a query.
///
/// It looks at the tree only, so it holds for format strings and for Mongo filters alike.
///
///     var policy = QueryPolicy(fields: ["name", "age", "address.*"])
///     policy.maximumLimit = 100
///     let query = try policy.checked(Query(format: "age > 21", limit: 20, fields: ["name"]))
///     query.limit  // → 20
///     try policy.checked(Query(format: "salary > 21", limit: 20, fields: ["name"]))  // throws policyFields
///
/// A field that is not listed is refused. Every violation is an error of its own code (`policyFields`, `policyCost`, …)
/// with the range in the text.
public struct QueryPolicy: Hashable, Sendable {
    /// Paths that a query may name, in property names.
    ///
    /// `*` stands for one key, and at the end for all that follows: `address.*` allows `address` and everything below,
    /// `*` alone every field and the whole row.
    public var fields: [String]
    /// Paths that a query may sort by; nil for those of ``fields``.
    public var sortFields: [String]?
    /// The most sort keys.
    public var maximumSortKeys: Int
    /// Whether a query may leave its fields open and so ask for whole rows.
    public var allowsWholeRows: Bool
    /// The operators of comparisons; by default all but MATCHES, whose work depends on the pattern.
    public var operators: Set<Comparison.Operator>
    /// The functions; by default all but those that draw by chance.
    public var functions: Set<Function>
    /// The `@` operators.
    public var aggregates: Set<Aggregate>
    /// Whether ANY, ALL, SOME and NONE are allowed.
    public var allowsQuantifiers: Bool
    /// Whether SUBQUERY is allowed.
    public var allowsSubqueries: Bool
    /// Whether sums, TERNARY and CAST are allowed.
    public var allowsArithmetic: Bool
    /// The most bytes of a text among the constants, and of a pattern.
    public var maximumTextBytes: Int
    /// The most conditions and terms inside each other.
    public var maximumNesting: Int
    /// The most conditions and terms in all.
    public var maximumNodes: Int
    /// The most elements of one list.
    public var maximumListElements: Int
    /// The largest limit; nil for any.
    public var maximumLimit: Int?
    /// Whether a query must have a limit.
    public var requiresLimit: Bool
    /// The largest skip; nil for any.
    public var maximumSkip: Int?
    /// The highest ``Query/estimatedCost``.
    public var maximumCost: Int

    /// A policy for some fields; everything else is as a careful server wants it.
    ///
    ///     QueryPolicy(fields: ["name", "address.*"]).fields  // → ["name", "address.*"]
    ///
    /// - Parameter fields: the paths that a query may name.
    public init(fields: [String]) {
        self.fields = fields
        sortFields = nil
        maximumSortKeys = 4
        allowsWholeRows = true
        operators = Set(Comparison.Operator.allCases).subtracting([.matches])
        functions = Set(Function.allCases).subtracting([.random, .randomBelow])
        aggregates = Set(Aggregate.allCases)
        allowsQuantifiers = true
        allowsSubqueries = true
        allowsArithmetic = true
        maximumTextBytes = 1_000
        maximumNesting = 16
        maximumNodes = 500
        maximumListElements = 1_000
        maximumLimit = 1_000
        requiresLimit = false
        maximumSkip = nil
        maximumCost = 100_000
    }

    /// What a policy bounds; every rule has its own error code.
    ///
    ///     QueryPolicy.Rule.operators.code.rawValue  // → policyOperators
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Which fields are named.
        case fields
        /// How comparisons compare.
        case operators
        /// Which functions and `@` operators are called.
        case functions
        /// ANY and ALL.
        case quantifiers
        /// SUBQUERY.
        case subqueries
        /// Sums, TERNARY and CAST.
        case arithmetic
        /// The length of texts.
        case text
        /// Conditions and terms inside each other.
        case nesting
        /// Conditions and terms in all.
        case nodes
        /// The length of lists.
        case lists
        /// The limit.
        case limit
        /// The skip.
        case skip
        /// The sort keys.
        case sort
        /// The estimated cost.
        case cost

        /// The code of this rule's violations: `policyFields` for ``fields``.
        public var code: QueryError.Code {
            QueryError.Code(rawValue: "policy" + rawValue.prefix(1).uppercased() + rawValue.dropFirst())
        }
    }

    /// The bounds to parse with, so that what is too long or too deep is refused before it is a tree.
    ///
    ///     var policy = QueryPolicy(fields: ["name"])
    ///     policy.maximumListElements = 100
    ///     policy.limits.listElements  // → 100
    public var limits: Limits {
        var limits = Limits.default
        limits.listElements = min(limits.listElements, max(0, maximumListElements))
        return limits
    }
}

extension QueryPolicy {
    /// Every violation, in the order of the text, then of the order, fields, skip and limit; empty for an allowed query.
    ///
    ///     let policy = QueryPolicy(fields: ["name"])
    ///     let query = try Query(format: "salary > 1 AND name MATCHES 'a+'", limit: 20, fields: ["name"])
    ///     policy.problems(with: query).map(\.code)  // → [policyFields, policyOperators]
    ///
    /// - Parameter query: any query.
    /// - Returns: errors of the codes of ``Rule``, each with its range where the text tells it. O(nodes × fields).
    public func problems(with query: Query) -> [QueryError] {
        var checker = PolicyChecker(policy: self)
        checker.check(query)
        return checker.problems
    }

    /// Refuses a query that the policy does not allow.
    ///
    ///     let query = try Query(format: "salary > 1", limit: 20, fields: ["name"])
    ///     try QueryPolicy(fields: ["name"]).check(query)  // throws policyFields
    ///
    /// - Parameter query: any query.
    /// - Throws: the first of ``problems(with:)``.
    public func check(_ query: Query) throws(QueryError) {
        if let problem = problems(with: query).first { throw problem }
    }

    /// The query itself, when the policy allows it.
    ///
    ///     let policy = QueryPolicy(fields: ["name", "age"])
    ///     let body = #"{"salary":{"$gt":1000}}"#
    ///     try policy.checked(Query(mongo: body, limit: 20, limits: policy.limits))  // throws policyFields
    ///
    /// - Parameter query: any query.
    /// - Returns: the query as it is.
    /// - Throws: the first of ``problems(with:)``.
    public func checked(_ query: Query) throws(QueryError) -> Query {
        try check(query)
        return query
    }
}

/// Paths with `*`, as a policy lists them.
struct AllowedPaths {
    private let patterns: [[String]]

    init(_ paths: [String]) {
        patterns = paths.map { FieldPath(dotted: $0).keys }
    }

    /// True when the path, or one below it, is allowed.
    func allow(_ keys: [String], asContainer: Bool = false) -> Bool {
        patterns.contains { Self.matches($0, keys, asContainer) }
    }

    /// True when everything below the path is allowed, whatever its key.
    func allowAnything(below keys: [String]) -> Bool {
        patterns.contains { $0.last == "*" && Self.matches($0, keys + [""], false) }
    }

    private static func matches(_ pattern: [String], _ keys: [String], _ asContainer: Bool) -> Bool {
        for (position, part) in pattern.enumerated() {
            let isLast = position == pattern.count - 1
            if isLast, part == "*", keys.count >= position { return true }
            guard position < keys.count else { return asContainer }
            guard part == "*" || part.hasSameUTF8(as: keys[position]) else { return false }
        }
        return pattern.count == keys.count
    }
}
