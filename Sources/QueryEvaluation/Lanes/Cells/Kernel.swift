import QueryMeaning
import QueryTree

/// A compiled condition over lanes: which of a batch's rows it holds for.
///
/// A kernel is a closure made by a generic function for one concrete type of cell and test, so the compiler turns each into
/// a loop of its own; a method of a generic class would stay generic, and be tens of times slower.
package struct Kernel: Sendable {
    /// Marks the rows for which the condition holds among those that are asked about.
    ///
    /// - batch: the rows.
    /// - active: the rows to be asked about; a word for each 64 rows.
    /// - found: takes the answer, a subset of `active`; may not overlap it.
    /// - run: what one run of the plan remembers.
    typealias Body = @Sendable (Batch, UnsafePointer<UInt64>, UnsafeMutablePointer<UInt64>, KernelRun) -> Void

    /// The same question about one element of a list, which is too short for batches.
    ///
    /// A struct, because a bare closure in an optional or an array would be called through thunks.
    struct ElementTest: Sendable {
        /// Asked with the element's address, and where the cells of each lane lie in it.
        let holds: @Sendable (UnsafeRawPointer, UnsafePointer<Int>) -> Bool
    }

    /// About how many nanoseconds a row costs; only the order of work depends on it.
    var cost: Double
    let body: Body
    /// Nil for a kernel that needs a batch.
    let element: ElementTest?

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

/// What one run of a plan remembers: rows in trouble, the selectivity of its parts, the reader of single rows.
///
/// One thread uses it at a time; plans are shared, runs are not.
package final class KernelRun {
    /// Rows of the batch whose truth a kernel could not tell because of an error; they are read one by one (S27).
    let troubled: UnsafeMutablePointer<UInt64>
    /// The row of the outer batch to which the elements at hand belong, or -1.
    var outerRow = -1
    /// Steps for elements of lists since they were counted.
    var elements = 0
    /// What the parts of each AND and OR were seen to let through.
    var orders: [PartOrder]
    /// Scratch memory of the row-at-a-time programs.
    var frames: [RowFrame]
    /// Nanoseconds of the first error; kept for the row that shows it.
    let regexes: RegexScratch

    init(orders: [PartOrder], frames: [RowFrame]) {
        self.orders = orders
        self.frames = frames
        regexes = RegexScratch()
        troubled = .allocate(capacity: Batch.most / 64)
        troubled.initialize(repeating: 0, count: Batch.most / 64)
    }

    deinit {
        troubled.deinitialize(count: Batch.most / 64)
        troubled.deallocate()
    }

    /// Marks a row as one that must be read by itself.
    func trouble(_ row: Int) {
        let row = outerRow >= 0 ? outerRow : row
        troubled[row >> 6] |= 1 << UInt64(row & 63)
    }
}

/// Space for the matches of one run.
final class RegexScratch {}

/// Tests one cell.
protocol CellTest: Sendable {
    /// True when the condition holds for the cell at an address; false for a cell that holds nothing.
    func holds(_ cell: UnsafeRawPointer) -> Bool
}

extension Kernel {
    /// A kernel that tests each row's cell of a lane.
    ///
    /// - Parameters:
    ///   - lane: the number of the lane.
    ///   - isNegated: true for the rows that do not pass, those without a value included (S6).
    ///   - cost: see ``Kernel/cost``.
    ///   - test: a concrete type, for which this function is compiled anew.
    /// - Returns: the kernel.
    @inline(__always)
    static func testing<Test: CellTest>(
        _ lane: Int,
        isNegated: Bool,
        cost: Double,
        _ test: Test
    ) -> Kernel {
        let one = ElementTest { test.holds($0 + $1[lane]) != isNegated }
        return Kernel(cost: cost, element: one) { batch, active, found, _ in
            let lane = batch.lanes[lane]
            let flip: UInt64 = isNegated ? .max : 0
            for word in 0..<batch.words {
                let asked = active[word]
                let wanted = lane.validity.map { asked & $0[word] } ?? asked
                let passed = wanted == 0 ? 0 : passing(wanted, lane, from: word << 6, batch.count, test)
                found[word] = asked & ((passed & wanted) ^ flip)
            }
        }
    }

    /// The rows of a word that pass; bits of rows that were not asked about mean nothing.
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

    /// The rows that do not hold.
    static func not(_ part: Kernel) -> Kernel {
        let one = part.element.map { test in ElementTest { !test.holds($0, $1) } }
        return Kernel(cost: part.cost, element: one) { batch, active, found, run in
            part.body(batch, active, found, run)
            for word in 0..<batch.words { found[word] = active[word] & ~found[word] }
        }
    }
}
