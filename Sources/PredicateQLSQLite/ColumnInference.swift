import PredicateQL
import QuerySyntax

/// What the values of one field have in common, and so how its column is declared.
struct ColumnInference {
    private var kinds: Set<Kind> = []
    private var hasInts = false
    private var hasDoubles = false
    private var hasLargeInts = false

    /// Takes note of a value.
    mutating func observe(_ value: QueryValue) {
        switch value {
        case .null: return
        case .int(let number):
            hasInts = true
            // Beyond 2^53 a double cannot hold every int.
            if number.magnitude > 1 << 53 { hasLargeInts = true }
        case .double: hasDoubles = true
        case .bool, .string, .date, .data, .uuid, .list, .object, .shape: break
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
        case .string: return "TEXT"
        case .date: return "DATE"
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
        case .string: "TEXT"
        case .date(.iso8601), .date(.native): "DATE"
        case .date(.epochSeconds), .date(.epochMilliseconds), .date(.sqliteText): nil
        case .data: "BLOB"
        case .uuid: "UUID"
        case .object, .list: "JSON"
        }
    }
}
