import Foundation
import QueryValues

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a session: whichever comes first of the answer, the time-out and the cancellation ends it.
///
/// Nobody waits for a session that was told to cancel, and it is told so outside of every lock: on Linux
/// `URLSession.data(for:)` cancels inside of its own, and never ends when an answer arrives at the same time
/// (swift-corelibs-foundation 5412).
final class SessionExchange: Sendable {
    private typealias Answer = Result<(Data, URLResponse), any Error>

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
    ///   - request: the request.
    ///   - session: what sends it.
    ///   - timeout: how long the whole answer may take; a session's own time-out begins anew with every byte.
    /// - Returns: the body and the head of the answer.
    /// - Throws: `URLError`, or `CancellationError` when the task is cancelled.
    static func run(
        _ request: URLRequest,
        _ session: URLSession,
        _ timeout: Duration
    ) async throws -> (Data, URLResponse) {
        let exchange = SessionExchange()
        let task = session.dataTask(with: request) { data, response, error in
            if let data, let response, error == nil {
                exchange.end(.success((data, response)))
            } else {
                exchange.end(.failure(error ?? URLError(.badServerResponse)))
            }
        }
        task.resume()
        let clock = Task {
            try await Task.sleep(for: timeout)
            exchange.end(.failure(URLError(.timedOut)), cancelling: task)
        }
        defer { clock.cancel() }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { exchange.wait($0) }
        } onCancel: {
            exchange.end(.failure(CancellationError()), cancelling: task)
        }.get()
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
    private func end(_ answer: Answer, cancelling task: URLSessionDataTask? = nil) {
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
        case .running: break
        case .awaited(let caller): caller.resume(returning: answer)
        case .ended, .told: return
        }
        task?.cancel()
    }
}
