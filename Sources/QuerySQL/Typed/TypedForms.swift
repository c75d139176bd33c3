/// A piece of SQL with holes: `CAST({0} AS bigint)`.
///
/// A hole that occurs twice inserts its piece twice, each time with its own placeholders.
struct SQLForm: Hashable, Sendable, ExpressibleByStringLiteral {
    private enum Part: Hashable {
        case words(String)
        case hole(Int)
    }

    private let parts: [Part]

    init(stringLiteral template: String) {
        var parts: [Part] = []
        var words = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            words += rest[..<open]
            let after = rest[rest.index(after: open)...]
            if let close = after.firstIndex(of: "}"), let hole = Int(after[..<close]) {
                parts += [.words(words), .hole(hole)]
                words = ""
                rest = after[after.index(after: close)...]
            } else {
                words.append("{")
                rest = after
            }
        }
        self.parts = (parts + [.words(words + rest)]).filter { $0 != .words("") }
    }

    /// The form with its holes filled; it must bind as tightly as a call.
    func callAsFunction(_ pieces: SQLText...) -> SQLText { self(pieces) }

    /// The form with its holes filled, adding this much to the parser stack that the pieces take.
    func callAsFunction(_ pieces: [SQLText], _ precedence: SQLText.Precedence = .atom, adding: Int = 3) -> SQLText {
        let filled = parts.compactMap { part -> SQLText? in
            switch part {
            case .words(let words): .word(words)
            case .hole(let hole): pieces.indices.contains(hole) ? pieces[hole] : nil
            }
        }
        return .phrase(filled, precedence, need: pieces.greatestNeed + adding)
    }
}

/// The SQL forms of a store with typed columns.
///
/// Such a store requires the type of every value, has booleans, and orders and compares only values of one type. The
/// SQL of two such stores differs in these forms only.
struct TypedForms: Hashable, Sendable {
    /// The names of the types by their content.
    var int: String
    var double: String
    var text: String
    var bytes: String
    var uuid: String
    var instant: String
    /// A column's text in the order of its bytes (S4).
    var byBytes: SQLForm
    /// NaN, which this store orders above infinity.
    var notANumber: String
    /// Integer division toward zero.
    var wholeDivision: String
    /// The exclusive or of two whole numbers.
    var exclusiveOr: SQLForm
    /// `floor(x)`, `ceil(x)`, `trunc(x)` of a double.
    var floor: SQLForm
    var ceiling: SQLForm
    var truncate: SQLForm
    var squareRoot: SQLForm
    var naturalLogarithm: SQLForm
    var commonLogarithm: SQLForm
    var exponential: SQLForm
    var power: SQLForm
    /// The number of scalars in a text.
    var length: SQLForm
    /// The position of one text in another, from 1; 0 if it does not occur.
    var position: SQLForm
    /// True when the text begins with the other.
    var begins: SQLForm
    /// True if the text ends with the other; `{0}` is the text, `{1}` the suffix.
    var ends: SQLForm
    /// True if the whole text matches a portable pattern.
    var matches: SQLForm
    /// `\b` between ASCII words.
    var wordBoundary: String
    /// The average of numbers as a double, of ints and decimals from their exact sum.
    var average: SQLForm
    /// The sum of ints, an int or an error; and of others as a double, of decimals the nearest to their exact sum.
    var wholeSum: SQLForm
    var doubleSum: SQLForm
    /// The next millisecond.
    var nextMillisecond: SQLForm
    /// The instant truncated to milliseconds (S5).
    var inMilliseconds: SQLForm
    /// Milliseconds since 1970, with a fraction, of a column with or without a time zone; nil if the store compares the
    /// two as instants whatever the connection's time zone.
    var epochMilliseconds: SQLForm?
    /// What a clock shows at an instant of a column with or without a time zone: one so many minutes ahead of UTC, and
    /// that of a zone.
    var shiftedClock: SQLForm
    var zonedClock: SQLForm
    /// One day earlier, and later: more than any time zone offset.
    var dayBefore: SQLForm = "({0} - interval '24 hours')"
    var dayAfter: SQLForm = "({0} + interval '24 hours')"
    /// Whole documents, if the store has a type for them.
    var documents: DocumentForms?
    /// Lists and objects stored as values of declared types; nil if unsupported.
    var nested: NestedForms?
    /// True if texts may contain NUL.
    var allowsNul: Bool
    /// The parts of the statement that creates a function which folds text (S14).
    var folding: FoldForms
    /// The kind of index that finds lists by their elements; nil if no indexes are suggested for the store.
    var listIndex: String?

    /// The definitions of `fold(options, value)`, `upper(value)` and `lower(value)`, each of one expression.
    struct FoldForms: Hashable, Sendable {
        /// The definition of a function before its name, its parameters, and what stands between them and its body.
        var head: String
        var optionsParameter: String
        var valueParameter: String
        var afterParameters: String
        var tail: String
        /// A test for texts that the store's own functions fold as this library does, and those functions.
        var isOrdinary: String
        /// A test for texts of ASCII, which all functions treat alike.
        var isASCII: String
        var upper: String
        var lower: String
        var stripped: String
        var both: String
    }

    /// Documents, whose values carry their own kind.
    struct DocumentForms: Hashable, Sendable {
        /// A constant from its JSON text.
        var constant: SQLForm
        /// The member of a key, NULL if there is none; the element at an index.
        var member: SQLForm
        var element: SQLForm
        /// `'number'`, `'string'`, `'boolean'`, `'null'`, `'array'`, `'object'`; NULL if absent.
        var kind: SQLForm
        /// A scalar as text, NULL for null.
        var text: SQLForm
        /// A number's text as a number of any type, which keeps its digits, and the type of such numbers.
        var number: SQLForm
        var decimal: String
        /// Tests such a number for being an int, by its digits; a double with digits that do not look like an int's.
        var isWhole: SQLForm
        var fromDouble: SQLForm
        /// The integer quotient of two of them, toward zero.
        var wholeQuotient: SQLForm
        /// An expression over two values `a` and `b` of a row with an alias.
        var pair: SQLForm
        /// The elements of a list as rows of one column `value`, under an alias.
        var elements: SQLForm
        /// True if a list holds a scalar, or is that scalar.
        var contains: SQLForm
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
        /// A list of values that commas separate; a list, or one of nil in its place.
        var list: SQLForm = "[{0}]"
        var listOrNil: SQLForm = "coalesce({0}, [NULL])"
    }
}
