import QueryTree
import QueryValues

/// What a server allows in untrusted queries: fields, operators, sizes and cost.
///
/// It checks the tree only, so it applies to format strings and Mongo filters alike.
///
///     var policy = QueryPolicy(fields: ["name", "age", "address.*"])
///     policy.maximumLimit = 100
///     let query = try policy.checked(Query(format: "age > 21", limit: 20, fields: ["name"]))
///     query.limit  // → 20
///     try policy.checked(Query(format: "salary > 21", limit: 20, fields: ["name"]))  // throws policyFields
///
/// A field that is not listed is rejected, and ``checked(_:)-(Query)`` returns a query whose results contain listed
/// fields only. A limit is required, and ``Query/estimatedCost`` bounds the cost of a row of 2 KB. Every violation is
/// an error with its own code (`policyFields`, `policyCost`, …) and the range in the text.
public struct QueryPolicy: Hashable, Sendable {
    /// Paths that a query may name, in property names.
    ///
    /// `*` matches one key, or at the end any number of them: `address.*` allows `address` and everything below, `*`
    /// alone every field and the whole row. A field of objects is returned whole: `orders` allows no condition on
    /// `orders.card`, but results hold it; list `orders.number` instead to hide it.
    public var fields: [String]
    /// Paths that a query may sort by; nil for the same as ``fields``.
    public var sortFields: [String]?
    /// The maximum number of sort keys.
    public var maximumSortKeys: Int
    /// The maximum number of fields that a query may name for its results.
    public var maximumFields: Int
    /// The maximum number of grouping keys.
    public var maximumGroupKeys: Int
    /// The maximum number of values that a grouping computes.
    public var maximumReducers: Int
    /// True if a query may omit its fields and so return whole rows; false by default.
    ///
    /// ``checked(_:)-(Query)`` then adds the listed ones. If ``fields`` contains `*`, whole rows are listed.
    public var allowsWholeRows: Bool
    /// The operators of comparisons; by default all but MATCHES, whose work depends on the pattern.
    public var operators: Set<Comparison.Operator>
    /// The functions; by default all except the random ones.
    public var functions: Set<Function>
    /// The `@` operators.
    public var aggregates: Set<Aggregate>
    /// True if ANY, ALL, SOME and NONE are allowed.
    public var allowsQuantifiers: Bool
    /// True if SUBQUERY is allowed.
    public var allowsSubqueries: Bool
    /// True if sums, TERNARY and CAST are allowed.
    public var allowsArithmetic: Bool
    /// The maximum number of bytes in a text constant or a pattern.
    public var maximumTextBytes: Int
    /// The maximum nesting of conditions and terms.
    public var maximumNesting: Int
    /// The maximum number of conditions and terms; constants in lists count beyond ``maximumListElements`` in all.
    public var maximumNodes: Int
    /// The maximum number of elements in one list.
    public var maximumListElements: Int
    /// The largest limit; nil for any.
    public var maximumLimit: Int?
    /// True if a query must have a limit; true by default.
    ///
    /// A limit of 0 counts as one: it returns no results (S21).
    public var requiresLimit: Bool
    /// True if ``checked(_:)-(Query)`` sets a missing or too large limit to ``maximumLimit`` instead of throwing.
    public var clampsLimit: Bool
    /// The largest skip; nil for any.
    public var maximumSkip: Int?
    /// The highest ``Query/estimatedCost``: the steps of a row of 2 KB.
    ///
    /// The default admits one SUBQUERY over a list that compares keys with constants, or two ANYs over a list, or
    /// searches of many fields; more of them, a SUBQUERY nested in another over the same list or comparing keys with
    /// other values, set operators and MATCHES cost more. It corresponds to about 50 µs for such a row.
    public var maximumCost: Int
    /// True if the cost counts all the steps that one MATCHES may take; false where ``limits`` bounds them well.
    package var countsMatchLimit = true
    /// The steps of a run that ``limits`` allows; it ends a run whatever the rows and the store.
    public var maximumSteps: Int
    /// The time of a run that ``limits`` allows; nil for any.
    public var maximumDuration: Duration?

    /// A policy for some fields, with strict defaults for everything else.
    ///
    ///     QueryPolicy(fields: ["name", "address.*"]).fields  // → ["name", "address.*"]
    ///
    /// - Parameter fields: the paths that a query may name.
    public init(fields: [String]) {
        self.fields = fields
        sortFields = nil
        maximumSortKeys = 4
        maximumFields = 100
        maximumGroupKeys = 4
        maximumReducers = 16
        allowsWholeRows = false
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
        requiresLimit = true
        clampsLimit = false
        maximumSkip = nil
        maximumCost = 40_000
        maximumSteps = 1_000_000_000
        maximumDuration = .seconds(5)
    }

