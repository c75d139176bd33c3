import PredicateQL
import PredicateQLSQLite
import QueryEvaluation
import QueryMeaning
import QueryMongoReading
import QueryTree
import QueryValues
import StoreModel

/// The latest requests for entities, with their statements: clients ask the same again and again.
///
/// A request is known by the collection, the caller and the exact text of its parameters. Two generations make a bound
/// without a list: what is asked again moves to the new one, the rest goes with the old one.
final class PreparedFinds: Sendable {
    /// The collection, the caller and the text; nil for requests that are not kept.
    struct Key: Hashable {
        private let collection: Collection.Key
        private let text: UTF8Key

        init?(_ exchange: Exchange, _ collection: Collection.Key) {
            let caller = exchange.caller.fingerprint
            let (query, bytes) = (exchange.request.query, exchange.request.body)
            guard query.utf8.count + bytes.count <= PreparedFinds.mostBytes,
                let body = exchange.route.takesBody ? String(validating: bytes, as: UTF8.self) : ""
            else { return nil }
            self.collection = collection
            // No id and no body contains a NUL.
            text = UTF8Key([caller, exchange.route.rawValue, query, body].joined(separator: "\u{0}"))
        }
    }

    /// A longer text is not kept.
    static let mostBytes = 2_048
    /// Up to twice as many requests are kept.
    private static let mostInGeneration = 128

    private struct Generations {
        var new: [Key: PreparedFind] = [:]
        var old: [Key: PreparedFind] = [:]

        mutating func find(_ key: Key) -> PreparedFind? {
            if let found = new[key] { return found }
            guard let found = old[key] else { return nil }
            add(found, key)
            return found
        }

        mutating func add(_ find: PreparedFind, _ key: Key) {
            if new.count >= PreparedFinds.mostInGeneration { (old, new) = (new, [:]) }
            new[key] = find
        }
    }

    private let generations = Mutex(Generations())

    /// The number of requests kept.
    var count: Int { generations.withLock { Set($0.new.keys).union($0.old.keys).count } }

    /// The statements for a collection among the requests kept.
    func statements(in collection: Collection) -> [JSONStatement] {
        generations.withLock { Array($0.new.values) + Array($0.old.values) }.compactMap { $0.statement(in: collection) }
    }

    /// The request as it was read before, or as it is read now.
    func find(
        _ exchange: Exchange,
        _ collection: Collection.Key,
        _ configuration: ServiceConfiguration
    ) throws(ServiceFault) -> PreparedFind {
        let key = Key(exchange, collection)
        if let key, let known = generations.withLock({ $0.find(key) }) { return known }
        let made = PreparedFind(try Parameters(exchange, Parameters.Part.allCases, configuration))
        if let key { generations.withLock { $0.add(made, key) } }
        return made
    }
}

/// The parameters of a request for entities, and its statement.
final class PreparedFind: Sendable {
    /// The statement for what was known of the collection.
    struct Plan: Sendable {
        /// What the rows are those of, with the caller's rights and one row more than an answer takes.
        var query: Query
        /// The point from which rows are sorted by distance, in place of the query's order.
        var nearest: NearestPlace?
        /// True if the rows change while the collection stays the same, so that no ETag names the answer.
        var isVolatile: Bool
        /// Nil for a query that SQLite cannot say, which is answered in memory.
        var rows: JSONStatement?
        fileprivate var collection: Collection
        fileprivate var version: Int
    }

    let parameters: Parameters
    let pace = Pace()
    private let plan = Mutex<Plan?>(nil)

    init(_ parameters: Parameters) { self.parameters = parameters }

    /// The statement that is kept for a collection.
    fileprivate func statement(in collection: Collection) -> JSONStatement? {
        plan.withLock { $0 }.flatMap { $0.collection === collection ? $0.rows : nil }
    }

    /// The statement for a snapshot, which then shows no lists that are unknown to it.
    func plan(
        _ exchange: Exchange,
        in collection: Collection,
        _ connection: Connection,
        _ configuration: ServiceConfiguration
    ) throws(ServiceFault) -> Plan {
        let lists = collection.listPaths
        // Rights never change in a collection as it is known.
        if let plan = plan.withLock({ $0 }), plan.collection === collection, plan.version == lists.version {
            return plan
        }
        var isLasting = true
        var (query, nearest) = try parameters.reading(within: configuration, lists: lists.paths) { id, path in
            // What an entity holds now, it may hold no longer in another snapshot.
            isLasting = false
            return connection.holdsList(at: path, id, in: collection)
        }
        // One more tells whether the answer is cut.
        query.limit = min(query.limit ?? .max, configuration.limits.entitiesPerAnswer + 1)
        let access = try connection.access(of: exchange.caller, in: collection)
        // Whom an entity is shared with changes from snapshot to snapshot.
        if access.exceptions != nil { isLasting = false }
        if let readable = access.readable { query.condition = readable && query.condition }
        query.fields = query.fields.map { $0 + ["_id", "_acl", "_kmd"] }
        let asked = query
        let rows = try connection.faults { () throws(QueryError) in
            try nearest != nil ? nil : connection.statement(asked, in: collection, now: exchange.now)
        }
        let made = Plan(
            query: query,
            nearest: nearest,
            isVolatile: query.isVolatile,
            rows: rows,
            collection: collection,
            version: lists.version
        )
        if isLasting, let rows, rows.sql.utf8.count <= Self.mostSQL, !rows.isVolatile { plan.withLock { $0 = made } }
        return made
    }

