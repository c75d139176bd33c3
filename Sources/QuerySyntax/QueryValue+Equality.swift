extension QueryValue {
    /// True when both values are equal as the language compares them (S2–S5).
    ///
    /// Kinds never mix, ints and doubles compare by exact value, NaN equals nothing, objects compare as sets of pairs.
    ///
    ///     QueryValue.int(1).isEqual(to: .double(1))  // → true
    ///     QueryValue.int(1).isEqual(to: "1")  // → false
    ///
    /// - Parameters:
    ///   - other: any value.
    ///   - options: `[c]` and `[d]` fold strings, also inside lists and objects.
    /// - Returns: whether they are equal. O(size of the values).
    public func isEqual(to other: QueryValue, options: StringOptions = []) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.int(let a), .double(let b)): b == Double(a) && Int64(exactly: b) == a
        case (.double(let a), .int(let b)): a == Double(b) && Int64(exactly: a) == b
        case (.string(let a), .string(let b)): Folding.equal(a, b, options)
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.isEqual(to: $1, options: options) }
        case (.object(let a), .object(let b)):
            a.count == b.count
                && a.pairs.allSatisfy { key, value in b[key].map { value.isEqual(to: $0, options: options) } ?? false }
        case (.shape(let a), .shape(let b)): a == b
        default: false
        }
    }
}
