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
    /// The place of a number or text that no service stores, and what is wrong with it; nil if there is none.
    ///
    /// The depth is that of an encoded entity, which is bounded.
    package func unwritable(in place: JSONPlace) -> (place: JSONPlace, reason: String)? {
        switch self {
        case .double(let number):
            return number.isFinite ? nil : (place, "JSON has no NaN and no infinity; keep such a value as nil")
        case .string(let text): return text.utf8.contains(0) ? (place, "a text cannot hold a NUL character") : nil
        case .list(let values):
            for (index, value) in values.enumerated() {
                if let found = value.unwritable(in: .index(place, index)) { return found }
            }
            return nil
        case .object(let document):
            for (key, value) in document.pairs {
                if key.utf8.contains(0) { return (place, "a name cannot hold a NUL character") }
                if let found = value.unwritable(in: .key(place, key)) { return found }
            }
            return nil
        case .null, .bool, .int, .date, .data, .uuid, .shape: return nil
        }
    }
}
