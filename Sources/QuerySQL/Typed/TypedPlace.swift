import QueryTree
import QueryValues

/// The type of a value in the store.
enum StoredType: Hashable, Sendable {
    case bool, int, double, text, bytes, uuid
    /// A number by its decimal digits: a computed one of a document, where they tell whether it is an int, or a column.
    case decimal
    /// A date, in the form a field stores it.
    case date(DateEncoding)
    /// A document, which carries its own kind.
    case document
    /// A list or an object of a declared type.
    case nested
    /// A row of a table.
    case row
    /// A column whose type no schema declares.
    case unknown
    /// Always nil.
    case null

    init(_ type: FieldType) {
        self =
            switch type {
            case .any: .unknown
            case .bool: .bool
            case .int: .int
            case .double: .double
            case .string, .objectID: .text
            case .date(let encoding): .date(encoding)
            case .data: .bytes
            case .uuid: .uuid
            case .object, .list: .nested
            }
    }

    /// The kind of value; nil if it is not known in advance.
    var kind: Kind? {
        switch self {
        case .bool: .bool
        case .int, .double, .decimal: .number
        case .text: .string
        case .bytes: .data
        case .uuid: .uuid
        case .date: .date
        case .null: .null
        case .row: .object
        case .document, .nested, .unknown: nil
        }
    }
}

/// A value as SQL, with its type in the store.
struct TypedNode: SQLValueNode, Sendable {
    /// NULL for nil; a document's own null is kept.
    var value: SQLText
    var stored: StoredType
    /// The type in the schema.
    var type: FieldType = .any
    /// The path, for assumptions.
    var name: [String]?
    /// The path through lists, for assumptions about kinds, if `name` is nil.
    var mappedName: [String]?
    /// The columns with the folded text, by the letters of the options.
    var folded: [String: SQLText] = [:]
    /// True for results of functions and arithmetic: a computed nil counts as null (S8).
    var isComputed = false
    /// True for the least or greatest of values of any kind, of which lists and objects are in no order.
    var isExtreme = false
    /// True for a column that the schema declares as never nil, in a row that exists.
    var isRequired = false
    /// True for a row that a subquery runs over: it is never nil.
    var isPresent = false
    /// The number as it is added, where it is compared as a double.
    var summand: SQLText?
}

typealias TypedOperand = TermOperand<TypedNode>

/// Where a value is stored, in a store with typed columns.
struct TypedPlace: Sendable {
    enum Site: Sendable {
        /// A row of a table: its quoted alias, how it keeps fields, its key column.
        case row(alias: String, storage: SQLStorage, key: String)
        /// A value of a declared type.
        case column(SQLText)
        /// A document, or a position inside one.
        case document(SQLText)
        /// A value computed elsewhere.
        case computed(TypedNode)
    }

    var site: Site
    var type: FieldType
    /// Tables between the row and the value, outermost first.
    var joins: [SQLPlace.Join] = []
    var name: [String]?
    var folded: [String: SQLText] = [:]
    /// True for a column that the schema declares as never nil, in a row that exists.
    var isRequired = false
    /// True for a column of exact decimal numbers.
    var isDecimal = false
    /// The column where it is compared as a double, but added as it is.
    var summand: SQLText?
    /// For an element: the path of its collection, for assumptions.
    var elementOf: [String]?
    /// The collections around that one, whose elements are assumed to be objects when its own are.
    var elementsAround: [[String]] = []
    /// The path through lists, for assumptions about kinds, if `name` is nil.
    var mappedName: [String]?
    /// True if nothing on the way can be a list.
    var isSingle = false
    /// True if the path may cross a list (S9) and no name exists under which an assumption could be recorded.
    var mayMap = false
    /// For a row of another table that may be missing: a column that is then NULL, which every such table has.
    var presence: SQLText?

    /// A piece read in the innermost table, as a value of the outermost.
    func throughJoins(_ piece: SQLText) -> SQLText {
        guard !joins.isEmpty else { return piece }
        return SQLPlace(site: .column(piece), type: type, joins: joins).throughJoins(piece)
    }

    /// True if no schema rules out a list before the last key.
    var mayLeadThroughLists: Bool { !isSingle && type == .any && (name?.count ?? 2) > 1 }
}

/// What a condition can refer to: the row and the variables in scope.
struct TypedScope: ConditionScope, Sendable {
    var row: TypedPlace
    var variables: [Variable: TypedPlace] = [:]
    /// The fields of a group by name; nil outside HAVING.
    var results: [UTF8Key: TypedNode]?
}

/// A collection as the FROM of a subquery.
struct TypedCollection: JoinedRows, Sendable {
    var from: [SQLText]
    var conditions: [SQLText]
    var element: TypedPlace
    /// True exactly when the value is a list.
    var isList: SQLText
    /// The inner column and the outer one of a child table.
    var link: (inner: SQLText, outer: SQLText)?
    /// True if equal elements count once, which the FROM does not ensure: enough for EXISTS, not for a count.
    var isSet = false
    /// True if the elements come from such a set, so that not each row of the FROM gives one.
    var isOfSet = false
}
