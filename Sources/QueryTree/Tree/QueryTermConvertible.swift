/// An operand in code: a ``Field``, or any value that is ``QueryValueConvertible``.
///
///     Field("age") > 21  // → age > 21
///     Field("age") > Field("limit")  // → age > limit
///
/// Every `QueryValueConvertible` type conforms automatically.
public protocol QueryTermConvertible {
    /// This value as a term without a source range.
    var queryTerm: Term { get }
}

extension QueryValueConvertible {
    /// The value as a term; a list becomes a list of terms.
    public var queryTerm: Term { .constant(queryValue) }
}

extension Array: QueryTermConvertible where Element: QueryTermConvertible {
    /// A list of the elements' terms.
    public var queryTerm: Term { .list(map(\.queryTerm), .none) }
}

extension Optional: QueryTermConvertible where Wrapped: QueryTermConvertible {
    /// The wrapped term, or null.
    public var queryTerm: Term { self?.queryTerm ?? .value(.null, .none) }
}

extension ArraySlice: QueryTermConvertible where Element: QueryValueConvertible {}
extension ContiguousArray: QueryTermConvertible where Element: QueryValueConvertible {}
extension Set: QueryTermConvertible where Element: QueryValueConvertible {}
extension Dictionary: QueryTermConvertible where Key == String, Value: QueryValueConvertible {}
