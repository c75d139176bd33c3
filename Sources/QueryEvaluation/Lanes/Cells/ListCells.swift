import QueryValues

/// How an `Array` of values lies in memory: one address, behind which stand a header, the count and the elements.
///
/// Reading it so saves a retain and release per array. The layout is no promise of the language, so ``isProven`` compares
/// it once with what the library says; where it differs, lists are read row by row.
package enum ListLayout {
    private static let countOffset = 16
    private static let headerBytes = 32

    /// True when arrays lie as this file reads them.
    package static let isProven: Bool = {
        #if canImport(ObjectiveC)
            // An array may be a bridged one there.
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

    /// The object behind a cell; nil for a missing array.
    @inline(__always)
    static func object(_ cell: UnsafeRawPointer) -> UnsafeRawPointer? { cell.load(as: UnsafeRawPointer?.self) }

    @inline(__always)
    static func count(_ object: UnsafeRawPointer) -> Int { object.load(fromByteOffset: countOffset, as: Int.self) }

    /// Where the first element lies behind the object's address.
    static func elementsOffset(alignment: Int) -> Int {
        (headerBytes + alignment - 1) / max(1, alignment) * alignment
    }
}

/// Where the wanted cells of an array's elements lie.
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
    /// What a missing list gives.
    var holdsForMissing: Bool { get }
    /// True when the condition holds for so many elements from an address.
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
    /// As for any test; but the lists lie all over memory, so the counts of some are loaded before the first is tested.
    ///
    /// Loads that wait for no branch go on at the same time.
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
                    // A list that is marked as missing gives what a missing one gives.
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

/// Passes a list of which some element passes, or does not pass (S10).
struct SomeElement<Test: CellTest>: ListTest {
    let elements: ElementLayout
    /// True to look for an element that does not pass.
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

/// Passes a list whose elements' sum lies between two bounds; elements of a floating kind, so the sum is a double (S18).
struct DoubleSumTest<Cell: OrderedCell>: ListTest where Cell.Value: BinaryFloatingPoint {
    let elements: ElementLayout
    let low: Double
    let high: Double
    /// What no elements give: the int 0.
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
