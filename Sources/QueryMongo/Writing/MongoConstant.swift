import QueryTree
import QueryValues

/// Converts constants to what the service stores.
package struct MongoConstants {
    let context: MongoContext

    /// A constant as stored in a field of a type.
    ///
    /// - Throws: `unsupported` for what would be read as operators, or what the service cannot represent.
    func encode(
        _ value: QueryValue,
        for type: FieldType,
        path: String?,
        at origin: Origin
    ) throws(QueryError) -> QueryValue {
        switch value {
        case .string(let text):
            // In a function of its own, because this one calls itself for every level of an object.
            return try encode(text, for: type, path: path, at: origin)
        case .null, .bool: return value
        case .int(let number):
            if !context.profile.readsExtendedJSON, number.magnitude > 1 << 53 {
                throw unsupported("plain JSON does not keep whole numbers beyond 2^53", at: origin)
            }
            return value
        case .double(let number):
            if !context.profile.readsExtendedJSON, !number.isFinite {
                throw unsupported("plain JSON has no infinite numbers", at: origin)
            }
            return value
        case .date(let milliseconds): return date(milliseconds, for: type, path: path)
        case .data, .uuid:
            if !context.profile.readsExtendedJSON {
                throw unsupported("the service has no binary values", at: origin)
            }
            return value
        case .list(let elements):
            var encoded: [QueryValue] = []
            encoded.reserveCapacity(elements.count)
            for element in elements {
                encoded.append(try encode(element, for: type.element, path: path, at: origin))
            }
            return .list(encoded)
        case .object(let object): return .object(try encode(object, path: path, at: origin))
        case .shape: throw unsupported("a shape is allowed only as an argument of geoWithin", at: origin)
        }
    }

    private func encode(
        _ text: String,
        for type: FieldType,
        path: String?,
        at origin: Origin
    ) throws(QueryError) -> QueryValue {
        if type.element == .objectID { return try objectID(text, at: origin) }
        guard context.profile.readsExtendedJSON, context.objectIDs.contains(text) else { return .string(text) }
        throw QueryError(
            .unsupported,
            "an ObjectId is compared only where a schema declares one",
            at: origin,
            hint: "declare \(path.flatMap { $0.isEmpty ? nil : $0 } ?? "the field") as an objectID"
        )
    }

    private func encode(_ object: Document, path: String?, at origin: Origin) throws(QueryError) -> Document {
        guard object.count < 2 else {
            throw unsupported("Mongo compares the fields of objects in their order", at: origin)
        }
        var encoded = Document()
        for (key, value) in object.pairs {
            guard key.utf8.first != UInt8(ascii: "$") else {
                throw unsupported("an object with a key that starts with $ would be read as an operator", at: origin)
            }
            encoded[key] = try encode(value, for: .any, path: path, at: origin)
        }
        return encoded
    }

    package static let objectIDKey = "$oid"

    /// `{"$oid": …}`, or just the text for a service of plain JSON.
    private func objectID(_ text: String, at origin: Origin) throws(QueryError) -> QueryValue {
        guard case .string(let digits)? = FieldType.objectID.convert(.string(text)) else {
            throw QueryError(.kindMismatch, "an ObjectId has 24 hex digits", at: origin)
        }
        return context.profile.readsExtendedJSON ? op(Self.objectIDKey, .string(digits)) : .string(digits)
    }

    private func date(_ milliseconds: Int64, for type: FieldType, path: String?) -> QueryValue {
        var encoding = context.profile.dates
        if case .date(let declared) = type { encoding = declared }
        if let form = encoding.assumedForm(isDeclared: type.kind == .date), let path { context.note(.date(path, form)) }
        return encoding.compared(milliseconds)
    }

    private func unsupported(_ message: String, at origin: Origin) -> QueryError {
        QueryError(.unsupported, message, at: origin)
    }
}

extension DateEncoding {
    /// The date form assumed for a field's texts, because a filter compares with one form only (S5).
    func assumedForm(isDeclared: Bool) -> Assumption.DateForm? {
        switch self {
        case .iso8601: .iso8601Milliseconds
        case .iso8601Milliseconds: isDeclared ? nil : .iso8601Milliseconds
        case .native: isDeclared ? nil : .native
        case .iso8601Seconds, .iso8601Date, .sqliteText, .epochSeconds, .epochMilliseconds: nil
        }
    }
}

extension QueryValue {
    /// True for NaN, which equals nothing and is never ordered (S3).
    var isNaN: Bool {
        if case .double(let number) = self { number.isNaN } else { false }
    }

    /// True if NaN occurs anywhere inside: a list with NaN equals nothing.
    package var holdsNaN: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .list(let elements): elements.contains(where: \.holdsNaN)
        case .object(let object): object.values.contains(where: \.holdsNaN)
        case .null, .bool, .int, .string, .date, .data, .uuid, .shape: false
        }
    }
}
