import PredicateQL
import QueryValues
import StoreModel

/// What a service did, seen from its answers: every version of every entity, and whose writes made them.
///
/// It judges each answer when it is given: ticks grow, a write has one effect, and nobody is told what they may not read.
package final class Oracle: Sendable {
    /// A version of an entity.
    package struct Version: Sendable {
        /// The tick of its commit.
        package var tick: Int64
        /// The entity; nil if it was removed.
        package var entity: Document?
    }

    /// What the service did for a keyed write.
    package struct Effect: Hashable, Sendable {
        package var client: String
        package var number: Int64
        package var id: String
        /// The text that the simulation put into the entity; nil for a removal.
        package var mark: String?
    }

    private struct State {
        var versions: [String: [Version]] = [:]
        var effects: Set<Effect> = []
        var numbers: [String: Int64] = [:]
        var marks: Set<String> = []
        var lastTick: Int64 = 0
        var writesUnderWay = 0
        var failures: [String] = []
    }

    private let state = Mutex(State())
    /// Whether a user, nil for the app itself, may read an entity.
    private let canRead: @Sendable (_ user: String?, _ entity: Document) -> Bool

    package init(canRead: @escaping @Sendable (_ user: String?, _ entity: Document) -> Bool = { _, _ in true }) {
        self.canRead = canRead
    }

    /// What the service did against its promises.
    package var failures: [String] { state.withLock { $0.failures } }
    /// The ids of all entities that there ever were, in order.
    package var ids: [String] { state.withLock { $0.versions.keys.sorted() } }
    /// The entities that there are, in the order of their ids.
    package var present: [Document] {
        state.withLock { $0.versions.sorted { $0.key < $1.key }.compactMap { $0.value.last?.entity } }
    }
    /// Whether a write is with the service, so that its effect is not noted yet.
    package var isWriteUnderWay: Bool { state.withLock { $0.writesUnderWay > 0 } }

    /// Whether a change of an entity was acted on.
    package func didAct(_ id: String, _ mark: String) -> Bool { state.withLock { $0.marks.contains(id + " " + mark) } }

    /// Calls a closure with the versions of each entity.
    package func forEach(_ body: (_ id: String, _ versions: [Version]) -> Void) {
        for (id, versions) in state.withLock({ $0.versions }) { body(id, versions) }
    }

    /// Lets the service answer, and notes what that says.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - user: who asks; nil for the app or its owner.
    ///   - isMaster: whether the owner asks, who may read everything.
    ///   - answer: the service.
    /// - Returns: the answer.
    package func watch(
        _ request: WireRequest,
        user: String? = nil,
        isMaster: Bool = false,
        _ answer: (WireRequest) async -> WireResponse
    ) async -> WireResponse {
        let isWrite = request.method != "GET"
        if isWrite { state.withLock { $0.writesUnderWay += 1 } }
        let response = await answer(request)
        let body = try? QueryValue(json: response.body)
        state.withLock { state in
            if isWrite {
                state.writesUnderWay -= 1
                if response.status < 300, response.headers["X-PQL-Replayed"] == nil, let body {
                    note(request, response, body, user, in: &state)
                }
            }
            guard !isMaster, let body else { return }
            // Of what is gone an answer has the id alone.
            for case .object(let entity) in Self.entities(of: body) where entity["_kmd"] != nil {
                if canRead(user, entity) { continue }
                state.failures.append("\(user ?? "app") was told of \(QueryValue.object(entity).json) (W12)")
            }
        }
        return response
    }

    /// The entities that an answer shows.
    private static func entities(of body: QueryValue) -> [QueryValue] {
        switch body {
        case .list(let entities): return entities
        case .object(let document):
            if document["_kmd"] != nil, document["username"] == nil { return [body] }
            return ["entities", "changed", "left"].flatMap { key -> [QueryValue] in
                if case .list(let entities)? = document[key] { entities } else { [] }
            }
        default: return []
        }
    }

    // MARK: Writes

    private func note(
        _ request: WireRequest,
        _ response: WireResponse,
        _ body: QueryValue,
        _ user: String?,
        in state: inout State
    ) {
        guard request.path.hasPrefix("/appdata") else { return }
        let last = request.path.split(separator: "/").last.map(String.init) ?? ""
        let key = request.headers["Idempotency-Key"].flatMap(RequestKey.init)
        let sent = request.method == "DELETE" ? nil : try? QueryValue(json: request.body)
        if request.method == "DELETE" {
            let tick = response.headers["X-Kinvey-Request-Start"].flatMap { Tick($0)?.rawValue }
            note(last, Version(tick: tick ?? 0, entity: nil), in: &state)
            if let key { note(Effect(client: key.client, number: key.number, id: last, mark: nil), user, in: &state) }
        } else if case .list(let sent)? = sent, case .object(let answer) = body,
            case .list(let made)? = answer["entities"]
        {
            for (sent, made) in zip(sent, made) {
                // An answer does not say which of several were made before; those have another mark, or are noted.
                guard case .object(let entity) = made, Self.text("mark", sent) == Self.text("mark", made),
                    case .object(let sent) = sent, case .object(let metadata)? = sent["_kmd"],
                    let key = Self.text("rid", .object(metadata)).flatMap(RequestKey.init),
                    let effect = Effect(key, .object(sent)), !state.effects.contains(effect)
                else { continue }
                note(effect.id, Version(entity), in: &state)
                note(effect, user, in: &state)
            }
        } else if case .object(let entity) = body, let id = Self.text("_id", body) {
            note(id, Version(entity), in: &state)
            if let key, let effect = Effect(key, sent ?? .null, id: id) { note(effect, user, in: &state) }
        }
    }

    private func note(_ id: String, _ version: Version?, in state: inout State) {
        guard let version else { return }
        if version.tick < state.lastTick { state.failures.append("the tick of \(id) goes back to \(version.tick)") }
        state.lastTick = max(state.lastTick, version.tick)
        state.versions[id, default: []].append(version)
    }

    private func note(_ effect: Effect, _ user: String?, in state: inout State) {
        state.effects.insert(effect)
        if let owner = effect.owner, owner != user ?? "" {
            state.failures.append("\(effect.mark ?? "") of \(effect.id) was sent by \(user ?? "nobody")")
        }
        if let mark = effect.mark, !state.marks.insert(effect.id + " " + mark).inserted {
            state.failures.append("\(mark) of \(effect.id) was acted on twice (W2)")
        }
        let key = effect.client + " " + effect.id
        if effect.number <= state.numbers[key] ?? 0 {
            state.failures.append("\(effect) after \(state.numbers[key] ?? 0) (W2)")
        }
        state.numbers[key] = effect.number
    }

    fileprivate static func text(_ key: String, _ value: QueryValue?) -> String? {
        guard case .object(let document)? = value, case .string(let text)? = document[key] else { return nil }
        return text
    }
}

extension Oracle.Version {
    /// The version that an answer shows; nil if it does not say when it was made.
    fileprivate init?(_ entity: Document) {
        guard case .object(let metadata)? = entity["_kmd"],
            let tick = Oracle.text("lmt", .object(metadata)).flatMap({ Tick($0)?.rawValue })
        else { return nil }
        self.init(tick: tick, entity: entity)
    }
}

extension Oracle.Effect {
    /// Whose change it is, if its mark says so: `device/user:number`; nobody is an empty text.
    fileprivate var owner: Substring? {
        guard let mark, let slash = mark.firstIndex(of: "/"), let colon = mark.lastIndex(of: ":"), slash < colon else {
            return nil
        }
        return mark[mark.index(after: slash)..<colon]
    }

    fileprivate init?(_ key: RequestKey, _ sent: QueryValue, id: String? = nil) {
        guard let id = id ?? Oracle.text("_id", sent) else { return nil }
        self.init(client: key.client, number: key.number, id: id, mark: Oracle.text("mark", sent))
    }
}
