import PredicateQL
import QueryTree
import QueryValues

/// What the values of a field have in common, which determines the column's declared type.
struct ColumnInference {
    private var kinds: Set<Kind> = []
    private var lastKind: Kind?
    private var hasInts = false
    private var hasDoubles = false
    private var hasLargeInts = false
    /// The forms of the texts that are dates, and whether any text is not a date.
    private(set) var dateForms: Set<DateEncoding> = []
    private(set) var hasOtherTexts = false
    /// True if a text would be read as a list or an object where a column does not say that it holds texts.
    private var hasTextsLikeJSON = false
    /// True if a date is outside the years that the text form of dates can represent.
    private var hasFarDates = false

    /// Records a value.
    mutating func observe(_ value: QueryValue) {
        switch value {
        case .null: return
        case .int(let number):
            hasInts = true
            // Beyond 2^53 a double cannot represent every int.
            if number.magnitude > 1 << 53 { hasLargeInts = true }
        case .double: hasDoubles = true
        case .string(let text):
            if let form = DateEncoding.form(ofText: text) {
                dateForms.insert(form)
            } else {
                hasOtherTexts = true
                if !hasTextsLikeJSON { hasTextsLikeJSON = text.beginsLikeJSON }
            }
        case .date(let milliseconds):
            let form = DateEncoding.iso8601Milliseconds
            if form.decode(form.encode(milliseconds)) == nil { hasFarDates = true }
        case .bool, .data, .uuid, .list, .object, .shape: break
        }
        let kind = value.kind
        if kind == lastKind { return }
        kinds.insert(kind)
        lastKind = kind
    }

    /// The declared type: that of a field of one kind, JSON for lists, objects and mixed kinds.
    var declaredType: String {
        guard kinds.count == 1, let kind = kinds.first else { return kinds.isEmpty ? "TEXT" : "JSON" }
        switch kind {
        case .number:
            if hasInts, hasDoubles { return hasLargeInts ? "JSON" : "REAL" }
            return hasDoubles ? "REAL" : "INTEGER"
        case .bool: return SQLiteTable.plainBooleanType
        // Texts are compared as texts, and as dates when compared with a date, as in the imported file.
        case .string: return dateForms.isEmpty ? textType : SQLiteTable.dateTextType
        case .date: return (hasFarDates ? DateEncoding.iso8601 : .iso8601Milliseconds).columnType ?? "TEXT"
        case .data: return "BLOB"
        case .uuid: return "UUID"
        case .null, .list, .object, .shape: return "JSON"
        }
    }

    /// The type of a column of texts: one that says so if a text could be taken for JSON, as the file has texts there.
    private var textType: String { hasTextsLikeJSON ? SQLiteTable.plainTextType : "TEXT" }

    /// The declared type for a schema's type; nil to infer it from the values.
    func declaredType(_ type: FieldType) -> String? {
        switch type {
        case .any: nil
        case .bool: "BOOLEAN"
        case .int: "INTEGER"
        case .double: "REAL"
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
        // Most texts are not dates, and the first character usually shows it.
        guard let first = text.utf8.first, first < UInt8(ascii: ":"), DateText.parse(text) != nil else { return nil }
        let fixed: [DateEncoding] = [.iso8601Milliseconds, .iso8601Seconds, .iso8601Date]
        return fixed.first { $0.decode(.string(text)) != nil } ?? .iso8601
    }
}

extension String {
    /// True if the first character but white space begins a list or an object in JSON.
    fileprivate var beginsLikeJSON: Bool {
        let first = utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }
}
