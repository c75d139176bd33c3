import Foundation
import PredicateQLStore
import StoreSupport
import Testing

/// Devices, a service and a network with faults, in one process: what is promised holds at the end of every run.
///
/// `SIMULATIONS=100000` runs that many seeds, `SEED=n` one; `WITHOUT=silenceCounts` leaves a rule of the sync out.
@Suite(.serialized) struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// What a seed gives: its story and its failures.
    static func run(
        _ seed: UInt64,
        operations: Int,
        without switchedOff: Set<SyncRule> = []
    ) throws -> (story: [String], failures: [String]) {
        let memory = "/dev/shm"
        let root = FileManager.default.fileExists(atPath: memory) ? memory : NSTemporaryDirectory()
        let folder = root + "/predicateql-\(ProcessInfo.processInfo.processIdentifier)-\(seed)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let simulation = try Simulation(seed: seed, folder: folder, switchedOff: switchedOff)
        let isDone: Bool? = simulation.world.run {
            await simulation.run(operations: operations)
            return true
        }
        simulation.service.close()
        return (simulation.story, simulation.failures + (isDone == nil ? ["it waits for something for ever"] : []))
    }

    @Test func whatIsPromisedHolds() throws {
        let given = Self.environment["SEED"].flatMap { UInt64($0) }
        let count = UInt64(Self.environment["SIMULATIONS"] ?? "") ?? 40
        let operations = Int(Self.environment["OPERATIONS"] ?? "") ?? 60
        let without = Self.environment["WITHOUT"].flatMap(SyncRule.init)
        var failed = 0
        for seed in given.map({ $0...$0 }) ?? 1...count {
            let (story, failures) = try Self.run(seed, operations: operations, without: Set(without.map { [$0] } ?? []))
            guard !failures.isEmpty else { continue }
            failed += 1
            if failed <= 5 {
                let shown = given == nil ? [] : story
                Issue.record("SEED=\(seed)\n\((shown + failures).joined(separator: "\n"))")
            }
        }
        if given != nil, Self.environment["STORY"] != nil {
            print(try Self.run(given ?? 0, operations: operations).story.joined(separator: "\n"))
        }
        print("simulation: \(given == nil ? Int(count) : 1) seeds of \(operations) operations a device, \(failed) fail")
        #expect(failed == 0)
    }

    @Test func aSeedGivesOneStory() throws {
        for seed in UInt64(1)...5 {
            let (first, _) = try Self.run(seed, operations: 30)
            let (second, _) = try Self.run(seed, operations: 30)
            #expect(first == second, "SEED=\(seed)")
            #expect(first.count > 20)
        }
    }
}
