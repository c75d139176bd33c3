import PredicateQL
import PredicateQLStore
import StoreModel
import QueryValues

/// A network that loses, repeats, delays and breaks what it carries, as the seed of its world decides.
package final class FaultyTransport: Transport {
    /// What the service did for a keyed write.
    package struct Effect: Hashable, Sendable {
        package var client: String
        package var number: Int64
        package var id: String
        /// The text that the simulation put into the entity; nil for a removal.
        package var mark: String?
    }

    private let world: World
    private let answer: @Sendable (WireRequest) async -> WireResponse
    private let state = Mutex((isOnline: true, faults: 0, effects: [Effect]()))

    /// A network before a service.
    package init(_ world: World, _ answer: @escaping @Sendable (WireRequest) async -> WireResponse) {
        self.world = world
        self.answer = answer
    }

    /// Whether requests can leave.
    package var isOnline: Bool {
        get { state.withLock { $0.isOnline } }
        set { state.withLock { $0.isOnline = newValue } }
    }

    /// How many requests of a hundred meet a fault.
    package var faults: Int {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// What the service did, in order.
    package var effects: [Effect] { state.withLock { $0.effects } }

    package func send(_ request: WireRequest, timeout: Duration) async throws(TransportFault) -> WireResponse {
        await world.sleep(Int64(world.below(40)))
        guard isOnline else { throw .unreachable("offline") }
        guard world.below(100) < faults else {
            let response = await deliver(request)
            await world.sleep(Int64(world.below(40)))
            return response
        }
        switch world.below(7) {
        case 0: throw .unreachable("lost")
        case 1:
            // The answer is lost.
            _ = await deliver(request)
            throw .timedOut
        case 2:
            // It arrives after the client gave up.
            late(request)
            throw .timedOut
        case 3:
            // It arrives twice, the second time late.
            late(request)
            return await deliver(request)
        case 4:
            let status = [500, 503, 429][world.below(3)]
            return WireResponse(status: status, headers: [("Retry-After", "1")], body: Array("oops".utf8))
        case 5:
            var response = await deliver(request)
            response.body = Array(response.body.prefix(response.body.count / 2))
            return response
        default:
            let response = await deliver(request)
            await world.sleep(Int64(world.below(5_000)))
            return response
        }
    }

    private func late(_ request: WireRequest) {
        let delay = Int64(world.below(600_000))
        world.start { [self] in
            await world.sleep(delay)
            _ = await deliver(request)
        }
    }

    private func deliver(_ request: WireRequest) async -> WireResponse {
        let response = await answer(request)
        note(request, response)
        return response
    }

    /// Remembers what a write did.
    private func note(_ request: WireRequest, _ response: WireResponse) {
        guard (200...299).contains(response.status), response.headers["X-PQL-Replayed"] == nil,
            let body = try? QueryValue(json: response.body)
        else { return }
        let sent = try? QueryValue(json: request.body)
        var found: [Effect] = []
        if let key = request.headers["Idempotency-Key"].flatMap(RequestKey.init) {
            let last = request.path.split(separator: "/").last.map(String.init) ?? ""
            let id = Self.text("_id", sent) ?? Self.text("_id", body) ?? last
            found.append(Effect(client: key.client, number: key.number, id: id, mark: Self.text("mark", sent)))
        } else if case .list(let entities)? = sent, case .object(let answer) = body,
            case .list(let made)? = answer["entities"]
        {
            for (entity, result) in zip(entities, made) {
                guard case .object(let document) = entity, case .object(let metadata)? = document["_kmd"],
                    let key = Self.text("rid", .object(metadata)).flatMap(RequestKey.init),
                    case .object(let stored) = result, Self.text("mark", entity) == Self.text("mark", result),
                    stored["_kmd"] != nil
                else { continue }
                let effect = Effect(
                    client: key.client,
                    number: key.number,
                    id: Self.text("_id", entity) ?? "",
                    mark: Self.text("mark", entity)
                )
                // An answer does not say which of several were made before.
                if !effects.contains(effect) { found.append(effect) }
            }
        }
        state.withLock { $0.effects += found }
    }

    private static func text(_ key: String, _ value: QueryValue?) -> String? {
        guard case .object(let document)? = value, case .string(let text)? = document[key] else { return nil }
        return text
    }
}
