import QueryTree
import QueryValues

/// The type of a value in the store.
enum StoredType: Hashable, Sendable {
    case bool, int, double, text, bytes, uuid
    /// A number by its decimal digits: a column, or a computed one of a document, where they tell if it is an int.
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
    /// What is known of a date of the store's own type.
    var date: NativeDate?
    /// True for a row that a subquery runs over: it is never nil.
    var isPresent = false
    /// The number as it is added, where it is compared as a double.
    var summand: SQLText?

    var isRow: Bool { stored == .row }
    var isForeignRow: Bool { isRow }
}
