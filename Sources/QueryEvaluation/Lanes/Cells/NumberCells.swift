// Cells of numbers: how to read one, for every type that a field may have.

/// Reads one cell as a value that is compared with constants.
protocol OrderedCell: Sendable {
    associatedtype Value: Comparable & Sendable
    /// The value, and whether there is one; otherwise the value is undefined.
    static func read(_ cell: UnsafeRawPointer) -> (value: Value, isHere: Bool)
}

/// A number that every cell has.
enum Plain<Number: Comparable & BitwiseCopyable & Sendable>: OrderedCell {
    @inline(__always)
    static func read(_ cell: UnsafeRawPointer) -> (value: Number, isHere: Bool) {
        // The plan chose this reader because the field's type has this layout, and lanes of it are aligned for it.
        (cell.assumingMemoryBound(to: Number.self).pointee, true)
    }
}

/// A number that a cell may lack; the compiler, which knows `Number?`, handles the marking of nil.
enum Maybe<Number: Comparable & BitwiseCopyable & Sendable & ExpressibleByIntegerLiteral>: OrderedCell {
    @inline(__always)
    static func read(_ cell: UnsafeRawPointer) -> (value: Number, isHere: Bool) {
        // As above.
        let value = cell.assumingMemoryBound(to: Number?.self).pointee
        return (value ?? 0, value != nil)
    }
}

/// A `Bool` as 0 or 1.
enum PlainBool: OrderedCell {
    @inline(__always)
    static func read(_ cell: UnsafeRawPointer) -> (value: UInt8, isHere: Bool) {
        // As above; a Bool is one byte, 0 or 1.
        (cell.assumingMemoryBound(to: Bool.self).pointee ? 1 : 0, true)
    }
}

/// A `Bool?` as 0 or 1.
enum MaybeBool: OrderedCell {
    @inline(__always)
    static func read(_ cell: UnsafeRawPointer) -> (value: UInt8, isHere: Bool) {
        // As above.
        let value = cell.assumingMemoryBound(to: Bool?.self).pointee
        return (value == true ? 1 : 0, value != nil)
    }
}

/// Passes a value between two bounds, inclusive.
struct RangeTest<Cell: OrderedCell>: CellTest {
    let low: Cell.Value
    let high: Cell.Value

    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        let (value, isHere) = Cell.read(cell)
        // Evaluated without branches; each comparison is false for NaN (S3).
        let isAbove = value >= low
        let isBelow = value <= high
        return Bool.all(isAbove, isBelow, isHere)
    }
}

/// A range test of the two most common numbers that every cell has, as data.
struct NumberRange: Sendable {
    /// Conjunctions of more ranges are tested by calls.
    static let most = 2

    private enum Bounds {
        case ints(Int64, Int64)
        case doubles(Double, Double)
    }

    private let lane: Int
    private let bounds: Bounds

    /// - Parameters:
    ///   - lane: the number of the lane.
    ///   - test: the test, whose type decides whether it can be data.
    init?(lane: Int, _ test: some CellTest) {
        self.lane = lane
        switch test {
        case let test as RangeTest<Plain<Int64>>: bounds = .ints(test.low, test.high)
        case let test as RangeTest<Plain<Double>>: bounds = .doubles(test.low, test.high)
        default: return nil
        }
    }

    /// True for an element whose number is in the range; `offsets` has the place of each lane in it.
    @inline(__always)
    func holds(_ element: UnsafeRawPointer, _ offsets: UnsafePointer<Int>) -> Bool {
        let cell = element + offsets[lane]
        // The type of the test says what the cell is.
        switch bounds {
        case .ints(let low, let high): return RangeTest<Plain<Int64>>(low: low, high: high).holds(cell)
        case .doubles(let low, let high): return RangeTest<Plain<Double>>(low: low, high: high).holds(cell)
        }
    }
}

extension Bool {
    /// The conjunction of all three, without the branches of `&&`.
    @inline(__always)
    static func all(_ a: Bool, _ b: Bool, _ c: Bool) -> Bool {
        (a ? 1 : 0) & (b ? 1 : 0) & (c ? 1 : 0) as UInt8 != 0
    }
}

/// Passes a cell with a value.
struct HereTest<Cell: OrderedCell>: CellTest {
    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool { Cell.read(cell).isHere }
}

/// Passes every cell: those of a type without nil; a column's validity is tested first.
struct AlwaysHere: CellTest {
    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool { true }
}

/// Passes the members of a short or sorted list (S12).
struct MemberTest<Cell: OrderedCell>: CellTest {
    /// Ascending.
    private let members: ContiguousArray<Cell.Value>

    init(_ members: [Cell.Value]) {
        self.members = ContiguousArray(members.sorted())
    }

    @inline(__always)
    func holds(_ cell: UnsafeRawPointer) -> Bool {
        let (value, isHere) = Cell.read(cell)
        return isHere && (members.count <= 8 ? isAmongFew(value) : isAmongMany(value))
    }

    @inline(__always)
    private func isAmongFew(_ value: Cell.Value) -> Bool {
        var found: UInt8 = 0
        for member in members { found |= member == value ? 1 : 0 }
        return found != 0
    }

    @inline(__always)
    private func isAmongMany(_ value: Cell.Value) -> Bool {
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low &+ high) >> 1
            if members[middle] < value { low = middle &+ 1 } else { high = middle }
        }
        return low < members.count && members[low] == value
    }
}
