import QueryValues

extension Document {
    /// What is left of a version when another one takes its place: the fields that a type does not know (W10).
    ///
    /// - Parameters:
    ///   - known: the version as the type writes it after reading it: what is missing there, it does not know.
    ///   - new: the version that the type wrote.
    /// - Returns: the new version, with the unknown fields; objects inside likewise, lists not.
    package func keepingUnknown(besides known: Document, in new: Document) -> Document {
        var result = new
        for (key, value) in pairs {
            switch (value, known[key], new[key]) {
            case (_, nil, nil): result[key] = value
            case (.object(let old), .object(let read)?, .object(let written)?):
                result[key] = .object(old.keepingUnknown(besides: read, in: written))
            default: break
            }
        }
        return result
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
