import Foundation
import PredicateQLStore
import QueryValues
import SpecSupport
import StoreSupport
import Testing

/// Devices, a service and a network with faults, in one process: what is promised holds after every step of every run.
///
/// ``SimulationRun/Order`` says what the environment may ask for. A seed that fails is made short. Optimized, a seed is
/// many times as fast: `StoreProcess simulate`.
@Suite(.serialized) struct SimulationTests {
    @Test func whatIsPromisedHolds() throws {
        let order = SimulationRun.Order(
            ProcessInfo.processInfo.environment,
            simulations: SeededGenerator.count(12),
            twice: 1
        )
        let report = try SimulationRun.run(order)
        print(report.text)
        for story in report.stories {
            if report.failed.isEmpty { print(story) } else { Issue.record("\(story)") }
        }
        if order.seeds.count >= 40 { #expect(report.crashes == Set(StorePoint.allCases.map(\.rawValue))) }
        #expect(report.failed.isEmpty, "seeds \(report.failed.map(\.seed).prefix(100))")
    }

    /// Rules that are left out, and a seed each that notices; another is found with `WITHOUT=` when operations change.
    @Test(
        arguments: [
            (SyncRule.silenceCounts, 8), (.forgottenIsNotGone, 148), (.newestOfAnswerAndBase, 9), (.baseIsAskedFor, 8),
            (.leftOverIsAskedFor, 13), (.numbersAreKept, 1),
        ] as [(SyncRule, UInt64)]
    ) func everyRuleIsMissed(rule: SyncRule, seed: UInt64) throws {
        #expect(try SimulationRun.run(.init(seed: seed)).failures.isEmpty)
        #expect(try !SimulationRun.run(.init(seed: seed, switchedOff: [rule])).failures.isEmpty)
    }

    @Test func aSeedGivesOneStory() throws {
        for seed in UInt64(1)...5 {
            let plan = Simulation.Plan(seed: seed, operations: 30, tells: true)
            let (first, second) = (try SimulationRun.run(plan), try SimulationRun.run(plan))
            #expect(first.story == second.story, "SEED=\(seed)")
            #expect(first.digest == second.digest, "SEED=\(seed)")
            #expect(first.story.count > 20)
        }
    }
}
