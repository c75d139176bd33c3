import QueryValues

extension Document {
    /// The document as the wire holds it: dates as ISO 8601 text, data as base64, UUIDs as text.
    package var inWireForm: Document { Document(pairs: pairs.map { ($0.0, $0.1.inWireForm()) }) }

    /// The JSON text of ``inWireForm``.
    package var wireJSON: [UInt8] {
        var json: [UInt8] = []
        JSONWriter().write(.object(inWireForm), to: &json)
        return json
    }
}

extension QueryValue {
    /// The value as the wire holds it; the depth is that of an encoded entity, which is bounded.
    ///
    /// - Parameter kept: the kinds of values that a query compares as they are.
    /// - Returns: the value with texts for what JSON lacks.
    package func inWireForm(keeping kept: Set<Kind> = []) -> QueryValue {
        if kept.contains(kind) { return self }
        return switch self {
        case .date(let instant): .string(DateText.iso8601(instant))
        case .data(let bytes): .string(Base64.text(bytes))
        case .uuid(let uuid): .string(uuid.uuidString.lowercased())
        case .list(let values): .list(values.map { $0.inWireForm(keeping: kept) })
        case .object(let document): .object(document.inWireForm)
        case .null, .bool, .int, .double, .string, .shape: self
        }
    }
}

extension Base64 {
    /// The base64 text of bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        encode(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension QueryValue {
    /// What no service stores, with its place; nil if there is none.
    ///
    /// That is a number that JSON does not have, NUL in a text or a name, at which SQLite's functions would end it, and a
    /// value of Extended JSON, which filters would take for an object. The depth is that of an encoded entity, which is
    /// bounded.
    package func unwritable(in place: JSONPlace) -> String? {
        switch self {
        case .double(let number):
            return number.isFinite ? nil : "\(place.path): JSON has no NaN and no infinity; keep such a value as nil"
        case .string(let text):
            return text.utf8.contains(0) ? "\(place.path): a text cannot hold a NUL character" : nil
        case .list(let values):
            for (index, value) in values.enumerated() {
                if let found = value.unwritable(in: .index(place, index)) { return found }
            }
            return nil
        case .object(let document):
            if document.count == 1, let key = document.keys.first, ExtendedKind.isKnown(key) {
                let advice = ExtendedKind(rawValue: key).map { "write " + $0.plainForm } ?? "it has no such value"
                return "\(place.path): an entity is plain JSON, without {\"\(key)\": …}; " + advice
            }
            for (key, value) in document.pairs {
                if key.utf8.contains(0) { return "a name cannot hold a NUL character" }
                if let found = value.unwritable(in: .key(place, key)) { return found }
            }
            return nil
        case .null, .bool, .int, .date, .data, .uuid, .shape: return nil
        }
    }
}

extension ExtendedKind {
    /// What plain JSON has in place of the object.
    fileprivate var plainForm: String {
        switch self {
        case .int, .long, .double, .decimal: "the number"
        case .date: "the date as ISO 8601 text"
        case .uuid, .objectID: "the text"
        case .binary: "the bytes as base64 text"
        case .circle, .polygon: "its numbers under other names"
        }
    }
}
