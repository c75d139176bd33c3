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

    static var isEven: Bool { true }

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
enum NumberRange: Sendable {
    case ints(lane: Int, RangeTest<Plain<Int64>>)
    case doubles(lane: Int, RangeTest<Plain<Double>>)

    /// Nil for a test of another type.
    init?(lane: Int, _ test: some CellTest) {
        switch test {
        case let test as RangeTest<Plain<Int64>>: self = .ints(lane: lane, test)
        case let test as RangeTest<Plain<Double>>: self = .doubles(lane: lane, test)
        default: return nil
        }
    }
}

/// Passes an element with cells at two offsets that both pass; without a branch between them.
struct BothCells<First: CellTest, Second: CellTest>: CellTest {
    let first: (offset: Int, test: First)
    let second: (offset: Int, test: Second)

    static var isEven: Bool { First.isEven && Second.isEven }

    @inline(__always)
    func holds(_ element: UnsafeRawPointer) -> Bool {
        let passesFirst = first.test.holds(element + first.offset)
        let passesSecond = second.test.holds(element + second.offset)
        return Bool.all(passesFirst, passesSecond, true)
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
