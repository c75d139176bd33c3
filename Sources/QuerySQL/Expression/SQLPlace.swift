import QueryTree
import QueryValues

/// Where a value is stored: a row, a column, a position inside JSON text, an element of a list.
struct SQLPlace: Sendable {
    enum Site: Sendable {
        /// A row of a table: its quoted alias, how it keeps fields, and its key column.
        case row(alias: String, storage: SQLStorage, key: String)
        /// A column that holds one scalar.
        case column(SQLText)
        /// A position inside JSON text; `when` guards text that may not be a container (T6).
        case json(text: SQLText, path: JSONPath, when: Guard?)
        /// A row of `json_each`: its quoted alias.
        case element(alias: String)
        /// A value computed elsewhere.
        case computed(SQLNode)
    }

    /// A condition that must hold before the JSON text is read.
    struct Guard: Sendable {
        var test: SQLText
    }

    /// A row of another table that the value is read from (to-one).
    struct Join: Sendable {
        var table: SQLText
        var alias: String
        /// The key column of the other table.
        var key: SQLText
        /// The column of the nearer table that holds the key.
        var foreign: SQLText

        var condition: SQLText { .compare(key, "=", foreign) }

        /// The other table in a FROM.
        var item: SQLText { table.named(alias) }

        /// A test of the row as a search for its key: `foreign IN (SELECT key FROM table WHERE …)`.
        func foreignKey(where condition: SQLText) -> SQLText {
            foreign.isIn(SQLSelect([key], from: [item], where: condition))
        }
    }

    var site: Site
    /// The type in the schema; `.any` if undeclared.
    var type: FieldType
    /// Tables between the row and the value, outermost first.
    var joins: [Join] = []
    /// The path in property names, for assumptions; nil if it has none.
    var name: [String]?
    /// For an element: the path of its collection, for assumptions.
    var elementOf: [String]?
    /// The path through lists, for assumptions about kinds, if `name` is nil.
    var mappedName: [String]?
    /// True if nothing on the way can be a list: the row itself and what a schema declares as an object.
    var isSingle = false
    /// The kinds of what may be a list on the way, which would make a list of the value (S9).
    var onTheWay: [SQLText] = []
    /// True if the path may cross a list (S9) and no name exists under which an assumption could be recorded.
    var mayMap = false
    /// True for an element of a computed list that is neither a list nor an object.
    var isScalar = false
    /// False for an element of a computed list, whose table has no column `atom`.
    var hasAtoms = true
    /// True for an element of a computed list whose text may contain NUL, as columns may and JSON may not.
    var mayHoldNul = false
    /// True for an element of a computed list that may be bytes, which JSON cannot represent.
    var mayBeBytes = false
    /// For an element of an undeclared column: the column, whose single value is the element where the key is a text.
    var single: Single?
    /// The trigram table that contains a column's texts.
    var trigrams: Trigrams?
    /// For the key of a document: the column that holds the same text.
    var keyColumn: KeyColumn?

    /// A value that is not a list, with its kind.
    struct Single: Sendable {
        var value: SQLText
        var kind: SQLText
    }

    /// A full-text table, and the row number of the row in it; a class, because few places have one.
    final class Trigrams: Sendable {
        let table: String
        let rowNumber: SQLText

        init(table: String, rowNumber: SQLText) {
            self.table = table
            self.rowNumber = rowNumber
        }
    }

    /// A column that repeats a document's key; a class, because few places have one.
    final class KeyColumn: Sendable {
        let text: SQLText

        init(_ text: SQLText) { self.text = text }
    }

    /// True for a value inside JSON, which may be absent or null.
    var distinguishesAbsence: Bool { if case .json = site { true } else { false } }

    /// The column whose whole text is the JSON value of this place; nil for every other place.
    var wholeText: SQLText? {
        guard joins.isEmpty, case .json(let text, let path, when: nil) = site, path.isRoot else { return nil }
        return text
    }

    /// The guard for the content of an element, which may be a text that is not JSON.
    func guardian(of alias: String, _ type: String) -> Guard {
        hasAtoms
            ? Guard(test: .column(of: alias, "atom").followed(by: "IS NULL"))
            : Guard(test: .compare(.column(of: alias, "type"), "=", .literal(type)))
    }

    /// The name for assumptions extended by a key.
    func named(_ key: String) -> [String]? { name.map { $0 + [key] } }

    /// A piece read in the innermost table, as a scalar of the outermost.
    func throughJoins(_ piece: SQLText) -> SQLText {
        guard !joins.isEmpty else { return piece }
        return .select(SQLSelect([piece], from: joins.map(\.item), where: .all(joins.map(\.condition))))
    }
}

