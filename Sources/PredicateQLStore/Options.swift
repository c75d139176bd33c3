import PredicateQL
import StoreModel

/// Where a store keeps its entities, and when it queries the service.
///
///     StoreType.sync.readPolicy  // → local
public enum StoreType: String, Hashable, Sendable, CaseIterable {
    /// Reads and writes the cache; `pull`, `push` and `sync` use the service.
    case sync
    /// Queries the service, and reads the cache if it is unreachable; writes both. The default.
    case auto
    /// Reads twice, from the cache and from the service; writes both. Superseded by ``auto``.
    case cache
    /// Keeps nothing on the device.
    case network

    /// The read policy of a store of this type.
    public var readPolicy: ReadPolicy {
        switch self {
        case .sync: .local
        case .auto: .networkElseLocal
        case .cache: .both
        case .network: .network
        }
    }

    /// The write policy of a store of this type.
    public var writePolicy: WritePolicy {
        switch self {
        case .sync: .local
        case .auto: .silentLocalThenNetwork
        case .cache: .localThenNetwork
        case .network: .network
        }
    }
}

/// Where a read gets its entities.
///
///     ReadPolicy.forceLocal == .local  // → true
public enum ReadPolicy: String, Hashable, Sendable, CaseIterable {
    /// The cache alone.
    case local
    /// The service alone.
    case network
    /// The cache, then the service.
    case both
    /// The service; the cache if there is no response. Error responses are thrown.
    case networkElseLocal

    /// The cache alone, by its older name.
    public static let forceLocal = ReadPolicy.local
    /// The service alone, by its older name.
    public static let forceNetwork = ReadPolicy.network
}

/// Where a write goes.
///
///     WritePolicy.forceNetwork == .network  // → true
public enum WritePolicy: String, Hashable, Sendable, CaseIterable {
    /// The cache; `push` sends it.
    case local
    /// The cache, then the service; errors are thrown.
    case localThenNetwork
    /// The cache, then the service; if it is unreachable, the change stays pending and the call succeeds.
    case silentLocalThenNetwork
    /// The service alone; nothing is kept pending.
    case network

    /// The cache alone, by its older name.
    public static let forceLocal = WritePolicy.local
    /// The service alone, by its older name.
    public static let forceNetwork = WritePolicy.network
}

/// How to resolve a change that conflicts with another client's.
///
/// An entity conflicts if its `_kmd` is not the service's version any more, but for this client's own writes in between.
/// A write with the policy `network` has no later push: unless clients win, it throws ``StoreError/conflict(id:)``.
///
///     let options = Options(conflict: .ask { conflict in conflict.theirs == nil ? .keepMine : .takeTheirs })
///     options.deltaSync == nil  // → true
public enum ConflictRule: Sendable {
    /// The last change to reach the service stays; the default.
    case clientWins  // W9
    /// The service's version stays; the change is listed in ``PushResult/overruled``, and a save throws `conflict`.
    case serverWins
    /// The app decides.
    ///
    /// - Parameter decide: receives both versions; it may take as long as it needs. A push of the collection from within
    ///   is refused: it would wait for itself.
    case ask(_ decide: @Sendable (Conflict) async -> Resolution)

    /// True if a write requires that the version it was made from is still current.
    var sendsConditions: Bool {
        switch self {
        case .clientWins: false
        case .serverWins, .ask: true
        }
    }
}

/// A local change and the service's version, which differs from the one that was changed.
///
///     let keep = ConflictRule.ask { conflict in conflict.mine == nil ? .takeTheirs : .keepMine }
///     _ = keep
public struct Conflict: Sendable {
    /// The entity's id.
    public let id: String
    /// The version that was changed; nil for a new entity, or if the cache has a later one by now.
    public let base: Document?
    /// The change; nil for a removal.
    public let mine: Document?
    /// The service's version; nil if it is gone.
    public internal(set) var theirs: Document?
}

