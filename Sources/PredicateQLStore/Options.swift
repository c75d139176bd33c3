import PredicateQL
import StoreModel

/// Where a store keeps its entities, and when it asks the service.
///
///     StoreType.sync.readPolicy  // → local
public enum StoreType: String, Hashable, Sendable, CaseIterable {
    /// Reads and writes the cache; `pull`, `push` and `sync` ask the service.
    case sync
    /// Asks the service, and reads the cache when it cannot be reached; writes both. The default.
    case auto
    /// Answers twice, from the cache and from the service; writes both. ``auto`` took its place.
    case cache
    /// Keeps nothing on the device.
    case network

    /// How a store of this type reads.
    public var readPolicy: ReadPolicy {
        switch self {
        case .sync: .local
        case .auto: .networkElseLocal
        case .cache: .both
        case .network: .network
        }
    }

    /// How a store of this type writes.
    public var writePolicy: WritePolicy {
        switch self {
        case .sync: .local
        case .auto: .silentLocalThenNetwork
        case .cache: .localThenNetwork
        case .network: .network
        }
    }
}

/// Where a read looks.
///
///     ReadPolicy.forceLocal == .local  // → true
public enum ReadPolicy: String, Hashable, Sendable, CaseIterable {
    /// The cache alone.
    case local
    /// The service alone.
    case network
    /// The cache, then the service.
    case both
    /// The service; the cache when no answer came. Errors that the service answers are thrown.
    case networkElseLocal

    /// The cache alone, as older texts call it.
    public static let forceLocal = ReadPolicy.local
    /// The service alone, as older texts call it.
    public static let forceNetwork = ReadPolicy.network
}

/// Where a write goes.
///
///     WritePolicy.forceNetwork == .network  // → true
public enum WritePolicy: String, Hashable, Sendable, CaseIterable {
    /// The cache; `push` sends it.
    case local
    /// The cache, then the service; what the service answers is told.
    case localThenNetwork
    /// The cache, then the service; where it cannot be reached the change waits, and the entity is the answer.
    case silentLocalThenNetwork
    /// The service alone; nothing waits.
    case network

    /// The cache alone, as older texts call it.
    public static let forceLocal = WritePolicy.local
    /// The service alone, as older texts call it.
    public static let forceNetwork = WritePolicy.network
}

/// What a change that lost against another client's means.
///
///     let options = Options(conflict: .ask { conflict in conflict.theirs == nil ? .keepMine : .takeTheirs })
///     options.deltaSync == nil  // → true
public enum ConflictRule: Sendable {
    /// The change that reaches the service last stays (W9); the default.
    case clientWins
    /// The service's version stays; the change is told in ``PushResult/overruled``.
    case serverWins
    /// The app decides.
    ///
    /// - Parameter decide: gets both sides; it may take its time.
    case ask(_ decide: @Sendable (Conflict) async -> Resolution)

    /// Whether a write demands the version that it was made from.
    var sendsConditions: Bool {
        switch self {
        case .clientWins: false
        case .serverWins, .ask: true
        }
    }
}

/// A local change and the service's version, which is not the one that was changed.
///
///     let keep = ConflictRule.ask { conflict in conflict.mine == nil ? .takeTheirs : .keepMine }
///     _ = keep
public struct Conflict: Sendable {
    /// The entity's id.
    public let id: String
    /// The version that was changed; nil for a new entity.
    public let base: Document?
    /// The change; nil for a removal.
    public let mine: Document?
    /// The service's version; nil if it is gone.
    public internal(set) var theirs: Document?
}

/// What becomes of a conflict.
///
///     let merge = ConflictRule.ask { conflict in .merged(conflict.mine ?? Document()) }
///     _ = merge
public enum Resolution: Sendable {
    /// The change is sent again over the service's version.
    case keepMine
    /// The service's version stays.
    case takeTheirs
    /// Another version is sent.
    case merged(Document)
    /// The change waits for the next push.
    case leavePending
}

/// Options of a request, a store or a client; the nearest that is set holds.
///
///     Options(readPolicy: .forceNetwork, timeout: .seconds(120)).deltaSync == nil  // → true
public struct Options: Sendable {
    /// Where reads look; that of the store's type if nowhere set.
    public var readPolicy: ReadPolicy?
    /// Where writes go; that of the store's type if nowhere set.
    public var writePolicy: WritePolicy?
    /// How long one request may take; 60 s if nowhere set.
    public var timeout: Duration?
    /// Whether pulls ask for changes only; false if nowhere set.
    public var deltaSync: Bool?
    /// How long a row of the cache stays valid; for ever if nowhere set.
    public var ttl: Duration?
    /// What happens when two clients changed an entity; ``ConflictRule/clientWins`` if nowhere set.
    public var conflict: ConflictRule?
    /// Entities in one page of a pull, 1 to 10,000; 10,000 if nowhere set.
    public var pageSize: Int?
    /// Requests that a push sends at once, from 1; 6 if nowhere set.
    public var connections: Int?
    /// The app's version, sent as `X-Kinvey-Client-App-Version`.
    public var clientVersion: String?
    /// Makes the `_id` of a new entity of a collection; nil, and nowhere set, for one of 26 characters.
    ///
    /// Each must be new: an entity that has it already is changed.
    ///
    ///     Options().newID == nil  // → true
    public var newID: (@Sendable (_ collection: String) -> String?)?
    /// Properties for the service's own code, sent as `X-Kinvey-Custom-Request-Properties`.
    public var requestProperties: [String: String]?

    /// Options; nil says nothing.
    ///
    /// - Parameters:
    ///   - readPolicy: where reads look.
    ///   - writePolicy: where writes go.
    ///   - timeout: how long one request may take.
    ///   - deltaSync: whether pulls ask for changes only.
    ///   - ttl: how long a row of the cache stays valid.
    ///   - conflict: what happens when two clients changed an entity.
    ///   - pageSize: entities in one page of a pull, 1 to 10,000.
    ///   - connections: requests that a push sends at once, from 1.
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

    /// These options, and others where these say nothing.
    ///
    ///     Options(ttl: .seconds(1)).over(Options(deltaSync: true)).deltaSync  // → true
    ///
    /// - Parameter other: options farther away.
    /// - Returns: both.
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
