import QueryMeaning
import QueryTree
import QueryValues

/// Writes conditions in two polarities.
///
/// `holds` gives SQL that is true exactly when a condition is true, `fails` SQL that is true exactly when it is false;
/// either may be NULL otherwise. So NOT costs nothing, NULL never leaks and plain comparisons keep their index.
protocol ConditionWriter: StatementWriter {
    associatedtype Node: SQLValueNode
    typealias Place = ValuePlace<Node>
    typealias Scope = RowScope<Node>
    typealias Collection = ElementRows<Node>
    typealias Operand = TermOperand<Node>

    /// A writer of a query's statement over a table.
    init(_ dialect: SQLDialect, _ query: borrowing Query, _ table: borrowing SQLTable, _ key: RowKey, _ now: Int64)

    /// `element IN list`.
    func sought(_ element: Term, in list: Term, _ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf
    /// A constant text.
    func bind(text: String, at origin: Origin) throws(QueryError) -> SQLText
    /// A value as a text, folded as the options require; nil if it never is one.
    func text(_ node: Node, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> TextOperand?
    /// The piece together with the tests that both sides are texts.
    func texts(_ text: TextOperand, _ other: TextOperand, _ piece: SQLText) -> Leaf
    func begins(_ text: TextOperand, _ prefix: TextOperand) -> SQLText
    func ends(_ text: TextOperand, _ suffix: TextOperand) -> SQLText
    func contains(_ text: TextOperand, _ needle: TextOperand) -> Leaf
    /// `text LIKE pattern` for a constant that is neither a whole text nor a prefix.
    func like(
        _ text: TextOperand,
        _ like: LikePattern,
        _ pattern: TextOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> SQLText
    func like(_ text: TextOperand, computed pattern: TextOperand, _ origin: Origin) throws(QueryError) -> Leaf
    func matches(_ text: TextOperand, _ pattern: TextOperand, _ comparison: Comparison) throws(QueryError) -> Leaf
    /// `location geoWithin shape`.
    func within(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf
    /// A comparison of a count with a number in a shorter form; nil if there is none.
    func shortCount(_ test: CountTest, _ scope: Scope) throws(QueryError) -> Leaf?
    /// `@max.x > k` as `ANY x > k`; nil if that may differ.
    func anyBeyond(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf?
    /// Both sides of `==`.
    func sides(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> (Operand, Operand)
    /// A side of a comparison, whose lists and objects may have to be in order.
    func compared(_ term: Term, ordersContainers: Bool, _ scope: Scope) throws(QueryError) -> Operand
    /// BETWEEN with constant bounds in a shorter form; nil if there is none.
    func shortBetween(_ subject: Operand, _ low: Operand, _ high: Operand) throws(QueryError) -> Leaf?
    /// BETWEEN with a list of bounds that is no constant.
    func between(_ subject: Operand, stored bounds: Term, _ scope: Scope) throws(QueryError) -> Leaf
    func operand(_ term: Term, _ scope: Scope) throws(QueryError) -> Operand
    /// A place that may be behind a list: the list of its values then.
    func mapped(_ node: Node, _ term: Term, _ scope: Scope) throws(QueryError) -> Node
    func listNode(_ term: Term, _ scope: Scope) throws(QueryError) -> Node
    func indexNode(_ base: Term, _ index: Index, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node
    func aggregateNode(_ aggregation: Aggregation, _ scope: Scope) throws(QueryError) -> Node
    func arithmeticNode(_ chain: Arithmetic, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node
    func negatedNode(_ inner: Term, _ scope: Scope) throws(QueryError) -> Node
    func callOperand(_ use: FunctionCall, _ scope: Scope) throws(QueryError) -> Operand
    func conditionalNode(_ conditional: Conditional, _ scope: Scope) throws(QueryError) -> Node
    func castNode(_ inner: Term, _ target: CastTarget, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Node
    /// `node == nil` (S8).
    func nilTest(_ node: Node, _ meaning: NilMeaning, _ origin: Origin) throws(QueryError) -> Leaf
    /// `node == value`, which is not nil.
    func equal(_ node: Node, _ value: QueryValue, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> Leaf
    func equal(_ left: Node, _ right: Node, _ options: StringOptions, _ origin: Origin) throws(QueryError) -> Leaf
    /// `node < value`, which is not nil.
    func ordered(_ node: Node, _ test: OrderTest, _ value: QueryValue, _ origin: Origin) throws(QueryError) -> Leaf
    func ordered(_ left: Node, _ test: OrderTest, _ right: Node, _ origin: Origin) throws(QueryError) -> Leaf
    /// Compares a node with a list of constants.
    func oneOf(_ list: ConstantList, _ node: Node) throws(QueryError) -> Leaf
    /// `place CONTAINS subject` in a form of its own; nil if there is none.
    func membership(
        of subject: Operand,
        at place: Place,
        _ comparison: Comparison,
        _ origin: Origin
    ) throws(QueryError) -> Leaf?
    /// A container as a text, and the test that it is one; nil if it never is.
    func asText(
        _ node: Node,
        beside other: Operand,
        _ origin: Origin
    ) throws(QueryError) -> (node: Node, isText: SQLText)?
    /// The pieces of ORDER BY for a value.
    func sorting(_ node: Node, isAscending: Bool, _ options: StringOptions) throws(QueryError) -> [SQLText]
    /// Goes from a place to a field of its value; `next` has the field's name and type.
    func enter(_ next: inout Place, _ place: Place, _ field: ResolvedPath.Step, _ origin: Origin) throws(QueryError)
    /// A value that is never present, as a place.
    var absent: Place.Site { get }
    /// A position in a list, from 0; -1 is the last.
    func position(of base: Term, _ index: Int, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Place?
    /// The value at a place.
    func read(_ place: Place) -> Node
    /// The value of a column that holds a scalar of a declared kind; nil if more must be known of it.
    func scalar(_ column: SQLText, _ kind: Kind, _ field: ResolvedPath.Step, of row: TableRow, _ key: String) -> Node?
    /// Records that a path was assumed to hold single values because no schema declares it (S11).
    func assumeSingle(_ node: Node)
    /// A member of a document that is a key.
    func member(_ name: String, of document: SQLText, _ origin: Origin) throws(QueryError) -> SQLText

    /// A place as a collection: the elements of a list, or the value itself, or none for nil.
    func asCollection(_ place: Place) throws(QueryError) -> Collection
    /// A term that is no path as a collection.
    func single(_ term: Term, _ scope: Scope) throws(QueryError) -> Collection
    /// The elements of a list of terms.
    func list(_ list: Term, _ origin: Origin, _ scope: Scope) throws(QueryError) -> Collection
    /// The elements at the end of a path from a computed value.
    func collection(computed path: Term, _ scope: Scope, _ wanted: WantedElements) throws(QueryError) -> Collection
    /// The chain before a key is followed from its elements.
    func entering(_ chain: Collection, _ isMapped: SQLText, _ origin: Origin) throws(QueryError) -> Collection
    /// The chain with the elements of what a key led to, if that may be a list.
    func spliced(_ chain: Collection, _ isMapped: SQLText, _ origin: Origin) throws(QueryError)
        -> (chain: Collection, isMapped: SQLText)
    /// One value per element, where a list that the path yields stays a list; for arrays, the elements of these lists.
    func united(_ collection: Collection, _ aggregation: Aggregation, _ scope: Scope) throws(QueryError) -> Collection
    /// True when a collection is not nil: it is a list, or a single value.
    func isPresent(_ term: Term, _ chain: Collection, _ scope: Scope) throws(QueryError) -> SQLText
    /// True if a value of no declared type may be a list.
    func mayHoldList(_ site: Place.Site) -> Bool
    /// True if a key maps over what may be a list at a place.
    func mayMap(over place: Place) -> Bool
    /// True exactly when a value in JSON is a list; nil for every other place.
    func isList(inJSON place: Place) -> SQLText?
    /// True for an element that is a column of no declared type.
    func isUndeclared(_ element: Place) -> Bool
    /// Notes that a path entered the elements of a collection.
    func entered(_ chain: inout Collection, from start: Place, _ name: [String]?)
    /// The scalars at a place, or behind a key of it, by a shorter form; nil if there is none.
    func scalars(at place: Place) throws(QueryError) -> Collection?
    func scalars(behind key: String, of place: Place) throws(QueryError) -> Collection?
    /// `ANY list == constant` in a shorter form; nil if there is none.
    func contained(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf?
    /// Some element satisfies the inner piece.
    func exists(_ chain: Collection, _ inner: SQLText) -> Leaf
    /// There are so many elements, one if the store does not stop counting at others.
    func exists(_ chain: Collection, atLeast count: Int) -> Leaf
    var stopsCounting: Bool { get }
}

/// One side of a comparison: a constant, or a value that the store computes.
///
/// Not indirect: a debug build of Swift 6.3.1 frees the box of a temporary in a `switch` before reading it.
enum TermOperand<Node> {
    case constant(QueryValue, Origin)
    case node(Node, Origin)

    var origin: Origin {
        switch self {
        case .constant(_, let origin), .node(_, let origin): origin
        }
    }
}

/// Constants that a value is searched among.
struct ConstantList {
    let values: [QueryValue]
    let options: StringOptions
    let meaning: NilMeaning
    let origin: Origin
}

/// The comparison of a count with a number.
struct CountTest {
    let relation: Comparison.Operator
    let number: Int64
    let counted: Term
    /// What it asks of the count, if that is one threshold.
    let threshold: (count: Int, isEnough: Bool)?
}

/// `TERNARY(test, first, second)`.
struct Conditional {
    let test: Condition
    let first: Term
    let second: Term
    let origin: Origin
}

/// A call of a function of the language.
struct FunctionCall {
    let function: Function
    let arguments: [Term]
    let origin: Origin

    func first() throws(QueryError) -> Term {
        guard let first = arguments.first else { throw QueryError(.unsupported, "an argument is missing", at: origin) }
        return first
    }

    var unsupported: QueryError {
        let message = "the function \(function.entry.name) is not supported by this store"
        return QueryError(.unsupported, message, at: origin, hint: "compute it in memory")
    }
}

protocol SQLValueNode: Sendable {
    /// What the value is in SQL.
    var value: SQLText { get }
    /// The type in the schema.
    var type: FieldType { get }
    /// True for whole rows, which are objects.
    var isRow: Bool { get }
    /// True for rows of columns, of which only the key is available.
    var isForeignRow: Bool { get }
    /// True for results of functions and arithmetic: a computed nil counts as null (S8).
    var isComputed: Bool { get set }
}

extension ConditionWriter {
    func entered(_ chain: inout Collection, from start: Place, _ name: [String]?) {}
    func scalars(at place: Place) throws(QueryError) -> Collection? { nil }
    func scalars(behind key: String, of place: Place) throws(QueryError) -> Collection? { nil }
    func contained(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf? { nil }
    func membership(
        of subject: Operand,
        at place: Place,
        _ comparison: Comparison,
        _ origin: Origin
    ) throws(QueryError) -> Leaf? { nil }
    func anyBeyond(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> Leaf? { nil }
    func exists(_ chain: Collection, atLeast count: Int) -> Leaf { exists(chain, .one) }
    var stopsCounting: Bool { false }

    func sought(
        _ element: Term,
        in list: Term,
        _ comparison: Comparison,
        _ scope: Scope
    ) throws(QueryError) -> Leaf { try membership(of: element, in: list, comparison, scope) }

    func sides(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> (Operand, Operand) {
        (try operand(comparison.left, scope), try operand(comparison.right, scope))
    }

    func compared(_ term: Term, ordersContainers: Bool, _ scope: Scope) throws(QueryError) -> Operand {
        try operand(term, scope)
    }

    func mayBeList(_ place: Place) -> Bool {
        switch place.type {
        case .list: true
        case .any: !place.isSingle && mayHoldList(place.site)
        case .object, .bool, .int, .double, .string, .date, .data, .uuid, .objectID: false
        }
    }

    /// SQL that is true exactly when the condition is.
    func holds(_ condition: Condition, _ scope: Scope) throws(QueryError) -> SQLText {
        switch condition {
        case .constant(let value): return .truth(value)
        case .comparison(let comparison): return try leaf(comparison, scope).holds
        case .and(let parts): return all(try pieces(parts, scope, holds))
        case .or(let parts): return some(try pieces(parts, scope, holds))
        case .not(let part): return try fails(part, scope)
        }
    }

    /// SQL that is true exactly when the condition is false.
    func fails(_ condition: Condition, _ scope: Scope) throws(QueryError) -> SQLText {
        switch condition {
        case .constant(let value): return .truth(!value)
        case .comparison(let comparison): return try leaf(comparison, scope).fails
        case .and(let parts): return some(try pieces(parts, scope, fails))
        case .or(let parts): return all(try pieces(parts, scope, fails))
        case .not(let part): return try holds(part, scope)
        }
    }

    private func pieces(
        _ parts: [Condition],
        _ scope: Scope,
        _ write: (Condition, Scope) throws(QueryError) -> SQLText
    ) throws(QueryError) -> [SQLText] {
        try parts.distinct.map { (part) throws(QueryError) in try write(part, scope) }
    }
}

// `== < <= > >=` by what stands on each side (S2, S7).

extension ConditionWriter {
    /// `left == right`; with `usesNilMeaning`, nil follows the query's nil meaning (S8).
    func equal(
        _ left: Operand,
        _ right: Operand,
        _ options: StringOptions,
        usesNilMeaning: Bool = false
    ) throws(QueryError) -> Leaf {
        switch (left, right) {
        case (.constant(let a, _), .constant(let b, _)):
            return a.isEqual(to: b, options: options) ? .always : .never
        case (.node(let node, let origin), .constant(let value, let place)),
            (.constant(let value, let place), .node(let node, let origin)):
            if value.isNull { return try nilTest(node, usesNilMeaning ? nilMeaning : .nullOrAbsent, origin) }
            return try equal(node, value, options, origin.besides(place))
        case (.node(let a, let origin), .node(let b, _)):
            return try equal(a, b, options, origin)
        }
    }

    /// `left op right` for `< <= > >=`.
    func ordered(_ left: Operand, _ test: OrderTest, _ right: Operand) throws(QueryError) -> Leaf {
        switch (left, right) {
        case (.node(let node, let origin), .constant(let value, let place)):
            assumeSingle(node)
            if value.isNull { return test.holdsForNils ? try nilTest(node, .nullOrAbsent, origin) : .never }
            return try ordered(node, test, value, origin.besides(place))
        case (.constant(let value, let origin), .node(let node, _)):
            var mirrored = test
            mirrored.relation = test.relation.entry.mirror ?? test.relation
            return try ordered(.node(node, origin), mirrored, .constant(value, origin))
        case (.node(let a, let origin), .node(let b, _)):
            assumeSingle(a)
            assumeSingle(b)
            return try ordered(a, test, b, origin)
        case (.constant(let a, _), .constant(let b, _)):
            if a.isNull, b.isNull { return test.holdsForNils ? .always : .never }
            return a.order(relativeTo: b, options: test.options).map(test.relation.accepts) == true ? .always : .never
        }
    }
}

/// What `< <= > >=` asks of two values.
struct OrderTest {
    var relation: Comparison.Operator
    var options: StringOptions = []
    /// True if `<=` and `>=` hold for two nils.
    var nilEqualsNil = true

    var holdsForNils: Bool { nilEqualsNil && relation.includesEqual }
}

extension Comparison.Operator {
    /// True when values in this order satisfy the comparison.
    func accepts(_ order: QueryOrder) -> Bool {
        switch self {
        case .less: order == .ascending
        case .greater: order == .descending
        case .lessOrEqual: order != .descending
        default: order != .ascending
        }
    }
}
