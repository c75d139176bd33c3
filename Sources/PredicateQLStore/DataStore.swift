import PredicateQL
import StoreModel

/// The entities of one collection, in the cache, on the service or both; a value.
///
///     try await novels.save(Novel(title: "Emma"))
///     try await novels.find(Query(format: "title == 'Emma'")).count  // → 1
///     try await novels.sync().push.count  // → 1
///
/// Every call throws a ``StoreError``. Cancelling the task ends a call; what it had stored in the cache stays stored
/// and pending.
public struct DataStore<Value: Entity>: Sendable {
    let client: StoreClient
    /// Where entities are kept and when the service is queried.
    public let type: StoreType
    /// Options of this store; nil values use the client's.
    public let options: Options
    /// True if pulls fetch pages, so that no result is cut.
    public let isPaged: Bool

    /// What holds for a call: its options, then the store's, then the client's.
    func merged(_ options: Options?) -> Options { (options?.over(self.options) ?? self.options).over(client.options) }

    func target(_ options: Options?, _ seat: StoreClient.Seat) -> ReadTarget {
        ReadTarget(
            seat: seat,
            collection: Value.collection,
            options: merged(options),
            type: type,
            isPaged: isPaged
        )
    }

    // MARK: Finding

    /// The entity with an id.
    ///
    ///     try await novels.save(Novel(id: "n1", title: "Emma"))
    ///     try await novels.find(id: "n1").title  // → Emma
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - options: options for this call.
    /// - Returns: the entity; with the policy `both` the service's, or the cache's if there is no response.
    /// - Throws: `StoreError.notFound`, `noValidLocalData` for one older than `ttl`, and errors of a request.
    public func find(id: String, options: Options? = nil) async throws(StoreError) -> Value {
        let target = target(options, await client.seat)
        try Self.requireCollection()
        guard EntityID.isValid(id) else { throw .notFound }
        let json = try await read(target) { (isLocal) async throws(StoreError) in
            try await client.entity(id, target, isLocal: isLocal)
        }
        return try Self.decode(json)
    }

    /// The entities that a query finds.
    ///
    ///     try await novels.save([Novel(title: "Emma", year: 1815), Novel(title: "Dune", year: 1965)])
    ///     try await novels.find(Query(format: "year >= 1900", order: ["-year"], limit: 20)).count  // → 1
    ///
    /// - Parameters:
    ///   - query: the query; all entities by default.
    ///   - options: options for this call.
    /// - Returns: the entities in the query's order; with the policy `both` the service's, or the cache's if there is
    ///   no response. An entity that cannot be decoded is left out: ``result(of:options:)`` lists it, and
    ///   ``StoreClient/unreadable`` keeps it.
    /// - Throws: `StoreError.query` for a query that the cache or the service does not support, `truncated` if the
    ///   result was cut, `noValidLocalData` for rows older than `ttl`, and errors of a request.
    public func find(_ query: Query = Query(), options: Options? = nil) async throws(StoreError) -> [Value] {
        try await result(of: query, options: options).entities
    }

    /// The results of a query, one after the other: with the policy `both` the cache's, then the service's.
    ///
    ///     for try await answer in novels.answers() { print(answer.source, answer.entities.count) }
    ///
    /// - Parameters:
    ///   - query: the query; all entities by default.
    ///   - options: options for this call.
    /// - Returns: a sequence of one or two results.
    public func answers(_ query: Query = Query(), options: Options? = nil) -> Answers<Value> {
        Answers(store: self, options: options) { (target, isLocal) async throws(StoreError) in
            let query = try Self.declared(query)
            try await client.requireSayable(query, .find, target)
            return try await found(query, target, isLocal: isLocal)
        }
    }

    /// The entity with an id, read twice with the policy `both`: from the cache, then from the service.
    ///
    ///     try await novels.save(Novel(id: "n1", title: "Emma"))
    ///     for try await answer in novels.answers(id: "n1") { print(answer.source, answer.entities.count) }
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - options: options for this call.
    /// - Returns: a sequence of one or two results with one entity each; none from the cache if it lacks the entity.
    public func answers(id: String, options: Options? = nil) -> Answers<Value> {
        Answers(store: self, options: options) { (target, isLocal) async throws(StoreError) in
            guard EntityID.isValid(id) else { throw .notFound }
            return await readings(of: [try await client.entity(id, target, isLocal: isLocal)])
        }
    }

    /// The number of entities that a query finds.
    ///
    /// - Parameters:
    ///   - query: the query; all entities by default.
    ///   - options: options for this call.
    /// - Returns: the number.
    /// - Throws: as ``find(_:options:)``.
    public func count(_ query: Query = Query(), options: Options? = nil) async throws(StoreError) -> Int {
        let target = target(options, await client.seat)
        let query = try Self.declared(query)
        try await client.requireSayable(query, .count, target)
        return try await read(target) { (isLocal) async throws(StoreError) in
            if isLocal { try await client.checkAge(query, target) }
            return try await client.count(query, target, isLocal: isLocal)
        }
    }

    /// Groups entities and computes values for each group.
    ///
    ///     let byYear = Query().grouped(by: "year", computing: [.count])
    ///     try await novels.groups(byYear).count  // → 0
    ///
    /// - Parameters:
    ///   - grouping: keys and reducers; stores that read the cache group there.
    ///   - options: options for this call.
    /// - Returns: a document for each group.
    /// - Throws: as ``find(_:options:)``.
    public func groups(_ grouping: Grouping, options: Options? = nil) async throws(StoreError) -> [Document] {
        let target = target(options, await client.seat)
        let asked = try Self.declared(grouping)
        try await client.requireSayable(asked, target)
        return try await read(target) { (isLocal) async throws(StoreError) in
            if isLocal { try await client.checkAge(asked.query.tracked, target) }
            return try await client.groups(asked, target, isLocal: isLocal)
        }
    }

    /// Groups entities and decodes each group as a type.
    ///
    /// - Parameters:
    ///   - grouping: keys and reducers.
    ///   - type: a type with the keys' and the reducers' names.
    ///   - options: options for this call.
    /// - Returns: a value for each group.
    /// - Throws: as ``groups(_:options:)``, and `query` for a group that cannot be decoded.
    public func groups<Row: Decodable & Sendable>(
        _ grouping: Grouping,
        as type: Row.Type,
        options: Options? = nil
    ) async throws(StoreError) -> [Row] {
        var rows: [Row] = []
        for group in try await groups(grouping, options: options) {
            do throws(QueryError) { rows.append(try group.decode(type)) } catch { throw .query(error) }
        }
        return rows
    }

    // MARK: Sides

    /// Asks the sides that the policy names, and answers with the last.
    func read<Result: Sendable>(
        _ target: ReadTarget,
        _ ask: (_ isLocal: Bool) async throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        switch target.policy {
        case .local where target.keepsRows: return try await ask(true)
        case .local: throw .notForNetworkStores
        case .network: return try await ask(false)
        case .both, .networkElseLocal:
            if await client.isUnreachable, target.keepsRows { return try await ask(true) }
            do throws(StoreError) {
                return try await ask(false)
            } catch {
                guard error.isSilence, target.keepsRows else { throw error }
                return try await ask(true)
            }
        }
    }
}
