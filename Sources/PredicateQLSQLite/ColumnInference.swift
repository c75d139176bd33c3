import PredicateQL
import QueryTree
import QueryValues

/// What the values of one field have in common, and so how its column is declared.
struct ColumnInference {
    private var kinds: Set<Kind> = []
    private var hasInts = false
    private var hasDoubles = false
    private var hasLargeInts = false
    /// The forms of the texts that are dates, and whether any is none.
    private(set) var dateForms: Set<DateEncoding> = []
    private(set) var hasOtherTexts = false
    /// True when a date lies outside the years that the form of dates reaches.
    private var hasFarDates = false

    /// Takes note of a value.
    mutating func observe(_ value: QueryValue) {
        switch value {
        case .null: return
        case .int(let number):
            hasInts = true
            // Beyond 2^53 a double cannot hold every int.
            if number.magnitude > 1 << 53 { hasLargeInts = true }
        case .double: hasDoubles = true
        case .string(let text):
            if let form = DateEncoding.form(ofText: text) {
                dateForms.insert(form)
            } else {
                hasOtherTexts = true
            }
        case .date(let milliseconds):
            let form = DateEncoding.iso8601Milliseconds
            if form.decode(form.encode(milliseconds)) == nil { hasFarDates = true }
        case .bool, .data, .uuid, .list, .object, .shape: break
        }
        kinds.insert(value.kind)
    }

    /// The declared type: one for a field of one kind, JSON for lists, objects and mixed kinds.
    var declaredType: String {
        guard kinds.count == 1, let kind = kinds.first else { return kinds.isEmpty ? "TEXT" : "JSON" }
        switch kind {
        case .number:
            if hasInts, hasDoubles { return hasLargeInts ? "JSON" : "REAL" }
            return hasDoubles ? "REAL" : "INTEGER"
        case .bool: return "BOOLEAN"
        // Texts are compared as texts, and beside a date as dates, as in the file that they come from.
        case .string: return dateForms.isEmpty ? "TEXT" : SQLiteTable.dateTextType
        case .date: return (hasFarDates ? DateEncoding.iso8601 : .iso8601Milliseconds).columnType ?? "TEXT"
        case .data: return "BLOB"
        case .uuid: return "UUID"
        case .null, .list, .object, .shape: return "JSON"
        }
    }

    /// The declared type that a schema asks for; nil to look at the values.
    static func declaredType(_ type: FieldType) -> String? {
        switch type {
        case .any: nil
        case .bool: "BOOLEAN"
        case .int: "INTEGER"
        case .double: "REAL"
        case .string, .objectID: "TEXT"
        case .date(let encoding): encoding.columnType
        case .data: "BLOB"
        case .uuid: "UUID"
        case .object, .list: "JSON"
        }
    }
}

extension DateEncoding {
    /// The declared type of a column of such dates; nil to look at the values.
    var columnType: String? {
        switch self {
        case .native, .iso8601: "DATE"
        case .iso8601Milliseconds: "ISO8601_MILLISECONDS"
        case .iso8601Seconds: "ISO8601_SECONDS"
        case .iso8601Date: "ISO8601_DATE"
        case .sqliteText, .epochSeconds, .epochMilliseconds: nil
        }
    }

    /// The fixed form of a text in ISO 8601, `iso8601` for any other; nil for a text that is no date.
    static func form(ofText text: String) -> DateEncoding? {
        // Most texts are no dates, and a digit or a sign tells it.
        guard let first = text.utf8.first, first < UInt8(ascii: ":"), DateText.parse(text) != nil else { return nil }
        let fixed: [DateEncoding] = [.iso8601Milliseconds, .iso8601Seconds, .iso8601Date]
        return fixed.first { $0.decode(.string(text)) != nil } ?? .iso8601
    }
}
