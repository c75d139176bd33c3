/// The SQL of a store with typed columns, as far as it differs from that of other stores.
///
///     var forms = SQLForms(int: "SIGNED", double: "DOUBLE", text: "CHAR")
///     forms.numbersPlaceholders = false
///     forms.length = "char_length({0})"
///     var dialect = SQLDialect(identifierQuote: "`")
///     dialect.forms = forms
///     let schema = Schema([.field("name", .string)])
///     try Query(format: "length(name) > 3", schema: schema).sql(dialect, from: "people").where
///     // → CAST(char_length(`people`.`name`) AS SIGNED) > CAST(? AS SIGNED)
///
/// Such a store requires the type of every value, has booleans, and orders and compares only values of one type. A form
/// without a default is ``SQLForm/unsupported`` until it is set. `{0}` and `{1}` are what each form says.
public struct SQLForms: Hashable, Sendable {
    // MARK: Types

    /// The type of 64-bit ints in `CAST(… AS type)`.
    public var int: String
    /// The type of doubles.
    public var double: String
    /// The type of texts.
    public var text: String
    /// The type that instants of a further type are cast to; nil where there is none.
    package var timestamp: String?
    /// A constant of bytes.
    public var bytes: SQLForm = .unsupported
    /// A constant UUID from its text.
    public var uuid: SQLForm = .unsupported
    /// A constant date from its text, `2024-05-01T12:30:00.000Z`.
    public var instant: SQLForm = .unsupported
    /// NaN, in a store that orders it above all numbers; nil for a store that has none.
    public var notANumber: String?
    /// True if texts may hold NUL.
    public var allowsNul = false

    // MARK: Statements

    /// True for `$1`, `$2` in place of `?`.
    public var numbersPlaceholders = true
    /// True if a backslash in a text between quotes is doubled.
    public var escapesBackslashes = false
    /// True if OFFSET needs a LIMIT before it.
    public var offsetNeedsLimit = false
    /// True if a DELETE reads its own table, and a LIMIT, only inside another subquery.
    public var nestsDeletedRows = false
    /// The number after LIMIT and OFFSET, `{0}`; nil for one cast to ``int``.
    public var rowCount: SQLForm?
    /// What places nil first in an ascending order, with a space before it.
    public var nilFirst = " NULLS FIRST"
    /// What places nil last in a descending order, with a space before it.
    public var nilLast = " NULLS LAST"
    /// The kind of index that finds lists by their elements; nil if no indexes are suggested for the store.
    public var listIndex: String?

    // MARK: Comparisons

    /// True for two equal values and for two nils.
    public var same: SQLForm = "{0} IS NOT DISTINCT FROM {1}"
    /// The opposite of ``same``.
    public var differs: SQLForm = "{0} IS DISTINCT FROM {1}"
    /// A column of text, compared and grouped by its characters.
    public var textColumn: SQLForm = "{0}"
    /// A text in the order of its bytes in UTF-8.
    public var byBytes: SQLForm = "{0}"  // S4
    /// True if the text `{0}` begins with `{1}`.
    public var begins: SQLForm = .unsupported
    /// True if the text `{0}` ends with `{1}`.
    public var ends: SQLForm = .unsupported
    /// The position of `{1}` in the text `{0}`, from 1; 0 if it does not occur.
    public var position: SQLForm = .unsupported
    /// True if the text `{0}` matches the LIKE pattern `{1}`, whose escape is a backslash.
    public var like: SQLForm = "{0} LIKE {1} ESCAPE '\\'"
    /// True if the whole text `{0}` matches the regular expression `{1}`, which stands between `^` and `$`.
    public var regularExpression: SQLForm = .unsupported
    /// `\b` between ASCII words in a regular expression.
    public var wordBoundary = "\\b"

    // MARK: Numbers

    /// The int `{0}` divided by `{1}`, toward zero.
    public var wholeQuotient: SQLForm = "{0} / {1}"
    /// The bits that two ints share.
    public var bitwiseAnd: SQLForm = "({0} & {1})"
    /// The bits of either of two ints.
    public var bitwiseOr: SQLForm = "({0} | {1})"
    /// The bits of one of two ints.
    public var bitwiseXor: SQLForm = .unsupported
    /// All bits of an int reversed.
    public var onesComplement: SQLForm = "(~{0})"
    /// The greatest whole number not above a double, as a double.
    public var floor: SQLForm = "floor({0})"
    /// The least whole number not below a double, as a double.
    public var ceiling: SQLForm = "ceil({0})"
    /// A double without its fraction, as a double.
    public var truncate: SQLForm = "trunc({0})"
    /// The square root of a double.
    package var squareRoot: SQLForm = "sqrt({0})"
    /// The logarithm to the base e of a double.
    public var naturalLogarithm: SQLForm = "ln({0})"
    /// The logarithm to the base 10 of a double.
    public var commonLogarithm: SQLForm = "log10({0})"
    /// e to the power of a double.
    package var exponential: SQLForm = "exp({0})"
    /// The double `{0}` to the power of `{1}`.
    public var power: SQLForm = "power({0}, {1})"
    /// The number of scalars in a text.
    public var length: SQLForm = .unsupported

    // MARK: Aggregates

