import QueryChecking
import QueryValues

/// The remaining steps and time of one run, shared by its frames and threads.
///
/// A frame takes steps in portions and counts them itself, so that threads seldom contend here, and the clock is read
/// once per portion.
package final class WorkBudget: Sendable {
    private let left: Mutex<Int>
    private let steps: Int
    private let deadline: ContinuousClock.Instant?
    /// The maximum number of steps that a frame takes in advance: some ten microseconds of work.
    private static let portion = 1 << 12

    /// A budget that starts now.
    ///
    /// - Parameter limits: its `steps` and `duration`; nil if they bound nothing.
    package init?(_ limits: Limits) {
        guard limits.boundsWork else { return nil }
        steps = max(0, limits.steps)
        left = Mutex(steps)
        deadline = limits.duration.map { ContinuousClock.now.advanced(by: $0) }
    }

    /// True if the time is up.
    package var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    /// Takes steps, and some more in advance.
    ///
    /// - Parameter needed: the steps required.
    /// - Returns: at least as many; nil if there are not enough, or the time is up, and from then on always.
    package func take(_ needed: Int) -> Int? {
        let isLate = isLate
        return left.withLock { left in
            guard !isLate, left >= needed else {
                left = -1
                return nil
            }
            // From a small rest only a part, so that other frames of the run get some.
            let granted = needed + min(Self.portion, (left - needed) / 8)
            left -= granted
            return granted
        }
    }

    /// Takes exactly this many steps.
    ///
    /// - Parameter steps: the steps required.
    /// - Returns: false if there are not enough, or the time is up.
    package func spend(_ steps: Int) -> Bool {
        let isLate = isLate
        return left.withLock { left in
            guard !isLate, left >= steps else {
                left = -1
                return false
            }
            left -= steps
            return true
        }
    }

    /// The error of a run that has used up its budget.
    package var error: QueryError {
        let message = isLate ? "the query took too long" : "the query takes more than \(steps) steps"
        return QueryError(.tooMuchWork, message, hint: Self.hint)
    }

    /// The hint of that error.
    package static let hint = "narrow the condition, look at fewer elements, or raise Limits.steps and Limits.duration"
}

extension Limits {
    /// True if a run must count its steps.
    package var boundsWork: Bool { steps != .max || duration != nil }
}

extension RowFrame {
    /// Counts steps; once the budget is used up, ``isSpent`` is true.
    @inline(__always)
    package mutating func charge(_ steps: Int) {
        stepsLeft &-= steps
        if stepsLeft < 0 { refill() }
    }

    /// Counts a number of steps for each of some elements.
    @inline(__always)
    mutating func charge(_ elements: Int, each steps: Int) {
        charge(elements &* steps)
    }

    /// Counts steps before they are taken.
    mutating func spend(_ steps: Int) throws(QueryError) {
        charge(steps)
        if isSpent { throw tooMuchWork }
    }

    /// The same for UNION, INTERSECT and MINUS.
    mutating func chargeSets(_ left: QueryValue, _ right: QueryValue) throws(QueryError) {
        charge(left.elementCount &+ right.elementCount, each: Steps.hashed)
        try spend(left.mass &+ right.mass)
    }

    /// The steps of an element that SUBQUERY tests in the lanes.
    package static let stepsOfElement = Steps.bound
    /// The steps of each row for each sort key.
    package static let stepsOfSortKey = Steps.sorted

    /// Counts the folding of a sort key's texts.
    package mutating func chargeFolding(_ value: QueryValue, _ options: StringOptions) throws(QueryError) {
        if !options.folding.isEmpty { charge(Steps.folding(value.mass &* 8, options)) }
        if isSpent { throw tooMuchWork }
    }

    /// Counts a value that goes into a group.
    package mutating func chargeGroup(_ value: QueryValue) throws(QueryError) {
        charge(value.mass)
        if isSpent { throw tooMuchWork }
    }

    /// True if the run must end.
    @inline(__always)
    package var isSpent: Bool { stepsLeft < 0 }

    @inline(never)
    private mutating func refill() {
        guard let budget else {
            stepsLeft = .max
            return
        }
        // A shortfall stays owed, so that nothing after it is free.
        stepsLeft = budget.take(-max(stepsLeft, -.max)).map { stepsLeft + $0 } ?? -1
    }

    /// The error of a run that must end.
    package var tooMuchWork: QueryError {
        budget?.error ?? QueryError(.tooMuchWork, "the query takes too many steps", hint: WorkBudget.hint)
    }
}
