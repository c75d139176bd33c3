#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import QueryTree
import QueryValues

/// The memory layout of Foundation's `Date`: a double, the seconds since 2001.
///
/// This is not guaranteed, so ``isProven`` compares it once with Foundation.
package enum DateLayout {
    package static let isProven: Bool = {
        let samples = [0, 1.5, -63_114_076_800, 784_111_777.25]
        guard MemoryLayout<Date>.size == 8, MemoryLayout<Date?>.size == MemoryLayout<Double?>.size else { return false }
        let missing: Date? = nil
        let isMissing = withUnsafeBytes(of: missing) { cell in
            cell.baseAddress.map { !MaybeDate.read($0).isHere } ?? false
        }
        return isMissing
            && samples.allSatisfy { seconds in
                let date: Date? = Date(timeIntervalSinceReferenceDate: seconds)
                return withUnsafeBytes(of: date) { cell in
                    guard let base = cell.baseAddress else { return false }
                    return MaybeDate.read(base) == (seconds, true) && PlainDate.read(base) == (seconds, true)
                }
            }
    }()

    /// The date of a cell's number, in milliseconds (S5).
    static func value(_ seconds: Double) -> QueryValue {
        Date(timeIntervalSinceReferenceDate: seconds).queryValue
    }
}

/// A `Date`; NaN counts as none.
enum PlainDate: OrderedCell {
    @inline(__always)
    static func read(_ cell: UnsafeRawPointer) -> (value: Double, isHere: Bool) {
        // As verified by `DateLayout`.
        let seconds = cell.load(as: Double.self)
        return (seconds, !seconds.isNaN)
    }
}

/// A `Date?`; nil is marked like that of a `Double?`.
enum MaybeDate: OrderedCell {
    @inline(__always)
    static func read(_ cell: UnsafeRawPointer) -> (value: Double, isHere: Bool) {
        // As verified by `DateLayout`; the memory is read as raw bytes, so no type is assumed.
        let tag = cell.load(fromByteOffset: 8, as: UInt8.self)
        let seconds = cell.load(as: Double.self)
        return (seconds, tag == 0 && !seconds.isNaN)
    }
}
