import QueryTree
import QueryValues

typealias SQLPlace = ValuePlace<SQLNode>
typealias TypedPlace = ValuePlace<TypedNode>
typealias SQLScope = RowScope<SQLNode>
typealias TypedScope = RowScope<TypedNode>
typealias SQLCollection = ElementRows<SQLNode>
typealias TypedCollection = ElementRows<TypedNode>

/// Where a value is stored: a row, a column, a position inside JSON, an element of a list.
struct ValuePlace<Node: SQLValueNode>: Sendable {
    enum Site: Sendable {
        /// A row of a table.
        case row(TableRow)
        /// A column that holds one value of its type.
        case column(SQLText)
        /// A position inside JSON; `when` guards text that may not be a container (T6). A store that has a type for
        /// documents writes the path into the text.
        case json(text: SQLText, path: JSONPath, when: JSONGuard?)
        /// A row of `json_each`: its quoted alias.
        case element(alias: String)
        /// A value computed elsewhere.
        case computed(Node)

        static func row(alias: String, storage: SQLStorage, key: String) -> Site { .row(TableRow(alias, storage, key)) }

        /// A whole document, or the whole JSON text of one.
        static func document(_ document: SQLText) -> Site { .json(text: document, path: JSONPath(), when: nil) }
    }

    var site: Site
    /// The type in the schema; `.any` if undeclared.
    var type: FieldType
    /// Tables between the row and the value, outermost first.
    var joins: [TableJoin] = []
    /// The path in property names, for assumptions; nil if it has none.
    var name: [String]?
    /// For an element: the path of its collection, for assumptions.
    var elementOf: [String]?
    /// The collections around that one, whose elements are assumed to be objects when its own are.
    var elementsAround: [[String]] = []
    /// The path through lists, for assumptions about kinds, if `name` is nil.
    var mappedName: [String]?
    /// True if nothing on the way can be a list: the row itself and what a schema declares as an object.
    var isSingle = false
    /// True if the path may cross a list (S9) and no name exists under which an assumption could be recorded.
    var mayMap = false
    /// True for a column that the schema declares as never nil, in a row that exists.
    var isRequired = false
    /// True for a column of numbers that may hold a text.
    var mayHoldTexts = false
    /// What else is known of a column of a declared type.
    var declared: DeclaredColumn?
    /// The kinds of what may be a list on the way, which would make a list of the value (S9).
    var onTheWay: [SQLText] = []
    /// True for an element of a computed list that is neither a list nor an object.
    var isScalar = false
    /// False for an element of a computed list, whose table has no column `atom`.
    var hasAtoms = true
    /// True for an element of a computed list whose text may contain NUL, as columns may and JSON may not.
    var mayHoldNul = false
    /// True for an element of a computed list that may be bytes, which JSON cannot represent.
    var mayBeBytes = false
    /// For an element of an undeclared column: the column, whose single value is the element where the key is a text.
    var single: SingleValue?
    /// The trigram table that contains a column's texts.
    var trigrams: TrigramTable?
    /// For the key of a document: the column that holds the same text.
    var keyColumn: KeyColumn?

    /// True for a value inside JSON, which may be absent or null.
    var distinguishesAbsence: Bool { if case .json = site { true } else { false } }

    /// The column whose whole text is the JSON value of this place; nil for every other place.
    var wholeText: SQLText? {
        guard joins.isEmpty, case .json(let text, let path, when: nil) = site, path.isRoot else { return nil }
        return text
    }

    /// The guard for the content of an element, which may be a text that is not JSON.
    func guardian(of alias: String, _ type: String) -> JSONGuard {
        hasAtoms
            ? JSONGuard(test: .column(of: alias, "atom").followed(by: "IS NULL"))
            : JSONGuard(test: .compare(.column(of: alias, "type"), "=", .literal(type)))
    }

    /// What is known of the values at the positions of a list at this place, which is still the site.
    var withoutPosition: Self {
        var next = self
        next.type = if case .list(let element) = type { element } else { .any }
        (next.name, next.mappedName) = (nil, name ?? mappedName)
        (next.isSingle, next.isScalar, next.single, next.keyColumn) = (false, false, nil, nil)
        next.declared = declared.flatMap { DeclaredColumn(presence: $0.presence) }
        return next
    }

    /// The name for assumptions extended by a key.
    func named(_ key: String) -> [String]? { name.map { $0 + [key] } }

    /// A piece read in the innermost table, as a scalar of the outermost.
    func throughJoins(_ piece: SQLText) -> SQLText {
        guard !joins.isEmpty else { return piece }
        return .select(SQLSelect([piece], from: joins.map(\.item), where: .all(joins.map(\.condition))))
    }

    /// How a table that a relation leads to from here keeps its columns.
    func related(_ table: String) -> SQLStorage {
        if case .row(let row) = site { row.storage.related(table) } else { .columns }
    }

    /// True if the store lets keys from here refer to no missing row.
    func enforces(_ relation: Schema.Relation) -> Bool {
        if case .row(let row) = site { row.storage.enforcedRelations.contains(relation) } else { false }
    }

    /// True for a path from this row to a column read by a cast that no index may hold: of a list, JSON or an enum.
    func isUnindexed(_ path: FieldPath) -> Bool {
        guard case .row(let row) = site, let step = type.resolve(path.keys)?.steps.first,
            row.storage.castColumns.contains(step.storedName)
        else { return false }
        return step.type != .string || row.storage.enumColumns.contains(step.storedName)
    }

    /// True if no schema rules out a list before the last key.
    var mayLeadThroughLists: Bool { !isSingle && type == .any && (name?.count ?? 2) > 1 }
}

