import QueryChecking
import QueryTree
import QueryValues

/// Writes conditions and terms for a store with typed columns.
///
/// Like ``SQLWriter`` it gives SQL that is true exactly when a condition is true, and SQL that is true exactly when it
/// is false, so that NOT costs nothing and NULL never leaks.
final class TypedWriter {
    let dialect: SQLDialect
    let forms: TypedForms
    let nilMeaning: NilMeaning
    let now: Int64
    let primaryKey: [String]
    private(set) var assumptions: Set<Assumption> = []
    private(set) var functions: Set<SQLFunction> = []
    private var aliases = 0

    init(dialect: SQLDialect, forms: TypedForms, nilMeaning: NilMeaning, now: Int64, primaryKey: [String]) {
        self.dialect = dialect
        self.forms = forms
        self.nilMeaning = nilMeaning
        self.now = now
        self.primaryKey = primaryKey
    }

    /// A quoted alias that no other part of the statement uses.
    func alias(_ prefix: String) throws(QueryError) -> String {
        aliases += 1
        return try dialect.quoted(prefix + String(aliases))
    }

    func assume(_ assumption: Assumption) { assumptions.insert(assumption) }

    /// Records that a path was assumed to hold single values because no schema declares it (S11).
    func assumeSingle(_ node: TypedNode) {
        if node.type == .any, let name = node.name, !name.isEmpty { assume(.single(name.joined(separator: "."))) }
    }

    /// Rejects what only a list or an object can answer, for an undeclared column that may hold one.
    func check(_ node: TypedNode, maybeList origin: Origin) throws(QueryError) {
        guard node.stored == .unknown else { return }
        throw unsupported(
            "it is unknown whether this column holds lists",
            at: origin,
            hint: "declare the field in a schema"
        )
    }

    func call(_ name: String, _ arguments: [SQLText]) -> SQLText {
        functions.insert(SQLFunction(name: name, arguments: arguments.count))
        return .call(name, arguments)
    }

    func unsupported(_ message: String, at origin: Origin, hint: String? = nil) -> QueryError {
        QueryError(.unsupported, message, at: origin, hint: hint)
    }

    /// Rejects what the store would reject.
    func check(_ piece: SQLText, at origin: Origin = .none) throws(QueryError) {
        if piece.need + 10 > dialect.parserDepth || piece.text.utf8.count > dialect.statementLimit {
            throw QueryError(.limit, "the condition is nested too deeply for the store's SQL parser", at: origin)
        }
        if piece.bindings.count > dialect.variableLimit {
            throw QueryError(.limit, "the statement has more values than the store allows", at: origin)
        }
    }
}

extension TypedWriter {
    /// SQL that is true exactly when the condition is.
    func holds(_ condition: Condition, _ scope: TypedScope) throws(QueryError) -> SQLText {
        switch condition {
        case .constant(let value): return .truth(value)
        case .comparison(let comparison): return try leaf(comparison, scope).holds
        case .and(let parts): return all(try pieces(parts, scope, holds))
        case .or(let parts): return some(try pieces(parts, scope, holds))
        case .not(let part): return try fails(part, scope)
        }
    }

