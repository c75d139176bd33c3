/// The relative order of two values.
///
///     QueryValue.int(1).order(relativeTo: 2.5) == .ascending  // → true
public enum QueryOrder: Int, Hashable, Sendable {
    /// It comes before.
    case ascending = -1
    /// They are equal.
    case same = 0
    /// It comes after.
    case descending = 1

    /// The order with the sides swapped.
    package var reversed: QueryOrder {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }

    @inlinable
    package static func of<Value: Comparable>(_ left: Value, _ right: Value) -> QueryOrder {
        left < right ? .ascending : right < left ? .descending : .same
    }

    static func of(bytes left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> QueryOrder {
        left.lexicographicallyPrecedes(right)
            ? .ascending : right.lexicographicallyPrecedes(left) ? .descending : .same
    }
}

extension QueryValue {
    /// The order of two values under `<`; nil if they have none.
    ///
    ///     QueryValue.int(1).order(relativeTo: 2.5)  // → ascending
    ///     QueryValue.int(1).order(relativeTo: "2")  // → nil
    ///
    /// Values of different kinds, lists, objects, shapes, null and NaN have no order. See S2, S3, S4.
    ///
    /// - Parameters:
    ///   - other: any value.
    ///   - options: `[c]` and `[d]` fold strings.
    /// - Returns: this value's place before or after the other.
    public func order(relativeTo other: QueryValue, options: StringOptions = []) -> QueryOrder? {
        switch (self, other) {
        case (.bool(let a), .bool(let b)): .of(a ? 1 : 0, b ? 1 : 0)
        case (.int(let a), .int(let b)): .of(a, b)
        case (.double(let a), .double(let b)): a.isNaN || b.isNaN ? nil : .of(a, b)
        case (.int(let a), .double(let b)): Self.order(a, b)
        case (.double(let a), .int(let b)): Self.order(b, a)?.reversed
        case (.string(let a), .string(let b)): Folding.order(a, b, options)
        case (.date(let a), .date(let b)): .of(a, b)
        case (.data(let a), .data(let b)): .of(bytes: a, b)
        case (.uuid(let a), .uuid(let b)): .of(bytes: a.bytes, b.bytes)
        default: nil
        }
    }

    /// Exact, even if the int has no exact double.
    private static func order(_ int: Int64, _ double: Double) -> QueryOrder? {
        if double.isNaN { return nil }
        if double >= 0x1p63 { return .ascending }
        if double < -0x1p63 { return .descending }
        let whole = Int64(double.rounded(.down))
        if int != whole { return .of(int, whole) }
        return double > double.rounded(.down) ? .ascending : .same
    }

    /// The sort order, total over all values (S22).
    ///
    ///     let values: [QueryValue] = ["b", 3, nil, "A", 2.5]
    ///     values.sorted { $0.sortOrder(relativeTo: $1) == .ascending }  // → [null, 2.5, 3, "A", "b"]
    ///
    /// Kinds sort as null, number, string, object, list, data, uuid, bool, date; NaN before other numbers.
    ///
    /// - Parameters:
    ///   - other: any value.
    ///   - folding: `[c]` and `[d]` fold strings.
    /// - Returns: this value's place before or after the other. O(size of the values).
    package func sortOrder(relativeTo other: QueryValue, folding: StringOptions = []) -> QueryOrder {
        if let order = order(relativeTo: other, options: folding) { return order }
        let ranks = QueryOrder.of(kind.sortRank, other.kind.sortRank)
        if ranks != .same { return ranks }
        switch (self, other) {
        case (.list(let a), .list(let b)):
            return Self.sortOrder(a, b, folding)
        case (.object(let a), .object(let b)):
            return a.sortOrder(relativeTo: b, folding: folding)
        default:
            return .of(isNaN ? 0 : 1, other.isNaN ? 0 : 1)
        }
    }

    private static func sortOrder(_ left: [QueryValue], _ right: [QueryValue], _ folding: StringOptions) -> QueryOrder {
        for (a, b) in zip(left, right) {
            let order = a.sortOrder(relativeTo: b, folding: folding)
            if order != .same { return order }
        }
        return .of(left.count, right.count)
    }
}

extension Document {
    /// The sort order of two objects: by their keys in order, then by the values (S22).
    fileprivate func sortOrder(relativeTo other: Document, folding: StringOptions) -> QueryOrder {
        if isEmpty || other.isEmpty { return .of(count, other.count) }
        let (mine, others) = (shape.sortedSlots, other.shape.sortedSlots)
        if shape !== other.shape {
            for (slot, place) in zip(mine, others) {
                let order = Folding.order(keys[slot], other.keys[place])
                if order != .same { return order }
            }
            if mine.count != others.count { return .of(mine.count, others.count) }
        }
        for (slot, place) in zip(mine, others) {
            let order = values[slot].sortOrder(relativeTo: other.values[place], folding: folding)
            if order != .same { return order }
        }
        return .same
    }
}

extension Kind {
    /// The rank of the kind in a sort (S22).
    package var sortRank: Int {
        switch self {
        case .null: 0
        case .number: 1
        case .string: 2
        case .object: 3
        case .list: 4
        case .data: 5
        case .uuid: 6
        case .bool: 7
        case .date: 8
        case .shape: 9
        }
    }
}
