import QueryChecking
import QueryTree
import QueryValues

/// Writes conditions and terms for a store with typed columns.
final class TypedWriter: StatementWriter, ConditionWriter {
    typealias Node = TypedNode
    typealias Collection = TypedCollection

    private let sharedForms: Shared<SQLForms>
    /// True if the columns of native dates are instants, whatever the connection's time zone.
    let keepsTimeZones: Bool

    init(_ dialect: SQLDialect, _ query: borrowing Query, _ table: borrowing SQLTable, _ key: RowKey, _ now: Int64) {
        sharedForms = dialect.sharedForms ?? Shared(SQLForms())
        keepsTimeZones = table.layout.keepsTimeZones
        super.init(dialect, query.nilMeaning, now: now, primaryKey: key.related)
    }

    var forms: SQLForms { sharedForms.value }

    func assumeSingle(_ node: Node) {
        if node.type == .any, let name = node.name, !name.isEmpty { assume(.single(name.joined(separator: "."))) }
    }

    /// Rejects what only a list or an object can answer, for an undeclared column that may hold one.
    func check(_ node: Node, maybeList origin: Origin) throws(QueryError) {
        guard node.stored == .unknown else { return }
        let hint = "declare the field in a schema"
        throw unsupported("it is unknown whether this column holds lists", at: origin, hint: hint)
    }

    override func check(term: SQLText, at origin: Origin) throws(QueryError) {
        try check(term, most: dialect.statementLimit, at: origin)
    }

    // MARK: Truth

    /// Stores with typed columns take a flat chain of any length.
    override func all(_ parts: [SQLText]) -> SQLText { .all(parts, groupedFrom: .max) }

    override func some(_ parts: [SQLText]) -> SQLText { .some(parts, groupedFrom: .max) }

    func all(_ parts: SQLText...) -> SQLText { all(parts) }

    func some(_ parts: SQLText...) -> SQLText { some(parts) }

    override func spelled(_ condition: SQLText) -> SQLText {
        if case .truth(let holds) = condition { .word(holds ? "TRUE" : "FALSE") } else { condition }
    }

    override func leaf(_ holds: SQLText) -> Leaf { Leaf(inWords: holds) }

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
}
