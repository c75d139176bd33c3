import Foundation
import PredicateQL
import QueryTree
import QueryValues

// Row types that hold a document and present it as Swift types.

/// A row that an encoder sees like a custom type: key by key, each value with its Swift type.
struct EncodedRow: Encodable, Sendable {
    var id: Int
    var document: Document

    func encode(to encoder: any Encoder) throws {
        try EncodedValue(value: .object(document)).encode(to: encoder)
    }
}

private struct EncodedKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct EncodedValue: Encodable {
    var value: QueryValue

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let object):
            var container = encoder.container(keyedBy: EncodedKey.self)
            for (key, value) in object.pairs { try Self.encode(value, EncodedKey(stringValue: key), &container) }
        case .list(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements {
                if case .null = element {
                    try container.encodeNil()
                } else {
                    try container.encode(Self(value: element))
                }
            }
        default:
            var container = encoder.singleValueContainer()
            switch value {
            case .null: try container.encodeNil()
            case .bool(let value): try container.encode(value)
            case .int(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            default: try container.encode(value)
            }
        }
    }

    private static func encode(
        _ value: QueryValue,
        _ key: EncodedKey,
        _ container: inout KeyedEncodingContainer<EncodedKey>
    ) throws {
        switch value {
        case .null: try container.encodeNil(forKey: key)
        case .bool(let value): try container.encode(value, forKey: key)
        case .int(let value): try container.encode(value, forKey: key)
        case .double(let value): try container.encode(value, forKey: key)
        case .string(let value): try container.encode(value, forKey: key)
        case .date(let milliseconds):
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            // A date that Foundation would round is given unchanged.
            if date.queryValue == value {
                try container.encode(date, forKey: key)
            } else {
                try container.encode(value, forKey: key)
            }
        case .data(let bytes): try container.encode(Data(bytes), forKey: key)
        case .uuid(let uuid): try container.encode(uuid, forKey: key)
        case .list(let elements) where elements.count == 1:
            var list = container.nestedUnkeyedContainer(forKey: key)
            try list.encode(EncodedValue(value: elements[0]))
        case .list, .object: try container.encode(EncodedValue(value: value), forKey: key)
        case .shape: throw QueryError(.evaluation, "a shape is no row's value")
        }
    }
}

/// A value of any kind, as a field of a row type.
struct AnyField: FieldValue, Equatable {
    var queryValue: QueryValue
}

/// An object that is read field by field.
final class AskedRow: Queryable, Sendable {
    let id: Int
    let document: Document

    init(_ id: Int, _ document: Document) {
        self.id = id
        self.document = document
    }

    subscript(key: String) -> AnyField? { document[key].map { AnyField(queryValue: $0) } }

    /// The names in the current rows, and those that the query names.
    ///
    /// Set by one test at a time and read by all threads of a query.
    nonisolated(unsafe) static var names: [String] = []

    static var fields: FieldTable<AskedRow> { FieldTable(names.map { ($0, \AskedRow[$0]) }) }
}

/// A struct that is read field by field.
struct ComputedRow: Queryable, Sendable {
    var id: Int
    var document: Document

    subscript(key: String) -> AnyField? { document[key].map { AnyField(queryValue: $0) } }

    static var fields: FieldTable<ComputedRow> { FieldTable(AskedRow.names.map { ($0, \ComputedRow[$0]) }) }
}
