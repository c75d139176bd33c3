import PredicateQL
import PredicateQLStore
import StoreModel
import StoreSupport
import Testing

/// The guides of data stores, sample by sample in their order.
@Suite struct GuideTests {
    @Test(arguments: StoreType.allCases) func everySampleHolds(type: StoreType) async throws {
        let harness = try ServiceHarness.open()
        let service = FunctionTransport { request in await harness.service.answer(request) }
        let walk = GuideWalk(service, type, clock: harness.time)
        try await walk.run()
        #expect(walk.failures.isEmpty, "\(type): \(walk.failures.joined(separator: "\n"))")
        #expect(walk.count > (type == .network ? 120 : 350), "\(type): \(walk.count)")
    }
}