extension SQLText {
    /// `CASE WHEN atom IS NULL THEN piece END`, or the piece if it needs no guard.
    func when(_ guardian: SQLPlace.Guard?) -> SQLText {
        guard let guardian else { return self }
        return .choice([(guardian.test, self)])
    }
}

/// A scalar as SQL, with the known facts about its kind.
struct SQLNode: SQLValueNode, Sendable {
    /// How the kind of the value is known.
    enum Kinds: Sendable {
        /// By `json_type`: NULL if absent, `'null'` if null.
        case json(SQLText)
        /// By `typeof`: a plain column without a schema.
        case storage
        /// Nil or this kind.
        case known(Kind)
    }

    /// Number, text or bytes; 1 and 0 for bools; JSON text for lists and objects; NULL for nil.
    var value: SQLText
    var kinds: Kinds
    var type: FieldType = .any
    /// The value as JSON text, for lists and objects.
    var json: SQLText?
    /// The value before a date was converted to a common form; nil if it was not converted.
    var asStored: SQLText?
    /// True for a value of a JSON kind whose text comes from a column and may contain NUL.
    var mayHoldNul = false
    /// True for a computed value that may be bytes, which JSON cannot represent.
    var mayBeBytes = false
    /// The path, for assumptions.
    var name: [String]?
    /// The path through lists, for assumptions about kinds, if `name` is nil.
    var mappedName: [String]?
    /// The kinds of what may be a list on the way, which would make a list of the value (S9).
    var onTheWay: [SQLText] = []
    /// True if absent and null can be distinguished or need not be: JSON, and everything computed.
    var distinguishesAbsence = true
    /// True for results of functions and arithmetic: a computed nil counts as null (S8).
    var isComputed = false
    /// True for whole rows, which are objects.
    var isRow = false
    /// True for a value that is never nil.
    var isPresent = false
    /// The trigram table that contains the texts.
    var trigrams: SQLPlace.Trigrams?

    static func number(_ value: SQLText, _ type: FieldType = .double) -> SQLNode {
        SQLNode(value: value, kinds: .known(.number), type: type, isComputed: true)
    }

    /// True for everything but JSON, whose texts contain no NUL.
    var isColumnText: Bool {
        if case .json = kinds { mayHoldNul } else { true }
    }

    /// True for a plain column without a schema, which may hold anything.
    var isStorage: Bool {
        if case .storage = kinds { true } else { false }
    }

    /// The path by which assumptions name the value.
    var assumedName: [String]? { name ?? mappedName }

    /// True for rows of columns, of which only the key is available.
    var isForeignRow: Bool { isRow && json == nil }

    /// True for nil and for kinds other than lists and objects.
    var isKnownScalar: Bool {
        if case .known(let kind) = kinds { kind != .object && kind != .list } else { false }
    }

    /// Nil.
    static let none = SQLNode(value: .null, kinds: .known(.null), isComputed: true)
    /// A value that is never present: a key of a number, a position beyond every list.
    static let absent = SQLNode(value: .null, kinds: .known(.null))

    static func text(_ value: SQLText) -> SQLNode {
        SQLNode(value: value, kinds: .known(.string), type: .string, isComputed: true)
    }
}

/// What a condition can refer to: the row and the variables in scope.
struct SQLScope: ConditionScope, Sendable {
    /// The row, by reference because scopes are passed on at every step.
    private var around: Row

    var row: SQLPlace {
        get { around.place }
        set { around = Row(newValue) }
    }

    var variables: [Variable: SQLPlace] = [:]
    /// The fields of a group by name; nil outside HAVING.
    var results: [UTF8Key: SQLNode]?

    init(row: SQLPlace) { around = Row(row) }

    /// The row's alias if its fields are columns of its own table.
    var columnsOfRow: String? { around.columns }

    /// The row's type in the schema.
    var typeOfRow: FieldType { around.place.type }

    private final class Row: Sendable {
        let place: SQLPlace
        let columns: String?

        init(_ place: SQLPlace) {
            self.place = place
            if case .row(let alias, let storage, _) = place.site, case .columns = storage.layout,
                storage.trigramTables.isEmpty, storage.castColumns.isEmpty, place.joins.isEmpty
            {
                columns = alias
            } else {
                columns = nil
            }
        }
    }
}

/// A collection as the FROM of a subquery.
struct SQLCollection: JoinedRows, Sendable {
    var from: [SQLText]
    var conditions: [SQLText]
    /// Conditions that rarely reject an element; written last.
    var checks: [SQLText] = []
    var element: SQLPlace
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
    /// True if the elements come from a set, whose order differs, so that no list can be made of them.
    var isUnordered = false
}
