import QueryMeaning
import QueryTree
import QueryValues

/// Constants as stored in JSON.
enum SQLConstant {
    /// A value with its dates and UUIDs in the field's stored form, and its numbers in the digits kept there.
    ///
    /// A document keeps the shortest digits of a double, which from 2^53 on are not its value, and all the digits of an
    /// int: which of the two a field has, only its type can say.
    static func json(_ value: QueryValue, _ type: FieldType, _ origin: Origin) throws(QueryError) -> QueryValue {
        switch value {
        case .null, .bool, .string: return value
        case .int:
            if type == .double, value.isLargeInt, let number = value.exactDouble { return .double(number) }
            return value
        case .double(let number):
            guard number.isFinite else {
                throw QueryError(.unsupported, "JSON has no infinities or NaN", at: origin)
            }
            guard let whole = value.exactInt else { return value }
            if type == .int { return .int(whole) }
            guard type != .any || !QueryValue.int(whole).isLargeInt else {
                throw TypedWriter.undeclaredLargeNumber(origin)
            }
            return value
        case .date(let milliseconds):
            return type.dateEncoding.compared(milliseconds)
        case .uuid(let uuid):
            guard type == .uuid else {
                throw QueryError(.unsupported, "JSON has no UUIDs to compare with", at: origin)
            }
            return .string(uuid.uuidString.lowercased())
        case .data, .shape:
            throw QueryError(.unsupported, "JSON has no bytes or shapes to compare with", at: origin)
        case .list(let elements):
            var converted: [QueryValue] = []
            for element in elements { converted.append(try json(element, type.element, origin)) }
            return .list(converted)
        case .object(let document):
            var converted: [QueryValue] = []
            for (key, value) in document.pairs {
                converted.append(try json(value, type.resolve([key])?.type ?? .any, origin))
            }
            return .object(Document(shape: document.shape, values: converted))
        }
    }
}
