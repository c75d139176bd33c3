import QueryValues

/// A store's SQL dialect: its names and forms, requested by capability and never by the store's name.
///
///     try query.sql(.sqlite, from: "cities").bindings  // → ["MA", 100000]
public struct SQLDialect: Hashable, Sendable {
    /// The quote character for identifiers; doubled inside them.
    public var identifierQuote: Character
    /// The maximum number of `?` in one statement.
    public var variableLimit: Int
    /// The maximum depth of the store's parser stack, in symbols.
    public var parserDepth: Int
    /// The maximum number of bytes of one term; forms that repeat a term would double it.
    package var textLimit: Int
    /// The maximum number of bytes of one statement.
    public var statementLimit = 50_000_000
    /// From this many elements on, IN takes one JSON list instead of one `?` each.
    package var longList: Int
    /// From this many `?` on, each is wrapped in a call that changes nothing; nil for never.
    ///
    /// SQLite compares every bare constant of a statement with every other.
    public var wrapsConstantsFrom: Int? = 1_000
    /// The maximum number of columns of a result or of an order.
    public var columnLimit = 2_000
    /// The maximum number of SELECTs in one UNION ALL.
    package var compoundLimit = 500
    /// The maximum number of tables in one FROM.
    public var joinLimit = 64
    /// The maximum height of an expression.
    package var expressionDepth = 1_000
    /// True if full-text trigram tables can narrow CONTAINS, see ``SQLStorage/trigramTables``.
    package var hasTrigramTables = true
    /// True if LN, SQRT, POW and similar are built in.
    package var hasMathFunctions: Bool
    /// The name of the column that numbers a table's rows, for queries that name no key; empty if the store has none.
    public var rowNumber = "rowid"
    /// The function that folds text: `fold('cd', text)`; nil if the store has none, see ``functionDefinitions``.
    public var foldFunction: String?  // S14
    /// The function that gives a text in upper case, as `uppercase:` does: `pql_upper(text)`; nil if the store has
    /// none, see ``functionDefinitions``.
    public var uppercaseFunction: String?
    /// The function that gives a text in lower case, as `lowercase:` does: `pql_lower(text)`; nil if the store has
    /// none, see ``functionDefinitions``.
    public var lowercaseFunction: String?
    /// The function that matches a regular expression: `pred_match(pattern, text)`.
    public var matchFunction: String  // S16
    /// The function that matches a LIKE pattern: `pred_like(pattern, text)`.
    public var likeFunction: String  // S15
    /// The function that computes what SQL cannot: `pred_call('uppercase', kind, value)`; nil if the store has none.
    public var callFunction: String?
    /// The aggregate function that computes what SQL cannot: `pred_over('mode', kind, value)`; nil if the store has
    /// none.
    public var overFunction: String?
    /// The function that reads ISO 8601 text of any form as a date: `pred_date(text)`; nil if the store has none.
    ///
    /// Without one, the form with milliseconds and `Z` is compared, and noted as an assumption. See S5.
    public var dateFunction: String? = "pred_date"
    /// The statement that returns the database's tables as one JSON text, for `SQLCatalogue`; nil if it has none.
    public var catalogueQuery: String?
    /// The SQL of a store with typed columns; nil for SQLite, whose values carry their own kind.
    ///
    ///     SQLDialect.postgresql.forms?.int  // → bigint
    ///     SQLDialect.sqlite.forms?.int  // → nil
    public var forms: SQLForms? {
        get { sharedForms?.value }
        set { sharedForms = newValue.map { Shared($0) } }
    }
    /// They are large, and a statement copies its dialect often.
    private(set) var sharedForms: Shared<SQLForms>?
    /// The LIMIT without which the store knows no OFFSET.
    var noLimit: Int? { forms.map { $0.offsetNeedsLimit ? Int.max : nil } ?? -1 }

