import QueryChecking
import QueryValues
import Synchronization

/// What is left of the steps and the time of one run; its frames and threads share it.
///
/// A frame takes steps in portions and counts them by itself, so threads seldom meet here, and the clock is read once a
/// portion.
package final class WorkBudget: Sendable {
    private let left: Mutex<Int>
    private let steps: Int
    private let deadline: ContinuousClock.Instant?
    /// The most steps that a frame takes beyond what it needs: some ten microseconds of work.
    private static let portion = 1 << 12

    /// A budget that begins now.
    ///
    /// - Parameter limits: its `steps` and `duration`; nil where they bound nothing.
    package init?(_ limits: Limits) {
        guard limits.boundsWork else { return nil }
        steps = max(0, limits.steps)
        left = Mutex(steps)
        deadline = limits.duration.map { ContinuousClock.now.advanced(by: $0) }
    }

    /// True when the time is over.
    package var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    /// Takes steps, and some more for later.
    ///
    /// - Parameter needed: the steps that are due.
    /// - Returns: at least as many; nil when there are not so many, or the time is over, and then never again any.
    package func take(_ needed: Int) -> Int? {
        let isLate = isLate
        return left.withLock { left in
            guard !isLate, left >= needed else {
                left = -1
                return nil
            }
            // Of a small rest a part only, so that other frames of the run find some.
            let granted = needed + min(Self.portion, (left - needed) / 8)
            left -= granted
            return granted
        }
    }

    /// Takes steps and no more.
    ///
    /// - Parameter steps: the steps that are due.
    /// - Returns: false when there are not so many, or the time is over.
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

    /// What a run ends with that has used up its budget.
    package var error: QueryError {
        let message = isLate ? "the query took too long" : "the query takes more than \(steps) steps"
        return QueryError(.tooMuchWork, message, hint: Self.hint)
    }

    /// What helps.
    package static let hint = "narrow the condition, look at fewer elements, or raise Limits.steps and Limits.duration"
}

extension Limits {
    /// True when a run must count.
    package var boundsWork: Bool { steps != .max || duration != nil }
}

extension RowFrame {
    /// Counts steps; when the budget has no more, ``isSpent`` is true from then on.
    @inline(__always)
    package mutating func charge(_ steps: Int) {
        stepsLeft &-= steps
        if stepsLeft < 0 { refill() }
    }

    /// Counts so many steps for each of some elements.
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

    /// What an element of a list takes that SUBQUERY asks about in the lanes.
    package static let stepsOfElement = Steps.bound
    /// What each row takes for each key of an order.
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

    /// True when the run must end.
    @inline(__always)
    package var isSpent: Bool { stepsLeft < 0 }

    @inline(never)
    private mutating func refill() {
        guard let budget else {
            stepsLeft = .max
            return
        }
        // What is not given stays owed, so that nothing after it is free.
        stepsLeft = budget.take(-max(stepsLeft, -.max)).map { stepsLeft + $0 } ?? -1
    }

    /// The error of a run that must end.
    package var tooMuchWork: QueryError {
        budget?.error ?? QueryError(.tooMuchWork, "the query takes too many steps", hint: WorkBudget.hint)
    }
}
