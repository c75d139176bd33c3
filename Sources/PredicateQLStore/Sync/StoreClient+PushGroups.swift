import PredicateQL
import StoreModel

/// New entities, which go out together.
extension StoreClient {
    /// Sends new entities in one request.
    func send(group: [OutboxEntry], _ target: PushTarget) async -> PushResult {
        do throws(StoreError) {
            var sent: [OutboxEntry] = []
            var bodies: [QueryValue] = []
            for (entry, json) in try prepare(group, target) {
                guard let json, case .object(var document)? = try? QueryValue(json: json) else { continue }
                document["_kmd"] = .object(["rid": .string(try key(of: entry, target))])
                sent.append(entry)
                bodies.append(.object(document))
            }
            guard !sent.isEmpty else { return PushResult() }
            let request = try requests(target.seat, target.options)
                .data("POST", target.collection, body: .list(bodies))
            environment.reached(.numbered)
            return try await send(request, of: sent, target)
        } catch {
            return PushResult(
                failures: group.map { .init(collection: target.collection, id: $0.id, error: error) }
            )
        }
    }

    private func send(
        _ request: WireRequest,
        of sent: [OutboxEntry],
        _ target: PushTarget
    ) async throws(StoreError) -> PushResult {
        let response: WireResponse
        do throws(StoreError) {
            response = try await send(request, for: .additions, of: target.collection, target.options)
        } catch {
            guard case .foreignAnswer(let fault) = error else { throw error }
            return try await readForeign(fault, to: sent, target)
        }
        environment.reached(.answered)
        return try await readAnswer(response, to: sent, target)
    }

    private func readAnswer(
        _ response: WireResponse,
        to sent: [OutboxEntry],
        _ target: PushTarget
    ) async throws(StoreError) -> PushResult {
        var result = PushResult()
        guard let outcomes = AnswerReading.outcomes(of: response, to: sent.map(\.id)) else {
            let fault = ServiceFault(response)
            let outcome = AnswerReading.outcome(of: fault, to: .create)
            // One entity may be what the service does not take.
            if case .refused = outcome {
                for entry in sent { result.add(await send(unit: [entry], target)) }
                return result
            }
            return try record(sent.map { ($0, outcome) }, target, result)
        }
        var others: [(OutboxEntry, AnswerReading.Outcome)] = []
        var taken: [OutboxEntry] = []
        for (entry, outcome) in zip(sent, outcomes) {
            if case .idTaken = outcome, target.conflict.sendsConditions {
                taken.append(entry)
            } else {
                others.append((entry, outcome))
            }
        }
        result = try record(others, target, result)
        for entry in taken { result.add(await send(unit: [entry], target)) }
        return result
    }

    /// A proxy may reject one entity, or the size of all.
    private func readForeign(
        _ fault: ServiceFault,
        to sent: [OutboxEntry],
        _ target: PushTarget
    ) async throws(StoreError) -> PushResult {
        guard [400, 403, 406, 413, 422].contains(fault.status) else {
            return try record(sent.map { ($0, .foreign(fault)) }, target, PushResult())
        }
        var result = PushResult()
        for entry in sent { result.add(await send(unit: [entry], target)) }
        return result
    }
}
