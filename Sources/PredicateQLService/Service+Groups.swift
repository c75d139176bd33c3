import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

extension Service {
    /// Groups of the entities that a condition finds, each with computed values.
    func group(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        let body = try exchange.object()
        guard exchange.request.body.count <= configuration.limits.queryBytes else {
            throw ServiceFault(.entityTooLarge, debug: "a query takes \(configuration.limits.queryBytes) bytes")
        }
        let grouping: Grouping
        do throws(QueryError) {
            grouping = try Grouping(rest: body)
            try configuration.policy.check(grouping)
        } catch {
            // There is no JavaScript engine: functions are recognized by their form.
            if error.code == .unsupported, error.path?.hasPrefix("reduce") ?? false {
                throw ServiceFault(.featureUnavailable, debug: error.rendered())
            }
            throw ServiceFault(querying: error)
        }
        guard let collection = storage.collections[key] else { return .json(Array("[]".utf8), tick: .zero) }
        let configuration = configuration
        return try await storage.read { (connection) throws(ServiceFault) in
            let tick = try connection.tick(of: collection)
            let access = Access(rights: collection.rights, caller: exchange.caller)
            var grouping = grouping
            if let readable = access.readable { grouping.query.condition = readable && grouping.query.condition }
            connection.database.limits = configuration.queryLimits
            let rows = try connection.faults { () throws(QueryError) in
                try grouping.results(
                    in: connection.database,
                    from: collection.table,
                    storage: .entities,
                    now: exchange.now
                )
            }
            guard rows.count <= configuration.limits.entitiesPerAnswer else {
                throw ServiceFault(.resultSetSizeExceeded)
            }
            return .json(.list(rows.map { .object(grouping.restRow(of: $0)) }), tick: tick)
        }
    }
}
