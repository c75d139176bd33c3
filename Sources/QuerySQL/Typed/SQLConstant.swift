import QueryTree
import QueryValues

/// Constants as stored in JSON.
enum SQLConstant {
    /// A value with its dates and UUIDs in the field's stored form.
    static func json(_ value: QueryValue, _ type: FieldType, _ origin: Origin) throws(QueryError) -> QueryValue {
        switch value {
        case .null, .bool, .int, .string: return value
        case .double(let number):
            guard number.isFinite else {
                throw QueryError(.unsupported, "JSON has no infinities or NaN", at: origin)
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
