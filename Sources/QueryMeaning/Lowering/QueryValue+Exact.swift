import QueryValues

// What a store must know of a constant before it is bound.

extension QueryValue {
    /// The whole number of 64 bits with exactly this value.
    package var exactInt: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The double with exactly this value.
    package var exactDouble: Double? {
        switch self {
        case .int(let number): Double(exactly: number)
        case .double(let number): number
        default: nil
        }
    }

    /// True for an int whose digits a double of the same value may lack.
    package var isLargeInt: Bool {
        if case .int(let number) = self { number.magnitude >= 1 << 53 } else { false }
    }

    /// True if a text inside contains NUL.
    package var holdsNul: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .list(let elements): elements.contains(where: \.holdsNul)
        case .object(let document): document.pairs.contains { $0.0.utf8.contains(0) || $0.1.holdsNul }
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: false
        }
    }

    /// True if a text occurs inside.
    package var holdsText: Bool {
        switch self {
        case .string: true
        case .list(let elements): elements.contains(where: \.holdsText)
        case .object(let document): document.values.contains(where: \.holdsText)
        case .null, .bool, .int, .double, .date, .data, .uuid, .shape: false
        }
    }
}
