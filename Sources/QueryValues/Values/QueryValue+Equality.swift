extension QueryValue {
    /// True if the language considers both values equal (S2–S5).
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
        case (.list(let a), .list(let b)): Self.areEqual(a, b, options)
        case (.object(let a), .object(let b)): Self.areEqual(a, b, options)
        case (.shape(let a), .shape(let b)): a == b
        default: false
        }
    }
    // Loops rather than closures, which would take several more frames at each level of a deep row (S26).

    private static func areEqual(_ a: [QueryValue], _ b: [QueryValue], _ options: StringOptions) -> Bool {
        guard a.count == b.count else { return false }
        for place in a.indices where !a[place].isEqual(to: b[place], options: options) { return false }
        return true
    }

    private static func areEqual(_ a: Document, _ b: Document, _ options: StringOptions) -> Bool {
        guard a.count == b.count else { return false }
        for (place, key) in a.keys.enumerated() {
            guard let slot = b.shape.slot(of: key), slot < b.count else { return false }
            if !a.values[place].isEqual(to: b.values[slot], options: options) { return false }
        }
        return true
    }
}
