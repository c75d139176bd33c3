#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryTree
import QueryValues

/// Numbers in ascending order, each with an ordinal, so that bounds are found by bisection.
protocol Halvable: Comparable & Sendable {
    /// The least and greatest ordinals.
    static var places: ClosedRange<UInt64> { get }
    /// The number with an ordinal.
    init(place: UInt64)
    /// The number as a `QueryValue`.
    var plainValue: QueryValue { get }
}

extension Halvable where Self: FixedWidthInteger & QueryValueConvertible {
    private static var sign: UInt64 { isSigned ? 1 << 63 : 0 }
    static var places: ClosedRange<UInt64> {
        UInt64(truncatingIfNeeded: min) ^ sign...UInt64(truncatingIfNeeded: max) ^ sign
    }
    init(place: UInt64) { self.init(truncatingIfNeeded: place ^ Self.sign) }
    var plainValue: QueryValue { queryValue }
}

extension Int8: Halvable {}
extension Int16: Halvable {}
extension Int32: Halvable {}
extension Int64: Halvable {}
extension UInt8: Halvable {}
extension UInt16: Halvable {}
extension UInt32: Halvable {}
extension UInt64: Halvable {}

extension Double: Halvable {
    /// From minus infinity to infinity; NaN has no ordinal.
    static var places: ClosedRange<UInt64> { (-Double.infinity).ordinal...Double.infinity.ordinal }

    /// The ordinal; outside the places for NaN.
    @inline(__always)
    var ordinal: UInt64 { bitPattern ^ (UInt64(bitPattern: Int64(bitPattern: bitPattern) >> 63) | 1 << 63) }

    init(place: UInt64) { self.init(bitPattern: place >> 63 == 1 ? place & (1 << 63 - 1) : ~place) }
    var plainValue: QueryValue { .double(self) }
}

extension Float: Halvable {
    static var places: ClosedRange<UInt64> { place(of: -.infinity)...place(of: .infinity) }

    private static func place(of number: Float) -> UInt64 {
        UInt64(number.sign == .minus ? ~number.bitPattern : number.bitPattern | 1 << 31)
    }

    init(place: UInt64) {
        let bits = UInt32(truncatingIfNeeded: place)
        self.init(bitPattern: bits >> 31 == 1 ? bits & (1 << 31 - 1) : ~bits)
    }
    var plainValue: QueryValue { .double(Double(self)) }
}

/// The bounds that a comparison with constants sets for a value that is monotonic in a cell.
struct ValueBounds: Sendable {
    /// The lower bound, inclusive or exclusive.
    var low: (value: QueryValue, isIncluded: Bool)?
    /// The upper bound, inclusive or exclusive.
    var high: (value: QueryValue, isIncluded: Bool)?

    private func isAbove(_ value: QueryValue) -> Bool {
        guard let low else { return true }
        let order = value.order(relativeTo: low.value)
        return order == .descending || (low.isIncluded && order == .same)
    }

    private func isBelow(_ value: QueryValue) -> Bool {
        guard let high else { return true }
        let order = value.order(relativeTo: high.value)
        return order == .ascending || (high.isIncluded && order == .same)
    }

    /// True when the value lies within the bounds.
    func contains(_ value: QueryValue) -> Bool { isAbove(value) && isBelow(value) }

    /// The numbers whose values lie within the bounds; nil for none.
    ///
    /// Exact by construction: it evaluates the language's own order and arithmetic for some 130 numbers.
    ///
    /// - Parameters:
    ///   - type: the numbers.
    ///   - isDecreasing: true if the value decreases as the number increases.
    ///   - value: monotonic; never nil or NaN.
    /// - Returns: the least and the greatest number that pass; nil if none does.
    func range<Number: Halvable>(
        of type: Number.Type,
        isDecreasing: Bool,
        _ value: (Number) -> QueryValue
    ) -> (low: Number, high: Number)? {
        func fromLeft(_ place: UInt64) -> Bool {
            let value = value(Number(place: place))
            return isDecreasing ? isBelow(value) : isAbove(value)
        }
        func toRight(_ place: UInt64) -> Bool {
            let value = value(Number(place: place))
            return isDecreasing ? isAbove(value) : isBelow(value)
        }
        let places = Number.places
        // The first ordinal that passes on the left, and the first that no longer passes on the right.
        guard let first = Self.first(in: places, where: fromLeft) else { return nil }
        let beyond = Self.first(in: places) { !toRight($0) }
        guard beyond != places.lowerBound else { return nil }
        let last = beyond.map { $0 - 1 } ?? places.upperBound
        return first <= last ? (Number(place: first), Number(place: last)) : nil
    }

    private static func first(in places: ClosedRange<UInt64>, where passes: (UInt64) -> Bool) -> UInt64? {
        guard passes(places.upperBound) else { return nil }
        var low = places.lowerBound
        var high = places.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if passes(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
