import PredicateQLStore
import QueryValues

/// Numbers that a seed decides.
package struct Dice: Sendable {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    /// 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number of 0 ..< bound.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// A simulated machine: one thread, a clock that moves only when nothing can run, and a seed that decides what runs next.
///
/// It is a task executor. Jobs that are ready are taken at random; when there are none, time moves to the next timer. The
/// same seed gives the same run.
package final class World: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        var timers: [(at: Int64, number: Int, waiting: CheckedContinuation<Void, Never>)] = []
        /// Milliseconds since the world began; timers go by it.
        var elapsed: Int64 = 0
        /// What the clock shows more than that.
        var offset: Int64
        var timerCount = 0
        var random: Dice
        /// What was drawn so far, as a number: equal runs have equal ones.
        var digest: UInt64 = 0

        mutating func draw(_ bound: UInt64) -> UInt64 {
            let drawn = random.next() % bound
            digest = (digest ^ bound &+ drawn &* 31 &+ UInt64(bitPattern: elapsed)) &* 0x100_0000_01B3
            return drawn
        }
    }

    private let state: Mutex<State>

    /// A world at an instant.
    package init(seed: UInt64, now: Int64 = 1_594_916_197_597) {
        state = Mutex(State(offset: now, random: Dice(seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)))
    }

    /// The simulated time, milliseconds since 1970.
    package var now: Int64 { state.withLock { $0.elapsed + $0.offset } }

    /// Sets the clock forward or back.
    package func shiftClock(_ milliseconds: Int64) { state.withLock { $0.offset += milliseconds } }

    /// 64 bits that the seed decides.
    package func random() -> UInt64 { state.withLock { $0.random.next() } }

    /// A number of 0 ..< bound.
    package func below(_ bound: Int) -> Int { Int(state.withLock { $0.draw(UInt64(bound)) }) }

    /// A number that is equal in equal runs: all that was drawn, and when.
    package var digest: UInt64 { state.withLock { $0.digest } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.ready.append(job) }
    }

    /// Waits in simulated time; ends early when the task is cancelled.
    package func sleep(_ milliseconds: Int64) async {
        let number = state.withLock { state in
            state.timerCount += 1
            return state.timerCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                if Task.isCancelled { return waiting.resume() }
                state.withLock { $0.timers.append(($0.elapsed + max(0, milliseconds), number, waiting)) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.timers.firstIndex { $0.number == number }.map { state.timers.remove(at: $0).waiting }
            }
            waiting?.resume()
        }
    }

    /// What a client of this world needs of it.
    package var environment: StoreEnvironment {
        StoreEnvironment(
            now: { self.now },
            random: { self.random() },
            sleep: { await self.sleep(Int64($0 / .milliseconds(1))) }
        )
    }

    /// Begins work of this world that nobody waits for.
    package func start(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) { await work() }
    }

    /// Runs work, and everything that it begins, to the end.
    ///
    /// - Returns: what the work returned; nil if it waits for something that never comes.
    package func run<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Result? {
        let box = Box<Result>()
        start { box.set(await work()) }
        while step() {}
        return box.value
    }

    /// Runs one job, or moves the clock; false if nothing is left.
    private func step() -> Bool {
        let job = state.withLock { state -> UnownedJob? in
            guard !state.ready.isEmpty else { return nil }
            return state.ready.remove(at: Int(state.draw(UInt64(state.ready.count))))
        }
        if let job {
            job.runSynchronously(on: asUnownedTaskExecutor())
            return true
        }
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard
                let first = state.timers.indices.min(by: { left, right in
                    (state.timers[left].at, state.timers[left].number) < (
                        state.timers[right].at, state.timers[right].number
                    )
                })
            else { return nil }
            let timer = state.timers.remove(at: first)
            state.elapsed = max(state.elapsed, timer.at)
            return timer.waiting
        }
        waiting?.resume()
        return waiting != nil
    }

    private final class Box<Value: Sendable>: Sendable {
        private let stored = Mutex<Value?>(nil)
        var value: Value? { stored.withLock { $0 } }
        func set(_ value: Value) { stored.withLock { $0 = value } }
    }
}
