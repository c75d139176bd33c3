import QueryMeaning
import QueryTree

/// A compiled condition over lanes, which finds the matching rows of a batch.
///
/// A kernel is a closure made by a generic function for one concrete type of cell and test, so that the compiler
/// specializes each loop; a method of a generic class would remain generic, and be tens of times slower.
package struct Kernel: Sendable {
    /// Marks the rows that satisfy the condition among the active ones.
    ///
    /// - batch: the rows.
    /// - active: the rows to test; one word per 64 rows.
    /// - found: receives the matching rows, a subset of `active`; must not overlap it.
    /// - run: the state of one run of the plan.
    typealias Body = @Sendable (Batch, UnsafePointer<UInt64>, UnsafeMutablePointer<UInt64>, KernelRun) -> Void

    /// The same test for one element of a list, which is too short for batches.
    ///
    /// A struct, because a bare closure in an optional or an array would be called through thunks.
    struct ElementTest: Sendable {
        /// Called with the element's address and the offsets of the cells of each lane in it.
        let check: @Sendable (UnsafeRawPointer, UnsafePointer<Int>) -> Bool
    }

    /// The approximate cost per row in nanoseconds; affects only the evaluation order.
    var cost: Double
    let body: Body
    /// Nil for a kernel that needs a batch.
    let element: ElementTest?
    /// The same test as data, if it is that at most two numbers are in ranges; then elements are tested without calls.
    var ranges: [NumberRange] = []

    init(cost: Double, element: ElementTest? = nil, _ body: @escaping Body) {
        self.cost = cost
        self.element = element
        self.body = body
    }

    /// A kernel that holds for all rows, or for none.
    static func constant(_ holds: Bool) -> Kernel {
        Kernel(cost: 0, element: ElementTest { _, _ in holds }) { batch, active, found, _ in
            for word in 0..<batch.words { found[word] = holds ? active[word] : 0 }
        }
    }
}

/// The state of one run of a plan: rows to re-evaluate, the selectivity of its parts, the reader of single rows.
///
/// One thread uses it at a time; plans are shared, runs are not.
package final class KernelRun {
    /// Rows of the batch that a kernel could not decide because of an error; they are evaluated one by one (S27).
    let troubled: UnsafeMutablePointer<UInt64>
    /// The row of the outer batch that the current elements belong to, or -1.
    var outerRow = -1
    /// Uncounted steps for elements of lists.
    var elements = 0
    /// The measured selectivity of the parts of each AND and OR.
    var orders: [PartOrder]
    /// Scratch memory of the row-at-a-time programs.
    var frames: [RowFrame]

    init(orders: [PartOrder], frames: [RowFrame]) {
        self.orders = orders
        self.frames = frames
        troubled = .allocate(capacity: Batch.most / 64)
        troubled.initialize(repeating: 0, count: Batch.most / 64)
    }

    deinit {
        troubled.deinitialize(count: Batch.most / 64)
        troubled.deallocate()
    }

    /// Marks a row for evaluation on its own.
    func trouble(_ row: Int) {
        let row = outerRow >= 0 ? outerRow : row
        troubled[row >> 6] |= 1 << UInt64(row & 63)
    }
}

/// Tests one cell.
protocol CellTest: Sendable {
    /// True if the condition holds for the cell at an address; false for a cell without a value.
    func holds(_ cell: UnsafeRawPointer) -> Bool
    /// The result for a cell marked as missing.
    var holdsForMissing: Bool { get }
    /// True if the test takes the same short time for every cell, so that to test a few more is faster than a branch.
    static var isEven: Bool { get }
    /// True if cells are lists whose counts are read before the first is tested.
    static var looksAhead: Bool { get }
}

extension CellTest {
    @inline(__always)
    var holdsForMissing: Bool { false }
    @inline(__always)
    static var isEven: Bool { false }
    @inline(__always)
    static var looksAhead: Bool { false }
}

extension Kernel {
    /// A kernel that tests each row's cell of a lane.
    ///
    /// - Parameters:
    ///   - lane: the number of the lane.
    ///   - isNegated: true for the rows that do not pass, including those without a value (S6).
    ///   - cost: see ``Kernel/cost``.
    ///   - test: a concrete type, for which this function is specialized.
    /// - Returns: the kernel.
    @inline(__always)
    static func testing<Test: CellTest>(
        _ lane: Int,
        isNegated: Bool,
        cost: Double,
        _ test: Test
    ) -> Kernel {
        let one = ElementTest { test.holds($0 + $1[lane]) != isNegated }
        let flip: UInt64 = isNegated ? .max : 0
        return Kernel(cost: cost, element: one) { batch, active, found, _ in
            let lane = batch.lanes[lane]
            for word in 0..<batch.words {
                let asked = active[word]
                let wanted = lane.validity.map { asked & $0[word] } ?? asked
                let passed = wanted == 0 ? 0 : passing(wanted, lane, from: word << 6, batch.count, test)
                let missing = test.holdsForMissing ? ~wanted : 0
                found[word] = asked & ((passed & wanted | missing) ^ flip)
            }
        }
    }

    /// The rows of a word that pass; bits of inactive rows are undefined.
    @inline(__always)
    private static func passing<Test: CellTest>(
        _ wanted: UInt64,
        _ lane: Lane,
        from start: Int,
        _ count: Int,
        _ test: Test
    ) -> UInt64 {
        var passed: UInt64 = 0
        let stride = lane.stride
        let base = lane.base + start &* stride
        if wanted == .max {
            // A full word: 64 rows without a branch.
            var cell = base
            if Test.looksAhead {
                // Lists are scattered in memory, and loads that do not depend on a branch run in parallel.
                var sum = 0
                for row in 0..<64 { sum &+= ListLayout.object(cell + row &* stride).map { ListLayout.count($0) } ?? 0 }
                // Never true; a sum that is not used would not be computed.
                if sum < 0 { return 0 }
            }
            for bit in 0..<64 as Range<UInt64> {
                passed |= (test.holds(cell) ? 1 : 0) &<< bit
                cell += stride
            }
        } else {
            var rest = wanted
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                passed |= (test.holds(base + bit &* stride) ? 1 : 0) &<< UInt64(bit)
                rest &= rest &- 1
            }
        }
        return passed
    }

    /// The rows that do not satisfy a part.
    static func not(_ part: Kernel) -> Kernel {
        let one = part.element.map { test in ElementTest { !test.check($0, $1) } }
        return Kernel(cost: part.cost, element: one) { batch, active, found, run in
            part.body(batch, active, found, run)
            for word in 0..<batch.words { found[word] = active[word] & ~found[word] }
        }
    }
}
