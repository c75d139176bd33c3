import QueryChecking
import QueryTree
import QueryValues

/// What the writers of one statement share: names, functions, assumptions and the store's limits.
class StatementWriter {
    final let dialect: SQLDialect
    final let nilMeaning: NilMeaning
    final let now: Int64
    /// The row's key, for relations that name none; empty if unknown.
    final let primaryKey: [String]
    final let style: SQLPrinter.Style
    private(set) final var assumptions: Set<Assumption> = []
    /// The quoted name of the row's table in lower case.
    final var table = ""
    private var (aliases, mostTables) = (0, 0)

    init(_ dialect: SQLDialect, _ nilMeaning: NilMeaning, now: Int64, primaryKey: [String]) {
        (self.dialect, self.nilMeaning) = (dialect, nilMeaning)
        (self.now, self.primaryKey) = (now, primaryKey)
        style = SQLPrinter.Style(dialect)
    }

    /// The style of a statement with so many constants that each is wrapped; nil for fewer.
    final func wrapping(_ count: Int) -> SQLPrinter.Style? {
        guard let least = dialect.wrapsConstantsFrom, count >= least else { return nil }
        var wrapped = style
        wrapped.placeholder = .wrapped
        return wrapped
    }

    /// A quoted alias that no other part of the statement uses.
    func alias(_ prefix: String) throws(QueryError) -> String {
        aliases += 1
        let alias = try dialect.quoted(prefix + String(aliases))
        return alias == table ? try self.alias(prefix) : alias
    }

    func assume(_ assumption: Assumption) { assumptions.insert(assumption) }

    /// A call of a function that the store must be given.
    func call(_ name: String, _ arguments: SQLText...) -> SQLText { call(name, arguments) }

    func call(_ name: String, _ arguments: [SQLText]) -> SQLText { .call(name, arguments, isGiven: true) }

    func unsupported(_ message: String, at origin: Origin, hint: String? = nil) -> QueryError {
        QueryError(.unsupported, message, at: origin, hint: hint)
    }

    func setIsNoValue(_ origin: Origin) -> QueryError {
        unsupported("a set is not a single value in SQL", at: origin, hint: "use it as the container of IN or CONTAINS")
    }

    func absenceIsUnknown(_ origin: Origin) -> QueryError {
        let hint = "use the nil meaning nullOrAbsent"
        return unsupported("a plain column cannot distinguish null from absent", at: origin, hint: hint)
    }

    /// All of the conditions.
    func all(_ parts: [SQLText]) -> SQLText { .all(parts) }

    /// Some of the conditions.
    func some(_ parts: [SQLText]) -> SQLText { .some(parts) }

    /// A constant condition in the store's syntax.
    func spelled(_ condition: SQLText) -> SQLText { condition }

    /// A condition of a SELECT, which has none if it always holds.
    final func restricted(_ condition: SQLText) -> SQLText { condition.isTrue ? condition : spelled(condition) }

    /// A comparison that may be NULL, in both polarities.
    func leaf(_ holds: SQLText) -> Leaf { Leaf(holds) }

    // MARK: Limits

    /// Notes the number of tables in one FROM.
    func note(tables count: Int) { mostTables = max(mostTables, count) }

    /// Rejects what the store's parser or binder would reject (sql.md 5).
    func check(_ statement: SQLSelect) throws(QueryError) {
        try check(need: statement.need, size: statement.size, most: dialect.statementLimit, at: .none)
    }

    /// The same for a part of a statement, of at most so many bytes.
    func check(_ piece: SQLText, most: Int, at origin: Origin) throws(QueryError) {
        try check(need: piece.need, size: piece.size, most: most, at: origin)
    }

    /// Rejects a term, which may be written twice, that the store would reject.
    func check(term: SQLText, at origin: Origin) throws(QueryError) {
        try check(term, most: dialect.textLimit, at: origin)
    }

    private func check(need: Int, size: SQLSize, most: Int, at origin: Origin) throws(QueryError) {
        if !size.isSupported {
            let hint = "set the form in the dialect's forms, or answer the rest in memory by splitting the query"
            throw unsupported("this store's SQL cannot express a part of this", at: origin, hint: hint)
        }
        if need + 10 > dialect.parserDepth || size.bytes > most {
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
        if size.variables > dialect.variableLimit {
            throw QueryError(.limit, "the statement has more values than the store allows", at: origin)
        }
    }

    /// Rejects more columns than the store allows.
    func checkColumns(_ count: Int) throws(QueryError) {
        if count > dialect.columnLimit {
            throw QueryError(.limit, "the statement has more columns than the store allows")
        }
    }
}
