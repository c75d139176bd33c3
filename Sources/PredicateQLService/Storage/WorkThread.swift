import Foundation

/// Threads that run jobs in the order of their arrival, each thread with a value of its own.
///
/// SQLite's calls block, so they run here and not on the threads of Swift's tasks.
final class WorkThreads<State>: @unchecked Sendable {
    typealias Job = @Sendable (State) -> Void

    private let condition = NSCondition()
    private var jobs: [Job?] = []
    private var first = 0
    private var isStopping = false
    private var running: Int

    /// Starts threads.
    ///
    /// - Parameters:
    ///   - name: the name that a debugger shows.
    ///   - states: the value of each thread, used by no other.
    init(_ name: String, states: [State]) {
        running = states.count
        for state in states {
            let box = Unchecked(state)
            let thread = Thread { [self] in run(box.value) }
            thread.name = name
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// Runs a job on the next free thread; false after ``stop()``.
    func run(_ job: @escaping Job) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if isStopping { return false }
        jobs.append(job)
        condition.signal()
        return true
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
        while let job = next() { job(state) }
        condition.lock()
        running -= 1
        condition.broadcast()
        condition.unlock()
    }

    private func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while first == jobs.count {
            if isStopping { return nil }
            condition.wait()
        }
        let job = jobs[first]
        jobs[first] = nil
        first += 1
        if first > 64, first * 2 > jobs.count {
            jobs.removeFirst(first)
            first = 0
        }
        return job
    }
}

/// A value that is handed to one thread.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
