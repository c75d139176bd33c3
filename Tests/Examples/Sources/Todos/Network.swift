import PredicateQLService
import PredicateQLStore
import StoreModel

/// A network that can be switched off, to a service in the same process.
///
/// An app has its service elsewhere and needs none of this: `StoreClient(service: "https://example.org", …)`.
actor Network: Transport {
    private let service: Service
    private var isOnline = true

    init(_ service: Service) { self.service = service }

    func set(isOnline: Bool) { self.isOnline = isOnline }

    func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        guard isOnline else { throw .unreachable("there is no network") }
        return await service.answer(request)
    }
}
