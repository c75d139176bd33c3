import Foundation
import Testing

/// A bound on the processor time of some work, asserted where the machine is ours.
///
/// Elsewhere the work must end, and no clock is read: what is quadratic in these tests' inputs does not end in time.
package enum ThreadTime {
    /// Runs some work on this thread.
    ///
    /// - Parameters:
    ///   - seconds: the most processor time that it may take, far above what it needs.
    ///   - name: what the failure says.
    ///   - work: the work.
    /// - Returns: its result.
    package static func bounded<Result>(
        seconds: Double,
        _ name: @autoclosure () -> String,
        _ work: () throws -> Result
    ) rethrows -> Result {
        guard Machine.isOurs else { return try work() }
        let start = now()
        let result = try work()
        let spent = now() - start
        if spent > seconds { Issue.record("\(name()) takes \(spent) s of the processor, not at most \(seconds)") }
        return result
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
