import Foundation

/// The CPU time of a thread, which does not depend on the machine's other load.
package enum ThreadTime {
    /// Runs some work on this thread.
    ///
    /// - Parameter work: the work.
    /// - Returns: its result and its CPU time in seconds.
    package static func measure<Result>(_ work: () throws -> Result) rethrows -> (result: Result, seconds: Double) {
        let start = now()
        let result = try work()
        return (result, now() - start)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
