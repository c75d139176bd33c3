import Foundation
import PredicateQLStore
import QueryValues
import SpecSupport
import StoreSupport
import TestConditions
import Testing

/// Devices, a service and a network with faults, in one process: what is promised holds after every step of every run.
///
/// ``SimulationRun/Order`` says what the environment may ask for. A seed that fails is made short. Optimized, a seed is
/// many times as fast: `StoreProcess simulate`.
@Suite(.serialized) struct SimulationTests {
    @Test func whatIsPromisedHolds() throws {
        let order = SimulationRun.Order(
            ProcessInfo.processInfo.environment,
            simulations: SeededGenerator.count(8),
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

    /// A rule that is left out is noticed by one of the first seeds; in the gate, small worlds notice it.
    @Test(
        .tags(.machine),
        .machine,
        arguments: [
            SyncRule.silenceCounts, .forgottenIsNotGone, .newestOfAnswerAndBase, .baseIsAskedFor, .leftOverIsAskedFor,
            .numbersAreKept,
        ]
    ) func everyRuleIsMissed(rule: SyncRule) throws {
        let seed = try (1...UInt64(1_000)).first { seed in
            try !SimulationRun.run(.init(seed: seed, switchedOff: [rule])).failures.isEmpty
        }
        let noticed = try #require(seed, "no seed notices that \(rule) is left out")
        #expect(try SimulationRun.run(.init(seed: noticed)).failures.isEmpty, "SEED=\(noticed)")
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