    /// A longer statement is not kept.
    private static let mostSQL = 16_384
}

extension Connection {
    /// True if an entity holds a list at a path, in this snapshot, or if that is unknown.
    func holdsList(at path: String, _ id: String, in collection: Collection) -> Bool {
        var holds = false
        do throws(QueryError) {
            try forEach("SELECT doc FROM \(collection.table) WHERE id = ?", [.string(id)]) { (row) throws(QueryError) in
                guard let text = row.bytes(at: 0), case .object(let entity) = try QueryValue(json: text) else {
                    throw QueryError(.store, "an entity is not an object")
                }
                holds = ListPaths(of: entity).contains(path)
                return false
            }
        } catch {
            return true
        }
        return holds
    }

    /// The statement for the entities that a query finds; nil if SQLite cannot say the query.
    fileprivate func statement(
        _ query: Query,
        in collection: Collection,
        now: Int64
    ) throws(QueryError) -> JSONStatement? {
        do throws(QueryError) {
            return try query.jsonStatement(in: database, from: collection.rows, now: now)
        } catch  where error.code == .unsupported || error.code == .limit {
            return nil
        }
    }

    /// Calls a closure with the JSON of each entity that a plan finds.
    func forEachEntity(
        _ plan: PreparedFind.Plan,
        in collection: Collection,
        now: Int64,
        _ configuration: ServiceConfiguration,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ServiceFault) {
        database.limits = bounds(configuration)
        try faults { () throws(QueryError) in
            if let rows = plan.rows {
                return try rows.forEach(in: database) { (json) throws(QueryError) in body(json) }
            }
            var fields = try plan.query.fields.map { (fields) throws(QueryError) in
                try Projection(fields, schema: plan.query.schema)
            }
            for id in try ids(plan, in: collection, now: now) {
                try forEach("SELECT doc FROM \(collection.table) WHERE id = ?", [.string(id)]) {
                    (row) throws(QueryError) in
                    guard let text = row.text(at: 0) else { return false }
                    guard fields != nil, case .object(let entity) = try QueryValue(json: Array(text)),
                        let shown = fields?.row(entity)
                    else {
                        body(text)
                        return false
                    }
                    var json: [UInt8] = []
                    JSONWriter().write(.object(shown), to: &json)
                    json.withUnsafeBytes(body)
                    return false
                }
            }
        }
    }

    /// The ids of the entities that a plan finds, in its order.
    private func ids(_ plan: PreparedFind.Plan, in collection: Collection, now: Int64) throws(QueryError) -> [String] {
        guard let nearest = plan.nearest else { return try ids(plan.query, in: collection, now: now) }
        var query = plan.query
        let most = database.limits.sortedRows
        (query.skip, query.limit, query.fields) = (nil, most + 1, ["_id", nearest.path])
        let rows = try rows(query, in: collection, now: now)
        guard rows.count <= most else {
            throw QueryError(
                .limit,
                "more than \(most) entities are sorted by their distance",
                hint: "give a smaller $maxDistance"
            )
        }
        let found = rows.compactMap { row -> (id: String, distance: Double)? in
            guard case .string(let id)? = row["_id"] else { return nil }
            let value = nearest.path.keys.reduce(QueryValue.object(row)) { value, key in
                if case .object(let object) = value { object[key] ?? .null } else { .null }
            }
            let place = GeoPoint(place: value)
            return (id, place.map { nearest.center.distance(to: $0) } ?? .infinity)
        }
        let sorted = found.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
        return sorted.dropFirst(plan.query.skip ?? 0).prefix(plan.query.limit ?? .max).map(\.id)
    }

    /// The ids of the entities that a query finds, in its order, whatever SQLite can say of it.
    func ids(_ query: Query, in collection: Collection, now: Int64) throws(QueryError) -> [String] {
        var query = query
        query.fields = ["_id"]
        return try rows(query, in: collection, now: now).compactMap { row in
            if case .string(let id)? = row["_id"] { id } else { nil }
        }
    }

    private func rows(_ query: Query, in collection: Collection, now: Int64) throws(QueryError) -> [Document] {
        do throws(QueryError) {
            return try query.rows(in: database, from: collection.rows, now: now)
        } catch  where error.code == .unsupported || error.code == .limit {
            return try query.results(in: database, from: collection.rows, now: now)
        }
    }
}
