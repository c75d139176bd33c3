extension QueryValue {
    /// A number as a double; nil for every other kind.
    package var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// `-x` (S17): the negated number, null for every other kind.
    package var negatedNumber: QueryValue {
        switch self {
        case .int(let value): value == .min ? .double(-Double(value)) : .int(-value)
        case .double(let value): .double(-value)
        default: .null
        }
    }
}
