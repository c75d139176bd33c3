extension [QueryValue] {
    /// Maps a key step over a list (S9): lists that it yields are flattened; an element that lacks the key, or is not
    /// an object, gives one null.
    @inlinable
    package func mapped(_ step: (Document) -> QueryValue?) -> [QueryValue] {
        var values: [QueryValue] = []
        values.reserveCapacity(count)
        for element in self {
            guard case .object(let object) = element, let value = step(object) else {
                values.append(.null)
                continue
            }
            if case .list(let inner) = value {
                values.append(contentsOf: inner)
            } else {
                values.append(value)
            }
        }
        return values
    }
}

extension QueryValue {
    /// Follows one key of a path (S9); nil if it leads nowhere.
    func following(_ key: String) -> QueryValue? {
        switch self {
        case .object(let object): object[key]
        case .list(let elements): .list(elements.mapped { $0[key] })
        case .null, .bool, .int, .double, .string, .date, .data, .uuid, .shape: .none
        }
    }
}
