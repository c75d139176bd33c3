import PredicateQL
import PredicateQLStore
import QueryValues
import StoreModel

/// A network that loses, repeats, delays and breaks what it carries, as the seed of its world decides.
package final class FaultyTransport: Transport {
    /// What the network does to requests.
    package struct Settings: Sendable {
        /// Whether requests can leave.
        package var isOnline = true
        /// How many requests of a hundred meet a fault.
        package var faults = 0
        /// The longest time that an answer takes, milliseconds.
        package var delay: Int

        package init(delay: Int = 40) { self.delay = delay }
    }

    private let world: World
    private let answer: @Sendable (WireRequest) async -> WireResponse
    private let state = Mutex(Settings())

    /// A network before a service.
    package init(_ world: World, _ answer: @escaping @Sendable (WireRequest) async -> WireResponse) {
        self.world = world
        self.answer = answer
    }

    package var settings: Settings {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    package func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        if request.method == "GET", request.path.split(separator: "/").count == 2 {
            // Who answers is asked once; faults meet what follows.
            guard self.settings.isOnline else { throw .unreachable("offline") }
            return await answer(request)
        }
        await world.sleep(Int64(world.below(40)))
        let settings = settings
        guard settings.isOnline else { throw .unreachable("offline") }
        guard world.below(100) < settings.faults else {
            let response = await answer(request)
            await world.sleep(Int64(world.below(settings.delay)))
            return response
        }
        switch world.below(8) {
        case 0: throw .unreachable("lost")
        case 1:
            // The service commits, and ends before it answers.
            _ = await answer(request)
            throw .timedOut
        case 2:
            // It arrives after the client gave up.
            late(request)
            throw .timedOut
        case 3:
            // It arrives twice, the second time late.
            late(request)
            return await answer(request)
        case 4:
            let names: [ServiceFault.Name] = [
                .internalErrorRetry, .serviceUnavailable, .requestLimitExceeded, .invalidCredentials,
            ]
            return Self.refusal(names[world.below(4)])
        case 5:
            var response = await answer(request)
            response.body = Array(response.body.prefix(response.body.count / 2))
            return response
        case 6:
            // Something between answers instead, whether or not the service did what it was asked.
            if world.below(2) == 0 { _ = await answer(request) }
            return ForeignAnswer.all[world.below(ForeignAnswer.all.count)].response
        default:
            let response = await answer(request)
            await world.sleep(Int64(world.below(5_000)))
            return response
        }
    }

    /// The service's error, as it says it.
    private static func refusal(_ name: ServiceFault.Name) -> WireResponse {
        let fault = ServiceFault(name)
        return WireResponse(
            status: fault.status,
            headers: [("Content-Type", "application/json"), ("Retry-After", "1")],
            body: Array(QueryValue.object(fault.document).json.utf8)
        )
    }

    private func late(_ request: WireRequest) {
        let delay = Int64(world.below(600_000))
        world.start { [self] in
            await world.sleep(delay)
            _ = await answer(request)
        }
    }
}
