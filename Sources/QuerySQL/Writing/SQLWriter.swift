import QueryChecking
import QueryTree
import QueryValues

/// Writes one statement: conditions in two polarities, terms, collections.
///
/// `holds` gives SQL that is true exactly when a condition is true, `fails` SQL that is true exactly when it is false;
/// either may be NULL otherwise. So NOT costs nothing, NULL never leaks and plain comparisons keep their index.
final class SQLWriter {
    let dialect: SQLDialect
    let nilMeaning: NilMeaning
    let now: Int64
    /// The row's key, for relations that name none; empty if unknown.
    let primaryKey: [String]
    /// True if the query's own schema says which texts are not dates; a store's TEXT guarantees nothing (S5).
    let believesTexts: Bool
    private(set) var assumptions: Set<Assumption> = []
    private(set) var functions: Set<SQLFunction> = []
    private var aliases = 0
    private var arithmeticHeight = 0
    private var mostTables = 0

    init(dialect: SQLDialect, nilMeaning: NilMeaning, now: Int64, primaryKey: [String], believesTexts: Bool) {
        self.dialect = dialect
        self.nilMeaning = nilMeaning
        self.now = now
        self.primaryKey = primaryKey
        self.believesTexts = believesTexts
    }

    /// A quoted alias that no other part of the statement uses.
    func alias(_ prefix: String) throws(QueryError) -> String {
        aliases += 1
        return try dialect.quoted(prefix + String(aliases))
    }

    func assume(_ assumption: Assumption) {
        assumptions.insert(assumption)
    }

    /// A call of a function that the store must provide.
    func call(_ name: String, _ arguments: SQLText...) -> SQLText { call(name, arguments) }

    func call(_ name: String, _ arguments: [SQLText]) -> SQLText {
        functions.insert(SQLFunction(name: name, arguments: arguments.count))
        return .call(name, arguments)
    }

    func unsupported(_ message: String, at origin: Origin, hint: String? = nil) -> QueryError {
        QueryError(.unsupported, message, at: origin, hint: hint)
    }

    /// Rejects more columns than the store allows.
    func checkColumns(_ count: Int) throws(QueryError) {
        if count > dialect.columnLimit {
            throw QueryError(.limit, "the statement has more columns than the store allows")
        }
    }

    /// Rejects sums and products that make an expression higher than the store allows; they cannot be regrouped,
    /// because the evaluation order affects overflow and rounding.
    func arithmetic<Result>(
        of count: Int,
        at origin: Origin,
        _ write: () throws(QueryError) -> Result
    ) throws(QueryError) -> Result {
        arithmeticHeight += count
        defer { arithmeticHeight -= count }
        if arithmeticHeight > dialect.expressionDepth / 2 {
            throw QueryError(.limit, "the arithmetic has more terms than the store allows", at: origin)
        }
        return try write()
    }

    /// Notes the number of tables in one FROM.
    func note(tables count: Int) { mostTables = max(mostTables, count) }

    /// Rejects what the store's parser or binder would reject (sql.md 5).
    func check(_ statement: SQLText) throws(QueryError) {
        try check(statement, most: dialect.statementLimit, at: .none)
    }

    /// The same for a single term, whose text may be doubled.
    func check(term: SQLText, at origin: Origin) throws(QueryError) {
        try check(term, most: dialect.textLimit, at: origin)
    }

    private func check(_ statement: SQLText, most: Int, at origin: Origin) throws(QueryError) {
        if statement.need + 10 > dialect.parserDepth || statement.text.utf8.count > most {
            throw QueryError(
                .limit,
                "the condition is nested too deeply for the store's SQL parser",
                at: origin,
                hint: "write it with fewer levels of parentheses, NOT or quantifiers"
            )
        }
        if mostTables > dialect.joinLimit {
            throw QueryError(.limit, "a path crosses more lists or tables than the store allows")
        }
        if statement.bindings.count > dialect.variableLimit {
            throw QueryError(.limit, "the statement has more values than the store allows")
        }
    }
}

extension SQLWriter {
    /// SQL that is true exactly when the condition is.
    func holds(_ condition: Condition, _ scope: SQLScope) throws(QueryError) -> SQLText {
        switch condition {
        case .constant(let value): return .truth(value)
        case .comparison(let comparison): return try leaf(comparison, scope).holds
        case .and(let parts): return .all(try pieces(parts, scope, holds))
        case .or(let parts): return .some(try pieces(parts, scope, holds))
        case .not(let part): return try fails(part, scope)
        }
    }

    /// SQL that is true exactly when the condition is false.
    func fails(_ condition: Condition, _ scope: SQLScope) throws(QueryError) -> SQLText {
        switch condition {
        case .constant(let value): return .truth(!value)
        case .comparison(let comparison): return try leaf(comparison, scope).fails
        case .and(let parts): return .some(try pieces(parts, scope, fails))
        case .or(let parts): return .all(try pieces(parts, scope, fails))
        case .not(let part): return try holds(part, scope)
        }
    }

    private func pieces(
        _ parts: [Condition],
        _ scope: SQLScope,
        _ write: (Condition, SQLScope) throws(QueryError) -> SQLText
    ) throws(QueryError) -> [SQLText] {
        var pieces: [SQLText] = []
        pieces.reserveCapacity(parts.count)
        for part in parts.distinct { pieces.append(try write(part, scope)) }
        return pieces
    }
}

extension [Condition] {
    /// Up to this many parts are compared pairwise, because hashing them costs more.
    private static let few = 8

    /// The parts without duplicates, because repeated siblings make planning explode (T16).
    var distinct: [Condition] {
        if count <= Self.few, !hasRepetitions { return self }
        var seen: Set<Condition> = []
        return filter { seen.insert($0).inserted }
    }

    private var hasRepetitions: Bool {
        for later in indices.dropFirst() {
            for earlier in 0..<later where self[earlier].hasOperator(of: self[later]) && self[earlier] == self[later] {
                return true
            }
        }
        return false
    }
}

extension Condition {
    /// False for two comparisons with different operators, without examining their terms.
    fileprivate func hasOperator(of other: Condition) -> Bool { comparedBy == other.comparedBy }

    private var comparedBy: Comparison.Operator? {
        if case .comparison(let comparison) = self { comparison.operator } else { nil }
    }
}