    /// The rules of a policy; each has its own error code.
    ///
    ///     QueryPolicy.Rule.operators.code.rawValue  // → policyOperators
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Which fields are named.
        case fields
        /// Which comparison operators are used.
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
        /// The nesting of conditions and terms.
        case nesting
        /// The number of conditions and terms.
        case nodes
        /// The length of lists.
        case lists
        /// The limit.
        case limit
        /// The skip.
        case skip
        /// The sort keys.
        case sort
        /// The keys and values of a grouping.
        case groups
        /// The estimated cost.
        case cost

        /// The code of this rule's violations: `policyFields` for ``fields``.
        public var code: QueryError.Code {
            QueryError.Code(rawValue: "policy" + rawValue.prefix(1).uppercased() + rawValue.dropFirst())
        }
    }

    /// Limits for parsing, which reject texts that are too long or too deep before a tree is built, and for running,
    /// which end runs that take too long.
    ///
    ///     var policy = QueryPolicy(fields: ["name"])
    ///     policy.maximumListElements = 100
    ///     policy.limits.listElements  // → 100
    ///     policy.limits.steps  // → 1000000000
    public var limits: Limits {
        var limits = Limits.default
        limits.listElements = min(limits.listElements, max(0, maximumListElements))
        limits.steps = max(0, maximumSteps)
        limits.duration = maximumDuration
        return limits
    }
}

extension QueryPolicy {
    /// Every violation, in text order, followed by those of the order, fields, skip and limit; empty if the query is
    /// allowed.
    ///
    ///     let policy = QueryPolicy(fields: ["name"])
    ///     let query = try Query(format: "salary > 1 AND name MATCHES 'a+'", limit: 20, fields: ["name"])
    ///     policy.problems(with: query).map(\.code).contains(QueryPolicy.Rule.operators.code)  // → true
    ///
    /// The query is checked as is: one without fields or without a limit is rejected, even though
    /// ``checked(_:)-(Query)`` may add them.
    ///
    /// - Parameter query: any query.
    /// - Returns: errors with the codes of ``Rule``, each with its range if known. O(nodes × fields).
    public func problems(with query: Query) -> [QueryError] {
        var checker = PolicyChecker(policy: self)
        checker.check(query)
        return checker.problems
    }

    /// Throws if the policy does not allow a query as is.
    ///
    ///     let query = try Query(format: "salary > 1", limit: 20, fields: ["name"])
    ///     try QueryPolicy(fields: ["name"]).check(query)  // throws policyFields
    ///
    /// - Parameter query: any query.
    /// - Throws: the first of ``problems(with:)-(Query)``.
    public func check(_ query: Query) throws(QueryError) {
        if let problem = problems(with: query).first { throw problem }
    }

    /// The query to run: with the listed fields if it names none, and with the maximum limit if the policy sets one.
    ///
    ///     let policy = QueryPolicy(fields: ["name", "address.*"])
    ///     let body = #"{"name":"Ann"}"#
    ///     let query = try policy.checked(Query(mongo: body, limit: 20, limits: policy.limits))
    ///     query.fields?.map(\.dotted)  // → ["name", "address"]
    ///     try policy.checked(Query(mongo: body, limits: policy.limits))  // throws policyLimit
    ///     try policy.checked(Query(mongo: #"{"salary":1}"#, limit: 20, limits: policy.limits))  // throws policyFields
    ///
    /// Its results contain listed fields only. `address.*` gives `address`; a `*` in the middle of a path names no
    /// field, so such a query must name its own.
    ///
    /// - Parameter query: any query.
    /// - Returns: the query with its fields and its limit.
    /// - Throws: the first of ``problems(with:)-(Query)`` with that query.
    public func checked(_ query: Query) throws(QueryError) -> Query {
        var query = query
        if query.resultNames == nil, !allowsWholeRows { query.fields = listedFields(query.schema) }
        clamp(&query)
        try check(query)
        return query
    }

    /// The part of a schema that queries may name, so that errors tell neither names nor kinds of other fields.
    ///
    ///     let people = Schema([.field("name", .string), .field("passwordHash", .string)])
    ///     let policy = QueryPolicy(fields: ["name"])
    ///     var query = try policy.checked(Query(parsing: "name == 'x'", limit: 9, schema: policy.narrowed(people)))
    ///     query.schema = people
    ///     policy.narrowed(people).fields.map(\.name)  // → ["name"]
    ///
    /// Read untrusted queries with it, check them, and run them with the whole schema.
    ///
    /// - Parameter schema: the schema of the rows.
    /// - Returns: the schema without the fields that ``fields`` and ``sortFields`` do not list. O(fields).
    public func narrowed(_ schema: Schema) -> Schema {
        Self.narrowed(schema, to: AllowedPaths(fields + (sortFields ?? [])), below: [])
    }

