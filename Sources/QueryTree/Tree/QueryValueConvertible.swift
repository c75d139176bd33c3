import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type whose values can stand in a query: what a caller passes for `%@` or binds to a `$variable` (S1, S24).
///
///     enum Level: String, QueryValueConvertible {
///         case low, high
///         var queryValue: QueryValue { .string(rawValue) }
///     }
///     try Query(format: "level == %@", Level.high)  // → level == "high"
public protocol QueryValueConvertible: QueryTermConvertible {
    /// The value that stands for this one.
    var queryValue: QueryValue { get }
}

extension QueryValue: QueryValueConvertible {
    /// The value itself.
    public var queryValue: QueryValue { self }
}

extension Document: QueryValueConvertible {
    /// An object.
    public var queryValue: QueryValue { .object(self) }
}

extension GeoShape: QueryValueConvertible {
    /// A shape.
    public var queryValue: QueryValue { .shape(self) }
}

extension Bool: QueryValueConvertible {
    /// A truth value.
    public var queryValue: QueryValue { .bool(self) }
}

extension QueryValueConvertible where Self: BinaryInteger {
    /// An int, or the nearest double when 64 bits with a sign do not hold it (S1).
    public var queryValue: QueryValue { Int64(exactly: self).map { .int($0) } ?? .double(Double(self)) }
}

extension Int: QueryValueConvertible {}
extension Int8: QueryValueConvertible {}
extension Int16: QueryValueConvertible {}
extension Int32: QueryValueConvertible {}
extension Int64: QueryValueConvertible {}
extension UInt: QueryValueConvertible {}
extension UInt8: QueryValueConvertible {}
extension UInt16: QueryValueConvertible {}
extension UInt32: QueryValueConvertible {}
extension UInt64: QueryValueConvertible {}

extension Double: QueryValueConvertible {
    /// A double.
    public var queryValue: QueryValue { .double(self) }
}

extension Float: QueryValueConvertible {
    /// The double of the same value.
    public var queryValue: QueryValue { .double(Double(self)) }
}

extension Decimal: QueryValueConvertible {
    /// An int when whole and in range, else the nearest double (S1).
    public var queryValue: QueryValue {
        isNaN ? .double(.nan) : DecimalText.value(of: description) ?? .double(.nan)
    }
}

extension String: QueryValueConvertible {
    /// A text.
    public var queryValue: QueryValue { .string(self) }
}

extension Substring: QueryValueConvertible {
    /// A text.
    public var queryValue: QueryValue { .string(String(self)) }
}

extension Character: QueryValueConvertible {
    /// A text of one character.
    public var queryValue: QueryValue { .string(String(self)) }
}

extension UUID: QueryValueConvertible {
    /// A UUID.
    public var queryValue: QueryValue { .uuid(self) }
}

extension Data: QueryValueConvertible {
    /// Bytes.
    public var queryValue: QueryValue { .data(Array(self)) }
}

extension Date: QueryValueConvertible {
    /// A date in milliseconds, floored (S5); null for a date that is not a number, the nearest that 64 bits hold for
    /// one beyond them.
    public var queryValue: QueryValue { milliseconds.map { .date($0) } ?? .null }

    /// Milliseconds since 1970, floored, or nil for a date that is not a number.
    package var milliseconds: Int64? {
        let seconds = timeIntervalSince1970
        guard !seconds.isNaN else { return nil }
        let exact = seconds * 1_000
        let nearest = exact.rounded()
        // A `Date` made from `….787` seconds holds a double near it, which may lie below: what is as near to a whole
        // millisecond as the roundings on the way explain means that millisecond.
        let roundings = 2 * max(seconds.ulp, timeIntervalSinceReferenceDate.ulp) * 1_000
        let whole = abs(exact - nearest) <= min(roundings, 0.1) ? nearest : exact.rounded(.down)
        return Int64(exactly: whole) ?? (whole < 0 ? .min : .max)
    }
}

extension Optional: QueryValueConvertible where Wrapped: QueryValueConvertible {
    /// The wrapped value's, or null.
    public var queryValue: QueryValue { map(\.queryValue) ?? .null }
}

extension Array: QueryValueConvertible where Element: QueryValueConvertible {
    /// A list.
    public var queryValue: QueryValue { .list(map(\.queryValue)) }
}

extension ArraySlice: QueryValueConvertible where Element: QueryValueConvertible {
    /// A list.
    public var queryValue: QueryValue { .list(map(\.queryValue)) }
}

extension ContiguousArray: QueryValueConvertible where Element: QueryValueConvertible {
    /// A list.
    public var queryValue: QueryValue { .list(map(\.queryValue)) }
}

extension Set: QueryValueConvertible where Element: QueryValueConvertible {
    /// A list in an order that does not change from run to run: ints by size, then all else by its JSON text.
    public var queryValue: QueryValue {
        let keyed = map { (value: $0.queryValue, text: Self.sortText($0.queryValue)) }
        return .list(keyed.sorted { Self.precedes($0, $1) }.map(\.value))
    }

    private static func sortText(_ value: QueryValue) -> String {
        if case .int = value { "" } else { value.json }
    }

    private static func precedes(_ left: (value: QueryValue, text: String), _ right: (value: QueryValue, text: String))
        -> Bool
    {
        if case .int(let first) = left.value, case .int(let second) = right.value { return first < second }
        return left.text.precedesInUTF8(right.text)
    }
}

extension Dictionary: QueryValueConvertible where Key == String, Value: QueryValueConvertible {
    /// An object, its keys in the order of their UTF-8 bytes.
    public var queryValue: QueryValue {
        let pairs = sorted { $0.key.precedesInUTF8($1.key) }.map { ($0.key, $0.value.queryValue) }
        return .object(Document(pairs: pairs))
    }
}