    /// A dialect by its capabilities.
    ///
    ///     SQLDialect() == .sqlite  // → true
    ///     SQLDialect(identifierQuote: "`").identifierQuote  // → `
    ///
    /// - Parameters:
    ///   - identifierQuote: the quote character for identifiers.
    ///   - variableLimit: the maximum number of `?` in one statement.
    ///   - parserDepth: the maximum depth of the store's parser stack, in symbols.
    ///   - textLimit: the maximum number of bytes of one term.
    ///   - longList: from this many elements on, IN takes one JSON list.
    ///   - hasMathFunctions: whether LN, SQRT, POW and similar are built in.
    ///   - foldFunction: folds text.
    ///   - matchFunction: matches a regular expression.
    ///   - likeFunction: matches a LIKE pattern.
    ///   - callFunction: computes a function of the language over values.
    ///   - overFunction: computes a function of the language over the values of many rows.
    public init(
        identifierQuote: Character = "\"",
        variableLimit: Int = 32_766,
        parserDepth: Int = 100,
        textLimit: Int = 1_000_000,
        longList: Int = 500,
        hasMathFunctions: Bool = true,
        foldFunction: String? = "fold",
        matchFunction: String = "pred_match",
        likeFunction: String = "pred_like",
        callFunction: String? = "pred_call",
        overFunction: String? = "pred_over"
    ) {
        self.identifierQuote = identifierQuote
        self.variableLimit = variableLimit
        self.parserDepth = parserDepth
        self.textLimit = textLimit
        self.longList = longList
        self.hasMathFunctions = hasMathFunctions
        self.foldFunction = foldFunction
        self.matchFunction = matchFunction
        self.likeFunction = likeFunction
        self.callFunction = callFunction
        self.overFunction = overFunction
    }

    /// A quoted name, with quotes inside doubled.
    ///
    /// - Parameters:
    ///   - name: a table, column or result name.
    ///   - origin: the source range for errors.
    /// - Returns: the quoted name.
    /// - Throws: `QueryError` of code `unsupported` for an empty name and for one with NUL, where stores would cut it.
    package func quoted(_ name: String, at origin: Origin = .none) throws(QueryError) -> String {
        let quote = quoteText
        if name.isPlainWord { return String(joining: quote, name, quote) }
        if name.isEmpty || name.holds(0) {
            throw QueryError(.unsupported, "a name in SQL must not be empty or hold a NUL character", at: origin)
        }
        return String(joining: quote, name.doubling(quote), quote)
    }

    /// A table's name, quoted; in a store with typed columns `shop.people` is a table of the schema `shop`.
    func table(_ name: String, at origin: Origin = .none) throws(QueryError) -> String {
        guard isQualified(name) else { return try quoted(name, at: origin) }
        return try name.nameParts.map { (part) throws(QueryError) in try quoted(part, at: origin) }
            .joined(separator: ".")
    }

    /// The name of a table in a FROM, and before its columns.
    func names(of table: String) throws(QueryError) -> (source: String, qualifier: String) {
        let qualifier = try quoted(unqualified(table))
        return (isQualified(table) ? try self.table(table) : qualifier, qualifier)
    }

    /// The name of a table without its schema's.
    func unqualified(_ name: String) -> String { isQualified(name) ? name.nameParts.last ?? name : name }

    private func isQualified(_ name: String) -> Bool {
        sharedForms != nil && (name.utf8.contains(UInt8(ascii: ".")) || name.utf8.first == UInt8(ascii: "\""))
    }

    /// A column of a table or alias, which is quoted.
    ///
    /// - Throws: as ``quoted(_:at:)``.
    func column(_ name: String, of table: String, at origin: Origin = .none) throws(QueryError) -> SQLText {
        if name.isEmpty || name.holds(0) { _ = try quoted(name, at: origin) }
        return .column(of: table, name)
    }

    /// The quote character as text.
    var quoteText: String { String(identifierQuote) }
}

/// A value of which all copies share one.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension String {
    /// True for a nonempty name of ASCII letters, digits and underscores, which contains no quote.
    fileprivate var isPlainWord: Bool {
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: continue
            default: return false
            }
        }
        return !isEmpty
    }
}
