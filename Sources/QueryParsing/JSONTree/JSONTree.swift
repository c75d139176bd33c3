import QueryTree
import QueryValues

/// The keys of the tree's JSON form, shared by its writer and its reader.
///
/// Operators, functions, quantifiers and index words are not here; they are spelled as in their tables.
enum JSONTreeKey: String, CaseIterable {
    // Conditions.
    case and, or, not, compare, left, right, options, quantifier
    // Terms.
    case value, field, variable, list, path, index, aggregate, over, arithmetic, negate, call, arguments, subquery
    case cast, assign, of, then
    case startsAtSelf = "self"
    case element = "as"
    case condition = "where"
    case test = "if"
    case otherwise = "else"
    case target = "to"
    // Queries and groups.
    case order, descending, skip, limit, fields, computed, group, by, compute, having
    case nilMeaning = "nil"

    /// The keys that name a condition's node.
    static let conditions: [Self] = [.and, .or, .not, .compare]
    /// The keys that name a term's node.
    static let terms: [Self] = [
        .value, .field, .variable, .list, .path, .index, .aggregate, .arithmetic, .negate, .call, .subquery, .test,
        .cast, .assign,
    ]
}

extension Limits {
    /// The maximum height of a tree: a SUBQUERY with its comparison and aggregate takes three nodes per level.
    package var treeHeight: Int { nesting.times(3).plus(nesting / 4) }

    /// The maximum number of bytes of a tree's JSON text: a tree whose canonical text fits in ``textBytes`` fits in
    /// these.
    var jsonTreeBytes: Int { textBytes.times(16) }

    /// The maximum depth of a tree's JSON: two levels for each level of the tree, and those of its constants.
    var jsonTreeDepth: Int { jsonDepth.plus(treeHeight.times(2)).plus(8) }
}

extension Int {
    /// The product, clamped to the greatest Int.
    fileprivate func times(_ other: Int) -> Int {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? .max : product
    }

