import PredicateQL
import QueryMeaning

extension [Assumption] {
    /// True if a row satisfies every assumption.
    ///
    /// nil satisfies every assumption. An assumption about a path below one that is named as a list or as objects
    /// applies to each element; on the way to any other path there is no list.
    ///
    /// - Parameter row: the row.
    /// - Returns: whether every assumption holds in it.
    public func hold(in row: Document) -> Bool {
        let collections = Set(compactMap(\.collection))
        return allSatisfy { assumption in
            guard let values = assumption.values(in: row, collections) else { return false }
            return values.allSatisfy { $0.isNull || assumption.holds(for: $0) }
        }
    }
}

extension Assumption {
    fileprivate var collection: String? {
        switch self {
        case .list(let path), .objects(let path): path
        case .single, .kind, .date, .json: nil
        }
    }

    fileprivate func holds(for value: QueryValue) -> Bool {
        switch (self, value) {
        case (.single, .list): false
        case (.single, _): true
        case (.list, .list(let elements)): !elements.contains { $0.hasPositionKeys }
        case (.objects, .object): true
        case (.objects, .list(let elements)): elements.allSatisfy { $0.kind == .object }
        case (.list, _), (.objects, _): false
        case (.kind, .double(let number)) where number.isNaN: false
        case (.kind(_, .shape), _): GeoPoint(pair: value) != nil
        case (.kind(_, let kind), _): value.kind == kind
        case (.date(_, let form), _): form.allows(value)
        // The rows already contain the values of the texts in the column.
        case (.json, _): true
        }
    }

    /// The values at the path, one for each element of the collections; nil if another list is on the way.
    fileprivate func values(in row: Document, _ collections: Set<String>) -> [QueryValue]? {
        let path =
            switch self {
            case .single(let path), .list(let path), .objects(let path), .kind(let path, _), .date(let path, _),
                .json(let path):
                path
            }
        // Dates may be in lists, because nothing else is assumed about them.
        let isDate = if case .date = self { true } else { false }
        var (values, steps) = ([QueryValue.object(row)], [String]())
        for key in FieldPath(dotted: path).keys {
            var found: [QueryValue] = []
            for value in values {
                switch value {
                case .object(let object): found += object[key].map { [$0] } ?? []
                case .list(let elements) where isDate || collections.contains(steps.joined(separator: ".")):
                    for case .object(let object) in elements { found += object[key].map { [$0] } ?? [] }
                case .list: return nil
                default: break
                }
            }
            values = found
            steps.append(key)
        }
        return values
    }
}

extension QueryValue {
    /// True for an object with a numeric key.
    fileprivate var hasPositionKeys: Bool {
        guard case .object(let object) = self else { return false }
        return object.keys.contains { key in !key.isEmpty && key.utf8.allSatisfy { (48...57).contains($0) } }
    }
}

extension Assumption.DateForm {
    /// True if a store that assumes this form for the field's dates reads the value as memory does.
    ///
    /// - Parameter value: a value of the field, or an element of it.
    /// - Returns: false for a text that one of the two reads or orders as a date.
    public func allows(_ value: QueryValue) -> Bool {
        if case .list(let elements) = value { return elements.allSatisfy(allows) }
        guard case .string(let text) = value else { return value.kind != .date || self == .iso8601 || self == .native }
        switch self {
        case .iso8601: return true
        case .native: return DateText.parse(text) == nil
        case .iso8601Milliseconds: return DateText.parseExact(text) != nil
        case .grdb: return DateText.parseExactGRDB(text) != nil
        }
    }
}
