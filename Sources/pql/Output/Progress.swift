#if CLI
    /// A progress bar on standard error; drawn only on terminals, and only after a second.
    final class Progress {
        /// Bytes read so far.
        var bytes = 0
        /// False if the bar would appear among results.
        var isWanted = true
        private let total: Int?
        private let start = ContinuousClock.now
        private var lastDrawn: ContinuousClock.Instant?

        init(total: Int?) {
            self.total = total
        }

        /// Draws the bar, at most ten times a second.
        func draw() {
            guard isWanted, Terminal.error.isTerminal else { return }
            let now = ContinuousClock.now
            guard now - start > .seconds(1), lastDrawn.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
            lastDrawn = now
            Terminal.error.write("\r\u{1B}[K" + text)
        }

        private var text: String {
            guard let total, total > 0 else { return "\(bytes / 1_048_576) MiB" }
            let share = min(1, Double(bytes) / Double(total))
            let full = Int(share * 30)
            let bar = String(repeating: "#", count: full) + String(repeating: ".", count: 30 - full)
            return "[\(bar)] \(Int(share * 100))%  \(bytes / 1_048_576) MiB"
        }

        /// Removes the bar.
        func clear() {
            guard lastDrawn != nil else { return }
            lastDrawn = nil
            Terminal.error.write("\r\u{1B}[K")
        }
    }
#endif
