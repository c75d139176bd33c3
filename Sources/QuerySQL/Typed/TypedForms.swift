import QueryValues

/// A piece of SQL with holes: `CAST({0} AS bigint)`.
///
/// A hole that stands twice takes its piece twice, each with placeholders of its own.
struct SQLForm: Hashable, Sendable, ExpressibleByStringLiteral {
    let template: String

    init(stringLiteral value: String) { template = value }

    /// The form with its holes filled; it must bind as tightly as a call.
    func callAsFunction(_ pieces: SQLText...) -> SQLText {
        var text = ""
        var bindings: [QueryValue] = []
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            let after = rest[rest.index(after: open)...]
            guard let close = after.firstIndex(of: "}"), let hole = Int(after[..<close]), pieces.indices.contains(hole)
            else {
                text.append("{")
                rest = after
                continue
            }
            text += pieces[hole].text
            bindings += pieces[hole].bindings
            rest = after[after.index(after: close)...]
        }
        return SQLText(text + rest, bindings, need: (pieces.map(\.need).max() ?? 0) + 3)
    }
}

/// How a store whose columns have declared types spells what is said to it.
///
/// Such a store wants the type of every value, has booleans, and orders and compares values of one type only. The text
/// of one query differs between two of them by these words alone.
struct TypedForms: Hashable, Sendable {
    /// The names of the types by what they hold.
    var int: String
    var double: String
    var text: String
    var bytes: String
    var uuid: String
    var instant: String
    /// A column's text in the order of its bytes (S4).
    var byBytes: SQLForm
    /// The greatest of the doubles, greater than infinity.
    var notANumber: String
    /// Whole numbers divided toward zero.
    var wholeDivision: String
    /// The exclusive or of two whole numbers.
    var exclusiveOr: SQLForm
    /// The double that is not greater; and the others.
    var floor: SQLForm
    var ceiling: SQLForm
    var truncate: SQLForm
    var squareRoot: SQLForm
    var naturalLogarithm: SQLForm
    var commonLogarithm: SQLForm
    var exponential: SQLForm
    var power: SQLForm
    /// How many scalars a text has.
    var length: SQLForm
    /// Where a text is in another, from 1; 0 for nowhere.
    var position: SQLForm
    /// True when the text begins with the other.
    var begins: SQLForm
    /// True when the text ends with the other; `{0}` is the text, `{1}` the end.
    var ends: SQLForm
    /// True when the whole text is in the language of a portable pattern.
    var matches: SQLForm
    /// The mean of doubles; and of whole numbers, from their exact sum.
    var average: SQLForm
    var wholeAverage: SQLForm
    /// The sum of whole numbers, a whole number or an error; and of doubles.
    var wholeSum: SQLForm
    var doubleSum: SQLForm
    /// One more millisecond.
    var nextMillisecond: SQLForm
    /// The instant without the part below a millisecond (S5).
    var inMilliseconds: SQLForm
    /// Milliseconds since 1970, with a fraction, of a column with a time zone or without one; nil where the store compares
    /// the two as instants whatever the connection's time zone.
    var epochMilliseconds: SQLForm?
    /// One day earlier, and later: what no time zone reaches.
    var dayBefore: SQLForm = "({0} - interval '24 hours')"
    var dayAfter: SQLForm = "({0} + interval '24 hours')"
    /// Whole documents, where the store has a type for them.
    var documents: DocumentForms?
    /// Lists and objects that the store keeps as values of declared types; nil where it has none.
    var nested: NestedForms?
    /// True when texts may hold NUL.
    var allowsNul: Bool

    /// Documents as values that tell their kind.
    struct DocumentForms: Hashable, Sendable {
        /// A constant from its JSON text.
        var constant: SQLForm
        /// The member of a key, NULL when there is none; the element at a position.
        var member: SQLForm
        var element: SQLForm
        /// `'number'`, `'string'`, `'boolean'`, `'null'`, `'array'`, `'object'`; NULL for nothing.
        var kind: SQLForm
        /// A scalar as text, NULL for null.
        var text: SQLForm
        /// A number's text as a number.
        var number: SQLForm
        /// The elements of a list as rows of one column `value`, under an alias.
        var elements: SQLForm
        /// A list of one.
        var list: SQLForm
        /// A list's length.
        var length: SQLForm
        /// A value of a declared type as a document.
        var from: SQLForm
        /// The null of documents.
        var null: SQLForm
    }

    /// Lists and objects of declared types.
    struct NestedForms: Hashable, Sendable {
        /// A member by its quoted name.
        var member: SQLForm
        /// The elements of a list as rows of one column `value`, under an alias.
        var elements: SQLForm
        /// A list's length.
        var length: SQLForm
        /// An element by its position from 1; the last one.
        var element: SQLForm
        var last: SQLForm
    }
}
