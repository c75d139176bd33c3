import CAllocations
import Foundation

/// What one run of some work costs.
struct Cost {
    /// Thread CPU nanoseconds, the best of several rounds.
    var nanoseconds: Double
    /// Heap blocks asked for.
    var allocations: Double
}

/// Runs work in rounds until enough time has passed and takes the best round.
struct Stopwatch {
    /// Seconds for each piece of work.
    var seconds: Double

    func measure(_ work: () throws -> Void) rethrows -> Cost {
        try work()
        let blocks = thread_allocations()
        let first = try cpuTime(work)
        let allocations = Double(thread_allocations() - blocks)
        let repeats = max(1, Int(seconds * 1e9 / 5 / max(first, 1)))
        var best = first
        for _ in 0..<5 {
            let round = try cpuTime { for _ in 0..<repeats { try work() } }
            best = min(best, round / Double(repeats))
        }
        return Cost(nanoseconds: best, allocations: allocations)
    }

    private func cpuTime(_ work: () throws -> Void) rethrows -> Double {
        let start = clock()
        try work()
        return clock() - start
    }

    private func clock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// The geometric mean, nil of nothing.
func geometricMean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : exp(values.map(log).reduce(0, +) / Double(values.count))
}

/// Keeps the optimizer from dropping work whose result nobody reads.
@inline(never) func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
