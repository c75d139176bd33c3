import QueryTree
import QueryValues

/// Adds numbers according to S18: ints stay an int, doubles give a double, everything else is skipped.
///
/// Ints are added in 128 bits, so no order of the rows overflows on the way; only a sum that does not fit in `Int64`
/// becomes a double at the end (S17). Doubles are added in row order, stretch by stretch, so that threads that each add
/// one stretch and merge them in order give the same bits.
package struct NumberSum: Sendable {
    /// Rows whose doubles are added before they join the doubles of earlier rows.
    package static let stretch = 1 << 16

    /// How many numbers were added.
    package private(set) var count = 0
    private var ints: Int128 = 0
    /// The doubles of the previous stretches, and of the current one.
    private var earlier = 0.0
    private var doubles = 0.0
    private var stretch = 0
    private var isInt = true

    package init() {}

    /// Adds a value if it is a number; bools are not.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - stretch: the row's number divided by ``stretch``; never decreases.
    package mutating func add(_ value: QueryValue, stretch: Int = 0) {
        switch value {
        case .int(let number): add(number)
        case .double(let number): add(number, stretch: stretch)
        default: return
        }
    }

    @inline(__always)
    package mutating func add(_ number: Int64) {
        // 2^64 numbers of 63 bits fit in 128.
        ints &+= Int128(number)
        count &+= 1
    }

    @inline(__always)
    package mutating func add(_ number: Double, stretch now: Int) {
        if now != stretch { begin(now) }
        isInt = false
        doubles += number
        count &+= 1
    }

    private mutating func begin(_ now: Int) {
        earlier += doubles
        doubles = 0
        stretch = now
    }

    /// Adds the sum of a later stretch.
    package mutating func merge(_ later: NumberSum) {
        ints &+= later.ints
        count &+= later.count
        if later.isInt { return }
        if later.stretch != stretch { begin(later.stretch) }
        isInt = false
        doubles += later.doubles
    }

    /// The sum of the ints if it fits in 64 bits, which it mostly does; 128 bits are slow to convert.
    private var narrowInts: Int64? {
        let narrow = Int64(truncatingIfNeeded: ints)
        return Int128(narrow) == ints ? narrow : nil
    }

    private var total: Double {
        let whole = narrowInts.map { Double($0) } ?? Double(ints)
        return isInt ? whole : whole + (earlier + doubles)
    }

    /// The sum; 0 for no numbers.
    package var sum: QueryValue {
        if isInt, let int = narrowInts { return .int(int) }
        return .double(total)
    }

    /// The average; null for no numbers.
    ///
    /// It is the exact sum of the ints divided by their number; a store that adds doubles may differ in the last digits
    /// if the sum is beyond 2^53.
    package var average: QueryValue { count == 0 ? .null : .double(total / Double(count)) }
}

extension Aggregate {
    /// The value of the operator over a collection (S18).
    ///
    /// - Parameter collection: the operand of the operator, with the path after it already followed.
    /// - Returns: the value, or null if there is none.
    package func evaluate(_ collection: QueryValue) -> QueryValue {
        guard case .list(let elements) = collection else {
            switch self {
            case .sum: return .int(0)
            case .count, .average, .min, .max, .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays,
                .distinctUnionOfArrays, .distinctUnionOfSets:
                return .null
            }
        }
        switch self {
        case .count: return .int(Int64(elements.count))
        case .sum: return elements.numberSum.sum
        case .average: return elements.numberSum.average
        case .min: return elements.extreme(.ascending)
        case .max: return elements.extreme(.descending)
        case .unionOfObjects: return collection
        case .unionOfArrays: return .list(elements.spliced())
        case .distinctUnionOfObjects: return .list(elements.distinctValues())
        case .distinctUnionOfArrays, .distinctUnionOfSets: return .list(elements.spliced().distinctValues())
        }
    }
}

extension [QueryValue] {
    package var numberSum: NumberSum {
        var sum = NumberSum()
        for element in self { sum.add(element) }
        return sum
    }

    /// The element that comes before (`ascending`) or after (`descending`) all others in the order of S22, skipping
    /// null and NaN.
    package func extreme(_ wanted: QueryOrder) -> QueryValue {
        var best = QueryValue.null
        for element in self where best.isReplaced(by: element, wanted) { best = element }
        return best
    }

    /// The elements, with inner lists flattened.
    fileprivate func spliced() -> [QueryValue] {
        var values: [QueryValue] = []
        values.reserveCapacity(count)
        for element in self {
            if case .list(let inner) = element { values += inner } else { values.append(element) }
        }
        return values
    }
}

extension QueryValue {
    /// True if a candidate replaces this minimum or maximum so far; null means none yet.
    package func isReplaced(by candidate: QueryValue, _ wanted: QueryOrder) -> Bool {
        if candidate.isNull || candidate.isNaN { return false }
        return isNull || candidate.sortOrder(relativeTo: self) == wanted
    }
}
