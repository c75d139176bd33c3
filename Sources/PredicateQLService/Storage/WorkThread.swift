import Foundation

/// Threads that run jobs, each thread with a value of its own; callers take turns.
///
/// SQLite's calls block, so they run here and not on the threads of Swift's tasks. However many jobs one caller has,
/// the next free thread takes one of another caller, and one caller never has all threads.
package final class WorkThreads<State>: @unchecked Sendable {
    package typealias Job = @Sendable (State) -> Void

    /// What became of a job.
    package enum Admission {
        case waits
        /// The caller has too many that wait.
        case isRefused
        /// After ``stop()``.
        case isStopped
    }

    /// The jobs of one caller, in the order of their arrival.
    private struct Queue {
        var jobs: [Job] = []
        var first = 0
        var running = 0

        var isEmpty: Bool { first == jobs.count }

        mutating func take() -> Job {
            let job = jobs[first]
            first += 1
            if first == jobs.count || first > 64, first * 2 > jobs.count {
                jobs.removeFirst(first)
                first = 0
            }
            return job
        }
    }

    /// The most jobs of a caller that wait.
    static var mostWaiting: Int { 1_000 }

    private let condition = NSCondition()
    private var queues: [String: Queue] = [:]
    /// The callers with jobs that wait, the next one first.
    private var turns: [String] = []
    private let mostRunning: Int
    private var isStopping = false
    private var running: Int

    /// Starts threads.
    ///
    /// - Parameters:
    ///   - name: the name that a debugger shows.
    ///   - states: the value of each thread, used by no other.
    ///   - isPatient: true for threads that leave the processor to others, where the system knows that.
    package init(_ name: String, states: [State], isPatient: Bool = false) {
        running = states.count
        mostRunning = max(1, (states.count + 1) / 2)
        for state in states {
            let box = Unchecked(state)
            let thread = Thread { [self] in
                #if os(Linux)
                    // There it is the priority of one thread.
                    if isPatient { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
                #endif
                run(box.value)
            }
            thread.name = name
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// Runs a job of a caller when it is their turn.
    ///
    /// - Parameters:
    ///   - caller: whose job it is.
    ///   - continues: true for a job that goes on with what the caller's earlier ones began: it comes before those that
    ///     wait, so that what was begun ends.
    ///   - job: what is run.
    /// - Returns: whether it will run.
    package func run(for caller: String, continues: Bool = false, _ job: @escaping Job) -> Admission {
        condition.lock()
        defer { condition.unlock() }
        if isStopping { return .isStopped }
        var queue = queues[caller] ?? Queue()
        guard queue.jobs.count - queue.first < Self.mostWaiting else { return .isRefused }
        if queue.isEmpty { turns.append(caller) }
        queue.jobs.insert(job, at: continues ? queue.first : queue.jobs.count)
        queues[caller] = queue
        condition.signal()
        return .waits
    }

    /// How many jobs run and wait.
    var load: (running: Int, waiting: Int) {
        condition.lock()
        defer { condition.unlock() }
        return queues.values.reduce((0, 0)) { ($0.0 + $1.running, $0.1 + $1.jobs.count - $1.first) }
    }

    /// Runs the jobs that wait, then ends the threads; returns when they have ended.
    func stop() {
        condition.lock()
        isStopping = true
        condition.broadcast()
        while running > 0 { condition.wait() }
        condition.unlock()
    }

    private func run(_ state: State) {
        var last: String?
        while let (caller, job) = next(after: last) {
            job(state)
            last = caller
        }
        condition.lock()
        running -= 1
        condition.broadcast()
        condition.unlock()
    }

    /// The next job, when one may run; nil to end.
    private func next(after caller: String?) -> (caller: String, job: Job)? {
        condition.lock()
        defer { condition.unlock() }
        if let caller {
            queues[caller]?.running -= 1
            if let queue = queues[caller], queue.isEmpty, queue.running == 0 { queues[caller] = nil }
            // A job that had to wait for this one may run now.
            if !turns.isEmpty { condition.signal() }
        }
        while true {
            // At most as many callers as there are threads have all that they may.
            if let turn = turns.firstIndex(where: { (queues[$0]?.running ?? 0) < mostRunning }),
                var queue = queues[turns[turn]]
            {
                let caller = turns.remove(at: turn)
                let job = queue.take()
                queue.running += 1
                if !queue.isEmpty { turns.append(caller) }
                queues[caller] = queue
                return (caller, job)
            }
            if isStopping, turns.isEmpty { return nil }
            condition.wait()
        }
    }
}

/// A value that is handed to one thread.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
