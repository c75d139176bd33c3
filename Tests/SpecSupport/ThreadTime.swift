import Foundation

/// The time that a thread works, which does not depend on what else the machine does.
package enum ThreadTime {
    /// Does some work on this thread.
    ///
    /// - Parameter work: what to do.
    /// - Returns: its result and the seconds of work.
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
