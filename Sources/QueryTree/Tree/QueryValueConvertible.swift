import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type whose values can be used in a query: passed for `%@` or bound to a `$variable`.
///
///     enum Level: String, QueryValueConvertible { case low, high }
///     try Query(format: "level == %@", Level.high)  // → level == "high"
public protocol QueryValueConvertible: QueryTermConvertible {  // S1, S24
    /// This value as a `QueryValue`.
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

extension QueryValueConvertible where Self: RawRepresentable, RawValue: QueryValueConvertible {
    /// The raw value.
    public var queryValue: QueryValue { rawValue.queryValue }
}

extension QueryValue {
    /// A value of any type, such as one in an untyped dictionary.
    ///
    ///     let asked: [String: Any] = ["ages": [18, 65], "name": "Ann"]
    ///     try QueryValue(any: asked)  // → {"ages":[18,65],"name":"Ann"}
    ///     try QueryValue(any: Date.self)  // throws argument
    ///
    /// Accepts `nil`, every ``QueryValueConvertible``, types with such raw values, the output of `JSONSerialization`,
    /// and arrays and dictionaries of all these. Dictionary keys must be texts; they are sorted by their UTF-8 bytes.
    /// O(size of the value).
    ///
    /// - Parameter any: the value.
    /// - Throws: `QueryError` of code `argument` that names an unsupported type, and of code `limit` for values nested
    ///   deeper than ``Limits/jsonDepth``.
    public init(any: Any?) throws(QueryError) {
        self = try Self.value(of: any, depth: Limits.default.jsonDepth)
    }

    private static func value(of any: Any?, depth: Int) throws(QueryError) -> QueryValue {
        func raw(_ value: some RawRepresentable) -> Any { value.rawValue }
        if depth <= 0 { throw QueryError(.limit, "the value is nested too deeply") }
        switch any {
        case .none: return .null
        case .some(let value as any QueryValueConvertible): return value.queryValue
        case .some(let value as [Any?]):
            var elements: [QueryValue] = []
            for element in value { elements.append(try Self.value(of: element, depth: depth - 1)) }
            return .list(elements)
        case .some(let value as [String: Any?]):
            var pairs: [(String, QueryValue)] = []
            for (key, element) in value.sorted(by: { $0.key.precedesInUTF8($1.key) }) {
                pairs.append((key, try Self.value(of: element, depth: depth - 1)))
            }
            return .object(Document(pairs: pairs))
        case .some(let value as any RawRepresentable): return try Self.value(of: raw(value), depth: depth - 1)
        case .some(let value):
            if let value = ofFoundation(value) { return value }
            throw QueryError(
                .argument,
                "a value of type \(type(of: value)) cannot stand in a query",
                hint: "make it QueryValueConvertible, or pass a text, number, date, list or dictionary"
            )
        }
    }

    /// The value of an object of a Foundation class, recognized by casts and by the name of its type.
    private static func ofFoundation(_ value: Any) -> QueryValue? {
        let type = String(describing: type(of: value))
        if type == "NSNull" { return .null }
        if type.hasSuffix("Boolean"), let value = value as? Bool { return .bool(value) }
        if let value = value as? Int64 { return .int(value) }
        if let value = value as? Double { return .double(value) }
        if let value = value as? String { return .string(value) }
        if let value = value as? Date { return value.queryValue }
        if let value = value as? Data { return value.queryValue }
        return (value as? UUID).map(QueryValue.uuid)
    }
}

extension Bool: QueryValueConvertible {
    /// A bool.
    public var queryValue: QueryValue { .bool(self) }
}

extension QueryValueConvertible where Self: BinaryInteger {
    /// An int, or the nearest double if it does not fit in a signed 64-bit integer.
    public var queryValue: QueryValue { Int64(exactly: self).map { .int($0) } ?? .double(Double(self)) }  // S1
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
    /// An int if whole and in range, else the nearest double.
    public var queryValue: QueryValue {  // S1
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

extension URL: QueryValueConvertible {
    /// The absolute text, as rows keep it.
    public var queryValue: QueryValue { .string(absoluteString) }
}

extension Data: QueryValueConvertible {
    /// Bytes.
    public var queryValue: QueryValue { .data(Array(self)) }
}

extension Date: QueryValueConvertible {
    /// A date in milliseconds, rounded down; null for a NaN date, clamped to the range of 64 bits.
    public var queryValue: QueryValue { milliseconds.map { .date($0) } ?? .null }  // S5

    /// Milliseconds since 1970, rounded down, or nil for a NaN date.
    package var milliseconds: Int64? {
        let whole = wholeMilliseconds
        return whole.isNaN ? nil : Int64(exactly: whole) ?? (whole < 0 ? .min : .max)
    }

    /// True for a date that no number of milliseconds stands for.
    package var isOutOfRange: Bool { Int64(exactly: wholeMilliseconds) == nil }

    private var wholeMilliseconds: Double {
        let exact = timeIntervalSince1970 * 1_000
        let nearest = exact.rounded()
        // A `Date` made from `….787` seconds holds a nearby double, which may lie below it. A value within rounding
        // errors of a whole millisecond means that millisecond.
        let roundings = 2 * max(timeIntervalSince1970.ulp, timeIntervalSinceReferenceDate.ulp) * 1_000
        return abs(exact - nearest) <= min(roundings, 0.1) ? nearest : exact.rounded(.down)
    }
}

extension Query {
    /// The current time in milliseconds since 1970, for `now()` if the caller passes none (S20).
    package static var presentInstant: Int64 { Date().milliseconds ?? 0 }
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
    /// A list in a deterministic order: ints by size, then everything else by its JSON text.
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
