/// A progress bar; drawn only on terminals, and only after a second.
package final class ProgressBar {
    /// Bytes read so far.
    package var bytes = 0
    /// False if the bar would appear among results.
    package var isWanted = true
    private let total: Int?
    private let isTerminal: Bool
    private let clock: () -> ContinuousClock.Instant
    private let write: (String) -> Void
    private let start: ContinuousClock.Instant
    private var lastDrawn: ContinuousClock.Instant?

    /// A bar that is not drawn yet.
    ///
    /// - Parameters:
    ///   - total: the bytes to read, if that is known.
    ///   - isTerminal: false draws nothing.
    ///   - clock: the time.
    ///   - write: where the bar goes.
    package init(
        total: Int?,
        isTerminal: Bool,
        clock: @escaping () -> ContinuousClock.Instant = { .now },
        write: @escaping (String) -> Void
    ) {
        (self.total, self.isTerminal, self.clock, self.write) = (total, isTerminal, clock, write)
        start = clock()
    }

    /// Draws the bar, at most ten times a second.
    package func draw() {
        guard isWanted, isTerminal else { return }
        let now = clock()
        guard now - start > .seconds(1), lastDrawn.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
        lastDrawn = now
        write("\r\u{1B}[K" + text(at: now))
    }

    private func text(at now: ContinuousClock.Instant) -> String {
        let seconds = max(0.001, (now - start) / .seconds(1))
        let rate = "\(bytes / 1_048_576) MiB  \(Int(Double(bytes) / seconds) / 1_048_576) MiB/s"
        guard let total, total > 0 else { return rate }
        let share = min(1, Double(bytes) / Double(total))
        let full = Int(share * 30)
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: 30 - full)
        let left = share > 0 ? Self.words(seconds * (1 - share) / share) : ""
        return "[\(bar)] \(Int(share * 100))%  \(rate)  \(left)"
    }

    /// The time left, which is an estimate, in its largest unit or two.
    private static func words(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        if whole < 60 { return "\(whole) s left" }
        return whole < 3_600
            ? "\(whole / 60) min \(whole % 60) s left" : "\(whole / 3_600) h \(whole / 60 % 60) min left"
    }

    /// Removes the bar.
    package func clear() {
        guard lastDrawn != nil else { return }
        lastDrawn = nil
        write("\r\u{1B}[K")
    }
}
