import QueryChecking
import QueryMeaning
import QueryTree
import QueryValues

/// A condition compiled for one kind of row, which every source of lanes runs.
///
/// Immutable, so threads may share it; each run has a ``RowScan`` of its own.
package final class RowPlan: Sendable {
    /// Where the lanes' cells are stored, by lane number.
    package let sources: [LaneSource]
    /// The checked query, with a schema.
    package let query: Query
    /// True or false if the condition is the same for every row.
    let constant: Bool?
    let kernel: Kernel
    let costs: [[Double]]
    let programs: [ConditionProgram]
    /// The whole condition, for rows that need row-by-row evaluation.
    let whole: ConditionProgram
    let reader: RowReader
    /// Reads the fields of the sort keys.
    package let sortReader: RowReader
    /// The order, if there is one.
    let order: LaneOrder?
    let now: Int64
    /// True for a condition too high for an ordinary thread's stack.
    let needsRoom: Bool
    /// The bounds of each run.
    let limits: Limits

    /// Compiles a query's condition for the fields of a kind of rows.
    ///
    /// - Parameters:
    ///   - query: without a schema it takes that of the fields.
    ///   - fields: the fields.
    ///   - now: the instant of `now()` in milliseconds since 1970; nil for the current time (S20).
    ///   - limits: the bounds on regular expressions.
    /// - Throws: as ``Matcher/init(_:now:limits:)``.
    package init(_ query: Query, _ fields: [FieldEntry], now: Int64?, limits: Limits) throws(QueryError) {
        var query = query
        if query.schema == nil { query.schema = Self.schema(fields) }
        query = try query.checked()
        // Rows of Swift values have no computed fields, so only their number or positions are asked for.
        if !query.computed.isEmpty { query.order = [] }
        let tied = query.breakingTies
        if tied.order.count > query.order.count, tied.schema == query.schema {
            // Rows without such a field are identified by their position.
            let names = Set(fields.map { UTF8Key($0.name) })
            if tied.order.allSatisfy({ $0.path.begins(in: names) }) { query.order = tied.order }
        }
        self.query = query
        self.now = now ?? Query.presentInstant
        let now = self.now
        let compiled = try StackRoom.run(for: query.condition) { () throws(QueryError) in
            try CompiledCondition(query, fields, now: now, limits: limits)
        }
        whole = compiled.whole
        kernel = compiled.kernel
        constant = compiled.constant
        reader = compiled.reader
        sortReader = compiled.sortReader
        sources = compiled.sources
        costs = compiled.costs
        programs = compiled.programs
        needsRoom = StackRoom.isNeeded(forHeight: query.condition.height)
        order = try LaneOrder(query, fields, limits: limits)
        self.limits = limits
    }

    private static func schema(_ fields: [FieldEntry]) -> Schema {
        FieldList.schema(fields, depth: FieldList.depth)
    }

    /// The state of one run.
    func makeRun(_ budget: WorkBudget?) -> KernelRun {
        KernelRun(
            orders: costs.map { PartOrder(costs: $0) },
            frames: programs.map { $0.makeFrame(now: now, budget: budget) }
        )
    }
}

/// The compiled form of a plan's condition, built on a large stack if it is high.
private struct CompiledCondition {
    let whole: ConditionProgram
    let kernel: Kernel
    let constant: Bool?
    let reader: RowReader
    let sortReader: RowReader
    let sources: [LaneSource]
    let costs: [[Double]]
    let programs: [ConditionProgram]

    init(_ query: Query, _ fields: [FieldEntry], now: Int64, limits: Limits) throws(QueryError) {
        let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning, limits: limits)
        whole = try evaluator.compile(query.condition)
        let condition = query.condition.foldingConstants(now: now, nilMeaning: query.nilMeaning)
        var builder = PlanBuilder(schema: query.schema, nilMeaning: query.nilMeaning, limits: limits)
        var scope = PlanBuilder.Scope(lanes: LaneSet(fields), types: TypeScope(query.schema))
        // A tree higher than any text gives is evaluated row by row, on a large stack.
        kernel =
            condition.height > Limits.default.nesting * 2
            ? try builder.readingKernel(condition, &scope) : try builder.kernel(condition, &scope)
        if case .constant(let holds) = condition { constant = holds } else { constant = nil }
        reader = RowReader(query.condition, &scope)
        sortReader = RowReader(query.order.map(\.path), &scope)
        sources = scope.lanes.sources
        costs = builder.costs
        programs = builder.programs
    }
}

