import QueryTree
import QueryValues

/// The reference evaluator of semantics.md, one row at a time: the value of a condition or a term for a row.
///
/// The evaluator compiles a condition once and evaluates it for many rows; constant folding evaluates once, without a
/// row.
///
///     let evaluator = RowEvaluator(schema: query.schema, nilMeaning: query.nilMeaning)
///     let plan = try evaluator.compile(query.condition)
///     var frame = plan.makeFrame(now: 0)
///     try plan.holds(cities[0], &frame)  // → true
package struct RowEvaluator: Sendable {
    /// Names, kinds and date encodings; nil for rows without a schema.
    package var schema: Schema?
    /// What `== nil` tests for (S8).
    package var nilMeaning: NilMeaning
    /// Bounds on regular expressions.
    package var limits: Limits
    /// False if values are already in row form, such as the keys of groups.
    package var decodesUUIDs = true
    /// True for sort keys: texts of a field declared `native` are dates in an order, as they are beside a date (S5).
    package var decodesNativeDates = false

    package init(schema: Schema? = nil, nilMeaning: NilMeaning = .nullOrAbsent, limits: Limits = .default) {
        self.schema = schema
        self.nilMeaning = nilMeaning
        self.limits = limits
    }

    /// Compiles a condition for many rows: names resolved, patterns compiled, constants in their final form.
    ///
    /// - Parameter condition: checked against the schema, if there is one.
    /// - Returns: the plan.
    /// - Throws: `QueryError` for what no backend supports (S25), unbound variables, unknown fields, invalid patterns.
    package func compile(_ condition: Condition) throws(QueryError) -> ConditionProgram {
        var compiler = PlanCompiler(evaluator: self)
        return try compile(condition, &compiler)
    }

    /// Compiles a condition for flat rows, which hold only the paths that it reads.
    ///
    /// - Parameters:
    ///   - condition: checked against the schema, if there is one.
    ///   - paths: receives the paths; if it then needs whole rows, the program is unusable.
    /// - Returns: the plan.
    /// - Throws: as ``compile(_:)-(Condition)``.
    package func compile(
        _ condition: Condition,
        reading paths: inout RowPaths
    ) throws(QueryError) -> ConditionProgram {
        var compiler = PlanCompiler(evaluator: self, paths: paths)
        defer { paths = compiler.paths ?? paths }
        return try compile(condition, &compiler)
    }

    private func compile(
        _ condition: Condition,
        _ compiler: inout PlanCompiler
    ) throws(QueryError) -> ConditionProgram {
        var rowSteps = 1
        let root = try StackRoom.run(for: condition) { () throws(QueryError) in
            try condition.checkSupportedEverywhere()
            if limits.boundsWork { rowSteps = condition.stepsOfRow }
            return try compiler.plan(condition, TypeScope(schema))
        }
        let needsRoom = StackRoom.isNeeded(forHeight: condition.height)
        return ConditionProgram(
            root: root,
            sizes: compiler.sizes,
            needsRoom: needsRoom,
            paths: compiler.pathsRead,
            rowSteps: rowSteps,
            limits: limits
        )
    }

    /// Compiles a term for many rows.
    ///
    /// - Parameter term: checked against the schema, if there is one.
    /// - Returns: the plan.
    /// - Throws: as ``compile(_:)-(Condition)``.
    package func compile(_ term: Term) throws(QueryError) -> TermProgram {
        var compiler = PlanCompiler(evaluator: self)
        let root = try compiler.plan(term, TypeScope(schema))
        return TermProgram(root: root, sizes: compiler.sizes, paths: compiler.pathsRead)
    }

    /// The paths of the row that a term reads.
    ///
    /// - Parameters:
    ///   - term: checked against the schema, if there is one.
    ///   - paths: receives the paths.
    /// - Throws: as ``compile(_:)-(Condition)``.
    package func collectPaths(of term: Term, into paths: inout RowPaths) throws(QueryError) {
        var compiler = PlanCompiler(evaluator: self, paths: paths)
        _ = try compiler.plan(term, TypeScope(schema))
        paths = compiler.paths ?? paths
    }

    /// The truth of a condition for one row (S6).
    ///
    /// - Parameters:
    ///   - condition: the condition.
    ///   - row: the row, by stored names; empty if there is none.
    ///   - now: the instant of the run, in milliseconds since 1970 (S20).
    /// - Returns: whether it holds.
    /// - Throws: as ``compile(_:)-(Condition)``, and the row's error if it decides the result (S27).
    package func holds(
        _ condition: Condition,
        in row: Document = Document(),
        now: Int64
    ) throws(QueryError) -> Bool {
        let program = try compile(condition)
        var frame = program.makeFrame(now: now)
        return try program.holds(row, &frame)
    }

    /// The value of a term for one row; nil if it is absent (S8).
    ///
    /// - Parameters:
    ///   - term: the term.
    ///   - row: the row, by stored names; empty if there is none.
    ///   - now: the instant of the run, in milliseconds since 1970 (S20).
    /// - Returns: the value, `.null` for a computed nil, nil for an absent path.
    /// - Throws: as ``compile(_:)-(Condition)``, and the row's error (S27).
    package func value(
        of term: Term,
        in row: Document = Document(),
        now: Int64
    ) throws(QueryError) -> QueryValue? {
        let program = try compile(term)
        var frame = program.makeFrame(now: now)
        return try program.value(row, &frame)
    }
}

