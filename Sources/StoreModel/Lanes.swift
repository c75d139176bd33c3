import QueryValues

/// Queues: in each lane one operation runs at a time, and the others wait for their turn in order.
package final class Lanes: Sendable {
    private struct State {
        /// Who waits for each lane that is taken.
        var queues: [String: [(number: Int, waiting: CheckedContinuation<Bool, Never>?)]] = [:]
        /// The places whose turn came before they waited for it.
        var given: Set<Int> = []
        var count = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Takes a lane, or a place in its queue.
    ///
    /// - Returns: nil if the lane was free and is the caller's now; else the number of the place.
    package func enter(_ lane: String) -> Int? {
        state.withLock { state in
            guard state.queues[lane] != nil else {
                state.queues[lane] = []
                return nil
            }
            state.count += 1
            state.queues[lane]?.append((state.count, nil))
            return state.count
        }
    }

    /// Waits for a place's turn; a task that is cancelled leaves the queue.
    ///
    /// - Returns: true if the lane is the caller's now; false if the place was left.
    package func turn(_ number: Int, in lane: String) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                let hasTurn: Bool? = state.withLock { state in
                    guard let place = state.queues[lane]?.firstIndex(where: { $0.number == number }) else {
                        return state.given.remove(number) != nil
                    }
                    state.queues[lane]?[place].waiting = waiting
                    return nil
                }
                if let hasTurn { waiting.resume(returning: hasTurn) }
            }
        } onCancel: {
            leave(number, in: lane)
        }
    }

    /// Leaves a queue; who has the lane already keeps it.
    package func leave(_ number: Int, in lane: String) {
        let left = state.withLock { state in
            state.queues[lane]?.firstIndex { $0.number == number }.flatMap { state.queues[lane]?.remove(at: $0) }
        }
        left?.waiting?.resume(returning: false)
    }

    /// Gives a lane to the next in its queue.
    package func pass(_ lane: String) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.queues[lane]?.isEmpty == false, let next = state.queues[lane]?.removeFirst() else {
                state.queues[lane] = nil
                return nil
            }
            // It is about to wait.
            if next.waiting == nil { state.given.insert(next.number) }
            return next.waiting
        }
        next?.resume(returning: true)
    }

    /// A question that an operation asks while it has a lane.
    private final class Question: Sendable {
        let lanes: Lanes
        let lane: String
        let isOpen = Mutex(true)

        @TaskLocal static var asked: [Question] = []

        init(_ lanes: Lanes, _ lane: String) { (self.lanes, self.lane) = (lanes, lane) }
    }

    /// Asks something while a lane is taken.
    package func ask<Value: Sendable>(in lane: String, _ body: @Sendable () async -> Value) async -> Value {
        let question = Question(self, lane)
        defer { question.isOpen.withLock { $0 = false } }
        return await Question.$asked.withValue(Question.asked + [question]) { await body() }
    }

    /// True if who has a lane waits for an answer of this task, which would wait for itself in the lane.
    package func waitForThisTask(in lane: String) -> Bool {
        Question.asked.contains { $0.lanes === self && $0.lane == lane && $0.isOpen.withLock { $0 } }
    }
}
