/// An `@` operator in a path: `orders.@sum.amount`.
///
///     Aggregate.sum.spelling  // → @sum
///     try Query(format: "orders.@sum.amount > 100").matches(["orders": [["amount": 70], ["amount": 40]]])  // → true
public enum Aggregate: String, Hashable, Sendable, CaseIterable, Codable {  // S18
    /// The number of elements; nil if not a list.
    case count
    /// The sum of the numbers; 0 for none.
    case sum
    /// The mean of the numbers; nil for none.
    case average = "avg"
    /// The least element in sort order; nil for none.
    case min
    /// The greatest element in sort order; nil for none.
    case max
    /// The values of a path, one per element.
    case unionOfObjects
    /// The values of a path, each once.
    case distinctUnionOfObjects
    /// The elements of the lists at a path.
    case unionOfArrays
    /// The elements of the lists at a path, each once.
    case distinctUnionOfArrays
    /// The elements of the sets at a path, each once.
    case distinctUnionOfSets

    /// Whether a path follows the operator.
    ///
    ///     Aggregate.count.pathRule  // → none
    ///     Aggregate.unionOfObjects.pathRule  // → required
    package enum PathRule: Hashable, Sendable {
        /// Nothing may follow.
        case none
        /// A path may follow; without one the operator applies to the elements themselves.
        case optional
        /// A path must follow.
        case required
    }

    /// The spelling, with the sign.
    public var spelling: String { "@" + rawValue }

    /// Whether a path follows.
    package var pathRule: PathRule {
        switch self {
        case .count: .none
        case .sum, .average, .min, .max: .optional
        case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays, .distinctUnionOfSets:
            .required
        }
    }

    /// True when the result is a list.
    package var givesList: Bool { pathRule == .required }

    /// A short description.
    package var summary: String {
        switch self {
        case .count: "number of elements; nil if not a list"
        case .sum: "sum of the numbers; 0 for none"
        case .average: "mean of the numbers; nil for none"
        case .min: "least element; nil for none"
        case .max: "greatest element; nil for none"
        case .unionOfObjects: "the values of a path"
        case .distinctUnionOfObjects: "the values of a path, each once"
        case .unionOfArrays: "the elements of the lists at a path"
        case .distinctUnionOfArrays: "the elements of the lists at a path, each once"
        case .distinctUnionOfSets: "the elements of the sets at a path, each once"
        }
    }
}

/// What CAST can make of a value (S25: no classes).
///
///     Field("zip").cast(to: .number) > 2000  // → CAST(zip, "NSNumber") > 2000
public enum CastTarget: String, Hashable, Sendable, CaseIterable, Codable {
    /// A number from text or a date.
    case number = "NSNumber"
    /// Text.
    case string = "NSString"
    /// A date from seconds since 2001-01-01 UTC, or from text.
    case date = "NSDate"
    /// A number.
    case decimal = "NSDecimalNumber"
    /// A UUID from text.
    case uuid = "NSUUID"

    /// Milliseconds from 1970 to 2001-01-01 UTC, where NSDate's seconds begin.
    package static let referenceDate: Int64 = 978_307_200_000
}
