import QueryTree
import QueryValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The types whose values are lists in a row.
protocol PredicateList: Sequence {}
extension Array: PredicateList {}
extension ArraySlice: PredicateList {}
extension ContiguousArray: PredicateList {}
extension Set: PredicateList {}

/// Lists whose indexes start at 0.
protocol PredicateIndexedList: PredicateList {}
extension Array: PredicateIndexedList {}
extension ContiguousArray: PredicateIndexedList {}

private protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var content: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var content: Any? { map { $0 } }
}

private protocol ListValue {
    static var elementType: Any.Type { get }
    var contents: [Any] { get }
}

extension Array: ListValue {
    static var elementType: Any.Type { Element.self }
    var contents: [Any] { map { $0 } }
}

extension Set: ListValue {
    static var elementType: Any.Type { Element.self }
    var contents: [Any] { map { $0 } }
}

extension RawRepresentable {
    fileprivate static var rawType: Any.Type { RawValue.self }
    fileprivate var raw: Any { rawValue }
}

extension RangeExpression {
    /// The bounds, for the ranges of the standard library.
    fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool)? {
        switch self {
        case let range as Range<Bound>: (range.lowerBound, range.upperBound, false)
        case let range as ClosedRange<Bound>: (range.lowerBound, range.upperBound, true)
        case let range as PartialRangeFrom<Bound>: (range.lowerBound, nil, false)
        case let range as PartialRangeThrough<Bound>: (nil, range.upperBound, true)
        case let range as PartialRangeUpTo<Bound>: (nil, range.upperBound, false)
        default: nil
        }
    }
}

/// What is known about Swift's types: a predicate is converted only if their equality and order match this library's.
enum PredicateType {
    /// The value of a constant, or nil for a type that has none.
    static func value(of constant: Any) -> QueryValue? {
        switch constant {
        case let value as any QueryValueConvertible: return value.queryValue
        case let optional as any OptionalValue:
            guard let content = optional.content else { return .some(.null) }
            return value(of: content)
        case let list as any ListValue:
            var values: [QueryValue] = []
            for element in list.contents {
                guard let value = value(of: element) else { return .none }
                values.append(value)
            }
            return .list(values)
        case let value as any RawRepresentable: return self.value(of: value.raw)
        default: return .none
        }
    }

    /// The meaning of a captured value.
    static func converted(of constant: Any) throws(QueryError) -> ConvertedExpression {
        if let range = constant as? any RangeExpression, let bounds = range.bounds {
            return .range(
                lower: try bounds.lower.map { (bound) throws(QueryError) in try term(of: bound) },
                upper: try bounds.upper.map { (bound) throws(QueryError) in try term(of: bound) },
                isClosed: bounds.isClosed
            )
        }
        return .term(try term(of: constant))
    }

    private static func term(of constant: Any) throws(QueryError) -> Term {
        guard let value = value(of: constant) else {
            throw PredicateReader.unsupported(
                "a value of type \(type(of: constant))",
                hint: "make the type QueryValueConvertible"
            )
        }
        return .constant(value)
    }

    /// True if values of the type are equal exactly when their values in a row are.
    static func isComparable(_ type: Any.Type) -> Bool {
        switch type {
        case is any QueryValueConvertible.Type: true
        case let optional as any OptionalValue.Type: isComparable(optional.wrappedType)
        case let list as any ListValue.Type: list is any PredicateIndexedList.Type && isComparable(list.elementType)
        case let raw as any RawRepresentable.Type: isComparable(raw.rawType)
        default: false
        }
    }

    /// True if values of the type are ordered like their values in a row.
    static func isOrdered(_ type: Any.Type) -> Bool {
        switch type {
        case is Double.Type, is Float.Type, is Decimal.Type, is String.Type, is Substring.Type, is Date.Type,
            is UUID.Type:
            true
        default: isInteger(type)
        }
    }

    static func isInteger(_ type: Any.Type) -> Bool { type is any (FixedWidthInteger & QueryValueConvertible).Type }

    /// True if sums of the type are exactly those of ints and doubles (S17).
    static func isComputed(_ type: Any.Type) -> Bool { type is Double.Type || isInteger(type) }

    static func isText(_ type: Any.Type) -> Bool { type is any StringProtocol.Type }

    static func isList(_ type: Any.Type) -> Bool { type is any PredicateList.Type }

    static func require(_ holds: Bool, _ what: String, of type: Any.Type) throws(QueryError) {
        guard holds else { throw PredicateReader.unsupported("\(what) of \(type)") }
    }
}
