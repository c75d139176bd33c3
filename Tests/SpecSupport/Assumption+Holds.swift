import PredicateQL

extension Assumption {
    /// True when every row is as the translation took it.
    ///
    /// - Parameter rows: the rows.
    /// - Returns: whether it holds in all of them.
    public func holds(in rows: [Document]) -> Bool {
        rows.allSatisfy { row in
            switch self {
            case .single(let path):
                return values(path, row).allSatisfy { if case .list = $0 { false } else { true } }
            case .list(let path):
                return values(path, row).allSatisfy { if case .list = $0 { true } else { $0.isNull } }
            case .objects(let path):
                return values(path, row).allSatisfy(isObjects)
            case .kind(let path, let kind):
                return values(path, row).allSatisfy { $0.isNull || $0.kind == kind }
            case .date(let path, let form):
                return values(path, row).allSatisfy { form.allows($0) }
            }
        }
    }

    private func isObjects(_ value: QueryValue) -> Bool {
        switch value {
        case .null, .object: true
        case .list(let elements): elements.allSatisfy { if case .object = $0 { true } else { $0.isNull } }
        default: false
        }
    }

    /// The values at a dotted path, lists on the way looked into; a list on the way is itself one that is not single.
    private func values(_ path: String, _ row: Document) -> [QueryValue] {
        var values = [QueryValue.object(row)]
        for key in FieldPath(dotted: path).keys {
            values = values.flatMap { value -> [QueryValue] in
                switch value {
                case .object(let document): document[key].map { [$0] } ?? []
                case .list: [value]
                default: []
                }
            }
        }
        return values
    }
}

extension Assumption.DateForm {
    /// True for a value that a store reads as memory does when it takes the field's dates to be of this form.
    ///
    /// - Parameter value: a value of the field, or an element of it.
    /// - Returns: false for a text that one of the two takes for a date, or orders as one.
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
