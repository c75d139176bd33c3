import PredicateQL
import PredicateQLSQLite
import QueryTree
import QueryValues
import StoreModel

extension Service {
    /// Groups of the entities that a condition finds, each with computed values.
    func group(_ exchange: Exchange) async throws(ServiceFault) -> WireResponse {
        let key = try exchange.collection()
        let tree = try TreeBody(exchange, configuration)
        var body = Document()
        if tree == nil { body = try exchange.object() }
        let (grouping, request): (Grouping, GroupRequest?)
        do throws(QueryError) {
            if let tree {
                (grouping, request) = (try tree.grouping(), nil)
            } else {
                let read = try GroupRequest(rest: body)
                (grouping, request) = (read.grouping, read)
            }
            try configuration.policy.check(grouping)
        } catch {
            // There is no JavaScript engine: functions are recognized by their form.
            if error.code == .unsupported, error.path?.hasPrefix("reduce") ?? false {
                throw ServiceFault(.featureUnavailable, debug: error.rendered())
            }
            throw ServiceFault(querying: error)
        }
        guard let collection = storage.collections[key] else {
            // Of no rows there may be a group all the same.
            let rows = tree == nil ? [] : try grouping.ofNoRows(exchange.now)
            return .json(.list(rows.map(QueryValue.object)), tick: .zero)
        }
        let configuration = configuration
        return try await storage.read(for: exchange.sender) { (connection) throws(ServiceFault) in
            let tick = try connection.tick(of: collection)
            let access = try connection.access(of: exchange.caller, in: collection)
            var grouping = grouping
            if let readable = access.readable { grouping.query.condition = readable && grouping.query.condition }
            connection.database.limits = connection.bounds(configuration)
            let rows = try connection.faults { () throws(QueryError) in
                do throws(QueryError) {
                    return try grouping.results(in: connection.database, from: collection.rows, now: exchange.now)
                } catch {
                    throw request != nil && error.path != nil ? error.placed(inGroupRequest: "reducers") : error
                }
            }
            guard rows.count <= configuration.limits.entitiesPerAnswer else {
                let debug = "more than \(configuration.limits.entitiesPerAnswer) groups; give a limit, or fewer keys"
                throw ServiceFault(.resultSetSizeExceeded, debug: debug)
            }
            return .json(.list(rows.map { .object(request?.row(of: $0) ?? $0) }), tick: tick)
        }
    }
}

extension Grouping {
    /// What a collection without entities answers.
    fileprivate func ofNoRows(_ now: Int64) throws(ServiceFault) -> [Document] {
        do throws(QueryError) {
            return try results(in: [], now: now)
        } catch {
            throw ServiceFault(querying: error)
        }
    }
}
