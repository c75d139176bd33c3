import PredicateQL
import QueryTree
import QueryValues

/// What the values of a field have in common, which determines the column's declared type.
struct ColumnInference {
    private var kinds: Set<Kind> = []
    private var lastKind: Kind?
    private var facts: Facts = []
    /// The forms of the texts that are dates.
    private(set) var dateForms: Set<DateEncoding> = []
    private var lastForm: DateEncoding?

    /// What some value showed.
    private struct Facts: OptionSet {
        let rawValue: UInt8

        static let ints = Facts(rawValue: 1)
        static let doubles = Facts(rawValue: 2)
        /// The double -0.0, of which a column declared REAL makes 0.0.
        static let negativeZeros = Facts(rawValue: 4)
        /// Texts that are not dates.
        static let otherTexts = Facts(rawValue: 8)
        /// A text that would be read as a list or an object where a column does not say that it holds texts.
        static let textsLikeJSON = Facts(rawValue: 16)
        /// A date outside the years that the text form of dates can represent.
        static let farDates = Facts(rawValue: 32)
        /// A date in a list or an object.
        static let innerDates = Facts(rawValue: 64)
    }

    /// True if a text is not a date.
    var hasOtherTexts: Bool { facts.contains(.otherTexts) }

    /// True if the column keeps dates as texts, because JSON has no dates.
    var makesDatesTexts: Bool {
        declaredType.hasPrefix("JSON") && (kinds.contains(.date) || facts.contains(.innerDates))
    }

    /// Records a value.
    ///
    /// - Returns: true if it showed something that no value before it did.
    @discardableResult
    mutating func observe(_ value: QueryValue) -> Bool {
        let before = facts
        var isNew = false
        switch value {
        case .null: return false
        case .int: facts.insert(.ints)
        case .double(let number):
            facts.insert(.doubles)
            if number == 0, number.sign == .minus { facts.insert(.negativeZeros) }
        case .string(let text):
            if let form = DateEncoding.form(ofText: text) {
                if form != lastForm { isNew = dateForms.insert(form).inserted }
                lastForm = form
            } else {
                facts.insert(.otherTexts)
                if !facts.contains(.textsLikeJSON), text.beginsLikeJSON { facts.insert(.textsLikeJSON) }
            }
        case .date(let milliseconds):
            let form = DateEncoding.iso8601Milliseconds
            if form.decode(form.encode(milliseconds)) == nil { facts.insert(.farDates) }
        case .list, .object: if !facts.contains(.innerDates), value.holdsDate { facts.insert(.innerDates) }
        case .bool, .data, .uuid, .shape: break
        }
        let kind = value.kind
        if kind != lastKind, kinds.insert(kind).inserted { isNew = true }
        lastKind = kind
        return isNew || facts != before
    }

    /// The declared type: that of a field of one kind, JSON for lists, objects and mixed kinds.
    var declaredType: String {
        guard kinds.count == 1, let kind = kinds.first else { return jsonType }
        switch kind {
        case .number:
            if facts.isSuperset(of: [.ints, .doubles]) { return SQLiteTable.plainNumberType }
            return facts.contains(.doubles) ? doubleType : "INTEGER"
        case .bool: return SQLiteTable.plainBooleanType
        // Texts are compared as texts, and as dates when compared with a date, as in the imported file.
        case .string: return textType
        case .date: return facts.contains(.farDates) ? SQLiteTable.plainFarDateType : SQLiteTable.plainDateType
        case .data: return "BLOB"
        case .uuid: return SQLiteTable.plainUUIDType
        case .null, .list, .object, .shape: return "JSON"
        }
    }

    private var doubleType: String { facts.contains(.negativeZeros) ? SQLiteTable.plainNumberType : "REAL" }

    private var jsonType: String { facts.contains(.doubles) ? SQLiteTable.jsonTextType : "JSON" }

    /// The type of a column of texts: one that says so if a text could be taken for JSON, as the file has texts there.
    private var textType: String {
        if facts.contains(.textsLikeJSON) { return SQLiteTable.plainTextType }
        return dateForms.isEmpty ? "TEXT" : SQLiteTable.dateTextType
    }

    /// The declared type for a schema's type; nil to infer it from the values.
    func declaredType(_ type: FieldType) -> String? {
        switch type {
        case .any: nil
        case .bool: "BOOLEAN"
        case .int: "INTEGER"
        // An int that a schema calls a double stays an int, as in memory (S17).
        case .double: facts.contains(.ints) ? SQLiteTable.plainNumberType : doubleType
        case .string, .objectID: textType
        case .date(let encoding): encoding.columnType
        case .data: "BLOB"
        case .uuid: "UUID"
        case .object, .list: "JSON"
        }
    }
}

extension DateEncoding {
    /// The declared type of a column of such dates; nil to infer it from the values.
    var columnType: String? {
        switch self {
        case .native, .iso8601: "DATE"
        case .iso8601Milliseconds: "ISO8601_MILLISECONDS"
        case .iso8601Seconds: "ISO8601_SECONDS"
        case .iso8601Date: "ISO8601_DATE"
        case .sqliteText, .epochSeconds, .epochMilliseconds: nil
        }
    }

    /// The fixed form of a text in ISO 8601, `iso8601` for any other; nil for a text that is not a date.
    static func form(ofText text: String) -> DateEncoding? {
        var text = text
        return text.withUTF8 { bytes in
            // Most texts are not dates, and the first character usually shows it.
            guard let first = bytes.first, first < UInt8(ascii: ":"), DateText.parse(bytes) != nil else { return nil }
            // Of the dates whose year has no sign, the length and three characters tell the fixed forms apart.
            guard first >= UInt8(ascii: "0"), bytes.count > 10 else {
                return first < UInt8(ascii: "0") ? .iso8601 : .iso8601Date
            }
            guard bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z") else { return .iso8601 }
            switch bytes.count {
            case 20: return .iso8601Seconds
            case 24 where bytes[19] == UInt8(ascii: "."): return .iso8601Milliseconds
            default: return .iso8601
            }
        }
    }
}

extension String {
    /// True if the first character but white space begins a list or an object in JSON.
    fileprivate var beginsLikeJSON: Bool {
        let first = utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }
}
