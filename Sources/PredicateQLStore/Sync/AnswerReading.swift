import PredicateQL
import StoreModel

/// What the service's response to a write means for the entry that was sent; pure.
enum AnswerReading {
    enum Outcome: Hashable, Sendable {
        /// Acted on: the entity as the service has it.
        case stored(Fact)
        /// Acted on: the entity is gone; services do not always say when.
        case gone(tick: Int64?)
        /// The `_id` of a new entity is taken.
        case idTaken(ServiceFault)
        /// A greater number of this client was acted on.
        case stale
        /// The condition does not hold; the service's version, or nil if it has none.
        case conflict(Fact?)
        /// The service rejects the credentials.
        case unauthorized(ServiceFault)
        /// Refused for good.
        case refused(ServiceFault)
        /// It may succeed later; the outcome is unknown.
        case failed(ServiceFault)
        /// The response is not the service's; the outcome is unknown.
        case foreign(ServiceFault)
    }

    /// Reads the answer to the write of one entity.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - kind: what was sent.
    ///   - id: the entity's id.
    /// - Returns: what it means.
    static func outcome(of response: WireResponse, to kind: ChangeKind, id: String) -> Outcome {
        let tick = response.tick
        guard !(200...299).contains(response.status) else {
            if kind == .delete || response.headers["X-PQL-Gone"] != nil { return .gone(tick: tick) }
            guard let entity = try? QueryValue(json: response.body), let fact = Fact(entity: entity, tick: tick) else {
                return .failed(.unreadable("an entity was expected"))
            }
            return .stored(fact)
        }
        let fault = ServiceFault(response)
        if kind == .delete, fault.name == .entityNotFound { return .gone(tick: tick) }
        if fault.name == .preconditionFailed {
            return .conflict(
                fault.entity.flatMap { json in
                    (try? QueryValue(json: json)).flatMap { Fact(entity: $0, tick: tick) }
                }
            )
        }
        return outcome(of: fault, to: kind)
    }

    /// What an error means, of one entity or of one among several.
    static func outcome(of fault: ServiceFault, to kind: ChangeKind) -> Outcome {
        if fault.name == .staleRequest { return .stale }
        if fault.isTakenID, kind == .create { return .idTaken(fault) }
        switch fault.status {
        // It is this entity that may not be written; who asks is known.
        case 401 where fault.name == .insufficientCredentials: return .refused(fault)
        case 401: return .unauthorized(fault)
        case 408, 425, 429, 500...: return .failed(fault)
        // Nothing is known of the entity: the client's address is wrong.
        case 404 where fault.name == .pathNotFound: return .failed(fault)
        default: return .refused(fault)
        }
    }
}

extension Fact {
    /// A fact of an entity that an answer shows: at the answer's tick, or when it was last changed, whichever is later.
    init?(entity: QueryValue, tick: Int64?) {
        guard case .object(let document) = entity, case .string(let id)? = document["_id"] else { return nil }
        var json: [UInt8] = []
        JSONWriter().write(entity, to: &json)
        self.init(id: id, json: json, tick: max(tick ?? 0, document.changed ?? 0))
    }
}

extension [[UInt8]] {
    /// The ids of entities.
    var entityIDs: [UTF8Key] {
        compactMap { if case .string(let id)? = Document(json: $0)?["_id"] { UTF8Key(id) } else { nil } }
    }
}

extension AnswerReading {
    /// Reads the answer to the insertion of several entities; nil if it is one error for all.
    static func outcomes(of response: WireResponse, to sent: [String]) -> [Outcome]? {
        guard (200...299).contains(response.status),
            case .object(let document)? = try? QueryValue(json: response.body),
            case .list(let entities)? = document["entities"]
        else { return nil }
        var faults: [Int: ServiceFault] = [:]
        if case .list(let errors)? = document["errors"] {
            for case .object(let error) in errors {
                guard case .int(let index)? = error["index"] else { continue }
                var fault = ServiceFault(.object(error), status: 400)
                fault.status = ServiceFault.known[fault.name]?.status ?? 400
                faults[Int(clamping: index)] = fault
            }
        }
        return sent.indices.map { position in
            if let fault = faults[position] { return outcome(of: fault, to: .create) }
            // Made before and gone since: the entity as it is now is its id alone.
            if position < entities.count, case .object(let entity) = entities[position], entity["_kmd"] == nil,
                entity["_id"] == .string(sent[position])
            {
                return .gone(tick: response.tick)
            }
            guard position < entities.count, let fact = Fact(entity: entities[position], tick: nil) else {
                return .failed(.unreadable("entities and errors do not fit the request"))
            }
            return .stored(fact)
        }
    }
}