/// A row of a table; a class, so that a place that is copied does not copy what is known of the table.
final class TableRow: Sendable {
    /// The quoted alias.
    let alias: String
    let storage: SQLStorage
    let key: String

    init(_ alias: String, _ storage: SQLStorage, _ key: String) {
        (self.alias, self.storage, self.key) = (alias, storage, key)
    }

    /// True if fields are columns, with no more to those of scalars.
    var hasPlainColumns: Bool {
        guard case .columns = storage.layout else { return false }
        return storage.trigramTables.isEmpty && storage.castColumns.isEmpty && storage.looseColumns.isEmpty
            && storage.foldedColumns.isEmpty && storage.decimalColumns.isEmpty && storage.nativeDates.isEmpty
            && storage.unreadColumns.isEmpty && storage.arrayColumns.isEmpty
    }

    /// True if no column is JSON.
    var hasNoDocuments: Bool { if case .columns(let json) = storage.layout { json.isEmpty } else { false } }
}

/// A condition that must hold before JSON text is read.
struct JSONGuard: Sendable { var test: SQLText }

/// A row of another table that a value is read from (to-one).
struct TableJoin: Sendable {
    var table: SQLText
    var alias: String
    /// The key column of the other table.
    var key: SQLText
    /// The column of the nearer table that holds the key.
    var foreign: SQLText
    /// True if every key finds its row.
    var isEnforced = false

    var condition: SQLText { .compare(key, "=", foreign) }

    /// The other table in a FROM.
    var item: SQLText { table.named(alias) }

    /// A test of the row as a search for its key: `foreign IN (SELECT key FROM table WHERE …)`.
    func foreignKey(where condition: SQLText) -> SQLText {
        foreign.isIn(SQLSelect([key], from: [item], where: condition))
    }
}

/// What is known of a few columns beside their type; a class, because few places have one.
final class DeclaredColumn: Sendable {
    /// The columns with the folded text, by the letters of the options.
    let folded: [String: SQLText]
    /// True for a column of exact decimal numbers.
    let isDecimal: Bool
    /// What is known of a column of native dates.
    let date: NativeDate?
    /// A column that is an array, and the type of its elements.
    let array: (column: SQLText, element: String)?
    /// The column where it is compared as a double, but added as it is.
    let summand: SQLText?
    /// For a row of another table that may be missing: a column that is then NULL, which every such table has.
    let presence: SQLText?

    /// Nil if there is nothing to know.
    init?(
        folded: [String: SQLText] = [:],
        isDecimal: Bool = false,
        date: NativeDate? = nil,
        array: (column: SQLText, element: String)? = nil,
        summand: SQLText? = nil,
        presence: SQLText?
    ) {
        if folded.isEmpty, !isDecimal, date == nil, array == nil, summand == nil, presence == nil { return nil }
        (self.folded, self.isDecimal, self.date, self.array) = (folded, isDecimal, date, array)
        (self.summand, self.presence) = (summand, presence)
    }
}

/// A value that is not a list, with its kind; a class, because few places have one.
final class SingleValue: Sendable {
    let value: SQLText
    let kind: SQLText

    init(value: SQLText, kind: SQLText) { (self.value, self.kind) = (value, kind) }
}

/// A full-text table, and the row number of the row in it; a class, because few places have one.
final class TrigramTable: Sendable {
    let table: String
    let rowNumber: SQLText

    init(table: String, rowNumber: SQLText) { (self.table, self.rowNumber) = (table, rowNumber) }
}

/// A column that repeats a document's key; a class, because few places have one.
final class KeyColumn: Sendable {
    let text: SQLText

    init(_ text: SQLText) { self.text = text }
}

/// What a condition can refer to: the row, and the variables in scope.
struct RowScope<Node: SQLValueNode>: Sendable {
    /// The row, by reference because scopes are passed on at every step.
    private var around: Row

    var row: ValuePlace<Node> {
        get { around.place }
        set { around = Row(newValue) }
    }

    var variables: [Variable: ValuePlace<Node>] = [:]
    /// The fields of a group by name; nil outside HAVING.
    var results: [UTF8Key: Node]?

    init(row: ValuePlace<Node>) { around = Row(row) }

    /// The row if its fields are columns of its own table.
    var columnsOfRow: TableRow? { around.columns }

    /// The row's type in the schema.
    var typeOfRow: FieldType { around.place.type }

    private final class Row: Sendable {
        let place: ValuePlace<Node>
        let columns: TableRow?

        init(_ place: ValuePlace<Node>) {
            self.place = place
            columns =
                if case .row(let row) = place.site, row.hasPlainColumns, place.joins.isEmpty, place.declared == nil {
                    row
                } else {
                    nil
                }
        }
    }
}

/// A collection as the FROM of a subquery.
struct ElementRows<Node: SQLValueNode>: JoinedRows, Sendable {
    var from: [SQLText]
    var conditions: [SQLText] = []
    /// Conditions that rarely reject an element; written last.
    var checks: [SQLText] = []
    var element: ValuePlace<Node>
    /// True exactly when the value is a list; `1` for tables.
    var isList: SQLText
    /// The inner column and the outer one of a child table, for `outer IN (SELECT inner …)`.
    var link: (inner: SQLText, outer: SQLText)?
    /// The FROM of the elements of lists alone, if the chain also has single values.
    var ofLists: SQLText?
    /// True if a list may come before the last key, so that reading the path as single values would miss it.
    var isUncertain = false
    /// True if equal elements count once, which the FROM does not ensure: enough for EXISTS, not for a count.
    var isSet = false
    /// True if the elements come from such a set, so that not each row of the FROM gives one.
    var isOfSet = false
    /// True if the elements come from a set, whose order differs, so that no list can be made of them.
    var isUnordered = false
}
