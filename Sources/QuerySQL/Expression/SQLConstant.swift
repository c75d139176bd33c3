import QueryMeaning
import QueryTree
import QueryValues

/// Constants as stored in JSON.
enum SQLConstant {
    /// A value with its dates and UUIDs in the field's stored form, and its numbers in the digits kept there.
    ///
    /// A document keeps the shortest digits of a double, which from 2^53 on are not its value, and all the digits of an
    /// int: which of the two a field has, only its type can say. `keepsDigits` is false where numbers are compared by
    /// value.
    static func json(
        _ value: QueryValue,
        _ type: FieldType,
        _ origin: Origin,
        keepsDigits: Bool
    ) throws(QueryError) -> QueryValue {
        switch value {
        case .null, .bool: return value
        case .string(let text):
            // SQLite's JSON functions cut a text at its NUL (T9), PostgreSQL has no such text.
            if text.utf8.contains(0) { throw QueryError(.unsupported, "JSON in SQL cannot hold a NUL", at: origin) }
            return value
        case .int:
            if keepsDigits, type == .double, value.isLargeInt, let number = value.exactDouble { return .double(number) }
            return value
        case .double(let number):
            guard number.isFinite else { throw QueryError(.unsupported, "JSON has no infinities or NaN", at: origin) }
            guard keepsDigits, let whole = value.exactInt else { return value }
            if type == .int { return .int(whole) }
            guard type != .any || !QueryValue.int(whole).isLargeInt else {
                throw TypedWriter.undeclaredLargeNumber(origin)
            }
            return value
        case .date(let milliseconds):
            return type.dateEncoding.compared(milliseconds)
        case .uuid(let uuid):
            guard type == .uuid else { throw QueryError(.unsupported, "JSON has no UUIDs to compare with", at: origin) }
            return .string(uuid.uuidString.lowercased())
        case .data, .shape:
            throw QueryError(.unsupported, "JSON has no bytes or shapes", at: origin, hint: "compare with its text")
        case .list(let elements):
            var converted: [QueryValue] = []
            let type = type.element
            for element in elements { converted.append(try json(element, type, origin, keepsDigits: keepsDigits)) }
            return .list(converted)
        case .object(let document):
            var converted: [QueryValue] = []
            for (key, value) in document.pairs {
                let type = type.resolve([key])?.type ?? .any
                converted.append(try json(value, type, origin, keepsDigits: keepsDigits))
            }
            return .object(Document(shape: document.shape, values: converted))
        }
    }
}
