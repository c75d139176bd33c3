import CAllocations
import Foundation

/// The cost of one run of a task.
struct Cost {
    /// Thread CPU time in nanoseconds, the best of several rounds.
    var nanoseconds: Double
    /// The number of heap allocations.
    var allocations: Double
}

/// Runs a task in rounds until enough time has passed and takes the best round.
struct Stopwatch {
    /// Seconds per task.
    var seconds: Double

    private static let rounds = 9

    func measure(_ work: () throws -> Void) rethrows -> Cost {
        var (cost, repeats) = try firstRound(work)
        for _ in 0..<Self.rounds { try round(work, repeats, &cost) }
        return cost
    }

    /// Measures two tasks in alternating rounds, so that a slow machine slows both.
    func compare(_ ours: () throws -> Void, _ theirs: () throws -> Void) rethrows -> (ours: Cost, theirs: Cost) {
        var (a, repeatsOfA) = try firstRound(ours)
        var (b, repeatsOfB) = try firstRound(theirs)
        for _ in 0..<Self.rounds {
            try round(ours, repeatsOfA, &a)
            try round(theirs, repeatsOfB, &b)
        }
        return (a, b)
    }

    /// The cost of one run, and how often a round repeats it.
    private func firstRound(_ work: () throws -> Void) rethrows -> (cost: Cost, repeats: Int) {
        try work()
        let blocks = thread_allocations()
        let first = try cpuTime(work)
        let cost = Cost(nanoseconds: first, allocations: Double(thread_allocations() - blocks))
        return (cost, max(1, Int(seconds * 1e9 / Double(Self.rounds) / max(first, 1))))
    }

    private func round(_ work: () throws -> Void, _ repeats: Int, _ cost: inout Cost) rethrows {
        let round = try cpuTime { for _ in 0..<repeats { try work() } }
        cost.nanoseconds = min(cost.nanoseconds, round / Double(repeats))
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

/// The geometric mean, nil for no values.
func geometricMean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : exp(values.map(log).reduce(0, +) / Double(values.count))
}

/// Keeps the optimizer from removing work whose result is unused.
@inline(never) func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