    /// The average of a column as a double; of ints and decimals from their exact sum.
    public var average: SQLForm = .unsupported
    /// The sum of a column of ints: an int, or an error.
    public var wholeSum: SQLForm = .unsupported
    /// The sum of a column of doubles; of decimals their exact sum, of which the nearest double is taken.
    public var doubleSum: SQLForm = .unsupported
    /// The values of a column as an array.
    public var array: SQLForm = .unsupported
    /// The element at the position `{1}`, from 1, of the values `{0}` of a column in ascending order.
    public var sortedElement: SQLForm = .unsupported
    /// The elements of an array `{0}` as a table `{1}` with a column `value`.
    public var arrayElements: SQLForm = .unsupported

    // MARK: Dates

    /// The next millisecond.
    public var nextMillisecond: SQLForm = .unsupported
    /// A date truncated to milliseconds.
    public var inMilliseconds: SQLForm = .unsupported  // S5
    /// Milliseconds since 1970, with a fraction, of a column with or without a time zone; nil if the store compares the
    /// two as instants whatever the connection's time zone.
    public var epochMilliseconds: SQLForm?
    /// A date 24 hours earlier, which is more than any time zone's offset.
    public var dayBefore: SQLForm = "({0} - interval '24 hours')"
    /// A date 24 hours later.
    public var dayAfter: SQLForm = "({0} + interval '24 hours')"
    /// What a clock `{1}` minutes ahead of UTC shows at a date `{0}`.
    public var shiftedClock: SQLForm = .unsupported
    /// What a clock in the time zone of the name `{1}` shows at a date `{0}`.
    public var zonedClock: SQLForm = .unsupported
    /// A part of what a clock shows, `{1}`, by its name in SQL, `{0}`: year, month, day, hour, minute.
    public var datePart: SQLForm = "extract({0} FROM {1})"
    /// The day of the week of what a clock shows, from 0 for Sunday.
    public var dayOfWeek: SQLForm = .unsupported

    // MARK: Lists and objects

    /// Documents, if the store has a type for them.
    package var documents: Documents?
    /// Lists and objects of declared types; nil if the store has none.
    package var nested: Nested?
    /// The parts of the statements that create functions which fold text and change its case.
    var folding: FoldForms?

    /// The forms that standard SQL has, and the names of three types.
    ///
    ///     SQLForms(int: "bigint", double: "double precision", text: "text").floor  // → floor({0})
    ///
    /// - Parameters:
    ///   - int: the type of 64-bit ints in `CAST(… AS type)`.
    ///   - double: the type of doubles.
    ///   - text: the type of texts.
    public init(int: String = "bigint", double: String = "double precision", text: String = "text") {
        (self.int, self.double, self.text) = (int, double, text)
    }

    /// Documents such as `jsonb`, whose values carry their own kind.
    package struct Documents: Hashable, Sendable {
        /// A document from its JSON text.
        package var constant: SQLForm = .unsupported
        /// The member of the document `{0}` with the key `{1}`, NULL if there is none.
        package var member: SQLForm = .unsupported
        /// The element of a list `{0}` at the position `{1}` from 0, or from -1 for the last; NULL if `{0}` is no list.
        package var element: SQLForm = .unsupported
        /// `'number'`, `'string'`, `'boolean'`, `'null'`, `'array'` or `'object'`; NULL if absent.
        package var kind: SQLForm = .unsupported
        /// A scalar as text, NULL for null.
        package var text: SQLForm = .unsupported
        /// A number with all its digits, of the type ``decimal``.
        package var number: SQLForm = .unsupported
        /// The type of exact decimal numbers.
        package var decimal = "numeric"
        /// True if a decimal has the digits of an int.
        package var isWhole: SQLForm = .unsupported
        /// A double as a decimal whose digits do not look like an int's.
        package var fromDouble: SQLForm = .unsupported
        /// The whole quotient of two decimals, toward zero.
        package var wholeQuotient: SQLForm = .unsupported
        /// The expression `{0}` over the values `{1}` and `{2}`, which it calls `a` and `b` of the row `{3}`.
        package var pair: SQLForm = .unsupported
        /// The elements of a list `{0}` as a table `{1}` with a column `value`.
        package var elements: SQLForm = .unsupported
        /// True if a list `{0}` has the scalar `{1}` as an element, or is that scalar.
        package var contains: SQLForm = .unsupported
        /// A list of one document.
        package var list: SQLForm = .unsupported
        /// The length of a list.
        package var length: SQLForm = .unsupported
        /// A value of a declared type as a document.
        package var from: SQLForm = .unsupported
        /// The null of documents.
        package var null: SQLForm = .unsupported

        /// No forms yet.
        ///
        ///     SQLForms.Documents().kind == .unsupported  // → true
        package init() {}
    }

    /// Lists and objects of declared types, such as LIST and STRUCT.
    package struct Nested: Hashable, Sendable {
        /// The member of an object `{0}` with the name `{1}`.
        package var member: SQLForm = .unsupported
        /// The elements of a list `{0}` as a table `{1}` with a column `value`.
        package var elements: SQLForm = .unsupported
        /// The length of a list.
        package var length: SQLForm = .unsupported
        /// The element of a list `{0}` at the position `{1}`, from 1.
        package var element: SQLForm = .unsupported
        /// The last element of a list.
        package var last: SQLForm = .unsupported
        /// A list of values between commas.
        package var list: SQLForm = "[{0}]"
        /// A list, or a list of nil in place of NULL.
        package var listOrNil: SQLForm = "coalesce({0}, [NULL])"

        /// No forms but those of lists.
        ///
        ///     SQLForms.Nested().member == .unsupported  // → true
        package init() {}
    }

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
}