/// The outcome of a conflict.
///
///     let merge = ConflictRule.ask { conflict in .merged(conflict.mine ?? Document()) }
///     _ = merge
public enum Resolution: Sendable {
    /// The change is sent again over the service's version.
    case keepMine
    /// The service's version stays.
    case takeTheirs
    /// A merged version is sent.
    case merged(Document)
    /// The change stays pending until the next push.
    case leavePending
}

/// Options of a request, a store or a client; the most specific value applies.
///
///     Options(readPolicy: .forceNetwork, timeout: .seconds(120)).deltaSync == nil  // → true
public struct Options: Sendable {
    /// The read policy; nil uses the store type's.
    public var readPolicy: ReadPolicy?
    /// The write policy; nil uses the store type's.
    public var writePolicy: WritePolicy?
    /// The timeout of one request, and of the wait for another push or pull of the collection; nil for 60 s.
    public var timeout: Duration?
    /// True to pull changes only; nil for false.
    public var deltaSync: Bool?
    /// How long a cached row stays valid; nil for no limit.
    public var ttl: Duration?
    /// How conflicts are resolved; nil for ``ConflictRule/clientWins``.
    public var conflict: ConflictRule?
    /// The number of entities per page of a pull, 1 to 10,000; nil for 10,000.
    public var pageSize: Int?
    /// The number of parallel requests of a push, from 1; nil for 6.
    public var connections: Int?
    /// The app's version, sent as `X-Kinvey-Client-App-Version`.
    public var clientVersion: String?
    /// Makes the `_id` of a new entity of a collection; nil, or a nil result, for one of 26 characters.
    ///
    /// Each must be new: an existing entity with that id would be changed.
    ///
    ///     Options().newID == nil  // → true
    public var newID: (@Sendable (_ collection: String) -> String?)?
    /// Properties for the service's own code, sent as `X-Kinvey-Custom-Request-Properties`.
    public var requestProperties: [String: String]?

    /// True if a wait took a part of the timeout, which then says nothing of the service.
    var isShortened = false

    /// Creates options; nil leaves a value unset.
    ///
    /// - Parameters:
    ///   - readPolicy: the read policy.
    ///   - writePolicy: the write policy.
    ///   - timeout: the timeout of one request.
    ///   - deltaSync: true to pull changes only.
    ///   - ttl: how long a cached row stays valid.
    ///   - conflict: how conflicts are resolved.
    ///   - pageSize: the number of entities per page of a pull, 1 to 10,000.
    ///   - connections: the number of parallel requests of a push, from 1.
    public init(
        readPolicy: ReadPolicy? = nil,
        writePolicy: WritePolicy? = nil,
        timeout: Duration? = nil,
        deltaSync: Bool? = nil,
        ttl: Duration? = nil,
        conflict: ConflictRule? = nil,
        pageSize: Int? = nil,
        connections: Int? = nil
    ) {
        self.readPolicy = readPolicy
        self.writePolicy = writePolicy
        self.timeout = timeout
        self.deltaSync = deltaSync
        self.ttl = ttl
        self.conflict = conflict
        self.pageSize = pageSize
        self.connections = connections
    }

    /// The timeout that holds.
    var limit: Duration { timeout ?? .seconds(60) }

    /// These options, with other options where these are nil.
    ///
    ///     Options(ttl: .seconds(1)).over(Options(deltaSync: true)).deltaSync  // → true
    ///
    /// - Parameter other: less specific options.
    /// - Returns: the combined options.
    public func over(_ other: Options) -> Options {
        var options = self
        options.readPolicy = readPolicy ?? other.readPolicy
        options.writePolicy = writePolicy ?? other.writePolicy
        options.timeout = timeout ?? other.timeout
        options.deltaSync = deltaSync ?? other.deltaSync
        options.ttl = ttl ?? other.ttl
        options.conflict = conflict ?? other.conflict
        options.pageSize = pageSize ?? other.pageSize
        options.connections = connections ?? other.connections
        options.clientVersion = clientVersion ?? other.clientVersion
        options.newID = newID ?? other.newID
        options.requestProperties = requestProperties ?? other.requestProperties
        return options
    }
}