    private static func narrowed(_ schema: Schema, to allowed: AllowedPaths, below keys: [String]) -> Schema {
        func narrowed(_ type: FieldType, _ keys: [String]) -> FieldType {
            switch type {
            case .object(let schema): .object(Self.narrowed(schema, to: allowed, below: keys))
            case .list(let element): .list(narrowed(element, keys))
            case .any, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: type
            }
        }
        var copy = schema
        copy.fields = schema.fields.compactMap { field in
            var (field, keys) = (field, keys + [field.name])
            guard allowed.allow(keys, asContainer: true) else { return nil }
            field.type = narrowed(field.type, keys)
            return field
        }
        copy.index()
        return copy
    }

    private func clamp(_ query: inout Query) {
        guard clampsLimit, let maximumLimit else { return }
        query.limit = min(query.limit ?? maximumLimit, maximumLimit)
    }

    /// The fields that ``fields`` lists; nil if it lists everything, or a pattern that no path can express.
    private func listedFields(_ schema: Schema?) -> [FieldPath]? {
        var paths: [FieldPath] = []
        for field in fields {
            var keys = FieldPath(dotted: field).keys
            if keys.last == "*" { keys.removeLast() }
            guard !keys.isEmpty, !keys.contains("*") else { return nil }
            // Skip fields that the rows do not have.
            if let schema, FieldType.object(schema).resolve(keys) == nil { continue }
            paths.append(FieldPath(keys: keys))
        }
        let named = paths.enumerated().filter { position, path in
            // Keeps one of `a`, `a.b` and another `a`.
            !paths.enumerated().contains { other, outer in
                path.keys.starts(with: outer.keys) && (outer.keys.count < path.keys.count || other < position)
            }
        }
        return named.isEmpty ? nil : named.map(\.element)
    }
}

extension QueryPolicy {
    /// Every violation of a grouping: its condition, keys and values, `having`, and the groups' order, skip and limit.
    ///
    ///     let policy = QueryPolicy(fields: ["state", "population"])
    ///     let grouping = Query(limit: 10).grouped(by: "state", computing: [.sum("salary")])
    ///     policy.problems(with: grouping).map(\.code)  // → [policyFields]
    ///
    /// Keys, the fields in computed keys and the paths of values must be listed, and their operators allowed by
    /// ``aggregates``; a computed key otherwise counts as a part of the condition. `having` and the order name the
    /// groups' own fields, which are derived from listed ones.
    ///
    /// - Parameter grouping: any grouping.
    /// - Returns: as ``problems(with:)-(Query)``.
    public func problems(with grouping: Grouping) -> [QueryError] {
        var checker = PolicyChecker(policy: self)
        checker.check(grouping)
        return checker.problems
    }

    /// Throws if the policy does not allow a grouping as is.
    ///
    ///     let grouping = Query(limit: 10).grouped(by: "salary", computing: [.count])
    ///     try QueryPolicy(fields: ["state"]).check(grouping)  // throws policyFields
    ///
    /// - Parameter grouping: any grouping.
    /// - Throws: the first of ``problems(with:)-(Grouping)``.
    public func check(_ grouping: Grouping) throws(QueryError) {
        if let problem = problems(with: grouping).first { throw problem }
    }

    /// The grouping to run: with the maximum limit if the policy sets one.
    ///
    ///     let policy = QueryPolicy(fields: ["state"])
    ///     let grouping = Query(limit: 10).grouped(by: "state", computing: [.count])
    ///     try policy.checked(grouping).keys  // → [state]
    ///
    /// - Parameter grouping: any grouping.
    /// - Returns: the grouping with its limit.
    /// - Throws: the first of ``problems(with:)-(Grouping)`` with that grouping.
    public func checked(_ grouping: Grouping) throws(QueryError) -> Grouping {
        var grouping = grouping
        clamp(&grouping.query)
        try check(grouping)
        return grouping
    }
}

/// Paths with `*`, as a policy lists them.
struct AllowedPaths {
    private let patterns: [[String]]
    /// Those with `*`, and the others, of which groups may have very many.
    private let open: [[String]]
    private let exact: Set<[UTF8Key]>

    init(_ paths: [String]) {
        self.init(paths: paths.map { FieldPath(dotted: $0).keys })
    }

    /// By their keys; `*` matches any key.
    init(paths: [[String]]) {
        patterns = paths
        open = paths.filter { $0.contains("*") }
        exact = Set(paths.map { $0.map(UTF8Key.init) })
    }

    /// True if the path, or one below it, is allowed.
    func allow(_ keys: [String], asContainer: Bool = false) -> Bool {
        if exact.contains(keys.map(UTF8Key.init)) { return true }
        return (asContainer ? patterns : open).contains { Self.matches($0, keys, asContainer) }
    }

    /// True if everything below the path is allowed, whatever its key.
    func allowAnything(below keys: [String]) -> Bool {
        open.contains { $0.last == "*" && Self.matches($0, keys + [""], false) }
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
