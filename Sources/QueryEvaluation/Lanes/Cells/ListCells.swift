import QueryValues

/// The memory layout of an `Array`: one address of an object with a header, the count and the elements.
///
/// Reading it directly saves a retain and release per array. The layout is not guaranteed by the language, so
/// ``isProven`` compares it once with the library; if it differs, lists are read row by row.
package enum ListLayout {
    private static let countOffset = 16
    private static let headerBytes = 32

    /// True if arrays are laid out as this file assumes.
    package static let isProven: Bool = {
        #if canImport(ObjectiveC)
            // There, an array may be bridged.
            return false
        #else
            return isAsRead([] as [Int64]) && isAsRead([1, 2, 3] as [Int64]) && isAsRead([7] as [UInt8])
                && isAsRead(["a", "b"]) && isAsRead([SIMD4<Double>](repeating: .zero, count: 2)) && missingIsZero
        #endif
    }()

    private static var missingIsZero: Bool {
        let missing: [Int64]? = nil
        return MemoryLayout<[Int64]?>.size == MemoryLayout<Int>.size
            && withUnsafeBytes(of: missing) { $0.load(as: Int.self) == 0 }
    }

    private static func isAsRead<Element>(_ list: [Element]) -> Bool {
        guard MemoryLayout<[Element]>.size == MemoryLayout<Int>.size else { return false }
        let elements = ElementLayout(
            offset: 0,
            stride: MemoryLayout<Element>.stride,
            alignment: MemoryLayout<Element>.alignment
        )
        return withUnsafeBytes(of: list) { cell in
            guard let base = cell.baseAddress, let view = elements.view(base) else { return false }
            return list.withUnsafeBytes { bytes in
                view.count == list.count && (list.isEmpty || view.start == bytes.baseAddress)
            }
        }
    }

    /// The object of a cell; nil for a missing array.
    @inline(__always)
    static func object(_ cell: UnsafeRawPointer) -> UnsafeRawPointer? { cell.load(as: UnsafeRawPointer?.self) }

    @inline(__always)
    static func count(_ object: UnsafeRawPointer) -> Int { object.load(fromByteOffset: countOffset, as: Int.self) }

    /// The offset of the first element from the object's address.
    static func elementsOffset(alignment: Int) -> Int {
        (headerBytes + alignment - 1) / max(1, alignment) * alignment
    }
}

/// Where the wanted cells of an array's elements are stored.
struct ElementLayout: Sendable {
    /// From the array's object to the first element's cell.
    let first: Int
    /// Bytes from one element to the next.
    let stride: Int

    /// - Parameters:
    ///   - offset: of the cell in its element.
    ///   - stride: of the elements.
    ///   - alignment: of the elements.
    init(offset: Int, stride: Int, alignment: Int) {
        first = ListLayout.elementsOffset(alignment: alignment) + offset
        self.stride = stride
    }

    /// The cells of a list's elements; nil for a missing list.
    @inline(__always)
    func view(_ cell: UnsafeRawPointer) -> (start: UnsafeRawPointer, count: Int)? {
        guard let object = ListLayout.object(cell) else { return nil }
        return (object + first, ListLayout.count(object))
    }

    /// Calls a closure with the cell of each element until it returns true; false for a missing list.
    ///
    /// The loop ends at an address, not after a count: for a count the compiler would repeat the body many times, which
    /// short lists only jump over.
    @inline(__always)
    func walk(_ cell: UnsafeRawPointer, _ isEnough: (UnsafeRawPointer) -> Bool) -> Bool {
        guard let (start, count) = view(cell) else { return false }
        var element = start
        let end = start + count &* stride
        while element < end, !isEnough(element) { element += stride }
        return true
    }
}

/// Passes a list if the number of its elements that pass, or that do not pass, is in a range (S10, S19); a missing list
/// has no count (S18).
struct ElementCountTest<Test: CellTest>: CellTest {
    let elements: ElementLayout
    /// True to count the elements that do not pass.
    var isFlipped = false
    let test: Test
    let counts: ClosedRange<Int64>
    /// Short texts take so long themselves that lists are at hand in time.
    static var looksAhead: Bool { Test.self != SameShortText.self }

    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        let (low, high) = (counts.lowerBound, counts.upperBound)
        // The number of elements that decides the answer.
        let decisive = high == .max ? low : high + 1
        var passing: Int64 = 0
        var tested = 0
        let isHere = elements.walk(cell) { element in
            passing &+= test.holds(element) != isFlipped ? 1 : 0
            tested &+= 1
            return (!Test.isEven || tested & 7 == 0) && passing >= decisive
        }
        return (isHere ? passing : -1).isBetween(low, high)
    }
}

extension Int64 {
    /// True between two bounds, the lower one not above the other; without a branch.
    @inline(__always)
    fileprivate func isBetween(_ low: Int64, _ high: Int64) -> Bool {
        UInt64(bitPattern: self &- low) <= UInt64(bitPattern: high &- low)
    }
}

/// The number of a list's elements.
enum ListCount: OrderedCell {
    @inline(__always)
    static func read(_ cell: UnsafeRawPointer) -> (value: Int64, isHere: Bool) {
        guard let object = ListLayout.object(cell) else { return (0, false) }
        return (Int64(truncatingIfNeeded: ListLayout.count(object)), true)
    }
}

/// Passes a list whose elements' sum lies between two bounds; elements of a floating-point type, so the sum is a double
/// (S18).
struct DoubleSumTest<Cell: OrderedCell>: CellTest where Cell.Value: BinaryFloatingPoint {
    let elements: ElementLayout
    let range: (low: Double, high: Double)
    /// The sum of no elements: the int 0.
    let holdsForMissing: Bool
    static var looksAhead: Bool { true }

    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        var sum = 0.0
        // A missing list has the sum of an empty one.
        _ = elements.walk(cell) { element in
            let (value, isHere) = Cell.read(element)
            if isHere { sum += Double(value) }
            return false
        }
        // By ordinals, because the compiler makes branches of two comparisons; NaN has none in the range (S3).
        return sum.ordinal &- range.low.ordinal <= range.high.ordinal &- range.low.ordinal
    }
}

/// Passes a list whose elements' sum lies between two bounds; elements are ints, added exactly (S17, S18).
struct IntSumTest<Cell: OrderedCell>: CellTest where Cell.Value == Int64 {
    let elements: ElementLayout
    let range: (low: Int64, high: Int64)
    /// The bounds of a sum that is a double, because it does not fit in 64 bits.
    let bounds: ValueBounds
    /// The sum of no elements: the int 0.
    let holdsForMissing: Bool
    static var looksAhead: Bool { true }

    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        var sum: Int128 = 0
        _ = elements.walk(cell) { element in
            let (value, isHere) = Cell.read(element)
            sum &+= Int128(isHere ? value : 0)
            return false
        }
        let narrow = Int64(truncatingIfNeeded: sum)
        guard Int128(narrow) == sum else { return holds(beyond: Double(sum)) }
        return narrow.isBetween(range.low, range.high)
    }

    @inline(never)
    private func holds(beyond sum: Double) -> Bool { bounds.contains(.double(sum)) }
}
