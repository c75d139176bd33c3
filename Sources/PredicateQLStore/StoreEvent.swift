import PredicateQL
import StoreModel

/// What a client does, for a log or a progress bar.
///
///     let logging = Task {
///         for await event in client.events { print(event) }
///     }
///     logging.cancel()
public enum StoreEvent: Sendable {
    /// A request ended after some milliseconds; `status` is nil if there was no response.
    case request(method: String, path: String, status: Int?, milliseconds: Int64)
    /// A page of a pull is in the cache: the number of entities so far, and true if it was the last page.
    case pulled(collection: String, entities: Int, isLast: Bool)
    /// Some changes of a push have their responses: `done` of `count`.
    case pushed(collection: String, done: Int, count: Int)
    /// The service sent no delta, so the pull is full.
    case leftDeltas(collection: String, reason: ServiceFault)
    /// The service's version overruled a change, which is no longer pending: the conflict has both.
    case overruled(collection: String, Conflict)  // W9
    /// An entity that cannot be decoded was left out.
    case unreadable(UnreadableEntity)
}

extension StoreEvent: CustomStringConvertible {
    /// A log line, without secrets.
    public var description: String {
        switch self {
        case .request(let method, let path, let status, let milliseconds):
            "\(method) \(path) \(status.map(String.init) ?? "no response") \(milliseconds) ms"
        case .pulled(let collection, let entities, let isLast):
            "pull of \(collection): \(entities) entities\(isLast ? "" : " so far")"
        case .pushed(let collection, let done, let count): "push of \(collection): \(done) of \(count) changes"
        case .leftDeltas(let collection, let reason): "no delta of \(collection): \(reason.name.rawValue)"
        case .overruled(let collection, let conflict):
            "a change of \(conflict.id) in \(collection) was overruled by the service's version"
        case .unreadable(let entity): entity.error.message
        }
    }
}

extension StoreClient {
    /// The client's events from now on; a slow reader misses the oldest beyond 1,000.
    ///
    ///     let logging = Task {
    ///         for await event in client.events { print(event) }
    ///     }
    ///     logging.cancel()
    public nonisolated var events: AsyncStream<StoreEvent> { listeners.stream() }

    nonisolated func report(_ event: @autoclosure () -> StoreEvent) { listeners.tell(event) }
}

/// Those who read what a client does.
final class EventListeners: Sendable {
    private let state = Mutex((next: 0, all: [Int: AsyncStream<StoreEvent>.Continuation]()))

    func stream() -> AsyncStream<StoreEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreEvent.self,
            bufferingPolicy: .bufferingNewest(1_000)
        )
        let number = state.withLock { state in
            state.next += 1
            state.all[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.all[number] = nil } }
        return stream
    }

    /// Makes the event only if somebody listens.
    func tell(_ event: () -> StoreEvent) {
        let all = state.withLock { Array($0.all.values) }
        if all.isEmpty { return }
        let event = event()
        for continuation in all { continuation.yield(event) }
    }

    deinit { for continuation in state.withLock({ Array($0.all.values) }) { continuation.finish() } }
}
