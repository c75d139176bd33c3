import QueryValues

/// One request: whichever comes first of the answer, the time-out and the cancellation ends it.
///
/// Nobody waits for what was told to cancel, and it is told so outside of every lock: on Linux `URLSession.data(for:)`
/// cancels inside of its own, and never ends when an answer arrives at the same time (swift-corelibs-foundation 5412).
package final class Exchange<Answer: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Answer, Never>)
        case ended(Answer)
        case told
    }

    private let state = Mutex(State.running)

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - timeout: how long the whole answer may take.
    ///   - timedOut: the answer after that time.
    ///   - cancelled: the answer when the task is cancelled.
    ///   - start: sends the request, passes its response to ``end(_:)``, and returns what cancels the request.
    /// - Returns: the first answer.
    package static func run(
        _ timeout: Duration,
        timedOut: Answer,
        cancelled: Answer,
        _ start: (Exchange) -> @Sendable () -> Void
    ) async -> Answer {
        let exchange = Exchange()
        let cancel = start(exchange)
        let clock = Task {
            try await Task.sleep(for: timeout)
            if exchange.end(timedOut) { cancel() }
        }
        defer { clock.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { exchange.wait($0) }
        } onCancel: {
            if exchange.end(cancelled) { cancel() }
        }
    }

    private func wait(_ caller: CheckedContinuation<Answer, Never>) {
        let answer: Answer? = state.withLock { state in
            guard case .ended(let answer) = state else {
                state = .awaited(caller)
                return nil
            }
            state = .told
            return answer
        }
        if let answer { caller.resume(returning: answer) }
    }

    /// Ends it, unless it has ended: what comes later changes nothing.
    ///
    /// - Parameter answer: the answer.
    /// - Returns: whether this answer is the first.
    @discardableResult package func end(_ answer: Answer) -> Bool {
        let before = state.withLock { state in
            let before = state
            switch state {
            case .running: state = .ended(answer)
            case .awaited: state = .told
            case .ended, .told: break
            }
            return before
        }
        switch before {
        case .running: return true
        case .awaited(let caller):
            caller.resume(returning: answer)
            return true
        case .ended, .told: return false
        }
    }
}
