import PredicateQL
import StoreModel

/// The result of a query: the entities, and those that cannot be decoded.
///
///     try await novels.save([Novel(title: "Emma"), Novel(title: "Dune")])
///     let found = try await novels.result(of: Query(format: "title != nil"))
///     (found.entities.count, found.unreadable.count)  // → (2, 0)
public struct FindResult<Value: Entity>: Sendable {
    /// The entities in the query's order.
    public internal(set) var entities: [Value] = []
    /// The entities that cannot be decoded, each with its id and the reason.
    public internal(set) var unreadable: [UnreadableEntity] = []

    init(_ readings: [Reading<Value>]) {
        entities.reserveCapacity(readings.count)
        for reading in readings {
            switch reading {
            case .entity(let value): entities.append(value)
            case .unreadable(let entity): unreadable.append(entity)
            }
        }
    }
}

/// An entity that cannot be decoded as its type: written by a newer app, or edited by hand.
///
/// It stays in the cache and on the service unchanged, and does not affect other entities.
///
///     await client.unreadable.map(\.id)  // → []
public struct UnreadableEntity: Hashable, Sendable {
    /// The collection.
    public let collection: String
    /// The entity's id; nil if it has none.
    public let id: String?
    /// The reason, with the place inside the entity.
    public let error: QueryError
}

/// An entity as it is read.
enum Reading<Value: Sendable>: Sendable {
    case entity(Value)
    case unreadable(UnreadableEntity)
}

extension DataStore {
    /// Finds entities, and lists those that cannot be decoded.
    ///
    ///     try await novels.result().unreadable.count  // → 0
    ///
    /// - Parameters:
    ///   - query: the query; all entities by default.
    ///   - options: options for this call.
    /// - Returns: the entities in the query's order, and the others with id and reason.
    /// - Throws: as ``find(_:options:)``.
    public func result(
        of query: Query = Query(),
        options: Options? = nil
    ) async throws(StoreError) -> FindResult<Value> {
        let target = target(options, await client.seat)
        let query = try Self.declared(query)
        try await client.requireSayable(query, .find, target)
        return try await read(target) { (isLocal) async throws(StoreError) in
            try await found(query, target, isLocal: isLocal)
        }
    }

    /// What one side finds.
    func found(_ query: Query, _ target: ReadTarget, isLocal: Bool) async throws(StoreError) -> FindResult<Value> {
        guard isLocal else {
            return await readings(of: try await client.entities(query, target, isLocal: false))
        }
        try await client.checkAge(query, target)
        return await noted(FindResult(try await client.local(query, target, Self.reading)))
    }

    /// Decodes entities; those that cannot be decoded are listed separately.
    func readings(of entities: [[UInt8]]) async -> FindResult<Value> {
        var reader = JSONReader()
        return await noted(
            FindResult(entities.map { json in json.withUnsafeBufferPointer { Self.reading($0, &reader) } })
        )
    }

    /// Tells the client what could not be read.
    func noted(_ result: FindResult<Value>) async -> FindResult<Value> {
        if !result.unreadable.isEmpty { await client.note(result.unreadable) }
        return result
    }

    /// The query with the type's schema, or with its values as entities store them.
    ///
    /// Unknown names are refused here, whether the cache or the service is queried.
    static func declared(_ query: Query) throws(StoreError) -> Query {
        try requireCollection()
        do throws(QueryError) {
            try known(query).refuseOrderOfBytes()
            let query = known(query).inWireForm
            try query.validatePipeline()
            _ = try query.checked()
            return query
        } catch {
            throw .query(error)
        }
    }

    /// Refuses a name that no collection can have, before anything is stored under it.
    static func requireCollection() throws(StoreError) {
        if EntityID.isCollection(Value.collection) { return }
        throw .badEntity(
            "no collection can be called \"\(Value.collection)\": a name has 1 to 128 letters, digits, - and _, "
                + "and does not begin with _"
        )
    }

    /// The same of groups.
    static func declared(_ grouping: Grouping) throws(StoreError) -> Grouping {
        try requireCollection()
        var grouping = grouping
        grouping.query = known(grouping.query)
        do throws(QueryError) {
            try grouping.refuseOrderOfBytes()
            grouping.query = grouping.query.inWireForm
            try grouping.checked().validate()
        } catch {
            throw .query(error)
        }
        return grouping
    }

    private static func known(_ query: Query) -> Query {
        var query = query
        if query.schema == nil { query.schema = Value.knownSchema }
        return query
    }

    /// Reads an entity.
    static func decode(_ json: [UInt8]) throws(StoreError) -> Value {
        var reader = JSONReader()
        switch json.withUnsafeBufferPointer({ reading($0, &reader) }) {
        case .entity(let value): return value
        case .unreadable(let entity): throw .query(entity.error)
        }
    }

    /// Decodes an entity; the error names the entity and the place that does not fit.
    @Sendable static func reading(_ json: UnsafeBufferPointer<UInt8>, _ reader: inout JSONReader) -> Reading<Value> {
        var id: String?
        do throws(QueryError) {
            guard case .object(let document) = try reader.read(json) else {
                throw QueryError(.json, "an entity is not an object")
            }
            if case .string(let text)? = document["_id"] { id = text }
            return .entity(try document.entity(Value.self))
        } catch {
            var named = error
            let place = error.path.map { $0 + ": " } ?? ""
            let name = id.map { "the entity \($0)" } ?? "an entity"
            named.message =
                "\(name) of the collection \(Value.collection) cannot be read as \(Value.self): \(place)"
                + error.message
            return .unreadable(UnreadableEntity(collection: Value.collection, id: id, error: named))
        }
    }
}

extension Document {
    /// The document with a type's initial values where it has none.
    private func completed<Value: EntityWithDefaults>(_ type: Value.Type) -> Document? {
        guard let initial = try? Document(encoding: Value()) else { return nil }
        var copy = self
        for (key, value) in initial.pairs where (self[key] ?? .null) == .null { copy[key] = value }
        return copy
    }

    /// An entity; what every one has comes along even if the type's own keys leave it out.
    func entity<Value: Entity>(_ type: Value.Type) throws(QueryError) -> Value {
        var value: Value
        do throws(QueryError) {
            value = try decode(type)
        } catch {
            guard let completed = (type as? any EntityWithDefaults.Type).flatMap({ completed($0) }) else { throw error }
            value = try completed.decode(type)
        }
        if value._id == nil, case .string(let id)? = self["_id"] { value._id = id }
        if value._acl == nil, case .object(let access)? = self["_acl"] {
            value._acl = try access.decode(AccessControl.self)
        }
        if value._kmd == nil, case .object(let metadata)? = self["_kmd"] {
            value._kmd = try metadata.decode(Metadata.self)
        }
        return value
    }
}
