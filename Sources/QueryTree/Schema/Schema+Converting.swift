import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FieldType {
    /// Converts a constant to a field's kind (S2): 0/1 to bool, ISO text to date, hex text to uuid and objectID, a UUID to
    /// its bytes; nil if it does not fit.
    ///
    /// - Parameter value: a literal, argument or bound value; null fits every field.
    /// - Returns: the converted value.
    package func convert(_ value: QueryValue) -> QueryValue? {
        switch (self, value) {
        case (.any, _), (_, .null): value
        case (.bool, .bool), (.string, .string), (.date, .date), (.data, .data), (.uuid, .uuid): value
        case (.bool, .int(let number)) where number == 0 || number == 1: .bool(number == 1)
        case (.bool, .double(let number)) where number == 0 || number == 1: .bool(number == 1)
        case (.int, .int), (.int, .double), (.double, .int), (.double, .double): value
        case (.date, .string(let text)): DateText.parse(text).map(QueryValue.date)
        case (.data, .uuid(let uuid)): withUnsafeBytes(of: uuid.uuid) { .data(Array($0)) }
        case (.uuid, .string(let text)): Self.uuid(text).map(QueryValue.uuid)
        case (.objectID, .string(let text)): ExtendedKind.objectID(text).map(QueryValue.string)
        case (.object, .object): value
        case (.list(let element), .list(let values)): Self.convert(values, to: element)
        default: nil
        }
    }

    private static func convert(_ values: [QueryValue], to element: FieldType) -> QueryValue? {
        var converted: [QueryValue] = []
        for value in values {
            guard let value = element.convert(value) else { return nil }
            converted.append(value)
        }
        return .list(converted)
    }

    /// A UUID from hex text, with or without its four hyphens.
    private static func uuid(_ text: String) -> UUID? {
        if let uuid = UUID(uuidString: text) { return uuid }
        guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "-") }) else { return nil }
        var hyphenated = ""
        for (position, character) in text.enumerated() {
            if [8, 12, 16, 20].contains(position) { hyphenated += "-" }
            hyphenated.append(character)
        }
        return UUID(uuidString: hyphenated)
    }

    /// The kind for messages.
    package var name: String {
        switch self {
        case .any: "any value"
        case .bool: "a truth value"
        case .int, .double: "a number"
        case .string: "text"
        case .date: "a date"
        case .data: "bytes"
        case .uuid: "a UUID"
        case .objectID: "an ObjectId"
        case .object: "an object"
        case .list(let element): element == .any ? "a list" : "a list of \(element.name)"
        }
    }

    package var isList: Bool {
        if case .list = self { true } else { false }
    }

    /// True for values that `<` orders (S2).
    package var isOrdered: Bool {
        switch self {
        case .list, .object: false
        default: true
        }
    }
}
