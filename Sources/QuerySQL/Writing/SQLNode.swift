import QueryTree
import QueryValues

extension SQLText {
    /// `CASE WHEN atom IS NULL THEN piece END`, or the piece if it needs no guard.
    func when(_ guardian: JSONGuard?) -> SQLText {
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
    /// True for a chosen text that is a date beside one, as those of TEXT columns are (S5); nil if only some are.
    var readsAsDate: Bool? = false
    /// True for a column of numbers, or of dates as numbers, that may hold a text.
    var mayHoldTexts = false
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
    var trigrams: TrigramTable?

    static func number(_ value: SQLText, _ type: FieldType = .double) -> SQLNode {
        SQLNode(value: value, kinds: .known(.number), type: type, isComputed: true)
    }

    /// True for everything but JSON, whose texts contain no NUL.
    var isColumnText: Bool { if case .json = kinds { mayHoldNul } else { true } }

    /// True for a column that may hold a list, an object or bytes, because nothing declares it.
    var isUndeclared: Bool { if case .storage = kinds { !mayHoldTexts } else { false } }

    /// True for numbers, and for texts only where a column of numbers has let them in.
    var holdsNumbers: Bool { if case .known(let kind) = kinds { kind == .number } else { mayHoldTexts } }

    /// The path by which assumptions name the value.
    var assumedName: [String]? { name ?? mappedName }

    var isForeignRow: Bool { isRow && json == nil }

    /// True for nil and for kinds other than lists and objects.
    var isKnownScalar: Bool { if case .known(let kind) = kinds { kind != .object && kind != .list } else { false } }

    /// Nil.
    static let none = SQLNode(value: .null, kinds: .known(.null), isComputed: true)
    /// A value that is never present: a key of a number, a position beyond every list.
    static let absent = SQLNode(value: .null, kinds: .known(.null))

    static func text(_ value: SQLText) -> SQLNode {
        SQLNode(value: value, kinds: .known(.string), type: .string, isComputed: true)
    }
}
