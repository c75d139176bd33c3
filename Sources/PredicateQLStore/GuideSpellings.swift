import PredicateQL
import StoreModel

// What people type who come from the guides of Kinvey's SDK: what is the same works, the rest says what to type.

extension StoreClient {
    private static let sharedClient = Mutex<StoreClient?>(nil)

    /// The client set by ``share(_:)``; nil before.
    ///
    ///     // Not run: a process shares one client
    ///     StoreClient.shared === client
    public static var shared: StoreClient? { sharedClient.withLock { $0 } }

    /// Sets the client that ``DataStore/collection(_:autoPagination:options:)`` uses; once per process.
    ///
    ///     // Not run: a process shares one client
    ///     try StoreClient.share(client)
    ///
    /// - Parameter client: the client; the same one may be shared again.
    /// - Throws: `StoreError.noSharedClient` if another client is shared already.
    public static func share(_ client: StoreClient) throws(StoreError) {
        let isShared = sharedClient.withLock { shared in
            if shared == nil { shared = client }
            return shared === client
        }
        if !isShared { throw .noSharedClient }
    }
}

extension DataStore {
    /// The store of a collection with the shared client, as in older guides.
    ///
    ///     // Not run: a process shares one client
    ///     try StoreClient.share(client)
    ///     let books = try DataStore<Novel>.collection(.sync)
    ///
    /// - Parameters:
    ///   - type: where entities are kept and when the service is queried.
    ///   - autoPagination: true to pull in pages, so that no result is cut.
    ///   - options: options of this store.
    /// - Returns: the store.
    /// - Throws: `StoreError.noSharedClient` before ``StoreClient/share(_:)``.
    public static func collection(
        _ type: StoreType = .auto,
        autoPagination: Bool = true,
        options: Options = Options()
    ) throws(StoreError) -> DataStore<Value> {
        guard let client = StoreClient.shared else { throw .noSharedClient }
        return client.store(Value.self, type, options: options, paging: autoPagination)
    }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "find(id:options:)")
    public func find(byId id: String, options: Options? = nil) async throws(StoreError) -> Value { throw .notFound }

    /// A spelling of older guides, or a condition.
    @available(*, unavailable, message: "write find(id: id), or find(Query(format: \"title == 'Emma'\"))")
    public func find(_ id: String, options: Options? = nil) async throws(StoreError) -> Value { throw .notFound }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "find(id:options:)")
    public func findById(_ id: String, options: Options? = nil) async throws(StoreError) -> Value { throw .notFound }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write for try await entities in store.values(query)")
    public func observe(_ query: Query = Query(), _ changed: ((Any) -> Void)? = nil) {}

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "remove(id:options:)")
    public func remove(byId id: String, options: Options? = nil) async throws(StoreError) -> Int { throw .notFound }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "remove(id:options:)")
    public func removeById(_ id: String, options: Options? = nil) async throws(StoreError) -> Int { throw .notFound }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "removeAll(options:)")
    public func remove(options: Options? = nil) async throws(StoreError) -> Int { throw .removesEverything }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "clear(_:)")
    public func clearCache(_ query: Query? = nil) async throws(StoreError) -> Int { throw .notForNetworkStores }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write groups(Query().grouped(by: \"city\", computing: [.count]))")
    public func group(
        count keys: [String],
        countType: Any.Type? = nil,
        condition: Any? = nil,
        options: Options? = nil
    ) async throws(StoreError) -> [Document] { [] }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write groups(Query().grouped(by: \"city\", computing: [.average(\"age\")]))")
    public func group(
        keys: [String],
        avg field: String,
        avgType: Any.Type? = nil,
        condition: Any? = nil,
        options: Options? = nil
    ) async throws(StoreError) -> [Document] { [] }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write groups(Query().grouped(by: \"city\", computing: [.sum(\"age\")]))")
    public func group(
        keys: [String],
        sum field: String,
        sumType: Any.Type? = nil,
        condition: Any? = nil,
        options: Options? = nil
    ) async throws(StoreError) -> [Document] { [] }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write groups(Query().grouped(by: \"city\", computing: [.min(\"age\")]))")
    public func group(
        keys: [String],
        min field: String,
        minType: Any.Type? = nil,
        condition: Any? = nil,
        options: Options? = nil
    ) async throws(StoreError) -> [Document] { [] }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write groups(Query().grouped(by: \"city\", computing: [.max(\"age\")]))")
    public func group(
        keys: [String],
        max field: String,
        maxType: Any.Type? = nil,
        condition: Any? = nil,
        options: Options? = nil
    ) async throws(StoreError) -> [Document] { [] }
}

/// The fields that every entity has, by their names in older guides.
///
///     Entity.Key.metadata.dotted  // → _kmd
public enum EntityKey {
    /// The id, `_id`.
    public static let entityId: FieldPath = "_id"
    /// Who may read and write, with the creator: `_acl`.
    public static let acl: FieldPath = "_acl"
    /// The times of creation and last change: `_kmd`.
    public static let metadata: FieldPath = "_kmd"
}

extension Entity {
    /// The fields that every entity has.
    public typealias Key = EntityKey
}

extension Options {
    /// A spelling of older guides.
    @available(*, unavailable, renamed: "init(deltaSync:)")
    public init(deltaSet: Bool) { self.init(deltaSync: deltaSet) }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write the unit: timeout: .seconds(120)")
    public init(readPolicy: ReadPolicy? = nil, writePolicy: WritePolicy? = nil, timeout: Double) {
        self.init(readPolicy: readPolicy, writePolicy: writePolicy)
    }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "deltaSync")
    public var deltaSet: Bool? { deltaSync }
}

extension StoreType {
    /// A spelling of older guides.
    @available(*, unavailable, renamed: "sync")
    public static var Sync: StoreType { .sync }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "auto")
    public static var Auto: StoreType { .auto }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "cache")
    public static var Cache: StoreType { .cache }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "network")
    public static var Network: StoreType { .network }
}

/// A spelling of older guides.
@available(*, unavailable, renamed: "StoreType")
public typealias DataStoreType = StoreType

extension StoreClient {
    /// A spelling of older guides.
    @available(*, unavailable, renamed: "logIn(username:password:)")
    public func login(username: String, password: String) async throws(StoreError) -> User { throw .noSharedClient }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "signUp(username:password:)")
    public func signup(username: String? = nil, password: String? = nil) async throws(StoreError) -> User {
        throw .noSharedClient
    }

    /// A spelling of older guides.
    @available(*, unavailable, renamed: "logOut()")
    public func logout() async throws(StoreError) {}
}

extension User {
    /// A spelling of older guides.
    @available(*, unavailable, message: "write client.logIn(username: name, password: password)")
    public static func login(username: String, password: String) async throws(StoreError) -> User {
        throw .noSharedClient
    }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write client.signUp(username: name, password: password)")
    public static func signup(username: String? = nil, password: String? = nil) async throws(StoreError) -> User {
        throw .noSharedClient
    }

    /// A spelling of older guides.
    @available(*, unavailable, message: "write client.logOut()")
    public func logout() async throws(StoreError) {}
}
