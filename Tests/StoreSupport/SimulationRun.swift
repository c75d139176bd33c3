import Foundation
import PredicateQLStore
import QueryValues

/// Plans that are run: one, many on all processors, and one that fails with as few steps as are needed for that.
package enum SimulationRun {
    /// What a plan gives.
    package struct Outcome: Sendable {
        package var failures: [String]
        package var story: [String]
        /// A number that is equal in equal runs.
        package var digest: UInt64
        package var crashes: Set<String>
        package var steps: [Int]
    }

    /// Runs a plan.
    package static func run(_ plan: Simulation.Plan) throws -> Outcome {
        let memory = "/dev/shm"
        let root = FileManager.default.fileExists(atPath: memory) ? memory : NSTemporaryDirectory()
        let folder = root + "/predicateql-\(ProcessInfo.processInfo.processIdentifier)-\(plan.seed)"
        try? FileManager.default.removeItem(atPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let simulation = try Simulation(plan, folder: folder)
        let isDone: Bool? = simulation.world.run {
            await simulation.run()
            return true
        }
        simulation.service.close()
        return Outcome(
            failures: simulation.failures + (isDone == nil ? ["it waits for something for ever"] : []),
            story: simulation.story,
            digest: simulation.world.digest,
            crashes: Set(simulation.crashes.map(\.rawValue)),
            steps: simulation.steps
        )
    }

    /// What is run, as the environment says: `SIMULATIONS=100000` so many seeds, from `FIRST=n`, of `OPERATIONS=60` a
    /// device; `SEED=n` one, which is told with `STORY=1`; `TWICE=n` every n-th a second time, which must be equal;
    /// `WITHOUT=silenceCounts` leaves a rule of the sync out; `CORES=n` bounds how many run at once, and `MINUTES=n` how
    /// long.
    package struct Order: Sendable {
        package var seeds: ClosedRange<UInt64>
        package var plan: Simulation.Plan
        package var twice: UInt64
        package var cores: Int
        package var minutes: UInt64
        package var isTold: Bool

        package init(_ environment: [String: String], simulations: Int, twice: UInt64) {
            func number(_ name: String) -> UInt64? { environment[name].flatMap { UInt64($0) } }
            let first = number("SEED") ?? number("FIRST") ?? 1
            let count = number("SEED") == nil ? max(number("SIMULATIONS") ?? UInt64(simulations), 1) : 1
            seeds = first...(first + count - 1)
            plan = Simulation.Plan(seed: 0, operations: Int(number("OPERATIONS") ?? 60))
            if let rule = environment["WITHOUT"].flatMap(SyncRule.init) { plan.switchedOff = [rule] }
            self.twice = max(number("TWICE") ?? twice, 1)
            cores = Int(number("CORES") ?? UInt64(ProcessInfo.processInfo.activeProcessorCount))
            minutes = number("MINUTES") ?? 1_000_000
            isTold = environment["STORY"] != nil
        }
    }

    /// What an order gave.
    package struct Report: Sendable {
        /// The seeds that fail, and what of each.
        package var failed: [(seed: UInt64, failures: [String])] = []
        /// The points at which processes ended.
        package var crashes: Set<String> = []
        package var seeds = 0
        package var steps = 0
        package var time = Duration.zero
        /// The order in a line, and each of the first failures in short.
        package var text = ""
        package var stories: [String] = []
    }

    /// Runs seeds on several processors.
    package static func run(_ order: Order) throws -> Report {
        let state = Mutex((next: order.seeds.lowerBound, report: Report()))
        let clock = ContinuousClock()
        let start = clock.now
        DispatchQueue.concurrentPerform(iterations: order.cores) { _ in
            while true {
                var plan = order.plan
                plan.seed = state.withLock { state in
                    defer { state.next += 1 }
                    return state.next
                }
                let isOver = clock.now - start > .seconds(60 * order.minutes)
                guard plan.seed <= order.seeds.upperBound, !isOver else { return }
                var failures: [String]
                do {
                    let outcome = try run(plan)
                    failures = outcome.failures
                    state.withLock { state in
                        state.report.crashes.formUnion(outcome.crashes)
                        state.report.seeds += 1
                        state.report.steps += outcome.steps.count
                    }
                    let isTwice = plan.seed % order.twice == 0
                    if isTwice, try run(plan).digest != outcome.digest { failures.append("another run is another one") }
                } catch {
                    failures = ["\(error)"]
                }
                if !failures.isEmpty { state.withLock { $0.report.failed.append((plan.seed, failures)) } }
            }
        }
        var report = state.withLock { $0.report }
        report.time = clock.now - start
        report.failed.sort { $0.seed < $1.seed }
        report.text =
            "simulation: \(report.seeds) of \(order.seeds.count) seeds of "
            + "\(report.steps / max(report.seeds, 1)) operations, \(report.failed.count) fail \(report.failed.map(\.seed).prefix(100)), \(report.time)"
        for (seed, failures) in report.failed.prefix(3) {
            var plan = order.plan
            plan.seed = seed
            let short = try shortened(plan)
            let lines = failures.prefix(5) + ["in short:"] + short.story
            report.stories.append("SEED=\(seed)\n" + lines.joined(separator: "\n"))
        }
        if order.isTold, order.seeds.count == 1 {
            var plan = order.plan
            (plan.seed, plan.tells) = (order.seeds.lowerBound, true)
            report.stories.append(try run(plan).story.joined(separator: "\n"))
        }
        return report
    }

    /// Leaves steps out while a plan still fails; tells the story that is left.
    package static func shortened(_ plan: Simulation.Plan, most: Int = 400) throws -> Outcome {
        var plan = plan
        plan.tells = true
        var best = try run(plan)
        var size = best.steps.count / 2
        var runs = 0
        while size > 0 {
            let present = best.steps.filter { !plan.skipped.contains($0) }
            var isShorter = false
            for start in stride(from: 0, to: present.count, by: size) where runs < most {
                var shorter = plan
                shorter.skipped.formUnion(present[start..<min(start + size, present.count)])
                runs += 1
                let outcome = try run(shorter)
                guard !outcome.failures.isEmpty else { continue }
                (plan, best, isShorter) = (shorter, outcome, true)
            }
            if !isShorter || size > 1 { size /= 2 }
            if runs >= most { break }
        }
        if let end = best.story.firstIndex(where: { $0.contains("FAILED") }) {
            best.story.removeSubrange((end + 1)...)
        }
        return best
    }
}