    /// The sum, clamped to the greatest Int.
    fileprivate func plus(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

extension Condition {
    /// The tree as JSON: every node is an object named by one key; TRUEPREDICATE and FALSEPREDICATE are true and false.
    ///
    ///     try Condition(format: "age > 21 AND name BEGINSWITH[cd] 'jo'").jsonTree
    ///     // → {"and":[{"compare":">",…},{"compare":"BEGINSWITH","options":"cd",…,"right":{"value":"jo"}}]}
    ///
    /// | node | JSON |
    /// |---|---|
    /// | condition | `true`, `false`, `{"and":[…]}`, `{"or":[…]}`, `{"not":…}` |
    /// | comparison | `{"compare":"==","quantifier":"ANY","options":"cd","left":…,"right":…}` |
    /// | literal, argument | `{"value":…}`, Extended JSON; a list of constants is one value |
    /// | path | `{"field":["address","zip"]}`; `"self":true` after `SELF` |
    /// | variable | `{"variable":"x"}` |
    /// | list | `{"list":[…]}` |
    /// | keys after a term | `{"path":["name",{"variable":"k"}],"of":…}` |
    /// | index | `{"index":…,"of":…}`, the index a term, `"FIRST"`, `"LAST"` or `"SIZE"` |
    /// | `@` operator | `{"aggregate":"@sum","of":…,"over":["price"]}` |
    /// | chain of operators | `{"arithmetic":[…,"+",…,"-",…]}` |
    /// | minus | `{"negate":…}` |
    /// | call | `{"call":"sqrt:","arguments":[…]}` |
    /// | SUBQUERY | `{"subquery":…,"as":"x","where":…}` |
    /// | TERNARY | `{"if":…,"then":…,"else":…}` |
    /// | CAST | `{"cast":…,"to":"NSNumber"}` |
    /// | `:=` | `{"assign":…,"to":"v"}` |
    ///
    /// O(size of the tree).
    ///
    /// - Throws: `QueryError` of code `unsupported` for a constant object with a `$` key, which Extended JSON lacks.
    public var jsonTree: QueryValue {
        get throws(QueryError) { try JSONTreeWriter.node(self) }
    }

    /// Reads the JSON text of a tree, as ``jsonTree`` describes it.
    ///
    /// The reader is strict: an unknown key, a wrong shape or a duplicate key is an error that names its JSON path. The
    /// tree equals the one parsed from its canonical text, so the ranges of later errors point into that text.
    ///
    ///     try Condition(jsonTree: #"{"compare":">","left":{"field":["age"]},"right":{"value":21}}"#)  // → age > 21
    ///
    /// - Parameters:
    ///   - text: the JSON text.
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the tree.
    /// - Throws: `QueryError` of code `json` with the JSON path of the mistake, of code `limit` for a tree that is too
    ///   large or too deep, and what `init(format:arguments:schema:limits:)` throws. Linear in the text.
    public init(jsonTree text: String, schema: Schema? = nil, limits: Limits = .default) throws(QueryError) {
        self = try Query(JSONTreeReader(limits).condition(text), schema: schema).checked().condition
    }

    /// Reads a tree from JSON that is already parsed, including Extended JSON.
    ///
    ///     let tree = try Condition(format: "age > 21").jsonTree
    ///     try Condition(jsonTree: tree)  // → age > 21
    ///
    /// - Parameters:
    ///   - tree: what ``jsonTree`` gives.
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the tree.
    /// - Throws: `QueryError` as ``init(jsonTree:schema:limits:)-(String,_,_)`` does.
    public init(jsonTree tree: QueryValue, schema: Schema? = nil, limits: Limits = .default) throws(QueryError) {
        self = try Query(JSONTreeReader(limits).root(tree, at: "$"), schema: schema).checked().condition
    }
}

extension Query {
    /// The query as JSON: `where` holds the condition's tree, other keys only what is set.
    ///
    ///     try Query(format: "age > 21", order: ["-name"], skip: 1, limit: 20).jsonTree
    ///     // → {"where":{"compare":">",…},"order":[{"field":["name"],"descending":true}],"skip":1,"limit":20}
    ///
    /// A computed field is `{"of": …, "as": "name"}` with its term, in `computed`. The schema is not included. O(size of
    /// the tree).
    ///
    /// - Throws: `QueryError` as ``Condition/jsonTree`` does.
    public var jsonTree: QueryValue {
        get throws(QueryError) { .object(try JSONTreeWriter.query(self)) }
    }

    /// Reads the JSON text of a query, as ``jsonTree`` writes it.
    ///
    ///     let text = #"{"where":{"compare":">","left":{"field":["age"]},"right":{"value":21}},"limit":20}"#
    ///     let query = try Query(jsonTree: text)
    ///     query.limit  // → 20
    ///
    /// - Parameters:
    ///   - text: the JSON text.
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the tree.
    /// - Throws: `QueryError` as ``Condition/init(jsonTree:schema:limits:)-(String,_,_)`` does. Linear in the text.
    public init(jsonTree text: String, schema: Schema? = nil, limits: Limits = .default) throws(QueryError) {
        let reader = JSONTreeReader(limits)
        try self.init(jsonTree: reader.value(of: text), schema: schema, limits: limits)
    }

    /// Reads a query from JSON that is already parsed, including Extended JSON.
    ///
    ///     let tree = try Query(format: "age > 21", limit: 20).jsonTree
    ///     try Query(jsonTree: tree).limit  // → 20
    ///
    /// - Parameters:
    ///   - tree: what ``jsonTree`` gives.
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the tree.
    /// - Throws: `QueryError` as ``Condition/init(jsonTree:schema:limits:)-(String,_,_)`` does.
    public init(jsonTree tree: QueryValue, schema: Schema? = nil, limits: Limits = .default) throws(QueryError) {
        let node = try JSONTreeNode(tree, at: "$")
        try node.allows([.condition, .order, .skip, .limit, .fields, .computed, .nilMeaning])
        self = try JSONTreeReader(limits).query(node, schema).checked()
    }
}

extension Grouping {
    /// The grouping as JSON: its query's keys, and `group`.
    ///
    ///     try Query().grouped(by: "state", computing: [.count, .average("population").as("mean")]).jsonTree
    ///     // → {"where":true,"group":{"by":[{"field":["state"]}],"compute":[{"compute":"count"},{…,"as":"mean"}]}}
    ///
    /// A computed key is `{"of": …, "as": "name"}` with its term; a computed value has `of` beside `compute` and `as`. O(size
    /// of the trees).
    ///
    /// - Throws: `QueryError` as ``Condition/jsonTree`` does, and of code `unsupported` for a reducer of Swift code.
    public var jsonTree: QueryValue {
        get throws(QueryError) { .object(try JSONTreeWriter.grouping(self)) }
    }

    /// Reads the JSON text of a grouping, as ``jsonTree`` writes it.
    ///
    ///     let tree = try Query().grouped(by: "state", computing: [.count]).jsonTree
    ///     try Grouping(jsonTree: tree.json).keys  // → [state]
    ///
    /// - Parameters:
    ///   - text: the JSON text.
    ///   - schema: names and kinds to check against.
    ///   - limits: bounds on the trees.
    /// - Throws: `QueryError` as ``Condition/init(jsonTree:schema:limits:)-(String,_,_)`` does. Linear in the text.
    public init(jsonTree text: String, schema: Schema? = nil, limits: Limits = .default) throws(QueryError) {
        let tree = try JSONTreeReader(limits).value(of: text)
        try self.init(jsonTree: tree, schema: schema, limits: limits)
    }

    /// Reads a grouping from JSON that is already parsed, including Extended JSON.
    package init(jsonTree tree: QueryValue, schema: Schema? = nil, limits: Limits = .default) throws(QueryError) {
        self = try JSONTreeReader(limits).grouping(JSONTreeNode(tree, at: "$"), schema).checked()
    }
}
