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
}

/// Tests the elements of one list.
protocol ListTest: CellTest {
    var elements: ElementLayout { get }
    /// The result for a missing list.
    var holdsForMissing: Bool { get }
    /// True if the condition holds for this many elements starting at an address.
    func holds(_ start: UnsafeRawPointer, count: Int) -> Bool
}

extension ListTest {
    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        guard let view = elements.view(cell) else { return holdsForMissing }
        return holds(view.start, count: view.count)
    }
}

extension Kernel {
    /// As for any test; but because lists are scattered in memory, the counts of several are loaded before the first is
    /// tested.
    ///
    /// Loads that do not depend on a branch run in parallel.
    @inline(__always)
    static func testing<Test: ListTest>(_ lane: Int, isNegated: Bool, cost: Double, _ test: Test) -> Kernel {
        let one = ElementTest { test.holds($0 + $1[lane]) != isNegated }
        let flip: UInt64 = isNegated ? .max : 0
        return Kernel(cost: cost, element: one) { batch, active, found, _ in
            let lane = batch.lanes[lane]
            withUnsafeTemporaryAllocation(of: (list: UnsafeRawPointer?, count: Int).self, capacity: 64) { views in
                for word in 0..<batch.words {
                    let asked = active[word]
                    let wanted = lane.validity.map { asked & $0[word] } ?? asked
                    let base = lane.base + word << 6 &* lane.stride
                    var rest = wanted
                    var size = 0
                    while rest != 0 {
                        let list = ListLayout.object(base + rest.trailingZeroBitCount &* lane.stride)
                        views.initializeElement(at: size, to: (list, list.map { ListLayout.count($0) } ?? -1))
                        size &+= 1
                        rest &= rest &- 1
                    }
                    // A list marked as missing gives the result for a missing one.
                    var passed: UInt64 = test.holdsForMissing ? asked & ~wanted : 0
                    rest = wanted
                    for (list, count) in views[..<size] {
                        let holds = list.map { test.holds($0 + test.elements.first, count: count) }
                        passed |= (holds ?? test.holdsForMissing ? rest & (0 &- rest) : 0)
                        rest &= rest &- 1
                    }
                    found[word] = asked & (passed ^ flip)
                }
            }
        }
    }
}

/// Passes a list with an element that passes, or that does not pass (S10).
struct SomeElement<Test: CellTest>: ListTest {
    let elements: ElementLayout
    /// True to search for an element that does not pass.
    let isFlipped: Bool
    let test: Test
    var holdsForMissing: Bool { false }

    @inline(__always)
    func holds(_ start: UnsafeRawPointer, count: Int) -> Bool {
        var element = start
        for _ in 0..<count {
            if test.holds(element) != isFlipped { return true }
            element += elements.stride
        }
        return false
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
struct DoubleSumTest<Cell: OrderedCell>: ListTest where Cell.Value: BinaryFloatingPoint {
    let elements: ElementLayout
    let low: Double
    let high: Double
    /// The sum of no elements: the int 0.
    let holdsForMissing: Bool

    @inline(__always)
    func holds(_ start: UnsafeRawPointer, count: Int) -> Bool {
        var element = start
        var sum = 0.0
        for _ in 0..<count {
            let (value, isHere) = Cell.read(element)
            if isHere { sum += Double(value) }
            element += elements.stride
        }
        return sum >= low && sum <= high
    }
}