/// A compiled condition; immutable, so threads may share it, each with its own frame.
package struct ConditionProgram: Sendable {
    let root: ConditionPlan
    let sizes: RowFrame.Sizes
    /// True for a plan too high for a small stack.
    let needsRoom: Bool
    /// The stored keys of the row paths that it reads, possibly repeated; empty for a path that is the row itself.
    package let paths: [[String]]
    /// True if rows need not be objects: the condition names `SELF`, or nothing of a row.
    package var takesPlainValues: Bool { paths.isEmpty || paths.contains(where: \.isEmpty) }
    /// The steps of a row besides those for elements and texts.
    package let rowSteps: Int
    private let limits: Limits

    init(
        root: ConditionPlan,
        sizes: RowFrame.Sizes,
        needsRoom: Bool,
        paths: [[String]],
        rowSteps: Int,
        limits: Limits
    ) {
        self.root = root
        self.sizes = sizes
        self.needsRoom = needsRoom
        self.paths = paths
        self.rowSteps = rowSteps
        self.limits = limits
    }

    /// The scratch memory of one run with its own budget.
    ///
    /// - Parameter now: the instant of the run, in milliseconds since 1970 (S20).
    /// - Returns: a frame to pass to every call of the run.
    package func makeFrame(now: Int64) -> RowFrame { makeFrame(now: now, budget: WorkBudget(limits)) }

    /// The scratch memory of a part of a run.
    ///
    /// - Parameters:
    ///   - now: the instant of the run, in milliseconds since 1970 (S20).
    ///   - budget: the budget of the run; nil if nothing is bounded.
    /// - Returns: a frame to pass to every call of the part.
    package func makeFrame(now: Int64, budget: WorkBudget?) -> RowFrame { RowFrame(sizes, now: now, budget: budget) }

    /// The truth for one row (S6).
    ///
    /// - Parameters:
    ///   - row: the row, by stored names.
    ///   - frame: of ``makeFrame(now:)``.
    /// - Returns: whether the condition holds.
    /// - Throws: the row's error if the other operands do not decide (S27), and `tooMuchWork`.
    package func holds(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> Bool {
        frame.charge(rowSteps)
        let truth = needsRoom ? roomyTruth(row, &frame) : root.truth(row, &frame)
        // The deciding part may have been interrupted.
        if frame.isSpent { throw frame.tooMuchWork }
        switch truth {
        case .yes: return true
        case .no: return false
        case .undecided: throw frame.takeFault()
        }
    }

    private func roomyTruth(_ row: Document, _ frame: inout RowFrame) -> Truth {
        StackRoom.onLargeStack { root.truth(row, &frame) }
    }
}

/// A compiled term.
package struct TermProgram: Sendable {
    let root: TermPlan
    let sizes: RowFrame.Sizes
    /// As ``ConditionProgram/paths``.
    package let paths: [[String]]

    /// The scratch memory of one run.
    ///
    /// - Parameter now: the instant of the run, in milliseconds since 1970 (S20).
    /// - Returns: a frame to pass to every call of the run.
    package func makeFrame(now: Int64) -> RowFrame { RowFrame(sizes, now: now, budget: nil) }

    /// The scratch memory of a part of a run.
    ///
    /// - Parameters:
    ///   - now: the instant of the run, in milliseconds since 1970 (S20).
    ///   - budget: the budget of the run; nil if nothing is bounded.
    /// - Returns: a frame to pass to every call of the part.
    package func makeFrame(now: Int64, budget: WorkBudget?) -> RowFrame { RowFrame(sizes, now: now, budget: budget) }

    /// The value for one row; nil if it is absent.
    ///
    /// - Parameters:
    ///   - row: the row, by stored names.
    ///   - frame: of ``makeFrame(now:)``.
    /// - Returns: the value, `.null` for a computed nil, nil for an absent path.
    /// - Throws: the row's error (S27).
    package func value(_ row: Document, _ frame: inout RowFrame) throws(QueryError) -> QueryValue? {
        try root.value(row, &frame)
    }
}

/// The truth of a part of a condition: an error leaves it undecided, and other parts may still decide (S27).
enum Truth {
    case no
    case yes
    case undecided

    init(_ holds: Bool) {
        self = holds ? .yes : .no
    }
}

/// The state that one run keeps from row to row: the last positions of keys, SUBQUERY's elements, the first error.
package struct RowFrame {
    struct Sizes: Sendable {
        var slots = 0
        var variables = 0
    }

    /// Rows of one shape have a key at the same position, so a lookup is mostly one pointer comparison; rows with and
    /// without some key have two shapes.
    private struct RememberedSlot {
        var shape: Shape?
        var slot = -1
        var other: Shape?
        var otherSlot = -1
        /// The key's last position.
        var guess = -1
        var misses = 0
    }

    let now: Int64
    var variables: [QueryValue]
    private var slots: ContiguousArray<RememberedSlot>
    private var fault: QueryError?
    /// Steps until the budget is checked again; negative once it is used up.
    var stepsLeft: Int
    /// The budget of the run; nil if nothing is bounded.
    package let budget: WorkBudget?

    init(_ sizes: Sizes, now: Int64, budget: WorkBudget?) {
        self.now = now
        self.budget = budget
        stepsLeft = budget == nil ? .max : 0
        variables = Array(repeating: .null, count: sizes.variables)
        slots = ContiguousArray(repeating: RememberedSlot(), count: sizes.slots)
    }

    /// The position of a key in an object, or -1; `place` is the key's own number in the plan.
    @inline(__always)
    mutating func slot(of key: String, at place: Int, in object: Document) -> Int {
        if slots[place].shape === object.shape { return slots[place].slot }
        if slots[place].other === object.shape { return slots[place].otherSlot }
        return find(key, at: place, in: object.shape)
    }

    @inline(never)
    private mutating func find(_ key: String, at place: Int, in shape: Shape) -> Int {
        let slot = shape.slot(of: key, near: slots[place].guess) ?? -1
        if slot >= 0 { slots[place].guess = slot }
        slots[place].misses &+= 1
        // If every row has its own shape, remembering each is useless.
        if slots[place].misses > 16, slots[place].misses & 15 != 0 { return slot }
        slots[place].other = slots[place].shape
        slots[place].otherSlot = slots[place].slot
        slots[place].shape = shape
        slots[place].slot = slot
        return slot
    }

    /// Keeps an error until the other parts have decided.
    mutating func record(_ error: QueryError) -> Truth {
        fault = error
        return .undecided
    }

    mutating func takeFault() -> QueryError {
        let error = fault ?? QueryError(.evaluation, "the row could not be evaluated")
        fault = nil
        return error
    }
}