/// One run of a plan over batches in order.
package struct RowScan {
    package let plan: RowPlan
    private let run: KernelRun
    private var frame: RowFrame
    /// The matching rows of the batch; valid until the next batch.
    package private(set) var found: SelectionVector
    private var active: SelectionVector

    /// - Parameters:
    ///   - plan: the plan.
    ///   - budget: the budget of the run, which other scans may share.
    package init(_ plan: RowPlan, _ budget: WorkBudget?) {
        self.plan = plan
        run = plan.makeRun(budget)
        frame = plan.whole.makeFrame(now: plan.now, budget: budget)
        found = SelectionVector(count: 0)
        active = SelectionVector(count: 0)
    }

    /// Tests a batch; ``found`` then holds the matching rows.
    ///
    /// - Parameters:
    ///   - batch: at most ``Batch/most`` rows, with a lane for each of the plan's sources.
    ///   - first: the number of its first row, for errors.
    ///   - needed: how many rows the caller can still use; errors of rows after them do not count.
    /// - Throws: the error of the first row that it leaves undecided (S27), and of code `tooMuchWork`.
    package mutating func look(at batch: Batch, first: Int, needed: Int = .max) throws(QueryError) {
        if active.count != batch.count {
            active = SelectionVector(count: batch.count, all: true)
            found = SelectionVector(count: batch.count)
        }
        // A batch is charged before it is tested, and the elements of its lists afterwards.
        frame.charge(batch.count &* plan.whole.rowSteps &+ run.elements)
        run.elements = 0
        if frame.isSpent { throw frame.tooMuchWork }
        if plan.needsRoom {
            try StackRoom.onLargeStack { () throws(QueryError) in try runKernel(batch) }
        } else {
            try runKernel(batch)
        }
        try evaluateTroubled(batch, first, needed)
    }

    @inline(__always)
    private mutating func runKernel(_ batch: Batch) throws(QueryError) {
        let (kernel, run, asked) = (plan.kernel, run, active.words)
        try found.withWords { (words) throws(QueryError) in
            asked.withUnsafeBufferPointer { asked in
                guard let asked = asked.baseAddress, let words = words.baseAddress else { return }
                kernel.body(batch, asked, words, run)
            }
        }
    }

    /// Rows that met an error in some part are evaluated one by one, because the other parts may decide (S27).
    private mutating func evaluateTroubled(_ batch: Batch, _ first: Int, _ needed: Int) throws(QueryError) {
        var before = 0
        for word in 0..<batch.words {
            var troubled = run.troubled[word]
            run.troubled[word] = 0
            if before >= needed { continue }
            while troubled != 0 {
                let bit = troubled.trailingZeroBitCount
                troubled &= troubled &- 1
                let row = word << 6 | bit
                do throws(QueryError) {
                    found.set(row, try plan.whole.holds(plan.reader.document(row, batch), &frame))
                } catch {
                    if before + found.population(of: word, below: bit) >= needed { break }
                    throw error.inRow(first + row)
                }
            }
            before += found.words[word].nonzeroBitCount
        }
    }
}

extension SelectionVector {
    /// Adds or removes a row.
    mutating func set(_ row: Int, _ isIn: Bool) {
        let bit: UInt64 = 1 << UInt64(row & 63)
        if isIn { setWord(row >> 6, words[row >> 6] | bit) } else { setWord(row >> 6, words[row >> 6] & ~bit) }
    }

    /// The number of rows of a word that come before a bit.
    func population(of word: Int, below bit: Int) -> Int {
        (words[word] & ((1 << UInt64(bit)) &- 1)).nonzeroBitCount
    }
}