    /// SQL that is true exactly when the condition is false.
    func fails(_ condition: Condition, _ scope: TypedScope) throws(QueryError) -> SQLText {
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
        _ scope: TypedScope,
        _ write: (Condition, TypedScope) throws(QueryError) -> SQLText
    ) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        for part in parts.distinct { pieces.append(try write(part, scope)) }
        return pieces
    }

    // MARK: Truth

    /// All of the conditions; a long chain in balanced groups.
    func all(_ parts: [SQLText]) -> SQLText {
        parts.contains(where: \.isFalse) ? .zero : balanced(parts.filter { !$0.isTrue }) { SQLText.all($0) }
    }

    func all(_ parts: SQLText...) -> SQLText { all(parts) }

    /// Some of the conditions.
    func some(_ parts: [SQLText]) -> SQLText {
        parts.contains(where: \.isTrue) ? .one : balanced(parts.filter { !$0.isFalse }) { SQLText.some($0) }
    }

    func some(_ parts: SQLText...) -> SQLText { some(parts) }

    private func balanced(_ parts: [SQLText], _ join: ([SQLText]) -> SQLText) -> SQLText {
        let most = 20
        guard parts.count > most else { return join(parts) }
        let size = (parts.count + most - 1) / most
        return join(
            stride(from: 0, to: parts.count, by: size).map {
                balanced(Array(parts[$0..<min($0 + size, parts.count)]), join)
            }
        )
    }

    /// A constant condition in the store's syntax.
    func spelled(_ condition: SQLText) -> SQLText {
        condition.isTrue ? SQLText("TRUE") : condition.isFalse ? SQLText("FALSE") : condition
    }

    /// True exactly when the condition is not.
    func notTrue(_ condition: SQLText) -> SQLText {
        if condition.isTrue { return .zero }
        if condition.isFalse { return .one }
        return condition.parenthesized.followed(by: "IS NOT TRUE")
    }

    /// A comparison that may be NULL.
    func leaf(_ holds: SQLText) -> Leaf { Leaf(holds, fails: self.notTrue(holds)) }

    /// A comparison with its opposite, if one side may be NULL.
    func leaf(_ holds: SQLText, orNull node: SQLText, fails: SQLText) -> Leaf {
        Leaf(holds, fails: self.some(fails, node.followed(by: "IS NULL")))
    }

    /// `CASE WHEN test THEN piece END`.
    func when(_ test: SQLText, _ piece: SQLText, else other: SQLText? = nil) -> SQLText {
        if test.isTrue { return piece }
        return .choice([(spelled(test), piece)], else: other)
    }

    /// A value of a declared type; every placeholder has its type.
    func bind(_ value: QueryValue, as type: String) -> SQLText { SQLText.bind(value).cast(to: type) }

    /// A text; rejected if it contains NUL and the store's texts cannot.
    func bind(text: String, at origin: Origin) throws(QueryError) -> SQLText {
        if !forms.allowsNul, text.utf8.contains(0) {
            throw unsupported("the store's texts cannot hold a NUL character", at: origin)
        }
        return bind(.string(text), as: forms.text)
    }

    // MARK: Comparisons

    /// A comparison in both polarities.
    func leaf(_ comparison: Comparison, _ scope: TypedScope) throws(QueryError) -> Leaf {
        let leaf: Leaf
        if let quantifier = comparison.quantifier {
            leaf = try quantified(comparison, quantifier, scope)
        } else {
            leaf = try plainLeaf(comparison, scope)
        }
        try check(leaf.holds, at: comparison.origin)
        return leaf
    }

    private func plainLeaf(_ comparison: Comparison, _ scope: TypedScope) throws(QueryError) -> Leaf {
        if let leaf = try throughKey(comparison, scope) { return leaf }
        switch comparison.operator {
        case .equal: return try equality(comparison, scope)
        case .notEqual: return try equality(comparison, scope).reversed
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return try ordering(comparison, scope)
        case .between: return try between(comparison, scope)
        case .in: return try membership(of: comparison.left, in: comparison.right, comparison, scope)
        case .contains: return try membership(of: comparison.right, in: comparison.left, comparison, scope)
        case .beginsWith, .endsWith, .like, .matches: return try textLeaf(comparison, scope)
        case .geoWithin:
            throw unsupported("this store has no geographic functions", at: comparison.origin)
        }
    }

    /// A comparison with a value in another table as a search for its keys, which the store plans as a join; nil where
    /// a missing row may satisfy it.
    private func throughKey(_ comparison: Comparison, _ scope: TypedScope) throws(QueryError) -> Leaf? {
        if case .any = scope.row.type { return nil }
        guard comparison.left.isLongPath, comparison.rejectsNil, var value = try place(of: comparison.left, scope),
            !value.joins.isEmpty
        else { return nil }
        let joins = value.joins
        value.joins = []
        var inner = scope
        inner.variables[.element] = value
        var holds = try plainLeaf(comparison.ofElement, inner).holds
        if holds.isFalse { return .never }
        for join in joins.reversed() {
            let condition = spelled(holds)
            let keys = "(SELECT \(join.key.text) FROM \(join.table) AS \(join.alias) WHERE \(condition.text))"
            holds = .infix(join.foreign, "IN", SQLText(keys, condition.bindings, need: condition.need + 8), .equality)
        }
        return leaf(holds)
    }
}

extension Term {
    /// True for a path of several steps, which may lead to another table.
    fileprivate var isLongPath: Bool {
        switch self {
        case .field(let path, _): path.keys.count > 1
        case .path: true
        case .value, .list, .variable, .index, .aggregate, .arithmetic, .negated, .call, .subquery, .conditional,
            .cast, .assignment:
            false
        }
    }
}

extension Comparison {
    /// True if nil on the left never satisfies it.
    fileprivate var rejectsNil: Bool {
        guard let value = right.constantValue, !value.isNull, self.operator != .notEqual else { return false }
        if case .list(let elements) = value { return !elements.contains(where: \.isNull) }
        return true
    }
}
