import StoreModel

/// When failed changes are retried automatically; pure.
///
/// Pushes by the app ignore it.
struct PushSchedule: Sendable {
    private struct Pause: Sendable {
        /// What failed; a later revision of it did not.
        var revision: Int64 = 0
        var failures = 0
        /// Both by the time of day, milliseconds since 1970.
        var from: Int64 = 0
        var until: Int64 = 0
        var isUnreachable = false

        /// The remaining time; none if the clock was set back, because it is unknown then.
        func rest(at now: Int64) -> Int64 { now < from ? 0 : max(0, until - now) }

        mutating func fail(at now: Int64, random: UInt64, atLeast least: Int64 = 0) {
            failures += 1
            (from, until) = (now, now + max(PushSchedule.pause(after: failures, random: random), least))
        }
    }

    /// By the number of the collection and the bytes of the id.
    private var pauses: [Int64: [[UInt8]: Pause]] = [:]
    /// That of all changes, while the service cannot be reached.
    private var service = Pause()

    /// The delay after a number of failures: 1 s · 2ⁿ up to 5 min, ± 20 %, milliseconds.
    static func pause(after failures: Int, random: UInt64) -> Int64 {
        let doublings = min(max(failures, 1), 10) - 1
        let pause: UInt64 = min(1_000 << UInt64(doublings), 300_000)
        return Int64(pause * 4 / 5 + random % (pause * 2 / 5 + 1))
    }

    /// How long until anything is sent, milliseconds.
    func rest(at now: Int64) -> Int64 { service.rest(at: now) }

    /// How long until a change is sent, milliseconds; one edited since it failed is sent immediately.
    ///
    /// - Returns: nil for a change that the service refuses: it is sent once it is edited or retried by the app.
    func rest(of entry: OutboxEntry, at now: Int64) -> Int64? {
        if entry.isRefused { return nil }
        guard let pause = pauses[entry.collection]?[Array(entry.id.utf8)], pause.revision == entry.revision else {
            return 0
        }
        return pause.rest(at: now)
    }

    /// Takes in what a push did.
    ///
    /// - Parameters:
    ///   - sent: the changes that were to be sent.
    ///   - result: what became of them.
    ///   - now: the current time, milliseconds since 1970.
    ///   - random: what a pause differs by, the same for all, so that they are sent together again.
    mutating func note(_ sent: [OutboxEntry], _ result: PushResult, at now: Int64, random: UInt64) {
        var errors: [[UInt8]: StoreError] = [:]
        for failure in result.failures { errors[Array(failure.id.utf8)] = failure.error }
        if errors.values.contains(where: \.isUnreachable) { service.fail(at: now, random: random) }
        for entry in sent {
            let id = Array(entry.id.utf8)
            guard let error = errors[id] else {
                pauses[entry.collection]?[id] = nil
                continue
            }
            var pause = pauses[entry.collection]?[id] ?? Pause()
            if pause.revision != entry.revision { pause = Pause(revision: entry.revision) }
            pause.fail(at: now, random: random, atLeast: error.retryAfter)
            pause.isUnreachable = error.isUnreachable
            pauses[entry.collection, default: [:]][id] = pause
        }
    }

    /// The service answers again: what could not reach it is sent soon.
    mutating func serviceIsBack() {
        service = Pause()
        for (collection, some) in pauses {
            pauses[collection] = some.mapValues { pause in
                var pause = pause
                if pause.isUnreachable { pause.until = min(pause.until, pause.from + Reachability.memory) }
                return pause
            }
        }
    }

    /// Forgets the delays of changes that are no longer pending.
    mutating func keep(_ entries: [OutboxEntry], of collection: Int64) {
        guard let known = pauses[collection], known.count > entries.count else { return }
        let ids = Set(entries.map { Array($0.id.utf8) })
        pauses[collection] = known.filter { ids.contains($0.key) }
    }
}

extension StoreError {
    /// How long the service wants to be left alone, milliseconds, a day at most.
    fileprivate var retryAfter: Int64 {
        switch self {
        case .service(let fault), .foreignAnswer(let fault): Int64(min(max(fault.retryAfter ?? 0, 0), 86_400)) * 1_000
        default: 0
        }
    }

    fileprivate var isUnreachable: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }
}
