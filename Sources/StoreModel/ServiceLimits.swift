/// The limits of a service; all can be configured.
///
///     var limits = ServiceLimits()
///     limits.entitiesPerAnswer  // → 10000
///     limits.requestsPerSecond = nil
public struct ServiceLimits: Hashable, Sendable {
    /// The maximum number of entities in one response (10,000).
    public var entitiesPerAnswer = 10_000
    /// The maximum size of the entities in one response, in bytes (100 MB).
    public var bytesPerAnswer = 100_000_000
    /// The maximum number of entities in one POST (100).
    public var entitiesPerInsert = 100
    /// The maximum size of an entity in bytes (1 MiB).
    public var entityBytes = 1 << 20
    /// The maximum size of a request's body in bytes (8 MiB).
    public var bodyBytes = 8 << 20
    /// The maximum size of a URL in bytes (16 KiB).
    public var urlBytes = 16 << 10
    /// The maximum size of a query's text in a body, in bytes (512 KiB).
    public var queryBytes = 512 << 10
    /// The maximum depth of an entity's JSON (64).
    public var entityDepth = 64
    /// The largest `skip` (10,000,000).
    public var skip = 10_000_000
    /// The maximum running time of a query in seconds (10).
    public var querySeconds = 10
    /// Requests per second and session, with bursts of twice as many (100); nil for no limit.
    public var requestsPerSecond: Int? = 100
    /// Log-ins and sign-ups per minute from one address (5); nil for no limit.
    public var logInsPerMinute: Int? = 5
    /// Wrong passwords per minute for one account, from any address (10); nil for no limit.
    ///
    /// Wrong secrets of an app from one network are limited to ten times as many.
    public var guessesPerMinute: Int? = 10
    /// The maximum number of collections of one app (1,000).
    public var collectionsPerApp = 1_000
    /// Days after which the receipt of a write is dropped (30).
    public var receiptDays = 30
    /// Days after which a session without requests ends (30).
    public var sessionDays = 30

    /// The documented defaults.
    public init() {}
}
