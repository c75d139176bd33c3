#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A constant of the language, or a value of a row.
///
/// `==` compares structure, so `1` and `1.0` differ and NaN equals itself; for the language's own `==` use
/// ``isEqual(to:options:)`` (S2–S5). See S1.
///
///     let value: QueryValue = ["red", 3, nil]
///     value.json  // → ["red",3,null]
public enum QueryValue: Sendable {
    /// Null; also the value of an absent field.
    case null
    /// A bool; never equal to a number.
    case bool(Bool)  // S2
    /// A whole number.
    case int(Int64)
    /// A double; the same kind as `int`.
    case double(Double)  // S1
    /// Text, compared by its UTF-8 bytes.
    case string(String)  // S4
    /// A date as milliseconds since 1970.
    case date(Int64)  // S5
    /// Bytes.
    case data([UInt8])
    /// A UUID.
    case uuid(UUID)
    /// A list.
    case list([QueryValue])
    /// An object with ordered keys.
    case object(Document)
    /// A geographic region to search within; only an argument of `geoWithin`.
    case shape(GeoShape)
}

/// A kind of value; values of different kinds are never equal and never ordered.
///
///     QueryValue.double(2.5).kind == QueryValue.int(2).kind  // → true
public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {  // S2
    /// Null or absent.
    case null
    /// True or false.
    case bool
    /// Ints and doubles.
    case number
    /// Text.
    case string
    /// A date.
    case date
    /// Bytes.
    case data
    /// A UUID.
    case uuid
    /// A list.
    case list
    /// An object.
    case object
    /// A circle or polygon.
    case shape
}

/// A geographic region: what `geoWithin` takes.
///
///     let boston = GeoShape.circle(longitude: -71.06, latitude: 42.36, radius: 20_000)
///     try Query(format: "geoWithin(place, %@)", boston).matches(["place": [-71.1, 42.37]])  // → true
public enum GeoShape: Hashable, Sendable {
    /// A circle: centre in degrees, radius in metres on a sphere of 6,371,000 m.
    case circle(longitude: Double, latitude: Double, radius: Double)
    /// A closed polygon of at least three corners.
    case polygon([GeoPoint])
}

/// A geographic point in degrees.
///
///     let corners = [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)].map { GeoPoint(longitude: $0.0, latitude: $0.1) }
///     try Query(format: "geoWithin(place, %@)", GeoShape.polygon(corners)).matches(["place": [1, 1]])  // → true
public struct GeoPoint: Hashable, Sendable {
    /// Degrees east, -180 to 180.
    public var longitude: Double
    /// Degrees north, -90 to 90.
    public var latitude: Double

    /// A point by its degrees.
    ///
    ///     GeoPoint(longitude: -71.06, latitude: 42.36).latitude  // → 42.36
    ///
    /// - Parameters:
    ///   - longitude: degrees east, -180 to 180.
    ///   - latitude: degrees north, -90 to 90.
    public init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }
}

extension QueryValue {
    /// The value's kind; int and double share one.
    ///
    ///     QueryValue.double(2.5).kind  // → number
    public var kind: Kind {  // S1
        switch self {
        case .null: .null
        case .bool: .bool
        case .int, .double: .number
        case .string: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .list: .list
        case .object: .object
        case .shape: .shape
        }
    }

    /// True for NaN, which equals nothing (S3).
    ///
    ///     QueryValue.double(.nan).isNaN  // → true
    @inlinable
    package var isNaN: Bool {
        if case .double(let number) = self { number.isNaN } else { false }
    }

    /// True for null.
    ///
    ///     QueryValue.null.isNull  // → true
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// True for null, and for a list that contains null.
    package var holdsNil: Bool {
        switch self {
        case .null: true
        case .list(let elements): elements.contains(where: \.isNull)
        case .bool, .int, .double, .string, .date, .data, .uuid, .object, .shape: false
        }
    }
}

extension QueryValue: Hashable {
    /// Structural equality: same case, same content; strings by UTF-8, doubles by bit pattern.
    public static func == (left: QueryValue, right: QueryValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
        case (.string(let a), .string(let b)): a.hasSameUTF8(as: b)
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        case (.shape(let a), .shape(let b)): a == b
        default: false
        }
    }

    /// Hashes the case and its content, as `==` compares them.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? 0x7FF8_0000_0000_0000 : value.bitPattern)
        case .string(let value): value.hashUTF8(into: &hasher)
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        case .shape(let value): hasher.combine(value)
        }
    }
}

extension QueryValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
    /// Null; a ternary of `nil` and a value is null too, where its type is `QueryValue?`: `none` is Swift's nil.
    public init(nilLiteral: ()) { self = .null }
    /// A bool.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A double.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list.
    public init(arrayLiteral elements: QueryValue...) { self = .list(elements) }
}
