/// A value as a dictionary key: values that are equal in the order of S22 are the same key.
///
/// So `1` and `1.0` are the same, `TRUE` is different, NaN equals itself and null is a value like any other (S23).
package struct EqualityKey: Hashable, Sendable {
    package var value: QueryValue

    package init(_ value: QueryValue) {
        self.value = value
    }

    package static func == (left: EqualityKey, right: EqualityKey) -> Bool {
        switch (left.value, right.value) {
        case (.int(let a), .int(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameUTF8(as: b)
        default: left.value.sortOrder(relativeTo: right.value) == .same
        }
    }

    package func hash(into hasher: inout Hasher) {
        value.hashBySort(into: &hasher)
    }
}

extension QueryValue {
    /// Hashes so that values equal in the order of S22 have equal hashes.
    fileprivate func hashBySort(into hasher: inout Hasher) {
        switch self {
        case .int(let number): hasher.combine(number)
        case .double(let number): Self.hash(number, into: &hasher)
        case .string(let text): text.hashUTF8(into: &hasher)
        case .list(let elements):
            hasher.combine(elements.count)
            for element in elements { element.hashBySort(into: &hasher) }
        case .object(let object):
            // The order of an object's keys does not matter, so the hashes of its pairs are added.
            var sum = 0
            for (key, value) in object.pairs {
                var pair = Hasher()
                key.hashUTF8(into: &pair)
                value.hashBySort(into: &pair)
                sum &+= pair.finalize()
            }
            hasher.combine(object.count)
            hasher.combine(sum)
        case .null, .bool, .date, .data, .uuid, .shape: hash(into: &hasher)
        }
    }

    private static func hash(_ number: Double, into hasher: inout Hasher) {
        if let int = Int64(exactly: number) {
            hasher.combine(int)
        } else {
            hasher.combine(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
        }
    }
}
